// Code of the caller: delegates, implementations of interfaces and overriding methods that answer anything, call the base, or throw.

using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using System.Reflection.Emit;

namespace Cilantro.Attack;

public static class Hook
{
    [ThreadStatic] static Values values;

    internal static Values Values
    {
        get => values ??= new Values(new Subject { Types = Type.EmptyTypes, Statics = Array.Empty<MemberInfo>() }, new Constants(), new Random(1));
        set => values = value;
    }

    /// Anything that fits; an exception of its own now and then.
    public static object Answer(Type type)
    {
        if (Values.Chance(25)) throw new Planted();
        if (type == typeof(void) || type.IsByRef || type.IsByRefLike || type.IsPointer) return null;
        object value = Values.Make(type, 1);
        return value == null && type.IsValueType ? Activator.CreateInstance(type) : value;
    }

    /// Whether an overriding method leaves the work to the base.
    public static bool CallsBase() => Values.Chance(3);

    public static Delegate DelegateOf(Type type)
    {
        var invoke = type.GetMethod("Invoke");
        var parameters = invoke.GetParameters().Select(parameter => Expression.Parameter(parameter.ParameterType, parameter.Name)).ToArray();
        Expression answer = Expression.Call(typeof(Hook), nameof(Answer), null, Expression.Constant(invoke.ReturnType, typeof(Type)));
        if (invoke.ReturnType != typeof(void)) answer = Expression.Convert(answer, invoke.ReturnType);
        return Expression.Lambda(type, answer, parameters).Compile();
    }

    public static object ProxyOf(Type type)
    {
        var create = typeof(DispatchProxy).GetMethods().First(method => method.Name == "Create" && method.IsGenericMethod);
        return create.MakeGenericMethod(type, typeof(Proxy)).Invoke(null, null);
    }
}

public class Proxy : DispatchProxy
{
    protected override object Invoke(MethodInfo method, object[] arguments) => Hook.Answer(method.ReturnType);
}

/// Subclasses of classes that somebody else may extend.
public static class Subclass
{
    static readonly ConcurrentDictionary<Type, Type> Known = new();
    static readonly ModuleBuilder Module = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Elsewhere"), AssemblyBuilderAccess.Run).DefineDynamicModule("Elsewhere");

    public static bool IsOpen(Type type) =>
        type.IsClass && type.IsVisible && !type.IsSealed && !type.ContainsGenericParameters && type != typeof(object) && !type.IsArray
        && !typeof(Delegate).IsAssignableFrom(type) && type.Namespace?.StartsWith("System", StringComparison.Ordinal) != true && Constructors(type).Length > 0;

    static ConstructorInfo[] Constructors(Type type) =>
        type.GetConstructors(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance).Where(constructor => constructor.IsPublic || constructor.IsFamily || constructor.IsFamilyOrAssembly).ToArray();

    /// Null where it cannot be extended after all: an abstract member that nobody outside can see.
    public static Type Of(Type type) => Known.GetOrAdd(type, Make);

    static Type Make(Type type)
    {
        try
        {
            var made = Module.DefineType("Own" + Known.Count + "_" + type.Name, TypeAttributes.Public | TypeAttributes.Class, type);
            foreach (var constructor in Constructors(type)) PassOn(made, constructor);
            var methods = type.GetMethods(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance);
            foreach (var method in methods.Where(method => method.IsVirtual && !method.IsFinal && (method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly) && method.Name != "Finalize")) Override(made, method);
            return made.CreateType();
        }
        catch (Exception)
        {
            return null;
        }
    }

    static void PassOn(TypeBuilder made, ConstructorInfo constructor)
    {
        var parameters = constructor.GetParameters().Select(parameter => parameter.ParameterType).ToArray();
        var il = made.DefineConstructor(MethodAttributes.Public, CallingConventions.Standard, parameters).GetILGenerator();
        for (int at = 0; at <= parameters.Length; at++) il.Emit(OpCodes.Ldarg, (short)at);
        il.Emit(OpCodes.Call, constructor);
        il.Emit(OpCodes.Ret);
    }

    static void Override(TypeBuilder made, MethodInfo method)
    {
        var result = method.ReturnType;
        if (method.IsGenericMethodDefinition || result.IsByRef || result.IsByRefLike || result.IsPointer || method.GetParameters().Any(parameter => parameter.ParameterType.IsByRef))
        {
            if (method.IsAbstract) throw new NotSupportedException();
            return;
        }
        var parameters = method.GetParameters().Select(parameter => parameter.ParameterType).ToArray();
        var attributes = (method.Attributes & ~(MethodAttributes.Abstract | MethodAttributes.NewSlot | MethodAttributes.MemberAccessMask)) | (method.IsPublic ? MethodAttributes.Public : MethodAttributes.Family);
        var own = made.DefineMethod(method.Name, attributes, result, parameters);
        var il = own.GetILGenerator();
        if (!method.IsAbstract)
        {
            var answer = il.DefineLabel();
            il.Emit(OpCodes.Call, typeof(Hook).GetMethod(nameof(Hook.CallsBase)));
            il.Emit(OpCodes.Brfalse, answer);
            for (int at = 0; at <= parameters.Length; at++) il.Emit(OpCodes.Ldarg, (short)at);
            il.Emit(OpCodes.Call, method);
            il.Emit(OpCodes.Ret);
            il.MarkLabel(answer);
        }
        il.Emit(OpCodes.Ldtoken, result);
        il.Emit(OpCodes.Call, typeof(Type).GetMethod(nameof(Type.GetTypeFromHandle)));
        il.Emit(OpCodes.Call, typeof(Hook).GetMethod(nameof(Hook.Answer)));
        if (result == typeof(void)) il.Emit(OpCodes.Pop);
        else il.Emit(OpCodes.Unbox_Any, result);
        il.Emit(OpCodes.Ret);
        made.DefineMethodOverride(own, method);
    }
}
