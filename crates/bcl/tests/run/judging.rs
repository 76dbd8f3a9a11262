//! Both machines run a program, and what they left behind is compared.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::program::{Observed, Program};
use super::{machine, reference};

pub type Verdict = Result<(), String>;

pub fn judge(program: &Program, dll: &Path) -> Verdict {
    let expected = reference::run(program, dll);
    let observed = machine::run(program, dll, |_| ())?.0;
    compare(&observed, &expected)
}

/// The first difference, in words.
pub fn compare(observed: &Observed, expected: &Observed) -> Verdict {
    for (what, ours, theirs) in
        [("stdout", &observed.stdout, &expected.stdout), ("stderr", &observed.stderr, &expected.stderr)]
    {
        if ours == theirs {
            continue;
        }
        let line = ours.lines().zip(theirs.lines()).position(|(a, b)| a != b);
        let line = line.unwrap_or_else(|| ours.lines().count().min(theirs.lines().count()));
        let nth =
            |text: &str| text.lines().nth(line).map_or("its end".to_owned(), |text| format!("{text:?}"));
        return Err(format!("line {} of {what} is {}, not {}", line + 1, nth(ours), nth(theirs)));
    }
    if observed.code != expected.code {
        return Err(format!("the exit code is {}, not {}", observed.code, expected.code));
    }
    Ok(())
}

/// Machines are not shared between threads; programs are independent of each other.
pub fn in_parallel<T: Send>(programs: &[Program], work: impl Fn(usize, &Program) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(index) else { break };
                    let result = work(index, program);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
