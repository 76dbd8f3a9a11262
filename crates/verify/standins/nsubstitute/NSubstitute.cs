// A working miniature of NSubstitute: the last call is what `Returns` is about, and matchers are noted before their call.
// Signatures and behaviour are NSubstitute's, as far as they go; the code is not.

#nullable disable

using System;
using System.Collections.Generic;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using System.Threading.Tasks;
using Cilantro.Proxies;
using NSubstitute.Core;

namespace NSubstitute
{
    public static class Substitute
    {
        public static T For<T>(params object[] constructorArguments) where T : class => (T)For(typeof(T), constructorArguments, false);

        public static T ForPartsOf<T>(params object[] constructorArguments) where T : class => (T)For(typeof(T), constructorArguments, true);

        internal static object For(Type type, object[] arguments, bool parts)
        {
            if (typeof(Delegate).IsAssignableFrom(type)) throw new NotSupportedException("a substitute for a delegate");
            return Proxy.Create(type, new Router(parts), arguments);
        }
    }

    public static class Arg
    {
        public static ref T Any<T>() => ref Note<T>(_ => true);

        public static ref T Is<T>(T value) => ref Note<T>(other => Equals(value, other));

        public static ref T Is<T>(Expression<Predicate<T>> predicate)
        {
            Predicate<T> compiled = predicate.Compile();
            return ref Note<T>(value => value is T typed ? compiled(typed) : value is null && default(T) is null && compiled(default));
        }

        static ref T Note<T>(Func<object, bool> matcher)
        {
            Pending.Matchers.Add(matcher);
            var place = new T[1];
            return ref place[0];
        }
    }

    public static class SubstituteExtensions
    {
        public static ConfiguredCall Returns<T>(this T value, T returnThis, params T[] returnThese) =>
            Configure(new[] { returnThis }.Concat(returnThese ?? new T[] { default }).Select(result => (Func<CallInfo, object>)(_ => result)));

        public static ConfiguredCall Returns<T>(this T value, Func<CallInfo, T> returnThis, params Func<CallInfo, T>[] returnThese) =>
            Configure(new[] { returnThis }.Concat(returnThese).Select(result => (Func<CallInfo, object>)(call => result(call))));

        public static ConfiguredCall Returns<T>(this Task<T> value, T returnThis, params T[] returnThese) =>
            Configure(new[] { returnThis }.Concat(returnThese ?? new T[] { default }).Select(result => (Func<CallInfo, object>)(_ => Task.FromResult(result))));

        public static ConfiguredCall Returns<T>(this ValueTask<T> value, T returnThis, params T[] returnThese) =>
            Configure(new[] { returnThis }.Concat(returnThese ?? new T[] { default }).Select(result => (Func<CallInfo, object>)(_ => new ValueTask<T>(result))));

        public static ConfiguredCall ReturnsForAnyArgs<T>(this T value, T returnThis, params T[] returnThese)
        {
            Pending.Last?.ForgetArguments();
            return value.Returns(returnThis, returnThese);
        }

        static ConfiguredCall Configure(IEnumerable<Func<CallInfo, object>> results)
        {
            Call last = Pending.Last ?? throw new InvalidOperationException("Could not find a call to return from.");
            Pending.Last = null;
            last.Router.Add(last, results.ToList());
            return new ConfiguredCall();
        }

        public static WhenCalled<T> When<T>(this T substitute, Action<T> substituteCall) where T : class => new WhenCalled<T>(substitute, substituteCall);

        public static T Received<T>(this T substitute) where T : class => Check(substitute, count => count > 0);

        public static T Received<T>(this T substitute, int requiredNumberOfCalls) where T : class => Check(substitute, count => count == requiredNumberOfCalls);

        public static T DidNotReceive<T>(this T substitute) where T : class => Check(substitute, count => count == 0);

        static T Check<T>(T substitute, Func<int, bool> enough) where T : class
        {
            ((Router)Proxy.HandlerOf(substitute)).Checking = enough;
            return substitute;
        }
    }
}

namespace NSubstitute.Core
{
    public class ConfiguredCall { }

    public class CallInfo
    {
        readonly object[] arguments;
        internal CallInfo(object[] arguments) => this.arguments = arguments;
        public object this[int index] { get => arguments[index]; set => arguments[index] = value; }
        public object[] Args() => arguments;
        public T Arg<T>() => arguments.OfType<T>().Single();
        public T ArgAt<T>(int position) => (T)arguments[position];
    }

    public class WhenCalled<T> where T : class
    {
        readonly T substitute;
        readonly Action<T> call;

        internal WhenCalled(T substitute, Action<T> call)
        {
            this.substitute = substitute;
            this.call = call;
        }

        public void Do(Action<CallInfo> callback)
        {
            var router = (Router)Proxy.HandlerOf(substitute);
            router.IsDescribing = true;
            try
            {
                call(substitute);
            }
            finally
            {
                router.IsDescribing = false;
            }
            Call described = Pending.Last;
            Pending.Last = null;
            router.AddAction(described, callback);
        }

        public void DoNotCallBase() => Do(_ => { });
    }

    internal static class Pending
    {
        [ThreadStatic] static List<Func<object, bool>> matchers;
        [ThreadStatic] public static Call Last;

        public static List<Func<object, bool>> Matchers => matchers ??= new List<Func<object, bool>>();
    }

