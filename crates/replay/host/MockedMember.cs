// The IL of one member of a made-up class: ask for the result of this call, assign by-ref parameters, return.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;

namespace Cilantro.Replay
{
    sealed class MemberEmitter
    {
        readonly TypeBuilder type;
        readonly FieldBuilder answers;
        readonly MockedMember member;
        readonly int index;
        readonly MethodInfo of;
        readonly ParameterInfo[] parameters;
        Type[] generics = Type.EmptyTypes;
        Type[] own = Type.EmptyTypes;
        ILGenerator il;

        public MemberEmitter(TypeBuilder type, FieldBuilder answers, MockedMember member, int index)
        {
            this.type = type;
            this.answers = answers;
            this.member = member;
            this.index = index;
            of = member.Method;
            parameters = of.GetParameters();
        }

        public void Emit(bool isDelegate)
        {
            MethodBuilder method = Define(isDelegate);
            il = method.GetILGenerator();
            if (of.IsStatic) DefaultOf(Filled(of.ReturnType));
            else if (member.Property != null && of.ReturnType == typeof(void)) Setter();
            else Answer();
            il.Emit(OpCodes.Ret);
            if (!isDelegate) type.DefineMethodOverride(method, of);
        }

        MethodBuilder Define(bool isDelegate)
        {
            // A class overrides in place; members of interfaces are implemented one by one, whatever their names.
            bool inPlace = !of.DeclaringType.IsInterface && !isDelegate;
            MethodAttributes attributes = isDelegate ? MethodAttributes.Public
                : of.IsStatic ? MethodAttributes.Private | MethodAttributes.Static | MethodAttributes.HideBySig
                : inPlace ? (of.Attributes & MethodAttributes.MemberAccessMask) | MethodAttributes.Virtual | MethodAttributes.HideBySig
                : MethodAttributes.Private | MethodAttributes.Virtual | MethodAttributes.Final | MethodAttributes.NewSlot | MethodAttributes.HideBySig;
            MethodBuilder method = type.DefineMethod(inPlace || isDelegate ? of.Name : "member" + index, attributes, of.IsStatic ? CallingConventions.Standard : CallingConventions.HasThis);
            if (of.IsGenericMethodDefinition) DefineGenerics(method);
            method.SetSignature(Filled(of.ReturnType), of.ReturnParameter.GetRequiredCustomModifiers(), of.ReturnParameter.GetOptionalCustomModifiers(),
                parameters.Select(p => Filled(p.ParameterType)).ToArray(),
                parameters.Select(p => p.GetRequiredCustomModifiers()).ToArray(), parameters.Select(p => p.GetOptionalCustomModifiers()).ToArray());
            return method;
        }

        void DefineGenerics(MethodBuilder method)
        {
            generics = of.GetGenericArguments();
            GenericTypeParameterBuilder[] defined = method.DefineGenericParameters(generics.Select(g => g.Name).ToArray());
            own = defined;
            for (int i = 0; i < generics.Length; i++)
            {
                defined[i].SetGenericParameterAttributes(generics[i].GenericParameterAttributes);
                Type[] constraints = generics[i].GetGenericParameterConstraints();
                Type bound = constraints.FirstOrDefault(c => !c.IsInterface && !c.IsGenericParameter);
                if (bound != null) defined[i].SetBaseTypeConstraint(Filled(bound));
                defined[i].SetInterfaceConstraints(constraints.Where(c => c != bound).Select(Filled).ToArray());
            }
        }

        /// A type of the signature over the type parameters of this method.
        Type Filled(Type t)
        {
            if (t.IsByRef) return Filled(t.GetElementType()).MakeByRefType();
            if (t.IsPointer) return Filled(t.GetElementType()).MakePointerType();
            if (t.IsArray)
            {
                Type element = t.GetElementType();
                bool vector = t == element.MakeArrayType();
                return vector ? Filled(element).MakeArrayType() : Filled(element).MakeArrayType(t.GetArrayRank());
            }
            if (t.IsGenericParameter && t.DeclaringMethod != null) return own[t.GenericParameterPosition];
            if (t.IsGenericType && t.ContainsGenericParameters) return t.GetGenericTypeDefinition().MakeGenericType(t.GetGenericArguments().Select(Filled).ToArray());
            return t;
        }

