//! Whether what was observed is what was expected.
//!
//! Only what the expectation lists is compared. Objects that existed before the call have the same id on both sides;
//! new ones are matched to each other while walking, so two heaps are equal when they have the same shape.

use std::collections::{BTreeMap, BTreeSet};

use case::{
    After, Array, Case, Collection, Expectation, FieldValue, Instance, Mock, MockedProperty, Object,
    ObjectId, ObjectKind, Observed, Outcome, Primitive, Span, Text, Value,
};

/// The first difference, in words; none when the case is true.
pub fn differs(case: &Case, observed: &Observed) -> Option<String> {
    Comparison::new(case, observed).run(&case.expect, observed).err()
}

struct Comparison<'a> {
    before: BTreeSet<ObjectId>,
    /// As they are expected to be after the call, or as they were before it.
    described: BTreeMap<ObjectId, &'a Object>,
    expected: BTreeMap<ObjectId, &'a Object>,
    observed: BTreeMap<ObjectId, &'a Object>,
    to_observed: BTreeMap<ObjectId, ObjectId>,
    to_expected: BTreeMap<ObjectId, ObjectId>,
}

type Same = Result<(), String>;

impl<'a> Comparison<'a> {
    fn new(case: &'a Case, observed: &'a Observed) -> Comparison<'a> {
        let table = |after: &'a After| after.objects.iter().map(|object| (object.id, object)).collect();
        let described = case.objects.iter().chain(&case.expect.after.objects);
        Comparison {
            described: described.map(|object| (object.id, object)).collect(),
            before: case.objects.iter().map(|object| object.id).collect(),
            expected: table(&case.expect.after),
            observed: table(&observed.after),
            to_observed: BTreeMap::new(),
            to_expected: BTreeMap::new(),
        }
    }

    fn run(&mut self, expected: &Expectation, observed: &Observed) -> Same {
        self.outcome(&expected.outcome, &observed.outcome)?;
        if let Some(this) = &expected.after.this {
            match &observed.after.this {
                Some(seen) => self.value(this, seen, "this")?,
                None => return Err("the receiver was not observed".to_owned()),
            }
        }
        for argument in &expected.after.arguments {
            let seen = observed.after.arguments.iter().find(|seen| seen.index == argument.index);
            match seen {
                Some(seen) => {
                    self.value(&argument.value, &seen.value, &format!("argument {}", argument.index))?
                }
                // By-ref arguments of a call that throws cannot be seen.
                None if matches!(observed.outcome, Outcome::Throws(_)) => {}
                None => return Err(format!("argument {} was not observed", argument.index)),
            }
        }
        for field in &expected.after.statics {
            let place = format!("{}.{}", field.declaring, field.name);
            let seen = observed.after.statics.iter();
            match seen.into_iter().find(|seen| seen.declaring == field.declaring && seen.name == field.name) {
                Some(seen) => self.value(&field.value, &seen.value, &place)?,
                None => return Err(format!("{place} was not observed")),
            }
        }
        // Objects of the case that nothing above leads to may have changed as well.
        let ids: Vec<ObjectId> =
            self.expected.keys().copied().filter(|id| self.before.contains(id)).collect();
        for id in ids {
            self.object(id, id, &format!("object {}", id.0))?;
        }
        Ok(())
    }

    fn outcome(&mut self, expected: &Outcome, observed: &Outcome) -> Same {
        match (expected, observed) {
            (Outcome::Void, Outcome::Void) | (Outcome::Returned, Outcome::Returns(_)) => Ok(()),
            (Outcome::Returns(expected), Outcome::Returns(observed)) => {
                self.value(expected, observed, "the result")
            }
            (Outcome::Throws(expected), Outcome::Throws(observed)) => {
                if expected.ty != observed.ty {
                    return Err(format!("{} is thrown instead of {}", observed.ty, expected.ty));
                }
                match (&expected.message, &observed.message) {
                    (Some(wanted), Some(seen)) if wanted != seen => {
                        Err(format!("the message is `{seen}` instead of `{wanted}`"))
                    }
                    _ => Ok(()),
                }
            }
            (expected, observed) => Err(format!("it {} instead of {}", verb(observed), gerund(expected))),
        }
    }

    fn value(&mut self, expected: &Value, observed: &Value, place: &str) -> Same {
        match (expected, observed) {
            (Value::Primitive(a), Value::Primitive(b)) if same_scalar(*a, *b) => Ok(()),
            (Value::Null, Value::Null) => Ok(()),
            (Value::Enum { .. }, Value::Enum { .. }) if expected == observed => Ok(()),
            (Value::Struct { ty: a, fields }, Value::Struct { ty: b, fields: seen }) if a == b => {
                if is_empty_nullable(a, fields) && is_empty_nullable(b, seen) {
                    return Ok(());
                }
                self.fields(fields, seen, place)
            }
            (Value::Object(a), Value::Object(b)) => self.reference(*a, *b, place),
            (Value::Span { ty: a, span }, Value::Span { ty: b, span: seen }) if a == b => {
                self.span(*span, *seen, place)
            }
            _ => Err(format!("{place} is {} instead of {}", show(observed), show(expected))),
        }
    }

    fn fields(&mut self, expected: &[FieldValue], observed: &[FieldValue], place: &str) -> Same {
        for field in expected {
            let place = format!("{place}.{}", field.name);
            let seen = observed.iter().find(|s| s.name == field.name && s.declaring == field.declaring);
            match seen {
                Some(seen) => self.value(&field.value, &seen.value, &place)?,
                None => return Err(format!("{place} was not observed")),
            }
        }
        Ok(())
    }

    /// What a span shows counts: the array behind one that comes back is out of sight.
    fn span(&mut self, expected: Span, observed: Span, place: &str) -> Same {
        if expected.length != observed.length {
            return Err(format!("{place} has length {} instead of {}", observed.length, expected.length));
        }
        let over = |id: Option<ObjectId>, table: &BTreeMap<ObjectId, &'a Object>| {
            id.and_then(|id| table.get(&id).map(|object| &object.kind))
        };
        let (wanted, seen) = (over(expected.over, &self.described), over(observed.over, &self.observed));
        let (Some(wanted), Some(seen)) = (wanted, seen) else { return Ok(()) };
        for index in 0..expected.length {
            let place = format!("{place}[{index}]");
            let wanted = element(wanted, expected.start + index);
            let Some(seen) = element(seen, observed.start + index) else {
                return Err(format!("{place} was not observed"));
            };
            match wanted {
                Some(wanted) => self.value(&wanted, &seen, &place)?,
                None if case::construct::is_default(&seen) => {}
                None => return Err(format!("{place} is {} instead of the default", show(&seen))),
            }
        }
        Ok(())
    }

    /// Strings are what they say.
    fn text(table: &BTreeMap<ObjectId, &'a Object>, id: ObjectId) -> Option<&'a Text> {
        match &table.get(&id)?.kind {
            ObjectKind::String(text) => Some(text),
            _ => None,
        }
    }

    fn reference(&mut self, expected: ObjectId, observed: ObjectId, place: &str) -> Same {
        if let Some(wanted) = Self::text(&self.described, expected)
            && let Some(seen) = Self::text(&self.observed, observed)
        {
            return if wanted == seen { Ok(()) } else { Err(format!("{place} is another string")) };
        }
        let other = || Err(format!("{place} is another object"));
        if self.before.contains(&expected) || self.before.contains(&observed) {
            if expected != observed {
                return other();
            }
        } else {
            let there = *self.to_observed.entry(expected).or_insert(observed);
            let back = *self.to_expected.entry(observed).or_insert(expected);
            if there != observed || back != expected {
                return other();
            }
        }
        self.object(expected, observed, place)
    }

    /// Compares the contents once; an id that the expectation does not describe stands for identity alone.
    fn object(&mut self, expected: ObjectId, observed: ObjectId, place: &str) -> Same {
        let Some(wanted) = self.expected.remove(&expected) else { return Ok(()) };
        let Some(seen) = self.observed.get(&observed).copied() else {
            return Err(format!("{place} was not observed"));
        };
        match (&wanted.kind, &seen.kind) {
            (ObjectKind::String(a), ObjectKind::String(b)) if a == b => Ok(()),
            (ObjectKind::Boxed { value: a }, ObjectKind::Boxed { value: b }) => self.value(a, b, place),
            (ObjectKind::Object(a), ObjectKind::Object(b)) => self.instance(a, b, place),
            (ObjectKind::Array(a), ObjectKind::Array(b)) => self.array(a, b, place),
            (ObjectKind::Collection(a), ObjectKind::Collection(b)) => self.collection(a, b, place),
            (ObjectKind::Mock(a), ObjectKind::Mock(b)) => self.mock(a, b, place),
            // What is inside of a collection is not the business of one who lists no field.
            (ObjectKind::Object(a), ObjectKind::Collection(b)) if a.ty == b.ty && a.fields.is_empty() => {
                Ok(())
            }
            (ObjectKind::String(_), ObjectKind::String(_)) => Err(format!("{place} is another string")),
            _ => Err(format!("{place} is another kind of object")),
        }
    }

    fn instance(&mut self, expected: &Instance, observed: &Instance, place: &str) -> Same {
        if expected.ty != observed.ty && !(is_task(&expected.ty) && is_task(&observed.ty)) {
            return Err(format!("{place} is a {} instead of a {}", observed.ty, expected.ty));
        }
        self.fields(&expected.fields, &observed.fields, place)
    }

    /// Which object it is was seen already; what is left are fields and what was set.
    fn mock(&mut self, expected: &Mock, observed: &Mock, place: &str) -> Same {
        for property in &expected.properties {
            let place = format!("{place}.{}", property.name);
            let same = |seen: &&MockedProperty| {
                seen.name == property.name && seen.declared_in == property.declared_in
            };
            match observed.properties.iter().find(same) {
                Some(seen) => self.value(&property.value, &seen.value, &place)?,
                None if case::construct::is_default(&property.value) => {}
                None => return Err(format!("{place} was not set")),
            }
        }
        self.fields(&expected.fields, &observed.fields, place)
    }

    fn collection(&mut self, expected: &Collection, observed: &Collection, place: &str) -> Same {
        if expected.ty != observed.ty {
            return Err(format!("{place} is a {} instead of a {}", observed.ty, expected.ty));
        }
        let (wanted, seen) = (expected.items.len(), observed.items.len());
        if wanted != seen {
            return Err(format!("{place} has {seen} items instead of {wanted}"));
        }
        for (index, (wanted, seen)) in expected.items.iter().zip(&observed.items).enumerate() {
            let place = format!("{place}[{index}]");
            if let (Some(wanted), Some(seen)) = (&wanted.key, &seen.key) {
                self.value(wanted, seen, &format!("{place}.Key"))?;
            }
            self.value(&wanted.value, &seen.value, &place)?;
        }
        Ok(())
    }

    fn array(&mut self, expected: &Array, observed: &Array, place: &str) -> Same {
        let shape = |array: &Array| (array.ty.clone(), array.lengths.clone(), array.lower_bounds.clone());
        if shape(expected) != shape(observed) {
            return Err(format!("{place} is an array of another type or length"));
        }
        let mut wanted: BTreeMap<&[i32], &Value> =
            expected.elements.iter().map(|element| (&element.at[..], &element.value)).collect();
        for seen in &observed.elements {
            let place = format!("{place}{:?}", seen.at);
            match wanted.remove(&seen.at[..]) {
                Some(value) => self.value(value, &seen.value, &place)?,
                None if case::construct::is_default(&seen.value) => {}
                None => return Err(format!("{place} is {} instead of the default", show(&seen.value))),
            }
        }
        match wanted.keys().next() {
            Some(at) => Err(format!("{place}{at:?} was not observed")),
            None => Ok(()),
        }
    }
}

