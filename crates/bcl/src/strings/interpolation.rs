//! Interpolated strings and `string.Format` in exploration.
//!
//! The class library writes digits into a buffer, which would split every number into its cases. Here the text so far is a
//! string that is put off ([`vm::deferred_text`]), and each part is put off as well, unless it is made by the user's own
//! code, which runs at once.

use std::rc::Rc;

use types::{Constrained, MethodId, Primitive, TypeId};

use crate::strings::composite_format::{MAX_ALIGNMENT, Piece, pieces};
use crate::table::{Entry, enter, enter_one, failed};
use verdict::Gap;
use vm::MadeCode;
use vm::bytes::Bytes;
use vm::code::{Code, Op};
use vm::decode::repr_of;
use vm::heap::BlockKind;
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const HANDLER: &str = "System.Runtime.CompilerServices.DefaultInterpolatedStringHandler";
/// The field of the handler that is used for the text so far.
const SO_FAR: &str = "_arrayToReturnToPool";
/// The one that keeps who provides formats.
const PROVIDER: &str = "_provider";
/// The most parts that are put off.
const MAX_PARTS: usize = 64;

pub(crate) const TABLE: &[Entry] = &[
    enter(HANDLER, ".ctor", begin),
    enter(HANDLER, "AppendLiteral", literal),
    enter(HANDLER, "AppendFormatted", formatted),
    enter(HANDLER, "ToStringAndClear", finish),
    enter(HANDLER, "ToString", finish),
    enter(HANDLER, "Clear", clear),
    enter(HANDLER, "get_Text", refused),
    enter_one(
        "System.String",
        "FormatHelper",
        "System.IFormatProvider,System.String,System.ReadOnlySpan`1[System.Object]",
        format,
    ),
    enter_one(
        "System.Text.StringBuilder",
        "AppendFormat",
        "System.IFormatProvider,System.String,System.ReadOnlySpan`1[System.Object]",
        append_format,
    ),
];

/// A part of a text.
enum Part {
    /// A string, or null for an empty one.
    Text(u64),
    /// User code makes it.
    Made(MethodId, Vec<Value>),
}

/// `(this, literal length, number of holes)`, then a provider if there is one.
fn begin(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (place, provider) = (so_far(m, s, call)?, place_of(m, s, call, PROVIDER)?);
    m.store(s, place, Repr::Ref, Value::NULL)?;
    let given = if call.args.len() > 3 { call.number(m, s, 3)? } else { 0 };
    if given != 0 && !m.is_framework(m.object_type(s, given)?) {
        return Err(unsupported(s, "formats that the program provides"));
    }
    m.store(s, provider, Repr::Ref, Value::address(given))?;
    m.returned(s, after, None)
}

fn clear(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let place = so_far(m, s, call)?;
    m.store(s, place, Repr::Ref, Value::NULL)?;
    m.returned(s, after, None)
}

fn literal(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let place = so_far(m, s, call)?;
    let text = call.number(m, s, 1)?;
    append_text(m, s, place, text, 0)?;
    m.returned(s, after, None)
}

fn finish(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let place = so_far(m, s, call)?;
    let text = match m.load(s, place, Repr::Ref)? {
        Value::I64(0) => Value::address(m.intern(s, &[])?),
        text => text,
    };
    m.returned(s, after, Some(text))
}

fn refused(_: &mut Machine, s: &mut State, _: &Call, _: OnReturn) -> Step {
    Err(unsupported(s, "the buffer of an interpolated string"))
}

/// `(this, value)`, then an alignment and a format if there are any.
fn formatted(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let place = so_far(m, s, call)?;
    let signature = m.universe.signature(call.method).map_err(|error| failed(s, error))?;
    let Some(&ty) = signature.params.first() else { return Err(unsupported(s, "text of nothing")) };
    let (mut alignment, mut format) = (0, 0);
    for (index, &parameter) in signature.params.iter().enumerate().skip(1) {
        if m.universe.primitive(parameter) == Some(Primitive::I4) {
            alignment = call.number(m, s, index + 1)? as i32;
        } else {
            format = call.number(m, s, index + 1)?;
        }
    }
    if alignment.checked_abs().is_none_or(|width| width > MAX_ALIGNMENT) {
        return Err(unsupported(s, "text of such a width"));
    }
    let value = call.value(s, 1)?;
    let provider = place_of(m, s, call, PROVIDER)?;
    let manner = Manner { format, provider: m.load_word(s, provider)? };
    match part(m, s, ty, &value, manner)? {
        Part::Text(text) => {
            append_text(m, s, place, text, alignment)?;
            m.returned(s, after, None)
        }
        Part::Made(method, arguments) => {
            let code = m.body(method).map_err(|gap| give_up(s, gap))?;
            if !matches!(after, OnReturn::Push) {
                return Err(unsupported(s, "an interpolated string made by reflection"));
            }
            let frame = m.frame(s, code, arguments, after_part(place, alignment))?;
            s.push_frame(frame);
            Ok(Flow::Reload)
        }
    }
}

