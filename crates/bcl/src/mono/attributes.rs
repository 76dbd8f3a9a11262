//! Custom attributes as objects: code is made that calls their constructors and sets what they name.

use crate::mono::lists::member_of_handle;
use std::rc::Rc;

use cil::Token;
use types::{AssemblyId, Member, MethodId, TypeId};

use super::lists::bad;
use super::members::{field_of_info, method_of_info};
use crate::reflection::attributes::{Reader, element, tagged_type};
use crate::table::{Entry, failed, native, native_enter};
use vm::MadeCode;
use vm::code::Op;
use vm::decode::repr_of;
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const OWNER: &str = "System.MonoCustomAttrs";

pub(crate) const TABLE: &[Entry] = &[
    native(OWNER, "IsDefinedInternal", is_defined),
    native_enter(OWNER, "GetCustomAttributesInternal", attributes),
];

/// The assembly and the token of what carries attributes.
fn provider(m: &mut Machine, s: &State, object: u64) -> Step<(AssemblyId, Token)> {
    let class = m.object_type(s, object)?;
    let name = m.universe.type_name(class);
    match name.rsplit('.').next().unwrap_or_default() {
        "RuntimeType" => {
            let ty = m.type_of_object(s, object)?;
            let info = m.universe.def_info(ty).ok_or_else(|| unsupported(s, "attributes of such a type"))?;
            Ok((info.assembly, info.id.token()))
        }
        "RuntimeMethodInfo" | "RuntimeConstructorInfo" => {
            let method = method_of_info(m, s, object)?;
            let assembly = m.universe.assembly_of(method).map_err(|e| failed(s, e))?;
            let token = m.universe.method(method).token();
            Ok((assembly, token.ok_or_else(|| unsupported(s, "attributes of such a method"))?))
        }
        "RuntimeFieldInfo" => {
            let field = field_of_info(m, s, object)?;
            let owner = m.universe.field(field).owner;
            let info = m.universe.def_info(owner).ok_or_else(|| unsupported(s, "a field of no type"))?;
            Ok((info.assembly, m.universe.field(field).token()))
        }
        "RuntimePropertyInfo" | "RuntimeEventInfo" => {
            let field = if name.ends_with("RuntimePropertyInfo") { "prop" } else { "handle" };
            match m.load_field(s, object, field, Repr::I8)? {
                Value::I64(handle) => member_of_handle(m, s, handle.cast_unsigned()),
                _ => Err(unsupported(s, "a symbolic member")),
            }
        }
        "RuntimeParameterInfo" => parameter(m, s, object),
        "RuntimeAssembly" => {
            let place = m.field_place(s, object, "_mono_assembly")?;
            let handle = m.load_word(s, place)?;
            let assembly =
                m.assembly_of_handle(handle).ok_or_else(|| unsupported(s, "an assembly that is none"))?;
            Ok((assembly, Token::from_raw(0x2000_0001)))
        }
        "RuntimeModule" => {
            let place = m.field_place(s, object, "_impl")?;
            let handle = m.load_word(s, place)?;
            let assembly =
                m.assembly_of_handle(handle).ok_or_else(|| unsupported(s, "a module that is none"))?;
            Ok((assembly, Token::from_raw(1)))
        }
        _ => Err(unsupported(s, &format!("attributes of a {name}"))),
    }
}

fn parameter(m: &mut Machine, s: &State, object: u64) -> Step<(AssemblyId, Token)> {
    let member = match m.load_field(s, object, "MemberImpl", Repr::Ref)? {
        Value::I64(member) => member.cast_unsigned(),
        _ => return Err(unsupported(s, "a symbolic member")),
    };
    let Value::I32(position) = m.load_field(s, object, "PositionImpl", Repr::I4)? else {
        return Err(unsupported(s, "a symbolic parameter"));
    };
    let method = method_of_info(m, s, member)?;
    let types::MethodKind::Def { assembly, def } = m.universe.method(method).kind else {
        return Err(unsupported(s, "attributes of such a parameter"));
    };
    let module = m.universe.assembly(assembly).module();
    for id in module.method_def(def).map_err(|e| bad(s, &e))?.params {
        let row = module.param(id).map_err(|e| bad(s, &e))?;
        if i32::from(row.sequence) == position + 1 {
            return Ok((assembly, id.token()));
        }
    }
    // A parameter without a row has no attributes.
    Ok((assembly, Token::from_raw(0x0800_0000)))
}

/// An attribute: its constructor and its value.
struct Attribute {
    constructor: MethodId,
    value: Vec<u8>,
}

/// The attributes of a type or of those that derive from it; of all types if none is given.
fn list(
    m: &mut Machine,
    s: &State,
    object: u64,
    wanted: Option<TypeId>,
) -> Step<(AssemblyId, Vec<Attribute>)> {
    let (assembly, token) = provider(m, s, object)?;
    let universe = Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let mut found = Vec::new();
    for id in module.custom_attributes(token) {
        let row = module.custom_attribute(id).map_err(|e| bad(s, &e))?;
        let Ok(Member::Method(constructor)) = universe.resolve_in_assembly(assembly, row.constructor) else {
            continue;
        };
        let class = universe.method(constructor).owner;
        let fits = match wanted {
            Some(wanted) => universe.is_assignable(class, wanted).map_err(|e| failed(s, e))?,
            None => true,
        };
        if fits {
            found.push(Attribute { constructor, value: row.value.bytes.to_vec() });
        }
    }
    Ok((assembly, found))
}