fn element(over: &ObjectKind, index: u32) -> Option<Value> {
    match over {
        ObjectKind::Array(array) => {
            let at = array.elements.iter().find(|element| element.at == [index.cast_signed()]);
            at.map(|element| element.value.clone())
        }
        ObjectKind::String(text) => {
            text.0.get(index as usize).map(|unit| Value::Primitive(Primitive::Char(*unit)))
        }
        _ => None,
    }
}

/// A task, or what the runtime makes of one for an async method that has not ended at its first `await`.
fn is_task(ty: &str) -> bool {
    const ASYNC: &str = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+";
    ty == "System.Threading.Tasks.Task"
        || ty.starts_with("System.Threading.Tasks.Task`1[")
        || ty.starts_with(ASYNC)
}

/// NaNs are one value: which bits of it survive depends on the processor.
fn same_scalar(a: Primitive, b: Primitive) -> bool {
    match (a, b) {
        (Primitive::Single(x), Primitive::Single(y)) => {
            x == y || (f32::from_bits(x).is_nan() && f32::from_bits(y).is_nan())
        }
        (Primitive::Double(x), Primitive::Double(y)) => {
            x == y || (f64::from_bits(x).is_nan() && f64::from_bits(y).is_nan())
        }
        _ => a == b,
    }
}

