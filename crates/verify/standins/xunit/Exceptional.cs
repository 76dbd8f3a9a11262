// Assertions about what code throws, and Record.

using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading.Tasks;
using Xunit.Sdk;

namespace Xunit
{
    public static class Record
    {
        public static Exception? Exception(Action testCode)
        {
            if (testCode is null) throw new ArgumentNullException(nameof(testCode));
            try
            {
                testCode();
                return null;
            }
            catch (Exception e)
            {
                return e;
            }
        }

        public static Exception? Exception(Func<object?> testCode) => Exception(() => { testCode(); });

        [EditorBrowsable(EditorBrowsableState.Never)]
        [Obsolete("You must call Record.ExceptionAsync (and await the result) when testing async code.", true)]
        public static Exception Exception(Func<Task> testCode) => throw new InvalidOperationException();

        public static async Task<Exception?> ExceptionAsync(Func<Task> testCode)
        {
            try
            {
                await testCode();
                return null;
            }
            catch (Exception e)
            {
                return e;
            }
        }
    }

    public partial class Assert
    {
        public static T Throws<T>(Action testCode) where T : Exception => (T)Exactly(typeof(T), Record.Exception(testCode));

        public static T Throws<T>(Func<object?> testCode) where T : Exception => (T)Exactly(typeof(T), Record.Exception(testCode));

        [EditorBrowsable(EditorBrowsableState.Never)]
        [Obsolete("You must call Assert.ThrowsAsync<T> (and await the result) when testing async code.", true)]
        public static T Throws<T>(Func<Task> testCode) where T : Exception => throw new NotImplementedException();

        public static T Throws<T>(string? paramName, Action testCode) where T : ArgumentException => Named(Throws<T>(testCode), paramName);

        public static T Throws<T>(string? paramName, Func<object?> testCode) where T : ArgumentException => Named(Throws<T>(testCode), paramName);

        public static Exception Throws(Type exceptionType, Action testCode) => Exactly(exceptionType, Record.Exception(testCode));

        public static Exception Throws(Type exceptionType, Func<object?> testCode) => Exactly(exceptionType, Record.Exception(testCode));

        public static async Task<T> ThrowsAsync<T>(Func<Task> testCode) where T : Exception => (T)Exactly(typeof(T), await Record.ExceptionAsync(testCode));

        public static async Task<T> ThrowsAsync<T>(string? paramName, Func<Task> testCode) where T : ArgumentException => Named(await ThrowsAsync<T>(testCode), paramName);

        public static async Task<Exception> ThrowsAsync(Type exceptionType, Func<Task> testCode) => Exactly(exceptionType, await Record.ExceptionAsync(testCode));

        public static T ThrowsAny<T>(Action testCode) where T : Exception => Derived<T>(Record.Exception(testCode));

        public static T ThrowsAny<T>(Func<object?> testCode) where T : Exception => Derived<T>(Record.Exception(testCode));

        public static async Task<T> ThrowsAnyAsync<T>(Func<Task> testCode) where T : Exception => Derived<T>(await Record.ExceptionAsync(testCode));

        static Exception Exactly(Type type, Exception? thrown)
        {
            if (thrown is null) throw new ThrowsException("Assert.Throws() Failure: No exception was thrown\nExpected: typeof(" + type + ")");
            if (thrown.GetType() != type) throw new ThrowsException("Assert.Throws() Failure: Exception type was not an exact match\nExpected: typeof(" + type + ")\nActual:   typeof(" + thrown.GetType() + ")", thrown);
            return thrown;
        }

        static T Derived<T>(Exception? thrown) where T : Exception =>
            thrown as T ?? throw new ThrowsException("Assert.ThrowsAny() Failure: " + (thrown is null ? "No exception was thrown" : "Exception type was not compatible: " + thrown.GetType()), thrown);

        static T Named<T>(T thrown, string? name) where T : ArgumentException =>
            thrown.ParamName == name ? thrown : throw new ThrowsException("Assert.Throws() Failure: Incorrect parameter name\nExpected: " + Show.Value(name) + "\nActual:   " + Show.Value(thrown.ParamName), thrown);

        public static void Multiple(params Action[] checks)
        {
            var failed = checks.Select(Record.Exception).Where(thrown => thrown != null).ToList();
            if (failed.Count == 1) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(failed[0]!).Throw();
            if (failed.Count > 1) throw new MultipleException("Assert.Multiple() Failure: Multiple failures were encountered\n" + string.Join("\n", failed.Select(e => e!.Message)));
        }

        public static async Task MultipleAsync(params Func<Task>[] checks)
        {
            foreach (Func<Task> check in checks) await check();
        }

        public class RaisedEvent<T>
        {
            public object? Sender { get; }
            public T Arguments { get; }
            public RaisedEvent(object? sender, T args) { Sender = sender; Arguments = args; }
        }

        public static RaisedEvent<T> Raises<T>(Action<EventHandler<T>> attach, Action<EventHandler<T>> detach, Action testCode)
        {
            RaisedEvent<T> raised = RaisesAny(attach, detach, testCode);
            return raised.Arguments != null && raised.Arguments.GetType() == typeof(T) ? raised : throw new RaisesException("Assert.Raises() Failure: Wrong event type was raised");
        }

        public static RaisedEvent<T> RaisesAny<T>(Action<EventHandler<T>> attach, Action<EventHandler<T>> detach, Action testCode)
        {
            RaisedEvent<T>? raised = null;
            void Handler(object? sender, T args) => raised = new RaisedEvent<T>(sender, args);
            attach(Handler!);
            testCode();
            detach(Handler!);
            return raised ?? throw new RaisesException("Assert.Raises() Failure: No event was raised");
        }

        public static void PropertyChanged(INotifyPropertyChanged @object, string propertyName, Action testCode)
        {
            bool raised = false;
            void Handler(object? sender, PropertyChangedEventArgs args) => raised |= string.IsNullOrEmpty(args.PropertyName) || args.PropertyName == propertyName;
            @object.PropertyChanged += Handler;
            try
            {
                testCode();
            }
            finally
            {
                @object.PropertyChanged -= Handler;
            }
            if (!raised) throw new PropertyChangedException("Assert.PropertyChanged() failure: Property '" + propertyName + "' was not set");
        }
    }
}
