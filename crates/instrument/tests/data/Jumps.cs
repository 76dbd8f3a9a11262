// `emit path`: writes an assembly of methods with jumps that compilers do not emit, and prints which edges each of them is
// expected to take for which input. `run path`: runs them all, and prints for each run its result and the probes that fired.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;

static partial class Jumps
{
    const int Marked = 0x12345678;
    static TypeBuilder type;
    static readonly List<Case> cases = new();

    // A method of an int, its edges by name, and what it is expected to do.
    sealed class Case
    {
        public MethodBuilder Method;
        public ILGenerator Il;
        public readonly Dictionary<string, int> Places = new();
        public readonly Dictionary<string, string[]> Targets = new();
        public readonly List<(int Input, int Result, string Edges)> Expected = new();
        readonly Dictionary<string, Label> labels = new();

        public Label this[string name]
        {
            get
            {
                if (!labels.TryGetValue(name, out Label label)) labels[name] = label = Il.DefineLabel();
                return label;
            }
        }

        // A place that jumps lead to.
        public void At(string name) { Il.MarkLabel(this[name]); Places[name] = Il.ILOffset; }

        // A jump with a name; its targets are places, the last of them the one after it.
        public void Jump(string name, OpCode op, string target)
        {
            Places[name] = Il.ILOffset;
            Il.Emit(op, this[target]);
            Places[name + "+"] = Il.ILOffset;
            Targets[name] = new[] { target, name + "+" };
        }

        public void Switch(string name, params string[] targets)
        {
            Places[name] = Il.ILOffset;
            Il.Emit(OpCodes.Switch, targets.Select(target => this[target]).ToArray());
            Places[name + "+"] = Il.ILOffset;
            Targets[name] = targets.Append(name + "+").ToArray();
        }

        public void Load(int value) => Il.Emit(OpCodes.Ldc_I4, value);
        public void Emit(OpCode op) => Il.Emit(op);
        public void Return(int value) { Load(value); Emit(OpCodes.Ret); }

        // "a>L b" says that jump a goes to L, and that b falls through.
        public Case Expect(int input, int result, string edges) { Expected.Add((input, result, edges)); return this; }
    }

    static Case Test(string name, Action<Case> body)
    {
        var test = new Case { Method = type.DefineMethod(name.Replace(' ', '_'), MethodAttributes.Public | MethodAttributes.Static, typeof(int), new[] { typeof(int) }) };
        test.Il = test.Method.GetILGenerator();
        body(test);
        cases.Add(test);
        return test;
    }

    static unsafe int Main(string[] args)
    {
        if (args[0] == "emit")
        {
            var assembly = new PersistedAssemblyBuilder(new AssemblyName("Jumped"), typeof(object).Assembly);
            type = assembly.DefineDynamicModule("Jumped").DefineType("Jumped", TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed);
            Plain(); Stacks(); Switches(); Loops(); Protected(); Prefixes(); Sizes();
            type.CreateType();
            assembly.Save(args[1]);
            byte[] file = File.ReadAllBytes(args[1]);
            int marked = file.AsSpan().IndexOf(BitConverter.GetBytes(Marked));
            file[marked + 6] = (byte)OpCodes.Switch.Value;
            File.WriteAllBytes(args[1], file);
            foreach (Case test in cases)
                foreach (var (input, result, edges) in test.Expected) Console.WriteLine(Line(test, input, result, edges));
            return 0;
        }
        Type loaded = Assembly.LoadFrom(args[1]).GetType("Jumped");
        var block = Environment.GetEnvironmentVariable("PROBES").Split(' ');
        var probes = new Span<byte>((void*)long.Parse(block[0], NumberStyles.HexNumber), int.Parse(block[1], NumberStyles.HexNumber));
        foreach (string line in File.ReadLines(args[2]))
        {
            string[] parts = line.Split(' ');
            var method = loaded.GetMethod(parts[0]).CreateDelegate<Func<int, int>>();
            probes.Clear();
            int result = method(int.Parse(parts[1]));
            Console.Write(parts[0] + " " + parts[1] + " " + result + " :");
            for (int i = 0; i < probes.Length; i++) if (probes[i] != 0) Console.Write(" " + i);
            Console.WriteLine();
        }
        return 0;
    }

    static string Line(Case test, int input, int result, string edges)
    {
        var taken = new SortedSet<(int, int)>();
        foreach (string edge in edges.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            string[] ends = edge.Split('>');
            string to = ends.Length > 1 ? ends[1] : ends[0] + "+";
            if (!test.Targets[ends[0]].Contains(to)) throw new ArgumentException(test.Method.Name + " " + edge);
            taken.Add((test.Places[ends[0]], test.Places[to]));
        }
        return test.Method.Name + " " + input + " " + result + string.Concat(taken.Select(edge => " " + edge.Item1 + ">" + edge.Item2));
    }

