//! The inputs of an exploration by the names that their readers know: `price`, `this.items.Length`, `rows[i - 1].Total`.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use formula::{Enumeration, Formula, Kind, Names};
use rustc_hash::FxHashMap;
use term::{Symbol, Term};
use types::{MethodId, MethodKind, Primitive, Type, TypeId, Universe};
use vm::Machine;
use vm::cells::ArrayInput;
use vm::inputs::Input;
use vm::inputs::contents::Contents;
use vm::inputs::making::{Argument, Making};
use vm::inputs::mocks::Returned;

/// How often an index may be an element that has an index of its own.
const NESTED: u32 = 3;
/// Characters of an index.
const LONGEST_INDEX: usize = 40;

/// Names and types of all symbols that an exploration has made so far.
pub struct InputNames<'a> {
    machine: &'a Machine,
    table: Rc<NameTable>,
    nesting: Cell<u32>,
}

/// The names themselves, for whoever asks often.
pub(crate) struct NameTable {
    names: FxHashMap<Symbol, Rc<Name>>,
    kinds: FxHashMap<Symbol, Kind>,
    /// How much there was to name.
    size: usize,
}

/// A name, which may go through an element at an index that is a term.
#[derive(Debug)]
struct Name {
    of: Option<(Rc<Name>, Term)>,
    tail: String,
}

impl NameTable {
    fn of(machine: &Machine, method: MethodId) -> NameTable {
        let mut index = Index::of(machine);
        if let Some(this) = &machine.inputs.this {
            index.visit(this, "this", &Name::plain("this"));
        }
        let parameters = parameter_names(&machine.universe, method);
        for (number, input) in machine.inputs.arguments.iter().enumerate() {
            let own = format!("arg{number}");
            let name = parameters.get(&(number + 1)).map_or(own.as_str(), String::as_str);
            index.visit(input, &own, &Name::plain(name));
        }
        NameTable { names: index.names, kinds: kinds(machine), size: size(machine) }
    }
}

impl<'a> InputNames<'a> {
    /// For an exploration of the method.
    pub fn new(machine: &'a Machine, method: MethodId) -> InputNames<'a> {
        InputNames { machine, table: Rc::new(NameTable::of(machine, method)), nesting: Cell::new(0) }
    }

    /// The same with a table that is made again only if there is more to name.
    pub(crate) fn kept(
        machine: &'a Machine,
        method: MethodId,
        table: &mut Option<Rc<NameTable>>,
    ) -> InputNames<'a> {
        let table = match table {
            Some(known) if known.size == size(machine) => Rc::clone(known),
            _ => Rc::clone(table.insert(Rc::new(NameTable::of(machine, method)))),
        };
        InputNames { machine, table, nesting: Cell::new(0) }
    }

    pub(crate) fn universe(&self) -> &Universe {
        &self.machine.universe
    }

    /// A term as text.
    pub fn text(&self, term: Term) -> String {
        Formula::new(&self.machine.terms, self).text(term)
    }

    pub fn name_of(&self, symbol: Symbol) -> String {
        self.name(symbol).unwrap_or_else(|| self.machine.terms.symbol_name(symbol).to_owned())
    }

    fn written(&self, name: &Name) -> String {
        let Some((array, index)) = &name.of else { return name.tail.clone() };
        let nesting = self.nesting.get();
        let index = if nesting < NESTED {
            self.nesting.set(nesting + 1);
            let text = Formula::new(&self.machine.terms, self).at_most(LONGEST_INDEX).text(*index);
            self.nesting.set(nesting);
            text
        } else {
            "…".to_owned()
        };
        format!("{}[{index}]{}", self.written(array), name.tail)
    }
}

impl Names for InputNames<'_> {
    fn name(&self, symbol: Symbol) -> Option<String> {
        self.table.names.get(&symbol).map(|name| self.written(name))
    }

    fn kind(&self, symbol: Symbol) -> Kind {
        self.table.kinds.get(&symbol).cloned().unwrap_or(Kind::Unsigned)
    }
}

