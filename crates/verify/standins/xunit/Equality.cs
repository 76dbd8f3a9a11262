// Assert.Equal and its relatives.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading.Tasks;
using Xunit.Sdk;

namespace Xunit
{
    public partial class Assert
    {
        protected Assert() { }

        [Obsolete("This is an override of Object.Equals(). Call Assert.Equal() instead.", true)]
        public static new bool Equals(object a, object b) => throw new InvalidOperationException("Assert.Equals should not be used");

        [Obsolete("This is an override of Object.ReferenceEquals(). Call Assert.Same() instead.", true)]
        public static new bool ReferenceEquals(object a, object b) => throw new InvalidOperationException("Assert.ReferenceEquals should not be used");

        public static void Equal<T>([AllowNull] T[] expected, [AllowNull] T[] actual) where T : unmanaged, IEquatable<T> =>
            Decide<T[]>(expected, actual, () => Comparison.Equal<object>(expected, actual));

        public static void Equal<T>([AllowNull] T expected, [AllowNull] T actual) =>
            Decide(expected, actual, () => Comparison.Equal(expected, actual));

        public static void Equal<T>([AllowNull] T expected, [AllowNull] T actual, Func<T, T, bool> comparer) =>
            Decide(expected, actual, () => expected is null || actual is null ? expected is null && actual is null : comparer(expected, actual));

        public static void Equal<T>([AllowNull] T expected, [AllowNull] T actual, IEqualityComparer<T> comparer) =>
            Decide(expected, actual, () => comparer.Equals(expected!, actual!));

        public static void Equal<T>(IEnumerable<T>? expected, IEnumerable<T>? actual) =>
            Decide(expected, actual, () => Comparison.Equal(expected, actual));

        public static void Equal<T>(IEnumerable<T>? expected, IEnumerable<T>? actual, IEqualityComparer<T> comparer) =>
            Decide(expected, actual, () => Listed(expected, actual, (x, y) => comparer.Equals(x, y)));

        public static void Equal<T>(IEnumerable<T>? expected, IEnumerable<T>? actual, Func<T, T, bool> comparer) =>
            Decide(expected, actual, () => Listed(expected, actual, comparer));

        public static void Equal<T>(IAsyncEnumerable<T>? expected, IAsyncEnumerable<T>? actual) => Equal(Collected(expected), Collected(actual));

        public static void Equal<T>(IEnumerable<T>? expected, IAsyncEnumerable<T>? actual) => Equal(expected, Collected(actual));

        public static void Equal(double expected, double actual, int precision) => Rounded(Math.Round(expected, precision), Math.Round(actual, precision));

        public static void Equal(double expected, double actual, int precision, MidpointRounding rounding) =>
            Rounded(Math.Round(expected, precision, rounding), Math.Round(actual, precision, rounding));

        public static void Equal(double expected, double actual, double tolerance)
        {
            if (double.IsNaN(tolerance) || tolerance < 0) throw new ArgumentException("Tolerance must be greater than or equal to zero", nameof(tolerance));
            Decide(expected, actual, () => expected.Equals(actual) || Math.Abs(expected - actual) <= tolerance);
        }

        public static void Equal(float expected, float actual, int precision) => Rounded(Math.Round(expected, precision), Math.Round(actual, precision));

        public static void Equal(float expected, float actual, int precision, MidpointRounding rounding) =>
            Rounded(Math.Round(expected, precision, rounding), Math.Round(actual, precision, rounding));

        public static void Equal(float expected, float actual, float tolerance)
        {
            if (float.IsNaN(tolerance) || tolerance < 0) throw new ArgumentException("Tolerance must be greater than or equal to zero", nameof(tolerance));
            Decide(expected, actual, () => expected.Equals(actual) || Math.Abs(expected - actual) <= tolerance);
        }

        public static void Equal(decimal expected, decimal actual, int precision) => Rounded(Math.Round(expected, precision), Math.Round(actual, precision));

        public static void Equal(DateTime expected, DateTime actual) => Equal(expected, actual, TimeSpan.Zero);

        public static void Equal(DateTime expected, DateTime actual, TimeSpan precision) =>
            Decide(expected, actual, () => (expected - actual).Duration() <= precision);

        public static void Equal(DateTimeOffset expected, DateTimeOffset actual) => Equal(expected, actual, TimeSpan.Zero);

        public static void Equal(DateTimeOffset expected, DateTimeOffset actual, TimeSpan precision) =>
            Decide(expected, actual, () => (expected - actual).Duration() <= precision);

        public static void Equal<T>(Span<T> expected, Span<T> actual) where T : IEquatable<T> => Equal<T>((ReadOnlySpan<T>)expected, (ReadOnlySpan<T>)actual);

        public static void Equal<T>(ReadOnlySpan<T> expected, Span<T> actual) where T : IEquatable<T> => Equal<T>(expected, (ReadOnlySpan<T>)actual);

        public static void Equal<T>(Span<T> expected, ReadOnlySpan<T> actual) where T : IEquatable<T> => Equal<T>((ReadOnlySpan<T>)expected, actual);

