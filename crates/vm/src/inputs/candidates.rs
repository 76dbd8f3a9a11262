//! Which classes an object behind a reference can have, the most natural one first.
//!
//! The type solver knows the classes; this machine can make some of them. What is left out is said.

use std::rc::Rc;

use type_solver::{Bounds, Query, TypeSolver};
use types::{MethodId, Type, TypeId, Universe};

use crate::code::{Code, Op};
use crate::machine::Machine;
use verdict::Gap;

/// Classes that are tried behind one reference.
pub(super) const MAX_CANDIDATES: usize = 64;
/// Types that the solver is asked for, to find those that can be made.
const MAX_ASKED: usize = 256;
/// Classes that are tried for the sake of one test for an interface or an abstract class.
const MAX_FOR_TEST: usize = 2;
/// Types that the solver is asked for, to find these.
const MAX_ASKED_FOR_TEST: usize = 16;
/// Methods that are searched for the types they test for.
const MAX_SEARCHED: usize = 200;

impl Machine {
    /// Classes that an object behind a reference of this type can have: its own, collections of the framework, then
    /// those that the type solver finds, those of the assemblies under test first.
    pub fn candidates(&self, ty: TypeId) -> Result<Rc<[TypeId]>, Gap> {
        if let Some(known) = self.classes.candidates.borrow().get(&ty) {
            return Ok(Rc::clone(known));
        }
        let found: Rc<[TypeId]> = self.find_candidates(ty)?.into();
        self.classes.candidates.borrow_mut().insert(ty, Rc::clone(&found));
        Ok(found)
    }

    fn find_candidates(&self, ty: TypeId) -> Result<Vec<TypeId>, Gap> {
        let universe = &self.universe;
        let mut found = Vec::new();
        if is_instantiable(universe, ty) || self.is_made(ty) {
            found.push(ty);
        }
        found.extend(self.standard_collections(ty)?);
        found.extend(self.covariant_arrays(ty)?);
        if universe.array_element(ty).is_some()
            || universe.is_sealed(ty)
            || self.is_list(ty)
            || self.is_filled(ty)
        {
            return Ok(found);
        }
        for &tested in &self.classes.tested {
            let fits = universe.is_value_type(tested) || is_instantiable(universe, tested);
            if fits && universe.is_assignable(tested, ty)? {
                self.add_candidate(ty, tested, &mut found);
            } else if !fits && tested != ty {
                self.add_candidates_below(ty, tested, &mut found)?;
            }
        }
        let sequence = self.type_solver().candidates(universe, &Query::object(ty));
        for candidate in sequence.iter(universe).take(MAX_ASKED) {
            // One more than are tried, so that the lack is noticed.
            if found.len() > MAX_CANDIDATES {
                break;
            }
            let candidate = candidate?;
            let is_known = self.is_collection(candidate) || self.is_made(candidate);
            let fits = is_instantiable(universe, candidate) && !is_known;
            // Behind an interface of the framework nobody else can put what the assembly keeps to itself.
            if fits && self.is_framework(ty) && !universe.is_visible(candidate) {
                self.classes.unnameable.borrow_mut().insert(ty);
                continue;
            }
            if fits || self.is_boxed_for(candidate, ty) {
                self.add_candidate(ty, candidate, &mut found);
            }
        }
        Ok(found)
    }

    /// Classes behind a reference of one type that pass a test for another, which has no objects of its own.
    fn add_candidates_below(&self, ty: TypeId, tested: TypeId, found: &mut Vec<TypeId>) -> Result<(), Gap> {
        let universe = &self.universe;
        let both = Query { must_be: vec![ty, tested], ..Query::default() };
        let sequence = self.type_solver().candidates(universe, &both);
        let enough = found.len() + MAX_FOR_TEST;
        for candidate in sequence.iter(universe).take(MAX_ASKED_FOR_TEST) {
            let candidate = candidate?;
            if found.len() < enough && is_instantiable(universe, candidate) {
                self.add_candidate(ty, candidate, found);
            }
        }
        Ok(())
    }

    fn add_candidate(&self, ty: TypeId, candidate: TypeId, found: &mut Vec<TypeId>) {
        if !self.is_nameable(candidate) {
            self.classes.unnameable.borrow_mut().insert(ty);
        } else if !found.contains(&candidate) && self.why_not_made(candidate).is_none() {
            found.push(candidate);
        }
    }

    /// Whether somebody could have such an object: a class that the compiler made, and one that another assembly keeps to
    /// itself, are nobody's to make. What the assembly under test keeps to itself its own code makes.
    fn is_nameable(&self, candidate: TypeId) -> bool {
        let universe = &self.universe;
        let Some(info) = universe.def_info(candidate) else { return true };
        let is_made_up = universe.type_name(universe.definition(candidate)).contains('<');
        let zone = &self.recording.zone;
        !is_made_up && (universe.is_visible(candidate) || zone.contains(info.assembly) || zone.is_open())
    }

    /// A structure of the assemblies under test, behind an interface that it implements.
    fn is_boxed_for(&self, candidate: TypeId, ty: TypeId) -> bool {
        let universe = &self.universe;
        universe.is_interface(ty)
            && universe.is_value_type(candidate)
            && !universe.is_enum(candidate)
            && !self.is_framework(candidate)
    }