    static readonly (string Name, OpCode Short, OpCode Long, Func<int, int, bool> Holds, Func<double, double, bool> Floats)[] Comparisons =
    {
        ("beq", OpCodes.Beq_S, OpCodes.Beq, (a, b) => a == b, (a, b) => a == b),
        ("bne_un", OpCodes.Bne_Un_S, OpCodes.Bne_Un, (a, b) => a != b, (a, b) => !(a == b)),
        ("bge", OpCodes.Bge_S, OpCodes.Bge, (a, b) => a >= b, (a, b) => a >= b),
        ("bge_un", OpCodes.Bge_Un_S, OpCodes.Bge_Un, (a, b) => (uint)a >= (uint)b, (a, b) => !(a < b)),
        ("bgt", OpCodes.Bgt_S, OpCodes.Bgt, (a, b) => a > b, (a, b) => a > b),
        ("bgt_un", OpCodes.Bgt_Un_S, OpCodes.Bgt_Un, (a, b) => (uint)a > (uint)b, (a, b) => !(a <= b)),
        ("ble", OpCodes.Ble_S, OpCodes.Ble, (a, b) => a <= b, (a, b) => a <= b),
        ("ble_un", OpCodes.Ble_Un_S, OpCodes.Ble_Un, (a, b) => (uint)a <= (uint)b, (a, b) => !(a > b)),
        ("blt", OpCodes.Blt_S, OpCodes.Blt, (a, b) => a < b, (a, b) => a < b),
        ("blt_un", OpCodes.Blt_Un_S, OpCodes.Blt_Un, (a, b) => (uint)a < (uint)b, (a, b) => !(a >= b)),
    };

    static void Plain()
    {
        int[] inputs = { 4, 5, 6, -1, int.MinValue };
        foreach (var (name, shorter, longer, holds, floats) in Comparisons)
            foreach (OpCode op in new[] { shorter, longer })
            {
                var test = Test(op.Name, c =>
                {
                    c.Emit(OpCodes.Ldarg_0); c.Load(5); c.Jump("a", op, "yes");
                    c.Return(0);
                    c.At("yes"); c.Return(1);
                });
                foreach (int x in inputs) test.Expect(x, holds(x, 5) ? 1 : 0, holds(x, 5) ? "a>yes" : "a");
                // 0 stands for NaN.
                test = Test(op.Name + " r8", c =>
                {
                    c.Emit(OpCodes.Ldarg_0); c.Emit(OpCodes.Conv_R8); c.Emit(OpCodes.Dup); c.Emit(OpCodes.Div); c.Emit(OpCodes.Ldarg_0); c.Emit(OpCodes.Conv_R8); c.Emit(OpCodes.Mul);
                    c.Il.Emit(OpCodes.Ldc_R8, 5.0); c.Jump("a", op, "yes");
                    c.Return(0);
                    c.At("yes"); c.Return(1);
                });
                foreach (int x in new[] { 0, 4, 5, 6 })
                {
                    bool taken = floats(x == 0 ? double.NaN : x, 5);
                    test.Expect(x, taken ? 1 : 0, taken ? "a>yes" : "a");
                }
            }
        foreach (OpCode op in new[] { OpCodes.Brtrue, OpCodes.Brtrue_S, OpCodes.Brfalse, OpCodes.Brfalse_S })
        {
            bool jumpsIf = op.Name.StartsWith("brtrue");
            var test = Test(op.Name, c => { c.Emit(OpCodes.Ldarg_0); c.Jump("a", op, "yes"); c.Return(0); c.At("yes"); c.Return(1); });
            foreach (int x in inputs.Append(0)) test.Expect(x, x != 0 == jumpsIf ? 1 : 0, x != 0 == jumpsIf ? "a>yes" : "a");
            test = Test(op.Name + " object", c =>
            {
                c.Emit(OpCodes.Ldarg_0); c.Jump("a", OpCodes.Brtrue_S, "some"); c.Emit(OpCodes.Ldnull); c.Il.Emit(OpCodes.Br_S, c["join"]);
                c.At("some"); c.Il.Emit(OpCodes.Ldstr, "s");
                c.At("join"); c.Jump("b", op, "yes"); c.Return(0); c.At("yes"); c.Return(1);
            });
            test.Expect(0, jumpsIf ? 0 : 1, jumpsIf ? "a b" : "a b>yes").Expect(1, jumpsIf ? 1 : 0, jumpsIf ? "a>some b>yes" : "a>some b");
        }
        // Both outcomes lead to the same place: they are one edge.
        Test("to the next", c => { c.Emit(OpCodes.Ldarg_0); c.Jump("a", OpCodes.Brtrue_S, "next"); c.At("next"); c.Return(3); }).Expect(0, 3, "a").Expect(1, 3, "a");
        Test("two ways to one place", c =>
        {
            c.Emit(OpCodes.Ldarg_0); c.Jump("a", OpCodes.Brfalse, "end");
            c.Emit(OpCodes.Ldarg_0); c.Load(9); c.Jump("b", OpCodes.Bgt, "end");
            c.Emit(OpCodes.Ldarg_0); c.Load(-9); c.Jump("c", OpCodes.Blt, "end");
            c.At("end"); c.Return(0);
        }).Expect(0, 0, "a>end").Expect(10, 0, "a b>end").Expect(-10, 0, "a b c").Expect(1, 0, "a b c");
    }

