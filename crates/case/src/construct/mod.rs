//! How an object or a struct with given fields is made through public members alone.

mod broken;
mod candidates;
mod free;
mod offer;

pub use broken::note_broken_rules;
pub use offer::{Offer, plan_objects};

use crate::type_facts::{Constructor, FieldKey, Member, TypeFacts, TypeInfo, TypeKind, Writable};
use crate::type_name::TypeName;
use crate::{FieldValue, Primitive, Value};

/// A constructor call and the members that are assigned after it, for a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// None: the implicit constructor of a struct.
    pub constructor: Option<Constructor>,
    pub arguments: Vec<Value>,
    /// Member name and value.
    pub assignments: Vec<(String, Value)>,
}

/// The shortest way that is known to do it, if there is one.
pub fn plan(surroundings: &dyn TypeFacts, ty: &TypeName, fields: &[FieldValue]) -> Option<Plan> {
    let definition = ty.definition();
    let info = &surroundings.type_info(&definition)?;
    if !info.public {
        return None;
    }
    let implicit = Constructor::default();
    let is_struct = info.kind == TypeKind::Struct;
    let has_own = info.constructors.iter().any(|c| c.parameters.is_empty());
    let candidates = info.constructors.iter().filter(|c| !c.opaque).map(|c| (Some(c), c));
    let candidates = candidates.chain((is_struct && !has_own).then_some((None, &implicit)));
    let plans = candidates.filter_map(|(listed, c)| Some((listed, with_constructor(info, fields, c)?)));
    let accepted = plans.filter(|(listed, (arguments, _))| {
        listed.is_none_or(|constructor| surroundings.accepts(&definition, constructor, arguments))
    });
    let shortest = accepted.min_by_key(|(_, (arguments, assignments))| {
        // A constructor that takes what is needed reads better than an initialiser.
        (arguments.len() + assignments.len(), assignments.len())
    });
    let (listed, (arguments, assignments)) = shortest?;
    Some(Plan { constructor: listed.cloned(), arguments, assignments })
}

pub fn is_default(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Primitive(Primitive::Single(bits)) => *bits == 0,
        Value::Primitive(Primitive::Double(bits)) => *bits == 0,
        Value::Primitive(primitive) => primitive.integer() == Some(0),
        Value::Enum { value, .. } => *value == 0,
        Value::Struct { fields, .. } => fields.iter().all(|field| is_default(&field.value)),
        Value::Object(_) => false,
        Value::Span { span, .. } => span.over.is_none(),
    }
}

/// A field of a case is the field of a key when the names agree and the declaring types have one definition.
pub fn is_field(field: &FieldValue, key: &FieldKey) -> bool {
    field.name == key.name && definition(&field.declaring) == definition(&key.declaring)
}

fn definition(ty: &str) -> &str {
    ty.split('[').next().unwrap_or(ty)
}

type Steps = (Vec<Value>, Vec<(String, Value)>);

fn with_constructor(info: &TypeInfo, fields: &[FieldValue], constructor: &Constructor) -> Option<Steps> {
    let find = |key: &FieldKey| fields.iter().find(|field| is_field(field, key));
    let mut arguments = Vec::new();
    for parameter in &constructor.parameters {
        // The type of a field that the case does not name is not known here, so neither is its default value.
        arguments.push(find(parameter.field.as_ref()?)?.value.clone());
    }
    let mut assignments = Vec::new();
    for field in fields.iter().filter(|field| !is_taken(field, constructor)) {
        let constant = constructor.constants.iter().find(|(key, _)| is_field(field, key));
        let as_wanted = match constant {
            Some((_, value)) => *value == field.value,
            None => is_default(&field.value),
        };
        let member = assignable(info, field);
        if as_wanted && !member.is_some_and(|m| m.required && !constructor.sets_required) {
            continue;
        }
        assignments.push((member?.name.clone(), field.value.clone()));
    }
    // What the constructor sets and the case does not name would be default: the plan must not change it.
    let unnamed = |key: &FieldKey| find(key).is_none();
    let changes = constructor.constants.iter().any(|(key, value)| unnamed(key) && !is_default(value));
    (!changes).then_some((arguments, assignments))
}

/// A parameter stands for the field.
fn is_taken(field: &FieldValue, constructor: &Constructor) -> bool {
    let mut stored = constructor.parameters.iter().filter_map(|p| p.field.as_ref());
    stored.any(|key| is_field(field, key))
}

fn assignable<'a>(info: &'a TypeInfo, field: &FieldValue) -> Option<&'a Member> {
    info.members.iter().find(|m| m.writable != Writable::No && !m.is_static && is_field(field, &m.field))
}

/// A type over the variables of a generic type (`!0`), with the arguments that an instance has.
pub fn filled_in(ty: &str, instance: &str) -> String {
    let arguments = argument_texts(instance);
    let numbered = arguments.iter().enumerate().rev();
    numbered.fold(ty.to_owned(), |text, (index, argument)| text.replace(&format!("!{index}"), argument))
}

/// `Box`2[A,B`1[C,D]]` → `A`, `B`1[C,D]`.
fn argument_texts(instance: &str) -> Vec<&str> {
    let inside = instance.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
    let Some(inside) = inside.filter(|_| instance.contains('`')) else { return Vec::new() };
    let mut depth = 0i32;
    let top_level = |c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    };
    inside.split(top_level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_become_arguments() {
        let pair = "Pair`2[System.Int32,Box`1[System.ValueTuple`2[A,B]]]";
        assert_eq!(filled_in("!1", pair), "Box`1[System.ValueTuple`2[A,B]]");
        assert_eq!(filled_in("List`1[!0]", pair), "List`1[System.Int32]");
        assert_eq!(filled_in("System.Int32", "Plain"), "System.Int32");
    }
}
