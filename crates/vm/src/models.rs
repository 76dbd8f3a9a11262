//! What stands for methods whose body is not CIL: the border to the crate that knows the class library's native half.
//!
//! The machine asks its [`Library`] for the model of each method it calls, once, and keeps the answer.

use types::{FieldId, MethodId, TypeId, Universe};

use crate::bytes::Bits;
use crate::host::Denied;
use crate::machine::{Machine, Step, fork, give_up, unsupported};
use crate::mode::Mode;
use crate::state::{OnReturn, State};
use crate::stop::{Action, Choice, RuntimeException, Stop};
use crate::value::{Repr, Value};
use verdict::{Assumption, Gap};

/// Knows what stands for the methods of a class library.
pub trait Library {
    /// The model of a method in this mode, if it has one.
    fn model(&self, universe: &Universe, method: MethodId, mode: Mode) -> Option<Model>;

    /// What a call of a method of the framework takes for granted.
    fn basis(&self, universe: &Universe, method: MethodId) -> Basis;

    /// What reading a static field of the framework takes for granted.
    fn field_basis(&self, universe: &Universe, field: FieldId) -> Option<Assumption>;

    /// What a method says about types that are known, if that is all it does.
    fn type_question(&self, universe: &Universe, method: MethodId) -> Option<TypeQuestion>;
}

/// What is asked about types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeQuestion {
    /// The type of a handle.
    OfHandle,
    /// Whether two are the same.
    Same,
    Different,
}

/// What a method takes for granted. The default is for methods of the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Basis {
    pub is_framework: bool,
    /// Whoever calls it.
    pub source: Option<Assumption>,
    /// When the program itself calls it.
    pub asked: Option<Assumption>,
    pub receiver: Receiver,
    /// It throws nothing and changes nothing that the program sees: all that is not known is its answer.
    pub only_answers: bool,
    /// It computes with addresses and classes, and does not look at what is there.
    pub looks_at_nothing: bool,
}

/// For which first arguments a method takes something for granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Receiver {
    #[default]
    Any,
    /// Objects that were passed in.
    Input,
    /// Places that other threads may have: then it is theirs what they hold.
    Shared,
}

/// What stands for a method.
#[derive(Clone, Copy)]
pub enum Model {
    /// Computes the result.
    Value(ValueModel),
    /// Replaces the operands by the result where that is plain arithmetic on numbers that are known, else computes it.
    Operands(OperandModel, ValueModel),
    /// Pushes a frame that computes the result; the operands stay on the stack for it.
    Frame(FrameModel),
    /// Calls managed code with arguments of its own, or answers at once; the operands have been popped.
    Enter(Enter),
}

pub type ValueModel = fn(&mut Machine, &mut State, &Call) -> Step<Option<Value>>;
/// `None` leaves the operands as they are.
pub type OperandModel = fn(&Machine, &mut Vec<Value>, MethodId) -> Option<()>;
pub type Enter = fn(&mut Machine, &mut State, &Call, OnReturn) -> Step;
pub type FrameModel = fn(&mut Machine, &mut State, FrameCall) -> Step;

/// A call of a method whose model pushes a frame.
pub struct FrameCall {
    /// How many of the topmost operands are its arguments.
    pub count: usize,
    pub after: OnReturn,
}

/// A call of a modelled method.
pub struct Call {
    pub method: MethodId,
    pub args: Vec<Value>,
}

/// The outcome of a model that throws an exception of the runtime.
pub fn throws<T>(m: &mut Machine, exception: RuntimeException) -> Step<T> {
    let guard = m.terms.true_();
    Err(fork(vec![Choice { guard, action: Action::Throw(exception) }]))
}

/// What the runtime has given up: calling delegates in the old asynchronous way.
pub(crate) const UNSUPPORTED_ON_PLATFORM: Model =
    Model::Value(|m, _, _| throws(m, RuntimeException::PlatformNotSupported));

