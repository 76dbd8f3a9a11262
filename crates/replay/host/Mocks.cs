// Mocks: what the members of a made-up class answer, call by call.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;

namespace Cilantro.Replay
{
    /// The answers of one mock. Its emitted class asks here; public, since that class lives in another assembly.
    public sealed class Answers
    {
        internal readonly MockedType Type;
        readonly Dictionary<MockedMember, List<Calls>> calls = new Dictionary<MockedMember, List<Calls>>();
        readonly SortedDictionary<string, Kept> properties = new SortedDictionary<string, Kept>(StringComparer.Ordinal);
        readonly Heap heap;
        bool isRead, isComplete;
        /// Calls count from the first one, as those of a test do that makes its objects by the same calls. Not so in the
        /// mock's own constructor, when a way is only tried, and after the call.
        bool Counts => isRead && !heap.HasEnded && heap.Trying == 0;

        internal Answers(MockedType type, Heap heap) { Type = type; this.heap = heap; }

        sealed class Calls
        {
            public Type[] Generics;
            /// As the case has it.
            public Dictionary<string, object> Written;
            public Result[] Results;
            public int Made;
        }

        sealed class Kept
        {
            public string DeclaredIn, Name;
            public Type Type;
            public Func<object> First;
            public object Value;
        }

        /// What one call gives.
        public sealed class Result
        {
            internal Func<object> First = () => null;
            internal Type Throws;
            internal Func<object> FirstMessage;
            internal object Message;
            internal Dictionary<int, Func<object>> FirstAssigns = new Dictionary<int, Func<object>>();
            public object Returns;
            internal Dictionary<int, object> Assigned = new Dictionary<int, object>();

            internal Exception Exception()
            {
                object[] arguments = FirstMessage == null ? new object[0] : new object[] { Message };
                return (Exception)Activator.CreateInstance(Throws, arguments);
            }

            public bool Assigns(int parameter) => Assigned.ContainsKey(parameter);

            public object Assignment(int parameter) => Assigned[parameter];
        }

        public Result Call(int member, Type[] generics)
        {
            MockedMember called = Type.Members[member];
            if (!Counts)
            {
                // A test that took this way would use up an answer that is meant for the call itself.
                heap.HasAnswered |= heap.Trying > 0 && calls.ContainsKey(called);
                return Wrapped(called, generics, new Result());
            }
            Complete();
            if (!calls.TryGetValue(called, out var all)) calls[called] = all = new List<Calls>();
            Calls found = all.FirstOrDefault(c => c.Generics.SequenceEqual(generics));
            if (found == null) all.Add(found = new Calls { Generics = generics, Results = new Result[0] });
            int number = found.Made++;
            Result result = number < found.Results.Length ? found.Results[number] : new Result();
            if (result.Throws != null) throw result.Exception();
            return Wrapped(called, generics, result);
        }

        /// A property that was neither listed nor set may have results call by call.
        public Result Get(int member)
        {
            MockedMember called = Type.Members[member];
            if (Counts) Complete();
            if (Counts && properties.TryGetValue(called.Key, out Kept kept)) return Wrapped(called, System.Type.EmptyTypes, new Result { Returns = kept.Value });
            return Call(member, System.Type.EmptyTypes);
        }

        /// What is given for a task is what awaiting it gives.
        static Result Wrapped(MockedMember member, Type[] generics, Result result)
        {
            Type type = (generics.Length > 0 ? member.Method.MakeGenericMethod(generics) : member.Method).ReturnType;
            if (!Tasks.IsTask(type) || type.IsInstanceOfType(result.Returns)) return result;
            return new Result { Returns = Tasks.Completed(type, result.Returns), Assigned = result.Assigned };
        }

        public void Set(int member, object value)
        {
            MockedMember set = Type.Members[member];
            if (Counts) Complete();
            if (Counts && calls.ContainsKey(set)) Call(member, System.Type.EmptyTypes);
            if (!properties.TryGetValue(set.Key, out Kept kept))
            {
                properties[set.Key] = kept = new Kept { DeclaredIn = TypeName.Of(set.Method.DeclaringType), Name = set.Property, Type = set.PropertyType };
            }
            kept.Value = value;
        }

