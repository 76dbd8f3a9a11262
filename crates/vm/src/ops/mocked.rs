//! Calls of members that nothing implements, on objects of made-up classes.
//!
//! A method gives a new symbolic result at every call; a property keeps what was set; adding and removing handlers of an
//! event does nothing.

use std::rc::Rc;

use term::Symbol;
use types::{MethodId, TypeId, Universe};

use crate::code::{Code, Op};
use crate::decode::repr_of;
use crate::inputs::mocks::{AskedCall, Returned};
use crate::machine::{Flow, Machine, Step, give_up, peek};
use crate::made_code::MadeCode;
use crate::state::{OnReturn, State};
use crate::value::Repr;
use verdict::Gap;

/// Calls of mocked members that a path makes at most.
const MAX_CALLS: usize = 48;

/// What a member of a made-up class is.
enum Member<'a> {
    Method,
    Getter(&'a str),
    Setter(&'a str),
    /// Adds or removes a handler.
    Event,
}

impl Machine {
    /// Calls an abstract method with the `count` topmost operands, of which the first may be a mock; if it is none, the
    /// path ends with the reason.
    pub fn mocked_call(
        &mut self,
        s: &mut State,
        method: MethodId,
        count: usize,
        after: OnReturn,
        refusal: Gap,
    ) -> Step {
        let universe = Rc::clone(&self.universe);
        if count == 0 || universe.method(method).is_static() {
            return Err(give_up(s, refusal));
        }
        let Some(this) = self.address(s, count - 1)? else { return self.null_reference(s) };
        let Some(owner) = self.mock_owner(s, this) else { return Err(give_up(s, refusal)) };
        let declared_in = universe.method(method).owner;
        self.limit_mock(declared_in);
        match member(&universe, method, count) {
            Member::Method => self.mocked_method(s, owner, method, count, after),
            Member::Getter(name) => self.mocked_getter(s, owner, (declared_in, name), method, after),
            Member::Setter(name) => self.mocked_setter(s, owner, (declared_in, name), method, after),
            Member::Event => {
                drop_operands(s, count);
                self.returned(s, after, None)
            }
        }
    }

    fn mocked_method(
        &mut self,
        s: &mut State,
        owner: Symbol,
        method: MethodId,
        count: usize,
        after: OnReturn,
    ) -> Step {
        if s.path.origins.asked.calls.len() >= MAX_CALLS {
            let detail = format!("more than {MAX_CALLS} calls of mocked members on a path");
            return Err(give_up(s, Gap::bound(detail)));
        }
        let number = s.path.origins.asked.count(owner, method);
        if let Some(exception) = self.thrown_by_mock(s, (owner, method, number))? {
            return self.throw_from_mock(s, (owner, method, number), exception, count);
        }
        let answer = self.answer(owner, method, number).map_err(|gap| give_up(s, gap))?;
        for (index, input) in &answer.assigns {
            let depth = count - 2 - *index as usize;
            let Some(place) = self.address(s, depth)? else { continue };
            let value = self.input_value(input).map_err(|gap| give_up(s, gap))?;
            let repr = repr_of(&self.universe, crate::inputs::input_type(input));
            let repr = repr.map_err(|gap| give_up(s, gap))?;
            self.store(s, place, repr, value)?;
        }
        let call = AskedCall { owner, method, answer: number, throws: None };
        Rc::make_mut(&mut s.path.origins).asked.calls.push(call);
        drop_operands(s, count);
        self.give(s, &answer.returns, after)
    }

    /// The first value of a property is a symbol. What has thrown once answers call by call from then on.
    fn mocked_getter(
        &mut self,
        s: &mut State,
        owner: Symbol,
        (declared_in, name): (TypeId, &str),
        getter: MethodId,
        after: OnReturn,
    ) -> Step {
        let known = s.path.origins.asked.property(owner, declared_in, name);
        if let Some((_, value)) = known.and_then(|property| property.set.clone()) {
            drop_operands(s, 1);
            return self.returned(s, after, Some(value));
        }
        if s.path.origins.asked.count(owner, getter) > 0 {
            return self.mocked_method(s, owner, getter, 1, after);
        }
        let reads = known.map_or(0, |property| property.reads);
        if let Some(exception) = self.thrown_by_mock(s, (owner, getter, reads))? {
            let asked = &mut Rc::make_mut(&mut s.path.origins).asked;
            let property = asked.property_mut(owner, declared_in, name);
            (property.read, property.reads) = (None, 0);
            asked.list_calls(owner, getter, reads);
            return self.throw_from_mock(s, (owner, getter, reads), exception, 1);
        }
        let answer = self.answer(owner, getter, 0).map_err(|gap| give_up(s, gap))?;
        let asked = &mut Rc::make_mut(&mut s.path.origins).asked;
        let property = asked.property_mut(owner, declared_in, name);
        (property.read, property.reads) = (Some(getter), reads + 1);
        drop_operands(s, 1);
        self.give(s, &answer.returns, after)
    }

    /// A property keeps what is set, unless its setter throws.
    fn mocked_setter(
        &mut self,
        s: &mut State,
        owner: Symbol,
        (declared_in, name): (TypeId, &str),
        setter: MethodId,
        after: OnReturn,
    ) -> Step {
        let ty = self.universe.signature(setter).map(|signature| signature.params.first().copied());
        let ty = ty.map_err(|error| give_up(s, error.into()))?;
        let Some(ty) = ty else { return Err(give_up(s, Gap::invalid_code("a setter without a value"))) };
        let repr = repr_of(&self.universe, ty).map_err(|gap| give_up(s, gap))?;
        let value = self.narrow(peek(s, 0)?.clone(), repr)?;
        let listed = s.path.origins.asked.count(owner, setter);
        let sets =
            s.path.origins.asked.property(owner, declared_in, name).map_or(0, |property| property.sets);
        let number = listed + sets;
        if let Some(exception) = self.thrown_by_mock(s, (owner, setter, number))? {
            // There is nothing to give, and this says so.
            self.answer(owner, setter, 0).map_err(|gap| give_up(s, gap))?;
            let asked = &mut Rc::make_mut(&mut s.path.origins).asked;
            asked.property_mut(owner, declared_in, name).sets = 0;
            asked.list_calls(owner, setter, sets);
            return self.throw_from_mock(s, (owner, setter, number), exception, 2);
        }
        let asked = &mut Rc::make_mut(&mut s.path.origins).asked;
        let property = asked.property_mut(owner, declared_in, name);
        property.set = Some((ty, value));
        if listed == 0 {
            property.sets += 1;
        } else {
            asked.list_calls(owner, setter, 1);
        }
        drop_operands(s, 2);
        self.returned(s, after, None)
    }

    fn give(&mut self, s: &mut State, returned: &Returned, after: OnReturn) -> Step {
        match returned {
            Returned::Nothing => self.returned(s, after, None),
            Returned::Default(ty) => {
                let repr = repr_of(&self.universe, *ty).map_err(|gap| give_up(s, gap))?;
                self.returned(s, after, Some(repr.zero()))
            }
            Returned::Value(input) => {
                let value = self.input_value(input).map_err(|gap| give_up(s, gap))?;
                self.returned(s, after, Some(value))
            }
            Returned::Task(ty, result) => {
                let code = self.completed_task(*ty).map_err(|gap| give_up(s, gap))?;
                let values = result.iter().map(|input| self.input_value(input)).collect::<Result<_, _>>();
                let values = values.map_err(|gap| give_up(s, gap))?;
                let frame = self.frame(s, Rc::new(code), values, after)?;
                s.push_frame(frame);
                Ok(Flow::Reload)
            }
        }
    }

    /// Code that makes a completed task around its argument, as the class library does.
    fn completed_task(&self, ty: TypeId) -> Result<Code, Gap> {
        let universe = Rc::clone(&self.universe);
        let unknown = || Gap::unsupported_input("the tasks of this runtime");
        let arguments = universe.type_args(ty);
        let is_value = universe.is_value_type(ty);
        let repr = repr_of(&universe, ty)?;
        let method = match arguments {
            // The zero of a value task is a completed one.
            [] if is_value => None,
            [] => Some(*universe.methods_named(ty, "get_CompletedTask")?.first().ok_or_else(unknown)?),
            // The constructor that `FromResult` ends in: that one has tasks in store for small numbers, and would split
            // the path over them.
            _ => Some(universe.find_method(ty, ".ctor", arguments)?.ok_or_else(unknown)?),
        };
        let named = method.or(universe.methods(ty)?.first().copied()).ok_or_else(unknown)?;
        let mut made = MadeCode::new(&universe, named, Some(if is_value { repr } else { Repr::Ref }));
        for &argument in arguments {
            let argument = made.argument(argument, repr_of(&universe, argument)?);
            made.ops.push(Op::LdVar(argument));
        }
        match method {
            Some(method) => {
                let call = made.call(&universe, method)?;
                made.ops.push(if arguments.is_empty() { Op::Call(call) } else { Op::NewObj(call) });
            }
            None => {
                let zero = made.local(ty, repr);
                made.ops.push(Op::LdVar(zero));
            }
        }
        made.ops.push(Op::Ret);
        Ok(made.finish())
    }
}

fn member(universe: &Universe, method: MethodId, count: usize) -> Member<'_> {
    let info = universe.method(method);
    if !info.is_special_name() {
        return Member::Method;
    }
    match info.name.split_once('_') {
        Some(("get", name)) if count == 1 => Member::Getter(name),
        Some(("set", name)) if count == 2 => Member::Setter(name),
        Some(("add" | "remove", _)) if count == 2 => Member::Event,
        _ => Member::Method,
    }
}

pub(super) fn drop_operands(s: &mut State, count: usize) {
    let left = s.top.stack.len().saturating_sub(count);
    s.top.stack.truncate(left);
}
