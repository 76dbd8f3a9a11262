//! The solver: the index, the assemblies of the universe it speaks of, and the sequences it remembers.

use std::cell::{Cell, OnceCell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use types::{AssemblyId, Error, Result, TypeId, Universe};

use crate::index::{Def, Index};
use crate::sequence::{Candidates, Sequence};
use crate::{Bounds, Query};

/// Answers queries over one universe. Cheap to clone; clones share what is remembered.
#[derive(Clone)]
pub struct TypeSolver {
    pub(crate) shared: Rc<Shared>,
}

/// What all sequences of a solver share.
pub(crate) struct Shared {
    pub bounds: Bounds,
    roots: Vec<AssemblyId>,
    index: OnceCell<Arc<Index>>,
    /// The assemblies of the index, in the universe; loaded when a definition of theirs is looked at.
    assemblies: RefCell<FxHashMap<u32, Option<AssemblyId>>>,
    sequences: RefCell<FxHashMap<(Query, u32), Rc<Sequence>>>,
    /// Steps of all sequences so far: a search pays for those that it causes in others.
    pub steps: Cell<usize>,
}

impl TypeSolver {
    /// A solver over the assemblies under test and all they refer to. The index is made by the first query.
    pub fn new(roots: Vec<AssemblyId>, bounds: Bounds) -> TypeSolver {
        TypeSolver {
            shared: Rc::new(Shared {
                bounds,
                roots,
                index: OnceCell::new(),
                assemblies: RefCell::default(),
                sequences: RefCell::default(),
                steps: Cell::new(0),
            }),
        }
    }

    /// Uses an index that was made before, perhaps by another thread for the same assemblies.
    pub fn with_index(self, index: Arc<Index>) -> TypeSolver {
        let _ = self.shared.index.set(index);
        self
    }

    pub fn bounds(&self) -> Bounds {
        self.shared.bounds
    }

    /// The index, made now if it is not there.
    pub fn index_of(&self, universe: &Universe) -> &Arc<Index> {
        self.shared.index(universe)
    }

    /// The types that satisfy a query, the most welcome first. Equal queries share one sequence.
    pub fn candidates(&self, universe: &Universe, query: &Query) -> Candidates {
        let sequence = self.shared.sequence(universe, query, self.shared.bounds.depth);
        Candidates { shared: Rc::clone(&self.shared), sequence }
    }

    /// The candidates that satisfy further constraints. What is known of the given ones is filtered; only where it says
    /// too little (a long or bounded sequence that must now be below another type) is the index asked anew.
    pub fn narrow(&self, universe: &Universe, from: &Candidates, more: &Query) -> Candidates {
        let query = from.query().and(more);
        if query == *from.query() {
            return from.clone();
        }
        let depth = self.shared.bounds.depth;
        let sequence = self.shared.remembered(&query, depth).unwrap_or_else(|| {
            let is_filter = more.must_be.is_empty() && more.must_contain.is_empty() && more.exactly.is_none();
            let asks_anew =
                !more.prefer.is_empty() || !(is_filter || from.is_complete() && from.bound().is_none());
            match asks_anew {
                true => self.shared.sequence(universe, &query, depth),
                false => {
                    let narrowed = Sequence::narrowed(Rc::clone(&from.sequence), query.clone());
                    self.shared.remember(query, depth, narrowed)
                }
            }
        });
        Candidates { shared: Rc::clone(&self.shared), sequence }
    }
}

/// What it costs to begin a sequence, in steps.
const STEPS_OF_A_SEQUENCE: usize = 10;

impl Shared {
    pub fn index(&self, universe: &Universe) -> &Arc<Index> {
        self.index.get_or_init(|| {
            let roots: Vec<PathBuf> =
                self.roots.iter().map(|root| universe.assembly(*root).path().to_owned()).collect();
            Index::shared(universe.probing(), &roots)
        })
    }

    /// The sequence of a query whose made-up arguments nest at most `depth` deep.
    pub fn sequence(&self, universe: &Universe, query: &Query, depth: u32) -> Rc<Sequence> {
        if let Some(known) = self.remembered(query, depth) {
            return known;
        }
        self.steps.set(self.steps.get() + STEPS_OF_A_SEQUENCE);
        let sequence = Sequence::new(self, universe, query.clone(), depth);
        self.remember(query.clone(), depth, sequence)
    }

    fn remembered(&self, query: &Query, depth: u32) -> Option<Rc<Sequence>> {
        self.sequences.borrow().get(&(query.clone(), depth)).cloned()
    }

    fn remember(&self, query: Query, depth: u32, sequence: Sequence) -> Rc<Sequence> {
        let sequence = Rc::new(sequence);
        let mut sequences = self.sequences.borrow_mut();
        if sequences.len() >= self.bounds.memo {
            // Whoever still needs one holds it; the others are made again.
            sequences.clear();
        }
        sequences.insert((query, depth), Rc::clone(&sequence));
        sequence
    }

    /// The open type of a definition of the index.
    pub fn open_type(&self, universe: &Universe, def: &Def) -> Result<TypeId> {
        let known = self.assemblies.borrow().get(&def.assembly).copied();
        let assembly = known.unwrap_or_else(|| {
            let path = self.index(universe).path(def.assembly);
            let loaded = path.and_then(|path| universe.load(path).ok());
            self.assemblies.borrow_mut().insert(def.assembly, loaded);
            loaded
        });
        let assembly = assembly.ok_or_else(|| Error::MissingAssembly {
            name: format!("{}", self.index(universe).path(def.assembly).unwrap_or(".".as_ref()).display())
                .into(),
            by: "the index of types".into(),
            full_name: "".into(),
        })?;
        universe.type_of_def(assembly, cil::TypeDefId::new(def.row))
    }
}
