// Methods that say themselves which ways they go: each condition passes through Truth.Bool, each number that is switched on
// through Truth.Int, and blocks begin with Truth.Mark. The last argument is the place.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

static class Truth
{
    public static readonly SortedSet<string> Log = new(StringComparer.Ordinal);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool Bool(bool value, int place) { Add($"bool {place} {(value ? 1 : 0)}"); return value; }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Int(int value, int place) { Add($"int {place} {value}"); return value; }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Mark(int place) => Add($"mark {place}");

    static void Add(string line) { lock (Log) Log.Add(line); }
}

static class Loops
{
    public static int For(int n)
    {
        int sum = 0;
        for (int i = 0; Truth.Bool(i < n, 1); i++)
        {
            if (Truth.Bool(i % 3 == 0, 2)) continue;
            if (Truth.Bool(sum > 20, 3)) break;
            sum += i;
        }
        return sum;
    }

    public static int While(int n)
    {
        while (Truth.Bool(n > 100, 4)) n /= 2;
        do { n++; } while (Truth.Bool(n % 7 != 0, 5) && Truth.Bool(n < 50, 6));
        return n;
    }

    public static int Nested(int n)
    {
        int found = 0;
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++)
            {
                if (i * j == 12) { Truth.Mark(7); found++; goto done; }
                else { Truth.Mark(8); }
                if (i + j > 9) Truth.Mark(9); else Truth.Mark(10);
            }
    done:
        return found;
    }

    public static int Goto(int n)
    {
    again:
        if (Truth.Bool(n > 10, 11)) { n -= 3; goto again; }
        if (Truth.Bool(n < 0, 12)) goto end;
        n *= 2;
    end:
        return n;
    }

    public static int Each(IEnumerable<int> items)
    {
        int sum = 0;
        foreach (int item in items)
        {
            if (item < 3) Truth.Mark(13);
            else Truth.Mark(14);
            sum += Truth.Bool(item == 5, 15) ? 10 : item;
        }
        return sum;
    }
}

static class Switches
{
    public static string Dense(int n)
    {
        switch (Truth.Int(n, 20))
        {
            case 0: return "zero";
            case 1:
            case 2: return "few";
            case 3: Truth.Mark(21); goto case 5;
            case 4: return "four";
            case 5: return "five";
            case 6: break;
            default: return "many";
        }
        return "six";
    }

    public static string Shifted(int n)
    {
        switch (Truth.Int(n, 22))
        {
            case 10: return "a";
            case 11: return "b";
            case 12: return "c";
            case 13: return "a";
            case 14: return "d";
        }
        return "none";
    }

    public static int Text(string text)
    {
        switch (text)
        {
            case "one": Truth.Mark(23); return 1;
            case "two": Truth.Mark(24); return 2;
            case "three": Truth.Mark(25); return 3;
            case "four": Truth.Mark(26); return 4;
            case "fifteen": Truth.Mark(27); return 15;
            case "sixteen": Truth.Mark(28); return 16;
            case null: Truth.Mark(29); return 0;
            case "": Truth.Mark(30); return -1;
            default: Truth.Mark(31); return -2;
        }
    }

    public static int Sparse(long n)
    {
        switch (n)
        {
            case 5: Truth.Mark(32); return 1;
            case 5000: Truth.Mark(33); return 2;
            case -70: Truth.Mark(34); return 3;
            case 1L << 40: Truth.Mark(35); return 4;
            default: Truth.Mark(36); return 0;
        }
    }

    public static string Pattern(object value) => value switch
    {
        int n when Truth.Bool(n > 10, 37) => "large",
        int n when Truth.Bool(n < 0, 38) => "negative",
        int => "int",
        string { Length: > 3 } s when Truth.Bool(s[0] == 'x', 39) => "x",
        string => "text",
        null => "null",
        _ => "other",
    };
}

static class Conditions
{
    public static bool And(int a, int b, int c) =>
        Truth.Bool(a > 0, 40) && Truth.Bool(b > 0, 41) && (Truth.Bool(c > 0, 42) || Truth.Bool(a > 5, 43));

    public static int Mixed(int a, int b)
    {
        if ((Truth.Bool(a > b, 44) || Truth.Bool(a == 0, 45)) && !(Truth.Bool(b == 3, 46) && Truth.Bool(a == 4, 47)))
        {
            Truth.Mark(48);
            return 1;
        }
        else if (Truth.Bool(a < 0, 49) ^ Truth.Bool(b < 0, 50)) return 2;
        return 3;
    }

    static int Sum(int a, int b, int c, string d) => a + b * 2 + c * 3 + d.Length;

    // Values lie on the stack at every jump.
    public static int OnStack(int a, string s) =>
        Sum(a, Truth.Bool(a > 1, 51) ? a : -a, Truth.Bool(a > 2, 52) ? (Truth.Bool(a > 3, 53) ? 7 : 8) : 9, s ?? (Truth.Bool(a == 0, 54) ? "zero" : "some"));

