//! Comparisons, conditional jumps and switches.

use term::Term;

use crate::code::{Cmp, Code};
use crate::machine::{Flow, Machine, Step, fork, peek, pop, push, replace_operand, unsupported};
use crate::ops::arith::Pair;
use crate::state::State;
use crate::stop::{Action, Choice};
use crate::value::Value;

/// The outcome of a comparison.
enum Truth {
    Known(bool),
    Symbolic(Term),
}

impl Machine {
    pub fn compare(&mut self, s: &mut State, cmp: Cmp) -> Step {
        let value = match self.pop_compare(s, cmp)? {
            Truth::Known(truth) => Value::bool(truth),
            Truth::Symbolic(term) => {
                let bits = self.terms.bool_to_bv(term, 32);
                self.value_of(bits)
            }
        };
        push(s, value)
    }

    pub(crate) fn branch_compare(&mut self, s: &mut State, code: &Code, cmp: Cmp, target: u32) -> Step {
        if matches!(cmp, Cmp::NeUn | Cmp::LtUn | Cmp::LeUn | Cmp::GtUn | Cmp::GeUn)
            && let [.., a, b] = &mut s.top.stack[..]
        {
            self.extend_unsigned(a, b);
        }
        let truth = self.pop_compare(s, cmp)?;
        self.branch(s, code, truth, target)
    }

    pub(crate) fn branch_if(&mut self, s: &mut State, code: &Code, expected: bool, target: u32) -> Step {
        if let Value::Term(term) = *peek(s, 0)?
            && self.is_never_null(term)
            && let Some(stop) = self.unsettled(s, term, 0)
        {
            return Err(stop);
        }
        let operand = pop(s)?;
        let truth = match self.settled(s, &operand).unwrap_or(operand) {
            Value::I32(v) => Truth::Known((v != 0) == expected),
            Value::I64(v) => Truth::Known((v != 0) == expected),
            Value::Term(term) if self.width(term) > 0 => {
                let zero = self.terms.bv(self.width(term), 0);
                let is_zero = self.terms.eq(term, zero);
                let is_zero = self.substituted(s, is_zero);
                let holds = if expected { self.terms.not(is_zero) } else { is_zero };
                self.truth(holds)
            }
            _ => return Err(unsupported(s, "a conditional jump on something that is not an integer")),
        };
        self.branch(s, code, truth, target)
    }

    fn branch(&mut self, s: &mut State, code: &Code, truth: Truth, target: u32) -> Step {
        let pc = s.top.pc;
        match truth {
            Truth::Known(truth) => {
                let to = if truth { target } else { pc + 1 };
                s.coverage.meet(code.edge_goal(pc, to));
                Ok(Flow::Jump(to))
            }
            Truth::Symbolic(guard) => {
                let otherwise = self.terms.not(guard);
                let jump = |target: u32| Action::Jump { target, goal: code.edge_goal(pc, target) };
                Err(fork(vec![
                    Choice { guard: otherwise, action: jump(pc + 1) },
                    Choice { guard, action: jump(target) },
                ]))
            }
        }
    }

    pub fn switch(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let pc = s.top.pc;
        let targets = code.switches.get(index as usize).map_or(&[][..], |targets| targets);
        match pop(s)? {
            Value::I32(v) => {
                let to = targets.get(v.cast_unsigned() as usize).copied().unwrap_or(pc + 1);
                s.coverage.meet(code.edge_goal(pc, to));
                Ok(Flow::Jump(to))
            }
            Value::Term(selector) if self.width(selector) == 32 => {
                Err(fork(self.switch_choices(selector, targets, pc + 1, |to| code.edge_goal(pc, to))))
            }
            _ => Err(unsupported(s, "a switch on something that is not an int32")),
        }
    }

    /// One choice per distinct target, in the order of the table, the fall-through last.
    fn switch_choices(
        &mut self,
        selector: Term,
        targets: &[u32],
        fall_through: u32,
        goal: impl Fn(u32) -> u32,
    ) -> Vec<Choice> {
        let mut order: Vec<(u32, Term)> = Vec::new();
        for (value, &target) in targets.iter().enumerate() {
            let constant = self.terms.bv(32, value as u128);
            let hit = self.terms.eq(selector, constant);
            match order.iter_mut().find(|(to, _)| *to == target) {
                Some((_, guard)) => *guard = self.terms.or(*guard, hit),
                None => order.push((target, hit)),
            }
        }
        let count = self.terms.bv(32, targets.len() as u128);
        let beyond = self.terms.uge(selector, count);
        match order.iter_mut().find(|(to, _)| *to == fall_through) {
            Some((_, guard)) => *guard = self.terms.or(*guard, beyond),
            None => order.push((fall_through, beyond)),
        }
        let choice = |(target, guard)| Choice { guard, action: Action::Jump { target, goal: goal(target) } };
        order.into_iter().map(choice).collect()
    }

