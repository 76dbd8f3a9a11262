//! What a short method does to the fields of its receiver, seen by running it over abstract values.
//!
//! Made for constructors, getters and setters: values are the receiver, a parameter, a constant, an untouched field, or
//! unknown. Both sides of a branch are followed unless its condition is known; paths that throw do not count; all paths
//! that return must agree. As soon as the receiver could be reached by code that is not followed, there is no answer.

mod condition;
mod first_store;
mod invariants;

use std::collections::BTreeMap;

use cil::opcode::Flow;
use cil::{Instruction, Opcode, Operand, Token};
use types::{FieldId, MethodId, Primitive, Universe};

pub(crate) use invariants::WrittenFields;
pub use invariants::is_never_null;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    This,
    Parameter(usize),
    Null,
    /// Some object.
    NotNull,
    /// As on the evaluation stack: what has up to 32 bits is a sign-extended int32.
    Integer(i64),
    Single(u32),
    Double(u64),
    /// What the field held before the call.
    Field(FieldId),
    Unknown,
}

/// The fields that were written, and the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    pub fields: BTreeMap<FieldId, Seen>,
    pub result: Option<Seen>,
}

/// The effect of an instance method, or none when it does more than can be said.
pub fn effect(universe: &Universe, method: MethodId) -> Option<Effect> {
    let parameters = universe.signature(method).ok()?.params.len();
    let arguments = (0..parameters).map(Seen::Parameter).collect();
    Run::new(universe, method, Throwing::Ignored).on_receiver(method, arguments)?
}

/// Whether an instance method is sure to throw when it gets these arguments.
pub fn refuses(universe: &Universe, method: MethodId, arguments: Vec<Seen>) -> bool {
    Run::new(universe, method, Throwing::Sought).on_receiver(method, arguments) == Some(None)
}

/// Whether an instance method is sure to return when it gets these arguments.
pub fn returns(universe: &Universe, method: MethodId, arguments: Vec<Seen>) -> bool {
    matches!(Run::new(universe, method, Throwing::Refused).on_receiver(method, arguments), Some(Some(_)))
}

const MAX_STEPS: u32 = 2000;
const MAX_DEPTH: u32 = 6;

struct Run<'a> {
    universe: &'a Universe,
    steps: u32,
    in_constructor: bool,
    throwing: Throwing,
}

/// What a path that throws, or might, means for the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Throwing {
    Ignored,
    Refused,
    /// Calls are followed to see whether they always throw.
    Sought,
}

/// What a call comes to: none when that cannot be said, an inner none when it never returns.
type Outcome = Option<Option<Effect>>;

#[derive(Clone)]
struct State {
    at: u32,
    stack: Vec<Seen>,
    locals: BTreeMap<u16, Seen>,
    fields: BTreeMap<FieldId, Seen>,
}

impl State {
    fn take(&mut self, count: usize) -> Option<Vec<Seen>> {
        let rest = self.stack.len().checked_sub(count)?;
        Some(self.stack.split_off(rest))
    }
}

