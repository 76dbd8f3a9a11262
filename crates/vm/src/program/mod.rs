//! A whole program: from the entry point of an assembly to the exit code of its process.

pub(crate) mod mono;

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use types::{AssemblyId, MethodId};

use crate::code::Code;
use crate::flavor::Flavor;
use crate::host::Output;
use crate::machine::Machine;
use crate::state::{Frame, OnReturn, State};
use crate::stop::{PathEnd, Stop};
use crate::value::{Repr, Value};
use verdict::Gap;

/// What `abort` leaves as the exit code of a process.
pub const ABORTED: i32 = 134;

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Exited(i32),
    /// The machine could not go on.
    Stopped {
        gap: Gap,
        /// The methods on the stack, innermost first, with the IL offset each stands at.
        stack: Vec<String>,
    },
}

/// How long a program may run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub max_steps: u64,
    pub deadline: Option<Instant>,
}

impl Limits {
    pub const NONE: Limits = Limits { max_steps: u64::MAX, deadline: None };
}

/// Runs the entry point with these arguments. `limits` bounds the instructions and the time.
pub fn run(machine: &mut Machine, assembly: AssemblyId, arguments: &[String], limits: Limits) -> Ending {
    let entry = match entry_point(machine, assembly) {
        Ok(entry) => entry,
        Err(gap) => return Ending::Stopped { gap, stack: Vec::new() },
    };
    let mut state = match start(machine, entry, arguments) {
        Ok(state) => state,
        Err(gap) => return Ending::Stopped { gap, stack: Vec::new() },
    };
    let stop = go(machine, &mut state, limits);
    let ending = match stop {
        Stop::End(PathEnd::Returned(_)) => match others(machine, &mut state, limits) {
            Some(ending) => ending,
            None => ended(machine, &mut state, stop, limits),
        },
        stop => ended(machine, &mut state, stop, limits),
    };
    match ending {
        Ending::Exited(code) if code != ABORTED => at_exit(machine, state, code, limits),
        ending => ending,
    }
}

fn ended(machine: &mut Machine, state: &mut State, stop: Stop, limits: Limits) -> Ending {
    match stop {
        Stop::End(PathEnd::Returned(Some(Value::I32(code)))) => Ending::Exited(code),
        Stop::End(PathEnd::Returned(_)) => Ending::Exited(state.runtime.exit_code),
        Stop::End(PathEnd::Exited(code)) => Ending::Exited(code),
        Stop::End(PathEnd::Threw { exception, .. }) => unhandled(machine, state, exception, limits),
        stop => stopped(state, stop),
    }
}

/// Instructions of a thread's turn, and the time that they take.
const TURN: u64 = 1 << 17;
const NANOSECONDS_OF_TURN: u64 = 100_000;

/// The time that the end of a thread takes. Otherwise no time would pass where threads that end soon follow one another.
const NANOSECONDS_OF_END: u64 = 50_000;

/// Runs until the call that the running thread began with is over.
pub fn go(machine: &mut Machine, state: &mut State, limits: Limits) -> Stop {
    let awaited = state.threads.current();
    loop {
        match turn(machine, state, limits) {
            Stop::End(PathEnd::Returned(_)) if state.threads.current() != awaited => {
                if let Some(stop) = time_is_up(machine, state, limits) {
                    return stop;
                }
                state.threads_mut().pass(NANOSECONDS_OF_END);
                if let Err(stop) = machine.thread_ended(state) {
                    return *stop;
                }
            }
            Stop::OutOfSteps if state.steps < limits.max_steps => {}
            stop => return stop,
        }
    }
}

/// Runs the other threads that keep the process alive after its main thread; how it ended, if not by their ends.
fn others(machine: &mut Machine, state: &mut State, limits: Limits) -> Option<Ending> {
    if state.threads.is_alone() {
        return None;
    }
    let mut ended = machine.end_current(state);
    while ended.is_ok() && state.threads.has_foreground() {
        if let Err(stop) = machine.next_thread(state) {
            return Some(stopped(state, *stop));
        }
        match until_end(machine, state, limits) {
            Stop::End(PathEnd::Returned(_)) => {
                if let Some(stop) = time_is_up(machine, state, limits) {
                    return Some(stopped(state, stop));
                }
                state.threads_mut().pass(NANOSECONDS_OF_END);
                ended = machine.thread_ends(state);
            }
            stop => return Some(self::ended(machine, state, stop, limits)),
        }
    }
    if let Err(stop) = ended {
        return Some(stopped(state, *stop));
    }
    machine.return_to_main(state);
    None
}

