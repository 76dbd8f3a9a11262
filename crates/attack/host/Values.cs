// Random values of any type, as a program outside of the assembly could make them.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;

namespace Cilantro.Attack;

sealed partial class Values
{
    readonly Subject subject;
    readonly Constants constants;
    readonly Random random;
    /// What was made for this call: the same object may be passed twice.
    readonly List<object> made = new();
    int budget = 400;

    public Values(Subject subject, Constants constants, Random random)
    {
        this.subject = subject;
        this.constants = constants;
        this.random = random;
    }

    public static bool IsSpan(Type type) =>
        type.IsGenericType && (type.GetGenericTypeDefinition() == typeof(Span<>) || type.GetGenericTypeDefinition() == typeof(ReadOnlySpan<>));

    public bool Chance(int one) => random.Next(one) == 0;

    T Pick<T>(IReadOnlyList<T> items) => items[random.Next(items.Count)];

    public object Argument(ParameterInfo parameter, int depth)
    {
        var type = parameter.ParameterType;
        if (type.IsByRef) return PlaceOf(type.GetElementType(), depth);
        if (IsSpan(type)) return SliceOf(type.GetGenericArguments()[0], depth);
        return Make(type, depth);
    }

    /// Two references may be the same place, or neighbours in one array.
    Place PlaceOf(Type element, int depth)
    {
        var arrays = made.OfType<Array>().Where(array => array.GetType() == element.MakeArrayType() && array.Length > 0).ToList();
        if (arrays.Count > 0 && Chance(3))
        {
            var known = Pick(arrays);
            return new Place { Over = known, Index = random.Next(known.Length) };
        }
        var over = Array.CreateInstance(element, 1);
        over.SetValue(Make(element, depth - 1), 0);
        made.Add(over);
        return new Place { Over = over };
    }

    /// Slices of the same array overlap.
    Slice SliceOf(Type element, int depth)
    {
        if (Chance(10)) return null;
        var arrays = made.OfType<Array>().Where(array => array.GetType() == element.MakeArrayType()).ToList();
        var over = arrays.Count > 0 && Chance(2) ? Pick(arrays) : ArrayOf(element, element, depth - 1);
        if (!made.Contains(over)) made.Add(over);
        int start = Chance(2) ? 0 : random.Next(over.Length + 1);
        return new Slice { Over = over, Start = start, Length = Chance(2) ? over.Length - start : random.Next(over.Length - start + 1) };
    }

    public object Make(Type type, int depth)
    {
        if (--budget < 0) return Plain(type);
        if (!type.IsValueType && made.Count > 0 && Chance(4))
        {
            var fitting = made.Where(type.IsInstanceOfType).ToList();
            if (fitting.Count > 0) return Pick(fitting);
        }
        object value = Fresh(type, depth);
        if (value != null && !type.IsValueType) made.Add(value);
        return value;
    }

    static object Plain(Type type) => type.IsValueType && !type.IsByRefLike ? Activator.CreateInstance(type) : null;

    object Fresh(Type type, int depth)
    {
        if (Scalar(type) is object scalar) return scalar;
        if (Nullable.GetUnderlyingType(type) is Type inner) return Chance(3) ? null : Make(inner, depth);
        if (type.IsPointer || type.IsFunctionPointer || type.IsByRefLike) throw new NotSupportedException();
        if (!type.IsValueType && (Chance(8) || depth < 0)) return null;
        if (type == typeof(string)) return Text();
        if (type.IsArray) return ArrayOf(type, depth);
        if (typeof(Delegate).IsAssignableFrom(type)) return type.IsAbstract ? new Action(() => { }) : Hook.DelegateOf(type);
        if (type == typeof(Type)) return Pick(KnownTypes());
        if (type == typeof(CultureInfo) || type == typeof(IFormatProvider)) return Culture();
        if (type == typeof(object) || type == typeof(ValueType) || type == typeof(IComparable)) return Anything(type, depth);
        if (type.IsInterface && Known(type, depth) is object known) return known;
        return Instance(type, depth);
    }

    object Anything(Type type, int depth)
    {
        for (int tries = 0; tries < 4; tries++)
        {
            var chosen = Pick(KnownTypes());
            if (type.IsAssignableFrom(chosen) && !chosen.ContainsGenericParameters && !chosen.IsByRefLike) return Make(chosen, depth - 1);
        }
        return type == typeof(object) ? new object() : 5;
    }

    /// What the code mentions, what the assembly has, and everyday types.
    public List<Type> KnownTypes()
    {
        var all = new List<Type> { typeof(int), typeof(string), typeof(object), typeof(double), typeof(byte), typeof(long), typeof(bool), typeof(char), typeof(decimal), typeof(DateTime), typeof(int[]), typeof(string[]), typeof(object[]), typeof(List<int>), typeof(DayOfWeek), typeof(uint[]), typeof(Exception), typeof(int?) };
        all.AddRange(constants.Types.Where(type => type != typeof(void) && !type.IsPointer && !type.IsByRef));
        all.AddRange(constants.Types.Where(type => type != typeof(void) && !type.IsPointer && !type.IsByRef));
        all.AddRange(subject.Types.Where(type => type.IsVisible && !type.IsAbstract && !type.ContainsGenericParameters).OrderBy(_ => random.Next()).Take(6));
        return all;
    }

