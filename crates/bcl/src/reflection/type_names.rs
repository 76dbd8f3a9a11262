//! Names of types and assemblies in the formats that the class library asks the runtime for.

use std::fmt::Write;

use types::{AssemblyId, Type, TypeId, Universe};

use vm::machine::Machine;
use vm::state::State;

/// `TypeNameFormatFlags`.
const NAMESPACE: u32 = 1;
const FULL_INSTANTIATION: u32 = 2;
const ASSEMBLY: u32 = 4;

pub(crate) fn format(universe: &Universe, ty: TypeId, flags: u32) -> String {
    let mut name = String::new();
    write_type(universe, ty, flags, &mut name);
    if flags & ASSEMBLY != 0
        && let Some(assembly) = assembly_of(universe, ty)
    {
        let _ = write!(name, ", {}", display_name(universe, assembly));
    }
    name
}

fn write_type(u: &Universe, ty: TypeId, flags: u32, out: &mut String) {
    match u.ty(ty) {
        Type::Def { args, .. } => {
            let Some(info) = u.def_info(ty) else { return };
            out.push_str(&if flags & NAMESPACE != 0 { u.def_name(info) } else { info.name.to_string() });
            if flags & (NAMESPACE | FULL_INSTANTIATION | ASSEMBLY) == 0 || args.is_empty() {
                return;
            }
            if u.is_definition(ty) {
                write_parameters(u, ty, flags, out);
            } else {
                write_arguments(u, args, flags, out);
            }
        }
        Type::SzArray(element) => {
            write_type(u, *element, flags, out);
            out.push_str("[]");
        }
        Type::Array { elem, rank } => {
            write_type(u, *elem, flags, out);
            let _ = write!(out, "[{}]", if *rank == 1 { "*".into() } else { ",".repeat(*rank as usize - 1) });
        }
        Type::ByRef(target) => {
            write_type(u, *target, flags, out);
            out.push('&');
        }
        Type::Pointer(target) => {
            write_type(u, *target, flags, out);
            out.push('*');
        }
        Type::FnPtr(_) | Type::Var(_) | Type::MVar(_) | Type::Param { .. } | Type::Mock { .. } => {
            out.push_str(&u.type_name(ty));
        }
    }
}

/// The parameters of an open definition are written only by `ToString`.
fn write_parameters(u: &Universe, ty: TypeId, flags: u32, out: &mut String) {
    if flags & FULL_INSTANTIATION != 0 {
        return;
    }
    let Some(info) = u.def_info(ty) else { return };
    let names: Vec<&str> = info.generic_parameters.iter().map(|p| &*p.name).collect();
    let _ = write!(out, "[{}]", names.join(","));
}

fn write_arguments(u: &Universe, args: &[TypeId], flags: u32, out: &mut String) {
    out.push('[');
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        if flags & FULL_INSTANTIATION != 0 {
            let _ = write!(out, "[{}]", format(u, *arg, flags | NAMESPACE | ASSEMBLY));
        } else {
            write_type(u, *arg, flags, out);
        }
    }
    out.push(']');
}

/// The assembly that defines a type (its element, for arrays and the like).
pub(crate) fn assembly_of(u: &Universe, ty: TypeId) -> Option<AssemblyId> {
    match u.ty(ty) {
        Type::Def { assembly, .. } | Type::Param { assembly, .. } => Some(*assembly),
        Type::SzArray(inner)
        | Type::Array { elem: inner, .. }
        | Type::ByRef(inner)
        | Type::Pointer(inner) => assembly_of(u, *inner),
        _ => u.corelib().ok(),
    }
}

/// `Name, Version=…, Culture=…, PublicKeyToken=…`.
pub(crate) fn display_name(u: &Universe, assembly: AssemblyId) -> String {
    u.assembly_name(assembly)
}

/// A type by its plain name, perhaps with an assembly: `Ns.Type` or `Ns.Type, Assembly`. Without one it is looked for where
/// the caller is, and in the core library.
pub(crate) fn find_plain(m: &Machine, s: &State, name: &str) -> Option<TypeId> {
    let (plain, rest) = name.split_once(',').unwrap_or((name, ""));
    let named = rest.split(',').next().unwrap_or_default().trim();
    let mut places = Vec::new();
    if named.is_empty() {
        // The assembly of the caller: the first frame that is not the class library's.
        let caller = s.frames().find(|frame| !m.is_framework(m.universe.method(frame.code.method).owner));
        places.extend(caller.and_then(|frame| m.universe.assembly_of(frame.code.method).ok()));
        places.extend(m.universe.corelib().ok());
    } else {
        places.extend(m.universe.load_by_name(named).ok().flatten());
    }
    places.into_iter().find_map(|place| m.universe.find_type(place, plain.trim()).ok().flatten())
}
