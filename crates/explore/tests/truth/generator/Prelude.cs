// What every generated program has: types, and functions of two numbers that use more of the language.

public class X0 : Exception { }
public class X1 : X0 { }
public class X2 : Exception { }
public class X3 : X2 { }
public class X4 : ArithmeticException { }
public class X5 : Exception { }

public enum Colour : byte { Red, Green, Blue = 5, Last = 200 }
public enum Sign : sbyte { Minus = -1, Zero, Plus }

public struct P
{
    public byte A;
    public byte B;
    public int Sum() => A + B;
    public void Bump(byte by) { A += by; if (A < by) B++; }
    public static P operator +(P x, P y) => new P { A = (byte)(x.A + y.A), B = checked((byte)(x.B + y.B)) };
}

public struct Q
{
    public sbyte A;
    public bool B;
    public int Sum() => B ? A : -A;
    public void Bump(sbyte by) { if (B) A += by; else A = checked((sbyte)(A - by)); }
}

public struct W
{
    public long A;
    public short B;
    public int Sum() => unchecked((int)(A >> 32) + B);
    public void Bump(short by) { if ((A ^ by) < 0) B += by; else A = checked(A - by); }
}

public interface IStep { int Step(int x); }

public abstract class Node : IStep
{
    public int Value;
    public Node Next;
    public abstract int Step(int x);
    public virtual int Twice(int x) => Step(Step(x));
}

public sealed class Add : Node { public override int Step(int x) => unchecked(x + Value); }

public class Mul : Node
{
    public override int Step(int x) => checked(x * Value);
    public override int Twice(int x) => Next == null ? Step(x) : Next.Step(x);
}

public struct Box<T> where T : struct
{
    public T Item;
    public bool Full;
    public Box(T item) { Item = item; Full = true; }
    public T Take() { if (!Full) throw new InvalidOperationException(); Full = false; return Item; }
}

public static partial class Helpers_
{
    public static int Zero() => 0;
    private static readonly int[] Table = { 3, -1, 4, 1, -5, 9, 2, 6 };
    public static int Gcd(int a, int b)
    {
        a &= 31;
        b &= 15;
        while (b != 0) (a, b) = (b, a % b);
        return a;
    }
    public static int Pick(int a, int b) => Table[(a ^ b) & 7];
    public static int Native(int a, int b)
    {
        nint x = a, y = b;
        nuint z = (nuint)(uint)a;
        if (z > (nuint)200) return (int)checked(x * y - (nint)z);
        return unchecked((int)(x << b)) + sizeof(long);
    }
    public static int Lambda(int a, int b)
    {
        int calls = 0;
        Func<int, int> f = x => { calls++; return unchecked(x * 3 + b); };
        Func<int, int> g = (a & 1) == 0 ? f : Square;
        return unchecked(g(g(a)) + calls);
    }
    static int Square(int x) => checked(x * x);
    static T Larger<T>(T a, T b) where T : IComparable<T> => a.CompareTo(b) >= 0 ? a : b;
    public static int Generic(int a, int b) => Larger((sbyte)a, (sbyte)b) + (int)Larger((ulong)a, (ulong)b);
    public static int Span(int a, int b)
    {
        Span<int> span = stackalloc int[6];
        span[a & 3] = b;
        span.Slice(2)[b & 7] += a;
        return span[2] ^ span[3];
    }
    public static int Text(int a, int b) => "cilantro"[a & 15] == 'a' + (b & 15) ? "yes".Length : b;
    public static int Grid(int a, int b)
    {
        var grid = new int[3, 2];
        grid[a & 3, b & 1] = 5;
        int[][] rows = { new[] { 1, 2 }, null, new[] { 3 } };
        return grid[2, 1] + rows[a & 1][b & 1];
    }
    public static int Local(int a, int b)
    {
        int sum = 0;
        void Count(int x) { sum += x; if (x > 3) sum ^= a; }
        Count(a & 7);
        Count(b & 7);
        foreach (int x in Table) { if (x == sum) goto found; }
        return sum;
    found:
        return -sum;
    }
    public static int Extremes(int a, int b) => (a | int.MinValue) / (b | -4) + (int)((a | long.MinValue) % (b | -2));
    public static int Once(int a, int b) => a == 77 ? Late.Value / (b & 3) : b;
    static class Late { public static readonly int Value = Table[3] + 41; }
    public static int Broken(int a, int b) => (a & 15) == 9 ? Never.Value : b;
    static class Never { public static readonly int Value = Table[(Zero() + 8)]; static Never() { } }
    public static int Boxed(int a, int b)
    {
        IComparable x = (a & 1) == 0 ? (IComparable)a : (short)b;
        return x is int i && i.Equals(b) ? 1 : ((object)x).Equals((short)5) ? 2 : x.GetType() == typeof(short) ? 3 : 4;
    }
    public static int Small(int a, int b)
    {
        checked
        {
            ushort x = (ushort)(a & 0xffff);
            x += (ushort)(b & 0xff);
            char c = (char)x;
            c++;
            return (short)c;
        }
    }
    public static int Flow(int a, int b)
    {
        int trace = 1;
        try
        {
            try { if ((a & 3) == 1) throw new X1(); trace = trace * 3 + 100 / (b & 7); }
            finally { trace = trace * 5 + 1; if ((b & 7) == 5) throw new X5(); }
        }
        catch (X0) when ((trace += 7) % 2 == 0 || b / (a - 5) > 3) { trace += 1000; }
        catch (DivideByZeroException e) { trace += e.HResult < 0 ? 2000 : 3000; }
        return trace;
    }
}
