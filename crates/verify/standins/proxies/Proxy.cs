// Objects of classes made at run time: every member that can be overridden asks a handler what to do.

#nullable disable

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Cilantro.Proxies
{
    public interface IHandler
    {
        /// What a call gives; `Proxy.CallBase` where the class's own code is to run. Elements of `arguments` may be set for `ref` and `out`.
        object Handle(object self, MethodInfo method, object[] arguments, bool hasBase);
    }

    public static class Proxy
    {
        public static readonly object CallBase = new object();

        // Weak: types of a context that is unloaded must not be held.
        static readonly ConditionalWeakTable<Type, Type> made = new ConditionalWeakTable<Type, Type>();

        public static object Create(Type type, IHandler handler, object[] arguments)
        {
            Type proxy = made.GetValue(type, t => new ProxyType(t).Make());
            object[] all = new object[] { handler }.Concat(arguments ?? new object[0]).ToArray();
            return Activator.CreateInstance(proxy, BindingFlags.Public | BindingFlags.Instance | BindingFlags.DoNotWrapExceptions, null, all, null);
        }

        /// The handler of an object that was made here; null for any other.
        public static IHandler HandlerOf(object proxy) => proxy?.GetType().GetField(ProxyType.HandlerField)?.GetValue(proxy) as IHandler;

        /// Called by the made classes.
        public static object Invoke(IHandler handler, object self, RuntimeMethodHandle method, RuntimeTypeHandle type, object[] arguments, bool hasBase)
        {
            var called = (MethodInfo)MethodBase.GetMethodFromHandle(method, type);
            // A constructor of the base class may call before there is a handler.
            object result = handler == null && hasBase ? CallBase : handler?.Handle(self, called, arguments, hasBase);
            bool wantsValue = called.ReturnType.IsValueType && called.ReturnType != typeof(void);
            return result ?? (wantsValue && Nullable.GetUnderlyingType(called.ReturnType) == null ? Activator.CreateInstance(called.ReturnType) : null);
        }

        public static Type ElementType(Type type) => type.IsByRef ? type.GetElementType() : type;
    }

    sealed class ProxyType
    {
        public const string HandlerField = "cilantro_handler";

        // In the load context of the type: names are looked up there.
        static readonly ConditionalWeakTable<Assembly, ModuleBuilder> modules = new ConditionalWeakTable<Assembly, ModuleBuilder>();
        static int count;

        static ModuleBuilder ModuleFor(Assembly assembly)
        {
            using (AssemblyLoadContext.EnterContextualReflection(assembly))
            {
                var name = new AssemblyName("DynamicProxyGenAssembly2");
                return AssemblyBuilder.DefineDynamicAssembly(name, AssemblyBuilderAccess.RunAndCollect).DefineDynamicModule("Proxies");
            }
        }

        readonly Type type;
        readonly TypeBuilder builder;
        readonly FieldBuilder handler;

        public ProxyType(Type type)
        {
            this.type = type;
            ModuleBuilder module = modules.GetValue(type.Assembly, ModuleFor);
            string name = "Proxy" + System.Threading.Interlocked.Increment(ref count) + "Of" + type.Name;
            builder = module.DefineType(name, TypeAttributes.Public | TypeAttributes.Class, type.IsInterface ? typeof(object) : type);
            handler = builder.DefineField(HandlerField, typeof(IHandler), FieldAttributes.Public);
        }

        public Type Make()
        {
            if (type.IsInterface)
            {
                builder.AddInterfaceImplementation(type);
                foreach (Type face in new[] { type }.Concat(type.GetInterfaces()))
                {
                    builder.AddInterfaceImplementation(face);
                    Implement(face.GetMethods(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance));
                }
            }
            else
            {
                const BindingFlags all = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;
                Implement(type.GetMethods(all).Where(method => method.IsVirtual && !method.IsFinal && (method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly) && method.Name != "Finalize"));
            }
            foreach (ConstructorInfo constructor in Constructors())
            {
                AddConstructor(constructor);
            }
            return builder.CreateTypeInfo().AsType();
        }

        IEnumerable<ConstructorInfo> Constructors() =>
            (type.IsInterface ? typeof(object) : type).GetConstructors(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)
                .Where(constructor => constructor.IsPublic || constructor.IsFamily || constructor.IsFamilyOrAssembly);

        void AddConstructor(ConstructorInfo inner)
        {
            Type[] parameters = inner.GetParameters().Select(parameter => parameter.ParameterType).ToArray();
            Type[] all = new[] { typeof(IHandler) }.Concat(parameters).ToArray();
            ILGenerator il = builder.DefineConstructor(MethodAttributes.Public, CallingConventions.HasThis, all).GetILGenerator();
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Stfld, handler);
            il.Emit(OpCodes.Ldarg_0);
            for (int i = 0; i < parameters.Length; i++)
            {
                il.Emit(OpCodes.Ldarg, i + 2);
            }
            il.Emit(OpCodes.Call, inner);
            il.Emit(OpCodes.Ret);
        }

        void Implement(IEnumerable<MethodInfo> methods)
        {
            foreach (MethodInfo method in methods.Where(method => method.IsVirtual && CanBoxAll(method)))
            {
                Implement(method);
            }
        }

        /// What cannot be an object cannot be handed to anybody; such members stay as they are.
        static bool CanBoxAll(MethodInfo method)
        {
            bool CanBox(Type t) => !t.IsPointer && !(t.IsByRef ? t.GetElementType() : t).IsByRefLike;
            return !method.ReturnType.IsByRef && CanBox(method.ReturnType) && method.GetParameters().All(parameter => CanBox(parameter.ParameterType));
        }

        void Implement(MethodInfo method)
        {
            ParameterInfo[] parameters = method.GetParameters();
            MethodAttributes access = type.IsInterface ? MethodAttributes.Private | MethodAttributes.NewSlot | MethodAttributes.Final : method.Attributes & MethodAttributes.MemberAccessMask & ~MethodAttributes.Assembly | Protected(method);
            string name = type.IsInterface ? method.DeclaringType.FullName + "." + method.Name : method.Name;
            MethodBuilder made = builder.DefineMethod(name, access | MethodAttributes.Virtual | MethodAttributes.HideBySig, CallingConventions.HasThis);
            MethodInfo called = WithTypeParameters(method, made);
            made.SetReturnType(called.ReturnType);
            made.SetSignature(
                called.ReturnType, method.ReturnParameter.GetRequiredCustomModifiers(), method.ReturnParameter.GetOptionalCustomModifiers(),
                called.GetParameters().Select(parameter => parameter.ParameterType).ToArray(),
                parameters.Select(parameter => parameter.GetRequiredCustomModifiers()).ToArray(),
                parameters.Select(parameter => parameter.GetOptionalCustomModifiers()).ToArray());
            Body(made.GetILGenerator(), method, called, called.GetParameters().Select(parameter => parameter.ParameterType).ToArray());
            if (type.IsInterface)
            {
                builder.DefineMethodOverride(made, method);
            }
        }

        static MethodAttributes Protected(MethodInfo method) => method.IsPublic ? MethodAttributes.Public : MethodAttributes.Family;

        static MethodInfo WithTypeParameters(MethodInfo method, MethodBuilder made)
        {
            if (!method.IsGenericMethodDefinition)
            {
                return method;
            }
            Type[] given = method.GetGenericArguments();
            GenericTypeParameterBuilder[] own = made.DefineGenericParameters(given.Select(parameter => parameter.Name).ToArray());
            for (int i = 0; i < own.Length; i++)
            {
                own[i].SetGenericParameterAttributes(given[i].GenericParameterAttributes & GenericParameterAttributes.SpecialConstraintMask);
                Type[] constraints = given[i].GetGenericParameterConstraints();
                Type baseType = constraints.FirstOrDefault(constraint => !constraint.IsInterface && !constraint.IsGenericParameter);
                if (baseType != null)
                {
                    own[i].SetBaseTypeConstraint(baseType);
                }
                own[i].SetInterfaceConstraints(constraints.Where(constraint => constraint.IsInterface).ToArray());
            }
            return method.MakeGenericMethod(own);
        }

        void Body(ILGenerator il, MethodInfo definition, MethodInfo called, Type[] parameters)
        {
            bool hasBase = !definition.IsAbstract && !type.IsInterface;
            LocalBuilder arguments = il.DeclareLocal(typeof(object[]));
            LocalBuilder result = il.DeclareLocal(typeof(object));
            il.Emit(OpCodes.Ldc_I4, parameters.Length);
            il.Emit(OpCodes.Newarr, typeof(object));
            il.Emit(OpCodes.Stloc, arguments);
            for (int i = 0; i < parameters.Length; i++)
            {
                Type element = Proxy.ElementType(parameters[i]);
                il.Emit(OpCodes.Ldloc, arguments);
                il.Emit(OpCodes.Ldc_I4, i);
                il.Emit(OpCodes.Ldarg, i + 1);
                if (parameters[i].IsByRef)
                {
                    il.Emit(OpCodes.Ldobj, element);
                }
                il.Emit(OpCodes.Box, element);
                il.Emit(OpCodes.Stelem_Ref);
            }
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldfld, handler);
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldtoken, called);
            il.Emit(OpCodes.Ldtoken, definition.DeclaringType);
            il.Emit(OpCodes.Ldloc, arguments);
            il.Emit(hasBase ? OpCodes.Ldc_I4_1 : OpCodes.Ldc_I4_0);
            il.Emit(OpCodes.Call, typeof(Proxy).GetMethod(nameof(Proxy.Invoke)));
            il.Emit(OpCodes.Stloc, result);
            if (hasBase)
            {
                CallBaseIfAsked(il, called, result, parameters.Length);
            }
            for (int i = 0; i < parameters.Length; i++)
            {
                if (parameters[i].IsByRef)
                {
                    il.Emit(OpCodes.Ldarg, i + 1);
                    il.Emit(OpCodes.Ldloc, arguments);
                    il.Emit(OpCodes.Ldc_I4, i);
                    il.Emit(OpCodes.Ldelem_Ref);
                    il.Emit(OpCodes.Unbox_Any, parameters[i].GetElementType());
                    il.Emit(OpCodes.Stobj, parameters[i].GetElementType());
                }
            }
            if (called.ReturnType != typeof(void))
            {
                il.Emit(OpCodes.Ldloc, result);
                il.Emit(OpCodes.Unbox_Any, called.ReturnType);
            }
            il.Emit(OpCodes.Ret);
        }

        static void CallBaseIfAsked(ILGenerator il, MethodInfo called, LocalBuilder result, int parameters)
        {
            Label own = il.DefineLabel();
            il.Emit(OpCodes.Ldloc, result);
            il.Emit(OpCodes.Ldsfld, typeof(Proxy).GetField(nameof(Proxy.CallBase)));
            il.Emit(OpCodes.Bne_Un, own);
            for (int i = 0; i <= parameters; i++)
            {
                il.Emit(OpCodes.Ldarg, i);
            }
            il.Emit(OpCodes.Call, called);
            il.Emit(OpCodes.Ret);
            il.MarkLabel(own);
        }
    }

    /// What members give when nothing was said about them.
    public static class Defaults
    {
        /// Empty collections and finished tasks; `inner` says what is inside of these and what else there is.
        public static object Of(Type type, Func<Type, object> inner)
        {
            if (type == typeof(void))
            {
                return null;
            }
            if (type.IsArray)
            {
                return Array.CreateInstance(type.GetElementType(), new int[type.GetArrayRank()]);
            }
            if (type == typeof(System.Threading.Tasks.Task))
            {
                return System.Threading.Tasks.Task.CompletedTask;
            }
            if (type == typeof(System.Collections.IEnumerable))
            {
                return new object[0];
            }
            if (type.IsGenericType)
            {
                Type definition = type.GetGenericTypeDefinition(), argument = type.GetGenericArguments()[0];
                if (definition == typeof(System.Threading.Tasks.Task<>))
                {
                    return typeof(System.Threading.Tasks.Task).GetMethod("FromResult").MakeGenericMethod(argument).Invoke(null, new[] { Boxed(argument, inner(argument)) });
                }
                if (definition == typeof(System.Threading.Tasks.ValueTask<>))
                {
                    return Activator.CreateInstance(type, new[] { Boxed(argument, inner(argument)) });
                }
                if (definition == typeof(IEnumerable<>))
                {
                    return Array.CreateInstance(argument, 0);
                }
            }
            return type.IsValueType ? Activator.CreateInstance(type) : null;
        }

        static object Boxed(Type type, object value) => value ?? (type.IsValueType ? Activator.CreateInstance(type) : null);
    }
}
