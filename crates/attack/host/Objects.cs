// Objects: by public constructors, members and methods; of subclasses that the attacker writes where a class is open; collections
// with spare room, removed entries and comparers; type arguments of all kinds.

using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;

namespace Cilantro.Attack;

sealed partial class Values
{
    object Instance(Type type, int depth)
    {
        if (type.IsValueType && Chance(4)) return Activator.CreateInstance(type);
        var classes = Classes(type);
        for (int tries = 0; tries < 3 && classes.Count > 0; tries++)
        {
            var chosen = Pick(classes);
            try
            {
                var value = Constructed(chosen, depth);
                if (value == null) continue;
                Settle(value, depth);
                return value;
            }
            catch (Exception)
            {
                // Refused by the constructor: other arguments, another class.
            }
        }
        return type.IsValueType ? Activator.CreateInstance(type) : type.IsInterface && type.IsVisible ? Hook.ProxyOf(type) : null;
    }

    /// The classes that can stand behind a type: its own, those of the assembly, one of the attacker's.
    List<Type> Classes(Type type)
    {
        var classes = new List<Type>();
        if (!type.IsAbstract && !type.IsInterface) classes.Add(type);
        if (!type.IsValueType && !type.IsSealed)
        {
            foreach (var other in subject.Types)
            {
                if (other.IsAbstract || other == type) continue;
                if (!other.ContainsGenericParameters) { if (type.IsAssignableFrom(other)) classes.Add(other); }
                else if (other.BaseType?.IsGenericType == true || other.GetInterfaces().Length > 0)
                {
                    var closed = type.IsGenericType && other.GetGenericArguments().Length == type.GetGenericArguments().Length ? TryClose(other, type.GetGenericArguments()) : null;
                    if (closed != null && type.IsAssignableFrom(closed)) classes.Add(closed);
                }
            }
            if (Subclass.IsOpen(type) && Subclass.Of(type) is Type own)
            {
                classes.Add(own);
                classes.Add(own);
            }
        }
        return classes;
    }

    static Type TryClose(Type definition, Type[] arguments)
    {
        try { return definition.MakeGenericType(arguments); }
        catch (ArgumentException) { return null; }
    }

    object Constructed(Type type, int depth)
    {
        if (type == typeof(StringBuilder)) return new StringBuilder(Text(), Chance(2) ? 1 : 64).Append(Text());
        var flags = BindingFlags.Public | BindingFlags.Instance;
        // A class that nobody outside can see is made by the assembly itself, somehow.
        if (!type.IsVisible) flags |= BindingFlags.NonPublic;
        var constructors = type.GetConstructors(flags).Where(constructor => constructor.GetParameters().All(parameter => IsEasy(parameter.ParameterType, type))).ToList();
        if (constructors.Count == 0 && type.IsValueType) return Activator.CreateInstance(type);
        if (constructors.Count == 0) return null;
        if (typeof(IEnumerable).IsAssignableFrom(type) && type.Namespace == "System.Collections.Generic" && type.IsGenericType) return Filled(type, depth);
        var chosen = Pick(constructors);
        return chosen.Invoke(chosen.GetParameters().Select(parameter => Make(parameter.ParameterType, depth - 1)).ToArray());
    }

    static bool IsEasy(Type type, Type owner) => !type.IsByRef && !type.IsByRefLike && !type.IsPointer && !type.IsFunctionPointer && !(type == owner && owner.IsSealed);

    /// Public members are set, public methods called: any state that a program can bring about.
    void Settle(object value, int depth)
    {
        if (depth < 0 || value.GetType().Namespace?.StartsWith("System", StringComparison.Ordinal) == true && Chance(2)) return;
        foreach (var member in value.GetType().GetMembers(BindingFlags.Public | BindingFlags.Instance))
        {
            try
            {
                if (member is FieldInfo { IsInitOnly: false } field && !Chance(3)) field.SetValue(value, Make(field.FieldType, depth - 1));
                if (member is PropertyInfo { SetMethod.IsPublic: true } property && property.GetIndexParameters().Length == 0 && !Chance(3)) property.SetValue(value, Make(property.PropertyType, depth - 1));
            }
            catch (Exception)
            {
                // Refused.
            }
        }
        for (int calls = Chance(2) ? 0 : random.Next(4); calls > 0; calls--)
        {
            try { Use(value); }
            catch (Exception) { }
        }
    }

