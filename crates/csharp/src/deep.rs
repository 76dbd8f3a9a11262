//! Assertions on a value and on all that it leads to, cycles included.

use crate::array::element_type;
use crate::assertion::{readable, readable_member};
use crate::literal;
use crate::literal::Wanted;
use crate::test::{TestWriter, Written};
use crate::value::operand;
use case::collections::adding;
use case::type_name::TypeName;
use case::{
    Array, Collection, Element, FieldValue, Instance, ObjectId, ObjectKind, Primitive, Span, Value, construct,
};

/// Objects that a result leads to are looked at only so deep, and only so many things are said about them.
const MAX_DEPTH: usize = 6;
const MAX_ASSERTIONS: usize = 40;
/// Longer arrays are asserted by their length and some elements.
const MAX_LISTED: usize = 64;
const SOME: usize = 12;

impl TestWriter<'_> {
    pub(super) fn assert_deep(
        &mut self,
        expected: &Value,
        ty: &str,
        actual: &str,
        depth: usize,
    ) -> Written<()> {
        let framework = self.dialect.framework;
        match expected {
            Value::Null => self.assert.push(framework.null(actual)),
            Value::Primitive(Primitive::Boolean(value)) => self.assert.push(framework.truth(*value, actual)),
            Value::Primitive(primitive) => {
                let is_nullable = ty.starts_with("System.Nullable`1");
                let wanted = match primitive {
                    // Type inference makes ints of both sides.
                    Primitive::SByte(_) | Primitive::Byte(_) | Primitive::Int16(_) | Primitive::UInt16(_)
                        if !is_nullable =>
                    {
                        Wanted::Converted
                    }
                    _ => Wanted::Exact,
                };
                self.assert.push(framework.equal(&literal::expected(*primitive, wanted), actual));
            }
            Value::Enum { ty, value } => self.assert_enum(ty, *value, actual)?,
            Value::Struct { ty, fields } => self.assert_struct(ty, fields, actual, depth)?,
            Value::Object(id) => self.assert_reference(*id, ty, actual, depth)?,
            Value::Span { span, .. } => self.assert_span(*span, actual)?,
        }
        Ok(())
    }

    fn assert_enum(&mut self, ty: &str, value: i128, actual: &str) -> Written<()> {
        let expected = Value::Enum { ty: ty.to_owned(), value };
        if self.public_name(ty).is_some() {
            let text = self.value(&expected, ty, Wanted::Exact, "expected")?;
            self.assert.push(self.dialect.framework.equal(&text, actual));
            return Ok(());
        }
        let (method, suffix) = if value > i64::MAX.into() { ("ToUInt64", "UL") } else { ("ToInt64", "L") };
        let number = format!("{}.{method}({actual})", self.scope.known("System.Convert"));
        self.assert.push(self.dialect.framework.equal(&format!("{value}{suffix}"), &number));
        Ok(())
    }

    fn assert_struct(&mut self, ty: &str, fields: &[FieldValue], actual: &str, depth: usize) -> Written<()> {
        let parsed = TypeName::parse(ty).ok_or_else(|| format!("`{ty}` is no type name"))?;
        if parsed.nullable_of().is_some() {
            let has_value = fields.iter().any(|f| f.name == "hasValue" && f.value == Value::boolean(true));
            let value = fields.iter().find(|f| f.name == "value").filter(|_| has_value);
            return match value {
                None => self.assert_deep(&Value::Null, ty, actual, depth),
                Some(field) if matches!(field.value, Value::Struct { .. }) => {
                    self.assert_deep(&field.value, "", &format!("{}.Value", receiver(actual)), depth)
                }
                Some(field) => self.assert_deep(&field.value, ty, actual, depth),
            };
        }
        let info = self.info_of(ty);
        let known = self.public_name(ty).is_some() && self.known_struct(&parsed, fields).is_some();
        if known || (!info.custom_equality && self.is_writable(ty, &parsed, fields)) {
            let whole = Value::Struct { ty: ty.to_owned(), fields: fields.to_vec() };
            let text = self.value(&whole, ty, Wanted::Exact, "expected")?;
            self.assert.push(self.dialect.framework.equal(&text, actual));
            return Ok(());
        }
        let is_named = self.public_name(ty).is_some();
        for (index, field) in fields.iter().enumerate() {
            let member = readable_member(&info, field).filter(|_| is_named);
            let (part, part_type) = match (member, readable(&info, field)) {
                (Some(member), Some(shown)) => {
                    self.scope.warned(&member.diagnostics);
                    (format!("{}.{shown}", receiver(actual)), construct::filled_in(&member.ty, ty))
                }
                _ if parsed.is_tuple() && is_named => {
                    let item = parsed.arguments.get(index).map(ToString::to_string).unwrap_or_default();
                    (format!("{}.{}", receiver(actual), field.name), item)
                }
                _ => {
                    self.assert_hidden(ty, field, actual)?;
                    continue;
                }
            };
            self.assert_deep(&field.value, &part_type, &part, depth + 1)?;
        }
        Ok(())
    }

    /// Whether the whole value can be written down without reflection.
    fn is_writable(&self, ty: &str, parsed: &TypeName, fields: &[FieldValue]) -> bool {
        if self.public_name(ty).is_none() {
            return false;
        }
        let inner = |field: &FieldValue| match &field.value {
            Value::Struct { ty, fields } => TypeName::parse(ty).is_some_and(|parsed| {
                parsed.nullable_of().is_some() || self.is_writable(ty, &parsed, fields)
            }),
            Value::Object(_) | Value::Span { .. } => false,
            Value::Enum { ty, .. } => self.public_name(ty).is_some(),
            _ => true,
        };
        let known = self.known_struct(parsed, fields).is_some();
        let all_default = fields.iter().all(|field| construct::is_default(&field.value));
        let parts = fields.iter().all(inner);
        known
            || all_default
            || (parts && (parsed.is_tuple() || construct::plan(self.surroundings, parsed, fields).is_some()))
    }

    fn assert_reference(&mut self, id: ObjectId, ty: &str, actual: &str, depth: usize) -> Written<()> {
        let framework = self.dialect.framework;
        if let Some(local) = self.objects.get(&id).or_else(|| self.found.get(&id)) {
            self.assert.push(framework.same(local, actual));
            return Ok(());
        }
        let described = self.case.expect.after.objects.iter().find(|object| object.id == id);
        let Some(object) = described.or_else(|| self.case.object(id)) else {
            self.assert.push(framework.not_null(actual));
            return Ok(());
        };
        match &object.kind {
            ObjectKind::String(text) => {
                self.assert.push(framework.equal(&literal::text(&text.0), actual));
                return Ok(());
            }
            ObjectKind::Boxed { value } => return self.assert_boxed(value, actual, depth),
            _ if depth >= MAX_DEPTH || self.assert.len() >= MAX_ASSERTIONS => {
                self.assert.push(framework.not_null(actual));
                return Ok(());
            }
            _ => {}
        }
        self.found.insert(id, actual.to_owned());
        match &object.kind {
            ObjectKind::Object(instance) => self.assert_instance(instance, ty, actual, depth),
            ObjectKind::Array(array) => self.assert_array(array, ty, actual, depth),
            ObjectKind::Collection(collection) => self.assert_collection(collection, ty, actual, depth),
            ObjectKind::String(_) | ObjectKind::Boxed { .. } | ObjectKind::Mock(_) => Ok(()),
        }
    }

    /// By its value; by its parts when it holds what cannot be written down.
    fn assert_boxed(&mut self, value: &Value, actual: &str, depth: usize) -> Written<()> {
        let framework = self.dialect.framework;
        if let Value::Struct { ty, fields } = value
            && let Some(parsed) = TypeName::parse(ty)
            && parsed.nullable_of().is_none()
            && !self.is_writable(ty, &parsed, fields)
            && let Some(name) = self.public_name(ty)
        {
            if ty.starts_with("System.") {
                // What the framework's own structures hold is not the caller's business.
                self.assert.push(framework.not_null(actual));
                return Ok(());
            }
            return self.assert_deep(value, ty, &format!("(({name}){})", operand(actual)), depth + 1);
        }
        let text = self.value(value, "", Wanted::Exact, "expected")?;
        self.assert.push(framework.equal(&text, actual));
        Ok(())
    }

    fn assert_instance(&mut self, instance: &Instance, ty: &str, actual: &str, depth: usize) -> Written<()> {
        let info = self.info_of(&instance.ty);
        let visible: Vec<(String, &FieldValue, String)> = instance
            .fields
            .iter()
            .filter_map(|field| {
                let member = readable_member(&info, field)?;
                self.scope.warned(&member.diagnostics);
                Some((readable(&info, field)?, field, construct::filled_in(&member.ty, &instance.ty)))
            })
            .collect();
        let target = self.cast_to(&instance.ty, ty, actual);
        match target {
            Some(target) if !visible.is_empty() => {
                for (member, field, member_ty) in visible {
                    self.assert_deep(&field.value, &member_ty, &format!("{target}.{member}"), depth + 1)?;
                }
            }
            _ => self.assert.push(self.dialect.framework.not_null(actual)),
        }
        Ok(())
    }

    /// The expression where members of the type are wanted; `from` is its static type.
    pub(super) fn cast_to(&self, ty: &str, from: &str, actual: &str) -> Option<String> {
        let name = self.public_name(ty)?;
        if from.is_empty() || from == ty {
            return Some(receiver(actual));
        }
        let through = if self.is_reinterpreted(ty, from) { "(object)" } else { "" };
        Some(format!("(({name}){through}{})", operand(actual)))
    }

    /// Whether the elements can be listed and compared by their values.
    pub(super) fn is_plain_array(&self, array: &Array) -> bool {
        let total: usize = array.lengths.iter().map(|length| *length as usize).product();
        array.lengths.len() == 1
            && array.lower_bounds.iter().all(|bound| *bound == 0)
            && total <= MAX_LISTED
            && array.elements.iter().all(|element| self.is_plain(&element.value))
            && self.public_name(&array.ty).is_some()
    }

    fn is_plain(&self, value: &Value) -> bool {
        match value {
            Value::Null | Value::Primitive(_) => true,
            Value::Enum { ty, .. } => self.public_name(ty).is_some(),
            Value::Object(id) => {
                let described = self.case.expect.after.objects.iter().find(|object| object.id == *id);
                let object = described.or_else(|| self.case.object(*id)).map(|object| &object.kind);
                matches!(object, Some(ObjectKind::String(_)))
            }
            Value::Struct { .. } | Value::Span { .. } => false,
        }
    }

    pub(super) fn assert_array(
        &mut self,
        array: &Array,
        ty: &str,
        actual: &str,
        depth: usize,
    ) -> Written<()> {
        let framework = self.dialect.framework;
        let Some(target) = self.cast_to(&array.ty, ty, actual) else {
            self.assert.push(framework.not_null(actual));
            return Ok(());
        };
        if self.is_plain_array(array) && !array.lengths.contains(&0) {
            let expected =
                self.expected_items(array.elements.iter().map(|e| (&e.at[..], &e.value)), array)?;
            self.assert.push(framework.sequence(&expected, unwrapped(&target)));
            return Ok(());
        }
        match array.lengths[..] {
            [length] => self.assert.push(framework.equal(&length.to_string(), &format!("{target}.Length"))),
            _ => {
                for (dimension, length) in array.lengths.iter().enumerate() {
                    let length_of = format!("{target}.GetLength({dimension})");
                    self.assert.push(framework.equal(&length.to_string(), &length_of));
                }
            }
        }
        let long = array.elements.len() > MAX_LISTED;
        let interesting = |element: &&Element| !long || !construct::is_default(&element.value);
        let some = array.elements.iter().filter(interesting).take(if long { SOME } else { MAX_LISTED });
        for element in some {
            let at: Vec<String> = element.at.iter().map(i32::to_string).collect();
            let place = format!("{target}[{}]", at.join(", "));
            self.assert_deep(&element.value, element_type(&array.ty), &place, depth + 1)?;
        }
        Ok(())
    }

    /// An array of plain values, as it is expected.
    fn expected_items<'v>(
        &mut self,
        elements: impl Iterator<Item = (&'v [i32], &'v Value)>,
        array: &Array,
    ) -> Written<String> {
        let name = self.public_name(element_type(&array.ty)).ok_or("an element type that is not public")?;
        let length = array.lengths.first().copied().unwrap_or_default();
        let mut items = vec!["default".to_owned(); length as usize];
        for (at, value) in elements {
            let at = at.first().and_then(|at| usize::try_from(*at).ok());
            if let Some(item) = at.and_then(|at| items.get_mut(at)) {
                *item = self.plain(value)?;
            }
        }
        Ok(created_of(&name, &items))
    }

    /// Expected strings are new: they are written without regard to the objects of the input.
    fn plain(&mut self, value: &Value) -> Written<String> {
        if let Value::Object(id) = value {
            let described = self.case.expect.after.objects.iter().find(|object| object.id == *id);
            if let Some(ObjectKind::String(text)) =
                described.or_else(|| self.case.object(*id)).map(|object| &object.kind)
            {
                return Ok(literal::text(&text.0));
            }
        }
        match value {
            Value::Primitive(primitive) => Ok(literal::expected(*primitive, Wanted::Converted)),
            _ => self.value(value, "", Wanted::Converted, "expected"),
        }
    }

    pub(super) fn assert_collection(
        &mut self,
        collection: &Collection,
        ty: &str,
        actual: &str,
        depth: usize,
    ) -> Written<()> {
        let framework = self.dialect.framework;
        // What shows the items need not be cast.
        let shows = ["IReadOnlyList`1", "IList`1"].iter().any(|name| {
            ty.strip_prefix("System.Collections.Generic.").is_some_and(|rest| rest.starts_with(name))
        });
        let from = if shows { collection.ty.as_str() } else { ty };
        let Some(target) = self.cast_to(&collection.ty, from, actual) else {
            self.assert.push(framework.not_null(actual));
            return Ok(());
        };
        let definition = collection.ty.split('[').next().unwrap_or_default();
        let is_list = definition.ends_with(".List`1");
        let items = &collection.items;
        let plain = items.len() <= MAX_LISTED && items.iter().all(|item| self.is_plain(&item.value));
        let parsed = TypeName::parse(&collection.ty).ok_or("a collection without a type")?;
        let keyed = items.iter().any(|item| item.key.is_some());
        if plain && !keyed && !items.is_empty() && adding(definition).is_some() {
            let element = parsed.arguments.first().and_then(|element| self.scope.type_name(element));
            let element = element.ok_or("a collection without a type argument")?;
            let mut texts = Vec::new();
            for item in items {
                texts.push(self.plain(&item.value)?);
            }
            let expected = created_of(&element, &texts);
            let has_own = ["List`1", "Queue`1", "Stack`1"].iter().any(|name| definition.ends_with(name));
            let shown = match has_own && (ty.is_empty() || ty == collection.ty) {
                true => format!("{target}.ToArray()"),
                false => format!("{}.ToArray({target})", self.scope.known("System.Linq.Enumerable")),
            };
            self.assert.push(framework.sequence(&expected, &shown));
            return Ok(());
        }
        self.assert.push(framework.equal(&items.len().to_string(), &format!("{target}.Count")));
        for (index, item) in items.iter().take(SOME).enumerate() {
            let place = match &item.key {
                Some(key) if self.is_plain(key) => format!("{target}[{}]", self.plain(key)?),
                None if is_list => format!("{target}[{index}]"),
                _ => continue,
            };
            let argument = parsed.arguments.last().map(ToString::to_string).unwrap_or_default();
            self.assert_deep(&item.value, &argument, &place, depth + 1)?;
        }
        Ok(())
    }

    /// What a span shows.
    fn assert_span(&mut self, span: Span, actual: &str) -> Written<()> {
        let framework = self.dialect.framework;
        let target = receiver(actual);
        let over = span.over.and_then(|id| {
            let after = self.case.expect.after.objects.iter().find(|object| object.id == id);
            after.or_else(|| self.case.object(id)).map(|object| &object.kind)
        });
        match over {
            Some(ObjectKind::String(text)) => {
                let part = text.0.iter().skip(span.start as usize).take(span.length as usize);
                let units: Vec<u16> = part.copied().collect();
                self.assert.push(framework.equal(&literal::text(&units), &format!("{target}.ToString()")));
            }
            Some(ObjectKind::Array(array)) if array.ty == "System.Char[]" => {
                let unit = |index: u32| {
                    let at = [(span.start + index).cast_signed()];
                    let element = array.elements.iter().find(|element| element.at == at);
                    match element.map(|element| &element.value) {
                        Some(Value::Primitive(Primitive::Char(unit))) => *unit,
                        _ => 0,
                    }
                };
                let units: Vec<u16> = (0..span.length).map(unit).collect();
                self.assert.push(framework.equal(&literal::text(&units), &format!("{target}.ToString()")));
            }
            Some(ObjectKind::Array(array)) if span.length > 0 && self.is_plain_array(array) => {
                let array = Array {
                    lengths: vec![span.length],
                    elements: array
                        .elements
                        .iter()
                        .filter_map(|element| {
                            let at = element.at.first()? - span.start.cast_signed();
                            let inside = at >= 0 && at < span.length.cast_signed();
                            inside.then(|| Element { at: vec![at], value: element.value.clone() })
                        })
                        .collect(),
                    ..array.clone()
                };
                let expected =
                    self.expected_items(array.elements.iter().map(|e| (&e.at[..], &e.value)), &array)?;
                self.assert.push(framework.sequence(&expected, &format!("{target}.ToArray()")));
            }
            _ => self.assert.push(framework.equal(&span.length.to_string(), &format!("{target}.Length"))),
        }
        Ok(())
    }
}

