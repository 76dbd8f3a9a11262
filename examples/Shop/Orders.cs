using System;

namespace Shop;

public enum OrderState { New, Paid, Packed, Shipped, Delivered, Cancelled }

public enum OrderEvent { Pay, Pack, Ship, Deliver, Cancel }

[Flags]
public enum OrderOptions { None = 0, Express = 1, Gift = 2, Fragile = 4, Insured = 8 }

public sealed class OrderException : Exception
{
    internal OrderException(string message) : base(message) { }
}

public static class Orders
{
    public static OrderState Next(OrderState state, OrderEvent what)
    {
        switch (state)
        {
            case OrderState.New:
                switch (what)
                {
                    case OrderEvent.Pay: return OrderState.Paid;
                    case OrderEvent.Cancel: return OrderState.Cancelled;
                }
                break;
            case OrderState.Paid:
                switch (what)
                {
                    case OrderEvent.Pack: return OrderState.Packed;
                    case OrderEvent.Cancel: return OrderState.Cancelled;
                }
                break;
            case OrderState.Packed when what == OrderEvent.Ship:
                return OrderState.Shipped;
            case OrderState.Shipped when what == OrderEvent.Deliver:
                return OrderState.Delivered;
        }
        throw new OrderException("This cannot happen to the order now.");
    }

    public static int Surcharge(OrderOptions options)
    {
        int cents = 0;
        if ((options & OrderOptions.Express) != 0) cents += 990;
        if ((options & OrderOptions.Gift) != 0) cents += 350;
        if ((options & (OrderOptions.Fragile | OrderOptions.Insured)) == (OrderOptions.Fragile | OrderOptions.Insured)) cents += 500;
        else if ((options & OrderOptions.Insured) != 0) cents += 200;
        return cents;
    }

    /// <summary>A voucher has six digits; their weighted sum is a multiple of seven.</summary>
    public static bool IsVoucher(int code)
    {
        if (code < 100_000 || code > 999_999) return false;
        int sum = 0;
        for (int weight = 1; weight <= 6; weight++)
        {
            sum += code % 10 * weight;
            code /= 10;
        }
        return sum % 7 == 0;
    }
}
