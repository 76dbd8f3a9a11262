//! From questions to answers: each is one call of the library.

use std::path::Path;

use engine::{Engine, Error, Kind, Options, Outcome, Rules, Selection, Written};
use report::formats::Report;
use report::{LinesFile, Method, ProofReport, Shown, Verdict};

use super::answers::{
    Crashes, Explained, ExplainedTest, FileText, Finding, Named, Open, OpenBranches, OpenLine, OpenMethod,
    Reach, Tested, Tests, Why,
};
use super::asked::{CanReach, ExplainTest, GenerateTests, Prove, WhatCanCrash, WhyOpen};
use super::job::Job;
use crate::args::TestFramework;
use crate::output::Output;
use crate::project::Subject;
use crate::{stored, test_text};

/// Findings and open methods that an answer lists: more than these nobody reads at once.
const MOST_FINDINGS: usize = 50;
const MOST_OPEN: usize = 50;

pub fn generate_tests(asked: &GenerateTests, job: &Job) -> Result<Tests, Error> {
    let subject = job.subject(&asked.about)?;
    let options = Options {
        selection: method(&asked.method),
        verify: asked.verify.unwrap_or(true),
        writes: true,
        ..job.options(&asked.about, &[])
    };
    let mut outcome = job.explored(&subject.assembly, options)?;
    let framework = asked.framework.unwrap_or(TestFramework::Xunit);
    let written = written(&subject, framework, &mut outcome)?;
    let methods = outcome.summary.methods.iter().map(|method| tested(method, &outcome)).collect();
    let stopped = outcome.summary.stopped;
    Ok(Tests { methods, files: files(&written), remarks: written.remarks, stopped })
}

fn tested(method: &Method, outcome: &Outcome) -> Tested {
    let of_method = outcome.paths.iter().filter(|path| path.method == method.id);
    let tests = of_method.map(|path| Named {
        name: path.test.clone(),
        inputs: path.inputs.clone(),
        throws: path.end.throws.clone(),
    });
    Tested {
        method: method.id.clone(),
        source: method.source.clone(),
        verdict: method.verdict,
        coverage: method.coverage,
        tests: tests.collect(),
        not_written: method.unwritten.clone(),
        incomplete: method.incomplete.clone(),
        assumptions: method.assumptions.clone(),
    }
}

pub fn what_can_crash(asked: &WhatCanCrash, job: &Job) -> Result<Crashes, Error> {
    let subject = job.subject(&asked.about)?;
    let selection = Selection {
        types: asked.ty.iter().cloned().collect(),
        methods: asked.method.iter().cloned().collect(),
        ..Selection::default()
    };
    let options = Options { selection, ..job.options(&asked.about, &[]) };
    let summary = job.explored(&subject.assembly, options)?.summary;
    let report = Report::of_summary(&summary, Shown::BugsOnly, report::FailOn::default(), asked.all);
    let mut findings: Vec<Finding> = report.findings.iter().filter_map(Finding::of).collect();
    let is_open = |method: &&Method| method.verdict != Verdict::Complete;
    let mut open: Vec<OpenMethod> = summary.methods.iter().filter(is_open).map(open_method).collect();
    let is_everything = open.is_empty() && summary.stopped.is_none();
    let left_out = cut(&mut findings, MOST_FINDINGS);
    let open_left_out = cut(&mut open, MOST_OPEN);
    let methods = summary.methods.len();
    Ok(Crashes { findings, left_out, is_everything, open, open_left_out, methods, stopped: summary.stopped })
}

fn open_method(method: &Method) -> OpenMethod {
    OpenMethod {
        method: method.id.clone(),
        incomplete: method.incomplete.clone(),
        assumptions: method.assumptions.clone(),
    }
}

/// Keeps the first ones, and says how many are gone.
fn cut<T>(items: &mut Vec<T>, most: usize) -> usize {
    let gone = items.len().saturating_sub(most);
    items.truncate(most);
    gone
}

