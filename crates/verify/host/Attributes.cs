// Reads attributes by the names of their classes.

using System;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Linq;
using System.Reflection;

namespace Cilantro.Verify.Running
{
    static class Attributes
    {
        /// The attributes of these classes, or of classes derived from them.
        public static IEnumerable<CustomAttributeData> Of(MemberInfo member, params string[] names) =>
            member.GetCustomAttributesData().Where(data => Is(data.AttributeType, names));

        public static IEnumerable<CustomAttributeData> Of(ParameterInfo parameter, params string[] names) =>
            parameter.GetCustomAttributesData().Where(data => Is(data.AttributeType, names));

        public static bool Is(Type type, params string[] names)
        {
            for (; type != null; type = type.BaseType)
            {
                string name = type.IsGenericType ? type.GetGenericTypeDefinition().FullName : type.FullName;
                if (names.Contains(name))
                {
                    return true;
                }
            }
            return false;
        }

        /// `Skip = "…"` and the like; the given value when nothing is said.
        public static object Named(CustomAttributeData data, string name, object otherwise = null)
        {
            foreach (CustomAttributeNamedArgument argument in data.NamedArguments)
            {
                if (argument.MemberName == name)
                {
                    return Value(argument.TypedValue);
                }
            }
            return otherwise;
        }

        public static bool Says(CustomAttributeData data, string name) =>
            data.NamedArguments.Any(argument => argument.MemberName == name);

        /// The constructor's arguments; those of a `params` array one by one.
        public static object[] Positional(CustomAttributeData data)
        {
            var values = new List<object>();
            ParameterInfo[] parameters = data.Constructor.GetParameters();
            for (int i = 0; i < data.ConstructorArguments.Count; i++)
            {
                object value = Value(data.ConstructorArguments[i]);
                bool isParams = i == parameters.Length - 1 && parameters[i].IsDefined(typeof(ParamArrayAttribute), false);
                if (isParams && value is Array array)
                {
                    values.AddRange(array.Cast<object>());
                }
                else if (isParams)
                {
                    // `[InlineData(null)]` gives no array; what is meant is one null.
                    values.Add(null);
                }
                else
                {
                    values.Add(value);
                }
            }
            return values.ToArray();
        }

        public static object Value(CustomAttributeTypedArgument argument)
        {
            if (argument.Value is ReadOnlyCollection<CustomAttributeTypedArgument> items)
            {
                Array array = Array.CreateInstance(argument.ArgumentType.GetElementType(), items.Count);
                for (int i = 0; i < items.Count; i++)
                {
                    array.SetValue(Value(items[i]), i);
                }
                return array;
            }
            bool isEnum = argument.ArgumentType.IsEnum && argument.Value != null;
            return isEnum ? Enum.ToObject(argument.ArgumentType, argument.Value) : argument.Value;
        }
    }
}
