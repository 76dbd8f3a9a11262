using System;

namespace Shop;

public static class Stock
{
    /// <summary>Takes goods out of the stock if there are enough.</summary>
    public static bool TryReserve(ref int stock, int wanted, out int missing)
    {
        missing = 0;
        if (wanted <= 0) return false;
        if (wanted > stock)
        {
            missing = wanted - stock;
            return false;
        }
        stock -= wanted;
        return true;
    }

    /// <summary>How many days the stock will last.</summary>
    public static int DaysLeft(int stock, int soldPerWeek)
    {
        if (stock <= 0) return 0;
        if (soldPerWeek < 0) throw new ArgumentOutOfRangeException(nameof(soldPerWeek));
        return checked(stock * 7) / soldPerWeek;
    }

    /// <summary>The number of the warehouse where an article is kept.</summary>
    public static int Warehouse(uint article)
    {
        uint mixed = article * 2654435761u;
        mixed ^= mixed >> 15;
        return (mixed & 0xff) == 0x2a ? 0 : (int)(mixed % 3) + 1;
    }
}
