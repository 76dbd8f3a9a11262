// The assembly under test of the replay tests.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;

namespace Zoo
{
    public enum Color : byte { Red = 1, Green = 2 }
    public enum Wide : long { Low = long.MinValue }
    public enum Huge : ulong { Top = ulong.MaxValue }

    public struct Point
    {
        public int X;
        private readonly short y;
        public Point(int x, short y) { X = x; this.y = y; }
        public int Sum() => X + y;
        public void Move(int by) { X += by; if (by < 0) throw new ArgumentOutOfRangeException(nameof(by)); }
    }

    public struct Box<T> { public T Value; public Point At; }

    public static class Echo
    {
        public static bool Boolean(bool v) => v;
        public static char Char(char v) => v;
        public static sbyte SByte(sbyte v) => v;
        public static byte Byte(byte v) => v;
        public static short Int16(short v) => v;
        public static ushort UInt16(ushort v) => v;
        public static int Int32(int v) => v;
        public static uint UInt32(uint v) => v;
        public static long Int64(long v) => v;
        public static ulong UInt64(ulong v) => v;
        public static nint IntPtr(nint v) => v;
        public static nuint UIntPtr(nuint v) => v;
        public static float Single(float v) => v;
        public static double Double(double v) => v;
        public static Color Color(Color v) => v;
        public static Wide Wide(Wide v) => v;
        public static Huge Huge(Huge v) => v;
        public static Point Point(Point v) => v;
        public static Box<long> Box(Box<long> v) => v;
        public static int? Nullable(int? v) => v;
        public static (int, Point) Tuple((int, Point) v) => v;
        public static string String(string v) => v;
        public static object Object(object v) => v;
        public static T Generic<T>(T v) => v;
        public static Int128 Int128(Int128 v) => v;
    }

    public static class Calls
    {
        private static int counter;
        public static int Divide(int a, int b) => a / b;
        public static int Deep(int a) => Divide(1, a);
        public static void Swap(ref int a, ref int b) { int t = a; a = b; b = t; }
        public static bool TryHalf(in int v, out int half) { half = v / 2; return v % 2 == 0; }
        private static int Hidden(int v) => v + 1;
        public static int Count() => ++counter;
        private static readonly int[] marks = new int[3];
        public static int Mark() => ++marks[1];
        public static void Print() { Console.WriteLine("{\"observed\":1}"); Console.Error.WriteLine("x"); using var o = Console.OpenStandardOutput(); o.Write(new byte[] { 65, 66 }); }
        public static string Read() => Console.ReadLine();
        public static int Recurse(int n) => n <= 0 ? 0 : 1 + Recurse(n + 1);
        public static void Exit(int code) => Environment.Exit(code);
        public static void Fail() => Environment.FailFast("no way");
        public static void Background() { var t = new Thread(() => throw new InvalidOperationException("far away")); t.Start(); t.Join(); }
        public static void Hang() { while (true) { } }
        public static int Eat() { var all = new List<byte[]>(); while (true) all.Add(new byte[1 << 20]); }
        public static unsafe int Pointer(int* p) => *p;
        public static int Span(Span<int> s) => s.Length;
        public static void Wrapped() => throw new TargetInvocationException("mine", new Exception());
        public static void Custom() => throw new Odd();
        public static int TokenOf(int which) => typeof(Calls).GetMethod(which == 0 ? "Divide" : "Hidden", (BindingFlags)(-1) & ~BindingFlags.IgnoreCase).MetadataToken;
        public static int[,] Grid(int[,] g) { g[1, 0] = 7; return g; }
        public static Node Loop() { var a = new Node(); a.Next = new Node { Next = a }; return a; }
        public static string Culture() => 1.5.ToString() + Thread.CurrentThread.CurrentCulture.Name;
    }

    public sealed class Odd : Exception { public override string Message => throw new Exception(); }

    public class Node { public Node Next; }

    public class Account
    {
        private int balance;
        protected readonly Point where;
        public Account(int balance) { if (balance < 0) throw new ArgumentException("below zero"); this.balance = balance; }
        public bool Withdraw(int amount) { if (amount > balance) return false; balance -= amount; return true; }
        public int Spoil() { balance = -1; throw new InvalidOperationException(); }
    }

    public class Savings : Account { private int balance = 3; public Savings() : base(9) { } public int Own() => balance; }

    public class Holder<T> where T : struct
    {
        private T value;
        public void Set(T v) { value = v; }
        public class Inner { public static int Twice(T v, int n) => n * 2; }
    }

    public static class Broken { static readonly int Zero; static Broken() { Zero = 1 / Zero; } public static int Get() => Zero; }

    public class Gate
    {
        private int size;
        private readonly Gate inner;
        private readonly System.Collections.Generic.List<int> log = new System.Collections.Generic.List<int>();
        public Gate(int size) { if (size < 0) throw new System.ArgumentException(); this.size = size; }
        public Gate(Gate inner) { this.inner = inner; inner.size++; }
        public int Size { get => size; set => size = value; }
        public int Width() { int width = size + (inner?.size ?? 0); log?.Add(width); return width; }
    }
}
