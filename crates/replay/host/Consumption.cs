// What is done with a result that is not the end of the work: a task is awaited, a sequence enumerated.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Threading.Tasks;

namespace Cilantro.Replay
{
    sealed class Consumption
    {
        const string Awaits = "await", Enumerates = "enumerate", EnumeratesAsync = "enumerate_async", Advances = "advance";

        readonly string how;
        readonly int mostItems;

        Consumption(string how, int mostItems)
        {
            this.how = how;
            this.mostItems = mostItems;
        }

        /// As the case says; null if the result is the outcome.
        public static Consumption Of(Dictionary<string, object> one)
        {
            if (!one.TryGetValue("consume", out object how) || how == null) return null;
            if (how is string name && name == Awaits) return new Consumption(Awaits, 0);
            foreach (string loop in new[] { Enumerates, EnumeratesAsync, Advances })
            {
                if (how is Dictionary<string, object> said && said.TryGetValue(loop, out object items))
                {
                    return new Consumption(loop, (int)(long)((Dictionary<string, object>)items)["at_most"]);
                }
            }
            throw new CannotRun("the case uses the result in an unknown way");
        }

        /// The type of what comes of it.
        public Type Outcome(Type returned)
        {
            if (how != Awaits) return typeof(List<>).MakeGenericType(returned.IsGenericType ? returned.GetGenericArguments()[0] : typeof(object));
            return returned.IsGenericType ? returned.GetGenericArguments()[0] : typeof(void);
        }

        public object Use(object result, Type returned)
        {
            if (result == null) throw new CannotRun("the method returned null, and the case uses what it returned");
            if (how == Awaits) return Await(result);
            var items = (IList)Activator.CreateInstance(Outcome(returned));
            if (how == EnumeratesAsync) return EnumerateAsync(result, returned.GetGenericArguments()[0], items);
            return Enumerate(how == Advances ? (IEnumerator)result : ((IEnumerable)result).GetEnumerator(), items);
        }

        static object Await(object result)
        {
            object awaiter = Call(result, "GetAwaiter");
            // A task that is not done yet is waited for; only its kind of awaiter can do so.
            if (!(bool)awaiter.GetType().GetProperty("IsCompleted").GetValue(awaiter) && !(result is Task))
            {
                awaiter = Call(Call(result, "AsTask"), "GetAwaiter");
            }
            return Call(awaiter, "GetResult");
        }

        static object Call(object target, string name) => Call(target, target.GetType(), name);

        static object Call(object target, Type type, string name, params object[] arguments)
        {
            MethodInfo method = arguments.Length > 0 ? type.GetMethod(name) : type.GetMethod(name, Type.EmptyTypes);
            return method.Invoke(target, BindingFlags.DoNotWrapExceptions, null, arguments, null);
        }

        object Enumerate(IEnumerator position, IList items)
        {
            try
            {
                while (items.Count < mostItems && position.MoveNext()) items.Add(position.Current);
            }
            finally
            {
                (position as IDisposable)?.Dispose();
            }
            return items;
        }

        object EnumerateAsync(object sequence, Type item, IList items)
        {
            Type enumerator = typeof(IAsyncEnumerator<>).MakeGenericType(item);
            object position = Call(sequence, typeof(IAsyncEnumerable<>).MakeGenericType(item), "GetAsyncEnumerator", new System.Threading.CancellationToken());
            try
            {
                while (items.Count < mostItems && (bool)Await(Call(position, enumerator, "MoveNextAsync"))) items.Add(Call(position, enumerator, "get_Current"));
            }
            finally
            {
                Await(((IAsyncDisposable)position).DisposeAsync());
            }
            return items;
        }
    }
}
