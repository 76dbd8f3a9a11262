//! A lazy sequence of candidates: what is known is kept, what is asked for beyond it is searched.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use types::{Result, Type, TypeId, Universe};

use crate::arrays::Arrays;
use crate::check;
use crate::declaration::Declaration;
use crate::index::Stage;
use crate::needs::{Need, supertypes};
use crate::product::{Product, Search};
use crate::solver::Shared;
use crate::{Bound, Purpose, Query};

/// The answer to a query. Cheap to clone; clones share what is known.
#[derive(Clone)]
pub struct Candidates {
    pub(crate) shared: Rc<Shared>,
    pub(crate) sequence: Rc<Sequence>,
}

impl Candidates {
    /// Candidate number `n`; `None` when there are no more (see [`Candidates::bound`]).
    pub fn get(&self, universe: &Universe, n: usize) -> Result<Option<TypeId>> {
        self.sequence.get(&self.shared, universe, n)
    }

    /// The candidates one after the other.
    pub fn iter<'a>(&'a self, universe: &'a Universe) -> impl Iterator<Item = Result<TypeId>> + 'a {
        (0..).map_while(move |n| self.get(universe, n).transpose())
    }

    /// The bound that the search has met so far: there may be types that the sequence does not have.
    pub fn bound(&self) -> Option<Bound> {
        self.sequence.bound()
    }

    pub fn query(&self) -> &Query {
        &self.sequence.query
    }

    /// Candidates found so far.
    pub fn known(&self) -> usize {
        self.sequence.known()
    }

    /// Has the search ended?
    pub fn is_complete(&self) -> bool {
        self.sequence.is_complete()
    }
}

pub(crate) struct Sequence {
    query: Query,
    depth: u32,
    state: RefCell<State>,
}

struct State {
    known: Vec<TypeId>,
    seen: FxHashSet<TypeId>,
    bound: Option<Bound>,
    work: usize,
    is_over: bool,
    source: Source,
}

enum Source {
    Search(Box<Plan>),
    /// The candidates of a weaker query, from a place on.
    Narrowed(Rc<Sequence>, usize),
    Over,
}

/// What is still to be looked at.
struct Plan {
    first: std::vec::IntoIter<TypeId>,
    definitions: Arc<[u32]>,
    cursor: usize,
    /// Arrays come before the definitions from this position of the index on; `None`: they had their turn.
    arrays_before: Option<u32>,
    /// Among arguments, those that need made-up arguments themselves: their turn comes after the others of their group.
    put_off: VecDeque<(u8, Stream)>,
    /// Those that have more than one candidate, taking turns.
    streams: VecDeque<(Stream, usize)>,
}

enum Stream {
    Instances(TypeId, Box<Product>),
    Arrays(Arrays),
}

impl Sequence {
    pub fn new(shared: &Shared, universe: &Universe, query: Query, depth: u32) -> Sequence {
        let plan = Plan::new(shared, universe, &query);
        Sequence::from(query, depth, shared.bounds.work, Source::Search(Box::new(plan)))
    }

    /// The candidates of `parent` that satisfy a stronger query.
    pub fn narrowed(parent: Rc<Sequence>, query: Query) -> Sequence {
        let depth = parent.depth;
        Sequence::from(query, depth, usize::MAX, Source::Narrowed(parent, 0))
    }

    fn from(query: Query, depth: u32, work: usize, source: Source) -> Sequence {
        let state = State {
            known: Vec::new(),
            seen: FxHashSet::default(),
            bound: None,
            work,
            is_over: false,
            source,
        };
        Sequence { query, depth, state: RefCell::new(state) }
    }

    pub fn get(&self, shared: &Shared, universe: &Universe, n: usize) -> Result<Option<TypeId>> {
        let mut state = self.state.borrow_mut();
        while state.known.len() <= n && !state.is_over {
            self.search(&mut state, shared, universe)?;
        }
        Ok(state.known.get(n).copied())
    }

    pub fn bound(&self) -> Option<Bound> {
        self.state.borrow().bound
    }

    pub fn known(&self) -> usize {
        self.state.borrow().known.len()
    }

    pub fn is_complete(&self) -> bool {
        self.state.borrow().is_over
    }

