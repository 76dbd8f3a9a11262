//! Identifiers: which names C# can write, and how.

const KEYWORDS: &[&str] = &[
    "abstract",
    "as",
    "base",
    "bool",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "checked",
    "class",
    "const",
    "continue",
    "decimal",
    "default",
    "delegate",
    "do",
    "double",
    "else",
    "enum",
    "event",
    "explicit",
    "extern",
    "false",
    "finally",
    "fixed",
    "float",
    "for",
    "foreach",
    "goto",
    "if",
    "implicit",
    "in",
    "int",
    "interface",
    "internal",
    "is",
    "lock",
    "long",
    "namespace",
    "new",
    "null",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "private",
    "protected",
    "public",
    "readonly",
    "ref",
    "return",
    "sbyte",
    "sealed",
    "short",
    "sizeof",
    "stackalloc",
    "static",
    "string",
    "struct",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

/// The name as source code, with `@` before keywords; none when C# cannot write it (compiler-made names).
pub fn written(name: &str) -> Option<String> {
    if !is_identifier(name) {
        return None;
    }
    Some(if KEYWORDS.contains(&name) { format!("@{name}") } else { name.to_owned() })
}

pub fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// A name for a local variable made of any name: lower case first, no keyword.
pub fn local(name: &str) -> String {
    let mut kept: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    while kept.starts_with('_') {
        kept.remove(0);
    }
    let mut chars = kept.chars();
    let lower = match chars.next() {
        Some(first) if first.is_alphabetic() => first.to_lowercase().chain(chars).collect(),
        _ => "value".to_owned(),
    };
    written(&lower).unwrap_or_else(|| "value".to_owned())
}

/// The part of a test name that a name becomes: letters and digits, upper case first.
pub fn word(name: &str) -> String {
    let mut result = String::new();
    let mut upper = true;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            upper = true;
        } else if upper {
            result.extend(c.to_uppercase());
            upper = false;
        } else {
            result.push(c);
        }
    }
    result
}
