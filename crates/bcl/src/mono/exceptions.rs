//! Stack traces.

use types::{AssemblyId, MethodKind};

use crate::table::{Entry, all, native};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::stop::Place;
use vm::value::{Repr, Value};

pub(crate) const TABLE: &[Entry] = &[
    all("System.Environment", "GetStackTrace", |m, s, c| {
        let exception = c.number(m, s, 0)?;
        trace(m, s, exception)
    }),
    native("System.Diagnostics.StackTrace", "get_trace", frames),
];

fn trace(m: &mut Machine, s: &mut State, exception: u64) -> Step<Option<Value>> {
    let places = m.trace_of(s, exception)?;
    if places.is_empty() {
        return Ok(Some(Value::NULL));
    }
    let lines: Vec<String> = places.iter().map(|place| line(m, place.place)).collect();
    m.string(s, &lines.join("\n")).map(|text| Some(Value::address(text)))
}

/// A frame as Mono writes it without debugging symbols: the module stands for the file.
fn line(m: &Machine, place: Place) -> String {
    let method = m.universe.method(place.method);
    let owner = m.universe.type_name(m.universe.definition(method.owner));
    let mut parameters = Vec::new();
    if let Ok(signature) = m.universe.signature(place.method) {
        let names = m.parameter_names(place.method);
        for (i, ty) in signature.params.iter().enumerate() {
            let name = names.get(i).map(|name| format!(" {name}")).unwrap_or_default();
            parameters.push(format!("{}{name}", m.universe.type_name(*ty)));
        }
    }
    let module = match method.kind {
        MethodKind::Def { assembly, .. } => module_id(m, assembly),
        MethodKind::Array(_) => String::new(),
    };
    let (name, offset) = (&method.name, place.il_offset);
    format!("  at {owner}.{name} ({}) [0x{offset:05x}] in <{module}>:0 ", parameters.join(", "))
}

/// The module's version id, as its digits.
fn module_id(m: &Machine, assembly: AssemblyId) -> String {
    let module = m.universe.assembly(assembly).module();
    let id = module.module().ok().and_then(|row| row.mvid).map_or([0; 16], |id| id.0);
    // The first three groups are little-endian.
    let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    order.iter().filter_map(|i| id.get(*i)).map(|byte| format!("{byte:02x}")).collect()
}

/// `(exception, skipped frames, with files)`: a `StackFrame` for each place.
fn frames(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let exception = call.number(m, s, 0)?;
    let skip = call.number(m, s, 1)? as usize;
    let places = m.trace_of(s, exception)?;
    let class = m.core_type(s, "System.Diagnostics.StackFrame")?;
    let mut objects = Vec::new();
    for place in places.iter().skip(skip) {
        let frame = m.allocate_instance(s, class)?;
        let method = super::members::method_object(m, s, place.place.method)?;
        m.store_field(s, frame, "methodBase", Repr::Ref, Value::address(method))?;
        let offset = Value::I32(place.place.il_offset.cast_signed());
        m.store_field(s, frame, "ilOffset", Repr::I4, offset)?;
        objects.push(frame);
    }
    m.object_array(s, class, &objects).map(|array| Some(Value::address(array)))
}
