//! The members of a type, as lists of handles.

use cil::{RowRef, Token};
use types::{AssemblyId, MethodId, TypeId};

use crate::table::{Entry, failed, native};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const TYPE: &str = "System.RuntimeType";

pub(crate) const TABLE: &[Entry] = &[
    native(TYPE, "GetConstructors_native", constructors),
    native(TYPE, "GetMethodsByName_native", methods),
    native(TYPE, "GetFields_native", fields),
    native(TYPE, "GetPropertiesByName_native", properties),
    native(TYPE, "GetEvents_native", events),
    native(TYPE, "GetNestedTypes_native", nested_types),
];

// `BindingFlags`.
const DECLARED_ONLY: u64 = 0x2;
const INSTANCE: u64 = 0x4;
const STATIC: u64 = 0x8;
const PUBLIC: u64 = 0x10;
const NON_PUBLIC: u64 = 0x20;
const FLATTEN: u64 = 0x40;

/// What is asked for.
struct Wanted {
    name: Option<String>,
    caseless: bool,
    flags: u64,
}

impl Wanted {
    /// `(type, UTF-8 name, flags, kind of list)`.
    fn of(m: &mut Machine, s: &State, call: &Call) -> Step<Wanted> {
        let name = call.number(m, s, 1)?;
        let kind = call.number(m, s, 3)?;
        // All, by name, by name in any case.
        let name = if kind == 0 || name == 0 { None } else { Some(m.utf8_at(s, name)?) };
        Ok(Wanted { name, caseless: kind == 2, flags: call.number(m, s, 2)? })
    }

    fn is_named(&self, name: &str) -> bool {
        match &self.name {
            None => true,
            Some(wanted) if self.caseless => wanted.to_lowercase() == name.to_lowercase(),
            Some(wanted) => wanted == name,
        }
    }

    /// By the access bits that methods and fields share (ECMA-335 II.23.1.5, II.23.1.10). A base's private and internal
    /// members do not show.
    fn shows(&self, attributes: u16, is_static: bool, inherited: bool) -> bool {
        let access = match attributes & 7 {
            6 => self.flags & PUBLIC != 0,
            1 | 3 => self.flags & NON_PUBLIC != 0 && !inherited,
            _ => self.flags & NON_PUBLIC != 0,
        };
        let kind = match is_static {
            true => self.flags & STATIC != 0 && (!inherited || self.flags & FLATTEN != 0),
            false => self.flags & INSTANCE != 0,
        };
        access && kind
    }
}

/// A `GPtrArray`: a pointer to the handles and their number.
fn list(m: &mut Machine, s: &mut State, handles: &[u64]) -> Step<Option<Value>> {
    let mut data: Vec<u8> = handles.iter().flat_map(|handle| handle.to_le_bytes()).collect();
    data.extend([0; 8]);
    let data = m.runtime_data(s, data);
    let head = m.runtime_data(s, vec![0; 16]);
    m.store(s, head, Repr::I8, Value::address(data))?;
    m.store(s, head + 8, Repr::I4, Value::I32(handles.len() as i32))?;
    Ok(Some(Value::address(head)))
}

/// The type and its bases, as far as they are wanted.
fn classes(m: &Machine, s: &State, ty: TypeId, flags: u64) -> Step<Vec<TypeId>> {
    let mut found = vec![ty];
    let mut next = ty;
    while flags & DECLARED_ONLY == 0
        && let Some(base) = m.universe.base(next).map_err(|e| failed(s, e))?
    {
        found.push(base);
        next = base;
    }
    Ok(found)
}

/// `(type, flags)`.
fn constructors(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let wanted = Wanted { name: None, caseless: false, flags: call.number(m, s, 1)? };
    let mut handles = Vec::new();
    for method in m.universe.methods(ty).map_err(|e| failed(s, e))?.to_vec() {
        let info = m.universe.method(method);
        let is_one = info.is_constructor() || info.is_static_constructor();
        if is_one && wanted.shows(info.flags, info.is_static(), false) {
            handles.push(method_number(m, s, method)?);
        }
    }
    list(m, s, &handles)
}

fn methods(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let wanted = Wanted::of(m, s, call)?;
    let mut seen = Vec::new();
    let mut handles = Vec::new();
    for class in classes(m, s, ty, wanted.flags)? {
        for method in m.universe.methods(class).map_err(|e| failed(s, e))?.to_vec() {
            let info = m.universe.method(method);
            if info.is_constructor() || info.is_static_constructor() {
                continue;
            }
            // An override hides what it overrides.
            if let Some(slot) = m.universe.slot_of(method).map_err(|e| failed(s, e))? {
                if seen.contains(&slot) {
                    continue;
                }
                seen.push(slot);
            }
            if wanted.is_named(&info.name) && wanted.shows(info.flags, info.is_static(), class != ty) {
                handles.push(method_number(m, s, method)?);
            }
        }
    }
    list(m, s, &handles)
}

fn fields(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let wanted = Wanted::of(m, s, call)?;
    let mut handles = Vec::new();
    for class in classes(m, s, ty, wanted.flags)? {
        for &field in m.universe.fields(class).map_err(|e| failed(s, e))?.to_vec().iter() {
            let info = m.universe.field(field);
            if wanted.is_named(&info.name) && wanted.shows(info.flags, info.is_static(), class != ty) {
                handles.push(m.field_handle(field));
            }
        }
    }
    list(m, s, &handles)
}

