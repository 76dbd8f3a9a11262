//! A state of the machine: frames, memory, statics, coverage. Cloning shares everything but the top frame.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use term::{Symbol, Term};
use types::{AssemblyId, FieldId, TypeId};

use crate::attached::Attached;
use crate::cause::Cause;
use crate::cells::Reads;
use crate::code::Code;
use crate::collect::Collector;
use crate::coverage::Coverage;
use crate::deferred_text::Deferred;
use crate::heap::{BlockId, Heap, Sharing, split_address};
use crate::inputs::references::Origins;
use crate::machine::{Machine, Step};
use crate::stop::Place;
use crate::threads::{FrameLock, Lock, Threads};
use crate::touched_statics::{TouchedStatic, TouchedStatics};
use crate::value::Value;

#[derive(Clone, Debug)]
pub struct State {
    pub top: Box<Frame>,
    pub(crate) callers: Callers,
    /// Frames on the stack, the top one included.
    pub depth: u32,
    pub heap: Heap,
    pub statics: Statics,
    /// What the runtime has made for the program.
    pub runtime: RuntimeObjects,
    /// What models keep: open files, hashes that are being computed, and the like.
    pub attached: Attached,
    pub threads: Rc<Threads>,
    pub collector: Rc<Collector>,
    /// What the path has settled about its inputs.
    pub path: PathFacts,
    pub coverage: Coverage,
    /// The next call of a method that has a model runs its code instead.
    pub(crate) interprets: bool,
    pub steps: u64,
    /// The number of steps at which the machine pauses.
    pub(crate) pause_at: u64,
    /// Emptied frames that are gone.
    pub(crate) spare: Spare,
}

/// Objects and tables that the runtime itself keeps.
#[derive(Clone, Debug, Default)]
pub struct RuntimeObjects {
    /// Blocks that hold the data behind static fields of the image.
    pub image_data: Rc<FxHashMap<FieldId, BlockId>>,
    /// The objects that stand for types.
    pub type_objects: Rc<FxHashMap<TypeId, BlockId>>,
    pub method_tables: Rc<FxHashMap<TypeId, BlockId>>,
    /// Interned strings.
    pub literals: Rc<FxHashMap<Box<[u16]>, BlockId>>,
    /// Objects that are locked.
    pub locks: Rc<FxHashMap<u64, Lock>>,
    /// Those that frames of synchronized methods hold or wait for.
    pub frame_locks: Vec<FrameLock>,
    /// The objects that stand for modules and their assemblies.
    pub assembly_objects: Rc<FxHashMap<AssemblyId, (BlockId, BlockId)>>,
    /// The objects that stand for members, by their handle and the type they were asked of.
    pub member_objects: Rc<FxHashMap<(u64, u64), u64>>,
    /// The object for the application domain, where the runtime makes it.
    pub domain: u64,
    /// Where exceptions have passed, innermost first; by the objects that stand for these lists.
    pub traces: Rc<FxHashMap<u64, Vec<TracePlace>>>,
    /// The next exception thrown keeps the trace it was given (`ExceptionDispatchInfo`).
    pub keeps_trace: bool,
    /// Delegates by the pointers that native code would call them through.
    pub thunks: Rc<FxHashMap<u64, u64>>,
    /// What `Environment.ExitCode` was set to.
    pub exit_code: i32,
    /// The program has set it itself.
    pub exit_code_is_set: bool,
}

/// What a path has settled about its inputs, and what it has put off.
#[derive(Clone, Debug, Default)]
pub struct PathFacts {
    /// What the path has made of the input references.
    pub origins: Rc<Origins>,
    /// Elements of input arrays that the path has read at symbolic indexes.
    pub reads: Reads,
    /// Symbols that the path has fixed to constants.
    pub fixed: Rc<FxHashMap<Symbol, Term>>,
    /// Strings whose contents are made when somebody looks at them.
    pub deferred: Rc<FxHashMap<BlockId, Rc<Deferred>>>,
    /// The exception that was thrown last, and where it was first.
    pub thrown: Option<(u64, Place)>,
    /// Where that exception comes from.
    pub cause: Option<Cause>,
    /// Text was left unknown or put off on this path: how it really ends shows when it is made.
    pub guessed_text: bool,
    /// Places of input objects that the path has read or written.
    pub(crate) seen: Rc<FxHashSet<u64>>,
    /// Fields of input objects that the path has read while they held what they held before.
    pub(crate) looked_at: Rc<FxHashSet<u64>>,
    /// Something was written to memory that others may have, or may have been.
    pub(crate) wrote_shared: bool,
    /// An argument that may overlap with others was written to.
    pub(crate) overwritten: bool,
}

