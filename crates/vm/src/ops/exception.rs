//! Exceptions in two passes (ECMA-335 I.12.4.2): the first finds the handler and runs filters, the second unwinds to it and
//! runs finally and fault handlers on the way.
//!
//! Runtime boundaries take part in the search like handlers: a static constructor turns what leaves it into a
//! `TypeInitializationException`, a filter turns what leaves it into "no". What nobody catches leaves the method under
//! test, whose caller (a test) catches it; so finally handlers do run.

use types::TypeId;

use crate::code::{Clause, ClauseKind};
use crate::machine::{Flow, Machine, Step, fork, give_up, pop, unsupported};
use crate::state::{Frame, InitStatus, OnReturn, Pending, State, Then, UnwindTarget};
use crate::stop::{Action, Choice, PathEnd, Place, RuntimeException, Stop};
use crate::value::Value;
use verdict::Gap;

/// What the first pass came to.
enum Found {
    Target(UnwindTarget),
    Filter { depth: u32, clause: u32, start: u32 },
}

impl Machine {
    pub fn throw(&mut self, s: &mut State) -> Step {
        let Some(exception) = self.address(s, 0)? else { return self.null_reference(s) };
        let base = self.core_type(s, "System.Exception")?;
        let ty = self.object_type(s, exception)?;
        if !self.universe.is_assignable(ty, base).map_err(|error| give_up(s, error.into()))? {
            return Err(unsupported(s, "a throw of an object that is no exception"));
        }
        let place = s.place();
        self.raise(s, exception, place)
    }

    pub fn rethrow(&mut self, s: &mut State) -> Step {
        let pc = s.top.pc;
        let clauses = &s.top.code.clauses;
        let current = s.top.caught.iter().rev().find(|(_, clause)| {
            clauses.get(*clause as usize).is_some_and(|c| (c.handler_start..c.handler_end).contains(&pc))
        });
        match current {
            Some(&(exception, _)) => {
                let place = s.place();
                // This frame is in the trace already.
                self.first_chance(s, exception, place, s.depth)
            }
            None => Err(give_up(s, Gap::invalid_code("rethrow outside of a catch handler"))),
        }
    }

    /// Makes an exception of the runtime's own by its parameterless constructor, then throws it.
    pub fn throw_new(&mut self, s: &mut State, exception: RuntimeException) -> Step {
        if exception == RuntimeException::NullReference && self.flavor() == crate::Flavor::Mono {
            // Mono's runtime has a text of its own.
            let text = "Object reference not set to an instance of an object";
            return self.throw_strings(s, exception.type_name(), &[text]);
        }
        let ty = self.core_type(s, exception.type_name())?;
        let object = self.allocate_instance(s, ty)?;
        s.top.stack.clear();
        let constructor =
            self.universe.find_method(ty, ".ctor", &[]).map_err(|error| give_up(s, error.into()))?;
        let Some(constructor) = constructor else {
            let place = s.place();
            return self.raise(s, object, place);
        };
        s.top.stack.push(Value::address(object));
        self.invoke(s, constructor, 1, OnReturn::Throw(object))
    }

    pub fn core_type(&mut self, s: &State, name: &'static str) -> Step<TypeId> {
        if let Some(ty) = self.layouts.core_types.get(name) {
            return Ok(*ty);
        }
        let found = self.universe.corelib().and_then(|corelib| self.universe.find_type(corelib, name));
        match found {
            Ok(Some(ty)) => {
                self.layouts.core_types.insert(name, ty);
                Ok(ty)
            }
            Ok(None) => Err(give_up(s, Gap::missing_reference(format!("the type {name} is missing")))),
            Err(error) => Err(give_up(s, error.into())),
        }
    }

    /// Second pass of an exception that nobody catches.
    pub(crate) fn unwind_uncaught(&mut self, s: &mut State, exception: u64) -> Step {
        let place = s.base_place();
        let from = s.top.pc;
        self.unwind(s, exception, place, UnwindTarget::Base { place }, from, 0)
    }

    /// First pass from the top frame. The exception starts a new trace.
    pub fn raise(&mut self, s: &mut State, exception: u64, thrown_at: Place) -> Step {
        if self.mode().runs_program() {
            self.begin_trace(s, exception)?;
        } else {
            s.note_thrown(exception, true);
        }
        self.first_chance(s, exception, thrown_at, s.depth + 1)
    }

    /// As [`Machine::raise`], for an exception that the runtime made: it comes out of one of the runtime's own methods.
    pub(crate) fn raise_by_runtime(&mut self, s: &mut State, exception: u64) -> Step {
        if self.mode().runs_program() {
            self.begin_trace(s, exception)?;
            self.record_thrower(s, exception)?;
        } else {
            s.note_thrown(exception, false);
        }
        let thrown_at = s.place();
        self.first_chance(s, exception, thrown_at, s.depth + 1)
    }