    public static int Compare(double x, double y, uint u, long l, object o)
    {
        int n = 0;
        if (x < y) { Truth.Mark(55); n++; } else { Truth.Mark(56); n += 2; }
        if (x >= y) { Truth.Mark(57); n++; } else { Truth.Mark(58); n += 2; }
        if (u > 0x80000000u) { Truth.Mark(59); n++; } else { Truth.Mark(60); n += 2; }
        if (l <= -1) { Truth.Mark(61); n++; } else { Truth.Mark(62); n += 2; }
        if (o == null) { Truth.Mark(63); n++; } else { Truth.Mark(64); n += 2; }
        if (x != y) { Truth.Mark(65); n++; } else { Truth.Mark(66); n += 2; }
        if (!(x > y)) { Truth.Mark(67); n++; } else { Truth.Mark(68); n += 2; }
        return n;
    }
}

static class Handlers
{
    static void Throw(int n)
    {
        if (n == 1) { Truth.Mark(70); throw new ArgumentException("one"); }
        if (n == 2) { Truth.Mark(71); throw new InvalidOperationException("two"); }
        if (n == 3) { Truth.Mark(72); throw new NullReferenceException("three"); }
    }

    public static int Catch(int n)
    {
        try
        {
            if (Truth.Bool(n > 9, 73)) return 9;
            Throw(n);
            if (Truth.Bool(n == 4, 74)) return 4;
        }
        catch (ArgumentException e)
        {
            if (e.Message.Length == 3) Truth.Mark(75); else Truth.Mark(76);
            return -1;
        }
        catch (InvalidOperationException e) when (Truth.Bool(e.Message == "two", 77) && (Truth.Bool(n == 2, 78) || Truth.Bool(n == 0, 79)))
        {
            return Truth.Bool(n > 1, 80) ? -2 : -3;
        }
        finally
        {
            if (Truth.Bool(n % 2 == 0, 81)) Truth.Mark(82);
            else Truth.Mark(83);
        }
        return 0;
    }

    public static string Outer(int n)
    {
        string path = "";
        for (int i = 0; Truth.Bool(i < 3, 84); i++)
        {
            try
            {
                try
                {
                    path += "a";
                    if (Truth.Bool(i == n, 85)) continue;
                    Catch(n + i);
                    if (Truth.Bool(i == 2, 86)) break;
                }
                finally
                {
                    path += Truth.Bool(n > i, 87) ? "f" : "g";
                }
                path += "b";
            }
            catch (NullReferenceException) when (Truth.Bool(i == 0, 88))
            {
                path += Truth.Bool(path.Length > 3, 89) ? "c" : "d";
            }
            catch (Exception e) when (Filter(e, n))
            {
                path += "e";
            }
        }
        return path;
    }

    static bool Filter(Exception e, int n) => Truth.Bool(e is NullReferenceException, 90) && Truth.Bool(n >= 0, 91);

    public static int Overflow(int a, int b)
    {
        try
        {
            int product = checked(a * b);
            if (Truth.Bool(product > 10, 92)) return 1;
            int[] items = new int[3];
            items[b] = a;
            if (Truth.Bool(items[0] == a, 93)) return 2;
            return a / b;
        }
        catch (OverflowException) { Truth.Mark(94); return -1; }
        catch (IndexOutOfRangeException) { Truth.Mark(95); return -2; }
        catch (DivideByZeroException) { Truth.Mark(96); return -3; }
    }
}

class Box<T> where T : IComparable<T>
{
    T value;
    public Box(T value) { this.value = value; }
    public bool Larger(T other) { if (Truth.Bool(value.CompareTo(other) > 0, 100)) return true; return false; }
    public static int Count<U>(U[] items, Predicate<U> wanted)
    {
        int count = 0;
        foreach (U item in items) if (Truth.Bool(wanted(item), 101)) count++;
        return count;
    }
    public T Max(T other) => Truth.Bool(value.CompareTo(other) > 0, 102) ? value : other;
}

struct Point
{
    public int X, Y;
    public void Move(int by)
    {
        if (Truth.Bool(by > X, 103)) X += by; else Y += by;
        if (X > Y) Truth.Mark(104); else Truth.Mark(105);
    }
    public readonly int Distance => Truth.Bool(X > 0, 106) ? X + Y : Y - X;
    public static bool operator true(Point p) => Truth.Bool(p.X > 3, 107);
    public static bool operator false(Point p) => !Truth.Bool(p.X > 3, 108);
}

static class Machines
{
    public static IEnumerable<int> Iterate(int n)
    {
        try
        {
            for (int i = 0; Truth.Bool(i < n, 110); i++)
            {
                if (Truth.Bool(i == 2, 111)) yield return 100;
                else yield return i;
                if (Truth.Bool(i > 4, 112)) yield break;
            }
        }
        finally
        {
            if (Truth.Bool(n > 2, 113)) Truth.Mark(114);
        }
    }

    public static async Task<int> Wait(int n)
    {
        int sum = 0;
        for (int i = 0; Truth.Bool(i < n, 115); i++)
        {
            if (Truth.Bool(i % 2 == 0, 116)) await Task.Yield();
            try
            {
                sum += await Part(i);
            }
            catch (InvalidOperationException) when (Truth.Bool(i > 2, 117))
            {
                if (Truth.Bool(sum > 3, 118)) break;
                await Task.Delay(0);
            }
        }
        return sum;
    }

