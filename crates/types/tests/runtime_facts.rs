//! The universe against CoreCLR itself: a program asks the runtime for its own tables, and both must agree.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use testkit::{Options, Target};
use types::{MethodId, Type, TypeId, Universe};

#[test]
fn layouts_of_the_zoo() {
    check_layouts(&zoo().to_string_lossy(), 110);
}

#[test]
fn layouts_of_corelib() {
    check_layouts("core", 2_200);
}

/// Before .NET 7 other rules held.
#[test]
fn layouts_of_corelib_31() {
    let options = Options {
        allow_unsafe: true,
        target: Target::Exe,
        framework: testkit::Framework::NetCore31,
        arguments: vec!["-define:OLD".to_owned()],
        ..Options::default()
    };
    let program = testkit::compile("Facts31", &[&fixture("Facts.cs")], &options).unwrap();
    let toolchain = common::toolchain();
    let mut command = std::process::Command::new(toolchain.dotnet31());
    let finished = testkit::run(command.arg("exec").arg(&program).args(["layout", "core"])).unwrap();
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    let (universe, names) = closed_types_in(&toolchain.corelib31(), &toolchain.framework31_dir());
    compare_layouts(&universe, &names, finished.stdout.lines(), 1_800);
}

#[test]
fn virtual_methods_of_the_zoo() {
    check_maps(&zoo().to_string_lossy(), 300);
}

#[test]
fn virtual_methods_of_corelib() {
    check_maps("core", 20_000);
}

