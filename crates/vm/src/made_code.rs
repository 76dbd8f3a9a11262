//! Code that no assembly has: loops over invocation lists, calls by reflection, objects that are made before a path goes on.
//! It runs like any other, so that exceptions, forks and by-ref arguments need no special care.

use types::{FieldId, MethodId, Primitive, TypeId, Universe};

use crate::code::{CallSite, Clause, Code, FieldSite, Op, Var};
use crate::consumption::{Consumed, Consumption};
use crate::decode::repr_of;
use crate::value::Repr;
use verdict::Gap;

/// What the operand stack of such code has room for at first.
const STACK: usize = 8;

/// Code that is being made: its variables and what it refers to are told first, its operations go to [`MadeCode::ops`].
#[derive(Debug)]
pub struct MadeCode {
    pub ops: Vec<Op>,
    code: Code,
}

impl MadeCode {
    /// Code without parameters that runs in the name of a method, which stack traces show.
    pub fn new(u: &Universe, method: MethodId, returns: Option<Repr>) -> MadeCode {
        let code = Code {
            method,
            name: u.method_id(method),
            ops: Vec::new(),
            il_offsets: Vec::new(),
            clauses: Vec::new(),
            vars: Vec::new(),
            arg_count: 0,
            returns,
            max_stack: STACK,
            frame_bytes: 0,
            calls: Vec::new(),
            indirect_calls: Vec::new(),
            switches: Vec::new(),
            fields: Vec::new(),
            literals: Vec::new(),
            failures: Vec::new(),
            refusals: Vec::new(),
            goals: None,
            consumed: None,
            is_state_machine: false,
            uses_varargs: false,
            has_pointers: false,
            clears_memory: true,
            is_synchronized: false,
            init_type: None,
            flow: Default::default(),
        };
        MadeCode { ops: Vec::new(), code }
    }

    /// Code with the parameters and the result of a method, in its name.
    pub fn in_place_of(u: &Universe, method: MethodId) -> Result<MadeCode, Gap> {
        let signature = u.signature(method)?;
        let is_void = u.primitive(signature.ret) == Some(Primitive::Void);
        let returns = if is_void { None } else { Some(repr_of(u, signature.ret)?) };
        let mut made = MadeCode::new(u, method, returns);
        if signature.has_this {
            made.argument(u.method(method).owner, Repr::Ref);
        }
        for &ty in signature.params.iter() {
            made.argument(ty, repr_of(u, ty)?);
        }
        Ok(made)
    }

    /// The type is initialized before it runs.
    pub(crate) fn initializing(mut self, ty: TypeId) -> MadeCode {
        self.code.init_type = Some(ty);
        self
    }

    /// Stack traces show this in the place of the method's name.
    pub fn named(mut self, name: String) -> MadeCode {
        self.code.name = name;
        self
    }

    /// It stands for the caller that uses what the method has returned.
    pub(crate) fn consuming(mut self, how: Consumption, outcome: Option<TypeId>) -> MadeCode {
        self.code.consumed = Some(Consumed { how, outcome });
        self
    }

    /// The number of a new parameter. Parameters come before other variables.
    pub fn argument(&mut self, ty: TypeId, repr: Repr) -> u32 {
        self.code.arg_count += 1;
        self.local(ty, repr)
    }

    /// The number of a new variable.
    pub fn local(&mut self, ty: TypeId, repr: Repr) -> u32 {
        self.code.vars.push(Var { ty, repr, memory: None });
        self.code.vars.len() as u32 - 1
    }

    /// The address of this variable is taken.
    pub fn keep_in_memory(&mut self, var: u32) {
        if let Some(var) = self.code.vars.get_mut(var as usize) {
            var.memory = Some(self.code.frame_bytes);
            self.code.frame_bytes += var.repr.size().next_multiple_of(8).max(8);
        }
    }

    pub fn arguments(&self) -> u32 {
        self.code.arg_count as u32
    }

    pub fn returns(&self) -> Option<Repr> {
        self.code.returns
    }

    /// The operand of a call.
    pub fn call(&mut self, u: &Universe, method: MethodId) -> Result<u32, Gap> {
        self.code.calls.push(CallSite::of(u, method)?);
        Ok(self.code.calls.len() as u32 - 1)
    }

    /// The operand of an access to a field of an object.
    pub fn field(&mut self, u: &Universe, field: FieldId) -> Result<u32, Gap> {
        // A value is boxed, so it is reached by its address too.
        self.code.fields.push(FieldSite { owner_is_value_type: false, ..FieldSite::of(u, field)? });
        Ok(self.code.fields.len() as u32 - 1)
    }

    /// The operand of a string.
    pub fn literal(&mut self, text: &[u16]) -> u32 {
        self.code.literals.push(text.into());
        self.code.literals.len() as u32 - 1
    }

    pub fn clause(&mut self, clause: Clause) {
        self.code.clauses.push(clause);
    }

    pub fn finish(self) -> Code {
        let MadeCode { ops, mut code } = self;
        code.il_offsets = vec![0; ops.len() + 1];
        code.max_stack += code.arg_count;
        code.ops = ops;
        code
    }
}
