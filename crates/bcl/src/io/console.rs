//! The console: only its streams are modelled. Writers, readers and encodings above them are the class library's own.

use crate::answers::{nothing, null, yes};
use crate::process::environment::outside_value;
use crate::table::{Entry, all, enter};
use verdict::{Assumption, Gap};
use vm::host::Output;
use vm::inputs::outside::{Outside, StandardInput};
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

/// Nobody reads what is written in exploration.
pub(crate) const ALONE: &[Entry] = &[
    enter("System.Console", "CreateOutputWriter", nowhere),
    enter("System.Console", "ReadLine", read_line),
    enter("System.Console", "SetIn", replace_input),
];

const PAL: &str = "System.ConsolePal";
const STREAM: &str = "System.ConsolePal+UnixConsoleStream";

pub(crate) const TABLE: &[Entry] = &[
    // The terminal is never touched: a program run here always has its streams redirected.
    all(PAL, "EnsureConsoleInitialized", nothing),
    all(PAL, "EnsureInitializedCore", nothing),
    all(PAL, "OpenStandardInput", |m, s, _| open(m, s, Descriptor::In)),
    all(PAL, "OpenStandardOutput", |m, s, _| open(m, s, Descriptor::Out)),
    all(PAL, "OpenStandardError", |m, s, _| open(m, s, Descriptor::Error)),
    all(PAL, "IsInputRedirectedCore", yes),
    all(PAL, "IsOutputRedirectedCore", yes),
    all(PAL, "IsErrorRedirectedCore", yes),
    // No locale is set, so the console speaks UTF-8.
    all("System.Text.EncodingHelper", "GetCharset", null),
    all(STREAM, "Write", write),
    all(STREAM, "Read", read),
    all(STREAM, "Flush", nothing),
    all(STREAM, "Dispose", close),
];

/// The writer that a test run on the real runtime gets as well.
fn nowhere(m: &mut Machine, s: &mut State, _: &Call, _: OnReturn) -> Step {
    let class = m.core_type(s, "System.IO.TextWriter+NullTextWriter")?;
    let found = m.universe.find_method(class, ".ctor", &[]).map_err(|error| give_up(s, error.into()))?;
    let Some(constructor) = found else { return Err(unsupported(s, "the writers of this runtime")) };
    let writer = m.allocate_instance(s, class)?;
    s.top.stack.push(Value::address(writer));
    m.invoke(s, constructor, 1, OnReturn::PushObject(writer))
}

/// A line is an input: any text, or null at the end. Nothing comes after the end.
fn read_line(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let input = *s.attached.get::<StandardInput>();
    if input.replaced || m.inputs.any_world {
        return m.enter_body(s, call, after);
    }
    m.assume(Assumption::UsualEnvironment, |_| "standard input is text that ends once".to_owned());
    let is_at_end = input.lines > 0 && m.is_outside_null(s, &Outside::Line(input.lines - 1));
    let line = match is_at_end {
        true => Value::NULL,
        false => outside_value(m, s, &Outside::Line(input.lines))?,
    };
    s.attached.get_mut::<StandardInput>().lines += u32::from(!is_at_end);
    m.returned(s, after, Some(line))
}

fn replace_input(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    s.attached.get_mut::<StandardInput>().replaced = true;
    m.enter_body(s, call, after)
}

/// The numbers that streams carry in place of a handle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Descriptor {
    In = 0,
    Out = 1,
    Error = 2,
}

/// A stream object of the console's own class, with the descriptor's number where its handle would be.
fn open(m: &mut Machine, s: &mut State, descriptor: Descriptor) -> Step<Option<Value>> {
    let Some(assembly) =
        m.universe.load_by_name("System.Console").map_err(|error| give_up(s, error.into()))?
    else {
        return Err(give_up(s, Gap::missing_reference("System.Console is missing")));
    };
    let class = m.universe.find_type(assembly, STREAM).map_err(|error| give_up(s, error.into()))?;
    let Some(class) = class else { return Err(unsupported(s, "the console of this runtime")) };
    let stream = m.allocate_instance(s, class)?;
    let access = if descriptor == Descriptor::In { "_canRead" } else { "_canWrite" };
    m.store_field(s, stream, access, Repr::U1, Value::bool(true))?;
    m.store_field(s, stream, "_handle", Repr::Ref, Value::I64(descriptor as i64))?;
    Ok(Some(Value::address(stream)))
}

/// A closed stream refuses to be used; the descriptor behind it was a copy.
fn close(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let stream = call.number(m, s, 0)?;
    m.store_field(s, stream, "_canRead", Repr::U1, Value::bool(false))?;
    m.store_field(s, stream, "_canWrite", Repr::U1, Value::bool(false))?;
    Ok(None)
}

fn write(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let to = match descriptor(m, s, call)? {
        2 => Output::Error,
        _ => Output::Out,
    };
    let (data, len) = buffer(m, s, call)?;
    if len == 0 {
        return Ok(None);
    }
    let bytes = m.load_bytes(s, data, len)?;
    let Some(bytes) = bytes.concrete() else { return Err(unsupported(s, "symbolic text on the console")) };
    match m.host.write(to, bytes) {
        Ok(()) => Ok(None),
        Err(denied) => Err(m.denied(s, call, &denied)),
    }
}

fn read(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (data, len) = buffer(m, s, call)?;
    let bytes = match m.host.read(len) {
        Ok(bytes) => bytes,
        Err(denied) => return Err(m.denied(s, call, &denied)),
    };
    let count = bytes.len().min(len);
    if count > 0 {
        m.store_bytes(s, data, &vm::bytes::Bytes::from_vec(bytes))?;
    }
    Ok(Some(Value::I32(count as i32)))
}

fn descriptor(m: &mut Machine, s: &State, call: &Call) -> Step<u64> {
    let stream = call.number(m, s, 0)?;
    match m.load_field(s, stream, "_handle", Repr::Ref)? {
        Value::I64(number) => Ok(number.cast_unsigned()),
        _ => Err(unsupported(s, "a console stream without a handle")),
    }
}

/// Where the bytes are: a span, or an array with offset and count (which the caller has checked).
fn buffer(m: &mut Machine, s: &State, call: &Call) -> Step<(u64, usize)> {
    if let Value::Struct(span) = call.value(s, 1)? {
        return match (span.read(0, 8, &mut m.terms), span.read(8, 4, &mut m.terms)) {
            (Ok(vm::bytes::Bits::Concrete(data)), Ok(vm::bytes::Bits::Concrete(len))) => {
                Ok((data, len as usize))
            }
            _ => Err(unsupported(s, "a span that is none")),
        };
    }
    let array = call.number(m, s, 1)?;
    let offset = call.number(m, s, 2)?;
    let count = call.number(m, s, 3)?;
    Ok((array + u64::from(vm::ops::ELEMENTS) + offset, count as usize))
}