impl<'a> Run<'a> {
    fn new(universe: &'a Universe, method: MethodId, throwing: Throwing) -> Run<'a> {
        let in_constructor = universe.method(method).is_constructor();
        Run { universe, steps: 0, in_constructor, throwing }
    }

    fn on_receiver(&mut self, method: MethodId, arguments: Vec<Seen>) -> Outcome {
        let arguments = std::iter::once(Seen::This).chain(arguments).collect();
        self.call(method, arguments, BTreeMap::new(), 0)
    }

    fn call(
        &mut self,
        method: MethodId,
        arguments: Vec<Seen>,
        fields: BTreeMap<FieldId, Seen>,
        depth: u32,
    ) -> Outcome {
        let body = self.universe.body(method).ok()??;
        if depth > MAX_DEPTH || !body.clauses.is_empty() {
            return None;
        }
        let code: BTreeMap<u32, Instruction<'_>> =
            body.instructions().map(|i| i.map(|i| (i.offset, i))).collect::<Result<_, _>>().ok()?;
        let mut open = vec![State { at: 0, stack: Vec::new(), locals: BTreeMap::new(), fields }];
        let mut agreed: Option<Effect> = None;
        while let Some(mut state) = open.pop() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return None;
            }
            let instruction = code.get(&state.at)?;
            match instruction.opcode.flow() {
                Flow::Return => {
                    let effect = Effect { fields: state.fields, result: state.stack.pop() };
                    match &agreed {
                        Some(other) if *other != effect => return None,
                        _ => agreed = Some(effect),
                    }
                }
                Flow::Throw if self.throwing == Throwing::Refused => return None,
                Flow::Throw => {}
                Flow::Branch => open.push(State { at: target(instruction)?, ..state }),
                Flow::ConditionalBranch => {
                    let operands = state.take(instruction.opcode.pops()?.len())?;
                    let next = instruction.next_offset();
                    let ways = match condition::decide(instruction.opcode, &operands) {
                        Some(true) => vec![target(instruction)?],
                        Some(false) => vec![next],
                        None => targets(instruction)?.into_iter().chain([next]).collect(),
                    };
                    open.extend(ways.into_iter().map(|at| State { at, ..state.clone() }));
                }
                Flow::Call => {
                    if self.invoke(method, instruction, &mut state, depth)? {
                        open.push(State { at: instruction.next_offset(), ..state });
                    }
                }
                Flow::Next | Flow::Prefix | Flow::Break => {
                    self.step(method, instruction, &arguments, &mut state)?;
                    open.push(State { at: instruction.next_offset(), ..state });
                }
            }
        }
        Some(agreed)
    }

    /// Whether the call returns.
    fn invoke(
        &mut self,
        caller: MethodId,
        instruction: &Instruction<'_>,
        state: &mut State,
        depth: u32,
    ) -> Option<bool> {
        let Operand::Token(token) = instruction.operand else { return None };
        let universe = self.universe;
        let callee = universe.resolve_method(caller, token).ok()?;
        let signature = universe.signature(callee).ok()?;
        let creates = instruction.opcode == Opcode::Newobj;
        let receiver = usize::from(signature.has_this && !creates);
        let arguments = state.take(signature.params.len() + receiver)?;
        let returns = universe.primitive(signature.ret) != Some(Primitive::Void);
        if !arguments.contains(&Seen::This) {
            if self.throwing == Throwing::Refused {
                return self.invoke_other(callee, instruction, arguments, returns, state, depth);
            }
            if self.throwing == Throwing::Sought {
                let mut tried = state.clone();
                match self.invoke_other(callee, instruction, arguments, returns, &mut tried, depth) {
                    Some(true) => {
                        *state = tried;
                        return Some(true);
                    }
                    Some(false) => return Some(false),
                    None => {}
                }
            }
            if creates {
                state.stack.push(Seen::NotNull);
            } else if returns {
                state.stack.push(Seen::Unknown);
            }
            return matches!(instruction.opcode, Opcode::Call | Opcode::Callvirt | Opcode::Newobj)
                .then_some(true);
        }
        // On the receiver itself, and not through a slot that somebody may have overridden.
        let own = arguments.first() == Some(&Seen::This)
            && arguments.iter().filter(|a| **a == Seen::This).count() == 1;
        let exact = instruction.opcode == Opcode::Call || !universe.method(callee).is_virtual();
        if !own || !exact || creates || !signature.has_this {
            return None;
        }
        if universe.base(universe.method(callee).owner).ok()?.is_none() {
            // `object` has no fields to set.
            return (!returns).then_some(true);
        }
        let fields = std::mem::take(&mut state.fields);
        let Some(effect) = self.call(callee, arguments, fields, depth + 1)? else { return Some(false) };
        state.fields = effect.fields;
        if returns {
            state.stack.push(effect.result?);
        }
        Some(true)
    }

    /// A call that has nothing to do with the receiver, but might throw: only a static one can be followed.
    fn invoke_other(
        &mut self,
        callee: MethodId,
        instruction: &Instruction<'_>,
        arguments: Vec<Seen>,
        returns: bool,
        state: &mut State,
        depth: u32,
    ) -> Option<bool> {
        if instruction.opcode != Opcode::Call || !self.universe.method(callee).is_static() {
            return None;
        }
        let Some(effect) = self.call(callee, arguments, BTreeMap::new(), depth + 1)? else {
            return (self.throwing == Throwing::Sought).then_some(false);
        };
        if returns {
            state.stack.push(effect.result?);
        }
        Some(true)
    }

    fn step(
        &mut self,
        method: MethodId,
        instruction: &Instruction<'_>,
        arguments: &[Seen],
        state: &mut State,
    ) -> Option<()> {
        if let Some(index) = argument(instruction) {
            state.stack.push(*arguments.get(index)?);
            return Some(());
        }
        if let Some((index, stores)) = local(instruction) {
            if stores {
                let value = state.stack.pop()?;
                state.locals.insert(index, value);
            } else {
                state.stack.push(state.locals.get(&index).copied().unwrap_or(Seen::Unknown));
            }
            return Some(());
        }
        if let Some(constant) = constant(instruction) {
            state.stack.push(constant);
            return Some(());
        }
        match (instruction.opcode, instruction.operand) {
            (Opcode::Stfld, Operand::Token(token)) => self.store(method, token, state),
            (Opcode::Ldfld, Operand::Token(token)) => {
                let field = self.universe.resolve_field(method, token).ok()?;
                let value = match state.stack.pop()? {
                    Seen::This => state.fields.get(&field).copied().unwrap_or(Seen::Field(field)),
                    // Through a null reference, perhaps.
                    _ if self.throwing == Throwing::Refused => return None,
                    _ => Seen::Unknown,
                };
                state.stack.push(value);
                Some(())
            }
            (Opcode::Dup, _) => {
                let top = *state.stack.last()?;
                state.stack.push(top);
                Some(())
            }
            (Opcode::ConvI8 | Opcode::ConvU8, _) => {
                let widened = match (state.stack.pop()?, instruction.opcode) {
                    (Seen::Integer(value), Opcode::ConvI8) => Seen::Integer(value),
                    (Seen::Integer(value @ 0..), _) => Seen::Integer(value),
                    (Seen::This, _) => return None,
                    _ => Seen::Unknown,
                };
                state.stack.push(widened);
                Some(())
            }
            (Opcode::Initobj, _) => {
                // `this = default` at the start of a struct's constructor.
                let all = state.stack.pop()? == Seen::This && self.in_constructor;
                state.fields.clear();
                all.then_some(())
            }
            // Writes that may be seen elsewhere, and addresses through which anything may be written.
            (
                Opcode::Stsfld
                | Opcode::Starg
                | Opcode::StargS
                | Opcode::Ldarga
                | Opcode::LdargaS
                | Opcode::Ldloca
                | Opcode::LdlocaS
                | Opcode::Ldflda
                | Opcode::Stobj
                | Opcode::Cpobj
                | Opcode::Cpblk
                | Opcode::Initblk,
                _,
            ) => None,
            (opcode, _) => {
                if self.throwing == Throwing::Refused && !condition::never_throws(opcode) {
                    return None;
                }
                let taken = state.take(opcode.pops()?.len())?;
                if let Some(truth) = condition::compare(opcode, &taken) {
                    state.stack.push(Seen::Integer(truth.into()));
                    return Some(());
                }
                let results = opcode.pushes()?.len();
                let made = matches!(opcode, Opcode::Ldstr | Opcode::Newarr | Opcode::Box);
                let result = if made { Seen::NotNull } else { Seen::Unknown };
                state.stack.extend(std::iter::repeat_n(result, results));
                (opcode == Opcode::Pop || !taken.contains(&Seen::This)).then_some(())
            }
        }
    }

    fn store(&mut self, method: MethodId, token: Token, state: &mut State) -> Option<()> {
        let field = self.universe.resolve_field(method, token).ok()?;
        let value = state.stack.pop()?;
        let target = state.stack.pop()?;
        if target != Seen::This || value == Seen::This {
            return None;
        }
        state.fields.insert(field, value);
        Some(())
    }
}

