// The older assertions: in Assert itself before version 4, in a namespace of their own since.

using System;
using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using NUnit.Framework.Constraints;

#if NUNIT4
namespace NUnit.Framework.Legacy
{
    public abstract class ClassicAssert : AssertBridge
#else
namespace NUnit.Framework
{
    public abstract partial class Assert
#endif
    {
        public static void AreEqual(object? expected, object? actual) => Check(actual, Is.EqualTo(expected), "");
        public static void AreEqual(object? expected, object? actual, string? message, params object?[]? args) => Check(actual, Is.EqualTo(expected), Formatted(message, args));
        public static void AreEqual(double expected, double actual, double delta) => Check(actual, Near(expected, delta), "");
        public static void AreEqual(double expected, double actual, double delta, string? message, params object?[]? args) => Check(actual, Near(expected, delta), Formatted(message, args));
        public static void AreNotEqual(object? expected, object? actual) => Check(actual, Is.Not.EqualTo(expected), "");
        public static void AreNotEqual(object? expected, object? actual, string? message, params object?[]? args) => Check(actual, Is.Not.EqualTo(expected), Formatted(message, args));
        public static void AreSame(object? expected, object? actual) => Check(actual, Is.SameAs(expected), "");
        public static void AreSame(object? expected, object? actual, string? message, params object?[]? args) => Check(actual, Is.SameAs(expected), Formatted(message, args));
        public static void AreNotSame(object? expected, object? actual) => Check(actual, Is.Not.SameAs(expected), "");
        public static void True([DoesNotReturnIf(false)] bool condition) => Check(condition, Is.True, "");
        public static void True([DoesNotReturnIf(false)] bool? condition) => Check(condition, Is.True, "");
        public static void True([DoesNotReturnIf(false)] bool condition, string? message, params object?[]? args) => Check(condition, Is.True, Formatted(message, args));
        public static void IsTrue([DoesNotReturnIf(false)] bool condition) => Check(condition, Is.True, "");
        public static void IsTrue([DoesNotReturnIf(false)] bool? condition) => Check(condition, Is.True, "");
        public static void IsTrue([DoesNotReturnIf(false)] bool condition, string? message, params object?[]? args) => Check(condition, Is.True, Formatted(message, args));
        public static void False([DoesNotReturnIf(true)] bool condition) => Check(condition, Is.False, "");
        public static void False([DoesNotReturnIf(true)] bool? condition) => Check(condition, Is.False, "");
        public static void False([DoesNotReturnIf(true)] bool condition, string? message, params object?[]? args) => Check(condition, Is.False, Formatted(message, args));
        public static void IsFalse([DoesNotReturnIf(true)] bool condition) => Check(condition, Is.False, "");
        public static void IsFalse([DoesNotReturnIf(true)] bool? condition) => Check(condition, Is.False, "");
        public static void IsFalse([DoesNotReturnIf(true)] bool condition, string? message, params object?[]? args) => Check(condition, Is.False, Formatted(message, args));
        public static void Null(object? anObject) => Check(anObject, Is.Null, "");
        public static void IsNull(object? anObject) => Check(anObject, Is.Null, "");
        public static void IsNull(object? anObject, string? message, params object?[]? args) => Check(anObject, Is.Null, Formatted(message, args));
        public static void NotNull([NotNull] object? anObject) => Existing(anObject, "");
        public static void IsNotNull([NotNull] object? anObject) => Existing(anObject, "");
        public static void IsNotNull([NotNull] object? anObject, string? message, params object?[]? args) => Existing(anObject, Formatted(message, args));
        public static void IsNaN(double aDouble) => Check(aDouble, Is.NaN, "");
        public static void IsEmpty(string? aString) => Check(aString, Is.Empty, "");
        public static void IsEmpty(IEnumerable collection) => Check(collection, Is.Empty, "");
        public static void IsNotEmpty(string? aString) => Check(aString, Is.Not.Empty, "");
        public static void IsNotEmpty(IEnumerable collection) => Check(collection, Is.Not.Empty, "");
        public static void Zero(int actual) => Check(actual, Is.Zero, "");
        public static void NotZero(int actual) => Check(actual, Is.Not.Zero, "");
        public static void Positive(int actual) => Check(actual, Is.Positive, "");
        public static void Negative(int actual) => Check(actual, Is.Negative, "");
        public static void Greater(int arg1, int arg2) => Check(arg1, Is.GreaterThan(arg2), "");
        public static void Greater(long arg1, long arg2) => Check(arg1, Is.GreaterThan(arg2), "");
        public static void Greater(double arg1, double arg2) => Check(arg1, Is.GreaterThan(arg2), "");
        public static void Greater(decimal arg1, decimal arg2) => Check(arg1, Is.GreaterThan(arg2), "");
        public static void Greater(IComparable arg1, IComparable arg2) => Check(arg1, Is.GreaterThan(arg2), "");
        public static void GreaterOrEqual(int arg1, int arg2) => Check(arg1, Is.GreaterThanOrEqualTo(arg2), "");
        public static void GreaterOrEqual(double arg1, double arg2) => Check(arg1, Is.GreaterThanOrEqualTo(arg2), "");
        public static void GreaterOrEqual(IComparable arg1, IComparable arg2) => Check(arg1, Is.GreaterThanOrEqualTo(arg2), "");
        public static void Less(int arg1, int arg2) => Check(arg1, Is.LessThan(arg2), "");
        public static void Less(long arg1, long arg2) => Check(arg1, Is.LessThan(arg2), "");
        public static void Less(double arg1, double arg2) => Check(arg1, Is.LessThan(arg2), "");
        public static void Less(decimal arg1, decimal arg2) => Check(arg1, Is.LessThan(arg2), "");
        public static void Less(IComparable arg1, IComparable arg2) => Check(arg1, Is.LessThan(arg2), "");
        public static void LessOrEqual(int arg1, int arg2) => Check(arg1, Is.LessThanOrEqualTo(arg2), "");
        public static void LessOrEqual(double arg1, double arg2) => Check(arg1, Is.LessThanOrEqualTo(arg2), "");
        public static void LessOrEqual(IComparable arg1, IComparable arg2) => Check(arg1, Is.LessThanOrEqualTo(arg2), "");
        public static void Contains(object? expected, ICollection? actual) => Check(actual, Does.Contain(expected), "");
        public static void IsInstanceOf(Type expected, object? actual) => Check(actual, Is.InstanceOf(expected), "");
        public static void IsInstanceOf<TExpected>(object? actual) => Check(actual, Is.InstanceOf<TExpected>(), "");
        public static void IsNotInstanceOf(Type expected, object? actual) => Check(actual, Is.Not.InstanceOf(expected), "");
        public static void IsNotInstanceOf<TExpected>(object? actual) => Check(actual, Is.Not.InstanceOf<TExpected>(), "");
        public static void IsAssignableFrom(Type expected, object? actual) => Check(actual, Is.AssignableFrom(expected), "");
        public static void IsAssignableFrom<TExpected>(object? actual) => Check(actual, Is.AssignableFrom<TExpected>(), "");

        static IResolveConstraint Near(double expected, double delta) =>
            double.IsNaN(expected) || double.IsInfinity(expected) ? Is.EqualTo(expected) : Is.EqualTo(expected).Within(delta);

        static void Existing([NotNull] object? value, string message)
        {
            Check(value, Is.Not.Null, message);
            if (value is null) throw new AssertionException(message);
        }

#if !NUNIT4
        static void Check<T>(T actual, IResolveConstraint constraint, string message) => Apply(actual, constraint, message);

        static string Formatted(string? message, object?[]? args) => Text(message, args);
#endif
    }

#if NUNIT4
    public abstract class AssertBridge
    {
        internal static void Check<T>(T actual, IResolveConstraint constraint, string message) => Assert.Apply(actual, constraint, message);

