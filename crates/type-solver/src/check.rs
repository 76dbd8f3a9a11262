//! Does a closed type satisfy a query? The last word on every candidate.

use types::{Primitive, Result, Type, TypeId, Universe};

use crate::needs::{Matcher, Need};
use crate::{Kinds, Query};

/// What kind of thing a type is; nothing for what no candidate can be (static classes, pointers, `void`, variables).
pub(crate) fn kind_of(u: &Universe, t: TypeId) -> Kinds {
    match u.ty(t) {
        Type::SzArray(_) | Type::Array { .. } => Kinds::ARRAYS,
        Type::Def { .. } if u.primitive(t) == Some(Primitive::Void) => Kinds::NONE,
        Type::Def { .. } if u.is_byref_like(t) => Kinds::REF_STRUCTS,
        Type::Def { .. } if u.is_nullable(t) => Kinds::NULLABLES,
        Type::Def { .. } if u.is_value_type(t) => Kinds::VALUES,
        Type::Def { .. } if u.is_interface(t) => Kinds::ABSTRACT,
        Type::Def { .. } if u.is_abstract(t) && u.is_sealed(t) => Kinds::NONE,
        Type::Def { .. } if u.is_abstract(t) => Kinds::ABSTRACT,
        Type::Def { .. } if u.is_delegate(t) => Kinds::DELEGATES,
        Type::Def { .. } => Kinds::CLASSES,
        _ => Kinds::NONE,
    }
}

/// What cannot be loaded satisfies nothing: no object of it can exist.
pub(crate) fn satisfies(u: &Universe, t: TypeId, query: &Query) -> bool {
    if !query.kinds.contains(kind_of(u, t)) || query.not_exactly.contains(&t) || u.is_open(t) {
        return false;
    }
    if query.exactly.is_some_and(|exactly| exactly != t) {
        return false;
    }
    well_formed(u, t) && relations(u, t, query).unwrap_or(false) && special(u, t, query).unwrap_or(false)
}

/// Do all arguments inside of a type satisfy the constraints of their definitions?
fn well_formed(u: &Universe, t: TypeId) -> bool {
    match u.ty(t) {
        Type::Def { args, .. } => {
            args.is_empty()
                || u.satisfies_constraints(t).unwrap_or(false) && args.iter().all(|arg| well_formed(u, *arg))
        }
        Type::SzArray(elem) | Type::Array { elem, .. } => {
            let kind = kind_of(u, *elem);
            Kinds::ARGUMENT.contains(kind) && well_formed(u, *elem)
        }
        _ => true,
    }
}

fn relations(u: &Universe, t: TypeId, query: &Query) -> Result<bool> {
    let object = u.well_known()?.object;
    for &wanted in &query.must_be {
        if wanted != object && !is_below(u, t, wanted)? {
            return Ok(false);
        }
    }
    for &given in &query.must_contain {
        if !u.is_assignable(given, t)? {
            return Ok(false);
        }
    }
    for &refused in &query.must_not_be {
        if u.is_assignable(t, refused)? {
            return Ok(false);
        }
    }
    for &refused in &query.must_not_contain {
        if u.is_assignable(refused, t)? {
            return Ok(false);
        }
    }
    // What cannot be loaded fails here even if nothing is asked of it.
    u.base(t)?;
    Ok(true)
}

/// Variables in a wanted type stand for anything.
fn is_below(u: &Universe, t: TypeId, wanted: TypeId) -> Result<bool> {
    if !u.is_open(wanted) {
        return u.is_assignable(t, wanted);
    }
    let matcher = Matcher { universe: u, types: 0 };
    Ok(!matcher.below(t, wanted, Vec::<Need>::new())?.is_empty())
}

fn special(u: &Universe, t: TypeId, query: &Query) -> Result<bool> {
    if query.with_default_constructor && !u.is_value_type(t) && !u.has_public_default_constructor(t)? {
        return Ok(false);
    }
    if !query.unmanaged {
        return Ok(true);
    }
    // A struct that contains itself has no layout, and must not be searched for references.
    u.layout(t)?;
    is_unmanaged(u, t)
}

/// A value without references in it.
fn is_unmanaged(u: &Universe, t: TypeId) -> Result<bool> {
    if matches!(u.ty(t), Type::Pointer(_) | Type::FnPtr(_)) || u.primitive(t).is_some() || u.is_enum(t) {
        return Ok(true);
    }
    if !u.is_value_type(t) || u.is_byref_like(t) {
        return Ok(false);
    }
    for field in u.instance_fields(t)? {
        if !is_unmanaged(u, u.field_type(field)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}
