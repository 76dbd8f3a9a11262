//! `StackFrameHelper`: the frames of an exception's trace or of the running thread, as the class library's `StackTrace`
//! reads them. Reading symbol files is done here too.

use crate::table::{Entry, all, failed};
use vm::Source;
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::{Frame, State, TracePlace};
use vm::value::{Repr, Value};

pub(crate) const TABLE: &[Entry] =
    &[all("System.Diagnostics.StackFrameHelper", "InitializeSourceInfo", initialize)];

/// `(this, [frames to skip,] with sources, exception or null)`.
fn initialize(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let helper = call.number(m, s, 0)?;
    let last = call.args.len() - 1;
    let with_sources = call.number(m, s, last - 1)? != 0;
    let places = match call.number(m, s, last)? {
        0 => running(m, s),
        exception => m.trace_of(s, exception)?,
    };
    fill(m, s, helper, &places, with_sources)?;
    Ok(None)
}

fn running(m: &Machine, s: &State) -> Vec<TracePlace> {
    let places = s.frames().map(Frame::place).filter(|place| m.is_shown(place.method));
    places.map(|place| TracePlace { place, ends_journey: false }).collect()
}

fn fill(m: &mut Machine, s: &mut State, helper: u64, places: &[TracePlace], with_sources: bool) -> Step<()> {
    m.store_field(s, helper, "iFrameCount", Repr::I4, Value::I32(places.len() as i32))?;
    let known = m.universe.well_known().map_err(|e| failed(s, e))?;
    let (int, boolean, string, native_int) = (known.int32, known.boolean, known.string, known.intptr);
    let sources: Vec<Option<Source>> =
        places.iter().map(|p| with_sources.then(|| m.source_of(p.place)).flatten()).collect();
    let offsets: Vec<Value> = places.iter().map(|p| Value::I32(p.place.il_offset.cast_signed())).collect();
    let handles: Vec<Value> = places.iter().map(|p| m.function_pointer(p.place.method)).collect();
    let ends: Vec<Value> = places.iter().map(|p| Value::bool(p.ends_journey)).collect();
    put(m, s, helper, "rgiOffset", int, Repr::I4, offsets.clone())?;
    put(m, s, helper, "rgiILOffset", int, Repr::I4, offsets)?;
    put(m, s, helper, "rgMethodHandle", native_int, Repr::I8, handles)?;
    put(m, s, helper, "rgiLastFrameFromForeignExceptionStackTrace", boolean, Repr::U1, ends)?;
    if !with_sources {
        return Ok(());
    }
    let line = |source: &Option<Source>| Value::I32(source.as_ref().map_or(0, |s| s.line.cast_signed()));
    let column = |source: &Option<Source>| Value::I32(source.as_ref().map_or(0, |s| s.column.cast_signed()));
    put(m, s, helper, "rgiLineNumber", int, Repr::I4, sources.iter().map(line).collect())?;
    put(m, s, helper, "rgiColumnNumber", int, Repr::I4, sources.iter().map(column).collect())?;
    let mut files = Vec::new();
    for source in &sources {
        files.push(match source {
            Some(source) => Value::address(m.string(s, &source.file)?),
            None => Value::NULL,
        });
    }
    put(m, s, helper, "rgFilename", string, Repr::Ref, files)
}

/// Stores an array of these values in a field.
fn put(
    m: &mut Machine,
    s: &mut State,
    helper: u64,
    field: &str,
    element: types::TypeId,
    repr: Repr,
    values: Vec<Value>,
) -> Step<()> {
    let Some(array) = m.allocate_array(s, element, values.len() as u64)? else {
        return Err(unsupported(s, "so many frames"));
    };
    for (i, value) in values.into_iter().enumerate() {
        m.store(s, array + u64::from(ELEMENTS) + u64::from(repr.size()) * i as u64, repr, value)?;
    }
    m.store_field(s, helper, field, Repr::Ref, Value::address(array))
}
