//! Code that does nothing but call one method, so that the call of anything can be what a state starts with.

use types::MethodId;

use crate::code::{Code, Op};
use crate::machine::Machine;
use crate::made_code::MadeCode;
use verdict::Gap;

impl Machine {
    /// Passes its arguments on to the method and returns what it returns.
    pub fn trampoline(&self, method: MethodId) -> Result<Code, Gap> {
        let mut made = MadeCode::in_place_of(&self.universe, method)?;
        let call = made.call(&self.universe, method)?;
        made.ops.extend((0..made.arguments()).map(Op::LdVar));
        made.ops.extend([Op::Call(call), Op::Ret]);
        Ok(made.finish())
    }
}
