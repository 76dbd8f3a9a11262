//! The whole way: compile, take out what the compiler complains about, run in all worlds, take out what does not hold, make sure again.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use replay::Runtime;

use crate::{
    Against, Cause, Compiler, Error, FileReport, Limits, Outcome, Project, Report, TestReport, Timings,
    blame, cause,
    host::HostFiles,
    lane::Seen,
    needs::Needs,
    outline::Reasons,
    pollution::{self, Judged},
    references::{self, Target},
    runner::{Runner, Suite, TestName},
    service::{Desk, Patience, Service, Session, Trouble},
    world::PLAN,
};

/// Keeps the compiler running from one project to the next.
pub struct Verifier {
    runtime: Runtime,
    limits: Limits,
    // Before the files: what runs there ends first.
    service: Service,
    files: HostFiles,
    target: Target,
    framework_references: Vec<PathBuf>,
    /// Projects so far; each has an assembly file of its own.
    projects: usize,
}

/// A project that compiles, but for the tests that were taken out.
pub struct Compiled {
    pub tests: Vec<TestReport>,
    /// What the compiler says about the project as a whole.
    pub problems: Vec<String>,
    pub against: Against,
    pub compiler: String,
    /// None when there is no assembly.
    built: Option<Built>,
}

struct Built {
    session: Session,
    assembly: PathBuf,
    family: &'static str,
    references: Vec<PathBuf>,
    shared: Vec<String>,
}

impl Verifier {
    pub fn new(compiler: Compiler, runtime: Runtime, limits: Limits) -> Result<Verifier, Error> {
        let files = HostFiles::write(&runtime).map_err(Error::Prepare)?;
        let framework_references = references::of_frameworks(&runtime, &compiler.muxer);
        let service = Service::new(compiler, limits.clone());
        let target = Target::of(&runtime);
        Ok(Verifier { runtime, limits, files, service, target, framework_references, projects: 0 })
    }

    /// Starts the compiler and lets it warm up, while the caller does something else.
    pub fn warm_up(&mut self) {
        self.service.warm_up(&self.files, &self.framework_references);
    }

    /// Whether the compiler is ready, or will never be; waits for so long at most.
    pub fn is_warm(&mut self, wait: Duration) -> bool {
        self.service.is_warm(wait)
    }

    /// Compiles and runs the tests of a project. Comes back by the deadline, with what is known by then.
    pub fn verify(&mut self, project: &Project, deadline: Instant, cancel: &AtomicBool) -> Report {
        let started = Instant::now();
        let mut compiled = self.compile(project, deadline, cancel);
        let compile = started.elapsed();
        let observed = self.observe(&compiled, deadline - compiled.reserve(deadline), cancel);
        let run = started.elapsed().saturating_sub(compile);
        // Who stops the run still wants what is there.
        let nobody = AtomicBool::new(false);
        let patience = Patience { deadline, cancel: &nobody };
        compiled.judge(&observed);
        let texts = self.finish(&mut compiled, patience);
        let finish = started.elapsed().saturating_sub(compile + run);
        let not_tried = observed.map(|(observed, _)| observed.not_tried).unwrap_or_default();
        let files = project
            .files
            .iter()
            .enumerate()
            .map(|(at, file)| FileReport {
                path: file.path.clone(),
                text: texts.as_ref().and_then(|texts| texts.get(at).cloned().flatten()),
            })
            .collect();
        Report {
            tests: compiled.tests,
            files,
            not_tried,
            problems: compiled.problems,
            against: compiled.against,
            compiler: compiled.compiler,
            timings: Timings { compile, run, finish },
        }
    }

    /// Compiles only. Tests that the compiler accepts are not verified yet.
    pub fn compile(&mut self, project: &Project, deadline: Instant, cancel: &AtomicBool) -> Compiled {
        let patience = Patience { deadline, cancel };
        let needs = Needs::of(project, &self.files);
        let mut compiled = Compiled {
            tests: Vec::new(),
            problems: Vec::new(),
            against: needs.as_ref().map_or(Against::StandIns, |needs| needs.against),
            compiler: String::new(),
            built: None,
        };
        let result = match needs {
            Ok(needs) => self.build(project, needs, patience, &mut compiled),
            Err(e) => Err(Trouble::Broken(format!("cannot write the stand-ins: {e}"))),
        };
        if let Err(trouble) = result {
            let why = trouble.to_string();
            compiled.tests = unverified(project, &why);
            compiled.problems.push(why);
        }
        compiled
    }