    static void Stacks()
    {
        Test("values below the condition", c =>
        {
            c.Load(7); c.Il.Emit(OpCodes.Ldc_R8, 1.5); c.Emit(OpCodes.Ldarg_0); c.Jump("a", OpCodes.Brtrue, "join");
            c.Emit(OpCodes.Pop); c.Il.Emit(OpCodes.Ldc_R8, 2.5);
            c.At("join"); c.Emit(OpCodes.Conv_I4); c.Emit(OpCodes.Add); c.Emit(OpCodes.Ret);
        }).Expect(0, 9, "a").Expect(1, 8, "a>join");
        Test("an object, a byref and a long below", c =>
        {
            var local = c.Il.DeclareLocal(typeof(int));
            c.Il.Emit(OpCodes.Ldstr, "abc"); c.Il.Emit(OpCodes.Ldloca, local); c.Il.Emit(OpCodes.Ldc_I8, 5L);
            c.Emit(OpCodes.Ldarg_0); c.Load(3); c.Jump("a", OpCodes.Ble, "small");
            c.Emit(OpCodes.Conv_I4); c.Il.Emit(OpCodes.Br, c["join"]);
            c.At("small"); c.Emit(OpCodes.Pop); c.Load(100);
            c.At("join"); c.Emit(OpCodes.Stind_I4); c.Il.Emit(OpCodes.Callvirt, typeof(string).GetProperty("Length").GetMethod);
            c.Il.Emit(OpCodes.Ldloc, local); c.Emit(OpCodes.Add); c.Emit(OpCodes.Ret);
        }).Expect(3, 103, "a>small").Expect(4, 8, "a");
        // The number of rounds lies on the stack when the loop goes back.
        Test("a loop over the stack", c =>
        {
            c.Load(0);
            c.At("again"); c.Load(1); c.Emit(OpCodes.Add); c.Emit(OpCodes.Dup); c.Emit(OpCodes.Ldarg_0); c.Jump("a", OpCodes.Blt_S, "again");
            c.Emit(OpCodes.Ret);
        }).Expect(0, 1, "a").Expect(5, 5, "a>again a");
        Test("into the middle", c =>
        {
            c.Emit(OpCodes.Ldarg_0); c.Load(10); c.Jump("a", OpCodes.Bgt, "middle");
            c.At("top"); c.Emit(OpCodes.Ldarg_0); c.Load(3); c.Emit(OpCodes.Add); c.Il.Emit(OpCodes.Starg_S, (byte)0);
            c.At("middle"); c.Emit(OpCodes.Ldarg_0); c.Load(2); c.Emit(OpCodes.Add); c.Il.Emit(OpCodes.Starg_S, (byte)0);
            c.Emit(OpCodes.Ldarg_0); c.Load(20); c.Jump("b", OpCodes.Blt, "top");
            c.Emit(OpCodes.Ldarg_0); c.Load(21); c.Jump("c", OpCodes.Beq, "middle");
            c.Emit(OpCodes.Ldarg_0); c.Emit(OpCodes.Ret);
        }).Expect(0, 20, "a b>top b c").Expect(19, 23, "a>middle b c>middle c").Expect(30, 32, "a>middle b c");
        Test("a switch with values below", c =>
        {
            c.Load(100); c.Emit(OpCodes.Ldarg_0); c.Switch("a", "one", "two", "one");
            c.Load(1); c.Emit(OpCodes.Add); c.Emit(OpCodes.Ret);
            c.At("one"); c.Load(2); c.Emit(OpCodes.Add); c.Emit(OpCodes.Ret);
            c.At("two"); c.Load(3); c.Emit(OpCodes.Add);
            c.At("end"); c.Emit(OpCodes.Ret);
        }).Expect(0, 102, "a>one").Expect(1, 103, "a>two").Expect(2, 102, "a>one").Expect(3, 101, "a").Expect(-1, 101, "a");
    }

