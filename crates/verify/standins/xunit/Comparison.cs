// When two values are equal for xUnit: by what the type itself says, collections item by item, dictionaries and sets without
// regard to order.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Xunit.Sdk
{
    internal static class Comparison
    {
        /// With `T` as the static type, which decides about `IEquatable<T>` and `IComparable<T>`.
        public static bool Equal<T>(T? x, T? y, Func<object?, object?, bool>? items = null)
        {
            if (x is null || y is null) return x is null && y is null;
            if (ReferenceEquals(x, y)) return true;
            if (x is string one && y is string other) return string.Equals(one, other, StringComparison.Ordinal);
            Type xType = x.GetType(), yType = y.GetType();
            bool isImmutableArray = xType.IsGenericType && xType.GetGenericTypeDefinition().FullName == "System.Collections.Immutable.ImmutableArray`1";
            if (!isImmutableArray)
            {
                if (x is IEquatable<T> equatable) return equatable.Equals(y);
                if (xType != yType && By(typeof(IEquatable<>), "Equals", x, y) is bool equal) return equal;
            }
            if (IsCollection(x) && IsCollection(y)) return Collections((IEnumerable)x, (IEnumerable)y, items ?? ByRuntimeType);
            if (x is IStructuralEquatable structural && structural.Equals(y, new Structural())) return true;
            if (x is IComparable<T> comparable && Try(() => comparable.CompareTo(y) == 0) is bool same) return same;
            if (xType != yType && Try(() => By(typeof(IComparable<>), "CompareTo", x, y) is int order ? order == 0 : (bool?)null) is bool alike) return alike;
            if (x is IComparable plain && Try(() => plain.CompareTo(y) == 0) is bool ordered) return ordered;
            if (IsPair(xType) && IsPair(yType)) return Pairs(x, y);
            return Equals(x, y);
        }

        /// As the runtime types say, where both have the same.
        public static bool ByRuntimeType(object? x, object? y)
        {
            if (x is null || y is null) return x is null && y is null;
            Type type = x.GetType() == y.GetType() ? x.GetType() : typeof(object);
            MethodInfo equal = typeof(Comparison).GetMethod(nameof(Equal))!.MakeGenericMethod(type);
            return (bool)equal.Invoke(null, BindingFlags.DoNotWrapExceptions, null, new[] { x, y, null }, null)!;
        }

        public static bool Collections(IEnumerable x, IEnumerable y, Func<object?, object?, bool> equal)
        {
            if (x is IDictionary xDictionary && y is IDictionary yDictionary) return Dictionaries(xDictionary, yDictionary, equal);
            if (SetElement(x) is Type element && SetElement(y) is Type other) return element == other && Sets(element, x, y);
            if (x is Array xArray && y is Array yArray && !SameShape(xArray, yArray)) return false;
            return Sequences(x, y, equal);
        }

        static bool Sequences(IEnumerable x, IEnumerable y, Func<object?, object?, bool> equal)
        {
            IEnumerator xItems = x.GetEnumerator(), yItems = y.GetEnumerator();
            try
            {
                while (true)
                {
                    bool more = xItems.MoveNext();
                    if (more != yItems.MoveNext()) return false;
                    if (!more) return true;
                    object? one = xItems.Current, other = yItems.Current;
                    // Items that are collections are compared as such, unless they say themselves what equals them.
                    bool nested = IsCollection(one) && IsCollection(other);
                    if (!(nested ? ByRuntimeType(one, other) : equal(one, other))) return false;
                }
            }
            finally
            {
                (xItems as IDisposable)?.Dispose();
                (yItems as IDisposable)?.Dispose();
            }
        }

        static bool Dictionaries(IDictionary x, IDictionary y, Func<object?, object?, bool> equal)
        {
            if (x.Count != y.Count) return false;
            var keys = new HashSet<object>(y.Keys.Cast<object>());
            return x.Keys.Cast<object>().All(key => keys.Contains(key) && equal(x[key], y[key]));
        }

        static bool Sets(Type element, IEnumerable x, IEnumerable y)
        {
            Type set = typeof(ISet<>).MakeGenericType(element);
            var counts = typeof(ICollection<>).MakeGenericType(element).GetProperty("Count")!;
            if (!Equals(counts.GetValue(x), counts.GetValue(y))) return false;
            return (bool)set.GetMethod("SetEquals")!.Invoke(x, BindingFlags.DoNotWrapExceptions, null, new object[] { y }, null)!;
        }

        static Type? SetElement(object value) =>
            value.GetType().GetInterfaces().FirstOrDefault(face => face.IsGenericType && face.GetGenericTypeDefinition() == typeof(ISet<>))?.GetGenericArguments()[0];

        static bool SameShape(Array x, Array y)
        {
            bool plain = x.Rank == 1 && y.Rank == 1 && x.GetLowerBound(0) == 0 && y.GetLowerBound(0) == 0;
            return plain || (x.Rank == y.Rank && Enumerable.Range(0, x.Rank).All(rank => x.GetLowerBound(rank) == y.GetLowerBound(rank) && x.GetUpperBound(rank) == y.GetUpperBound(rank)));
        }

        static bool IsCollection(object? value) => value is IEnumerable and not string;

        static bool IsPair(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>);

        static bool Pairs(object x, object y)
        {
            object? Part(object pair, string name) => pair.GetType().GetProperty(name)!.GetValue(pair);
            return ByRuntimeType(Part(x, "Key"), Part(y, "Key")) && ByRuntimeType(Part(x, "Value"), Part(y, "Value"));
        }

        /// `x` may know how to compare itself with the type of `y`.
        static object? By(Type definition, string method, object x, object y)
        {
            Type face = definition.MakeGenericType(y.GetType());
            return face.IsInstanceOfType(x) ? face.GetMethod(method)!.Invoke(x, BindingFlags.DoNotWrapExceptions, null, new[] { y }, null) : null;
        }

        /// What cannot be compared this way is compared another way.
        static bool? Try(Func<bool?> compare)
        {
            try
            {
                return compare();
            }
            catch (Exception)
            {
                return null;
            }
        }

        sealed class Structural : IEqualityComparer
        {
            bool IEqualityComparer.Equals(object? x, object? y) => ByRuntimeType(x, y);
            int IEqualityComparer.GetHashCode(object value) => value.GetHashCode();
        }
    }

    internal static class Show
    {
        public static string Value(object? value, int depth = 0)
        {
            try
            {
                return Text(value, depth);
            }
            catch (Exception e)
            {
                // A value may not like to be shown.
                return "<" + e.GetType().Name + ">";
            }
        }

        static string Text(object? value, int depth)
        {
            switch (value)
            {
                case null: return "null";
                case string text: return "\"" + (text.Length > 200 ? text.Substring(0, 200) + "···" : text) + "\"";
                case char c: return "'" + c + "'";
                case IFormattable number: return number.ToString(null, System.Globalization.CultureInfo.InvariantCulture);
                case IEnumerable items when depth < 3: return Items(items, depth);
                default: return value.ToString() ?? value.GetType().FullName!;
            }
        }

        static string Items(IEnumerable items, int depth)
        {
            var shown = items.Cast<object?>().Take(11).Select(item => Value(item, depth + 1)).ToList();
            if (shown.Count > 10) shown[10] = "···";
            return "[" + string.Join(", ", shown) + "]";
        }
    }
}