    /// Tells the handlers of `AppDomain.FirstChanceException`, if there are any, then searches.
    fn first_chance(&mut self, s: &mut State, exception: u64, thrown_at: Place, recorded: u32) -> Step {
        if self.mode().runs_program()
            && let Some(flow) = self.tell_first_chance(s, exception, thrown_at, recorded)?
        {
            return Ok(flow);
        }
        self.search_from_top(s, exception, thrown_at, recorded)
    }

    pub(crate) fn search_from_top(
        &mut self,
        s: &mut State,
        exception: u64,
        thrown_at: Place,
        recorded: u32,
    ) -> Step {
        let found = self.search(s, exception, s.depth, 0)?;
        self.dispatch(s, exception, thrown_at, found, recorded)
    }

    /// Goes on to what the search has found. Frames from depth `recorded` up are in the trace of the exception.
    fn dispatch(
        &mut self,
        s: &mut State,
        exception: u64,
        thrown_at: Place,
        found: Found,
        recorded: u32,
    ) -> Step {
        if self.mode().runs_program() {
            let reached = match found {
                Found::Target(UnwindTarget::Catch { depth, .. } | UnwindTarget::Boundary { depth })
                | Found::Filter { depth, .. } => depth,
                Found::Target(UnwindTarget::Base { .. }) => 1,
            };
            self.record_trace(s, exception, reached, recorded)?;
        }
        match found {
            Found::Target(UnwindTarget::Base { place }) if self.mode().runs_program() => {
                let ty = self.object_type(s, exception)?;
                Err(Box::new(Stop::End(PathEnd::Threw { exception, ty, thrown_at: place })))
            }
            Found::Target(target) => {
                let from = s.top.pc;
                self.unwind(s, exception, thrown_at, target, from, 0)
            }
            Found::Filter { depth, clause, start } => {
                let Some(owner) = s.frame_at(depth) else {
                    return Err(give_up(s, Gap::internal_error("a filter without a frame")));
                };
                let frame = Frame {
                    pc: start,
                    stack: vec![Value::address(exception)],
                    on_return: OnReturn::Filter { depth, clause, exception, thrown_at },
                    pending: Default::default(),
                    caught: owner.caught.clone(),
                    stack_blocks: Default::default(),
                    ..owner.clone()
                };
                s.push_frame(Box::new(frame));
                Ok(Flow::Reload)
            }
        }
    }

    /// Looks for a handler in the frame at `depth`, starting with `clause`, and in the frames below it.
    fn search(&mut self, s: &State, exception: u64, depth: u32, clause: u32) -> Step<Found> {
        let ty = self.object_type(s, exception)?;
        let mut first = clause as usize;
        let skip = (s.depth - depth) as usize;
        for (i, frame) in s.frames().enumerate().skip(skip) {
            let depth = s.depth - i as u32;
            for (index, clause) in frame.code.clauses.iter().enumerate().skip(first) {
                if !(clause.try_start..clause.try_end).contains(&frame.pc) || !is_within(frame, clause) {
                    continue;
                }
                let index = index as u32;
                match clause.kind {
                    ClauseKind::Catch(caught) => {
                        let catches = self.universe.is_assignable(ty, caught);
                        if catches.map_err(|error| give_up(s, error.into()))? {
                            return Ok(Found::Target(UnwindTarget::Catch { depth, clause: index }));
                        }
                    }
                    ClauseKind::Filter { start } => {
                        return Ok(Found::Filter { depth, clause: index, start });
                    }
                    ClauseKind::CatchUnresolved | ClauseKind::Finally | ClauseKind::Fault => {}
                }
            }
            first = 0;
            let on_return = frame.on_return;
            if matches!(
                on_return,
                OnReturn::Initialized(_)
                    | OnReturn::Filter { .. }
                    | OnReturn::Built { .. }
                    | OnReturn::MockThrows
            ) {
                return Ok(Found::Target(UnwindTarget::Boundary { depth }));
            }
        }
        Ok(Found::Target(UnwindTarget::Base { place: s.thrown_place(exception) }))
    }