    /// References are compared as the objects they are; only the comparison with null leaves them open.
    fn settle_compared(&mut self, s: &mut State) -> Step<()> {
        for (depth, other) in [(0, 1), (1, 0)] {
            let Value::Term(term) = *peek(s, depth)? else { continue };
            if let Some(value) = self.settled(s, &Value::Term(term)) {
                replace_operand(s, depth, value);
                let other = peek(s, other)?.clone();
                self.note_comparison(s, &other);
            } else if (!matches!(peek(s, other)?, Value::I64(0) | Value::I32(0)) || self.is_never_null(term))
                && let Some(stop) = self.unsettled(s, term, depth)
            {
                return Err(stop);
            }
        }
        Ok(())
    }

    fn pop_compare(&mut self, s: &mut State, cmp: Cmp) -> Step<Truth> {
        self.settle_compared(s)?;
        let b = pop(s)?;
        let a = pop(s)?;
        self.note_truth(&a, &b);
        match cmp {
            Cmp::Eq | Cmp::NeUn => self.note_compared_objects(s, &a, &b),
            _ => self.note_address_operands(s, &a, &b),
        }
        Ok(match self.pair(&a, &b) {
            Pair::I32(x, y) => Truth::Known(cmp.holds(x.cmp(&y), x.cast_unsigned().cmp(&y.cast_unsigned()))),
            Pair::I64(x, y) => Truth::Known(cmp.holds(x.cmp(&y), x.cast_unsigned().cmp(&y.cast_unsigned()))),
            Pair::F32(x, y) => Truth::Known(compare_floats(cmp, x.partial_cmp(&y))),
            Pair::F64(x, y) => Truth::Known(compare_floats(cmp, x.partial_cmp(&y))),
            Pair::Bv(x, y) => {
                let term = self.compare_terms(cmp, x, y);
                let term = self.substituted(s, term);
                self.truth(term)
            }
            Pair::Fp(x, y) => {
                let term = self.compare_float_terms(cmp, x, y);
                self.truth(term)
            }
            Pair::Other => return Err(unsupported(s, "a comparison of operands of different kinds")),
        })
    }

    fn truth(&self, term: Term) -> Truth {
        self.terms.as_bool(term).map_or(Truth::Symbolic(term), Truth::Known)
    }

    /// For floats `.un` means "or unordered": the negation of the opposite comparison.
    fn compare_float_terms(&mut self, cmp: Cmp, x: Term, y: Term) -> Term {
        let t = &mut self.terms;
        match cmp {
            Cmp::Eq => t.fp_eq(x, y),
            Cmp::Lt => t.fp_lt(x, y),
            Cmp::Le => t.fp_le(x, y),
            Cmp::Gt => t.fp_lt(y, x),
            Cmp::Ge => t.fp_le(y, x),
            Cmp::NeUn | Cmp::LtUn | Cmp::LeUn | Cmp::GtUn | Cmp::GeUn => {
                let opposite = match cmp {
                    Cmp::NeUn => t.fp_eq(x, y),
                    Cmp::LtUn => t.fp_le(y, x),
                    Cmp::LeUn => t.fp_lt(y, x),
                    Cmp::GtUn => t.fp_le(x, y),
                    _ => t.fp_lt(x, y),
                };
                t.not(opposite)
            }
        }
    }

    fn compare_terms(&mut self, cmp: Cmp, x: Term, y: Term) -> Term {
        let t = &mut self.terms;
        match cmp {
            Cmp::Eq => t.eq(x, y),
            Cmp::NeUn => t.ne(x, y),
            Cmp::Lt => t.slt(x, y),
            Cmp::LtUn => t.ult(x, y),
            Cmp::Le => t.sle(x, y),
            Cmp::LeUn => t.ule(x, y),
            Cmp::Gt => t.sgt(x, y),
            Cmp::GtUn => t.ugt(x, y),
            Cmp::Ge => t.sge(x, y),
            Cmp::GeUn => t.uge(x, y),
        }
    }
}

/// For floats `.un` means "or unordered".
fn compare_floats(cmp: Cmp, order: Option<std::cmp::Ordering>) -> bool {
    let Some(order) = order else {
        return matches!(cmp, Cmp::NeUn | Cmp::LtUn | Cmp::LeUn | Cmp::GtUn | Cmp::GeUn);
    };
    cmp.holds(order, order)
}
