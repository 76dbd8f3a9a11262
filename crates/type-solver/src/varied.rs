//! A few lists of arguments that differ in what code distinguishes: values and references, and given types.

use std::rc::Rc;

use types::{Result, TypeId, Universe};

use crate::check::kind_of;
use crate::declaration::Declaration;
use crate::{ArgumentList, ArgumentQuery, Generic, Kinds, Query, TypeSolver};

impl TypeSolver {
    /// At most `limit` lists of arguments: the simplest one; then, for each parameter that no list so far has them for, a
    /// value type, a reference type, and every type that the query prefers. Empty if no arguments fit.
    pub fn varied_arguments(
        &self,
        universe: &Universe,
        query: &ArgumentQuery,
        limit: usize,
    ) -> Result<Vec<Rc<ArgumentList>>> {
        let Some(first) = self.arguments(universe, query)?.get(universe, 0)? else { return Ok(Vec::new()) };
        let mut lists = vec![first];
        for slot in free_slots(universe, query.of)? {
            let at = |list: &ArgumentList| list.iter().nth(slot);
            let kinds = [Kinds::VALUES, Kinds::REFERENCES].map(Wanted::Kind);
            for wanted in query.prefer.iter().copied().map(Wanted::Type).chain(kinds) {
                if lists.len() >= limit {
                    return Ok(lists);
                }
                if lists.iter().any(|list| at(list).is_some_and(|t| wanted.is(universe, t))) {
                    continue;
                }
                let found = self.arguments(universe, &wanted.asked_of(query, slot))?.get(universe, 0)?;
                lists.extend(found);
            }
        }
        Ok(lists)
    }
}

/// What some list should have for a parameter.
enum Wanted {
    Type(TypeId),
    Kind(Kinds),
}

impl Wanted {
    fn is(&self, u: &Universe, t: TypeId) -> bool {
        match self {
            Wanted::Type(wanted) => t == *wanted,
            Wanted::Kind(kinds) => kinds.contains(kind_of(u, t)),
        }
    }

    fn asked_of(&self, query: &ArgumentQuery, slot: usize) -> ArgumentQuery {
        let anything = Query { kinds: Kinds::ARGUMENT.or(Kinds::REF_STRUCTS), ..Query::argument() };
        let more = match self {
            Wanted::Type(t) => Query { exactly: Some(*t), ..anything.clone() },
            Wanted::Kind(kinds) => Query { kinds: *kinds, ..anything.clone() },
        };
        let mut query = query.clone();
        let length = query.parameters.len().max(slot + 1);
        query.parameters.resize(length, anything);
        if let Some(asked) = query.parameters.get_mut(slot) {
            *asked = asked.and(&more);
        }
        query
    }
}

fn free_slots(u: &Universe, of: Generic) -> Result<Vec<usize>> {
    let declaration = match of {
        Generic::Type(t) => Declaration::of_type(u, t)?,
        Generic::Method(m) => Declaration::of_method(u, m)?,
    };
    Ok(declaration.free_slots())
}
