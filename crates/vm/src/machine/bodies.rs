//! The code of methods for which a model stands.

use std::rc::Rc;

use types::MethodId;

use crate::code::Code;
use crate::machine::{Flow, Machine, Step, give_up};
use crate::models::Call;
use crate::state::{OnReturn, State};
use verdict::Gap;

impl Machine {
    /// The code of a method, whatever stands for it.
    pub fn body(&mut self, method: MethodId) -> Result<Rc<Code>, Gap> {
        if let Some(code) = self.code.bodies.get(&method) {
            return Ok(Rc::clone(code));
        }
        let code = self.code(method)?;
        self.code.bodies.insert(method, Rc::clone(&code));
        Ok(code)
    }

    /// Runs the code of a method instead of its model.
    pub fn enter_body(&mut self, s: &mut State, call: &Call, after: OnReturn) -> Step {
        let code = self.body(call.method).map_err(|gap| give_up(s, gap))?;
        if let Some(ty) = code.init_type {
            let count = call.args.len();
            s.top.stack.extend(call.args.iter().cloned());
            if !self.ensure_initialized(s, ty)? {
                return Ok(Flow::Reload);
            }
            s.top.stack.truncate(s.top.stack.len() - count);
        }
        let frame = self.frame(s, code, call.args.clone(), after)?;
        s.push_frame(frame);
        Ok(Flow::Reload)
    }
}
