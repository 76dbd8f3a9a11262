//! The inputs of a test case as a person would write them.

use case::type_facts::TypeFacts;
use case::{
    Array, Case, Collection, Element, FieldValue, Item, Mock, MockedCall, MockedProperty, Mode, Object,
    ObjectKind, Primitive, Value,
};
use report::{Input, quoted};

/// The receiver, if any, and the arguments.
pub fn of(case: &Case, types: &dyn TypeFacts) -> Vec<Input> {
    let writer = Writer { case, types };
    let this = case.this.iter().map(|value| ("this", value));
    let names = case.method.parameters.iter().filter(|p| p.mode != Mode::Out).map(|p| p.name.as_str());
    let modes = case.method.parameters.iter().map(|p| p.mode);
    let values = case.arguments.iter().zip(modes).filter(|(_, mode)| *mode != Mode::Out);
    this.chain(names.zip(values.map(|(value, _)| value)))
        .map(|(name, value)| Input { name: name.to_owned(), value: writer.value(value, 0) })
        .collect()
}

/// How deep objects are shown.
const DEPTH: usize = 3;
/// How many elements of an array are shown.
const ELEMENTS: usize = 16;

struct Writer<'a> {
    case: &'a Case,
    types: &'a dyn TypeFacts,
}

impl Writer<'_> {
    fn value(&self, value: &Value, depth: usize) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Primitive(primitive) => scalar(*primitive),
            Value::Enum { ty, value } => self.enumeration(ty, *value),
            Value::Struct { ty, fields } => format!("{} {}", last_part(ty), self.members(fields, depth)),
            Value::Object(id) => match self.case.object(*id) {
                Some(object) if depth < DEPTH => self.heap(object, depth + 1),
                _ => "…".to_owned(),
            },
            Value::Span { ty, span } => match span.over {
                Some(over) => format!("{} over {}", last_part(ty), self.value(&Value::Object(over), depth)),
                None => format!("{} {{ }}", last_part(ty)),
            },
        }
    }

    /// `Color.Red`, or `(Color)7` when no member has the value.
    fn enumeration(&self, ty: &str, value: i128) -> String {
        let info = self.types.type_info(ty).unwrap_or_default();
        match info.enum_members.iter().find(|(_, v)| *v == value) {
            Some((name, _)) => format!("{}.{name}", last_part(ty)),
            None => format!("({}){value}", last_part(ty)),
        }
    }

    fn heap(&self, object: &Object, depth: usize) -> String {
        match &object.kind {
            ObjectKind::String(text) => quoted(&text.0, '"'),
            ObjectKind::Boxed { value } => format!("(object){}", self.value(value, depth)),
            ObjectKind::Object(instance) => {
                format!("{} {}", last_part(&instance.ty), self.members(&instance.fields, depth))
            }
            ObjectKind::Mock(mock) => self.mock(mock, depth),
            ObjectKind::Array(array) => self.array(array, depth),
            ObjectKind::Collection(collection) => self.collection(collection, depth),
        }
    }

    /// `IClock { Now = 5, Next() = 1, 2 }`
    fn mock(&self, mock: &Mock, depth: usize) -> String {
        let property = |p: &MockedProperty| format!("{} = {}", p.name, self.value(&p.value, depth));
        let call = |call: &MockedCall| {
            let results = call.results.iter().flat_map(|result| match &result.throws {
                Some(ty) => {
                    let message = result.message.as_ref().map(|message| self.value(message, depth));
                    vec![format!("throws {}({})", last_part(ty), message.unwrap_or_default())]
                }
                None => result.values().map(|value| self.value(value, depth)).collect(),
            });
            let results: Vec<String> = results.collect();
            format!("{}() = {}", call.method, results.join(", "))
        };
        let properties = mock.properties.iter().map(property);
        let shown: Vec<String> = properties.chain(mock.calls.iter().map(call)).collect();
        let shown = if shown.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", shown.join("; ")) };
        format!("{} {shown}", last_part(&mock.ty))
    }

    fn array(&self, array: &Array, depth: usize) -> String {
        let lengths: Vec<String> = array.lengths.iter().map(u32::to_string).collect();
        let element = |e: &Element| {
            let at: Vec<String> = e.at.iter().map(i32::to_string).collect();
            format!("[{}] = {}", at.join(","), self.value(&e.value, depth))
        };
        let shown: Vec<String> = array.elements.iter().take(ELEMENTS).map(element).collect();
        let more = if array.elements.len() > ELEMENTS { ", …" } else { "" };
        let lengths = lengths.join("×");
        format!("{} of length {lengths} {{ {}{more} }}", last_part(&array.ty), shown.join(", "))
    }

    fn collection(&self, collection: &Collection, depth: usize) -> String {
        let item = |item: &Item| match &item.key {
            Some(key) => format!("[{}] = {}", self.value(key, depth), self.value(&item.value, depth)),
            None => self.value(&item.value, depth),
        };
        let shown: Vec<String> = collection.items.iter().take(ELEMENTS).map(item).collect();
        let more = if collection.items.len() > ELEMENTS { ", …" } else { "" };
        format!("{} {{ {}{more} }}", last_part(&collection.ty), shown.join(", "))
    }

    fn members(&self, fields: &[FieldValue], depth: usize) -> String {
        let member = |f: &FieldValue| format!("{} = {}", property(&f.name), self.value(&f.value, depth));
        let shown: Vec<String> = fields.iter().map(member).collect();
        if shown.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", shown.join(", ")) }
    }
}

/// The field behind an automatic property is called by the property.
fn property(field: &str) -> &str {
    field.strip_prefix('<').and_then(|f| f.strip_suffix(">k__BackingField")).unwrap_or(field)
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
        assert_eq!(property("<Cents>k__BackingField"), "Cents");
        assert_eq!(property("cents"), "cents");
    }
}