/// Every pair of some 200 types.
#[test]
fn casts() {
    let path = zoo();
    let (u, names) = closed_types(&path.to_string_lossy());
    let fields = u.fields(names["Matrix"]).unwrap();
    let all: Vec<TypeId> = fields.iter().map(|f| u.field_type(*f).unwrap()).collect();
    let lines = facts("casts", &path.to_string_lossy());
    assert_eq!(lines.len(), all.len());
    let mut differences = Vec::new();
    for (line, &from) in lines.iter().zip(&all) {
        let (name, bits) = line.split_once('\t').unwrap();
        assert_eq!(name, u.type_name(from));
        for (bit, &to) in bits.bytes().zip(&all) {
            let ours = u.is_assignable(from, to).unwrap();
            if ours != (bit == b'1') {
                differences.push(format!("{name} to {}: runtime {}", u.type_name(to), !ours));
            }
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn constraints() {
    let path = zoo();
    let (u, names) = closed_types(&path.to_string_lossy());
    let a = u.load(&path).unwrap();
    let fields = u.fields(names["Matrix"]).unwrap();
    let all: Vec<TypeId> = fields.iter().map(|f| u.field_type(*f).unwrap()).collect();
    let mut differences = Vec::new();
    let lines = facts("constraints", &path.to_string_lossy());
    assert!(lines.len() > 10);
    for line in lines {
        let (name, bits) = line.split_once('\t').unwrap();
        let name = name.split('[').next().unwrap();
        let definition = u.find_type(a, name).unwrap().unwrap();
        for (bit, &argument) in bits.bytes().zip(&all) {
            let ours =
                u.make_instance(definition, &[argument]).and_then(|t| u.satisfies_constraints(t)).unwrap();
            if ours != (bit == b'1') {
                differences.push(format!("{name} of {}: runtime {}", u.type_name(argument), !ours));
            }
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn zoo() -> PathBuf {
    let options = Options { allow_unsafe: true, ..Options::default() };
    testkit::compile("Zoo", &[&fixture("Zoo.cs")], &options).unwrap()
}

/// What the runtime says, line by line.
fn facts(what: &str, assembly: &str) -> Vec<String> {
    let options = Options { allow_unsafe: true, target: Target::Exe, ..Options::default() };
    let program = testkit::compile("Facts", &[&fixture("Facts.cs")], &options).unwrap();
    let finished = testkit::run_dotnet(&program, &[what, assembly]).unwrap();
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    finished.stdout.lines().map(str::to_owned).collect()
}

/// The universe that holds the assembly, and its closed types by name (those that fields mention too).
fn closed_types(assembly: &str) -> (Universe, BTreeMap<String, TypeId>) {
    let toolchain = common::toolchain();
    let path = if assembly == "core" { toolchain.corelib() } else { PathBuf::from(assembly) };
    closed_types_in(&path, toolchain.runtime_root())
}

fn closed_types_in(path: &Path, runtime: &Path) -> (Universe, BTreeMap<String, TypeId>) {
    let universe = Universe::new(types::Probing::for_application(path, Some(runtime)).unwrap());
    let a = universe.load(path).unwrap();
    let mut names = BTreeMap::new();
    let mut queue: Vec<TypeId> = universe.type_defs(a).map(Result::unwrap).collect();
    while let Some(t) = queue.pop() {
        if !matches!(universe.ty(t), Type::Def { .. }) || universe.is_open(t) {
            continue;
        }
        if names.insert(universe.type_name(t), t).is_none() {
            queue.extend(universe.fields(t).unwrap().iter().filter_map(|f| universe.field_type(*f).ok()));
        }
    }
    (universe, names)
}

fn check_layouts(assembly: &str, at_least: usize) {
    let (universe, names) = closed_types(assembly);
    compare_layouts(&universe, &names, facts("layout", assembly).iter().map(String::as_str), at_least);
}

fn compare_layouts<'a>(
    universe: &Universe,
    names: &BTreeMap<String, TypeId>,
    lines: impl Iterator<Item = &'a str>,
    at_least: usize,
) {
    let mut compared = 0;
    let mut differences = Vec::new();
    for line in lines {
        let (name, expected) = line.split_once('\t').unwrap();
        // Their layout is known to the runtime only.
        if matches!(name, "System.String" | "System.Void") {
            continue;
        }
        let Some(t) = names.get(name).copied() else {
            differences.push(format!("{name} is not known"));
            continue;
        };
        compared += 1;
        let ours = describe_layout(universe, t);
        // The old runtime does not tell the size of a value.
        let same = match expected.strip_prefix("value|") {
            Some(fields) => ours.split_once('|').is_some_and(|(_, ours)| ours == fields),
            None => ours == expected,
        };
        if !same {
            differences.push(format!("{name}\n   runtime  {expected}\n   universe {ours}"));
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    assert!(compared >= at_least, "only {compared} types were compared");
}

fn describe_layout(u: &Universe, t: TypeId) -> String {
    let layout = match u.layout(t) {
        Ok(layout) => layout,
        Err(error) => return format!("error {error}"),
    };
    let size = match u.is_value_type(t) {
        true => format!("value {}", layout.size),
        // header and method table pointer, and room for one field
        false => format!("class {}", (layout.size.next_multiple_of(8) + 16).max(24)),
    };
    let own = layout.fields.iter().filter(|(f, _)| u.field(*f).owner == t);
    let mut own: Vec<_> = own.collect();
    own.sort_by_key(|(f, _)| u.field(*f).def);
    let fields: Vec<String> =
        own.iter().map(|(f, offset)| format!("{}:{offset}", u.field(*f).name)).collect();
    format!("{size}|{}", fields.join(" "))
}

fn check_maps(assembly: &str, at_least: usize) {
    let (universe, names) = closed_types(assembly);
    let u = &universe;
    let mut compared = 0;
    let mut differences = Vec::new();
    for line in facts("maps", assembly) {
        let parts: Vec<&str> = line.split('\t').collect();
        let &[name, how, declaration, target] = parts.as_slice() else {
            differences.push(format!("not compared: {line}"));
            continue;
        };
        let Some(&t) = names.get(name) else { continue };
        let found = match how.strip_prefix("interface ") {
            Some(interface) => in_interface(u, t, interface, declaration),
            None => in_class(u, t, declaration),
        };
        compared += 1;
        if found != target {
            differences
                .push(format!("{name} {how} {declaration}\n   runtime  {target}\n   universe {found}"));
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    assert!(compared >= at_least, "only {compared} methods were compared");
}

fn in_interface(u: &Universe, t: TypeId, interface: &str, declaration: &str) -> String {
    let Some(&interface) = u.interfaces(t).unwrap().iter().find(|i| u.type_name(**i) == interface) else {
        return "no such interface".to_owned();
    };
    let m = by_token(u, interface, declaration);
    let found = match u.method(m).is_static() {
        true => u.resolve_static_virtual(t, m),
        false => u.resolve_virtual(t, m),
    };
    match found {
        Ok(m) => describe_method(u, m),
        Err(types::Error::NotImplemented { .. } | types::Error::Ambiguous { .. }) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn in_class(u: &Universe, t: TypeId, declaration: &str) -> String {
    let owner = declaration.split_once("::").unwrap().0;
    let mut current = Some(t);
    while let Some(class) = current {
        if u.type_name(class) == owner {
            let found = u.resolve_virtual(t, by_token(u, class, declaration));
            return found.map_or_else(|e| e.to_string(), |m| describe_method(u, m));
        }
        current = u.base(class).unwrap();
    }
    format!("{owner} is no ancestor")
}

fn by_token(u: &Universe, t: TypeId, declaration: &str) -> MethodId {
    let token = declaration.rsplit_once(' ').unwrap().1;
    let wanted = u32::from_str_radix(token, 16).unwrap();
    *u.methods(t).unwrap().iter().find(|m| u.method(**m).token().unwrap().raw() == wanted).unwrap()
}

fn describe_method(u: &Universe, m: MethodId) -> String {
    let method = u.method(m);
    format!("{}::{} {:08x}", u.type_name(method.owner), method.name, method.token().unwrap().raw())
}
