//! What C# can only say in an object initialiser, and what it can only call through an interface.

use crate::call::{Call, member};
use crate::literal::Wanted;
use crate::test::{TestWriter, Written};
use crate::value::member_name;
use case::construct::{is_default, is_field};
use case::type_facts::{Member, MethodKind, Writable};
use case::type_name::TypeName;
use case::{Assigned, Construction, FieldValue, ObjectId, ObjectKind, Outcome, Value};

impl TestWriter<'_> {
    /// For an accessor that only an initialiser calls: the object with what its way assigns, and this in the end.
    pub(super) fn initialised(&self) -> Option<(ObjectId, Construction)> {
        let MethodKind::Setter { property, init: true, indexer: false, .. } = &self.method.kind else {
            return None;
        };
        let (Some(Value::Object(id)), [value]) = (&self.case.this, &self.case.arguments[..]) else {
            return None;
        };
        let ObjectKind::Object(instance) = &self.case.object(*id)?.kind else { return None };
        let mut way = instance.construction.clone()?;
        let is_plain = way.factory.is_none() && way.calls.is_empty();
        let leads_back = way.assigned.iter().any(|item| self.leads_back(&item.value, *id));
        if !is_plain || leads_back || self.leads_back(value, *id) || instance.ty != self.case.method.ty {
            return None;
        }
        let known = self.info_of(&instance.ty);
        let is_stored = known.members.iter().any(|m| m.name == *property && m.writable != Writable::No);
        match way.assigned.iter_mut().find(|item| item.member == *property) {
            // What only stores a value has done nothing else before.
            Some(item) if is_stored => item.value = value.clone(),
            Some(_) => return None,
            None => way.assigned.push(Assigned { member: property.clone(), value: value.clone() }),
        }
        Some((*id, way))
    }

    pub(super) fn initialisation(&mut self, id: ObjectId, way: &Construction) -> Written<Call> {
        let ty = &self.case.method.ty;
        let name = self.public_name(ty).ok_or_else(|| format!("{ty} is not public"))?;
        let text = self.creation_of(id, way, &name)?;
        Ok(Call { text, is_statement: true, is_task: false })
    }

    pub(super) fn act_initialised(&mut self, call: &Call) {
        let name = TypeName::parse(&self.case.method.ty);
        let local = self.fresh(name.as_ref().map_or("created", |name| name.simple()));
        self.act.push(format!("var {local} = {};", call.text));
        if let Some(Value::Object(id)) = self.case.this {
            self.objects.insert(id, local.clone());
        }
        self.receiver = Some(local);
    }

    /// What required members are as the constructor leaves them: C# wants them assigned once more. `None` where that is not
    /// known; for a constructor that throws it does not matter.
    pub(super) fn required_as_left(&self) -> Option<Vec<(Member, Option<Value>)>> {
        let info = self.info_of(&self.case.method.ty);
        let required = info.members.into_iter().filter(|member| member.required);
        if matches!(self.case.expect.outcome, Outcome::Throws(_)) {
            return Some(required.map(|member| (member, None)).collect());
        }
        let Some(Value::Object(id)) = self.case.expect.after.this else { return None };
        let after = self.case.expect.after.objects.iter().find(|object| object.id == id)?;
        let ObjectKind::Object(instance) = &after.kind else { return None };
        let left = |member: Member| {
            let field = instance.fields.iter().find(|field| is_field(field, &member.field))?;
            let is_plain = matches!(field.value, Value::Null | Value::Primitive(_) | Value::Enum { .. });
            is_plain.then(|| (member, Some(field.value.clone())))
        };
        required.map(left).collect()
    }

    /// The same as it is written.
    pub(super) fn required_assignments(&mut self) -> Written<Vec<String>> {
        let mut assignments = Vec::new();
        for (member, value) in self.required_as_left().unwrap_or_default() {
            let text = match value {
                Some(value) => self.value(&value, &member.ty, Wanted::Converted, &member.name)?,
                None => "default".to_owned(),
            };
            assignments.push(format!("{} = {text}", member_name(&member.name)?));
        }
        Ok(assignments)
    }

    /// The interface and the member that a private method implements, if a test can name both.
    pub(super) fn through_interface(&self) -> Option<(String, String)> {
        let (method, at) = (&self.case.method, self.case.method.name.rfind('.')?);
        let (interface, name) = (method.name.get(..at)?, method.name.get(at + 1..)?);
        let is_plain = !interface.is_empty()
            && !interface.contains(['<', '`'])
            && method.generic_arguments.is_empty()
            && !method.is_static;
        let types = method.parameters.iter().map(|p| &p.ty).chain([&method.ty]);
        if !is_plain || types.into_iter().any(|ty| self.public_name(ty).is_none()) {
            return None;
        }
        Some((self.public_name(interface)?, name.to_owned()))
    }

    pub(super) fn called_through(
        &self,
        interface: &str,
        name: &str,
        receiver: &str,
        mut arguments: Vec<String>,
    ) -> Written<Call> {
        let target = format!("(({interface}){receiver})");
        let (text, is_statement) = match (name.strip_prefix("get_"), name.strip_prefix("set_")) {
            (Some("Item"), _) => (format!("{target}[{}]", arguments.join(", ")), false),
            (Some(property), _) => (format!("{target}.{}", member(property)?), false),
            (_, Some(property)) => {
                let value = arguments.pop().ok_or("a setter without a value")?;
                match property {
                    "Item" => (format!("{target}[{}] = {value}", arguments.join(", ")), true),
                    property => (format!("{target}.{} = {value}", member(property)?), true),
                }
            }
            _ => (format!("{target}.{}({})", member(name)?, arguments.join(", ")), true),
        };
        Ok(Call { text, is_statement, is_task: false })
    }

    /// Says which fields keep an object from being made as anybody else would.
    pub(super) fn note_unmakeable(&mut self, ty: &str, fields: &[FieldValue]) {
        let short = TypeName::parse(ty).map(|name| name.simple().to_owned()).unwrap_or_default();
        let info = self.info_of(ty);
        let is_open = |field: &&FieldValue| {
            !is_default(&field.value)
                && !info.members.iter().any(|m| m.writable == Writable::Always && is_field(field, &m.field))
        };
        let names: Vec<String> = fields.iter().filter(is_open).map(|field| plain(&field.name)).collect();
        self.note_reflection(match (self.public_name(ty), &names[..]) {
            (None, _) => format!("{short} is not public"),
            (Some(_), []) => format!("no public call is known that leaves all fields of {short} unset"),
            (Some(_), names) => {
                format!("no public call is known that makes a {short} with this {}", names.join(", "))
            }
        });
    }
}

/// A property instead of the field that the compiler made for it.
fn plain(field: &str) -> String {
    let inside = field.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    inside.map_or(field, |(property, _)| property).to_owned()
}
