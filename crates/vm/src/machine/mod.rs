//! The machine: what all states of one worker share, and the loop that runs a state.

mod bodies;
mod frames;
mod operands;
mod values;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms};
use type_solver::TypeSolver;
use types::{ArrayMethod, AssemblyId, FieldId, MethodId, MethodKind, TypeId, Universe};

use crate::attached::Attached;
use crate::code::{Code, Op};
use crate::collect::ReferenceOffsets;
use crate::concrete_step;
use crate::coverage::Zone;
use crate::decode;
use crate::effects::WrittenFields;
use crate::flavor::Flavor;
use crate::follow::Followed;
use crate::host::{Host, NoHost};
use crate::inputs::Inputs;
use crate::inputs::mocks::Mocks;
use crate::inputs::recipes::Plan;
use crate::made_code::MadeCode;
use crate::mode::Mode;
use crate::models::{self, Basis, Library, Model};
use crate::state::{Frame, OnReturn, State};
use crate::statics::{StaticLayout, WrittenStatics};
use crate::stop::{Action, Choice, PathEnd, RuntimeException, Stop};
use crate::value::{Repr, Value};
use verdict::{Assumptions, Gap};

pub(crate) use operands::replace_operand;
pub use operands::{peek, pop, push};
pub use values::truncate;

/// Bounds of the machine itself; time and steps are the explorer's.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Frames on the stack.
    pub max_depth: u32,
    /// Bytes of live memory of one state.
    pub max_heap_bytes: u64,
    /// Elements of an array that a symbolic index may be spread over before it is enumerated instead.
    pub max_spread: u32,
    /// Values that need no solver come out of symbolic reads on their own (see crate `memory`).
    pub split: bool,
    /// What it is used for: exploration, or a whole program.
    pub mode: Mode,
    /// Plain operations go a short way, unless the general way is to be tested.
    pub short_way: bool,
    /// Of everything that passes for random in a program.
    pub seed: u64,
    /// When objects of made-up classes stand behind input references.
    pub mocks: Mocks,
    /// What the user knows to hold: nothing is said of it.
    pub accepted: Assumptions,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            max_depth: 8_000,
            max_heap_bytes: 1 << 30,
            max_spread: 300,
            split: true,
            mode: Mode::Explore,
            short_way: true,
            seed: 0,
            mocks: Mocks::default(),
            accepted: Assumptions::NONE,
        }
    }
}

impl Config {
    /// For whole programs.
    pub fn for_programs() -> Config {
        Config { max_depth: 40_000, mode: Mode::Program, ..Config::default() }
    }
}

/// The shared part: universe, terms, decoded code, symbols' origins.
pub struct Machine {
    pub universe: Rc<Universe>,
    pub terms: Terms,
    pub inputs: Inputs,
    pub config: Config,
    pub host: Box<dyn Host>,
    /// Set by whoever wants a program to end soon.
    pub interrupted: Arc<AtomicBool>,
    /// What stands for native methods.
    pub(crate) library: &'static dyn Library,
    /// What models keep for all states.
    pub attached: Attached,
    pub(crate) code: CodeCache,
    pub(crate) handles: Handles,
    pub(crate) layouts: Layouts,
    pub(crate) classes: ClassFacts,
    /// Uses what the method under test returns.
    pub(crate) consumer: Option<Rc<Code>>,
    /// The model that is followed.
    pub(crate) followed: Option<Followed>,
    pub recording: Recording,
    /// Memory for the arguments of the next call of a model.
    pub(crate) spare_arguments: Vec<Value>,
}

/// Decoded and made-up code.
#[derive(Default)]
pub(crate) struct CodeCache {
    pub callees: FxHashMap<MethodId, Callee>,
    /// What calls take for granted.
    pub bases: FxHashMap<MethodId, Basis>,
    /// Methods of which any answer is explored.
    pub answering: Vec<MethodId>,
    /// The same while a model is followed: text has no models then.
    pub text_callees: FxHashMap<MethodId, Callee>,
    /// Code of methods that have a model as well.
    pub bodies: FxHashMap<MethodId, Rc<Code>>,
    /// Code of delegates over several methods, by their `Invoke`.
    pub multicasts: FxHashMap<MethodId, Rc<Code>>,
    /// Code of delegates over a function that takes all arguments in an array, by their `Invoke`.
    pub array_delegates: FxHashMap<MethodId, Rc<Code>>,
}

