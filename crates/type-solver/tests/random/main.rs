//! The solver against exhaustive search on small random hierarchies: every candidate satisfies its query, none within
//! the bound is missed, none comes twice.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod program;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use random::Random;
use testkit::{Assembly, Options, Source, Toolchain};
use type_solver::{ArgumentQuery, Bounds, Generic, Index, Kinds, Purpose, Query, Relation, TypeSolver};
use types::{Probing, Type, TypeId, Universe};

const PROGRAMS: u64 = 70;
const QUERIES: usize = 80;

/// A universe over a program, a solver that knows only the program's own definitions, and all closed types by depth.
struct Small {
    universe: Universe,
    solver: TypeSolver,
    definitions: Vec<TypeId>,
    /// All closed types up to the depth of the bound.
    all: Vec<TypeId>,
    /// Those up to one less.
    shallow: Vec<TypeId>,
    depth: u32,
}

#[test]
fn candidates_of_random_hierarchies() {
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    let mut found = 0;
    for (seed, dll, depth) in compiled(folder.path()) {
        let small = Small::open(&dll, depth);
        let mut random = Random::new(seed + 1000);
        for _ in 0..QUERIES {
            let query = small.query(&mut random);
            found += small.check(&query, &format!("program {seed}"));
            checked += 1;
        }
        small.check_together(&mut random, &format!("program {seed}"));
        small.check_narrowing(&mut random, &format!("program {seed}"));
        for &definition in &small.definitions {
            small.check_arguments(definition, &format!("program {seed}"));
        }
    }
    assert!(checked > 1000 && found > 5000, "{checked} queries, {found} candidates");
}

/// Programs that compile, each with the depth it is small enough for.
fn compiled(folder: &Path) -> Vec<(u64, PathBuf, u32)> {
    let programs: Vec<(u64, String, u32)> = (0..PROGRAMS)
        .map(|seed| {
            let (arity, depth) = if seed % 2 == 0 { (1, 2) } else { (2, 1) };
            (seed, program::program(seed, arity), depth)
        })
        .collect();
    let options = Options { debug: testkit::Debug::None, ..Options::default() };
    let assemblies: Vec<Assembly> = programs
        .iter()
        .map(|(seed, text, _)| Assembly {
            name: format!("Random{seed}"),
            sources: vec![Source::text("Program.cs", text)],
            options: options.clone(),
        })
        .collect();
    let outputs = testkit::compile_each(&assemblies, folder).unwrap();
    let good: Vec<(u64, PathBuf, u32)> = programs
        .iter()
        .zip(outputs)
        .filter_map(|((seed, _, depth), output)| Some((*seed, output.ok()?, *depth)))
        .collect();
    assert!(good.len() > 20, "only {} of {PROGRAMS} programs compile", good.len());
    good
}

impl Small {
    fn open(dll: &Path, depth: u32) -> Small {
        let toolchain = Toolchain::locate().expect("the toolchain (cargo xtask setup)");
        let universe = Universe::new(Probing::for_application(dll, Some(toolchain.runtime_root())).unwrap());
        let assembly = universe.load(dll).unwrap();
        // Nowhere to look for references: the index has the program's definitions only.
        let index = Index::build(&Probing::default(), &[dll.to_owned()]);
        let bounds =
            Bounds { depth, instances: usize::MAX, candidates: 100_000, work: 10_000_000, memo: 100_000 };
        let solver = TypeSolver::new(vec![assembly], bounds).with_index(Arc::new(index));
        let definitions: Vec<TypeId> = universe
            .type_defs(assembly)
            .map(|t| t.unwrap())
            .filter(|t| matches!(universe.def_info(*t).unwrap().visibility(), 1 | 2))
            .collect();
        let mut small = Small { universe, solver, definitions, all: Vec::new(), shallow: Vec::new(), depth };
        small.all = small.ground();
        for _ in 0..depth {
            let deeper = small.deeper(&small.all);
            small.shallow = std::mem::replace(&mut small.all, deeper);
        }
        small
    }

    /// Types without arguments: the program's, and those that every search for arguments begins with.
    fn ground(&self) -> Vec<TypeId> {
        let known = self.universe.well_known().unwrap();
        let own = self.definitions.iter().copied().filter(|t| !self.universe.is_open(*t));
        own.chain([known.int32, known.string]).collect()
    }

    /// Everything over the given arguments.
    fn deeper(&self, args: &[TypeId]) -> Vec<TypeId> {
        let u = &self.universe;
        let mut all = self.ground();
        for &definition in self.definitions.iter().filter(|t| u.is_open(**t)) {
            for tuple in tuples(args, u.type_args(definition).len()) {
                let instance = u.make_instance(definition, &tuple).unwrap();
                if u.satisfies_constraints(instance).unwrap() {
                    all.push(instance);
                }
            }
        }
        for &arg in args {
            all.push(u.make_sz_array(arg).unwrap());
            all.push(u.make_array(arg, 2).unwrap());
        }
        all
    }