fn target(instruction: &Instruction<'_>) -> Option<u32> {
    match instruction.operand {
        Operand::Target(at) => Some(at),
        _ => None,
    }
}

fn targets(instruction: &Instruction<'_>) -> Option<Vec<u32>> {
    match instruction.operand {
        Operand::Target(at) => Some(vec![at]),
        Operand::Switch(table) => Some(table.iter().collect()),
        _ => None,
    }
}

fn argument(instruction: &Instruction<'_>) -> Option<usize> {
    match (instruction.opcode, instruction.operand) {
        (Opcode::Ldarg0, _) => Some(0),
        (Opcode::Ldarg1, _) => Some(1),
        (Opcode::Ldarg2, _) => Some(2),
        (Opcode::Ldarg3, _) => Some(3),
        (Opcode::Ldarg | Opcode::LdargS, Operand::Arg(index)) => Some(index.into()),
        _ => None,
    }
}

/// The variable, and whether it is written.
fn local(instruction: &Instruction<'_>) -> Option<(u16, bool)> {
    match (instruction.opcode, instruction.operand) {
        (Opcode::Ldloc0, _) => Some((0, false)),
        (Opcode::Ldloc1, _) => Some((1, false)),
        (Opcode::Ldloc2, _) => Some((2, false)),
        (Opcode::Ldloc3, _) => Some((3, false)),
        (Opcode::Ldloc | Opcode::LdlocS, Operand::Local(index)) => Some((index, false)),
        (Opcode::Stloc0, _) => Some((0, true)),
        (Opcode::Stloc1, _) => Some((1, true)),
        (Opcode::Stloc2, _) => Some((2, true)),
        (Opcode::Stloc3, _) => Some((3, true)),
        (Opcode::Stloc | Opcode::StlocS, Operand::Local(index)) => Some((index, true)),
        _ => None,
    }
}

