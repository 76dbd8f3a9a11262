//! Whether a constructor puts an object into a field before anybody else can see the receiver.
//!
//! Constructors that fill tables or make delegates do more than [`super::effect`] can say, but what comes after the field
//! is set does not matter here: nobody else writes it, and nobody has seen the object before. One walk over the body, which
//! must have no way back, follows three kinds of values: the receiver, some object, anything. Wherever the receiver might
//! get out before the field is set, the answer is no.

use std::collections::{BTreeMap, BTreeSet};

use cil::opcode::Flow;
use cil::{Instruction, Opcode, Operand};
use types::{FieldId, MethodId, Primitive, Universe};

use super::{argument, local, target, targets};

/// Constructors of bases that are followed.
const MAX_DEPTH: u32 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    This,
    /// Not null.
    Object,
    Any,
}

#[derive(Clone, Debug)]
struct State {
    stack: Vec<Slot>,
    locals: BTreeMap<u16, Slot>,
}

/// What is asked of a constructor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// It sets this field while nobody else knows the receiver.
    Sets(FieldId),
    /// Nobody else knows the receiver when it returns.
    KeepsToItself,
}

/// Whether every way through the constructor that returns sets the field to an object before the receiver is known to others,
/// and nothing in it sets the field again.
pub(super) fn sets_first(universe: &Universe, constructor: MethodId, field: FieldId) -> bool {
    Walk { universe, method: constructor, asked: Asked::Sets(field), depth: 0 }.holds() == Some(true)
}

/// Whether a method other than a constructor writes the field of its class, or may.
pub(super) fn is_written_by_methods(universe: &Universe, field: FieldId) -> bool {
    let Ok(methods) = universe.methods(universe.field(field).owner) else { return true };
    let others = methods.iter().filter(|method| !universe.method(**method).is_constructor());
    others.copied().any(|method| writes(universe, method, field) != Some(0))
}

/// How often a body has an instruction that writes the field or takes its address; none if that is not known.
fn writes(universe: &Universe, method: MethodId, field: FieldId) -> Option<usize> {
    let Some(body) = universe.body(method).ok()? else { return Some(0) };
    let mut count = 0;
    for instruction in body.instructions() {
        let instruction = instruction.ok()?;
        if let (Opcode::Stfld | Opcode::Ldflda, Operand::Token(token)) =
            (instruction.opcode, instruction.operand)
        {
            count += usize::from(universe.resolve_field(method, token).ok()? == field);
        }
    }
    Some(count)
}

struct Walk<'a> {
    universe: &'a Universe,
    method: MethodId,
    asked: Asked,
    depth: u32,
}

/// Where an instruction leads.
enum Next {
    On(State),
    /// The field is set: what follows does not matter.
    Set,
}