        internal void Read(Subject subject, Heap heap, Dictionary<string, object> one)
        {
            foreach (Dictionary<string, object> property in Json.List(one, "properties"))
            {
                string declaredIn = TypeName.Plain((string)property["declared_in"]), name = (string)property["name"];
                MockedMember member = Type.Members.FirstOrDefault(m => m.Property == name && TypeName.Of(m.Method.DeclaringType) == declaredIn)
                    ?? throw new CannotRun("no property " + name + " of " + declaredIn + " can be mocked");
                var value = (Dictionary<string, object>)property["value"];
                properties[member.Key] = new Kept { DeclaredIn = declaredIn, Name = name, Type = member.PropertyType, First = () => heap.Build(typeof(object), value) };
            }
            foreach (Dictionary<string, object> call in Json.List(one, "calls"))
            {
                Type[] generics = Json.List(call, "generic_arguments").Select(g => subject.FindType((string)g)).ToArray();
                MockedMember member = Type.Find(call, generics);
                if (!calls.TryGetValue(member, out var entries)) calls[member] = entries = new List<Calls>();
                entries.Add(new Calls { Written = call, Generics = generics, Results = Json.List(call, "results").Select(r => ReadResult(subject, heap, (Dictionary<string, object>)r)).ToArray() });
            }
            isRead = true;
        }

        static Result ReadResult(Subject subject, Heap heap, Dictionary<string, object> written)
        {
            var result = new Result();
            if (written.TryGetValue("throws", out object throws) && throws != null) result.Throws = subject.FindType((string)throws);
            if (written.TryGetValue("message", out object message) && message != null) result.FirstMessage = () => heap.Build(typeof(string), (Dictionary<string, object>)message);
            if (written.TryGetValue("returns", out object returns) && returns != null) result.First = () => heap.Build(typeof(object), (Dictionary<string, object>)returns);
            foreach (Dictionary<string, object> assigns in Json.List(written, "assigns"))
            {
                result.FirstAssigns[(int)(long)assigns["parameter"]] = () => heap.Build(typeof(object), (Dictionary<string, object>)assigns["value"]);
            }
            return result;
        }

        /// Builds what the members give: after everything else, since answers may lead back to the mock, unless somebody asks
        /// before.
        internal void Complete()
        {
            if (isComplete) return;
            isComplete = true;
            foreach (Kept kept in properties.Values) if (kept.First != null) kept.Value = kept.First();
            foreach (Result result in calls.Values.SelectMany(all => all).SelectMany(c => c.Results))
            {
                result.Returns = result.First();
                if (result.FirstMessage != null) result.Message = result.FirstMessage();
                foreach (var pair in result.FirstAssigns) result.Assigned[pair.Key] = pair.Value();
            }
        }

        /// How often each method was called: as many empty results.
        internal List<object> ReadCalls()
        {
            var read = new List<object>();
            foreach (MockedMember member in Type.Members.Where(calls.ContainsKey))
            {
                foreach (Calls one in calls[member])
                {
                    MethodInfo method = one.Generics.Length > 0 ? member.Method.MakeGenericMethod(one.Generics) : member.Method;
                    bool gives = method.ReturnType != typeof(void) || method.GetParameters().Any(p => p.ParameterType.IsByRef);
                    // An accessor that nothing was said about gives its default value.
                    if (one.Written == null && (!gives || member.Property != null)) continue;
                    read.Add(new Dictionary<string, object>
                    {
                        ["declared_in"] = one.Written?["declared_in"] ?? TypeName.Of(method.DeclaringType),
                        ["method"] = method.Name,
                        ["parameters"] = one.Written != null ? Json.List(one.Written, "parameters") : method.GetParameters().Select(p => (object)TypeName.Of(p.ParameterType)).ToList(),
                        ["generic_arguments"] = one.Written != null ? Json.List(one.Written, "generic_arguments") : one.Generics.Select(g => (object)TypeName.Of(g)).ToList(),
                        ["results"] = Enumerable.Range(0, one.Made).Select(_ => (object)new Dictionary<string, object>()).ToList(),
                    });
                }
            }
            return read;
        }

