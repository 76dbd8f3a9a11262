//! Delegates over several methods: calling one runs a loop over its invocation list, made as code like any other so that
//! exceptions, forks and by-ref arguments need no special care.

use std::rc::Rc;

use types::{MethodId, Primitive};

use crate::code::{Arith, CallSite, Checked, Cmp, Code, FieldSite, Num, Op, Var};
use crate::decode::repr_of;
use crate::machine::{Machine, Step, give_up, unsupported};
use crate::state::State;
use crate::value::Repr;
use verdict::Gap;

impl Machine {
    /// The loop for this `Invoke` method.
    pub(crate) fn multicast_code(&mut self, s: &State, invoke: MethodId) -> Step<Rc<Code>> {
        if let Some(code) = self.code.multicasts.get(&invoke) {
            return Ok(Rc::clone(code));
        }
        let code = Rc::new(self.make_multicast(s, invoke)?);
        self.code.multicasts.insert(invoke, Rc::clone(&code));
        Ok(code)
    }

    fn make_multicast(&mut self, s: &State, invoke: MethodId) -> Step<Code> {
        // Mono has an array of just the right length.
        let is_mono = self.flavor() == crate::Flavor::Mono;
        let fields = match is_mono {
            true => vec![self.list_field(s, "delegates")?],
            false => vec![self.list_field(s, "_invocationList")?, self.list_field(s, "_invocationCount")?],
        };
        let object = match self.universe.well_known() {
            Ok(known) => known.object,
            Err(error) => return Err(give_up(s, error.into())),
        };
        let (vars, returns) = self.variables(invoke).map_err(|gap| give_up(s, gap))?;
        let args = vars.len() as u32;
        let mut code = Code {
            method: invoke,
            name: self.universe.method_id(invoke),
            ops: Vec::new(),
            il_offsets: Vec::new(),
            clauses: Vec::new(),
            vars,
            arg_count: args as usize,
            returns,
            max_stack: args as usize + 2,
            frame_bytes: 0,
            calls: vec![CallSite {
                method: invoke,
                arg_count: args as usize,
                has_this: true,
                returns: returns.is_some(),
                constrained: None,
            }],
            indirect_calls: Vec::new(),
            switches: Vec::new(),
            fields,
            literals: Vec::new(),
            failures: Vec::new(),
            goals: None,
            uses_varargs: false,
            init_type: None,
        };
        let int = Var { ty: object, repr: Repr::I4, memory: None };
        code.vars.extend([int, int, Var { ty: object, repr: Repr::Ref, memory: None }]);
        let (index, count, list) = (args, args + 1, args + 2);
        let ops = &mut code.ops;
        ops.extend([Op::LdVar(0), Op::LdFld(0), Op::StVar(list)]);
        match is_mono {
            true => ops.extend([Op::LdVar(list), Op::LdLen]),
            false => ops.extend([Op::LdVar(0), Op::LdFld(1)]),
        }
        ops.extend([Op::Convert(Num::I4, Checked::No), Op::StVar(count)]);
        let again = ops.len() as u32;
        ops.extend([Op::LdVar(list), Op::LdVar(index), Op::LdElem(object, Repr::Ref)]);
        ops.extend((1..args).map(Op::LdVar));
        ops.push(Op::Call(0));
        // Only the last result counts.
        ops.extend([Op::LdVar(index), Op::LdI4(1), Op::Arith(Arith::Add), Op::StVar(index)]);
        ops.extend([Op::LdVar(index), Op::LdVar(count)]);
        let leave = ops.len() as u32 + 2 + u32::from(returns.is_some());
        ops.push(Op::BrCmp(Cmp::Ge, leave));
        if returns.is_some() {
            ops.push(Op::Pop);
        }
        ops.push(Op::Br(again));
        ops.push(Op::Ret);
        code.il_offsets = vec![0; code.ops.len() + 1];
        Ok(code)
    }

    pub(super) fn variables(&self, invoke: MethodId) -> Result<(Vec<Var>, Option<Repr>), Gap> {
        let signature = self.universe.signature(invoke)?;
        let owner = self.universe.method(invoke).owner;
        let mut vars = vec![Var { ty: owner, repr: Repr::Ref, memory: None }];
        for &ty in signature.params.iter() {
            vars.push(Var { ty, repr: repr_of(&self.universe, ty)?, memory: None });
        }
        let is_void = self.universe.primitive(signature.ret) == Some(Primitive::Void);
        let returns = if is_void { None } else { Some(repr_of(&self.universe, signature.ret)?) };
        Ok((vars, returns))
    }

    fn list_field(&mut self, s: &State, name: &str) -> Step<FieldSite> {
        self.delegate_field(s, "System.MulticastDelegate", name)
    }

    pub(super) fn delegate_target(&mut self, s: &State) -> Step<FieldSite> {
        self.delegate_field(s, "System.Delegate", "_target")
    }

    fn delegate_field(&mut self, s: &State, class: &'static str, name: &str) -> Step<FieldSite> {
        let owner = self.core_type(s, class)?;
        let found = self.universe.find_field(owner, name).map_err(Gap::from);
        let field = match found {
            Ok(Some(field)) => field,
            Ok(None) => return Err(unsupported(s, "multicast delegates of this runtime")),
            Err(gap) => return Err(give_up(s, gap)),
        };
        let place = self.universe.field_offset(field).map_err(Gap::from).and_then(|offset| {
            let ty = self.universe.field_type(field)?;
            Ok((offset, repr_of(&self.universe, ty)?))
        });
        let (offset, repr) = place.map_err(|gap| give_up(s, gap))?;
        Ok(FieldSite {
            field,
            owner,
            owner_is_value_type: false,
            offset,
            repr,
            init: false,
            changeable: false,
            compilers_cache: false,
        })
    }
}
