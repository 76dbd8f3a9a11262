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
        readonly int mostItems;
        readonly bool awaits;

        Consumption(bool awaits, int mostItems)
        {
            this.awaits = awaits;
            this.mostItems = mostItems;
        }

        /// As the case says; null if the result is the outcome.
        public static Consumption Of(Dictionary<string, object> one)
        {
            if (!one.TryGetValue("consume", out object how) || how == null) return null;
            if (how is string name && name == "await") return new Consumption(true, 0);
            if (how is Dictionary<string, object> said && said.TryGetValue("enumerate", out object items))
            {
                return new Consumption(false, (int)(long)((Dictionary<string, object>)items)["at_most"]);
            }
            throw new CannotRun("the case uses the result in an unknown way");
        }

        /// The type of what comes of it.
        public Type Outcome(Type returned)
        {
            if (!awaits) return typeof(List<>).MakeGenericType(returned.IsGenericType ? returned.GetGenericArguments()[0] : typeof(object));
            return returned.IsGenericType ? returned.GetGenericArguments()[0] : typeof(void);
        }

        public object Use(object result, Type returned)
        {
            if (result == null) throw new CannotRun("the method returned null, and the case uses what it returned");
            return awaits ? Await(result) : Enumerate((IEnumerable)result, (IList)Activator.CreateInstance(Outcome(returned)));
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

        static object Call(object target, string name)
        {
            MethodInfo method = target.GetType().GetMethod(name, Type.EmptyTypes);
            return method.Invoke(target, BindingFlags.DoNotWrapExceptions, null, null, null);
        }

        object Enumerate(IEnumerable sequence, IList items)
        {
            IEnumerator position = sequence.GetEnumerator();
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
    }
}
