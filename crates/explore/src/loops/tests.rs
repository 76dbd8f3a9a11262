//! Planted faults: plans that forget too little, and facts that do not hold, are refused.

use std::rc::Rc;

use budget::Budget;
use solver::Solver;
use types::{Probing, Universe};
use vm::Machine;

use super::infer::Search;
use super::plan::Plan;
use crate::{Explorer, Strategy};

const SOURCE: &str = "public static class Loops {
    public static int Sum(int[] items, int n) {
        int sum = 0, last = 0;
        for (int i = 0; i < items.Length && i < n; i++) { sum += items[i]; items[i] = 3; last = i; }
        return n > 2 && last > 1 ? sum : 100 / (1 + last);
    }
}";

fn with_plan(test: impl FnOnce(&mut Search<'_>, &Plan, Vec<vm::State>)) {
    let dll = testkit::compile("Faulty", &[("Faulty.cs", SOURCE)], &testkit::Options::default()).unwrap();
    let runtime = testkit::Toolchain::locate().unwrap();
    let universe =
        Rc::new(Universe::new(Probing::for_application(&dll, Some(runtime.runtime_root())).unwrap()));
    let assembly = universe.load(&dll).unwrap();
    let class = universe.find_type(assembly, "Loops").unwrap().unwrap();
    let method = universe.methods(class).unwrap()[0];
    let machine = Machine::new(universe, &bcl::ClassLibrary, vm::Config::default());
    let mut explorer = Explorer::new(machine, Solver::new(solver::Config::default()), Strategy::Coverage, 0);
    let starts = explorer.machine.start(method).unwrap();
    let budget = Budget::default();
    let mut search = Search::new(&mut explorer, &budget);
    let plan = search.infer(&starts).unwrap();
    test(&mut search, &plan, starts);
}

#[test]
fn a_plan_that_forgets_one_place_less_is_refused() {
    with_plan(|search, plan, starts| {
        assert!(search.check(plan, starts.clone()).is_ok());
        let mut faults = 0;
        for (id, annotation) in &plan.anchors {
            // Numbers and elements; what was looked at is known from the first walk on.
            for spot in annotation.spots.iter().filter(|(_, symbol)| symbol.is_some()).map(|(spot, _)| spot) {
                let mut faulty = plan.clone();
                faulty.anchors.get_mut(id).unwrap().spots.remove(spot);
                assert!(search.check(&faulty, starts.clone()).is_err(), "{spot:?} need not be forgotten");
                faults += 1;
            }
        }
        // Two numbers, a counter and the elements.
        assert!(faults >= 4, "{faults}");
    });
}

#[test]
fn a_fact_that_does_not_hold_is_refused() {
    with_plan(|search, plan, starts| {
        let mut faults = 0;
        for (id, annotation) in &plan.anchors {
            for symbol in annotation.spots.values().flatten() {
                let terms = &mut search.explorer.machine.terms;
                let term::Sort::Bv(32) = terms.symbol_sort(*symbol) else { continue };
                let (x, three) = (terms.var(*symbol), terms.bv(32, 3));
                let small = terms.slt(x, three);
                let mut faulty = plan.clone();
                faulty.anchors.get_mut(id).unwrap().facts.push(small);
                assert!(search.check(&faulty, starts.clone()).is_err());
                faults += 1;
            }
        }
        assert!(faults >= 3, "{faults}");
    });
}

#[test]
fn a_fact_about_something_else_is_refused() {
    with_plan(|search, plan, starts| {
        let terms = &mut search.explorer.machine.terms;
        // True of no state, and nobody could say so: the symbol is not older than the loop.
        let stranger = terms.fresh("stranger", term::Sort::Bv(32));
        let zero = terms.bv(32, 0);
        let fact = terms.eq(stranger, zero);
        let mut faulty = plan.clone();
        faulty.anchors.values_mut().for_each(|annotation| annotation.facts.push(fact));
        assert!(search.check(&faulty, starts).is_err());
    });
}
