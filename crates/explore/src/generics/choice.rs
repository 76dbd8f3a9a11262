//! Lists of type arguments, one after another: first those of both kinds, then those that the code speaks of, then
//! whatever else differs.

use std::collections::VecDeque;

use type_solver::{ArgumentQuery, Generic, Kinds, Query, TypeSolver};
use types::{MethodId, Result, TypeId, Universe};

use super::mentions;

/// Simple types that are tried after everything else, for each parameter.
const SIMPLE: usize = 7;

/// Instantiations of a definition, in the order in which they should be explored; searched for when they are asked for.
pub struct Instantiations {
    solver: TypeSolver,
    method: MethodId,
    wishes: VecDeque<Wish>,
    /// Wishes at the front that are there to have a value and a reference type for every parameter.
    kinds_left: usize,
    given: Vec<MethodId>,
}

/// Constraints beyond those that are declared.
struct Wish {
    parameters: Vec<Query>,
    /// The number of the answer.
    number: usize,
    /// Only if nothing was found before.
    is_last_resort: bool,
}

impl Instantiations {
    /// Those of a method as its type declares it.
    pub fn of(universe: &Universe, solver: &TypeSolver, method: MethodId) -> Instantiations {
        let info = universe.method(method);
        let count = universe.type_args(info.owner).len() + info.args.len();
        let first = both_kinds(count);
        let kinds_left = first.len();
        let mentioned = mentions::of(universe, method);
        let mentioned: Vec<TypeId> =
            mentioned.into_iter().filter_map(|ty| closed(universe, solver, ty)).collect();
        let wishes = first.into_iter().chain(like(&mentioned, count)).chain(others(count)).collect();
        Instantiations { solver: solver.clone(), method, wishes, kinds_left, given: Vec::new() }
    }

    /// The next one, unlike all before it.
    pub fn next(&mut self, universe: &Universe) -> Result<Option<MethodId>> {
        while let Some(wish) = self.wishes.pop_front() {
            self.kinds_left = self.kinds_left.saturating_sub(1);
            if wish.is_last_resort && !self.given.is_empty() {
                continue;
            }
            let mut query = ArgumentQuery::new(Generic::Method(self.method));
            query.parameters = wish.parameters;
            let found = self.solver.arguments(universe, &query)?;
            let Some(list) = found.get(universe, wish.number)? else { continue };
            if list.iter().any(|argument| has_static_abstracts(universe, argument)) {
                continue;
            }
            let method = list.apply_to_method(universe, self.method)?;
            if !self.given.contains(&method) {
                self.given.push(method);
                return Ok(Some(method));
            }
        }
        Ok(None)
    }

    /// Whether both kinds of types had their turn.
    pub fn has_both_kinds(&self) -> bool {
        let mut left = self.wishes.iter().take(self.kinds_left);
        left.all(|wish| wish.is_last_resort && !self.given.is_empty())
    }

    /// Whether nothing more is wished for.
    pub fn is_over(&self) -> bool {
        self.wishes.is_empty()
    }
}

/// Whether a type is an interface with static members that it leaves open: no language takes it for an argument.
fn has_static_abstracts(universe: &Universe, ty: TypeId) -> bool {
    let is_open = |ty: TypeId| {
        let methods = universe.methods(ty).unwrap_or_default();
        methods.iter().map(|m| universe.method(*m)).any(|m| m.is_static() && m.is_abstract())
    };
    universe.is_interface(ty)
        && (is_open(ty) || universe.interfaces(ty).unwrap_or_default().iter().any(|above| is_open(*above)))
}

/// Some instance of a definition; any other type is itself.
fn closed(universe: &Universe, solver: &TypeSolver, ty: TypeId) -> Option<TypeId> {
    if !universe.is_open(ty) {
        return Some(ty);
    }
    let query = ArgumentQuery::new(Generic::Type(ty));
    let list = solver.arguments(universe, &query).ok()?.get(universe, 0).ok()??;
    list.apply_to_type(universe, ty).ok()
}

/// A value type where the other list has a reference type; and whatever there is, should the constraints not allow that.
fn both_kinds(count: usize) -> Vec<Wish> {
    let kind = |number: usize| match number % 2 {
        0 => Kinds::VALUES,
        _ => Kinds::CLASSES,
    };
    let list = |turn: usize| (0..count).map(|n| of_kind(kind(n + turn))).collect();
    let mut wishes = vec![Wish::new(list(0)), Wish::new(list(1))];
    // Arguments that depend on each other may have to be of one kind, or of no kind that is named here.
    let same = [of_kind(Kinds::VALUES), of_kind(Kinds::CLASSES), Query::argument()];
    wishes.extend(same.map(|query| Wish { is_last_resort: true, ..Wish::new(vec![query; count]) }));
    wishes
}

/// Each mentioned type, and what is below it, for each parameter.
fn like(mentioned: &[TypeId], count: usize) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for &ty in mentioned {
        let below = Query { must_be: vec![ty], ..of_kind(Kinds::CLASSES.or(Kinds::VALUES)) };
        let same = Query { must_be: vec![ty], must_contain: vec![ty], ..Query::argument() };
        for query in [same, below] {
            wishes.extend((0..count).map(|n| Wish::new(one_of(count, n, query.clone()))));
        }
    }
    wishes
}

/// Types of the kinds that are rarer between simple ones in their order.
fn others(count: usize) -> Vec<Wish> {
    let rare = [
        (Kinds::NULLABLES, 0),
        (Kinds::ARRAYS, 0),
        (Kinds::ABSTRACT, 0),
        (Kinds::DELEGATES, 0),
        (Kinds::ABSTRACT, 1),
        (Kinds::ABSTRACT, 2),
    ];
    let mut wishes = Vec::new();
    if count > 1 {
        wishes.extend([Kinds::VALUES, Kinds::CLASSES].map(|kind| Wish::new(vec![of_kind(kind); count])));
    }
    for number in 1..SIMPLE {
        for kind in [Kinds::VALUES, Kinds::CLASSES] {
            for n in 0..count {
                wishes.push(Wish { number, ..Wish::new(one_of(count, n, of_kind(kind))) });
            }
        }
        if let Some(&(kind, number)) = rare.get(number - 1) {
            let wish = |n| Wish { number, ..Wish::new(one_of(count, n, of_kind(kind))) };
            wishes.extend((0..count).map(wish));
        }
    }
    wishes
}

impl Wish {
    fn new(parameters: Vec<Query>) -> Wish {
        Wish { parameters, number: 0, is_last_resort: false }
    }
}

fn of_kind(kinds: Kinds) -> Query {
    Query { kinds, ..Query::argument() }
}

fn one_of(count: usize, number: usize, query: Query) -> Vec<Query> {
    (0..count).map(|n| if n == number { query.clone() } else { Query::argument() }).collect()
}
