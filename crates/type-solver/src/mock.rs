//! A made-up class where no existing one does: what it would derive from, or why it cannot be written.

use std::fmt;

use types::{MethodId, Result, Type, TypeId, Universe};

use crate::{Query, TypeSolver};

/// What a mock derives from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MockShape {
    /// `System.Object`, a class that can be derived from, or a delegate type: then the mock is a delegate of that type.
    pub base: TypeId,
    /// Interfaces to implement, those that follow from others left out.
    pub interfaces: Box<[TypeId]>,
}

/// Why there can be no mock: a sentence for reports.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WhyNot {
    #[error("{0} is sealed")]
    Sealed(String),
    #[error("{0} is a value type")]
    ValueType(String),
    #[error("{0} is an array")]
    Array(String),
    #[error("{0} is not a class or an interface")]
    NoClass(String),
    #[error("no class but the runtime's own can derive from {0}")]
    Special(String),
    #[error("{0} and {1} are unrelated classes")]
    TwoClasses(String, String),
    #[error("{0} is a delegate and {1} must be implemented as well")]
    DelegateAndMore(String, String),
    #[error("{0} is not visible outside of its assembly")]
    NotVisible(String),
    #[error("{0} has no constructor that a derived class could call")]
    NoConstructor(String),
    #[error("{0} cannot be overridden outside of its assembly")]
    HiddenMember(String),
    #[error("{0} is a static abstract member")]
    StaticMember(String),
    #[error("{0} has a signature that no mock can answer: {1}")]
    Signature(String, UnsupportedSignature),
    #[error("nothing but {0} itself and its supertypes contains {0}")]
    MustContain(String),
    #[error("only {0} itself is wanted")]
    Exactly(String),
    #[error("every implementation would also be {0}")]
    Excluded(String),
    #[error("no class is wanted")]
    NotWanted,
    #[error("{0}")]
    Unreadable(String),
}

/// What is in the way in a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsupportedSignature {
    ReturnsReference,
    ReturnsRefStruct,
    Pointer,
    VariableArguments,
}

impl fmt::Display for UnsupportedSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnsupportedSignature::ReturnsReference => "it returns by reference",
            UnsupportedSignature::ReturnsRefStruct => "it returns a ref struct",
            UnsupportedSignature::Pointer => "it has pointers",
            UnsupportedSignature::VariableArguments => "it takes variable arguments",
        })
    }
}

type Answer<T> = std::result::Result<T, WhyNot>;

impl TypeSolver {
    /// The class that a mock for this query would be. Existing candidates always go before it.
    pub fn mock(&self, universe: &Universe, query: &Query) -> Answer<MockShape> {
        let u = universe;
        if !query.kinds.meets(crate::Kinds::CLASSES.or(crate::Kinds::DELEGATES)) {
            return Err(WhyNot::NotWanted);
        }
        if let Some(exactly) = query.exactly {
            return Err(WhyNot::Exactly(u.type_name(exactly)));
        }
        if let Some(given) = query.must_contain.first() {
            return Err(WhyNot::MustContain(u.type_name(*given)));
        }
        let shape = shape(u, &query.must_be)?;
        for part in shape.interfaces.iter().chain([&shape.base]) {
            for &refused in &query.must_not_be {
                if read(u.is_assignable(*part, refused))? {
                    return Err(WhyNot::Excluded(u.type_name(refused)));
                }
            }
            if !u.is_visible(*part) {
                return Err(WhyNot::NotVisible(u.type_name(*part)));
            }
        }
        if !u.is_delegate(shape.base) {
            check_base(u, shape.base)?;
        }
        check_members(u, &shape)?;
        Ok(shape)
    }
}

fn read<T>(answer: Result<T>) -> Answer<T> {
    answer.map_err(|error| WhyNot::Unreadable(error.to_string()))
}

