//! What a made-up class must implement, from metadata.

use case::Mode;
use case::contract::{
    Access, ByRef, Constraint, Contract, ContractMember, GenericShape, MethodShape, PropertyShape, Shape,
    ShapeParameter, variable,
};
use case::type_facts::TypeKind;
use cil::flags::method_semantics_attributes::{GETTER, SETTER};
use cil::{Module, RowRef};
use types::{AssemblyId, GenericParameter, Method, MethodId, MethodKind, Type, TypeId, Universe};

use crate::type_facts::plain_members;

const COMPILER: &str = "System.Runtime.CompilerServices";

/// Of an interface, abstract class or delegate and further interfaces; none when no class can be made up over them.
pub fn contract(universe: &Universe, ty: TypeId, interfaces: &[TypeId]) -> Option<Contract> {
    if universe.is_delegate(ty) {
        let invoke = universe.methods_named(ty, "Invoke").ok()?.first().copied()?;
        let members = vec![member(universe, invoke, Shape::Method(method_shape(universe, invoke)?))];
        return Some(Contract { kind: TypeKind::Delegate, members, ..Contract::default() });
    }
    let object = universe.well_known().ok()?.object;
    let is_interface = universe.is_interface(ty);
    let (base, listed): (TypeId, Vec<TypeId>) = match is_interface {
        true => (object, std::iter::once(ty).chain(interfaces.iter().copied()).collect()),
        false => (ty, interfaces.to_vec()),
    };
    let mock = universe.make_mock(base, &listed).ok()?;
    let mut open = Open { universe, mock, members: Vec::new(), has_own_bodies: false };
    let bases = std::iter::successors(Some(base), |t| universe.base(*t).ok().flatten());
    for t in bases.take_while(|t| *t != object) {
        open.add_all(t)?;
    }
    let inherited = universe.interfaces(mock).ok()?.iter().copied().filter(|t| !listed.contains(t));
    for t in listed.iter().copied().chain(inherited.collect::<Vec<_>>()) {
        open.add_all(t)?;
    }
    let kind = if is_interface { TypeKind::Interface } else { TypeKind::Class };
    let constructors = if is_interface { Vec::new() } else { constructors(universe, ty) };
    Some(Contract { kind, members: open.members, constructors, has_own_bodies: open.has_own_bodies })
}

/// Constructors that a derived class of another assembly may call.
pub fn constructors(universe: &Universe, ty: TypeId) -> Vec<case::type_facts::Constructor> {
    let all = universe.methods_named(ty, ".ctor").unwrap_or_default();
    let reachable = all.into_iter().filter(|m| access(universe.method(*m)) != Access::Hidden);
    reachable.filter_map(|m| plain_members::constructor(universe, m)).collect()
}

struct Open<'u> {
    universe: &'u Universe,
    mock: TypeId,
    members: Vec<ContractMember>,
    has_own_bodies: bool,
}

