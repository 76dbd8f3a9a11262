// Calls every static generic method of a class that returns a number, over many random lists of type arguments and random
// values of them, and writes what came out, each with the call that it came out of.
//
// Usage: TypeProbe ASSEMBLY CLASS SEED

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

public enum Hue : byte { Red, Green, Blue = 200 }

public enum Level : long { Low = -1, High = long.MaxValue }

public struct Pixel { public int X; public byte Y; }

public struct Wrapped<T> { public T Value; public bool IsSet; }

public interface INamed { }

public class Named : INamed, IDisposable, IComparable<Named>, IEquatable<Named>
{
    public int Id;
    public void Dispose() { }
    public int CompareTo(Named other) => other == null ? 1 : Id.CompareTo(other.Id);
    public bool Equals(Named other) => other != null && Id == other.Id;
}

public sealed class Special : Named { }

public sealed class OwnException : ArgumentException { }

static class TypeProbe
{
    const int Lists = 80, Calls = 25, Tries = 4000;

    static Type[] s_pool =
    {
        typeof(int), typeof(byte), typeof(sbyte), typeof(long), typeof(ulong), typeof(char), typeof(bool), typeof(float), typeof(double),
        typeof(decimal), typeof(DateTime), typeof(Guid), typeof(nint), typeof(int?), typeof(bool?), typeof(Hue?), typeof(Pixel?), typeof(Hue),
        typeof(Level), typeof(DayOfWeek), typeof(Pixel), typeof(Wrapped<int>), typeof(Wrapped<string>), typeof((int, string)),
        typeof(KeyValuePair<string, int?>), typeof(string), typeof(object), typeof(int[]), typeof(string[]), typeof(int[,]), typeof(int[][]),
        typeof(object[]), typeof(List<int>), typeof(List<string>), typeof(Dictionary<string, int>), typeof(INamed), typeof(IDisposable),
        typeof(IComparable), typeof(IComparable<int>), typeof(IEnumerable<char>), typeof(IEnumerable<object>), typeof(Named), typeof(Special),
        typeof(Exception), typeof(ArgumentException), typeof(OwnException), typeof(InvalidOperationException), typeof(Func<int>),
        typeof(Action<object>), typeof(Type), typeof(ValueType), typeof(Enum), typeof(Array), typeof(Delegate),
    };

    static Random s_random;

