//! What is said of generic code is said of all type arguments. So it is compared with type arguments that nobody chose:
//! methods whose every way out has a number are run on CoreCLR over random types and values, and no run may leave a
//! method that is *complete* by a way that no test of it takes. A way without a test is one that was proven closed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod claims;
mod generator;
mod probe;

use std::path::PathBuf;

use claims::Claims;
use probe::Seen;
use testkit::{Options, Source};

/// `CILANTRO_SEEDS=1..20` tries these seeds instead.
const SEEDS: std::ops::Range<u64> = 1..2;
const METHODS: usize = 30;

#[test]
fn the_fixture_keeps_its_proofs_with_random_type_arguments() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/types/generics/Leaves.cs");
    let dll = testkit::compile("Leaves", &[Source::file(&file)], &Options::default()).unwrap();
    let claims = Claims::of(&dll, "Generics.Leaves");
    let seen = probe::run(&dll, "Generics.Leaves", 1);
    assert_eq!(contradictions(&claims, &seen), [] as [String; 0]);
    let proven = claims.methods.values().filter(|method| method.proven > 0).count();
    assert_eq!((claims.methods.len(), seen.len()), (9, 9));
    assert!(proven >= 5, "only {proven} methods have proofs: {claims:#?}");
}

#[test]
fn random_methods_keep_their_proofs_with_random_type_arguments() {
    let (mut complete, mut proven, mut all) = (0, 0, 0);
    for seed in seeds() {
        let text = generator::program(seed, METHODS);
        let dll =
            testkit::compile("RandomLeaves", &[("RandomLeaves.cs", text.as_str())], &Options::default());
        let dll = dll.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let claims = Claims::of(&dll, "RandomLeaves");
        let seen = probe::run(&dll, "RandomLeaves", seed);
        let wrong = contradictions(&claims, &seen);
        assert!(wrong.is_empty(), "seed {seed}:\n{}", wrong.join("\n"));
        all += claims.methods.len();
        complete += claims.methods.values().filter(|method| method.complete).count();
        proven += claims.methods.values().filter(|method| method.complete && method.proven > 0).count();
    }
    // The comparison is worth little if nothing is claimed.
    assert!(complete * 3 >= all && proven * 6 >= all, "{complete} complete, {proven} with proofs, of {all}");
}

/// A claim that is not true is found out.
#[test]
fn a_way_that_was_forgotten_is_found() {
    let source = "public static class Forgotten { public static int Of<T>(T a, int n) => n > 3 ? 1 : a == null ? 2 : 3; }";
    let dll = testkit::compile("Forgotten", &[("Forgotten.cs", source)], &Options::default()).unwrap();
    let mut claims = Claims::of(&dll, "Forgotten");
    let seen = probe::run(&dll, "Forgotten", 1);
    assert_eq!(contradictions(&claims, &seen), [] as [String; 0]);
    let method = claims.methods.get_mut("Of").unwrap();
    assert!(method.complete && method.outcomes.remove("2"), "{method:?}");
    let wrong = contradictions(&claims, &seen);
    assert!(wrong.len() == 1 && wrong[0].starts_with("Of: nothing leads to 2, but "), "{wrong:?}");
}

/// Ways out of complete methods that no test takes.
fn contradictions(claims: &Claims, seen: &Seen) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, outcomes) in seen {
        let Some(method) = claims.methods.get(name) else {
            wrong.push(format!("{name} is not in the summary"));
            continue;
        };
        for (outcome, example) in outcomes {
            if method.complete && !method.outcomes.contains(outcome) {
                wrong.push(format!("{name}: nothing leads to {outcome}, but {example} does"));
            }
        }
    }
    wrong
}

fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("CILANTRO_SEEDS") else { return SEEDS };
    let (first, end) = text.split_once("..").unwrap_or((&text, &text));
    let first: u64 = first.parse().unwrap();
    first..end.parse::<u64>().unwrap().max(first + 1)
}
