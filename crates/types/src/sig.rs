//! From signatures as the file spells them to interned types, and substitution of generic arguments.

use cil::{CallingConvention, TypeSig};
use smallvec::SmallVec;

use crate::{AssemblyId, Error, Result, Type, TypeId, Universe};

/// The signature of a method with its generic arguments filled in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MethodSig {
    pub has_this: bool,
    pub explicit_this: bool,
    pub convention: CallingConvention,
    pub generic_arity: u32,
    pub params: Box<[TypeId]>,
    pub ret: TypeId,
    /// At a vararg call site: how many parameters are the declared ones.
    pub sentinel: Option<u32>,
    /// Custom modifiers and where they stand; they tell signatures apart but not types.
    pub modifiers: Box<[Modifier]>,
}

impl MethodSig {
    pub fn is_vararg(&self) -> bool {
        self.convention == CallingConvention::VarArg
    }
}

/// A custom modifier at a place of a signature.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Modifier {
    /// The way from the signature to the modified type: parameter number (0 is the return type), then child numbers.
    pub path: SmallVec<[u16; 4]>,
    pub is_required: bool,
    pub ty: TypeId,
}

/// The signature inside a function pointer type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FnSig {
    pub convention: CallingConvention,
    pub has_this: bool,
    pub params: Box<[TypeId]>,
    pub ret: TypeId,
}

/// What the variables of a signature stand for.
#[derive(Clone, Copy)]
pub(crate) enum Generics<'a> {
    Of {
        types: &'a [TypeId],
        methods: &'a [TypeId],
    },
    /// Variables stay what they are.
    Identity,
}

/// Walks a signature of one assembly.
pub(crate) struct SigReader<'a> {
    pub universe: &'a Universe,
    pub assembly: AssemblyId,
    pub generics: Generics<'a>,
    pub modifiers: Option<Vec<Modifier>>,
    path: SmallVec<[u16; 4]>,
}

