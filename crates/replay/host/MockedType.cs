// The made-up class of a mock: which members it must have, and its IL, which asks `Answers` for everything.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Loader;
using System.Runtime.Serialization;

namespace System.Runtime.CompilerServices
{
    /// Known to the runtime by its name: internal types may be implemented.
    [AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
    public sealed class IgnoresAccessChecksToAttribute : Attribute
    {
        public IgnoresAccessChecksToAttribute(string assemblyName) { AssemblyName = assemblyName; }
        public string AssemblyName { get; }
    }
}

namespace Cilantro.Replay
{
    /// An abstract method that the made-up class implements.
    sealed class MockedMember
    {
        /// Of a generic method the definition.
        public MethodInfo Method;
        /// For the accessors of a property without parameters: its name.
        public string Property;
        public Type PropertyType;

        /// Both accessors of a property have the same.
        public string Key => TypeName.Of(Method.DeclaringType) + "::" + Property;
    }

    sealed class MockedType
    {
        const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;
        const BindingFlags Declared = Any | BindingFlags.Static | BindingFlags.DeclaredOnly;

        static readonly Dictionary<string, MockedType> known = new Dictionary<string, MockedType>();

        public readonly Type Of;
        public readonly List<MockedMember> Members = new List<MockedMember>();
        readonly Type emitted;

        public static MockedType For(Subject subject, string name, List<string> interfaces)
        {
            string key = name + "|" + string.Join("|", interfaces);
            if (!known.TryGetValue(key, out MockedType type))
            {
                type = known[key] = new MockedType(subject, subject.FindType(name), interfaces.Select(subject.FindType).ToArray());
            }
            return type;
        }

        bool IsDelegate => typeof(Delegate).IsAssignableFrom(Of);

        MockedType(Subject subject, Type of, Type[] further)
        {
            Of = of;
            if (IsDelegate) Members.Add(new MockedMember { Method = of.GetMethod("Invoke") });
            else if (of.IsSealed || of.IsValueType || of.IsByRefLike) throw new CannotRun(TypeName.Of(of) + " is sealed");
            bool isClass = !of.IsInterface && !IsDelegate;
            Type parent = isClass ? of : typeof(object);
            Type[] listed = (of.IsInterface ? further.Prepend(of) : further).ToArray();
            Type[] interfaces = listed.SelectMany(i => i.GetInterfaces().Prepend(i)).Distinct().Where(i => !i.IsAssignableFrom(parent)).ToArray();
            if (isClass) FindAbstract(parent);
            foreach (Type one in interfaces) FindAbstract(one, interfaces, parent);
            emitted = Emit(subject, parent, interfaces);
        }

        void FindAbstract(Type parent)
        {
            MethodInfo[] all = parent.GetMethods(Any);
            foreach (MethodInfo method in all.Where(m => m.IsAbstract))
            {
                // An override with a narrower result stands for the one it overrides.
                bool narrowed = all.Any(other => other != method && other.DeclaringType != method.DeclaringType && method.DeclaringType.IsAssignableFrom(other.DeclaringType)
                    && other.Name == method.Name && SameParameters(other, method)
                    && other.CustomAttributes.Any(a => a.AttributeType.Name == "PreserveBaseOverridesAttribute"));
                if (!narrowed) Add(method);
            }
        }

        void FindAbstract(Type one, Type[] interfaces, Type parent)
        {
            foreach (MethodInfo method in one.GetMethods(Declared).Where(m => m.IsAbstract))
            {
                // A public method of the base class, such as ToString, implements what looks like it.
                if (!method.IsStatic && parent.GetMethods().Any(m => m.IsVirtual && m.Name == method.Name && m.ReturnType == method.ReturnType && SameParameters(m, method))) continue;
                if (!interfaces.Any(other => other != one && one.IsAssignableFrom(other) && Implements(other, method))) Add(method);
            }
        }

        /// Whether an interface implements the method of another: only the name tells.
        static bool Implements(Type other, MethodInfo method)
        {
            string Start(string name) => name.Split('<', '`')[0].Replace('+', '.');
            return other.GetMethods(Declared).Any(m => !m.IsAbstract && m.IsPrivate && m.IsVirtual && m.Name.EndsWith("." + method.Name, StringComparison.Ordinal)
                && Start(m.Name.Substring(0, m.Name.Length - method.Name.Length - 1)) == Start(method.DeclaringType.FullName ?? method.DeclaringType.Name) && SameParameters(m, method));
        }

        static bool SameParameters(MethodInfo a, MethodInfo b)
        {
            return a.GetParameters().Select(p => TypeName.Of(p.ParameterType)).SequenceEqual(b.GetParameters().Select(p => TypeName.Of(p.ParameterType)));
        }

