//! Assertions: on the result, on what is thrown, and on what changed.

use crate::array::element_type;
use crate::call::Call;
use crate::named::{changes, owner};
use crate::test::{TestWriter, Written};
use crate::value::field_text;
use case::construct::is_field;
use case::type_facts::{Member, MethodKind, TypeInfo, Writable};
use case::type_name::TypeName;
use case::{
    Array, Element, FieldValue, Object, ObjectId, ObjectKind, Outcome, StaticAfter, Value, construct,
};

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
            self.assert_changes(ty, before, fields, &local, ty)?;
        }
        for object in &after.objects {
            self.assert_object_after(object)?;
        }
        for field in &after.statics {
            self.assert_static(field)?;
        }
        self.assert_setter()?;
        if self.assert.is_empty()
            && self.case.method.is_constructor()
            && let (Some(local), Some(Value::Object(_))) = (&self.receiver, &after.this)
        {
            self.assert.push(self.dialect.framework.not_null(local));
        }
        Ok(())
    }

    /// A property that was set to what it had before: that it still has it is worth a line when there is no other.
    fn assert_setter(&mut self) -> Written<()> {
        let MethodKind::Setter { property, indexer: false, .. } = &self.method.kind else { return Ok(()) };
        let throws = matches!(self.case.expect.outcome, Outcome::Throws(_));
        let (Some(local), true) = (self.receiver.clone(), self.assert.is_empty() && !throws) else {
            return Ok(());
        };
        let info = self.info_of(&self.case.method.ty);
        let member = info.members.iter().find(|member| member.readable && member.name == *property);
        let seen = self.case.this.as_ref().and_then(|this| self.static_type(this));
        let is_seen = seen.is_none_or(|seen| seen != "System.Object") && !self.is_boxed(&local);
        let Some(member) = member.filter(|_| is_seen && self.public_name(&self.case.method.ty).is_some())
        else {
            return Ok(());
        };
        let after = match (&self.case.expect.after.this, &self.case.this) {
            (Some(Value::Struct { fields, .. }), _) => fields.as_slice(),
            (_, Some(Value::Object(id))) => {
                let after = self.case.expect.after.objects.iter().find(|object| object.id == *id);
                match after.map(|object| &object.kind) {
                    Some(ObjectKind::Object(instance)) => instance.fields.as_slice(),
                    _ => &[],
                }
            }
            _ => &[],
        };
        let value =
            after.iter().find(|field| is_field(field, &member.field)).map(|field| field.value.clone());
        // What is not listed was not looked at; that the setter stores its value is known from its code.
        let stored = member.writable == Writable::Always;
        let value = value.or_else(|| self.case.arguments.last().filter(|_| stored).cloned());
        let Some(shown) = crate::identifier::written(&member.name) else { return Ok(()) };
        let ty = construct::filled_in(&member.ty, &self.case.method.ty);
        match value {
            Some(value) => self.assert_value(&value, &ty, &format!("{local}.{shown}")),
            None => Ok(()),
        }
    }

    fn assert_static(&mut self, field: &StaticAfter) -> Written<()> {
        let info = self.info_of(&field.declaring);
        let key = |m: &&Member| m.readable && m.field.name == field.name && m.is_static;
        let member = info.members.iter().find(key);
        let shown = member.and_then(|m| crate::identifier::written(&m.name));
        if let (Some(member), Some(shown), Some(name)) = (member, shown, self.public_name(&field.declaring)) {
            self.scope.warned(&member.diagnostics);
            let ty = construct::filled_in(&member.ty, &field.declaring);
            return self.assert_value(&field.value, &ty, &format!("{name}.{shown}"));
        }
        // As of objects, hidden state is asserted only when there is nothing else, and the test uses reflection anyway.
        if !self.asserts_nothing() || !self.uses_reflection() {
            return Ok(());
        }
        self.note_reflection(format!("the static field {} is not public", field.name));
        let ty = self.type_expression(&field.declaring)?;
        let actual = format!("Reflected.GetStatic({ty}, \"{}\")", field.name);
        self.assert_unboxed(&field.value, actual)
    }

    /// What reflection gives is an `object`: it is cast to what it is, where that has a name.
    fn assert_unboxed(&mut self, value: &Value, got: String) -> Written<()> {
        match self.value_type(value) {
            Some((ty, name)) => self.assert_value(value, &ty, &format!("({name}){got}")),
            None => self.assert_value(value, "System.Object", &got),
        }
    }

    /// What an object of the test became.
    fn assert_object_after(&mut self, object: &Object) -> Written<()> {
        let before = self.case.object(object.id);
        if before.is_some() && changes(before, object).is_empty() {
            let same_length = match (&object.kind, before.map(|before| &before.kind)) {
                (ObjectKind::Collection(after), Some(ObjectKind::Collection(before))) => after == before,
                _ => true,
            };
            if same_length {
                return Ok(());
            }
        }
        let Some((local, ty)) = self.expression_of(object.id)? else { return Ok(()) };
        match (&object.kind, before.map(|before| &before.kind)) {
            (ObjectKind::Object(after), before) => {
                let before = match before {
                    Some(ObjectKind::Object(before)) => before.fields.as_slice(),
                    _ => &[],
                };
                self.assert_changes(&after.ty, before, &after.fields, &local, &ty)
            }
            (ObjectKind::Array(after), Some(ObjectKind::Array(before))) => {
                self.assert_array_changes(before, after, &local, &ty)
            }
            (ObjectKind::Collection(after), Some(_)) => self.assert_collection(after, &ty, &local, 0),
            (ObjectKind::Mock(after), _) if self.objects.contains_key(&object.id) => {
                self.assert_mock_after(after, self.case.object(object.id), &local)
            }
            _ => Ok(()),
        }
    }

    /// How the test reaches an object of the input after the call: by its local, or through the object whose constructor
    /// made it. With the static type, when that may be another one.
    fn expression_of(&mut self, id: ObjectId) -> Written<Option<(String, String)>> {
        if let Some(local) = self.objects.get(&id) {
            let ty = self.static_type(&Value::Object(id)).unwrap_or_default();
            return Ok(Some((local.clone(), ty)));
        }
        let Some(owner) = owner(self.case, id).filter(|owner| *owner != id) else { return Ok(None) };
        let Some(local) = self.objects.get(&owner).cloned() else { return Ok(None) };
        let Some(ObjectKind::Object(instance)) = self.case.object(owner).map(|object| &object.kind) else {
            return Ok(None);
        };
        let Some(field) = instance.fields.iter().find(|field| field.value == Value::Object(id)) else {
            return Ok(None);
        };
        let is_named = self.public_name(&instance.ty).is_some();
        if let Some(member) = readable_member(&self.info_of(&instance.ty), field).filter(|_| is_named) {
            self.scope.warned(&member.diagnostics);
            let ty = construct::filled_in(&member.ty, &instance.ty);
            let member = crate::identifier::written(&member.name).unwrap_or_default();
            return Ok(Some((format!("{local}.{member}"), ty)));
        }
        if !self.asserts_nothing() || !self.uses_reflection() {
            return Ok(None);
        }
        self.note_reflection(format!("the field {} is not public", field.name));
        let got = format!("Reflected.Get({local}, {})", field_text(&instance.ty, field));
        Ok(Some(match self.value_type(&field.value) {
            Some((ty, name)) => (format!("(({name}){got})"), ty),
            None => (got, "System.Object".to_owned()),
        }))
    }

    fn assert_array_changes(&mut self, before: &Array, after: &Array, local: &str, ty: &str) -> Written<()> {
        const FEW: usize = 4;
        let changed: Vec<&Element> = after
            .elements
            .iter()
            .filter(|element| {
                let old = before.elements.iter().find(|old| old.at == element.at).map(|old| &old.value);
                old.map_or(!construct::is_default(&element.value), |old| *old != element.value)
            })
            .collect();
        let all = changed.len() > 1 && changed.len() == after.elements.len();
        if (changed.len() > FEW || all) && self.is_plain_array(after) {
            return self.assert_array(after, ty, local, 0);
        }
        let target = self.cast_to(&after.ty, ty, local).filter(|_| ty != "System.Array");
        for element in changed {
            let at: Vec<String> = element.at.iter().map(i32::to_string).collect();
            let at = at.join(", ");
            match &target {
                Some(target) => {
                    self.assert_value(&element.value, element_type(&after.ty), &format!("{target}[{at}]"))?;
                }
                // Its type has no name: elements come out as objects.
                None if ty == "System.Array" => {
                    self.assert_unboxed(&element.value, format!("{local}.GetValue({at})"))?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Asserts the fields that changed, as far as public members show them. Hidden state is asserted only when the
    /// test would assert nothing else, and uses reflection anyway: nobody wants it for an assertion alone.
    pub(super) fn assert_changes(
        &mut self,
        ty: &str,
        before: &[FieldValue],
        after: &[FieldValue],
        local: &str,
        seen: &str,
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
            if let (Some(member), Some(name)) = (readable_member(&info, field), self.public_name(ty)) {
                let cast = boxed || (!seen.is_empty() && seen != ty);
                let target = if cast { format!("(({name}){local})") } else { local.to_owned() };
                self.scope.warned(&member.diagnostics);
                let member_ty = construct::filled_in(&member.ty, ty);
                let shown = crate::identifier::written(&member.name).unwrap_or_default();
                self.assert_value(&field.value, &member_ty, &format!("{target}.{shown}"))?;
            }
        }
        if self.asserts_nothing() && self.uses_reflection() && !is_new {
            for field in changed {
                self.assert_hidden(ty, field, local)?;
            }
        }
        Ok(())
    }

    fn asserts_nothing(&self) -> bool {
        self.assert.is_empty() && !self.act.iter().any(|line| is_assertion(line))
    }

    pub(super) fn assert_hidden(&mut self, ty: &str, field: &FieldValue, local: &str) -> Written<()> {
        self.note_reflection(format!("the field {} is not public", field.name));
        let got = format!("Reflected.Get({local}, {})", field_text(ty, field));
        self.assert_unboxed(&field.value, got)
    }

    /// The type of a value and how a test names it, if it can.
    fn value_type(&self, value: &Value) -> Option<(String, String)> {
        let named = |ty: &str| Some((ty.to_owned(), self.public_name(ty)?));
        if let Some(ty) = value.ty() {
            return named(ty);
        }
        let Value::Object(id) = value else { return None };
        let after = self.case.expect.after.objects.iter().find(|object| object.id == *id);
        match &after.or_else(|| self.case.object(*id))?.kind {
            ObjectKind::Object(instance) => named(&instance.ty),
            ObjectKind::Array(array) => named(&array.ty),
            ObjectKind::Collection(collection) => named(&collection.ty),
            ObjectKind::String(_) => named("System.String"),
            ObjectKind::Mock(mock) => named(&mock.ty),
            ObjectKind::Boxed { .. } => None,
        }
    }

    pub(super) fn info_of(&self, ty: &str) -> TypeInfo {
        TypeName::parse(ty).and_then(|name| self.type_info(&name)).unwrap_or_default()
    }

    /// The receiver of a reflected call is declared as `object`.
    fn is_boxed(&self, local: &str) -> bool {
        let declaration = format!("object {local} = ");
        self.arrange.iter().any(|line| line.starts_with(&declaration))
    }
}

pub fn readable_member<'a>(info: &'a TypeInfo, field: &FieldValue) -> Option<&'a Member> {
    let member = info.members.iter().find(|member| member.readable && is_field(field, &member.field))?;
    crate::identifier::written(&member.name).map(|_| member)
}

pub fn readable(info: &TypeInfo, field: &FieldValue) -> Option<String> {
    crate::identifier::written(&readable_member(info, field)?.name)
}

fn is_assertion(line: &str) -> bool {
    line.strip_prefix("await ").unwrap_or(line).starts_with("Assert.")
}
