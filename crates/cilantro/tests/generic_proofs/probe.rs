//! The methods of a class on CoreCLR, over random type arguments and values.

use std::collections::BTreeMap;
use std::path::Path;

use testkit::{Options, Target};

/// For each method the outcomes that were seen, each with a call that has it.
pub type Seen = BTreeMap<String, BTreeMap<String, String>>;

/// Fewer calls than this would not be worth much.
const LEAST_CALLS: u64 = 500;

pub fn run(dll: &Path, class: &str, seed: u64) -> Seen {
    let options = Options { target: Target::Exe, references: vec![dll.to_owned()], ..Options::default() };
    let program =
        testkit::compile("TypeProbe", &[("TypeProbe.cs", include_str!("probe.cs"))], &options).unwrap();
    let finished =
        testkit::run_dotnet(&program, &[&dll.display().to_string(), class, &seed.to_string()]).unwrap();
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    let mut seen = Seen::new();
    for line in finished.stdout.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["calls", method, calls] => {
                let calls: u64 = calls.parse().unwrap();
                assert!(calls >= LEAST_CALLS, "{method} was called {calls} times only");
                seen.entry(method.to_owned()).or_default();
            }
            ["saw", method, outcome, example] => {
                let outcomes = seen.entry(method.to_owned()).or_default();
                outcomes.insert(outcome.to_owned(), example.to_owned());
            }
            _ => panic!("{line}"),
        }
    }
    seen
}
