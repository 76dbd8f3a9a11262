// Values of a case to objects of the runtime and back. Every object of the case keeps its id.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;

namespace Cilantro.Replay
{
    sealed partial class Heap
    {
        const BindingFlags Fields = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;

        readonly Subject subject;
        readonly Dictionary<long, Dictionary<string, object>> written = new Dictionary<long, Dictionary<string, object>>();
        readonly Dictionary<long, object> built = new Dictionary<long, object>();
        readonly Dictionary<object, long> ids = new Dictionary<object, long>(ByReference.Instance);
        readonly Ways ways;
        long nextId = 1;

        public Heap(Subject subject, List<object> objects, Ways ways)
        {
            this.subject = subject;
            this.ways = ways;
            foreach (Dictionary<string, object> one in objects)
            {
                long id = (long)one["id"];
                written[id] = one;
                nextId = Math.Max(nextId, id + 1);
            }
        }

        /// The value as an object: boxed when it is of a value type; a Nullable is its value or null.
        public object Build(Type type, Dictionary<string, object> value)
        {
            if (value.ContainsKey("null")) return null;
            if (value.TryGetValue("object", out object id)) return Referred((long)id);
            if (value.TryGetValue("value", out object text)) return Scalar(type, (string)value["type"], (string)text);
            Type exact = subject.FindType((string)value["type"]);
            if (value.TryGetValue("enum", out object number)) return EnumValue(exact, (string)number);
            if (value.TryGetValue("span", out object span)) return SpanValue(exact, (Dictionary<string, object>)span);
            return Struct(exact, (List<object>)value["fields"]);
        }

        object Referred(long id)
        {
            if (built.TryGetValue(id, out object known)) return known;
            if (constructing.Contains(id)) throw new WrongWay(constructing.Last(), "its construction needs itself");
            if (!written.TryGetValue(id, out var one)) throw new CannotRun("the case has no object " + id);
            switch ((string)one["kind"])
            {
                case "string": return Keep(id, Text(one));
                case "boxed": return Keep(id, Build(typeof(object), (Dictionary<string, object>)one["value"]));
                case "array": return Array(id, one);
                case "object": return Instance(id, one);
                case "collection": return Collection(id, one);
                case "mock": return Mock(id, one);
                default: throw new CannotRun("objects of kind " + one["kind"] + " are not known here");
            }
        }

        object Keep(long id, object o)
        {
            built[id] = o;
            if (o != null) ids[o] = id;
            return o;
        }

        static string Text(Dictionary<string, object> one)
        {
            // A fresh copy: the identity of strings must not come from interning.
            if (one.TryGetValue("text", out object text)) return new string(((string)text).ToCharArray());
            return new string(Json.List(one, "utf16").Select(unit => (char)(long)unit).ToArray());
        }

        object Array(long id, Dictionary<string, object> one)
        {
            Type type = subject.FindType((string)one["type"]);
            Type element = type.GetElementType();
            int[] lengths = Json.List(one, "lengths").Select(n => checked((int)(long)n)).ToArray();
            int[] bounds = Json.List(one, "lower_bounds").Select(n => checked((int)(long)n)).ToArray();
            Array array = bounds.Length == lengths.Length && bounds.Any(b => b != 0)
                ? System.Array.CreateInstance(element, lengths, bounds) : System.Array.CreateInstance(element, lengths);
            Keep(id, array);
            foreach (Dictionary<string, object> item in Json.List(one, "elements"))
            {
                int[] at = Json.List(item, "at").Select(n => checked((int)(long)n)).ToArray();
                Put(element, (Dictionary<string, object>)item["value"], value => array.SetValue(value, at));
            }
            return array;
        }

        object Struct(Type type, List<object> fields)
        {
            if (Nullable.GetUnderlyingType(type) is Type inner) return NullableValue(inner, fields);
            object box = Uninitialized(type);
            foreach (Dictionary<string, object> field in fields)
            {
                FieldInfo info = FindField(field);
                info.SetValue(box, Build(info.FieldType, (Dictionary<string, object>)field["value"]));
            }
            return box;
        }

