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
    /// The same with several parameters: some can be value types and others not, in all ways.
    OnNulls,
    OnType,
}

/// What the last exploration called, and what that makes of type arguments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Called {
    pub dependence: Dependence,
    /// It stores into arrays of a variable type, which refuse what they cannot hold if they are arrays of a subclass.
    pub stores: bool,
}

/// What everything that the last exploration called comes to; it was of an instance of this method.
pub fn called(machine: &Machine, method: MethodId) -> Called {
    let universe = &*machine.universe;
    let on_type = Called { dependence: Dependence::OnType, stores: false };
    if has_special_inputs(machine, universe) {
        return on_type;
    }
    let mut all = Look::default();
    let mut seen = FxHashSet::default();
    for method in machine.recorded_calls() {
        let Ok(definition) = universe.method_definition(method) else { return on_type };
        let info = universe.method(definition);
        let is_generic = universe.is_open(info.owner) || !info.args.is_empty();
        if is_generic && !universe.is_delegate(info.owner) && machine.is_modelled(method)
            || is_get_type(universe, definition)
        {
            return on_type;
        }
        if seen.insert(definition) {
            all.add(&Look::at(universe, definition));
        }
    }
    // An exception that other arguments do not know matters where it is caught, and several parameters can be the same type,
    // which have their static fields together.
    let are_several = alike(universe, method) > 1;
    let dependence = match all.dependence {
        _ if all.stores && all.catches || are_several && all.statics => Dependence::OnType,
        Dependence::OnNull if are_several => Dependence::OnNulls,
        dependence => dependence,
    };
    Called { dependence, stores: all.stores }
}

/// For each type parameter of an instance, whether its argument is a value type, and whether it could have been another kind.
pub(super) fn kinds(universe: &Universe, method: MethodId) -> Vec<(bool, bool)> {
    // GenericParamAttributes: a reference type, a value type.
    const FIXED: u16 = 0x4 | 0x8;
    let info = universe.method(method);
    let own = universe.generic_parameters_of_method(method);
    let of_type = universe.def_info(info.owner).map_or(&[][..], |owner| &owner.generic_parameters);
    let arguments = universe.type_args(info.owner).iter().chain(info.args.iter());
    let parameters = of_type.iter().chain(own.iter());
    parameters
        .zip(arguments)
        .map(|(parameter, argument)| (universe.is_value_type(*argument), parameter.flags & FIXED == 0))
        .collect()
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
    catches: bool,
    /// It uses static fields of instantiations.
    statics: bool,
}

impl Look {
    fn add(&mut self, other: &Look) {
        self.dependence = self.dependence.max(other.dependence);
        self.stores |= other.stores;
        self.catches |= other.catches;
        self.statics |= other.statics;
    }

    fn at(universe: &Universe, method: MethodId) -> Look {
        let mut look = Look::default();
        let Ok(Some(body)) = universe.body(method) else { return look };
        for clause in &body.clauses {
            match clause.kind {
                ClauseKind::Catch(token) => look.catch(universe, method, token),
                ClauseKind::Filter { .. } => look.catches = true,
                _ => {}
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
        self.catches = true;
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
