//! Types and their interning.

use std::rc::Rc;

use crate::layout::{Layout, Shape};
use crate::memo::Memo;
use crate::sig::FnSig;
use crate::type_def::TypeDefInfo;
use crate::vtable::VTable;
use crate::{AssemblyId, Error, FieldId, MethodId, Result, TypeId, Universe, limits};

/// The structure of a type. Custom modifiers are not part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// A class, interface or value type, instantiated over `args` (those of enclosing types included).
    Def {
        assembly: AssemblyId,
        def: cil::TypeDefId,
        args: Box<[TypeId]>,
    },
    /// `T[]`: one dimension, lower bound zero.
    SzArray(TypeId),
    /// `T[,]` and the like; `rank` may be 1 (`T[*]`).
    Array {
        elem: TypeId,
        rank: u32,
    },
    ByRef(TypeId),
    Pointer(TypeId),
    FnPtr(Box<FnSig>),
    /// `!n`: a generic parameter of a type.
    Var(u32),
    /// `!!n`: a generic parameter of a method.
    MVar(u32),
    /// A generic parameter as a type of its own (see [`crate::parameter`]).
    Param {
        assembly: AssemblyId,
        id: cil::GenericParamId,
    },
    /// A made-up class (see [`crate::mock`]).
    Mock {
        base: TypeId,
        interfaces: Box<[TypeId]>,
    },
}

/// A type and all that is remembered about it.
pub(crate) struct TypeEntry {
    pub ty: Type,
    pub def: Option<Rc<TypeDefInfo>>,
    pub depth: u32,
    pub size: u32,
    /// Does it mention `Var` or `MVar`?
    pub open: bool,
    /// Does it mention `Param`?
    pub reflected: bool,
    pub base: Memo<Option<TypeId>>,
    pub declared_interfaces: Memo<Box<[TypeId]>>,
    pub interfaces: Memo<Box<[TypeId]>>,
    pub methods: Memo<Box<[MethodId]>>,
    pub fields: Memo<Box<[FieldId]>>,
    pub layout: Memo<Layout>,
    pub shape: Memo<Shape>,
    pub vtable: Memo<VTable>,
}

impl Universe {
    /// The structure of a type.
    pub fn ty(&self, t: TypeId) -> &Type {
        &self.type_entry(t).ty
    }

    /// The generic arguments of a type; empty for anything but instantiated definitions.
    pub fn type_args(&self, t: TypeId) -> &[TypeId] {
        match self.ty(t) {
            Type::Def { args, .. } => args,
            _ => &[],
        }
    }

    /// Does the type mention generic variables?
    pub fn is_open(&self, t: TypeId) -> bool {
        self.type_entry(t).open
    }

    /// Instantiates a generic definition (given by any of its instantiations).
    pub fn make_instance(&self, definition: TypeId, args: &[TypeId]) -> Result<TypeId> {
        let Type::Def { assembly, def, args: own } = self.ty(definition) else {
            return Err(Error::TypeLoad {
                ty: self.type_name(definition).into(),
                why: "it is not generic".into(),
            });
        };
        if own.len() != args.len() {
            let why = format!("it has {} generic parameters, not {}", own.len(), args.len());
            return Err(Error::TypeLoad { ty: self.type_name(definition).into(), why: why.into() });
        }
        for &arg in args {
            if matches!(self.ty(arg), Type::ByRef(_)) {
                let why = "a by-ref type cannot be a generic argument".into();
                return Err(Error::TypeLoad { ty: self.type_name(definition).into(), why });
            }
        }
        self.intern(Type::Def { assembly: *assembly, def: *def, args: args.into() })
    }

    pub fn make_sz_array(&self, elem: TypeId) -> Result<TypeId> {
        self.intern(Type::SzArray(elem))
    }

    pub fn make_array(&self, elem: TypeId, rank: u32) -> Result<TypeId> {
        if rank == 0 || rank > crate::refused::MOST_DIMENSIONS {
            let why = format!("an array of rank {rank} is not possible");
            return Err(Error::TypeLoad { ty: self.type_name(elem).into(), why: why.into() });
        }
        self.intern(Type::Array { elem, rank })
    }

    pub fn make_byref(&self, target: TypeId) -> Result<TypeId> {
        self.intern(Type::ByRef(target))
    }

    pub fn make_pointer(&self, target: TypeId) -> Result<TypeId> {
        self.intern(Type::Pointer(target))
    }

    /// The open definition of an instantiated type (itself for anything else).
    pub fn definition(&self, t: TypeId) -> TypeId {
        match &self.type_entry(t).def {
            Some(info) => self.open_of(info).unwrap_or(t),
            None => t,
        }
    }

