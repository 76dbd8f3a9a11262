//! Stack traces: recorded while an exception passes through frames, written down when asked for.

use std::rc::Rc;

use types::{MethodId, MethodKind};

use crate::machine::{Flow, Machine, Step, give_up};
use crate::state::{Frame, OnReturn, State, TracePlace};
use crate::stop::Place;
use crate::value::{Repr, Value};

/// A place in a source file.
pub struct Source {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl Machine {
    /// Calls the handlers of `AppDomain.FirstChanceException`; `None` if there are none.
    pub(crate) fn tell_first_chance(
        &mut self,
        s: &mut State,
        exception: u64,
        thrown_at: Place,
        recorded: u32,
    ) -> Step<Option<Flow>> {
        let class = self.core_type(s, "System.AppContext")?;
        let Some(handlers) = self.static_reference(s, class, "FirstChanceException")? else {
            return Ok(None);
        };
        let class = self.core_type(s, "System.Runtime.ExceptionServices.FirstChanceExceptionEventArgs")?;
        let arguments = self.allocate_instance(s, class)?;
        let at = self.offset_of(s, class, &["<Exception>k__BackingField"])?;
        self.store(s, arguments + u64::from(at), Repr::Ref, Value::address(exception))?;
        let ty = self.object_type(s, handlers)?;
        let invoke = self.universe.methods_named(ty, "Invoke").map_err(|e| give_up(s, e.into()))?;
        let Some(&invoke) = invoke.first() else { return Ok(None) };
        s.top.stack.clear();
        s.top.stack.extend([handlers, 0, arguments].map(Value::address));
        let after = OnReturn::FirstChance { exception, thrown_at, recorded };
        self.invoke(s, invoke, 3, after).map(Some)
    }

    /// The list of places that an exception carries.
    pub fn trace_of(&mut self, s: &State, exception: u64) -> Step<Vec<TracePlace>> {
        match self.load_field(s, exception, "_stackTrace", Repr::Ref)? {
            Value::I64(list) => Ok(s.runtime.traces.get(&list.cast_unsigned()).cloned().unwrap_or_default()),
            _ => Ok(Vec::new()),
        }
    }

    /// A throw forgets where the exception has been before, unless it was told to go on from there.
    pub(crate) fn begin_trace(&mut self, s: &mut State, exception: u64) -> Step<()> {
        if !std::mem::take(&mut s.runtime.keeps_trace) {
            return self.store_field(s, exception, "_stackTrace", Repr::Ref, Value::NULL);
        }
        let mut places = self.trace_of(s, exception)?;
        if let Some(last) = places.last_mut() {
            last.ends_journey = true;
            return self.store_trace(s, exception, places);
        }
        Ok(())
    }

    /// Adds the frames from depth `recorded` (exclusive) down to `reached`.
    pub(crate) fn record_trace(
        &mut self,
        s: &mut State,
        exception: u64,
        reached: u32,
        recorded: u32,
    ) -> Step<()> {
        let skip = (s.depth + 1).saturating_sub(recorded) as usize;
        let count = recorded.saturating_sub(reached) as usize;
        let frames = s.frames().skip(skip).take(count).map(Frame::place);
        let passed: Vec<Place> = frames.filter(|place| self.is_shown(place.method)).collect();
        if passed.is_empty() {
            return Ok(());
        }
        let mut places = self.trace_of(s, exception)?;
        places.extend(passed.into_iter().map(|place| TracePlace { place, ends_journey: false }));
        self.store_trace(s, exception, places)
    }

    /// Lists never change: whoever holds one sees what it was.
    pub(crate) fn store_trace(&mut self, s: &mut State, exception: u64, places: Vec<TracePlace>) -> Step<()> {
        let class = self.core_type(s, "System.Object")?;
        let list = self.allocate_instance(s, class)?;
        Rc::make_mut(&mut s.runtime.traces).insert(list, places);
        self.store_field(s, exception, "_stackTrace", Repr::Ref, Value::address(list))
    }

    /// Code that the machine makes up (loops over invocation lists) has no place in traces.
    pub fn is_shown(&self, method: MethodId) -> bool {
        matches!(self.universe.body(method), Ok(Some(_)))
    }

    /// A line for each frame, as the class library writes them.
    pub fn trace_text(&self, places: Vec<Place>) -> String {
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
        let source = self.source_of(place);
        let source = source.map(|s| format!(" in {}:line {}", s.file, s.line)).unwrap_or_default();
        format!("   at {owner}.{}({}){source}", method.name, parameters.join(", "))
    }

    pub fn source_of(&self, place: Place) -> Option<Source> {
        let MethodKind::Def { assembly, def } = self.universe.method(place.method).kind else { return None };
        let pdb = self.universe.assembly(assembly).pdb()?;
        let point = pdb.source_of(def, place.il_offset).ok()??;
        let file = pdb.document_name(point.document).ok()?;
        let span = point.span?;
        Some(Source { file: file.to_string(), line: span.start_line, column: span.start_column })
    }

    pub fn parameter_names(&self, method: MethodId) -> Vec<String> {
        let MethodKind::Def { assembly, def } = self.universe.method(method).kind else { return Vec::new() };
        let module = self.universe.assembly(assembly).module();
        let Ok(row) = module.method_def(def) else { return Vec::new() };
        let rows = row.params.filter_map(|id| module.param(id).ok());
        rows.filter(|param| param.sequence > 0).map(|param| param.name.to_owned()).collect()
    }
}