    /// Second pass: runs the next finally or fault handler, or reaches the target. `from` is where the exception passed
    /// through the top frame, `next` the first clause not yet considered there.
    fn unwind(
        &mut self,
        s: &mut State,
        exception: u64,
        thrown_at: Place,
        target: UnwindTarget,
        mut from: u32,
        mut next: u32,
    ) -> Step {
        loop {
            let limit = match target {
                UnwindTarget::Catch { depth, clause } if depth == s.depth => clause,
                _ => u32::MAX,
            };
            if let Some((clause, start)) = next_handler(&s.top, from, next, limit) {
                let then = Then::Unwind { from, exception, thrown_at, target };
                enter_handler(s, clause, start, then);
                return Ok(Flow::Reload);
            }
            match target {
                UnwindTarget::Catch { depth, clause } if depth == s.depth => {
                    return self.enter_catch(s, exception, clause);
                }
                UnwindTarget::Boundary { depth } if depth == s.depth => {
                    return self.leave_boundary(s, exception);
                }
                UnwindTarget::Base { place } if s.depth == 1 => {
                    let ty = self.object_type(s, exception)?;
                    let end = PathEnd::Threw { exception, ty, thrown_at: place };
                    return Err(Box::new(Stop::End(end)));
                }
                _ => {}
            }
            if s.pop_frame().is_none() {
                return Err(give_up(s, Gap::internal_error("unwinding past the base")));
            }
            from = s.top.pc;
            next = 0;
        }
    }

    fn enter_catch(&mut self, s: &mut State, exception: u64, clause: u32) -> Step {
        let Some(handler) = s.top.code.clauses.get(clause as usize).copied() else {
            return Err(give_up(s, Gap::internal_error("a lost clause")));
        };
        forget_handlers_left(&mut s.top, handler.handler_start);
        s.top.stack.clear();
        s.top.stack.push(Value::address(exception));
        s.top.caught.push((exception, clause));
        s.coverage.meet(s.top.code.handler_goal(clause));
        s.top.pc = handler.handler_start;
        Ok(Flow::Reload)
    }

    /// An exception has left a static constructor or a filter.
    fn leave_boundary(&mut self, s: &mut State, exception: u64) -> Step {
        let Some(frame) = s.pop_frame() else {
            return Err(give_up(s, Gap::internal_error("unwinding past the base")));
        };
        match frame.on_return {
            OnReturn::Initialized(ty) => self.throw_type_initialization(s, ty, exception),
            // A collection that refuses its items is no input, an exception that cannot be made is not thrown.
            OnReturn::Built { .. } | OnReturn::MockThrows => Err(Box::new(Stop::End(PathEnd::Impossible))),
            OnReturn::Filter { depth, clause, exception, thrown_at } => {
                s.set_vars_at(depth, frame.vars);
                self.filter_said(s, depth, clause, exception, thrown_at, false)
            }
            _ => Err(give_up(s, Gap::internal_error("a boundary that is none"))),
        }
    }

    /// A static constructor failed: every access from now on throws the same exception.
    fn throw_type_initialization(&mut self, s: &mut State, ty: TypeId, inner: u64) -> Step {
        let class = self.core_type(s, "System.TypeInitializationException")?;
        let string = self.core_type(s, "System.String")?;
        let base = self.core_type(s, "System.Exception")?;
        let wrapper = self.allocate_instance(s, class)?;
        s.finish_statics(ty);
        s.statics.set_status(ty, InitStatus::Failed(wrapper));
        let constructor = self.universe.find_method(class, ".ctor", &[string, base]);
        let Some(constructor) = constructor.map_err(|error| give_up(s, error.into()))? else {
            let place = s.place();
            return self.raise(s, wrapper, place);
        };
        // The runtime names a nested type without the types around it.
        let full = self.universe.type_name(self.universe.definition(ty));
        let name: Vec<u16> = full.rsplit('+').next().unwrap_or(&full).encode_utf16().collect();
        let name = self.allocate_string(s, &name)?;
        s.top.stack.clear();
        s.top.stack.extend([wrapper, name, inner].map(Value::address));
        self.invoke(s, constructor, 3, OnReturn::Throw(wrapper))
    }

    /// As [`Machine::throw_new`], with a message of the runtime's own if text matters at all.
    pub fn throw_saying(&mut self, s: &mut State, exception: RuntimeException, message: &str) -> Step {
        if !self.mode().interprets_text() {
            return self.throw_new(s, exception);
        }
        let ty = self.core_type(s, exception.type_name())?;
        let string = self.core_type(s, "System.String")?;
        let constructor = self.universe.find_method(ty, ".ctor", &[string]);
        let Some(constructor) = constructor.map_err(|error| give_up(s, error.into()))? else {
            return self.throw_new(s, exception);
        };
        let object = self.allocate_instance(s, ty)?;
        let units: Vec<u16> = message.encode_utf16().collect();
        let text = self.allocate_string(s, &units)?;
        s.top.stack.clear();
        s.top.stack.extend([Value::address(object), Value::address(text)]);
        self.invoke(s, constructor, 2, OnReturn::Throw(object))
    }

