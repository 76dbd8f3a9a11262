//! Random programs behave the same in the machine and on CoreCLR, and a machine that errs is found out.

#![allow(clippy::unwrap_used)]

use progen::Program;
use progen::batch::{Flavour, Verdict, assembly, compare_compiled, interpret_with};

/// Programs of each run; `cargo xtask fuzz-diff` runs thousands.
const COUNT: u64 = 40;

#[test]
fn random_programs_behave_as_on_coreclr() {
    let (assemblies, groups): (Vec<_>, Vec<_>) = (0..4)
        .map(|number| {
            let programs: Vec<Program> =
                (0..COUNT).filter(|seed| seed % 4 == number).map(Program::generate).collect();
            (assembly(&programs, Flavour::of(number)), programs)
        })
        .unzip();
    let dlls = testkit::compile_all(&assemblies).unwrap();
    for (dll, programs) in dlls.iter().zip(&groups) {
        let verdicts = compare_compiled(programs, dll).unwrap();
        for (program, verdict) in programs.iter().zip(verdicts) {
            assert_eq!(verdict, Verdict::Same, "seed {}", program.seed);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    assert_eq!(Program::generate(7).text(), Program::generate(7).text());
    assert_ne!(Program::generate(7).text(), Program::generate(8).text());
}

/// The fault: the machine runs the program of a compiler that was told to check arithmetic, CoreCLR one that was not.
#[test]
fn a_machine_that_errs_is_found_out() {
    let programs: Vec<Program> = (0..12).map(Program::generate).collect();
    let right = assembly(&programs, Flavour { optimize: true, checked: false });
    let wrong = assembly(&programs, Flavour { optimize: true, checked: true });
    let dlls = testkit::compile_all(&[right, wrong]).unwrap();
    let verdicts = interpret_with(&programs, &dlls[0], &dlls[1]).unwrap();
    let differ = verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Differs { .. })).count();
    assert!(differ >= 3, "{verdicts:?}");
}