/// Emptied frames to use again, with the memory of their variables and stacks. A copy of a state starts without.
#[derive(Debug, Default)]
#[allow(clippy::vec_box, reason = "frames are moved in and out without being copied")]
pub struct Spare(Vec<Box<Frame>>);

/// Frames that are kept: calls that go deeper than this at once are rare.
const MOST_SPARE: usize = 32;

impl Clone for Spare {
    fn clone(&self) -> Spare {
        Spare::default()
    }
}

impl Spare {
    /// A frame at the start of the code, without arguments.
    #[inline]
    pub fn take(&mut self, code: Rc<Code>, on_return: OnReturn) -> Box<Frame> {
        match self.0.pop() {
            Some(mut frame) => {
                frame.code = code;
                frame.pc = 0;
                frame.on_return = on_return;
                frame
            }
            None => Box::new(Frame { on_return, ..Frame::new(code) }),
        }
    }

    #[inline]
    pub fn keep(&mut self, mut frame: Box<Frame>) {
        if self.0.len() < MOST_SPARE {
            frame.vars.clear();
            frame.stack.clear();
            frame.block = None;
            frame.stack_blocks.clear();
            frame.pending.clear();
            frame.caught.clear();
            self.0.push(frame);
        }
    }
}

/// All frames of a thread.
#[derive(Clone, Debug)]
pub struct Stack {
    top: Box<Frame>,
    callers: Callers,
    depth: u32,
}

/// The frames below, linked. Dropped one by one: a deep stack must not overflow that of the machine itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Callers(Option<Rc<Caller>>);

impl Drop for Callers {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut caller) = next.and_then(|caller| Rc::try_unwrap(caller).ok()) {
            next = caller.callers.0.take();
        }
    }
}

#[derive(Clone, Debug)]
struct Caller {
    frame: Box<Frame>,
    callers: Callers,
}

/// An activation of a method. While a callee runs, `pc` stays at the call.
#[derive(Clone, Debug)]
pub struct Frame {
    pub code: Rc<Code>,
    pub pc: u32,
    /// Arguments and locals; those that live in memory are in `block`.
    pub vars: Vec<Value>,
    pub stack: Vec<Value>,
    pub block: Option<BlockId>,
    pub stack_blocks: SmallVec<[BlockId; 1]>,
    pub on_return: OnReturn,
    /// Finally and fault handlers that are running, innermost last.
    pub pending: Vec<Pending>,
    /// Catch handlers that are running: the exception and the clause.
    pub caught: Vec<(u64, u32)>,
}

/// A frame that an exception has passed through.
#[derive(Clone, Copy, Debug)]
pub struct TracePlace {
    pub place: Place,
    /// The last one of an earlier journey of the exception.
    pub ends_journey: bool,
}

/// How a model goes on after a call that it made.
pub(crate) type Resume = fn(&mut Machine, &mut State, Option<Value>, [u64; 2]) -> Step;