impl Open<'_> {
    /// The members that the type declares and that nothing implements.
    fn add_all(&mut self, t: TypeId) -> Option<()> {
        let universe = self.universe;
        for &m in universe.methods(t).ok()? {
            let method = universe.method(m);
            if !method.is_virtual() || method.is_private() {
                continue;
            }
            if !method.is_abstract() {
                self.has_own_bodies |= !method.is_final() && !method.is_static();
                continue;
            }
            let is_open = match method.is_static() {
                true => universe.resolve_static_virtual(self.mock, m).is_err(),
                false => universe.resolve_virtual(self.mock, m).is_ok_and(|found| found == m),
            };
            if is_open {
                self.add(m)?;
            }
        }
        Some(())
    }

    fn add(&mut self, m: MethodId) -> Option<()> {
        let universe = self.universe;
        let (module, semantics) = semantics(universe, m)?;
        let Some((flags, association)) = semantics else {
            let shape = Shape::Method(method_shape(universe, m)?);
            self.members.push(member(universe, m, shape));
            return Some(());
        };
        match association {
            RowRef::Property(id) => {
                let name = module.property(id).ok()?.name;
                self.accessor(m, name, flags)
            }
            RowRef::Event(id) => {
                let name = module.event(id).ok()?.name.to_owned();
                let ty = named(universe, *universe.signature(m).ok()?.params.first()?).0;
                let shape = Shape::Event { name, ty };
                let made = member(universe, m, shape);
                // Adding and removing are one member.
                if !self.members.contains(&made) {
                    self.members.push(made);
                }
                Some(())
            }
            _ => None,
        }
    }

    fn accessor(&mut self, m: MethodId, name: &str, flags: u16) -> Option<()> {
        let universe = self.universe;
        let shape = method_shape(universe, m)?;
        let is_setter = flags == SETTER;
        let mut parameters = shape.parameters;
        let (ty, by_ref) = match is_setter {
            true => (parameters.pop()?.ty, ByRef::No),
            false => (shape.returns, shape.by_ref),
        };
        let declared_in = universe.type_name(universe.method(m).owner);
        let types = |all: &[ShapeParameter]| all.iter().map(|p| p.ty.clone()).collect::<Vec<_>>();
        let same = self.members.iter_mut().find_map(|known| match &mut known.shape {
            Shape::Property(property)
                if property.name == name
                    && known.declared_in == declared_in
                    && types(&property.parameters) == types(&parameters) =>
            {
                Some(property)
            }
            _ => None,
        });
        let mut fresh = PropertyShape::default();
        let is_new = same.is_none();
        let property = same.unwrap_or(&mut fresh);
        if is_new {
            *property = PropertyShape { name: name.to_owned(), ty, by_ref, parameters, ..Default::default() };
        }
        let accessor = Some(universe.method(m).name.to_string());
        match flags {
            GETTER => property.getter = accessor,
            SETTER => {
                property.setter = accessor;
                property.init = plain_members::is_init(universe, m);
            }
            _ => return None,
        }
        if is_new {
            self.members.push(member(universe, m, Shape::Property(fresh)));
        }
        Some(())
    }
}

type Semantics<'u> = (&'u Module, Option<(u16, RowRef)>);

/// What the method is an accessor of.
fn semantics(universe: &Universe, m: MethodId) -> Option<Semantics<'_>> {
    let MethodKind::Def { assembly, def } = universe.method(m).kind else { return None };
    let module = universe.assembly(assembly).module();
    let Some(id) = module.semantics_of_method(def).next() else { return Some((module, None)) };
    let row = module.method_semantics(id).ok()?;
    Some((module, Some((row.flags, row.association.row_ref()?))))
}

fn member(universe: &Universe, m: MethodId, shape: Shape) -> ContractMember {
    let method = universe.method(m);
    ContractMember {
        declared_in: universe.type_name(method.owner),
        in_interface: universe.is_interface(method.owner),
        access: access(method),
        is_static: method.is_static(),
        shape,
    }
}

fn access(method: &Method) -> Access {
    const FAMILY: u16 = 4;
    const FAMILY_OR_ASSEMBLY: u16 = 5;
    match method.flags & 7 {
        _ if method.is_public() => Access::Public,
        FAMILY | FAMILY_OR_ASSEMBLY => Access::Protected,
        _ => Access::Hidden,
    }
}

fn method_shape(universe: &Universe, m: MethodId) -> Option<MethodShape> {
    let signature = universe.signature(m).ok()?;
    let rows = parameter_rows(universe, m);
    let row = |index: usize| rows.iter().find(|row| row.number == index);
    let parameters = signature.params.iter().enumerate().map(|(index, ty)| {
        let (ty, is_by_ref) = named(universe, *ty);
        let mode = match row(index + 1) {
            _ if !is_by_ref => Mode::Value,
            Some(row) if row.is_out => Mode::Out,
            Some(row) if row.is_read_only => Mode::In,
            _ => Mode::Ref,
        };
        let name = row(index + 1).map(|row| row.name.clone()).filter(|name| !name.is_empty());
        ShapeParameter { name: name.unwrap_or_else(|| format!("arg{index}")), ty, mode }
    });
    let (returns, is_by_ref) = named(universe, signature.ret);
    let by_ref = match row(0) {
        _ if !is_by_ref => ByRef::No,
        Some(row) if row.is_read_only => ByRef::RefReadonly,
        _ => ByRef::Ref,
    };
    Some(MethodShape {
        name: universe.method(m).name.to_string(),
        generics: generics(universe, m),
        parameters: parameters.collect(),
        returns,
        by_ref,
    })
}

/// The type without `&`, and whether it had one.
fn named(universe: &Universe, ty: TypeId) -> (String, bool) {
    let (ty, is_by_ref) = match universe.ty(ty) {
        Type::ByRef(target) => (*target, true),
        _ => (ty, false),
    };
    (with_variables(&universe.type_name(ty)), is_by_ref)
}