/// Runs until some thread's first call is over.
fn until_end(machine: &mut Machine, state: &mut State, limits: Limits) -> Stop {
    loop {
        match turn(machine, state, limits) {
            Stop::OutOfSteps if state.steps < limits.max_steps => {}
            stop => return stop,
        }
    }
}

/// A thread's turn.
fn turn(machine: &mut Machine, state: &mut State, limits: Limits) -> Stop {
    let left = limits.max_steps.saturating_sub(state.steps);
    let end = state.steps + left.min(TURN);
    let stop = loop {
        let stop = machine.run(state, end - state.steps);
        if matches!(stop, Stop::OutOfSteps) && state.collector.is_due(state) {
            machine.collect(state, 2);
        }
        if !matches!(stop, Stop::OutOfSteps) || state.steps >= end {
            break stop;
        }
    };
    if !matches!(stop, Stop::OutOfSteps) || state.steps >= limits.max_steps {
        return stop;
    }
    if let Some(stop) = time_is_up(machine, state, limits) {
        return stop;
    }
    state.threads_mut().pass(NANOSECONDS_OF_TURN);
    match machine.turn_over(state) {
        Ok(_) => Stop::OutOfSteps,
        Err(stop) => *stop,
    }
}

/// Why the program must not go on: somebody asks for its end, or its time is over.
fn time_is_up(machine: &Machine, state: &State, limits: Limits) -> Option<Stop> {
    if machine.interrupted.load(Ordering::Relaxed) {
        return Some(crate::machine::incomplete(state, Gap::cancelled()));
    }
    let is_over = limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    is_over.then(|| crate::machine::incomplete(state, Gap::timeout()))
}

fn entry_point(machine: &Machine, assembly: AssemblyId) -> Result<MethodId, Gap> {
    let token = machine.universe.assembly(assembly).module().entry_point();
    let method = token.and_then(cil::MethodDefId::from_token);
    let Some(method) = method else {
        let file = machine.universe.assembly(assembly).file().to_owned();
        return Err(Gap::invalid_code(format!("{file} has no entry point: it is a library")));
    };
    Ok(machine.universe.method_of_token(assembly, method)?)
}

fn start(machine: &mut Machine, entry: MethodId, arguments: &[String]) -> Result<State, Gap> {
    let code = machine.code(entry)?;
    let mut state = State::new(Frame::empty(Rc::clone(&code)));
    let args = match code.arg_count {
        0 => Vec::new(),
        _ => vec![Value::address(string_array(machine, &mut state, arguments)?)],
    };
    begin(machine, &mut state, code, args)?;
    state.start_collecting();
    Ok(state)
}

/// Makes a call the only thing that the state does.
pub fn begin(machine: &mut Machine, state: &mut State, code: Rc<Code>, args: Vec<Value>) -> Result<(), Gap> {
    let frame = machine.frame(state, code, args, OnReturn::EndPath).map_err(|stop| gap_of(*stop))?;
    state.restart(frame);
    if let Some(ty) = state.top.code.init_type {
        machine.ensure_initialized(state, ty).map_err(|stop| gap_of(*stop))?;
    }
    Ok(())
}

pub fn string_array(machine: &mut Machine, state: &mut State, texts: &[String]) -> Result<u64, Gap> {
    let string = machine.universe.well_known()?.string;
    let array = machine.allocate_array(state, string, texts.len() as u64).map_err(|stop| gap_of(*stop))?;
    let Some(array) = array else { return Err(Gap::memory_limit()) };
    for (i, text) in texts.iter().enumerate() {
        let units: Vec<u16> = text.encode_utf16().collect();
        let place = array + u64::from(crate::ops::ELEMENTS) + 8 * i as u64;
        machine
            .allocate_string(state, &units)
            .and_then(|text| machine.store(state, place, Repr::Ref, Value::address(text)))
            .map_err(|stop| gap_of(*stop))?;
    }
    Ok(array)
}

