//! The text of a stub class.

use crate::identifier;
use crate::mocks::implement::Implementer;
use crate::mocks::plan::{Slot, SlotOf, Stub, awaited};
use crate::scope::Scope;
use case::contract::{ByRef, Shape};
use case::type_facts::{TypeFacts, TypeKind};
use case::type_name::TypeName;

/// Lines without indentation, or why there is no such class in C#.
pub fn class_text(
    stub: &Stub,
    scope: &Scope<'_>,
    surroundings: &dyn TypeFacts,
) -> Result<Vec<String>, String> {
    let names = Names { scope, surroundings };
    let mut bases = vec![names.of(&stub.ty)?];
    for interface in &stub.interfaces {
        bases.push(names.of(interface)?);
    }
    let mut parts: Vec<Vec<String>> = Vec::new();
    let slots: Vec<String> = declared(stub, &names)?;
    if !slots.is_empty() {
        parts.push(slots);
    }
    parts.extend(constructors(stub, &names)?);
    let implementer = Implementer { stub, names: &names };
    // Short members stand together, long ones apart.
    for (index, member) in stub.contract.members.iter().enumerate() {
        let lines = implementer.member(index, member)?;
        match parts.last_mut() {
            Some(last) if lines.len() == 1 && index > 0 && is_short(last) => last.extend(lines),
            _ => parts.push(lines),
        }
    }
    let mut text = vec![format!("private sealed class {} : {}", stub.name, bases.join(", ")), "{".to_owned()];
    for (index, part) in parts.into_iter().enumerate() {
        if index > 0 {
            text.push(String::new());
        }
        text.extend(part.into_iter().map(|line| if line.is_empty() { line } else { format!("    {line}") }));
    }
    text.push("}".to_owned());
    Ok(text)
}

fn is_short(part: &[String]) -> bool {
    part.iter().all(|line| line.ends_with(';') || line.ends_with(" }"))
}

/// The members that hold results.
fn declared(stub: &Stub, names: &Names<'_>) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for slot in stub.slots.iter().filter(|slot| !is_member(slot)) {
        let ty = names.of(&slot.ty)?;
        let name = &slot.name;
        lines.push(match slot.many {
            true => {
                let list = names.list(&slot.ty)?;
                format!("public {list} {name} {{ get; set; }} = new {list}();")
            }
            false if is_place(stub, slot) => format!("public {ty} {name};"),
            false => format!("public {ty} {name} {{ get; set; }}"),
        });
    }
    Ok(lines)
}

/// The property of the mocked type holds it.
fn is_member(slot: &Slot) -> bool {
    match &slot.of {
        SlotOf::Property { name, .. } => *name == slot.name,
        SlotOf::Call { .. } => false,
    }
}

/// References to it are given away.
fn is_place(stub: &Stub, slot: &Slot) -> bool {
    stub.contract.members.iter().any(|member| match (&member.shape, &slot.of) {
        (Shape::Method(method), SlotOf::Call { call, .. }) => {
            method.by_ref != ByRef::No && method.name == call.method && member.declared_in == call.declared_in
        }
        (Shape::Property(property), SlotOf::Call { call, .. }) => {
            property.by_ref != ByRef::No
                && property.getter.as_ref() == Some(&call.method)
                && member.declared_in == call.declared_in
        }
        (Shape::Property(property), SlotOf::Property { declared_in, name }) => {
            property.by_ref != ByRef::No && property.name == *name && member.declared_in == *declared_in
        }
        _ => false,
    })
}

