// Objects of classes: through a constructor and public members where the case knows a way, else without a constructor.
//
// A case may come with several ways for an object. The first one that makes the wanted object is taken: an attempt
// that does not is given up as a whole, since a constructor may have changed what it was given.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;

namespace Cilantro.Replay
{
    /// An object that did not become what the case tells of.
    sealed class WrongWay : Exception
    {
        public readonly long Id;
        public WrongWay(long id, string why) : base("object " + id + " cannot be made: " + why) { Id = id; }
    }

    /// The ways that a case offers for its objects, and which of them is tried now.
    sealed class Ways
    {
        const int MaxAttempts = 400;

        readonly SortedDictionary<long, List<object>> offered = new SortedDictionary<long, List<object>>();
        readonly Dictionary<long, int> current = new Dictionary<long, int>();
        int attempts;

        public Ways(List<object> objects)
        {
            foreach (Dictionary<string, object> one in objects)
            {
                if (one.ContainsKey("ways")) offered[(long)one["id"]] = Json.List(one, "ways");
            }
        }

        public bool Offers(long id) => offered.ContainsKey(id);

        /// Null: without a constructor.
        public Dictionary<string, object> Of(long id)
        {
            current.TryGetValue(id, out int index);
            return index < offered[id].Count ? (Dictionary<string, object>)offered[id][index] : null;
        }

        /// Turns to the next way after a failure; false when there is none.
        public bool Next(long failed)
        {
            current.TryGetValue(failed, out int index);
            if (++attempts < MaxAttempts && offered.TryGetValue(failed, out var list) && index < list.Count)
            {
                current[failed] = index + 1;
                return true;
            }
            // Somebody else spoiled it, or it takes too long: no constructors at all.
            bool any = false;
            foreach (long id in offered.Keys)
            {
                any |= Of(id) != null;
                current[id] = offered[id].Count;
            }
            return any;
        }

        public List<object> Chosen()
        {
            return offered.Where(pair => Of(pair.Key) != null).Select(pair =>
            {
                current.TryGetValue(pair.Key, out int index);
                return (object)new Dictionary<string, object> { ["object"] = pair.Key, ["way"] = (long)index };
            }).ToList();
        }
    }

    sealed partial class Heap
    {
        /// Objects whose constructor waits for its arguments.
        readonly List<long> constructing = new List<long>();
        readonly Queue<Action> later = new Queue<Action>();
        readonly Dictionary<long, Dictionary<string, object>> made = new Dictionary<long, Dictionary<string, object>>();

        object Instance(long id, Dictionary<string, object> one)
        {
            Type type = subject.FindType((string)one["type"]);
            Dictionary<string, object> how = Way(id, one);
            if (how == null)
            {
                object bare = Keep(id, Uninitialized(type));
                SetFields(bare, Json.List(one, "fields"));
                return bare;
            }
            bool isTried = ways.Offers(id);
            if (isTried) Trying++;
            try
            {
                Arrange(id, type, how);
            }
            finally
            {
                if (isTried) Trying--;
            }
            if (isTried && HasAnswered) throw new WrongWay(id, "it asks a mock for an answer that the call is to have");
            return built[id];
        }

        void Arrange(long id, Type type, Dictionary<string, object> how)
        {
            constructing.Add(id);
            object o = Keep(id, Guarded(id, () => Construct(type, how)));
            constructing.Remove(id);
            made[id] = how;
            foreach (Dictionary<string, object> item in Json.List(how, "assigned")) Assign(id, o, item);
            foreach (Dictionary<string, object> call in Json.List(how, "calls"))
            {
                object result = Guarded(id, () => CallOn(built[id], call));
                if (!call.TryGetValue("gives", out object gives) || !(bool)gives) continue;
                if (result == null) throw new WrongWay(id, "a call gives nothing");
                ids.Remove(built[id]);
                Keep(id, result);
            }
        }

