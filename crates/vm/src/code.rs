//! Method bodies decoded once into compact instructions with resolved operands.
//!
//! Operation `i` of a [`Code`] is instruction `i` of the method's IL, prefixes included, so coverage and places need no
//! second numbering. An operand that cannot be resolved becomes [`Op::Fail`]: it matters only if it is executed.

use std::cell::OnceCell;
use std::cmp::Ordering;

use types::{FieldId, MethodId, TypeId};

use crate::consumption::Consumed;
use crate::coverage::{MethodGoals, NO_GOAL};
use crate::decode::Refusal;
use crate::flow::ControlFlow;
use crate::value::Repr;
use verdict::Gap;

/// A decoded method body.
#[derive(Debug)]
pub struct Code {
    pub method: MethodId,
    pub name: String,
    pub ops: Vec<Op>,
    /// IL offset of each operation, and the length of the body at the end.
    pub il_offsets: Vec<u32>,
    pub clauses: Vec<Clause>,
    /// Arguments, then locals.
    pub vars: Vec<Var>,
    pub arg_count: usize,
    pub returns: Option<Repr>,
    pub max_stack: usize,
    /// Bytes of memory for the variables whose address is taken.
    pub frame_bytes: u32,
    pub calls: Vec<CallSite>,
    /// Signatures of `calli`.
    pub indirect_calls: Vec<IndirectCall>,
    pub switches: Vec<Box<[u32]>>,
    pub fields: Vec<FieldSite>,
    pub literals: Vec<Box<[u16]>>,
    pub failures: Vec<Gap>,
    /// What [`Op::Refuse`] throws.
    pub refusals: Vec<Refusal>,
    /// What there is to meet in it, if it belongs to the assembly under test.
    pub goals: Option<CodeGoals>,
    /// It is made up and uses what the method under test has returned.
    pub consumed: Option<Consumed>,
    /// The compiler made it of the body of an iterator or async method.
    pub is_state_machine: bool,
    /// It passes or takes variable arguments, which CoreCLR has on Windows only: calling it throws.
    pub uses_varargs: bool,
    /// It is the program's, and some variable of it is a pointer of unsafe code, or pinned for one.
    pub has_pointers: bool,
    /// Its variables, and what it takes from the stack, start as zero.
    pub clears_memory: bool,
    /// It holds a lock while it runs.
    pub is_synchronized: bool,
    /// The type whose static constructor must have run before this method starts.
    pub init_type: Option<TypeId>,
    /// Its control flow, once somebody asked.
    pub(crate) flow: OnceCell<Box<ControlFlow>>,
}

/// The numbers of a method's goals (see [`crate::coverage`]), by its operations.
#[derive(Debug)]
pub struct CodeGoals {
    /// Its entry; the handlers of its clauses follow.
    pub first: u32,
    /// From one operation to another, sorted, with the number.
    edges: Vec<(u32, u32, u32)>,
    /// Operations that somebody asks about, sorted, with the number.
    watched: Vec<(u32, u32)>,
}

impl Code {
    /// Whether the body only calls itself: the JIT puts something else in its place.
    pub(crate) fn is_stand_in(&self) -> bool {
        let Some(call) = self.ops.iter().position(|op| matches!(op, Op::Call(_))) else { return false };
        let Some(Op::Call(site)) = self.ops.get(call) else { return false };
        let calls_itself = self.calls.get(*site as usize).is_some_and(|site| site.method == self.method);
        calls_itself && self.ops.iter().take(call).all(|op| matches!(op, Op::Nop | Op::LdVar(_)))
    }

    /// The field that the method returns, if that is all it does.
    #[inline]
    pub(crate) fn getter(&self) -> Option<u32> {
        let [Op::LdVar(0), Op::LdFld(field), Op::Ret] = self.ops[..] else { return None };
        let is_as_it_is = self.fields.get(field as usize).map(|site| site.repr) == self.returns;
        let is_plain = self.arg_count == 1 && self.init_type.is_none() && !self.is_synchronized;
        (is_as_it_is && is_plain).then_some(field)
    }

    /// Where execution can go from each operation.
    pub fn flow(&self) -> &ControlFlow {
        self.flow.get_or_init(|| Box::new(ControlFlow::of(self)))
    }

    /// The operation at this IL offset.
    pub fn op_at(&self, il_offset: u32) -> Option<u32> {
        let end = self.ops.len();
        self.il_offsets.get(..end)?.binary_search(&il_offset).ok().map(|i| i as u32)
    }

