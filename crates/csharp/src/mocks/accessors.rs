//! The accessors of a property or indexer of a stub class.
//!
//! A getter throws or gives its results call by call, as long as there are any; what the property keeps comes after
//! them. What is set stays, unless the setter throws.

use crate::mocks::implement::{Implementer, Lines, taken, throwing, written};
use crate::mocks::plan::{Part, Slot, SlotOf, awaited, setter_parameters};
use case::contract::{ByRef, ContractMember, PropertyShape, ShapeParameter};

/// The places of a property that tests put something in.
struct Places<'a> {
    result: Option<&'a Slot>,
    thrown: Option<&'a Slot>,
    refused: Option<&'a Slot>,
    kept: Option<&'a Slot>,
}

impl Implementer<'_> {
    pub(super) fn property(&self, index: usize, member: &ContractMember, property: &PropertyShape) -> Lines {
        let (modifiers, prefix) = self.head(index, member)?;
        let ty = self.returned(&property.ty, property.by_ref, &[])?;
        let head = if property.parameters.is_empty() {
            format!("{modifiers}{ty} {prefix}{}", written(&property.name)?)
        } else {
            format!("{modifiers}{ty} {prefix}this[{}]", self.parameters(&property.parameters, &[])?)
        };
        let set = if property.init { "init" } else { "set" };
        if self.stub.is_auto(index, member, property) {
            return Ok(vec![format!("{head} {{ get; {set}; }}")]);
        }
        let places = self.places(member, property);
        let getter = property.getter.is_some().then(|| self.getter(property, &places)).transpose()?;
        let setter = property.setter.is_some().then(|| self.setter(property, &places));
        Ok(match (getter.as_deref(), setter.as_deref()) {
            (Some([get]), None) => vec![format!("{head} => {}", expression(get))],
            (Some([get]), Some([] | [_])) => {
                vec![format!("{head} {{ get => {} {} }}", expression(get), short(set, setter.as_deref()))]
            }
            (None, Some([] | [_])) => vec![format!("{head} {{ {} }}", short(set, setter.as_deref()))],
            _ => {
                let mut lines = vec![head, "{".to_owned()];
                lines.extend(getter.into_iter().flat_map(|body| accessor("get", body)));
                lines.extend(setter.into_iter().flat_map(|body| accessor(set, body)));
                lines.push("}".to_owned());
                lines
            }
        })
    }

    fn places(&self, member: &ContractMember, property: &PropertyShape) -> Places<'_> {
        let part = |accessor: &Option<String>, parameters: &[ShapeParameter], wanted: Part| {
            let groups = self.slots_of(member, accessor.as_deref()?, parameters, 0);
            let (_, parts) = groups.into_iter().next()?;
            parts.into_iter().find(|(part, _)| *part == wanted).map(|(_, slot)| slot)
        };
        let kept = SlotOf::Property { declared_in: member.declared_in.clone(), name: property.name.clone() };
        Places {
            result: part(&property.getter, &property.parameters, Part::Returns),
            thrown: part(&property.getter, &property.parameters, Part::Throws),
            refused: part(&property.setter, &setter_parameters(property), Part::Throws),
            kept: self.stub.slot(&kept),
        }
    }

    fn getter(&self, property: &PropertyShape, places: &Places<'_>) -> Lines {
        let mut lines = places.thrown.map(|slot| throwing(self.stub, slot)).unwrap_or_default();
        let shown = match (property.by_ref, places.result, places.kept) {
            (ByRef::No, Some(result), Some(kept)) if result.many => {
                let next = taken(self.stub, result);
                let text = format!("{}.Count > 0 ? {next} : {}", result.name, kept.name);
                self.names.completed(&property.ty, Some(text), &[])?
            }
            (ByRef::No, result, kept) => {
                let text = result.or(kept).map(|slot| taken(self.stub, slot));
                self.names.completed(&property.ty, text, &[])?
            }
            (_, result, kept) => match result.or(kept) {
                Some(slot) if !slot.many => format!("ref {}", slot.name),
                Some(_) => return Err(format!("{} gives another reference each time", property.name)),
                None => "throw new global::System.NotSupportedException()".to_owned(),
            },
        };
        lines.push(match shown.starts_with("throw ") {
            true => format!("{shown};"),
            false => format!("return {shown};"),
        });
        Ok(lines)
    }

    fn setter(&self, property: &PropertyShape, places: &Places<'_>) -> Vec<String> {
        let mut lines = places.refused.map(|slot| throwing(self.stub, slot)).unwrap_or_default();
        let Some(kept) = places.kept.filter(|_| awaited(&property.ty).is_none()) else { return lines };
        // What is set is what the getter gives from now on.
        let given = places.thrown.into_iter().chain(places.result).filter(|slot| slot.many);
        lines.extend(given.map(|slot| format!("{}.Clear();", slot.name)));
        lines.push(format!("{} = value;", kept.name));
        lines
    }
}

fn expression(statement: &str) -> &str {
    statement.strip_prefix("return ").unwrap_or(statement)
}

/// An accessor of at most one statement.
fn short(word: &str, body: Option<&[String]>) -> String {
    match body {
        Some([one]) => format!("{word} => {one}"),
        _ => format!("{word} {{ }}"),
    }
}

fn accessor(word: &str, body: Vec<String>) -> Vec<String> {
    if let [] | [_] = body.as_slice() {
        let text = match body.first() {
            Some(one) => format!("    {word} => {}", expression(one)),
            None => format!("    {word} {{ }}"),
        };
        return vec![text];
    }
    let mut lines = vec![format!("    {word}"), "    {".to_owned()];
    lines.extend(body.into_iter().map(|line| format!("        {line}")));
    lines.push("    }".to_owned());
    lines
}
