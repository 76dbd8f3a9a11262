// Assert: constraints applied, exceptions caught, several assertions at once.

using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework.Constraints;

namespace NUnit.Framework
{
    public abstract partial class Assert
    {
        protected Assert() { }

        [Obsolete("Use Assert.That(…, Is.EqualTo(…))", true)]
        public static new bool Equals(object a, object b) => throw new InvalidOperationException("Assert.Equals should not be used for assertions.");

        [Obsolete("Use Assert.That(…, Is.SameAs(…))", true)]
        public static new void ReferenceEquals(object a, object b) => throw new InvalidOperationException("Assert.ReferenceEquals should not be used for assertions.");

#if NUNIT4
        public static void That([DoesNotReturnIf(false)] bool condition, string message = "") => Apply(condition, Is.True, message);

        public static void That([DoesNotReturnIf(false)] bool condition, Func<string> getExceptionMessage) => Apply(condition, Is.True, condition ? "" : getExceptionMessage());

        public static void That(Func<bool> condition, string message = "") => Apply(condition(), Is.True, message);

        public static void That<TActual>(ActualValueDelegate<TActual> del, IResolveConstraint expr, string message = "") => Report(expr.Resolve().ApplyTo(del), message);

        public static void That(TestDelegate code, IResolveConstraint constraint, string message = "") => Apply<object>(code, constraint, message);

        public static Task ThatAsync(AsyncTestDelegate code, IResolveConstraint constraint, string message = "")
        {
            Apply<object>(code, constraint, message);
            return Task.CompletedTask;
        }

        public static void That<TActual>(TActual actual, IResolveConstraint expression, string message = "") => Apply(actual, expression, message);

        public static void That<TActual>(TActual actual, IResolveConstraint expression, Func<string> getExceptionMessage) => Apply(actual, expression, getExceptionMessage());

        [DoesNotReturn]
        public static void Fail(string message = "") => throw Failed(message);

        [DoesNotReturn]
        public static void Pass(string message = "") => throw new SuccessException(message);

        [DoesNotReturn]
        public static void Ignore(string message = "") => throw new IgnoreException(message);

        [DoesNotReturn]
        public static void Inconclusive(string message = "") => throw new InconclusiveException(message);

        public static void Warn(string message) { }

        public static TActual? Throws<TActual>(TestDelegate code, string message = "") where TActual : Exception => (TActual?)Throws(typeof(TActual), code, message);

        public static Exception? Throws(Type expectedExceptionType, TestDelegate code, string message = "") => Thrown(code, new ExactTypeConstraint(expectedExceptionType), message);

        public static Exception? Throws(IResolveConstraint expression, TestDelegate code, string message = "") => Thrown(code, expression.Resolve(), message);

        public static TActual? ThrowsAsync<TActual>(AsyncTestDelegate code, string message = "") where TActual : Exception => (TActual?)Thrown(code, new ExactTypeConstraint(typeof(TActual)), message);

        public static Exception? ThrowsAsync(Type expectedExceptionType, AsyncTestDelegate code, string message = "") => Thrown(code, new ExactTypeConstraint(expectedExceptionType), message);

        public static Exception? ThrowsAsync(IResolveConstraint expression, AsyncTestDelegate code, string message = "") => Thrown(code, expression.Resolve(), message);

        public static Exception? Catch(TestDelegate code, string message = "") => Thrown(code, new InstanceOfTypeConstraint(typeof(Exception)), message);

        public static TActual? Catch<TActual>(TestDelegate code, string message = "") where TActual : Exception => (TActual?)Thrown(code, new InstanceOfTypeConstraint(typeof(TActual)), message);

        public static TActual? CatchAsync<TActual>(AsyncTestDelegate code, string message = "") where TActual : Exception => (TActual?)Thrown(code, new InstanceOfTypeConstraint(typeof(TActual)), message);

        public static void DoesNotThrow(TestDelegate code, string message = "") => Apply<object>(code, Framework.Throws.Nothing, message);

        public static void DoesNotThrowAsync(AsyncTestDelegate code, string message = "") => Apply<object>(code, Framework.Throws.Nothing, message);

        public static IDisposable EnterMultipleScope() => new Scope();
#else
        public static void That([DoesNotReturnIf(false)] bool condition) => Apply(condition, Is.True, "");

        public static void That([DoesNotReturnIf(false)] bool condition, string message, params object[] args) => Apply(condition, Is.True, Text(message, args));

        public static void That([DoesNotReturnIf(false)] bool condition, Func<string> getExceptionMessage) => Apply(condition, Is.True, condition ? "" : getExceptionMessage());

        public static void That(Func<bool> condition) => Apply(condition(), Is.True, "");

        public static void That(Func<bool> condition, string message, params object[] args) => Apply(condition(), Is.True, Text(message, args));

        public static void That<TActual>(ActualValueDelegate<TActual> del, IResolveConstraint expr) => Report(expr.Resolve().ApplyTo(del), "");

        public static void That<TActual>(ActualValueDelegate<TActual> del, IResolveConstraint expr, string message, params object[] args) => Report(expr.Resolve().ApplyTo(del), Text(message, args));

        public static void That(TestDelegate code, IResolveConstraint constraint) => Apply<object>(code, constraint, "");

        public static void That(TestDelegate code, IResolveConstraint constraint, string message, params object[] args) => Apply<object>(code, constraint, Text(message, args));

        public static void That<TActual>(TActual actual, IResolveConstraint expression) => Apply(actual, expression, "");

