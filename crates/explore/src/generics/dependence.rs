//! Whether what ran could have done anything else with other type arguments.
//!
//! Code that only moves values of a parameter's type does the same for all arguments. This is decided over the methods that
//! an exploration has called: when it was exhausted, nothing else is called with other arguments either. Every method is
//! looked at in its open form, and every variable in it is taken for a parameter of the method under test.

use cil::{ClauseKind, Instruction, Opcode, Operand};
use rustc_hash::FxHashSet;
use types::{Member, MethodId, TypeId, Universe};
use vm::Machine;

/// What the arguments can decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dependence {
    /// Nothing.
    #[default]
    None,
    /// Whether a value can be null: one value type and one reference type show everything.
    OnNull,
    OnType,
}

/// The dependence of everything that the last exploration called, which was of an instance of this method.
pub fn dependence(machine: &Machine, method: MethodId) -> Dependence {
    let called = machine.recorded_calls();
    let universe = &*machine.universe;
    if has_special_inputs(machine, universe) {
        return Dependence::OnType;
    }
    let mut found = Dependence::None;
    let (mut stores, mut statics) = (false, false);
    let mut seen = FxHashSet::default();
    for method in called {
        let Ok(definition) = universe.method_definition(method) else { return Dependence::OnType };
        let info = universe.method(definition);
        let is_generic = universe.is_open(info.owner) || !info.args.is_empty();
        if is_generic && !universe.is_delegate(info.owner) && machine.is_modelled(method)
            || is_get_type(universe, definition)
        {
            return Dependence::OnType;
        }
        if seen.insert(definition) {
            let looked = Look::at(universe, definition);
            found = found.max(looked.dependence);
            stores |= looked.stores;
            statics |= looked.statics;
        }
    }
    // An array of a base class can refuse what is stored: an exception that other arguments do not know. Several parameters
    // can be the same type, or some a value type and others not, in more ways than are tried.
    let are_mixed = alike(universe, method) > 1 && (statics || found == Dependence::OnNull);
    if stores || are_mixed { Dependence::OnType } else { found }
}

/// How many parameters of a definition can be the same type, as far as constraints on their kind tell.
fn alike(universe: &Universe, method: MethodId) -> usize {
    // GenericParamAttributes: a reference type, a value type.
    const CLASS: u16 = 0x4;
    const STRUCT: u16 = 0x8;
    let info = universe.method(method);
    let own = universe.generic_parameters_of_method(method);
    let of_type = universe.def_info(info.owner).map_or(&[][..], |owner| &owner.generic_parameters);
    let flags: Vec<u16> = of_type.iter().chain(own.iter()).map(|parameter| parameter.flags).collect();
    let count = |kind: u16| flags.iter().filter(|flags| **flags & kind != 0).count();
    let (classes, structs) = (count(CLASS), count(STRUCT));
    if classes + structs == flags.len() { classes.max(structs) } else { flags.len() }
}

fn is_get_type(universe: &Universe, method: MethodId) -> bool {
    let info = universe.method(method);
    &*info.name == "GetType" && universe.well_known().is_ok_and(|known| known.object == info.owner)
}

/// Whether some class extends an instantiation that an input has: then other classes stand behind the input when the
/// arguments are others.
fn has_special_inputs(machine: &Machine, universe: &Universe) -> bool {
    let mut special: FxHashSet<TypeId> = FxHashSet::default();
    for assembly in universe.assemblies() {
        let mut types = universe.type_defs(assembly).map_while(Result::ok).peekable();
        if types.peek().is_none_or(|ty| machine.is_framework(*ty)) {
            continue;
        }
        for ty in types {
            let base = universe.base(ty).ok().flatten();
            let interfaces = universe.declared_interfaces(ty).unwrap_or_default();
            for above in base.into_iter().chain(interfaces.iter().copied()) {
                if universe.type_args(above).iter().any(|arg| !universe.is_open(*arg)) {
                    special.insert(universe.definition(above));
                }
            }
        }
    }
    let inputs = &machine.inputs;
    let mut types = inputs.reference_symbols().into_iter().filter_map(|symbol| inputs.reference(symbol));
    types.any(|reference| special.contains(&universe.definition(reference.ty)))
}

