//! Branches of an iterator or async method over its own state: where to go on, whether an awaited task is done already,
//! whether an exception is to be thrown again after a finally block that awaits.
//!
//! They are found by following where the operands of a branch come from, in one pass over the instructions: what depends
//! on nothing but fields that the compiler made for its own purposes, constants, and `IsCompleted` is the compiler's.

use cil::opcode::Flow;
use cil::{CodeRange, Instruction, MethodBody, Module, Opcode, Operand, RowRef, Token};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    /// The state that the compiler keeps.
    State,
    /// A number in the code, which says nothing by itself.
    Constant,
    /// Anything else: what a person wrote.
    Person,
}

/// The offsets of the compiler's branches in a state machine; none if the body is of no state machine.
pub(super) fn branches(module: &Module, body: &MethodBody<'_>, all: &[Instruction<'_>]) -> Vec<u32> {
    let is_state = |instruction: &Instruction<'_>| matches!(instruction.operand, Operand::Token(token) if name_of(module, token) == Some(STATE));
    if !all.iter().any(is_state) {
        return Vec::new();
    }
    let joins = joins(body, all);
    let mut pass =
        Pass { module, stack: Vec::new(), locals: FxHashMap::default(), state: None, found: Vec::new() };
    let mut is_after_state = false;
    for instruction in all {
        if joins.contains(&instruction.offset) {
            pass.stack.clear();
        }
        pass.state = pass.state.or_else(|| stored(instruction).filter(|_| is_after_state));
        pass.step(instruction);
        is_after_state = instruction.opcode == Opcode::Ldfld && is_state(instruction);
    }
    pass.found
}

/// Whether the compiler made a handler around the body of an async method, which puts exceptions into its task.
pub(in crate::decode) fn hands_on(module: &Module, body: &MethodBody<'_>, handler: CodeRange) -> bool {
    let inside = body.instructions().map_while(Result::ok).filter(|i| handler.contains(i.offset));
    let names = inside.filter_map(|instruction| match instruction.operand {
        Operand::Token(token) => name_of(module, token),
        _ => None,
    });
    let (mut keeper, mut sets) = (false, false);
    for name in names {
        keeper |= ["<>t__builder", "<>v__promise"].iter().any(|own| name.starts_with(own));
        sets |= name == "SetException";
    }
    keeper && sets
}

const STATE: &str = "<>1__state";

/// Fields for the compiler's own purposes. Those that stand for a variable of the method have its name inside.
fn is_compilers_field(name: &str) -> bool {
    name == STATE || ["<>7__wrap", "<>s__", "<>w__", "<>2__", "<>u__"].iter().any(|own| name.starts_with(own))
}

/// Where control comes from elsewhere: nothing is known of the stack there.
fn joins(body: &MethodBody<'_>, all: &[Instruction<'_>]) -> FxHashSet<u32> {
    let mut joins = FxHashSet::default();
    for clause in &body.clauses {
        joins.extend([clause.try_range.start, clause.handler.start]);
    }
    for instruction in all {
        match instruction.operand {
            Operand::Target(target) => {
                joins.insert(target);
            }
            Operand::Switch(targets) => joins.extend(targets.iter()),
            _ => {}
        }
    }
    joins
}

struct Pass<'a> {
    module: &'a Module,
    stack: Vec<From>,
    locals: FxHashMap<u16, From>,
    /// The variable that the state is kept in while it runs, whatever number is stored there.
    state: Option<u16>,
    found: Vec<u32>,
}

impl Pass<'_> {
    fn pop(&mut self) -> From {
        self.stack.pop().unwrap_or(From::Person)
    }

    /// The mix of several values: a person's if any of them is.
    fn mix(values: &[From]) -> From {
        if values.contains(&From::Person) {
            From::Person
        } else if values.contains(&From::State) {
            From::State
        } else {
            From::Constant
        }
    }

    fn step(&mut self, instruction: &Instruction<'_>) {
        if let Some(local) = loaded(instruction) {
            let from = self.locals.get(&local).copied().unwrap_or(From::Person);
            return self.stack.push(from);
        }
        if let Some(local) = stored(instruction) {
            let value = self.pop();
            let from = if self.state == Some(local) { From::State } else { value };
            self.locals.insert(local, from);
            return;
        }
        match (instruction.opcode, instruction.operand) {
            (Opcode::Ldfld, Operand::Token(field)) => {
                self.pop();
                let is_own = name_of(self.module, field).is_some_and(is_compilers_field);
                self.stack.push(if is_own { From::State } else { From::Person });
            }
            (Opcode::Dup, _) => {
                let top = self.pop();
                self.stack.extend([top, top]);
            }
            (Opcode::Isinst, _) => {
                let from = self.pop();
                self.stack.push(from);
            }
            (Opcode::Call | Opcode::Callvirt, Operand::Token(method)) => {
                // How many arguments it takes is not looked up: what is below is not needed any more.
                let is_completed = name_of(self.module, method) == Some("get_IsCompleted");
                self.stack.clear();
                self.stack.push(if is_completed { From::State } else { From::Person });
            }
            _ => self.other(instruction),
        }
    }

    fn other(&mut self, instruction: &Instruction<'_>) {
        let opcode = instruction.opcode;
        let (Some(pops), Some(pushes)) = (opcode.pops(), opcode.pushes()) else {
            self.stack.clear();
            return;
        };
        let operands: Vec<From> = pops.iter().map(|_| self.pop()).collect();
        if opcode.flow() == Flow::ConditionalBranch && Pass::mix(&operands) == From::State {
            self.found.push(instruction.offset);
        }
        let from = if operands.is_empty() && opcode.name().starts_with("ldc.") {
            From::Constant
        } else if operands.is_empty() {
            From::Person
        } else {
            Pass::mix(&operands)
        };
        self.stack.extend(pushes.iter().map(|_| from));
        if matches!(opcode.flow(), Flow::Branch | Flow::Return | Flow::Throw) {
            self.stack.clear();
        }
    }
}

fn name_of(module: &Module, token: Token) -> Option<&str> {
    match token.row_ref()? {
        RowRef::Field(id) => module.field(id).ok().map(|row| row.name),
        RowRef::MethodDef(id) => module.method_def(id).ok().map(|row| row.name),
        RowRef::MemberRef(id) => module.member_ref(id).ok().map(|row| row.name),
        _ => None,
    }
}

fn loaded(instruction: &Instruction<'_>) -> Option<u16> {
    match (instruction.opcode, instruction.operand) {
        (Opcode::Ldloc0, _) => Some(0),
        (Opcode::Ldloc1, _) => Some(1),
        (Opcode::Ldloc2, _) => Some(2),
        (Opcode::Ldloc3, _) => Some(3),
        (Opcode::Ldloc | Opcode::LdlocS, Operand::Local(number)) => Some(number),
        _ => None,
    }
}

fn stored(instruction: &Instruction<'_>) -> Option<u16> {
    match (instruction.opcode, instruction.operand) {
        (Opcode::Stloc0, _) => Some(0),
        (Opcode::Stloc1, _) => Some(1),
        (Opcode::Stloc2, _) => Some(2),
        (Opcode::Stloc3, _) => Some(3),
        (Opcode::Stloc | Opcode::StlocS, Operand::Local(number)) => Some(number),
        _ => None,
    }
}
