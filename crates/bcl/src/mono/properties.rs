//! What reflection asks about properties and events.

use crate::mono::lists::member_of_handle;
use std::rc::Rc;

use cil::RowRef;

use super::lists::{accessors, bad, member_name};
use super::members::method_object_of;
use crate::table::{Entry, native};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const PROPERTY: &str = "System.Reflection.RuntimePropertyInfo";
const EVENT: &str = "System.Reflection.RuntimeEventInfo";

pub(crate) const TABLE: &[Entry] = &[
    native(PROPERTY, "internal_from_handle_type", |m, s, c| make(m, s, c, PROPERTY, "prop")),
    native("System.Reflection.EventInfo", "internal_from_handle_type", |m, s, c| {
        make(m, s, c, EVENT, "handle")
    }),
    native(PROPERTY, "get_property_info", property_info),
    native(EVENT, "get_event_info", event_info),
    native(PROPERTY, "get_metadata_token", |m, s, c| token(m, s, c, "prop")),
    native(EVENT, "get_metadata_token", |m, s, c| token(m, s, c, "handle")),
    native(PROPERTY, "GetTypeModifiers", |m, s, _| {
        let class = m.core_type(s, "System.Type")?;
        m.object_array(s, class, &[]).map(|array| Some(Value::address(array)))
    }),
];

/// `(member handle, type handle)`.
fn make(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    class: &'static str,
    field: &str,
) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let ty = call.number(m, s, 1)?;
    if let Some(known) = s.runtime.member_objects.get(&(handle, ty)) {
        return Ok(Some(Value::address(*known)));
    }
    let class = m.core_type(s, class)?;
    let object = m.allocate_instance(s, class)?;
    m.store_field(s, object, "klass", Repr::I8, Value::address(ty))?;
    m.store_field(s, object, field, Repr::I8, Value::address(handle))?;
    Rc::make_mut(&mut s.runtime.member_objects).insert((handle, ty), object);
    Ok(Some(Value::address(object)))
}

/// The handle of a member and the type it was asked of.
fn member(m: &mut Machine, s: &State, object: u64, field: &str) -> Step<(u64, types::TypeId)> {
    let handle = m.load_field(s, object, field, Repr::I8)?;
    let class = m.load_field(s, object, "klass", Repr::I8)?;
    let (Value::I64(handle), Value::I64(class)) = (handle, class) else {
        return Err(unsupported(s, "a symbolic member"));
    };
    Ok((handle.cast_unsigned(), m.type_of_handle(s, class.cast_unsigned())?))
}

fn token(m: &mut Machine, s: &mut State, call: &Call, field: &str) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let (handle, _) = member(m, s, object, field)?;
    let (_, token) = member_of_handle(m, s, handle)?;
    Ok(Some(Value::I32(token.raw().cast_signed())))
}

/// The class that declares the member, as a base of the type it was asked of.
fn declaring(m: &Machine, s: &State, handle: u64, ty: types::TypeId) -> Step<types::TypeId> {
    let (assembly, token) = member_of_handle(m, s, handle)?;
    let module = m.universe.assembly(assembly).module();
    let owner = match token.row_ref() {
        Some(RowRef::Property(id)) => module.declaring_type_of_property(id),
        Some(RowRef::Event(id)) => module.declaring_type_of_event(id),
        _ => Ok(None),
    };
    let owner = owner.map_err(|e| bad(s, &e))?;
    let mut next = Some(ty);
    while let Some(class) = next {
        if m.universe.def_info(class).is_some_and(|info| info.assembly == assembly && Some(info.id) == owner)
        {
            return Ok(class);
        }
        next = m.universe.base(class).map_err(|e| crate::table::failed(s, e))?;
    }
    Ok(ty)
}

/// `MethodSemanticsAttributes`.
const SETTER: u16 = 1;
const GETTER: u16 = 2;
const ADD: u16 = 8;
const REMOVE: u16 = 0x10;
const RAISE: u16 = 0x20;

/// `(property, ref info, what is wanted)`: all of it.
fn property_info(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let names = [(GETTER, "get_method"), (SETTER, "set_method")];
    fill(m, s, call, "prop", "System.Reflection.MonoPropertyInfo", ["parent", "declaring_type"], &names)
}

fn event_info(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let names = [(ADD, "add_method"), (REMOVE, "remove_method"), (RAISE, "raise_method")];
    fill(
        m,
        s,
        call,
        "handle",
        "System.Reflection.MonoEventInfo",
        ["reflected_type", "declaring_type"],
        &names,
    )
}

fn fill(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    field: &str,
    class: &'static str,
    [reflected, declared]: [&str; 2],
    names: &[(u16, &str)],
) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let out = call.number(m, s, 1)?;
    let (handle, ty) = member(m, s, object, field)?;
    let owner = declaring(m, s, handle, ty)?;
    let (assembly, token) = member_of_handle(m, s, handle)?;
    let universe = Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let name = member_name(module, token).map_err(|e| bad(s, &e))?;
    let flags = match token.row_ref() {
        Some(RowRef::Property(id)) => module.property(id).map(|row| row.flags),
        Some(RowRef::Event(id)) => module.event(id).map(|row| row.flags),
        _ => Ok(0),
    };
    let flags = flags.map_err(|e| bad(s, &e))?;
    let class = m.core_type(s, class)?;
    let (reflected_type, declaring_type) = (m.type_object(s, ty)?, m.type_object(s, owner)?);
    let text = m.string(s, &name)?;
    let mut values = vec![
        (reflected, Repr::Ref, Value::address(reflected_type)),
        (declared, Repr::Ref, Value::address(declaring_type)),
        ("name", Repr::Ref, Value::address(text)),
        ("attrs", Repr::I4, Value::I32(i32::from(flags))),
    ];
    for (kind, method) in accessors(m, s, assembly, token, owner)? {
        // A base's private accessors do not show.
        if owner != ty && universe.method(method).flags & 7 == 1 {
            continue;
        }
        if let Some((_, name)) = names.iter().find(|(wanted, _)| *wanted == kind) {
            let object = method_object_of(m, s, method, ty)?;
            values.push((name, Repr::Ref, Value::address(object)));
        }
    }
    for (name, repr, value) in values {
        let at = u64::from(m.offset_of(s, class, &[name])?);
        m.store(s, out + at, repr, value)?;
    }
    Ok(None)
}