    /// Half of the queries are made around a type that satisfies them, the others at random.
    fn query(&self, random: &mut Random) -> Query {
        let u = &self.universe;
        let centre = random.percent(50).then(|| self.all[random.below(self.all.len())]);
        let is = |a: TypeId, b: TypeId| u.is_assignable(a, b).unwrap();
        let (mut above, mut below) = (self.shallow.clone(), self.shallow.clone());
        if let Some(centre) = centre {
            above.retain(|t| is(centre, *t) && *t != centre);
            below.retain(|t| is(*t, centre));
        }
        let mut some = |from: &[TypeId], chance: usize| -> Vec<TypeId> {
            let mut found = Vec::new();
            while !from.is_empty() && random.percent(chance) && found.len() < 2 {
                found.push(from[random.below(from.len())]);
            }
            found
        };
        let mut query = Query {
            must_be: some(&above, 80),
            must_contain: some(&below, 20),
            must_not_be: some(&self.shallow, 15),
            must_not_contain: some(&self.shallow, 10),
            not_exactly: some(&self.shallow, 10),
            ..Query::default()
        };
        if random.percent(50) {
            query.kinds = Kinds::ARGUMENT;
            query.purpose = Purpose::Argument;
        }
        query
    }

    /// Compares one sequence with exhaustive search; says how many candidates there were.
    fn check(&self, query: &Query, place: &str) -> usize {
        let candidates = self.solver.candidates(&self.universe, query);
        let found: Vec<TypeId> = candidates.iter(&self.universe).map(|t| t.unwrap()).collect();
        let describe = || format!("{place}: {}", self.describe(query));
        let set: BTreeSet<TypeId> = found.iter().copied().collect();
        assert_eq!(set.len(), found.len(), "{}: a candidate comes twice", describe());
        for &t in &found {
            assert!(self.satisfies(t, query), "{}: {} does not satisfy", describe(), self.name(t));
        }
        for &t in &self.all {
            if self.satisfies(t, query) && !set.contains(&t) && self.is_in_scope(t, query) {
                panic!("{}: {} is missing\nfound {:?}", describe(), self.name(t), self.names(&found));
            }
        }
        found.len()
    }

    /// Value types that only a boxed or argument position reaches are candidates as well; but `int` and `string` are not
    /// definitions of the index, so they are offered only where arguments are chosen. `uint` is not at all, but arrays
    /// of it stand for arrays of `int`.
    fn is_in_scope(&self, t: TypeId, query: &Query) -> bool {
        let known = self.universe.well_known().unwrap();
        let is_offered = query.purpose == Purpose::Argument || t != known.int32 && t != known.string;
        is_offered && !self.name(t).contains("UInt32")
    }

    /// Two types with a relation between them, against all pairs.
    fn check_together(&self, random: &mut Random, place: &str) {
        let u = &self.universe;
        for _ in 0..6 {
            let queries = [self.query(random), self.query(random)];
            let (i, j) = if random.percent(50) { (0, 1) } else { (1, 0) };
            let relation = random.pick(&[
                Relation::Same(i, j),
                Relation::Different(i, j),
                Relation::Below(i, j),
                Relation::NotBelow(i, j),
            ]);
            let each = queries.each_ref().map(|query| -> Vec<TypeId> {
                self.solver.candidates(u, query).iter(u).map(|t| t.unwrap()).collect()
            });
            if each.iter().map(Vec::len).product::<usize>() > 20_000 {
                continue;
            }
            let mut wanted = BTreeSet::new();
            for &a in &each[0] {
                for &b in &each[1] {
                    if holds(u, relation, [a, b]) {
                        wanted.insert(vec![a, b]);
                    }
                }
            }
            let assignments = self.solver.together(&queries, &[relation]);
            let found = (0..).map_while(|n| assignments.get(u, n).unwrap());
            let found: Vec<Vec<TypeId>> = found.map(|choice| choice.to_vec()).collect();
            let set: BTreeSet<Vec<TypeId>> = found.iter().cloned().collect();
            assert_eq!(set.len(), found.len(), "{place}");
            // What one type tells of the other can lead deeper than either query alone.
            let missing: Vec<_> = wanted.difference(&set).map(|pair| self.names(pair)).collect();
            assert_eq!(missing, Vec::<Vec<String>>::new(), "{place}: {relation:?}");
            for pair in &found {
                assert!(pair.iter().zip(&queries).all(|(t, query)| self.satisfies(*t, query)), "{place}");
                assert!(
                    holds(u, relation, [pair[0], pair[1]]),
                    "{place}: {relation:?} {:?}",
                    self.names(pair)
                );
            }
        }
    }

    fn check_narrowing(&self, random: &mut Random, place: &str) {
        for _ in 0..10 {
            let (query, more) = (self.query(random), self.query(random));
            let from = self.solver.candidates(&self.universe, &query);
            let _ = from.get(&self.universe, random.below(20));
            let narrowed = self.solver.narrow(&self.universe, &from, &more);
            let found: BTreeSet<TypeId> = narrowed.iter(&self.universe).map(|t| t.unwrap()).collect();
            let afresh = self.solver.clone().fresh(&self.universe, &query.and(&more));
            let in_scope = |types: BTreeSet<TypeId>| -> Vec<String> {
                types.iter().filter(|t| self.is_in_scope(**t, &query)).map(|t| self.name(*t)).collect()
            };
            assert_eq!(in_scope(found), in_scope(afresh), "{place}: {}", self.describe(narrowed.query()));
        }
    }

