//! The fixed parts of a generated program: types that its methods use, and the program that tries all inputs.

use super::{Method, Scalar};

/// Types and helper methods.
pub const FIXED: &str = include_str!("Prelude.cs");

/// The number that stands for the first type of exception. Random methods like to return numbers near powers of two.
pub const FIRST_EXCEPTION: i64 = -7_046_029_254_386_353_131;

/// A main program that writes outcomes to a file, 64-bit numbers; `FIRST_EXCEPTION + k` stands for the k-th exception type
/// on standard output. With one argument: the outcomes of all inputs of every method, in the order of their numbers.
/// With two: those of the inputs in the second file, each a method's number and the scalars.
pub fn main_program(methods: &[Method]) -> String {
    let mut text = String::from(
        r#"
public static class Program
{
    static readonly System.Collections.Generic.List<string> Exceptions = new();

    static long Attempt(Func<ulong[], long> method, ulong[] input)
    {
        try { return method(input); }
        catch (Exception e) { return Code(e.GetType().FullName); }
    }

    static long Code(string name)
    {
        lock (Exceptions)
        {
            int at = Exceptions.IndexOf(name);
            if (at < 0) { at = Exceptions.Count; Exceptions.Add(name); }
            return FirstException + at;
        }
    }

    public static void Main(string[] args)
    {
        var outcomes = args.Length == 1 ? All() : Given(System.IO.File.ReadAllBytes(args[1]));
        using (var file = System.IO.File.Create(args[0]))
            foreach (var table in outcomes) file.Write(System.Runtime.InteropServices.MemoryMarshal.AsBytes<long>(table));
        foreach (string name in Exceptions) Console.WriteLine(name);
    }

    static long[][] Given(byte[] bytes)
    {
        ReadOnlySpan<ulong> numbers = System.Runtime.InteropServices.MemoryMarshal.Cast<byte, ulong>(bytes);
        var outcomes = new System.Collections.Generic.List<long>();
        while (numbers.Length > 0)
        {
            var (widths, method) = Methods[(int)numbers[0]];
            outcomes.Add(Attempt(method, numbers.Slice(1, widths.Length).ToArray()));
            numbers = numbers.Slice(1 + widths.Length);
        }
        return new[] { outcomes.ToArray() };
    }

    static long[][] All()
    {
        var tables = new long[Methods.Length][];
        System.Threading.Tasks.Parallel.For(0, Methods.Length, m =>
        {
            var (widths, method) = Methods[m];
            int bits = 0;
            foreach (int width in widths) bits += width;
            var table = new long[1 << bits];
            var input = new ulong[widths.Length];
            for (int i = 0; i < table.Length; i++)
            {
                ulong rest = (ulong)i;
                for (int k = widths.Length - 1; k >= 0; k--)
                {
                    input[k] = rest & (1UL << widths[k]) - 1;
                    rest >>= widths[k];
                }
                table[i] = Attempt(method, input);
            }
            tables[m] = table;
        });
        return tables;
    }

    static readonly (int[], Func<ulong[], long>)[] Methods =
    {
"#,
    );
    for method in methods {
        let widths: Vec<String> = method.scalars().iter().map(|scalar| scalar.bits().to_string()).collect();
        text.push_str(&format!("        (new[] {{ {} }}, {}),\n", widths.join(", "), call(method)));
    }
    text.push_str(&format!("    }};\n    const long FirstException = {FIRST_EXCEPTION};\n}}\n"));
    text
}

/// A lambda that takes the bits of the scalars.
fn call(method: &Method) -> String {
    let mut index = 0;
    let mut setup = String::new();
    let mut arguments = Vec::new();
    for (number, parameter) in method.parameters.iter().enumerate() {
        let parts: Vec<String> = parameter
            .scalars()
            .iter()
            .map(|scalar| {
                index += 1;
                bits_as(*scalar, index - 1)
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

fn bits_as(scalar: Scalar, index: usize) -> String {
    match scalar {
        Scalar::Bool => format!("i[{index}] == 1"),
        Scalar::Integer(name, _) => format!("unchecked(({name})i[{index}])"),
    }
}