/// What happens when a frame returns.
#[derive(Clone, Copy, Debug)]
pub enum OnReturn {
    /// The path is over.
    EndPath,
    /// Push the result, if any, and go on after the call.
    Push,
    /// A method called by reflection: box the result as this type into the place, push nothing.
    Reflected { place: u64, ty: TypeId },
    /// Push nothing, whatever the result.
    Discard,
    /// Run the interrupted call again, whatever the result.
    Again,
    /// Push this number, whatever the result.
    PushInt(i32),
    /// A constructor: push the object.
    PushObject(u64),
    /// A constructor of a value type: push what it made in this block.
    PushStruct(BlockId),
    /// A static constructor: run the interrupted instruction again.
    Initialized(TypeId),
    /// A collection that was filled as an input: the reference it is for, and the number of its items.
    Built { symbol: Symbol, count: u32 },
    /// The exception that a mocked member throws: throw what comes back.
    MockThrows,
    /// A call that was put off: what it returns is the contents of this string.
    Forced(BlockId),
    /// A call that a model made: the model goes on with the result and what it wanted to remember.
    Model { then: Resume, data: [u64; 2] },
    /// The constructor of an exception the runtime raises.
    Throw(u64),
    /// Handlers that are told of an exception before anyone looks for who catches it.
    FirstChance { exception: u64, thrown_at: Place, recorded: u32 },
    /// A filter of the clause of the frame at this depth.
    Filter { depth: u32, clause: u32, exception: u64, thrown_at: Place },
}

/// A running finally or fault handler and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    pub clause: u32,
    pub then: Then,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// `leave`: go on to the target; the instruction the `leave` stood at decides which handlers are still to run.
    Leave { from: u32, target: u32 },
    /// Unwinding of an exception.
    Unwind { from: u32, exception: u64, thrown_at: Place, target: UnwindTarget },
}

/// Where an exception is going.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnwindTarget {
    Catch {
        depth: u32,
        clause: u32,
    },
    /// Out of the frame at this depth, whose end the runtime guards: a static constructor or a filter.
    Boundary {
        depth: u32,
    },
    /// Out of the method under test. The place is in the base frame.
    Base {
        place: Place,
    },
}

#[derive(Clone, Debug, Default)]
pub struct Statics {
    entries: Rc<FxHashMap<TypeId, StaticEntry>>,
    /// Fields written on this path by others than their type's initializer.
    written: Rc<FxHashSet<FieldId>>,
    touched: TouchedStatics,
    /// Blocks made while a static constructor ran, as ranges of their numbers.
    made: Rc<Vec<(u32, u32)>>,
    started: Rc<FxHashMap<TypeId, (u32, Sharing)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticEntry {
    pub block: Option<BlockId>,
    pub status: InitStatus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitStatus {
    NotStarted,
    /// In this thread.
    Running(u32),
    Done,
    /// Failed with this exception, which every later access throws again.
    Failed(u64),
}

impl Stack {
    pub fn new(frame: Box<Frame>) -> Stack {
        Stack { top: frame, callers: Callers::default(), depth: 1 }
    }

    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        frames(&self.top, &self.callers)
    }

    pub(crate) fn push_operands(&mut self, values: Option<Value>) {
        self.top.stack.extend(values);
    }
}

impl Statics {
    pub fn get(&self, ty: TypeId) -> StaticEntry {
        self.entries.get(&ty).copied().unwrap_or(StaticEntry { block: None, status: InitStatus::NotStarted })
    }

    pub fn set(&mut self, ty: TypeId, entry: StaticEntry) {
        Rc::make_mut(&mut self.entries).insert(ty, entry);
    }

    pub(crate) fn for_each_status(&self, mut visit: impl FnMut(InitStatus)) {
        self.entries.values().for_each(|entry| visit(entry.status));
    }

    pub(crate) fn is_written(&self, field: FieldId) -> bool {
        self.written.contains(&field)
    }

    pub(crate) fn set_written(&mut self, field: FieldId) {
        if !self.is_written(field) {
            Rc::make_mut(&mut self.written).insert(field);
        }
    }

    /// The fields that a test must set up or put back, in the order of their first use.
    pub fn touched(&self) -> &[TouchedStatic] {
        self.touched.all()
    }

    pub(crate) fn touched_mut(&mut self) -> &mut TouchedStatics {
        &mut self.touched
    }

    /// A static constructor starts; the next block will have this number, and those before were made so.
    fn begin(&mut self, ty: TypeId, next: u32, before: Sharing) {
        Rc::make_mut(&mut self.started).insert(ty, (next, before));
    }

    /// It has ended: how blocks were made before.
    fn finish(&mut self, ty: TypeId, next: u32) -> Sharing {
        let Some(&(first, before)) = self.started.get(&ty) else { return Sharing::Own };
        Rc::make_mut(&mut self.made).push((first, next));
        before
    }