/// What the numbers that the class library passes around refer to.
#[derive(Default)]
pub(crate) struct Handles {
    /// Methods that function pointers refer to.
    pub functions: Vec<MethodId>,
    pub function_numbers: FxHashMap<MethodId, u64>,
    /// Fields that field handles refer to.
    pub fields: Vec<FieldId>,
}

/// Where things are in memory.
#[derive(Default)]
pub(crate) struct Layouts {
    pub statics: FxHashMap<TypeId, Rc<StaticLayout>>,
    /// Where static fields are that all threads share, once somebody has asked.
    pub static_offsets: FxHashMap<FieldId, u32>,
    pub core_types: FxHashMap<&'static str, TypeId>,
    /// Where objects of a type have references.
    pub references: FxHashMap<TypeId, ReferenceOffsets>,
    pub finalizers: FxHashMap<TypeId, Option<MethodId>>,
    pub flavor: OnceCell<Flavor>,
    pub reprs: RefCell<FxHashMap<TypeId, Repr>>,
}

/// What is known of classes as inputs.
#[derive(Default)]
pub(crate) struct ClassFacts {
    /// Names of the static fields that methods of an assembly write.
    pub written_statics: FxHashMap<AssemblyId, WrittenStatics>,
    /// Instance fields that methods of an assembly write outside of constructors, and the fields that are never null.
    pub written_fields: FxHashMap<AssemblyId, WrittenFields>,
    pub never_null: FxHashMap<FieldId, bool>,
    /// Types that the method under test tests for.
    pub tested: Vec<TypeId>,
    /// Types that objects behind input references may have.
    pub candidates: RefCell<FxHashMap<TypeId, Rc<[TypeId]>>>,
    /// Types behind which classes are left out that no test can name.
    pub unnameable: RefCell<FxHashSet<TypeId>>,
    pub type_solver: OnceCell<TypeSolver>,
    /// How objects of the framework's types are made.
    pub plans: RefCell<FxHashMap<TypeId, Rc<[Plan]>>>,
}

/// What is remembered of an exploration.
#[derive(Default)]
pub struct Recording {
    /// The goals of the assembly under test.
    pub zone: Zone,
    /// Whether it is remembered which methods are called.
    pub is_on: bool,
    calls: FxHashSet<MethodId>,
}

/// What a call of a method runs.
#[derive(Clone)]
pub enum Callee {
    Code(Rc<Code>),
    Model(Model),
    /// `Invoke` of a delegate.
    Delegate,
    /// Access to an element of an array of several dimensions.
    Array(ArrayMethod),
    /// The runtime refuses to compile it.
    Invalid,
    /// Cannot be called; it matters only if it is.
    Missing(Gap),
}

/// Where to go after an instruction.
pub enum Flow {
    Next,
    Jump(u32),
    /// The frame or its program counter has been set.
    Reload,
}

pub type Step<T = Flow> = Result<T, Box<Stop>>;

impl Machine {
    pub fn new(universe: Rc<Universe>, library: &'static dyn Library, config: Config) -> Machine {
        Machine {
            universe,
            terms: Terms::new(),
            inputs: Inputs::default(),
            config,
            host: Box::new(NoHost),
            interrupted: Arc::default(),
            library,
            attached: Attached::default(),
            code: CodeCache::default(),
            handles: Handles::default(),
            layouts: Layouts::default(),
            classes: ClassFacts::default(),
            consumer: None,
            followed: None,
            recording: Recording::default(),
            spare_arguments: Vec::new(),
        }
    }

