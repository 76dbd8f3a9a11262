//! Base types, interfaces, and what kind of thing a type is.

use crate::sig::Generics;
use crate::type_def::{Kind, Primitive};
use crate::{Error, FieldId, Result, Type, TypeId, Universe, limits};

impl Universe {
    /// The base class; `None` for `System.Object`, interfaces, pointers, variables.
    pub fn base(&self, t: TypeId) -> Result<Option<TypeId>> {
        let cycle = || Error::Cycle { what: format!("the base class of {}", self.type_name(t)).into() };
        self.type_entry(t).base.get(cycle, || self.find_base(t)).copied()
    }

    /// All interfaces of a type: its base's first, then declared ones, each followed by those it inherits.
    pub fn interfaces(&self, t: TypeId) -> Result<&[TypeId]> {
        let cycle = || Error::Cycle { what: format!("an interface of {}", self.type_name(t)).into() };
        let all =
            self.type_entry(t).interfaces.get(cycle, || self.guarded(t, || self.collect_interfaces(t)))?;
        Ok(all)
    }

    /// The interfaces a type itself lists.
    pub fn declared_interfaces(&self, t: TypeId) -> Result<&[TypeId]> {
        let cycle = || Error::Cycle { what: format!("an interface of {}", self.type_name(t)).into() };
        let declared =
            self.type_entry(t).declared_interfaces.get(cycle, || self.find_declared_interfaces(t))?;
        Ok(declared)
    }

    /// `Some` for the built-in numeric types, `bool`, `char`, native integers and `void`; not for enums.
    pub fn primitive(&self, t: TypeId) -> Option<Primitive> {
        self.def_info(t)?.primitive
    }

    /// The primitive behind a primitive type or an enum.
    pub fn underlying_primitive(&self, t: TypeId) -> Result<Option<Primitive>> {
        match self.enum_underlying(t)? {
            Some(underlying) => Ok(self.primitive(underlying)),
            None => Ok(self.primitive(t)),
        }
    }

    pub fn is_value_type(&self, t: TypeId) -> bool {
        self.def_info(t).is_some_and(|info| matches!(info.kind, Kind::Struct | Kind::Enum))
    }

    pub fn is_enum(&self, t: TypeId) -> bool {
        self.def_info(t).is_some_and(|info| info.kind == Kind::Enum)
    }

    pub fn is_interface(&self, t: TypeId) -> bool {
        self.def_info(t).is_some_and(|info| info.kind == Kind::Interface)
    }

    /// A class derived from `System.MulticastDelegate`.
    pub fn is_delegate(&self, t: TypeId) -> bool {
        self.def_info(t).is_some_and(|info| info.kind == Kind::Delegate)
    }

    pub fn is_abstract(&self, t: TypeId) -> bool {
        self.def_info(t).is_some_and(|info| info.is_abstract())
    }

    pub fn is_sealed(&self, t: TypeId) -> bool {
        match self.ty(t) {
            Type::Def { .. } => self.def_info(t).is_some_and(|info| info.is_sealed()),
            Type::SzArray(elem) | Type::Array { elem, .. } => {
                self.is_value_type(*elem) || self.is_sealed(*elem)
            }
            _ => true,
        }
    }

    pub fn is_byref_like(&self, t: TypeId) -> bool {
        self.def_info(t).is_some_and(|info| info.is_byref_like)
    }

    /// `Nullable<T>` of the core library.
    pub fn is_nullable(&self, t: TypeId) -> bool {
        self.def_info(t).is_some_and(|info| info.is_core("System", "Nullable`1"))
    }

    /// The `T` of `Nullable<T>`.
    pub fn nullable_argument(&self, t: TypeId) -> Option<TypeId> {
        if self.is_nullable(t) { self.type_args(t).first().copied() } else { None }
    }

    /// Is a value of this type an object reference (class, interface, array, delegate, string)?
    pub fn is_reference(&self, t: TypeId) -> bool {
        match self.ty(t) {
            Type::Def { .. } => !self.is_value_type(t),
            Type::SzArray(_) | Type::Array { .. } | Type::Mock { .. } => true,
            Type::Param { assembly, id } => {
                self.parameter_facts(*assembly, *id).is_some_and(|facts| facts.must_be_reference())
            }
            _ => false,
        }
    }

    /// The element of an array of any rank.
    pub fn array_element(&self, t: TypeId) -> Option<TypeId> {
        match self.ty(t) {
            Type::SzArray(elem) | Type::Array { elem, .. } => Some(*elem),
            _ => None,
        }
    }

    /// The type an enum's values have: that of its only instance field.
    pub fn enum_underlying(&self, t: TypeId) -> Result<Option<TypeId>> {
        if !self.is_enum(t) {
            return Ok(None);
        }
        let wrong = |why: &str| Error::TypeLoad { ty: self.type_name(t).into(), why: why.into() };
        let mut instance = self.fields(t)?.iter().copied().filter(|f| !self.field(*f).is_static());
        let (Some(field), None) = (instance.next(), instance.next()) else {
            return Err(wrong("an enum must have exactly one instance field"));
        };
        let underlying = self.field_type(field)?;
        match self.primitive(underlying) {
            None | Some(Primitive::Void) => Err(wrong("the underlying type of an enum must be an integer")),
            Some(_) => Ok(Some(underlying)),
        }
    }