fn wanted(m: &mut Machine, s: &State, call: &Call) -> Step<Option<TypeId>> {
    match call.number(m, s, 1)? {
        0 => Ok(None),
        object => m.type_of_object(s, object).map(Some),
    }
}

/// `(provider, type)`.
fn is_defined(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let wanted = wanted(m, s, call)?;
    let (_, found) = list(m, s, object, wanted)?;
    Ok(Some(Value::bool(!found.is_empty())))
}

/// `(provider, type or null, pseudo attributes)`: an array of the type asked for.
fn attributes(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = call.number(m, s, 0)?;
    let wanted = wanted(m, s, call)?;
    let (assembly, found) = list(m, s, object, wanted)?;
    let root = m.core_type(s, "System.Attribute")?;
    let mut maker = Maker::new(m, call.method, wanted.unwrap_or(root));
    maker.code.ops.extend([Op::LdI4(found.len() as i32), Op::NewArr(maker.element)]);
    for (index, attribute) in found.iter().enumerate() {
        maker.add(m, s, assembly, index, attribute)?;
    }
    let Maker { mut code, values, .. } = maker;
    code.ops.push(Op::Ret);
    let frame = m.frame(s, Rc::new(code.finish()), values, after)?;
    s.push_frame(frame);
    Ok(Flow::Reload)
}

/// Makes the code, and the values that it starts with.
struct Maker {
    code: MadeCode,
    values: Vec<Value>,
    element: TypeId,
}

impl Maker {
    fn new(m: &Machine, method: MethodId, element: TypeId) -> Maker {
        let code = MadeCode::new(&m.universe, method, Some(Repr::Ref));
        Maker { code, values: Vec::new(), element }
    }

    fn load(&mut self, m: &Machine, s: &State, ty: TypeId, value: Value) -> Step<()> {
        let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
        let argument = self.code.argument(ty, repr);
        self.code.ops.push(Op::LdVar(argument));
        self.values.push(value);
        Ok(())
    }

    fn call(&mut self, m: &Machine, s: &State, method: MethodId) -> Step<u32> {
        self.code.call(&m.universe, method).map_err(|gap| give_up(s, gap))
    }

    /// `array[index] = new Attribute(…) { … }`
    fn add(
        &mut self,
        m: &mut Machine,
        s: &mut State,
        assembly: AssemblyId,
        index: usize,
        from: &Attribute,
    ) -> Step<()> {
        let data = m.runtime_data(s, from.value.clone());
        let mut reader = Reader::new(m, s, data, data + from.value.len() as u64, assembly)?;
        self.code.ops.extend([Op::Dup, Op::LdI4(index as i32)]);
        let sig = m.universe.signature(from.constructor).map_err(|e| failed(s, e))?.clone();
        let mut named = 0;
        if !from.value.is_empty() {
            reader.number(s, 2)?;
            for ty in sig.params.iter() {
                let value = element(m, s, &mut reader, *ty)?;
                self.load(m, s, *ty, value)?;
            }
            named = reader.number(s, 2)?;
        }
        let site = self.call(m, s, from.constructor)?;
        self.code.ops.push(Op::NewObj(site));
        let class = m.universe.method(from.constructor).owner;
        for _ in 0..named {
            self.set(m, s, &mut reader, class)?;
        }
        self.code.ops.push(Op::StElem(self.element, Repr::Ref));
        Ok(())
    }

    /// A field or property of the new object.
    fn set(&mut self, m: &mut Machine, s: &mut State, reader: &mut Reader, class: TypeId) -> Step<()> {
        let is_property = reader.number(s, 1)? == 0x54;
        let ty = tagged_type(m, s, reader)?;
        let name = reader.text(s)?.unwrap_or_default();
        let value = element(m, s, reader, ty)?;
        let setter = format!("set_{name}");
        let mut next = Some(class);
        while let Some(class) = next {
            if is_property
                && let Some(&method) =
                    m.universe.methods_named(class, &setter).map_err(|e| failed(s, e))?.first()
            {
                self.code.ops.push(Op::Dup);
                let parameter =
                    m.universe.signature(method).map_err(|e| failed(s, e))?.params.first().copied();
                self.load_as(m, s, ty, parameter.unwrap_or(ty), value)?;
                let site = self.call(m, s, method)?;
                self.code.ops.push(Op::Call(site));
                return Ok(());
            }
            if !is_property
                && let Some(field) = m.universe.find_field(class, &name).map_err(|e| failed(s, e))?
            {
                self.code.ops.push(Op::Dup);
                let field_type = m.universe.field_type(field).map_err(|e| failed(s, e))?;
                self.load_as(m, s, ty, field_type, value)?;
                let field = self.code.field(&m.universe, field).map_err(|gap| give_up(s, gap))?;
                self.code.ops.push(Op::StFld(field));
                return Ok(());
            }
            next = m.universe.base(class).map_err(|e| failed(s, e))?;
        }
        Err(unsupported(s, &format!("an attribute that names {name}")))
    }

    /// A value for a place of another type: an `object` takes it boxed.
    fn load_as(
        &mut self,
        m: &mut Machine,
        s: &mut State,
        ty: TypeId,
        place: TypeId,
        value: Value,
    ) -> Step<()> {
        let value = match m.universe.is_value_type(place) {
            true => value,
            false => m.boxed(s, ty, value)?,
        };
        self.load(m, s, place, value)
    }
}