fn constant(instruction: &Instruction<'_>) -> Option<Seen> {
    Some(match (instruction.opcode, instruction.operand) {
        (Opcode::Ldnull, _) => Seen::Null,
        (Opcode::LdcI4M1, _) => Seen::Integer(-1),
        (Opcode::LdcI40, _) => Seen::Integer(0),
        (Opcode::LdcI41, _) => Seen::Integer(1),
        (Opcode::LdcI42, _) => Seen::Integer(2),
        (Opcode::LdcI43, _) => Seen::Integer(3),
        (Opcode::LdcI44, _) => Seen::Integer(4),
        (Opcode::LdcI45, _) => Seen::Integer(5),
        (Opcode::LdcI46, _) => Seen::Integer(6),
        (Opcode::LdcI47, _) => Seen::Integer(7),
        (Opcode::LdcI48, _) => Seen::Integer(8),
        (Opcode::LdcI4S, Operand::Int8(value)) => Seen::Integer(value.into()),
        (Opcode::LdcI4, Operand::Int32(value)) => Seen::Integer(value.into()),
        (Opcode::LdcI8, Operand::Int64(value)) => Seen::Integer(value),
        (Opcode::LdcR4, Operand::Float32(bits)) => Seen::Single(bits),
        (Opcode::LdcR8, Operand::Float64(bits)) => Seen::Double(bits),
        _ => return None,
    })
}
