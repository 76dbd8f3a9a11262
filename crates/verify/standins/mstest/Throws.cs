// What code throws.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

namespace Microsoft.VisualStudio.TestTools.UnitTesting
{
    public sealed partial class Assert
    {
#if !MSTEST4
        public static T ThrowsException<T>(Action action) where T : Exception => Exactly<T>(Caught(action), "ThrowsException", "");

        public static T ThrowsException<T>(Action action, string message) where T : Exception => Exactly<T>(Caught(action), "ThrowsException", message);

        public static T ThrowsException<T>(Action action, string message, params object?[]? parameters) where T : Exception => Exactly<T>(Caught(action), "ThrowsException", message);

        public static T ThrowsException<T>(Func<object?> action) where T : Exception => Exactly<T>(Caught(() => action()), "ThrowsException", "");

        public static T ThrowsException<T>(Func<object?> action, string message) where T : Exception => Exactly<T>(Caught(() => action()), "ThrowsException", message);

        public static async Task<T> ThrowsExceptionAsync<T>(Func<Task> action) where T : Exception => Exactly<T>(await CaughtAsync(action), "ThrowsExceptionAsync", "");

        public static async Task<T> ThrowsExceptionAsync<T>(Func<Task> action, string message) where T : Exception => Exactly<T>(await CaughtAsync(action), "ThrowsExceptionAsync", message);
#endif

#if MSTEST3
        public static T Throws<T>(Action action, string? message = "") where T : Exception => Derived<T>(Caught(action), "Throws", message);

        public static T Throws<T>(Func<object?> action, string? message = "") where T : Exception => Derived<T>(Caught(() => action()), "Throws", message);

        public static T ThrowsExactly<T>(Action action, string? message = "") where T : Exception => Exactly<T>(Caught(action), "ThrowsExactly", message);

        public static T ThrowsExactly<T>(Func<object?> action, string? message = "") where T : Exception => Exactly<T>(Caught(() => action()), "ThrowsExactly", message);

        public static async Task<T> ThrowsAsync<T>(Func<Task> action, string? message = "") where T : Exception => Derived<T>(await CaughtAsync(action), "ThrowsAsync", message);

        public static async Task<T> ThrowsExactlyAsync<T>(Func<Task> action, string? message = "") where T : Exception => Exactly<T>(await CaughtAsync(action), "ThrowsExactlyAsync", message);

        static T Derived<T>(Exception? thrown, string assertion, string? message) where T : Exception =>
            thrown as T ?? throw Failed(assertion, "Expected exception type:<" + typeof(T) + ">. Actual exception type:<" + thrown?.GetType() + ">.", message);
#endif

        static Exception? Caught(Action action)
        {
            try
            {
                action();
                return null;
            }
            catch (Exception e)
            {
                return e;
            }
        }

        static async Task<Exception?> CaughtAsync(Func<Task> action)
        {
            try
            {
                await action();
                return null;
            }
            catch (Exception e)
            {
                return e;
            }
        }

        static T Exactly<T>(Exception? thrown, string assertion, string? message) where T : Exception =>
            thrown != null && thrown.GetType() == typeof(T) ? (T)thrown : throw Failed(assertion, "Expected exception type:<" + typeof(T) + ">. Actual exception type:<" + thrown?.GetType() + ">.", message);

#if MSTEST3
        public static void HasCount<T>(int expected, IEnumerable<T> collection, string? message = "") => Decide("HasCount", collection.Count() == expected, expected, collection.Count(), message);

        public static void HasCount(int expected, IEnumerable collection, string? message = "") => HasCount(expected, collection.Cast<object?>(), message);

        public static void IsEmpty<T>(IEnumerable<T> collection, string? message = "") => Decide("IsEmpty", !collection.Any(), 0, collection.Count(), message);

        public static void IsEmpty(IEnumerable collection, string? message = "") => IsEmpty(collection.Cast<object?>(), message);

        public static void IsNotEmpty<T>(IEnumerable<T> collection, string? message = "") => Decide("IsNotEmpty", collection.Any(), "items", 0, message);

        public static void IsNotEmpty(IEnumerable collection, string? message = "") => IsNotEmpty(collection.Cast<object?>(), message);

        public static void Contains<T>(T expected, IEnumerable<T> collection, string? message = "") => Decide("Contains", collection.Contains(expected), expected, null, message);

        public static void Contains<T>(Func<T, bool> predicate, IEnumerable<T> collection, string? message = "") => Decide("Contains", collection.Any(predicate), "a match", null, message);

        public static void Contains(string substring, string value, string? message = "") => Decide("Contains", value.Contains(substring), substring, value, message);

        public static void DoesNotContain<T>(T notExpected, IEnumerable<T> collection, string? message = "") => Decide("DoesNotContain", !collection.Contains(notExpected), notExpected, null, message);

        public static void DoesNotContain(string substring, string value, string? message = "") => Decide("DoesNotContain", !value.Contains(substring), substring, value, message);

        public static T ContainsSingle<T>(IEnumerable<T> collection, string? message = "")
        {
            List<T> items = collection.ToList();
            return items.Count == 1 ? items[0] : throw Failed("ContainsSingle", "Expected collection to contain exactly one element but found " + items.Count + " element(s).", message);
        }

        public static void StartsWith(string? expectedPrefix, string? value, string? message = "") => Decide("StartsWith", value != null && expectedPrefix != null && value.StartsWith(expectedPrefix, StringComparison.Ordinal), expectedPrefix, value, message);

        public static void EndsWith(string? expectedSuffix, string? value, string? message = "") => Decide("EndsWith", value != null && expectedSuffix != null && value.EndsWith(expectedSuffix, StringComparison.Ordinal), expectedSuffix, value, message);

        public static void MatchesRegex(string? pattern, string? value, string? message = "") => Decide("MatchesRegex", value != null && pattern != null && Regex.IsMatch(value, pattern), pattern, value, message);

        public static void IsGreaterThan<T>(T lowerBound, T value, string? message = "") where T : IComparable<T> => Decide("IsGreaterThan", value.CompareTo(lowerBound) > 0, lowerBound, value, message);

        public static void IsGreaterThanOrEqualTo<T>(T lowerBound, T value, string? message = "") where T : IComparable<T> => Decide("IsGreaterThanOrEqualTo", value.CompareTo(lowerBound) >= 0, lowerBound, value, message);

        public static void IsLessThan<T>(T upperBound, T value, string? message = "") where T : IComparable<T> => Decide("IsLessThan", value.CompareTo(upperBound) < 0, upperBound, value, message);

        public static void IsLessThanOrEqualTo<T>(T upperBound, T value, string? message = "") where T : IComparable<T> => Decide("IsLessThanOrEqualTo", value.CompareTo(upperBound) <= 0, upperBound, value, message);

        public static void IsInRange<T>(T minValue, T maxValue, T value, string? message = "") where T : struct, IComparable<T> => Decide("IsInRange", value.CompareTo(minValue) >= 0 && value.CompareTo(maxValue) <= 0, minValue, value, message);
#endif
    }
}
