// Collections of the framework, by what is in them.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Cilantro.Replay
{
    sealed partial class Heap
    {
        /// The method that adds one item (or a key and a value), by the definition of the collection.
        static readonly Dictionary<string, string> Adding = new Dictionary<string, string>
        {
            ["System.Collections.Generic.List`1"] = "Add",
            ["System.Collections.Generic.HashSet`1"] = "Add",
            ["System.Collections.Generic.SortedSet`1"] = "Add",
            ["System.Collections.Generic.LinkedList`1"] = "AddLast",
            ["System.Collections.Generic.Queue`1"] = "Enqueue",
            ["System.Collections.Generic.Stack`1"] = "Push",
            ["System.Collections.Generic.Dictionary`2"] = "Add",
            ["System.Collections.Generic.SortedDictionary`2"] = "Add",
            ["System.Collections.Generic.SortedList`2"] = "Add",
        };

        static string AddingOf(Type type)
        {
            return type.IsGenericType && Adding.TryGetValue(type.GetGenericTypeDefinition().FullName, out string name) ? name : null;
        }

        object Collection(long id, Dictionary<string, object> one)
        {
            Type type = subject.FindType((string)one["type"]);
            string name = AddingOf(type) ?? throw new CannotRun("collections of type " + TypeName.Of(type) + " are not known here");
            Type[] arguments = type.GetGenericArguments();
            MethodInfo add = type.GetMethod(name, arguments);
            object collection = Keep(id, Activator.CreateInstance(type));
            IEnumerable<object> items = Json.List(one, "items");
            // The top of a stack is what was pushed last.
            if (name == "Push") items = items.Reverse();
            foreach (Dictionary<string, object> item in items)
            {
                object value = Build(arguments.Last(), (Dictionary<string, object>)item["value"]);
                object[] given = arguments.Length == 2 ? new[] { Build(arguments[0], (Dictionary<string, object>)item["key"]), value } : new[] { value };
                object added = add.Invoke(collection, BindingFlags.DoNotWrapExceptions, null, given, null);
                if (added is bool isNew && !isNew) throw new CannotRun("an item is twice in a set");
            }
            return collection;
        }

        bool CollectionLooksLike(Dictionary<string, object> one, object there)
        {
            Type[] arguments = there.GetType().GetGenericArguments();
            List<object> wanted = Json.List(one, "items");
            List<object> found = ((IEnumerable)there).Cast<object>().ToList();
            return wanted.Count == found.Count && wanted.Cast<Dictionary<string, object>>().Zip(found, (w, f) =>
            {
                object value = arguments.Length == 2 ? Part(f, "Value") : f;
                bool key = arguments.Length == 1 || IsThere((Dictionary<string, object>)w["key"], arguments[0], Part(f, "Key"));
                return key && IsThere((Dictionary<string, object>)w["value"], arguments.Last(), value);
            }).All(same => same);
        }

        /// False when the type is no known collection, or this one is broken.
        bool ReadCollection(Dictionary<string, object> one, object o)
        {
            Type type = o.GetType();
            if (AddingOf(type) == null) return false;
            List<object> found;
            try
            {
                found = ((IEnumerable)o).Cast<object>().Take(MaxElements).ToList();
            }
            catch (Exception)
            {
                return false;
            }
            Type[] arguments = type.GetGenericArguments();
            one["kind"] = "collection";
            one["type"] = TypeName.Of(type);
            one["items"] = found.Select(item =>
            {
                var entry = new Dictionary<string, object>();
                if (arguments.Length == 2) entry["key"] = Read(arguments[0], Part(item, "Key"));
                entry["value"] = Read(arguments.Last(), arguments.Length == 2 ? Part(item, "Value") : item);
                return (object)entry;
            }).ToList();
            return true;
        }

        static object Part(object pair, string name) => pair.GetType().GetProperty(name).GetValue(pair);
    }
}