    /// How locations of a type are stored; it is asked for all the time.
    pub fn repr_of(&self, ty: TypeId) -> Result<Repr, Gap> {
        if let Some(known) = self.layouts.reprs.borrow().get(&ty) {
            return Ok(*known);
        }
        let repr = decode::repr_of(&self.universe, ty)?;
        self.layouts.reprs.borrow_mut().insert(ty, repr);
        Ok(repr)
    }

    /// What the machine does at the moment.
    pub fn mode(&self) -> Mode {
        if self.followed.is_some() { Mode::Follow } else { self.config.mode }
    }

    /// The runtime whose class library is used.
    pub fn flavor(&self) -> Flavor {
        *self.layouts.flavor.get_or_init(|| Flavor::of(&self.universe))
    }

    /// Forgets terms and inputs of the exploration before; decoded code stays.
    pub fn reset(&mut self) {
        self.terms = Terms::new();
        self.inputs = Inputs::default();
        self.recording.calls.clear();
    }

    /// The decoded body of a method, or why there is none.
    pub fn code(&mut self, method: MethodId) -> Result<Rc<Code>, Gap> {
        match self.callee(method) {
            Callee::Code(code) => Ok(code),
            Callee::Model(_) | Callee::Delegate | Callee::Array(_) => {
                decode::decode(&self.universe, method).map(Rc::new)
            }
            Callee::Invalid => Err(Gap::unsupported_instruction("variable arguments")),
            Callee::Missing(gap) => Err(gap),
        }
    }

    /// States at the start of `method` with symbolic inputs; In the first state
    /// all by-ref inputs are apart, in the others some of them are the same location.
    pub fn start(&mut self, method: MethodId) -> Result<Vec<State>, Gap> {
        self.refuse_open(method)?;
        let code = match self.universe.method(method).is_static_constructor() {
            true => self.initializing_code(method),
            false => self.code(method)?,
        };
        self.consumer = self.consumer(method)?;
        self.classes.tested = self.types_tested_by(&code);
        self.classes.candidates.borrow_mut().clear();
        self.classes.unnameable.borrow_mut().clear();
        let mut base = State::new(Frame::empty(Rc::clone(&code)));
        let arguments = self.make_inputs(&mut base, &code)?;
        let mut starts = Vec::new();
        for arguments in self.aliased_arguments(&base, arguments)? {
            let mut state = base.clone();
            let frame = self.frame(&mut state, Rc::clone(&code), arguments, OnReturn::EndPath);
            state.top = frame.map_err(|stop| gap_of(*stop))?;
            if let Some(ty) = state.top.code.init_type {
                self.ensure_initialized(&mut state, ty).map_err(|stop| gap_of(*stop))?;
            }
            starts.push(state);
        }
        Ok(starts)
    }

    /// Nobody calls a static constructor: the runtime does, on behalf of code that comes to its type.
    fn initializing_code(&self, method: MethodId) -> Rc<Code> {
        let ty = self.universe.method(method).owner;
        let mut made = MadeCode::new(&self.universe, method, None).initializing(ty);
        made.ops.push(Op::Ret);
        Rc::new(made.finish())
    }

    /// A state at the start of a method without parameters, whose coverage does not matter.
    pub fn start_untracked(&mut self, method: MethodId) -> Result<State, Gap> {
        let code = self.code(method)?;
        let mut state = State::new(Frame::empty(Rc::clone(&code)));
        let frame = self.frame(&mut state, code, Vec::new(), OnReturn::EndPath);
        state.top = frame.map_err(|stop| gap_of(*stop))?;
        Ok(state)
    }