    fn check_arguments(&self, definition: TypeId, place: &str) {
        let u = &self.universe;
        let arity = u.type_args(definition).len();
        if arity == 0 {
            return;
        }
        // One deeper than the sequences, so that arguments have arguments.
        let bounds = Bounds { depth: self.depth + 1, candidates: 1_000_000, ..self.solver.bounds() };
        let solver = TypeSolver::new(Vec::new(), bounds).with_index(Arc::clone(self.solver.index_of(u)));
        if self.all.len().pow(arity as u32) > 40_000 {
            return;
        }
        let arguments = solver.arguments(u, &ArgumentQuery::new(Generic::Type(definition))).unwrap();
        let mut found = BTreeSet::new();
        for n in 0.. {
            let Some(list) = arguments.get(u, n).unwrap() else { break };
            let instance = list.apply_to_type(u, definition).unwrap();
            assert!(u.satisfies_constraints(instance).unwrap(), "{place}: {}", self.name(instance));
            assert!(found.insert(list.types.to_vec()), "{place}: {} comes twice", self.name(instance));
        }
        for tuple in tuples(&self.all, arity) {
            let instance = u.make_instance(definition, &tuple).unwrap();
            let is_good = u.satisfies_constraints(instance).unwrap();
            assert!(!is_good || found.contains(&tuple), "{place}: {} is missing", self.name(instance));
        }
    }

    /// The meaning of a query, without any cleverness.
    fn satisfies(&self, t: TypeId, query: &Query) -> bool {
        let u = &self.universe;
        let is = |a: TypeId, b: TypeId| u.is_assignable(a, b).unwrap();
        query.kinds.contains(self.kind(t))
            && self.is_well_formed(t)
            && query.must_be.iter().all(|s| is(t, *s))
            && query.must_contain.iter().all(|s| is(*s, t))
            && !query.must_not_be.iter().any(|s| is(t, *s))
            && !query.must_not_contain.iter().any(|s| is(*s, t))
            && !query.not_exactly.contains(&t)
    }

    fn is_well_formed(&self, t: TypeId) -> bool {
        let u = &self.universe;
        match u.ty(t) {
            Type::SzArray(e) | Type::Array { elem: e, .. } => self.is_well_formed(*e),
            _ => {
                u.satisfies_constraints(t).unwrap()
                    && u.type_args(t).iter().all(|arg| self.is_well_formed(*arg))
            }
        }
    }

    fn kind(&self, t: TypeId) -> Kinds {
        let u = &self.universe;
        match () {
            () if u.array_element(t).is_some() => Kinds::ARRAYS,
            () if u.is_value_type(t) => Kinds::VALUES,
            () if u.is_interface(t) || u.is_abstract(t) => Kinds::ABSTRACT,
            () if u.is_delegate(t) => Kinds::DELEGATES,
            () => Kinds::CLASSES,
        }
    }

    fn name(&self, t: TypeId) -> String {
        self.universe.type_name(t)
    }

    fn names<'a>(&self, types: impl IntoIterator<Item = &'a TypeId>) -> Vec<String> {
        types.into_iter().map(|t| self.name(*t)).collect()
    }

    fn describe(&self, query: &Query) -> String {
        format!(
            "depth {}, {:?}: must be {:?}, must contain {:?}, must not be {:?}, must not contain {:?}, not exactly {:?}",
            self.depth,
            query.purpose,
            self.names(&query.must_be),
            self.names(&query.must_contain),
            self.names(&query.must_not_be),
            self.names(&query.must_not_contain),
            self.names(&query.not_exactly),
        )
    }
}

fn holds(u: &Universe, relation: Relation, pair: [TypeId; 2]) -> bool {
    match relation {
        Relation::Same(..) => pair[0] == pair[1],
        Relation::Different(..) => pair[0] != pair[1],
        Relation::Below(i, j) => u.is_assignable(pair[i], pair[j]).unwrap(),
        Relation::NotBelow(i, j) => !u.is_assignable(pair[i], pair[j]).unwrap(),
    }
}

/// All tuples over some types.
fn tuples(of: &[TypeId], length: usize) -> Vec<Vec<TypeId>> {
    (0..length).fold(vec![Vec::new()], |tuples, _| {
        tuples.iter().flat_map(|t| of.iter().map(|x| t.iter().copied().chain([*x]).collect())).collect()
    })
}

trait Fresh {
    fn fresh(self, universe: &Universe, query: &Query) -> BTreeSet<TypeId>;
}

impl Fresh for TypeSolver {
    /// The candidates as a solver finds them that remembers nothing.
    fn fresh(self, universe: &Universe, query: &Query) -> BTreeSet<TypeId> {
        let index = Arc::clone(self.index_of(universe));
        let bounds = self.bounds();
        let fresh = TypeSolver::new(Vec::new(), bounds).with_index(index);
        fresh.candidates(universe, query).iter(universe).map(|t| t.unwrap()).collect()
    }
}
