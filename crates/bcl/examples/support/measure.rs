//! Runs the programs and counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use testkit::{Framework, Toolchain};
use types::{AssemblyId, Probing, TypeId, Universe};
use verdict::Reason;
use vm::{Config, Machine};

use super::document::{Document, Natives, TypeRow};
use super::program::Program;
use super::{judging, machine, program, reference};

/// A method: its assembly's name and its token.
type Method = (String, u32);

pub fn document() -> Document {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/run");
    let mut programs = program::all(&fixtures);
    programs.retain(|program| program.framework == Framework::Net10);
    let assemblies: Vec<_> = programs.iter().map(Program::assembly).collect();
    let dlls = testkit::compile_all(&assemblies).unwrap();
    let verdicts = judging::in_parallel(&programs, |i, program| judge(program, &dlls[i]));
    let mut exercised = BTreeSet::new();
    let mut failing = Vec::new();
    for (program, verdict) in programs.iter().zip(verdicts) {
        match verdict {
            Ok(methods) => exercised.extend(methods),
            Err(why) => failing.push((program.name.clone(), why)),
        }
    }
    let framework = framework();
    let mut counted = count(&framework, &exercised);
    counted.programs = programs.len();
    counted.failing = failing;
    counted
}

/// The methods that a program called, if it behaved as on CoreCLR.
fn judge(program: &Program, dll: &Path) -> Result<Vec<Method>, String> {
    let expected = reference::run(program, dll);
    let (observed, methods) = machine::run(program, dll, called)?;
    judging::compare(&observed, &expected)?;
    Ok(methods)
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

fn framework() -> types::SharedFramework {
    let toolchain = Toolchain::locate().unwrap();
    let nothing = Path::new("nothing.dll");
    let probing = Probing::for_application(nothing, Some(&toolchain.dotnet())).unwrap();
    probing.frameworks().last().unwrap().clone()
}

fn count(framework: &types::SharedFramework, exercised: &BTreeSet<Method>) -> Document {
    let universe = Rc::new(Universe::new(Probing::framework_folder(&framework.folder).unwrap()));
    let mut document =
        Document { framework: format!("{} {}", framework.name, framework.version), ..Document::default() };
    let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, Config::for_programs());
    for path in libraries(&framework.folder) {
        let Ok(assembly) = universe.load(&path) else { continue };
        for ty in universe.type_defs(assembly).flatten() {
            if universe.is_visible(ty) && !universe.is_interface(ty) {
                document.types.extend(row(&universe, assembly, ty, exercised));
            }
            document.natives.extend(natives(&mut machine, assembly, ty));
        }
    }
    document.sort();
    document
}

fn libraries(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "dll")).collect();
    files.sort();
    files
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
