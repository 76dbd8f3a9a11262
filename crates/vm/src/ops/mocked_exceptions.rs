//! Mocked members that throw: where a caller catches an exception, a mock may be what throws it.
//!
//! Only what handlers around the call look for is thrown: nobody can say what else an implementation might throw, and
//! what nobody catches says nothing about the method under test.

use std::rc::Rc;

use term::Symbol;
use types::{MethodId, TypeId};

use crate::code::{Clause, ClauseKind, Code, Op};
use crate::decode::repr_of;
use crate::inputs::mocks::{AskedCall, MockException};
use crate::machine::{Flow, Machine, Step, fork, give_up};
use crate::made_code::MadeCode;
use crate::ops::exception::is_within;
use crate::ops::mocked::drop_operands;
use crate::state::{Frame, OnReturn, State};
use crate::stop::{Action, Choice};
use crate::value::{Repr, Value};
use verdict::Gap;

/// Exceptions that the mocks of one path throw at most, and types of exceptions that one call may throw.
const MAX_THROWN: usize = 4;
const MAX_TYPES: usize = 6;

/// A call of a mocked method: the reference of the mock, the method, how many calls there were before.
type CallNumber = (Symbol, MethodId, u32);

impl Machine {
    /// What a call of a mocked method throws, if it does; a fork if that is not decided yet.
    pub(super) fn thrown_by_mock(&mut self, s: &mut State, call: CallNumber) -> Step<Option<MockException>> {
        if let Some(decided) = s.path.origins.asked.decided {
            Rc::make_mut(&mut s.path.origins).asked.decided = None;
            return Ok(decided);
        }
        if s.path.origins.asked.calls.iter().filter(|call| call.throws.is_some()).count() >= MAX_THROWN {
            return Ok(None);
        }
        let exceptions = self.caught_around(s).map_err(|gap| give_up(s, gap))?;
        if exceptions.is_empty() {
            return Ok(None);
        }
        let choice = self.failure_choice(call);
        let choice = self.terms.var(choice);
        let mut returns = self.terms.true_();
        let mut choices = Vec::new();
        for (number, exception) in exceptions.into_iter().enumerate() {
            let constant = self.terms.bv(8, number as u128 + 1);
            let guard = self.terms.eq(choice, constant);
            let not = self.terms.not(guard);
            returns = self.terms.and(returns, not);
            choices.push(Choice { guard, action: Action::Mocked { throws: Some(exception) } });
        }
        choices.insert(0, Choice { guard: returns, action: Action::Mocked { throws: None } });
        Err(fork(choices))
    }

    /// Exceptions that the frames around the call catch and that anybody can make.
    fn caught_around(&mut self, s: &State) -> Result<Vec<MockException>, Gap> {
        let mut exceptions: Vec<MockException> = Vec::new();
        for frame in s.frames() {
            for (ty, wants_message) in self.caught_by(frame) {
                let Some(exception) = self.throwable(ty, wants_message)? else { continue };
                let is_known = exceptions.iter().any(|known| known.ty == exception.ty);
                if !is_known && exceptions.len() < MAX_TYPES {
                    exceptions.push(exception);
                }
            }
            // Nothing is thrown through these.
            if matches!(frame.on_return, OnReturn::Filter { .. } | OnReturn::Initialized(_)) {
                break;
            }
        }
        Ok(exceptions)
    }

    /// Types of the exceptions that a frame would catch where it is, and those that its filters and handlers test for;
    /// each with whether somebody there reads the message.
    fn caught_by(&self, frame: &Frame) -> Vec<(TypeId, bool)> {
        let code = &frame.code;
        let mut types = Vec::new();
        if code.clauses.is_empty() || self.is_framework(self.universe.method(code.method).owner) {
            return types;
        }
        let is_around = |clause: &&Clause| {
            (clause.try_start..clause.try_end).contains(&frame.pc)
                && is_within(frame, clause)
                && !self.is_compilers(code, clause)
        };
        for clause in code.clauses.iter().filter(is_around) {
            let start = match clause.kind {
                ClauseKind::Filter { start } => start,
                _ => clause.handler_start,
            };
            let ops = code.ops.get(start as usize..clause.handler_end as usize).unwrap_or_default();
            // A handler that awaits something goes on after the clause.
            let readers = if code.is_state_machine { &code.ops } else { ops };
            let is_reader = |method| &*self.universe.method(method).name == "get_Message";
            let reads_message = calls(code, readers).any(is_reader);
            types.extend(self.looked_for(clause, ops).into_iter().map(|ty| (ty, reads_message)));
        }
        types
    }

    /// What a clause catches, and what its filter and its handler test for.
    fn looked_for(&self, clause: &Clause, ops: &[Op]) -> Vec<TypeId> {
        let mut tested = ops.iter().filter_map(|op| match op {
            Op::IsInst(ty) => Some(*ty),
            _ => None,
        });
        let caught = match clause.kind {
            ClauseKind::Catch(ty) => Some(ty),
            // It begins with the test of a type.
            ClauseKind::Filter { .. } => tested.next(),
            _ => None,
        };
        let Some(caught) = caught else { return Vec::new() };
        // What else is looked at there, such as an inner exception, is not what was thrown.
        let below = tested.filter(|ty| self.universe.is_assignable(*ty, caught).unwrap_or(false));
        [caught].into_iter().chain(below).collect()
    }