    /// Whether an object was made by a static constructor.
    pub fn holds(&self, block: BlockId) -> bool {
        self.made.iter().any(|(first, next)| (*first..*next).contains(&block.0))
    }

    /// Whether a later state has the same statics, but for what tests are told of them.
    pub(crate) fn is_like(&self, later: &Statics) -> bool {
        let Statics { entries, written, touched: _, made, started } = self;
        *entries == later.entries
            && *written == later.written
            && *made == later.made
            && *started == later.started
    }

    pub(crate) fn set_status(&mut self, ty: TypeId, status: InitStatus) {
        let entry = self.get(ty);
        self.set(ty, StaticEntry { status, ..entry });
    }
}

impl State {
    /// A static constructor starts; its objects are what static fields lead to.
    pub(crate) fn begin_statics(&mut self, ty: TypeId, made: Sharing) {
        self.statics.begin(ty, self.heap.mark(), self.heap.new_blocks);
        self.heap.new_blocks = made;
        self.coverage.is_initializing = true;
    }

    /// Whether a static constructor is running.
    pub fn is_initializing(&self) -> bool {
        self.coverage.is_initializing
    }

    /// It has ended, whichever way.
    pub(crate) fn finish_statics(&mut self, ty: TypeId) {
        self.heap.new_blocks = self.statics.finish(ty, self.heap.mark());
        self.coverage.is_initializing = self.heap.new_blocks != Sharing::Own;
    }

    pub fn new(top: Box<Frame>) -> State {
        State {
            top,
            callers: Callers::default(),
            depth: 1,
            heap: Heap::default(),
            statics: Statics::default(),
            runtime: RuntimeObjects::default(),
            attached: Attached::default(),
            threads: Rc::default(),
            collector: Rc::default(),
            path: PathFacts::default(),
            coverage: Coverage::default(),
            interprets: false,
            steps: 0,
            pause_at: 0,
            spare: Spare::default(),
        }
    }

    /// Goes on with other frames; the ones before.
    pub(crate) fn swap_stack(&mut self, stack: Stack) -> Stack {
        Stack {
            top: std::mem::replace(&mut self.top, stack.top),
            callers: std::mem::replace(&mut self.callers, stack.callers),
            depth: std::mem::replace(&mut self.depth, stack.depth),
        }
    }

    /// The frames as they are, to go back to.
    pub fn stack(&self) -> Stack {
        Stack { top: self.top.clone(), callers: self.callers.clone(), depth: self.depth }
    }

    pub fn restore(&mut self, stack: Stack) {
        self.top = stack.top;
        self.callers = stack.callers;
        self.depth = stack.depth;
    }

    /// Forgets all frames but this one; memory stays.
    pub fn restart(&mut self, frame: Box<Frame>) {
        self.top = frame;
        self.callers = Callers::default();
        self.depth = 1;
    }

    #[inline]
    pub fn push_frame(&mut self, frame: Box<Frame>) {
        let caller = std::mem::replace(&mut self.top, frame);
        let callers = std::mem::take(&mut self.callers);
        self.callers = Callers(Some(Rc::new(Caller { frame: caller, callers })));
        self.depth += 1;
    }

    /// Removes the top frame and frees its memory; `None` if it is the last one.
    pub(crate) fn pop_frame(&mut self) -> Option<Box<Frame>> {
        let caller = self.callers.0.take()?;
        let caller = Rc::unwrap_or_clone(caller);
        self.callers = caller.callers;
        self.depth -= 1;
        let popped = std::mem::replace(&mut self.top, caller.frame);
        // A filter runs on its owner's memory.
        if !matches!(popped.on_return, OnReturn::Filter { .. })
            && let Some(block) = popped.block
        {
            self.heap.free(block);
        }
        for block in &popped.stack_blocks {
            self.heap.free(*block);
        }
        if popped.code.is_synchronized {
            self.leave_lock_of_frame();
        }
        Some(popped)
    }

