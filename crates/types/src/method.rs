//! Methods: interning, flags, signatures, bodies, locals.

use cil::MethodDefId;

use crate::memo::Memo;
use crate::sig::{Generics, MethodSig, SigReader};
use crate::{AssemblyId, Error, MethodId, Result, Type, TypeId, Universe};

/// A method of an instantiated type, with its own generic arguments.
#[derive(Debug, Clone)]
pub struct Method {
    pub owner: TypeId,
    pub name: Box<str>,
    pub kind: MethodKind,
    /// Generic arguments of the method itself; its own `!!n` when it is open.
    pub args: Box<[TypeId]>,
    /// MethodAttributes.
    pub flags: u16,
    /// MethodImplAttributes.
    pub impl_flags: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MethodKind {
    Def { assembly: AssemblyId, def: MethodDefId },
    Array(ArrayMethod),
}

/// The methods the runtime gives to arrays (ECMA-335 II.14.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArrayMethod {
    /// `new T[a, b]` with lengths, or with a lower bound before each length.
    Constructor {
        params: u32,
    },
    Get,
    Set,
    Address,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Local {
    pub ty: TypeId,
    pub is_pinned: bool,
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident: $field:ident & $mask:literal == $value:literal,)*) => {
        impl Method {
            $($(#[$doc])* pub fn $name(&self) -> bool { self.$field & $mask == $value })*
        }
    };
}

flags! {
    is_public: flags & 0x7 == 0x6,
    is_private: flags & 0x7 == 0x1,
    is_static: flags & 0x10 == 0x10,
    is_final: flags & 0x20 == 0x20,
    is_virtual: flags & 0x40 == 0x40,
    is_hide_by_sig: flags & 0x80 == 0x80,
    is_new_slot: flags & 0x100 == 0x100,
    is_strict: flags & 0x200 == 0x200,
    is_abstract: flags & 0x400 == 0x400,
    is_special_name: flags & 0x800 == 0x800,
    is_rt_special_name: flags & 0x1000 == 0x1000,
    is_pinvoke: flags & 0x2000 == 0x2000,
    /// Not CIL but machine code.
    is_native: impl_flags & 0x3 == 0x1,
    /// The runtime provides the body (delegates' methods).
    is_runtime: impl_flags & 0x3 == 0x3,
    is_internal_call: impl_flags & 0x1000 == 0x1000,
    is_synchronized: impl_flags & 0x20 == 0x20,
    is_no_inlining: impl_flags & 0x8 == 0x8,
    is_aggressive_inlining: impl_flags & 0x100 == 0x100,
}

impl Method {
    pub fn is_constructor(&self) -> bool {
        !self.is_static() && &*self.name == ".ctor"
    }

    pub fn is_static_constructor(&self) -> bool {
        self.is_static() && self.is_rt_special_name() && &*self.name == ".cctor"
    }

    /// The definition's token; `None` for array methods.
    pub fn token(&self) -> Option<cil::Token> {
        match self.kind {
            MethodKind::Def { def, .. } => Some(def.token()),
            MethodKind::Array(_) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct MethodKey {
    owner: TypeId,
    kind: MethodKind,
    args: Box<[TypeId]>,
}

pub(crate) struct MethodEntry {
    method: Method,
    signature: Memo<MethodSig>,
    locals: Memo<Box<[Local]>>,
}

impl Universe {
    pub fn method(&self, m: MethodId) -> &Method {
        &self.method_entry(m).method
    }

    /// The declared methods of a type (not inherited ones), in the order of the table; generic ones are open.
    pub fn methods(&self, t: TypeId) -> Result<&[MethodId]> {
        let cycle = || Error::Cycle { what: self.type_name(t).into() };
        let methods = self.type_entry(t).methods.get(cycle, || match self.ty(t) {
            Type::Def { assembly, .. } => {
                let defs = self.def_info(t).map_or(&[][..], |info| &info.methods);
                defs.iter().map(|def| self.open_method(t, *assembly, *def)).collect()
            }
            Type::SzArray(_) => self.array_methods(t, &[1]),
            Type::Array { rank, .. } => self.array_methods(t, &[*rank, 2 * *rank]),
            _ => Ok(Box::default()),
        })?;
        Ok(methods)
    }

    /// The method with these parameter types that `t` declares itself.
    pub fn find_method(&self, t: TypeId, name: &str, params: &[TypeId]) -> Result<Option<MethodId>> {
        for &m in self.methods(t)? {
            if &*self.method(m).name == name && *self.signature(m)?.params == *params {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// All methods of this name that `t` declares itself.
    pub fn methods_named(&self, t: TypeId, name: &str) -> Result<Vec<MethodId>> {
        Ok(self.methods(t)?.iter().copied().filter(|m| &*self.method(*m).name == name).collect())
    }

    /// The same definition on another instantiation of its owner and with other generic arguments (none: stays open).
    pub fn instantiate_method(&self, m: MethodId, owner: TypeId, args: &[TypeId]) -> Result<MethodId> {
        let method = self.method(m);
        match method.kind {
            MethodKind::Def { assembly, def } if args.is_empty() => self.open_method(owner, assembly, def),
            MethodKind::Def { .. } if args.len() != method.args.len() => {
                let why = format!("it has {} generic parameters, not {}", method.args.len(), args.len());
                Err(Error::TypeLoad { ty: self.method_id(m).into(), why: why.into() })
            }
            kind => self.intern_method(owner, kind, args.into()),
        }
    }

    /// The method as its type declares it: owner and method over their own variables.
    pub fn method_definition(&self, m: MethodId) -> Result<MethodId> {
        let method = self.method(m);
        match method.kind {
            MethodKind::Def { assembly, def } => {
                self.open_method(self.definition(method.owner), assembly, def)
            }
            MethodKind::Array(_) => Ok(m),
        }
    }

    /// The signature with all generic arguments filled in.
    pub fn signature(&self, m: MethodId) -> Result<&MethodSig> {
        let entry = self.method_entry(m);
        let cycle = || Error::Cycle { what: format!("the signature of {}", entry.method.name).into() };
        entry.signature.get(cycle, || match entry.method.kind {
            MethodKind::Def { assembly, def } => {
                let place = self.assembly(assembly);
                let sig = place.module().method_sig(def).map_err(|e| place.bad(e))?;
                SigReader::new(self, assembly, self.generics_of(m)).method(&sig)
            }
            MethodKind::Array(kind) => self.array_signature(entry.method.owner, kind),
        })
    }

    /// The CIL of a method; `None` when it has none (abstract, native, provided by the runtime).
    pub fn body(&self, m: MethodId) -> Result<Option<cil::MethodBody<'_>>> {
        match self.method(m).kind {
            MethodKind::Def { assembly, def } => {
                let place = self.assembly(assembly);
                place.module().method_body(def).map_err(|e| place.bad(e))
            }
            MethodKind::Array(_) => Ok(None),
        }
    }

    /// The local variables of the body, in order; empty without a body.
    pub fn locals(&self, m: MethodId) -> Result<&[Local]> {
        let entry = self.method_entry(m);
        let cycle = || Error::Cycle { what: format!("the locals of {}", entry.method.name).into() };
        let locals = entry.locals.get(cycle, || self.read_locals(m))?;
        Ok(locals)
    }

    /// The type's initialiser (`.cctor`).
    pub fn static_constructor(&self, t: TypeId) -> Result<Option<MethodId>> {
        Ok(self.methods(t)?.iter().copied().find(|m| self.method(*m).is_static_constructor()))
    }

    /// The type of the members outside of types, if its static constructor runs before the first use of an assembly. The
    /// framework has none.
    pub fn module_initializer(&self, a: AssemblyId) -> Option<TypeId> {
        *self.assembly(a).module_initializer.get_or_init(|| {
            let globals = self.type_defs(a).next()?.ok().filter(|_| !self.is_framework(a))?;
            self.static_constructor(globals).ok().flatten().map(|_| globals)
        })
    }

    pub fn before_field_init(&self, t: TypeId) -> bool {
        self.def_info(t).is_some_and(|info| info.is_before_field_init())
    }

    /// The method behind a definition's token in its open form.
    pub fn method_of_token(&self, a: AssemblyId, def: MethodDefId) -> Result<MethodId> {
        let owner = self.assembly(a).owner_of_method(def)?;
        let owner = self.open_type(crate::resolve::DefRef { assembly: a, def: owner })?;
        self.open_method(owner, a, def)
    }

    pub(crate) fn generics_of(&self, m: MethodId) -> Generics<'_> {
        let method = self.method(m);
        Generics::Of { types: self.type_args(method.owner), methods: &method.args }
    }

    pub(crate) fn open_method(
        &self,
        owner: TypeId,
        assembly: AssemblyId,
        def: MethodDefId,
    ) -> Result<MethodId> {
        let place = self.assembly(assembly);
        let arity = place.module().generic_params(def.token()).count() as u32;
        let args: Box<[TypeId]> = (0..arity).map(|n| self.mvar(n)).collect::<Result<_>>()?;
        self.intern_method(owner, MethodKind::Def { assembly, def }, args)
    }

    pub(crate) fn intern_method(
        &self,
        owner: TypeId,
        kind: MethodKind,
        args: Box<[TypeId]>,
    ) -> Result<MethodId> {
        let key = MethodKey { owner, kind, args };
        if let Some(known) = self.method_ids.borrow().get(&key) {
            return Ok(*known);
        }
        let method = self.describe(&key)?;
        let entry = MethodEntry { method, signature: Memo::default(), locals: Memo::default() };
        let id = MethodId(self.methods.push(entry) as u32);
        self.method_ids.borrow_mut().insert(key, id);
        Ok(id)
    }

    fn describe(&self, key: &MethodKey) -> Result<Method> {
        let (name, flags, impl_flags) = match key.kind {
            MethodKind::Def { assembly, def } => {
                let place = self.assembly(assembly);
                let row = place.module().method_def(def).map_err(|e| place.bad(e))?;
                (row.name.into(), row.flags, row.impl_flags)
            }
            // public, hide-by-sig; provided by the runtime
            MethodKind::Array(ArrayMethod::Constructor { .. }) => (".ctor".into(), 0x1886, 0x3),
            MethodKind::Array(ArrayMethod::Get) => ("Get".into(), 0x86, 0x3),
            MethodKind::Array(ArrayMethod::Set) => ("Set".into(), 0x86, 0x3),
            MethodKind::Array(ArrayMethod::Address) => ("Address".into(), 0x86, 0x3),
        };
        Ok(Method { owner: key.owner, name, kind: key.kind, args: key.args.clone(), flags, impl_flags })
    }

    fn read_locals(&self, m: MethodId) -> Result<Box<[Local]>> {
        let MethodKind::Def { assembly, .. } = self.method(m).kind else { return Ok(Box::default()) };
        let Some(sig) = self.body(m)?.and_then(|body| body.local_var_sig) else { return Ok(Box::default()) };
        let place = self.assembly(assembly);
        let sigs = place.module().locals_sig(sig).map_err(|e| place.bad(e))?;
        let mut reader = SigReader::new(self, assembly, self.generics_of(m));
        sigs.iter().map(|sig| Ok(Local { ty: reader.ty(sig)?, is_pinned: is_pinned(sig) })).collect()
    }

    fn array_methods(&self, t: TypeId, constructors: &[u32]) -> Result<Box<[MethodId]>> {
        let constructors = constructors.iter().map(|&params| ArrayMethod::Constructor { params });
        let others = [ArrayMethod::Get, ArrayMethod::Set, ArrayMethod::Address];
        constructors.chain(others).map(|kind| self.array_method(t, kind)).collect()
    }

    pub(crate) fn array_method(&self, t: TypeId, kind: ArrayMethod) -> Result<MethodId> {
        self.intern_method(t, MethodKind::Array(kind), Box::default())
    }

    fn array_signature(&self, array: TypeId, kind: ArrayMethod) -> Result<MethodSig> {
        let known = self.well_known()?;
        let (elem, rank) = match self.ty(array) {
            Type::Array { elem, rank } => (*elem, *rank),
            Type::SzArray(elem) => (*elem, 1),
            _ => (known.object, 1),
        };
        let indexes = |n: u32| vec![known.int32; n as usize];
        let (params, ret) = match kind {
            ArrayMethod::Constructor { params } => (indexes(params), known.void),
            ArrayMethod::Get => (indexes(rank), elem),
            ArrayMethod::Address => (indexes(rank), self.make_byref(elem)?),
            ArrayMethod::Set => {
                let mut params = indexes(rank);
                params.push(elem);
                (params, known.void)
            }
        };
        Ok(MethodSig {
            has_this: true,
            explicit_this: false,
            convention: cil::CallingConvention::Default,
            generic_arity: 0,
            params: params.into(),
            ret,
            sentinel: None,
            modifiers: Box::default(),
        })
    }

    fn method_entry(&self, m: MethodId) -> &MethodEntry {
        match self.methods.get(m.index()) {
            Some(entry) => entry,
            None => unreachable!("{m:?} belongs to another universe"),
        }
    }
}

fn is_pinned(sig: &cil::TypeSig) -> bool {
    matches!(sig.unmodified(), cil::TypeSig::Pinned(_))
}
