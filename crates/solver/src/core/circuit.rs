//! Questions as circuits, in SMT-LIB: every gate by itself. So questions about floats can be given to other solvers too, for
//! whose operators on bits SMT-LIB has no words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::blast::Blaster;
use super::encode::for_each_operand;
use super::gates::{Gate, Gates, Lit};
use super::symbols;
use term::{Symbol, Term, Terms};

/// Declarations, definitions and assertions, without `check-sat`; `None` if a conjunct was not translated.
pub(crate) fn script(blaster: &Blaster, terms: &Terms, conjuncts: &[Term]) -> Option<String> {
    let roots: Vec<Lit> = conjuncts.iter().map(|&c| blaster.known_literal(c)).collect::<Option<_>>()?;
    let symbols = symbols(terms, conjuncts);
    let (cone, facts) = cone(&blaster.gates, &roots);
    let mut bits: BTreeMap<usize, (Symbol, usize)> = BTreeMap::new();
    let mut text = String::new();
    for &symbol in &symbols {
        let _ = writeln!(text, "(declare-fun {} () {})", terms.smt_name(symbol), terms.symbol_sort(symbol));
        for (number, bit) in blaster.symbol(symbol).unwrap_or_default().iter().enumerate() {
            bits.insert(bit.gate(), (symbol, number));
        }
    }
    for &gate in &cone {
        let _ = match (blaster.gates.gate(gate), bits.get(&gate)) {
            (Gate::Input(_), None) => writeln!(text, "(declare-fun g{gate} () Bool)"),
            (Gate::Input(_), Some((symbol, bit))) => {
                let name = terms.smt_name(*symbol);
                match terms.symbol_sort(*symbol) {
                    term::Sort::Bool => writeln!(text, "(define-fun g{gate} () Bool {name})"),
                    _ => {
                        writeln!(
                            text,
                            "(define-fun g{gate} () Bool (= ((_ extract {bit} {bit}) {name}) #b1))"
                        )
                    }
                }
            }
            (kind, _) => writeln!(text, "(define-fun g{gate} () Bool {})", defined(&blaster.gates, kind)),
        };
    }
    for clause in facts.iter().flat_map(|group| blaster.gates.facts(*group)) {
        let _ = writeln!(text, "(assert {})", joined("or", clause));
    }
    for root in roots {
        let _ = writeln!(text, "(assert {})", literal(root));
    }
    Some(text)
}

/// The gates that some outputs depend on, operands first, and the groups of facts about them.
fn cone(gates: &Gates, roots: &[Lit]) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let (mut seen, mut facts) = (BTreeSet::new(), BTreeSet::new());
    let mut stack: Vec<usize> = roots.iter().map(|lit| lit.gate()).collect();
    while let Some(index) = stack.pop() {
        // Gates are made after their operands, so the order of numbers is one of definition.
        if !seen.insert(index) {
            continue;
        }
        for_each_operand(gates, gates.gate(index), |operand| stack.push(operand.gate()));
        if let Some(group) = gates.facts_of_input(index)
            && facts.insert(group)
        {
            stack.extend(gates.facts(group).iter().flatten().map(|lit| lit.gate()));
        }
    }
    (seen, facts)
}

fn defined(gates: &Gates, gate: Gate) -> String {
    let l = literal;
    match gate {
        Gate::False | Gate::Input(_) => "false".to_owned(),
        Gate::And(a, b) => format!("(and {} {})", l(a), l(b)),
        Gate::Xor(a, b) => format!("(xor {} {})", l(a), l(b)),
        Gate::Xor3(a, b, c) => format!("(xor {} {} {})", l(a), l(b), l(c)),
        Gate::Mux(c, t, e) => format!("(ite {} {} {})", l(c), l(t), l(e)),
        Gate::Maj(a, b, c) => {
            let pair = |x, y| format!("(and {} {})", l(x), l(y));
            format!("(or {} {} {})", pair(a, b), pair(a, c), pair(b, c))
        }
        Gate::All(start, len) => joined("and", gates.all_operands(start, len)),
    }
}

fn joined(op: &str, lits: &[Lit]) -> String {
    match lits {
        [] => (op == "and").to_string(),
        [one] => literal(*one),
        many => format!("({op} {})", many.iter().map(|lit| literal(*lit)).collect::<Vec<_>>().join(" ")),
    }
}

fn literal(lit: Lit) -> String {
    match lit.as_bool() {
        Some(value) => value.to_string(),
        None if lit.is_negated() => format!("(not g{})", lit.gate()),
        None => format!("g{}", lit.gate()),
    }
}

#[cfg(test)]
mod tests {
    use term::{FloatWidth, Sort};

    use super::super::Core;
    use super::*;
    use crate::{Answer, External, Limits, Stats};

    /// What the core says and what another solver says to its circuit.
    fn check(terms: &Terms, conjuncts: &[Term]) -> (bool, String) {
        let mut core = Core::new(true, true);
        let answer = core.check(terms, conjuncts, false, &Limits::default(), &mut Stats::default());
        let circuit = core.circuit(terms, conjuncts).unwrap();
        let z3 = testkit::Toolchain::locate().unwrap().z3().unwrap();
        let script = format!("(set-logic QF_BV)\n{circuit}(check-sat)\n");
        let said = External::new(&z3).ask(&script, None).unwrap();
        (matches!(answer, Answer::Sat(_)), said.trim().to_owned())
    }

    #[test]
    fn circuits_mean_what_the_terms_mean() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.fresh(name, Sort::Bv(12)));
        let [a, b] = ["a", "b"].map(|name| t.fresh(name, Sort::Float(FloatWidth::F32)));
        let flag = t.fresh("flag", Sort::Bool);
        // Quotients are inputs of their own with facts about them.
        let (quotient, rest) = (t.udiv(x, y), t.urem(x, y));
        for (q, r, possible) in [(7, 3, true), (0x801, 5, false)] {
            let (q, r, limit) = (t.bv(12, q), t.bv(12, r), t.bv(12, 0));
            let (is_q, is_r, some) = (t.eq(quotient, q), t.eq(rest, r), t.ne(y, limit));
            let expected = if possible { "sat" } else { "unsat" };
            assert_eq!(check(&t, &[is_q, is_r, some]), (possible, expected.to_owned()));
        }
        let sum = t.fp_add(a, b);
        let (more, less) = (t.fp_lt(a, sum), t.fp_lt(sum, a));
        assert_eq!(check(&t, &[more, flag]), (true, "sat".to_owned()));
        assert_eq!(check(&t, &[more, less]), (false, "unsat".to_owned()));
    }
}