    Array ArrayOf(Type type, int depth)
    {
        var element = type.GetElementType();
        if (type.GetArrayRank() > 1)
        {
            var lengths = Enumerable.Range(0, type.GetArrayRank()).Select(_ => random.Next(4)).ToArray();
            var bounds = lengths.Select(_ => Chance(4) ? random.Next(-2, 3) : 0).ToArray();
            var grid = Array.CreateInstance(element, lengths, bounds);
            var index = (int[])bounds.Clone();
            for (int n = 0; n < grid.Length; n++)
            {
                grid.SetValue(Make(element, depth - 1), index);
                for (int dimension = index.Length - 1; dimension >= 0 && ++index[dimension] > grid.GetUpperBound(dimension); dimension--) index[dimension] = bounds[dimension];
            }
            return grid;
        }
        return ArrayOf(element, Chance(5) ? Covariant(element, depth) : element, depth);
    }

    Array ArrayOf(Type element, Type actual, int depth)
    {
        var array = Array.CreateInstance(actual, Chance(30) ? random.Next(40) : random.Next(6));
        for (int at = 0; at < array.Length; at++)
        {
            var item = Make(actual, depth - 1);
            array.SetValue(item, at);
        }
        return array;
    }

    /// An element type whose array is also one of `element`.
    Type Covariant(Type element, int depth)
    {
        if (element == typeof(int)) return Chance(2) ? typeof(uint) : typeof(DayOfWeek);
        if (element == typeof(byte)) return typeof(sbyte);
        if (element == typeof(long)) return typeof(ulong);
        if (element == typeof(ushort)) return typeof(char) == element ? element : typeof(short);
        if (element.IsValueType || element.IsSealed) return element;
        return Make(element, depth - 1)?.GetType() is Type { IsValueType: false } actual && element.IsAssignableFrom(actual) ? actual : element;
    }

    static readonly string[] CultureNames = { "", "en-US", "de-DE", "tr-TR", "ar-SA", "fa-IR", "th-TH", "ja-JP", "fr-FR", "sv-SE", "hr-HR" };

    public CultureInfo Culture()
    {
        try
        {
            var culture = CultureInfo.GetCultureInfo(Pick(CultureNames));
            if (!Chance(4)) return culture;
            // Anybody may have a culture of their own.
            var own = (CultureInfo)culture.Clone();
            own.NumberFormat.NegativeSign = Chance(2) ? "minus" : "~";
            own.NumberFormat.NumberDecimalSeparator = Chance(2) ? "," : "'";
            own.NumberFormat.PositiveSign = "plus";
            own.NumberFormat.NaNSymbol = "none";
            return own;
        }
        catch (CultureNotFoundException)
        {
            return CultureInfo.InvariantCulture;
        }
    }

    /// Somebody else has used the assembly before.
    public void ChangeStatics()
    {
        try
        {
            switch (Pick(subject.Statics))
            {
                case FieldInfo { IsInitOnly: false } field when Chance(2):
                    field.SetValue(null, Make(field.FieldType, 2));
                    break;
                case PropertyInfo { SetMethod.IsPublic: true } property when Chance(2):
                    property.SetValue(null, Make(property.PropertyType, 2));
                    break;
                case FieldInfo field:
                    Use(field.GetValue(null));
                    break;
                case PropertyInfo { GetMethod: not null } property:
                    Use(property.GetValue(null));
                    break;
            }
        }
        catch (Exception)
        {
            // Refused.
        }
    }

    /// Calls a public member of an object.
    void Use(object target)
    {
        if (target == null || target is Type || target is Assembly) return;
        if (target is Array { Rank: 1, Length: > 0 } array)
        {
            array.SetValue(Make(array.GetType().GetElementType(), 1), random.Next(array.Length));
            return;
        }
        var methods = target.GetType().GetMethods(BindingFlags.Public | BindingFlags.Instance)
            .Where(method => !method.IsGenericMethod && method.DeclaringType != typeof(object) && !IsDangerous(method)).ToList();
        if (methods.Count == 0) return;
        var chosen = Pick(methods);
        var parameters = chosen.GetParameters();
        if (parameters.Any(parameter => parameter.ParameterType.IsByRef || parameter.ParameterType.IsByRefLike || parameter.ParameterType.IsPointer)) return;
        chosen.Invoke(target, parameters.Select(parameter => Make(parameter.ParameterType, 1)).ToArray());
    }

    static bool IsDangerous(MethodInfo method) => method.DeclaringType.Namespace is "System.IO" or "System.Diagnostics" or "System.Threading" or "System.Net" or "System.Reflection";
}
