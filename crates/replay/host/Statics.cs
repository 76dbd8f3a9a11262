// Static fields around a call: set before it, and put back after it as they were found.

using System;
using System.Collections.Generic;
using System.Reflection;

namespace Cilantro.Replay
{
    sealed class Statics
    {
        const BindingFlags Own = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

        readonly List<FieldInfo> all = new List<FieldInfo>();
        readonly List<(FieldInfo Field, object Found)> found = new List<(FieldInfo, object)>();
        readonly List<(Array Array, Array Copy)> elements = new List<(Array, Array)>();
        readonly List<(FieldInfo Field, object Value)> wanted = new List<(FieldInfo, object)>();

        /// Takes note of the fields as they are, before anything of the case is made.
        public Statics(Subject subject, List<object> fields)
        {
            foreach (Dictionary<string, object> one in fields)
            {
                FieldInfo field = Find(subject, one) ?? throw new CannotRun("there is no static field " + one["declaring"] + "." + one["name"]);
                all.Add(field);
                object value = field.GetValue(null);
                if (!one.ContainsKey("elements")) found.Add((field, value));
                else if (value is Array array) elements.Add((array, (Array)array.Clone()));
            }
        }

        public static FieldInfo Find(Subject subject, Dictionary<string, object> one)
        {
            return subject.FindType((string)one["declaring"]).GetField((string)one["name"], Own);
        }

        /// Makes the values that the fields are to have.
        public void Build(Heap heap, List<object> fields)
        {
            for (int i = 0; i < fields.Count; i++)
            {
                var one = (Dictionary<string, object>)fields[i];
                if (!one.TryGetValue("value", out object value) || value == null) continue;
                FieldInfo field = all[i];
                wanted.Add((field, heap.Build(field.FieldType, (Dictionary<string, object>)value)));
            }
        }

        /// Just before the call: making the objects of the case may have changed them.
        public void Set()
        {
            foreach (var one in wanted) one.Field.SetValue(null, one.Value);
        }

        public void PutBack()
        {
            foreach (var one in found) one.Field.SetValue(null, one.Found);
            foreach (var one in elements) Array.Copy(one.Copy, one.Array, one.Copy.Length);
        }
    }
}
