//! Results in every format: one to the console, others into files.

use std::fs;
use std::path::Path;

use case::path::{PathRecord, StepKind};
use engine::Error;
use report::Theme;
use report::formats::{self, CodeCoverage, Finding, Report, Step, cobertura, file_uri, lcov};

use crate::args::{FileFormat, Format, ReportFormat};
use crate::console::Console;
use crate::source_root::SourceRoot;

/// What a command has to say, in all the forms that it has.
pub trait Told {
    fn text(&self, theme: &Theme, width: Option<usize>) -> String;
    fn json(&self) -> Result<String, serde_json::Error>;
    fn report(&self) -> Report;
    /// What written tests cover, of the command that writes some.
    fn coverage(&self) -> CodeCoverage {
        CodeCoverage::default()
    }
}

/// How the user wants to hear of the result.
pub struct Reporting<'a> {
    args: &'a ReportFormat,
    assembly: Option<&'a Path>,
    sources: SourceRoot,
}

impl<'a> Reporting<'a> {
    /// Complains before any work is done if it cannot be said that way. `assembly` is the file that the result is about.
    pub fn new(
        args: &'a ReportFormat,
        assembly: Option<&'a Path>,
        has_coverage: bool,
    ) -> Result<Reporting<'a>, Error> {
        if args.wants_coverage() && !has_coverage {
            return Err(Error::Other("only `generate` measures what its tests cover".to_owned()));
        }
        for file in &args.reports {
            let folder = file.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if folder.is_some_and(|folder| !folder.is_dir()) || file.path.is_dir() {
                let why = "there is no such folder, or it is one".to_owned();
                return Err(Error::CannotWrite { path: file.path.clone(), why });
            }
        }
        let sources = SourceRoot::new(args.source_root.as_deref(), assembly)?;
        Ok(Reporting { args, assembly, sources })
    }

    /// Prints the result, and writes the files: all of them, even if one cannot be.
    pub fn tell(&self, told: &dyn Told, console: &Console) -> Result<(), Error> {
        let text = match self.args.format {
            Format::Text => told.text(&console.theme, console.width),
            other => self.rendered(other, told)?,
        };
        console.result(&text);
        let mut ended = Ok(());
        for file in &self.args.reports {
            let text = match file.format {
                FileFormat::Answer(format) => self.rendered(format, told)?,
                FileFormat::Cobertura => cobertura(&self.coverage(told)),
                FileFormat::Lcov => lcov(&self.coverage(told)),
            };
            if let Err(error) = fs::write(&file.path, text) {
                ended = Err(Error::CannotWrite { path: file.path.clone(), why: error.to_string() });
            }
        }
        ended
    }

    fn rendered(&self, format: Format, told: &dyn Told) -> Result<String, Error> {
        let rendered = match format {
            Format::Text => Ok(told.text(&Theme::plain(), None)),
            Format::Json => told.json(),
            Format::Sarif => self.report(told).render(formats::Format::Sarif),
            Format::Github => self.report(told).render(formats::Format::Github),
            Format::Gitlab => self.report(told).render(formats::Format::Gitlab),
            Format::Junit => self.report(told).render(formats::Format::Junit),
            Format::Markdown => self.report(told).render(formats::Format::Markdown),
        };
        rendered.map_err(|error| Error::Internal(error.to_string()))
    }

    fn report(&self, told: &dyn Told) -> Report {
        let mut report = told.report();
        report.rename_files(|path| self.sources.name(path));
        report.root = Some(file_uri(&self.sources.folder()));
        report.file = self.assembly.map(|path| self.sources.inside(path));
        report
    }

    fn coverage(&self, told: &dyn Told) -> CodeCoverage {
        let mut coverage = told.coverage();
        coverage.rename_files(|path| self.sources.name(path));
        coverage.root = Some(self.sources.folder());
        coverage
    }
}

/// Tells of each finding what the path of its test decided.
pub fn add_steps(findings: &mut [Finding], paths: &[PathRecord]) {
    for finding in findings {
        let entry = finding.calls.first().map(|call| call.method.as_str());
        let of_entry = || paths.iter().filter(|path| Some(path.method.as_str()) == entry);
        let path = match &finding.test {
            Some(test) => of_entry().find(|path| path.test == *test),
            None => of_entry().find(|path| is_of(path, finding)),
        };
        if let Some(path) = path {
            finding.steps = path.steps.iter().map(|step| told_step(path, step)).collect();
        }
    }
}

/// Whether a path is that of a finding without a test: the same inputs, and the same end.
fn is_of(path: &PathRecord, finding: &Finding) -> bool {
    let inputs = finding.inputs.iter().map(|input| (&input.name, &input.value));
    let is_same = path.inputs.iter().map(|input| (&input.name, &input.value)).eq(inputs);
    is_same && path.end.throws.is_some() && path.end.throws == finding.exception
}

fn told_step(path: &PathRecord, step: &case::path::Step) -> Step {
    let mut what = step.what.clone();
    if step.kind == StepKind::Value {
        what.push_str(" (a number had to be known)");
    }
    if let Some(exception) = &step.throws {
        what.push_str(&format!(" → {exception}"));
    }
    if let Some(method) = &step.inside {
        what.push_str(&format!(" (inside {method})"));
    }
    let method = step.method.as_ref().unwrap_or(&path.method).clone();
    Step { what, method, at: step.at.clone(), line: step.line.clone() }
}
