//! Numbers and names as a person would say them.

use crate::summary::Input;

/// `1 test`, `2 tests`, `2 branches`, `2 crashes`.
pub(crate) fn count(n: u64, singular: &str) -> String {
    if n == 1 { format!("1 {singular}") } else { format!("{n} {}", plural(singular)) }
}

fn plural(word: &str) -> String {
    let is_hissed = ["ch", "sh", "s"].iter().any(|end| word.ends_with(end));
    if is_hissed { format!("{word}es") } else { format!("{word}s") }
}

/// `3 ms`, `1.2 s`, `2 min 5 s`.
pub(crate) fn duration(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..60_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1000),
    }
}

/// Text without its line breaks.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text in one line, without characters that terminals and pages would take for something else.
pub(crate) fn printable(text: &str) -> String {
    one_line(text).replace(char::is_control, "\u{fffd}")
}

/// `price = 1, cost = 0`.
pub(crate) fn inputs(inputs: &[Input]) -> String {
    let inputs = inputs.iter().map(|input| format!("{} = {}", input.name, one_line(&input.value)));
    inputs.collect::<Vec<_>>().join(", ")
}

/// Characters of inputs that are shown where nobody asked for all of them.
const LONGEST: usize = 240;

/// The beginning of a long text.
pub(crate) fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

/// A method id with the namespaces of its parameter types left out:
/// `Shop.Cart::Add(System.Int32,System.String)` → `Shop.Cart::Add(Int32,String)`.
pub fn short_id(id: &str) -> String {
    let Some(open) = id.find('(') else { return id.to_owned() };
    let (head, parameters) = id.split_at(open);
    let mut out = String::from(head);
    let mut word = String::new();
    for c in parameters.chars() {
        if is_separator(c) {
            out.push_str(last_part(&word));
            word.clear();
            out.push(c);
        } else {
            word.push(c);
        }
    }
    out.push_str(last_part(&word));
    out
}

fn is_separator(c: char) -> bool {
    matches!(c, '(' | ')' | ',' | '[' | ']' | '<' | '>' | '&' | '*' | ' ')
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Text in quotes as C# would write it; lone surrogates and control characters as `\uXXXX`.
pub fn quoted(units: &[u16], quote: char) -> String {
    let mut out = String::from(quote);
    for c in char::decode_utf16(units.iter().copied()) {
        match c {
            Ok('\0') => out.push_str("\\0"),
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\t') => out.push_str("\\t"),
            Ok(c) if c == quote || c == '\\' => out.extend(['\\', c]),
            Ok(c) if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            Ok(c) => out.push(c),
            Err(lone) => out.push_str(&format!("\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn strings_are_literals() {
        let units: Vec<u16> = "a\"\\\n\u{1}é'".encode_utf16().chain([0xd800]).collect();
        assert_eq!(quoted(&units, '"'), r#""a\"\\\n\u0001é'\ud800""#);
        assert_eq!(quoted(&[0x27], '\''), r"'\''");
    }
}
