//! The witnesses of a folder on the real runtime: each must show what its case says.

use std::collections::BTreeMap;

use crate::cases::Kind;
use crate::judge::Judged;
use crate::library::Library;

/// What a witness did.
struct Seen {
    marks: Vec<String>,
    /// The exception that left it, by its simple name.
    thrown: String,
    /// The methods that the exception came through.
    frames: Vec<String>,
    message: String,
}

/// Fails unless every live place was reached by the witness of its name, every exception thrown, and nothing dead reached.
pub fn check(library: &Library, judged: &[Judged]) {
    let seen = run(library);
    let mut wrong = Vec::new();
    for Judged { case, method, .. } in judged {
        let name = &case.name;
        let own = seen.get(name);
        match case.kind {
            Kind::Live | Kind::Inner => match own {
                Some(own) if own.marks.contains(name) || own.is_unavailable() => {}
                Some(own) => wrong.push(format!("{name} is not reached: {} {}", own.thrown, own.message)),
                None => wrong.push(format!("{name} has no witness")),
            },
            Kind::Throws => {
                let is_it = |own: &Seen| {
                    Some(&own.thrown) == case.exception.as_ref()
                        && method.as_ref().is_none_or(|method| own.frames.contains(method))
                };
                if !own.is_some_and(is_it) {
                    wrong.push(format!("{name} is not thrown"));
                }
            }
            Kind::Dead => {
                let by = seen.iter().find(|(_, witness)| witness.marks.contains(name));
                wrong.extend(by.map(|(witness, _)| format!("{name} is reached by {witness}")));
            }
        }
    }
    let is_case = |name: &String| judged.iter().any(|judged| judged.case.name == *name);
    wrong.extend(seen.keys().filter(|name| !is_case(name)).map(|name| format!("{name} is no case")));
    assert!(wrong.is_empty(), "{}: {wrong:#?}", library.folder);
}

impl Seen {
    /// The runtime lacks what the witness needs.
    fn is_unavailable(&self) -> bool {
        self.marks.iter().any(|mark| mark == "unavailable")
    }
}

fn run(library: &Library) -> BTreeMap<String, Seen> {
    let finished = testkit::run_dotnet(&library.witnesses, &[]).unwrap();
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    finished.stdout.lines().filter_map(seen).collect()
}

/// Witness, marks, exception, methods, message, with tabs between them.
fn seen(line: &str) -> Option<(String, Seen)> {
    let mut parts = line.splitn(5, '\t');
    let mut next = || parts.next().map(str::to_owned);
    let (name, marks, thrown, frames, message) = (next()?, next()?, next()?, next()?, next()?);
    let words = |text: &str| text.split(' ').map(str::to_owned).collect();
    let thrown = thrown.rsplit('.').next().unwrap_or_default().to_owned();
    Some((name, Seen { marks: words(&marks), thrown, frames: words(&frames), message }))
}
