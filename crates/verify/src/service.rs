//! The compiler as a service: asked in JSON, started again when it dies.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use replay::{HostProcess, Lost};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{Compiler, Diagnostic, Limits, host::HostFiles, outline::Outline};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("there was no time left")]
    OutOfTime,
    #[error("the run was stopped")]
    Cancelled,
    #[error("the compiler could not be used: {0}")]
    Broken(String),
}

/// How long a question may take, and who may call it off.
#[derive(Clone, Copy)]
pub(crate) struct Patience<'a> {
    pub deadline: Instant,
    pub cancel: &'a AtomicBool,
}

pub(crate) struct Service {
    compiler: Compiler,
    limits: Limits,
    process: Option<HostProcess>,
    /// What the running process has open.
    open: Option<u64>,
    opened: u64,
    /// Nobody has waited for its answer yet.
    is_warming_up: bool,
}

/// A project that the service has open, or had before it died.
pub(crate) struct Session {
    number: u64,
    request: Value,
    pub outline: Outline,
    pub removed: BTreeSet<usize>,
    /// Assemblies that cannot be read.
    pub unreadable: Vec<String>,
    pub compiler_version: String,
    /// How long everything took the last time.
    pub last_emit: Duration,
}

#[derive(Deserialize)]
struct Opened {
    items: Vec<crate::outline::Item>,
    unreadable: Vec<String>,
    compiler: String,
}

#[derive(Deserialize)]
struct Diagnosed {
    diagnostics: Vec<Diagnostic>,
}

impl Service {
    pub fn new(compiler: Compiler, limits: Limits) -> Service {
        Service { compiler, limits, process: None, open: None, opened: 0, is_warming_up: false }
    }

    pub fn open(
        &mut self,
        files: &HostFiles,
        request: Value,
        patience: Patience<'_>,
    ) -> Result<Session, Trouble> {
        self.opened += 1;
        let mut session = Session {
            number: self.opened,
            request,
            outline: Outline::default(),
            removed: BTreeSet::new(),
            unreadable: Vec::new(),
            compiler_version: String::new(),
            last_emit: Duration::ZERO,
        };
        let opened: Opened = self.retry(&session, |service, session| {
            service.open = None;
            let answer = service.ask(files, &session.request, patience)?;
            service.open = Some(session.number);
            Ok(answer)
        })?;
        session.outline.items = opened.items;
        session.unreadable = opened.unreadable;
        session.compiler_version = opened.compiler;
        Ok(session)
    }

    /// A compiler that died is given one more chance, with everything it knew.
    fn retry<T>(
        &mut self,
        session: &Session,
        ask: impl Fn(&mut Service, &Session) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        match ask(self, session) {
            Err(Trouble::Broken(_)) if self.process.is_none() => ask(self, session),
            answer => answer,
        }
    }

    fn ask<T: DeserializeOwned>(
        &mut self,
        files: &HostFiles,
        request: &Value,
        patience: Patience<'_>,
    ) -> Result<T, Trouble> {
        self.start(files)?;
        let Some(process) = self.process.as_mut() else { return Err(Trouble::Broken(String::new())) };
        let mut answer = process.ask(&request.to_string(), patience.deadline, patience.cancel);
        if std::mem::take(&mut self.is_warming_up) && answer.is_ok() {
            answer = process.next_answer(patience.deadline, patience.cancel);
        }
        let text = match answer {
            Ok(text) => text,
            Err(lost) => {
                // It may be in the middle of an answer that nobody waits for.
                self.process = None;
                return Err(match lost {
                    Lost::TimedOut => Trouble::OutOfTime,
                    Lost::Cancelled => Trouble::Cancelled,
                    Lost::Ended(how) => Trouble::Broken(how),
                });
            }
        };
        read(&text)
    }

    /// Loads the compiler and lets it compile something small, while others are busy with other things.
    pub fn warm_up(&mut self, files: &HostFiles, framework: &[PathBuf]) {
        if self.process.is_none() && self.start(files).is_ok() {
            self.is_warming_up = true;
            let request = json!({"op": "warm", "framework": framework});
            self.process.iter().for_each(|process| process.send(&request.to_string()));
        }
    }

