//! What the JIT tells apart on the stack.

use types::{Type, TypeId, Universe};

use crate::value::Repr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    I4,
    /// A variable of fewer than 32 bits, which is not widened further than that on its own.
    Small,
    /// A 32-bit number that the code itself has: the JIT decides jumps on it.
    Known(i32),
    /// Also native integers, pointers, and addresses of variables.
    I8,
    Float,
    Ref,
    ByRef,
    Struct,
    /// Not followed further.
    Any,
}

impl Kind {
    pub fn of_repr(repr: Repr) -> Kind {
        match repr {
            Repr::I1 | Repr::U1 | Repr::I2 | Repr::U2 | Repr::I4 => Kind::I4,
            Repr::I8 => Kind::I8,
            Repr::R4 | Repr::R8 => Kind::Float,
            Repr::Ref => Kind::Ref,
            Repr::Struct { .. } => Kind::Struct,
        }
    }

    /// A location of this type.
    pub fn of_type(u: &Universe, ty: TypeId, repr: Repr) -> Kind {
        match u.ty(ty) {
            Type::ByRef(_) => Kind::ByRef,
            _ => Kind::of_repr(repr),
        }
    }

    /// A variable of this type.
    pub fn of_variable(u: &Universe, ty: TypeId, repr: Repr) -> Kind {
        match repr {
            Repr::I1 | Repr::U1 | Repr::I2 | Repr::U2 => Kind::Small,
            _ => Kind::of_type(u, ty, repr),
        }
    }

    pub fn joined(self, other: Kind) -> Kind {
        match (self.plain(), other.plain()) {
            (a, b) if self == other && a == b => self,
            (a, b) if a == b => a,
            _ => Kind::Any,
        }
    }

    pub fn plain(self) -> Kind {
        if matches!(self, Kind::Known(_) | Kind::Small) { Kind::I4 } else { self }
    }

    /// Whether a parameter of this kind takes such an argument.
    pub fn takes(self, argument: Kind) -> bool {
        if self == Kind::I8 && argument == Kind::Small {
            return false;
        }
        let argument = argument.plain();
        if self == Kind::Any || argument == Kind::Any {
            return true;
        }
        match self.plain() {
            Kind::I4 => matches!(argument, Kind::I4 | Kind::I8),
            Kind::I8 => matches!(argument, Kind::I4 | Kind::I8 | Kind::ByRef),
            Kind::ByRef => matches!(argument, Kind::I8 | Kind::Ref | Kind::ByRef),
            kind => kind == argument,
        }
    }

    /// The result of an operation on two numbers.
    pub fn of_arithmetic(a: Kind, b: Kind) -> Kind {
        match (a.plain(), b.plain()) {
            (Kind::I4, Kind::I4) => Kind::I4,
            (Kind::I4 | Kind::I8, Kind::I4 | Kind::I8) => Kind::I8,
            (Kind::Float, Kind::Float) => Kind::Float,
            _ => Kind::Any,
        }
    }
}