    pub fn endfilter(&mut self, s: &mut State) -> Step {
        let OnReturn::Filter { depth, clause, exception, thrown_at } = s.top.on_return else {
            return Err(give_up(s, Gap::invalid_code("endfilter outside of a filter")));
        };
        match pop(s)? {
            Value::I32(answer) => {
                let vars = std::mem::take(&mut s.top.vars);
                s.pop_frame();
                s.set_vars_at(depth, vars);
                self.filter_said(s, depth, clause, exception, thrown_at, answer == 1)
            }
            Value::Term(term) if self.width(term) == 32 => {
                let one = self.terms.bv(32, 1);
                let yes = self.terms.eq(term, one);
                let no = self.terms.not(yes);
                // Run again with the answer known.
                let retry = |value| Action::Retry(Value::I32(value));
                Err(fork(vec![
                    Choice { guard: yes, action: retry(1) },
                    Choice { guard: no, action: retry(0) },
                ]))
            }
            _ => Err(unsupported(s, "a filter that answers something else than an int32")),
        }
    }

    fn filter_said(
        &mut self,
        s: &mut State,
        depth: u32,
        clause: u32,
        exception: u64,
        thrown_at: Place,
        yes: bool,
    ) -> Step {
        let found = if yes {
            Found::Target(UnwindTarget::Catch { depth, clause })
        } else {
            self.search(s, exception, depth, clause + 1)?
        };
        self.dispatch(s, exception, thrown_at, found, depth)
    }

    pub fn leave(&mut self, s: &mut State, target: u32) -> Step {
        let from = s.top.pc;
        s.top.stack.clear();
        self.continue_leave(s, from, target, 0)
    }

    fn continue_leave(&mut self, s: &mut State, from: u32, target: u32, next: u32) -> Step {
        let handler = s.top.code.clauses.iter().enumerate().skip(next as usize).find(|(_, clause)| {
            matches!(clause.kind, ClauseKind::Finally)
                && (clause.try_start..clause.try_end).contains(&from)
                && !(clause.try_start..clause.try_end).contains(&target)
        });
        if let Some((index, clause)) = handler {
            let (index, start) = (index as u32, clause.handler_start);
            enter_handler(s, index, start, Then::Leave { from, target });
            return Ok(Flow::Reload);
        }
        forget_handlers_left(&mut s.top, target);
        Ok(Flow::Jump(target))
    }

    pub fn endfinally(&mut self, s: &mut State) -> Step {
        let Some(pending) = s.top.pending.pop() else {
            return Err(give_up(s, Gap::invalid_code("endfinally outside of a handler")));
        };
        match pending.then {
            Then::Leave { from, target } => self.continue_leave(s, from, target, pending.clause + 1),
            Then::Unwind { from, exception, thrown_at, target } => {
                self.unwind(s, exception, thrown_at, target, from, pending.clause + 1)
            }
        }
    }
}

/// The next finally or fault clause, inner ones first, whose try block an exception at `from` leaves.
fn next_handler(frame: &Frame, from: u32, next: u32, limit: u32) -> Option<(u32, u32)> {
    let clauses = frame.code.clauses.iter().enumerate().skip(next as usize);
    clauses.take_while(|(index, _)| (*index as u32) < limit).find_map(|(index, clause)| {
        let handles = matches!(clause.kind, ClauseKind::Finally | ClauseKind::Fault);
        let covers = (clause.try_start..clause.try_end).contains(&from);
        (handles && covers && is_within(frame, clause)).then_some((index as u32, clause.handler_start))
    })
}

/// While a filter runs, the clauses around it are not its own: what leaves the filter leaves no try block of its method.
pub(super) fn is_within(frame: &Frame, clause: &Clause) -> bool {
    let OnReturn::Filter { clause: own, .. } = frame.on_return else { return true };
    match frame.code.clauses.get(own as usize) {
        Some(Clause { kind: ClauseKind::Filter { start }, handler_start, .. }) => {
            (*start..*handler_start).contains(&clause.try_start)
        }
        _ => true,
    }
}

fn enter_handler(s: &mut State, clause: u32, start: u32, then: Then) {
    s.top.stack.clear();
    s.top.pending.push(Pending { clause, then });
    s.coverage.meet(s.top.code.handler_goal(clause));
    s.top.pc = start;
}

/// Control goes to `target`: handlers that do not contain it are over.
fn forget_handlers_left(frame: &mut Frame, target: u32) {
    let clauses = &frame.code.clauses;
    let inside = |clause: u32| {
        clauses.get(clause as usize).is_some_and(|c| (c.handler_start..c.handler_end).contains(&target))
    };
    frame.caught.retain(|(_, clause)| inside(*clause));
    frame.pending.retain(|pending| inside(pending.clause));
}