    /// Whether it has answered to that; waits for so long at most. One that has died will not.
    pub fn is_warm(&mut self, wait: Duration) -> bool {
        let Some(process) = self.process.as_mut().filter(|_| self.is_warming_up) else { return true };
        match process.next_answer(Instant::now() + wait, &AtomicBool::new(false)) {
            Err(Lost::TimedOut | Lost::Cancelled) => return false,
            Err(Lost::Ended(_)) => self.process = None,
            Ok(_) => {}
        }
        self.is_warming_up = false;
        true
    }

    fn start(&mut self, files: &HostFiles) -> Result<(), Trouble> {
        if self.process.is_some() {
            return Ok(());
        }
        self.open = None;
        self.is_warming_up = false;
        let started = files.start_compiler(&self.compiler, &self.limits);
        let muxer = self.compiler.muxer.display();
        let cannot = |e: std::io::Error| Trouble::Broken(format!("{muxer} does not start: {e}"));
        self.process = Some(started.map_err(cannot)?);
        Ok(())
    }
}

impl Session {
    /// The files in which something may be wrong once these parts are gone: their own, and those that mention them.
    pub fn affected(&self, gone: &BTreeSet<usize>) -> BTreeSet<usize> {
        let all: BTreeSet<usize> = self.removed.union(gone).copied().collect();
        let items = &self.outline.items;
        let names: BTreeSet<&String> =
            gone.iter().filter_map(|id| items.get(*id)).flat_map(|item| &item.declares).collect();
        let mentions = |at: usize| {
            items.get(at).is_some_and(|item| item.mentions.iter().any(|name| names.contains(name)))
        };
        let users = (0..items.len()).filter(|at| !all.contains(at) && mentions(*at));
        let touched: BTreeSet<usize> = gone.iter().copied().chain(users).collect();
        let mut files = self.outline.files_of(&touched);
        files.retain(|file| self.outline.file_item(*file).is_some_and(|item| !all.contains(&item)));
        files
    }
}

/// A session with what is needed to go on with it.
pub(crate) struct Desk<'a> {
    pub service: &'a mut Service,
    pub files: &'a HostFiles,
    pub session: &'a mut Session,
    pub patience: Patience<'a>,
}

