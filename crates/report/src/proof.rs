//! The answer of `prove`: the schema `cilantro/proof@1`, and its text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use verdict::{Assumption, Reason, SourceLine, Stats};

use crate::style::{Theme, paint};
use crate::summary::{Assumed, Bug, Construction, Incomplete, LoopFacts, Runtime, Status};
use crate::table::{Align, Cell, layout};
use crate::words::{count, duration, inputs, one_line, short_id};

pub const PROOF_SCHEMA: &str = "cilantro/proof@1";

/// What is known of the exceptions that can leave methods. Fields may be added, never renamed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProofReport {
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
    /// What counts.
    pub rules: ProofRules,
    /// In the order of metadata tokens.
    pub methods: Vec<MethodProof>,
}

/// Which exceptions must not leave a method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProofRules {
    /// Argument checks count as well.
    pub strict: bool,
    /// Exception types that may leave it, with what is below them.
    pub allow: Vec<String>,
    /// Kinds of failures that are asked about; all if it is empty.
    pub only: Vec<String>,
}

/// What is known of one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodProof {
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub id: String,
    /// `0x06000012`.
    pub token: String,
    /// `Cart.cs:17`, when symbols are there.
    pub source: Option<SourceLine>,
    pub verdict: ProofVerdict,
    /// Inputs with which it fails, replayed on the real runtime.
    pub counterexamples: Vec<Bug>,
    /// Exceptions that leave it and that the rules allow, argument checks among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Bug>,
    /// Failures that were not confirmed, or only with inputs that break a rule of their class: no counterexamples, and no
    /// proof either.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubtful: Vec<Bug>,
    /// What a proof takes for granted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumed>,
    /// What the proof knows about loops.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopFacts>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<Incomplete>,
    pub stats: Stats,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProofVerdict {
    /// Nothing that counts leaves it, whatever the input.
    Proven,
    /// The same if what `assumptions` lists holds.
    ProvenAssuming,
    /// There is a counterexample.
    Refuted,
    /// Nobody knows; `incomplete` says why.
    Open,
}

impl ProofVerdict {
    pub fn name(self) -> &'static str {
        match self {
            ProofVerdict::Proven => "proven",
            ProofVerdict::ProvenAssuming => "assuming",
            ProofVerdict::Refuted => "refuted",
            ProofVerdict::Open => "open",
        }
    }
}

impl ProofReport {
    /// A counterexample is a finding; without any, what is open or proven only under assumptions leaves it incomplete.
    pub fn status(&self) -> Status {
        if self.count(ProofVerdict::Refuted) > 0 {
            Status::Findings
        } else if self.count(ProofVerdict::Proven) == self.methods.len() && self.stopped.is_none() {
            Status::NothingFound
        } else {
            Status::Incomplete
        }
    }

    fn count(&self, verdict: ProofVerdict) -> usize {
        self.methods.iter().filter(|method| method.verdict == verdict).count()
    }
}

/// Reasons that are listed for each method, unless the reader wants all.
const FEW: usize = 3;

/// The text for a person.
pub fn render_proof(report: &ProofReport, theme: &Theme, width: Option<usize>, verbose: bool) -> String {
    let title = match &report.runtime {
        Some(runtime) => format!("{} on {} {}", report.assembly, runtime.name, runtime.version),
        None => report.assembly.clone(),
    };
    let mut out = vec![paint(theme.heading, &title), String::new()];
    out.extend(table(report, theme, width));
    for method in &report.methods {
        details(method, theme, verbose, &mut out);
    }
    out.push(String::new());
    out.push(conclusion(report));
    if report.count(ProofVerdict::Proven) + report.count(ProofVerdict::ProvenAssuming) > 0 {
        out.push(
            "A proof does not speak of endless loops, of the depth of the stack or of memory.".to_owned(),
        );
    }
    out.push(String::new());
    out.join("\n")
}

