//! Assignment compatibility (ECMA-335 I.8.7) as CoreCLR decides casts: base classes, interfaces, co- and
//! contravariance, arrays with the interchangeable element types, `T` to `Nullable<T>`.

use crate::type_def::{Primitive, Variance};
use crate::{Result, Type, TypeId, Universe, limits};

/// Pairs under question: meeting one again inside itself answers no, as the runtime does.
type Pending = Vec<(TypeId, TypeId)>;

impl Universe {
    /// May a location of type `to` hold an object whose exact type is `from`? (Value types count as boxed.)
    pub fn is_assignable(&self, from: TypeId, to: TypeId) -> Result<bool> {
        if from == to {
            return Ok(true);
        }
        if let Some(known) = self.assignable.borrow().get(&(from, to)) {
            return Ok(*known);
        }
        let answer = self.assignable_within(from, to, &mut Vec::new())?;
        self.assignable.borrow_mut().insert((from, to), answer);
        Ok(answer)
    }

    fn assignable_within(&self, from: TypeId, to: TypeId, pending: &mut Pending) -> Result<bool> {
        if from == to {
            return Ok(true);
        }
        if pending.len() >= limits::SUBTYPE_DEPTH || pending.contains(&(from, to)) {
            return Ok(false);
        }
        pending.push((from, to));
        let answer = self.decide(from, to, pending);
        pending.pop();
        answer
    }

    fn decide(&self, from: TypeId, to: TypeId, pending: &mut Pending) -> Result<bool> {
        match (self.ty(from), self.ty(to)) {
            (Type::Def { .. } | Type::Mock { .. }, Type::Def { .. }) => {
                if self.nullable_argument(to) == Some(from) {
                    return Ok(true);
                }
                if self.is_interface(to) {
                    return self.implements(from, to, pending);
                }
                self.derives(from, to, pending)
            }
            (Type::SzArray(_) | Type::Array { .. }, Type::Def { .. }) => self.array_is(from, to, pending),
            (Type::SzArray(a), Type::SzArray(b)) => self.element_fits(*a, *b, pending),
            (Type::SzArray(a), Type::Array { elem: b, rank: 1 }) => self.element_fits(*a, *b, pending),
            (Type::Array { elem: a, rank: m }, Type::Array { elem: b, rank: n }) => {
                Ok(m == n && self.element_fits(*a, *b, pending)?)
            }
            (Type::ByRef(a), Type::ByRef(b)) | (Type::Pointer(a), Type::Pointer(b)) => {
                self.element_fits(*a, *b, pending)
            }
            (Type::Var(_) | Type::MVar(_), Type::Def { .. }) => Ok(to == self.well_known()?.object),
            (Type::Param { assembly, id }, _) => {
                for constraint in self.parameter_constraints(*assembly, *id)? {
                    if self.assignable_within(constraint, to, pending)? {
                        return Ok(true);
                    }
                }
                let is_value =
                    self.parameter_facts(*assembly, *id).is_some_and(|facts| facts.must_be_value());
                let known = self.well_known()?;
                Ok(to == known.object || is_value && Some(to) == self.base(known.int32)?)
            }
            _ => Ok(false),
        }
    }

    fn derives(&self, from: TypeId, to: TypeId, pending: &mut Pending) -> Result<bool> {
        if self.is_interface(from) {
            return Ok(to == self.well_known()?.object);
        }
        let mut current = Some(from);
        while let Some(t) = current {
            if t == to || self.varies(t, to, pending)? {
                return Ok(true);
            }
            current = self.base(t)?;
        }
        Ok(false)
    }

    fn implements(&self, from: TypeId, to: TypeId, pending: &mut Pending) -> Result<bool> {
        let all = self.interfaces(from)?;
        if all.contains(&to) {
            return Ok(true);
        }
        if self.varies(from, to, pending)? {
            return Ok(true);
        }
        for &interface in all {
            if self.varies(interface, to, pending)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Two instantiations of one variant definition.
    fn varies(&self, from: TypeId, to: TypeId, pending: &mut Pending) -> Result<bool> {
        let (Type::Def { assembly: a, def: d, args: x }, Type::Def { assembly: b, def: e, args: y }) =
            (self.ty(from), self.ty(to))
        else {
            return Ok(false);
        };
        if (a, d) != (b, e) {
            return Ok(false);
        }
        let Some(info) = self.def_info(to) else { return Ok(false) };
        for ((parameter, &x), &y) in info.generic_parameters.iter().zip(x).zip(y) {
            let fits = x == y
                || match parameter.variance() {
                    Variance::None => false,
                    Variance::Covariant => self.reference_fits(x, y, pending)?,
                    Variance::Contravariant => self.reference_fits(y, x, pending)?,
                };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Variance moves references only: `IEnumerable<int>` is no `IEnumerable<object>`.
    fn reference_fits(&self, from: TypeId, to: TypeId, pending: &mut Pending) -> Result<bool> {
        Ok(self.is_reference(from) && self.assignable_within(from, to, pending)?)
    }

    /// An array as a class or interface type.
    fn array_is(&self, array: TypeId, to: TypeId, pending: &mut Pending) -> Result<bool> {
        let known = self.well_known()?;
        if !self.is_interface(to) {
            return self.derives(known.array, to, pending);
        }
        if let (Type::SzArray(elem), Some(wanted)) = (self.ty(array), self.array_interface_argument(to)?) {
            let generic = !self.declared_interfaces(array)?.is_empty();
            return Ok(generic && self.element_fits(*elem, wanted, pending)?);
        }
        self.implements(array, to, pending)
    }

    /// Whether it is one of the generic interfaces that every `T[]` has.
    pub fn is_array_interface(&self, interface: TypeId) -> Result<bool> {
        Ok(self.array_interface_argument(interface)?.is_some())
    }

    /// The `T` of `IList<T>` and the other generic interfaces every `T[]` has.
    pub(crate) fn array_interface_argument(&self, interface: TypeId) -> Result<Option<TypeId>> {
        let [argument] = self.type_args(interface) else { return Ok(None) };
        let known = self.well_known()?;
        let definition = Some(self.definition(interface));
        let of_arrays = [
            known.ilist_def,
            known.icollection_def,
            known.ienumerable_def,
            known.iread_only_list_def,
            known.iread_only_collection_def,
        ];
        Ok(of_arrays.contains(&definition).then_some(*argument))
    }

    /// Array elements: references covariantly; integers of one size, and enums over them, for each other.
    fn element_fits(&self, from: TypeId, to: TypeId, pending: &mut Pending) -> Result<bool> {
        if from == to {
            return Ok(true);
        }
        if self.is_reference(from) {
            return Ok(self.is_reference(to) && self.assignable_within(from, to, pending)?);
        }
        let (Some(x), Some(y)) = (self.underlying_primitive(from)?, self.underlying_primitive(to)?) else {
            return Ok(false);
        };
        Ok(reduced(x) == reduced(y))
    }
}

/// Integers of one size stand for each other; native ones only among themselves; `bool` and `char` for nothing else.
fn reduced(p: Primitive) -> Primitive {
    match p {
        Primitive::U1 => Primitive::I1,
        Primitive::U2 => Primitive::I2,
        Primitive::U4 => Primitive::I4,
        Primitive::U8 => Primitive::I8,
        Primitive::U => Primitive::I,
        other => other,
    }
}
