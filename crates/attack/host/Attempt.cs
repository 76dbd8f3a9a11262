// One call of one method: its inputs, the world around it, and what came of it.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Cilantro.Attack;

/// What code of the attacker throws: a caller's own exception is no finding.
public sealed class Planted : Exception
{
    public Planted() : base("planted") { }
}

sealed unsafe class Attempt
{
    const BindingFlags Everything = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;
    const int MostItems = 16;

    readonly Subject subject;
    readonly Claim claim;
    readonly int seed;
    readonly Random random;
    readonly Values values;

    public Attempt(Subject subject, Claim claim, int seed)
    {
        this.subject = subject;
        this.claim = claim;
        this.seed = seed;
        random = new Random(seed);
        values = new Values(subject, claim.Constants, random);
    }

    public void Run()
    {
        claim.Calls++;
        var before = (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture);
        try
        {
            Hook.Values = values;
            if (random.Next(3) == 0) CultureInfo.CurrentCulture = CultureInfo.CurrentUICulture = values.Culture();
            if (subject.Statics.Length > 0 && random.Next(6) == 0) values.ChangeStatics();
            Func<Thunk> prepare = Prepare;
            var thunk = prepare();
            if (thunk == null) return;
            new Span<byte>(Program.Probes, Program.ProbeCount).Clear();
            // What is static to a thread has its first value on another one.
            if (random.Next(50) == 0)
            {
                var thread = new Thread(() => Call(thunk), 16 << 20);
                thread.Start();
                thread.Join();
            }
            else
            {
                Call(thunk);
            }
            foreach (int probe in claim.Impossible)
            {
                if (Program.Probes[probe] != 0) Program.Tell(claim, "hit", probe.ToString(CultureInfo.InvariantCulture), Describe(thunk));
            }
        }
        catch (Exception)
        {
            // The inputs could not be made.
        }
        finally
        {
            (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture) = before;
        }
    }

    /// The method with types for its parameters, and its arguments; null where none can be made.
    Thunk Prepare()
    {
        var method = claim.Method;
        var owner = method.DeclaringType;
        if (owner.ContainsGenericParameters)
        {
            owner = values.Close(owner);
            if (owner == null) return null;
            method = MethodBase.GetMethodFromHandle(method.MethodHandle, owner.TypeHandle);
        }
        if (method is MethodInfo { IsGenericMethodDefinition: true } open)
        {
            method = values.Close(open);
            if (method == null) return null;
        }
        var thunk = Thunk.Of(method);
        if (thunk == null) return null;
        object receiver = null;
        if (!method.IsStatic && !method.IsConstructor)
        {
            receiver = values.Make(owner, 3);
            // Somebody else's class behind a receiver has its own code, not this.
            if (receiver == null || !owner.IsInstanceOfType(receiver)) return null;
        }
        thunk.Receiver = receiver;
        thunk.Arguments = method.GetParameters().Select(parameter => values.Argument(parameter, 3)).ToArray();
        return thunk;
    }

    void Call(Thunk thunk)
    {
        try
        {
            object result = thunk.Call();
            Consume(result);
            claim.Returned++;
        }
        catch (Exception thrown)
        {
            claim.Returned++;
            Judge(thrown, thunk);
        }
    }

    /// What was promised is asked for.
    static void Consume(object result)
    {
        switch (result)
        {
            case Task task:
                if (task.Status == TaskStatus.Created) return;
                if (Task.WhenAny(task, Task.Delay(1000)).GetAwaiter().GetResult() == task) task.GetAwaiter().GetResult();
                break;
            case string or Array or ICollection:
                break;
            case IEnumerable items when result.GetType().Name.StartsWith('<'):
                int count = 0;
                foreach (var _ in items)
                {
                    if (++count == MostItems) break;
                }
                break;
        }
    }

    void Judge(Exception thrown, Thunk thunk)
    {
        if (!claim.IsComplete || IsExcused(thrown)) return;
        for (var type = thrown.GetType(); type != null && type != typeof(object); type = type.BaseType)
        {
            if (type == thrown.GetType() && claim.Exceptions.Contains(type.FullName)) return;
        }
        var frames = new System.Diagnostics.StackTrace(thrown).GetFrames().Select(frame => frame.GetMethod()?.Name).Take(6);
        Program.Tell(claim, "threw", thrown.GetType().FullName, Describe(thunk) + " : " + thrown.Message + " in " + string.Join('<', frames));
    }

    /// The attacker's own, or what no proof speaks of.
    static bool IsExcused(Exception thrown)
    {
        if (thrown is OutOfMemoryException or InsufficientExecutionStackException or ThreadInterruptedException) return true;
        for (var inner = thrown; inner != null; inner = inner.InnerException)
        {
            if (inner is Planted) return true;
        }
        return thrown is AggregateException all && all.InnerExceptions.Any(IsExcused);
    }

    string Describe(Thunk thunk)
    {
        var text = new StringBuilder();
        text.Append("seed ").Append(seed).Append(", ").Append(CultureInfo.CurrentCulture.Name).Append(": ");
        text.Append(thunk.Method.DeclaringType).Append('.').Append(thunk.Method.Name).Append('(');
        if (thunk.Receiver != null) text.Append("this ").Append(Shown(thunk.Receiver, 2)).Append("; ");
        text.AppendJoin(", ", thunk.Arguments.Select(argument => Shown(argument, 2)));
        return text.Append(')').ToString();
    }

    static string Shown(object value, int depth)
    {
        try
        {
            switch (value)
            {
                case null: return "null";
                case string text: return "\"" + text + "\"";
                case char c: return "'" + c + "' (" + (int)c + ")";
                case IFormattable number: return value.GetType().Name + " " + number.ToString(null, CultureInfo.InvariantCulture);
                case bool: return value.ToString();
                case Array array when depth > 0:
                    return array.GetType().Name + "{" + string.Join(", ", array.Cast<object>().Take(8).Select(item => Shown(item, depth - 1))) + "}";
            }
            if (depth == 0) return value.GetType().Name;
            var fields = value.GetType().GetFields(Everything & ~BindingFlags.Static).Take(8).Select(field => field.Name + "=" + Shown(field.GetValue(value), depth - 1));
            return value.GetType().Name + "{" + string.Join(", ", fields) + "}";
        }
        catch (Exception)
        {
            return value.GetType().Name;
        }
    }
}