/// What one body does with types.
#[derive(Default)]
struct Look {
    dependence: Dependence,
    /// It stores into arrays, or takes addresses of elements, of a variable type.
    stores: bool,
    /// It uses static fields of instantiations.
    statics: bool,
}

impl Look {
    fn at(universe: &Universe, method: MethodId) -> Look {
        let mut look = Look::default();
        let Ok(Some(body)) = universe.body(method) else { return look };
        for clause in &body.clauses {
            if let ClauseKind::Catch(token) = clause.kind {
                look.catch(universe, method, token);
            }
        }
        let code: Vec<Instruction<'_>> = body.instructions().map_while(Result::ok).collect();
        for (index, instruction) in code.iter().enumerate() {
            let Operand::Token(token) = instruction.operand else { continue };
            if matches!(instruction.opcode, Opcode::Ldstr | Opcode::Calli) {
                continue;
            }
            match universe.resolve_member_token(method, token) {
                Ok(member) => {
                    let rest = code.get(index + 1..).unwrap_or_default();
                    look.look(universe, instruction.opcode, member, rest);
                }
                Err(_) => look.dependence = Dependence::OnType,
            }
        }
        look
    }

    /// What is caught is tested for, by the runtime.
    fn catch(&mut self, universe: &Universe, method: MethodId, token: cil::Token) {
        let found = match universe.resolve_member_token(method, token) {
            Ok(Member::Type(ty)) => tells_apart(universe, ty),
            _ => Dependence::OnType,
        };
        self.dependence = self.dependence.max(found);
    }

    fn look(&mut self, universe: &Universe, opcode: Opcode, member: Member, rest: &[Instruction<'_>]) {
        let Member::Type(ty) = member else {
            // A static field of an instantiation is another one for other arguments, and the same for the same.
            if let Member::Field(field) = member
                && matches!(opcode, Opcode::Ldsfld | Opcode::Ldsflda | Opcode::Stsfld)
                && universe.is_open(universe.field(field).owner)
            {
                self.statics = true;
            }
            // Calls are looked at where they lead; fields are only moved. Handles of either are not.
            if opcode == Opcode::Ldtoken {
                self.dependence = Dependence::OnType;
            }
            return;
        };
        let is_open = universe.is_open(ty);
        let found = match opcode {
            Opcode::Isinst | Opcode::Castclass | Opcode::UnboxAny | Opcode::Unbox | Opcode::Ldtoken => {
                tells_apart(universe, ty)
            }
            Opcode::Box if is_open && is_null_test(rest) => Dependence::OnNull,
            Opcode::Box | Opcode::Constrained | Opcode::Sizeof | Opcode::Mkrefany | Opcode::Refanyval
                if is_open =>
            {
                Dependence::OnType
            }
            Opcode::Stelem | Opcode::Ldelema if is_open => {
                self.stores = true;
                Dependence::None
            }
            _ => Dependence::None,
        };
        self.dependence = self.dependence.max(found);
    }
}

/// A test for a type with variables, or for an instantiation: it can tell one argument from another.
fn tells_apart(universe: &Universe, ty: TypeId) -> Dependence {
    let is_instance = !universe.type_args(ty).is_empty() || universe.array_element(ty).is_some();
    if universe.is_open(ty) || is_instance { Dependence::OnType } else { Dependence::None }
}

/// Whether what is on the stack is only compared with null.
fn is_null_test(rest: &[Instruction<'_>]) -> bool {
    let opcode = |n: usize| rest.get(n).map(|instruction| instruction.opcode);
    match opcode(0) {
        Some(Opcode::Brtrue | Opcode::BrtrueS | Opcode::Brfalse | Opcode::BrfalseS) => true,
        Some(Opcode::Ldnull) => {
            matches!(
                opcode(1),
                Some(
                    Opcode::Ceq | Opcode::CgtUn | Opcode::Beq | Opcode::BeqS | Opcode::BneUn | Opcode::BneUnS
                )
            )
        }
        _ => false,
    }
}