/// Handlers of `AppDomain.ProcessExit`, if the program has added any.
fn at_exit(machine: &mut Machine, mut state: State, code: i32, limits: Limits) -> Ending {
    state.runtime.exit_code = code;
    match exit_handlers(machine, &mut state) {
        Ok(Some(handlers)) => {
            if let Err(gap) = begin(machine, &mut state, handlers, Vec::new()) {
                return Ending::Stopped { gap, stack: Vec::new() };
            }
            let stop = go(machine, &mut state, limits);
            match ended(machine, &mut state, stop, limits) {
                Ending::Exited(ABORTED) => Ending::Exited(ABORTED),
                Ending::Exited(_) => Ending::Exited(code),
                stopped => stopped,
            }
        }
        Ok(None) => Ending::Exited(code),
        Err(gap) => Ending::Stopped { gap, stack: Vec::new() },
    }
}

fn exit_handlers(machine: &mut Machine, state: &mut State) -> Result<Option<Rc<Code>>, Gap> {
    if machine.flavor() == Flavor::Mono {
        return mono::exit_handlers(machine, state);
    }
    // The event belongs to the domain's object in some versions of the runtime and is static in others.
    for (class, field) in [("System.AppDomain", "s_domain"), ("System.AppContext", "ProcessExit")] {
        let class = machine.core_type(state, class).map_err(|stop| gap_of(*stop))?;
        let used = machine.static_reference(state, class, field).map_err(|stop| gap_of(*stop))?;
        if used.is_some()
            && let Some(method) = machine.universe.find_method(class, "OnProcessExit", &[])?
        {
            return machine.code(method).map(Some);
        }
    }
    Ok(None)
}

/// Tells the handlers of `AppDomain.UnhandledException`, if there are any.
fn tell_unhandled(machine: &mut Machine, state: &mut State, exception: u64) -> Result<bool, Gap> {
    let class = machine.core_type(state, "System.AppContext").map_err(|stop| gap_of(*stop))?;
    let handlers = machine.static_reference(state, class, "UnhandledException");
    let Some(handlers) = handlers.map_err(|stop| gap_of(*stop))? else { return Ok(false) };
    let object = machine.universe.well_known()?.object;
    if let Some(method) = machine.universe.find_method(class, "OnUnhandledException", &[object])? {
        let code = machine.code(method)?;
        begin(machine, state, code, vec![Value::address(exception)])?;
        return Ok(true);
    }
    // Older runtimes call the handlers themselves, without a sender.
    call_handlers(machine, state, handlers, 0, exception)?;
    Ok(true)
}

/// Makes the call of a `UnhandledExceptionEventHandler` the only thing that the state does.
pub(crate) fn call_handlers(
    machine: &mut Machine,
    state: &mut State,
    handlers: u64,
    sender: u64,
    exception: u64,
) -> Result<(), Gap> {
    let class = machine.core_type(state, "System.UnhandledExceptionEventArgs");
    let class = class.map_err(|stop| gap_of(*stop))?;
    let args = machine.allocate_instance(state, class).map_err(|stop| gap_of(*stop))?;
    for (name, other, repr, value) in [
        ("_exception", "_Exception", Repr::Ref, Value::address(exception)),
        ("_isTerminating", "_IsTerminating", Repr::U1, Value::bool(true)),
    ] {
        let at = machine.offset_of(state, class, &[name, other]);
        let at = at.map_err(|stop| gap_of(*stop))?;
        machine.store(state, args + u64::from(at), repr, value).map_err(|stop| gap_of(*stop))?;
    }
    let ty = machine.object_type(state, handlers).map_err(|stop| gap_of(*stop))?;
    let invoke = machine.universe.methods_named(ty, "Invoke")?.first().copied();
    let invoke = invoke.ok_or_else(|| Gap::invalid_code("a delegate that cannot be called"))?;
    let code = Rc::new(machine.trampoline(invoke)?);
    begin(machine, state, code, [handlers, sender, args].map(Value::address).to_vec())
}

/// What CoreCLR does with an exception that nobody catches: it writes the exception's own text and aborts.
fn unhandled(machine: &mut Machine, state: &mut State, exception: u64, limits: Limits) -> Ending {
    if machine.flavor() == Flavor::Mono {
        return mono::unhandled(machine, state, exception, limits);
    }
    let thrown = state.stack();
    state.stop_collecting();
    match tell_unhandled(machine, state, exception) {
        Ok(true) => match go(machine, state, limits) {
            Stop::End(PathEnd::Returned(_) | PathEnd::Threw { .. }) => {}
            Stop::End(PathEnd::Exited(code)) => return Ending::Exited(code),
            stop => return stopped(state, stop),
        },
        Ok(false) => {}
        Err(gap) => return Ending::Stopped { gap, stack: Vec::new() },
    }
    let text = match describe(machine, state, exception, limits) {
        Ok(text) => text,
        Err(ending) => return ending,
    };
    let line = format!("Unhandled exception. {text}\n");
    match machine.host.write(Output::Error, line.as_bytes()) {
        Ok(()) => {
            state.restore(thrown);
            run_finally(machine, state, exception, limits)
        }
        Err(denied) => Ending::Stopped { gap: Gap::native_call(denied.0), stack: Vec::new() },
    }
}

