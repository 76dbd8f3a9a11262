// Rows of data that a test takes from a member or a class.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Cilantro.Verify.Running
{
    static class DataSources
    {
        const BindingFlags Anywhere = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.FlattenHierarchy;

        /// A static field, property or method of this name; instance members too where an instance is there.
        public static IEnumerable Member(Type type, string name, object[] arguments, Func<object> instance = null)
        {
            BindingFlags flags = instance == null ? Anywhere : Anywhere | BindingFlags.Instance;
            for (Type owner = type; owner != null; owner = owner.BaseType)
            {
                if (owner.GetProperty(name, flags) is PropertyInfo property)
                {
                    return Items(property.GetValue(property.GetMethod.IsStatic ? null : instance()));
                }
                if (owner.GetField(name, flags) is FieldInfo field)
                {
                    return Items(field.GetValue(field.IsStatic ? null : instance()));
                }
                MethodInfo method = owner.GetMethods(flags).FirstOrDefault(m => m.Name == name && Takes(m, arguments));
                if (method != null)
                {
                    return Items(Invocation.Call(method, method.IsStatic ? null : instance(), arguments));
                }
            }
            throw new ArgumentException("There is no member " + name + " in " + type + ".");
        }

        public static IEnumerable Class(Type type) => Items(Invocation.Create(type));

        static bool Takes(MethodInfo method, object[] arguments)
        {
            ParameterInfo[] parameters = method.GetParameters();
            return parameters.Length >= arguments.Length && parameters.Skip(arguments.Length).All(p => p.IsOptional);
        }

        static IEnumerable Items(object data)
        {
            data = Invocation.Awaited(data);
            if (data is IEnumerable items)
            {
                return items;
            }
            throw new ArgumentException("The data is no sequence.");
        }

        /// One item as arguments: an array of them, a tuple, a row object with `GetData()` or `Arguments`, or a value.
        public static Row AsRow(object item, int parameters)
        {
            switch (item)
            {
                case object[] many:
                    return new Row { Arguments = many };
                case ITuple tuple when parameters > 1:
                    return new Row { Arguments = Enumerable.Range(0, tuple.Length).Select(i => tuple[i]).ToArray() };
                case null:
                    return new Row { Arguments = new object[] { null } };
            }
            if (item.GetType().GetMethod("GetData", Type.EmptyTypes) is MethodInfo method && method.ReturnType == typeof(object[]))
            {
                var skip = item.GetType().GetProperty("Skip")?.GetValue(item) as string;
                return new Row { Arguments = (object[])method.Invoke(item, null), Skip = skip };
            }
            if (item.GetType().GetProperty("Arguments")?.GetValue(item) is object[] arguments)
            {
                return WithExpected(item, new Row { Arguments = arguments });
            }
            return new Row { Arguments = new[] { item } };
        }

        static Row WithExpected(object item, Row row)
        {
            row.HasExpected = item.GetType().GetProperty("HasExpectedResult")?.GetValue(item) is true;
            row.Expected = row.HasExpected ? item.GetType().GetProperty("ExpectedResult").GetValue(item) : null;
            return row;
        }
    }
}