        void Add(MethodInfo method)
        {
            PropertyInfo property = method.DeclaringType.GetProperties(Declared).FirstOrDefault(p => Same(p.GetMethod, method) || Same(p.SetMethod, method));
            bool plain = property != null && property.GetIndexParameters().Length == 0;
            Members.Add(new MockedMember { Method = method, Property = plain ? property.Name : null, PropertyType = plain ? property.PropertyType : null });
        }

        static bool Same(MethodInfo a, MethodInfo b) => a != null && a.MetadataToken == b.MetadataToken && a.Module == b.Module;

        public MockedMember Find(Dictionary<string, object> call, Type[] generics)
        {
            string declaredIn = TypeName.Plain((string)call["declared_in"]), name = (string)call["method"];
            var parameters = Json.List(call, "parameters").Select(p => TypeName.Plain((string)p)).ToList();
            bool Fits(MockedMember member)
            {
                MethodInfo method = member.Method;
                if (method.Name != name || method.GetGenericArguments().Length != generics.Length) return false;
                if (generics.Length > 0) method = method.MakeGenericMethod(generics);
                return method.GetParameters().Select(p => TypeName.Of(p.ParameterType)).SequenceEqual(parameters);
            }
            var fitting = Members.Where(Fits).ToList();
            return fitting.FirstOrDefault(m => TypeName.Of(m.Method.DeclaringType) == declaredIn)
                ?? (fitting.Count == 1 ? fitting[0] : throw new CannotRun("no method " + name + " of " + declaredIn + " can be mocked"));
        }

        public ConstructorInfo Constructor(Type[] parameters)
        {
            return emitted.GetConstructor(parameters.Prepend(typeof(Answers)).ToArray());
        }

        /// Without running a constructor.
        public object Bare(Answers answers)
        {
            object o = FormatterServices.GetUninitializedObject(emitted);
            emitted.GetField("answers").SetValue(o, answers);
            return IsDelegate ? Delegate.CreateDelegate(Of, o, emitted.GetMethod("Invoke")) : o;
        }

        Type Emit(Subject subject, Type parent, Type[] interfaces)
        {
            var name = new AssemblyName("cilantro-mock-" + known.Count);
            // Names of assemblies must mean what they mean to the assembly under test.
            using (AssemblyLoadContext.GetLoadContext(subject.Assembly).EnterContextualReflection())
            {
                AssemblyBuilder assembly = AssemblyBuilder.DefineDynamicAssembly(name, AssemblyBuilderAccess.Run);
                ConstructorInfo ignores = typeof(System.Runtime.CompilerServices.IgnoresAccessChecksToAttribute).GetConstructors()[0];
                foreach (string other in Touched(parent, interfaces).Select(t => t.Assembly.GetName().Name).Append(subject.Assembly.GetName().Name).Distinct())
                {
                    assembly.SetCustomAttribute(new CustomAttributeBuilder(ignores, new object[] { other }));
                }
                TypeBuilder type = assembly.DefineDynamicModule(name.Name).DefineType("Mock", TypeAttributes.Public | TypeAttributes.Sealed | TypeAttributes.Class, parent, interfaces);
                FieldBuilder answers = type.DefineField("answers", typeof(Answers), FieldAttributes.Public);
                if (!IsDelegate) foreach (ConstructorInfo constructor in parent.GetConstructors(Any)) PassOn(type, answers, constructor);
                for (int i = 0; i < Members.Count; i++) new MemberEmitter(type, answers, Members[i], i).Emit(IsDelegate);
                return type.CreateTypeInfo();
            }
        }

        /// The types whose names the class needs.
        IEnumerable<Type> Touched(Type parent, Type[] interfaces)
        {
            var signatures = Members.SelectMany(m => m.Method.GetParameters().Select(p => p.ParameterType).Append(m.Method.ReturnType));
            for (Type t = parent; t != null; t = t.BaseType) yield return t;
            foreach (Type t in interfaces.Append(Of).Concat(signatures).SelectMany(Parts)) yield return t;
        }

        static IEnumerable<Type> Parts(Type type)
        {
            if (type.HasElementType) return Parts(type.GetElementType());
            if (type.IsGenericParameter) return Enumerable.Empty<Type>();
            return type.IsGenericType ? type.GetGenericArguments().SelectMany(Parts).Prepend(type) : new[] { type };
        }

        static void PassOn(TypeBuilder type, FieldBuilder answers, ConstructorInfo of)
        {
            Type[] parameters = of.GetParameters().Select(p => p.ParameterType).ToArray();
            ConstructorBuilder constructor = type.DefineConstructor(MethodAttributes.Public, CallingConventions.HasThis, parameters.Prepend(typeof(Answers)).ToArray());
            ILGenerator il = constructor.GetILGenerator();
            // First of all: the constructor may call what is mocked.
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Stfld, answers);
            il.Emit(OpCodes.Ldarg_0);
            for (int i = 0; i < parameters.Length; i++) il.Emit(OpCodes.Ldarg, (short)(i + 2));
            il.Emit(OpCodes.Call, of);
            il.Emit(OpCodes.Ret);
        }
    }
}