        /// A public instance method by its name and the types of its parameters.
        object CallOn(object target, Dictionary<string, object> call)
        {
            Type type = subject.FindType((string)call["type"]);
            Type[] parameters = Json.List(call, "parameters").Select(p => subject.FindType((string)p)).ToArray();
            // By hand: reflection cannot tell a generic method from a plain one with the same parameters.
            MethodInfo[] fitting = type.GetMethods(BindingFlags.Public | BindingFlags.Instance)
                .Where(m => m.Name == (string)call["method"] && !m.IsGenericMethodDefinition)
                .Where(m => m.GetParameters().Select(p => p.ParameterType).SequenceEqual(parameters)).ToArray();
            MethodInfo method = fitting.FirstOrDefault(m => m.DeclaringType == type) ?? fitting.FirstOrDefault()
                ?? throw new CannotRun("there is no such method of " + TypeName.Of(type));
            object[] arguments = Json.List(call, "arguments").Select((a, i) => Build(parameters[i], (Dictionary<string, object>)a)).ToArray();
            return method.Invoke(target, BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture);
        }

        Dictionary<string, object> Way(long id, Dictionary<string, object> one)
        {
            if (ways.Offers(id)) return ways.Of(id);
            return one.TryGetValue("new", out object construction) ? (Dictionary<string, object>)construction : null;
        }

        object Construct(Type type, Dictionary<string, object> construction)
        {
            Type[] parameters = Json.List(construction, "parameters").Select(p => subject.FindType((string)p)).ToArray();
            if (construction.TryGetValue("factory", out object factory)) return Factory((Dictionary<string, object>)factory, parameters, construction);
            ConstructorInfo constructor = type.GetConstructor(Fields, null, parameters, null) ?? throw new CannotRun("there is no such constructor of " + TypeName.Of(type));
            object[] arguments = Json.List(construction, "arguments").Select((a, i) => Build(parameters[i], (Dictionary<string, object>)a)).ToArray();
            return constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture);
        }

        /// What a method gives, or a property: a static one, or one of another object.
        object Factory(Dictionary<string, object> factory, Type[] parameters, Dictionary<string, object> construction)
        {
            Type type = subject.FindType((string)factory["type"]);
            Type[] generic = Json.List(factory, "generic_arguments").Select(p => subject.FindType((string)p)).ToArray();
            object[] arguments = Json.List(construction, "arguments").Select((a, i) => Build(parameters[i], (Dictionary<string, object>)a)).ToArray();
            string name = (string)factory["method"];
            object receiver = factory.TryGetValue("receiver", out object other) ? Build(type, (Dictionary<string, object>)other) : null;
            BindingFlags kind = receiver == null ? BindingFlags.Static : BindingFlags.Instance;
            if (type == typeof(Type) && name == "GetType") return subject.FindType((string)arguments[0]);
            foreach (MethodInfo declared in type.GetMethods(BindingFlags.Public | kind | BindingFlags.DeclaredOnly))
            {
                if (declared.Name != name || declared.GetGenericArguments().Length != generic.Length) continue;
                MethodInfo method = generic.Length > 0 ? declared.MakeGenericMethod(generic) : declared;
                if (!method.GetParameters().Select(p => p.ParameterType).SequenceEqual(parameters)) continue;
                return method.Invoke(receiver, BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture);
            }
            throw new CannotRun("there is no public " + name + " in " + TypeName.Of(type));
        }

        void Assign(long id, object target, Dictionary<string, object> item)
        {
            const BindingFlags declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;
            string name = (string)item["member"];
            var value = (Dictionary<string, object>)item["value"];
            for (Type type = target.GetType(); type != null; type = type.BaseType)
            {
                FieldInfo field = type.GetField(name, declared);
                PropertyInfo property = type.GetProperty(name, declared);
                if (field == null && property?.SetMethod == null) continue;
                Type wanted = field?.FieldType ?? property.PropertyType;
                Put(wanted, value, v => Guarded(id, () =>
                {
                    if (field != null) field.SetValue(target, v);
                    else property.SetMethod.Invoke(target, BindingFlags.DoNotWrapExceptions, null, new[] { v }, CultureInfo.InvariantCulture);
                    return null;
                }));
                return;
            }
            throw new CannotRun("there is no member " + name + " in " + TypeName.Of(target.GetType()));
        }