    static void Switches()
    {
        // The emitter refuses a switch without cases: `ldc.r4 0` becomes one.
        Test("no cases", c =>
        {
            c.Load(Marked); c.Emit(OpCodes.Pop); c.Emit(OpCodes.Ldarg_0);
            c.Places["a"] = c.Il.ILOffset; c.Il.Emit(OpCodes.Ldc_R4, 0f); c.Places["a+"] = c.Il.ILOffset; c.Targets["a"] = new[] { "a+" };
            c.Return(1);
        }).Expect(0, 1, "a").Expect(-1, 1, "a");
        Test("cases to the next", c =>
        {
            c.Emit(OpCodes.Ldarg_0); c.Switch("a", "next", "other", "next", "other");
            c.At("next"); c.Return(1);
            c.At("other"); c.Return(2);
        }).Expect(0, 1, "a").Expect(1, 2, "a>other").Expect(2, 1, "a").Expect(3, 2, "a>other").Expect(4, 1, "a");
        Test("cases to the switch", c =>
        {
            c.At("top"); c.Emit(OpCodes.Ldarg_0); c.Emit(OpCodes.Ldarg_0); c.Load(1); c.Emit(OpCodes.Sub); c.Il.Emit(OpCodes.Starg_S, (byte)0);
            c.Switch("a", "end", "top", "top");
            c.Return(-1);
            c.At("end"); c.Return(7);
        }).Expect(2, 7, "a>top a>end").Expect(0, 7, "a>end").Expect(3, -1, "a");
        Test("a switch of switches", c =>
        {
            c.Emit(OpCodes.Ldarg_0); c.Load(10); c.Emit(OpCodes.Div); c.Switch("a", "low", "high");
            c.Return(-1);
            c.At("low"); c.Emit(OpCodes.Ldarg_0); c.Switch("b", "zero", "one"); c.Return(2);
            c.At("high"); c.Emit(OpCodes.Ldarg_0); c.Load(10); c.Emit(OpCodes.Sub); c.Switch("c", "one", "zero"); c.Return(3);
            c.At("zero"); c.Return(0);
            c.At("one"); c.Return(1);
        }).Expect(0, 0, "a>low b>zero").Expect(1, 1, "a>low b>one").Expect(5, 2, "a>low b").Expect(10, 1, "a>high c>one").Expect(11, 0, "a>high c>zero").Expect(19, 3, "a>high c").Expect(50, -1, "a");
        string[] many = Enumerable.Range(0, 1000).Select(i => "t" + i % 300).ToArray();
        Test("a thousand cases", c =>
        {
            c.Emit(OpCodes.Ldarg_0); c.Switch("a", many);
            c.Return(-1);
            for (int i = 0; i < 300; i++) { c.At("t" + i); c.Return(i); }
        }).Expect(0, 0, "a>t0").Expect(299, 299, "a>t299").Expect(300, 0, "a>t0").Expect(999, 99, "a>t99").Expect(1000, -1, "a");
    }

    static void Loops()
    {
        Test("the entry is a target", c =>
        {
            c.At("entry"); c.Emit(OpCodes.Ldarg_0); c.Load(1); c.Emit(OpCodes.Sub); c.Il.Emit(OpCodes.Starg_S, (byte)0);
            c.Emit(OpCodes.Ldarg_0); c.Load(0); c.Jump("a", OpCodes.Bgt_S, "entry");
            c.Emit(OpCodes.Ldarg_0); c.Emit(OpCodes.Ret);
        }).Expect(5, 0, "a>entry a").Expect(0, -1, "a");
        Test("backwards over all", c =>
        {
            c.Il.Emit(OpCodes.Br, c["start"]);
            c.At("end"); c.Return(4);
            c.At("middle"); c.Emit(OpCodes.Ldarg_0); c.Jump("b", OpCodes.Brtrue_S, "end"); c.Return(5);
            c.At("start"); c.Emit(OpCodes.Ldarg_0); c.Load(2); c.Jump("a", OpCodes.Bne_Un_S, "middle"); c.Return(6);
        }).Expect(0, 5, "a>middle b").Expect(1, 4, "a>middle b>end").Expect(2, 6, "a");
    }
}