impl<'a> SigReader<'a> {
    pub fn new(universe: &'a Universe, assembly: AssemblyId, generics: Generics<'a>) -> SigReader<'a> {
        SigReader { universe, assembly, generics, modifiers: None, path: SmallVec::new() }
    }

    pub fn method(mut self, sig: &cil::MethodSig) -> Result<MethodSig> {
        self.modifiers = Some(Vec::new());
        let ret = self.child(0, &sig.ret)?;
        let params =
            sig.params.iter().enumerate().map(|(i, p)| self.child(i + 1, p)).collect::<Result<_>>()?;
        Ok(MethodSig {
            has_this: sig.has_this,
            explicit_this: sig.explicit_this,
            convention: sig.convention,
            generic_arity: sig.generic_arity,
            params,
            ret,
            sentinel: sig.sentinel,
            modifiers: self.modifiers.take().unwrap_or_default().into(),
        })
    }

    pub fn types(&mut self, sigs: &[TypeSig]) -> Result<Box<[TypeId]>> {
        sigs.iter().enumerate().map(|(i, sig)| self.child(i, sig)).collect()
    }

    /// Recursion is bounded: the reader of signatures bounds their nesting.
    pub fn ty(&mut self, sig: &TypeSig) -> Result<TypeId> {
        let universe = self.universe;
        match sig {
            TypeSig::Ptr(target) => {
                let target = self.child(0, target)?;
                universe.make_pointer(target)
            }
            TypeSig::ByRef(target) => {
                let target = self.child(0, target)?;
                universe.make_byref(target)
            }
            TypeSig::SzArray(elem) => {
                let elem = self.child(0, elem)?;
                universe.make_sz_array(elem)
            }
            TypeSig::Array(array) => {
                let elem = self.child(0, &array.element)?;
                universe.make_array(elem, array.rank)
            }
            TypeSig::Class(token) | TypeSig::ValueType(token) => {
                universe.type_of_token(self.assembly, *token, self.generics)
            }
            TypeSig::GenericInst(inst) => {
                let definition =
                    universe.type_of_token(self.assembly, inst.definition, Generics::Identity)?;
                let args = self.types(&inst.arguments)?;
                universe.make_instance(definition, &args)
            }
            TypeSig::Var(number) => self.variable(*number, false),
            TypeSig::MVar(number) => self.variable(*number, true),
            TypeSig::FnPtr(sig) => self.fn_ptr(sig),
            TypeSig::Modified(modified) => {
                if self.modifiers.is_some() {
                    let ty = universe.type_of_token(self.assembly, modified.modifier, Generics::Identity)?;
                    let modifier =
                        Modifier { path: self.path.clone(), is_required: modified.is_required, ty };
                    self.modifiers.get_or_insert_default().push(modifier);
                }
                self.ty(&modified.inner)
            }
            TypeSig::Pinned(inner) => self.ty(inner),
            primitive => universe.well_known()?.of_sig(primitive).ok_or_else(|| {
                universe
                    .assembly(self.assembly)
                    .wrong("a signature has an element type of no use here".to_owned())
            }),
        }
    }

    fn child(&mut self, number: usize, sig: &TypeSig) -> Result<TypeId> {
        self.path.push(number as u16);
        let ty = self.ty(sig);
        self.path.pop();
        ty
    }

    fn fn_ptr(&mut self, sig: &cil::MethodSig) -> Result<TypeId> {
        let ret = self.child(0, &sig.ret)?;
        let params =
            sig.params.iter().enumerate().map(|(i, p)| self.child(i + 1, p)).collect::<Result<_>>()?;
        let sig = FnSig { convention: sig.convention, has_this: sig.has_this, params, ret };
        self.universe.intern(Type::FnPtr(Box::new(sig)))
    }

    fn variable(&self, number: u32, of_method: bool) -> Result<TypeId> {
        match self.generics {
            Generics::Identity if of_method => self.universe.mvar(number),
            Generics::Identity => self.universe.var(number),
            Generics::Of { types, methods } => {
                let args = if of_method { methods } else { types };
                args.get(number as usize).copied().ok_or_else(|| self.no_such_variable(number, of_method))
            }
        }
    }

    fn no_such_variable(&self, number: u32, of_method: bool) -> Error {
        let mark = if of_method { "!!" } else { "!" };
        self.universe
            .assembly(self.assembly)
            .wrong(format!("a signature mentions {mark}{number}, a generic parameter that does not exist"))
    }
}

impl Universe {
    /// `t` with its variables replaced. A variable without an argument stays.
    pub(crate) fn substitute(&self, t: TypeId, types: &[TypeId], methods: &[TypeId]) -> Result<TypeId> {
        if !self.is_open(t) || (types.is_empty() && methods.is_empty()) {
            return Ok(t);
        }
        let all = |parts: &[TypeId]| -> Result<Box<[TypeId]>> {
            parts.iter().map(|part| self.substitute(*part, types, methods)).collect()
        };
        match self.ty(t) {
            Type::Var(n) => Ok(types.get(*n as usize).copied().unwrap_or(t)),
            Type::MVar(n) => Ok(methods.get(*n as usize).copied().unwrap_or(t)),
            Type::Param { .. } => Ok(t),
            Type::Mock { base, interfaces } => {
                self.make_mock(self.substitute(*base, types, methods)?, &all(interfaces)?)
            }
            Type::Def { assembly, def, args } => {
                self.intern(Type::Def { assembly: *assembly, def: *def, args: all(args)? })
            }
            Type::SzArray(elem) => self.make_sz_array(self.substitute(*elem, types, methods)?),
            Type::Array { elem, rank } => self.make_array(self.substitute(*elem, types, methods)?, *rank),
            Type::ByRef(target) => self.make_byref(self.substitute(*target, types, methods)?),
            Type::Pointer(target) => self.make_pointer(self.substitute(*target, types, methods)?),
            Type::FnPtr(sig) => {
                let ret = self.substitute(sig.ret, types, methods)?;
                let sig = FnSig { params: all(&sig.params)?, ret, ..**sig };
                self.intern(Type::FnPtr(Box::new(sig)))
            }
        }
    }
}
