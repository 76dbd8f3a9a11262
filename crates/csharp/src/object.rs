//! Objects as expressions: in place where they are used once, as local variables where more than one place needs them.

use crate::literal;
use crate::literal::Wanted;
use crate::mocks::plain_name;
use crate::test::{TestWriter, Written};
use crate::value::{creation, field_text, member_name, operand};
use case::construct::filled_in;
use case::type_facts::Constructor;
use case::type_name::TypeName;
use case::{Call, Construction, Factory, FieldValue, Instance, Mode, ObjectId, ObjectKind, Value, graph};

/// An object whose expression is longer gets a local variable of its own.
const MAX_INLINE: usize = 72;

/// Stands in a statement for a value that can only be written later.
pub const HOLE: char = '\u{1}';

/// A statement that waits for the value in it.
pub struct Later {
    statement: String,
    value: Value,
    ty: String,
    wanted: Wanted,
    hint: String,
}

impl TestWriter<'_> {
    pub(super) fn object(&mut self, id: ObjectId, wanted: Wanted, hint: &str) -> Written<String> {
        if let Some(local) = self.objects.get(&id) {
            return Ok(local.clone());
        }
        if self.pending.contains(&id) {
            return Err(format!("the construction of object {} needs itself", id.0));
        }
        let object = self.case.object(id).ok_or_else(|| format!("the case has no object {}", id.0))?;
        match &object.kind {
            ObjectKind::String(text) => Ok(self.text(id, &text.0)),
            ObjectKind::Boxed { value } => {
                let text = self.value(value, "", Wanted::Exact, hint)?;
                if self.has_local(id) {
                    return Ok(self.declare(id, "object", &text, hint));
                }
                Ok(if wanted == Wanted::Exact { format!("(object){}", operand(&text)) } else { text })
            }
            ObjectKind::Array(array) => self.array(id, array, hint),
            ObjectKind::Collection(collection) => self.collection(id, collection, hint),
            ObjectKind::Object(instance) => self.instance(id, instance, hint),
            ObjectKind::Mock(mock) if self.is_delegate(mock) => self.lambda(id, mock, false, hint),
            ObjectKind::Mock(mock) => self.mock(id, mock, hint),
        }
    }

    /// Equal literals are one object: another string of the same text must be made.
    fn text(&mut self, id: ObjectId, units: &[u16]) -> String {
        let literal = literal::text(units);
        let first = *self.texts.entry(units.to_vec()).or_insert(id);
        if first == id || units.is_empty() || literal.starts_with("new string") {
            return literal;
        }
        format!("new string({literal})")
    }

    fn instance(&mut self, id: ObjectId, instance: &Instance, hint: &str) -> Written<String> {
        match (&instance.construction, self.public_name(&instance.ty)) {
            (Some(way), Some(name)) => self.constructed(id, way, &name, hint),
            (Some(_), None) => Err(format!("{} is not public", instance.ty)),
            (None, _) => self.instance_by_reflection(id, instance, hint),
        }
    }

    fn constructed(&mut self, id: ObjectId, way: &Construction, name: &str, hint: &str) -> Written<String> {
        let ty = self.instance_type(id).map(|ty| ty.to_string()).unwrap_or_default();
        let after: Vec<_> =
            way.assigned.iter().filter(|item| self.leads_back(&item.value, id)).cloned().collect();
        let mut text = self.creation_of(id, way, name)?;
        let mut calls = way.calls.iter().peekable();
        while let Some(call) = calls.next_if(|call| call.gives) {
            let (receiver, called) = (operand(&text), self.called(call)?);
            text = format!("{receiver}{called}");
        }
        let is_changed = calls.peek().is_some();
        let local = self.placed(id, &text, hint, is_changed || !after.is_empty());
        for call in calls {
            let called = self.called(call)?;
            let given = if call.gives { format!("{local} = ") } else { String::new() };
            self.arrange.push(format!("{given}{local}{called};"));
        }
        for item in after {
            let member = member_name(&item.member)?;
            let member_type = self.member_type(&ty, &item.member);
            let statement = format!("{local}.{member} = {HOLE};");
            self.put(&statement, &item.value, &member_type, Wanted::Converted, &item.member)?;
        }
        self.flush()?;
        Ok(local)
    }

    /// The constructor or whatever else gives the object, with an initialiser for what does not lead back to it.
    pub(super) fn creation_of(&mut self, id: ObjectId, way: &Construction, name: &str) -> Written<String> {
        self.pending.push(id);
        let mut arguments = Vec::new();
        for (index, (ty, value)) in way.parameters.iter().zip(&way.arguments).enumerate() {
            let hint = self.parameter_name(id, way, index).unwrap_or_else(|| "value".to_owned());
            arguments.push(self.fitting(value, ty, self.overload_needs(id, way), &hint)?);
        }
        let ty = self.instance_type(id).map(|ty| ty.to_string()).unwrap_or_default();
        self.note_constructor(&ty, way);
        let mut assignments = Vec::new();
        for item in &way.assigned {
            if self.leads_back(&item.value, id) {
                continue;
            }
            let member_type = self.member_type(&ty, &item.member);
            let text = self.value(&item.value, &member_type, Wanted::Converted, &item.member)?;
            assignments.push(format!("{} = {text}", member_name(&item.member)?));
        }
        self.pending.pop();
        match &way.factory {
            Some(factory) => self.given_by(factory, way, &arguments, name),
            None => Ok(creation(name, &arguments, &assignments)),
        }
    }

    /// A method with its arguments, or what C# writes for an accessor.
    fn called(&mut self, call: &Call) -> Written<String> {
        let mut arguments = Vec::new();
        for (ty, value) in call.parameters.iter().zip(&call.arguments) {
            arguments.push(self.fitting(value, ty, Wanted::Exact, "value")?);
        }
        if call.method == "set_Item"
            && let Some(value) = arguments.pop()
        {
            return Ok(format!("[{}] = {value}", arguments.join(", ")));
        }
        if let (Some(event), [handler]) = (call.method.strip_prefix("add_"), &arguments[..]) {
            return Ok(format!(".{} += {handler}", member_name(event)?));
        }
        match (call.method.strip_prefix("set_"), call.method.strip_prefix("get_"), &arguments[..]) {
            (Some(property), _, [value]) => Ok(format!(".{} = {value}", member_name(property)?)),
            (_, Some(property), []) => Ok(format!(".{}", member_name(property)?)),
            _ => Ok(format!(".{}({})", member_name(&call.method)?, arguments.join(", "))),
        }
    }

    /// A property or method: a static one, or one of another object.
    fn given_by(
        &mut self,
        factory: &Factory,
        way: &Construction,
        arguments: &[String],
        name: &str,
    ) -> Written<String> {
        if factory.ty == "System.Type"
            && let Some(Value::Object(id)) = way.arguments.first()
            && let Some(ObjectKind::String(text)) = self.case.object(*id).map(|object| &object.kind)
            && let Some(name) = self.public_name(&String::from_utf16_lossy(&text.0))
        {
            return Ok(format!("typeof({name})"));
        }
        let owner = match &factory.receiver {
            Some(receiver) => {
                let receiver = self.value(receiver, &factory.ty, Wanted::Exact, "giver")?;
                operand(&receiver)
            }
            None => self.public_name(&factory.ty).ok_or_else(|| format!("{} is not public", factory.ty))?,
        };
        let named = |ty: &str| self.public_name(ty).ok_or_else(|| format!("{ty} is not public"));
        let returned = factory.returns.as_deref().map(named).transpose()?;
        let cast = returned.filter(|returned| returned != name).map(|_| format!("({name})"));
        let cast = cast.unwrap_or_default();
        if let Some(property) = factory.method.strip_prefix("get_") {
            return Ok(format!("{cast}{owner}.{}", member_name(property)?));
        }
        let generic: Vec<String> =
            factory.generic_arguments.iter().map(|ty| named(ty)).collect::<Written<_>>()?;
        let generic = if generic.is_empty() { String::new() } else { format!("<{}>", generic.join(", ")) };
        Ok(format!("{cast}{owner}.{}{generic}({})", member_name(&factory.method)?, arguments.join(", ")))
    }

    /// References back to the object are written after it has its name.
    fn instance_by_reflection(&mut self, id: ObjectId, instance: &Instance, hint: &str) -> Written<String> {
        self.pending.push(id);
        let (after, inside): (Vec<FieldValue>, Vec<FieldValue>) =
            instance.fields.iter().cloned().partition(|field| self.leads_back(&field.value, id));
        let text = self.made_by_reflection(&instance.ty, &inside)?;
        self.pending.pop();
        let local = self.placed(id, &text, hint, !after.is_empty());
        for field in after {
            let name = field_text(&instance.ty, &field);
            let statement = format!("Reflected.Set({local}, {name}, {HOLE});");
            self.put(&statement, &field.value, "", Wanted::Exact, &field.name)?;
        }
        self.flush()?;
        Ok(local)
    }

    /// Constructors that differ in types only need arguments of exactly theirs.
    fn overload_needs(&self, id: ObjectId, way: &Construction) -> Wanted {
        let ty = self.instance_type(id).map(|ty| ty.to_string()).unwrap_or_default();
        self.constructor_needs(&ty, way.parameters.len())
    }

    pub(super) fn constructor_needs(&self, ty: &str, arguments: usize) -> Wanted {
        let info = self.info_of(ty);
        let same = info.constructors.iter().filter(|c| c.parameters.len() == arguments).count();
        if same > 1 { Wanted::Exact } else { Wanted::Converted }
    }

    /// The constructor is called: the file must bear what the compiler says about it.
    fn note_constructor(&self, ty: &str, way: &Construction) {
        let info = self.info_of(ty);
        let is_meant = |c: &&Constructor| {
            let types = c.parameters.iter().map(|parameter| filled_in(&parameter.ty, ty));
            types.eq(way.parameters.iter().cloned())
        };
        if let Some(constructor) = info.constructors.iter().find(is_meant).filter(|_| way.factory.is_none()) {
            self.scope.warned(&constructor.diagnostics);
        }
    }

    fn parameter_name(&self, id: ObjectId, way: &Construction, index: usize) -> Option<String> {
        let info = self.type_info(&self.instance_type(id)?)?;
        let mut same = info.constructors.iter().filter(|c| c.parameters.len() == way.parameters.len());
        Some(same.next()?.parameters.get(index)?.name.clone())
    }

    pub(super) fn instance_type(&self, id: ObjectId) -> Option<TypeName> {
        match &self.case.object(id)?.kind {
            ObjectKind::Object(instance) => TypeName::parse(&instance.ty),
            ObjectKind::Mock(mock) => TypeName::parse(&mock.ty),
            _ => None,
        }
    }

    /// In place, or as a new local.
    pub(super) fn placed(&mut self, id: ObjectId, text: &str, hint: &str, named: bool) -> String {
        if named || self.has_local(id) || text.chars().count() > MAX_INLINE {
            return self.declare(id, "var", text, hint);
        }
        text.to_owned()
    }

    pub(super) fn declare(&mut self, id: ObjectId, declared: &str, text: &str, hint: &str) -> String {
        let local = match self.parameter_of(id) {
            Some(parameter) => self.fresh(&parameter),
            None => self.fresh(hint),
        };
        self.objects.insert(id, local.clone());
        self.arrange.push(format!("{declared} {local} = {text};"));
        local
    }

    /// A statement that puts a value somewhere, at once or when the objects that it waits for are there.
    pub(super) fn put(
        &mut self,
        statement: &str,
        value: &Value,
        ty: &str,
        wanted: Wanted,
        hint: &str,
    ) -> Written<()> {
        let mut named = Vec::new();
        graph::collect(value, &mut named);
        if named.iter().any(|id| self.pending.contains(id)) {
            let (statement, ty, hint) = (statement.to_owned(), ty.to_owned(), hint.to_owned());
            self.later.push(Later { statement, value: value.clone(), ty, wanted, hint });
            return Ok(());
        }
        let text = self.value(value, ty, wanted, hint)?;
        self.arrange.push(statement.replace(HOLE, &text));
        Ok(())
    }

    /// Writes what waited, once nothing is under construction.
    pub(super) fn flush(&mut self) -> Written<()> {
        while self.pending.is_empty() && !self.later.is_empty() {
            let Later { statement, value, ty, wanted, hint } = self.later.remove(0);
            self.put(&statement, &value, &ty, wanted, &hint)?;
        }
        Ok(())
    }

    pub(super) fn leads_back(&self, value: &Value, id: ObjectId) -> bool {
        let mut named = Vec::new();
        graph::collect(value, &mut named);
        named.into_iter().any(|to| to == id || self.graph.leads(to, id))
    }

    /// The parameter whose argument the object is.
    fn parameter_of(&self, id: ObjectId) -> Option<String> {
        let arguments = self.case.method.parameters.iter().zip(&self.case.arguments);
        let mut own = arguments.filter(|(p, value)| p.mode == Mode::Value && **value == Value::Object(id));
        own.next().map(|(parameter, _)| parameter.name.clone())
    }

    /// What an element of something is called: by its type when it is an object.
    pub(super) fn element_hint(&self, value: &Value, hint: &str) -> String {
        let Value::Object(id) = value else { return hint.to_owned() };
        let is_mock = matches!(self.case.object(*id).map(|object| &object.kind), Some(ObjectKind::Mock(_)));
        match self.instance_type(*id) {
            Some(name) if is_mock => plain_name(name.simple()),
            Some(name) => name.simple().to_owned(),
            None => hint.to_owned(),
        }
    }

    fn has_local(&self, id: ObjectId) -> bool {
        self.named.contains(&id)
    }
}
