// Assertions about truth, null, identity, types and ranges.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using Xunit.Sdk;

namespace Xunit
{
    public partial class Assert
    {
        public static void True([DoesNotReturnIf(false)] bool condition) => True((bool?)condition, null);

        public static void True([NotNull, DoesNotReturnIf(false)] bool? condition) => True(condition, null);

        public static void True([DoesNotReturnIf(false)] bool condition, string? userMessage) => True((bool?)condition, userMessage);

        public static void True([NotNull, DoesNotReturnIf(false)] bool? condition, string? userMessage)
        {
            if (condition != true) throw new TrueException(userMessage ?? "Assert.True() Failure\nExpected: True\nActual:   " + (condition?.ToString() ?? "null"));
        }

        public static void False([DoesNotReturnIf(true)] bool condition) => False((bool?)condition, null);

        public static void False([NotNull, DoesNotReturnIf(true)] bool? condition) => False(condition, null);

        public static void False([DoesNotReturnIf(true)] bool condition, string? userMessage) => False((bool?)condition, userMessage);

        public static void False([NotNull, DoesNotReturnIf(true)] bool? condition, string? userMessage)
        {
            if (condition != false) throw new FalseException(userMessage ?? "Assert.False() Failure\nExpected: False\nActual:   " + (condition?.ToString() ?? "null"));
        }

        public static void Null([MaybeNull] object? @object)
        {
            if (@object != null) throw new NullException("Assert.Null() Failure: Value is not null\nExpected: null\nActual:   " + Show.Value(@object));
        }

        public static void Null<T>(T? value) where T : struct
        {
            if (value.HasValue) throw new NullException("Assert.Null() Failure: Value of type 'Nullable<" + typeof(T).Name + ">' has a value\nExpected: null\nActual:   " + Show.Value(value));
        }

        public static void NotNull([NotNull] object? @object)
        {
            if (@object is null) throw new NotNullException("Assert.NotNull() Failure: Value is null");
        }

        public static T NotNull<T>([NotNull] T? value) where T : struct => value ?? throw new NotNullException("Assert.NotNull() Failure: Value of type 'Nullable<" + typeof(T).Name + ">' does not have a value");

        public static void Same(object? expected, object? actual)
        {
            if (!object.ReferenceEquals(expected, actual)) throw new SameException("Assert.Same() Failure: Values are not the same instance\nExpected: " + Show.Value(expected) + "\nActual:   " + Show.Value(actual));
        }

        public static void NotSame(object? expected, object? actual)
        {
            if (object.ReferenceEquals(expected, actual)) throw new NotSameException("Assert.NotSame() Failure: Values are the same instance");
        }

        [DoesNotReturn]
        public static void Fail(string? message = null) => throw new FailException(message ?? "Assert.Fail() Failure");

        public static T IsType<T>([NotNull] object? @object)
        {
            IsType(typeof(T), @object);
            return (T)@object!;
        }

        public static void IsType(Type expectedType, [NotNull] object? @object)
        {
            if (@object is null || @object.GetType() != expectedType) throw new IsTypeException("Assert.IsType() Failure: Value is not the exact type\nExpected: typeof(" + expectedType + ")\nActual:   " + (@object?.GetType().ToString() ?? "null"));
        }

        public static T IsType<T>([NotNull] object? @object, bool exactMatch) => exactMatch ? IsType<T>(@object) : IsAssignableFrom<T>(@object);

        public static void IsNotType<T>(object? @object) => IsNotType(typeof(T), @object);

        public static void IsNotType(Type expectedType, object? @object)
        {
            if (@object?.GetType() == expectedType) throw new IsNotTypeException("Assert.IsNotType() Failure: Value is the exact type\nExpected: typeof(" + expectedType + ")");
        }

        public static T IsAssignableFrom<T>([NotNull] object? @object)
        {
            IsAssignableFrom(typeof(T), @object);
            return (T)@object!;
        }

        public static void IsAssignableFrom(Type expectedType, [NotNull] object? @object)
        {
            if (@object is null || !expectedType.IsInstanceOfType(@object)) throw new IsAssignableFromException("Assert.IsAssignableFrom() Failure: Value is an incompatible type\nExpected: typeof(" + expectedType + ")\nActual:   " + (@object?.GetType().ToString() ?? "null"));
        }

        public static void IsNotAssignableFrom<T>(object? @object) => IsNotAssignableFrom(typeof(T), @object);

        public static void IsNotAssignableFrom(Type expectedType, object? @object)
        {
            if (@object != null && expectedType.IsInstanceOfType(@object)) throw new IsAssignableFromException("Assert.IsNotAssignableFrom() Failure: Value is a compatible type");
        }

        public static void InRange<T>(T actual, T low, T high) where T : IComparable => InRange(actual, low, high, Comparer<T>.Default);

