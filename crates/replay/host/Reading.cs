// Reading what is there after the call. Objects are read breadth first and only so many: the near ones matter.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;

namespace Cilantro.Replay
{
    sealed partial class Heap
    {
        const int MaxObjects = 2000;
        const int MaxElements = 100000;

        readonly Queue<object> unread = new Queue<object>();
        readonly HashSet<object> seen = new HashSet<object>(ByReference.Instance);

        /// The value of a location of the given type.
        public Dictionary<string, object> Read(Type type, object o)
        {
            if (Nullable.GetUnderlyingType(type) is Type inner) return ReadNullable(type, inner, o);
            if (o is SpanStub stub) return ReadSpan(type, stub.Over, stub.Start, stub.Length);
            if (SpanStub.IsMemory(type)) return ReadMemory(type, o);
            if (type.IsPointer) return Written("System.IntPtr", "value", PointerText(o));
            if (type.IsValueType) return ReadValueType(type, o);
            if (o == null) return new Dictionary<string, object> { ["null"] = true };
            if (!ids.TryGetValue(o, out long id))
            {
                id = nextId++;
                ids[o] = id;
            }
            if (seen.Add(o)) unread.Enqueue(o);
            return new Dictionary<string, object> { ["object"] = id };
        }

        /// Every object that the case brought may have changed, whether something still leads to it or not.
        public void ReadBuilt()
        {
            foreach (object o in built.OrderBy(pair => pair.Key).Select(pair => pair.Value)) Read(typeof(object), o);
        }

        /// The objects that the values read so far lead to.
        public List<object> ReadObjects()
        {
            var objects = new List<object>();
            int elements = 0;
            while (unread.Count > 0 && objects.Count < MaxObjects && elements < MaxElements)
            {
                object o = unread.Dequeue();
                var one = new Dictionary<string, object> { ["id"] = ids[o] };
                if (o is Array big) elements += big.Length;
                if (elements >= MaxElements) break;
                ReadObject(one, o);
                objects.Add(one);
            }
            return objects;
        }

        void ReadObject(Dictionary<string, object> one, object o)
        {
            Type type = o.GetType();
            if (o is string text)
            {
                one["kind"] = "string";
                if (IsWellFormed(text)) one["text"] = text;
                else one["utf16"] = text.Select(c => (object)(long)c).ToList();
            }
            else if (o is Array array)
            {
                one["kind"] = "array";
                one["type"] = TypeName.Of(type);
                ReadArray(one, array);
            }
            else if (type.IsValueType)
            {
                one["kind"] = "boxed";
                one["value"] = ReadValueType(type, o);
            }
            else if (!ReadMock(one, o) && !ReadCollection(one, o))
            {
                one["kind"] = "object";
                one["type"] = TypeName.Of(type);
                one["fields"] = ReadFields(type, o);
            }
        }

        void ReadArray(Dictionary<string, object> one, Array array)
        {
            int rank = array.Rank;
            int[] lower = Enumerable.Range(0, rank).Select(array.GetLowerBound).ToArray();
            one["lengths"] = Enumerable.Range(0, rank).Select(d => (object)(long)array.GetLength(d)).ToList();
            if (lower.Any(b => b != 0)) one["lower_bounds"] = lower.Select(b => (object)(long)b).ToList();
            Type element = array.GetType().GetElementType();
            var items = new List<object>();
            int[] at = (int[])lower.Clone();
            for (int n = 0; n < array.Length; n++)
            {
                items.Add(new Dictionary<string, object>
                {
                    ["at"] = at.Select(i => (object)(long)i).ToList(),
                    ["value"] = Read(element, array.GetValue(at)),
                });
                for (int d = rank - 1; d >= 0 && ++at[d] > array.GetUpperBound(d); d--) at[d] = lower[d];
            }
            one["elements"] = items;
        }

        Dictionary<string, object> ReadValueType(Type type, object o)
        {
            string name = TypeName.Of(type);
            if (type.IsEnum) return Written(name, "enum", EnumText(o));
            string scalar = ScalarText(o);
            return scalar != null ? Written(name, "value", scalar) : Written(name, "fields", ReadFields(type, o));
        }

        Dictionary<string, object> ReadNullable(Type type, Type inner, object o)
        {
            string name = TypeName.Of(type);
            var fields = new List<object> { Field("hasValue", name, Written("System.Boolean", "value", o != null ? "true" : "false")) };
            if (o != null) fields.Add(Field("value", name, Read(inner, o)));
            return Written(name, "fields", fields);
        }

        List<object> ReadFields(Type type, object o)
        {
            var fields = new List<object>();
            for (Type t = type; t != null && t != typeof(object) && t != typeof(ValueType); t = t.BaseType)
            {
                // The order of GetFields is that of the metadata only by habit.
                foreach (FieldInfo field in t.GetFields(Fields).OrderBy(f => f.MetadataToken))
                {
                    if (IsByRefLike(field.FieldType) || field.FieldType.IsByRef) continue;
                    fields.Add(Field(field.Name, TypeName.Of(t), Read(field.FieldType, field.GetValue(o))));
                }
            }
            return fields;
        }

        static Dictionary<string, object> Field(string name, string declaring, Dictionary<string, object> value)
        {
            return new Dictionary<string, object> { ["name"] = name, ["declaring"] = declaring, ["value"] = value };
        }

        static Dictionary<string, object> Written(string type, string kind, object value)
        {
            return new Dictionary<string, object> { ["type"] = type, [kind] = value };
        }

        static string EnumText(object o)
        {
            return Convert.ToString(Convert.ChangeType(o, Enum.GetUnderlyingType(o.GetType()), CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
        }

        static string ScalarText(object o)
        {
            var culture = CultureInfo.InvariantCulture;
            switch (o)
            {
                case bool v: return v ? "true" : "false";
                case char v: return ((ushort)v).ToString(culture);
                case float v: return "0x" + BitConverter.SingleToInt32Bits(v).ToString("x8", culture);
                case double v: return "0x" + BitConverter.DoubleToInt64Bits(v).ToString("x16", culture);
                case IntPtr v: return ((long)v).ToString(culture);
                case UIntPtr v: return ((ulong)v).ToString(culture);
                case sbyte _: case byte _: case short _: case ushort _: case int _: case uint _: case long _: case ulong _:
                    return Convert.ToString(o, culture);
                default: return null;
            }
        }

        static unsafe string PointerText(object o)
        {
            return ((long)Pointer.Unbox((Pointer)o)).ToString(CultureInfo.InvariantCulture);
        }

        static bool IsWellFormed(string text)
        {
            for (int i = 0; i < text.Length; i++)
            {
                if (!char.IsSurrogate(text[i])) continue;
                if (i + 1 == text.Length || !char.IsSurrogatePair(text[i], text[i + 1])) return false;
                i++;
            }
            return true;
        }
    }
}
