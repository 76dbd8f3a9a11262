//! Calls that are run before the method under test, to see which objects they leave: their arguments are inputs like any
//! others. What exploration has noted meanwhile is put back: nothing of it is about the method under test.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use term::Symbol;
use types::{FieldId, MethodId, Primitive, Universe};
use verdict::{Assumption, Gap};

use crate::code::{Code, Op};
use crate::coverage::Coverage;
use crate::decode::repr_of;
use crate::heap::{Heap, split_address};
use crate::inputs::{Input, input_type};
use crate::machine::Machine;
use crate::made_code::MadeCode;
use crate::state::{Frame, OnReturn, State};
use crate::stop::{PathEnd, Stop};
use crate::value::{Repr, Value};

/// Which object a call gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// What a constructor or a static member makes.
    New,
    /// The object that the method is called on.
    Itself,
    /// What a method of the object before returns.
    Next,
    /// The same where the object before is of another class: a builder, a repository.
    Turned,
}

/// A call that makes an object or changes one.
#[derive(Clone, Debug)]
pub struct Arranged {
    pub method: MethodId,
    pub given: Given,
    pub arguments: Vec<Input>,
}

/// What is put back after calls were arranged.
pub struct Aside {
    consumer: Option<Rc<Code>>,
    limits: Vec<Gap>,
    assumed: BTreeMap<Assumption, String>,
    static_reads: FxHashSet<FieldId>,
    cache_read: bool,
    is_recording: bool,
}

impl Arranged {
    pub fn is_constructor(&self, universe: &Universe) -> bool {
        universe.method(self.method).is_constructor()
    }

    /// A property is set that has no index.
    pub fn is_setter(&self, universe: &Universe) -> bool {
        let info = universe.method(self.method);
        let is_set = info.is_special_name() && info.name.starts_with("set_");
        self.given == Given::Itself && is_set && self.arguments.len() == 1
    }
}

impl Machine {
    pub fn begin_arranging(&mut self) -> Aside {
        Aside {
            consumer: self.consumer.take(),
            limits: self.inputs.limits.clone(),
            assumed: self.inputs.assumed.clone(),
            static_reads: self.inputs.static_reads.clone(),
            cache_read: self.inputs.cache_read,
            is_recording: std::mem::replace(&mut self.recording.is_on, false),
        }
    }

    pub fn end_arranging(&mut self, aside: Aside) {
        self.consumer = aside.consumer;
        self.inputs.limits = aside.limits;
        self.inputs.assumed = aside.assumed;
        self.inputs.static_reads = aside.static_reads;
        self.inputs.cache_read = aside.cache_read;
        self.recording.is_on = aside.is_recording;
    }

    /// A call with new symbols for its arguments.
    pub fn arranged(&mut self, method: MethodId, given: Given, name: &str) -> Result<Arranged, Gap> {
        let universe = Rc::clone(&self.universe);
        let mut arguments = Vec::new();
        for (index, &ty) in universe.signature(method)?.params.iter().enumerate() {
            arguments.push(self.make_input(ty, &format!("{name}.arg{index}"), 0)?);
        }
        Ok(Arranged { method, given, arguments })
    }

    /// A state in which the call is about to run, and gives its object when it returns: what it makes, or what it was
    /// called on. `before`: where an earlier call has ended, and its object.
    /// `places`: memory that is there when the first call runs.
    pub fn arrange(
        &mut self,
        call: &Arranged,
        before: Option<(&State, u64)>,
        places: &Heap,
    ) -> Result<State, Gap> {
        let universe = Rc::clone(&self.universe);
        let method = call.method;
        let mut made = MadeCode::new(&universe, method, Some(Repr::Ref));
        let mut values = Vec::new();
        if let Some((_, object)) = before {
            made.argument(universe.method(method).owner, Repr::Ref);
            values.push(Value::address(object));
        }
        for input in &call.arguments {
            let ty = input_type(input);
            made.argument(ty, repr_of(&universe, ty)?);
            values.push(self.input_value(input)?);
        }
        made.ops.extend((0..made.arguments()).map(Op::LdVar));
        let site = made.call(&universe, method)?;
        let has_result = universe.primitive(universe.signature(method)?.ret) != Some(Primitive::Void);
        match before {
            Some(_) if call.given == Given::Next => made.ops.push(Op::CallVirt(site)),
            Some(_) if call.given == Given::Turned => {
                made.ops.push(Op::CallVirt(site));
                made.ops.push(Op::CastClass(universe.signature(method)?.ret));
            }
            Some(_) => {
                made.ops.push(Op::CallVirt(site));
                made.ops.extend(has_result.then_some(Op::Pop));
                made.ops.push(Op::LdVar(0));
            }
            None if universe.method(method).is_constructor() => made.ops.push(Op::NewObj(site)),
            None => {
                made.ops.push(Op::Call(site));
                made.ops.push(Op::CastClass(universe.signature(method)?.ret));
            }
        }
        made.ops.push(Op::Ret);
        let code = Rc::new(made.finish());
        let mut state = match before {
            Some((state, _)) => state.clone(),
            None => State { heap: places.clone(), ..State::new(Frame::empty(Rc::clone(&code))) },
        };
        state.free_variables();
        let frame = self.frame(&mut state, code, values, OnReturn::EndPath);
        state.top = frame.map_err(|stop| gap_of(*stop))?;
        Ok(state)
    }

    /// A state in which the method under test is about to run, with an object that calls have made in the place of one of
    /// its inputs. `before`: where the calls have ended.
    pub fn enter_with(
        &mut self,
        method: MethodId,
        before: &State,
        (reference, object): (Symbol, u64),
    ) -> Result<State, Gap> {
        let code = self.code(method)?;
        let mut state = State { coverage: Coverage::default(), steps: 0, ..before.clone() };
        state.free_variables();
        let (block, _) = split_address(object);
        Rc::make_mut(&mut state.path.origins).resolve(reference, Some(block));
        let inputs: Vec<Input> = self.inputs.this.iter().chain(&self.inputs.arguments).cloned().collect();
        let mut values = Vec::new();
        for input in &inputs {
            values.push(match input {
                Input::Reference { symbol, .. } if *symbol == reference => Value::address(object),
                input => self.input_value(input)?,
            });
        }
        let frame = self.frame(&mut state, code, values, OnReturn::EndPath);
        state.top = frame.map_err(|stop| gap_of(*stop))?;
        if let Some(ty) = state.top.code.init_type {
            self.ensure_initialized(&mut state, ty).map_err(|stop| gap_of(*stop))?;
        }
        Ok(state)
    }

    /// What the method under test returns is consumed again, although calls are still arranged; or no more.
    pub fn consume_as(&mut self, aside: Option<&Aside>) {
        self.consumer = aside.and_then(|aside| aside.consumer.clone());
    }
}

fn gap_of(stop: Stop) -> Gap {
    match stop {
        Stop::End(PathEnd::Incomplete { gap, .. }) => gap,
        _ => Gap::internal_error("a call that cannot begin"),
    }
}
