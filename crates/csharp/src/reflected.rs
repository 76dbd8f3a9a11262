//! The class that reaches what is not public. It is part of the generated project, once, and only when a test needs it.

/// The source of the class, in the given namespace.
pub fn reflected_class(namespace: &str) -> String {
    SOURCE.replace("$NAMESPACE", namespace)
}

// Plain C# 7: it must compile in old projects as well. Every name is written in full and no extension method is called:
// the tests live inside the user's namespaces, where `Type` or `Cast` may be theirs.
const SOURCE: &str = r#"namespace $NAMESPACE
{
    /// <summary>Reaches what is not public. Tests that use it say so.</summary>
    internal static class Reflected
    {
        private const global::System.Reflection.BindingFlags Everything =
            global::System.Reflection.BindingFlags.Public | global::System.Reflection.BindingFlags.NonPublic
            | global::System.Reflection.BindingFlags.Instance | global::System.Reflection.BindingFlags.Static
            | global::System.Reflection.BindingFlags.DeclaredOnly;

        /// <summary>A type that is not public, by name and assembly.</summary>
        public static global::System.Type Type(string name)
        {
            return global::System.Type.GetType(name, true);
        }

        /// <summary>An object made without a constructor, with the given fields.</summary>
        public static T Make<T>(params (string Field, object Value)[] fields)
        {
            return (T)Make(typeof(T), fields);
        }

        public static object Make(global::System.Type type, params (string Field, object Value)[] fields)
        {
#pragma warning disable SYSLIB0050 // the way that exists in old and in new runtimes
            object made = global::System.Runtime.Serialization.FormatterServices.GetUninitializedObject(type);
#pragma warning restore SYSLIB0050
            foreach (var field in fields)
            {
                Set(made, field.Field, field.Value);
            }
            return made;
        }

        public static void Set(object target, string field, object value)
        {
            Field(target, field).SetValue(target, value);
        }

        public static object Get(object target, string field)
        {
            return Field(target, field).GetValue(target);
        }

        /// <summary>Calls a method or a constructor; what it throws comes out as it is.</summary>
        public static object Call(
            global::System.Type type, string name, global::System.Type[] parameters, object target, object[] arguments,
            global::System.Type[] typeArguments = null)
        {
            global::System.Reflection.MethodBase method = Method(type, name, parameters, typeArguments);
            try
            {
                return method is global::System.Reflection.ConstructorInfo constructor
                    ? constructor.Invoke(arguments)
                    : method.Invoke(target, arguments);
            }
            catch (global::System.Reflection.TargetInvocationException e)
            {
                global::System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(e.InnerException).Throw();
                throw;
            }
        }

        /// <summary>What the action throws.</summary>
        public static global::System.Exception Thrown(global::System.Action action)
        {
            try
            {
                action();
            }
            catch (global::System.Exception e)
            {
                return e;
            }
            throw new global::System.InvalidOperationException("nothing was thrown");
        }

        /// <summary>The items of a sequence, in a list of this type; one that goes on is left after so many.</summary>
        public static object Items(global::System.Type list, object sequence, int atMost)
        {
            var items = (global::System.Collections.IList)global::System.Activator.CreateInstance(list);
            global::System.Collections.IEnumerator position = ((global::System.Collections.IEnumerable)sequence).GetEnumerator();
            try
            {
                while (items.Count < atMost && position.MoveNext()) items.Add(position.Current);
            }
            finally
            {
                (position as global::System.IDisposable)?.Dispose();
            }
            return items;
        }

        /// <summary>The value of a static field.</summary>
        public static object GetStatic(global::System.Type type, string field)
        {
            return type.GetField(field, Everything).GetValue(null);
        }

        public static void SetStatic(global::System.Type type, string field, object value)
        {
            type.GetField(field, Everything).SetValue(null, value);
        }

        private static global::System.Reflection.MethodBase Method(
            global::System.Type type, string name, global::System.Type[] parameters, global::System.Type[] typeArguments)
        {
            foreach (global::System.Reflection.MemberInfo member in type.GetMember(name, Everything))
            {
                var method = member as global::System.Reflection.MethodBase;
                method = method != null && typeArguments != null ? Instantiated(method, typeArguments) : method;
                if (method != null && !method.IsGenericMethodDefinition && Takes(method, parameters))
                {
                    return method;
                }
            }
            throw new global::System.MissingMethodException(type.FullName, name);
        }

        /// <summary>The method with the type arguments; null when it cannot have them.</summary>
        private static global::System.Reflection.MethodBase Instantiated(
            global::System.Reflection.MethodBase method, global::System.Type[] typeArguments)
        {
            if (!method.IsGenericMethodDefinition || method.GetGenericArguments().Length != typeArguments.Length)
            {
                return null;
            }
            try
            {
                return ((global::System.Reflection.MethodInfo)method).MakeGenericMethod(typeArguments);
            }
            catch (global::System.ArgumentException)
            {
                // An overload whose constraints they violate.
                return null;
            }
        }

        private static bool Takes(global::System.Reflection.MethodBase method, global::System.Type[] parameters)
        {
            global::System.Reflection.ParameterInfo[] own = method.GetParameters();
            bool same = own.Length == parameters.Length;
            for (int i = 0; same && i < own.Length; i++)
            {
                same = own[i].ParameterType == parameters[i];
            }
            return same;
        }

        /// <summary>A field by its name, or as "Base::name" when a base class has it.</summary>
        private static global::System.Reflection.FieldInfo Field(object target, string name)
        {
            int at = name.IndexOf("::", global::System.StringComparison.Ordinal);
            string declaring = at < 0 ? null : name.Substring(0, at);
            string simple = at < 0 ? name : name.Substring(at + 2);
            for (global::System.Type type = target.GetType(); type != null; type = type.BaseType)
            {
                global::System.Reflection.FieldInfo field = type.GetField(simple, Everything);
                if (field != null && (declaring == null || type.Name == declaring))
                {
                    return field;
                }
            }
            throw new global::System.MissingFieldException(target.GetType().FullName, name);
        }
    }
}
"#;