    /// What the framework's interfaces get in any case, in the shapes that suit them.
    fn is_collection(&self, ty: TypeId) -> bool {
        self.universe.array_element(ty).is_some() || self.is_list(ty) || self.is_filled(ty)
    }

    /// Answers what types there are.
    pub fn type_solver(&self) -> &TypeSolver {
        self.classes.type_solver.get_or_init(|| {
            let universe = &self.universe;
            let is_users = |assembly: &types::AssemblyId| {
                let first = universe.type_defs(*assembly).next().and_then(Result::ok);
                first.is_some_and(|ty| !self.is_framework(ty))
            };
            let roots = universe.assemblies().filter(is_users).collect();
            TypeSolver::new(roots, Bounds::default())
        })
    }

    /// An array of a subtype can stand behind a reference to an array of objects.
    fn covariant_arrays(&self, ty: TypeId) -> Result<Vec<TypeId>, Gap> {
        let universe = &self.universe;
        let Type::SzArray(element) = *universe.ty(ty) else { return Ok(Vec::new()) };
        if universe.is_value_type(element) || universe.is_sealed(element) {
            return Ok(Vec::new());
        }
        let known = universe.well_known()?;
        if element == known.object {
            return Ok(vec![universe.make_sz_array(known.string)?]);
        }
        // Of a class that others can extend one subclass is enough: no proof rests on which there are.
        let most = if universe.is_extensible(element) || universe.is_interface(element) {
            1
        } else {
            MAX_CANDIDATES
        };
        let candidates = self.candidates(element)?;
        if self.classes.unnameable.borrow().contains(&element) {
            self.classes.unnameable.borrow_mut().insert(ty);
        }
        let subtypes = candidates.iter().filter(|candidate| **candidate != element).take(most);
        Ok(subtypes.map(|subtype| universe.make_sz_array(*subtype)).collect::<Result<_, _>>()?)
    }

    /// The types that a method and the methods it calls test for: they can be what is behind a reference to a base of
    /// theirs.
    pub(crate) fn types_tested_by(&mut self, code: &Rc<Code>) -> Vec<TypeId> {
        let mut tested = Vec::new();
        let mut seen: Vec<MethodId> = vec![code.method];
        let mut waiting = vec![Rc::clone(code)];
        while let Some(code) = waiting.pop() {
            self.add_tested_types(&code, &mut tested);
            for site in &code.calls {
                let owner = self.universe.method(site.method).owner;
                if seen.len() >= MAX_SEARCHED || seen.contains(&site.method) || self.is_framework(owner) {
                    continue;
                }
                seen.push(site.method);
                waiting.extend(self.code(site.method));
            }
        }
        tested
    }

    fn add_tested_types(&self, code: &Code, tested: &mut Vec<TypeId>) {
        for op in &code.ops {
            let (Op::IsInst(ty) | Op::CastClass(ty) | Op::Unbox(ty) | Op::UnboxAny(ty, _)) = *op else {
                continue;
            };
            let universe = &self.universe;
            let ty = universe.nullable_argument(ty).unwrap_or(ty);
            if !tested.contains(&ty) && !universe.is_open(ty) && !universe.is_byref_like(ty) {
                tested.push(ty);
            }
        }
    }

    /// Says that classes were left out which no test can name, if so.
    pub(super) fn limit_unnameable(&mut self, ty: TypeId) {
        if self.classes.unnameable.borrow().contains(&ty) {
            let name = self.universe.type_name(ty);
            let detail =
                format!("classes that no test can name are not tried behind a reference of type {name}");
            self.inputs.limit(Gap::bound(detail));
        }
    }

    /// Says what the candidates leave out.
    pub(super) fn limit_candidates(&mut self, ty: TypeId, count: usize) {
        self.limit_unnameable(ty);
        let universe = &self.universe;
        let name = universe.type_name(ty);
        let is_exact = universe.is_sealed(ty) || self.is_list(ty) || self.is_filled(ty);
        let is_framework = self.is_framework(ty);
        let is_abstract = universe.is_interface(ty) || universe.is_abstract(ty);
        let mut limits = Vec::new();
        if is_framework && !is_exact && universe.array_element(ty).is_none() {
            let detail = format!("not every class is tried behind a reference of type {name}");
            limits.push(Gap::unsupported_input(detail));
        }
        // Nobody else can implement what is not visible outside of its assembly.
        if !is_framework && is_abstract && universe.is_visible(ty) {
            let detail =
                format!("only the classes of the assembly are tried behind a reference of type {name}");
            limits.push(Gap::bound(detail));
        }
        if count > MAX_CANDIDATES {
            let detail = format!("only {MAX_CANDIDATES} classes are tried behind a reference of type {name}");
            limits.push(Gap::bound(detail));
        }
        limits.into_iter().for_each(|limit| self.inputs.limit(limit));
    }
}

fn is_instantiable(universe: &Universe, ty: TypeId) -> bool {
    !universe.is_interface(ty)
        && !universe.is_abstract(ty)
        && !universe.is_value_type(ty)
        && !universe.is_delegate(ty)
}