    fn build(
        &mut self,
        project: &Project,
        needs: Needs,
        patience: Patience<'_>,
        compiled: &mut Compiled,
    ) -> Result<(), Trouble> {
        self.projects += 1;
        let folder = self.files.path(&format!("{}", self.projects));
        std::fs::create_dir_all(&folder)
            .map_err(|e| Trouble::Broken(format!("{} cannot be made: {e}", folder.display())))?;
        let assembly = folder.join(format!("{}.dll", project.name));
        let request = needs.open_request(project, self.target, &self.framework_references);
        let mut session = self.service.open(&self.files, request, patience)?;
        compiled.compiler = session.compiler_version.clone();
        compiled.problems.extend(session.unreadable.iter().map(|path| format!("{path} is no assembly")));
        let mut reasons = Reasons::new();
        let (service, files) = (&mut self.service, &self.files);
        let mut desk = Desk { service, files, session: &mut session, patience };
        let said = blame::build(&mut desk, &assembly, &mut reasons)?;
        compiled.problems.extend(said.iter().map(ToString::to_string));
        compiled.tests = tests(project, &session, &reasons);
        if let Some(error) = said.iter().find(|diagnostic| diagnostic.error) {
            compiled.tests = unverified(project, &error.to_string());
            return Ok(());
        }
        let family = project.framework.family();
        compiled.built =
            Some(Built { session, assembly, family, references: needs.run, shared: needs.shared });
        Ok(())
    }

    /// Runs what compiles.
    fn observe(&mut self, compiled: &Compiled, deadline: Instant, cancel: &AtomicBool) -> Option<Judged> {
        let built = compiled.built.as_ref()?;
        let names = compiled.names(built);
        let suite = Suite {
            assembly: &built.assembly,
            family: built.family,
            references: &built.references,
            shared: built.shared.clone(),
            tests: &names,
        };
        let patience = Patience { deadline, cancel };
        let runner = Runner::new(&self.files, &self.runtime, &self.limits, &suite, patience);
        Some(pollution::run_without(&runner, &names))
    }

    /// Takes out what does not hold and makes sure that the rest still compiles.
    fn finish(&mut self, compiled: &mut Compiled, patience: Patience<'_>) -> Option<Vec<Option<String>>> {
        let built = compiled.built.as_mut()?;
        let outline = &built.session.outline;
        let dropped: BTreeSet<usize> = compiled
            .tests
            .iter()
            .filter(|test| !test.outcome.is_kept())
            .flat_map(|test| outline.tests(test.file, &test.name))
            .filter(|id| !built.session.removed.contains(id))
            .collect();
        let mut reasons = Reasons::new();
        let (service, files) = (&mut self.service, &self.files);
        let mut desk = Desk { service, files, session: &mut built.session, patience };
        let result = blame::without(&mut desk, dropped, &mut reasons).and_then(|()| desk.texts());
        match result {
            Ok(texts) => {
                compiled.note_late(&reasons);
                Some(texts)
            }
            Err(trouble) => {
                let why = format!("the files could not be finished: {trouble}");
                for test in compiled.tests.iter_mut().filter(|test| test.outcome.is_kept()) {
                    test.outcome = Outcome::NotVerified { held_in: 0, why: why.clone() };
                }
                compiled.problems.push(why);
                None
            }
        }
    }
}

impl Compiled {
    /// Time that is kept for taking tests out of their files and looking at the rest once more.
    fn reserve(&self, deadline: Instant) -> Duration {
        let emit = self.built.as_ref().map_or(Duration::ZERO, |built| built.session.last_emit);
        let left = deadline.saturating_duration_since(Instant::now());
        (emit + Duration::from_millis(100)).min(left / 3)
    }

