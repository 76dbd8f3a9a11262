//! Words of names: for methods, types, numbers, texts and objects.

use crate::Wanted;
use crate::identifier::word;
use case::type_name::TypeName;
use case::{Case, Object, ObjectKind, Primitive};

pub(crate) fn flag_words(members: &[(String, i128)], value: i128) -> Option<String> {
    let single: Vec<&(String, i128)> =
        members.iter().filter(|(_, n)| n.count_ones() == 1 && value & n == *n).collect();
    let covered = single.iter().fold(0, |all, (_, n)| all | n);
    let words: Vec<String> = single.iter().map(|(name, _)| word(name)).collect();
    (covered == value && words.len() <= 3).then(|| words.join("And"))
}

pub(crate) fn arguments_word(name: &TypeName) -> String {
    let inner: Vec<String> = name.arguments.iter().map(arguments_word).collect();
    let of = if inner.is_empty() { String::new() } else { format!("Of{}", inner.join("And")) };
    let suffixes: String = name.suffixes.iter().map(|_| "Array").collect();
    format!("{}{of}{suffixes}", word(name.simple()))
}

pub(crate) fn shortened(words: &[String]) -> String {
    const LONG: usize = 4;
    if words.len() <= LONG {
        return words.join("And");
    }
    if let [first, second, rest @ ..] = words
        && first != second
        && rest.iter().enumerate().all(|(at, word)| word == if at % 2 == 0 { first } else { second })
    {
        return format!("{first}And{second}InTurn");
    }
    let runs: Vec<String> = words
        .chunk_by(|a, b| a == b)
        .filter_map(|run| {
            let word = run.first()?;
            Some(if run.len() > 1 { format!("{}{word}", run.len()) } else { word.clone() })
        })
        .collect();
    runs.join("And")
}

pub(crate) fn method_word(name: &str) -> String {
    // Explicit implementations are called `Ns.IFace.Method`.
    let last = if name.starts_with('.') { name } else { name.rsplit('.').next().unwrap_or(name) };
    let text = match last {
        ".ctor" => "Constructor".to_owned(),
        ".cctor" => "StaticConstructor".to_owned(),
        "get_Item" => "Indexer".to_owned(),
        "set_Item" => "SetIndexer".to_owned(),
        _ => match (last.strip_prefix("get_"), last.strip_prefix("set_"), last.strip_prefix("op_")) {
            (Some(property), _, _) => word(property),
            (_, Some(property), _) => format!("Set{}", word(property)),
            (_, _, Some(operator)) => word(operator),
            _ => word(last),
        },
    };
    match text.chars().next() {
        Some(first) if first.is_alphabetic() => text,
        _ => format!("Method{text}"),
    }
}

pub(crate) fn signature_word(case: &Case) -> String {
    let types: Vec<String> = case.method.parameters.iter().map(|parameter| simple(&parameter.ty)).collect();
    if types.is_empty() { "NoArguments".to_owned() } else { types.concat() }
}

pub(crate) fn simple(ty: &str) -> String {
    TypeName::parse(ty).map(|name| word(name.simple())).unwrap_or_default()
}

pub(crate) fn plain_simple(ty: &str) -> String {
    TypeName::parse(ty).map(|name| crate::plain_name(name.simple())).unwrap_or_default()
}

pub(crate) fn definition(ty: &str) -> &str {
    ty.split('[').next().unwrap_or(ty)
}

pub(crate) fn field_word(name: &str) -> String {
    let inner = name.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(inner, _)| inner);
    word(inner.unwrap_or(name))
}

pub(crate) fn primitive_word(primitive: Primitive) -> String {
    let name = primitive.type_name().trim_start_matches("System.");
    match primitive {
        Primitive::Boolean(value) => if value { "True" } else { "False" }.to_owned(),
        Primitive::Char(unit) => match char::from_u32(unit.into()) {
            Some(c) if c.is_ascii_digit() => format!("Digit{c}"),
            Some(c) if c.is_ascii_lowercase() => format!("Lowercase{}", c.to_ascii_uppercase()),
            Some(c) if c.is_ascii_uppercase() => format!("Uppercase{c}"),
            Some(' ') => "Space".to_owned(),
            _ => format!("U{unit:04X}"),
        },
        Primitive::Single(bits) => float_word(name, f32::from_bits(bits).into()),
        Primitive::Double(bits) => float_word(name, f64::from_bits(bits)),
        other => {
            let text = crate::primitive(other, Wanted::Exact);
            match (text.ends_with(".MaxValue"), text.ends_with(".MinValue")) {
                (true, _) => format!("{name}MaxValue"),
                (_, true) => format!("{name}MinValue"),
                _ => number_word(other.integer().unwrap_or_default()),
            }
        }
    }
}

pub(crate) fn number_word(value: i128) -> String {
    if value < 0 { format!("Minus{}", value.unsigned_abs()) } else { value.to_string() }
}

pub(crate) fn float_word(name: &str, value: f64) -> String {
    match value {
        _ if value.is_nan() => "NaN".to_owned(),
        f64::INFINITY => "PositiveInfinity".to_owned(),
        f64::NEG_INFINITY => "NegativeInfinity".to_owned(),
        _ if value.abs() < 1e9 => {
            let text = value.to_string().replace('-', "Minus").replace('.', "Point");
            if text.len() <= 16 { text } else { name.to_owned() }
        }
        _ => name.to_owned(),
    }
}

pub(crate) fn object_word(object: &Object) -> String {
    match &object.kind {
        ObjectKind::String(text) => text_word(&text.0),
        ObjectKind::Boxed { .. } => "Boxed".to_owned(),
        ObjectKind::Array(array) => match array.lengths.as_slice() {
            [0] => "EmptyArray".to_owned(),
            lengths => {
                format!("ArrayOf{}", lengths.iter().map(u32::to_string).collect::<Vec<_>>().join("By"))
            }
        },
        ObjectKind::Collection(collection) => match collection.items.len() {
            0 => format!("Empty{}", simple(&collection.ty)),
            count => format!("{}Of{count}", simple(&collection.ty)),
        },
        ObjectKind::Object(instance) => simple(&instance.ty),
        ObjectKind::Mock(mock) => plain_simple(&mock.ty),
    }
}

pub(crate) fn text_word(units: &[u16]) -> String {
    if units.is_empty() {
        return "EmptyString".to_owned();
    }
    let words = word(&String::from_utf16_lossy(units));
    let short: String = words.chars().take(20).collect();
    if short.is_empty() { "Text".to_owned() } else { short }
}
