using System;

namespace Shop;

public enum Currency { Euro, Dollar, Yen }

/// <summary>An amount in the smallest unit of its currency.</summary>
public readonly struct Money
{
    public readonly long Units;
    public readonly Currency Currency;

    public Money(long units, Currency currency)
    {
        Units = units;
        Currency = currency;
    }

    public static Money Add(Money a, Money b)
    {
        if (a.Currency != b.Currency) throw new InvalidOperationException("Amounts of different currencies cannot be added.");
        return new Money(checked(a.Units + b.Units), a.Currency);
    }

    /// <summary>The share of one of several people; the first ones pay what does not divide evenly.</summary>
    public static Money Share(Money total, int people, int index)
    {
        // Nobody asked whether there are any people, or whether the index is one of them.
        long share = total.Units / people;
        long rest = total.Units % people;
        return new Money(index < rest ? share + 1 : share, total.Currency);
    }

    /// <summary>Rounds to what can be paid in cash.</summary>
    public static long RoundForCash(long units, Currency currency)
    {
        if (units < 0) throw new ArgumentOutOfRangeException(nameof(units));
        switch (currency)
        {
            case Currency.Euro:
            {
                long rest = units % 5;
                return rest < 3 ? units - rest : units - rest + 5;
            }
            case Currency.Dollar:
                return units;
            case Currency.Yen:
                return units;
            default:
                throw new ArgumentException("Unknown currency.", nameof(currency));
        }
    }
}
