//! A project that is verified part by part when the time may not suffice for all of it: what was verified by then stays.

use std::time::{Duration, Instant};

use verify::{FileReport, NotTried, Outcome, Project, Report, TestReport, Timings};

use crate::verification::Verification;

/// Verifies a project by the deadline. An error is the reason why nothing can be verified.
pub(super) fn verify(
    verification: &Verification,
    project: &Project,
    deadline: Instant,
) -> Result<Report, String> {
    let mut rest: Vec<usize> = (0..project.files.len()).filter(|at| tests(project, *at) > 0).collect();
    let mut whole: Option<Report> = None;
    while !rest.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() && whole.is_some() {
            break;
        }
        let open = rest.iter().map(|at| tests(project, *at)).sum();
        let part = next_part(project, &mut rest, verification.pace().at_once(open, left));
        if whole.is_none() && rest.is_empty() {
            let report = verification.verify(project.clone(), deadline)?;
            note(verification, &report);
            return Ok(report);
        }
        // Files without tests help those that have some.
        let files: Vec<usize> =
            (0..project.files.len()).filter(|at| tests(project, *at) == 0 || part.contains(at)).collect();
        let mut some = project.clone();
        some.files = files.iter().filter_map(|at| project.files.get(*at).cloned()).collect();
        match verification.verify(some, deadline) {
            Ok(report) => {
                note(verification, &report);
                join(whole.get_or_insert_with(|| nothing(project, &report)), report, &files);
            }
            Err(why) if whole.is_none() => return Err(why),
            Err(_) => break,
        }
    }
    whole.ok_or_else(|| "there are no tests".to_owned())
}

fn tests(project: &Project, file: usize) -> usize {
    project.files.get(file).map_or(0, |file| file.tests.len())
}

/// Takes files with so many tests from the front, one at least.
fn next_part(project: &Project, rest: &mut Vec<usize>, most: usize) -> Vec<usize> {
    let mut sum = 0;
    let fits = rest.iter().take_while(|at| {
        sum += tests(project, **at);
        sum <= most
    });
    let count = fits.count().max(1);
    rest.drain(..count.min(rest.len())).collect()
}

/// What was verified tells how fast that goes.
fn note(verification: &Verification, report: &Report) {
    if report.tests.iter().any(|test| test.outcome == Outcome::Holds) {
        verification.pace().note_verified(report.tests.len(), took(&report.timings));
    }
}

pub(super) fn took(timings: &Timings) -> Duration {
    timings.compile + timings.run + timings.finish
}

/// The report on a project of which nothing is known yet.
fn nothing(project: &Project, like: &Report) -> Report {
    let why = "there was no time left";
    let unknown = |(at, name): (usize, &String)| TestReport {
        file: at,
        name: name.clone(),
        outcome: Outcome::NotVerified { held_in: 0, why: why.to_owned() },
    };
    let files = project.files.iter().enumerate();
    Report {
        tests: files
            .flat_map(|(at, file)| file.tests.iter().map(move |name| (at, name)))
            .map(unknown)
            .collect(),
        files: project.files.iter().map(|file| FileReport { path: file.path.clone(), text: None }).collect(),
        not_tried: vec![NotTried::Together],
        problems: Vec::new(),
        against: like.against,
        compiler: like.compiler.clone(),
        timings: Timings::default(),
    }
}

/// Puts what is known of some files, which are those at these places, into the whole.
fn join(whole: &mut Report, part: Report, places: &[usize]) {
    for test in part.tests {
        let Some(file) = places.get(test.file) else { continue };
        let known = whole.tests.iter_mut().find(|known| known.file == *file && known.name == test.name);
        if let Some(known) = known {
            known.outcome = test.outcome;
        }
    }
    for (file, place) in part.files.into_iter().zip(places) {
        if let Some(known) = whole.files.get_mut(*place).filter(|known| known.text.is_none()) {
            known.text = file.text;
        }
    }
    for not_tried in part.not_tried {
        if !whole.not_tried.contains(&not_tried) {
            whole.not_tried.push(not_tried);
        }
    }
    whole.problems.extend(part.problems);
    whole.timings.compile += part.timings.compile;
    whole.timings.run += part.timings.run;
    whole.timings.finish += part.timings.finish;
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use verify::{Against, Framework, SourceFile};

    use super::*;

    fn project() -> Project {
        let mut project = Project::new("Shop.Tests", Framework::XUnit2);
        project.files = vec![
            SourceFile::new("CartTests.cs", "cart", ["A", "B"]),
            SourceFile::new("Helper.cs", "helper", [""; 0]),
            SourceFile::new("OrderTests.cs", "order", ["A", "B", "C"]),
            SourceFile::new("PriceTests.cs", "price", ["A"]),
        ];
        project
    }

    #[test]
    fn a_part_has_whole_files_and_one_at_least() {
        let project = project();
        let mut rest = vec![0, 2, 3];
        assert_eq!(next_part(&project, &mut rest, 5), [0, 2]);
        assert_eq!(next_part(&project, &mut rest, 0), [3]);
        assert!(rest.is_empty());
        let mut rest = vec![2, 3];
        assert_eq!(next_part(&project, &mut rest, 1), [2]);
        assert_eq!(rest, [3]);
    }

    #[test]
    fn what_was_not_reached_is_not_verified() {
        let project = project();
        let part = Report {
            tests: vec![
                TestReport { file: 0, name: "A".to_owned(), outcome: Outcome::Holds },
                TestReport { file: 2, name: "A".to_owned(), outcome: Outcome::Holds },
            ],
            files: ["cart", "helper", "price"]
                .map(|text| FileReport { path: String::new(), text: Some(text.to_owned()) })
                .to_vec(),
            not_tried: Vec::new(),
            problems: Vec::new(),
            against: Against::StandIns,
            compiler: String::new(),
            timings: Timings::default(),
        };
        let mut whole = nothing(&project, &part);
        join(&mut whole, part, &[0, 1, 3]);
        let kept: Vec<(usize, &str)> = whole
            .tests
            .iter()
            .filter(|test| test.outcome.is_kept())
            .map(|test| (test.file, test.name.as_str()))
            .collect();
        assert_eq!(kept, [(0, "A"), (3, "A")]);
        let texts: Vec<Option<&str>> = whole.files.iter().map(|file| file.text.as_deref()).collect();
        assert_eq!(texts, [Some("cart"), Some("helper"), None, Some("price")]);
        assert_eq!(whole.tests.len(), 6);
    }
}