/// Since .NET 9 the runtime unwinds the stack before it aborts, so finally handlers run after the message.
fn run_finally(machine: &mut Machine, state: &mut State, exception: u64, limits: Limits) -> Ending {
    let core = machine.universe.corelib().map(|core| machine.universe.assembly(core).version());
    if core.is_ok_and(|version| version[0] < 9) {
        return Ending::Exited(ABORTED);
    }
    let stop = match machine.unwind_uncaught(state, exception) {
        Ok(_) => go(machine, state, limits),
        Err(stop) => *stop,
    };
    match stop {
        Stop::End(PathEnd::Exited(code)) => Ending::Exited(code),
        Stop::End(PathEnd::Threw { .. } | PathEnd::Returned(_)) => Ending::Exited(ABORTED),
        stop => stopped(state, stop),
    }
}

/// The exception's `ToString`.
pub fn describe(
    machine: &mut Machine,
    state: &mut State,
    exception: u64,
    limits: Limits,
) -> Result<String, Ending> {
    let method = to_string_of(machine, state, exception);
    let begun = method.and_then(|method| {
        let code = machine.code(method)?;
        begin(machine, state, code, vec![Value::address(exception)])
    });
    if let Err(gap) = begun {
        return Err(Ending::Stopped { gap, stack: Vec::new() });
    }
    match go(machine, state, limits) {
        Stop::End(PathEnd::Returned(Some(Value::I64(text)))) => {
            machine.string_at(state, text.cast_unsigned()).map_err(|stop| stopped(state, *stop))
        }
        Stop::End(PathEnd::Threw { .. }) => {
            // The text of an exception may fail itself; its type and trace are known without it.
            let ty = machine.object_type(state, exception).map_err(|stop| stopped(state, *stop))?;
            let trace = machine.trace_of(state, exception).map_err(|stop| stopped(state, *stop))?;
            let trace = machine.trace_text(trace.into_iter().map(|passed| passed.place).collect());
            Ok(format!("{}\n{trace}", machine.universe.type_name(ty)))
        }
        stop => Err(stopped(state, stop)),
    }
}

fn to_string_of(machine: &mut Machine, state: &State, object: u64) -> Result<MethodId, Gap> {
    let ty = machine.object_type(state, object).map_err(|stop| gap_of(*stop))?;
    let base = machine.universe.well_known()?.object;
    let Some(method) = machine.universe.find_method(base, "ToString", &[])? else {
        return Err(Gap::missing_reference("System.Object::ToString() is missing"));
    };
    Ok(machine.universe.resolve_virtual(ty, method)?)
}

pub fn stopped(state: &State, stop: Stop) -> Ending {
    let stack = state.frames().map(|frame| {
        let offset = frame.code.il_offsets.get(frame.pc as usize).copied().unwrap_or(0);
        format!("{} IL_{offset:04x}", frame.code.name)
    });
    Ending::Stopped { gap: gap_of(stop), stack: stack.collect() }
}

pub(crate) fn gap_of(stop: Stop) -> Gap {
    match stop {
        Stop::End(PathEnd::Incomplete { gap, .. }) => gap,
        Stop::OutOfSteps => Gap::step_limit(),
        Stop::Fork(_) | Stop::Concretize { .. } => {
            Gap::internal_error("a program without symbolic inputs forked")
        }
        Stop::End(_) => Gap::internal_error("the arguments do not fit the method"),
    }
}

impl Machine {
    /// What a stack that is too deep does to a process.
    pub(crate) fn stack_overflow(&mut self, s: &State) -> Box<Stop> {
        let trace = self.trace_text(s.frames().take(50).map(Frame::place).collect());
        match self.host.write(Output::Error, format!("Stack overflow.\n{trace}\n").as_bytes()) {
            Ok(()) => Box::new(Stop::End(PathEnd::Exited(ABORTED))),
            Err(denied) => crate::machine::give_up(s, Gap::native_call(denied.0)),
        }
    }
}
