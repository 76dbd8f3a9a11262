using System;

namespace Shop;

public enum Tier { Guest, Member, Gold, Staff }

public static class Pricing
{
    public const int MaxQuantity = 10_000;

    /// <summary>The discount in percent.</summary>
    public static int Discount(Tier tier, int quantity)
    {
        if (quantity <= 0 || quantity > MaxQuantity)
            throw new ArgumentOutOfRangeException(nameof(quantity), "The quantity must be between 1 and 10000.");

        int discount = tier switch
        {
            Tier.Guest => 0,
            Tier.Member => 5,
            Tier.Gold => quantity >= 10 ? 15 : 10,
            Tier.Staff => 30,
            _ => throw new ArgumentException("Unknown tier.", nameof(tier)),
        };

        if (quantity >= 100) discount += 10;
        // Nobody gets that much, whatever the rules above say.
        if (discount > 45) discount = 45;
        return discount;
    }

    /// <summary>The price of a line of an order in cents.</summary>
    public static int LineTotal(int unitPrice, int quantity, int discountPercent)
    {
        if (unitPrice < 0) throw new ArgumentOutOfRangeException(nameof(unitPrice));
        if (quantity < 1 || quantity > MaxQuantity) throw new ArgumentOutOfRangeException(nameof(quantity));
        if (discountPercent is < 0 or > 100) throw new ArgumentOutOfRangeException(nameof(discountPercent));
        int full = checked(unitPrice * quantity);
        return full - (int)((long)full * discountPercent / 100);
    }

    /// <summary>What one piece cost on average, rounded down.</summary>
    public static int AveragePrice(int total, int pieces) => total / pieces;

    /// <summary>The margin in percent of the price.</summary>
    public static int Margin(int price, int cost)
    {
        if (price == cost) return 0;
        int difference = price - cost;
        return difference > 0 ? difference / (price / 100) : -1;
    }
}
