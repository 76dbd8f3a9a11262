// Numbers, characters, dates and texts: mostly at the edges, near the constants of the code, or small.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Cilantro.Attack;

sealed partial class Values
{
    static readonly long[] Edges = { 0, 1, -1, 2, 3, 7, 8, 10, 100, 127, 128, 255, 256, -128, short.MaxValue, short.MinValue, ushort.MaxValue, int.MaxValue, int.MinValue, uint.MaxValue, long.MaxValue, long.MinValue, int.MaxValue - 1, int.MinValue + 1 };

    long Number()
    {
        switch (random.Next(6))
        {
            case 0: return Pick(Edges);
            case 1: return random.Next(-10, 11);
            case 2: return random.NextInt64() - random.NextInt64();
            case 3: return (1L << random.Next(64)) + random.Next(-1, 2);
            case 4 when constants.Floats.Count > 0: return (long)Pick(constants.Floats);
            default: return constants.Numbers.Count > 0 ? Pick(constants.Numbers) + random.Next(-1, 2) : random.Next(-100, 200);
        }
    }

    double Float()
    {
        switch (random.Next(6))
        {
            case 0: return Pick(new[] { 0.0, -0.0, 1.0, -1.0, 0.5, double.NaN, double.PositiveInfinity, double.NegativeInfinity, double.MaxValue, double.MinValue, double.Epsilon, -double.Epsilon, float.MaxValue, 4503599627370496.5 });
            case 1: return BitConverter.Int64BitsToDouble(random.NextInt64() - random.NextInt64());
            case 2 when constants.Floats.Count > 0: return Pick(constants.Floats);
            case 3 when constants.Floats.Count > 0: return Chance(2) ? Math.BitIncrement(Pick(constants.Floats)) : Math.BitDecrement(Pick(constants.Floats));
            case 4: return random.NextDouble() * 200 - 100;
            default: return Number();
        }
    }

    char Character()
    {
        switch (random.Next(7))
        {
            case 0: return Pick("\0\t\n\r /\\.,;:-+_'\"%<>&{}[]()".ToCharArray());
            case 1: return Pick("ıİßÄéñΣσςЯ中٣０ǅ\u0301\u200d\u00ad\ufeff\ud83d\ude00\uffff\u2028\u00a0".ToCharArray());
            case 2: return (char)random.Next(0x10000);
            case 3: return (char)('0' + random.Next(10));
            case 4 when constants.Numbers.Count > 0: return (char)(Pick(constants.Numbers) + random.Next(-1, 2));
            case 5 when constants.Texts.Any(text => text.Length > 0): return Pick(Pick(constants.Texts.Where(text => text.Length > 0).ToList()).ToCharArray());
            default: return (char)((Chance(2) ? 'a' : 'A') + random.Next(26));
        }
    }

    string Text()
    {
        switch (random.Next(7))
        {
            case 0: return Chance(2) ? "" : new string('x', 0);
            case 1 when constants.Texts.Count > 0: return Changed(Pick(constants.Texts));
            case 2 when constants.Texts.Count > 0: return new string(Pick(constants.Texts).AsSpan());
            case 3 when constants.Texts.Count > 1: return Pick(constants.Texts) + Pick(constants.Texts);
            case 4: return Number().ToString(System.Globalization.CultureInfo.InvariantCulture);
        }
        var text = new StringBuilder();
        for (int left = Chance(20) ? random.Next(60) : random.Next(7); left > 0; left--) text.Append(Character());
        return text.ToString();
    }

    string Changed(string text)
    {
        switch (random.Next(6))
        {
            case 0: return text.ToUpperInvariant();
            case 1: return text.ToLowerInvariant();
            case 2: return text + Character();
            case 3: return Character() + text;
            case 4 when text.Length > 0: return text.Remove(random.Next(text.Length), 1);
            default:
                var letters = text.ToCharArray();
                if (letters.Length > 0) letters[random.Next(letters.Length)] = Character();
                return new string(letters);
        }
    }

    object Scalar(Type type)
    {
        if (type.IsEnum)
        {
            var names = Enum.GetValues(type);
            return names.Length > 0 && !Chance(4) ? names.GetValue(random.Next(names.Length)) : Enum.ToObject(type, Number());
        }
        switch (Type.GetTypeCode(type))
        {
            case TypeCode.Boolean: return Chance(2);
            case TypeCode.Char: return Character();
            case TypeCode.SByte: return (sbyte)Number();
            case TypeCode.Byte: return (byte)Number();
            case TypeCode.Int16: return (short)Number();
            case TypeCode.UInt16: return (ushort)Number();
            case TypeCode.Int32: return (int)Number();
            case TypeCode.UInt32: return (uint)Number();
            case TypeCode.Int64: return Number();
            case TypeCode.UInt64: return (ulong)Number();
            case TypeCode.Single: return (float)Float();
            case TypeCode.Double: return Float();
            case TypeCode.Decimal: return new decimal((int)Number(), Chance(2) ? 0 : (int)Number(), Chance(2) ? 0 : (int)Number(), Chance(2), (byte)random.Next(Chance(2) ? 1 : 29));
            case TypeCode.DateTime: return Date();
        }
        if (type == typeof(IntPtr)) return (nint)Number();
        if (type == typeof(UIntPtr)) return (nuint)(ulong)Number();
        if (type == typeof(TimeSpan)) return new TimeSpan(Chance(3) ? Number() : Number() % 1000 * TimeSpan.TicksPerHour);
        if (type == typeof(Guid)) return Chance(4) ? Guid.Empty : new Guid((int)Number(), (short)Number(), (short)Number(), Bytes(8));
        if (type == typeof(DateOnly)) return DateOnly.FromDateTime(Date());
        if (type == typeof(TimeOnly)) return TimeOnly.FromDateTime(Date());
        if (type == typeof(DateTimeOffset)) return new DateTimeOffset(DateTime.SpecifyKind(Date(), DateTimeKind.Unspecified).AddDays(Chance(2) ? 0 : 1), TimeSpan.FromMinutes(random.Next(-840, 841)));
        if (type == typeof(Half)) return (Half)Float();
        return null;
    }

    DateTime Date()
    {
        switch (random.Next(4))
        {
            case 0: return Chance(2) ? DateTime.MinValue : DateTime.MaxValue;
            case 1: return new DateTime(random.NextInt64(DateTime.MaxValue.Ticks + 1), (DateTimeKind)random.Next(3));
            default: return new DateTime(random.Next(1999, 2030), random.Next(1, 13), Chance(5) ? 1 : random.Next(1, 29), random.Next(24), random.Next(60), random.Next(60), (DateTimeKind)random.Next(3));
        }
    }

    byte[] Bytes(int count)
    {
        var bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }
}
