//! Code that does nothing but call one method, so that the call of anything can be what a state starts with.

use types::{MethodId, Primitive};

use crate::code::{CallSite, Code, Op, Var};
use crate::decode::repr_of;
use crate::machine::Machine;
use crate::value::Repr;
use verdict::Gap;

impl Machine {
    /// Passes its arguments on to the method and returns what it returns.
    pub fn trampoline(&self, method: MethodId) -> Result<Code, Gap> {
        let sig = self.universe.signature(method)?.clone();
        let owner = self.universe.method(method).owner;
        let mut vars = Vec::new();
        if sig.has_this {
            vars.push(Var { ty: owner, repr: Repr::Ref, memory: None });
        }
        for &ty in sig.params.iter() {
            vars.push(Var { ty, repr: repr_of(&self.universe, ty)?, memory: None });
        }
        let is_void = self.universe.primitive(sig.ret) == Some(Primitive::Void);
        let returns = if is_void { None } else { Some(repr_of(&self.universe, sig.ret)?) };
        let count = vars.len();
        let mut ops: Vec<Op> = (0..count as u32).map(Op::LdVar).collect();
        ops.extend([Op::Call(0), Op::Ret]);
        Ok(Code {
            method,
            name: self.universe.method_id(method),
            il_offsets: vec![0; ops.len() + 1],
            ops,
            clauses: Vec::new(),
            vars,
            arg_count: count,
            returns,
            max_stack: count + 1,
            frame_bytes: 0,
            calls: vec![CallSite {
                method,
                arg_count: count,
                has_this: sig.has_this,
                returns: returns.is_some(),
                constrained: None,
            }],
            indirect_calls: Vec::new(),
            switches: Vec::new(),
            fields: Vec::new(),
            literals: Vec::new(),
            failures: Vec::new(),
            goals: None,
            uses_varargs: false,
            init_type: None,
        })
    }
}
