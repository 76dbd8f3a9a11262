//! Signatures as text, in the notation of IL assembler, with tokens as they are: names need a resolver, which is not
//! this crate's job.

use std::fmt;

use super::*;

impl fmt::Display for TypeSig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeSig::Void => f.write_str("void"),
            TypeSig::Boolean => f.write_str("bool"),
            TypeSig::Char => f.write_str("char"),
            TypeSig::I1 => f.write_str("int8"),
            TypeSig::U1 => f.write_str("uint8"),
            TypeSig::I2 => f.write_str("int16"),
            TypeSig::U2 => f.write_str("uint16"),
            TypeSig::I4 => f.write_str("int32"),
            TypeSig::U4 => f.write_str("uint32"),
            TypeSig::I8 => f.write_str("int64"),
            TypeSig::U8 => f.write_str("uint64"),
            TypeSig::R4 => f.write_str("float32"),
            TypeSig::R8 => f.write_str("float64"),
            TypeSig::String => f.write_str("string"),
            TypeSig::Object => f.write_str("object"),
            TypeSig::TypedReference => f.write_str("typedref"),
            TypeSig::IntPtr => f.write_str("native int"),
            TypeSig::UIntPtr => f.write_str("native uint"),
            TypeSig::Ptr(inner) => write!(f, "{inner}*"),
            TypeSig::ByRef(inner) => write!(f, "{inner}&"),
            TypeSig::Class(token) => write!(f, "class {token}"),
            TypeSig::ValueType(token) => write!(f, "valuetype {token}"),
            TypeSig::Var(number) => write!(f, "!{number}"),
            TypeSig::MVar(number) => write!(f, "!!{number}"),
            TypeSig::SzArray(inner) => write!(f, "{inner}[]"),
            TypeSig::Array(array) => write!(f, "{array}"),
            TypeSig::GenericInst(inst) => write!(f, "{inst}"),
            TypeSig::FnPtr(method) => write!(f, "method {method}"),
            TypeSig::Modified(modified) => {
                let keyword = if modified.is_required { "modreq" } else { "modopt" };
                write!(f, "{} {keyword}({})", modified.inner, modified.modifier)
            }
            TypeSig::Pinned(inner) => write!(f, "{inner} pinned"),
        }
    }
}

impl fmt::Display for ArraySig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.element)?;
        // The rank is not bounded by the size of the file, the given bounds are.
        let described = self.sizes.len().max(self.lower_bounds.len());
        for dimension in 0..described {
            if dimension > 0 {
                f.write_str(",")?;
            }
            let lower = self.lower_bounds.get(dimension).copied().unwrap_or(0);
            match self.sizes.get(dimension) {
                Some(&size) => write!(f, "{lower}...{}", i64::from(lower) + i64::from(size) - 1)?,
                None => write!(f, "{lower}...")?,
            }
        }
        let rest = (self.rank as usize).saturating_sub(described.max(1));
        if rest <= 32 {
            f.write_str(&",".repeat(rest))?
        } else {
            write!(f, ", rank {}", self.rank)?
        }
        f.write_str("]")
    }
}

impl fmt::Display for GenericInstSig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keyword = if self.is_value_type { "valuetype" } else { "class" };
        write!(f, "{keyword} {}<", self.definition)?;
        comma_separated(f, &self.arguments)?;
        f.write_str(">")
    }
}

impl fmt::Display for MethodSig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_this {
            f.write_str("instance ")?;
        }
        if self.explicit_this {
            f.write_str("explicit ")?;
        }
        f.write_str(match self.convention {
            CallingConvention::Default => "",
            CallingConvention::Cdecl => "unmanaged cdecl ",
            CallingConvention::StdCall => "unmanaged stdcall ",
            CallingConvention::ThisCall => "unmanaged thiscall ",
            CallingConvention::FastCall => "unmanaged fastcall ",
            CallingConvention::VarArg => "vararg ",
            CallingConvention::Unmanaged => "unmanaged ",
        })?;
        write!(f, "{} *", self.ret)?;
        if self.generic_arity > 0 {
            write!(f, "<{}>", self.generic_arity)?;
        }
        f.write_str("(")?;
        let declared = self.sentinel.map_or(self.params.len(), |sentinel| sentinel as usize);
        let (before, after) = self.params.split_at(declared.min(self.params.len()));
        comma_separated(f, before)?;
        if self.sentinel.is_some() {
            f.write_str(if before.is_empty() { "..." } else { ", ..." })?;
            for param in after {
                write!(f, ", {param}")?;
            }
        }
        f.write_str(")")
    }
}

fn comma_separated(f: &mut fmt::Formatter<'_>, types: &[TypeSig]) -> fmt::Result {
    for (index, ty) in types.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{ty}")?;
    }
    Ok(())
}