        internal List<object> ReadProperties(Heap heap)
        {
            return properties.Values.Where(kept => !(kept.Type.IsByRef || kept.Type.IsByRefLike || kept.Type.IsPointer)).Select(kept =>
            {
                Type type = Tasks.IsTask(kept.Type) && !kept.Type.IsInstanceOfType(kept.Value) ? Tasks.Awaited(kept.Type) : kept.Type;
                object value = kept.Value ?? (type.IsValueType && Nullable.GetUnderlyingType(type) == null ? Activator.CreateInstance(type) : null);
                return (object)new Dictionary<string, object> { ["declared_in"] = kept.DeclaredIn, ["name"] = kept.Name, ["value"] = heap.Read(type, value) };
            }).ToList();
        }
    }

    /// Tasks that are done.
    static class Tasks
    {
        public static bool IsTask(Type type) => type == typeof(Task) || type == typeof(ValueTask) || IsGeneric(type);

        static bool IsGeneric(Type type) => type.IsGenericType && (type.GetGenericTypeDefinition() == typeof(Task<>) || type.GetGenericTypeDefinition() == typeof(ValueTask<>));

        public static Type Awaited(Type type) => IsGeneric(type) ? type.GetGenericArguments()[0] : typeof(object);

        public static object Completed(Type type, object value)
        {
            if (type == typeof(Task)) return Task.CompletedTask;
            if (type == typeof(ValueTask)) return default(ValueTask);
            MethodInfo make = typeof(Tasks).GetMethod(type.IsValueType ? nameof(ValueTaskOf) : nameof(TaskOf), BindingFlags.Static | BindingFlags.NonPublic);
            return make.MakeGenericMethod(Awaited(type)).Invoke(null, new[] { value });
        }

        static object TaskOf<T>(object value) => Task.FromResult(value == null ? default : (T)value);

        static object ValueTaskOf<T>(object value) => new ValueTask<T>(value == null ? default : (T)value);
    }

    sealed partial class Heap
    {
        readonly Dictionary<object, Answers> mocks = new Dictionary<object, Answers>(ByReference.Instance);

        object Mock(long id, Dictionary<string, object> one)
        {
            MockedType type = MockedType.For(subject, (string)one["type"], Json.List(one, "interfaces").Select(i => (string)i).ToList());
            var answers = new Answers(type, this);
            Dictionary<string, object> how = Way(id, one);
            object o;
            if (how == null)
            {
                o = Keep(id, type.Bare(answers));
            }
            else
            {
                constructing.Add(id);
                Type[] parameters = Json.List(how, "parameters").Select(p => subject.FindType((string)p)).ToArray();
                ConstructorInfo constructor = type.Constructor(parameters) ?? throw new CannotRun("there is no such constructor of " + one["type"]);
                object[] arguments = Json.List(how, "arguments").Select((a, i) => Build(parameters[i], (Dictionary<string, object>)a)).Prepend(answers).ToArray();
                o = Keep(id, Guarded(id, () => constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture)));
                constructing.Remove(id);
                made[id] = how;
                foreach (Dictionary<string, object> item in Json.List(how, "assigned")) Assign(id, o, item);
            }
            mocks[o] = answers;
            answers.Read(subject, this, one);
            later.Enqueue(answers.Complete);
            if (how == null) SetFields(o, Json.List(one, "fields"));
            return o;
        }

        /// How many objects are being made in ways that may turn out to be wrong.
        internal int Trying;
        /// Whether a mock was asked meanwhile for what it has answers to.
        internal bool HasAnswered;
        internal bool HasEnded;

        /// What happens after the call is not part of it.
        public void End()
        {
            HasEnded = true;
        }

        bool ReadMock(Dictionary<string, object> one, object o)
        {
            if (!mocks.TryGetValue(o, out Answers answers)) return false;
            one["kind"] = "mock";
            one["type"] = TypeName.Of(answers.Type.Of);
            one["fields"] = answers.Type.Of.IsInterface || o is Delegate ? new List<object>() : ReadFields(answers.Type.Of, o);
            one["properties"] = answers.ReadProperties(this);
            one["calls"] = answers.ReadCalls();
            return true;
        }
    }
}