impl Desk<'_> {
    /// Errors and warnings of some files.
    pub fn check(&mut self, some: &BTreeSet<usize>) -> Result<Vec<Diagnostic>, Trouble> {
        let answer: Diagnosed = self.ask(json!({"op": "check", "files": some}))?;
        Ok(answer.diagnostics)
    }

    /// Writes the assembly if there is no error; says everything about all files, under the first setting or under all of them.
    pub fn emit(&mut self, path: &Path, all_settings: bool) -> Result<Vec<Diagnostic>, Trouble> {
        let started = Instant::now();
        let answer: Diagnosed = self.ask(json!({"op": "emit", "path": path, "all": all_settings}))?;
        self.session.last_emit = started.elapsed();
        Ok(answer.diagnostics)
    }

    pub fn remove(&mut self, items: &BTreeSet<usize>) -> Result<(), Trouble> {
        let _: Value = self.ask(json!({"op": "remove", "items": items}))?;
        self.session.removed.extend(items);
        Ok(())
    }

    /// The parts that refer to a given one.
    pub fn users(&mut self, item: usize) -> Result<BTreeSet<usize>, Trouble> {
        #[derive(Deserialize)]
        struct Users {
            users: BTreeSet<usize>,
        }
        let answer: Users = self.ask(json!({"op": "users", "items": [item]}))?;
        Ok(answer.users)
    }

    /// The files as they are now; none for one that is gone.
    pub fn texts(&mut self) -> Result<Vec<Option<String>>, Trouble> {
        #[derive(Deserialize)]
        struct Texts {
            texts: Vec<Option<String>>,
        }
        let answer: Texts = self.ask(json!({"op": "texts"}))?;
        Ok(answer.texts)
    }

    fn ask<T: DeserializeOwned>(&mut self, request: Value) -> Result<T, Trouble> {
        let (files, patience) = (self.files, self.patience);
        self.service.retry(self.session, |service, session| {
            if service.process.is_none() || service.open != Some(session.number) {
                let _: Value = service.ask(files, &session.request, patience)?;
                let removed = json!({"op": "remove", "items": &session.removed});
                let _: Value = service.ask(files, &removed, patience)?;
                service.open = Some(session.number);
            }
            service.ask(files, &request, patience)
        })
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Trouble> {
    let nonsense = |e: serde_json::Error| Trouble::Broken(format!("the answer cannot be read: {e}"));
    let value: Value = serde_json::from_str(text).map_err(nonsense)?;
    match value.get("error").and_then(Value::as_str) {
        Some(error) => Err(Trouble::Broken(error.to_owned())),
        None => serde_json::from_value(value).map_err(nonsense),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use replay::Runtime;
    use testkit::Toolchain;

    use super::*;
    use crate::Verifier;

    #[test]
    fn a_compiler_that_dies_is_started_again_with_all_that_it_knew() {
        let toolchain = Toolchain::locate().unwrap();
        let version = toolchain.runtime_version().to_owned();
        let core = replay::SharedFramework { name: "Microsoft.NETCore.App".into(), version };
        let runtime = Runtime { muxer: toolchain.dotnet(), frameworks: vec![core] };
        let compiler = Compiler::named(&toolchain.layout().roslyn(), &toolchain.dotnet()).unwrap();
        let files = HostFiles::write(&runtime).unwrap();
        let text = "using Nowhere; public class C { public void Bad() => Missing(); public void Worse() => Gone(); }";
        let framework = crate::references::of_frameworks(&runtime, &compiler.muxer);
        let request = json!({
            "op": "open", "name": "Some", "framework": framework, "references": [], "analyzers": [], "language": "12.0",
            "defines": [], "unsafe": false, "checked": false, "warnings": 8, "nowarn": [], "public_key": null,
            "settings": [{"nullable": false, "usings": []}],
            "files": [{"path": "C.cs", "text": text, "tests": ["Bad", "Worse"]}],
        });
        let mut service = Service::new(compiler, Limits::default());
        let never = AtomicBool::new(false);
        let patience = Patience { deadline: Instant::now() + Duration::from_secs(120), cancel: &never };
        let mut session = service.open(&files, request, patience).unwrap();
        let mut desk = Desk { service: &mut service, files: &files, session: &mut session, patience };
        let ids = |said: Vec<Diagnostic>| said.into_iter().map(|d| d.id).collect::<Vec<_>>();
        let all = BTreeSet::from([0]);
        assert_eq!(ids(desk.check(&all).unwrap()), ["CS0246", "CS0103", "CS0103"]);
        let bad = desk.session.outline.tests(0, "Bad").into_iter().collect();
        desk.remove(&bad).unwrap();
        // It is killed between two questions.
        desk.service.process = None;
        let said = desk.check(&all).unwrap();
        assert_eq!(said.last().unwrap().message, "The name 'Gone' does not exist in the current context");
        assert_eq!(ids(said), ["CS0246", "CS0103"]);
    }

    #[test]
    fn a_compiler_that_is_none_is_said() {
        let toolchain = Toolchain::locate().unwrap();
        let folder = tempfile::tempdir().unwrap();
        for name in ["Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"] {
            std::fs::write(folder.path().join(name), "not an assembly").unwrap();
        }
        let version = toolchain.runtime_version().to_owned();
        let core = replay::SharedFramework { name: "Microsoft.NETCore.App".into(), version };
        let runtime = Runtime { muxer: toolchain.dotnet(), frameworks: vec![core] };
        let compiler = Compiler::named(folder.path(), &toolchain.dotnet()).unwrap();
        let mut verifier = Verifier::new(compiler, runtime, Limits::default()).unwrap();
        let mut project = crate::Project::new("Some.Tests", crate::Framework::XUnit2);
        project.files.push(crate::SourceFile::new("C.cs", "class C { }", ["T"]));
        let deadline = Instant::now() + Duration::from_secs(60);
        let report = verifier.verify(&project, deadline, &AtomicBool::new(false));
        assert!(report.problems[0].starts_with("the compiler could not be used"), "{:?}", report.problems);
        assert_eq!((report.kept(), report.files[0].text.as_ref()), (0, None));
    }
}