    static void Main(string[] args)
    {
        s_random = new Random(int.Parse(args[2]));
        var assembly = Assembly.LoadFrom(args[0]);
        var own = assembly.GetExportedTypes().Where(t => !t.ContainsGenericParameters && !(t.IsAbstract && t.IsSealed));
        s_pool = s_pool.Concat(own.OrderBy(t => t.FullName, StringComparer.Ordinal)).ToArray();
        var type = assembly.GetType(args[1], true);
        var methods = type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly);
        foreach (var method in methods.Where(m => m.IsGenericMethodDefinition && m.ReturnType == typeof(int)).OrderBy(m => m.Name, StringComparer.Ordinal))
        {
            var seen = new SortedDictionary<string, string>(StringComparer.Ordinal);
            Console.WriteLine($"calls\t{method.Name}\t{Probe(method, seen)}");
            foreach (var (outcome, example) in seen) Console.WriteLine($"saw\t{method.Name}\t{outcome}\t{example}");
        }
    }

    static int Probe(MethodInfo definition, SortedDictionary<string, string> seen)
    {
        int calls = 0;
        for (int list = 0, tries = 0; list < Lists && tries < Tries; tries++)
        {
            MethodInfo method;
            try
            {
                method = definition.MakeGenericMethod(definition.GetGenericArguments().Select(_ => Pick(s_pool)).ToArray());
            }
            catch (ArgumentException)
            {
                continue; // The constraints say no.
            }
            list++;
            for (int i = 0; i < Calls; i++, calls++)
            {
                object[] arguments = method.GetParameters().Select(p => Argument(p.ParameterType, method.GetGenericArguments())).ToArray();
                string shown = $"<{string.Join(", ", method.GetGenericArguments().Select(t => t.ToString()))}>({string.Join(", ", arguments.Select(Show))})";
                seen.TryAdd(Outcome(method, arguments), shown.Replace('\t', ' ').Replace('\n', ' '));
            }
        }
        return calls;
    }

    static string Outcome(MethodInfo method, object[] arguments)
    {
        try
        {
            return method.Invoke(null, arguments).ToString();
        }
        catch (TargetInvocationException e)
        {
            return e.InnerException.GetType().FullName;
        }
    }

    // What code tests for is often about the type arguments.
    static object Argument(Type type, Type[] arguments)
    {
        if (type != typeof(object)) return Value(type, 3);
        Type about = Pick(arguments);
        return s_random.Next(5) switch
        {
            0 => Value(about, 3),
            1 => Value(about.MakeArrayType(), 3),
            2 => Value(typeof(List<>).MakeGenericType(about), 3),
            _ => Value(Pick(s_pool), 3),
        };
    }

    static object Value(Type type, int depth)
    {
        if (Nullable.GetUnderlyingType(type) is Type inner) return s_random.Next(3) == 0 ? null : Value(inner, depth);
        if (!type.IsValueType && (depth == 0 || s_random.Next(4) == 0)) return null;
        if (type.IsEnum) return Enum.ToObject(type, s_random.Next(-1, 4));
        if (type == typeof(bool)) return s_random.Next(2) == 0;
        if (type == typeof(char)) return (char)Number();
        if (type == typeof(decimal)) return (decimal)Number();
        if (type == typeof(nint)) return (nint)Number();
        if (type == typeof(DateTime)) return DateTime.UnixEpoch.AddDays(Number());
        if (type.IsPrimitive) return Convert.ChangeType(Math.Clamp(Number(), type == typeof(sbyte) ? -128 : type == typeof(byte) || type == typeof(ulong) ? 0 : -1000, 100), type);
        if (type == typeof(string)) return Pick(new[] { "", "a", "int", "text" });
        if (type == typeof(Type)) return Pick(s_pool);
        if (type == typeof(Func<int>)) return (Func<int>)(() => 1);
        if (type == typeof(Action<object>)) return (Action<object>)(_ => { });
        if (type.IsArray) return Array(type, depth);
        if (type == typeof(object) || type.IsAbstract) return Implementation(type, depth);
        object value = Activator.CreateInstance(type);
        if (value is System.Collections.IList items)
        {
            for (int i = s_random.Next(4); i > 0; i--) items.Add(Value(type.GetGenericArguments()[0], depth - 1));
        }
        foreach (var field in type.GetFields(BindingFlags.Public | BindingFlags.Instance)) field.SetValue(value, Value(field.FieldType, depth - 1));
        return value;
    }

    static object Array(Type type, int depth)
    {
        int[] lengths = Enumerable.Range(0, type.GetArrayRank()).Select(_ => s_random.Next(4)).ToArray();
        var array = System.Array.CreateInstance(type.GetElementType(), lengths);
        if (lengths.Length == 1)
        {
            for (int i = 0; i < array.Length; i++) array.SetValue(Value(type.GetElementType(), depth - 1), i);
        }
        return array;
    }

    static object Implementation(Type type, int depth)
    {
        if (type == typeof(object) && s_random.Next(2) == 0) return new object();
        var fitting = s_pool.Where(t => t != type && type.IsAssignableFrom(t) && !t.IsAbstract && t != typeof(object)).ToArray();
        return fitting.Length == 0 ? null : Value(Pick(fitting), depth - 1);
    }

    static long Number() => s_random.Next(4) == 0 ? s_random.Next(-1000, 1000) : s_random.Next(-2, 12);

    static T Pick<T>(T[] from) => from[s_random.Next(from.Length)];

    static string Show(object value) => value switch
    {
        null => "null",
        string text => '"' + text + '"',
        Array array => array.GetType() + " of " + array.Length,
        _ => value.ToString(),
    };
}
