//! Delegates over several methods: calling one runs a loop over its invocation list, made as code like any other so that
//! exceptions, forks and by-ref arguments need no special care.

use std::rc::Rc;

use types::{FieldId, MethodId};

use crate::code::{Arith, Checked, Cmp, Code, Num, Op};
use crate::machine::{Machine, Step, give_up, unsupported};
use crate::made_code::MadeCode;
use crate::state::State;
use crate::value::Repr;

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
        let universe = Rc::clone(&self.universe);
        let object = universe.well_known().map_err(|error| give_up(s, error.into()))?.object;
        let mut made = MadeCode::in_place_of(&universe, invoke).map_err(|gap| give_up(s, gap))?;
        let call = made.call(&universe, invoke).map_err(|gap| give_up(s, gap))?;
        let mut field = |made: &mut MadeCode, name| -> Step<u32> {
            let field = self.delegate_field(s, "System.MulticastDelegate", name)?;
            made.field(&universe, field).map_err(|gap| give_up(s, gap))
        };
        let delegates = field(&mut made, if is_mono { "delegates" } else { "_invocationList" })?;
        let length = if is_mono { None } else { Some(field(&mut made, "_invocationCount")?) };
        let (index, count) = (made.local(object, Repr::I4), made.local(object, Repr::I4));
        let list = made.local(object, Repr::Ref);
        let (args, returns) = (made.arguments(), made.returns());
        let ops = &mut made.ops;
        ops.extend([Op::LdVar(0), Op::LdFld(delegates), Op::StVar(list)]);
        match length {
            None => ops.extend([Op::LdVar(list), Op::LdLen]),
            Some(length) => ops.extend([Op::LdVar(0), Op::LdFld(length)]),
        }
        ops.extend([Op::Convert(Num::I4, Checked::No), Op::StVar(count)]);
        let again = ops.len() as u32;
        ops.extend([Op::LdVar(list), Op::LdVar(index), Op::LdElem(object, Repr::Ref)]);
        ops.extend((1..args).map(Op::LdVar));
        ops.push(Op::Call(call));
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
        Ok(made.finish())
    }

    pub(super) fn delegate_field(&mut self, s: &State, class: &'static str, name: &str) -> Step<FieldId> {
        let owner = self.core_type(s, class)?;
        match self.universe.find_field(owner, name) {
            Ok(Some(field)) => Ok(field),
            Ok(None) => Err(unsupported(s, "multicast delegates of this runtime")),
            Err(error) => Err(give_up(s, error.into())),
        }
    }
}