    /// Runs until something symbolic, an end or `max_steps` stops it.
    pub fn run(&mut self, state: &mut State, max_steps: u64) -> Stop {
        state.pause_at = state.steps.saturating_add(max_steps);
        let in_program = self.mode().runs_program();
        loop {
            let code = Rc::clone(&state.top.code);
            // What is done with pointers of unsafe code is looked at, and which fields of inputs a followed path reads.
            let is_watched = !code.watched().is_empty() || self.followed.is_some();
            let plain = self.config.short_way && !code.has_pointers && !is_watched;
            if plain {
                run_plain(state, &code, in_program);
            }
            loop {
                if state.steps >= state.pause_at {
                    return Stop::OutOfSteps;
                }
                state.steps += 1;
                let pc = state.top.pc;
                let Some(op) = code.ops.get(pc as usize) else {
                    return incomplete(state, Gap::invalid_code("control falls off the end of a method"));
                };
                if is_watched {
                    state.coverage.meet(code.watched_goal(pc));
                }
                match self.execute(state, &code, *op) {
                    Ok(Flow::Next) => {
                        state.top.pc = pc + 1;
                        if plain {
                            run_plain(state, &code, in_program);
                        }
                    }
                    Ok(Flow::Jump(target)) => {
                        state.top.pc = target;
                        if plain {
                            run_plain(state, &code, in_program);
                        }
                    }
                    Ok(Flow::Reload) => break,
                    Err(stop) => match self.settle(*stop, state) {
                        Some(stop) => return stop,
                        None => break,
                    },
                }
            }
        }
    }

    /// Applies a choice of the last [`Stop::Fork`] to (a copy of) the state it came from.
    pub fn take(&mut self, state: &mut State, action: Action) -> Option<Stop> {
        let flow = match action {
            Action::Jump { target, goal } => {
                state.coverage.meet(goal);
                Ok(Flow::Jump(target))
            }
            Action::Continue(value) => {
                state.top.stack.extend(value);
                Ok(Flow::Next)
            }
            Action::Retry(value) => {
                state.top.stack.push(value);
                Ok(Flow::Reload)
            }
            Action::Throw(exception) => self.throw_new(state, exception),
            Action::Resolve { symbol, to } => self.resolve(state, symbol, to).map(|()| Flow::Reload),
            Action::AskClass(block) => Err(self.ask_exact_class(state, block)),
            Action::Narrow { block, classes, bound } => match self.narrow_to(state, block, classes) {
                Ok(()) => {
                    bound.into_iter().for_each(|bound| self.bound_class(state, block, bound));
                    Ok(Flow::Reload)
                }
                Err(gap) => Err(give_up(state, gap)),
            },
            Action::Operand { depth, value } => {
                replace_operand(state, depth, value);
                Ok(Flow::Reload)
            }
            Action::Refine { address, value } => {
                self.store(state, address, Repr::Ref, value).map(|()| Flow::Reload)
            }
            Action::Mocked { throws } => {
                Rc::make_mut(&mut state.path.origins).asked.decided = Some(throws);
                Ok(Flow::Reload)
            }
            Action::Interpret { arguments } => {
                state.top.stack.extend(arguments);
                state.interprets = true;
                Ok(Flow::Reload)
            }
            Action::Force(block) => self.force(state, block).map(|()| Flow::Reload),
            Action::GiveUp(gap) => return Some(incomplete(state, gap)),
        };
        match flow {
            Ok(Flow::Next) => state.top.pc += 1,
            Ok(Flow::Jump(target)) => state.top.pc = target,
            Ok(Flow::Reload) => {}
            Err(stop) => return self.settle(*stop, state),
        }
        None
    }

    /// Fixes the operand that the last [`Stop::Concretize`] asked for.
    pub fn concretize(&mut self, state: &mut State, depth: usize, value: u64, width: u32) {
        let value = if width <= 32 { Value::I32(value as u32 as i32) } else { Value::address(value) };
        replace_operand(state, depth, value);
    }

    /// Drops choices that the constructors already decided; a single certain one is taken without a fork.
    fn settle(&mut self, stop: Stop, state: &mut State) -> Option<Stop> {
        let Stop::Fork(mut choices) = stop else { return Some(stop) };
        for choice in &mut choices {
            choice.guard = self.substituted(state, choice.guard);
        }
        choices.retain(|choice| self.terms.as_bool(choice.guard) != Some(false));
        match choices.pop() {
            Some(choice) if choices.is_empty() => self.take(state, choice.action),
            Some(choice) => {
                choices.push(choice);
                Some(Stop::Fork(choices))
            }
            None => Some(incomplete(state, Gap::internal_error("no case of a fork is possible"))),
        }
    }