impl Name {
    fn plain(text: &str) -> Rc<Name> {
        Rc::new(Name { of: None, tail: text.to_owned() })
    }

    fn longer(self: &Rc<Name>, more: &str) -> Rc<Name> {
        if more.is_empty() {
            return Rc::clone(self);
        }
        Rc::new(Name { of: self.of.clone(), tail: format!("{}{more}", self.tail) })
    }
}

/// Follows the inputs down and gives each symbol its name.
///
/// The machine names what lies inside of an input by the input's own name and more; what is more stays, what it begins with is
/// replaced.
struct Index<'a> {
    machine: &'a Machine,
    contents: BTreeMap<Symbol, Vec<Rc<Contents>>>,
    answers: BTreeMap<Symbol, Vec<Input>>,
    names: FxHashMap<Symbol, Rc<Name>>,
}

impl<'a> Index<'a> {
    fn of(machine: &'a Machine) -> Index<'a> {
        let mut contents: BTreeMap<Symbol, Vec<Rc<Contents>>> = BTreeMap::new();
        for ((owner, _), held) in &machine.inputs.contents {
            contents.entry(*owner).or_default().push(Rc::clone(held));
        }
        let mut answers: BTreeMap<Symbol, Vec<Input>> = BTreeMap::new();
        for ((owner, ..), answer) in &machine.inputs.answers {
            let given = answers.entry(*owner).or_default();
            given.extend(answer.assigns.iter().map(|(_, input)| input.clone()));
            if let Returned::Value(input) | Returned::Task(_, Some(input)) = &answer.returns {
                given.push(input.clone());
            }
        }
        for ((owner, ..), message) in &machine.inputs.messages {
            answers.entry(*owner).or_default().push(message.clone());
        }
        Index { machine, contents, answers, names: FxHashMap::default() }
    }

    /// `own` is what the symbols' own names begin with, `name` what they are called instead.
    fn visit(&mut self, input: &Input, own: &str, name: &Rc<Name>) {
        match input {
            Input::Scalar { symbol, .. } => {
                self.give(*symbol, own, name);
            }
            Input::Struct { fields, .. } => {
                fields.iter().for_each(|(_, input)| self.visit(input, own, name));
            }
            Input::Computed { fields, .. } => {
                for (_, term) in fields {
                    let symbols = self.machine.terms.symbols_of(*term);
                    symbols.iter().for_each(|symbol| {
                        self.give(*symbol, own, name);
                    });
                }
            }
            Input::Reference { symbol, .. } | Input::Span { over: symbol, .. } => {
                let name = self.give(*symbol, own, name);
                self.visit_object(*symbol, &name, ".Length");
            }
            Input::ByRef { target, .. } => self.visit(target, own, name),
            Input::New { .. } => {}
        }
    }

    fn give(&mut self, symbol: Symbol, own: &str, name: &Rc<Name>) -> Rc<Name> {
        let terms = &self.machine.terms;
        let more = terms.symbol_name(symbol).strip_prefix(own).unwrap_or_default();
        let name = name.longer(&as_written(more));
        self.names.insert(symbol, Rc::clone(&name));
        name
    }

    /// What lies behind a reference.
    fn visit_object(&mut self, symbol: Symbol, name: &Rc<Name>, length_called: &str) {
        let machine = self.machine;
        let own = machine.terms.symbol_name(symbol);
        for held in self.contents.get(&symbol).cloned().unwrap_or_default() {
            match &*held {
                Contents::Fields { fields, .. } => {
                    fields.iter().for_each(|(_, input)| self.visit(input, own, name));
                }
                Contents::Array { length, element, .. } => {
                    self.names.insert(*length, name.longer(length_called));
                    self.visit_elements(ArrayInput { owner: symbol, element: *element }, own, name, None);
                }
                Contents::Grid { ty } => {
                    if let Type::Array { elem, .. } = *self.machine.universe.ty(*ty) {
                        let array = ArrayInput { owner: symbol, element: elem };
                        self.visit_elements(array, own, name, Some(*ty));
                    }
                }
                Contents::Boxed { value, .. } => self.visit(value, own, name),
                Contents::List { items, .. } => {
                    self.names.insert(*items, Rc::clone(name));
                    self.visit_object(*items, name, ".Count");
                }
                Contents::Filled { items, .. } => {
                    items.iter().flatten().for_each(|input| self.visit(input, own, name));
                }
                Contents::Made { ways, .. } => {
                    for way in ways {
                        let Making::Call { arguments, .. } = way else { continue };
                        for argument in arguments {
                            if let Argument::Input(input) = argument {
                                self.visit(input, own, name);
                            }
                        }
                    }
                }
                Contents::Delegate { .. } => {}
            }
        }
        for input in self.answers.get(&symbol).cloned().unwrap_or_default() {
            self.visit(&input, own, name);
        }
    }

    fn visit_elements(&mut self, array: ArrayInput, own: &str, name: &Rc<Name>, grid: Option<TypeId>) {
        let machine = self.machine;
        let Some(elements) = machine.inputs.elements.get(&array) else { return };
        for (number, input) in &elements.known {
            match grid.map(|ty| place_in_grid(&machine.universe, ty, *number)) {
                Some(at) => self.visit(input, &format!("{own}[{number}]"), &name.longer(&at)),
                None => self.visit(input, own, name),
            }
        }
        for (index, input) in elements.at_symbolic() {
            let element = Rc::new(Name { of: Some((Rc::clone(name), index)), tail: String::new() });
            self.visit(input, &format!("{own}[?]"), &element);
        }
    }
}

/// `[1, 0]`: elements of grids have numbers with a digit of four bits for each dimension.
fn place_in_grid(universe: &Universe, ty: TypeId, number: u32) -> String {
    let rank = match universe.ty(ty) {
        Type::Array { rank, .. } => *rank,
        _ => 1,
    };
    let at: Vec<String> = (0..rank).rev().map(|n| (number >> (4 * n) & 15).to_string()).collect();
    format!("[{}]", at.join(", "))
}

/// Members as they are written in C#: automatic properties, accessors and calls of mocks by their names.
fn as_written(path: &str) -> String {
    let mut text = String::new();
    for (number, part) in path.split('.').enumerate() {
        if number > 0 {
            text.push('.');
        }
        let (member, rest) = match part.strip_prefix('<').and_then(|part| part.split_once(">k__BackingField"))
        {
            Some((property, rest)) => (property, rest),
            None => (part, ""),
        };
        let (call, count) = member.split_once("()#").map_or((member, None), |(call, n)| (call, Some(n)));
        match (call.strip_prefix("get_"), count.map(split_number)) {
            (Some(property), Some((0, more))) => text.push_str(&format!("{property}{more}")),
            (_, Some((0, more))) => text.push_str(&format!("{call}(){more}")),
            (_, Some((n, more))) => text.push_str(&format!("{call}()#{}{more}", n + 1)),
            (_, None) => text.push_str(member),
        }
        text.push_str(rest);
    }
    text
}

/// The number that a text begins with, and what follows it.
fn split_number(text: &str) -> (u32, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (digits.parse().unwrap_or(0), rest)
}

/// Grows whenever a symbol is made for an input.
fn size(machine: &Machine) -> usize {
    let inputs = &machine.inputs;
    let elements: usize = inputs.elements.values().map(|e| e.known.len() + e.at_symbolic().count()).sum();
    inputs.scalars.len() + inputs.references.len() + inputs.contents.len() + inputs.answers.len() + elements
}

fn kinds(machine: &Machine) -> FxHashMap<Symbol, Kind> {
    let inputs = &machine.inputs;
    let mut enums: FxHashMap<TypeId, Kind> = FxHashMap::default();
    let mut kinds: FxHashMap<Symbol, Kind> = FxHashMap::default();
    for &(symbol, ty) in &inputs.scalars {
        let kind = match enums.get(&ty) {
            Some(kind) => kind.clone(),
            None => {
                let kind = kind_of(&machine.universe, ty);
                enums.insert(ty, kind.clone());
                kind
            }
        };
        kinds.insert(symbol, kind);
    }
    kinds.extend(inputs.references.keys().map(|symbol| (*symbol, Kind::Reference)));
    kinds.extend(inputs.lengths.keys().map(|symbol| (*symbol, Kind::Count)));
    kinds
}

fn kind_of(universe: &Universe, ty: TypeId) -> Kind {
    if let Ok(Some(underlying)) = universe.enum_underlying(ty) {
        return Kind::Enum(Rc::new(enumeration(universe, ty, underlying)));
    }
    match universe.primitive(ty) {
        Some(Primitive::Boolean) => Kind::Bool,
        Some(Primitive::Char) => Kind::Char,
        Some(primitive) if is_unsigned(primitive) => Kind::Unsigned,
        _ => Kind::Signed,
    }
}

fn enumeration(universe: &Universe, ty: TypeId, underlying: TypeId) -> Enumeration {
    let width = universe.size_of(underlying).unwrap_or(4).clamp(1, 8) * 8;
    let mut members = Vec::new();
    for &field in universe.fields(ty).unwrap_or_default() {
        let constant = universe.field_constant(field).ok().flatten();
        if let Some(value) = constant.and_then(|constant| constant.integer()) {
            members.push((universe.field(field).name.to_string(), value.cast_unsigned() & term::mask(width)));
        }
    }
    let signed = !universe.primitive(underlying).is_some_and(is_unsigned);
    Enumeration { name: short_name(&universe.type_name(ty)), signed, members }
}

fn is_unsigned(primitive: Primitive) -> bool {
    matches!(primitive, Primitive::U1 | Primitive::U2 | Primitive::U4 | Primitive::U8 | Primitive::U)
}

/// The name of a type without its namespace and the types around it.
pub(crate) fn short_name(name: &str) -> String {
    let head = name.split('[').next().unwrap_or(name);
    let start = head.rfind(['.', '+']).map_or(0, |dot| dot + 1);
    name.get(start..).unwrap_or(name).to_owned()
}

/// Names of parameters by their position from 1.
pub(crate) fn parameter_names(universe: &Universe, method: MethodId) -> BTreeMap<usize, String> {
    let MethodKind::Def { assembly, def } = universe.method(method).kind else { return BTreeMap::new() };
    let module = universe.assembly(assembly).module();
    let Ok(row) = module.method_def(def) else { return BTreeMap::new() };
    let named = row.params.filter_map(|id| module.param(id).ok()).filter(|param| !param.name.is_empty());
    named.map(|param| (usize::from(param.sequence), param.name.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_as_in_source() {
        let check = |path: &str, text: &str| assert_eq!(as_written(path), text);
        check(".items", ".items");
        check(".<Total>k__BackingField", ".Total");
        check(".<Lines>k__BackingField[3].<Price>k__BackingField", ".Lines[3].Price");
        check(".get_Now()#0", ".Now");
        check(".Next()#0", ".Next()");
        check(".Next()#2.Name", ".Next()#3.Name");
        check("[0].x", "[0].x");
    }

    #[test]
    fn types_are_called_by_their_last_name() {
        assert_eq!(short_name("Shop.Tier"), "Tier");
        assert_eq!(short_name("Shop.Outer+Inner`1[System.Int32]"), "Inner`1[System.Int32]");
        assert_eq!(short_name("System.Int32[]"), "Int32[]");
    }
}
