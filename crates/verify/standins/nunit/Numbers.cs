// Numbers of different types, compared by value and within a tolerance.

using System;

namespace NUnit.Framework.Constraints
{
    internal enum ToleranceMode
    {
        Linear,
        Percent,
        Ulps,
    }

    internal sealed class Tolerance
    {
        public object Amount = 0;
        public ToleranceMode Mode;
    }

    internal static class Numbers
    {
        public static bool IsNumeric(object? value) =>
            value is int || value is double || value is long || value is decimal || value is byte || value is sbyte || value is short || value is ushort || value is uint || value is ulong || value is float || value is char;

        static bool IsFloating(object value) => value is double || value is float;

        public static bool Equal(object x, object y, Tolerance? within)
        {
            if (within != null && within.Mode == ToleranceMode.Ulps) return Ulps(x, y, Convert.ToInt64(within.Amount));
            if (IsFloating(x) || IsFloating(y) || (within != null && IsFloating(within.Amount))) return Doubles(x, y, within);
            if (x is decimal || y is decimal || (within != null && (within.Amount is decimal || within.Mode == ToleranceMode.Percent))) return Decimals(x, y, within);
            (decimal one, decimal other) = Integers(x, y);
            return within is null ? one == other : Math.Abs(one - other) <= Convert.ToDecimal(within.Amount);
        }

        /// As the wider type of both; what does not fit is an overflow.
        static (decimal, decimal) Integers(object x, object y)
        {
            if (x is ulong || y is ulong) return (Convert.ToUInt64(x), Convert.ToUInt64(y));
            if (x is long || y is long) return (Convert.ToInt64(x), Convert.ToInt64(y));
            if (x is uint || y is uint) return (Convert.ToUInt32(x), Convert.ToUInt32(y));
            return (Convert.ToInt32(x), Convert.ToInt32(y));
        }

        static bool Doubles(object x, object y, Tolerance? within)
        {
            if (x is float xSingle && y is float ySingle && !(within != null && within.Amount is double)) return Singles(xSingle, ySingle, within);
            double one = Convert.ToDouble(x), other = Convert.ToDouble(y);
            if (double.IsNaN(one) && double.IsNaN(other)) return true;
            if (double.IsInfinity(one) || double.IsNaN(one) || double.IsNaN(other) || double.IsInfinity(other)) return one.Equals(other);
            if (within is null) return one.Equals(other);
            double amount = Convert.ToDouble(within.Amount);
            if (within.Mode == ToleranceMode.Percent) return one == 0 ? one.Equals(other) : Math.Abs((one - other) / one) <= amount / 100.0;
            return Math.Abs(one - other) <= amount;
        }

        static bool Singles(float one, float other, Tolerance? within)
        {
            if (float.IsNaN(one) && float.IsNaN(other)) return true;
            if (float.IsInfinity(one) || float.IsNaN(one) || float.IsNaN(other)) return one.Equals(other);
            if (within is null) return one.Equals(other);
            if (within.Mode == ToleranceMode.Percent) return one == 0 ? one.Equals(other) : Math.Abs((one - other) / one) <= Convert.ToSingle(within.Amount) / 100.0f;
            return Math.Abs(one - other) <= Convert.ToDouble(within.Amount);
        }

        static bool Decimals(object x, object y, Tolerance? within)
        {
            decimal one = Convert.ToDecimal(x), other = Convert.ToDecimal(y);
            if (within is null) return one == other;
            decimal amount = Convert.ToDecimal(within.Amount);
            if (within.Mode == ToleranceMode.Percent) return one == 0 ? one == other : Math.Abs((double)(one - other) / (double)one) <= (double)amount / 100.0;
            return Math.Abs(one - other) <= amount;
        }

        static bool Ulps(object x, object y, long limit)
        {
            if (x is float xSingle && y is float ySingle)
            {
                return xSingle == ySingle || Math.Abs((long)Ordered(BitConverter.SingleToInt32Bits(xSingle)) - Ordered(BitConverter.SingleToInt32Bits(ySingle))) <= limit;
            }
            double one = Convert.ToDouble(x), other = Convert.ToDouble(y);
            return one == other || Math.Abs((decimal)Ordered(BitConverter.DoubleToInt64Bits(one)) - Ordered(BitConverter.DoubleToInt64Bits(other))) <= limit;
        }

        static int Ordered(int bits) => bits < 0 ? int.MinValue - bits : bits;

        static long Ordered(long bits) => bits < 0 ? long.MinValue - bits : bits;

        public static int Compare(object x, object y)
        {
            if (IsFloating(x) || IsFloating(y)) return Convert.ToDouble(x).CompareTo(Convert.ToDouble(y));
            if (x is decimal || y is decimal) return Convert.ToDecimal(x).CompareTo(Convert.ToDecimal(y));
            (decimal one, decimal other) = Integers(x, y);
            return one.CompareTo(other);
        }

        /// Of anything that can be ordered.
        public static int Order(object? x, object? y, Func<object?, object?, int>? own)
        {
            if (own != null) return own(x, y);
            if (x is null) return y is null ? 0 : -1;
            if (y is null) return 1;
            if (IsNumeric(x) && IsNumeric(y)) return Compare(x, y);
            if (By(x, y) is int order) return order;
            if (By(y, x) is int reversed) return -reversed;
            if (x is IComparable comparable) return comparable.CompareTo(y);
            if (y is IComparable other) return -other.CompareTo(x);
            throw new ArgumentException("Neither value implements IComparable or IComparable<T>.");
        }

        static int? By(object x, object y)
        {
            Type face = typeof(IComparable<>).MakeGenericType(y.GetType());
            return face.IsInstanceOfType(x) ? (int?)face.GetMethod("CompareTo")!.Invoke(x, System.Reflection.BindingFlags.DoNotWrapExceptions, null, new[] { y }, null) : null;
        }
    }
}
