//! Threads, the thread pool and timers on one deterministic thread.
//!
//! Work is queued in the state. Whoever blocks runs the next piece of work on top of his own stack and then asks again;
//! if there is none, virtual time goes on to the next timer; if there is none either, the program is deadlocked.

use std::collections::VecDeque;
use std::rc::Rc;

use super::{Call, Entry, all, enter, native, native_enter};
use crate::machine::{Flow, Machine, Step, give_up, unsupported};
use crate::state::{OnReturn, State};
use crate::stop::Reason;
use crate::value::{Repr, Value};

const THREAD: &str = "System.Threading.Thread";
const QUEUE: &str = "System.Threading.ThreadPoolWorkQueue";
const MONITOR: &str = "System.Threading.Monitor";

pub(super) const TABLE: &[Entry] = &[
    native(THREAD, "GetCurrentThread", current_thread),
    native(THREAD, "Initialize", initialize_thread),
    native_enter(THREAD, "SleepInternal", sleep),
    native_enter(THREAD, "YieldInternal", yield_now),
    native(THREAD, "SpinWaitInternal", |_, _, _| Ok(None)),
    native(THREAD, "LongSpinWaitInternal", |_, _, _| Ok(None)),
    native(THREAD, "get_OptimalMaxSpinWaitsPerSpinIteration", |_, _, _| Ok(Some(Value::I32(1)))),
    native("System.Environment", "get_CurrentManagedThreadId", |_, _, _| Ok(Some(Value::I32(1)))),
    // Measures how fast the question is answered, by a clock that stands still.
    all(THREAD, "GetCurrentProcessorId", |_, _, _| Ok(Some(Value::I32(0)))),
    native("Interop+Sys", "SchedGetCpu", |_, _, _| Ok(Some(Value::I32(0)))),
    native("Interop+Sys", "TryGetUInt32OSThreadId", |_, _, _| Ok(Some(Value::I32(1)))),
    // Events are only waited for by threads of the runtime, which do not exist; a wait by the program is refused.
    all("System.Threading.EventWaitHandle", "CreateEventCore", |_, _, _| Ok(None)),
    native("Interop+Sys", "LowLevelMonitor_Create", |m, s, _| {
        Ok(Some(Value::address(m.runtime_data(s, vec![0; 8]))))
    }),
    native("Interop+Sys", "LowLevelMonitor_Destroy", |_, _, _| Ok(None)),
    native("Interop+Sys", "LowLevelMonitor_Acquire", |_, _, _| Ok(None)),
    native("Interop+Sys", "LowLevelMonitor_Release", |_, _, _| Ok(None)),
    native("Interop+Sys", "LowLevelMonitor_Signal_Release", |_, _, _| Ok(None)),
    all(QUEUE, "Enqueue", enqueue),
    all(QUEUE, "EnqueueAtHighPriority", enqueue_first),
    all(QUEUE, "LocalFindAndPop", take_back),
    enter("System.Threading.Tasks.Task", "SpinThenBlockingWait", wait_for_task),
    native_enter(MONITOR, "<Wait>g____PInvoke|", wait_for_pulse),
    native(MONITOR, "Pulse", |_, _, _| Ok(None)),
    native(MONITOR, "PulseAll", |_, _, _| Ok(None)),
    all("System.Threading.TimerQueue", "SetTimer", set_timer),
    native("Interop+Sys", "GetLowResolutionTimestamp", milliseconds),
    native("Interop+Sys", "GetTimestamp", nanoseconds),
    all("System.Environment", "get_TickCount64", milliseconds),
];

/// Work that waits for a thread, and timers, in virtual time.
#[derive(Clone, Debug, Default)]
pub struct Work {
    items: VecDeque<u64>,
    /// Timer queues and when they want to be called.
    timers: Vec<(u64, u64)>,
    /// Milliseconds since the start.
    now: u64,
    thread: u64,
    /// Of the bytes that pass for random ones.
    random: u64,
}

impl Work {
    /// Hundreds of nanoseconds that have passed by waiting.
    pub(super) fn elapsed_ticks(&self) -> u64 {
        self.now * 10_000
    }
}

impl State {
    /// A byte of the sequence that the seed begins (splitmix64).
    pub(super) fn next_random(&mut self, seed: u64) -> u8 {
        let work = Rc::make_mut(&mut self.work);
        work.random = work.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let sum = work.random.wrapping_add(seed.wrapping_mul(0xd134_2543_de82_ef95));
        let mixed = (sum ^ sum >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 40) as u8
    }
}

