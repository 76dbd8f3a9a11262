//! Arrays as candidates: for array types themselves, for the interfaces of `T[]`, for `System.Array` and `object`.
//!
//! One thing that casts allow is left out on purpose: arrays of enums behind references to arrays of their numbers.

use types::{Result, Type, TypeId, Universe};

use crate::needs::{Matcher, Need};
use crate::product::Search;
use crate::sequence::Sequence;
use crate::{Bound, Kinds, Query};

use std::rc::Rc;

/// Array types that can satisfy a query, by the order of their elements.
pub(crate) struct Arrays {
    shapes: Vec<Shape>,
    bound: Option<Bound>,
}

/// Arrays of one rank over one source of elements.
struct Shape {
    rank: Rank,
    elements: Elements,
    next: usize,
    is_over: bool,
}

#[derive(Clone, Copy)]
enum Rank {
    Vector,
    General(u32),
}

enum Elements {
    Exactly(TypeId),
    Among(Rc<Sequence>),
}

impl Arrays {
    /// `None` if no array can satisfy the query.
    pub fn new(search: &Search<'_>, query: &Query, depth: u32) -> Result<Option<Arrays>> {
        let u = search.universe;
        if !query.kinds.meets(Kinds::ARRAYS) || query.unmanaged || query.with_default_constructor {
            return Ok(None);
        }
        let mut arrays = Arrays { shapes: Vec::new(), bound: None };
        for rank in ranks(u, query) {
            for need in element_needs(u, query, rank)? {
                let elements = match need.exactly {
                    Some(t) => Elements::Exactly(t),
                    None if depth == 0 => {
                        arrays.bound = Some(Bound::Depth(search.shared.bounds.depth));
                        continue;
                    }
                    None => Elements::Among(search.shared.sequence(u, &element_query(u, &need), depth - 1)),
                };
                arrays.shapes.push(Shape { rank, elements, next: 0, is_over: false });
            }
        }
        Ok((!arrays.shapes.is_empty() || arrays.bound.is_some()).then_some(arrays))
    }

    pub fn bound(&self) -> Option<Bound> {
        self.bound
    }

    /// The next array, each shape in its turn.
    pub fn next(&mut self, search: &Search<'_>) -> Result<Option<TypeId>> {
        loop {
            let turn = self.shapes.iter().enumerate().filter(|(_, shape)| !shape.is_over);
            let Some(turn) = turn.min_by_key(|(i, shape)| (shape.next, *i)).map(|(i, _)| i) else {
                return Ok(None);
            };
            let Some(shape) = self.shapes.get_mut(turn) else { return Ok(None) };
            let element = match &shape.elements {
                Elements::Exactly(t) => (shape.next == 0).then_some(*t),
                Elements::Among(sequence) => {
                    let found = sequence.get(search.shared, search.universe, shape.next)?;
                    if found.is_none() {
                        self.bound = self.bound.max(sequence.bound());
                    }
                    found
                }
            };
            shape.next += 1;
            match element {
                Some(element) => return array(search.universe, element, shape.rank).map(Some),
                None => shape.is_over = true,
            }
        }
    }
}

fn array(u: &Universe, element: TypeId, rank: Rank) -> Result<TypeId> {
    match rank {
        Rank::Vector => u.make_sz_array(element),
        Rank::General(rank) => u.make_array(element, rank),
    }
}

/// Ranks that the required types admit: those of arrays they name, else vectors and, as an example, two dimensions.
fn ranks(u: &Universe, query: &Query) -> Vec<Rank> {
    for t in query.must_be.iter().chain(&query.must_contain) {
        match u.ty(*t) {
            Type::SzArray(_) => return vec![Rank::Vector],
            Type::Array { rank: 1, .. } => return vec![Rank::Vector, Rank::General(1)],
            Type::Array { rank, .. } => return vec![Rank::General(*rank)],
            _ => {}
        }
    }
    vec![Rank::Vector, Rank::General(2)]
}

/// What the elements must be, by matching `T[]` with the required types.
fn element_needs(u: &Universe, query: &Query, rank: Rank) -> Result<Vec<Need>> {
    let Some(&variable) = u.type_args(u.well_known()?.nullable_def).first() else { return Ok(Vec::new()) };
    let open = array(u, variable, rank)?;
    let matcher = Matcher { universe: u, types: 1 };
    let mut alternatives = vec![vec![Need::default()]];
    for (wanted, is_above) in
        query.must_be.iter().map(|t| (t, false)).chain(query.must_contain.iter().map(|t| (t, true)))
    {
        let mut next = Vec::new();
        for needs in alternatives {
            next.extend(match is_above {
                true => matcher.above(open, *wanted, needs)?,
                false => matcher.below(open, *wanted, needs)?,
            });
        }
        alternatives = next;
    }
    Ok(alternatives.into_iter().filter_map(|needs| needs.into_iter().next()).collect())
}

fn element_query(u: &Universe, need: &Need) -> Query {
    let mut query = Query::argument();
    query.must_be.clone_from(&need.below);
    query.must_contain.clone_from(&need.above);
    query.prefer = need.below.iter().chain(&need.above).copied().filter(|t| !u.is_open(*t)).collect();
    if need.is_reference {
        query.kinds = query.kinds.and(Kinds::REFERENCES);
    }
    query
}