    /// A call as it was made: what it was and what would match it.
    internal sealed class Call
    {
        public Router Router;
        public MethodInfo Method;
        public List<Func<object, bool>> Matchers;

        public void ForgetArguments() => Matchers = Matchers.Select(_ => (Func<object, bool>)(value => true)).ToList();

        public bool Fits(MethodInfo method, object[] arguments) => method == Method && Matchers.Select((matches, at) => matches(arguments[at])).All(fits => fits);
    }

    internal sealed class Rule
    {
        public Call Call;
        public List<Func<CallInfo, object>> Results;
        public Action<CallInfo> Action;
        public int Next;
    }

    internal sealed class Router : IHandler
    {
        readonly bool parts;
        readonly List<Rule> rules = new List<Rule>();
        readonly List<(MethodInfo Method, object[] Arguments)> received = new List<(MethodInfo, object[])>();
        readonly Dictionary<string, object> made = new Dictionary<string, object>();
        public bool IsDescribing;
        public Func<int, bool> Checking;

        public Router(bool parts) => this.parts = parts;

        public void Add(Call call, List<Func<CallInfo, object>> results) => rules.Add(new Rule { Call = call, Results = results });

        public void AddAction(Call call, Action<CallInfo> action) => rules.Add(new Rule { Call = call, Action = action });

        public object Handle(object self, MethodInfo method, object[] arguments, bool hasBase)
        {
            if (hasBase && method.DeclaringType == typeof(object)) return Proxy.CallBase;
            Call call = Describe(method, arguments);
            if (Checking != null) return Check(call);
            if (IsDescribing)
            {
                Pending.Last = call;
                return Default(method.ReturnType);
            }
            received.Add((method, (object[])arguments.Clone()));
            if (PropertySetBy(method) is PropertyInfo property)
            {
                // What is set is what is got.
                object value = arguments[0];
                rules.Add(new Rule { Call = new Call { Router = this, Method = property.GetMethod, Matchers = new List<Func<object, bool>>() }, Results = new List<Func<CallInfo, object>> { _ => value } });
                return null;
            }
            foreach (Rule rule in rules.Where(rule => rule.Action != null && rule.Call.Fits(method, arguments)).ToList()) rule.Action(new CallInfo(arguments));
            Rule found = rules.LastOrDefault(rule => rule.Results != null && rule.Call.Fits(method, arguments));
            Pending.Last = call;
            if (found != null)
            {
                Func<CallInfo, object> result = found.Results[Math.Min(found.Next++, found.Results.Count - 1)];
                object given = result(new CallInfo(arguments));
                // What a result does may have been a call of its own.
                Pending.Last = call;
                return given;
            }
            bool acted = rules.Any(rule => rule.Action != null && rule.Call.Fits(method, arguments));
            if (hasBase && parts && !acted) return Proxy.CallBase;
            return Automatic(method, arguments);
        }

        Call Describe(MethodInfo method, object[] arguments)
        {
            List<Func<object, bool>> noted = Pending.Matchers.ToList();
            Pending.Matchers.Clear();
            var matchers = noted.Count == arguments.Length ? noted : arguments.Select(value => (Func<object, bool>)(other => Equals(value, other))).ToList();
            ParameterInfo[] parameters = method.GetParameters();
            for (int i = 0; i < parameters.Length; i++)
                if (parameters[i].IsOut) matchers[i] = _ => true;
            return new Call { Router = this, Method = method, Matchers = matchers };
        }

        object Check(Call call)
        {
            Func<int, bool> enough = Checking;
            Checking = null;
            int count = received.Count(one => call.Fits(one.Method, one.Arguments));
            if (!enough(count)) throw new InvalidOperationException("Expected to receive another number of calls of " + call.Method + "; received " + count + ".");
            return Default(call.Method.ReturnType);
        }

        /// The same one for the same call.
        object Automatic(MethodInfo method, object[] arguments)
        {
            string key = method + "(" + string.Join(",", arguments) + ")";
            if (made.TryGetValue(key, out object value)) return value;
            return made[key] = Value(method.ReturnType);
        }

        static object Value(Type type)
        {
            if (type == typeof(string)) return "";
            if (type.IsInterface && !typeof(System.Collections.IEnumerable).IsAssignableFrom(type) && type.IsPublic) return Substitute.For(type, new object[0], false);
            return Defaults.Of(type, Value);
        }

        static object Default(Type type) => Defaults.Of(type, Default);

        static PropertyInfo PropertySetBy(MethodInfo method) =>
            !method.IsSpecialName ? null : method.DeclaringType.GetProperties(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)
                .FirstOrDefault(property => property.SetMethod == method && property.GetMethod != null && property.GetIndexParameters().Length == 0);
    }
}

namespace NSubstitute.ExceptionExtensions
{
    public static class ExceptionExtensions
    {
        public static ConfiguredCall Throws(this object value, Exception ex) => Throwing(ex);
        public static ConfiguredCall Throws<TException>(this object value) where TException : Exception, new() => Throwing(new TException());

        static ConfiguredCall Throwing(Exception ex)
        {
            Call last = Pending.Last ?? throw new InvalidOperationException("Could not find a call to throw from.");
            Pending.Last = null;
            last.Router.Add(last, new List<Func<CallInfo, object>> { _ => throw ex });
            return new ConfiguredCall();
        }
    }
}
