//! Calls, object creation and returns.

use std::rc::Rc;

use types::{ArrayMethod, Constrained, MethodId, TypeId};

use crate::bytes::Bytes;
use crate::code::{CallSite, Code};
use crate::concrete_step;
use crate::decode;
use crate::heap::{BlockId, BlockKind, Sharing, split_address};
use crate::machine::{Callee, Flow, Machine, Step, give_up, peek, pop, push, replace_operand, unsupported};
use crate::models::{Call, FrameCall, Model};
use crate::state::{InitStatus, OnReturn, State};
use crate::stop::RuntimeException;
use crate::value::{Repr, Value};
use verdict::Gap;

impl Machine {
    pub fn call(&mut self, s: &mut State, code: &Code, index: u32, virt: bool) -> Step {
        let site = call_site(s, code, index)?;
        let target = match self.target(s, site, virt)? {
            Target::Method(target) => target,
            Target::Null => return self.null_reference(s),
            Target::Refused(code) => {
                let frame = self.frame_from_stack(s, code, site.arg_count, OnReturn::Push)?;
                s.push_frame(frame);
                return Ok(Flow::Reload);
            }
        };
        let after = self.note_call(s, code, target, site.arg_count);
        self.invoke(s, target, site.arg_count, after)
    }

    /// What a call reaches.
    fn target(&mut self, s: &mut State, site: CallSite, virt: bool) -> Step<Target> {
        if let Some(ty) = site.constrained {
            return self.constrained_target(s, site, ty);
        }
        if !virt || !site.has_this {
            return Ok(Target::Method(site.method));
        }
        let Some(this) = self.address(s, site.arg_count - 1)? else { return Ok(Target::Null) };
        if !self.universe.method(site.method).is_virtual() {
            return Ok(Target::Method(site.method));
        }
        self.looked_up(s, this, site.method)
    }

    /// The method that an object has for a virtual one, or what the runtime throws if it has none.
    fn looked_up(&mut self, s: &mut State, this: u64, method: MethodId) -> Step<Target> {
        match self.dispatched(s, this, method) {
            Ok(found) => Ok(Target::Method(found)),
            Err(stop) if self.mode().runs_program() => {
                let class = self.object_type(s, this)?;
                decode::undispatched(&self.universe, class, method)
                    .map_or(Err(stop), |code| Ok(Target::Refused(Rc::new(code))))
            }
            Err(stop) => Err(stop),
        }
    }

    /// `constrained.` turns the managed pointer under the arguments into the right receiver.
    fn constrained_target(&mut self, s: &mut State, site: CallSite, ty: TypeId) -> Step<Target> {
        let resolved =
            self.universe.resolve_constrained(ty, site.method).map_err(|error| give_up(s, error.into()))?;
        let repr = self.repr_of(ty).map_err(|gap| give_up(s, gap))?;
        match resolved {
            // The runtime looks for an implementation of virtual methods only; any other method gets a box.
            Constrained::Direct(method)
                if !site.has_this || self.universe.method(site.method).is_virtual() =>
            {
                Ok(Target::Method(method))
            }
            Constrained::Direct(method) | Constrained::Boxed(method) => {
                let depth = site.arg_count - 1;
                let Some(pointer) = self.address(s, depth)? else { return Ok(Target::Null) };
                let value = self.load(s, pointer, repr)?;
                let boxed = self.boxed(s, ty, value)?;
                if matches!(boxed, Value::I64(0)) {
                    // A nullable without a value.
                    return Ok(Target::Null);
                }
                replace_operand(s, depth, boxed);
                Ok(Target::Method(method))
            }
            Constrained::Dereference(method) => {
                let depth = site.arg_count - 1;
                let Some(pointer) = self.address(s, depth)? else { return Ok(Target::Null) };
                let reference = self.load(s, pointer, Repr::Ref)?;
                let reference = self.settled(s, &reference).unwrap_or(reference);
                let this = match reference {
                    Value::I64(this) => this.cast_unsigned(),
                    Value::Term(term) => return Err(self.unsettled_in_memory(s, term, pointer)),
                    _ => return Err(unsupported(s, "a constrained call on something that is no reference")),
                };
                if this == 0 {
                    return Ok(Target::Null);
                }
                let target = self.looked_up(s, this, method)?;
                replace_operand(s, depth, reference);
                Ok(target)
            }
        }
    }

    /// A call before a return: the frame that it makes takes the place of its caller's.
    pub(crate) fn tail(
        &mut self,
        s: &mut State,
        call: impl FnOnce(&mut Machine, &mut State) -> Step,
    ) -> Step {
        let (depth, thread) = (s.depth, s.threads.current());
        let flow = call(self, s)?;
        // Anything else has no frame, or one that comes back to the call: an initializer, an exception's constructor.
        let is_callee = matches!(s.top.on_return, OnReturn::Push) && s.depth == depth + 1;
        if matches!(flow, Flow::Reload) && is_callee && s.threads.current() == thread {
            s.drop_caller();
        }
        Ok(flow)
    }

