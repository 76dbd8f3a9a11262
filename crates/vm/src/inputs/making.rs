//! Objects of the framework that are made by running its own code on symbolic arguments before the path goes on. A state
//! that its members do not lead to is not an input; one that they refuse is none either.

use std::rc::Rc;

use term::Symbol;
use types::{MethodId, TypeId};

use crate::code::{Code, Op};
use crate::decode::repr_of;
use crate::heap::split_address;
use crate::inputs::Input;
use crate::inputs::contents::Contents;
use crate::inputs::recipes::{Given, Plan};
use crate::machine::{Machine, Step, give_up};
use crate::made_code::MadeCode;
use crate::state::{OnReturn, State};
use crate::value::{Repr, Value};
use verdict::Gap;

/// A way to make an object, with the symbols of its arguments.
#[derive(Clone, Debug)]
pub enum Making {
    Call { method: MethodId, arguments: Vec<Argument> },
    TypeOf(TypeId),
}

#[derive(Clone, Debug)]
pub enum Argument {
    Input(Input),
    Number {
        ty: TypeId,
        value: i32,
    },
    Text(&'static str),
    /// The parameter's type, and the type that is passed.
    TypeOf {
        ty: TypeId,
        named: TypeId,
    },
}

/// A way to make some object of a class, whatever it holds: constants, and the types of what may be anything.
#[derive(Clone, Debug)]
pub enum Sample {
    Call { method: MethodId, given: Vec<(TypeId, Option<Argument>)> },
    TypeOf(TypeId),
}

impl Machine {
    /// How an object of a class is made that nobody looks into; `None` if the class is not made by code.
    pub fn first_making(&self, ty: TypeId) -> Result<Option<Sample>, Gap> {
        Ok(self.plans(ty)?.first().map(|plan| match plan {
            Plan::TypeOf(ty) => Sample::TypeOf(*ty),
            Plan::Call { method, given } => {
                let given = given.iter().map(|&(ty, given)| match given {
                    Given::Any => (ty, None),
                    Given::Number(value) => (ty, Some(Argument::Number { ty, value })),
                    Given::Text(text) => (ty, Some(Argument::Text(text))),
                    Given::TypeOf(name) => (ty, self.type_argument(ty, name)),
                });
                Sample::Call { method: *method, given: given.collect() }
            }
        }))
    }

    fn type_argument(&self, ty: TypeId, name: &str) -> Option<Argument> {
        self.written_type(ty, name, &[]).ok().flatten().map(|named| Argument::TypeOf { ty, named })
    }

    /// The ways to make an object for a reference.
    pub(crate) fn made_contents(&mut self, ty: TypeId, path: &str) -> Result<Contents, Gap> {
        let mut ways = Vec::new();
        for plan in self.plans(ty)?.iter() {
            ways.push(match plan {
                Plan::TypeOf(ty) => Making::TypeOf(*ty),
                Plan::Call { method, given } => {
                    let mut arguments = Vec::new();
                    for (number, &(ty, given)) in given.iter().enumerate() {
                        arguments.push(match given {
                            Given::Any => {
                                Argument::Input(self.make_input(ty, &format!("{path}.new{number}"), 0)?)
                            }
                            Given::Number(value) => Argument::Number { ty, value },
                            Given::Text(text) => Argument::Text(text),
                            Given::TypeOf(name) => self
                                .type_argument(ty, name)
                                .ok_or_else(|| Gap::internal_error("a type that is not there"))?,
                        });
                    }
                    Making::Call { method: *method, arguments }
                }
            });
        }
        Ok(Contents::Made { ty, ways })
    }

    /// Starts to make an object; the interrupted instruction runs again when it is there.
    pub fn make(&mut self, s: &mut State, symbol: Symbol, ty: TypeId, number: u32) -> Step<()> {
        let contents = self.contents(symbol, ty).map_err(|gap| give_up(s, gap))?;
        let Contents::Made { ways, .. } = &*contents else {
            return Err(give_up(s, Gap::internal_error("an object that is not made")));
        };
        Rc::make_mut(&mut s.path.origins).set_making(symbol, ty, number);
        match ways.get(number as usize) {
            Some(Making::TypeOf(ty)) => {
                let (block, _) = split_address(self.type_object(s, *ty)?);
                Rc::make_mut(&mut s.path.origins).add_object(symbol, block);
                Ok(())
            }
            Some(Making::Call { method, arguments }) => {
                let (code, values) = self.making_code(s, *method, arguments)?;
                let after = OnReturn::Built { symbol, count: number };
                let frame = self.frame(s, Rc::new(code), values, after)?;
                s.push_frame(frame);
                Ok(())
            }
            None => Err(give_up(s, Gap::internal_error("a way that is none"))),
        }
    }

    /// `return new C(..)` or `return C.M(..)`, and the values of the parameters.
    fn making_code(
        &mut self,
        s: &mut State,
        method: MethodId,
        arguments: &[Argument],
    ) -> Step<(Code, Vec<Value>)> {
        let universe = Rc::clone(&self.universe);
        let mut made = MadeCode::new(&universe, method, Some(Repr::Ref));
        let mut values = Vec::new();
        let string = universe.well_known().map_err(|error| give_up(s, error.into()))?.string;
        for argument in arguments {
            let (ty, value) = match argument {
                Argument::Input(input) => {
                    let value = self.input_value(input).map_err(|gap| give_up(s, gap))?;
                    (crate::inputs::input_type(input), value)
                }
                Argument::Number { ty, value } => (*ty, Value::I32(*value)),
                Argument::Text(text) => (string, Value::address(self.string(s, text)?)),
                Argument::TypeOf { ty, named } => (*ty, Value::address(self.type_object(s, *named)?)),
            };
            let repr = repr_of(&universe, ty).map_err(|gap| give_up(s, gap))?;
            let var = made.argument(ty, repr);
            // What may be an object like this one is decided first: it was there before.
            if self.may_be_made(ty) {
                made.ops.extend([Op::LdVar(var), Op::CastClass(ty), Op::Pop]);
            }
            values.push(value);
        }
        made.ops.extend((0..made.arguments()).map(Op::LdVar));
        let call = made.call(&universe, method).map_err(|gap| give_up(s, gap))?;
        if universe.method(method).is_constructor() {
            made.ops.push(Op::NewObj(call));
        } else {
            // One of several objects may come back, by a condition.
            let returned = universe.signature(method).map_err(|error| give_up(s, error.into()))?.ret;
            made.ops.extend([Op::Call(call), Op::CastClass(returned)]);
        }
        made.ops.push(Op::Ret);
        Ok((made.finish(), values))
    }

    /// Whether an object that code has made may stand behind a reference of the type.
    fn may_be_made(&self, ty: TypeId) -> bool {
        let universe = &self.universe;
        !universe.is_value_type(ty) && !universe.is_sealed(ty) && universe.array_element(ty).is_none()
    }
}
