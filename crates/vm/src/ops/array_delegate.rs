//! Delegates of any signature over one function that takes the arguments in an array: what a runtime without generated code
//! provides for the interpreter of expression trees. Calling one runs code that packs and unpacks.

use std::rc::Rc;

use types::{MethodId, Type, TypeId};

use crate::code::{Code, Op};
use crate::decode::repr_of;
use crate::machine::{Machine, Step, give_up, unsupported};
use crate::made_code::MadeCode;
use crate::state::State;
use crate::value::{Repr, Value};

impl Machine {
    /// The code of this `Invoke` method over a function of this type.
    pub(crate) fn array_delegate_code(
        &mut self,
        s: &State,
        invoke: MethodId,
        target: &Value,
    ) -> Step<Rc<Code>> {
        if let Some(code) = self.code.array_delegates.get(&invoke) {
            return Ok(Rc::clone(code));
        }
        let Value::I64(target) = target else {
            return Err(unsupported(s, "a delegate with a symbolic target"));
        };
        let function = self.object_type(s, target.cast_unsigned())?;
        let code = Rc::new(self.make_array_delegate(s, invoke, function)?);
        self.code.array_delegates.insert(invoke, Rc::clone(&code));
        Ok(code)
    }

    fn make_array_delegate(&mut self, s: &State, invoke: MethodId, function: TypeId) -> Step<Code> {
        let object = self.universe.well_known().map_err(|error| give_up(s, error.into()))?.object;
        let called =
            self.universe.methods_named(function, "Invoke").map_err(|error| give_up(s, error.into()))?;
        let Some(called) = called.first().copied() else {
            return Err(unsupported(s, "a delegate over something else than a function"));
        };
        let universe = Rc::clone(&self.universe);
        let mut made = MadeCode::in_place_of(&universe, invoke).map_err(|gap| give_up(s, gap))?;
        let signature = universe.signature(invoke).map_err(|error| give_up(s, error.into()))?;
        let call = made.call(&universe, called).map_err(|gap| give_up(s, gap))?;
        let target = self.delegate_field(s, "System.Delegate", "_target")?;
        let target = made.field(&universe, target).map_err(|gap| give_up(s, gap))?;
        let array = made.local(object, Repr::Ref);
        let returns = made.returns();
        let (parameters, ops) = (&signature.params, &mut made.ops);
        ops.extend([Op::LdI4(parameters.len() as i32), Op::NewArr(object), Op::StVar(array)]);
        for (i, &ty) in parameters.iter().enumerate() {
            let by_ref = self.behind(ty);
            let ty = by_ref.unwrap_or(ty);
            let repr = repr_of(&self.universe, ty).map_err(|gap| give_up(s, gap))?;
            ops.extend([Op::LdVar(array), Op::LdI4(i as i32), Op::LdVar(i as u32 + 1)]);
            ops.extend(by_ref.map(|_| Op::LdObj(repr)));
            ops.extend(self.universe.is_value_type(ty).then_some(Op::Box(ty, repr)));
            ops.push(Op::StElem(object, Repr::Ref));
        }
        ops.extend([Op::LdVar(0), Op::LdFld(target), Op::LdVar(array), Op::Call(call)]);
        match returns {
            Some(repr) => ops.push(Op::UnboxAny(signature.ret, repr)),
            None => ops.push(Op::Pop),
        }
        // What was passed by reference goes back; the result waits on the stack.
        for (i, &ty) in parameters.iter().enumerate() {
            let Some(ty) = self.behind(ty) else { continue };
            let repr = repr_of(&self.universe, ty).map_err(|gap| give_up(s, gap))?;
            ops.extend([Op::LdVar(i as u32 + 1), Op::LdVar(array), Op::LdI4(i as i32)]);
            ops.extend([Op::LdElem(object, Repr::Ref), Op::UnboxAny(ty, repr), Op::StObj(repr)]);
        }
        ops.push(Op::Ret);
        Ok(made.finish())
    }

    /// The type that a reference refers to.
    fn behind(&self, ty: TypeId) -> Option<TypeId> {
        match self.universe.ty(ty) {
            Type::ByRef(inner) => Some(*inner),
            _ => None,
        }
    }
}
