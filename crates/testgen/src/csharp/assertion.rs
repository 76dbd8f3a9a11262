//! Assertions: on the result, on what is thrown, and on what changed.

use super::{
    call::Call,
    literal::{self, Wanted},
    test::{TestWriter, Written},
    value::operand,
};
use crate::{
    case::{FieldValue, Instance, Object, ObjectId, ObjectKind, Primitive, Value},
    construct::{self, is_field},
    surroundings::TypeInfo,
    type_name::TypeName,
};

/// Objects that a result leads to are looked at only so deep.
const MAX_DEPTH: usize = 3;

impl TestWriter<'_> {
    pub(super) fn assert_throws(&mut self, exception: &str, call: &Call) -> Written<()> {
        let line = match self.public_name(exception) {
            Some(name) => self.dialect.throws(&name, &call.lambda()),
            None => {
                let short = TypeName::parse(exception).map(|n| n.simple().to_owned()).unwrap_or_default();
                self.note_reflection(format!("{short} is not public"));
                let thrown = format!("Reflected.Thrown({}).GetType().FullName", call.lambda());
                let name = exception.split('[').next().unwrap_or(exception);
                self.dialect.framework.equal(&format!("\"{name}\""), &thrown)
            }
        };
        self.act.push(line);
        Ok(())
    }

    /// `actual` is an expression of type `ty`.
    pub(super) fn assert_value(&mut self, expected: &Value, ty: &str, actual: &str) -> Written<()> {
        self.assert_deep(expected, ty, actual, 0)
    }

    pub(super) fn assert_after(&mut self) -> Written<()> {
        let after = &self.case.expect.after;
        for (index, actual) in self.by_ref.clone() {
            if let Some(argument) = after.arguments.iter().find(|argument| argument.index == index) {
                let ty = self.case.method.parameters.get(index).map(|p| p.ty.clone()).unwrap_or_default();
                self.assert_value(&argument.value, &ty, &actual)?;
            }
        }
        if let (Some(Value::Struct { ty, fields }), Some(local)) = (&after.this, self.receiver.clone()) {
            let before = match &self.case.this {
                Some(Value::Struct { fields, .. }) => fields.as_slice(),
                _ => &[],
            };
            self.assert_changes(ty, before, fields, &local)?;
        }
        for object in &after.objects {
            self.assert_object_after(object)?;
        }
        if self.assert.is_empty()
            && self.case.method.is_constructor()
            && let (Some(local), Some(Value::Object(_))) = (&self.receiver, &after.this)
        {
            self.assert.push(self.dialect.framework.not_null(local));
        }
        Ok(())
    }

    /// What an object of the test became.
    fn assert_object_after(&mut self, object: &Object) -> Written<()> {
        let Some(local) = self.objects.get(&object.id).cloned() else { return Ok(()) };
        let before = self.case.object(object.id).map(|before| &before.kind);
        match (&object.kind, before) {
            (ObjectKind::Object(after), before) => {
                let before = match before {
                    Some(ObjectKind::Object(before)) => before.fields.as_slice(),
                    _ => &[],
                };
                self.assert_changes(&after.ty, before, &after.fields, &local)
            }
            (ObjectKind::Array(after), Some(ObjectKind::Array(before))) => {
                for element in &after.elements {
                    let old = before.elements.iter().find(|old| old.at == element.at).map(|old| &old.value);
                    let changed =
                        old.map_or(!construct::is_default(&element.value), |old| *old != element.value);
                    if changed {
                        let at: Vec<String> = element.at.iter().map(i32::to_string).collect();
                        self.assert_value(&element.value, "", &format!("{local}[{}]", at.join(", ")))?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Asserts the fields that changed, as far as public members show them. Hidden state is asserted only when the
    /// test would assert nothing else.
    fn assert_changes(
        &mut self,
        ty: &str,
        before: &[FieldValue],
        after: &[FieldValue],
        local: &str,
    ) -> Written<()> {
        let info = self.info_of(ty);
        let was = |field: &FieldValue| {
            before.iter().find(|b| b.name == field.name && b.declaring == field.declaring)
        };
        let is_new = self.case.method.is_constructor();
        let changed: Vec<&FieldValue> = after
            .iter()
            .filter(|field| match was(field) {
                Some(was) => was.value != field.value,
                None => is_new || !construct::is_default(&field.value),
            })
            .collect();
        let boxed = self.is_boxed(local);
        for field in &changed {
            // Without a public type the receiver is only an `object`.
            if let (Some(member), Some(name)) = (readable(&info, field), self.public_name(ty)) {
                let target = if boxed { format!("(({name}){local})") } else { local.to_owned() };
                self.assert_value(&field.value, "", &format!("{target}.{member}"))?;
            }
        }
        let nothing_else = self.assert.is_empty() && !self.act.iter().any(|line| line.starts_with("Assert."));
        if nothing_else && !is_new {
            for field in changed {
                self.assert_hidden(field, local)?;
            }
        }
        Ok(())
    }

    fn assert_hidden(&mut self, field: &FieldValue, local: &str) -> Written<()> {
        self.note_reflection(format!("the field {} is not public", field.name));
        let actual = match field.value.ty().and_then(|ty| self.public_name(ty)) {
            Some(ty) => format!("({ty})Reflected.Get({local}, \"{}\")", field.name),
            None => format!("Reflected.Get({local}, \"{}\")", field.name),
        };
        self.assert_value(&field.value, "", &actual)
    }

    fn assert_deep(&mut self, expected: &Value, ty: &str, actual: &str, depth: usize) -> Written<()> {
        let framework = self.dialect.framework;
        match expected {
            Value::Null => self.assert.push(framework.null(actual)),
            Value::Primitive(Primitive::Boolean(value)) => self.assert.push(framework.truth(*value, actual)),
            Value::Primitive(primitive) => {
                let wanted = match primitive {
                    // Type inference makes ints of both sides.
                    Primitive::SByte(_) | Primitive::Byte(_) | Primitive::Int16(_) | Primitive::UInt16(_) => {
                        Wanted::Converted
                    }
                    _ => Wanted::Exact,
                };
                let text = literal::primitive(*primitive, wanted);
                if text.starts_with("BitConverter") {
                    self.scope.known("System.BitConverter");
                }
                self.assert.push(framework.equal(&text, actual));
            }
            Value::Enum { ty, value } => self.assert_enum(ty, *value, actual)?,
            Value::Struct { ty, fields } => self.assert_struct(ty, fields, actual, depth)?,
            Value::Object(id) => self.assert_reference(*id, ty, actual, depth)?,
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
                Some(field) => self.assert_deep(&field.value, "", actual, depth),
            };
        }
        let info = self.info_of(ty);
        if !info.custom_equality && self.is_writable(ty, &parsed, fields) {
            let whole = Value::Struct { ty: ty.to_owned(), fields: fields.to_vec() };
            let text = self.value(&whole, ty, Wanted::Exact, "expected")?;
            self.assert.push(self.dialect.framework.equal(&text, actual));
            return Ok(());
        }
        for field in fields {
            let part = match readable(&info, field).filter(|_| self.public_name(ty).is_some()) {
                Some(member) => format!("{}.{member}", receiver(actual)),
                None if parsed.is_tuple() => format!("{}.{}", receiver(actual), field.name),
                None => {
                    self.assert_hidden(field, actual)?;
                    continue;
                }
            };
            self.assert_deep(&field.value, "", &part, depth + 1)?;
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
            Value::Object(_) => false,
            Value::Enum { ty, .. } => self.public_name(ty).is_some(),
            _ => true,
        };
        let known = super::known_structs::expression(parsed, fields).is_some();
        let all_default = fields.iter().all(|field| construct::is_default(&field.value));
        let parts = fields.iter().all(inner);
        known
            || all_default
            || (parts && (parsed.is_tuple() || construct::plan(self.surroundings, parsed, fields).is_some()))
    }

    fn assert_reference(&mut self, id: ObjectId, ty: &str, actual: &str, depth: usize) -> Written<()> {
        let framework = self.dialect.framework;
        if let Some(local) = self.objects.get(&id) {
            self.assert.push(framework.same(local, actual));
            return Ok(());
        }
        let described = self.case.expect.after.objects.iter().find(|object| object.id == id);
        match described.or_else(|| self.case.object(id)).map(|object| &object.kind) {
            Some(ObjectKind::String(text)) => {
                self.assert.push(framework.equal(&literal::string_literal(&text.0), actual));
                Ok(())
            }
            Some(ObjectKind::Boxed { value }) => {
                let text = self.value(value, "", Wanted::Exact, "expected")?;
                self.assert.push(framework.equal(&text, actual));
                Ok(())
            }
            Some(ObjectKind::Object(instance)) => self.assert_instance(instance, ty, actual, depth),
            _ => {
                self.assert.push(framework.not_null(actual));
                Ok(())
            }
        }
    }

    fn assert_instance(&mut self, instance: &Instance, ty: &str, actual: &str, depth: usize) -> Written<()> {
        let info = self.info_of(&instance.ty);
        let visible: Vec<(String, &FieldValue)> =
            instance.fields.iter().filter_map(|field| Some((readable(&info, field)?, field))).collect();
        let same_type = ty.is_empty() || ty == instance.ty;
        let target = match (same_type, self.public_name(&instance.ty)) {
            (true, Some(_)) => Some(receiver(actual)),
            (false, Some(name)) => Some(format!("(({name}){})", operand(actual))),
            (_, None) => None,
        };
        match target {
            Some(target) if depth < MAX_DEPTH && !visible.is_empty() => {
                for (member, field) in visible {
                    self.assert_deep(&field.value, "", &format!("{target}.{member}"), depth + 1)?;
                }
            }
            _ => self.assert.push(self.dialect.framework.not_null(actual)),
        }
        Ok(())
    }

    fn info_of(&self, ty: &str) -> TypeInfo {
        TypeName::parse(ty).and_then(|name| self.type_info(&name)).unwrap_or_default()
    }

    /// The receiver of a reflected call is declared as `object`.
    fn is_boxed(&self, local: &str) -> bool {
        let declaration = format!("object {local} = ");
        self.arrange.iter().any(|line| line.starts_with(&declaration))
    }
}

fn readable(info: &TypeInfo, field: &FieldValue) -> Option<String> {
    let member = info.members.iter().find(|member| member.readable && is_field(field, &member.field))?;
    super::identifier::written(&member.name)
}

/// Casts bind looser than the dot.
fn receiver(actual: &str) -> String {
    if actual.starts_with('(') { format!("({actual})") } else { actual.to_owned() }
}
