//! What the parameters of a generic definition must be so that its instances are below or above a given type.
//!
//! The search follows each parameter of the definition through its base classes and interfaces (all of them) into the
//! arguments of the wanted type. Classes are invariant, interfaces and delegates as declared. The wanted type may have
//! variables in it too: there they stand for anything. The answer is a list of alternatives, since a definition can
//! implement one interface in several ways; no alternatives: no instance fits. It never excludes an instance that fits,
//! but may admit some that do not: instances are checked in the end.

use types::{Result, Type, TypeId, Universe, Variance};

/// What one parameter must be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Need {
    pub exactly: Option<TypeId>,
    /// Supertypes.
    pub below: Vec<TypeId>,
    /// Subtypes.
    pub above: Vec<TypeId>,
    /// Variance and arrays move references only.
    pub is_reference: bool,
}

impl Need {
    /// Both; `None` if that is impossible.
    pub fn and(mut self, other: &Need) -> Option<Need> {
        match (self.exactly, other.exactly) {
            (Some(a), Some(b)) if a != b => return None,
            (None, exactly) => self.exactly = exactly,
            _ => {}
        }
        for (mine, theirs) in [(&mut self.below, &other.below), (&mut self.above, &other.above)] {
            for t in theirs {
                if !mine.contains(t) {
                    mine.push(*t);
                }
            }
        }
        self.is_reference |= other.is_reference;
        Some(self)
    }
}

/// The needs of all parameters: those of the type first, then those of the method.
pub(crate) type Needs = Vec<Need>;

/// Matches open types with wanted ones.
#[derive(Clone, Copy)]
pub(crate) struct Matcher<'a> {
    pub universe: &'a Universe,
    /// Parameters of the type; those of the method are numbered after them.
    pub types: usize,
}

/// Matching goes into arguments of arguments; variance inside of variance may expand for ever.
const MAX_DEPTH: u32 = 12;
/// Alternatives that are followed at a time.
const MAX_ALTERNATIVES: usize = 64;