    /// The top frame returns to where its caller would, unless something still needs the caller: its lock, or its memory.
    pub(crate) fn drop_caller(&mut self) {
        let Some(caller) = &self.callers.0 else { return };
        let frame = &caller.frame;
        let refers = |value: &Value| match (value, frame.block) {
            (Value::I64(address), Some(block)) => split_address(address.cast_unsigned()).0 == block,
            (Value::I32(_) | Value::F32(_) | Value::F64(_) | Value::I64(_), _) => false,
            (_, block) => block.is_some(),
        };
        let is_needed = frame.code.is_synchronized
            || self.top.code.is_synchronized
            || !frame.stack_blocks.is_empty()
            || self.top.vars.iter().any(refers);
        if is_needed {
            return;
        }
        let Some(caller) = self.callers.0.take().map(Rc::unwrap_or_clone) else { return };
        self.callers = caller.callers;
        self.depth -= 1;
        self.top.on_return = caller.frame.on_return;
        if let Some(block) = caller.frame.block {
            self.heap.free(block);
        }
        self.spare.keep(caller.frame);
    }

    /// Frees the memory of the top frame, which is about to be replaced.
    pub fn free_variables(&mut self) {
        let blocks = std::mem::take(&mut self.top.stack_blocks);
        for block in self.top.block.take().into_iter().chain(blocks) {
            self.heap.free(block);
        }
    }

    /// Pushes operands onto the stack of the frame at this depth.
    pub fn extend_stack_at(&mut self, depth: u32, values: &[Value]) {
        let Some(below) = self.depth.checked_sub(depth) else { return };
        let mut stack = &mut self.top.stack;
        let mut callers = &mut self.callers;
        for _ in 0..below {
            let Some(caller) = &mut callers.0 else { return };
            let caller = Rc::make_mut(caller);
            stack = &mut caller.frame.stack;
            callers = &mut caller.callers;
        }
        stack.extend_from_slice(values);
    }

    /// Frames from the top down.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        frames(&self.top, &self.callers)
    }

    /// The frame at this depth, counted from 1 at the base.
    pub(crate) fn frame_at(&self, depth: u32) -> Option<&Frame> {
        self.frames().nth(self.depth.checked_sub(depth)? as usize)
    }

    /// Replaces the variables of a frame below the top (a filter may have changed them).
    pub(crate) fn set_vars_at(&mut self, depth: u32, vars: Vec<Value>) {
        let Some(mut below) = self.depth.checked_sub(depth) else { return };
        if below == 0 {
            self.top.vars = vars;
            return;
        }
        let mut link = &mut self.callers.0;
        while let Some(caller) = link {
            let caller = Rc::make_mut(caller);
            below -= 1;
            if below == 0 {
                caller.frame.vars = vars;
                return;
            }
            link = &mut caller.callers.0;
        }
    }

    pub fn place(&self) -> Place {
        self.top.place()
    }

    /// Where the method under test stands: the base frame's instruction.
    pub fn base_place(&self) -> Place {
        self.frames().last().map_or_else(|| self.place(), Frame::place)
    }
}

/// Frames from the top down.
fn frames<'a>(top: &'a Frame, callers: &'a Callers) -> impl Iterator<Item = &'a Frame> {
    let mut next = callers.0.as_deref();
    std::iter::once(top).chain(std::iter::from_fn(move || {
        let caller = next?;
        next = caller.callers.0.as_deref();
        Some(&*caller.frame)
    }))
}

impl Frame {
    /// A frame that has not been given arguments yet.
    pub fn empty(code: Rc<Code>) -> Box<Frame> {
        Box::new(Frame::new(code))
    }

    fn new(code: Rc<Code>) -> Frame {
        Frame {
            code,
            pc: 0,
            vars: Vec::new(),
            stack: Vec::new(),
            block: None,
            stack_blocks: SmallVec::new(),
            on_return: OnReturn::EndPath,
            pending: Vec::new(),
            caught: Vec::new(),
        }
    }

    pub fn place(&self) -> Place {
        let il_offset = self.code.il_offsets.get(self.pc as usize).copied().unwrap_or(0);
        Place { method: self.code.method, il_offset }
    }
}