/// How long somebody is ready to wait.
#[derive(Clone, Copy)]
enum Patience {
    Forever,
    Milliseconds(u64),
}

fn patience(milliseconds: u64) -> Patience {
    match milliseconds as u32 {
        u32::MAX => Patience::Forever,
        milliseconds => Patience::Milliseconds(u64::from(milliseconds)),
    }
}

fn current_thread(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let thread = main_thread(m, s)?;
    call.give(m, s, 0, thread)?;
    Ok(None)
}

pub(super) fn main_thread(m: &mut Machine, s: &mut State) -> Step<u64> {
    if s.work.thread != 0 {
        return Ok(s.work.thread);
    }
    let class = m.core_type(s, THREAD)?;
    let thread = m.allocate_instance(s, class)?;
    identify(m, s, thread, 1)?;
    Rc::make_mut(&mut s.work).thread = thread;
    Ok(thread)
}

fn identify(m: &mut Machine, s: &mut State, thread: u64, id: i32) -> Step<()> {
    let class = m.core_type(s, THREAD)?;
    let at = u64::from(m.offset_of(s, class, &["_managedThreadId"])?);
    m.store(s, thread + at, Repr::I4, Value::I32(id))?;
    let at = u64::from(m.offset_of(s, class, &["_priority"])?);
    m.store(s, thread + at, Repr::I4, Value::I32(2))?;
    let at = u64::from(m.offset_of(s, class, &["_DONT_USE_InternalThread"])?);
    let data = m.runtime_data(s, vec![0; 8]);
    m.store(s, thread + at, Repr::I8, Value::address(data))
}

fn initialize_thread(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = call.word(m, s, 0, 0)?;
    let thread = m.load_word(s, place)?;
    identify(m, s, thread, 2)?;
    Ok(None)
}

fn enqueue(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let item = call.number(m, s, 1)?;
    Rc::make_mut(&mut s.work).items.push_back(item);
    Ok(None)
}

fn enqueue_first(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let item = call.number(m, s, 1)?;
    Rc::make_mut(&mut s.work).items.push_front(item);
    Ok(None)
}

/// Whoever waits for a piece of work may run it himself.
fn take_back(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let item = call.number(m, s, 1)?;
    let at = s.work.items.iter().rposition(|other| *other == item);
    if let Some(at) = at {
        Rc::make_mut(&mut s.work).items.remove(at);
    }
    Ok(Some(Value::bool(at.is_some())))
}

pub(super) fn set_timer(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let queue = call.number(m, s, 0)?;
    let duration = call.number(m, s, 1)? as u32;
    let work = Rc::make_mut(&mut s.work);
    work.timers.retain(|(other, _)| *other != queue);
    work.timers.push((queue, work.now + u64::from(duration)));
    Ok(Some(Value::bool(true)))
}

pub(super) fn milliseconds(_: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I64(s.work.now.cast_signed() + 1_000_000)))
}

fn nanoseconds(_: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I64((s.work.now.cast_signed() + 1_000_000) * 1_000_000)))
}

/// What a turn of the scheduler came to.
enum Turn {
    /// A frame has been pushed.
    Works(Flow),
    /// Nothing happened before the patience was over.
    TimedOut,
}

/// Runs the next piece of work, or lets time pass.
fn turn(m: &mut Machine, s: &mut State, patience: Patience, who: &str) -> Step<Turn> {
    if let Some(item) = Rc::make_mut(&mut s.work).items.pop_front() {
        return run_item(m, s, item).map(Turn::Works);
    }
    let next = s.work.timers.iter().copied().min_by_key(|(_, due)| *due);
    let now = s.work.now;
    match (next, patience) {
        (Some((queue, due)), Patience::Forever) => fire(m, s, queue, due).map(Turn::Works),
        (Some((queue, due)), Patience::Milliseconds(ready)) if due <= now + ready => {
            fire(m, s, queue, due).map(Turn::Works)
        }
        (_, Patience::Milliseconds(ready)) => {
            Rc::make_mut(&mut s.work).now = now + ready;
            Ok(Turn::TimedOut)
        }
        (None, Patience::Forever) => {
            Err(give_up(s, Reason::UnsupportedInstruction(format!("deadlock: {who} waits for ever"))))
        }
    }
}

