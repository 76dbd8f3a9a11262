//! How values look in native memory: the offsets, sizes and kinds of the fields of a structure.

use cil::MarshalDescriptor;
use types::{FieldId, LayoutKind, Primitive, Result, Type, TypeId, Universe};

/// What a location is in native memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Native {
    /// The same bytes.
    Copied {
        size: u32,
        align: u32,
    },
    /// A truth value of so many bytes.
    Bool {
        size: u32,
    },
    Char {
        wide: bool,
    },
    /// A pointer to a text that ends with zero.
    Text {
        wide: bool,
    },
    /// So many characters in place, the last one zero.
    FixedText {
        count: u32,
        wide: bool,
    },
    /// So many elements in place.
    FixedArray {
        count: u32,
        element: TypeId,
        native: Box<Native>,
    },
    Structure(TypeId),
    /// A `DateTime` as a number of days.
    Date,
    /// A delegate as a pointer that native code could call.
    Delegate(TypeId),
}

/// A field of a structure in native memory.
#[derive(Clone, Debug)]
pub(crate) struct NativeField {
    pub field: FieldId,
    pub offset: u32,
    pub native: Native,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct NativeLayout {
    pub fields: Vec<NativeField>,
    pub size: u32,
    align: u32,
}

impl NativeLayout {
    /// That of a structure or a class with a layout; none if it has no meaningful one.
    pub(crate) fn of(u: &Universe, ty: TypeId) -> Result<Option<NativeLayout>> {
        let Some(info) = u.def_info(ty) else { return Ok(None) };
        let is_explicit = match info.flags & 0x18 {
            0x08 => false,
            0x10 => true,
            _ => return Ok(None),
        };
        if u.array_element(ty).is_some() || u.is_delegate(ty) || u.is_enum(ty) || !u.type_args(ty).is_empty()
        {
            return Ok(None);
        }
        let mut layout = match u.base(ty)? {
            Some(base) if !u.is_value_type(ty) && base != u.well_known()?.object => {
                match NativeLayout::of(u, base)? {
                    Some(base) => base,
                    None => return Ok(None),
                }
            }
            _ => NativeLayout { align: 1, ..NativeLayout::default() },
        };
        // The character set of the class: Unicode, or the system's, which is UTF-8.
        let wide = info.flags & 0x3_0000 == 0x1_0000;
        let pack = if info.packing == 0 { 8 } else { u32::from(info.packing) };
        let start = layout.size;
        for field in u.instance_fields(ty)? {
            let Some(native) = Native::of_field(u, field, wide)? else { return Ok(None) };
            let Some((size, align)) = native.extent(u)? else { return Ok(None) };
            let align = align.min(pack);
            let offset = match is_explicit {
                true => start + explicit_offset(u, field),
                false => layout.size.next_multiple_of(align),
            };
            layout.size = layout.size.max(offset + size);
            layout.align = layout.align.max(align);
            layout.fields.push(NativeField { field, offset, native });
        }
        layout.size = layout.size.max(start + info.class_size).max(1);
        if info.class_size == 0 {
            layout.size = layout.size.next_multiple_of(layout.align);
        }
        Ok(Some(layout))
    }
}

fn explicit_offset(u: &Universe, field: FieldId) -> u32 {
    let info = u.field(field);
    u.assembly(info.assembly).module().field_offset_of(info.def).ok().flatten().unwrap_or(0)
}

impl Native {
    fn of_field(u: &Universe, field: FieldId, wide: bool) -> Result<Option<Native>> {
        let info = u.field(field);
        let module = u.assembly(info.assembly).module();
        let descriptor = module.marshal_of(info.token()).and_then(|id| module.marshal_descriptor(id).ok());
        let ty = u.field_type(field)?;
        Native::of(u, ty, descriptor.as_ref(), wide)
    }

