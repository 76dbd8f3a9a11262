//! Which methods are explored for which places: the methods that these lie in, for a proof, and public ones that can get
//! there, for a test that anybody could write.

use std::collections::{BTreeMap, BTreeSet};

use cil::{MethodDefId, Pdb, Token};
use types::{AssemblyId, MethodId, Universe};
use verdict::SourceLine;
use vm::flow::CallGraph;

use super::lookup::{Asked, Lookup, Question, Spot};
use crate::error::Error;
use crate::hierarchy;
use crate::subject::catalog;
use crate::subject::sources::Sources;
use crate::subject::target::{Body, Target};

/// Public methods that are tried for one place, nearest first.
const MOST_ENTRIES: usize = 8;

/// What is to be done.
#[derive(Debug, Default)]
pub struct Plan {
    pub questions: Vec<Question>,
    /// What is wanted of the methods that are explored for places, by their tokens.
    pub wanted: BTreeMap<u32, BTreeSet<Spot>>,
    /// Methods that are explored for the exceptions that leave them.
    pub whole: BTreeSet<u32>,
    /// The methods in the order of preference for a test.
    pub order: Vec<u32>,
    /// Those that anybody can call.
    pub public: BTreeSet<u32>,
    /// How places are named: the id of the method, and the line of the code.
    pub named: BTreeMap<Spot, (String, Option<SourceLine>)>,
    /// The bodies that places lie in, by token: what a test goes through in them is what it is kept for.
    pub bodies: BTreeMap<u32, Body>,
}

impl Plan {
    /// Looks up the locations and chooses what to explore; the methods in the order of their tokens.
    pub fn of(
        universe: &Universe,
        assembly: AssemblyId,
        name: &str,
        targets: &[Target],
        texts: &[String],
    ) -> Result<(Plan, Vec<Target>), Error> {
        let loaded = universe.assembly(assembly);
        let pdb = Pdb::find_for(loaded.module(), loaded.path()).ok().flatten();
        let lookup = Lookup { assembly: name, module: loaded.module(), pdb: pdb.as_ref(), targets };
        let questions = texts.iter().map(|text| lookup.find(text)).collect::<Result<Vec<_>, _>>()?;
        let sources = Sources::of(loaded.module(), loaded.path());
        let mut planner =
            Planner { universe, assembly, targets, graph: None, sources, plan: Plan::default() };
        for question in &questions {
            planner.add(question, name)?;
        }
        let chosen = planner.chosen();
        Ok((Plan { questions, ..planner.plan }, chosen))
    }

    /// Everything that is asked about, in any method.
    pub fn spots(&self) -> BTreeSet<Spot> {
        self.wanted.values().flatten().copied().collect()
    }
}

struct Planner<'a> {
    universe: &'a Universe,
    assembly: AssemblyId,
    targets: &'a [Target],
    /// Made for the first place that is not public.
    graph: Option<CallGraph>,
    sources: Sources,
    plan: Plan,
}

impl Planner<'_> {
    fn add(&mut self, question: &Question, assembly: &str) -> Result<(), Error> {
        match &question.asked {
            Asked::Exception { name, methods } => {
                hierarchy::check_exception(self.universe, self.assembly, name, assembly)?;
                self.plan.whole.extend(methods);
                for token in methods {
                    self.explore(*token);
                    if self.method(*token).is_some_and(|(_, method)| self.is_public(method)) {
                        self.plan.public.insert(*token);
                    }
                }
            }
            Asked::Instructions(spots) => spots.iter().for_each(|spot| self.add_spot(*spot)),
        }
        Ok(())
    }

    fn add_spot(&mut self, spot: Spot) {
        let Some((def, method)) = self.method(spot.method) else { return };
        let named = (self.universe.method_id(method), self.sources.line(def, spot.offset));
        self.plan.named.insert(spot, named);
        if let Some(described) = catalog::described(self.universe, self.assembly, def, &self.sources) {
            self.plan.bodies.extend(described.bodies.into_iter().take(1).map(|body| (body.token, body)));
        }
        if !self.is_public(method) {
            for entry in self.entries(method) {
                self.plan.wanted.entry(entry).or_default().insert(spot);
                self.plan.public.insert(entry);
                self.explore(entry);
            }
        } else {
            self.plan.public.insert(spot.method);
        }
        self.plan.wanted.entry(spot.method).or_default().insert(spot);
        self.explore(spot.method);
    }

    fn explore(&mut self, token: u32) {
        if !self.plan.order.contains(&token) {
            self.plan.order.push(token);
        }
    }

    /// The public methods that are the fewest calls away.
    fn entries(&mut self, to: MethodId) -> Vec<u32> {
        let (universe, assembly) = (self.universe, self.assembly);
        let graph = self.graph.get_or_insert_with(|| CallGraph::of(universe, assembly));
        let definition = universe.method_definition(to).unwrap_or(to);
        let away = graph.away_from([definition]);
        let mut near: Vec<(u32, u32)> = Vec::new();
        for target in self.targets {
            let Some((_, method)) = method_of(universe, assembly, target.token) else { continue };
            if method != to
                && is_public(universe, method)
                && let Some(calls) = graph.from_method(&away, method)
            {
                near.push((calls, target.token));
            }
        }
        near.sort_unstable();
        near.into_iter().take(MOST_ENTRIES).map(|(_, token)| token).collect()
    }

    fn is_public(&self, method: MethodId) -> bool {
        is_public(self.universe, method)
    }

    fn method(&self, token: u32) -> Option<(MethodDefId, MethodId)> {
        method_of(self.universe, self.assembly, token)
    }

    /// What is explored, in the order of tokens; also bodies that the compiler made.
    fn chosen(&self) -> Vec<Target> {
        let mut tokens = self.plan.order.clone();
        tokens.sort_unstable();
        let known = |token: u32| self.targets.iter().find(|target| target.token == token).cloned();
        let made = |token: u32| {
            let (def, _) = self.method(token)?;
            catalog::described(self.universe, self.assembly, def, &self.sources)
        };
        tokens.into_iter().filter_map(|token| known(token).or_else(|| made(token))).collect()
    }
}

fn method_of(universe: &Universe, assembly: AssemblyId, token: u32) -> Option<(MethodDefId, MethodId)> {
    let def = MethodDefId::from_token(Token::from_raw(token))?;
    Some((def, universe.method_of_token(assembly, def).ok()?))
}

/// Whether anybody can call it.
fn is_public(universe: &Universe, method: MethodId) -> bool {
    let info = universe.method(method);
    info.is_public() && universe.is_visible(info.owner) && !info.is_static_constructor()
}