    /// Gives it the numbers of its goals.
    pub(crate) fn number_goals(&mut self, goals: &MethodGoals) {
        let numbered = goals.places.edges.iter().zip(goals.edges());
        let in_ops =
            |((from, to), number): (&(u32, u32), u32)| Some((self.op_at(*from)?, self.op_at(*to)?, number));
        let edges = numbered.filter_map(in_ops).collect();
        let watched = goals.watched().filter_map(|(at, number)| Some((self.op_at(at)?, number))).collect();
        self.goals = Some(CodeGoals { first: goals.first, edges, watched });
    }

    /// The operations that somebody asks about, each with its goal.
    pub fn watched(&self) -> &[(u32, u32)] {
        self.goals.as_ref().map_or(&[], |goals| &goals.watched)
    }

    /// The goal of executing an operation.
    pub(crate) fn watched_goal(&self, op: u32) -> u32 {
        let watched = self.watched();
        let found = watched.binary_search_by_key(&op, |(op, _)| *op).ok();
        found.and_then(|index| watched.get(index)).map_or(NO_GOAL, |(_, number)| *number)
    }

    /// The operations at which the goal with this number is met.
    pub fn ops_of_goal(&self, goal: u32) -> Vec<u32> {
        let Some(goals) = &self.goals else { return Vec::new() };
        let mut ops: Vec<u32> = Vec::new();
        ops.extend((goal == goals.first).then_some(0));
        let clause = goal.checked_sub(goals.first + 1).and_then(|index| self.clauses.get(index as usize));
        ops.extend(clause.map(|clause| clause.handler_start));
        ops.extend(goals.edges.iter().filter(|(.., number)| *number == goal).map(|(from, ..)| *from));
        ops.extend(goals.watched.iter().filter(|(_, number)| *number == goal).map(|(op, _)| *op));
        ops
    }

    /// The goal of going from one operation to another.
    pub(crate) fn edge_goal(&self, from: u32, to: u32) -> u32 {
        let Some(goals) = &self.goals else { return NO_GOAL };
        match goals.edges.binary_search_by(|(f, t, _)| (*f, *t).cmp(&(from, to))) {
            Ok(index) => goals.edges.get(index).map_or(NO_GOAL, |(.., number)| *number),
            Err(_) => NO_GOAL,
        }
    }

    /// The goal of entering the method.
    pub(crate) fn entry_goal(&self) -> u32 {
        self.goals.as_ref().map_or(NO_GOAL, |goals| goals.first)
    }

    /// The goal of running the handler of a clause.
    pub(crate) fn handler_goal(&self, clause: u32) -> u32 {
        self.goals.as_ref().map_or(NO_GOAL, |goals| goals.first + 1 + clause)
    }
}

/// An argument or a local.
#[derive(Clone, Copy, Debug)]
pub struct Var {
    pub ty: TypeId,
    pub repr: Repr,
    /// Offset in the frame's block if the address is taken somewhere in the body.
    pub memory: Option<u32>,
}

/// An exception clause, in operation numbers; ranges are half-open.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    pub try_start: u32,
    pub try_end: u32,
    pub handler_start: u32,
    pub handler_end: u32,
    pub kind: ClauseKind,
}

#[derive(Clone, Copy, Debug)]
pub enum ClauseKind {
    Catch(TypeId),
    /// The type of the clause does not resolve: it catches nothing that can be made.
    CatchUnresolved,
    Filter {
        start: u32,
    },
    Finally,
    Fault,
}

#[derive(Clone, Copy, Debug)]
pub struct CallSite {
    pub method: MethodId,
    /// Including `this`.
    pub arg_count: usize,
    pub has_this: bool,
    pub returns: bool,
    pub constrained: Option<TypeId>,
}