fn so_far(m: &mut Machine, s: &State, call: &Call) -> Step<u64> {
    place_of(m, s, call, SO_FAR)
}

/// The address of a field of the handler.
fn place_of(m: &mut Machine, s: &State, call: &Call, field: &str) -> Step<u64> {
    let owner = m.universe.method(call.method).owner;
    let field = m.universe.find_field(owner, field).map_err(|error| failed(s, error))?;
    let Some(field) = field else { return Err(unsupported(s, "the interpolated strings of this runtime")) };
    let offset = m.universe.field_offset(field).map_err(|error| failed(s, error))?;
    Ok(call.number(m, s, 0)? + u64::from(offset))
}

/// How a value is to be written: strings and objects, or null.
#[derive(Clone, Copy)]
struct Manner {
    format: u64,
    provider: u64,
}

/// The text of a value of a type.
fn part(m: &mut Machine, s: &mut State, ty: TypeId, value: &Value, manner: Manner) -> Step<Part> {
    if m.universe.is_value_type(ty) {
        let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
        let block = s.heap.allocate(BlockKind::Object(ty), Bytes::zeroed(repr.size().max(1) as usize));
        m.store(s, block.address(), repr, value.clone())?;
        return part_at(m, s, ty, block.address(), manner);
    }
    let object = match value {
        Value::I64(object) => object.cast_unsigned(),
        _ => return Err(unsupported(s, "text of something that is no object")),
    };
    if object == 0 {
        return Ok(Part::Text(0));
    }
    let exact = m.object_type(s, object)?;
    if m.universe.well_known().is_ok_and(|known| known.string == exact) {
        return Ok(Part::Text(object));
    }
    if m.universe.is_value_type(exact) {
        return part_at(m, s, exact, object, manner);
    }
    if is_formattable(m, s, exact)? {
        if !m.is_framework(exact) || &*m.universe.type_name(exact) == "System.FormattableString" {
            return made_by_format(m, s, exact, object, manner);
        }
        return m.opaque_string(s).map(Part::Text);
    }
    let method = to_string(m, s, exact)?;
    Ok(Part::Made(method, vec![Value::address(object)]))
}

/// The text of a value that lies somewhere.
fn part_at(m: &mut Machine, s: &mut State, ty: TypeId, address: u64, manner: Manner) -> Step<Part> {
    // A structure of the class library over types of the program asks these for their text.
    let is_known = |m: &Machine, ty| {
        m.universe.is_enum(ty)
            || m.is_framework(m.universe.definition(ty)) && m.universe.type_args(ty).is_empty()
    };
    if let Some(present) = m.universe.nullable_argument(ty) {
        return match is_known(m, present) {
            true => m.opaque_string(s).map(Part::Text),
            false => Err(unsupported(s, "text of a value that may be none")),
        };
    }
    let own = is_known(m, ty);
    if !own {
        if is_formattable(m, s, ty)? {
            return made_by_format(m, s, ty, address, manner);
        }
        let object = m.core_type(s, "System.Object")?;
        let declared = m.universe.find_method(object, "ToString", &[]).map_err(|error| failed(s, error))?;
        let Some(declared) = declared else { return Err(unsupported(s, "text of a value")) };
        let method = match m.universe.resolve_constrained(ty, declared) {
            Ok(
                Constrained::Direct(method) | Constrained::Boxed(method) | Constrained::Dereference(method),
            ) => method,
            Err(error) => return Err(failed(s, error)),
        };
        return Ok(Part::Made(method, vec![Value::address(address)]));
    }
    let size = m.universe.size_of(ty).map_err(|error| failed(s, error))?;
    let value = m.load_bytes(s, address, size as usize)?;
    if is_plain(m, ty) && manner.format == 0 && manner.provider == 0 {
        let method = m.universe.find_method(ty, "ToString", &[]).map_err(|error| failed(s, error))?;
        let Some(method) = method else { return Err(unsupported(s, "text of a number")) };
        return m.put_off(s, method, Vec::new(), Some(value)).map(Part::Text);
    }
    match known_format(m, s, ty, manner)? {
        Some(method) if value.concrete().is_some() || is_plain(m, ty) && manner.format == 0 => {
            let manner = vec![Value::address(manner.format), Value::address(manner.provider)];
            m.put_off(s, method, manner, Some(value)).map(Part::Text)
        }
        _ => m.opaque_string(s).map(Part::Text),
    }
}

