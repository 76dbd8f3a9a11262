//! Signatures (ECMA-335 II.23.2): the types of members, locals, constructed types and instantiations.

mod display;
mod read;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

pub(crate) use read::SigReader;

use crate::token::Token;

/// A type as a signature spells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeSig {
    Void,
    Boolean,
    Char,
    I1,
    U1,
    I2,
    U2,
    I4,
    U4,
    I8,
    U8,
    R4,
    R8,
    String,
    Object,
    TypedReference,
    IntPtr,
    UIntPtr,
    Ptr(Box<TypeSig>),
    ByRef(Box<TypeSig>),
    /// A class or interface: a TypeDef, TypeRef or TypeSpec.
    Class(Token),
    ValueType(Token),
    /// A generic parameter of the type.
    Var(u32),
    /// A generic parameter of the method.
    MVar(u32),
    SzArray(Box<TypeSig>),
    Array(Box<ArraySig>),
    GenericInst(Box<GenericInstSig>),
    FnPtr(Box<MethodSig>),
    Modified(Box<ModifiedSig>),
    /// Only on local variables.
    Pinned(Box<TypeSig>),
}

/// A general array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArraySig {
    pub element: TypeSig,
    pub rank: u32,
    /// Sizes of the first dimensions; there may be fewer than `rank`.
    pub sizes: Vec<u32>,
    /// Lower bounds of the first dimensions; there may be fewer than `rank`.
    pub lower_bounds: Vec<i32>,
}

/// An instantiated generic type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GenericInstSig {
    pub is_value_type: bool,
    pub definition: Token,
    pub arguments: Vec<TypeSig>,
}

/// A type with a custom modifier (`modreq`, `modopt`) in front of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModifiedSig {
    pub is_required: bool,
    pub modifier: Token,
    pub inner: TypeSig,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallingConvention {
    Default,
    Cdecl,
    StdCall,
    ThisCall,
    FastCall,
    VarArg,
    /// Unmanaged; which one is said by modifiers of the return type.
    Unmanaged,
}

impl CallingConvention {
    /// Is it one of native code?
    pub fn is_unmanaged(self) -> bool {
        !matches!(self, CallingConvention::Default | CallingConvention::VarArg)
    }
}

/// The signature of a method, a call site or a function pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MethodSig {
    pub convention: CallingConvention,
    pub has_this: bool,
    /// The type of `this` is spelled out as the first parameter.
    pub explicit_this: bool,
    /// How many generic parameters the method has.
    pub generic_arity: u32,
    pub ret: TypeSig,
    pub params: Vec<TypeSig>,
    /// At a vararg call site: how many of the parameters are the declared ones.
    pub sentinel: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PropertySig {
    pub has_this: bool,
    pub ty: TypeSig,
    pub params: Vec<TypeSig>,
}

/// The signature of a MemberRef.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MemberSig {
    Field(TypeSig),
    Method(MethodSig),
}

/// The signature of a StandAloneSig row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StandAloneSignature {
    Locals(Vec<TypeSig>),
    Method(MethodSig),
    Field(TypeSig),
}

impl TypeSig {
    /// The type without the modifiers in front of it.
    pub fn unmodified(&self) -> &TypeSig {
        let mut ty = self;
        while let TypeSig::Modified(modified) = ty {
            ty = &modified.inner;
        }
        ty
    }

    /// The modifiers in front of the type, outermost first.
    pub fn modifiers(&self) -> impl Iterator<Item = &ModifiedSig> {
        std::iter::successors(as_modified(self), |modified| as_modified(&modified.inner))
    }
}

fn as_modified(ty: &TypeSig) -> Option<&ModifiedSig> {
    match ty {
        TypeSig::Modified(modified) => Some(modified),
        _ => None,
    }
}
