//! Decisions in words: `price != cost`, `shape is a Circle`, `items is null`.

use term::Term;
use types::{Type, TypeId, Universe};

use crate::decision::{Decision, Settled, Settlement};
use crate::names::{InputNames, short_name};

/// Classes that are listed.
const MOST_CLASSES: usize = 4;

impl InputNames<'_> {
    /// What was decided.
    pub fn decision(&self, decision: &Decision) -> String {
        match &decision.settled {
            Settled::Condition | Settled::Before | Settled::OtherValue | Settled::Exception(_) => {
                self.text(decision.guard)
            }
            Settled::Value { term, value } => self.fixed(*term, *value, decision.guard),
            Settled::Reference { symbol, to } => {
                format!("{} is {}", self.name_of(*symbol), self.settlement(to))
            }
            Settled::Classes { owner, classes } => {
                format!("{} is {}", self.name_of(*owner), self.one_of(classes))
            }
            Settled::Mocked { throws: Some(ty) } => {
                format!("the mock throws {}", type_name(self.universe(), *ty))
            }
            Settled::Mocked { throws: None } => "the mock gives an answer".to_owned(),
        }
    }

    /// The equality says it best where it was not simplified beyond recognition.
    fn fixed(&self, term: Term, value: u64, guard: Term) -> String {
        let simple = self.text(guard);
        if simple.contains("==") { simple } else { format!("{} == {value}", self.text(term)) }
    }

    fn settlement(&self, to: &Settlement) -> String {
        let name = |ty: &TypeId| type_name(self.universe(), *ty);
        match to {
            Settlement::Null => "null".to_owned(),
            Settlement::Same(symbol) => format!("the same object as {}", self.name_of(*symbol)),
            Settlement::New(ty) => format!("a new {}", name(ty)),
            Settlement::Shaped(ty, shape) => {
                let rank = match self.universe().ty(*ty) {
                    Type::Array { rank, .. } => *rank as usize,
                    _ => shape.len(),
                };
                let lengths: Vec<String> = shape.iter().take(rank).map(u8::to_string).collect();
                format!("a new {} of {}", name(ty), lengths.join(" × "))
            }
            Settlement::OneOf(classes) => self.one_of(classes),
            Settlement::Filled(ty, 1) => format!("a new {} with 1 item", name(ty)),
            Settlement::Filled(ty, count) => format!("a new {} with {count} items", name(ty)),
            Settlement::Made(ty, _) => format!("a {} that the framework makes", name(ty)),
            Settlement::Mock(classes) => self.one_of(classes),
        }
    }

    fn one_of(&self, classes: &[TypeId]) -> String {
        let shown: Vec<String> =
            classes.iter().take(MOST_CLASSES).map(|class| type_name(self.universe(), *class)).collect();
        let more = if classes.len() > MOST_CLASSES { ", …" } else { "" };
        match &shown[..] {
            [one] => format!("a new {one}"),
            _ => format!("a new object, one of {}{more}", shown.join(", ")),
        }
    }
}

/// A type as C# writes it, without namespaces: `List<int>`, `Order[]`.
pub fn type_name(universe: &Universe, ty: TypeId) -> String {
    match universe.ty(ty) {
        Type::SzArray(element) => return format!("{}[]", type_name(universe, *element)),
        Type::Array { elem, rank, .. } => {
            let commas = ",".repeat((*rank as usize).saturating_sub(1));
            return format!("{}[{commas}]", type_name(universe, *elem));
        }
        Type::Mock { base, interfaces } => {
            let is_object = universe.well_known().is_ok_and(|known| known.object == *base);
            let base = (!is_object || interfaces.is_empty()).then_some(base);
            let names: Vec<String> =
                base.into_iter().chain(interfaces).map(|t| type_name(universe, *t)).collect();
            return format!("mock of {}", names.join(" & "));
        }
        _ => {}
    }
    let full = universe.type_name(universe.definition(ty));
    if let Some(keyword) = keyword(&full) {
        return keyword.to_owned();
    }
    let short = short_name(&full);
    let name = short.split('`').next().unwrap_or(&short);
    match universe.type_args(ty) {
        [] => name.to_owned(),
        arguments => {
            let arguments: Vec<String> = arguments.iter().map(|ty| type_name(universe, *ty)).collect();
            format!("{name}<{}>", arguments.join(", "))
        }
    }
}

fn keyword(name: &str) -> Option<&'static str> {
    Some(match name {
        "System.Boolean" => "bool",
        "System.Char" => "char",
        "System.SByte" => "sbyte",
        "System.Byte" => "byte",
        "System.Int16" => "short",
        "System.UInt16" => "ushort",
        "System.Int32" => "int",
        "System.UInt32" => "uint",
        "System.Int64" => "long",
        "System.UInt64" => "ulong",
        "System.Single" => "float",
        "System.Double" => "double",
        "System.Decimal" => "decimal",
        "System.String" => "string",
        "System.Object" => "object",
        _ => return None,
    })
}
