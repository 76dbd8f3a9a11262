//! What is known of the members of classes, for all methods that are explored one after the other.
//!
//! It depends on the code alone. Without it, looking through an assembly for whoever makes or changes an object took a third
//! of the time of an exploration.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use types::{AssemblyId, MethodId, TypeId, Universe};

use super::calls::{self, Member};
use super::touches::Touched;

#[derive(Default)]
pub(crate) struct Members {
    touched: FxHashMap<MethodId, Rc<Touched>>,
    creators: FxHashMap<TypeId, Rc<[Member]>>,
    changing: FxHashMap<TypeId, Rc<[MethodId]>>,
    callable: FxHashMap<AssemblyId, Rc<[(TypeId, MethodId)]>>,
}

impl Members {
    /// What a method may do to fields.
    pub(super) fn touched(&mut self, universe: &Universe, method: MethodId) -> Rc<Touched> {
        let found = self.touched.entry(method).or_insert_with(|| Rc::new(Touched::by(universe, method)));
        Rc::clone(found)
    }

    /// Members that give an object of a class.
    pub(super) fn creators(&mut self, universe: &Universe, class: TypeId) -> Rc<[Member]> {
        if let Some(known) = self.creators.get(&class) {
            return Rc::clone(known);
        }
        let found: Rc<[Member]> = calls::creators(universe, self, class).into();
        self.creators.insert(class, Rc::clone(&found));
        found
    }

    /// Methods that may change an object of a class.
    pub(super) fn changing(&mut self, universe: &Universe, class: TypeId) -> Rc<[MethodId]> {
        let found = self.changing.entry(class).or_insert_with(|| calls::changing(universe, class).into());
        Rc::clone(found)
    }

    /// The methods of an assembly that a test can call, but for constructors, each with its type.
    pub(super) fn callable(&mut self, universe: &Universe, home: AssemblyId) -> Rc<[(TypeId, MethodId)]> {
        let all =
            || universe.type_defs(home).flatten().flat_map(|ty| calls::callable(universe, ty)).collect();
        Rc::clone(self.callable.entry(home).or_insert_with(all))
    }
}
