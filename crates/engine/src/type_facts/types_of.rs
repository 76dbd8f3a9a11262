//! Facts of one type: what is public, how it is made, which members stand for which fields.

use std::collections::BTreeSet;

use case::type_facts::{FieldKey, Member, TypeInfo, TypeKind, Writable};
use cil::flags::method_semantics_attributes::{GETTER, SETTER};
use cil::{Module, PropertyId, TypeDefId};
use types::{FieldId, MethodId, TypeDefInfo, TypeId, Universe};

use crate::type_facts::plain_members;
use crate::type_facts::usage::{self, Usage};

const COMPILER: &str = "System.Runtime.CompilerServices";
const REQUIRED: &str = "RequiredMemberAttribute";

pub fn info(universe: &Universe, t: TypeId) -> Option<TypeInfo> {
    let info = universe.def_info(t)?;
    let is_enum = universe.is_enum(t);
    Some(TypeInfo {
        public: is_public(universe, t),
        kind: kind(universe, t, info),
        constructors: constructors(universe, t),
        base_constructors: base_constructors(universe, t),
        never_null: if is_enum { Vec::new() } else { never_null(universe, t) },
        members: if is_enum { Vec::new() } else { members(universe, t) },
        enum_members: if is_enum { enum_members(universe, t) } else { Vec::new() },
        flags: has_attribute(universe, info, "System", "FlagsAttribute"),
        custom_equality: has_custom_equality(universe, t),
        diagnostics: usage::of_type(universe, t).diagnostics(),
    })
}

/// It and every type around it are public, and the compiler lets them be used.
pub fn is_public(universe: &Universe, t: TypeId) -> bool {
    let Some(info) = universe.def_info(t) else { return false };
    if usage::of_type(universe, t) == Usage::Refused {
        return false;
    }
    let module = universe.assembly(info.assembly).module();
    const DEEPEST: usize = 64;
    std::iter::successors(Some(info.id), |inner| module.enclosing_type(*inner).ok().flatten())
        .take(DEEPEST)
        .all(|ty| is_public_itself(module, ty))
}

fn is_public_itself(module: &Module, ty: TypeDefId) -> bool {
    const PUBLIC: u32 = 1;
    const NESTED_PUBLIC: u32 = 2;
    module.type_def(ty).is_ok_and(|row| matches!(row.flags & 7, PUBLIC | NESTED_PUBLIC))
}

fn kind(universe: &Universe, t: TypeId, info: &TypeDefInfo) -> TypeKind {
    if universe.is_interface(t) {
        TypeKind::Interface
    } else if universe.is_enum(t) {
        TypeKind::Enum
    } else if universe.is_value_type(t) {
        TypeKind::Struct
    } else if universe.is_delegate(t) {
        TypeKind::Delegate
    } else if info.is_abstract() && info.is_sealed() {
        TypeKind::StaticClass
    } else {
        TypeKind::Class
    }
}

fn constructors(universe: &Universe, t: TypeId) -> Vec<case::type_facts::Constructor> {
    if universe.is_abstract(t) {
        return Vec::new();
    }
    let all = universe.methods_named(t, ".ctor").unwrap_or_default();
    let public = all.into_iter().filter(|m| universe.method(*m).is_public());
    public.filter_map(|m| plain_members::constructor(universe, m)).collect()
}

/// Of a class that only a derived one makes objects of.
fn base_constructors(universe: &Universe, t: TypeId) -> Vec<case::type_facts::Constructor> {
    let is_base = universe.is_abstract(t) && !universe.is_interface(t) && !universe.is_sealed(t);
    if is_base { super::contract::constructors(universe, t) } else { Vec::new() }
}

/// Readonly fields, own and inherited, that no constructor leaves null.
fn never_null(universe: &Universe, t: TypeId) -> Vec<FieldKey> {
    let mut found = Vec::new();
    for t in ancestry(universe, t) {
        let fields = universe.fields(t).unwrap_or_default();
        let candidates = fields.iter().filter(|f| {
            let field = universe.field(**f);
            let reference = universe.field_type(**f).is_ok_and(|ty| universe.is_reference(ty));
            field.is_init_only() && !field.is_static() && reference
        });
        let never = candidates.filter(|f| vm::effects::is_never_null(universe, **f));
        found.extend(never.map(|f| key(universe, *f)));
    }
    found
}

/// Public fields and plain properties, own and inherited, static ones too.
fn members(universe: &Universe, t: TypeId) -> Vec<Member> {
    let mut members: Vec<Member> = Vec::new();
    let mut hidden: BTreeSet<String> = BTreeSet::new();
    for t in ancestry(universe, t) {
        let fields = universe.fields(t).unwrap_or_default();
        let own = fields.iter().filter_map(|f| public_field(universe, *f)).chain(properties(universe, t));
        members.extend(own.filter(|member| !hidden.contains(&member.name)));
        hidden.extend(property_names(universe, t));
        hidden.extend(fields.iter().map(|f| universe.field(*f).name.to_string()));
    }
    members
}

/// Properties of these names in base classes are overridden or hidden: what they would show is not what is seen.
fn property_names(universe: &Universe, t: TypeId) -> Vec<String> {
    let Some(info) = universe.def_info(t) else { return Vec::new() };
    let module = universe.assembly(info.assembly).module();
    let found = module.properties_of(info.id).unwrap_or_default();
    found.into_iter().filter_map(|id| Some(module.property(id).ok()?.name.to_owned())).collect()
}