impl Call {
    /// An argument that must be a concrete address or number.
    pub fn number(&self, m: &Machine, s: &State, index: usize) -> Step<u64> {
        match self.args.get(index) {
            Some(Value::I32(v)) => Ok(i64::from(*v).cast_unsigned()),
            Some(Value::I64(v)) => Ok(v.cast_unsigned()),
            Some(Value::Term(term)) if m.width(*term) > 0 => {
                Err(Box::new(Stop::Concretize { term: *term, depth: self.args.len() - 1 - index }))
            }
            _ => Err(give_up(s, Gap::invalid_code("a call with an argument of the wrong kind"))),
        }
    }

    pub fn value(&self, s: &State, index: usize) -> Step<Value> {
        match self.args.get(index) {
            Some(value) => Ok(value.clone()),
            None => Err(give_up(s, Gap::invalid_code("a call with too few arguments"))),
        }
    }

    /// A generic argument of the method.
    pub fn generic(&self, m: &Machine, s: &State, index: usize) -> Step<TypeId> {
        match m.universe.method(self.method).args.get(index) {
            Some(ty) => Ok(*ty),
            None => Err(unsupported(s, "a generic call without its arguments")),
        }
    }

    pub fn generic_repr(&self, m: &Machine, s: &State, index: usize) -> Step<Repr> {
        let ty = self.generic(m, s, index)?;
        m.repr_of(ty).map_err(|gap| give_up(s, gap))
    }

    /// A type: a method table, a native handle, its object, or the structure that carries one into the runtime.
    pub fn type_handle(&self, m: &mut Machine, s: &State, index: usize) -> Step<TypeId> {
        let handle = match self.args.get(index) {
            Some(Value::Struct(bytes)) if bytes.len() > 8 => self.word(m, s, index, 8)?,
            _ => self.word(m, s, index, 0)?,
        };
        match m.type_of_handle(s, handle) {
            Ok(ty) => Ok(ty),
            // Older runtimes pass the object itself.
            Err(stop) => m.type_of_object(s, handle).map_err(|_| stop),
        }
    }

    /// A type by its object.
    pub fn type_object(&self, m: &mut Machine, s: &State, index: usize) -> Step<TypeId> {
        let object = self.number(m, s, index)?;
        m.type_of_object(s, object)
    }

    pub fn method_handle(&self, m: &mut Machine, s: &State, index: usize) -> Step<MethodId> {
        let handle = self.word(m, s, index, 0)?;
        match m.function_at(handle) {
            Some(method) => Ok(method),
            None => Err(unsupported(s, "a method handle that is none")),
        }
    }

    pub fn field_handle(&self, m: &mut Machine, s: &State, index: usize) -> Step<FieldId> {
        let handle = self.word(m, s, index, 0)?;
        match m.field_of_handle(handle) {
            Some(field) => Ok(field),
            None => Err(unsupported(s, "a field handle that is none")),
        }
    }

    /// Stores an object where an `ObjectHandleOnStack` points to.
    pub fn give(&self, m: &mut Machine, s: &mut State, index: usize, object: u64) -> Step<()> {
        let place = self.word(m, s, index, 0)?;
        m.store(s, place, Repr::Ref, Value::address(object))
    }

    /// The type of an object argument.
    pub fn object_type(&self, m: &Machine, s: &State, index: usize) -> Step<TypeId> {
        let object = self.number(m, s, index)?;
        if object == 0 {
            return Err(unsupported(s, "the type of null"));
        }
        m.object_type(s, object)
    }

    /// A word of an argument: of a structure at this offset, or the argument itself.
    pub fn word(&self, m: &mut Machine, s: &State, index: usize, offset: usize) -> Step<u64> {
        match self.args.get(index) {
            Some(Value::Struct(bytes)) => match bytes.read(offset, 8, &mut m.terms) {
                Ok(Bits::Concrete(word)) => Ok(word),
                _ => Err(unsupported(s, "an argument of another size")),
            },
            _ => self.number(m, s, index),
        }
    }
}

impl Machine {
    /// The end of a path that asked the host for something it does not give.
    pub fn denied(&self, s: &State, call: &Call, denied: &Denied) -> Box<Stop> {
        let name = self.universe.method_id(call.method);
        give_up(s, Gap::native_call(format!("{name}: the program wants {}", denied.0)))
    }
}
