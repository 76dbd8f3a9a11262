//! A mock in a test: an object of a stub class with the results that the test wants.

use crate::literal::Wanted;
use crate::mocks::plan::{CallKey, Part, Slot, SlotOf, Stub, key, property_slot, values};
use crate::object::HOLE;
use crate::test::{TestWriter, Written};
use crate::value::creation;
use case::construct::is_default;
use case::type_facts::TypeKind;
use case::type_name::TypeName;
use case::{Construction, Mock, MockedResult, Object, ObjectId, ObjectKind, Value};

/// What is put into a slot.
struct Filled<'a> {
    slot: &'a Slot,
    values: Vec<Value>,
    /// What a slot of exceptions gets, as it is written.
    exceptions: Vec<String>,
}

impl TestWriter<'_> {
    pub(crate) fn mock(&mut self, id: ObjectId, mock: &Mock, hint: &str) -> Written<String> {
        if let Some(text) = self.library_mock(id, mock, hint)? {
            return Ok(text);
        }
        let stubs = self.stubs;
        let short = TypeName::parse(&mock.ty).map(|name| name.simple().to_owned()).unwrap_or_default();
        let stub = stubs.get(&key(mock)).ok_or_else(|| format!("no class can stand for {short}"))?;
        // Whether there is such a class in C# at all.
        crate::mocks::class_text(stub, self.scope, self.surroundings)?;
        self.used_stubs.insert(key(mock));
        let filled = self.filled(stub, mock)?;
        self.uses_next |= stub.slots.iter().any(|slot| slot.many);
        match (&mock.construction, stub.contract.kind) {
            (Some(way), _) => self.made_stub(id, stub, Some(way), &filled, hint),
            (None, TypeKind::Class) => self.bare_stub(id, stub, mock, &filled, hint),
            (None, _) => self.made_stub(id, stub, None, &filled, hint),
        }
    }

    fn made_stub(
        &mut self,
        id: ObjectId,
        stub: &Stub,
        way: Option<&Construction>,
        filled: &[Filled<'_>],
        hint: &str,
    ) -> Written<String> {
        self.pending.push(id);
        let mut arguments = Vec::new();
        for (ty, value) in way.into_iter().flat_map(|way| way.parameters.iter().zip(&way.arguments)) {
            arguments.push(self.value(value, ty, Wanted::Converted, "value")?);
        }
        let mut assignments = Vec::new();
        let mut after = Vec::new();
        for filled in filled {
            if filled.values.iter().any(|value| self.leads_back(value, id)) {
                after.push(filled);
                continue;
            }
            let slot = filled.slot;
            let mut texts = filled.exceptions.clone();
            for value in &filled.values {
                texts.push(self.result(value, &slot.ty, hint_of(slot))?);
            }
            assignments.push(match slot.many {
                true => format!("{} = {{ {} }}", slot.name, texts.join(", ")),
                false => format!("{} = {}", slot.name, texts.join("")),
            });
        }
        for item in way.into_iter().flat_map(|way| &way.assigned) {
            let base = self.instance_type(id).map(|ty| ty.to_string()).unwrap_or_default();
            let member_type = self.member_type(&base, &item.member);
            let text = self.value(&item.value, &member_type, Wanted::Converted, &item.member)?;
            assignments.push(format!("{} = {text}", crate::value::member_name(&item.member)?));
        }
        self.pending.pop();
        let text = creation(&stub.name, &arguments, &assignments);
        let local = self.placed(id, &text, hint, !after.is_empty());
        for filled in after {
            self.fill_later(stub, &local, filled)?;
        }
        self.flush()?;
        Ok(local)
    }

    /// Results that lead back to the mock are put there when it has its name.
    fn fill_later(&mut self, stub: &Stub, local: &str, filled: &Filled<'_>) -> Written<()> {
        let name = &filled.slot.name;
        if is_init(stub, filled.slot) {
            return Err(format!("{name} can only be initialised"));
        }
        for text in &filled.exceptions {
            self.arrange.push(match filled.slot.many {
                true => format!("{local}.{name}.Add({text});"),
                false => format!("{local}.{name} = {text};"),
            });
        }
        for value in &filled.values {
            let statement = match filled.slot.many {
                true => format!("{local}.{name}.Add({HOLE});"),
                false => format!("{local}.{name} = {HOLE};"),
            };
            self.put(&statement, value, &filled.slot.ty, Wanted::Converted, hint_of(filled.slot))?;
        }
        Ok(())
    }

    /// Without a constructor: nothing of the class is initialised.
    fn bare_stub(
        &mut self,
        id: ObjectId,
        stub: &Stub,
        mock: &Mock,
        filled: &[Filled<'_>],
        hint: &str,
    ) -> Written<String> {
        self.note_unmakeable(&mock.ty, &mock.fields);
        self.pending.push(id);
        let mut parts = Vec::new();
        for field in mock.fields.iter().filter(|field| !is_default(&field.value)) {
            if self.leads_back(&field.value, id) {
                return Err(format!("the field {} leads back to its object", field.name));
            }
            let text = self.value(&field.value, "", Wanted::Exact, &field.name)?;
            parts.push(format!("({}, {text})", crate::value::field_text("", field)));
        }
        self.pending.pop();
        let text = format!("Reflected.Make<{}>({})", stub.name, parts.join(", "));
        let lists: Vec<&Slot> = stub.slots.iter().filter(|slot| slot.many).collect();
        let local = self.placed(id, &text, hint, !filled.is_empty() || !lists.is_empty());
        for slot in lists {
            let list = self.public_name(&format!("System.Collections.Generic.List`1[{}]", slot.ty));
            let list = list.ok_or_else(|| format!("{} is not public", slot.ty))?;
            self.arrange.push(format!("{local}.{} = new {list}();", slot.name));
        }
        for filled in filled {
            self.fill_later(stub, &local, filled)?;
        }
        self.flush()?;
        Ok(local)
    }

    /// What the mock gives, slot by slot. Default values need not be written.
    fn filled<'s>(&mut self, stub: &'s Stub, mock: &Mock) -> Written<Vec<Filled<'s>>> {
        let mut all = filled(stub, mock)?;
        for call in &mock.calls {
            let of = SlotOf::Call { call: CallKey::of(call), part: Part::Throws };
            let Some(slot) = stub.slot(&of) else { continue };
            let mut exceptions = Vec::new();
            for result in call.results.iter().take(if slot.many { usize::MAX } else { 1 }) {
                exceptions.push(self.exception(result)?);
            }
            if exceptions.iter().any(|text| text != "null") {
                all.insert(0, Filled { slot, values: Vec::new(), exceptions });
            }
        }
        Ok(all)
    }

    /// The new exception that a call throws.
    pub(super) fn exception(&mut self, result: &MockedResult) -> Written<String> {
        let Some(ty) = &result.throws else { return Ok("null".to_owned()) };
        let name = self.public_name(ty).ok_or_else(|| format!("{ty} is not public"))?;
        let message = match &result.message {
            Some(message) => self.value(message, "System.String", Wanted::Exact, "message")?,
            None => String::new(),
        };
        Ok(format!("new {name}({message})"))
    }

    /// One result where a `ty` is kept; a span is kept as what it is over.
    pub(crate) fn result(&mut self, value: &Value, ty: &str, hint: &str) -> Written<String> {
        let span = match value {
            Value::Span { span, .. } => span,
            Value::Null if !self.may_be_null(ty) => return Ok("default".to_owned()),
            _ => return self.value(value, ty, Wanted::Converted, hint),
        };
        let Some(over) = span.over else { return Ok("null".to_owned()) };
        let length = match self.case.object(over).map(|object| &object.kind) {
            Some(ObjectKind::Array(array)) => array.lengths.first().copied().unwrap_or_default(),
            Some(ObjectKind::String(text)) => text.0.len() as u32,
            _ => 0,
        };
        if span.start != 0 || span.length != length {
            return Err("a stand-in cannot give a part of an array".to_owned());
        }
        self.value(&Value::Object(over), "", Wanted::Converted, hint)
    }

    /// A reference type, as far as is known.
    pub(super) fn may_be_null(&self, ty: &str) -> bool {
        let Some(name) = TypeName::parse(ty) else { return false };
        let kind = self.type_info(&name).map(|info| info.kind);
        !name.is_plain()
            || ty == "System.String"
            || matches!(kind, Some(TypeKind::Class | TypeKind::Interface | TypeKind::Delegate))
    }

    /// What was set on a mock.
    pub(crate) fn assert_mock_after(
        &mut self,
        after: &Mock,
        before: Option<&Object>,
        local: &str,
    ) -> Written<()> {
        let Some(ObjectKind::Mock(before)) = before.map(|object| &object.kind) else { return Ok(()) };
        self.assert_changes(&after.ty, &before.fields, &after.fields, local, &after.ty)?;
        let stubs = self.stubs;
        for property in after.properties.iter().filter(|property| !before.properties.contains(property)) {
            let is_new = !before.properties.iter().any(|known| known.name == property.name);
            if is_new && is_default(&property.value) {
                continue;
            }
            let Some((stub, slot)) =
                stubs.get(&key(before)).map(|stub| (stub, stub.slot(&property_slot(property))))
            else {
                continue;
            };
            let ty = stub.property(property).map(|(_, shape)| shape.ty.clone()).unwrap_or_default();
            // A library's object has the members of the mocked type and no others.
            let slot = slot.filter(|_| !self.is_in_library(stub, before));
            let name = slot.map_or(property.name.as_str(), |slot| slot.name.as_str());
            let readable = stub.property(property).is_some_and(|(index, shape)| {
                let member = stub.contract.members.get(index);
                slot.is_some() || member.is_some_and(|member| stub.shows(index, member, shape))
            });
            if readable {
                self.assert_value(&property.value, &ty, &format!("{local}.{name}"))?;
            }
        }
        Ok(())
    }
}

