// One of everything that the reader has to read. The line numbers are part of the snapshots.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading.Tasks;
using Alias = System.Collections.Generic.Dictionary<int, string>;

namespace Everything
{
    public enum Small : byte { None, One, Two }
    public enum Big : long { None, Huge = 1L << 40 }

    public class Outer<T> { public enum Inner : short { A = 7 } }

    [AttributeUsage(AttributeTargets.All, AllowMultiple = true)]
    public sealed class MarkAttribute : Attribute
    {
        public MarkAttribute() { }
        public MarkAttribute(bool a, char b, sbyte c, byte d, short e, ushort f, int g, uint h, long i, ulong j, float k, double l) { }
        public MarkAttribute(string text, Type type, object boxed) { }
        public MarkAttribute(Small small, Big big, DayOfWeek day) { }
        public MarkAttribute(int[] numbers, string[] texts, object[] objects, Type[] types, Small[] smalls) { }
        public int Field;
        public Small Property { get; set; }
        public object Boxed { get; set; }
        public string[] Texts { get; set; }
        public Type Type { get; set; }
    }

    public sealed class GenericMarkAttribute<T> : Attribute { public GenericMarkAttribute(T value, T[] more) { } }

    [Mark]
    [Mark(true, 'x', -1, 255, -2, 65535, -3, 4000000000, -5, ulong.MaxValue, 1.5f, double.NaN)]
    [Mark("text", typeof(List<int>), 42)]
    [Mark((string)null, null, null)]
    [Mark("", typeof(Outer<>.Inner), Small.Two)]
    [Mark(Small.One, Big.Huge, DayOfWeek.Friday)]
    [Mark(new[] { 1, 2 }, new[] { "a", null }, new object[] { 1, "b", typeof(int), Big.Huge, new[] { 'c' } }, new[] { typeof(string) }, new[] { Small.Two })]
    [Mark(null, new string[0], null, null, null)]
    [Mark(Field = 7, Property = Small.Two, Boxed = DayOfWeek.Monday, Texts = new[] { "t" }, Type = typeof(Marked))]
    [GenericMark<int>(5, new[] { 6 })]
    public class Marked { }

    [StructLayout(LayoutKind.Explicit, Size = 16, Pack = 2)]
    public struct Union
    {
        [FieldOffset(0)] public int Number;
        [FieldOffset(0)] public float Float;
        [FieldOffset(8)] public long Long;
    }

    public interface IVariant<in TIn, out TOut> where TIn : class, new() where TOut : IComparable<TOut> { TOut Get(TIn value); }

    public unsafe class Signatures<T>
    {
        public const string Text = "konstante\0€";
        public const double Number = 2.5;
        public const Small Constant = Small.Two;
        public const string Null = null;
        public static readonly int[] Data = { 1, 2, 3, 4, 5, 6, 7, 8 };
        public volatile int Volatile;
        public int*[] Pointers;
        public int[,,] Cube;
        public delegate*<ref int, in long, string> Function;
        public delegate* unmanaged[Cdecl]<int, void> Native;
        public Dictionary<T, List<Union?[]>> Nested;
        public ref readonly T Readonly<U>(in U value, out T result, ref U[] array, params object[] rest) where U : struct { result = default; throw null; }
        public (int a, string b) this[int index, string key] { get => default; set { } }
        public event Action<T> Happened;
        public void Raise(T value) => Happened?.Invoke(value);
        public static int CallPointer(delegate*<int, int> f) => f(3);
        public static void Pin(byte[] bytes) { fixed (byte* p = bytes) { *p = 1; } }
    }

    public class Interop
    {
        [DllImport("native", EntryPoint = "function", CharSet = CharSet.Unicode, SetLastError = true)]
        public static extern int Import([MarshalAs(UnmanagedType.LPWStr)] string text);
        public static int VarArgs(__arglist) => 0;
        public static int CallVarArgs() => VarArgs(__arglist(1, "two", 3.0));
    }

    public class Code
    {
        public static int Clauses(int n)
        {
            try
            {
                try { return 10 / n; }
                catch (DivideByZeroException) { return 1; }
                catch (Exception e) when (e.Message == "x") { return 2; }
            }
            finally { Console.WriteLine(n); }
        }

        public static string Switch(int n)
        {
            switch (n)
            {
                case 0: return "zero";
                case 1: return "one";
                case 2: return "two \ud800 unpaired";
                case 3: return "three";
                default: return null;
            }
        }

        public static int Locals(int n)
        {
            const int Limit = 10;
            const Small Which = Small.Two;
            const string Label = "label";
            const decimal Money = 1.25m;
            int sum = 0;
            for (int i = 0; i < n; i++)
            {
                int square = i * i;
                sum += square;
            }
            {
                long other = sum + Limit + (int)Which + Label.Length + (int)Money;
                return (int)other;
            }
        }

        public static async Task<int> Async(int n)
        {
            int before = n;
            await Task.Delay(before);
            return before + 1;
        }

        public static IEnumerable<int> Iterator(int n)
        {
            for (int i = 0; i < n; i++) yield return i;
        }
    }
}