        public static void Equal<T>(ReadOnlySpan<T> expected, ReadOnlySpan<T> actual) where T : IEquatable<T>
        {
            if (!expected.SequenceEqual(actual)) Equal<object>(expected.ToArray(), actual.ToArray());
        }

        public static void Equal<T>(Memory<T> expected, Memory<T> actual) where T : IEquatable<T> => Equal<T>((ReadOnlySpan<T>)expected.Span, (ReadOnlySpan<T>)actual.Span);

        public static void Equal<T>(ReadOnlyMemory<T> expected, Memory<T> actual) where T : IEquatable<T> => Equal<T>(expected.Span, (ReadOnlySpan<T>)actual.Span);

        public static void Equal<T>(Memory<T> expected, ReadOnlyMemory<T> actual) where T : IEquatable<T> => Equal<T>((ReadOnlySpan<T>)expected.Span, actual.Span);

        public static void Equal<T>(ReadOnlyMemory<T> expected, ReadOnlyMemory<T> actual) where T : IEquatable<T> => Equal<T>(expected.Span, actual.Span);

        public static void StrictEqual<T>([AllowNull] T expected, [AllowNull] T actual) => Equal(expected, actual, EqualityComparer<T>.Default!);

        public static void NotStrictEqual<T>([AllowNull] T expected, [AllowNull] T actual) => NotEqual(expected, actual, EqualityComparer<T>.Default!);

        public static void NotEqual<T>([AllowNull] T[] expected, [AllowNull] T[] actual) where T : unmanaged, IEquatable<T> =>
            Refute<T[]>(expected, actual, () => Comparison.Equal<object>(expected, actual));

        public static void NotEqual<T>([AllowNull] T expected, [AllowNull] T actual) => Refute(expected, actual, () => Comparison.Equal(expected, actual));

        public static void NotEqual<T>([AllowNull] T expected, [AllowNull] T actual, Func<T, T, bool> comparer) =>
            Refute(expected, actual, () => expected is null || actual is null ? expected is null && actual is null : comparer(expected, actual));

        public static void NotEqual<T>([AllowNull] T expected, [AllowNull] T actual, IEqualityComparer<T> comparer) =>
            Refute(expected, actual, () => comparer.Equals(expected!, actual!));

        public static void NotEqual<T>(IEnumerable<T>? expected, IEnumerable<T>? actual) => Refute(expected, actual, () => Comparison.Equal(expected, actual));

        public static void NotEqual<T>(IEnumerable<T>? expected, IEnumerable<T>? actual, IEqualityComparer<T> comparer) =>
            Refute(expected, actual, () => Listed(expected, actual, (x, y) => comparer.Equals(x, y)));

        public static void NotEqual<T>(IEnumerable<T>? expected, IEnumerable<T>? actual, Func<T, T, bool> comparer) =>
            Refute(expected, actual, () => Listed(expected, actual, comparer));

        public static void NotEqual(double expected, double actual, int precision) =>
            Refute(expected, actual, () => Math.Round(expected, precision).Equals(Math.Round(actual, precision)));

        public static void NotEqual(decimal expected, decimal actual, int precision) =>
            Refute(expected, actual, () => Math.Round(expected, precision) == Math.Round(actual, precision));

        public static void NotEqual(double expected, double actual, double tolerance) =>
            Refute(expected, actual, () => expected.Equals(actual) || Math.Abs(expected - actual) <= tolerance);

        public static void NotEqual(float expected, float actual, float tolerance) =>
            Refute(expected, actual, () => expected.Equals(actual) || Math.Abs(expected - actual) <= tolerance);

        static bool Listed<T>(IEnumerable<T>? expected, IEnumerable<T>? actual, Func<T, T, bool> equal)
        {
            if (expected is null || actual is null) return expected is null && actual is null;
            List<T> one = expected.ToList(), other = actual.ToList();
            return one.Count == other.Count && one.Zip(other, equal).All(same => same);
        }

        static List<T>? Collected<T>(IAsyncEnumerable<T>? items)
        {
            async Task<List<T>> All()
            {
                var all = new List<T>();
                await foreach (T item in items!) all.Add(item);
                return all;
            }
            return items is null ? null : All().GetAwaiter().GetResult();
        }

        static void Rounded<T>(T expected, T actual) => Decide(expected, actual, () => object.Equals(expected, actual));

        static void Decide<T>(T? expected, T? actual, Func<bool> equal)
        {
            Exception? thrown = null;
            try
            {
                if (equal()) return;
            }
            catch (Exception e)
            {
                thrown = e;
            }
            throw new EqualException("Assert.Equal() Failure: Values differ\nExpected: " + Show.Value(expected) + "\nActual:   " + Show.Value(actual), thrown);
        }

        static void Refute<T>(T? expected, T? actual, Func<bool> equal)
        {
            Exception? thrown = null;
            try
            {
                if (!equal()) return;
            }
            catch (Exception e)
            {
                thrown = e;
            }
            throw new NotEqualException("Assert.NotEqual() Failure: Values are equal\nExpected: Not " + Show.Value(expected) + "\nActual:       " + Show.Value(actual), thrown);
        }
    }
}