fn table(report: &ProofReport, theme: &Theme, width: Option<usize>) -> Vec<String> {
    let head = ["method", "verdict", "time"];
    let mut rows: Vec<Vec<Cell>> = vec![head.map(|h| Cell::styled(h, theme.dim)).into()];
    for method in &report.methods {
        let style = match method.verdict {
            ProofVerdict::Proven => theme.good,
            ProofVerdict::ProvenAssuming | ProofVerdict::Open => theme.warn,
            ProofVerdict::Refuted => theme.bad,
        };
        rows.push(vec![
            Cell::new(short_id(&method.id)),
            Cell::styled(method.verdict.name(), style),
            Cell::styled(duration(method.stats.elapsed.as_millis() as u64), theme.dim),
        ]);
    }
    layout(&[Align::Left, Align::Left, Align::Right], &rows, width)
}

fn details(method: &MethodProof, theme: &Theme, verbose: bool, out: &mut Vec<String>) {
    let is_told = match method.verdict {
        ProofVerdict::Proven => verbose && !(method.allowed.is_empty() && method.loops.is_empty()),
        _ => true,
    };
    if !is_told {
        return;
    }
    out.push(String::new());
    let name = paint(theme.heading, &short_id(&method.id));
    out.push(format!("{name}  {}", method.verdict.name()));
    method.counterexamples.iter().for_each(|bug| failure(bug, "fails", theme, out));
    if method.verdict != ProofVerdict::Refuted {
        method.doubtful.iter().for_each(|bug| failure(bug, "may fail", theme, out));
    }
    if verbose {
        method.allowed.iter().for_each(|bug| failure(bug, "may throw", theme, out));
    }
    for assumed in &method.assumptions {
        out.push(format!("  assumes {}: {}", assumed.assumption.name(), one_line(&assumed.detail)));
    }
    if verbose {
        method.loops.iter().for_each(|cut| loop_facts(cut, out));
    }
    if method.verdict == ProofVerdict::Open {
        let shown = if verbose { usize::MAX } else { FEW };
        for item in method.incomplete.iter().take(shown) {
            let at = item.at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
            out.push(format!("  because {}{at}: {}", item.reason.name(), one_line(&item.detail)));
        }
        if let Some(more) = method.incomplete.len().checked_sub(shown).filter(|more| *more > 0) {
            out.push(format!("  and {more} more (-v lists all)"));
        }
    }
}

fn loop_facts(cut: &LoopFacts, out: &mut Vec<String>) {
    let place = cut.source.as_ref().map_or_else(|| cut.at.clone(), |source| format!("{source} ({})", cut.at));
    out.push(format!("  whenever execution is at {place} of {}", short_id(&cut.method)));
    if !cut.changes.is_empty() {
        out.push(format!("    changed {}", cut.changes.join(", ")));
    }
    cut.facts.iter().for_each(|fact| out.push(format!("    holds   {}", one_line(fact))));
}

fn failure(bug: &Bug, verb: &str, theme: &Theme, out: &mut Vec<String>) {
    let place = match (&bug.source, &bug.at) {
        (Some(source), Some(at)) => format!(" at {source} ({at})"),
        (Some(source), None) => format!(" at {source}"),
        (None, Some(at)) => format!(" at {at}"),
        (None, None) => String::new(),
    };
    out.push(format!("  {verb} with {}{place}", paint(theme.bad, &bug.exception)));
    if !bug.message.is_empty() {
        out.push(format!("    message {}", one_line(&bug.message)));
    }
    if !bug.inputs.is_empty() {
        out.push(format!("    inputs  {}", inputs(&bug.inputs)));
    }
    for rule in &bug.breaks {
        out.push(format!("    broken  {}", one_line(rule)));
    }
    if bug.construction == Construction::Reflection && bug.breaks.is_empty() {
        out.push("    made    by reflection: no public way to this input is known".to_owned());
    }
}

pub(crate) fn conclusion(report: &ProofReport) -> String {
    let mut parts = vec![format!("{} proven", report.count(ProofVerdict::Proven))];
    let further = [
        (ProofVerdict::ProvenAssuming, "proven under assumptions"),
        (ProofVerdict::Refuted, "refuted"),
        (ProofVerdict::Open, "open"),
    ];
    for (verdict, words) in further {
        let number = report.count(verdict);
        parts.extend((number > 0).then(|| format!("{number} {words}")));
    }
    let methods = count(report.methods.len() as u64, "method");
    let stopped = match report.stopped {
        Some(reason) => format!(" The run ended early ({reason})."),
        None => String::new(),
    };
    format!("{methods}: {} ({}).{stopped}", parts.join(", "), duration(report.elapsed_ms))
}
