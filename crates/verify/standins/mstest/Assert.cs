// MSTest's Assert: equality is `object.Equals`, or what a comparer says.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Microsoft.VisualStudio.TestTools.UnitTesting
{
    public sealed partial class Assert
    {
        Assert() { }

        public static Assert That { get; } = new Assert();

        public static new bool Equals(object? objA, object? objB)
        {
            Fail("Assert.Equals should not be used for Assertions. Please use Assert.AreEqual & overloads instead.");
            return false;
        }

        public static new bool ReferenceEquals(object? objA, object? objB)
        {
            Fail("Assert.ReferenceEquals should not be used for Assertions. Please use Assert.AreSame & overloads instead.");
            return false;
        }

        public static void AreEqual<T>(T? expected, T? actual, string? message = "") => Decide("AreEqual", Same(expected, actual, null), expected, actual, message);

        public static void AreEqual<T>(T? expected, T? actual, IEqualityComparer<T> comparer, string? message = "") => Decide("AreEqual", Same(expected, actual, comparer), expected, actual, message);

        public static void AreEqual(double expected, double actual, double delta, string? message = "") => Decide("AreEqual", Near(expected, actual, delta), expected, actual, message);

        public static void AreEqual(float expected, float actual, float delta, string? message = "") => Decide("AreEqual", Near(expected, actual, delta), expected, actual, message);

        public static void AreEqual(string? expected, string? actual, bool ignoreCase, string? message = "") =>
            Decide("AreEqual", Compare(expected, actual, ignoreCase, CultureInfo.InvariantCulture), expected, actual, message);

        public static void AreEqual(string? expected, string? actual, bool ignoreCase, CultureInfo culture, string? message = "") =>
            Decide("AreEqual", Compare(expected, actual, ignoreCase, culture), expected, actual, message);

        public static void AreNotEqual<T>(T? notExpected, T? actual, string? message = "") => Decide("AreNotEqual", !Same(notExpected, actual, null), notExpected, actual, message);

        public static void AreNotEqual<T>(T? notExpected, T? actual, IEqualityComparer<T> comparer, string? message = "") => Decide("AreNotEqual", !Same(notExpected, actual, comparer), notExpected, actual, message);

        public static void AreNotEqual(double notExpected, double actual, double delta, string? message = "") => Decide("AreNotEqual", !Near(notExpected, actual, delta), notExpected, actual, message);

        public static void AreNotEqual(float notExpected, float actual, float delta, string? message = "") => Decide("AreNotEqual", !Near(notExpected, actual, delta), notExpected, actual, message);

        public static void AreNotEqual(string? notExpected, string? actual, bool ignoreCase, string? message = "") =>
            Decide("AreNotEqual", !Compare(notExpected, actual, ignoreCase, CultureInfo.InvariantCulture), notExpected, actual, message);

        public static void AreNotEqual(string? notExpected, string? actual, bool ignoreCase, CultureInfo culture, string? message = "") =>
            Decide("AreNotEqual", !Compare(notExpected, actual, ignoreCase, culture), notExpected, actual, message);

#if MSTEST3
        public static void AreEqual(decimal expected, decimal actual, decimal delta, string? message = "") => Decide("AreEqual", Math.Abs(expected - actual) <= delta, expected, actual, message);

        public static void AreEqual(long expected, long actual, long delta, string? message = "") => Decide("AreEqual", Math.Abs(expected - actual) <= delta, expected, actual, message);

        public static void AreNotEqual(decimal notExpected, decimal actual, decimal delta, string? message = "") => Decide("AreNotEqual", Math.Abs(notExpected - actual) > delta, notExpected, actual, message);

        public static void AreNotEqual(long notExpected, long actual, long delta, string? message = "") => Decide("AreNotEqual", Math.Abs(notExpected - actual) > delta, notExpected, actual, message);
#else
        public static void AreEqual(object? expected, object? actual, string? message = "") => Decide("AreEqual", object.Equals(expected, actual), expected, actual, message);

        public static void AreNotEqual(object? notExpected, object? actual, string? message = "") => Decide("AreNotEqual", !object.Equals(notExpected, actual), notExpected, actual, message);
#endif

#if !MSTEST4
        public static void AreEqual<T>(T? expected, T? actual, string? message, params object?[]? parameters) => AreEqual(expected, actual, Text(message, parameters));

        public static void AreEqual(double expected, double actual, double delta, string? message, params object?[]? parameters) => AreEqual(expected, actual, delta, Text(message, parameters));

        public static void AreNotEqual<T>(T? notExpected, T? actual, string? message, params object?[]? parameters) => AreNotEqual(notExpected, actual, Text(message, parameters));

        public static void AreSame<T>(T? expected, T? actual, string? message, params object?[]? parameters) => AreSame(expected, actual, Text(message, parameters));

        public static void IsTrue([DoesNotReturnIf(false)] bool condition, string? message, params object?[]? parameters) => IsTrue(condition, Text(message, parameters));

        public static void IsFalse([DoesNotReturnIf(true)] bool condition, string? message, params object?[]? parameters) => IsFalse(condition, Text(message, parameters));

        public static void IsNull(object? value, string? message, params object?[]? parameters) => IsNull(value, Text(message, parameters));

        public static void IsNotNull([NotNull] object? value, string? message, params object?[]? parameters) => IsNotNull(value, Text(message, parameters));

        [DoesNotReturn]
        public static void Fail(string? message, params object?[]? parameters) => Fail(Text(message, parameters));

        [DoesNotReturn]
        public static void Inconclusive(string? message, params object?[]? parameters) => Inconclusive(Text(message, parameters));

        static string? Text(string? message, object?[]? parameters) => message is null || parameters is null || parameters.Length == 0 ? message : string.Format(CultureInfo.CurrentCulture, message, parameters);
#endif

        public static void AreSame<T>(T? expected, T? actual, string? message = "") => Decide("AreSame", object.ReferenceEquals(expected, actual), expected, actual, message);

        public static void AreNotSame<T>(T? notExpected, T? actual, string? message = "") => Decide("AreNotSame", !object.ReferenceEquals(notExpected, actual), notExpected, actual, message);

        public static void IsTrue([DoesNotReturnIf(false)] bool condition, string? message = "") => Decide("IsTrue", condition, true, condition, message);

        public static void IsTrue([NotNull, DoesNotReturnIf(false)] bool? condition, string? message = "")
        {
            Decide("IsTrue", condition == true, true, condition, message);
            _ = condition!.Value;
        }

        public static void IsFalse([DoesNotReturnIf(true)] bool condition, string? message = "") => Decide("IsFalse", !condition, false, condition, message);

        public static void IsFalse([NotNull, DoesNotReturnIf(true)] bool? condition, string? message = "")
        {
            Decide("IsFalse", condition == false, false, condition, message);
            _ = condition!.Value;
        }

        public static void IsNull(object? value, string? message = "") => Decide("IsNull", value is null, null, value, message);

        public static void IsNotNull([NotNull] object? value, string? message = "")
        {
            if (value is null) throw Failed("IsNotNull", "(null)", message);
        }

        public static void IsInstanceOfType([NotNull] object? value, Type? expectedType, string? message = "")
        {
            if (value is null || expectedType is null || !expectedType.IsInstanceOfType(value)) throw Failed("IsInstanceOfType", "Expected type:<" + expectedType + ">. Actual type:<" + value?.GetType() + ">.", message);
        }

        public static void IsNotInstanceOfType(object? value, Type? wrongType, string? message = "")
        {
            if (wrongType is null || (value != null && wrongType.IsInstanceOfType(value))) throw Failed("IsNotInstanceOfType", "Wrong Type:<" + wrongType + ">. Actual type:<" + value?.GetType() + ">.", message);
        }

#if MSTEST4
        public static T IsInstanceOfType<T>([NotNull] object? value, string? message = "")
        {
            IsInstanceOfType(value, typeof(T), message);
            return (T)value;
        }

        public static T IsExactInstanceOfType<T>([NotNull] object? value, string? message = "") =>
            value != null && value.GetType() == typeof(T) ? (T)value : throw Failed("IsExactInstanceOfType", "Expected exact type:<" + typeof(T) + ">. Actual type:<" + value?.GetType() + ">.", message);
#elif MSTEST3
        public static void IsInstanceOfType<T>([NotNull] object? value, string? message = "") => IsInstanceOfType(value, typeof(T), message);

        public static void IsInstanceOfType<T>([NotNull] object? value, out T instance, string? message = "")
        {
            IsInstanceOfType(value, typeof(T), message);
            instance = (T)value;
        }
#endif

#if MSTEST3
        public static void IsNotInstanceOfType<T>(object? value, string? message = "") => IsNotInstanceOfType(value, typeof(T), message);
#endif

        [DoesNotReturn]
        public static void Fail(string? message = "") => throw Failed("Fail", "", message);

        [DoesNotReturn]
        public static void Inconclusive(string? message = "") => throw new AssertInconclusiveException("Assert.Inconclusive failed. " + message);

        public static string? ReplaceNullChars(string? input) => input?.Replace("\0", "\\0");

        static bool Same<T>(T? expected, T? actual, IEqualityComparer<T>? comparer)
        {
#if MSTEST3
            return (comparer ?? EqualityComparer<T>.Default).Equals(expected!, actual!);
#else
            return comparer is null ? object.Equals(expected, actual) : comparer.Equals(expected!, actual!);
#endif
        }

        static bool Near(double expected, double actual, double delta)
        {
#if MSTEST3
            if (double.IsNaN(delta) || delta < 0) throw new ArgumentOutOfRangeException(nameof(delta));
            return expected.Equals(actual) || (!double.IsNaN(expected) && !double.IsNaN(actual) && Math.Abs(expected - actual) <= delta);
#else
            return !double.IsNaN(expected) && !double.IsNaN(actual) && !double.IsNaN(delta) && Math.Abs(expected - actual) <= delta;
#endif
        }

        static bool Near(float expected, float actual, float delta)
        {
#if MSTEST3
            if (float.IsNaN(delta) || delta < 0) throw new ArgumentOutOfRangeException(nameof(delta));
            return expected.Equals(actual) || (!float.IsNaN(expected) && !float.IsNaN(actual) && Math.Abs(expected - actual) <= delta);
#else
            return !float.IsNaN(expected) && !float.IsNaN(actual) && !float.IsNaN(delta) && Math.Abs(expected - actual) <= delta;
#endif
        }

        static bool Compare(string? expected, string? actual, bool ignoreCase, CultureInfo culture) => string.Compare(expected, actual, ignoreCase, culture) == 0;

        static void Decide(string assertion, bool holds, object? expected, object? actual, string? message)
        {
            if (!holds) throw Failed(assertion, "Expected:<" + Show(expected) + ">. Actual:<" + Show(actual) + ">.", message);
        }

        internal static string Show(object? value)
        {
            try
            {
                return value is null ? "(null)" : value is IFormattable number ? number.ToString(null, CultureInfo.InvariantCulture) : ReplaceNullChars(value.ToString()) ?? "(object)";
            }
            catch (Exception e)
            {
                // A value may not like to be shown.
                return "(" + e.GetType().Name + ")";
            }
        }

        internal static AssertFailedException Failed(string assertion, string what, string? message) => new AssertFailedException("Assert." + assertion + " failed. " + what + " " + message);
    }
}
