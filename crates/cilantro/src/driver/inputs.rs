//! The inputs of a test case as a person would write them.

use report::Input;
use testgen::case::{Case, FieldValue, Object, ObjectKind, Primitive, Value};

/// The receiver, if any, and the arguments.
pub fn of(case: &Case) -> Vec<Input> {
    let this = case.this.iter().map(|value| ("this", value));
    let names = case.method.parameters.iter().map(|p| p.name.as_str());
    this.chain(names.zip(&case.arguments))
        .map(|(name, value)| Input { name: name.to_owned(), value: written(case, value, 0) })
        .collect()
}

/// How deep objects are shown.
const DEPTH: usize = 3;
/// How many elements of an array are shown.
const ELEMENTS: usize = 16;

fn written(case: &Case, value: &Value, depth: usize) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Primitive(primitive) => scalar(*primitive),
        Value::Enum { ty, value } => format!("({}){value}", last_part(ty)),
        Value::Struct { ty, fields } => format!("{} {}", last_part(ty), members(case, fields, depth)),
        Value::Object(id) => match case.object(*id) {
            Some(object) if depth < DEPTH => heap(case, object, depth + 1),
            _ => "…".to_owned(),
        },
    }
}

fn heap(case: &Case, object: &Object, depth: usize) -> String {
    match &object.kind {
        ObjectKind::String(text) => quoted(&text.0, '"'),
        ObjectKind::Boxed { value } => format!("(object){}", written(case, value, depth)),
        ObjectKind::Object(instance) => {
            format!("{} {}", last_part(&instance.ty), members(case, &instance.fields, depth))
        }
        ObjectKind::Array(array) => {
            let lengths: Vec<String> = array.lengths.iter().map(u32::to_string).collect();
            let shown: Vec<String> = array
                .elements
                .iter()
                .take(ELEMENTS)
                .map(|e| {
                    let at: Vec<String> = e.at.iter().map(i32::to_string).collect();
                    format!("[{}] = {}", at.join(","), written(case, &e.value, depth))
                })
                .collect();
            let more = if array.elements.len() > ELEMENTS { ", …" } else { "" };
            format!(
                "{} of length {} {{ {}{more} }}",
                last_part(&array.ty),
                lengths.join("×"),
                shown.join(", ")
            )
        }
    }
}

fn members(case: &Case, fields: &[FieldValue], depth: usize) -> String {
    let shown: Vec<String> =
        fields.iter().map(|f| format!("{} = {}", f.name, written(case, &f.value, depth))).collect();
    if shown.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", shown.join(", ")) }
}

fn scalar(primitive: Primitive) -> String {
    match primitive {
        Primitive::Char(unit) => quoted(&[unit], '\''),
        Primitive::Single(bits) => {
            float(f64::from(f32::from_bits(bits)), &f32::from_bits(bits).to_string()) + "f"
        }
        Primitive::Double(bits) => float(f64::from_bits(bits), &f64::from_bits(bits).to_string()),
        other => other.to_string(),
    }
}

fn float(value: f64, shortest: &str) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_finite() && value.abs() >= 1e16 {
        format!("{value:e}")
    } else {
        shortest.to_owned()
    }
}

fn quoted(units: &[u16], quote: char) -> String {
    let mut out = String::from(quote);
    for c in char::decode_utf16(units.iter().copied()) {
        match c {
            Ok('\0') => out.push_str("\\0"),
            Ok(c) if c == quote || c == '\\' => out.extend(['\\', c]),
            Ok(c) if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            Ok(c) => out.push(c),
            Err(lone) => out.push_str(&format!("\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    out.push(quote);
    out
}

fn last_part(name: &str) -> &str {
    let head = name.split('[').next().unwrap_or(name);
    let start = head.rfind(['.', '+']).map_or(0, |dot| dot + 1);
    name.get(start..).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars() {
        let check = |primitive, text: &str| assert_eq!(scalar(primitive), text);
        check(Primitive::Int32(-5), "-5");
        check(Primitive::Boolean(true), "true");
        check(Primitive::Char(u16::from(b'a')), "'a'");
        check(Primitive::Char(0), "'\\0'");
        check(Primitive::Char(0xd800), "'\\ud800'");
        check(Primitive::Char(u16::from(b'\'')), "'\\''");
        check(Primitive::Double(1.5f64.to_bits()), "1.5");
        check(Primitive::Double(1e300f64.to_bits()), "1e300");
        check(Primitive::Double(f64::NAN.to_bits()), "NaN");
        check(Primitive::Single((-0.0f32).to_bits()), "-0f");
        check(Primitive::UInt64(u64::MAX), "18446744073709551615");
    }

    #[test]
    fn type_names() {
        assert_eq!(last_part("System.Int32[]"), "Int32[]");
        assert_eq!(last_part("A.B+C`1[System.Int32]"), "C`1[System.Int32]");
        assert_eq!(last_part("Plain"), "Plain");
    }
}