/// One class and the interfaces that it does not bring along.
fn shape(u: &Universe, must_be: &[TypeId]) -> Answer<MockShape> {
    let object = read(u.well_known())?.object;
    let mut base = object;
    let mut interfaces: Vec<TypeId> = Vec::new();
    for &t in must_be {
        if u.is_interface(t) {
            interfaces.push(t);
            continue;
        }
        refuse_class(u, t)?;
        if read(u.is_assignable(t, base))? {
            base = t;
        } else if !read(u.is_assignable(base, t))? {
            return Err(WhyNot::TwoClasses(u.type_name(base), u.type_name(t)));
        }
    }
    let mut needed: Vec<TypeId> = Vec::new();
    for (i, &interface) in interfaces.iter().enumerate() {
        let mut is_implied = base != object && read(u.is_assignable(base, interface))?;
        for (j, &other) in interfaces.iter().enumerate() {
            let is_below = i != j && read(u.is_assignable(other, interface))?;
            is_implied |= is_below && (other != interface || j < i);
        }
        if !is_implied {
            needed.push(interface);
        }
    }
    if u.is_delegate(base)
        && let Some(interface) = needed.first()
    {
        return Err(WhyNot::DelegateAndMore(u.type_name(base), u.type_name(*interface)));
    }
    Ok(MockShape { base, interfaces: needed.into() })
}

fn refuse_class(u: &Universe, t: TypeId) -> Answer<()> {
    let known = read(u.well_known())?;
    let name = || u.type_name(t);
    match u.ty(t) {
        Type::SzArray(_) | Type::Array { .. } => return Err(WhyNot::Array(name())),
        Type::Def { .. } => {}
        _ => return Err(WhyNot::NoClass(name())),
    }
    if u.is_value_type(t) {
        return Err(WhyNot::ValueType(name()));
    }
    if u.is_delegate(t) {
        return Ok(());
    }
    if u.is_sealed(t) {
        return Err(WhyNot::Sealed(name()));
    }
    let of_the_runtime =
        [known.value_type, known.enum_, known.array, known.delegate, known.multicast_delegate];
    if of_the_runtime.contains(&t) {
        return Err(WhyNot::Special(name()));
    }
    Ok(())
}

/// Accessible from a derived class in another assembly: public, protected, protected internal.
fn is_inheritable(flags: u16) -> bool {
    matches!(flags & 7, 4..=6)
}

fn check_base(u: &Universe, base: TypeId) -> Answer<()> {
    let methods = read(u.methods(base))?;
    let can_construct = methods.iter().any(|m| {
        let method = u.method(*m);
        method.is_constructor() && is_inheritable(method.flags)
    });
    if can_construct { Ok(()) } else { Err(WhyNot::NoConstructor(u.type_name(base))) }
}

fn check_members(u: &Universe, shape: &MockShape) -> Answer<()> {
    if u.is_delegate(shape.base) {
        let invoke = read(u.methods_named(shape.base, "Invoke"))?;
        return invoke.iter().try_for_each(|m| check_signature(u, *m));
    }
    for slot in &read(u.vtable(shape.base))?.slots {
        if u.method(slot.implementation).is_abstract() {
            check_member(u, slot.implementation)?;
        }
    }
    let mut all: Vec<TypeId> = Vec::new();
    for &interface in &shape.interfaces {
        for &part in [interface].iter().chain(read(u.interfaces(interface))?) {
            if !all.contains(&part) && !read(u.is_assignable(shape.base, part))? {
                all.push(part);
            }
        }
    }
    for interface in all {
        if !u.is_visible(interface) {
            return Err(WhyNot::NotVisible(u.type_name(interface)));
        }
        for &m in read(u.methods(interface))? {
            if u.method(m).is_abstract() {
                check_member(u, m)?;
            }
        }
    }
    Ok(())
}

fn check_member(u: &Universe, m: MethodId) -> Answer<()> {
    let method = u.method(m);
    if method.is_static() {
        return Err(WhyNot::StaticMember(u.method_id(m)));
    }
    if !is_inheritable(method.flags) {
        return Err(WhyNot::HiddenMember(u.method_id(m)));
    }
    check_signature(u, m)
}

fn check_signature(u: &Universe, m: MethodId) -> Answer<()> {
    let sig = read(u.signature(m))?;
    let is_pointer = |t: TypeId| matches!(u.ty(t), Type::Pointer(_) | Type::FnPtr(_));
    let behind = |t: TypeId| match u.ty(t) {
        Type::ByRef(target) => *target,
        _ => t,
    };
    let trouble = if matches!(u.ty(sig.ret), Type::ByRef(_)) {
        UnsupportedSignature::ReturnsReference
    } else if u.is_byref_like(sig.ret) {
        UnsupportedSignature::ReturnsRefStruct
    } else if is_pointer(sig.ret) || sig.params.iter().any(|p| is_pointer(behind(*p))) {
        UnsupportedSignature::Pointer
    } else if sig.is_vararg() {
        UnsupportedSignature::VariableArguments
    } else {
        return Ok(());
    };
    Err(WhyNot::Signature(u.method_id(m), trouble))
}
