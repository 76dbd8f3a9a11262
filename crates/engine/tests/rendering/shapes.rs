//! Random C# libraries made of what test writers stumble over: accessibility, nesting, generics, overloads, optional and
//! by-ref parameters, records, required and obsolete members, explicit implementations, operators, odd names.

/// The same seed gives the same library everywhere.
pub fn library(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::from(FRAME);
    for number in 0..TYPES {
        text.push_str(&type_text(&mut dice, number));
    }
    text + "}\n"
}

const TYPES: usize = 5;
const METHODS: usize = 5;

/// Names of the library that are others' as well: what the tests need must still mean what it should.
const FRAME: &str = r#"using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Shapes
{
    public enum Mode : byte { None, A, B = 7, [Obsolete("use B")] Old }
    internal enum Secret { X = 3, Y }
    public interface IShape { int Sides { get; } }
    internal class Hidden : IShape { public int Sides { get; set; } public string Name; }
    public struct Pair<T> { public T Left; public T Right; public Pair(T left, T right) { Left = left; Right = right; } }
    internal struct Inner { public int Number; public Hidden Of; }
    public class Type { public int Kind; }
    public class Exception { }
    public static class Casting { public static IEnumerable<T> Cast<T>(this object what) { yield return (T)what; } }
    public class Base
    {
        public int Tag { get; set; }
        public virtual string Label => "base";
        public string Take(object what) => what == null ? "nothing" : "object";
    }
    internal sealed class Trouble : InvalidOperationException { }
"#;

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A type, a condition on `$`, a value, and whether it is public.
struct Kind {
    name: &'static str,
    asks: &'static str,
    gives: &'static str,
    public: bool,
}

const fn kind(name: &'static str, asks: &'static str, gives: &'static str, public: bool) -> Kind {
    Kind { name, asks, gives, public }
}

const KINDS: &[Kind] = &[
    kind("int", "$ > 5", "-3", true),
    kind("long", "$ == 1L << 40", "long.MinValue", true),
    kind("uint", "$ > 0x80000000", "7", true),
    kind("byte", "$ == 200", "9", true),
    kind("byte?", "$.HasValue", "3", true),
    kind("sbyte?", "$ == -4", "null", true),
    kind("char", "$ == 'x'", "'\\u20ac'", true),
    kind("double", "double.IsNaN($)", "double.NaN", true),
    kind("float", "$ > 1.5f", "-0f", true),
    kind("decimal", "$ > 2", "1.50m", true),
    kind("string", "$ == null", "\"a\\\"b\"", true),
    kind("object", "$ is int", "5u", true),
    kind("Mode", "$ == Mode.B", "Mode.A", true),
    kind("Mode?", "$ == Mode.A", "Mode.B", true),
    kind("Mode[]", "$ != null && $.Length == 2 && $[1] == Mode.B", "new[] { Mode.B, Mode.None }", true),
    kind("uint[]", "$ != null && $.Length > 1 && $[0] == 4", "new uint[] { 1, 2 }", true),
    kind("int[,]", "$ != null && $.GetLength(0) == 2", "new int[1, 2]", true),
    kind("(int, string)", "$.Item1 > 3", "(4, null)", true),
    kind("(byte Size, Mode Mode)?", "$.HasValue && $.Value.Size == 3", "(5, Mode.A)", true),
    kind("Pair<int>", "$.Left == 3", "new Pair<int>(1, 2)", true),
    kind("Pair<Pair<string>>", "$.Left.Right == null", "new Pair<Pair<string>>()", true),
    kind("List<int>", "$ != null && $.Count == 2", "new List<int> { 4 }", true),
    kind("IReadOnlyList<string>", "$ != null && $.Count == 1", "new[] { \"one\", null }", true),
    kind("IEnumerable<int>", "$ == null", "new uint[] { 1 }.Length == 1 ? new int[] { 8 } : null", true),
    kind(
        "Dictionary<string, int>",
        "$ != null && $.ContainsKey(\"k\")",
        "new Dictionary<string, int> { [\"q\"] = 1 }",
        true,
    ),
    kind("IShape", "$ != null && $.Sides == 4", "new Hidden { Sides = 3 }", true),
    kind("Base", "$ != null && $.Tag == 2", "new Base { Tag = 4 }", true),
    kind("Type", "$ != null && $.Kind == 2", "new Type { Kind = 4 }", true),
    kind("Func<int, bool>", "$ != null && $(3)", "null", true),
    kind("Hidden", "$ != null && $.Name == \"n\"", "new Hidden { Name = \"m\" }", false),
    kind("Hidden[]", "$ != null && $.Length == 1", "new[] { new Hidden() }", false),
    kind("Inner", "$.Number == 3", "new Inner { Number = 2 }", false),
    kind("Secret", "$ == Secret.Y", "Secret.X", false),
    kind("(Hidden, int)", "$.Item2 == 4", "(null, 1)", false),
];

const NAMES: &[&str] =
    &["Plain", "@class", "größe", "名前", "Cast", "Equals2", "_", "@event", "Assert", "ToArray"];

fn type_text(dice: &mut Dice, number: usize) -> String {
    let forms = ["class", "sealed class", "struct", "record", "record struct", "readonly struct"];
    let form = *dice.pick(&forms);
    let access = *dice.pick(&["public", "public", "public", "internal"]);
    let generic = if dice.chance(25) {
        *dice.pick(&["<T>", "<T> where T : class", "<T> where T : struct"])
    } else {
        ""
    };
    let (parameters, constraint) = generic.split_once(' ').unwrap_or((generic, ""));
    let name = format!("{}{number}", dice.pick(NAMES).trim_start_matches('@'));
    let derives = if matches!(form, "class" | "sealed class") { " : Base" } else { "" };
    let mut text = format!("    {access} {form} {name}{parameters}{derives} {constraint}\n    {{\n");
    let readonly = form == "readonly struct";
    text.push_str(&state(dice, &name, form));
    for index in 0..METHODS {
        text.push_str(&member(dice, &name, parameters, index, access == "public", readonly));
    }
    text.push_str("    }\n");
    if dice.chance(30) {
        // Seen through another type, and nested.
        return format!("    {access} static class Around{number}\n    {{\n{text}    }}\n");
    }
    text
}

/// Fields, properties and constructors.
fn state(dice: &mut Dice, name: &str, form: &str) -> String {
    let kinds: Vec<&Kind> = KINDS.iter().filter(|kind| kind.public).collect();
    let (one, two) = (*dice.pick(&kinds), *dice.pick(&kinds));
    let set = if form == "readonly struct" { "init" } else { *dice.pick(&["set", "init", "private set"]) };
    let required = if set != "private set" && dice.chance(25) { "required " } else { "" };
    let obsolete = if dice.chance(20) && required.is_empty() { "[Obsolete] " } else { "" };
    let mut text = format!("        {obsolete}public {required}{} First {{ get; {set}; }}\n", one.name);
    let readonly = if form.contains("struct") || dice.chance(50) { "readonly " } else { "" };
    text.push_str(&format!("        private {readonly}{} second;\n", two.name));
    text.push_str(&format!(
        "        public {0} Second => second{1};\n",
        two.name,
        if dice.chance(30) && is_reference(two) { " ?? throw new InvalidOperationException()" } else { "" }
    ));
    if dice.chance(60) && required.is_empty() {
        text.push_str(&format!(
            "        public {name}({} second) {{ this.second = second; First = {}; }}\n",
            two.name, one.gives
        ));
        if dice.chance(50) && two.name != "string" {
            text.push_str(&format!("        public {name}(string text) : this({}) {{ }}\n", cast(two)));
        }
    }
    text
}

fn is_reference(kind: &Kind) -> bool {
    ["string", "object", "Base", "Type", "List<int>", "IShape"].contains(&kind.name)
}

/// Values without a type of their own get one.
fn cast(kind: &Kind) -> String {
    format!("({})({})", kind.name, kind.gives)
}

fn member(
    dice: &mut Dice,
    name: &str,
    parameters: &str,
    index: usize,
    public: bool,
    readonly: bool,
) -> String {
    let (a, b, c) = (dice.pick(KINDS), dice.pick(KINDS), dice.pick(KINDS));
    let access = match a.public && b.public && c.public && public {
        true => *dice.pick(&["public", "public", "private", "internal"]),
        false => *dice.pick(&["internal", "private"]),
    };
    let own = format!("{name}{parameters}");
    let word = format!("{}M{index}", dice.pick(NAMES));
    let asks = |kind: &Kind, name: &str| kind.asks.replace('$', name);
    let (ask_a, ask_b) = (asks(a, "@in"), asks(b, "@ref"));
    let body =
        format!("{{ if ({ask_a}) {{ return {}; }} return {ask_b} ? {} : default; }}", cast(c), cast(c));
    let body = &body;
    let (a, b, c) = (a.name, b.name, c.name);
    let modifier = if !readonly && dice.chance(20) { "static " } else { "" };
    match dice.below(14) {
        0 => format!(
            "        {access} {modifier}{c} {word}({a} @in, {b} @ref) {body}\n        {access} {modifier}int {word}(object one, object two) => 1;\n"
        ),
        1 => format!(
            "        {access} {modifier}{c} {word}({a} @in, {b} @ref) {body}\n        {access} {modifier}int {word}({a} @in, params {b}[] rest) => 2;\n"
        ),
        2 => format!(
            "        {access} {modifier}{c} {word}({a} @in, {b} @ref) {body}\n        {access} {modifier}int {word}({a} one, {b} two, int three = 3) => 3;\n"
        ),
        3 => format!("        {access} {modifier}{c} {word}({a} @in, ref {b} @ref) {body}\n"),
        4 => format!(
            "        {access} {modifier}void {word}({a} @in, out {b} @ref, ref {c} @out) {{ @ref = default; if ({ask_a}) {{ @out = default; }} }}\n"
        ),
        5 => format!("        [Obsolete(\"old\")] {access} {modifier}{c} {word}({a} @in, {b} @ref) {body}\n"),
        6 => format!(
            "        [Obsolete(\"old\", true)] {access} {modifier}{c} {word}({a} @in, {b} @ref) {body}\n"
        ),
        7 => format!(
            "        {access} {modifier}Task<{c}> {word}({a} @in) {{ if ({ask_a}) {{ throw new ArgumentException(); }} return null; }}\n"
        ),
        8 => {
            format!("        {access} {modifier}{c} {word}<T2>({a} @in, {b} @ref) where T2 : new() {body}\n")
        }
        9 => format!(
            "        {access} {modifier}int {word}({a} @in) {{ if ({ask_a}) {{ throw new Trouble(); }} return 2; }}\n"
        ),
        10 => format!("        {access} {c} this[{a} @in, {b} @ref, byte at{index}] {{ get {body} }}\n"),
        11 if a != "object" && public && access == "public" => format!(
            "        public static {c} operator {}({own} left, {a} @in) {{ return {ask_a} ? {} : default; }}\n",
            ["+", "*", "%", "^", "&"][index],
            format_args!("default({c})")
        ),
        12 if !readonly => format!(
            "        {access} {modifier}event Action<{a}> E{index};\n        {access} {modifier}bool {word}({b} @ref) => E{index} == null && {ask_b};\n"
        ),
        _ => format!("        {access} {modifier}{c} {word}({a} @in, {b} @ref) {body}\n"),
    }
}
