// Calls every public method of an assembly with many simple arguments and prints the exceptions that
// leave it: "Type::Method Exception,Exception". A check of what the fixtures' comments claim.
//
// Usage: Probe ASSEMBLY SKIPPED...

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;

static class Probe
{
    static readonly long[] s_interesting =
    {
        0, 1, -1, 2, 3, 4, 5, 7, 10, 13, 29, 31, 40, 50, 64, 100, 101, 127, 128, -128, 255, 256, 1000, 1001, 32767, 32768, -32768,
        65535, 65536, int.MaxValue, int.MinValue, uint.MaxValue, long.MaxValue, long.MinValue, 'I', 'X', 'a', 'Z',
    };

    static readonly Random s_random = new Random(1);

    static void Main(string[] args)
    {
        var skipped = args.Skip(1).ToHashSet();
        foreach (var type in Assembly.LoadFrom(args[0]).GetExportedTypes().OrderBy(t => t.Name, StringComparer.Ordinal))
        {
            if (type.IsEnum || type.ContainsGenericParameters || typeof(Exception).IsAssignableFrom(type)) continue;
            const BindingFlags all = BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;
            foreach (var method in type.GetMethods(all).Concat<MethodBase>(type.GetConstructors()))
            {
                string name = type.Name + "::" + method.Name;
                if (!method.ContainsGenericParameters && !skipped.Contains(name)) Console.WriteLine(name + " " + string.Join(',', Exceptions(method)));
            }
        }
    }

    static SortedSet<string> Exceptions(MethodBase method)
    {
        var seen = new SortedSet<string>(StringComparer.Ordinal);
        for (int i = 0; i < 5000; i++)
        {
            object receiver = method.IsStatic || method.IsConstructor ? null : Value(method.DeclaringType);
            object[] arguments = method.GetParameters().Select(p => Value(p.ParameterType)).ToArray();
            try
            {
                if (method is ConstructorInfo constructor) constructor.Invoke(arguments);
                else method.Invoke(receiver, arguments);
            }
            catch (TargetInvocationException e)
            {
                seen.Add(e.InnerException.GetType().Name);
            }
        }
        return seen;
    }

    static object Value(Type type)
    {
        if (type.IsByRef) return Value(type.GetElementType());
        if (type.IsEnum) return Enum.ToObject(type, Number() is var n && s_random.Next(3) > 0 ? n & 7 : n);
        if (type == typeof(bool)) return s_random.Next(2) == 0;
        if (type == typeof(char)) return (char)Number();
        if (type == typeof(sbyte)) return (sbyte)Number();
        if (type == typeof(byte)) return (byte)Number();
        if (type == typeof(short)) return (short)Number();
        if (type == typeof(ushort)) return (ushort)Number();
        if (type == typeof(int)) return (int)Number();
        if (type == typeof(uint)) return (uint)Number();
        if (type == typeof(long)) return Number();
        if (type == typeof(ulong)) return (ulong)Number();
        if (type == typeof(nint)) return (nint)Number();
        if (type == typeof(nuint)) return (nuint)Number();
        if (!type.IsValueType && type.IsAbstract) return null;
        if (type == typeof(object)) return null;
        object value = RuntimeHelpers.GetUninitializedObject(type);
        foreach (var field in type.GetFields(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance))
            field.SetValue(value, Value(field.FieldType));
        return value;
    }

    static long Number()
    {
        switch (s_random.Next(4))
        {
            case 0:
            case 1: return s_interesting[s_random.Next(s_interesting.Length)];
            case 2: return s_random.Next(-40, 40);
            default: return s_random.NextInt64(long.MinValue, long.MaxValue);
        }
    }
}
