//! The flag bits of rows (ECMA-335 II.23.1) and questions about them.

use crate::schema::{Assembly, ExportedType, Field, GenericParam, MethodDef, Param, TypeDef};

/// II.23.1.15
pub mod type_attributes {
    pub const VISIBILITY_MASK: u32 = 0x7;
    pub const NOT_PUBLIC: u32 = 0x0;
    pub const PUBLIC: u32 = 0x1;
    pub const NESTED_PUBLIC: u32 = 0x2;
    pub const NESTED_PRIVATE: u32 = 0x3;
    pub const NESTED_FAMILY: u32 = 0x4;
    pub const NESTED_ASSEMBLY: u32 = 0x5;
    pub const NESTED_FAM_AND_ASSEM: u32 = 0x6;
    pub const NESTED_FAM_OR_ASSEM: u32 = 0x7;
    pub const LAYOUT_MASK: u32 = 0x18;
    pub const AUTO_LAYOUT: u32 = 0x0;
    pub const SEQUENTIAL_LAYOUT: u32 = 0x8;
    pub const EXPLICIT_LAYOUT: u32 = 0x10;
    /// .NET 11's C-like unions and structs.
    pub const EXTENDED_LAYOUT: u32 = 0x18;
    pub const INTERFACE: u32 = 0x20;
    pub const ABSTRACT: u32 = 0x80;
    pub const SEALED: u32 = 0x100;
    pub const SPECIAL_NAME: u32 = 0x400;
    pub const IMPORT: u32 = 0x1000;
    pub const SERIALIZABLE: u32 = 0x2000;
    pub const BEFORE_FIELD_INIT: u32 = 0x0010_0000;
    /// On exported types: the type lives in another assembly.
    pub const FORWARDER: u32 = 0x0020_0000;
}

/// II.23.1.5
pub mod field_attributes {
    pub const ACCESS_MASK: u16 = 0x7;
    pub const PRIVATE: u16 = 0x1;
    pub const FAM_AND_ASSEM: u16 = 0x2;
    pub const ASSEMBLY: u16 = 0x3;
    pub const FAMILY: u16 = 0x4;
    pub const FAM_OR_ASSEM: u16 = 0x5;
    pub const PUBLIC: u16 = 0x6;
    pub const STATIC: u16 = 0x10;
    pub const INIT_ONLY: u16 = 0x20;
    pub const LITERAL: u16 = 0x40;
    pub const SPECIAL_NAME: u16 = 0x200;
    pub const HAS_FIELD_RVA: u16 = 0x100;
}

/// II.23.1.10
pub mod method_attributes {
    pub const ACCESS_MASK: u16 = 0x7;
    pub const PRIVATE: u16 = 0x1;
    pub const FAM_AND_ASSEM: u16 = 0x2;
    pub const ASSEMBLY: u16 = 0x3;
    pub const FAMILY: u16 = 0x4;
    pub const FAM_OR_ASSEM: u16 = 0x5;
    pub const PUBLIC: u16 = 0x6;
    pub const STATIC: u16 = 0x10;
    pub const FINAL: u16 = 0x20;
    pub const VIRTUAL: u16 = 0x40;
    pub const HIDE_BY_SIG: u16 = 0x80;
    pub const NEW_SLOT: u16 = 0x100;
    pub const STRICT: u16 = 0x200;
    pub const ABSTRACT: u16 = 0x400;
    pub const SPECIAL_NAME: u16 = 0x800;
    pub const RT_SPECIAL_NAME: u16 = 0x1000;
    pub const PINVOKE_IMPL: u16 = 0x2000;
}

/// II.23.1.11
pub mod method_impl_attributes {
    pub const CODE_TYPE_MASK: u16 = 0x3;
    pub const IL: u16 = 0x0;
    pub const NATIVE: u16 = 0x1;
    pub const RUNTIME: u16 = 0x3;
    pub const UNMANAGED: u16 = 0x4;
    pub const NO_INLINING: u16 = 0x8;
    pub const SYNCHRONIZED: u16 = 0x20;
    pub const PRESERVE_SIG: u16 = 0x80;
    pub const INTERNAL_CALL: u16 = 0x1000;
}

/// II.23.1.13
pub mod param_attributes {
    pub const IN: u16 = 0x1;
    pub const OUT: u16 = 0x2;
    pub const OPTIONAL: u16 = 0x10;
    pub const HAS_DEFAULT: u16 = 0x1000;
}

/// II.23.1.7
pub mod generic_param_attributes {
    pub const VARIANCE_MASK: u16 = 0x3;
    pub const COVARIANT: u16 = 0x1;
    pub const CONTRAVARIANT: u16 = 0x2;
    pub const REFERENCE_TYPE_CONSTRAINT: u16 = 0x4;
    pub const NOT_NULLABLE_VALUE_TYPE_CONSTRAINT: u16 = 0x8;
    pub const DEFAULT_CONSTRUCTOR_CONSTRAINT: u16 = 0x10;
    pub const ALLOW_BY_REF_LIKE: u16 = 0x20;
}