        public static void InRange<T>(T actual, T low, T high, IComparer<T> comparer)
        {
            if (comparer.Compare(low, actual) > 0 || comparer.Compare(actual, high) > 0) throw new InRangeException("Assert.InRange() Failure: Value not in range\nRange:  (" + Show.Value(low) + " - " + Show.Value(high) + ")\nActual: " + Show.Value(actual));
        }

        public static void NotInRange<T>(T actual, T low, T high) where T : IComparable => NotInRange(actual, low, high, Comparer<T>.Default);

        public static void NotInRange<T>(T actual, T low, T high, IComparer<T> comparer)
        {
            if (comparer.Compare(low, actual) <= 0 && comparer.Compare(actual, high) <= 0) throw new NotInRangeException("Assert.NotInRange() Failure: Value in range\nRange:  (" + Show.Value(low) + " - " + Show.Value(high) + ")\nActual: " + Show.Value(actual));
        }

        /// By public members, without regard to types and to the order of collections.
        public static void Equivalent(object? expected, object? actual, bool strict = false)
        {
            string? difference = Equivalence.Difference(expected, actual, strict, "", new HashSet<(object, object)>());
            if (difference != null) throw new EquivalentException("Assert.Equivalent() Failure: " + difference);
        }

#if XUNIT3
        [DoesNotReturn]
        public static void Skip(string reason) => throw new SkipException(reason);

        public static void SkipUnless([DoesNotReturnIf(false)] bool condition, string reason)
        {
            if (!condition) throw new SkipException(reason);
        }

        public static void SkipWhen([DoesNotReturnIf(true)] bool condition, string reason)
        {
            if (condition) throw new SkipException(reason);
        }
#endif
    }

    internal static class Equivalence
    {
        public static string? Difference(object? expected, object? actual, bool strict, string path, HashSet<(object, object)> open)
        {
            if (expected is null || actual is null) return expected is null && actual is null ? null : "null differs at '" + path + "'";
            if (!expected.GetType().IsValueType && !open.Add((expected, actual))) return null;
            if (IsSimple(expected)) return Simple(expected, actual) ? null : "values differ at '" + path + "': " + Show.Value(expected) + ", " + Show.Value(actual);
            if (expected is IEnumerable items) return actual is IEnumerable others ? Items(items, others, strict, path, open) : "no collection at '" + path + "'";
            return Members(expected, actual, strict, path, open);
        }

        static bool IsSimple(object value)
        {
            Type type = value.GetType();
            return type.IsPrimitive || type.IsEnum || value is string || value is decimal || value is DateTime || value is DateTimeOffset || value is TimeSpan || value is Guid || value is Type;
        }

        static bool Simple(object expected, object actual)
        {
            if (Equals(expected, actual)) return true;
            try
            {
                return expected.GetType() != actual.GetType() && expected is IConvertible && actual is IConvertible && !(expected is string) && !(actual is string)
                    && Equals(Convert.ChangeType(actual, expected.GetType()), expected);
            }
            catch (Exception e) when (e is InvalidCastException || e is FormatException || e is OverflowException)
            {
                return false;
            }
        }

        static string? Items(IEnumerable expected, IEnumerable actual, bool strict, string path, HashSet<(object, object)> open)
        {
            List<object?> left = actual.Cast<object?>().ToList();
            foreach (object? item in expected)
            {
                int at = left.FindIndex(other => Difference(item, other, strict, path + "[]", new HashSet<(object, object)>(open)) is null);
                if (at < 0) return "the collection at '" + path + "' has no " + Show.Value(item);
                left.RemoveAt(at);
            }
            return strict && left.Count > 0 ? "the collection at '" + path + "' has more items" : null;
        }

        static string? Members(object expected, object actual, bool strict, string path, HashSet<(object, object)> open)
        {
            Dictionary<string, Func<object?>> wanted = Readers(expected), there = Readers(actual);
            if (strict && there.Keys.Except(wanted.Keys).Any()) return "there are more members at '" + path + "'";
            foreach (var member in wanted.OrderBy(pair => pair.Key, StringComparer.Ordinal))
            {
                if (!there.TryGetValue(member.Key, out Func<object?>? other)) return "no member '" + path + "." + member.Key + "'";
                string? difference = Difference(member.Value(), other(), strict, path + "." + member.Key, open);
                if (difference != null) return difference;
            }
            return null;
        }

        static Dictionary<string, Func<object?>> Readers(object value)
        {
            var readers = new Dictionary<string, Func<object?>>();
            foreach (FieldInfo field in value.GetType().GetFields(BindingFlags.Public | BindingFlags.Instance)) readers[field.Name] = () => field.GetValue(value);
            foreach (PropertyInfo property in value.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
                if (property.GetMethod != null && property.GetIndexParameters().Length == 0) readers[property.Name] = () => property.GetValue(value);
            return readers;
        }
    }
}