    /// The tests that the compiler has nothing against.
    fn accepted(&self) -> impl Iterator<Item = &TestReport> {
        self.tests.iter().filter(|test| matches!(test.outcome, Outcome::NotVerified { .. }))
    }

    /// How reflection finds them.
    fn names(&self, built: &Built) -> Vec<TestName> {
        let outline = &built.session.outline;
        let name = |test: &TestReport| {
            let item = outline.tests(test.file, &test.name).first().and_then(|id| outline.items.get(*id));
            let class = item.map(|item| item.class.clone()).unwrap_or_default();
            TestName { class, method: test.name.clone() }
        };
        self.accepted().map(name).collect()
    }

    fn judge(&mut self, observed: &Option<Judged>) {
        let Some((observed, causes)) = observed else { return };
        let why = observed.trouble.as_ref().map_or("it was not reached".to_owned(), ToString::to_string);
        let accepted =
            self.tests.iter_mut().filter(|test| matches!(test.outcome, Outcome::NotVerified { .. }));
        for (at, test) in accepted.enumerate() {
            let seen = observed.seen.get(at).map(Vec::as_slice).unwrap_or_default();
            test.outcome = outcome(seen, causes.get(&at), &why);
        }
        if let Some(Trouble::Broken(how)) = &observed.trouble {
            self.problems.push(how.clone());
        }
    }

    /// Tests that fell to the last compilation.
    fn note_late(&mut self, reasons: &Reasons) {
        let Some(built) = &self.built else { return };
        for test in self.tests.iter_mut().filter(|test| test.outcome.is_kept()) {
            let ids = built.session.outline.tests(test.file, &test.name);
            if let Some(reason) = ids.iter().find_map(|id| reasons.get(id)) {
                test.outcome = Outcome::DoesNotCompile {
                    diagnostics: reason.diagnostics.clone(),
                    through: reason.through.clone(),
                };
            }
        }
    }
}

fn outcome(seen: &[Option<Seen>], cause: Option<&Cause>, why: &str) -> Outcome {
    let failures = cause::failures(seen);
    if !failures.is_empty() || cause.is_some() {
        return Outcome::Fails { cause: cause.cloned().unwrap_or(Cause::Unsteady), failures };
    }
    let skipped = seen.iter().flatten().find_map(|seen| match seen {
        Seen::Skipped(why) => Some(why.clone()),
        _ => None,
    });
    if let Some(why) = skipped {
        return Outcome::Skipped { why };
    }
    let missed =
        PLAN.iter().zip(seen).any(|(world, seen)| seen.is_none() && world.order != crate::Order::Alone);
    match missed || seen.len() < PLAN.len() {
        false => Outcome::Holds,
        true => Outcome::NotVerified { held_in: seen.iter().flatten().count(), why: why.to_owned() },
    }
}

/// The tests after compilation: those that stay wait to be run.
fn tests(project: &Project, session: &Session, reasons: &Reasons) -> Vec<TestReport> {
    let mut reports = Vec::new();
    for (at, file) in project.files.iter().enumerate() {
        for name in &file.tests {
            let ids = session.outline.tests(at, name);
            let outcome = match ids.iter().find_map(|id| reasons.get(id)) {
                Some(reason) => Outcome::DoesNotCompile {
                    diagnostics: reason.diagnostics.clone(),
                    through: reason.through.clone(),
                },
                None if ids.is_empty() => Outcome::DoesNotCompile {
                    diagnostics: Vec::new(),
                    through: Some(format!("{}, which has no method {name}", file.path)),
                },
                None => Outcome::NotVerified { held_in: 0, why: "it was compiled only".to_owned() },
            };
            reports.push(TestReport { file: at, name: name.clone(), outcome });
        }
    }
    reports
}

fn unverified(project: &Project, why: &str) -> Vec<TestReport> {
    let all =
        project.files.iter().enumerate().flat_map(|(at, file)| file.tests.iter().map(move |name| (at, name)));
    all.map(|(file, name)| TestReport {
        file,
        name: name.clone(),
        outcome: Outcome::NotVerified { held_in: 0, why: why.to_owned() },
    })
    .collect()
}