fn filled<'a>(stub: &'a Stub, mock: &Mock) -> Written<Vec<Filled<'a>>> {
    let mut all = Vec::new();
    for property in &mock.properties {
        let slot = stub.slot(&property_slot(property));
        let slot = slot.ok_or_else(|| format!("there is no property {} to stand for", property.name))?;
        if !is_default(&property.value) {
            all.push(Filled { slot, values: vec![property.value.clone()], exceptions: Vec::new() });
        }
    }
    for call in &mock.calls {
        let of = |part| SlotOf::Call { call: CallKey::of(call), part };
        let parameters = call.parameters.len();
        let parts = std::iter::once(Part::Returns).chain((0..parameters).map(Part::Parameter));
        let mut found = stub.called(call).is_some();
        for part in parts {
            let Some(slot) = stub.slot(&of(part)) else { continue };
            found = true;
            all.extend(filled_slot(slot, values(call, part).collect(), call, part, stub)?);
        }
        if !found {
            return Err(format!("there is no method {} to stand for", call.method));
        }
    }
    Ok(all)
}

fn filled_slot<'a>(
    slot: &'a Slot,
    values: Vec<Option<&Value>>,
    call: &case::MockedCall,
    part: Part,
    stub: &Stub,
) -> Written<Option<Filled<'a>>> {
    if !slot.many {
        let first = values.first().copied().flatten().filter(|value| !is_default(value));
        return Ok(first.map(|value| Filled { slot, values: vec![value.clone()], exceptions: Vec::new() }));
    }
    let is_ref = match (part, stub.called(call)) {
        (Part::Parameter(n), Some((_, parameters, _))) => {
            parameters.get(n).is_some_and(|parameter| parameter.mode == case::Mode::Ref)
        }
        _ => false,
    };
    if is_ref {
        // What is not set stays: only the last ones may be missing.
        let set = values.iter().take_while(|value| value.is_some()).count();
        if values.iter().skip(set).any(Option::is_some) {
            return Err(format!("{} leaves a parameter as it is in between", call.method));
        }
    }
    let all: Vec<Value> = match is_ref {
        true => values.into_iter().flatten().cloned().collect(),
        false => values.into_iter().map(|value| value.cloned().unwrap_or(Value::Null)).collect(),
    };
    // After the last one comes the default value anyway.
    let needed = all.iter().rposition(|value| is_ref || !is_default(value)).map_or(0, |last| last + 1);
    let values: Vec<Value> = all.into_iter().take(needed).collect();
    Ok((!values.is_empty()).then_some(Filled { slot, values, exceptions: Vec::new() }))
}

fn is_init(stub: &Stub, slot: &Slot) -> bool {
    let SlotOf::Property { declared_in, name } = &slot.of else { return false };
    let wanted =
        case::MockedProperty { declared_in: declared_in.clone(), name: name.clone(), value: Value::Null };
    stub.property(&wanted).is_some_and(|(_, property)| property.init && slot.name == *name)
}

fn hint_of(slot: &Slot) -> &str {
    let name = slot.name.trim_end_matches("Results").trim_end_matches("Result").trim_end_matches("Value");
    // `GetUser` gives a user.
    name.strip_prefix("Get").filter(|rest| rest.starts_with(char::is_uppercase)).unwrap_or(name)
}