    /// An `async` method catches everything to put it into its task.
    fn is_compilers(&self, code: &Code, clause: &Clause) -> bool {
        let handler = clause.handler_start as usize..clause.handler_end as usize;
        calls(code, code.ops.get(handler).unwrap_or_default()).any(|method| {
            let called = self.universe.method(method);
            code.is_state_machine && &*called.name == "SetException" && self.is_framework(called.owner)
        })
    }

    /// The exception that a handler of this type is given: of its own type, or of a class below it if that is abstract.
    fn throwable(&mut self, ty: TypeId, wants_message: bool) -> Result<Option<MockException>, Gap> {
        let exception = self.universe.well_known()?.exception;
        let ty = if ty == self.universe.well_known()?.object { exception } else { ty };
        if self.universe.is_open(ty) || !self.universe.is_assignable(ty, exception)? {
            return Ok(None);
        }
        if !self.universe.is_abstract(ty) {
            return self.made_exception(ty, wants_message);
        }
        for &candidate in self.candidates(ty)?.iter() {
            if !self.universe.is_abstract(candidate)
                && let Some(made) = self.made_exception(candidate, wants_message)?
            {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    /// By which constructor a test makes an exception; none if it can call neither.
    fn made_exception(&self, ty: TypeId, wants_message: bool) -> Result<Option<MockException>, Gap> {
        if !self.universe.is_visible(ty) {
            return Ok(None);
        }
        let has_message = match (self.constructor(ty, false)?, self.constructor(ty, true)?) {
            (None, None) => return Ok(None),
            (None, Some(_)) => true,
            (Some(_), with_message) => wants_message && with_message.is_some(),
        };
        Ok(Some(MockException { ty, has_message }))
    }

    /// The public constructor of an exception that takes a message, or nothing.
    fn constructor(&self, ty: TypeId, has_message: bool) -> Result<Option<MethodId>, Gap> {
        let string = [self.universe.well_known()?.string];
        let parameters = if has_message { &string[..] } else { &[] };
        let found = self.universe.find_method(ty, ".ctor", parameters)?;
        Ok(found.filter(|constructor| self.universe.method(*constructor).is_public()))
    }

    /// Starts to make the exception; it is thrown where the mocked method is called.
    pub(super) fn throw_from_mock(
        &mut self,
        s: &mut State,
        call: CallNumber,
        exception: MockException,
        count: usize,
    ) -> Step {
        let (owner, method, answer) = call;
        let (code, values) = self.exception_code(call, exception).map_err(|gap| give_up(s, gap))?;
        let call = AskedCall { owner, method, answer, throws: Some(exception) };
        Rc::make_mut(&mut s.path.origins).asked.calls.push(call);
        drop_operands(s, count);
        let frame = self.frame(s, Rc::new(code), values, OnReturn::MockThrows)?;
        s.push_frame(frame);
        Ok(Flow::Reload)
    }

    /// `return new E()`, or with a message, which is an input.
    fn exception_code(
        &mut self,
        call: CallNumber,
        exception: MockException,
    ) -> Result<(Code, Vec<Value>), Gap> {
        let universe = Rc::clone(&self.universe);
        let Some(constructor) = self.constructor(exception.ty, exception.has_message)? else {
            return Err(Gap::internal_error("an exception without a constructor"));
        };
        let mut made = MadeCode::new(&universe, constructor, Some(Repr::Ref));
        let mut values = Vec::new();
        if exception.has_message {
            let string = universe.well_known()?.string;
            let message = self.failure_message(call)?;
            values.push(self.input_value(&message)?);
            let argument = made.argument(string, repr_of(&universe, string)?);
            made.ops.push(Op::LdVar(argument));
        }
        let call = made.call(&universe, constructor)?;
        made.ops.extend([Op::NewObj(call), Op::Ret]);
        Ok((made.finish(), values))
    }

    /// The exception is made.
    pub(super) fn mock_throws(&mut self, s: &mut State, made: Option<Value>) -> Step {
        let Some(Value::I64(address)) = made else {
            return Err(give_up(s, Gap::internal_error("an exception that was not made")));
        };
        let address = address.cast_unsigned();
        Rc::make_mut(&mut s.path.origins).asked.thrown.push(address);
        self.raise_by_runtime(s, address)
    }
}

/// The methods that these instructions call.
fn calls<'a>(code: &'a Code, ops: &'a [Op]) -> impl Iterator<Item = MethodId> + 'a {
    let sites = ops.iter().filter_map(|op| match op {
        Op::Call(site) | Op::CallVirt(site) => code.calls.get(*site as usize),
        _ => None,
    });
    sites.map(|site| site.method)
}