fn run_item(m: &mut Machine, s: &mut State, item: u64) -> Step {
    let ty = m.object_type(s, item)?;
    let task = m.core_type(s, "System.Threading.Tasks.Task")?;
    let is_task = m.universe.is_assignable(ty, task).map_err(|error| give_up(s, error.into()))?;
    let (owner, name) = if is_task {
        (task, "ExecuteFromThreadPool")
    } else {
        (m.core_type(s, "System.Threading.IThreadPoolWorkItem")?, "Execute")
    };
    s.top.stack.push(Value::address(item));
    let mut count = 1;
    if is_task {
        let thread = main_thread(m, s)?;
        s.top.stack.push(Value::address(thread));
        count = 2;
    }
    let declared = m.universe.methods_named(owner, name).map_err(|error| give_up(s, error.into()))?;
    let Some(declared) = declared.first().copied() else {
        return Err(unsupported(s, "the work items of this runtime"));
    };
    let target = m.universe.resolve_virtual(ty, declared).map_err(|error| give_up(s, error.into()))?;
    m.invoke(s, target, count, OnReturn::Again)
}

fn fire(m: &mut Machine, s: &mut State, queue: u64, due: u64) -> Step {
    let work = Rc::make_mut(&mut s.work);
    work.timers.retain(|(other, _)| *other != queue);
    work.now = work.now.max(due);
    let class = m.object_type(s, queue)?;
    let found =
        m.universe.methods_named(class, "FireNextTimers").map_err(|error| give_up(s, error.into()))?;
    let Some(method) = found.first().copied() else {
        return Err(unsupported(s, "the timers of this runtime"));
    };
    s.top.stack.push(Value::address(queue));
    m.invoke(s, method, 1, OnReturn::Again)
}

/// Runs a piece of work and then makes the call again, with the arguments it had.
fn again(s: &mut State, call: &Call, flow: Flow) -> Flow {
    match flow {
        // A frame is on top: the arguments go back under it.
        Flow::Reload => s.extend_caller_stack(&call.args),
        Flow::Next | Flow::Jump(_) => s.top.stack.extend(call.args.iter().cloned()),
    }
    Flow::Reload
}

/// `task.SpinThenBlockingWait(milliseconds, cancellation)`: whether the task is over.
fn wait_for_task(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let task = call.number(m, s, 0)?;
    let class = m.core_type(s, "System.Threading.Tasks.Task")?;
    let at = u64::from(m.offset_of(s, class, &["m_stateFlags"])?);
    let Value::I32(flags) = m.load(s, task + at, Repr::I4)? else {
        return Err(unsupported(s, "a task in a symbolic state"));
    };
    if flags & COMPLETED != 0 {
        return m.returned(s, after, Some(Value::bool(true)));
    }
    let patience = patience(call.number(m, s, 1)?);
    match turn(m, s, patience, "a task")? {
        Turn::Works(flow) => Ok(again(s, call, flow)),
        Turn::TimedOut => m.returned(s, after, Some(Value::bool(false))),
    }
}

/// Ran to completion, faulted or cancelled.
const COMPLETED: i32 = 0x0160_0000;

/// `Monitor.Wait`: its callers look at their condition again, so waking up early is right.
pub(super) fn wait_for_pulse(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let patience = patience(call.number(m, s, 1)?);
    let OnReturn::Push = after else { return Err(unsupported(s, "a wait called by the runtime")) };
    let depth = s.depth;
    match turn(m, s, patience, "Monitor.Wait")? {
        Turn::Works(_) if s.depth == depth + 1 => {
            s.set_top_return(OnReturn::PushInt(1));
            Ok(Flow::Reload)
        }
        Turn::Works(_) => m.returned(s, after, Some(Value::I32(1))),
        Turn::TimedOut => m.returned(s, after, Some(Value::I32(0))),
    }
}

/// Others work while somebody sleeps; then the time has passed.
pub(super) fn sleep(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let patience = patience(call.number(m, s, 0)?);
    match turn(m, s, patience, "Thread.Sleep")? {
        Turn::Works(flow) => Ok(again(s, call, flow)),
        Turn::TimedOut => m.returned(s, after, None),
    }
}

pub(super) fn yield_now(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let depth = s.depth;
    match turn(m, s, Patience::Milliseconds(0), "Thread.Yield")? {
        Turn::Works(_) if s.depth == depth + 1 => {
            s.set_top_return(OnReturn::PushInt(1));
            Ok(Flow::Reload)
        }
        _ => {
            let _ = call;
            m.returned(s, after, Some(Value::I32(1)))
        }
    }
}