    static async Task<int> Part(int i)
    {
        if (Truth.Bool(i == 3, 119)) throw new InvalidOperationException();
        await Task.CompletedTask;
        return Truth.Bool(i == 1, 120) ? 5 : 1;
    }

    public static int Lambdas(int n)
    {
        int calls = 0;
        Func<int, int> twice = x => { calls++; return Truth.Bool(x > n, 121) ? x * 2 : x; };
        Func<int, bool> plain = static x => Truth.Bool(x > 2, 122) || Truth.Bool(x == 0, 123);
        int Local(int x) => Truth.Bool(x < 1, 124) ? 0 : x + Local(x - 1);
        return twice(3) + (plain(n) ? 1 : 0) + Local(n % 5) + calls;
    }
}

static unsafe class Low
{
    public static int Pointers(int n)
    {
        int* memory = stackalloc int[4];
        memory[0] = n;
        int* at = Truth.Bool(n > 1, 130) ? memory : memory + 1;
        *at = 5;
        ref int chosen = ref (Truth.Bool(n > 2, 131) ? ref memory[2] : ref memory[3]);
        chosen = Truth.Bool(memory[0] == 5, 132) ? 1 : 2;
        byte[] bytes = new byte[n < 0 ? 0 : n];
        fixed (byte* p = bytes)
        {
            if (p == null) Truth.Mark(133); else Truth.Mark(134);
        }
        return memory[2] + memory[3];
    }

    // Long enough for the long forms of jumps.
    public static int Long(int n)
    {
        int sum = 0;
        if (Truth.Bool(n > 0, 135))
        {
            sum += n * 3 + 1; sum ^= n * 5 + 2; sum += n * 7 + 3; sum ^= n * 11 + 4; sum += n * 13 + 5; sum ^= n * 17 + 6;
            sum += n * 3 + 1; sum ^= n * 5 + 2; sum += n * 7 + 3; sum ^= n * 11 + 4; sum += n * 13 + 5; sum ^= n * 17 + 6;
            sum += n * 3 + 1; sum ^= n * 5 + 2; sum += n * 7 + 3; sum ^= n * 11 + 4; sum += n * 13 + 5; sum ^= n * 17 + 6;
            sum += n * 3 + 1; sum ^= n * 5 + 2; sum += n * 7 + 3; sum ^= n * 11 + 4; sum += n * 13 + 5; sum ^= n * 17 + 6;
        }
        while (Truth.Bool(sum > 1000, 136)) sum -= 1000;
        return sum;
    }

    public static int Spans(ReadOnlySpan<char> text)
    {
        int letters = 0;
        foreach (char c in text) if (Truth.Bool(char.IsLetter(c), 137)) letters++;
        return letters;
    }
}

static class Statics
{
    static readonly int Chosen;
    static Statics() { Chosen = Truth.Bool(Program.Seed > 2, 140) ? 1 : 2; }
    public static int Value => Chosen;
}

static class Program
{
    public static int Seed;

    static async Task<int> Main(string[] args)
    {
        int n = Seed = int.Parse(args[0]);
        object[] things = { n, -n, 50, "xyzzy", "abcd", "ab", null, 1.5 };
        string[] texts = { "one", "two", "three", "four", "fifteen", "sixteen", null, "", "else" };
        Loops.For(n); Loops.While(n * 60); Loops.Nested(n); Loops.Goto(n - 3); Loops.Each(new List<int> { n, 1, 5 });
        Switches.Dense(n); Switches.Shifted(n + 9); Switches.Text(texts[n % 9]); Switches.Sparse(n == 3 ? 1L << 40 : n); Switches.Pattern(things[n % 8]);
        Conditions.And(n - 1, n - 2, n - 3); Conditions.Mixed(n, 3); Conditions.OnStack(n, n == 1 ? "s" : null);
        Conditions.Compare(n == 4 ? double.NaN : n, 2, (uint)n << 30, -n, n == 2 ? null : "o");
        try { Handlers.Catch(n); } catch (NullReferenceException) { Truth.Mark(152); }
        Handlers.Overflow(n == 6 ? int.MaxValue : n, n - 1);
        try { Handlers.Outer(n - 1); } catch (Exception e) { Console.WriteLine(e.Message); }
        new Box<int>(n).Larger(3); new Box<string>("m").Larger("ab"); Box<int>.Count(new[] { "a", "b" }, s => s == "a"); new Box<double>(n).Max(2.5);
        var point = new Point { X = n, Y = 2 };
        point.Move(3); _ = point.Distance; if (point) Truth.Mark(150); else Truth.Mark(151);
        foreach (int item in Machines.Iterate(n)) if (item == 100 && n == 4) break;
        await Machines.Wait(n); Machines.Lambdas(n);
        Low.Pointers(n - 1); Low.Long(n); Low.Spans("a1b" + n); _ = Statics.Value;
        foreach (string line in Truth.Log) Console.WriteLine(line);
        return 0;
    }
}
