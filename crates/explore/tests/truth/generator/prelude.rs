//! The fixed parts of a generated program: types that its methods use, and the program that tries all inputs.

use super::{Method, Scalar};

pub const TYPES: &str = r"
public class X0 : Exception { }
public class X1 : X0 { }
public class X2 : Exception { }
public class X3 : X2 { }
public class X4 : ArithmeticException { }
public class X5 : Exception { }

public enum Colour : byte { Red, Green, Blue = 5, Last = 200 }
public enum Sign : sbyte { Minus = -1, Zero, Plus }

public struct P
{
    public byte A;
    public byte B;
    public int Sum() => A + B;
    public void Bump(byte by) { A += by; if (A < by) B++; }
    public static P operator +(P x, P y) => new P { A = (byte)(x.A + y.A), B = checked((byte)(x.B + y.B)) };
}

public struct Q
{
    public sbyte A;
    public bool B;
    public int Sum() => B ? A : -A;
    public void Bump(sbyte by) { if (B) A += by; else A = checked((sbyte)(A - by)); }
}

public interface IStep { int Step(int x); }

public abstract class Node : IStep
{
    public int Value;
    public Node Next;
    public abstract int Step(int x);
    public virtual int Twice(int x) => Step(Step(x));
}

public sealed class Add : Node { public override int Step(int x) => unchecked(x + Value); }

public class Mul : Node
{
    public override int Step(int x) => checked(x * Value);
    public override int Twice(int x) => Next == null ? Step(x) : Next.Step(x);
}

public struct Box<T> where T : struct
{
    public T Item;
    public bool Full;
    public Box(T item) { Item = item; Full = true; }
    public T Take() { if (!Full) throw new InvalidOperationException(); Full = false; return Item; }
}
";

/// A main program that writes the outcome of every input of every method to a file: 64-bit numbers in the order of
/// the inputs; `long.MinValue + k` stands for the k-th exception type on standard output.
pub fn main_program(methods: &[Method]) -> String {
    let mut text = String::from(
        r#"
public static class Program
{
    static readonly System.Collections.Generic.List<string> Exceptions = new();

    static long Attempt(Func<int, long> method, int index)
    {
        try { return method(index); }
        catch (Exception e) { return Code(e.GetType().FullName); }
    }

    static long Code(string name)
    {
        lock (Exceptions)
        {
            int at = Exceptions.IndexOf(name);
            if (at < 0) { at = Exceptions.Count; Exceptions.Add(name); }
            return long.MinValue + at;
        }
    }

    public static void Main(string[] args)
    {
        var tables = new long[Methods.Length][];
        System.Threading.Tasks.Parallel.For(0, Methods.Length, m =>
        {
            var (bits, method) = Methods[m];
            var table = new long[1 << bits];
            for (int i = 0; i < table.Length; i++) table[i] = Attempt(method, i);
            tables[m] = table;
        });
        using (var file = System.IO.File.Create(args[0]))
            foreach (var table in tables) file.Write(System.Runtime.InteropServices.MemoryMarshal.AsBytes<long>(table));
        foreach (string name in Exceptions) Console.WriteLine(name);
    }

    static readonly (int, Func<int, long>)[] Methods =
    {
"#,
    );
    for method in methods {
        text.push_str(&format!("        ({}, {}),\n", method.bits(), call(method)));
    }
    text.push_str("    };\n}\n");
    text
}

/// A lambda that takes the number of an input: the scalars' bits, the first one highest.
fn call(method: &Method) -> String {
    let mut shift = method.bits();
    let mut setup = String::new();
    let mut arguments = Vec::new();
    for (number, parameter) in method.parameters.iter().enumerate() {
        let parts: Vec<String> = parameter
            .scalars()
            .iter()
            .map(|scalar| {
                shift -= scalar.bits();
                bits_as(*scalar, shift)
            })
            .collect();
        let value = match parts.as_slice() {
            [a, b] => format!("new {} {{ A = {a}, B = {b} }}", parameter.type_name()),
            [scalar] => scalar.clone(),
            _ => unreachable!("parameters have one or two scalars"),
        };
        if parameter.by_ref {
            setup.push_str(&format!("var r{number} = {value}; "));
            arguments.push(format!("ref r{number}"));
        } else {
            arguments.push(value);
        }
    }
    format!("i => {{ {setup}return Methods_.{}({}); }}", method.name, arguments.join(", "))
}

fn bits_as(scalar: Scalar, shift: u32) -> String {
    match scalar {
        Scalar::Bool => format!("(i >> {shift} & 1) == 1"),
        Scalar::Integer(name) => format!("unchecked(({name})(i >> {shift}))"),
    }
}
