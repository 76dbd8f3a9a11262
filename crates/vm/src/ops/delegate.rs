//! Function pointers and delegates: made from a target and a method, called through `Invoke`.

use types::{MethodId, TypeId};

use crate::machine::{Flow, Machine, Step, give_up, peek, pop, push, unsupported};
use crate::state::{OnReturn, State};
use crate::stop::RuntimeException;
use crate::value::{Repr, Value};
use verdict::Gap;

/// The upper half of function pointers: no block has such a number.
const FUNCTIONS: u64 = 0xf000_0000 << 32;
/// The method pointer of delegates over several methods.
pub const MULTICAST: u64 = FUNCTIONS | 8;
/// The method pointer of delegates over a function that takes all arguments in an array.
pub const ARRAY_DELEGATE: u64 = FUNCTIONS | 4;

impl Machine {
    pub fn ldftn(&mut self, s: &mut State, method: MethodId) -> Step {
        let pointer = self.function_pointer(method);
        push(s, pointer)
    }

    pub fn ldvirtftn(&mut self, s: &mut State, method: MethodId) -> Step {
        let mut method = method;
        if self.universe.method(method).is_virtual() {
            let Some(object) = self.address(s, 0)? else { return self.null_reference(s) };
            method = self.dispatched(s, object, method)?;
        }
        pop(s)?;
        let pointer = self.function_pointer(method);
        push(s, pointer)
    }

    /// The number that stands for a method, as a function pointer and as a method handle.
    pub fn function_pointer(&mut self, method: MethodId) -> Value {
        let functions = &mut self.handles.functions;
        let number = *self.handles.function_numbers.entry(method).or_insert_with(|| {
            functions.push(method);
            functions.len() as u64
        });
        Value::address(FUNCTIONS | number << 4)
    }

    pub fn function_at(&self, pointer: u64) -> Option<MethodId> {
        let index = (pointer ^ FUNCTIONS) >> 4;
        self.handles.functions.get(usize::try_from(index.checked_sub(1)?).ok()?).copied()
    }

    /// `newobj` of a delegate: the target and the function pointer are on the stack.
    pub(crate) fn new_delegate(&mut self, s: &mut State, ty: TypeId) -> Step {
        if let Value::I64(pointer) = *peek(s, 0)?
            && let Some(method) = self.function_at(pointer.cast_unsigned())
            && !self.universe.method(method).is_static()
            && self.address(s, 1)?.is_none()
        {
            let message = "Delegate to an instance method cannot have null 'this'.";
            return self.throw_saying(s, RuntimeException::Argument, message);
        }
        let delegate = self.allocate_instance(s, ty)?;
        let pointer = pop(s)?;
        let target = pop(s)?;
        let fields = self.delegate_fields(s)?;
        self.store(s, delegate + fields.target, Repr::Ref, target)?;
        self.store(s, delegate + fields.pointer, Repr::I8, pointer.clone())?;
        if self.flavor() == crate::Flavor::Mono {
            // Its delegates are compared by the method.
            self.store_field(s, delegate, "method", Repr::I8, pointer)?;
        }
        push(s, Value::address(delegate))
    }

    /// Calls what a delegate refers to; its `count` operands are the delegate and the arguments.
    pub(crate) fn invoke_delegate(
        &mut self,
        s: &mut State,
        invoke: MethodId,
        count: usize,
        after: OnReturn,
    ) -> Step {
        let Some(delegate) = self.address(s, count - 1)? else { return self.null_reference(s) };
        let fields = self.delegate_fields(s)?;
        let target = self.load(s, delegate + fields.target, Repr::Ref)?;
        let Value::I64(pointer) = self.load(s, delegate + fields.pointer, Repr::I8)? else {
            return Err(unsupported(s, "a delegate with a symbolic method"));
        };
        let made = match pointer.cast_unsigned() {
            MULTICAST => Some(self.multicast_code(s, invoke)?),
            ARRAY_DELEGATE => Some(self.array_delegate_code(s, invoke, &target)?),
            _ => None,
        };
        if let Some(code) = made {
            let arguments = s.top.stack.split_off(s.top.stack.len() - count);
            let frame = self.frame(s, code, arguments, after)?;
            s.push_frame(frame);
            return Ok(Flow::Reload);
        }
        let Some(method) = self.function_at(pointer.cast_unsigned()) else {
            return Err(unsupported(s, "a delegate over several methods or native code"));
        };
        if matches!(target, Value::I64(target) if target.cast_unsigned() == delegate) {
            let gap = Gap::internal_error("a delegate over itself");
            return self.mocked_call(s, method, count, after, gap);
        }
        let signature = self.universe.signature(method).map_err(|error| give_up(s, error.into()))?;
        let wanted = signature.params.len() + usize::from(signature.has_this);
        let has_this = signature.has_this;
        let this = s.top.stack.len() - count;
        match wanted {
            // Closed over its first argument, or an instance method with its target.
            _ if wanted == count => s.top.stack[this] = target,
            // Open: all arguments come from the caller.
            _ if wanted + 1 == count => {
                s.top.stack.remove(this);
                if has_this {
                    return self.invoke_open_instance(s, method, wanted, after);
                }
            }
            _ => return Err(give_up(s, Gap::invalid_code("a delegate of another signature"))),
        }
        self.invoke(s, method, wanted, after)
    }

    /// An instance method whose receiver is the first argument of the delegate.
    fn invoke_open_instance(
        &mut self,
        s: &mut State,
        method: MethodId,
        count: usize,
        after: OnReturn,
    ) -> Step {
        let info = self.universe.method(method);
        let mut called = method;
        // A method that is not looked up takes any receiver.
        if info.is_virtual() && !self.universe.is_value_type(info.owner) {
            let Some(receiver) = self.address(s, count - 1)? else { return self.null_reference(s) };
            called = self.dispatched(s, receiver, method)?;
        }
        self.invoke(s, called, count, after)
    }

    pub fn delegate_fields(&mut self, s: &State) -> Step<DelegateFields> {
        let class = self.core_type(s, "System.Delegate")?;
        let target = self.offset_of(s, class, &["_target", "m_target"])?;
        let pointer = self.offset_of(s, class, &["_methodPtr", "method_ptr"])?;
        Ok(DelegateFields { target: u64::from(target), pointer: u64::from(pointer) })
    }
}

/// Offsets in `System.Delegate`.
pub struct DelegateFields {
    pub target: u64,
    pub pointer: u64,
}