    pub fn callee(&mut self, method: MethodId) -> Callee {
        if self.recording.is_on {
            self.recording.calls.insert(method);
        }
        if let Some(callee) = self.code.callees.get(&method) {
            return callee.clone();
        }
        let info = self.universe.method(method);
        if let MethodKind::Array(access) = info.kind {
            return Callee::Array(access);
        }
        let callee = match self.library.model(&self.universe, method, self.mode()) {
            Some(model) => Callee::Model(model),
            None if self.universe.is_delegate(info.owner) && &*info.name == "Invoke" => Callee::Delegate,
            None if self.universe.is_delegate(info.owner)
                && matches!(&*info.name, "BeginInvoke" | "EndInvoke") =>
            {
                Callee::Model(models::UNSUPPORTED_ON_PLATFORM)
            }
            None => match self.compiled(method) {
                Ok(code) if code.uses_varargs => Callee::Invalid,
                Ok(code) if code.is_stand_in() && self.is_framework(info.owner) => {
                    Callee::Missing(Gap::native_call(code.name))
                }
                Ok(code) => Callee::Code(Rc::new(self.prepared(code))),
                Err(gap) => match decode::accessor(&self.universe, method) {
                    Ok(Some(code)) => Callee::Code(Rc::new(code)),
                    _ => Callee::Missing(gap),
                },
            },
        };
        self.code.callees.insert(method, callee.clone());
        callee
    }

    /// The code of a method; in a program, as the JIT would have it.
    fn compiled(&self, method: MethodId) -> Result<Code, Gap> {
        match self.config.mode.runs_program() && !self.is_framework(self.universe.method(method).owner) {
            true => decode::compile(&self.universe, method),
            false => decode::decode(&self.universe, method),
        }
    }

    /// What a call of a method takes for granted.
    pub(crate) fn basis(&mut self, method: MethodId) -> Basis {
        if let Some(basis) = self.code.bases.get(&method) {
            return *basis;
        }
        let basis = match self.is_framework(self.universe.method(method).owner) {
            true => self.library.basis(&self.universe, method),
            false => Basis::default(),
        };
        self.code.bases.insert(method, basis);
        basis
    }

    /// As it is run: with the numbers of its goals if it is under test, with questions about types answered in a program.
    fn prepared(&mut self, mut code: Code) -> Code {
        if self.config.mode.runs_program() && self.is_framework(self.universe.method(code.method).owner) {
            let (library, universe) = (self.library, &self.universe);
            decode::fold_types(&mut code, |method| library.type_question(universe, method));
        }
        self.numbered(code)
    }

    /// With the numbers of its goals, if it is under test.
    fn numbered(&mut self, mut code: Code) -> Code {
        let definition = self.universe.method_definition(code.method).unwrap_or(code.method);
        if let Some(goals) = self.recording.zone.goals_of(&self.universe, definition) {
            code.number_goals(&goals);
        }
        code
    }

    /// The definitions of the methods that have been called, as code or as models, in no particular order.
    pub fn called_methods(&self) -> Vec<MethodId> {
        let called = self.code.callees.iter().filter(|(_, callee)| !matches!(callee, Callee::Missing(_)));
        called.filter_map(|(method, _)| self.universe.method_definition(*method).ok()).collect()
    }

    /// The methods that the exploration has called so far, if they are recorded.
    pub fn recorded_calls(&self) -> Vec<MethodId> {
        let mut calls: Vec<MethodId> = self.recording.calls.iter().copied().collect();
        calls.sort_unstable();
        calls
    }

    /// Whether a model stands for the method.
    pub fn is_modelled(&self, method: MethodId) -> bool {
        matches!(self.code.callees.get(&method), Some(Callee::Model(_)))
    }

