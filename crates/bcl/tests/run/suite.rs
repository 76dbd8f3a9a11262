//! The programs of one framework: which there are, where they are compiled, and which are known not to agree.

use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use testkit::{Error, FailingList, Framework, Layout, Lock, Program, Toolchain};

pub struct Suite {
    pub name: &'static str,
    pub programs: Vec<Program>,
    framework: Framework,
    /// With the cultures of the machine's ICU.
    pub has_cultures: bool,
    /// Where the lists are.
    folder: PathBuf,
    /// The names of all programs that there are.
    known: Vec<String>,
}

const OLDER: [(&str, Framework); 2] = [("netcoreapp3.1", Framework::NetCore31), ("mono", Framework::Mono)];

impl Suite {
    /// The suites of all frameworks. A process that was started for one test reads only the program of this name.
    pub fn all(only: Option<&str>) -> Result<Vec<Suite>, Error> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
        let (programs, known) = read(&fixtures.join("run"), only)?;
        let (cultural, known_cultural) = read(&fixtures.join("world"), only)?;
        let newest = |name, programs: &[Program], known: &[String], has_cultures, folder| {
            let mut programs = programs.to_vec();
            programs.retain(|program| program.framework == Framework::Net10);
            programs.iter_mut().for_each(|program| program.has_cultures = has_cultures);
            Suite { name, programs, framework: Framework::Net10, has_cultures, folder, known: known.to_vec() }
        };
        let mut suites = vec![
            newest("net10", &programs, &known, false, fixtures.join("run")),
            newest("icu", &programs, &known, true, fixtures.join("frameworks/icu")),
            newest("world", &cultural, &known_cultural, true, fixtures.join("world")),
        ];
        for (name, framework) in OLDER {
            let folder = fixtures.join("frameworks").join(name);
            suites.push(Suite::of_older(name, framework, folder, &programs, &known)?);
        }
        Ok(suites)
    }

    /// The programs for this framework alone, and those that its list takes from the suite.
    fn of_older(
        name: &'static str,
        framework: Framework,
        folder: PathBuf,
        all: &[Program],
        known: &[String],
    ) -> Result<Suite, Error> {
        let shared = testkit::program_names(&folder.join("programs.txt"), known)?;
        let mut programs = all.to_vec();
        programs.retain(|program| program.framework == framework || shared.contains(&program.name));
        for program in &mut programs {
            program.framework = framework;
            program.stand_ins = Some(folder.join("Names.cs"));
        }
        Ok(Suite { name, programs, framework, has_cultures: false, folder, known: known.to_vec() })
    }

    /// Whether there is nothing to compare with.
    pub fn is_missing(&self) -> Result<bool, Error> {
        let toolchain = Toolchain::locate()?;
        Ok(match self.framework {
            Framework::Mono => toolchain.mono().is_none(),
            Framework::NetCore31 => !toolchain.dotnet31().is_file(),
            _ => false,
        })
    }

    /// The program's assembly; if it is not there, all of the suite are compiled with one start of the compiler.
    pub fn compiled(&self, program: &Program) -> Result<PathBuf, Failed> {
        let assembly = program.assembly();
        if let Some(dll) = testkit::compiled(&assembly)? {
            return Ok(dll);
        }
        let lock = Layout::of_user()?.locks().join(format!("run-{}.lock", self.name));
        let _lock = Lock::acquire(&lock, || {})?;
        if testkit::compiled(&assembly)?.is_none() {
            let suites = Suite::all(None)?.into_iter().filter(|suite| suite.name == self.name);
            let all: Vec<_> =
                suites.flat_map(|suite| suite.programs).map(|program| program.assembly()).collect();
            // What does not compile is for its own test to say.
            let _others = testkit::compile_all(&all);
        }
        Ok(testkit::compile_all(&[assembly])?.remove(0))
    }

    /// Compares with what is known; with `UPDATE_EXPECT` the lists learn instead.
    pub fn judge(&self, program: &Program, verdict: &Result<(), String>) -> Result<(), Failed> {
        let (list, known) = self.list(&program.topic)?;
        let name = if self.has_topics() { &program.title } else { &program.name };
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            list.learn(name, verdict, &known)?;
            return Ok(());
        }
        Ok(list.check(name, verdict)?)
    }

    /// Every list can be read and names only programs that there are.
    pub fn check_lists(&self) -> Result<(), Error> {
        if !self.has_topics() {
            return self.list("").map(drop);
        }
        for entry in std::fs::read_dir(&self.folder).map_err(Error::io(&self.folder))?.flatten() {
            self.list(&entry.file_name().to_string_lossy())?;
        }
        Ok(())
    }

    /// The list in which a program of a topic would stand, and the names that it may have.
    fn list(&self, topic: &str) -> Result<(FailingList, Vec<String>), Error> {
        let (folder, known) = if self.has_topics() {
            let titles = self.known.iter().filter_map(|name| name.strip_prefix(topic)?.strip_prefix('/'));
            (self.folder.join(topic), titles.map(str::to_owned).collect())
        } else {
            (self.folder.clone(), self.known.clone())
        };
        Ok((FailingList::read(&folder.join("failing.txt"), &known)?, known))
    }

    /// Whether each topic has a list of its own.
    fn has_topics(&self) -> bool {
        ["net10", "world"].contains(&self.name)
    }
}

/// The programs below a folder, and the names of all that there are.
fn read(folder: &Path, only: Option<&str>) -> Result<(Vec<Program>, Vec<String>), Error> {
    let files = testkit::program_files(folder)?;
    let wanted = files.iter().filter(|(name, _)| only.is_none_or(|only| only.ends_with(*name)));
    let programs = wanted.map(|(_, file)| Program::read(file)).collect::<Result<Vec<_>, _>>()?;
    Ok((programs, files.into_keys().collect()))
}
