//! The types that a method speaks of where it looks at types: they are what its type arguments are compared with.

use std::collections::VecDeque;

use cil::{Opcode, Operand};
use rustc_hash::FxHashSet;
use types::{Member, MethodId, MethodKind, Type, TypeId, Universe};

/// Methods that are looked at.
const MAX_METHODS: usize = 64;

/// Closed types, and definitions, in tests and casts of the method, and of the methods of its assembly that it leads to. In the order in
/// which they are met, each once.
pub(super) fn of(universe: &Universe, method: MethodId) -> Vec<TypeId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::from_iter([method]);
    let mut open = VecDeque::from([method]);
    while let Some(next) = open.pop_front() {
        for member in members(universe, next) {
            match member {
                (Opcode::Ldtoken | Opcode::Isinst | Opcode::Castclass, Member::Type(ty))
                | (Opcode::Unbox | Opcode::UnboxAny, Member::Type(ty)) => {
                    // `typeof(List<>)` is a definition that an argument can be an instance of.
                    let is_definition = universe.is_definition(ty)
                        && !matches!(universe.ty(ty), Type::Var(_) | Type::MVar(_));
                    if (!universe.is_open(ty) || is_definition) && !found.contains(&ty) {
                        found.push(ty);
                    }
                }
                (_, member) => {
                    for callee in led_to(universe, member) {
                        if is_near(universe, method, callee)
                            && seen.len() < MAX_METHODS
                            && seen.insert(callee)
                        {
                            open.push_back(callee);
                        }
                    }
                }
            }
        }
    }
    for argument in arguments_in_use(universe, method) {
        if !found.contains(&argument) {
            found.push(argument);
        }
    }
    found
}

/// The arguments with which classes of the assembly extend or implement the generic types that the inputs have: there are
/// objects for these only.
fn arguments_in_use(universe: &Universe, method: MethodId) -> Vec<TypeId> {
    let info = universe.method(method);
    let MethodKind::Def { assembly, .. } = info.kind else { return Vec::new() };
    let params = universe.signature(method).map(|signature| signature.params.to_vec()).unwrap_or_default();
    let fields = universe.fields(info.owner).unwrap_or_default();
    let fields = fields.iter().filter_map(|field| universe.field_type(*field).ok());
    let inputs: Vec<TypeId> = params
        .into_iter()
        .chain(fields)
        .chain([info.owner])
        .filter(|ty| !universe.type_args(*ty).is_empty())
        .map(|ty| universe.definition(ty))
        .collect();
    let mut found = Vec::new();
    for ty in universe.type_defs(assembly).map_while(Result::ok) {
        let base = universe.base(ty).ok().flatten();
        let interfaces = universe.declared_interfaces(ty).unwrap_or_default();
        for above in base.into_iter().chain(interfaces.iter().copied()) {
            if inputs.contains(&universe.definition(above)) {
                found.extend(universe.type_args(above).iter().filter(|arg| !universe.is_open(**arg)));
            }
        }
    }
    found
}

fn members(universe: &Universe, method: MethodId) -> Vec<(Opcode, Member)> {
    let Ok(Some(body)) = universe.body(method) else { return Vec::new() };
    let tokens =
        body.instructions().map_while(Result::ok).filter_map(|instruction| match instruction.operand {
            Operand::Token(token) => Some((instruction.opcode, token)),
            _ => None,
        });
    tokens
        .filter_map(|(opcode, token)| Some((opcode, universe.resolve_member_token(method, token).ok()?)))
        .collect()
}

/// The methods that may run because of a member: itself, and all that the compiler made of a lambda, an iterator or an
/// async method.
fn led_to(universe: &Universe, member: Member) -> Vec<MethodId> {
    let (owner, method) = match member {
        Member::Method(method) => (universe.method(method).owner, Some(method)),
        Member::Field(field) => (universe.field(field).owner, None),
        Member::Type(ty) => (ty, None),
    };
    let is_made = universe.def_info(owner).is_some_and(|def| def.name.starts_with('<'));
    let made = if is_made { universe.methods(owner).unwrap_or_default() } else { &[] };
    method.into_iter().chain(made.iter().copied()).collect()
}

/// Whether the callee belongs to the assembly of the method under test.
fn is_near(universe: &Universe, method: MethodId, callee: MethodId) -> bool {
    let assembly = |m: MethodId| match universe.method(m).kind {
        MethodKind::Def { assembly, .. } => Some(assembly),
        MethodKind::Array(_) => None,
    };
    assembly(method) == assembly(callee)
}
