//! One member of a stub class.

use crate::identifier;
use crate::mocks::class::Names;
use crate::mocks::plan::{CallKey, Part, Slot, SlotOf, Stub};
use case::Mode;
use case::contract::{
    Access, ByRef, Constraint, ContractMember, GenericShape, MethodShape, Shape, ShapeParameter,
};
use case::type_name::TypeName;

pub struct Implementer<'a> {
    pub stub: &'a Stub,
    pub names: &'a Names<'a>,
}

pub(super) type Lines = Result<Vec<String>, String>;

impl Implementer<'_> {
    pub fn member(&self, index: usize, member: &ContractMember) -> Lines {
        if member.access == Access::Hidden {
            let owner = TypeName::parse(&member.declared_in);
            let owner = owner.as_ref().map_or("", |name| name.simple());
            return Err(format!("{} of {owner} is not public", member.name()));
        }
        match &member.shape {
            Shape::Method(method) => self.method(index, member, method),
            Shape::Property(property) => self.property(index, member, property),
            Shape::Event { name, ty } => {
                let (modifiers, prefix) = self.head(index, member)?;
                let (ty, name) = (self.names.of(ty)?, written(name)?);
                Ok(vec![format!("{modifiers}event {ty} {prefix}{name} {{ add {{ }} remove {{ }} }}")])
            }
        }
    }

    /// What stands before the type and before the name.
    pub(super) fn head(&self, index: usize, member: &ContractMember) -> Result<(String, String), String> {
        if self.stub.explicit.contains(&index) {
            let modifiers = if member.is_static { "static " } else { "" };
            return Ok((modifiers.to_owned(), format!("{}.", self.names.of(&member.declared_in)?)));
        }
        let access = match member.access {
            Access::Public => "public ",
            Access::Protected | Access::Hidden => "protected ",
        };
        let overriding = match (member.in_interface, member.is_static) {
            (false, _) => "override ",
            (true, true) => "static ",
            (true, false) => "",
        };
        Ok((format!("{access}{overriding}"), String::new()))
    }

    fn method(&self, index: usize, member: &ContractMember, method: &MethodShape) -> Lines {
        let (modifiers, prefix) = self.head(index, member)?;
        let generics: Vec<String> =
            method.generics.iter().map(|g| written(&g.name)).collect::<Result<_, _>>()?;
        let returns = self.returned(&method.returns, method.by_ref, &generics)?;
        let parameters = self.parameters(&method.parameters, &generics)?;
        let list = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
        let mut head = format!("{modifiers}{returns} {prefix}{}{list}({parameters})", written(&method.name)?);
        if member.in_interface && !self.stub.explicit.contains(&index) {
            head.push_str(&self.constraints(&method.generics, &generics)?);
        }
        let slots = self.slots_of(member, &method.name, &method.parameters, method.generics.len());
        let body = Body { stub: self.stub, method, generics: &generics, names: self.names };
        Ok(with_body(head, body.statements(&slots)?))
    }

    /// The results of a method, per list of type arguments.
    pub(super) fn slots_of(
        &self,
        member: &ContractMember,
        method: &str,
        parameters: &[ShapeParameter],
        generics: usize,
    ) -> Vec<(CallKey, Vec<(Part, &Slot)>)> {
        let mut groups: Vec<(CallKey, Vec<(Part, &Slot)>)> = Vec::new();
        for slot in &self.stub.slots {
            let SlotOf::Call { call, part } = &slot.of else { continue };
            let types = parameters.iter().map(|p| {
                let by_ref = if p.mode == Mode::Value { "" } else { "&" };
                format!("{}{by_ref}", case::contract::substituted(&p.ty, &call.generics))
            });
            let same = call.method == method
                && call.declared_in == member.declared_in
                && call.generics.len() == generics
                && types.eq(call.parameters.iter().cloned());
            if !same {
                continue;
            }
            match groups.iter_mut().find(|(known, _)| known == call) {
                Some((_, parts)) => parts.push((*part, slot)),
                None => groups.push((call.clone(), vec![(*part, slot)])),
            }
        }
        groups
    }

    pub(super) fn returned(&self, ty: &str, by_ref: ByRef, generics: &[String]) -> Result<String, String> {
        let name = self.names.in_method(ty, generics)?;
        Ok(match by_ref {
            ByRef::No => name,
            ByRef::Ref => format!("ref {name}"),
            ByRef::RefReadonly => format!("ref readonly {name}"),
        })
    }

    pub(super) fn parameters(&self, all: &[ShapeParameter], generics: &[String]) -> Result<String, String> {
        let mut texts = Vec::new();
        for (index, parameter) in all.iter().enumerate() {
            let mode = mode_word(parameter.mode);
            let ty = self.names.in_method(&parameter.ty, generics)?;
            texts.push(format!("{mode}{ty} {}", parameter_name(parameter, index)));
        }
        Ok(texts.join(", "))
    }

    fn constraints(&self, generics: &[GenericShape], names: &[String]) -> Result<String, String> {
        let mut text = String::new();
        for (generic, name) in generics.iter().zip(names) {
            let mut all = Vec::new();
            for constraint in &generic.constraints {
                all.push(match constraint {
                    Constraint::Class => "class".to_owned(),
                    Constraint::Struct => "struct".to_owned(),
                    Constraint::Unmanaged => "unmanaged".to_owned(),
                    Constraint::New => "new()".to_owned(),
                    Constraint::AllowsRefStruct => "allows ref struct".to_owned(),
                    Constraint::Type(ty) => self.names.in_method(ty, names)?,
                });
            }
            if !all.is_empty() {
                text.push_str(&format!(" where {name} : {}", all.join(", ")));
            }
        }
        Ok(text)
    }
}