    /// Is this a definition over its own variables or parameters (also: not generic at all)?
    pub fn is_definition(&self, t: TypeId) -> bool {
        let Type::Def { assembly, args, .. } = self.ty(t) else { return true };
        args.iter().enumerate().all(|(i, arg)| match self.ty(*arg) {
            Type::Var(n) => *n as usize == i,
            Type::Param { assembly: a, id } => {
                let own = self.def_info(t).and_then(|info| info.generic_parameters.get(i));
                a == assembly && own.is_some_and(|own| own.id == *id)
            }
            _ => false,
        })
    }

    pub(crate) fn open_of(&self, info: &TypeDefInfo) -> Result<TypeId> {
        if let Some(open) = info.open.get() {
            return Ok(*open);
        }
        let args: Result<Box<[TypeId]>> =
            (0..info.generic_parameters.len() as u32).map(|n| self.var(n)).collect();
        let open = self.intern(Type::Def { assembly: info.assembly, def: info.id, args: args? })?;
        Ok(*info.open.get_or_init(|| open))
    }

    pub(crate) fn var(&self, number: u32) -> Result<TypeId> {
        self.intern(Type::Var(number))
    }

    pub(crate) fn mvar(&self, number: u32) -> Result<TypeId> {
        self.intern(Type::MVar(number))
    }

    pub(crate) fn intern(&self, ty: Type) -> Result<TypeId> {
        if let Some(known) = self.type_ids.borrow().get(&ty) {
            return Ok(*known);
        }
        let (depth, size, open) = self.measure(&ty);
        if depth > limits::TYPE_DEPTH || size > limits::TYPE_SIZE {
            return Err(Error::Expansion { what: "a generic type".into() });
        }
        let def = match &ty {
            Type::Def { assembly, def, .. } => Some(self.type_def_info(*assembly, *def)?),
            _ => None,
        };
        let entry = TypeEntry {
            reflected: self.has_parameter(&ty),
            ty: ty.clone(),
            def,
            depth,
            size,
            open,
            base: Memo::default(),
            declared_interfaces: Memo::default(),
            interfaces: Memo::default(),
            methods: Memo::default(),
            fields: Memo::default(),
            layout: Memo::default(),
            shape: Memo::default(),
            vtable: Memo::default(),
        };
        let id = TypeId(self.types.push(entry) as u32);
        self.type_ids.borrow_mut().insert(ty, id);
        Ok(id)
    }

    /// (depth, nodes, mentions variables).
    fn measure(&self, ty: &Type) -> (u32, u32, bool) {
        let over = |parts: &mut dyn Iterator<Item = TypeId>| {
            parts.fold((1, 1u32, false), |(depth, size, open), part| {
                let entry = self.type_entry(part);
                (depth.max(entry.depth + 1), size.saturating_add(entry.size), open || entry.open)
            })
        };
        match ty {
            Type::Def { args, .. } => over(&mut args.iter().copied()),
            Type::SzArray(t) | Type::ByRef(t) | Type::Pointer(t) | Type::Array { elem: t, .. } => {
                over(&mut std::iter::once(*t))
            }
            Type::FnPtr(sig) => over(&mut sig.params.iter().copied().chain([sig.ret])),
            Type::Var(_) | Type::MVar(_) => (1, 1, true),
            Type::Param { .. } => (1, 1, false),
            Type::Mock { base, interfaces } => over(&mut interfaces.iter().copied().chain([*base])),
        }
    }

    fn has_parameter(&self, ty: &Type) -> bool {
        let has = |t: &TypeId| self.type_entry(*t).reflected;
        match ty {
            Type::Def { args, .. } => args.iter().any(has),
            Type::SzArray(t) | Type::ByRef(t) | Type::Pointer(t) | Type::Array { elem: t, .. } => has(t),
            Type::FnPtr(sig) => sig.params.iter().any(has) || has(&sig.ret),
            Type::Var(_) | Type::MVar(_) => false,
            Type::Param { .. } => true,
            Type::Mock { base, interfaces } => has(base) || interfaces.iter().any(has),
        }
    }

    pub(crate) fn type_entry(&self, t: TypeId) -> &TypeEntry {
        match self.types.get(t.index()) {
            Some(entry) => entry,
            None => unreachable!("{t:?} belongs to another universe"),
        }
    }

    /// Facts of the definition behind a type; `None` for arrays, pointers, variables…
    pub fn def_info(&self, t: TypeId) -> Option<&TypeDefInfo> {
        self.type_entry(t).def.as_deref()
    }
}
