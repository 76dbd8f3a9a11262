// Calls a method with boxed arguments, also where reflection cannot: spans over chosen parts of an array, references into arrays
// that two parameters may share.

using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;

namespace Cilantro.Attack;

/// A part of an array, for a span.
public sealed class Slice
{
    public Array Over;
    public int Start;
    public int Length;
}

/// An element of an array, for a reference.
public sealed class Place
{
    public Array Over;
    public int Index;
}

public static class Ways
{
    public static Span<T> SpanOf<T>(object slice) => slice is Slice some ? new Span<T>((T[])some.Over, some.Start, some.Length) : default;

    public static ReadOnlySpan<T> ReadOnlySpanOf<T>(object slice) => SpanOf<T>(slice);

    public static ref T RefOf<T>(object place)
    {
        var some = (Place)place;
        return ref ((T[])some.Over)[some.Index];
    }
}

sealed class Thunk
{
    static readonly ConcurrentDictionary<MethodBase, Func<object, object[], object>> Known = new();

    public MethodBase Method;
    public object Receiver;
    public object[] Arguments;
    Func<object, object[], object> call;

    public object Call() => call(Receiver, Arguments);

    /// Null for what cannot be called: pointers, other types that cannot be boxed.
    public static Thunk Of(MethodBase method)
    {
        var call = Known.GetOrAdd(method, Make);
        return call == null ? null : new Thunk { Method = method, call = call };
    }

    static Func<object, object[], object> Make(MethodBase method)
    {
        var owner = method.DeclaringType;
        var parameters = method.GetParameters().Select(parameter => parameter.ParameterType).ToArray();
        if (owner.IsByRefLike || owner.IsAbstract && method.IsConstructor || parameters.Any(IsOutOfReach)) return null;
        var made = new DynamicMethod("call", typeof(object), new[] { typeof(object), typeof(object[]) }, method.Module, skipVisibility: true);
        var il = made.GetILGenerator();
        if (!method.IsStatic && !method.IsConstructor)
        {
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(owner.IsValueType ? OpCodes.Unbox : OpCodes.Castclass, owner);
        }
        for (int at = 0; at < parameters.Length; at++)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, at);
            il.Emit(OpCodes.Ldelem_Ref);
            var type = parameters[at];
            if (type.IsByRef) il.Emit(OpCodes.Call, Way(nameof(Ways.RefOf), type.GetElementType()));
            else if (Values.IsSpan(type)) il.Emit(OpCodes.Call, Way(type.GetGenericTypeDefinition() == typeof(Span<>) ? nameof(Ways.SpanOf) : nameof(Ways.ReadOnlySpanOf), type.GetGenericArguments()[0]));
            else il.Emit(OpCodes.Unbox_Any, type);
        }
        Type result = owner;
        if (method is ConstructorInfo constructor)
        {
            il.Emit(OpCodes.Newobj, constructor);
        }
        else
        {
            // The very method that is spoken of, whatever the receiver's class has in its place.
            il.Emit(OpCodes.Call, (MethodInfo)method);
            result = ((MethodInfo)method).ReturnType;
        }
        if (result == typeof(void))
        {
            il.Emit(OpCodes.Ldnull);
        }
        else if (result.IsByRef || result.IsByRefLike || result.IsPointer || result.IsFunctionPointer)
        {
            il.Emit(OpCodes.Pop);
            il.Emit(OpCodes.Ldnull);
        }
        else if (result.IsValueType)
        {
            il.Emit(OpCodes.Box, result);
        }
        il.Emit(OpCodes.Ret);
        return made.CreateDelegate<Func<object, object[], object>>();
    }

    static MethodInfo Way(string name, Type type) => typeof(Ways).GetMethod(name).MakeGenericMethod(type);

    static bool IsOutOfReach(Type type)
    {
        if (type.IsByRef) type = type.GetElementType();
        return type.IsPointer || type.IsFunctionPointer || type.IsByRefLike && !Values.IsSpan(type) || type == typeof(TypedReference);
    }
}
