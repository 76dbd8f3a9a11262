//! Any SMT-LIB 2 solver as a child process: z3, bitwuzla, cvc5.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use term::{Const, Model, Sort, Symbol, Term, Terms};

/// What an external solver says.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Sat,
    Unsat,
    Unknown,
}

#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    #[error("cannot run {path}: {error}")]
    Run { path: PathBuf, error: std::io::Error },
    #[error("the constraints have float operators, which SMT-LIB cannot express bit by bit")]
    Floats,
    #[error("the solver answered {0:?}")]
    Answer(String),
}

/// An SMT-LIB 2 solver on this machine.
#[derive(Clone, Debug)]
pub struct External {
    path: PathBuf,
    /// For each question, where the solver has an option for it.
    time_per_question: Option<Duration>,
}

impl External {
    pub fn new(path: &Path) -> External {
        External { path: path.to_owned(), time_per_question: None }
    }

    /// The first of z3, bitwuzla and cvc5 on PATH.
    pub fn on_path() -> Option<External> {
        let folders = std::env::var_os("PATH")?;
        let names = ["z3", "bitwuzla", "cvc5"];
        let candidates = names.iter().flat_map(|name| {
            std::env::split_paths(&folders).map(move |folder| folder.join(name)).collect::<Vec<_>>()
        });
        candidates.into_iter().find(|path| path.is_file()).map(|path| External::new(&path))
    }

    /// Lets the solver give up on a question after some time.
    pub fn with_time_per_question(self, time: Duration) -> External {
        External { time_per_question: Some(time), ..self }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Can the conjuncts hold together?
    pub fn check(
        &self,
        terms: &Terms,
        conjuncts: &[Term],
        deadline: Option<Instant>,
    ) -> Result<Verdict, ExternalError> {
        let verdicts = self.check_many(terms, &[conjuncts.to_vec()], deadline)?;
        Ok(verdicts.first().copied().unwrap_or(Verdict::Unknown))
    }

    /// Many independent questions in one process.
    pub fn check_many(
        &self,
        terms: &Terms,
        questions: &[Vec<Term>],
        deadline: Option<Instant>,
    ) -> Result<Vec<Verdict>, ExternalError> {
        let mut text = String::from("(set-logic QF_BV)\n");
        for conjuncts in questions {
            let script = terms.script(conjuncts).ok_or(ExternalError::Floats)?;
            text.push_str("(push 1)\n");
            text.push_str(&script.text);
            text.push_str("(check-sat)\n(pop 1)\n");
        }
        let output = self.ask(&text, deadline)?;
        let verdicts: Vec<Verdict> = output.lines().filter_map(verdict).collect();
        if verdicts.len() != questions.len() {
            return Err(ExternalError::Answer(output.chars().take(2000).collect()));
        }
        Ok(verdicts)
    }

    /// As [`External::check`], with a model if there is one.
    pub fn model(
        &self,
        terms: &Terms,
        conjuncts: &[Term],
        deadline: Option<Instant>,
    ) -> Result<(Verdict, Option<Model>), ExternalError> {
        let script = terms.script(conjuncts).ok_or(ExternalError::Floats)?;
        let names: Vec<String> = script.symbols.iter().map(|&symbol| terms.smt_name(symbol)).collect();
        let text = format!(
            "(set-option :produce-models true)\n(set-logic QF_BV)\n{}(check-sat)\n(get-value ({}))\n",
            script.text,
            names.join(" ")
        );
        let output = self.ask(&text, deadline)?;
        let mut lines = output.splitn(2, '\n');
        match lines.next().and_then(verdict) {
            Some(Verdict::Sat) => {
                let values = lines.next().unwrap_or_default();
                Ok((Verdict::Sat, Some(read_values(terms, &script.symbols, values))))
            }
            Some(other) => Ok((other, None)),
            None => Err(ExternalError::Answer(output.chars().take(2000).collect())),
        }
    }

    fn arguments(&self) -> Vec<String> {
        let time = self.time_per_question.map(|time| time.as_millis());
        let (fixed, timed): (&[&str], _) = match self.path.file_stem().and_then(|name| name.to_str()) {
            Some("z3") => (&["-in", "-smt2"], time.map(|ms| format!("-t:{ms}"))),
            Some("cvc5") => (&["--lang=smt2", "--incremental"], time.map(|ms| format!("--tlimit-per={ms}"))),
            _ => (&[], time.map(|ms| format!("--time-limit-per={ms}"))),
        };
        fixed.iter().map(|&argument| argument.to_owned()).chain(timed).collect()
    }

    /// Gives a script to the solver and returns what it prints; when time is up, `unknown`.
    pub fn ask(&self, script: &str, deadline: Option<Instant>) -> Result<String, ExternalError> {
        let failed = |error| ExternalError::Run { path: self.path.clone(), error };
        let mut command = Command::new(&self.path);
        command.args(self.arguments()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        // the solver answers while it reads: write and read at the same time
        std::thread::scope(|scope| {
            let writer =
                scope.spawn(move || stdin.map_or(Ok(()), |mut pipe| pipe.write_all(script.as_bytes())));
            let reader = scope.spawn(move || {
                let mut output = String::new();
                stdout.map_or(Ok(0), |mut pipe| pipe.read_to_string(&mut output)).map(|_| output)
            });
            let in_time = wait(&mut child, deadline);
            // a solver that was killed leaves a broken pipe behind, which is no error of its own
            let _ = writer.join();
            let output = reader.join().unwrap_or_else(|_| Ok(String::new())).map_err(failed)?;
            Ok(if in_time { output } else { "unknown\n".to_owned() })
        })
    }
}

/// Waits for the end, or ends the child when time is up.
fn wait(child: &mut Child, deadline: Option<Instant>) -> bool {
    loop {
        match child.try_wait() {
            Ok(None) => {}
            _ => return true,
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let _ = child.kill();
            let _ = child.wait();
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn verdict(line: &str) -> Option<Verdict> {
    match line.trim() {
        "sat" => Some(Verdict::Sat),
        "unsat" => Some(Verdict::Unsat),
        "unknown" | "timeout" => Some(Verdict::Unknown),
        _ => None,
    }
}

/// Reads `((name value) ...)`; values come in the order in which they were asked for.
fn read_values(terms: &Terms, symbols: &[Symbol], text: &str) -> Model {
    let mut model = Model::new();
    for &symbol in symbols {
        let name = terms.smt_name(symbol);
        let bare = name.trim_matches('|');
        let found = text.split('(').find_map(|pair| {
            let pair = pair.trim();
            pair.strip_prefix(name.as_str()).or_else(|| pair.strip_prefix(bare)).map(|rest| rest.trim())
        });
        if let Some(bits) = found.and_then(|rest| read_value(rest.trim_end_matches([')', '\n', ' ']))) {
            model.set(symbol, Const::from_bits(terms.symbol_sort(symbol), bits));
        } else if terms.symbol_sort(symbol) == Sort::Bool {
            model.set(symbol, Const::Bool(false));
        }
    }
    model
}

fn read_value(text: &str) -> Option<u128> {
    match text {
        "true" => Some(1),
        "false" => Some(0),
        _ => match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
            (Some(hex), _) => u128::from_str_radix(hex, 16).ok(),
            (_, Some(binary)) => u128::from_str_radix(binary, 2).ok(),
            _ => None,
        },
    }
}