/// `!!0` as the case of a contract writes it.
fn with_variables(name: &str) -> String {
    let mut text = name.to_owned();
    // Methods with more type parameters are not written by people.
    for n in (0..16).rev() {
        text = text.replace(&format!("!!{n}"), &variable(n));
    }
    text
}

fn generics(universe: &Universe, m: MethodId) -> Vec<GenericShape> {
    let MethodKind::Def { assembly, .. } = universe.method(m).kind else { return Vec::new() };
    let all = universe.generic_parameters_of_method(m);
    let owners: Vec<TypeId> = universe.type_args(universe.method(m).owner).to_vec();
    all.iter().map(|parameter| generic(universe, assembly, parameter, &all, &owners)).collect()
}

fn generic(
    universe: &Universe,
    assembly: AssemblyId,
    parameter: &GenericParameter,
    all: &[GenericParameter],
    owners: &[TypeId],
) -> GenericShape {
    const REFERENCE: u16 = 0x4;
    const VALUE: u16 = 0x8;
    const CONSTRUCTOR: u16 = 0x10;
    const BY_REF_LIKE: u16 = 0x20;
    let module = universe.assembly(assembly).module();
    let unmanaged = module
        .find_attribute(parameter.id.token(), COMPILER, "IsUnmanagedAttribute")
        .is_ok_and(|found| found.is_some());
    let has = |flag: u16| parameter.flags & flag != 0;
    let mut constraints = Vec::new();
    if unmanaged {
        constraints.push(Constraint::Unmanaged);
    } else if has(VALUE) {
        constraints.push(Constraint::Struct);
    } else if has(REFERENCE) {
        constraints.push(Constraint::Class);
    }
    for ty in universe.parameter_constraints(assembly, parameter.id).unwrap_or_default() {
        let name = constraint_name(universe, ty, all, owners);
        if name != "System.ValueType" {
            constraints.push(Constraint::Type(name));
        }
    }
    if has(CONSTRUCTOR) && !has(VALUE) {
        constraints.push(Constraint::New);
    }
    if has(BY_REF_LIKE) {
        constraints.push(Constraint::AllowsRefStruct);
    }
    GenericShape { name: parameter.name.to_string(), constraints }
}

/// Constraints are over the parameters themselves.
fn constraint_name(universe: &Universe, ty: TypeId, all: &[GenericParameter], owners: &[TypeId]) -> String {
    match universe.ty(ty) {
        Type::Param { id, assembly } => {
            let own = all.iter().position(|parameter| parameter.id == *id);
            let outer = || {
                let number = universe.assembly(*assembly).module().generic_param(*id).ok()?.number;
                owners.get(usize::from(number)).map(|t| universe.type_name(*t))
            };
            own.map(variable).or_else(outer).unwrap_or_default()
        }
        Type::Def { args, .. } if !args.is_empty() => {
            let whole = universe.type_name(ty);
            let definition = whole.split('[').next().unwrap_or(&whole).to_owned();
            let args: Vec<String> =
                args.iter().map(|arg| constraint_name(universe, *arg, all, owners)).collect();
            format!("{definition}[{}]", args.join(","))
        }
        _ => universe.type_name(ty),
    }
}

/// A row of the parameters; number 0 is the result.
struct ParameterRow {
    number: usize,
    name: String,
    is_out: bool,
    is_read_only: bool,
}

fn parameter_rows(universe: &Universe, m: MethodId) -> Vec<ParameterRow> {
    const IN: u16 = 1;
    const OUT: u16 = 2;
    let MethodKind::Def { assembly, def } = universe.method(m).kind else { return Vec::new() };
    let module = universe.assembly(assembly).module();
    let Ok(row) = module.method_def(def) else { return Vec::new() };
    let has = |token, name| module.find_attribute(token, COMPILER, name).is_ok_and(|found| found.is_some());
    let described = row.params.filter_map(|id| {
        let param = module.param(id).ok()?;
        let marked = ["IsReadOnlyAttribute", "RequiresLocationAttribute"];
        Some(ParameterRow {
            number: param.sequence.into(),
            name: param.name.to_owned(),
            is_out: param.flags & OUT != 0 && param.flags & IN == 0,
            is_read_only: marked.iter().any(|name| has(id.token(), name)),
        })
    });
    described.collect()
}