        void Setter()
        {
            // What cannot be boxed is not kept.
            if (member.PropertyType.IsPointer || member.PropertyType.IsByRefLike) return;
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldfld, answers);
            il.Emit(OpCodes.Ldc_I4, index);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Box, member.PropertyType);
            il.Emit(OpCodes.Call, typeof(Answers).GetMethod("Set"));
        }

        void Answer()
        {
            LocalBuilder result = il.DeclareLocal(typeof(Answers.Result));
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldfld, answers);
            il.Emit(OpCodes.Ldc_I4, index);
            if (member.Property != null)
            {
                il.Emit(OpCodes.Call, typeof(Answers).GetMethod("Get"));
            }
            else
            {
                TypeArguments();
                il.Emit(OpCodes.Call, typeof(Answers).GetMethod("Call"));
            }
            il.Emit(OpCodes.Stloc, result);
            for (int i = 0; i < parameters.Length; i++)
            {
                if (parameters[i].ParameterType.IsByRef) Assign(result, i);
            }
            Return(result);
        }

        void TypeArguments()
        {
            il.Emit(OpCodes.Ldc_I4, own.Length);
            il.Emit(OpCodes.Newarr, typeof(Type));
            for (int i = 0; i < own.Length; i++)
            {
                il.Emit(OpCodes.Dup);
                il.Emit(OpCodes.Ldc_I4, i);
                il.Emit(OpCodes.Ldtoken, own[i]);
                il.Emit(OpCodes.Call, typeof(Type).GetMethod("GetTypeFromHandle"));
                il.Emit(OpCodes.Stelem_Ref);
            }
        }

        /// What is not assigned stays, or is default if it is `out`.
        void Assign(LocalBuilder result, int i)
        {
            Type location = Filled(parameters[i].ParameterType.GetElementType());
            Label not = il.DefineLabel(), end = il.DefineLabel();
            il.Emit(OpCodes.Ldloc, result);
            il.Emit(OpCodes.Ldc_I4, i);
            il.Emit(OpCodes.Call, typeof(Answers.Result).GetMethod("Assigns"));
            il.Emit(OpCodes.Brfalse, not);
            il.Emit(OpCodes.Ldarg, (short)(i + 1));
            il.Emit(OpCodes.Ldloc, result);
            il.Emit(OpCodes.Ldc_I4, i);
            il.Emit(OpCodes.Call, typeof(Answers.Result).GetMethod("Assignment"));
            Unboxed(location);
            il.Emit(OpCodes.Stobj, location);
            il.Emit(OpCodes.Br, end);
            il.MarkLabel(not);
            if (parameters[i].IsOut)
            {
                il.Emit(OpCodes.Ldarg, (short)(i + 1));
                il.Emit(OpCodes.Initobj, location);
            }
            il.MarkLabel(end);
        }

        void Return(LocalBuilder result)
        {
            Type returned = Filled(of.ReturnType);
            if (returned == typeof(void)) return;
            Type location = returned.IsByRef ? returned.GetElementType() : returned;
            LocalBuilder array = null;
            if (returned.IsByRef)
            {
                // A place of its own for every call.
                array = il.DeclareLocal(location.MakeArrayType());
                il.Emit(OpCodes.Ldc_I4_1);
                il.Emit(OpCodes.Newarr, location);
                il.Emit(OpCodes.Stloc, array);
                il.Emit(OpCodes.Ldloc, array);
                il.Emit(OpCodes.Ldc_I4_0);
            }
            il.Emit(OpCodes.Ldloc, result);
            il.Emit(OpCodes.Ldfld, typeof(Answers.Result).GetField("Returns"));
            Unboxed(location);
            if (array == null) return;
            il.Emit(OpCodes.Stelem, location);
            il.Emit(OpCodes.Ldloc, array);
            il.Emit(OpCodes.Ldc_I4_0);
            il.Emit(OpCodes.Ldelema, location);
        }

        /// The value of the object on the stack; null is the default value.
        void Unboxed(Type location)
        {
            if (!location.IsGenericParameter && SpanStub.IsSpan(of.ReturnType) && location == of.ReturnType)
            {
                Emitted.FromStub(il, location);
                return;
            }
            Label none = il.DefineLabel(), end = il.DefineLabel();
            il.Emit(OpCodes.Dup);
            il.Emit(OpCodes.Brfalse, none);
            if (location.IsPointer)
            {
                il.Emit(OpCodes.Unbox_Any, typeof(IntPtr));
            }
            else if (IsByRefLike(location))
            {
                il.Emit(OpCodes.Pop);
                DefaultOf(location);
            }
            else
            {
                il.Emit(OpCodes.Unbox_Any, location);
            }
            il.Emit(OpCodes.Br, end);
            il.MarkLabel(none);
            il.Emit(OpCodes.Pop);
            DefaultOf(location);
            il.MarkLabel(end);
        }

        // Types over parameters that are being defined do not answer everything.
        static bool IsByRefLike(Type t) => !t.IsGenericParameter && !t.HasElementType && (t.IsGenericType ? t.GetGenericTypeDefinition() : t).IsByRefLike;

        void DefaultOf(Type location)
        {
            if (location == typeof(void)) return;
            LocalBuilder zero = il.DeclareLocal(location);
            if (location.IsByRef) throw new CannotRun("a static member that returns a reference cannot be mocked");
            if (!location.IsPointer)
            {
                il.Emit(OpCodes.Ldloca, zero);
                il.Emit(OpCodes.Initobj, location);
            }
            il.Emit(OpCodes.Ldloc, zero);
        }
    }
}
