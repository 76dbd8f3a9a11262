//! Stack traces: recorded while an exception passes through frames, written down when asked for.

use std::rc::Rc;

use types::{MethodId, MethodKind};

use super::{Call, Entry, all, one};
use crate::machine::{Machine, Step};
use crate::state::{State, UnwindTarget};
use crate::stop::Place;
use crate::value::{Repr, Value};

const EXCEPTION: &str = "System.Exception";

pub(super) const TABLE: &[Entry] = &[
    all(EXCEPTION, "GetStackTrace", stack_trace),
    all(EXCEPTION, "IsImmutableAgileException", no),
    all(EXCEPTION, "PrepareForForeignExceptionRaise", nothing),
    all(EXCEPTION, "GetFrozenStackTrace", frozen),
    all(EXCEPTION, "GetExceptionCount", zero),
    one(EXCEPTION, "GetMethodFromStackTrace", QCALL_METHOD, throwing_method),
];

const QCALL_METHOD: &str =
    "System.Runtime.CompilerServices.ObjectHandleOnStack,System.Runtime.CompilerServices.ObjectHandleOnStack";

fn no(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(false)))
}

fn zero(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I32(0)))
}

fn nothing(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(None)
}

/// Both arguments are handles: structures with the address of a local that holds a reference.
fn frozen(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let exception = handle_target(m, s, call, 0)?;
    let result = handle_target(m, s, call, 1)?;
    if let Value::I64(exception) = m.load(s, exception, Repr::Ref)? {
        let trace = m.load_field(s, exception.cast_unsigned(), "_stackTrace", Repr::Ref)?;
        m.store(s, result, Repr::Ref, trace)?;
    }
    Ok(None)
}

/// `(trace, out method)`: the method that threw.
fn throwing_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = handle_target(m, s, call, 0)?;
    let exception = m.load_word(s, place)?;
    let first = s.traces.get(&exception).and_then(|places| places.first().copied());
    if let Some(place) = first {
        let stub = m.method_stub(s, place.method)?;
        call.give(m, s, 1, stub)?;
    }
    Ok(None)
}

fn handle_target(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<u64> {
    match call.value(s, index)? {
        Value::Struct(bytes) => match bytes.read(0, 8, &mut m.terms) {
            Ok(crate::bytes::Bits::Concrete(address)) => Ok(address),
            _ => Err(crate::machine::unsupported(s, "a handle that is none")),
        },
        _ => call.number(m, s, index),
    }
}

fn stack_trace(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let exception = call.number(m, s, 0)?;
    let Some(places) = s.traces.get(&exception).cloned() else { return Ok(Some(Value::NULL)) };
    let units: Vec<u16> = m.trace_text(places).encode_utf16().collect();
    let text = m.allocate_string(s, &units)?;
    Ok(Some(Value::address(text)))
}

impl Machine {
    /// Adds the frames from the top to the one that handles the exception.
    pub(crate) fn record_trace(&mut self, s: &mut State, exception: u64, target: UnwindTarget) -> Step<()> {
        let last = match target {
            UnwindTarget::Catch { depth, .. } | UnwindTarget::Boundary { depth } => depth,
            UnwindTarget::Base { .. } => 1,
        };
        let count = (s.depth - last.min(s.depth)) as usize + 1;
        let mut places: Vec<Place> = s.frames().take(count).map(crate::state::Frame::place).collect();
        let trace = Rc::make_mut(&mut s.traces).entry(exception).or_default();
        // A frame that rethrows is in the trace already.
        if trace.last().is_some_and(|place| places.first().is_some_and(|p| p.method == place.method)) {
            places.remove(0);
        }
        trace.extend(places);
        // The class library only asks whether there is one.
        self.store_field(s, exception, "_stackTrace", Repr::Ref, Value::address(exception))
    }

    /// A line for each frame, as the class library writes them.
    pub(crate) fn trace_text(&self, places: Vec<Place>) -> String {
        let lines: Vec<String> = places.into_iter().map(|place| self.trace_line(place)).collect();
        lines.join("\n")
    }

    fn trace_line(&self, place: Place) -> String {
        let method = self.universe.method(place.method);
        let owner = self.universe.type_name(self.universe.definition(method.owner)).replace('+', ".");
        let names = self.parameter_names(place.method);
        let mut parameters = Vec::new();
        if let Ok(signature) = self.universe.signature(place.method) {
            for (i, ty) in signature.params.iter().enumerate() {
                let ty = self.universe.type_name(*ty);
                let simple = ty.split('[').next().unwrap_or(&ty);
                let simple = simple.rsplit(['.', '+']).next().unwrap_or(simple);
                let array = if ty.ends_with("[]") { "[]" } else { "" };
                let name = names.get(i).map(|name| format!(" {name}")).unwrap_or_default();
                parameters.push(format!("{simple}{array}{name}"));
            }
        }
        let source = self.source_of(place).unwrap_or_default();
        format!("   at {owner}.{}({}){source}", method.name, parameters.join(", "))
    }

    fn source_of(&self, place: Place) -> Option<String> {
        let MethodKind::Def { assembly, def } = self.universe.method(place.method).kind else { return None };
        let pdb = self.universe.assembly(assembly).pdb()?;
        let point = pdb.source_of(def, place.il_offset).ok()??;
        let file = pdb.document_name(point.document).ok()?;
        Some(format!(" in {file}:line {}", point.span?.start_line))
    }

    fn parameter_names(&self, method: MethodId) -> Vec<String> {
        let MethodKind::Def { assembly, def } = self.universe.method(method).kind else { return Vec::new() };
        let module = self.universe.assembly(assembly).module();
        let Ok(row) = module.method_def(def) else { return Vec::new() };
        let rows = row.params.filter_map(|id| module.param(id).ok());
        rows.filter(|param| param.sequence > 0).map(|param| param.name.to_owned()).collect()
    }
}