fn properties(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    with_accessors(m, s, call, |module, class| {
        Ok(module.properties_of(class)?.into_iter().map(|id| id.token()).collect())
    })
}

/// `(type, UTF-8 name, kind of list)`: without flags, all of the type's own.
fn events(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let all = Value::I64((INSTANCE | STATIC | PUBLIC | NON_PUBLIC | FLATTEN).cast_signed());
    let args = vec![call.value(s, 0)?, call.value(s, 1)?, all, call.value(s, 2)?];
    let call = Call { method: call.method, args };
    with_accessors(m, s, &call, |module, class| {
        Ok(module.events_of(class)?.into_iter().map(|id| id.token()).collect())
    })
}

/// Properties or events: one shows if one of its accessors does.
fn with_accessors(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    rows: fn(&cil::Module, cil::TypeDefId) -> cil::Result<Vec<Token>>,
) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let wanted = Wanted::of(m, s, call)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let mut seen: Vec<String> = Vec::new();
    let mut handles = Vec::new();
    for class in classes(m, s, ty, wanted.flags)? {
        let Some(info) = universe.def_info(class) else { continue };
        let module = universe.assembly(info.assembly).module();
        let tokens = rows(module, info.id).map_err(|e| bad(s, &e))?;
        for token in tokens {
            let name = member_name(module, token).map_err(|e| bad(s, &e))?;
            let shows = accessors(m, s, info.assembly, token, class)?.iter().any(|(_, method)| {
                let info = universe.method(*method);
                wanted.shows(info.flags, info.is_static(), class != ty)
            });
            if shows && wanted.is_named(&name) && !seen.contains(&name) {
                seen.push(name);
                handles.push(member_handle(m, info.assembly, token));
            }
        }
    }
    list(m, s, &handles)
}

fn nested_types(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let wanted = Wanted::of(m, s, call)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let Some(info) = universe.def_info(ty) else { return list(m, s, &[]) };
    let module = universe.assembly(info.assembly).module();
    let mut handles = Vec::new();
    for id in module.nested_types(info.id) {
        let id = id.map_err(|e| bad(s, &e))?;
        let row = module.type_def(id).map_err(|e| bad(s, &e))?;
        let is_public = row.flags & 7 == 2;
        let shows = wanted.flags & if is_public { PUBLIC } else { NON_PUBLIC } != 0;
        if shows && wanted.is_named(row.name) {
            let nested = universe.type_of_def(info.assembly, id).map_err(|e| failed(s, e))?;
            handles.push(m.type_handle(s, nested)?);
        }
    }
    list(m, s, &handles)
}

pub(crate) fn bad(s: &State, error: &cil::Error) -> Box<vm::stop::Stop> {
    vm::machine::give_up(s, verdict::Gap::invalid_code(error.to_string()))
}

/// The name of a property or event.
pub(crate) fn member_name(module: &cil::Module, token: Token) -> cil::Result<String> {
    Ok(match token.row_ref() {
        Some(RowRef::Property(id)) => module.property(id)?.name.to_owned(),
        Some(RowRef::Event(id)) => module.event(id)?.name.to_owned(),
        _ => String::new(),
    })
}

/// The accessors of a property or event on a class: `MethodSemanticsAttributes` and the method.
pub(crate) fn accessors(
    m: &Machine,
    s: &State,
    assembly: AssemblyId,
    token: Token,
    class: TypeId,
) -> Step<Vec<(u16, MethodId)>> {
    let module = m.universe.assembly(assembly).module();
    let mut found = Vec::new();
    for id in module.semantics_of(token) {
        let row = module.method_semantics(id).map_err(|e| bad(s, &e))?;
        let method = m.universe.method_of_token(assembly, row.method).map_err(|e| failed(s, e))?;
        let args = m.universe.method(method).args.to_vec();
        let method = m.universe.instantiate_method(method, class, &args).map_err(|e| failed(s, e))?;
        found.push((row.flags, method));
    }
    Ok(found)
}

/// The upper half of the handles of properties and events.
const MEMBERS: u64 = 0xc000_0000 << 32;

pub(crate) fn method_number(m: &mut Machine, s: &State, method: MethodId) -> Step<u64> {
    match m.function_pointer(method) {
        Value::I64(number) => Ok(number.cast_unsigned()),
        _ => Err(unsupported(s, "a method without a number")),
    }
}

/// Properties and events that handles refer to.
#[derive(Clone, Default)]
struct MemberHandles(Vec<(AssemblyId, Token)>);

pub(crate) fn member_handle(m: &mut Machine, assembly: AssemblyId, token: Token) -> u64 {
    let members = &mut m.attached.get_mut::<MemberHandles>().0;
    let known = members.iter().position(|known| *known == (assembly, token));
    let index = known.unwrap_or_else(|| {
        members.push((assembly, token));
        members.len() - 1
    });
    MEMBERS | (index as u64 + 1) << 4
}

pub(crate) fn member_of_handle(m: &Machine, s: &State, handle: u64) -> Step<(AssemblyId, Token)> {
    let index = ((handle ^ MEMBERS) >> 4).checked_sub(1).and_then(|index| usize::try_from(index).ok());
    let found = index.and_then(|index| m.attached.get::<MemberHandles>().0.get(index).copied());
    found.ok_or_else(|| unsupported(s, "a member handle that is none"))
}
