//! Mocked members that throw: where a caller catches an exception, a mock may be what throws it.

use std::rc::Rc;

use term::Symbol;
use types::{MethodId, TypeId};

use crate::code::{ClauseKind, Op};
use crate::machine::{Flow, Machine, Step, fork, give_up};
use crate::made_code::MadeCode;
use crate::state::{Frame, OnReturn, State};
use crate::stop::{Action, Choice};
use verdict::Gap;

/// Exceptions that the mocks of one path throw at most, and types of exceptions that one call may throw.
const MAX_THROWN: usize = 2;
const MAX_TYPES: usize = 4;

impl Machine {
    /// What a call of a mocked method throws, if it does; a fork if that is not decided yet.
    pub(super) fn thrown_by_mock(&mut self, s: &mut State, choice: Symbol) -> Step<Option<TypeId>> {
        if let Some(decided) = s.path.origins.asked.decided {
            Rc::make_mut(&mut s.path.origins).asked.decided = None;
            return Ok(decided);
        }
        if s.path.origins.asked.calls.iter().filter(|call| call.throws.is_some()).count() >= MAX_THROWN {
            return Ok(None);
        }
        let types = self.caught_around(s).map_err(|gap| give_up(s, gap))?;
        if types.is_empty() {
            return Ok(None);
        }
        let choice = self.terms.var(choice);
        let mut returns = self.terms.true_();
        let mut choices = Vec::new();
        for (number, ty) in types.into_iter().enumerate() {
            let constant = self.terms.bv(8, number as u128 + 1);
            let guard = self.terms.eq(choice, constant);
            let not = self.terms.not(guard);
            returns = self.terms.and(returns, not);
            choices.push(Choice { guard, action: Action::Mocked { throws: Some(ty) } });
        }
        choices.insert(0, Choice { guard: returns, action: Action::Mocked { throws: None } });
        Err(fork(choices))
    }

    /// Types of exceptions that the frames around the call catch and that anybody can make.
    fn caught_around(&self, s: &State) -> Result<Vec<TypeId>, Gap> {
        let mut types = Vec::new();
        for frame in s.frames().filter(|frame| !frame.code.clauses.is_empty()) {
            if self.is_framework(self.universe.method(frame.code.method).owner) {
                continue;
            }
            for ty in caught_by(frame) {
                let Some(ty) = self.throwable(ty)? else { continue };
                if !types.contains(&ty) && types.len() < MAX_TYPES {
                    types.push(ty);
                }
            }
        }
        Ok(types)
    }

    /// The exception that a handler of this type is given: its own type, if there is a constructor without parameters.
    fn throwable(&self, ty: TypeId) -> Result<Option<TypeId>, Gap> {
        let universe = &self.universe;
        let Some(exception) = universe.find_type(universe.corelib()?, "System.Exception")? else {
            return Ok(None);
        };
        let ty = if ty == universe.well_known()?.object { exception } else { ty };
        if universe.is_abstract(ty) || universe.is_open(ty) || !universe.is_assignable(ty, exception)? {
            return Ok(None);
        }
        let constructor = universe.find_method(ty, ".ctor", &[])?;
        let is_public = constructor.is_some_and(|constructor| universe.method(constructor).is_public());
        Ok((is_public && universe.is_visible(ty)).then_some(ty))
    }

    /// Goes on in a frame of the mocked method that makes the exception and throws it.
    pub(super) fn throw_from_mock(
        &mut self,
        s: &mut State,
        method: MethodId,
        ty: TypeId,
        after: OnReturn,
    ) -> Step {
        let constructor = self.universe.find_method(ty, ".ctor", &[]);
        let Ok(Some(constructor)) = constructor else {
            return Err(give_up(s, Gap::internal_error("an exception without a constructor")));
        };
        let mut made = MadeCode::new(&self.universe, method, None);
        let call = made.call(&self.universe, constructor).map_err(|gap| give_up(s, gap))?;
        made.ops.extend([Op::NewObj(call), Op::Throw]);
        let frame = self.frame(s, Rc::new(made.finish()), Vec::new(), after)?;
        s.push_frame(frame);
        Ok(Flow::Reload)
    }
}

/// Types of the exceptions that a frame would catch where it is. A filter begins with the test of a type.
fn caught_by(frame: &Frame) -> Vec<TypeId> {
    let around = frame.code.clauses.iter().filter(|c| (c.try_start..c.try_end).contains(&frame.pc));
    let types = around.filter_map(|clause| match clause.kind {
        ClauseKind::Catch(ty) => Some(ty),
        ClauseKind::Filter { start } => match frame.code.ops.get(start as usize) {
            Some(Op::IsInst(ty)) => Some(*ty),
            _ => None,
        },
        _ => None,
    });
    types.collect()
}