    /// Why a method cannot be called.
    pub fn lacks(&mut self, method: MethodId) -> Option<Gap> {
        match self.callee(method) {
            Callee::Missing(gap) => Some(gap),
            _ => None,
        }
    }

    fn execute(&mut self, s: &mut State, code: &Rc<Code>, op: Op) -> Step {
        match op {
            Op::Nop => Ok(Flow::Next),
            Op::Fail(index) => {
                let gap = code.failures.get(index as usize).cloned();
                Err(give_up(s, gap.unwrap_or_else(|| Gap::internal_error("a lost failure"))))
            }
            Op::Refuse(index) => self.refuse(s, code, index),
            Op::LdVar(index) => {
                let value = s.top.vars[index as usize].clone();
                push(s, value)
            }
            Op::StVar(index) => {
                let value = pop(s)?;
                let value = self.narrow(value, code.vars[index as usize].repr)?;
                s.top.vars[index as usize] = value;
                Ok(Flow::Next)
            }
            Op::LdVarMem(index) => self.load_var(s, code, index),
            Op::StVarMem(index) => self.store_var(s, code, index),
            Op::LdVarAddr(index) => {
                let address = self.var_address(s, code, index)?;
                push(s, Value::address(address))
            }
            Op::LdI4(value) => push(s, Value::I32(value)),
            Op::LdI8(value) => push(s, Value::I64(value)),
            Op::LdR4(value) => push(s, Value::F32(value)),
            Op::LdR8(value) => push(s, Value::F64(value)),
            Op::LdNull => push(s, Value::NULL),
            Op::LdStr(index) => self.ldstr(s, code, index),
            Op::Dup => {
                let value = peek(s, 0)?.clone();
                push(s, value)
            }
            Op::Pop => {
                pop(s)?;
                Ok(Flow::Next)
            }
            Op::Arith(kind) => self.arith(s, kind),
            Op::Shift(kind) => self.shift(s, kind),
            Op::Neg => self.neg(s),
            Op::Not => self.not(s),
            Op::Compare(cmp) => self.compare(s, cmp),
            Op::Convert(to, checked) => self.convert(s, to, checked),
            Op::ConvertRUn => self.convert_r_un(s),
            Op::CkFinite => self.ckfinite(s),
            Op::Br(target) => Ok(Flow::Jump(target)),
            Op::BrTrue(target) => self.branch_if(s, code, true, target),
            Op::BrFalse(target) => self.branch_if(s, code, false, target),
            Op::BrCmp(cmp, target) => self.branch_compare(s, code, cmp, target),
            Op::Switch(index) => self.switch(s, code, index),
            Op::Call(index) => self.call(s, code, index, false),
            Op::CallVirt(index) => self.call(s, code, index, true),
            Op::CallI(index) => self.calli(s, code, index),
            Op::TailCall(index) => self.tail(s, |m, s| m.call(s, code, index, false)),
            Op::TailCallVirt(index) => self.tail(s, |m, s| m.call(s, code, index, true)),
            Op::TailCallI(index) => self.tail(s, |m, s| m.calli(s, code, index)),
            Op::NewObj(index) => self.newobj(s, code, index),
            Op::Jmp(index) => self.jmp(s, code, index),
            Op::Ret => self.ret(s, code),
            Op::LdInd(repr) | Op::LdObj(repr) => self.ldind(s, repr),
            Op::StInd(repr) | Op::StObj(repr) => self.stind(s, repr),
            Op::LdFld(index) => self.ldfld(s, code, index),
            Op::LdFldA(index) => self.ldflda(s, code, index),
            Op::StFld(index) => self.stfld(s, code, index),
            Op::LdSFld(index) => self.ldsfld(s, code, index),
            Op::LdSFldA(index) => self.ldsflda(s, code, index),
            Op::StSFld(index) => self.stsfld(s, code, index),
            Op::LdFldStatic(index) => self.static_by_instance(s, code, index, Machine::ldsfld),
            Op::LdFldAStatic(index) => self.static_by_instance(s, code, index, Machine::ldsflda),
            Op::StFldStatic(index) => self.stfld_static(s, code, index),
            Op::CpObj(repr) => self.cpobj(s, repr),
            Op::InitObj(repr) => self.initobj(s, repr),
            Op::SizeOf(ty, size) => {
                self.note_size(s, ty);
                push(s, Value::I32(size.cast_signed()))
            }
            Op::LocAlloc => self.localloc(s),
            Op::CpBlk => self.cpblk(s),
            Op::InitBlk => self.initblk(s),
            Op::NewArr(element) => self.newarr(s, element),
            Op::LdLen => self.ldlen(s),
            Op::LdElem(element, repr) => self.ldelem(s, element, repr),
            Op::LdElemA(element, readonly) => self.ldelema(s, element, readonly),
            Op::StElem(element, repr) => self.stelem(s, element, repr),
            Op::Box(ty, repr) => self.box_(s, ty, repr),
            Op::Unbox(ty) => self.unbox(s, ty),
            Op::UnboxAny(ty, repr) => self.unbox_any(s, ty, repr),
            Op::CastClass(ty) => self.castclass(s, ty),
            Op::IsInst(ty) => self.isinst(s, ty),
            Op::LdTokenField(field) => self.ldtoken_field(s, field),
            Op::LdTokenType(ty) => self.ldtoken_type(s, ty),
            Op::LdTokenMethod(method) => self.ldtoken_method(s, method),
            Op::MkRefAny(ty) => self.mkrefany(s, ty),
            Op::RefAnyVal(ty) => self.refanyval(s, ty),
            Op::RefAnyType => self.refanytype(s),
            Op::LdFtn(method) => self.ldftn(s, method),
            Op::LdVirtFtn(method) => self.ldvirtftn(s, method),
            Op::Throw => self.throw(s),
            Op::Rethrow => self.rethrow(s),
            Op::Leave(target) => self.leave(s, target),
            Op::EndFinally => self.endfinally(s),
            Op::EndFilter => self.endfilter(s),
        }
    }
}

