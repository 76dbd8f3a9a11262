//! CoreCLR's answers: the outcome of every input of every method of a generated program.

use std::collections::BTreeSet;
use std::path::PathBuf;

use testkit::{Options, Target};

use crate::generator::Program;

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
        let options = Options { target: Target::Exe, optimize, ..Options::default() };
        let dll = testkit::compile("Random", &[("Random.cs", program.source.as_str())], &options).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("outcomes");
        let run = testkit::run_dotnet(&dll, &[file.to_str().unwrap()]).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let bytes = std::fs::read(&file).unwrap();
        let mut numbers = bytes.chunks_exact(8).map(|chunk| i64::from_le_bytes(chunk.try_into().unwrap()));
        let tables = program.methods.iter().map(|m| numbers.by_ref().take(1 << m.bits()).collect()).collect();
        Oracle { dll, tables, exceptions: run.stdout.lines().map(str::to_owned).collect() }
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
        match usize::try_from(number.wrapping_sub(i64::MIN)) {
            Ok(index) if index < self.exceptions.len() => Outcome::Threw(self.exceptions[index].clone()),
            _ => Outcome::Returned(number),
        }
    }
}
