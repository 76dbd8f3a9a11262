//! The tables of characters that exploration uses are those of the runtime.

#![allow(clippy::unwrap_used)] // a test may fail

use testkit::{Options, Source, Target};

const KINDS: &[u8] = include_bytes!("../src/strings/characters/kinds.bin");
const LOWER: &[u8] = include_bytes!("../src/strings/characters/lower.bin");
const UPPER: &[u8] = include_bytes!("../src/strings/characters/upper.bin");

const PROGRAM: &str = r#"
using System;
using System.Linq;
static class Program
{
    static void Main()
    {
        int last = -1;
        for (int i = 0; i < 65536; i++)
        {
            char c = (char)i;
            bool[] kinds = { char.IsControl(c), char.IsDigit(c), char.IsLetter(c), char.IsLetterOrDigit(c), char.IsLower(c),
                char.IsNumber(c), char.IsPunctuation(c), char.IsSeparator(c), char.IsSymbol(c), char.IsUpper(c),
                char.IsWhiteSpace(c) };
            int bits = (int)char.GetUnicodeCategory(c) << 11 | kinds.Select((is_, bit) => is_ ? 1 << bit : 0).Sum();
            if (bits != last) Console.WriteLine($"kind {i} {bits}");
            last = bits;
        }
        for (int i = 0; i < 65536; i++)
        {
            char c = (char)i;
            if (char.ToLowerInvariant(c) != c) Console.WriteLine($"lower {i} {(int)char.ToLowerInvariant(c)}");
            if (char.ToUpperInvariant(c) != c) Console.WriteLine($"upper {i} {(int)char.ToUpperInvariant(c)}");
        }
    }
}
"#;

#[test]
fn characters_are_what_the_runtime_says() {
    let options = Options { target: Target::Exe, ..Options::default() };
    let program = testkit::compile("Characters", &[Source::text("Program.cs", PROGRAM)], &options).unwrap();
    let finished = testkit::run_dotnet(&program, &[]).unwrap();
    for (name, table) in [("kind", KINDS), ("lower", LOWER), ("upper", UPPER)] {
        let told = finished.stdout.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let told: Vec<String> = told.map(str::to_owned).collect();
        let kept: Vec<String> = table
            .chunks_exact(4)
            .map(|n| format!("{} {}", u16::from_le_bytes([n[0], n[1]]), u16::from_le_bytes([n[2], n[3]])))
            .collect();
        assert!(told.len() > 500, "{name}: {}{}", finished.stdout, finished.stderr);
        assert!(told == kept, "the table {name} is that of another runtime");
    }
}
