// Protected ranges, prefixes and sizes.
using System;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;

public static class Helpers
{
    public static int Fail(int x) => x == 0 ? throw new InvalidOperationException("zero") : x < 0 ? throw new ArgumentException("negative") : x;
    public static volatile int Volatile = 3;
    public static int Depth(int n) => n;
}

static partial class Jumps
{
    static readonly MethodInfo fail = typeof(Helpers).GetMethod("Fail");

    static void Protected()
    {
        Test("jumps inside of a try", c =>
        {
            var result = c.Il.DeclareLocal(typeof(int));
            c.Il.BeginExceptionBlock();
            c.At("again"); c.Emit(OpCodes.Ldarg_0); c.Il.Emit(OpCodes.Call, fail); c.Load(10); c.Jump("a", OpCodes.Bge_S, "large");
            c.Emit(OpCodes.Ldarg_0); c.Load(3); c.Emit(OpCodes.Mul); c.Il.Emit(OpCodes.Starg_S, (byte)0);
            c.Emit(OpCodes.Ldarg_0); c.Jump("b", OpCodes.Brtrue_S, "again");
            c.At("large"); c.Emit(OpCodes.Ldarg_0); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.BeginCatchBlock(typeof(InvalidOperationException));
            // The first instruction of a handler is counted as well.
            c.Emit(OpCodes.Pop); c.Emit(OpCodes.Ldarg_0); c.Jump("c", OpCodes.Brfalse_S, "caught"); c.Load(1); c.Il.Emit(OpCodes.Stloc, result);
            c.At("caught");
            c.Il.BeginCatchBlock(typeof(ArgumentException));
            c.Il.Emit(OpCodes.Callvirt, typeof(Exception).GetProperty("Message").GetMethod); c.Il.Emit(OpCodes.Callvirt, typeof(string).GetProperty("Length").GetMethod);
            c.Load(8); c.Jump("d", OpCodes.Beq_S, "eight"); c.Load(-100); c.Il.Emit(OpCodes.Stloc, result); c.Il.Emit(OpCodes.Leave_S, c["out"]);
            c.At("eight"); c.Load(-8); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.EndExceptionBlock();
            c.At("out"); c.Il.Emit(OpCodes.Ldloc, result); c.Emit(OpCodes.Ret);
        }).Expect(2, 18, "a b>again a>large").Expect(10, 10, "a>large").Expect(0, 0, "c>caught").Expect(-1, -8, "d>eight");

        Test("a try that is jumped to", c =>
        {
            var result = c.Il.DeclareLocal(typeof(int));
            c.Emit(OpCodes.Ldarg_0); c.Jump("a", OpCodes.Brtrue_S, "try");
            c.Load(5); c.Il.Emit(OpCodes.Starg_S, (byte)0);
            c.Emit(OpCodes.Nop);
            c.At("try");
            c.Il.BeginExceptionBlock();
            c.Emit(OpCodes.Ldarg_0); c.Load(9); c.Jump("b", OpCodes.Ble_S, "small");
            c.Il.Emit(OpCodes.Leave, c["far"]);
            c.At("small"); c.Emit(OpCodes.Ldarg_0); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.BeginFinallyBlock();
            c.Emit(OpCodes.Ldarg_0); c.Load(1); c.Emit(OpCodes.And); c.Jump("c", OpCodes.Brfalse_S, "even");
            c.Il.Emit(OpCodes.Ldloc, result); c.Load(100); c.Emit(OpCodes.Add); c.Il.Emit(OpCodes.Stloc, result);
            c.At("even");
            c.Il.EndExceptionBlock();
            c.Il.Emit(OpCodes.Ldloc, result); c.Emit(OpCodes.Ret);
            c.At("far"); c.Il.Emit(OpCodes.Ldloc, result); c.Emit(OpCodes.Neg); c.Emit(OpCodes.Ret);
        }).Expect(0, 105, "a b>small c").Expect(4, 4, "a>try b>small c>even").Expect(11, -100, "a>try b c").Expect(12, 0, "a>try b c>even");

        Test("jumps inside of a filter", c =>
        {
            var result = c.Il.DeclareLocal(typeof(int));
            c.Il.BeginExceptionBlock();
            c.Emit(OpCodes.Ldarg_0); c.Il.Emit(OpCodes.Call, fail); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.BeginExceptFilterBlock();
            c.Il.Emit(OpCodes.Isinst, typeof(ArgumentException)); c.Emit(OpCodes.Dup); c.Jump("a", OpCodes.Brtrue_S, "argument");
            c.Emit(OpCodes.Pop); c.Load(0); c.Il.Emit(OpCodes.Br_S, c["decided"]);
            c.At("argument"); c.Emit(OpCodes.Pop); c.Emit(OpCodes.Ldarg_0); c.Load(-5); c.Jump("b", OpCodes.Bgt_S, "yes");
            c.Load(0); c.Il.Emit(OpCodes.Br_S, c["decided"]);
            c.At("yes"); c.Load(1);
            c.At("decided");
            c.Il.BeginCatchBlock(null);
            c.Emit(OpCodes.Pop); c.Emit(OpCodes.Ldarg_0); c.Load(-1); c.Jump("c", OpCodes.Beq_S, "minus"); c.Load(-2); c.Il.Emit(OpCodes.Stloc, result); c.Il.Emit(OpCodes.Leave_S, c["out"]);
            c.At("minus"); c.Load(-3); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.BeginCatchBlock(typeof(object));
            c.Emit(OpCodes.Pop); c.Load(-4); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.EndExceptionBlock();
            c.At("out"); c.Il.Emit(OpCodes.Ldloc, result); c.Emit(OpCodes.Ret);
        }).Expect(1, 1, "").Expect(0, -4, "a").Expect(-1, -3, "a>argument b>yes c>minus").Expect(-2, -2, "a>argument b>yes c").Expect(-9, -4, "a>argument b");

        Test("a fault block", c =>
        {
            var result = c.Il.DeclareLocal(typeof(int));
            c.Il.BeginExceptionBlock();
            c.Il.BeginExceptionBlock();
            c.Emit(OpCodes.Ldarg_0); c.Il.Emit(OpCodes.Call, fail); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.BeginFaultBlock();
            c.Emit(OpCodes.Ldarg_0); c.Jump("a", OpCodes.Brtrue_S, "end"); c.Load(50); c.Il.Emit(OpCodes.Stloc, result);
            c.At("end");
            c.Il.EndExceptionBlock();
            c.Il.BeginCatchBlock(typeof(Exception));
            c.Emit(OpCodes.Pop); c.Il.Emit(OpCodes.Ldloc, result); c.Load(1); c.Emit(OpCodes.Add); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.EndExceptionBlock();
            c.Il.Emit(OpCodes.Ldloc, result); c.Emit(OpCodes.Ret);
        }).Expect(3, 3, "").Expect(0, 51, "a").Expect(-1, 1, "a>end");

        // Each range is deeper, and the jumps of all of them lead out with `leave`.
        Test("deep ranges", c =>
        {
            var result = c.Il.DeclareLocal(typeof(int));
            for (int i = 0; i < 6; i++)
            {
                c.Il.BeginExceptionBlock();
                c.Emit(OpCodes.Ldarg_0); c.Load(i); c.Jump("j" + i, OpCodes.Bne_Un_S, "stay" + i);
                c.Load(i * 1000); c.Il.Emit(OpCodes.Stloc, result); c.Il.Emit(OpCodes.Leave, c["out"]);
                c.At("stay" + i);
            }
            for (int i = 5; i >= 0; i--)
            {
                c.Il.BeginFinallyBlock();
                c.Emit(OpCodes.Ldarg_0); c.Load(i); c.Jump("f" + i, OpCodes.Blt_S, "skip" + i);
                c.Il.Emit(OpCodes.Ldloc, result); c.Load(1); c.Emit(OpCodes.Add); c.Il.Emit(OpCodes.Stloc, result);
                c.At("skip" + i);
                c.Il.EndExceptionBlock();
            }
            c.At("out"); c.Il.Emit(OpCodes.Ldloc, result); c.Emit(OpCodes.Ret);
        }).Expect(0, 1, "j0 f0").Expect(2, 2003, "j0>stay0 j1>stay1 j2 f2 f1 f0")
          .Expect(9, 6, "j0>stay0 j1>stay1 j2>stay2 j3>stay3 j4>stay4 j5>stay5 f0 f1 f2 f3 f4 f5")
          .Expect(-1, 0, "j0>stay0 j1>stay1 j2>stay2 j3>stay3 j4>stay4 j5>stay5 f0>skip0 f1>skip1 f2>skip2 f3>skip3 f4>skip4 f5>skip5");
    }