/// Code of the program makes the text: `IFormattable.ToString(format, provider)`, unless it wants to write it itself.
fn made_by_format(m: &mut Machine, s: &State, ty: TypeId, address: u64, manner: Manner) -> Step<Part> {
    let (string, provider) = (m.core_type(s, "System.String")?, m.core_type(s, "System.IFormatProvider")?);
    let spans = m.core_type(s, "System.ISpanFormattable")?;
    if m.universe.is_assignable(ty, spans).map_err(|error| failed(s, error))? {
        return Err(unsupported(s, "text that the program writes into a buffer"));
    }
    let formattable = m.core_type(s, "System.IFormattable")?;
    let declared = m.universe.find_method(formattable, "ToString", &[string, provider]);
    let Some(declared) = declared.map_err(|error| failed(s, error))? else {
        return Err(unsupported(s, "the formats of this runtime"));
    };
    let method = match m.universe.resolve_constrained(ty, declared) {
        Ok(Constrained::Direct(method)) if m.universe.is_value_type(ty) => method,
        Ok(_) if m.universe.is_value_type(ty) => return Err(unsupported(s, "text of a boxed value")),
        _ => m.universe.resolve_virtual(ty, declared).map_err(|error| failed(s, error))?,
    };
    let manner = [Value::address(manner.format), Value::address(manner.provider)];
    Ok(Part::Made(method, [vec![Value::address(address)], manner.to_vec()].concat()))
}

/// Whether the text of a value is made of its digits alone.
fn is_plain(m: &Machine, ty: TypeId) -> bool {
    let is_number = matches!(
        m.universe.primitive(ty),
        Some(
            Primitive::Boolean
                | Primitive::Char
                | Primitive::I1
                | Primitive::U1
                | Primitive::I2
                | Primitive::U2
                | Primitive::I4
                | Primitive::U4
                | Primitive::I8
                | Primitive::U8
        )
    );
    is_number && !m.universe.is_enum(ty)
}

/// `ToString(format, provider)` of a structure of the class library, where nobody else has a say in what it gives.
fn known_format(m: &mut Machine, s: &State, ty: TypeId, manner: Manner) -> Step<Option<MethodId>> {
    if m.universe.is_enum(ty) || !is_fixed_provider(m, s, manner.provider)? {
        return Ok(None);
    }
    let (string, provider) = (m.core_type(s, "System.String")?, m.core_type(s, "System.IFormatProvider")?);
    m.universe.find_method(ty, "ToString", &[string, provider]).map_err(|error| failed(s, error))
}

/// Whether a provider, if there is one, says the same whenever it is asked: a culture or its formats that nobody can change.
pub(crate) fn is_fixed_provider(m: &mut Machine, s: &State, provider: u64) -> Step<bool> {
    if provider == 0 {
        return Ok(true);
    }
    let class = m.object_type(s, provider)?;
    let is_known = FIXED_PROVIDERS.contains(&&*m.universe.type_name(class)) && m.is_framework(class);
    Ok(is_known && matches!(m.load_field(s, provider, "_isReadOnly", Repr::U1)?, Value::I32(1)))
}

/// Classes whose objects know whether they can be changed.
const FIXED_PROVIDERS: [&str; 3] = [
    "System.Globalization.CultureInfo",
    "System.Globalization.NumberFormatInfo",
    "System.Globalization.DateTimeFormatInfo",
];

fn to_string(m: &mut Machine, s: &State, exact: TypeId) -> Step<MethodId> {
    let object = m.core_type(s, "System.Object")?;
    let declared = m.universe.find_method(object, "ToString", &[]).map_err(|error| failed(s, error))?;
    let Some(declared) = declared else { return Err(unsupported(s, "text of an object")) };
    m.universe.resolve_virtual(exact, declared).map_err(|error| failed(s, error))
}