    fn of(
        u: &Universe,
        ty: TypeId,
        descriptor: Option<&MarshalDescriptor<'_>>,
        wide: bool,
    ) -> Result<Option<Native>> {
        let simple = match descriptor {
            Some(MarshalDescriptor::Simple(kind)) => Some(*kind),
            _ => None,
        };
        if let Some(primitive) = u.underlying_primitive(ty)? {
            return Ok(Native::of_primitive(primitive, simple, wide));
        }
        let known = u.well_known()?;
        Ok(match (u.ty(ty), descriptor) {
            (Type::Pointer(_) | Type::FnPtr(_), _) => Some(Native::Copied { size: 8, align: 8 }),
            (_, Some(MarshalDescriptor::FixedString { size })) if ty == known.string => {
                Some(Native::FixedText { count: *size, wide })
            }
            (Type::SzArray(element), Some(MarshalDescriptor::FixedArray { size, element: kind })) => {
                let inner = kind.map(MarshalDescriptor::Simple);
                let native = Native::of(u, *element, inner.as_ref(), wide)?;
                native.map(|native| Native::FixedArray {
                    count: *size,
                    element: *element,
                    native: Box::new(native),
                })
            }
            _ if ty == known.string => match simple {
                Some(LP_STR | LP_UTF8_STR) => Some(Native::Text { wide: false }),
                Some(LP_WSTR) => Some(Native::Text { wide: true }),
                Some(LP_TSTR) | None => Some(Native::Text { wide }),
                Some(_) => None,
            },
            _ if u.is_delegate(ty) => Some(Native::Delegate(ty)),
            _ if u.is_value_type(ty) => Native::of_structure(u, ty)?,
            _ => None,
        })
    }

    fn of_primitive(primitive: Primitive, simple: Option<u8>, wide: bool) -> Option<Native> {
        Some(match (primitive, simple) {
            (Primitive::Boolean, Some(I1 | U1)) => Native::Bool { size: 1 },
            // Only where there is COM.
            (Primitive::Boolean, Some(VARIANT_BOOL)) => return None,
            (Primitive::Boolean, _) => Native::Bool { size: 4 },
            (Primitive::Char, Some(U1 | I1)) => Native::Char { wide: false },
            (Primitive::Char, Some(U2 | I2)) => Native::Char { wide: true },
            (Primitive::Char, _) => Native::Char { wide },
            _ => Native::Copied { size: primitive.size(), align: primitive.size() },
        })
    }

    fn of_structure(u: &Universe, ty: TypeId) -> Result<Option<Native>> {
        if let Some(info) = u.def_info(ty) {
            if info.is_core("System", "Decimal") {
                return Ok(Some(Native::Copied { size: 16, align: 8 }));
            }
            if info.is_core("System", "DateTime") {
                return Ok(Some(Native::Date));
            }
        }
        Ok(NativeLayout::of(u, ty)?.map(|_| Native::Structure(ty)))
    }

    /// Size and alignment.
    pub(crate) fn extent(&self, u: &Universe) -> Result<Option<(u32, u32)>> {
        Ok(Some(match self {
            Native::Copied { size, align } => (*size, *align),
            Native::Bool { size } => (*size, *size),
            Native::Date | Native::Delegate(_) => (8, 8),
            Native::Char { wide } => {
                if *wide {
                    (2, 2)
                } else {
                    (1, 1)
                }
            }
            Native::Text { .. } => (8, 8),
            Native::FixedText { count, wide } => {
                if *wide {
                    (2 * count, 2)
                } else {
                    (*count, 1)
                }
            }
            Native::FixedArray { count, native, .. } => match native.extent(u)? {
                Some((size, align)) => (count.saturating_mul(size), align),
                None => return Ok(None),
            },
            Native::Structure(ty) => match NativeLayout::of(u, *ty)? {
                Some(layout) => (layout.size, layout.align),
                None => return Ok(None),
            },
        }))
    }
}

/// Is a structure the same bytes in native memory?
pub(crate) fn is_copied(u: &Universe, ty: TypeId) -> Result<bool> {
    let Some(native) = NativeLayout::of(u, ty)? else { return Ok(false) };
    if u.layout(ty)?.kind == LayoutKind::Auto || u.size_of(ty)? != native.size {
        return Ok(false);
    }
    for field in &native.fields {
        let same = match &field.native {
            Native::Copied { .. } => true,
            Native::Structure(inner) => is_copied(u, *inner)?,
            _ => false,
        };
        if !same || u.field_offset(field.field)? != field.offset {
            return Ok(false);
        }
    }
    Ok(true)
}

// `UnmanagedType`
const I1: u8 = 3;
const U1: u8 = 4;
const I2: u8 = 5;
const U2: u8 = 6;
const LP_STR: u8 = 20;
const LP_WSTR: u8 = 21;
const LP_TSTR: u8 = 22;
const VARIANT_BOOL: u8 = 37;
const LP_UTF8_STR: u8 = 48;
