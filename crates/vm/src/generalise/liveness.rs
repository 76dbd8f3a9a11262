//! Which variables of a body can still be read before they are written.

use crate::code::{Code, Op};
use crate::coverage::BitSet;

/// For each operation, the variables that matter when it is about to run.
#[derive(Debug)]
pub struct Liveness {
    before: Vec<BitSet>,
    after: Vec<BitSet>,
}

impl Liveness {
    pub fn of(code: &Code) -> Liveness {
        let flow = code.flow();
        let count = code.ops.len();
        let mut before = vec![BitSet::default(); count];
        let mut after = vec![BitSet::default(); count];
        let mut changed = true;
        while changed {
            changed = false;
            for (at, op) in code.ops.iter().enumerate().rev() {
                let mut live = BitSet::default();
                for way in flow.successors(at as u32) {
                    if let Some(there) = before.get(way.to as usize) {
                        live.union_with(there);
                    }
                }
                let mut here = live.clone();
                match *op {
                    // What a variable held before it is written does not matter, unless the operation throws: storing
                    // into a slot does not.
                    Op::StVar(index) => here = here.without(&only(index)),
                    Op::LdVar(index) => _ = here.insert(index),
                    // `jmp` passes the arguments on as they are.
                    Op::Jmp(_) => here.extend(0..code.vars.len() as u32),
                    _ => {}
                }
                if !here.is_subset(&before[at]) || !live.is_subset(&after[at]) {
                    before[at].union_with(&here);
                    after[at].union_with(&live);
                    changed = true;
                }
            }
        }
        Liveness { before, after }
    }

    /// Whether a variable can be read when this operation is about to run, before it is written.
    pub fn is_live_before(&self, op: u32, variable: u32) -> bool {
        self.before.get(op as usize).is_none_or(|live| live.contains(variable))
    }

    /// The same when it has run.
    pub fn is_live_after(&self, op: u32, variable: u32) -> bool {
        self.after.get(op as usize).is_none_or(|live| live.contains(variable))
    }
}

fn only(index: u32) -> BitSet {
    let mut set = BitSet::default();
    set.insert(index);
    set
}