        /// What the code under test throws while an object is made says that it cannot be made so.
        static object Guarded(long id, Func<object> make)
        {
            try
            {
                return make();
            }
            catch (Exception e) when (!(e is WrongWay || e is CannotRun))
            {
                throw new WrongWay(id, e.GetType().Name + ": " + e.Message);
            }
        }

        /// Puts a value somewhere, now or once the object that it refers to is there.
        void Put(Type type, Dictionary<string, object> value, Action<object> put)
        {
            if (value.TryGetValue("object", out object id) && constructing.Contains((long)id)) later.Enqueue(() => put(Build(type, value)));
            else put(Build(type, value));
        }

        /// To be called when everything was built: closes cycles and looks whether every object is the wanted one.
        public void Complete()
        {
            while (later.Count > 0) later.Dequeue()();
            foreach (long id in built.Keys.OrderBy(id => id).ToList()) Check(id, built[id]);
        }

        void Check(long id, object o)
        {
            if (!written.TryGetValue(id, out var one) || !((string)one["kind"] == "object" || (string)one["kind"] == "mock")) return;
            foreach (Dictionary<string, object> field in Json.List(one, "fields"))
            {
                FieldInfo info = FindField(field);
                if (!IsThere((Dictionary<string, object>)field["value"], info.FieldType, info.GetValue(o)))
                {
                    throw new WrongWay(id, "its field " + info.Name + " differs");
                }
            }
        }

        bool IsThere(Dictionary<string, object> wanted, Type type, object there)
        {
            if (wanted.ContainsKey("null")) return there == null;
            if (!wanted.TryGetValue("object", out object id)) return Json.Write(Read(type, Build(type, wanted))) == Json.Write(Read(type, there));
            if (built.TryGetValue((long)id, out object known)) return ReferenceEquals(known, there) || (known is string text && text.Equals(there));
            // The constructor made it: it is the one if it looks like it.
            if (there == null || ids.ContainsKey(there) || !written.TryGetValue((long)id, out var one)) return false;
            Keep((long)id, there);
            return LooksLike(one, there, (long)id);
        }

        bool LooksLike(Dictionary<string, object> one, object there, long id)
        {
            switch ((string)one["kind"])
            {
                case "string": return there is string text && text == Text(one);
                case "boxed": return there.GetType().IsValueType && IsThere((Dictionary<string, object>)one["value"], there.GetType(), there);
                case "array": return there is Array array && ArrayLooksLike(one, array);
                case "mock": return false;
                case "collection": return there.GetType() == subject.FindType((string)one["type"]) && CollectionLooksLike(one, there);
                default:
                    if (there.GetType() != subject.FindType((string)one["type"])) return false;
                    Check(id, there);
                    return true;
            }
        }

        bool ArrayLooksLike(Dictionary<string, object> one, Array array)
        {
            if (array.GetType() != subject.FindType((string)one["type"])) return false;
            var lengths = Json.List(one, "lengths").Select(n => (int)(long)n);
            if (!lengths.SequenceEqual(Enumerable.Range(0, array.Rank).Select(array.GetLength))) return false;
            var listed = Json.List(one, "elements").Cast<Dictionary<string, object>>().ToList();
            Type element = array.GetType().GetElementType();
            object zero = element.IsValueType ? Uninitialized(element) : null;
            int plain = 0;
            foreach (object item in array) plain += Equals(item, zero) ? 0 : 1;
            // What is not listed is default.
            return plain <= listed.Count && listed.All(item =>
            {
                int[] at = Json.List(item, "at").Select(n => (int)(long)n).ToArray();
                return IsThere((Dictionary<string, object>)item["value"], element, array.GetValue(at));
            });
        }
    }
}
