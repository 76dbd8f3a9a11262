// What generated programs share: fuel, checksums, and the loop over programs.
#pragma warning disable
using System;
using System.Buffers.Binary;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

sealed class Trouble : Exception
{
    public readonly int Code;
    public Trouble(int code, string message) : base(message) { Code = code; }
}

class Worry : ArgumentException
{
    public Worry(string message, Exception inner) : base(message, inner) { }
}

struct Closer : IDisposable
{
    int tag;
    public Closer(int tag) { this.tag = tag; }
    public void Dispose() { F.Add(tag); }
}

static class F
{
    public static int Fuel;
    static ulong hash;

    public static void Run(string[] names, string name, Action run)
    {
        if (names.Length > 0 && Array.IndexOf(names, name) < 0) return;
        hash = 14695981039346656037;
        Fuel = 300;
        Console.WriteLine("== " + name);
        try { run(); }
        catch (Exception e) { Caught(0, "Run", e); }
        Out(0);
    }

    public static bool Go() => --Fuel > 0;
    public static T Id<T>(T value) => value;
    public static T Pick<T>(bool first, T a, T b) => first ? a : b;
    public static T Sum<T>(T a, T b) where T : INumber<T> => a + b;
    public static T Fold<T>(ReadOnlySpan<T> values, Func<T, T, T> f, T start)
    {
        foreach (var value in values) start = f(start, value);
        return start;
    }
    public static T Largest<T>(params T[] values) where T : IComparable<T>
    {
        T best = values[0];
        foreach (T value in values) if (value.CompareTo(best) > 0) best = value;
        return best;
    }
    public static bool Same<T>(T a, T b) where T : IEquatable<T> => a.Equals(b);
    public static void Swap<T>(ref T a, ref T b) { T t = a; a = b; b = t; }
    // Not inlined: the JIT names the wrong types where it sees through two casts that fail.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static U As<T, U>(T value) => (U)(object)value;

    static void Mix(ulong value)
    {
        hash = unchecked((hash ^ value) * 1099511628211);
        hash ^= hash >> 29;
    }

    public static void Add(sbyte value) => Mix(unchecked((ulong)value));
    public static void Add(byte value) => Mix(value);
    public static void Add(short value) => Mix(unchecked((ulong)value));
    public static void Add(ushort value) => Mix(value);
    public static void Add(int value) => Mix(unchecked((ulong)value));
    public static void Add(uint value) => Mix(value);
    public static void Add(long value) => Mix(unchecked((ulong)value));
    public static void Add(ulong value) => Mix(value);
    public static void Add(nint value) => Mix(unchecked((ulong)value));
    public static void Add(nuint value) => Mix(value);
    public static void Add(char value) => Mix(value);
    public static void Add(bool value) => Mix(value ? 3u : 5u);
    public static void Add(float value) => Mix(float.IsNaN(value) ? 77u : BitConverter.SingleToUInt32Bits(value));
    public static void Add(double value) => Mix(double.IsNaN(value) ? 77u : BitConverter.DoubleToUInt64Bits(value));
    public static void Add(decimal value)
    {
        foreach (int part in decimal.GetBits(value)) Mix(unchecked((ulong)part));
    }
    public static void Add(string value)
    {
        if (value == null) { Mix(7); return; }
        foreach (char c in value) Mix(c);
        Mix((ulong)value.Length);
    }

    // The sign and payload of a NaN depend on the instructions the JIT chooses.
    public static float Canon(float value) => float.IsNaN(value) ? float.NaN : value;
    public static double Canon(double value) => double.IsNaN(value) ? double.NaN : value;

    public static void Out(int tag) => Console.WriteLine(tag + " " + hash.ToString("x16"));

    public static void Show<T>(int tag, T value)
    {
        string text = value switch
        {
            null => "null",
            float f => f.ToString(CultureInfo.InvariantCulture) + " " + (float.IsNaN(f) ? "" : BitConverter.SingleToUInt32Bits(f).ToString("x8")),
            double d => d.ToString(CultureInfo.InvariantCulture) + " " + (double.IsNaN(d) ? "" : BitConverter.DoubleToUInt64Bits(d).ToString("x16")),
            decimal m => m.ToString(CultureInfo.InvariantCulture) + " " + decimal.GetBits(m)[3].ToString("x8"),
            char c => ((int)c).ToString(),
            string s => "\"" + s + "\"",
            IFormattable f => f.ToString(null, CultureInfo.InvariantCulture),
            _ => value.ToString(),
        };
        Console.WriteLine(tag + " " + typeof(T).Name + " " + text + " " + hash.ToString("x16"));
    }

    public static void Caught(int tag, string where, Exception e)
    {
        Mix((ulong)e.GetType().Name.Length);
        Console.WriteLine(tag + " " + where + " " + e.GetType().FullName + ": " + e.Message + " " + hash.ToString("x16"));
    }

    public static int Code(Exception e) => e is Trouble t ? t.Code : e.Message.Length;
}