/// An empty `Nullable` is empty whatever its hidden value is.
fn is_empty_nullable(ty: &str, fields: &[FieldValue]) -> bool {
    ty.starts_with("System.Nullable`1[")
        && fields.iter().any(|f| f.name == "hasValue" && f.value == Value::boolean(false))
}

fn verb(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returns(value) => format!("returns {}", show(value)),
        Outcome::Returned => "returns something".to_owned(),
        Outcome::Void => "returns".to_owned(),
        Outcome::Throws(thrown) => format!("throws {}", thrown.ty),
    }
}

fn gerund(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returns(value) => format!("returning {}", show(value)),
        Outcome::Returned => "returning something".to_owned(),
        Outcome::Void => "returning".to_owned(),
        Outcome::Throws(thrown) => format!("throwing {}", thrown.ty),
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Primitive(Primitive::Single(bits)) => format!("{:?}f", f32::from_bits(*bits)),
        Value::Primitive(Primitive::Double(bits)) => format!("{:?}", f64::from_bits(*bits)),
        Value::Primitive(Primitive::Char(unit)) => format!("'\\u{unit:04x}'"),
        Value::Primitive(primitive) => primitive.to_string(),
        Value::Enum { ty, value } => format!("({ty}){value}"),
        Value::Struct { ty, .. } => format!("a {ty}"),
        Value::Object(id) => format!("object {}", id.0),
        Value::Span { ty, span } => format!("a {ty} of length {}", span.length),
    }
}