/// II.23.1.12
pub mod method_semantics_attributes {
    pub const SETTER: u16 = 0x1;
    pub const GETTER: u16 = 0x2;
    pub const OTHER: u16 = 0x4;
    pub const ADD_ON: u16 = 0x8;
    pub const REMOVE_ON: u16 = 0x10;
    pub const FIRE: u16 = 0x20;
}

/// II.23.1.8
pub mod pinvoke_attributes {
    pub const NO_MANGLE: u16 = 0x1;
    pub const CHAR_SET_MASK: u16 = 0x6;
    pub const CHAR_SET_ANSI: u16 = 0x2;
    pub const CHAR_SET_UNICODE: u16 = 0x4;
    pub const SUPPORTS_LAST_ERROR: u16 = 0x40;
    pub const CALL_CONV_MASK: u16 = 0x700;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variance {
    Invariant,
    Covariant,
    Contravariant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeLayout {
    Auto,
    Sequential,
    Explicit,
    Extended,
}

impl TypeDef<'_> {
    pub fn is_interface(&self) -> bool {
        self.flags & type_attributes::INTERFACE != 0
    }

    pub fn is_abstract(&self) -> bool {
        self.flags & type_attributes::ABSTRACT != 0
    }

    pub fn is_sealed(&self) -> bool {
        self.flags & type_attributes::SEALED != 0
    }

    pub fn is_nested(&self) -> bool {
        self.flags & type_attributes::VISIBILITY_MASK >= type_attributes::NESTED_PUBLIC
    }

    pub fn is_before_field_init(&self) -> bool {
        self.flags & type_attributes::BEFORE_FIELD_INIT != 0
    }

    pub fn layout(&self) -> TypeLayout {
        match self.flags & type_attributes::LAYOUT_MASK {
            type_attributes::AUTO_LAYOUT => TypeLayout::Auto,
            type_attributes::SEQUENTIAL_LAYOUT => TypeLayout::Sequential,
            type_attributes::EXPLICIT_LAYOUT => TypeLayout::Explicit,
            _ => TypeLayout::Extended,
        }
    }
}

impl Field<'_> {
    pub fn is_static(&self) -> bool {
        self.flags & field_attributes::STATIC != 0
    }

    pub fn is_literal(&self) -> bool {
        self.flags & field_attributes::LITERAL != 0
    }

    pub fn is_init_only(&self) -> bool {
        self.flags & field_attributes::INIT_ONLY != 0
    }

    pub fn has_rva(&self) -> bool {
        self.flags & field_attributes::HAS_FIELD_RVA != 0
    }
}

impl MethodDef<'_> {
    pub fn is_static(&self) -> bool {
        self.flags & method_attributes::STATIC != 0
    }

    pub fn is_virtual(&self) -> bool {
        self.flags & method_attributes::VIRTUAL != 0
    }

    pub fn is_abstract(&self) -> bool {
        self.flags & method_attributes::ABSTRACT != 0
    }

    pub fn is_final(&self) -> bool {
        self.flags & method_attributes::FINAL != 0
    }

    pub fn is_new_slot(&self) -> bool {
        self.flags & method_attributes::NEW_SLOT != 0
    }

    pub fn is_pinvoke(&self) -> bool {
        self.flags & method_attributes::PINVOKE_IMPL != 0
    }

    pub fn is_internal_call(&self) -> bool {
        self.impl_flags & method_impl_attributes::INTERNAL_CALL != 0
    }

    /// Provided by the runtime (the methods of delegates).
    pub fn is_runtime(&self) -> bool {
        self.impl_flags & method_impl_attributes::CODE_TYPE_MASK == method_impl_attributes::RUNTIME
    }

    pub fn is_constructor(&self) -> bool {
        self.flags & method_attributes::RT_SPECIAL_NAME != 0 && self.name == ".ctor"
    }

    pub fn is_static_constructor(&self) -> bool {
        self.flags & method_attributes::RT_SPECIAL_NAME != 0 && self.name == ".cctor"
    }
}

impl Param<'_> {
    pub fn is_in(&self) -> bool {
        self.flags & param_attributes::IN != 0
    }

    pub fn is_out(&self) -> bool {
        self.flags & param_attributes::OUT != 0
    }
}

impl GenericParam<'_> {
    pub fn variance(&self) -> Variance {
        match self.flags & generic_param_attributes::VARIANCE_MASK {
            generic_param_attributes::COVARIANT => Variance::Covariant,
            generic_param_attributes::CONTRAVARIANT => Variance::Contravariant,
            _ => Variance::Invariant,
        }
    }
}

impl ExportedType<'_> {
    pub fn is_forwarder(&self) -> bool {
        self.flags & type_attributes::FORWARDER != 0
    }
}

impl Assembly<'_> {
    /// Major, minor, build, revision.
    pub fn version(&self) -> [u16; 4] {
        [self.major_version, self.minor_version, self.build_number, self.revision_number]
    }
}

impl crate::schema::AssemblyRef<'_> {
    /// Major, minor, build, revision.
    pub fn version(&self) -> [u16; 4] {
        [self.major_version, self.minor_version, self.build_number, self.revision_number]
    }
}
