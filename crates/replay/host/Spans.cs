// Spans: they cannot be boxed, so a call that has to do with them is emitted. Memory is an ordinary value.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;

namespace Cilantro.Replay
{
    /// What stands for a span while it is not on the stack.
    public sealed class SpanStub
    {
        public object Over;
        public int Start;
        public int Length;

        /// Null is the empty span.
        public static SpanStub From(object o) => (SpanStub)o ?? new SpanStub();

        public static SpanStub Of(Array array) => new SpanStub { Over = array, Length = array.Length };

        public static bool IsSpan(Type type) => Is(type, "System.Span`1", "System.ReadOnlySpan`1");

        public static bool IsMemory(Type type) => Is(type, "System.Memory`1", "System.ReadOnlyMemory`1");

        static bool Is(Type type, params string[] names) => type.IsGenericType && names.Contains(type.GetGenericTypeDefinition().FullName);
    }

    sealed partial class Heap
    {
        object SpanValue(Type type, Dictionary<string, object> span)
        {
            object over = span.TryGetValue("over", out object id) && id != null ? Referred((long)id) : null;
            int start = Number(span, "start"), length = Number(span, "length");
            if (SpanStub.IsSpan(type)) return new SpanStub { Over = over, Start = start, Length = length };
            if (!SpanStub.IsMemory(type)) throw new CannotRun(TypeName.Of(type) + " is no span");
            if (over == null) return Uninitialized(type);
            return over is string text ? text.AsMemory(start, length) : Activator.CreateInstance(type, over, start, length);
        }

        static int Number(Dictionary<string, object> from, string name)
        {
            return from.TryGetValue(name, out object number) && number != null ? checked((int)(long)number) : 0;
        }

        Dictionary<string, object> ReadSpan(Type type, object over, int start, int length)
        {
            var span = new Dictionary<string, object> { ["start"] = (long)start, ["length"] = (long)length };
            if (over != null) span["over"] = Read(typeof(object), over)["object"];
            return Written(TypeName.Of(type), "span", span);
        }

        Dictionary<string, object> ReadMemory(Type type, object o)
        {
            object Part(string name) => type.GetField(name, Fields).GetValue(o);
            object over = Part("_object");
            // The top bit is a mark of the runtime's own.
            return over == null || over is string || over is Array ? ReadSpan(type, over, (int)Part("_index") & int.MaxValue, (int)Part("_length"))
                : Written(TypeName.Of(type), "fields", ReadFields(type, o));
        }
    }

    /// A call that takes or returns spans.
    static class Emitted
    {
        public static object Invoke(MethodBase method, object receiver, object[] arguments)
        {
            var call = new DynamicMethod("call", typeof(object), new[] { typeof(object), typeof(object[]) }, typeof(Emitted).Module, true);
            ILGenerator il = call.GetILGenerator();
            ParameterInfo[] parameters = method.GetParameters();
            Receiver(il, method);
            var byRef = new Dictionary<int, LocalBuilder>();
            for (int i = 0; i < parameters.Length; i++)
            {
                Type type = parameters[i].ParameterType;
                Type location = type.IsByRef ? type.GetElementType() : type;
                Load(il, i, location);
                if (!type.IsByRef) continue;
                byRef[i] = il.DeclareLocal(location);
                il.Emit(OpCodes.Stloc, byRef[i]);
                il.Emit(OpCodes.Ldloca, byRef[i]);
            }
            Type result = Call(il, method);
            Box(il, result);
            foreach (var pair in byRef.Where(pair => !pair.Value.LocalType.IsByRefLike))
            {
                il.Emit(OpCodes.Ldarg_1);
                il.Emit(OpCodes.Ldc_I4, pair.Key);
                il.Emit(OpCodes.Ldloc, pair.Value);
                il.Emit(OpCodes.Box, pair.Value.LocalType);
                il.Emit(OpCodes.Stelem_Ref);
            }
            il.Emit(OpCodes.Ret);
            return ((Func<object, object[], object>)call.CreateDelegate(typeof(Func<object, object[], object>)))(receiver, arguments);
        }

