// A working miniature of Moq 4: loose mocks of interfaces and classes, set up by expressions.
// Signatures and behaviour are Moq's, as far as they go; the code is not.

#nullable disable

using System;
using System.Collections.Generic;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using System.Threading.Tasks;
using Cilantro.Proxies;

namespace Moq
{
    public enum MockBehavior
    {
        Strict,
        Loose,
        Default = Loose,
    }

    public class MockException : Exception
    {
        internal MockException(string message) : base(message) { }
    }

    public abstract class Mock
    {
        internal readonly List<Setup> Setups = new List<Setup>();
        internal readonly Dictionary<string, object> Values = new Dictionary<string, object>();
        internal readonly List<(MethodInfo Method, object[] Arguments)> Calls = new List<(MethodInfo, object[])>();
        internal bool KeepsAll;

        public bool CallBase { get; set; }
        public MockBehavior Behavior { get; internal set; } = MockBehavior.Loose;

        public static Mock<T> Get<T>(T mocked) where T : class => (Mock<T>)((Answers)Proxy.HandlerOf(mocked)).Owner;

        public static T Of<T>() where T : class => new Mock<T> { KeepsAll = true }.Object;
    }

    public class Mock<T> : Mock where T : class
    {
        readonly object[] arguments;
        T made;

        public Mock() : this(new object[0]) { }
        public Mock(params object[] args) => arguments = args ?? new object[] { null };
        public Mock(MockBehavior behavior) : this(new object[0]) => Behavior = behavior;
        public Mock(MockBehavior behavior, params object[] args) : this(args) => Behavior = behavior;

        public virtual T Object => made ??= (T)Proxy.Create(typeof(T), new Answers(this), arguments);

        public Language.ISetup<T> Setup(Expression<Action<T>> expression) => new Language.VoidSetup<T>(Add(expression));

        public Language.ISetup<T, TResult> Setup<TResult>(Expression<Func<T, TResult>> expression) => new Language.ValueSetup<T, TResult>(Add(expression));

        public Language.ISetupSequentialResult<TResult> SetupSequence<TResult>(Expression<Func<T, TResult>> expression) => new Language.Sequence<TResult>(Add(expression));

        public Mock<T> SetupAllProperties()
        {
            KeepsAll = true;
            return this;
        }

        public Mock<T> SetupProperty<TProperty>(Expression<Func<T, TProperty>> property) => SetupProperty(property, default);

        public Mock<T> SetupProperty<TProperty>(Expression<Func<T, TProperty>> property, TProperty initialValue)
        {
            Values[((MemberExpression)property.Body).Member.Name] = initialValue;
            return this;
        }

        public void Verify(Expression<Action<T>> expression) => Verify(expression, Times.AtLeastOnce());
        public void Verify(Expression<Action<T>> expression, Times times) => Check(expression, times);
        public void Verify(Expression<Action<T>> expression, Func<Times> times) => Check(expression, times());
        public void Verify<TResult>(Expression<Func<T, TResult>> expression) => Check(expression, Times.AtLeastOnce());
        public void Verify<TResult>(Expression<Func<T, TResult>> expression, Times times) => Check(expression, times);
        public void Verify<TResult>(Expression<Func<T, TResult>> expression, Func<Times> times) => Check(expression, times());
        public void VerifyNoOtherCalls() { }

        Setup Add(LambdaExpression expression)
        {
            var setup = new Setup(expression);
            Setups.Add(setup);
            return setup;
        }

        void Check(LambdaExpression expression, Times times)
        {
            var wanted = new Setup(expression);
            int count = Calls.Count(call => wanted.Fits(call.Method, call.Arguments));
            if (!times.Allows(count)) throw new MockException("Expected invocation on the mock " + times + ", but was " + count + " times: " + expression);
        }
    }

    public static class It
    {
        public static TValue IsAny<TValue>() => default;
        public static TValue IsNotNull<TValue>() => default;
        public static TValue Is<TValue>(Expression<Func<TValue, bool>> match) => default;
        public static TValue IsIn<TValue>(params TValue[] items) => default;

        public static class Ref<TValue>
        {
            public static TValue IsAny;
        }
    }

    public readonly struct Times
    {
        readonly int from, to;
        Times(int from, int to) { this.from = from; this.to = to; }
        public static Times Never() => new Times(0, 0);
        public static Times Once() => new Times(1, 1);
        public static Times Exactly(int callCount) => new Times(callCount, callCount);
        public static Times AtLeast(int callCount) => new Times(callCount, int.MaxValue);
        public static Times AtLeastOnce() => AtLeast(1);
        public static Times AtMost(int callCount) => new Times(0, callCount);
        public static Times AtMostOnce() => AtMost(1);
        internal bool Allows(int count) => from <= count && count <= to;
        public override string ToString() => from + " to " + to + " times";
    }