    /// What a call of a method that initializes its type begins with. In a program the callee does it, so that its frame
    /// is in the trace if that fails.
    pub(super) fn before_call(&mut self, s: &mut State, ty: TypeId, synchronized: bool) -> Step<Before> {
        let is_open = matches!(s.statics.get(ty).status, InitStatus::NotStarted | InitStatus::Failed(_));
        if is_open && self.mode().runs_program() && !synchronized {
            return Ok(Before::Inside(ty));
        }
        Ok(if self.ensure_initialized(s, ty)? { Before::Nothing } else { Before::Wait })
    }

    /// Calls a method with the `count` topmost operands as arguments.
    pub fn invoke(&mut self, s: &mut State, method: MethodId, count: usize, after: OnReturn) -> Step {
        match self.callee(method) {
            Callee::Code(code) => {
                if matches!(after, OnReturn::Push) && self.get_at_once(s, &code).is_some() {
                    return Ok(Flow::Next);
                }
                let begins = match code.init_type {
                    Some(ty) => self.before_call(s, ty, code.is_synchronized)?,
                    None => Before::Nothing,
                };
                if begins == Before::Wait {
                    return Ok(Flow::Reload);
                }
                if s.depth >= self.config.max_depth {
                    if self.mode().runs_program() {
                        return Err(self.stack_overflow(s));
                    }
                    let detail = format!("more than {} calls deep", self.config.max_depth);
                    return Err(give_up(s, Gap::bound(detail)));
                }
                let lock = self.lock_of_call(s, &code, count)?;
                let frame = self.frame_from_stack(s, code, count, after)?;
                s.push_frame(frame);
                if let Before::Inside(ty) = begins {
                    self.ensure_initialized(s, ty)?;
                    return Ok(Flow::Reload);
                }
                match lock {
                    Some(object) => self.take_lock_of_frame(s, object),
                    None => Ok(Flow::Reload),
                }
            }
            Callee::Model(Model::Frame(model)) => {
                self.settle_arguments(s, count)?;
                self.note_modelled(s, method, count)?;
                model(self, s, FrameCall { count, after })
            }
            Callee::Model(model) => {
                self.settle_arguments(s, count)?;
                self.note_modelled(s, method, count)?;
                if let Model::Operands(replace, _) = model
                    && matches!(after, OnReturn::Push)
                    && !s.interprets
                    && replace(self, &mut s.top.stack, method).is_some()
                {
                    return Ok(Flow::Next);
                }
                let args = self.pop_arguments(s, count)?;
                let call = Call { method, args };
                if std::mem::take(&mut s.interprets) {
                    return self.enter_body(s, &call, after);
                }
                let flow = match model {
                    Model::Value(compute) | Model::Operands(_, compute) => match compute(self, s, &call) {
                        Ok(value) => {
                            self.keep_arguments(call.args);
                            return self.returned(s, after, value);
                        }
                        Err(stop) => Err(stop),
                    },
                    Model::Enter(enter) => enter(self, s, &call, after),
                    Model::Frame(_) => Err(give_up(s, Gap::internal_error("a frame model"))),
                };
                match flow {
                    Ok(flow) => Ok(flow),
                    Err(stop) => {
                        if stop.runs_again() {
                            s.top.stack.extend(call.args);
                        }
                        Err(stop)
                    }
                }
            }
            Callee::Delegate => self.invoke_delegate(s, method, count, after),
            Callee::Array(access) => self.array_method(s, access, count, after),
            Callee::Invalid => {
                self.pop_arguments(s, count)?;
                self.throw_saying(
                    s,
                    RuntimeException::InvalidProgram,
                    "Vararg calling convention not supported.",
                )
            }
            Callee::Missing(gap) => self.mocked_call(s, method, count, after, gap),
        }
    }

    /// In a program a method that returns a field needs no frame. Its instructions count as ever.
    #[inline]
    fn get_at_once(&self, s: &mut State, code: &Code) -> Option<()> {
        let field = code.getter().filter(|_| self.config.short_way && self.mode().runs_program())?;
        concrete_step::load_field(s, code, field)?;
        s.steps += code.ops.len() as u64;
        Some(())
    }