pub fn can_reach(asked: &CanReach, job: &Job) -> Result<Reach, Error> {
    let subject = job.subject(&asked.about)?;
    let options = Options { keeping: None, ..job.options(&asked.about, &[]) };
    let mut run = Engine::new(options).reach(&subject.assembly, std::slice::from_ref(&asked.location))?;
    job.watch(&mut run);
    let mut reached = run.finish()?;
    let has_test = !reached.tests.suite.is_empty();
    let written =
        has_test.then(|| written(&subject, TestFramework::Xunit, &mut reached.tests)).transpose()?;
    Ok(Reach { answer: reached.report, files: written.as_ref().map(files).unwrap_or_default() })
}

pub fn prove(asked: &Prove, job: &Job) -> Result<ProofReport, Error> {
    let subject = job.subject(&asked.about)?;
    let only = asked.only.iter().map(|name| {
        let all: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        let unknown = || Error::Other(format!("there is no kind `{name}`; there are {}", all.join(", ")));
        Kind::named(name).ok_or_else(unknown)
    });
    let rules = Rules {
        strict: asked.strict,
        allow: asked.allow.clone(),
        only: only.collect::<Result<Vec<_>, _>>()?,
    };
    let options = Options {
        selection: method(&asked.method),
        keeping: None,
        ..job.options(&asked.about, &asked.assume)
    };
    let mut run = Engine::new(options).prove(&subject.assembly, rules)?;
    job.watch(&mut run);
    Ok(run.finish()?.report)
}

pub fn why_open(asked: &WhyOpen, job: &Job) -> Result<Open, Error> {
    let subject = job.subject(&asked.about)?;
    let options = Options { selection: method(&asked.method), ..job.options(&asked.about, &[]) };
    let outcome = job.explored(&subject.assembly, options)?;
    let lines = LinesFile::from(&outcome.coverage());
    let methods = outcome.summary.methods.iter().map(|method| open_branches(method, &lines)).collect();
    Ok(Open { methods, stopped: outcome.summary.stopped })
}

fn open_branches(method: &Method, lines: &LinesFile) -> OpenBranches {
    let coverage = method.coverage;
    let known =
        coverage.covered_branches + coverage.proven_unreachable_branches + coverage.proven_assuming_branches;
    let of_method = lines.methods.iter().filter(|lines| lines.method == method.id);
    let open_lines = of_method.flat_map(|of_file| {
        let is_open = |line: &&report::Line| {
            let mut ways = line.branches.iter();
            ways.any(|way| way.tests == 0 && way.proof == report::formats::Proof::Open)
        };
        let lines = of_file.lines.iter().filter(is_open);
        lines.map(|line| OpenLine { file: of_file.file.clone(), line: line.clone() })
    });
    OpenBranches {
        method: method.id.clone(),
        verdict: method.verdict,
        coverage,
        open_branches: coverage.branches.saturating_sub(known),
        lines: open_lines.collect(),
        reasons: method.incomplete.iter().map(Why::from).collect(),
        assumptions: method.assumptions.clone(),
    }
}

pub fn explain_test(asked: &ExplainTest, job: &Job) -> Result<Explained, Error> {
    let folder = job.roots.allowed(Path::new(&asked.folder))?;
    let paths = stored::paths_of(&folder, &asked.test)?;
    let sources = test_text::files(&folder);
    let tests = paths.into_iter().map(|path| {
        let name = path.row_of.as_ref().unwrap_or(&path.test);
        let code = test_text::find(&sources, &path.method, name);
        ExplainedTest { path, code }
    });
    Ok(Explained { tests: tests.collect() })
}

fn method(name: &str) -> Selection {
    Selection { methods: vec![name.to_owned()], ..Selection::default() }
}

fn written(subject: &Subject, framework: TestFramework, outcome: &mut Outcome) -> Result<Written, Error> {
    let output = Output::new(&subject.assembly, subject.project.clone(), None, framework, None, false)?;
    Ok(output.rendered(outcome))
}

fn files(written: &Written) -> Vec<FileText> {
    let of = |file: &csharp::File| FileText { path: file.path.clone(), text: file.text.clone() };
    written.files.iter().map(of).collect()
}