        internal static string Formatted(string? message, object?[]? args) => Assert.Text(message, args);
    }
#endif

    public abstract class CollectionAssert
    {
        public static void AreEqual(IEnumerable? expected, IEnumerable? actual) => Assert.Apply(actual, Is.EqualTo(expected).AsCollection, "");
        public static void AreEqual(IEnumerable? expected, IEnumerable? actual, string? message, params object?[]? args) => Assert.Apply(actual, Is.EqualTo(expected).AsCollection, Assert.Text(message, args));
        public static void AreNotEqual(IEnumerable? expected, IEnumerable? actual) => Assert.Apply(actual, Is.Not.EqualTo(expected).AsCollection, "");
        public static void AreEquivalent(IEnumerable expected, IEnumerable actual) => Assert.Apply(actual, Is.EquivalentTo(expected), "");
        public static void AreNotEquivalent(IEnumerable expected, IEnumerable actual) => Assert.Apply(actual, Is.Not.EquivalentTo(expected), "");
        public static void Contains(IEnumerable collection, object? actual) => Assert.Apply(collection, Has.Member(actual), "");
        public static void DoesNotContain(IEnumerable collection, object? actual) => Assert.Apply(collection, Has.No.Member(actual), "");
        public static void AllItemsAreNotNull(IEnumerable collection) => Assert.Apply(collection, Is.All.Not.Null, "");
        public static void AllItemsAreUnique(IEnumerable collection) => Assert.Apply(collection, Is.Unique, "");
        public static void AllItemsAreInstancesOfType(IEnumerable collection, Type expectedType) => Assert.Apply(collection, Is.All.InstanceOf(expectedType), "");
        public static void IsEmpty(IEnumerable collection) => Assert.Apply(collection, Is.Empty, "");
        public static void IsNotEmpty(IEnumerable collection) => Assert.Apply(collection, Is.Not.Empty, "");
        public static void IsOrdered(IEnumerable collection) => Assert.Apply(collection, Is.Ordered, "");
        public static void IsSubsetOf(IEnumerable subset, IEnumerable superset) => Assert.Apply(subset, Is.SubsetOf(superset), "");
        public static void IsSupersetOf(IEnumerable superset, IEnumerable subset) => Assert.Apply(superset, Is.SupersetOf(subset), "");
    }

    public abstract class StringAssert
    {
        public static void Contains(string expected, string? actual) => Assert.Apply(actual, Does.Contain(expected), "");
        public static void DoesNotContain(string expected, string? actual) => Assert.Apply(actual, Does.Not.Contain(expected), "");
        public static void StartsWith(string expected, string? actual) => Assert.Apply(actual, Does.StartWith(expected), "");
        public static void DoesNotStartWith(string expected, string? actual) => Assert.Apply(actual, Does.Not.StartWith(expected), "");
        public static void EndsWith(string expected, string? actual) => Assert.Apply(actual, Does.EndWith(expected), "");
        public static void AreEqualIgnoringCase(string? expected, string? actual) => Assert.Apply(actual, Is.EqualTo(expected).IgnoreCase, "");
        public static void IsMatch(string pattern, string? actual) => Assert.Apply(actual, Does.Match(pattern), "");
    }
}
