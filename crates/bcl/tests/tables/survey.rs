//! Which line is found for each method of the class libraries that the toolchain has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bcl::{GROUPS, Line, Overloads};
use testkit::Toolchain;
use types::{MethodId, Probing, TypeId, Universe};
use vm::mode::Mode;

const MODES: [Mode; 3] = [Mode::Explore, Mode::Follow, Mode::Program];

/// A table and a line in it.
type At = (usize, usize);

#[derive(Default)]
pub struct Survey {
    runtimes: Vec<&'static str>,
    /// The lines that count for some method.
    found: BTreeMap<At, Found>,
    /// Methods with two lines that are each for all of them.
    pub clashes: BTreeSet<String>,
}

/// Where a line counts.
#[derive(Default)]
pub struct Found {
    pub runtimes: Vec<&'static str>,
    /// One of the methods can be called from outside.
    pub is_public: bool,
}

impl Survey {
    pub fn of_all_runtimes() -> Survey {
        let toolchain = Toolchain::locate().unwrap();
        let mut survey = Survey::default();
        survey.add(".NET 10", toolchain.framework_dir());
        survey.add(".NET Core 3.1", &toolchain.framework31_dir());
        if let Some(mono) = toolchain.mono() {
            survey.add("Mono", &mono.framework);
        }
        survey
    }

    pub fn has_mono(&self) -> bool {
        self.runtimes.contains(&"Mono")
    }

    /// Every line, with where it counts.
    pub fn lines(&self) -> impl Iterator<Item = (Line, Option<&Found>)> {
        GROUPS.iter().enumerate().flat_map(move |(table, group)| {
            let lines = group.entries.iter().enumerate();
            lines.map(move |(number, entry)| (Line { group, entry }, self.found.get(&(table, number))))
        })
    }

    /// Lines that never count, and are not said to be for other runtimes.
    pub fn idle(&self) -> impl Iterator<Item = Line> {
        self.lines()
            .filter(|(line, found)| {
                found.is_none() && line.entry.unseen.is_none() && self.has_runtime_of(line)
            })
            .map(|(line, _)| line)
    }

    pub fn unseen_but_found(&self) -> impl Iterator<Item = Line> {
        self.lines()
            .filter(|(line, found)| found.is_some() && line.entry.unseen.is_some())
            .map(|(line, _)| line)
    }

    /// Without Mono nobody knows.
    fn has_runtime_of(&self, line: &Line) -> bool {
        line.group.runtimes != bcl::Runtimes::Mono || self.has_mono()
    }

    fn add(&mut self, runtime: &'static str, folder: &Path) {
        self.runtimes.push(runtime);
        let universe = Universe::new(Probing::framework_folder(folder).unwrap());
        for file in assemblies(folder) {
            // Some are native.
            let Ok(assembly) = universe.load(&file) else { continue };
            for ty in universe.type_defs(assembly).collect::<Vec<_>>() {
                let ty = ty.unwrap();
                for &method in universe.methods(ty).unwrap() {
                    self.add_method(runtime, &universe, ty, method);
                }
            }
        }
    }

    fn add_method(&mut self, runtime: &'static str, universe: &Universe, ty: TypeId, method: MethodId) {
        for mode in MODES {
            let lines = bcl::lines(universe, method, mode);
            for pair in lines.windows(2) {
                let [one, other] = pair else { continue };
                if one.group.precedence == other.group.precedence
                    && other.entry.overloads != Overloads::Others
                {
                    self.clashes.insert(format!(
                        "{} on {runtime}: {} and {}",
                        universe.method_id(method),
                        one.group.module,
                        other.group.module
                    ));
                }
            }
            // A line that only says that the method is interpreted must have something to outdo.
            if let Some(line) = lines.first().filter(|line| line.has_model() || lines.len() > 1) {
                let found = self.found.entry(at(line)).or_default();
                found.is_public |= universe.is_visible(ty) && is_public(universe, method);
                if !found.runtimes.contains(&runtime) {
                    found.runtimes.push(runtime);
                }
            }
        }
    }
}

fn at(line: &Line) -> At {
    let table = GROUPS.iter().position(|group| std::ptr::eq(group, line.group)).unwrap();
    let number = line.group.entries.iter().position(|entry| std::ptr::eq(entry, line.entry)).unwrap();
    (table, number)
}

/// Public or protected.
fn is_public(universe: &Universe, method: MethodId) -> bool {
    matches!(universe.method(method).flags & 0x7, 4..=6)
}

fn assemblies(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|e| e == "dll")).collect();
    files.sort();
    files
}

pub fn describe(line: &Line) -> String {
    let overloads = match line.entry.overloads {
        Overloads::One(parameters) => format!("({parameters})"),
        Overloads::All | Overloads::Others => String::new(),
    };
    format!("{}::{}{overloads} in {}", line.entry.owner, line.entry.name, line.group.module)
}