/// Those that the tests call; one at least where the base class wants arguments.
fn constructors(stub: &Stub, names: &Names<'_>) -> Result<Vec<Vec<String>>, String> {
    if stub.contract.kind != TypeKind::Class {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    for types in stub.constructors.iter().filter(|types| !types.is_empty()) {
        let known = stub.contract.constructors.iter().find(|constructor| {
            let own = constructor.parameters.iter().map(|p| p.ty.as_str());
            own.eq(types.iter().map(String::as_str))
        });
        let mut parameters = Vec::new();
        let mut passed = Vec::new();
        for (index, ty) in types.iter().enumerate() {
            let name = known.and_then(|constructor| constructor.parameters.get(index));
            let name = identifier::local(name.map_or("value", |parameter| parameter.name.as_str()));
            parameters.push(format!("{} {name}", names.of(ty)?));
            passed.push(name);
        }
        all.push(vec![
            format!("public {}({}) : base({})", stub.name, parameters.join(", "), passed.join(", ")),
            "{".to_owned(),
            "}".to_owned(),
        ]);
    }
    let has_plain = stub.contract.constructors.iter().any(|constructor| constructor.parameters.is_empty());
    if all.is_empty() && !has_plain {
        let first = stub.contract.constructors.first().ok_or_else(|| {
            let short = TypeName::parse(&stub.ty).map(|name| name.simple().to_owned()).unwrap_or_default();
            format!("no constructor of {short} can be called")
        })?;
        let mut passed = Vec::new();
        for parameter in &first.parameters {
            passed.push(format!("default({})", names.of(&parameter.ty)?));
        }
        all.push(vec![
            format!("public {}() : base({})", stub.name, passed.join(", ")),
            "{".to_owned(),
            "}".to_owned(),
        ]);
    } else if stub.constructors.contains(&Vec::new()) && !all.is_empty() {
        all.insert(0, vec![format!("public {}()", stub.name), "{".to_owned(), "}".to_owned()]);
    }
    Ok(all)
}

/// Names of types that a test may write.
pub struct Names<'a> {
    pub scope: &'a Scope<'a>,
    pub surroundings: &'a dyn TypeFacts,
}

impl Names<'_> {
    pub fn of(&self, ty: &str) -> Result<String, String> {
        let name = TypeName::parse(ty).ok_or_else(|| format!("`{ty}` is no type name"))?;
        if !self.is_public(&name) {
            return Err(format!("{} is not public", name.simple()));
        }
        self.scope.type_name(&name).ok_or_else(|| format!("{ty} cannot be written"))
    }

    /// Over type parameters of a method.
    pub fn in_method(&self, ty: &str, generics: &[String]) -> Result<String, String> {
        let text = self.of(ty)?;
        Ok(case::contract::substituted(&text, generics))
    }

    /// The value where a `ty` is wanted: in a completed task if it is one, the default if there is no value.
    pub fn completed(&self, ty: &str, value: Option<String>, generics: &[String]) -> Result<String, String> {
        let Some(inner) = awaited(ty) else { return Ok(value.unwrap_or_else(|| "default".to_owned())) };
        let is_value = ty.starts_with("System.Threading.Tasks.ValueTask");
        let task = self.scope.known("System.Threading.Tasks.Task");
        let Some(inner) = inner else {
            return Ok(if is_value { "default".to_owned() } else { format!("{task}.CompletedTask") });
        };
        let name = self.in_method(&inner, generics)?;
        Ok(match (is_value, value) {
            (true, Some(value)) => format!("new {}({value})", self.in_method(ty, generics)?),
            (true, None) => "default".to_owned(),
            (false, Some(value)) => format!("{task}.FromResult({value})"),
            (false, None) => format!("{task}.FromResult(default({name}))"),
        })
    }

    pub fn list(&self, item: &str) -> Result<String, String> {
        self.of(&format!("System.Collections.Generic.List`1[{item}]"))
    }

    fn is_public(&self, name: &TypeName) -> bool {
        let is_variable = name.namespace.is_empty() && name.simple().starts_with("__M");
        let known = match self.surroundings.type_info(&name.definition()) {
            _ if is_variable => true,
            Some(info) => info.public,
            None => name.namespace == "System" || name.namespace.starts_with("System."),
        };
        known && name.arguments.iter().all(|argument| self.is_public(argument))
    }
}
