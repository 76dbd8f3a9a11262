// Prints the opcodes as the runtime's own assembler knows them.
using System;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;

static class Opcodes
{
    static void Main()
    {
        var opcodes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static).Select(f => (OpCode)f.GetValue(null));
        foreach (var o in opcodes.Where(o => !o.Name.StartsWith("prefix")).OrderBy(o => (ushort)o.Value))
            Console.WriteLine($"{(ushort)o.Value:x} {o.Name} {o.OperandType} {o.StackBehaviourPop} {o.StackBehaviourPush} {o.FlowControl}");
    }
}