impl Walk<'_> {
    /// None: it cannot be said.
    fn holds(&self) -> Option<bool> {
        let body = self.universe.body(self.method).ok()??;
        if self.depth > MAX_DEPTH || !body.clauses.is_empty() {
            return None;
        }
        let code: Vec<Instruction<'_>> = body.instructions().collect::<Result<_, _>>().ok()?;
        let joins = forward_targets(&code)?;
        let addressed = addressed_locals(&code);
        if let Asked::Sets(field) = self.asked
            && writes(self.universe, self.method, field)? > 1
        {
            return None;
        }
        let mut arriving: BTreeMap<u32, State> = BTreeMap::new();
        arriving.insert(0, State { stack: Vec::new(), locals: BTreeMap::new() });
        let mut before = None;
        // There is no way back, so everybody who arrives at an instruction has done so when its turn comes.
        for instruction in &code {
            let tests_copy = before == Some(Opcode::Dup) && !joins.contains(&instruction.offset);
            before = Some(instruction.opcode);
            let Some(mut state) = arriving.remove(&instruction.offset) else { continue };
            let next = instruction.next_offset();
            match instruction.opcode.flow() {
                Flow::Return if self.asked == Asked::KeepsToItself => {}
                Flow::Return => return Some(false),
                Flow::Throw => {}
                Flow::Branch => arrive(&mut arriving, target(instruction)?, state)?,
                Flow::ConditionalBranch => {
                    let operands = take(&mut state, instruction.opcode.pops()?.len())?;
                    if operands.contains(&Slot::This) {
                        return None;
                    }
                    let (mut jumped, mut passed) = (state.clone(), state);
                    match instruction.opcode {
                        Opcode::Brtrue | Opcode::BrtrueS if tests_copy => known(&mut jumped),
                        Opcode::Brfalse | Opcode::BrfalseS if tests_copy => known(&mut passed),
                        _ => {}
                    }
                    for at in targets(instruction)? {
                        arrive(&mut arriving, at, jumped.clone())?;
                    }
                    arrive(&mut arriving, next, passed)?;
                }
                Flow::Call => match self.call(instruction, state)? {
                    Next::On(state) => arrive(&mut arriving, next, state)?,
                    Next::Set => {}
                },
                Flow::Next | Flow::Prefix | Flow::Break => match self.step(instruction, state, &addressed)? {
                    Next::On(state) => arrive(&mut arriving, next, state)?,
                    Next::Set => {}
                },
            }
        }
        Some(true)
    }

    fn call(&self, instruction: &Instruction<'_>, mut state: State) -> Option<Next> {
        let Operand::Token(token) = instruction.operand else { return None };
        let creates = instruction.opcode == Opcode::Newobj;
        if !creates && !matches!(instruction.opcode, Opcode::Call | Opcode::Callvirt) {
            return None;
        }
        let callee = self.universe.resolve_method(self.method, token).ok()?;
        let signature = self.universe.signature(callee).ok()?;
        let receiver = usize::from(signature.has_this && !creates);
        let arguments = take(&mut state, signature.params.len() + receiver)?;
        if arguments.contains(&Slot::This) {
            return self.call_on_receiver(instruction, callee, &arguments, state);
        }
        if creates {
            state.stack.push(Slot::Object);
        } else if self.universe.primitive(signature.ret) != Some(Primitive::Void) {
            state.stack.push(Slot::Any);
        }
        Some(Next::On(state))
    }

    /// Only other constructors may get the receiver: of its base, or of its own class.
    fn call_on_receiver(
        &self,
        instruction: &Instruction<'_>,
        callee: MethodId,
        arguments: &[Slot],
        state: State,
    ) -> Option<Next> {
        let universe = self.universe;
        let is_receiver = arguments.first() == Some(&Slot::This)
            && arguments.iter().filter(|slot| **slot == Slot::This).count() == 1;
        let info = universe.method(callee);
        if !is_receiver || instruction.opcode != Opcode::Call || !info.is_constructor() {
            return None;
        }
        if universe.base(info.owner).ok()?.is_none() {
            return Some(Next::On(state));
        }
        if let Asked::Sets(field) = self.asked
            && info.owner == universe.method(self.method).owner
        {
            // `: this(..)`: the other one sets it, and this one never does.
            let sets = Walk { universe, method: callee, depth: self.depth + 1, asked: self.asked };
            let is_only = writes(universe, self.method, field)? == 0;
            return (is_only && sets.holds()?).then_some(Next::Set);
        }
        let base = Walk { universe, method: callee, depth: self.depth + 1, asked: Asked::KeepsToItself };
        base.holds()?.then_some(Next::On(state))
    }

    fn step(
        &self,
        instruction: &Instruction<'_>,
        mut state: State,
        addressed: &BTreeSet<u16>,
    ) -> Option<Next> {
        if let Some(index) = argument(instruction) {
            state.stack.push(if index == 0 { Slot::This } else { Slot::Any });
            return Some(Next::On(state));
        }
        if let Some((index, stores)) = local(instruction) {
            if stores {
                let value = state.stack.pop()?;
                if value == Slot::This && addressed.contains(&index) {
                    return None;
                }
                state.locals.insert(index, value);
            } else {
                let known = state.locals.get(&index).filter(|_| !addressed.contains(&index));
                state.stack.push(known.copied().unwrap_or(Slot::Any));
            }
            return Some(Next::On(state));
        }
        match (instruction.opcode, instruction.operand) {
            (Opcode::Stfld, Operand::Token(token)) => {
                let field = self.universe.resolve_field(self.method, token).ok()?;
                let (value, target) = (state.stack.pop()?, state.stack.pop()?);
                if value == Slot::This {
                    return None;
                }
                if self.asked == Asked::Sets(field) {
                    return (target == Slot::This && value == Slot::Object).then_some(Next::Set);
                }
                Some(Next::On(state))
            }
            (Opcode::Ldfld, _) => {
                state.stack.pop()?;
                state.stack.push(Slot::Any);
                Some(Next::On(state))
            }
            (Opcode::Dup, _) => {
                let top = *state.stack.last()?;
                state.stack.push(top);
                Some(Next::On(state))
            }
            (Opcode::Pop, _) => {
                state.stack.pop()?;
                Some(Next::On(state))
            }
            // The receiver's own variable is the receiver for good.
            (Opcode::Starg | Opcode::StargS | Opcode::Ldarga | Opcode::LdargaS, Operand::Arg(0)) => None,
            (opcode, _) => {
                let taken = take(&mut state, opcode.pops()?.len())?;
                if taken.contains(&Slot::This) {
                    return None;
                }
                // A nullable without a value is boxed to null.
                let made = matches!(opcode, Opcode::Ldstr | Opcode::Newarr);
                let result = if made { Slot::Object } else { Slot::Any };
                state.stack.extend(std::iter::repeat_n(result, opcode.pushes()?.len()));
                Some(Next::On(state))
            }
        }
    }
}

