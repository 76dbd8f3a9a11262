using System;

namespace Shop;

public static class Delivery
{
    public static bool IsLeapYear(int year) => year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    public static int DaysInMonth(int year, int month)
    {
        if (year is < 1 or > 9999) throw new ArgumentOutOfRangeException(nameof(year));
        return month switch
        {
            2 => IsLeapYear(year) ? 29 : 28,
            4 or 6 or 9 or 11 => 30,
            >= 1 and <= 12 => 31,
            _ => throw new ArgumentOutOfRangeException(nameof(month)),
        };
    }

    /// <summary>The day of the week on which goods arrive: Sundays do not count.</summary>
    public static DayOfWeek Arrival(DayOfWeek ordered, int workdays)
    {
        if (ordered < DayOfWeek.Sunday || ordered > DayOfWeek.Saturday) throw new ArgumentOutOfRangeException(nameof(ordered));
        if (workdays < 0 || workdays > 5) throw new ArgumentOutOfRangeException(nameof(workdays));
        DayOfWeek day = ordered;
        while (workdays > 0)
        {
            day = day == DayOfWeek.Saturday ? DayOfWeek.Sunday : day + 1;
            if (day != DayOfWeek.Sunday) workdays--;
        }
        return day;
    }
}
