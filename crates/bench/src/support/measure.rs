//! Runs the programs and counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use testkit::{Framework, Program, Toolchain};
use types::{AssemblyId, Probing, TypeId, Universe};
use verdict::Reason;
use vm::{Config, Machine};

use super::document::{Document, Natives, TypeRow};
use super::machine;

/// A method: its assembly's name and its token.
pub type Method = (String, u32);

pub fn document() -> Result<Document> {
    let programs = programs()?;
    let assemblies: Vec<_> = programs.iter().map(Program::assembly).collect();
    let dlls = testkit::compile_all(&assemblies)?;
    let started: Vec<_> = programs.iter().zip(&dlls).collect();
    let verdicts = in_parallel(&started, |(program, dll)| judge(program, dll));
    let mut exercised = BTreeSet::new();
    let mut failing = Vec::new();
    for (program, verdict) in programs.iter().zip(verdicts) {
        match verdict {
            Ok(methods) => exercised.extend(methods),
            Err(why) => failing.push((program.name.clone(), why)),
        }
    }
    let mut counted = count(&framework()?, &exercised)?;
    counted.programs = programs.len();
    counted.digest = digest(&programs)?;
    counted.failing = failing;
    counted.sort();
    Ok(counted)
}

/// The programs that are measured: those for the newest framework.
pub fn programs() -> Result<Vec<Program>> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/run");
    let mut programs = testkit::programs(&fixtures)?;
    programs.retain(|program| program.framework == Framework::Net10);
    Ok(programs)
}

/// A digest of the programs: what was measured with others is out of date.
pub fn digest(programs: &[Program]) -> Result<String> {
    let mut all = String::new();
    for program in programs {
        let text = std::fs::read(&program.source)?;
        all.push_str(&format!("{} {}\n", program.name, testkit::hex_digest(&text)));
    }
    Ok(testkit::hex_digest(all.as_bytes()))
}

/// The methods that a program called, if it behaved as on CoreCLR.
fn judge(program: &Program, dll: &Path) -> Result<Vec<Method>, String> {
    let expected = testkit::observe(program, dll).map_err(|error| error.to_string())?;
    let (observed, methods) = machine::run(program, dll, called)?;
    testkit::compare(&observed, &expected)?;
    Ok(methods)
}

/// Machines are not shared between threads; programs are independent of each other.
fn in_parallel<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn called(machine: &Machine) -> Vec<Method> {
    let u = &machine.universe;
    let named = machine.called_methods().into_iter().filter_map(|method| {
        let info = u.method(method);
        let assembly = u.def_info(info.owner)?.assembly;
        Some((u.assembly(assembly).name().to_owned(), info.token()?.raw()))
    });
    named.collect()
}

pub fn framework() -> Result<types::SharedFramework> {
    let toolchain = Toolchain::locate()?;
    let nothing = Path::new("nothing.dll");
    let probing = Probing::for_application(nothing, Some(&toolchain.dotnet()))?;
    probing.frameworks().last().cloned().context("there is no framework")
}

/// What a framework has, with the methods among it that programs called.
pub fn count(framework: &types::SharedFramework, exercised: &BTreeSet<Method>) -> Result<Document> {
    let universe = Rc::new(Universe::new(Probing::framework_folder(&framework.folder)?));
    let mut document =
        Document { framework: format!("{} {}", framework.name, framework.version), ..Document::default() };
    let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, Config::for_programs());
    for path in libraries(&framework.folder)? {
        let Ok(assembly) = universe.load(&path) else { continue };
        for ty in universe.type_defs(assembly).flatten() {
            if universe.is_visible(ty) && !universe.is_interface(ty) {
                document.types.extend(row(&universe, assembly, ty, exercised));
            }
            document.natives.extend(natives(&mut machine, assembly, ty));
        }
    }
    document.sort();
    Ok(document)
}

fn libraries(folder: &Path) -> Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "dll")).collect();
    files.sort();
    Ok(files)
}

fn row(u: &Universe, assembly: AssemblyId, ty: TypeId, exercised: &BTreeSet<Method>) -> Option<TypeRow> {
    let name = u.assembly(assembly).name();
    let mut row = TypeRow {
        assembly: name.to_owned(),
        namespace: u.namespace(ty),
        name: u.def_name(u.def_info(ty)?),
        ..TypeRow::default()
    };
    for method in u.methods(ty).ok()? {
        let info = u.method(*method);
        if !info.is_public() || info.is_abstract() {
            continue;
        }
        row.public += 1;
        let token = info.token()?.raw();
        row.exercised += usize::from(exercised.contains(&(name.to_owned(), token)));
    }
    (row.public > 0).then_some(row)
}

/// The native methods of a class that stop a run.
fn natives(machine: &mut Machine, assembly: AssemblyId, ty: TypeId) -> Option<Natives> {
    let u = Rc::clone(&machine.universe);
    let mut missing: BTreeMap<String, ()> = BTreeMap::new();
    for method in u.methods(ty).ok()? {
        let info = u.method(*method);
        let is_native = info.is_internal_call() || info.is_pinvoke();
        if is_native && machine.lacks(*method).is_some_and(|gap| gap.reason == Reason::NativeCall) {
            missing.insert(plain(&info.name).to_owned(), ());
        }
    }
    if missing.is_empty() {
        return None;
    }
    Some(Natives {
        assembly: u.assembly(assembly).name().to_owned(),
        class: u.type_name(ty),
        names: missing.into_keys().collect(),
    })
}

/// The method that a compiler-made native part belongs to.
fn plain(name: &str) -> &str {
    name.strip_prefix('<').and_then(|name| name.split_once('>')).map_or(name, |(name, _)| name)
}