/// A call through a function pointer.
#[derive(Clone, Copy, Debug)]
pub struct IndirectCall {
    /// Including `this`.
    pub arg_count: usize,
    pub returns: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct FieldSite {
    pub field: FieldId,
    pub owner: TypeId,
    pub owner_is_value_type: bool,
    pub offset: u32,
    pub repr: Repr,
    /// Static constructor to run before a static access.
    pub init: bool,
    /// A static field that may hold anything by the time a method is called: not readonly.
    pub changeable: bool,
    /// Only constructors write it.
    pub readonly: bool,
    /// A static field that the compiler fills at the first use, such as the delegate of a lambda.
    pub compilers_cache: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    DivUn,
    Rem,
    RemUn,
    And,
    Or,
    Xor,
    AddOvf,
    AddOvfUn,
    SubOvf,
    SubOvfUn,
    MulOvf,
    MulOvfUn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    Left,
    Right,
    RightUn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    Eq,
    /// `bne.un`: also true when unordered.
    NeUn,
    Lt,
    LtUn,
    Le,
    LeUn,
    Gt,
    GtUn,
    Ge,
    GeUn,
}

impl Cmp {
    /// Whether it holds of integers in these orders.
    #[inline(always)]
    pub fn holds(self, signed: Ordering, unsigned: Ordering) -> bool {
        match self {
            Cmp::Eq => signed.is_eq(),
            Cmp::NeUn => signed.is_ne(),
            Cmp::Lt => signed.is_lt(),
            Cmp::Le => signed.is_le(),
            Cmp::Gt => signed.is_gt(),
            Cmp::Ge => signed.is_ge(),
            Cmp::LtUn => unsigned.is_lt(),
            Cmp::LeUn => unsigned.is_le(),
            Cmp::GtUn => unsigned.is_gt(),
            Cmp::GeUn => unsigned.is_ge(),
        }
    }
}

/// A conversion's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Num {
    I1,
    U1,
    I2,
    U2,
    I4,
    U4,
    I8,
    U8,
    /// Native integers are 64 bits wide, but reachable from 32 bits by their own signedness.
    I,
    U,
    R4,
    R8,
}

/// How a conversion treats values that do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    No,
    /// `conv.ovf`: the source is signed.
    Signed,
    /// `conv.ovf….un`: the source is unsigned.
    Unsigned,
}

#[derive(Clone, Copy, Debug)]
pub enum Op {
    Nop,
    Fail(u32),
    /// The runtime throws here instead of doing what the instruction says.
    Refuse(u32),
    LdVar(u32),
    LdVarMem(u32),
    StVar(u32),
    StVarMem(u32),
    LdVarAddr(u32),
    LdI4(i32),
    LdI8(i64),
    LdR4(f32),
    LdR8(f64),
    LdNull,
    LdStr(u32),
    Dup,
    Pop,
    Arith(Arith),
    Shift(Shift),
    Neg,
    Not,
    Compare(Cmp),
    Convert(Num, Checked),
    /// `conv.r.un`
    ConvertRUn,
    CkFinite,
    Br(u32),
    BrTrue(u32),
    BrFalse(u32),
    BrCmp(Cmp, u32),
    Switch(u32),
    Call(u32),
    CallVirt(u32),
    CallI(u32),
    /// Calls with the prefix `tail.`: the frame of the caller goes.
    TailCall(u32),
    TailCallVirt(u32),
    TailCallI(u32),
    NewObj(u32),
    Jmp(u32),
    Ret,
    LdInd(Repr),
    StInd(Repr),
    LdFld(u32),
    LdFldA(u32),
    StFld(u32),
    LdSFld(u32),
    LdSFldA(u32),
    StSFld(u32),
    /// `ldfld`, `ldflda` and `stfld` of a static field: the object does not matter.
    LdFldStatic(u32),
    LdFldAStatic(u32),
    StFldStatic(u32),
    LdObj(Repr),
    StObj(Repr),
    CpObj(Repr),
    InitObj(Repr),
    SizeOf(TypeId, u32),
    LocAlloc,
    CpBlk,
    InitBlk,
    NewArr(TypeId),
    LdLen,
    LdElem(TypeId, Repr),
    /// The flag is the `readonly.` prefix, which spares the check of the array's element type.
    LdElemA(TypeId, bool),
    StElem(TypeId, Repr),
    Box(TypeId, Repr),
    Unbox(TypeId),
    UnboxAny(TypeId, Repr),
    CastClass(TypeId),
    IsInst(TypeId),
    MkRefAny(TypeId),
    RefAnyVal(TypeId),
    RefAnyType,
    LdTokenType(TypeId),
    LdTokenMethod(MethodId),
    LdTokenField(FieldId),
    LdFtn(MethodId),
    LdVirtFtn(MethodId),
    Throw,
    Rethrow,
    Leave(u32),
    EndFinally,
    EndFilter,
}