impl Matcher<'_> {
    /// The number of a variable.
    pub fn slot(&self, t: TypeId) -> Option<usize> {
        match self.universe.ty(t) {
            Type::Var(n) => Some(*n as usize),
            Type::MVar(n) => Some(self.types + *n as usize),
            _ => None,
        }
    }

    /// `open` must be assignable to `wanted`.
    pub fn below(&self, open: TypeId, wanted: TypeId, needs: Needs) -> Result<Vec<Needs>> {
        self.below_at(open, wanted, needs, 0)
    }

    /// `given` must be assignable to `open`.
    pub fn above(&self, open: TypeId, given: TypeId, needs: Needs) -> Result<Vec<Needs>> {
        self.above_at(open, given, needs, 0)
    }

    fn below_at(&self, open: TypeId, wanted: TypeId, needs: Needs, depth: u32) -> Result<Vec<Needs>> {
        let u = self.universe;
        if self.slot(wanted).is_some() {
            return Ok(vec![needs]);
        }
        if let Some(slot) = self.slot(open) {
            return Ok(with(needs, slot, Need { below: vec![wanted], ..Need::default() }));
        }
        if wanted == u.well_known()?.object || open == wanted && !u.is_open(open) {
            return Ok(vec![needs]);
        }
        if !u.is_open(open) && !u.is_open(wanted) {
            return Ok(if u.is_assignable(open, wanted)? { vec![needs] } else { Vec::new() });
        }
        if depth > MAX_DEPTH {
            return Ok(vec![needs]);
        }
        match (u.ty(open), u.ty(wanted)) {
            (Type::SzArray(e) | Type::Array { elem: e, rank: 1 }, Type::SzArray(w))
            | (Type::SzArray(e), Type::Array { elem: w, rank: 1 }) => self.element(*e, *w, needs, depth),
            (Type::Array { elem: e, rank: m }, Type::Array { elem: w, rank: n }) if m == n => {
                self.element(*e, *w, needs, depth)
            }
            (Type::SzArray(e), Type::Def { args, .. }) => {
                match (self.universe.is_array_interface(wanted)?, &**args) {
                    (true, [w]) => self.element(*e, *w, needs, depth),
                    _ => self.below_at(u.well_known()?.array, wanted, needs, depth + 1),
                }
            }
            (Type::Array { .. }, Type::Def { .. }) => {
                self.below_at(u.well_known()?.array, wanted, needs, depth + 1)
            }
            (Type::Def { .. }, Type::Def { .. }) => {
                let mut found = Vec::new();
                for supertype in supertypes(u, open)? {
                    if u.definition(supertype) == u.definition(wanted) {
                        found.extend(self.arguments(supertype, wanted, false, &needs, depth)?);
                    }
                }
                Ok(distinct(found))
            }
            _ => Ok(Vec::new()),
        }
    }

    fn above_at(&self, open: TypeId, given: TypeId, needs: Needs, depth: u32) -> Result<Vec<Needs>> {
        let u = self.universe;
        if self.slot(given).is_some() {
            return Ok(vec![needs]);
        }
        if let Some(slot) = self.slot(open) {
            return Ok(with(needs, slot, Need { above: vec![given], ..Need::default() }));
        }
        if open == u.well_known()?.object || open == given && !u.is_open(open) {
            return Ok(vec![needs]);
        }
        if !u.is_open(open) && !u.is_open(given) {
            return Ok(if u.is_assignable(given, open)? { vec![needs] } else { Vec::new() });
        }
        if depth > MAX_DEPTH {
            return Ok(vec![needs]);
        }
        match (u.ty(open), u.ty(given)) {
            (Type::SzArray(o), Type::SzArray(g)) => self.element_of(*o, *g, needs, depth),
            (Type::Array { elem: o, rank: m }, Type::Array { elem: g, rank: n }) if m == n => {
                self.element_of(*o, *g, needs, depth)
            }
            (Type::Def { args, .. }, Type::SzArray(g)) => {
                match (self.universe.is_array_interface(open)?, &**args) {
                    (true, [o]) => self.element_of(*o, *g, needs, depth),
                    _ => self.above_at(open, u.well_known()?.array, needs, depth + 1),
                }
            }
            (Type::Def { .. }, Type::Def { .. }) => {
                let mut found = Vec::new();
                let nullable = u.nullable_argument(open).map(|argument| self.same(argument, given, &needs));
                found.extend(nullable.transpose()?.unwrap_or_default());
                for supertype in supertypes(u, given)? {
                    if u.definition(supertype) == u.definition(open) {
                        found.extend(self.arguments(open, supertype, true, &needs, depth)?);
                    }
                }
                Ok(distinct(found))
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Two instantiations of one definition: the open one below the other, or above it.
    fn arguments(
        &self,
        open: TypeId,
        other: TypeId,
        is_above: bool,
        needs: &Needs,
        depth: u32,
    ) -> Result<Vec<Needs>> {
        let u = self.universe;
        let Some(info) = u.def_info(open) else { return Ok(Vec::new()) };
        let mut alternatives = vec![needs.clone()];
        let pairs = u.type_args(open).iter().zip(u.type_args(other));
        for (parameter, (&x, &y)) in info.generic_parameters.iter().zip(pairs) {
            let is_above = match parameter.variance() {
                Variance::None => None,
                Variance::Covariant => Some(is_above),
                Variance::Contravariant => Some(!is_above),
            };
            let mut next = Vec::new();
            for needs in alternatives {
                // What is no reference does not vary.
                let fixed = |t: TypeId| self.slot(t).is_none() && !u.is_reference(t);
                next.extend(match is_above {
                    // Anything will do there, also what is no reference.
                    _ if self.slot(y).is_some() => vec![needs],
                    Some(_) if fixed(x) || fixed(y) => self.same(x, y, &needs)?,
                    Some(true) => self.above_at(x, y, self.reference(x, needs), depth + 1)?,
                    Some(false) => self.below_at(x, y, self.reference(x, needs), depth + 1)?,
                    None => self.same(x, y, &needs)?,
                });
            }
            next.truncate(MAX_ALTERNATIVES);
            alternatives = next;
        }
        Ok(alternatives)
    }

    /// The same type: variables of `open` are learnt, those of `other` stand for anything.
    fn same(&self, open: TypeId, other: TypeId, needs: &Needs) -> Result<Vec<Needs>> {
        let u = self.universe;
        if open == other && !u.is_open(open) || self.slot(other).is_some() {
            return Ok(vec![needs.clone()]);
        }
        if let Some(slot) = self.slot(open) {
            let need = match u.is_open(other) {
                true => Need { below: vec![other], ..Need::default() },
                false => Need { exactly: Some(other), ..Need::default() },
            };
            return Ok(with(needs.clone(), slot, need));
        }
        match (u.ty(open), u.ty(other)) {
            (Type::Def { args: x, .. }, Type::Def { args: y, .. })
                if u.definition(open) == u.definition(other) =>
            {
                let mut alternatives = vec![needs.clone()];
                for (&x, &y) in x.iter().zip(y) {
                    let mut next = Vec::new();
                    for needs in &alternatives {
                        next.extend(self.same(x, y, needs)?);
                    }
                    alternatives = next;
                }
                Ok(alternatives)
            }
            (Type::SzArray(x), Type::SzArray(y)) | (Type::Pointer(x), Type::Pointer(y)) => {
                self.same(*x, *y, needs)
            }
            (Type::Array { elem: x, rank: m }, Type::Array { elem: y, rank: n }) if m == n => {
                self.same(*x, *y, needs)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Elements of arrays: references covariantly; numbers of one size for each other.
    fn element(&self, open: TypeId, wanted: TypeId, needs: Needs, depth: u32) -> Result<Vec<Needs>> {
        let u = self.universe;
        if self.slot(wanted).is_some() {
            return Ok(vec![needs]);
        }
        if u.is_reference(wanted) {
            let needs = self.reference(open, needs);
            return self.below_at(open, wanted, needs, depth + 1);
        }
        let mut found = self.same(open, wanted, &needs)?;
        if let Some(twin) = twin(u, wanted)? {
            found.extend(self.same(open, twin, &needs)?);
        }
        Ok(found)
    }

    fn element_of(&self, open: TypeId, given: TypeId, needs: Needs, depth: u32) -> Result<Vec<Needs>> {
        if self.slot(given).is_some() {
            return Ok(vec![needs]);
        }
        if self.universe.is_reference(given) {
            let needs = self.reference(open, needs);
            return self.above_at(open, given, needs, depth + 1);
        }
        let mut found = self.same(open, given, &needs)?;
        if let Some(twin) = twin(self.universe, given)? {
            found.extend(self.same(open, twin, &needs)?);
        }
        Ok(found)
    }

    fn reference(&self, open: TypeId, mut needs: Needs) -> Needs {
        if let Some(need) = self.slot(open).and_then(|slot| needs.get_mut(slot)) {
            need.is_reference = true;
        }
        needs
    }
}

/// A type, its base classes, and all its interfaces.
pub(crate) fn supertypes(u: &Universe, t: TypeId) -> Result<Vec<TypeId>> {
    let mut all = vec![t];
    let mut current = t;
    while let Some(base) = u.base(current)? {
        all.push(base);
        current = base;
    }
    all.extend(u.interfaces(t)?.iter().copied().filter(|i| *i != t));
    Ok(all)
}

fn with(mut needs: Needs, slot: usize, need: Need) -> Vec<Needs> {
    let Some(place) = needs.get_mut(slot) else { return vec![needs] };
    match std::mem::take(place).and(&need) {
        Some(both) => {
            *place = both;
            vec![needs]
        }
        None => Vec::new(),
    }
}

fn distinct(found: Vec<Needs>) -> Vec<Needs> {
    let mut all: Vec<Needs> = Vec::new();
    for needs in found {
        if all.len() < MAX_ALTERNATIVES && !all.contains(&needs) {
            all.push(needs);
        }
    }
    all
}

/// The integer type of the same size: `int[]` and `uint[]` stand for each other.
fn twin(u: &Universe, t: TypeId) -> Result<Option<TypeId>> {
    let known = u.well_known()?;
    let pairs = [
        (known.sbyte, known.byte),
        (known.int16, known.uint16),
        (known.int32, known.uint32),
        (known.int64, known.uint64),
        (known.intptr, known.uintptr),
    ];
    Ok(pairs.iter().find_map(|(a, b)| match t {
        t if t == *a => Some(*b),
        t if t == *b => Some(*a),
        _ => None,
    }))
}