    /// A call that was described, and what it is to do.
    internal sealed class Setup
    {
        readonly MethodInfo method;
        readonly List<Func<object, bool>> matchers = new List<Func<object, bool>>();
        readonly Dictionary<int, object> outs = new Dictionary<int, object>();
        public readonly List<Func<object[], object>> Results = new List<Func<object[], object>>();
        public Action<object[]> Callback;
        public bool IsSequence;
        int next;

        public Setup(LambdaExpression expression)
        {
            switch (expression.Body)
            {
                case MethodCallExpression call:
                    method = call.Method;
                    ParameterInfo[] parameters = method.GetParameters();
                    for (int i = 0; i < parameters.Length; i++)
                    {
                        if (parameters[i].IsOut) outs[i] = Evaluate(call.Arguments[i]);
                        matchers.Add(parameters[i].ParameterType.IsByRef ? _ => true : Matcher(call.Arguments[i]));
                    }
                    break;
                case MemberExpression member when member.Member is PropertyInfo property:
                    method = property.GetMethod;
                    break;
                default:
                    throw new NotSupportedException("Unsupported expression: " + expression);
            }
        }

        public bool Fits(MethodInfo called, object[] arguments) =>
            Same(called) && matchers.Select((matches, at) => matches(arguments[at])).All(fits => fits);

        bool Same(MethodInfo called)
        {
            MethodInfo One(MethodInfo m) => (m.IsGenericMethod ? m.GetGenericMethodDefinition() : m).GetBaseDefinition();
            return One(called).MethodHandle == One(method).MethodHandle && called.GetGenericArguments().SequenceEqual(method.GetGenericArguments());
        }

        public object Invoke(object[] arguments, bool hasBase)
        {
            foreach (var pair in outs) arguments[pair.Key] = pair.Value;
            Callback?.Invoke(arguments);
            if (Results.Count == 0) return null;
            if (IsSequence && next >= Results.Count) return Default(method.ReturnType);
            return Results[IsSequence ? next++ : Results.Count - 1](arguments);
        }

        static object Default(Type type) => Defaults.Of(type, Default);

        static Func<object, bool> Matcher(Expression argument)
        {
            while (argument is UnaryExpression convert && convert.NodeType == ExpressionType.Convert) argument = convert.Operand;
            if (argument is MethodCallExpression call && call.Method.DeclaringType == typeof(It))
            {
                switch (call.Method.Name)
                {
                    case nameof(It.IsAny): return _ => true;
                    case nameof(It.IsNotNull): return value => value != null;
                    case nameof(It.Is):
                        Delegate predicate = ((LambdaExpression)((UnaryExpression)call.Arguments[0]).Operand).Compile();
                        return value => (bool)predicate.DynamicInvoke(value);
                    case nameof(It.IsIn):
                        var items = ((System.Collections.IEnumerable)Evaluate(call.Arguments[0])).Cast<object>().ToList();
                        return items.Contains;
                }
            }
            object expected = Evaluate(argument);
            return value => Equals(expected, value) || expected is System.Collections.IEnumerable one && !(one is string) && value is System.Collections.IEnumerable other && one.Cast<object>().SequenceEqual(other.Cast<object>());
        }

        static object Evaluate(Expression expression) => Expression.Lambda<Func<object>>(Expression.Convert(expression, typeof(object))).Compile()();
    }

    internal sealed class Answers : IHandler
    {
        public readonly Mock Owner;

        public Answers(Mock owner) => Owner = owner;

        public object Handle(object self, MethodInfo method, object[] arguments, bool hasBase)
        {
            Owner.Calls.Add((method, (object[])arguments.Clone()));
            Setup setup = Owner.Setups.LastOrDefault(candidate => candidate.Fits(method, arguments));
            if (setup != null) return setup.Invoke(arguments, hasBase);
            PropertyInfo property = PropertyOf(method);
            if (property != null && (Owner.Values.ContainsKey(property.Name) || Owner.KeepsAll && property.CanRead && property.CanWrite && property.GetIndexParameters().Length == 0)) return Kept(property, arguments);
            if (hasBase && (Owner.CallBase || method.DeclaringType == typeof(object))) return Proxy.CallBase;
            if (Owner.Behavior == MockBehavior.Strict) throw new MockException(method + " invocation failed with mock behavior Strict.");
            return Default(method.ReturnType);
        }

        object Kept(PropertyInfo property, object[] arguments)
        {
            if (arguments.Length == 0) return Owner.Values.TryGetValue(property.Name, out object value) ? value : Default(property.PropertyType);
            Owner.Values[property.Name] = arguments[0];
            return null;
        }

        static object Default(Type type) => Defaults.Of(type, Default);

        static PropertyInfo PropertyOf(MethodInfo method) =>
            !method.IsSpecialName ? null : method.DeclaringType.GetProperties(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)
                .FirstOrDefault(property => property.GetMethod == method || property.SetMethod == method);
    }
}

namespace Moq.Language
{
    public interface ISetup<T>
    {
        ISetup<T> Callback(Action action);
        ISetup<T> Callback<T1>(Action<T1> action);
        void Throws(Exception exception);
        void Throws<TException>() where TException : Exception, new();
        void Verifiable();
    }

