//! What the summary of a run says about a case.
//!
//! Only what is proven without an assumption counts as proven, and only what is complete without one as complete.
//!
//! A summary has counts for each method and no places of the branches that are proven. So a method with a live mark has no
//! dead edge at all, or as many as its mark says (`+1`): more proven edges than that are a false proof. A handler has no
//! edge; there it is the instructions of a complete method that must all be covered.

use serde::Deserialize;

use crate::cases::{Case, Kind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Covered, found, proven, or left open.
    Right,
    /// A branch that is reached was called dead, or is in a complete method and not covered.
    FalseProof,
    /// A complete method does not list an exception that leaves it.
    MissedBug,
    /// A dead branch is not proven.
    Unproven,
    /// A dead branch is "covered" by a test that makes what no program can make.
    Impossible,
    /// The summary has no entry for the body that the case is in.
    Unseen,
    /// The time was used up, or the solver's; or a test did something else on the real runtime, which takes proofs back.
    /// Another run may say something else.
    Undecided,
}

impl Verdict {
    /// As `known.txt` says it.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Verdict::Right | Verdict::Undecided => None,
            Verdict::FalseProof => Some("false-proof"),
            Verdict::MissedBug => Some("missed-bug"),
            Verdict::Unproven => Some("unproven"),
            Verdict::Impossible => Some("impossible"),
            Verdict::Unseen => Some("unseen"),
        }
    }
}

/// The part of `cilantro/summary@1` that matters here.
#[derive(Deserialize)]
pub struct Summary {
    methods: Vec<Method>,
}

#[derive(Deserialize)]
struct Method {
    id: String,
    source: Option<String>,
    verdict: String,
    incomplete: Vec<Incomplete>,
    coverage: Coverage,
    bugs: Vec<Bug>,
    #[serde(default)]
    broken_inputs: Vec<Bug>,
}

#[derive(Deserialize)]
struct Incomplete {
    reason: String,
}

#[derive(Deserialize)]
struct Coverage {
    instructions: u64,
    covered_instructions: u64,
    branches: u64,
    covered_branches: u64,
    proven_unreachable_branches: u64,
}

#[derive(Deserialize)]
struct Bug {
    exception: String,
    source: Option<String>,
}

/// A case and what the run says about it.
pub struct Judged {
    pub case: Case,
    pub verdict: Verdict,
    /// The simple name of its method.
    pub method: Option<String>,
}

pub fn judge(case: Case, summary: &Summary) -> Judged {
    let verdict = verdict(&case, summary);
    let method = summary.method_of(&case).and_then(Method::simple_name).map(str::to_owned);
    Judged { case, verdict, method }
}

fn verdict(case: &Case, summary: &Summary) -> Verdict {
    let found = summary.method_of(case);
    // What the compiler makes of a method's parts counts with the method.
    let is_empty = |method: &Method| method.coverage.branches < 2 && !case.in_handler;
    if case.kind == Kind::Inner && found.is_none_or(is_empty) {
        return Verdict::Unseen;
    }
    let Some(method) = found else { panic!("no method for {} in the summary", case.name) };
    let is_vacuous = method.coverage.branches < 2 && case.kind != Kind::Throws && !case.in_handler;
    assert!(!is_vacuous, "{} has no branch for {}", method.id, case.name);
    let judged = match case.kind {
        Kind::Live | Kind::Inner => method.of_live(case),
        Kind::Dead => method.of_dead(case),
        Kind::Throws => method.of_exception(case),
    };
    let is_safe = matches!(judged, Verdict::Right | Verdict::Unproven);
    if method.depends_on_run() && is_safe { Verdict::Undecided } else { judged }
}

impl Summary {
    /// The method that the case's line belongs to: the last one of its file that begins above it.
    fn method_of(&self, case: &Case) -> Option<&Method> {
        let begins = |method: &Method| {
            let (file, line) = method.source.as_deref()?.rsplit_once(':')?;
            let line: u32 = line.parse().ok()?;
            (file == case.file && line <= case.line).then_some(line)
        };
        let candidates = self.methods.iter().filter_map(|method| Some((begins(method)?, method)));
        candidates.max_by_key(|(line, _)| *line).map(|(_, method)| method)
    }
}

impl Method {
    fn simple_name(&self) -> Option<&str> {
        self.id.split_once("::")?.1.split(['(', '<']).next()
    }

    fn depends_on_run(&self) -> bool {
        let doubts = ["timeout", "cancelled", "solver_unknown", "replay_mismatch"];
        self.incomplete.iter().any(|incomplete| doubts.contains(&&*incomplete.reason))
    }

    fn is_complete(&self) -> bool {
        self.verdict == "complete"
    }

    fn of_live(&self, case: &Case) -> Verdict {
        let coverage = &self.coverage;
        let lacks_instructions = coverage.covered_instructions < coverage.instructions;
        if coverage.proven_unreachable_branches > case.dead_edges
            || (case.dead_edges == 0 && self.is_complete() && lacks_instructions)
        {
            return Verdict::FalseProof;
        }
        Verdict::Right
    }

    fn of_dead(&self, case: &Case) -> Verdict {
        let Coverage { branches, covered_branches, proven_unreachable_branches: proven, .. } = self.coverage;
        match proven {
            0 if covered_branches == branches => Verdict::Impossible,
            0 => Verdict::Unproven,
            n if n == 1 + case.dead_edges => Verdict::Right,
            n if n > 1 + case.dead_edges => Verdict::FalseProof,
            _ => Verdict::Unproven,
        }
    }

    fn of_exception(&self, case: &Case) -> Verdict {
        let place = format!("{}:{}", case.file, case.line);
        let is_wanted = |bug: &Bug| {
            bug.exception.rsplit('.').next() == case.exception.as_deref()
                && bug.source.as_ref().is_none_or(|source| *source == place)
        };
        let is_found = self.bugs.iter().chain(&self.broken_inputs).any(is_wanted);
        if is_found || !self.is_complete() { Verdict::Right } else { Verdict::MissedBug }
    }
}