/// `new[] { 1, 2 }` where the compiler finds the type, else with it.
fn created_of(element: &str, items: &[String]) -> String {
    let inferred = ["int", "string", "bool", "char", "double"].contains(&element)
        && !items.iter().any(|item| item == "null" || item == "default");
    let name = if inferred { "new[]".to_owned() } else { format!("new {element}[]") };
    format!("{name} {{ {} }}", items.join(", "))
}

/// Casts bind looser than the dot.
fn receiver(actual: &str) -> String {
    if actual.starts_with('(') && !is_parenthesised(actual) {
        format!("({actual})")
    } else {
        actual.to_owned()
    }
}

/// Without parentheses around all of it.
fn unwrapped(text: &str) -> &str {
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let closes_early = |inside: &str| {
        let mut depth = 0i32;
        inside.chars().any(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth < 0
        })
    };
    match inside {
        Some(inside) if !closes_early(inside) => inside,
        _ => text,
    }
}

/// `((T)x).y` and `((T)x)` need no more; `((A, B))x` is a cast.
fn is_parenthesised(text: &str) -> bool {
    let mut depth = 0i32;
    let end = text.find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    let rest = end.and_then(|end| text.get(end + 1..)).unwrap_or_default();
    rest.is_empty() || rest.starts_with(['.', '['])
}
