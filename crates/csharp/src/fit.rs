//! The type that an expression has for the compiler, and the cast that makes it fit where another one is needed.
//!
//! What cannot be named is an `object` to C#, or an `Array`; what the runtime takes for an array of another type
//! (`int[]` for `uint[]`) the compiler does not.

use crate::array::element_type;
use crate::literal::Wanted;
use crate::test::{TestWriter, Written};
use crate::value::operand;
use case::type_facts::TypeKind;
use case::type_name::TypeName;
use case::{Array, ObjectId, ObjectKind, Primitive, Value};

const OBJECT: &str = "System.Object";
const ARRAY: &str = "System.Array";

impl TestWriter<'_> {
    /// An argument of a call. Where overloads must be told apart, it has the very type of the parameter.
    pub(super) fn fitting(&mut self, value: &Value, ty: &str, wanted: Wanted, hint: &str) -> Written<String> {
        let text = self.value(value, ty, wanted, hint)?;
        if wanted == Wanted::Converted || *value == Value::Null || ty.is_empty() {
            return Ok(text);
        }
        match (self.static_type(value), self.public_name(ty)) {
            (Some(own), _) if own == ty => Ok(text),
            (_, Some(name)) if !text.starts_with(&format!("({name})")) => {
                Ok(format!("({name}){}", operand(&text)))
            }
            _ => Ok(text),
        }
    }

    /// Casts where the compiler does not see that the object is a `ty`.
    pub(super) fn seen_as(&self, id: ObjectId, ty: &str, text: String) -> String {
        let Some(name) = self.public_name(ty).filter(|_| ty != OBJECT) else { return text };
        let own = self.static_type(&Value::Object(id));
        if own.as_deref() == Some(ty) {
            return text;
        }
        match self.case.object(id).map(|object| &object.kind) {
            Some(ObjectKind::Object(_) | ObjectKind::Collection(_)) if own.as_deref() == Some(OBJECT) => {
                format!("({name}){}", operand(&text))
            }
            Some(ObjectKind::Boxed { .. }) => format!("({name}){}", operand(&text)),
            Some(ObjectKind::Array(_)) if own.as_deref() == Some(ARRAY) && ty != ARRAY => {
                format!("({name}){}", operand(&text))
            }
            Some(ObjectKind::Array(array)) if self.is_reinterpreted(&array.ty, ty) => {
                format!("({name})(object){}", operand(&text))
            }
            _ => text,
        }
    }

    /// The type that the expression of a value has; none when it is not known.
    pub(super) fn static_type(&self, value: &Value) -> Option<String> {
        let id = match value {
            Value::Object(id) => *id,
            Value::Null => return None,
            other => return other.ty().map(str::to_owned).filter(|ty| self.public_name(ty).is_some()),
        };
        let after = self.case.expect.after.objects.iter().find(|object| object.id == id);
        let described = self.case.object(id).or(after)?;
        let named = |ty: &String, otherwise: &str| match self.public_name(ty) {
            Some(_) => ty.clone(),
            None => otherwise.to_owned(),
        };
        Some(match &described.kind {
            ObjectKind::String(_) => "System.String".to_owned(),
            ObjectKind::Boxed { .. } => OBJECT.to_owned(),
            ObjectKind::Array(array) if is_vector_of_its_own(array) => ARRAY.to_owned(),
            ObjectKind::Array(array) => named(&array.ty, ARRAY),
            ObjectKind::Collection(collection) => named(&collection.ty, OBJECT),
            ObjectKind::Object(instance) => {
                let way = instance.construction.as_ref();
                let is_other = |factory: &case::Factory| factory.returns.as_ref() != Some(&instance.ty);
                if way.and_then(|way| way.factory.as_ref()).is_some_and(is_other) {
                    return None;
                }
                named(&instance.ty, OBJECT)
            }
            ObjectKind::Mock(_) => return None,
        })
    }

    /// The runtime takes an array of one value type for that of another, or for a list of it.
    pub(super) fn is_reinterpreted(&self, array: &str, ty: &str) -> bool {
        let element = element_type(array);
        let Some(wanted) = TypeName::parse(ty) else { return false };
        let other = match wanted.suffixes.is_empty() {
            true => wanted.arguments.first().map(ToString::to_string),
            false => Some(element_type(ty).to_owned()),
        };
        other.is_some_and(|other| other != element && self.is_number(element) && self.is_number(&other))
    }

    fn is_number(&self, ty: &str) -> bool {
        let scalar = ["0", "0x0", "true"].iter().any(|text| Primitive::parse(ty, text).is_some());
        scalar || self.info_of(ty).kind == TypeKind::Enum
    }
}

/// An array of one dimension that does not start at zero is no vector.
fn is_vector_of_its_own(array: &Array) -> bool {
    array.lengths.len() == 1 && array.lower_bounds.iter().any(|bound| *bound != 0)
}