    public interface ISetup<T, TResult>
    {
        ISetup<T, TResult> Callback(Action action);
        ISetup<T, TResult> Callback<T1>(Action<T1> action);
        ISetup<T, TResult> Returns(TResult value);
        ISetup<T, TResult> Returns(Func<TResult> valueFunction);
        ISetup<T, TResult> Returns<T1>(Func<T1, TResult> valueFunction);
        ISetup<T, TResult> Returns<T1, T2>(Func<T1, T2, TResult> valueFunction);
        ISetup<T, TResult> Throws(Exception exception);
        ISetup<T, TResult> Throws<TException>() where TException : Exception, new();
        ISetup<T, TResult> CallBase();
        void Verifiable();
    }

    public interface ISetupSequentialResult<TResult>
    {
        ISetupSequentialResult<TResult> Returns(TResult value);
        ISetupSequentialResult<TResult> Returns(Func<TResult> valueFunction);
        ISetupSequentialResult<TResult> Throws(Exception exception);
        ISetupSequentialResult<TResult> Throws<TException>() where TException : Exception, new();
        ISetupSequentialResult<TResult> CallBase();
    }

    internal sealed class VoidSetup<T>(Setup setup) : ISetup<T>
    {
        ISetup<T> With(Action change)
        {
            change();
            return this;
        }

        public ISetup<T> Callback(Action action) => With(() => setup.Callback = _ => action());
        public ISetup<T> Callback<T1>(Action<T1> action) => With(() => setup.Callback = arguments => action((T1)arguments[0]));
        public void Throws(Exception exception) => setup.Results.Add(_ => throw exception);
        public void Throws<TException>() where TException : Exception, new() => Throws(new TException());
        public void Verifiable() { }
    }

    internal sealed class ValueSetup<T, TResult>(Setup setup) : ISetup<T, TResult>
    {
        ISetup<T, TResult> With(Action change)
        {
            change();
            return this;
        }

        public ISetup<T, TResult> Callback(Action action) => With(() => setup.Callback = _ => action());
        public ISetup<T, TResult> Callback<T1>(Action<T1> action) => With(() => setup.Callback = arguments => action((T1)arguments[0]));
        public ISetup<T, TResult> Returns(TResult value) => With(() => setup.Results.Add(_ => value));
        public ISetup<T, TResult> Returns(Func<TResult> valueFunction) => With(() => setup.Results.Add(_ => valueFunction()));
        public ISetup<T, TResult> Returns<T1>(Func<T1, TResult> valueFunction) => With(() => setup.Results.Add(arguments => valueFunction((T1)arguments[0])));
        public ISetup<T, TResult> Returns<T1, T2>(Func<T1, T2, TResult> valueFunction) => With(() => setup.Results.Add(arguments => valueFunction((T1)arguments[0], (T2)arguments[1])));
        public ISetup<T, TResult> Throws(Exception exception) => With(() => setup.Results.Add(_ => throw exception));
        public ISetup<T, TResult> Throws<TException>() where TException : Exception, new() => Throws(new TException());
        public ISetup<T, TResult> CallBase() => With(() => setup.Results.Add(_ => Proxy.CallBase));
        public void Verifiable() { }
    }

    internal sealed class Sequence<TResult> : ISetupSequentialResult<TResult>
    {
        readonly Setup setup;

        public Sequence(Setup setup)
        {
            this.setup = setup;
            setup.IsSequence = true;
        }

        ISetupSequentialResult<TResult> Add(Func<object[], object> result)
        {
            setup.Results.Add(result);
            return this;
        }

        public ISetupSequentialResult<TResult> Returns(TResult value) => Add(_ => value);
        public ISetupSequentialResult<TResult> Returns(Func<TResult> valueFunction) => Add(_ => valueFunction());
        public ISetupSequentialResult<TResult> Throws(Exception exception) => Add(_ => throw exception);
        public ISetupSequentialResult<TResult> Throws<TException>() where TException : Exception, new() => Throws(new TException());
        public ISetupSequentialResult<TResult> CallBase() => Add(_ => Proxy.CallBase);
    }
}

namespace Moq
{
    public static class ReturnsExtensions
    {
        public static Language.ISetup<TMock, Task<TResult>> ReturnsAsync<TMock, TResult>(this Language.ISetup<TMock, Task<TResult>> mock, TResult value) where TMock : class => mock.Returns(Task.FromResult(value));
        public static Language.ISetup<TMock, ValueTask<TResult>> ReturnsAsync<TMock, TResult>(this Language.ISetup<TMock, ValueTask<TResult>> mock, TResult value) where TMock : class => mock.Returns(new ValueTask<TResult>(value));
        public static Language.ISetup<TMock, Task<TResult>> ThrowsAsync<TMock, TResult>(this Language.ISetup<TMock, Task<TResult>> mock, Exception exception) where TMock : class => mock.Returns(Task.FromException<TResult>(exception));
    }
}