    static void Prefixes()
    {
        // A jump to the `ret` of a tail call.
        var tail = type.DefineMethod("Tail", MethodAttributes.Public | MethodAttributes.Static, typeof(int), new[] { typeof(int), typeof(int) });
        var il = tail.GetILGenerator();
        Label recurse = il.DefineLabel(), back = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_1); il.Emit(OpCodes.Ldarg_0); il.Emit(OpCodes.Brtrue_S, recurse); il.Emit(OpCodes.Br_S, back);
        il.MarkLabel(recurse);
        il.Emit(OpCodes.Pop); il.Emit(OpCodes.Ldarg_0); il.Emit(OpCodes.Ldc_I4_1); il.Emit(OpCodes.Sub); il.Emit(OpCodes.Ldarg_1); il.Emit(OpCodes.Ldc_I4_2); il.Emit(OpCodes.Add);
        il.Emit(OpCodes.Tailcall); il.Emit(OpCodes.Call, tail);
        il.MarkLabel(back);
        il.Emit(OpCodes.Ret);
        // Too deep for a stack that grows.
        Test("tail calls", c => { c.Emit(OpCodes.Ldarg_0); c.Load(0); c.Il.Emit(OpCodes.Call, tail); c.Emit(OpCodes.Ret); })
            .Expect(0, 0, "").Expect(10, 20, "").Expect(10_000_000, 20_000_000, "");