/// The type and its bases.
pub fn ancestry(universe: &Universe, t: TypeId) -> impl Iterator<Item = TypeId> + '_ {
    const DEEPEST: usize = 64;
    std::iter::successors(Some(t), |t| universe.base(*t).ok().flatten()).take(DEEPEST)
}

fn public_field(universe: &Universe, f: FieldId) -> Option<Member> {
    let field = universe.field(f);
    let writable = !field.is_init_only() && !field.is_literal();
    let required = {
        let module = universe.assembly(field.assembly).module();
        module.find_attribute(field.token(), COMPILER, REQUIRED).is_ok_and(|found| found.is_some())
    };
    let usage = usage::of_token(universe.assembly(field.assembly).module(), field.token());
    (field.is_public() && usage != Usage::Refused).then(|| Member {
        name: field.name.to_string(),
        field: key(universe, f),
        ty: universe.field_type(f).map(|ty| universe.type_name_over_variables(ty)).unwrap_or_default(),
        readable: true,
        writable: if writable { Writable::Always } else { Writable::No },
        required,
        is_static: field.is_static(),
        diagnostics: usage.diagnostics(),
    })
}

pub fn key(universe: &Universe, f: FieldId) -> FieldKey {
    let field = universe.field(f);
    FieldKey { declaring: universe.type_name(field.owner), name: field.name.to_string() }
}

fn properties(universe: &Universe, t: TypeId) -> Vec<Member> {
    let Some(info) = universe.def_info(t) else { return Vec::new() };
    let module = universe.assembly(info.assembly).module();
    let found = module.properties_of(info.id).unwrap_or_default();
    found.into_iter().filter_map(|id| property(universe, info, module, id)).collect()
}

fn property(universe: &Universe, info: &TypeDefInfo, module: &Module, id: PropertyId) -> Option<Member> {
    let accessor = |wanted: u16| -> Option<MethodId> {
        let row = module
            .semantics_of(id.token())
            .filter_map(|semantics| module.method_semantics(semantics).ok())
            .find(|row| row.flags == wanted)?;
        universe.method_of_token(info.assembly, row.method).ok()
    };
    let public = |m: &MethodId| universe.method(*m).is_public();
    let getter = accessor(GETTER).filter(public);
    let setter = accessor(SETTER).filter(public);
    let read = getter.and_then(|m| plain_members::shown_field(universe, m));
    let written = setter.and_then(|m| plain_members::set_field(universe, m));
    if let (Some(read), Some(written)) = (read, written)
        && read != written
    {
        return None;
    }
    let writable = match (written, setter) {
        (Some(_), Some(m)) if plain_members::is_init(universe, m) => Writable::Init,
        (Some(_), Some(_)) => Writable::Always,
        _ => Writable::No,
    };
    let field = read.or(written)?;
    let usage = getter.or(setter).map(|m| usage::of_method(universe, m)).unwrap_or_default();
    if usage == Usage::Refused {
        return None;
    }
    let shown = getter.filter(|_| read.is_some()).and_then(|m| universe.signature(m).ok()).map(|sig| sig.ret);
    let stored = universe.field_type(field).ok();
    // A conversion lies between: what is seen is not what is stored.
    if let (Some(shown), Some(stored)) = (shown, stored)
        && shown != stored
        && (universe.is_value_type(shown) || universe.is_value_type(stored))
    {
        return None;
    }
    let ty = shown.or(stored);
    Some(Member {
        name: module.property(id).ok()?.name.to_owned(),
        field: key(universe, field),
        ty: ty.map(|ty| universe.type_name_over_variables(ty)).unwrap_or_default(),
        readable: read.is_some(),
        writable,
        required: module.find_attribute(id.token(), COMPILER, REQUIRED).is_ok_and(|found| found.is_some()),
        is_static: universe.field(field).is_static(),
        diagnostics: usage.diagnostics(),
    })
}

fn enum_members(universe: &Universe, t: TypeId) -> Vec<(String, i128)> {
    let fields = universe.fields(t).unwrap_or_default();
    let member = |f: &FieldId| {
        // The number does as well as a name that nobody should use.
        let module = universe.assembly(universe.field(*f).assembly).module();
        if usage::of_token(module, universe.field(*f).token()) != Usage::Plain {
            return None;
        }
        let value = universe.field_constant(*f).ok()??.integer()?;
        Some((universe.field(*f).name.to_string(), value))
    };
    fields.iter().filter_map(member).collect()
}

fn has_attribute(universe: &Universe, info: &TypeDefInfo, namespace: &str, name: &str) -> bool {
    let module = universe.assembly(info.assembly).module();
    module.find_attribute(info.id.token(), namespace, name).is_ok_and(|found| found.is_some())
}

/// Someone wrote what equality means; what the compiler writes for records is member by member.
fn has_custom_equality(universe: &Universe, t: TypeId) -> bool {
    let by_compiler =
        |m| universe.method_has_attribute(m, "System.Runtime.CompilerServices", "CompilerGeneratedAttribute");
    let written = |t: TypeId| {
        let all = universe.methods_named(t, "Equals").unwrap_or_default();
        all.into_iter().any(|m| !universe.method(m).is_static() && !by_compiler(m))
    };
    let is_root = |t: &TypeId| {
        universe.def_info(*t).is_some_and(|info| {
            ["Object", "ValueType", "Enum"].iter().any(|name| info.is_core("System", name))
        })
    };
    ancestry(universe, t).take_while(|t| !is_root(t)).any(written)
}
