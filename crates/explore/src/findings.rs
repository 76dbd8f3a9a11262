//! What an exception that leaves the method under test is: a crash, by design, or the fault of whoever calls.
//!
//! The runtime does not say which. What tells them apart is who threw it, while which code of the assembly was running, and
//! whether the inputs are ones that the declarations allow.

use cil::{Opcode, Operand};
use term::{Const, Symbol};
use types::{FieldId, Member, MethodId, Type, TypeId, Universe};
use verdict::FindingKind;
use vm::inputs::Input;
use vm::{Machine, PathEnd, Place, State, Thrower};

use crate::outcome::Path;

/// An exception and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub kind: FindingKind,
    /// The innermost place in the code under test.
    pub place: Place,
    /// The member of other code that it came out of there.
    pub callee: Option<MethodId>,
}

/// What speaks of an argument, of the world outside, or of a feature that is not there: whoever lets it pass is refusing.
const REFUSALS: &[&str] = &[
    "System.ArgumentException",
    "System.FormatException",
    "System.NotSupportedException",
    "System.NotImplementedException",
    "System.OperationCanceledException",
    "System.TimeoutException",
    "System.UnauthorizedAccessException",
    "System.IO.IOException",
    "System.Security.SecurityException",
    "System.Runtime.Serialization.SerializationException",
    "System.Text.Json.JsonException",
    "System.Xml.XmlException",
];
/// Members whose only argument check is that of an index.
const INDEXERS: &[&str] = &["get_Item", "set_Item", "get_Chars"];
const OUT_OF_RANGE: &str = "System.ArgumentOutOfRangeException";
const DISPOSED: &str = "System.ObjectDisposedException";
const OVERFLOW: &str = "System.OverflowException";
const NULL_REFERENCE: &str = "System.NullReferenceException";
/// What the compiler throws where a `switch` fits nothing.
const NOTHING_FITS: &str = "System.Runtime.CompilerServices.SwitchExpressionException";

impl Finding {
    /// Of a path that ends with an exception, with the values that it has in the end.
    pub fn of(machine: &Machine, method: MethodId, path: &Path) -> Option<Finding> {
        let finding = Finding::of_end(machine, method, &path.state, &path.end)?;
        let is_misuse = finding.kind == FindingKind::Crash && has_unnamed_enum(machine, path);
        Some(if is_misuse { Finding { kind: FindingKind::Misuse, ..finding } } else { finding })
    }

    /// The same before values are chosen: what they are does not count.
    pub(crate) fn of_end(
        machine: &Machine,
        method: MethodId,
        state: &State,
        end: &PathEnd,
    ) -> Option<Finding> {
        let PathEnd::Threw { exception, ty, thrown_at } = end else { return None };
        let universe = &machine.universe;
        let cause = state.path.cause.filter(|cause| cause.exception == *exception);
        let (place, by) = cause.map_or((*thrown_at, None), |cause| (cause.place, Some(cause.by)));
        let callee = match by {
            Some(Thrower::Callee(callee)) => Some(callee),
            Some(Thrower::Runtime) => called_at(universe, place, *ty),
            Some(Thrower::Code) | None => None,
        };
        let mut kind = kind(universe, *ty, by, callee);
        if kind == FindingKind::Crash && has_forbidden_null(machine, method, state) {
            kind = FindingKind::Misuse;
        }
        Some(Finding { kind, place, callee })
    }

    /// What makes it another finding than the next one with the same exception: for a crash its cause, for others only
    /// what they are, since nobody looks for what is by design.
    pub(crate) fn identity(&self) -> (FindingKind, Option<Place>) {
        (self.kind, (self.kind == FindingKind::Crash).then_some(self.place))
    }
}

fn kind(universe: &Universe, ty: TypeId, by: Option<Thrower>, callee: Option<MethodId>) -> FindingKind {
    let names = with_bases(universe, ty);
    let is = |name: &str| names.iter().any(|known| known == name);
    if is(DISPOSED) {
        return FindingKind::Misuse;
    }
    if is(NOTHING_FITS) {
        return FindingKind::Crash;
    }
    let is_refusal = REFUSALS.iter().any(|name| is(name));
    match (by, callee) {
        (Some(Thrower::Code), _) => FindingKind::Refused,
        (_, Some(callee)) => {
            let name = &*universe.method(callee).name;
            let is_index = INDEXERS.contains(&name) && is(OUT_OF_RANGE);
            let is_text = name.starts_with("Parse") && is(OVERFLOW);
            if is_text || is_refusal && !is_index { FindingKind::Refused } else { FindingKind::Crash }
        }
        (Some(Thrower::Runtime), None) => FindingKind::Crash,
        (_, None) if is_refusal => FindingKind::Refused,
        (_, None) => FindingKind::Crash,
    }
}

/// The names of a class and of what it derives from.
fn with_bases(universe: &Universe, ty: TypeId) -> Vec<String> {
    const DEEPEST: usize = 64;
    let bases = std::iter::successors(Some(ty), |ty| universe.base(*ty).ok().flatten());
    bases.take(DEEPEST).map(|ty| universe.type_name(universe.definition(ty))).collect()
}