        Test("volatile and unaligned", c =>
        {
            var local = c.Il.DeclareLocal(typeof(int));
            c.Emit(OpCodes.Ldarg_0); c.Jump("a", OpCodes.Brtrue, "prefixed"); c.Load(4); c.Il.Emit(OpCodes.Starg_S, (byte)0);
            c.At("prefixed"); c.Emit(OpCodes.Volatile); c.Il.Emit(OpCodes.Ldsfld, typeof(Helpers).GetField("Volatile"));
            c.Il.Emit(OpCodes.Ldloca, local); c.Emit(OpCodes.Ldarg_0); c.Il.Emit(OpCodes.Unaligned, (byte)1); c.Emit(OpCodes.Volatile); c.Emit(OpCodes.Stind_I4);
            c.Il.Emit(OpCodes.Ldloc, local); c.Emit(OpCodes.Add); c.Emit(OpCodes.Ret);
        }).Expect(0, 7, "a").Expect(1, 4, "a>prefixed");

        Test("constrained and readonly", c =>
        {
            c.Il.Emit(OpCodes.Ldarga_S, (byte)0); c.Il.Emit(OpCodes.Constrained, typeof(int)); c.Il.Emit(OpCodes.Callvirt, typeof(object).GetMethod("GetHashCode"));
            c.Jump("a", OpCodes.Brtrue_S, "some"); c.Return(-1);
            c.At("some"); c.Load(2); c.Il.Emit(OpCodes.Newarr, typeof(string)); c.Load(1); c.Emit(OpCodes.Readonly); c.Il.Emit(OpCodes.Ldelema, typeof(string));
            c.Il.Emit(OpCodes.Ldobj, typeof(string)); c.Jump("b", OpCodes.Brfalse_S, "null"); c.Return(-2);
            c.At("null"); c.Emit(OpCodes.Ldarg_0); c.Emit(OpCodes.Ret);
        }).Expect(0, -1, "a").Expect(6, 6, "a>some b>null");

        Test("localloc", c =>
        {
            var local = c.Il.DeclareLocal(typeof(byte*));
            c.Method.InitLocals = false;
            c.Load(16); c.Emit(OpCodes.Conv_U); c.Emit(OpCodes.Localloc); c.Il.Emit(OpCodes.Stloc, local);
            c.Il.Emit(OpCodes.Ldloc, local); c.Emit(OpCodes.Ldarg_0); c.Emit(OpCodes.Stind_I4);
            c.Il.Emit(OpCodes.Ldloc, local); c.Emit(OpCodes.Ldind_I4); c.Load(2); c.Jump("a", OpCodes.Blt_Un, "small"); c.Return(1);
            c.At("small"); c.Return(2);
        }).Expect(1, 2, "a>small").Expect(2, 1, "a").Expect(-1, 1, "a");

        Test("jmp", c =>
        {
            c.Emit(OpCodes.Ldarg_0); c.Load(2); c.Jump("a", OpCodes.Bgt_S, "large"); c.Return(0);
            c.At("large"); c.Il.Emit(OpCodes.Jmp, typeof(Helpers).GetMethod("Depth"));
        }).Expect(2, 0, "a").Expect(3, 3, "a>large");