fn is_formattable(m: &mut Machine, s: &State, ty: TypeId) -> Step<bool> {
    let formattable = m.core_type(s, "System.IFormattable")?;
    m.universe.is_assignable(ty, formattable).map_err(|error| failed(s, error))
}

/// Appends a text to the one that is at a place, padded if there is an alignment.
pub(crate) fn append_text(m: &mut Machine, s: &mut State, place: u64, text: u64, alignment: i32) -> Step<()> {
    let text = if alignment == 0 { text } else { padded(m, s, text, alignment)? };
    let before = match m.load(s, place, Repr::Ref)? {
        Value::I64(before) => before.cast_unsigned(),
        _ => return Err(unsupported(s, "an interpolated string that is not known")),
    };
    let all = if text == 0 { before } else { joined(m, s, before, text)? };
    m.store(s, place, Repr::Ref, Value::address(all))
}

/// One text after the other.
pub(crate) fn joined(m: &mut Machine, s: &mut State, a: u64, b: u64) -> Step<u64> {
    let string = m.core_type(s, "System.String")?;
    let concat = m.universe.find_method(string, "Concat", &[string, string]);
    match concat.map_err(|error| failed(s, error))? {
        Some(concat) => m.put_off(s, concat, vec![Value::address(a), Value::address(b)], None),
        None => Err(unsupported(s, "the strings of this runtime")),
    }
}

fn padded(m: &mut Machine, s: &mut State, text: u64, alignment: i32) -> Step<u64> {
    let text = if text == 0 { m.intern(s, &[])? } else { text };
    let string = m.core_type(s, "System.String")?;
    let int = m.core_type(s, "System.Int32")?;
    let name = if alignment < 0 { "PadRight" } else { "PadLeft" };
    let pad = m.universe.find_method(string, name, &[int]).map_err(|error| failed(s, error))?;
    let width = Value::I32(alignment.abs());
    match pad {
        Some(pad) => m.put_off(s, pad, vec![Value::address(text), width], None),
        None => Err(unsupported(s, "the strings of this runtime")),
    }
}

/// Appends what user code makes as a part to the text at this place.
fn after_part(place: u64, alignment: i32) -> OnReturn {
    OnReturn::Model { then: appended, data: [place, i64::from(alignment).cast_unsigned()] }
}

/// User code has made a part.
fn appended(m: &mut Machine, s: &mut State, value: Option<Value>, [place, alignment]: [u64; 2]) -> Step {
    let text = match value {
        Some(Value::I64(text)) => text.cast_unsigned(),
        Some(Value::Term(term)) => match m.settled(s, &Value::Term(term)) {
            Some(Value::I64(text)) => text.cast_unsigned(),
            // Nobody has looked at it yet: it stays unknown.
            _ => m.opaque_string(s)?,
        },
        _ => return Err(give_up(s, Gap::internal_error("a part that is no text"))),
    };
    append_text(m, s, place, text, alignment.cast_signed() as i32)?;
    Ok(Flow::Next)
}

/// A format that is known becomes calls of a handler; any other, and one that is wrong, is left to the class library.
fn format(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let known = pieces_and_values(m, s, call, 0)?;
    let Some((pieces, values)) = known else { return m.enter_body(s, call, after) };
    let code = format_code(m, s, call.method, &pieces, values.len() - 1, None)?;
    let frame = m.frame(s, Rc::new(code), values, after)?;
    s.push_frame(frame);
    Ok(Flow::Reload)
}

/// `Append(string.Format(...))`.
fn append_format(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let known = pieces_and_values(m, s, call, 1)?;
    let Some((pieces, mut values)) = known else { return m.enter_body(s, call, after) };
    let owner = m.universe.method(call.method).owner;
    let string = m.core_type(s, "System.String")?;
    let append = m.universe.find_method(owner, "Append", &[string]).map_err(|error| failed(s, error))?;
    let Some(append) = append else { return Err(unsupported(s, "the builders of this runtime")) };
    let code = format_code(m, s, call.method, &pieces, values.len() - 1, Some(append))?;
    values.push(call.value(s, 0)?);
    let frame = m.frame(s, Rc::new(code), values, after)?;
    s.push_frame(frame);
    Ok(Flow::Reload)
}

type Known = (Vec<Piece>, Vec<Value>);