    fn array_method(&mut self, s: &mut State, access: ArrayMethod, count: usize, after: OnReturn) -> Step {
        let depth = s.depth;
        if let Some(array) = self.address(s, count - 1)? {
            // Noted as a reference: what elements hold elsewhere is not made up here.
            self.read_element_by(s, array, Repr::Ref, Value::NULL);
        }
        let flow = self.md_array_access(s, access, count)?;
        // An exception has been raised, or its constructor runs.
        if !matches!(flow, Flow::Next) || s.depth != depth || matches!(after, OnReturn::Push) {
            return Ok(flow);
        }
        let value = if access == ArrayMethod::Set { None } else { Some(pop(s)?) };
        self.returned(s, after, value)
    }

    /// The operands of a call of a model; nearly all such calls come one after the other, so their memory is used again.
    fn pop_arguments(&mut self, s: &mut State, count: usize) -> Step<Vec<Value>> {
        let Some(first) = s.top.stack.len().checked_sub(count) else {
            return Err(give_up(s, Gap::invalid_code("too few arguments on the stack")));
        };
        let mut arguments = std::mem::take(&mut self.spare_arguments);
        arguments.extend(s.top.stack.drain(first..));
        Ok(arguments)
    }

    fn keep_arguments(&mut self, mut arguments: Vec<Value>) {
        arguments.clear();
        self.spare_arguments = arguments;
    }

    /// Models take plain references: what the path has not settled yet is asked first.
    fn settle_arguments(&mut self, s: &mut State, count: usize) -> Step<()> {
        for depth in 0..count {
            let Value::Term(term) = *peek(s, depth)? else { continue };
            if let Some(value) = self.settled(s, &Value::Term(term)) {
                replace_operand(s, depth, value);
            } else if let Some(stop) = self.unsettled(s, term, depth) {
                return Err(stop);
            }
        }
        Ok(())
    }

    /// What a constructor or method without a frame leaves behind.
    pub fn returned(&mut self, s: &mut State, after: OnReturn, value: Option<Value>) -> Step {
        match after {
            OnReturn::Push => {
                s.top.stack.extend(value);
                Ok(Flow::Next)
            }
            OnReturn::Reflected { place, ty } => {
                self.store_result(s, place, ty, value)?;
                Ok(Flow::Next)
            }
            OnReturn::Discard => Ok(Flow::Next),
            OnReturn::Again => Ok(Flow::Reload),
            OnReturn::PushInt(value) => push(s, Value::I32(value)),
            OnReturn::PushObject(address) => push(s, Value::address(address)),
            OnReturn::PushStruct(block) => {
                let value = self.take_struct(s, block)?;
                push(s, value)
            }
            OnReturn::Throw(exception) => self.raise_by_runtime(s, exception),
            OnReturn::Forced(block) => self.forced(s, block, value),
            OnReturn::Model { then, data } => then(self, s, value, data),
            OnReturn::Built { symbol, count } => {
                let Some(Value::I64(object)) = value else {
                    return Err(give_up(s, Gap::internal_error("a collection that was not made")));
                };
                let (block, _) = split_address(object.cast_unsigned());
                Rc::make_mut(&mut s.path.origins).add_collection(symbol, block, count);
                s.heap.share(block, Sharing::Input);
                Ok(Flow::Reload)
            }
            OnReturn::MockThrows => self.mock_throws(s, value),
            OnReturn::FirstChance { exception, thrown_at, recorded } => {
                self.search_from_top(s, exception, thrown_at, recorded)
            }
            OnReturn::Initialized(ty) => {
                s.statics.set_status(ty, InitStatus::Done);
                s.finish_statics(ty);
                Ok(Flow::Reload)
            }
            OnReturn::EndPath | OnReturn::Filter { .. } => {
                Err(give_up(s, Gap::invalid_code("a return where none is allowed")))
            }
        }
    }

    pub fn newobj(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let site = call_site(s, code, index)?;
        let owner = self.universe.method(site.method).owner;
        self.note_call(s, code, site.method, 0);
        if self.universe.is_value_type(owner) {
            return self.new_struct(s, site, owner);
        }
        if let Some(flow) = self.special_object(s, site, owner)? {
            return Ok(flow);
        }
        if let Callee::Code(callee) = self.callee(site.method)
            && let Some(ty) = callee.init_type
            && self.before_call(s, ty, callee.is_synchronized)? == Before::Wait
        {
            return Ok(Flow::Reload);
        }
        let object = self.allocate_instance(s, owner)?;
        insert_this(s, site.arg_count - 1, Value::address(object))?;
        self.invoke(s, site.method, site.arg_count, OnReturn::PushObject(object))
    }

