// CollectionAssert and StringAssert.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

namespace Microsoft.VisualStudio.TestTools.UnitTesting
{
    public sealed class CollectionAssert
    {
        CollectionAssert() { }

        public static CollectionAssert That { get; } = new CollectionAssert();

        public static void AreEqual(ICollection? expected, ICollection? actual, string? message = "") => Decide("AreEqual", Equal(expected, actual, object.Equals), message);

        public static void AreEqual(ICollection? expected, ICollection? actual, IComparer comparer, string? message = "") => Decide("AreEqual", Equal(expected, actual, (x, y) => comparer.Compare(x, y) == 0), message);

        public static void AreNotEqual(ICollection? notExpected, ICollection? actual, string? message = "") => Decide("AreNotEqual", !Equal(notExpected, actual, object.Equals), message);

        public static void AreEquivalent(ICollection? expected, ICollection? actual, string? message = "") => Decide("AreEquivalent", Equivalent(expected, actual), message);

        public static void AreNotEquivalent(ICollection? notExpected, ICollection? actual, string? message = "") => Decide("AreNotEquivalent", !Equivalent(notExpected, actual), message);

        public static void Contains(ICollection collection, object? element, string? message = "") => Decide("Contains", collection.Cast<object?>().Any(item => object.Equals(item, element)), message);

        public static void DoesNotContain(ICollection collection, object? element, string? message = "") => Decide("DoesNotContain", !collection.Cast<object?>().Any(item => object.Equals(item, element)), message);

        public static void AllItemsAreNotNull(ICollection collection, string? message = "") => Decide("AllItemsAreNotNull", collection.Cast<object?>().All(item => item != null), message);

        public static void AllItemsAreUnique(ICollection collection, string? message = "") => Decide("AllItemsAreUnique", collection.Cast<object?>().Distinct().Count() == collection.Count, message);

        public static void AllItemsAreInstancesOfType(ICollection collection, Type expectedType, string? message = "") => Decide("AllItemsAreInstancesOfType", collection.Cast<object?>().All(item => item is null || expectedType.IsInstanceOfType(item)), message);

        public static void IsSubsetOf(ICollection subset, ICollection superset, string? message = "") => Decide("IsSubsetOf", Subset(subset, superset), message);

        public static void IsNotSubsetOf(ICollection subset, ICollection superset, string? message = "") => Decide("IsNotSubsetOf", !Subset(subset, superset), message);

        static bool Equal(IEnumerable? expected, IEnumerable? actual, Func<object?, object?, bool> same)
        {
            if (ReferenceEquals(expected, actual)) return true;
            if (expected is null || actual is null) return false;
            List<object?> one = expected.Cast<object?>().ToList(), other = actual.Cast<object?>().ToList();
            return one.Count == other.Count && one.Zip(other, (x, y) => Item(x, y, same)).All(equal => equal);
        }

        static bool Item(object? x, object? y, Func<object?, object?, bool> same)
        {
            if (same(x, y)) return true;
#if MSTEST3
            return x is IEnumerable one && y is IEnumerable other && !(x is string && y is string) && Equal(one, other, same);
#else
            return false;
#endif
        }

        static bool Equivalent(ICollection? expected, ICollection? actual)
        {
            if (expected is null || actual is null) return expected is null && actual is null;
            return expected.Count == actual.Count && Subset(expected, actual);
        }

        static bool Subset(ICollection subset, ICollection superset)
        {
            List<object?> left = superset.Cast<object?>().ToList();
            return subset.Cast<object?>().All(item =>
            {
                int at = left.FindIndex(other => object.Equals(item, other));
                if (at >= 0) left.RemoveAt(at);
                return at >= 0;
            });
        }

        static void Decide(string assertion, bool holds, string? message)
        {
            if (!holds) throw new AssertFailedException("CollectionAssert." + assertion + " failed. " + message);
        }
    }

    public sealed class StringAssert
    {
        StringAssert() { }

        public static StringAssert That { get; } = new StringAssert();

        public static void Contains(string? value, string? substring, string? message = "") => Decide("Contains", value != null && substring != null && value.IndexOf(substring, StringComparison.Ordinal) >= 0, value, substring, message);

        public static void Contains(string? value, string? substring, StringComparison comparisonType) => Decide("Contains", value != null && substring != null && value.IndexOf(substring, comparisonType) >= 0, value, substring, "");

        public static void StartsWith(string? value, string? substring, string? message = "") => Decide("StartsWith", value != null && substring != null && value.StartsWith(substring, StringComparison.Ordinal), value, substring, message);

        public static void StartsWith(string? value, string? substring, StringComparison comparisonType) => Decide("StartsWith", value != null && substring != null && value.StartsWith(substring, comparisonType), value, substring, "");

        public static void EndsWith(string? value, string? substring, string? message = "") => Decide("EndsWith", value != null && substring != null && value.EndsWith(substring, StringComparison.Ordinal), value, substring, message);

        public static void EndsWith(string? value, string? substring, StringComparison comparisonType) => Decide("EndsWith", value != null && substring != null && value.EndsWith(substring, comparisonType), value, substring, "");

        public static void Matches(string? value, Regex pattern, string? message = "") => Decide("Matches", value != null && pattern.IsMatch(value), value, pattern.ToString(), message);

        public static void DoesNotMatch(string? value, Regex pattern, string? message = "") => Decide("DoesNotMatch", value != null && !pattern.IsMatch(value), value, pattern.ToString(), message);

        static void Decide(string assertion, bool holds, string? value, string? wanted, string? message)
        {
            if (!holds) throw new AssertFailedException("StringAssert." + assertion + " failed. String '" + value + "', '" + wanted + "'. " + message);
        }
    }
}