/// What follows from a provider, a format and a span of values, the provider being the argument of this number: pieces, and
/// the values followed by the provider.
fn pieces_and_values(m: &mut Machine, s: &mut State, call: &Call, at: usize) -> Step<Option<Known>> {
    let (provider, format) = (call.number(m, s, at)?, call.number(m, s, at + 1)?);
    if format == 0 || provider != 0 && !m.is_framework(m.object_type(s, provider)?) {
        return Ok(None);
    }
    let (block, _) = vm::heap::split_address(format);
    if s.heap.get(block).is_none_or(|block| block.bytes.concrete().is_none() || block.bytes.is_empty()) {
        return Ok(None);
    }
    let text = m.text(s, format)?;
    let Value::Struct(span) = call.value(s, at + 2)? else { return Ok(None) };
    let first = span.read(0, 8, &mut m.terms).ok();
    let count = span.read(8, 4, &mut m.terms).ok();
    let (Some(vm::bytes::Bits::Concrete(first)), Some(vm::bytes::Bits::Concrete(count))) = (first, count)
    else {
        return Ok(None);
    };
    let Some(pieces) = pieces(&text, count as usize).filter(|pieces| pieces.len() <= MAX_PARTS) else {
        return Ok(None);
    };
    let mut values = Vec::new();
    for index in 0..count {
        let value = m.load(s, first + 8 * index, Repr::Ref)?;
        values.push(value);
    }
    values.push(Value::address(provider));
    Ok(Some((pieces, values)))
}

/// `handler.AppendLiteral(...)`, `handler.AppendFormatted(value, alignment, format)`, …: the text, or what `Append` of a
/// builder gives for it, which comes after the values and the provider.
fn format_code(
    m: &mut Machine,
    s: &State,
    method: MethodId,
    pieces: &[Piece],
    count: usize,
    append: Option<MethodId>,
) -> Step<Code> {
    let (handler, object) = (m.core_type(s, HANDLER)?, m.core_type(s, "System.Object")?);
    let (string, int) = (m.core_type(s, "System.String")?, m.core_type(s, "System.Int32")?);
    let formats = m.core_type(s, "System.IFormatProvider")?;
    let mut made = MadeCode::new(&m.universe, method, Some(Repr::Ref));
    let member = |made: &mut MadeCode, name, parameters: &[TypeId]| -> Step<Op> {
        let found = m.universe.find_method(handler, name, parameters).map_err(|error| failed(s, error))?;
        let Some(method) = found else { return Err(unsupported(s, "the formats of this runtime")) };
        made.call(&m.universe, method).map(Op::Call).map_err(|gap| give_up(s, gap))
    };
    let start = member(&mut made, ".ctor", &[int, int, formats])?;
    let append_literal = member(&mut made, "AppendLiteral", &[string])?;
    let append_value = member(&mut made, "AppendFormatted", &[object, int, string])?;
    let finish = member(&mut made, "ToStringAndClear", &[])?;
    for _ in 0..count {
        made.argument(object, Repr::Ref);
    }
    let provider = made.argument(formats, Repr::Ref);
    if let Some(append) = append {
        let builder = made.argument(m.universe.method(append).owner, Repr::Ref);
        made.ops.push(Op::LdVar(builder));
    }
    let size = m.universe.size_of(handler).map_err(|error| failed(s, error))?;
    let text = made.local(handler, Repr::Struct { size });
    made.keep_in_memory(text);
    made.ops.extend([Op::LdVarAddr(text), Op::LdI4(0), Op::LdI4(0), Op::LdVar(provider), start]);
    for piece in pieces {
        made.ops.push(Op::LdVarAddr(text));
        match piece {
            Piece::Literal(literal) => {
                let literal = Op::LdStr(made.literal(literal));
                made.ops.extend([literal, append_literal]);
            }
            Piece::Hole { index, alignment, format } => {
                let format = match &format[..] {
                    [] => Op::LdNull,
                    format => Op::LdStr(made.literal(format)),
                };
                made.ops.extend([Op::LdVar(*index), Op::LdI4(*alignment), format, append_value]);
            }
        }
    }
    made.ops.extend([Op::LdVarAddr(text), finish]);
    if let Some(append) = append {
        let append = made.call(&m.universe, append).map_err(|gap| give_up(s, gap))?;
        made.ops.push(Op::Call(append));
    }
    made.ops.push(Op::Ret);
    Ok(made.finish())
}
