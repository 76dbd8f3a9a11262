//! CoreCLR's answers: the outcome of every input of every method of a generated program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use testkit::{Options, Target};

use crate::generator::{FIRST_EXCEPTION, Program};

/// A compiled program and what it does.
pub struct Oracle {
    pub dll: PathBuf,
    /// For each method, outcomes by the number of the input.
    tables: Vec<Vec<i64>>,
    exceptions: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Returned(i64),
    Threw(String),
}

impl Oracle {
    pub fn of(program: &Program, optimize: bool) -> Oracle {
        let dll = compile(program, optimize);
        let (numbers, exceptions) = run(&dll, None);
        let mut numbers = numbers.into_iter();
        let tables = program.methods.iter().map(|m| numbers.by_ref().take(1 << m.bits()).collect()).collect();
        Oracle { dll, tables, exceptions }
    }

    pub fn outcome(&self, method: usize, input: usize) -> Outcome {
        self.meaning(self.tables[method][input])
    }

    pub fn outcomes(&self, method: usize) -> BTreeSet<Outcome> {
        let numbers: BTreeSet<i64> = self.tables[method].iter().copied().collect();
        numbers.into_iter().map(|number| self.meaning(number)).collect()
    }

    /// An input with this outcome, if there is one.
    pub fn example(&self, method: usize, outcome: &Outcome) -> Option<usize> {
        self.tables[method].iter().position(|number| self.meaning(*number) == *outcome)
    }

    fn meaning(&self, number: i64) -> Outcome {
        meaning(number, &self.exceptions)
    }
}

pub fn compile(program: &Program, optimize: bool) -> PathBuf {
    let options = Options { target: Target::Exe, optimize, ..Options::default() };
    testkit::compile("Random", &[("Random.cs", program.source.as_str())], &options).unwrap()
}

/// The outcomes of some inputs, each given as the method's number and the bits of the scalars.
pub fn outcomes_of(dll: &Path, inputs: &[(usize, Vec<u64>)]) -> Vec<Outcome> {
    let numbers =
        inputs.iter().flat_map(|(method, bits)| std::iter::once(*method as u64).chain(bits.clone()));
    let bytes: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
    let (numbers, exceptions) = run(dll, Some(&bytes));
    assert_eq!(numbers.len(), inputs.len());
    numbers.into_iter().map(|number| meaning(number, &exceptions)).collect()
}

/// Runs the program; the numbers it wrote and the names of exceptions.
fn run(dll: &Path, inputs: Option<&[u8]>) -> (Vec<i64>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let [written, given] = ["outcomes", "inputs"].map(|name| folder.path().join(name));
    let mut arguments = vec![written.to_str().unwrap()];
    if let Some(inputs) = inputs {
        std::fs::write(&given, inputs).unwrap();
        arguments.push(given.to_str().unwrap());
    }
    let run = testkit::run_dotnet(dll, &arguments).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let bytes = std::fs::read(&written).unwrap();
    let numbers = bytes.chunks_exact(8).map(|chunk| i64::from_le_bytes(chunk.try_into().unwrap()));
    (numbers.collect(), run.stdout.lines().map(str::to_owned).collect())
}

fn meaning(number: i64, exceptions: &[String]) -> Outcome {
    match usize::try_from(number.wrapping_sub(FIRST_EXCEPTION)) {
        Ok(index) if index < exceptions.len() => Outcome::Threw(exceptions[index].clone()),
        _ => Outcome::Returned(number),
    }
}
