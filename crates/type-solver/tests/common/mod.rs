//! What the tests of this crate share: a universe over compiled C#, types by C#-like names, answers as text.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use testkit::{Options, Toolchain};
use type_solver::{Bounds, Candidates, Query, TypeSolver};
use types::{AssemblyId, Probing, TypeId, Universe};

pub struct World {
    pub universe: Universe,
    pub solver: TypeSolver,
    pub assembly: AssemblyId,
}

impl World {
    /// A library compiled from C#, and a solver for it.
    pub fn compile(name: &str, source: &str) -> World {
        World::bounded(name, source, Bounds::default())
    }

    pub fn bounded(name: &str, source: &str, bounds: Bounds) -> World {
        let file = format!("{name}.cs");
        let options = Options { allow_unsafe: true, ..Options::default() };
        let dll = testkit::compile(name, &[(file.as_str(), source)], &options).unwrap();
        World::open(&dll, bounds)
    }

    pub fn open(dll: &Path, bounds: Bounds) -> World {
        let toolchain = Toolchain::locate().expect("the toolchain (cargo xtask setup)");
        let probing = Probing::for_application(dll, Some(toolchain.runtime_root())).unwrap();
        let universe = Universe::new(probing);
        let assembly = universe.load(dll).unwrap();
        let solver = TypeSolver::new(vec![assembly], bounds);
        World { universe, solver, assembly }
    }

    /// A type by its name: `Shop.Cart`, `IEnumerable<int>`, `string[]`, `Box<>` (open).
    pub fn ty(&self, name: &str) -> TypeId {
        let (t, rest) = self.parse(name);
        assert!(rest.is_empty(), "{name}: {rest}");
        t
    }

    fn parse<'a>(&self, text: &'a str) -> (TypeId, &'a str) {
        let end = text.find(['<', '>', ',', '[', '?']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(end);
        let mut args = Vec::new();
        let mut arity = 0;
        if let Some(inner) = rest.strip_prefix('<') {
            rest = inner;
            loop {
                arity += 1;
                if !rest.starts_with(['>', ',']) {
                    let (arg, after) = self.parse(rest.trim_start());
                    args.push(arg);
                    rest = after;
                }
                match rest.split_at(1) {
                    (",", after) => rest = after.trim_start(),
                    (">", after) => {
                        rest = after;
                        break;
                    }
                    _ => panic!("{text}"),
                }
            }
        }
        let mut t = self.named(name.trim(), arity);
        if !args.is_empty() {
            t = self.universe.make_instance(t, &args).unwrap();
        }
        loop {
            if let Some(after) = rest.strip_prefix("[]") {
                t = self.universe.make_sz_array(t).unwrap();
                rest = after;
            } else if let Some(after) = rest.strip_prefix("[,]") {
                t = self.universe.make_array(t, 2).unwrap();
                rest = after;
            } else if let Some(after) = rest.strip_prefix('?') {
                let nullable = self.universe.well_known().unwrap().nullable_def;
                t = self.universe.make_instance(nullable, &[t]).unwrap();
                rest = after;
            } else {
                return (t, rest);
            }
        }
    }

    fn named(&self, name: &str, arity: usize) -> TypeId {
        let known = self.universe.well_known().unwrap();
        match name {
            "int" => return known.int32,
            "uint" => return known.uint32,
            "string" => return known.string,
            "object" => return known.object,
            "bool" => return known.boolean,
            "double" => return known.double,
            _ => {}
        }
        let name = if arity == 0 { name.to_owned() } else { format!("{name}`{arity}") };
        let found = |a: AssemblyId, name: &str| self.universe.find_type(a, name).unwrap();
        if let Some(t) = found(self.assembly, &name) {
            return t;
        }
        let spaces = ["", "System.", "System.Collections.Generic.", "System.Collections.", "System.IO."];
        let core = self.universe.corelib().unwrap();
        let mut places = vec![core];
        for other in ["System.Collections", "System.Linq", "System.ObjectModel", "System.Runtime"] {
            places.extend(self.universe.load_by_name(other).unwrap());
        }
        for space in spaces {
            for place in &places {
                if let Some(t) = found(*place, &format!("{space}{name}")) {
                    return t;
                }
            }
        }
        panic!("no type {name}");
    }

    pub fn types(&self, names: &[&str]) -> Vec<TypeId> {
        names.iter().map(|name| self.ty(name)).collect()
    }

    pub fn object(&self, must_be: &[&str]) -> Candidates {
        let query = Query { must_be: self.types(must_be), ..Query::default() };
        self.solver.candidates(&self.universe, &query)
    }

    pub fn name(&self, t: TypeId) -> String {
        self.universe.type_name(t)
    }

    /// The first candidates, a line each; then what the end is.
    pub fn show(&self, candidates: &Candidates, count: usize) -> String {
        let mut text = String::new();
        for n in 0..count {
            match candidates.get(&self.universe, n).unwrap() {
                Some(t) => text += &format!("{}\n", self.name(t)),
                None => {
                    text += &match candidates.bound() {
                        Some(bound) => format!("- {bound}\n"),
                        None => "- all\n".to_owned(),
                    };
                    return text;
                }
            }
        }
        text + "...\n"
    }

    pub fn names(&self, candidates: &Candidates, count: usize) -> Vec<String> {
        candidates.iter(&self.universe).take(count).map(|t| self.name(t.unwrap())).collect()
    }
}
