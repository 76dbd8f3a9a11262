//! The class that reaches what is not public. It is part of the generated project, once, and only when a test needs it.

/// The source of the class, in the given namespace.
pub fn reflected_class(namespace: &str) -> String {
    SOURCE.replace("$NAMESPACE", namespace)
}

// Plain C# 7: it must compile in old projects as well.
const SOURCE: &str = r#"using System;
using System.Linq;
using System.Reflection;
using System.Runtime.ExceptionServices;
using System.Runtime.Serialization;

namespace $NAMESPACE
{
    /// <summary>Reaches what is not public. Tests that use it say so.</summary>
    internal static class Reflected
    {
        private const BindingFlags Everything =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

        /// <summary>A type that is not public, by name and assembly.</summary>
        public static Type Type(string name)
        {
            return System.Type.GetType(name, true);
        }

        /// <summary>An object made without a constructor, with the given fields.</summary>
        public static T Make<T>(params (string Field, object Value)[] fields)
        {
            return (T)Make(typeof(T), fields);
        }

        public static object Make(Type type, params (string Field, object Value)[] fields)
        {
#pragma warning disable SYSLIB0050 // the way that exists in old and in new runtimes
            object made = FormatterServices.GetUninitializedObject(type);
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
        public static object Call(Type type, string name, Type[] parameters, object target, object[] arguments, Type[] typeArguments = null)
        {
            MethodBase method = type.GetMethods(Everything).Cast<MethodBase>().Concat(type.GetConstructors(Everything))
                .Where(m => m.Name == name)
                .Select(m => typeArguments == null || !m.IsGenericMethodDefinition ? m : ((MethodInfo)m).MakeGenericMethod(typeArguments))
                .First(m => m.GetParameters().Select(p => p.ParameterType).SequenceEqual(parameters));
            try
            {
                return method is ConstructorInfo constructor ? constructor.Invoke(arguments) : method.Invoke(target, arguments);
            }
            catch (TargetInvocationException e)
            {
                ExceptionDispatchInfo.Capture(e.InnerException).Throw();
                throw;
            }
        }

        /// <summary>What the action throws.</summary>
        public static Exception Thrown(Action action)
        {
            try
            {
                action();
            }
            catch (Exception e)
            {
                return e;
            }
            throw new InvalidOperationException("nothing was thrown");
        }

        /// <summary>The value of a static field.</summary>
        public static object GetStatic(Type type, string field)
        {
            return type.GetField(field, Everything).GetValue(null);
        }

        /// <summary>A field by its name, or as "Base::name" when a base class has it.</summary>
        private static FieldInfo Field(object target, string name)
        {
            int at = name.IndexOf("::", StringComparison.Ordinal);
            string declaring = at < 0 ? null : name.Substring(0, at);
            string simple = at < 0 ? name : name.Substring(at + 2);
            for (Type type = target.GetType(); type != null; type = type.BaseType)
            {
                FieldInfo field = type.GetField(simple, Everything);
                if (field != null && (declaring == null || type.Name == declaring))
                {
                    return field;
                }
            }
            throw new MissingFieldException(target.GetType().FullName, name);
        }
    }
}
"#;