/// The member of another assembly that is called at a place and throws in its own right: a model of it has no frame.
fn called_at(universe: &Universe, place: Place, thrown: TypeId) -> Option<MethodId> {
    let home = universe.assembly_of(place.method).ok()?;
    let callee = called(universe, place)?;
    let is_elsewhere = universe.assembly_of(callee).is_ok_and(|assembly| assembly != home);
    (is_elsewhere && universe.type_name(thrown) != NULL_REFERENCE).then_some(callee)
}

/// The method that the instruction at a place calls, if it is a call.
fn called(universe: &Universe, place: Place) -> Option<MethodId> {
    let body = universe.body(place.method).ok()??;
    let instructions = body.instructions().map_while(Result::ok);
    let instruction = instructions.into_iter().find(|instruction| instruction.offset == place.il_offset)?;
    let is_call = matches!(instruction.opcode, Opcode::Call | Opcode::Callvirt | Opcode::Newobj);
    let Operand::Token(token) = instruction.operand else { return None };
    match universe.resolve_member_token(place.method, token) {
        Ok(Member::Method(callee)) if is_call => Some(callee),
        _ => None,
    }
}

/// Whether the path has decided that something is null that annotations call never null.
fn has_forbidden_null(machine: &Machine, method: MethodId, state: &State) -> bool {
    let universe = &machine.universe;
    let definition = universe.method_definition(method).unwrap_or(method);
    let declared =
        universe.signature(definition).map(|signature| signature.params.clone()).unwrap_or_default();
    let arguments = machine.inputs.arguments.iter().enumerate();
    let in_arguments = arguments.into_iter().any(|(index, input)| {
        let Some(symbol) = reference(input) else { return false };
        let Some(ty) = declared.get(index) else { return false };
        let said = || universe.parameter_nullability(definition, index);
        if is_null(state, symbol) {
            return !is_variable(universe, *ty) && said().is_never_null();
        }
        let has_null = machine.inputs.elements.iter().any(|(array, elements)| {
            let mut inside = elements.known.values().filter_map(reference);
            array.owner == symbol && inside.any(|element| is_null(state, element))
        });
        has_null && !is_variable(universe, *ty) && said().is_element_never_null()
    });
    in_arguments
        || machine.inputs.fields.iter().any(|((_, field), input)| {
            let is_null = reference(input).is_some_and(|symbol| is_null(state, symbol));
            let is_plain = || universe.field_type(*field).is_ok_and(|ty| !is_variable(universe, ty));
            is_null && is_plain() && universe.field_nullability(*field).is_never_null()
        })
}

fn reference(input: &Input) -> Option<Symbol> {
    match input {
        Input::Reference { symbol, .. } => Some(*symbol),
        Input::ByRef { target, .. } => reference(target),
        _ => None,
    }
}

fn is_null(state: &State, symbol: Symbol) -> bool {
    state.path.origins.resolution(symbol) == Some(None)
}

/// `T` may be a nullable type, whatever is said about it; also behind a reference or in an array.
fn is_variable(universe: &Universe, ty: TypeId) -> bool {
    match universe.ty(ty) {
        Type::ByRef(inner) | Type::SzArray(inner) | Type::Array { elem: inner, .. } => {
            is_variable(universe, *inner)
        }
        Type::Var(_) | Type::MVar(_) | Type::Param { .. } => true,
        _ => false,
    }
}

/// Whether the path depends on an enum that is none of its named values, nor a combination of its flags. A named one is
/// preferred wherever it would do.
fn has_unnamed_enum(machine: &Machine, path: &Path) -> bool {
    let mut matters: Option<Vec<Symbol>> = None;
    let mut is_decided = |symbol: Symbol| {
        let decided = matters.get_or_insert_with(|| {
            let conjuncts = path.condition.conjuncts().into_iter();
            conjuncts.flat_map(|conjunct| machine.terms.symbols_of(conjunct).to_vec()).collect()
        });
        decided.contains(&symbol)
    };
    // What a model does not mention is zero.
    let value = |symbol: Symbol| {
        path.model.get(symbol).unwrap_or_else(|| Const::zero(machine.terms.symbol_sort(symbol)))
    };
    machine.inputs.scalars.iter().any(|(symbol, ty)| {
        machine.universe.is_enum(*ty)
            && !has_name(&machine.universe, *ty, value(*symbol))
            && is_decided(*symbol)
    })
}

fn has_name(universe: &Universe, ty: TypeId, value: Const) -> bool {
    let Const::Bv { width, value } = value else { return true };
    let Ok(fields) = universe.fields(ty) else { return true };
    let constants = fields.iter().filter(|field| universe.field(**field).is_literal());
    let mask = u128::MAX >> (128 - width);
    let bits =
        |field: &FieldId| universe.field_constant(*field).ok()??.integer().map(|i| i.cast_unsigned() & mask);
    let named: Vec<u128> = constants.filter_map(bits).collect();
    let all = named.iter().fold(0, |all, bits| all | bits);
    named.contains(&value) || is_flags(universe, ty) && value & !all == 0
}

fn is_flags(universe: &Universe, ty: TypeId) -> bool {
    let Some(info) = universe.def_info(ty) else { return false };
    let module = universe.assembly(info.assembly).module();
    module.find_attribute(info.id.token(), "System", "FlagsAttribute").is_ok_and(|found| found.is_some())
}