        object NullableValue(Type inner, List<object> fields)
        {
            object result = null;
            bool hasValue = false;
            foreach (Dictionary<string, object> field in fields)
            {
                var value = (Dictionary<string, object>)field["value"];
                if ((string)field["name"] == "hasValue") hasValue = (bool)Build(typeof(bool), value);
                else result = Build(inner, value);
            }
            return hasValue ? result ?? Uninitialized(inner) : null;
        }

        FieldInfo FindField(Dictionary<string, object> field)
        {
            string name = (string)field["name"];
            Type declaring = subject.FindType((string)field["declaring"]);
            return declaring.GetField(name, Fields) ?? throw new CannotRun("there is no field " + name + " in " + TypeName.Of(declaring));
        }

        void SetFields(object target, List<object> fields)
        {
            foreach (Dictionary<string, object> field in fields)
            {
                FieldInfo info = FindField(field);
                Put(info.FieldType, (Dictionary<string, object>)field["value"],
                    value => info.SetValue(target, value, BindingFlags.Default, null, CultureInfo.InvariantCulture));
            }
        }

        static object Uninitialized(Type type)
        {
            if (IsByRefLike(type)) throw new CannotRun(TypeName.Of(type) + " lives only on the stack");
            if (IsBuffer(type)) throw new CannotRun(TypeName.Of(type) + " is a fixed-size buffer");
            return FormatterServices.GetUninitializedObject(type);
        }

        static object EnumValue(Type type, string number)
        {
            return number.StartsWith("-", StringComparison.Ordinal)
                ? Enum.ToObject(type, long.Parse(number, CultureInfo.InvariantCulture))
                : Enum.ToObject(type, ulong.Parse(number, CultureInfo.InvariantCulture));
        }

        static object Scalar(Type wanted, string type, string text)
        {
            var culture = CultureInfo.InvariantCulture;
            switch (type)
            {
                case "System.Boolean": return text == "true";
                case "System.Char": return (char)ushort.Parse(text, culture);
                case "System.SByte": return sbyte.Parse(text, culture);
                case "System.Byte": return byte.Parse(text, culture);
                case "System.Int16": return short.Parse(text, culture);
                case "System.UInt16": return ushort.Parse(text, culture);
                case "System.Int32": return int.Parse(text, culture);
                case "System.UInt32": return uint.Parse(text, culture);
                case "System.Int64": return long.Parse(text, culture);
                case "System.UInt64": return ulong.Parse(text, culture);
                case "System.IntPtr": return new IntPtr(long.Parse(text, culture));
                case "System.UIntPtr": return new UIntPtr(ulong.Parse(text, culture));
                case "System.Single": return BitConverter.Int32BitsToSingle((int)uint.Parse(text.Substring(2), NumberStyles.HexNumber, culture));
                case "System.Double": return BitConverter.Int64BitsToDouble((long)ulong.Parse(text.Substring(2), NumberStyles.HexNumber, culture));
                default: throw new CannotRun("values of " + type + " are not known here");
            }
        }

        // Attributes by name: the newer ones are not in the oldest runtime this program runs on.
        public static bool IsByRefLike(Type type) => type.IsByRefLike;

        static bool IsBuffer(Type type)
        {
            return type.CustomAttributes.Any(a => a.AttributeType.FullName == "System.Runtime.CompilerServices.InlineArrayAttribute"
                || a.AttributeType.FullName == "System.Runtime.CompilerServices.UnsafeValueTypeAttribute");
        }
    }

    sealed class ByReference : IEqualityComparer<object>
    {
        public static readonly ByReference Instance = new ByReference();
        bool IEqualityComparer<object>.Equals(object a, object b) => ReferenceEquals(a, b);
        int IEqualityComparer<object>.GetHashCode(object o) => RuntimeHelpers.GetHashCode(o);
    }
}