        public static void That<TActual>(TActual actual, IResolveConstraint expression, string message, params object[] args) => Apply(actual, expression, Text(message, args));

        public static void That<TActual>(TActual actual, IResolveConstraint expression, Func<string> getExceptionMessage) => Apply(actual, expression, getExceptionMessage());

        [DoesNotReturn]
        public static void Fail() => throw Failed("");

        [DoesNotReturn]
        public static void Fail(string message) => throw Failed(message);

        [DoesNotReturn]
        public static void Fail(string message, params object[] args) => throw Failed(Text(message, args));

        [DoesNotReturn]
        public static void Pass() => throw new SuccessException("");

        [DoesNotReturn]
        public static void Pass(string message) => throw new SuccessException(message);

        [DoesNotReturn]
        public static void Ignore() => throw new IgnoreException("");

        [DoesNotReturn]
        public static void Ignore(string message) => throw new IgnoreException(message);

        [DoesNotReturn]
        public static void Inconclusive() => throw new InconclusiveException("");

        [DoesNotReturn]
        public static void Inconclusive(string message) => throw new InconclusiveException(message);

        public static void Warn(string message) { }

        public static TActual Throws<TActual>(TestDelegate code) where TActual : Exception => (TActual)Throws(typeof(TActual), code);

        public static TActual Throws<TActual>(TestDelegate code, string message, params object[] args) where TActual : Exception => (TActual)Thrown(code, new ExactTypeConstraint(typeof(TActual)), Text(message, args))!;

        public static Exception Throws(Type expectedExceptionType, TestDelegate code) => Thrown(code, new ExactTypeConstraint(expectedExceptionType), "")!;

        public static Exception Throws(IResolveConstraint expression, TestDelegate code) => Thrown(code, expression.Resolve(), "")!;

        public static TActual ThrowsAsync<TActual>(AsyncTestDelegate code) where TActual : Exception => (TActual)Thrown(code, new ExactTypeConstraint(typeof(TActual)), "")!;

        public static Exception ThrowsAsync(Type expectedExceptionType, AsyncTestDelegate code) => Thrown(code, new ExactTypeConstraint(expectedExceptionType), "")!;

        public static Exception ThrowsAsync(IResolveConstraint expression, AsyncTestDelegate code) => Thrown(code, expression.Resolve(), "")!;

        public static Exception Catch(TestDelegate code) => Thrown(code, new InstanceOfTypeConstraint(typeof(Exception)), "")!;

        public static TActual Catch<TActual>(TestDelegate code) where TActual : Exception => (TActual)Thrown(code, new InstanceOfTypeConstraint(typeof(TActual)), "")!;

        public static TActual CatchAsync<TActual>(AsyncTestDelegate code) where TActual : Exception => (TActual)Thrown(code, new InstanceOfTypeConstraint(typeof(TActual)), "")!;

        public static void DoesNotThrow(TestDelegate code) => Apply<object>(code, Framework.Throws.Nothing, "");

        public static void DoesNotThrow(TestDelegate code, string message, params object[] args) => Apply<object>(code, Framework.Throws.Nothing, Text(message, args));

        public static void DoesNotThrowAsync(AsyncTestDelegate code) => Apply<object>(code, Framework.Throws.Nothing, "");
#endif

        public static void Multiple(TestDelegate testDelegate)
        {
            using (new Scope()) testDelegate();
        }

        public static void Multiple(AsyncTestDelegate testDelegate)
        {
            using (new Scope()) testDelegate().GetAwaiter().GetResult();
        }

        internal static string Text(string? message, object?[]? args) => message is null ? "" : args is null || args.Length == 0 ? message : string.Format(message, args);

        internal static void Apply<TActual>(TActual actual, IResolveConstraint expression, string message) => Report(expression.Resolve().ApplyTo(actual), message);

        static void Report(ConstraintResult result, string message)
        {
            if (result.IsSuccess) return;
            string text = (message.Length > 0 ? "  " + message + "\n" : "") + "  Expected: " + result.Description + "\n  But was:  " + Show.Value(result.ActualValue);
            if (Scope.Current is Scope scope) scope.Failures.Add(text);
            else throw Failed(text);
        }

        static AssertionException Failed(string message) => new AssertionException(message);

        static Exception? Thrown(object code, Constraint constraint, string message)
        {
            Exception? thrown = Code.Thrown(code);
            Report(new ConstraintResult(constraint, thrown, thrown != null && constraint.Holds(thrown)), message);
            return thrown;
        }

        /// Inside of it failures are collected.
        sealed class Scope : IDisposable
        {
            static readonly AsyncLocal<Scope?> current = new();
            readonly Scope? outer = current.Value;
            public readonly List<string> Failures = new();

            public Scope() => current.Value = this;

            public static Scope? Current => current.Value;

            public void Dispose()
            {
                current.Value = outer;
                if (outer != null) outer.Failures.AddRange(Failures);
                else if (Failures.Count > 0) throw new MultipleAssertException("Multiple failures or warnings in test:\n" + string.Join("\n", Failures));
            }
        }
    }

    public static class Assume
    {
        public static void That(bool condition)
        {
            if (!condition) throw new InconclusiveException("The assumption does not hold.");
        }

        public static void That<TActual>(TActual actual, IResolveConstraint expression)
        {
            if (!expression.Resolve().ApplyTo(actual).IsSuccess) throw new InconclusiveException("The assumption does not hold.");
        }
    }
}
