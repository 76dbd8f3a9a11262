//! A literal means exactly the value it was made of, with the type it should have, in checked code too.
#![allow(clippy::unwrap_used)] // of what tests are made of

use case::Primitive;
use csharp::{Wanted, primitive};
use testkit::{Options, Target};

/// Prints type and bits of what it is given.
const SHOW: &str = r#"
static class Show
{
    public static void It<T>(T value)
    {
        string text = value switch
        {
            bool b => b ? "true" : "false",
            char c => ((int)c).ToString(),
            float f => "0x" + System.BitConverter.SingleToUInt32Bits(f).ToString("x8"),
            double d => "0x" + System.BitConverter.DoubleToUInt64Bits(d).ToString("x16"),
            _ => value.ToString(),
        };
        System.Console.WriteLine(typeof(T).FullName + " " + text);
    }
}
"#;

#[test]
fn literals_are_exact() {
    let values = values();
    let mut program = format!("{SHOW}\nstatic class Program\n{{\n    static void Main()\n    {{\n");
    for value in &values {
        let exact = primitive(*value, Wanted::Exact).replace("BitConverter", "System.BitConverter");
        let converted = primitive(*value, Wanted::Converted).replace("BitConverter", "System.BitConverter");
        let ty = value.type_name();
        program +=
            &format!("        Show.It({exact});\n        {{ {ty} typed = {converted}; Show.It(typed); }}\n");
    }
    program += "    }\n}\n";
    let options = Options { target: Target::Exe, checked: true, ..Options::default() };
    let assembly = testkit::compile("Literals", &[("literals.cs", program.as_str())], &options).unwrap();
    let finished = testkit::run_dotnet(&assembly, &[]).unwrap();
    let expected: Vec<String> = values.iter().flat_map(|value| [show(*value), show(*value)]).collect();
    let actual: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(actual, expected, "{}", finished.stderr);
}

/// NaNs with the usual payload are written `NaN`, whatever their sign.
fn show(value: Primitive) -> String {
    let value = match value {
        Primitive::Single(0x7fc0_0000) => Primitive::Single(0xffc0_0000),
        Primitive::Double(0x7ff8_0000_0000_0000) => Primitive::Double(0xfff8_0000_0000_0000),
        other => other,
    };
    format!("{} {value}", value.type_name())
}

/// The corners of every type, and numbers without pattern.
fn values() -> Vec<Primitive> {
    use Primitive::*;
    let mut values = vec![Boolean(true), Boolean(false)];
    let mut random = random::Random::new(1);
    let mut words: Vec<u64> = (0..64).flat_map(|bit| [1u64 << bit, (1u64 << bit).wrapping_sub(1)]).collect();
    words.extend((0..64).map(|bit| !(1u64 << bit)));
    words.extend((0..200).map(|_| {
        let shift = random.below(60);
        random.number() >> shift
    }));
    for word in words {
        values.extend([Char(word as u16), SByte(word as i8), Byte(word as u8), Int16(word as i16)]);
        values.extend([UInt16(word as u16), Int32(word as i32), UInt32(word as u32), Int64(word as i64)]);
        values.extend([UInt64(word), IntPtr(word as i64), UIntPtr(word)]);
        // Signalling NaNs become quiet on the way through some registers.
        let quiet = |bits: u32| if f32::from_bits(bits).is_nan() { bits | 0x0040_0000 } else { bits };
        values.push(Single(quiet(word as u32)));
        let quiet =
            |bits: u64| if f64::from_bits(bits).is_nan() { bits | 0x0008_0000_0000_0000 } else { bits };
        values.extend([Double(quiet(word)), Double(quiet(word.rotate_left(52)))]);
    }
    values.sort();
    values.dedup();
    values
}
