// A library whose generated tests are compiled and run.
using System;

namespace Shop
{
    public enum Color : byte { Red = 1, Green = 2, @class = 7 }

    [Flags]
    public enum Access : ulong { None = 0, Read = 1, Write = 2, ReadWrite = 3, Top = 1UL << 63 }

    public struct Money
    {
        public long Cents { get; }
        public Money(long cents) { Cents = cents; }
        public static Money operator +(Money a, Money b) => new Money(checked(a.Cents + b.Cents));
        public static Money operator -(Money a) => new Money(-a.Cents);
        public static bool operator <(Money a, Money b) => a.Cents < b.Cents;
        public static bool operator >(Money a, Money b) => a.Cents > b.Cents;
        public static explicit operator int(Money m) => checked((int)m.Cents);
        public static Money operator ++(Money m) => new Money(m.Cents + 1);
    }

    public struct Point
    {
        public int X;
        public int Y;
        public void Move(int dx) { X += dx; }
    }

    public struct Sealed
    {
        private int secret;
        private short other;
        public int Reveal() => secret + other;
        public void Hide() { secret = -1; }
        private void Scramble(int by) { secret ^= by; }
    }

    public static class Calculator
    {
        public static int Divide(int left, int right) => left / right;
        public static int Add(int left, int right) => checked(left + right);
        public static long Add(long left, long right) => checked(left + right);
        public static byte Low(int value) => (byte)value;
        public static bool IsSmall(sbyte v) => v < 10;
        public static char Next(char c) => (char)(c + 1);
        public static Color Mix(Color a, Color b) => (Color)(byte)((byte)a + (byte)b);
        public static Access Grant(Access a, Access b) => a | b;
        public static void Swap(ref int a, ref int b) { int t = a; a = b; b = t; }
        public static bool TryHalf(in int v, out int half) { if (v < 0) throw new ArgumentOutOfRangeException(nameof(v)); half = v / 2; return v % 2 == 0; }
        public static int? Half(int? v) => v / 2;
        public static (int, Color) Pair((byte, bool) p) => (p.Item1, p.Item2 ? Color.Red : Color.Green);
        public static nint Native(nint v) => v + 1;
        public static nuint Unsigned(nuint v) => v;
        public static double Ratio(double v) => v / 2;
        public static float Nan(float v) => v * float.NaN;
        public static ulong Wide(ulong v) => v + 1;
        public static Int128 Huge(Int128 v) => v;
        public static decimal Price(decimal v) => v;
        public static Point Mirror(Point p) => new Point { X = p.Y, Y = p.X };
        public static Sealed Same(Sealed s) => s;
        public static int @checked(int @int) => @int;
        internal static int Secret(int value) { if (value < 0) throw new ArgumentException("value"); return value + 1; }
        private static bool Halve(ref int value) { value /= 2; return true; }
        public static T Echo<T>(T value) where T : struct => value;
        public static int Length(string text) => text.Length;
        public static int Sum(int[] items) { int s = 0; foreach (int i in items) s += i; items[0] = 9; return s; }
        public static string Name(Color c) => c.ToString();
        public static void Nothing() { }
    }

    public class Account
    {
        private readonly string owner;
        public int Balance { get; private set; }
        public bool Open { get; set; } = true;
        public static int Limit { get; } = 10;
        private int audits;
        public Account(string owner, int balance) { if (balance < 0) throw new ArgumentException("balance"); this.owner = owner; Balance = balance; }
        public bool Withdraw(int amount) { if (!Open || amount > Balance) return false; Balance -= amount; return true; }
        public void Audit() { audits++; }
        public int this[int index] { get { if (index != 0) throw new IndexOutOfRangeException(); return Balance; } set { Balance = value + index; } }
    }

    public class Node { public Node Next; public int Value; }

    internal struct Hidden { public int A; }
    internal enum Mood { Bad = -1, Good = 1 }
    internal sealed class Trouble : Exception { }

    public static class Inner
    {
        internal static int Use(Hidden h) => h.A;
        internal static Mood Feel(Mood m) => m == Mood.Bad ? throw new Trouble() : m;
    }

    public class Box<T> where T : struct
    {
        private T value;
        public T Value { get => value; set => this.value = value; }
        public class Lid<U> { public static int Count(T t, U u) => 2; }
    }

    public interface ICounter { int Count(int by); int Twice() => Count(2) * 2; }

    public class Counter : ICounter
    {
        private int total;
        public Counter() { }
        private Counter(int total) { this.total = total; }
        public int Total => total;
        public int Size { get; init; }
        public static int Level { get; set; }
        int ICounter.Count(int by) { total += by; return total; }
        private void Bump(ref int by) { total += by; by = 0; if (total > 100) throw new InvalidOperationException(); }
        private static T Pick<T>(T a) => a;
        public class Step { public static int Of(int n) => n; }
        public static int Walk(Node n) { int s = 0; for (int i = 0; i < 4; i++) { s += n.Value; n = n.Next; } return s; }
        public static int Corner(int[,] g) => g[1, 1];
        public static void Paint(ref Color c, out Money m) { m = new Money((byte)c); c = Color.Red; }
    }

    public struct Range { public int Start; public int Width() => 3; }
}

namespace Shop.Deep
{
    public static class Calculator { public static Shop.Range Whole() => new Shop.Range { Start = 1 }; public static void Fail() => throw new InvalidTimeZoneException(); }
}

public static class Rootless { public static int One() => 1; }

namespace Odd
{
    public static class Assert { public static int Equal(int n) => n; }
    public static class Is { public static int True(int n) => n; }
}