        // Boxing a span is an error, unless the JIT sees that the box is not needed.
        var generic = type.DefineMethod("Has", MethodAttributes.Public | MethodAttributes.Static);
        var parameter = generic.DefineGenericParameters("T")[0];
        parameter.SetGenericParameterAttributes((GenericParameterAttributes)0x20);
        generic.SetParameters(parameter);
        generic.SetReturnType(typeof(int));
        il = generic.GetILGenerator();
        Label some = il.DefineLabel(), text = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_0); il.Emit(OpCodes.Box, parameter); il.Emit(OpCodes.Brtrue_S, some); il.Emit(OpCodes.Ldc_I4_1); il.Emit(OpCodes.Ret);
        il.MarkLabel(some);
        il.Emit(OpCodes.Ldarg_0); il.Emit(OpCodes.Box, parameter); il.Emit(OpCodes.Isinst, typeof(string)); il.Emit(OpCodes.Brtrue_S, text); il.Emit(OpCodes.Ldc_I4_2); il.Emit(OpCodes.Ret);
        il.MarkLabel(text); il.Emit(OpCodes.Ldc_I4_3); il.Emit(OpCodes.Ret);
        Test("a box that is not made", c =>
        {
            var span = c.Il.DeclareLocal(typeof(Span<int>));
            c.Emit(OpCodes.Ldarg_0); c.Switch("a", "null", "text", "object");
            c.Il.Emit(OpCodes.Ldloc, span); c.Il.Emit(OpCodes.Call, generic.MakeGenericMethod(typeof(Span<int>))); c.Emit(OpCodes.Ret);
            c.At("null"); c.Emit(OpCodes.Ldnull); c.Il.Emit(OpCodes.Call, generic.MakeGenericMethod(typeof(object))); c.Emit(OpCodes.Ret);
            c.At("text"); c.Il.Emit(OpCodes.Ldstr, "s"); c.Il.Emit(OpCodes.Call, generic.MakeGenericMethod(typeof(string))); c.Emit(OpCodes.Ret);
            c.At("object"); c.Emit(OpCodes.Ldarg_0); c.Il.Emit(OpCodes.Call, generic.MakeGenericMethod(typeof(int))); c.Emit(OpCodes.Ret);
        }).Expect(0, 1, "a>null").Expect(1, 3, "a>text").Expect(2, 2, "a>object").Expect(3, 2, "a");
    }

    static void Sizes()
    {
        // Short jumps as far as they go, in both directions.
        Test("the longest short jumps", c =>
        {
            c.Emit(OpCodes.Ldarg_0); c.Jump("a", OpCodes.Brtrue_S, "far");
            for (int i = 0; i < 125; i++) c.Emit(OpCodes.Nop);
            c.Emit(OpCodes.Ldc_I4_0); c.Emit(OpCodes.Ret);
            c.At("far"); c.Emit(OpCodes.Ldarg_0); c.Emit(OpCodes.Ldc_I4_1); c.Emit(OpCodes.Sub); c.Il.Emit(OpCodes.Starg_S, (byte)0);
            for (int i = 0; i < 119; i++) c.Emit(OpCodes.Nop);
            c.Emit(OpCodes.Ldarg_0); c.Jump("b", OpCodes.Brtrue_S, "far");
            c.Emit(OpCodes.Ldc_I4_7); c.Emit(OpCodes.Ret);
        }).Expect(0, 0, "a").Expect(1, 7, "a>far b").Expect(3, 7, "a>far b>far b");
        // Small exception tables have one byte for a length.
        Test("a range that grows", c =>
        {
            var result = c.Il.DeclareLocal(typeof(int));
            c.Il.BeginExceptionBlock();
            for (int i = 0; i < 19; i++)
            {
                c.Emit(OpCodes.Ldarg_0); c.Emit(OpCodes.Ldc_I4_1); c.Emit(OpCodes.Sub); c.Emit(OpCodes.Dup); c.Il.Emit(OpCodes.Starg_S, (byte)0);
                c.Jump("j" + i, OpCodes.Brfalse, "end" + i);
                c.At("end" + i);
            }
            c.Emit(OpCodes.Ldarg_0); c.Il.Emit(OpCodes.Call, fail); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.BeginCatchBlock(typeof(InvalidOperationException));
            c.Emit(OpCodes.Pop); c.Load(77); c.Il.Emit(OpCodes.Stloc, result);
            c.Il.EndExceptionBlock();
            c.Il.Emit(OpCodes.Ldloc, result); c.Emit(OpCodes.Ret);
        }).Expect(19, 77, string.Join(' ', Enumerable.Range(0, 19).Select(i => "j" + i))).Expect(29, 10, string.Join(' ', Enumerable.Range(0, 19).Select(i => "j" + i)));
        Test("a large method", c =>
        {
            for (int i = 0; i < 3000; i++)
            {
                c.Emit(OpCodes.Ldarg_0); c.Load(i); c.Jump("j" + i, OpCodes.Beq, "end");
            }
            c.Return(0);
            c.At("end"); c.Return(1);
        }).Expect(2, 1, "j0 j1 j2>end").Expect(2999, 1, string.Join(' ', Enumerable.Range(0, 2999).Select(i => "j" + i)) + " j2999>end").Expect(-1, 0, string.Join(' ', Enumerable.Range(0, 3000).Select(i => "j" + i)));
    }
}