    /// A collection of the framework with a history.
    object Filled(Type type, int depth)
    {
        object collection = null;
        try { if (Chance(3)) collection = Activator.CreateInstance(type, random.Next(9)); }
        catch (Exception) { }
        collection ??= Activator.CreateInstance(type);
        var add = type.GetMethods().FirstOrDefault(method => method.Name is "Add" or "Push" or "Enqueue" or "AddLast" && method.GetParameters().All(parameter => !parameter.ParameterType.IsGenericType || !parameter.ParameterType.Name.StartsWith("LinkedListNode", StringComparison.Ordinal)));
        var remove = type.GetMethods().FirstOrDefault(method => method.Name is "Remove" or "Pop" or "Dequeue" && method.GetParameters().Length <= 1);
        for (int count = random.Next(6); count > 0 && add != null; count--)
        {
            try
            {
                var item = add.GetParameters().Select(parameter => Make(parameter.ParameterType, depth - 1)).ToArray();
                add.Invoke(collection, item);
                if (remove != null && Chance(5)) remove.Invoke(collection, item.Take(remove.GetParameters().Length).ToArray());
            }
            catch (TargetInvocationException)
            {
                // A key that is there already, or null.
            }
        }
        return collection;
    }

    /// What programs usually pass for an interface of the framework.
    object Known(Type type, int depth)
    {
        if (type == typeof(IDisposable)) return new MemoryStream(Bytes(random.Next(9)));
        if (!type.IsGenericType)
        {
            if (type == typeof(IEnumerable) || type == typeof(IList) || type == typeof(ICollection)) return Make(Chance(2) ? typeof(object[]) : typeof(List<object>), depth - 1);
            if (type == typeof(IDictionary)) return new Hashtable();
            return null;
        }
        var definition = type.GetGenericTypeDefinition();
        var arguments = type.GetGenericArguments();
        if (type.IsVisible && Chance(4)) return Hook.ProxyOf(type);
        Type[] all = { typeof(List<>), typeof(HashSet<>), typeof(Queue<>), typeof(LinkedList<>), typeof(SortedSet<>), typeof(Dictionary<,>), typeof(SortedDictionary<,>) };
        var fitting = all.Where(one => one.GetGenericArguments().Length == arguments.Length).Select(one => TryClose(one, arguments)).Where(one => one != null && type.IsAssignableFrom(one)).ToList();
        if (arguments.Length == 1 && type.IsAssignableFrom(arguments[0].MakeArrayType())) fitting.Add(arguments[0].MakeArrayType());
        if (fitting.Count > 0) return Make(Pick(fitting), depth);
        if (definition == typeof(IComparer<>)) return typeof(Comparer<>).MakeGenericType(arguments).GetProperty("Default").GetValue(null);
        if (definition == typeof(IEqualityComparer<>)) return arguments[0] == typeof(string) && Chance(2) ? StringComparer.OrdinalIgnoreCase : typeof(EqualityComparer<>).MakeGenericType(arguments).GetProperty("Default").GetValue(null);
        return null;
    }

    public Type Close(Type open)
    {
        var definition = open.IsGenericTypeDefinition ? open : open.GetGenericTypeDefinition();
        for (int tries = 0; tries < 12; tries++)
        {
            if (TryClose(definition, TypeArguments(definition.GetGenericArguments())) is Type closed) return closed;
        }
        return null;
    }

    public MethodInfo Close(MethodInfo open)
    {
        for (int tries = 0; tries < 12; tries++)
        {
            try { return open.MakeGenericMethod(TypeArguments(open.GetGenericArguments())); }
            catch (ArgumentException) { }
        }
        return null;
    }

    /// One type for all parameters now and then.
    Type[] TypeArguments(Type[] parameters)
    {
        var all = KnownTypes();
        all.AddRange(new[] { typeof(int), typeof(string), typeof(KeyValuePair<int, string>), typeof(Action), typeof(IComparable), typeof(Guid), typeof(short), typeof(float) });
        all.RemoveAll(type => type.IsByRefLike || type == typeof(void) || type.IsAbstract && type.IsSealed || type.ContainsGenericParameters);
        var one = Pick(all);
        bool same = Chance(3);
        return parameters.Select(parameter =>
        {
            if (same) return one;
            foreach (var constraint in parameter.GetGenericParameterConstraints())
            {
                if (constraint.ContainsGenericParameters || constraint == typeof(ValueType)) continue;
                var classes = Classes(constraint);
                if (classes.Count > 0 && !Chance(4)) return Pick(classes);
            }
            return Pick(all);
        }).ToArray();
    }
}
