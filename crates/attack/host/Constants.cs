// The numbers and texts in the code of a method: what its branches compare with.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;

namespace Cilantro.Attack;

sealed class Constants
{
    public readonly List<long> Numbers = new();
    public readonly List<double> Floats = new();
    public readonly List<string> Texts = new();
    public readonly List<Type> Types = new();

    static readonly Dictionary<short, OpCode> Codes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)).ToDictionary(code => code.Value);

    /// Of the method, and of what it calls in its own assembly.
    public static Constants Of(MethodBase method)
    {
        var found = new Constants();
        found.Collect(method, 2, new HashSet<MethodBase>());
        return found;
    }

    void Collect(MethodBase method, int depth, HashSet<MethodBase> seen)
    {
        if (!seen.Add(method) || seen.Count > 60) return;
        byte[] code;
        try { code = method.GetMethodBody()?.GetILAsByteArray(); }
        catch (Exception) { return; }
        if (code == null) return;
        for (int at = 0; at < code.Length;)
        {
            short value = code[at++];
            if (value == 0xfe && at < code.Length) value = (short)(0xfe00 | code[at++]);
            if (!Codes.TryGetValue(value, out var op)) return;
            switch (op.OperandType)
            {
                case OperandType.InlineNone:
                    // ldc.i4.m1 and its neighbours
                    if (value is >= 0x15 and <= 0x1e) Numbers.Add(value - 0x16);
                    break;
                case OperandType.ShortInlineI: Numbers.Add((sbyte)code[at]); at += 1; break;
                case OperandType.ShortInlineBrTarget or OperandType.ShortInlineVar: at += 1; break;
                case OperandType.InlineVar: at += 2; break;
                case OperandType.InlineI: Numbers.Add(BitConverter.ToInt32(code, at)); at += 4; break;
                case OperandType.InlineI8:
                    // The addresses of probes are no constants of the program.
                    long wide = BitConverter.ToInt64(code, at);
                    if (!IsProbe(wide)) Numbers.Add(wide);
                    at += 8;
                    break;
                case OperandType.ShortInlineR: Floats.Add(BitConverter.ToSingle(code, at)); at += 4; break;
                case OperandType.InlineR: Floats.Add(BitConverter.ToDouble(code, at)); at += 8; break;
                case OperandType.InlineSwitch: at += 4 + 4 * BitConverter.ToInt32(code, at); break;
                default:
                    Resolve(method, op.OperandType, BitConverter.ToInt32(code, at), depth, seen);
                    at += 4;
                    break;
            }
        }
    }

    void Resolve(MethodBase method, OperandType kind, int token, int depth, HashSet<MethodBase> seen)
    {
        try
        {
            var typeArguments = method.DeclaringType.IsGenericType ? method.DeclaringType.GetGenericArguments() : null;
            var methodArguments = method.IsGenericMethod ? method.GetGenericArguments() : null;
            if (kind == OperandType.InlineString) Texts.Add(method.Module.ResolveString(token));
            if (kind is OperandType.InlineType or OperandType.InlineTok && method.Module.ResolveMember(token, typeArguments, methodArguments) is Type type && !type.ContainsGenericParameters) Types.Add(type);
            if (kind == OperandType.InlineMethod && depth > 0)
            {
                var called = method.Module.ResolveMethod(token, typeArguments, methodArguments);
                if (called.Module == method.Module) Collect(called, depth - 1, seen);
            }
        }
        catch (Exception)
        {
            // A token of something that is not there.
        }
    }

    static unsafe bool IsProbe(long value) => value >= (long)Program.Probes && value < (long)Program.Probes + Program.ProbeCount;
}