fn take(state: &mut State, count: usize) -> Option<Vec<Slot>> {
    let rest = state.stack.len().checked_sub(count)?;
    Some(state.stack.split_off(rest))
}

/// The value that was tested through a copy of it is not null.
fn known(state: &mut State) {
    if let Some(top) = state.stack.last_mut().filter(|top| **top == Slot::Any) {
        *top = Slot::Object;
    }
}

/// Several ways to one instruction: what is not the same is anything; the receiver must be known to be it.
fn arrive(arriving: &mut BTreeMap<u32, State>, at: u32, state: State) -> Option<()> {
    let Some(there) = arriving.get_mut(&at) else {
        arriving.insert(at, state);
        return Some(());
    };
    if there.stack.len() != state.stack.len() {
        return None;
    }
    for (a, b) in there.stack.iter_mut().zip(&state.stack) {
        *a = joined(*a, *b)?;
    }
    let indexes: BTreeSet<u16> = there.locals.keys().chain(state.locals.keys()).copied().collect();
    for index in indexes {
        let of = |locals: &BTreeMap<u16, Slot>| locals.get(&index).copied().unwrap_or(Slot::Any);
        let both = joined(of(&there.locals), of(&state.locals))?;
        there.locals.insert(index, both);
    }
    Some(())
}

fn joined(a: Slot, b: Slot) -> Option<Slot> {
    match (a, b) {
        _ if a == b => Some(a),
        (Slot::This, _) | (_, Slot::This) => None,
        _ => Some(Slot::Any),
    }
}

/// Where jumps lead; none if one leads back.
fn forward_targets(code: &[Instruction<'_>]) -> Option<BTreeSet<u32>> {
    let mut found = BTreeSet::new();
    for instruction in code {
        if matches!(instruction.opcode.flow(), Flow::Branch | Flow::ConditionalBranch) {
            for at in targets(instruction)? {
                if at <= instruction.offset {
                    return None;
                }
                found.insert(at);
            }
        }
    }
    Some(found)
}

/// Variables that are written through their address, perhaps.
fn addressed_locals(code: &[Instruction<'_>]) -> BTreeSet<u16> {
    let address = |instruction: &Instruction<'_>| match (instruction.opcode, instruction.operand) {
        (Opcode::Ldloca | Opcode::LdlocaS, Operand::Local(index)) => Some(index),
        _ => None,
    };
    code.iter().filter_map(address).collect()
}