/// Runs plain operations as far as they go.
#[inline]
fn run_plain(state: &mut State, code: &Code, in_program: bool) {
    match in_program {
        true => run_plain_in::<true>(state, code),
        false => run_plain_in::<false>(state, code),
    }
}

fn run_plain_in<const IN_PROGRAM: bool>(state: &mut State, code: &Code) {
    let last = state.pause_at;
    let mut pc = state.top.pc;
    let mut steps = state.steps;
    while steps < last
        && let Some(op) = code.ops.get(pc as usize)
        && let Some(next) = concrete_step::step::<IN_PROGRAM>(state, code, *op, pc)
    {
        pc = next;
        steps += 1;
    }
    state.top.pc = pc;
    state.steps = steps;
}

pub fn incomplete(s: &State, gap: Gap) -> Stop {
    Stop::End(PathEnd::Incomplete { gap, at: Some(s.base_place()) })
}

pub fn give_up(s: &State, gap: Gap) -> Box<Stop> {
    Box::new(incomplete(s, gap))
}

fn gap_of(stop: Stop) -> Gap {
    match stop {
        Stop::End(PathEnd::Incomplete { gap, .. }) => gap,
        _ => Gap::internal_error("the arguments do not fit the method"),
    }
}

pub fn unsupported(s: &State, what: &str) -> Box<Stop> {
    give_up(s, Gap::unsupported_instruction(what.to_owned()))
}

pub fn fork(choices: Vec<Choice>) -> Box<Stop> {
    Box::new(Stop::Fork(choices))
}

impl Machine {
    /// A fork between an exception under `guard` and going on with `value` otherwise.
    pub fn unless(&mut self, guard: Term, exception: RuntimeException, value: Option<Value>) -> Step {
        let otherwise = self.terms.not(guard);
        Err(fork(vec![
            Choice { guard, action: Action::Throw(exception) },
            Choice { guard: otherwise, action: Action::Continue(value) },
        ]))
    }
}