    /// The instance fields a type declares itself.
    pub fn instance_fields(&self, t: TypeId) -> Result<impl Iterator<Item = FieldId> + '_> {
        Ok(self.fields(t)?.iter().copied().filter(|f| !self.field(*f).is_static()))
    }

    fn find_base(&self, t: TypeId) -> Result<Option<TypeId>> {
        let (assembly, info) = match (self.ty(t), self.def_info(t)) {
            (Type::SzArray(_) | Type::Array { .. }, _) => return Ok(Some(self.well_known()?.array)),
            (Type::Mock { base, .. }, _) => return Ok(Some(*base)),
            (Type::Def { assembly, .. }, Some(info)) => (*assembly, info),
            _ => return Ok(None),
        };
        let Some(token) = info.extends.filter(|_| info.kind != Kind::Interface) else { return Ok(None) };
        let generics = Generics::Of { types: self.type_args(t), methods: &[] };
        let base = self.type_of_token(assembly, token, generics)?;
        let why = match self.def_info(base) {
            None => Some("its base is not a class"),
            Some(base) if base.kind == Kind::Interface => Some("its base is an interface"),
            Some(_) => None,
        };
        if let Some(why) = why {
            return Err(Error::TypeLoad { ty: self.type_name(t).into(), why: why.into() });
        }
        // Asking the whole chain here finds cycles before anyone walks into them.
        self.guarded(t, || self.base(self.definition(base)))?;
        Ok(Some(base))
    }

    fn find_declared_interfaces(&self, t: TypeId) -> Result<Box<[TypeId]>> {
        if let Type::Mock { interfaces, .. } = self.ty(t) {
            return Ok(interfaces.clone());
        }
        let (Type::Def { assembly: a, .. }, Some(info)) = (self.ty(t), self.def_info(t)) else {
            return self.array_interfaces(t);
        };
        let assembly = self.assembly(*a);
        let generics = Generics::Of { types: self.type_args(t), methods: &[] };
        let mut declared = Vec::new();
        for id in assembly.module().interfaces_of(info.id) {
            let row = assembly.module().interface_impl(id).map_err(|e| assembly.bad(e))?;
            let interface = self.type_of_token(*a, row.interface, generics)?;
            if !self.is_interface(interface) {
                let why = format!("{} is not an interface", self.type_name(interface));
                return Err(Error::TypeLoad { ty: self.type_name(t).into(), why: why.into() });
            }
            declared.push(interface);
        }
        Ok(declared.into())
    }

    /// `T[]` is an `IList<T>` and what comes with it; other arrays have only what `System.Array` has.
    fn array_interfaces(&self, t: TypeId) -> Result<Box<[TypeId]>> {
        let Type::SzArray(elem) = *self.ty(t) else { return Ok(Box::default()) };
        if matches!(self.ty(elem), Type::Pointer(_) | Type::FnPtr(_) | Type::ByRef(_))
            || self.is_byref_like(elem)
        {
            return Ok(Box::default());
        }
        let known = self.well_known()?;
        let generic = [known.ilist_def, known.iread_only_list_def];
        generic.into_iter().flatten().map(|definition| self.make_instance(definition, &[elem])).collect()
    }

    fn collect_interfaces(&self, t: TypeId) -> Result<Box<[TypeId]>> {
        let mut all: indexmap::IndexSet<TypeId, rustc_hash::FxBuildHasher> = Default::default();
        if let Some(base) = self.base(t)? {
            all.extend(self.interfaces(base)?);
        }
        for &declared in self.declared_interfaces(t)? {
            all.insert(declared);
            all.extend(self.interfaces(declared)?);
            if all.len() > limits::INTERFACES {
                return Err(Error::Expansion {
                    what: format!("the interfaces of {}", self.type_name(t)).into(),
                });
            }
        }
        Ok(all.into_iter().collect())
    }

    /// Can code of any other assembly name the type: is it public, and all around it?
    pub fn is_visible(&self, t: TypeId) -> bool {
        match self.ty(t) {
            Type::Def { args, .. } => {
                let Some(info) = self.def_info(t) else { return false };
                let outer = info.enclosing.map(|outer| self.type_of_def(info.assembly, outer));
                let itself = match outer {
                    None => info.visibility() == 1,
                    Some(outer) => info.visibility() == 2 && outer.is_ok_and(|outer| self.is_visible(outer)),
                };
                itself && args.iter().all(|arg| self.is_visible(*arg))
            }
            Type::SzArray(t) | Type::Array { elem: t, .. } | Type::ByRef(t) | Type::Pointer(t) => {
                self.is_visible(*t)
            }
            Type::FnPtr(sig) => sig.params.iter().chain([&sig.ret]).all(|t| self.is_visible(*t)),
            Type::Mock { base, interfaces } => {
                self.is_visible(*base) && interfaces.iter().all(|t| self.is_visible(*t))
            }
            Type::Var(_) | Type::MVar(_) | Type::Param { .. } => true,
        }
    }

    /// Runs a recursive question about `t`, unless too many are under way.
    pub(crate) fn guarded<R>(&self, t: TypeId, question: impl FnOnce() -> Result<R>) -> Result<R> {
        let depth = self.depth.get();
        if depth > limits::RECURSION {
            return Err(Error::Expansion { what: format!("type {}", self.type_name(t)).into() });
        }
        self.depth.set(depth + 1);
        let answer = question();
        self.depth.set(depth);
        answer
    }
}
