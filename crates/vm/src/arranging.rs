//! Calls that are run before the method under test, to see which objects they leave: their arguments are inputs like any
//! others. What exploration has noted meanwhile is put back: nothing of it is about the method under test.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use types::{FieldId, MethodId, Primitive, Universe};
use verdict::{Assumption, Gap};

use crate::code::{Code, Op};
use crate::decode::repr_of;
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
    /// What a method of another object returns.
    ByOther,
    /// The object that the method is called on.
    Itself,
    /// What a method of the object before returns.
    Next,
}

/// A call that makes an object or changes one.
#[derive(Clone, Debug)]
pub struct Arranged {
    pub method: MethodId,
    pub given: Given,
    /// The object whose method gives another one.
    pub receiver: Option<Input>,
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

    /// A call with new symbols for its arguments. A method that gives an object has a receiver that is an input as well.
    pub fn arranged(&mut self, method: MethodId, given: Given, name: &str) -> Result<Arranged, Gap> {
        let universe = Rc::clone(&self.universe);
        let receiver = match given == Given::ByOther {
            true => Some(self.make_input(universe.method(method).owner, &format!("{name}.this"), 0)?),
            false => None,
        };
        let mut arguments = Vec::new();
        for (index, &ty) in universe.signature(method)?.params.iter().enumerate() {
            arguments.push(self.make_input(ty, &format!("{name}.arg{index}"), 0)?);
        }
        Ok(Arranged { method, given, receiver, arguments })
    }

    /// A state in which the call is about to run, and gives its object when it returns: what it makes, or what it was
    /// called on. `before`: where an earlier call has ended, and its object.
    pub fn arrange(&mut self, call: &Arranged, before: Option<(&State, u64)>) -> Result<State, Gap> {
        let universe = Rc::clone(&self.universe);
        let method = call.method;
        let mut made = MadeCode::new(&universe, method, Some(Repr::Ref));
        let mut values = Vec::new();
        if let Some((_, object)) = before {
            made.argument(universe.method(method).owner, Repr::Ref);
            values.push(Value::address(object));
        }
        for input in call.receiver.iter().chain(&call.arguments) {
            let ty = input_type(input);
            made.argument(ty, repr_of(&universe, ty)?);
            values.push(self.input_value(input)?);
        }
        made.ops.extend((0..made.arguments()).map(Op::LdVar));
        let site = made.call(&universe, method)?;
        let has_result = universe.primitive(universe.signature(method)?.ret) != Some(Primitive::Void);
        match before {
            Some(_) if call.given == Given::Next => made.ops.push(Op::CallVirt(site)),
            Some(_) => {
                made.ops.push(Op::CallVirt(site));
                made.ops.extend(has_result.then_some(Op::Pop));
                made.ops.push(Op::LdVar(0));
            }
            None if universe.method(method).is_constructor() => made.ops.push(Op::NewObj(site)),
            None => {
                made.ops.push(if call.receiver.is_some() { Op::CallVirt(site) } else { Op::Call(site) });
                made.ops.push(Op::CastClass(universe.signature(method)?.ret));
            }
        }
        made.ops.push(Op::Ret);
        let code = Rc::new(made.finish());
        let mut state = match before {
            Some((state, _)) => state.clone(),
            None => State::new(Frame::empty(Rc::clone(&code))),
        };
        state.free_variables();
        let frame = self.frame(&mut state, code, values, OnReturn::EndPath);
        state.top = frame.map_err(|stop| match *stop {
            Stop::End(PathEnd::Incomplete { gap, .. }) => gap,
            _ => Gap::internal_error("a call that cannot begin"),
        })?;
        Ok(state)
    }
}