    /// Types whose constructors the runtime itself implements.
    fn special_object(&mut self, s: &mut State, site: CallSite, owner: TypeId) -> Step<Option<Flow>> {
        if self.universe.is_delegate(owner) {
            return self.new_delegate(s, owner).map(Some);
        }
        let is_string = match self.universe.well_known() {
            Ok(known) => known.string == owner,
            Err(error) => return Err(give_up(s, error.into())),
        };
        if is_string {
            return self.new_string(s, site, owner).map(Some);
        }
        if self.universe.array_element(owner).is_some() {
            return self.new_md_array(s, owner, site.arg_count - 1).map(Some);
        }
        Ok(None)
    }

    /// The constructors of strings stand for methods named `Ctor` that make the string themselves.
    fn new_string(&mut self, s: &mut State, site: CallSite, owner: TypeId) -> Step {
        let found = self.universe.signature(site.method).and_then(|signature| {
            let maker = self.universe.find_method(owner, "Ctor", &signature.params)?;
            maker.map(|maker| Ok((maker, self.universe.signature(maker)?.has_this))).transpose()
        });
        match found {
            Ok(Some((maker, has_this))) => {
                if has_this {
                    insert_this(s, site.arg_count - 1, Value::NULL)?;
                }
                self.invoke(s, maker, site.arg_count - usize::from(!has_this), OnReturn::Push)
            }
            Ok(None) => Err(unsupported(s, "this constructor of strings")),
            Err(error) => Err(give_up(s, error.into())),
        }
    }

    fn new_struct(&mut self, s: &mut State, site: CallSite, owner: TypeId) -> Step {
        let size = self.repr_of(owner).map_err(|gap| give_up(s, gap))?.size();
        if let Callee::Code(callee) = self.callee(site.method)
            && let Some(ty) = callee.init_type
            && self.before_call(s, ty, callee.is_synchronized)? == Before::Wait
        {
            return Ok(Flow::Reload);
        }
        let block = s.heap.allocate(BlockKind::Object(owner), Bytes::zeroed(size.max(1) as usize));
        insert_this(s, site.arg_count - 1, Value::address(block.address()))?;
        self.invoke(s, site.method, site.arg_count, OnReturn::PushStruct(block))
    }

    fn take_struct(&mut self, s: &mut State, block: BlockId) -> Step<Value> {
        let ty = self.object_type(s, block.address())?;
        let repr = self.repr_of(ty).map_err(|gap| give_up(s, gap))?;
        let value = self.load(s, block.address(), repr)?;
        s.heap.free(block);
        Ok(value)
    }

    pub fn jmp(&mut self, s: &mut State, code: &Rc<Code>, index: u32) -> Step {
        let site = call_site(s, code, index)?;
        let mut arguments = Vec::with_capacity(code.arg_count);
        for (index, var) in code.vars.iter().enumerate().take(code.arg_count) {
            arguments.push(match var.memory {
                Some(_) => {
                    let address = self.var_address(s, code, index as u32)?;
                    self.load(s, address, var.repr)?
                }
                None => s.top.vars[index].clone(),
            });
        }
        match self.callee(site.method) {
            Callee::Code(target) => {
                let on_return = s.top.on_return;
                s.free_variables();
                s.top = self.frame(s, target, arguments, on_return)?;
                Ok(Flow::Reload)
            }
            _ => Err(unsupported(s, "jmp to a method without a body")),
        }
    }

    pub fn ret(&mut self, s: &mut State, code: &Code) -> Step {
        let value = match code.returns {
            Some(repr) => {
                let value = pop(s)?;
                Some(self.narrow(value, repr)?)
            }
            None => None,
        };
        if matches!(s.top.on_return, OnReturn::EndPath) {
            return self.path_returned(s, value);
        }
        let Some(frame) = s.pop_frame() else {
            return Err(give_up(s, Gap::internal_error("a return without a caller")));
        };
        let after = frame.on_return;
        s.spare.keep(frame);
        match self.returned(s, after, value)? {
            Flow::Next => {
                s.top.pc += 1;
                Ok(Flow::Reload)
            }
            flow => Ok(flow),
        }
    }
}

/// What comes before a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    /// The callee initializes its type.
    Inside(TypeId),
    /// Something else runs first, or is waited for; then the instruction runs again.
    Wait,
}

/// What a call reaches.
enum Target {
    Method(MethodId),
    /// `this` is null.
    Null,
    /// There is no such method for the object.
    Refused(Rc<Code>),
}

fn call_site(s: &State, code: &Code, index: u32) -> Step<CallSite> {
    match code.calls.get(index as usize) {
        Some(site) => Ok(*site),
        None => Err(give_up(s, Gap::internal_error("a lost call operand"))),
    }
}

fn insert_this(s: &mut State, below: usize, this: Value) -> Step<()> {
    match s.top.stack.len().checked_sub(below) {
        Some(at) => {
            s.top.stack.insert(at, this);
            Ok(())
        }
        None => Err(give_up(s, Gap::invalid_code("too few arguments on the stack"))),
    }
}