    /// Looks at one more type, or finds that there is none.
    fn search(&self, state: &mut State, shared: &Shared, universe: &Universe) -> Result<()> {
        let spent = match () {
            () if state.known.len() >= shared.bounds.candidates => {
                Some(Bound::Candidates(shared.bounds.candidates))
            }
            () if state.work == 0 => Some(Bound::Work(shared.bounds.work)),
            () => None,
        };
        if spent.is_some() {
            state.bound = spent;
            state.is_over = true;
            state.source = Source::Over;
            return Ok(());
        }
        state.work -= 1;
        shared.steps.set(shared.steps.get() + 1);
        let found = match &mut state.source {
            Source::Narrowed(parent, place) => {
                let next = parent.get(shared, universe, *place)?;
                *place += 1;
                if next.is_none() {
                    state.bound = state.bound.max(parent.bound());
                    state.is_over = true;
                }
                next
            }
            Source::Over => None,
            Source::Search(plan) => {
                let mut search = Search { shared, universe, work: &mut state.work };
                let mut step = plan.step(&mut search, &self.query, self.depth)?;
                state.bound = state.bound.max(step.bound);
                state.is_over = step.is_over;
                step.found.take()
            }
        };
        if let Some(t) = found
            && !state.seen.contains(&t)
            && check::satisfies(universe, t, &self.query)
        {
            state.seen.insert(t);
            state.known.push(t);
        }
        if state.is_over {
            // Nothing is asked of these any more.
            state.seen = FxHashSet::default();
            state.source = Source::Over;
        }
        Ok(())
    }
}

/// The outcome of looking at one thing.
#[derive(Default)]
struct Looked {
    found: Option<TypeId>,
    bound: Option<Bound>,
    is_over: bool,
}

impl Plan {
    fn new(shared: &Shared, u: &Universe, query: &Query) -> Plan {
        let index = shared.index(u);
        let is_open = query.exactly.is_none();
        let definitions =
            if is_open { definitions(shared, u, query).unwrap_or_default() } else { Arc::default() };
        Plan {
            first: first(u, query).into_iter(),
            definitions,
            cursor: 0,
            arrays_before: is_open.then(|| index.first_of(Stage::Simple(0))),
            put_off: VecDeque::new(),
            streams: VecDeque::new(),
        }
    }

    fn step(&mut self, search: &mut Search<'_>, query: &Query, depth: u32) -> Result<Looked> {
        if let Some(t) = self.first.next() {
            return Ok(Looked { found: Some(t), ..Looked::default() });
        }
        let next = self.definitions.get(self.cursor).copied();
        let stage = next.and_then(|next| search.shared.index(search.universe).def(next)).map(|def| def.stage);
        if let Some((group, _)) = self.put_off.front()
            && stage.is_none_or(|stage| stage.group() > *group)
            && let Some((_, stream)) = self.put_off.pop_front()
        {
            return self.take(search, stream, 0, query);
        }
        if let Some(before) = self.arrays_before
            && next.is_none_or(|next| next >= before)
        {
            self.arrays_before = None;
            return match Arrays::new(search, query, depth) {
                Ok(Some(arrays)) => self.take(search, Stream::Arrays(arrays), 0, query),
                _ => Ok(Looked::default()),
            };
        }
        if let Some(next) = next {
            self.cursor += 1;
            return self.definition(search, next, query, depth);
        }
        match self.streams.pop_front() {
            Some((stream, taken)) => self.take(search, stream, taken, query),
            None => Ok(Looked { is_over: true, ..Looked::default() }),
        }
    }

    fn definition(
        &mut self,
        search: &mut Search<'_>,
        position: u32,
        query: &Query,
        depth: u32,
    ) -> Result<Looked> {
        let u = search.universe;
        let Some(def) = search.shared.index(u).def(position) else { return Ok(Looked::default()) };
        if !query.kinds.meets(def.possible_kinds()) {
            return Ok(Looked::default());
        }
        // What cannot be loaded is no candidate.
        let Ok(open) = search.shared.open_type(u, def) else { return Ok(Looked::default()) };
        if !query.kinds.contains(check::kind_of(u, open)) {
            return Ok(Looked::default());
        }
        if def.arity == 0 {
            return Ok(Looked { found: Some(open), ..Looked::default() });
        }
        match instances(u, open, query, depth) {
            Ok(Some(product)) if query.purpose == Purpose::Argument && !product.is_determined() => {
                self.put_off.push_back((def.stage.group(), Stream::Instances(open, Box::new(product))));
                Ok(Looked::default())
            }
            Ok(Some(product)) => self.take(search, Stream::Instances(open, Box::new(product)), 0, query),
            _ => Ok(Looked::default()),
        }
    }