        static void Receiver(ILGenerator il, MethodBase method)
        {
            if (method.IsStatic || method.IsConstructor) return;
            il.Emit(OpCodes.Ldarg_0);
            // The address inside the box: what the call changes is seen there.
            il.Emit(method.DeclaringType.IsValueType ? OpCodes.Unbox : OpCodes.Castclass, method.DeclaringType);
        }

        static void Load(ILGenerator il, int index, Type type)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, index);
            il.Emit(OpCodes.Ldelem_Ref);
            if (SpanStub.IsSpan(type)) FromStub(il, type);
            else il.Emit(OpCodes.Unbox_Any, type);
        }

        /// The span that the stub on the stack stands for.
        public static void FromStub(ILGenerator il, Type type)
        {
            LocalBuilder stub = il.DeclareLocal(typeof(SpanStub));
            il.Emit(OpCodes.Call, typeof(SpanStub).GetMethod("From"));
            il.Emit(OpCodes.Stloc, stub);
            Type element = type.GetGenericArguments()[0];
            MethodInfo overText = typeof(MemoryExtensions).GetMethod("AsSpan", new[] { typeof(string), typeof(int), typeof(int) });
            ConstructorInfo overArray = type.GetConstructor(new[] { element.MakeArrayType(), typeof(int), typeof(int) });
            Label array = il.DefineLabel(), end = il.DefineLabel();
            if (type == typeof(ReadOnlySpan<char>))
            {
                il.Emit(OpCodes.Ldloc, stub);
                il.Emit(OpCodes.Ldfld, typeof(SpanStub).GetField("Over"));
                il.Emit(OpCodes.Isinst, typeof(string));
                il.Emit(OpCodes.Brfalse, array);
                Parts(il, stub, typeof(string));
                il.Emit(OpCodes.Call, overText);
                il.Emit(OpCodes.Br, end);
            }
            il.MarkLabel(array);
            Parts(il, stub, element.MakeArrayType());
            il.Emit(OpCodes.Newobj, overArray);
            il.MarkLabel(end);
        }

        static void Parts(ILGenerator il, LocalBuilder stub, Type over)
        {
            foreach (string name in new[] { "Over", "Start", "Length" })
            {
                il.Emit(OpCodes.Ldloc, stub);
                il.Emit(OpCodes.Ldfld, typeof(SpanStub).GetField(name));
                if (name == "Over") il.Emit(OpCodes.Castclass, over);
            }
        }

        static Type Call(ILGenerator il, MethodBase method)
        {
            if (method is ConstructorInfo constructor)
            {
                il.Emit(OpCodes.Newobj, constructor);
                return constructor.DeclaringType;
            }
            var info = (MethodInfo)method;
            bool direct = info.IsStatic || !info.IsVirtual || info.DeclaringType.IsValueType;
            il.Emit(direct ? OpCodes.Call : OpCodes.Callvirt, info);
            if (!info.ReturnType.IsByRef) return info.ReturnType;
            il.Emit(OpCodes.Ldobj, info.ReturnType.GetElementType());
            return info.ReturnType.GetElementType();
        }

        static void Box(ILGenerator il, Type result)
        {
            if (result == typeof(void))
            {
                il.Emit(OpCodes.Ldnull);
            }
            else if (SpanStub.IsSpan(result))
            {
                LocalBuilder span = il.DeclareLocal(result);
                il.Emit(OpCodes.Stloc, span);
                il.Emit(OpCodes.Ldloca, span);
                il.Emit(OpCodes.Call, result.GetMethod("ToArray"));
                il.Emit(OpCodes.Call, typeof(SpanStub).GetMethod("Of"));
            }
            else if (result.IsValueType)
            {
                il.Emit(OpCodes.Box, result);
            }
        }
    }
}
