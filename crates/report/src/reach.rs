//! The answer of `reach`: the schema `cilantro/reach@1`, and its text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use verdict::{Assumption, Reason, SourceLine};

use crate::style::{Theme, paint};
use crate::summary::{Assumed, Construction, Incomplete, Input, Runtime, Status};
use crate::words::{count, duration, inputs, one_line, short_id};

pub const REACH_SCHEMA: &str = "cilantro/reach@1";

/// The answer about some locations. Fields may be added, never renamed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReachReport {
    pub schema: String,
    /// File name of the assembly under test.
    pub assembly: String,
    pub runtime: Option<Runtime>,
    pub elapsed_ms: u64,
    /// Set when the whole run ended early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Reason>,
    /// What the user said to hold: proofs may rest on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Assumption>,
    /// Folder of the test project, if one was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// In the order in which they were asked for.
    pub locations: Vec<LocationAnswer>,
}

/// What is known about one location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocationAnswer {
    /// As it was asked for.
    pub location: String,
    pub verdict: ReachVerdict,
    /// What it means in the assembly; to get to one of them is enough.
    pub places: Vec<CodePlace>,
    /// The test that gets there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// What a proof takes for granted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumed>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<Incomplete>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReachVerdict {
    /// A test gets there, and the real runtime was seen to.
    Reached,
    /// No input gets there.
    Unreachable,
    /// No input gets there if what `assumptions` lists holds.
    UnreachableAssuming,
    /// Nobody knows; `incomplete` says why.
    Open,
}

/// A place in the code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct CodePlace {
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub method: String,
    /// `IL_002a`; none if any place in the method will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// `Cart.cs:42`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceLine>,
}

/// How to get to a location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Witness {
    /// The method that the test calls.
    pub entry: String,
    /// Anybody can call it; otherwise it is the method itself, since no public one was found that gets there.
    pub public: bool,
    pub test: String,
    pub inputs: Vec<Input>,
    pub construction: Construction,
    /// What it ends with, if an exception leaves the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exception: Option<String>,
}

impl ReachReport {
    /// What was reached is a finding; without any, what is open or proven only under assumptions leaves the answer
    /// incomplete.
    pub fn status(&self) -> Status {
        let any = |wanted: ReachVerdict| self.locations.iter().any(|answer| answer.verdict == wanted);
        if any(ReachVerdict::Reached) {
            Status::Findings
        } else if any(ReachVerdict::Open) || any(ReachVerdict::UnreachableAssuming) {
            Status::Incomplete
        } else {
            Status::NothingFound
        }
    }
}

/// The text for a person.
pub fn render_reach(report: &ReachReport, theme: &Theme) -> String {
    let mut out = Vec::new();
    let title = match &report.runtime {
        Some(runtime) => format!("{} on {} {}", report.assembly, runtime.name, runtime.version),
        None => report.assembly.clone(),
    };
    out.push(paint(theme.heading, &title));
    out.push(String::new());
    report.locations.iter().for_each(|answer| lines(answer, theme, &mut out));
    out.push(String::new());
    out.push(conclusion(report));
    if let Some(folder) = &report.output {
        out.push(format!("The tests are in {folder}."));
    }
    out.push(String::new());
    out.join("\n")
}

fn lines(answer: &LocationAnswer, theme: &Theme, out: &mut Vec<String>) {
    let verdict = match answer.verdict {
        ReachVerdict::Reached => paint(theme.bad, "reached"),
        ReachVerdict::Unreachable => paint(theme.good, "unreachable: no input gets there"),
        ReachVerdict::UnreachableAssuming => paint(theme.warn, "unreachable, assuming what follows"),
        ReachVerdict::Open => paint(theme.warn, "open"),
    };
    out.push(format!("{}  {verdict}", answer.location));
    for place in &answer.places {
        let at = place.at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
        let source = place.source.as_ref().map(|source| format!(" ({source})")).unwrap_or_default();
        out.push(format!("  in      {}{at}{source}", short_id(&place.method)));
    }
    if let Some(witness) = &answer.witness {
        let own = if witness.public { "" } else { " itself: no public method was found that gets there" };
        out.push(format!("  through {}{own}", short_id(&witness.entry)));
        if !witness.inputs.is_empty() {
            out.push(format!("  inputs  {}", inputs(&witness.inputs)));
        }
        if witness.construction == Construction::Reflection {
            out.push("  made    by reflection: no public way to this input is known".to_owned());
        }
        if let Some(exception) = &witness.exception {
            out.push(format!("  ends    with {exception}"));
        }
        out.push(format!("  test    {}", witness.test));
    }
    for assumed in &answer.assumptions {
        out.push(format!("  assumes {}: {}", assumed.assumption.name(), one_line(&assumed.detail)));
    }
    for item in &answer.incomplete {
        let at = item.at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
        out.push(format!("  because {}{at}: {}", item.reason.name(), one_line(&item.detail)));
    }
}

pub(crate) fn conclusion(report: &ReachReport) -> String {
    let of = |wanted: &[ReachVerdict]| {
        report.locations.iter().filter(|answer| wanted.contains(&answer.verdict)).count() as u64
    };
    let reached = of(&[ReachVerdict::Reached]);
    let unreachable = of(&[ReachVerdict::Unreachable]);
    let assuming = of(&[ReachVerdict::UnreachableAssuming]);
    let open = of(&[ReachVerdict::Open]);
    let mut parts = vec![format!("{reached} reached"), format!("{unreachable} unreachable")];
    parts.extend((assuming > 0).then(|| format!("{assuming} unreachable under assumptions")));
    parts.extend((open > 0).then(|| format!("{open} open")));
    let locations = count(report.locations.len() as u64, "location");
    let stopped = match report.stopped {
        Some(reason) => format!(" The run ended early ({reason})."),
        None => String::new(),
    };
    format!("{locations}: {} ({}).{stopped}", parts.join(", "), duration(report.elapsed_ms))
}