struct Body<'a> {
    stub: &'a Stub,
    method: &'a MethodShape,
    generics: &'a [String],
    names: &'a Names<'a>,
}

impl Body<'_> {
    fn statements(&self, slots: &[(CallKey, Vec<(Part, &Slot)>)]) -> Lines {
        if self.generics.is_empty() {
            let parts = slots.first().map(|(_, parts)| parts.as_slice()).unwrap_or_default();
            return self.answer(parts);
        }
        let mut lines = Vec::new();
        for (call, parts) in slots {
            let mut tests = Vec::new();
            for (name, argument) in self.generics.iter().zip(&call.generics) {
                tests.push(format!("typeof({name}) == typeof({})", self.names.of(argument)?));
            }
            lines.push(format!("if ({})", tests.join(" && ")));
            lines.push("{".to_owned());
            let mut answer = self.answer(parts)?;
            if self.is_void() && !answer.is_empty() {
                answer.push("return;".to_owned());
            }
            lines.extend(answer.into_iter().map(|line| format!("    {line}")));
            lines.push("}".to_owned());
        }
        lines.extend(self.answer(&[])?);
        Ok(lines)
    }

    fn is_void(&self) -> bool {
        self.method.returns == "System.Void"
    }

    /// Sets what is by-ref and returns.
    fn answer(&self, parts: &[(Part, &Slot)]) -> Lines {
        let slot = |wanted: Part| parts.iter().find(|(part, _)| *part == wanted).map(|(_, slot)| *slot);
        let mut lines = slot(Part::Throws).map(|slot| throwing(self.stub, slot)).unwrap_or_default();
        for (index, parameter) in self.method.parameters.iter().enumerate() {
            let name = parameter_name(parameter, index);
            let value = |slot: &Slot| self.converted(&parameter.ty, taken(self.stub, slot));
            match (parameter.mode, slot(Part::Parameter(index))) {
                (Mode::Out, Some(slot)) => lines.push(format!("{name} = {};", value(slot)?)),
                (Mode::Out, None) => lines.push(format!("{name} = default;")),
                (Mode::Ref, Some(slot)) if slot.many => {
                    lines.push(format!("if ({}.Count > 0)", slot.name));
                    lines.push("{".to_owned());
                    lines.push(format!("    {name} = {};", value(slot)?));
                    lines.push("}".to_owned());
                }
                (Mode::Ref, Some(slot)) => lines.push(format!("{name} = {};", value(slot)?)),
                _ => {}
            }
        }
        if self.is_void() {
            return Ok(lines);
        }
        let result = slot(Part::Returns);
        lines.push(match (self.method.by_ref, result) {
            (ByRef::No, slot) => {
                let returns = &self.method.returns;
                // Inside of a task it is the awaited value that is kept.
                let inner = crate::mocks::plan::awaited(returns).flatten();
                let text = match slot {
                    Some(slot) => {
                        Some(self.converted(inner.as_ref().unwrap_or(returns), taken(self.stub, slot))?)
                    }
                    None => None,
                };
                format!("return {};", self.names.completed(returns, text, self.generics)?)
            }
            (_, Some(slot)) if !slot.many => format!("return ref {};", slot.name),
            (_, Some(_)) => return Err(format!("{} gives another reference each time", self.method.name)),
            (_, None) => "throw new global::System.NotSupportedException();".to_owned(),
        });
        Ok(lines)
    }

    /// A result of a known type where one over type parameters is wanted.
    fn converted(&self, ty: &str, text: String) -> Result<String, String> {
        if self.generics.is_empty() || !ty.contains("__M") {
            return Ok(text);
        }
        Ok(format!("({})(object){text}", self.names.in_method(ty, self.generics)?))
    }
}

/// Throws the next exception of a slot, if it has one.
pub(super) fn throwing(stub: &Stub, slot: &Slot) -> Vec<String> {
    let (first, thrown) = match slot.many {
        true => (Some(format!("var exception = {}({});", stub.next, slot.name)), "exception".to_owned()),
        false => (None, slot.name.clone()),
    };
    let lines =
        [format!("if ({thrown} != null)"), "{".to_owned(), format!("    throw {thrown};"), "}".to_owned()];
    first.into_iter().chain(lines).collect()
}

/// The next result of a slot.
pub(super) fn taken(stub: &Stub, slot: &Slot) -> String {
    if slot.many { format!("{}({})", stub.next, slot.name) } else { slot.name.clone() }
}

/// `=> …` where one statement does it.
fn with_body(head: String, statements: Vec<String>) -> Vec<String> {
    match statements.as_slice() {
        [] => vec![format!("{head} {{ }}")],
        [one] => {
            let expression = one.strip_prefix("return ").unwrap_or(one);
            vec![format!("{head} => {expression}")]
        }
        _ => {
            let mut lines = vec![head, "{".to_owned()];
            lines.extend(statements.into_iter().map(|line| format!("    {line}")));
            lines.push("}".to_owned());
            lines
        }
    }
}

pub fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Value => "",
        Mode::Ref => "ref ",
        Mode::Out => "out ",
        Mode::In => "in ",
    }
}

pub fn parameter_name(parameter: &ShapeParameter, index: usize) -> String {
    identifier::written(&parameter.name).unwrap_or_else(|| format!("arg{index}"))
}

pub(super) fn written(name: &str) -> Result<String, String> {
    identifier::written(name).ok_or_else(|| format!("`{name}` cannot be written"))
}