    /// The next candidate of a stream, of which some were taken, and which then waits for its next turn.
    fn take(
        &mut self,
        search: &mut Search<'_>,
        mut stream: Stream,
        taken: usize,
        query: &Query,
    ) -> Result<Looked> {
        let (found, bound) = match &mut stream {
            // A definition whose constraints cannot be read has no instances.
            Stream::Instances(open, product) => match product.next(search) {
                Ok(Some(args)) => (search.universe.make_instance(*open, &args).ok(), product.bound()),
                _ => return Ok(Looked { bound: product.bound(), ..Looked::default() }),
            },
            Stream::Arrays(arrays) => match arrays.next(search) {
                Ok(Some(t)) => (Some(t), arrays.bound()),
                _ => return Ok(Looked { bound: arrays.bound(), ..Looked::default() }),
            },
        };
        let most = search.shared.bounds.instances;
        if query.purpose == Purpose::Object && taken >= most {
            // This one shows that there are more; nobody sees it.
            return Ok(Looked { bound: bound.max(Some(Bound::Instances(most))), ..Looked::default() });
        }
        self.streams.push_back((stream, taken + 1));
        Ok(Looked { found, bound, is_over: false })
    }
}

/// The instances of a generic definition that can satisfy a query; `None` if none can.
fn instances(u: &Universe, open: TypeId, query: &Query, depth: u32) -> Result<Option<Product>> {
    let declaration = Declaration::of_type(u, open)?;
    let matcher = declaration.matcher(u);
    let mut alternatives = vec![vec![Need::default(); declaration.args.len()]];
    for (&t, is_above) in
        query.must_be.iter().map(|t| (t, false)).chain(query.must_contain.iter().map(|t| (t, true)))
    {
        let mut next = Vec::new();
        for needs in alternatives {
            next.extend(match is_above {
                true => matcher.above(open, t, needs)?,
                false => matcher.below(open, t, needs)?,
            });
        }
        alternatives = next;
    }
    if alternatives.is_empty() {
        return Ok(None);
    }
    Ok(Some(Product::new(declaration, Vec::new(), alternatives, depth)))
}

/// Definitions that can have candidates, in the order of preference.
fn definitions(shared: &Shared, u: &Universe, query: &Query) -> Result<Arc<[u32]>> {
    let index = shared.index(u);
    let is_array = |t: &TypeId| matches!(u.ty(*t), Type::SzArray(_) | Type::Array { .. });
    // Nothing but itself is below a type that is no definition; a bare variable stands for anything.
    let is_lonely = |t: &TypeId| u.def_info(*t).is_none() && !u.is_open(*t);
    if query.must_be.iter().any(|t| is_array(t) || is_lonely(t)) {
        return Ok(Arc::default());
    }
    let wanted: Vec<TypeId> = query.must_be.iter().copied().filter(|t| u.def_info(*t).is_some()).collect();
    let below = index.below_all(u, &wanted);
    let mut above: Option<FxHashSet<u32>> = None;
    for &given in &query.must_contain {
        let mut found = FxHashSet::default();
        for supertype in supertypes(u, given)? {
            found.extend(index.same_name(u, supertype));
        }
        found.extend(index.same_name(u, u.well_known()?.object));
        found.extend(index.same_name(u, u.well_known()?.nullable_def));
        if is_array(&given) {
            let array = u.well_known()?.array;
            for supertype in supertypes(u, array)? {
                found.extend(index.same_name(u, supertype));
            }
        }
        above = Some(match above {
            Some(others) => others.intersection(&found).copied().collect(),
            None => found,
        });
    }
    Ok(match above {
        Some(above) => below.iter().copied().filter(|position| above.contains(position)).collect(),
        None => below,
    })
}

/// Types that come before all others, if they satisfy the query.
fn first(u: &Universe, query: &Query) -> Vec<TypeId> {
    if let Some(exactly) = query.exactly {
        return vec![exactly];
    }
    let mut first = query.prefer.clone();
    match query.purpose {
        Purpose::Object => {
            first.extend(&query.must_be);
            first.extend(query.must_be.iter().filter_map(|t| u.nullable_argument(*t)));
        }
        Purpose::Argument => {
            first.extend(u.well_known().iter().flat_map(|known| [known.int32, known.string]));
        }
    }
    first
}
