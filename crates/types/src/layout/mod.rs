//! Field layout as CoreCLR lays types out on 64-bit machines.
//!
//! Which of the three algorithms applies: `explicit` always as asked; `sequential` only while no field holds an object
//! reference or a managed pointer (and a class's ancestors are sequential too); everything else is `auto`.

mod place;

pub(crate) use place::Shape;
use place::{Placed, Rules};

use crate::type_def::{Kind, Primitive, TypeDefInfo};
use crate::{Error, FieldId, Result, Type, TypeId, Universe, limits};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutKind {
    Auto,
    Sequential,
    Explicit,
}

/// Where the instance fields of a type are.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The algorithm that was used in the end.
    pub kind: LayoutKind,
    /// Value types: bytes of the unboxed value. Classes: bytes of all fields, those of base classes included, counted
    /// from the first byte after the method table pointer.
    pub size: u32,
    /// The alignment the value wants as a field.
    pub align: u32,
    /// All instance fields with their offsets; those of base classes first.
    pub fields: Box<[(FieldId, u32)]>,
    /// Are there object references inside (also in nested value types)?
    pub contains_refs: bool,
    /// Are there object references or managed pointers inside?
    pub(crate) is_tracked: bool,
    pub(crate) is_blittable: bool,
}

impl Universe {
    /// The layout of a class or value type.
    pub fn layout(&self, t: TypeId) -> Result<&Layout> {
        let cycle = || self.load_error(t, "it contains itself");
        self.type_entry(t).layout.get(cycle, || self.guarded(t, || self.make_layout(t)))
    }

    /// Bytes of a location of this type; a reference has 8.
    pub fn size_of(&self, t: TypeId) -> Result<u32> {
        Ok(self.shape(t)?.size)
    }

    /// The offset of an instance field (see [`Layout`] for what it counts from).
    pub fn field_offset(&self, f: FieldId) -> Result<u32> {
        let cycle = || self.load_error(self.field(f).owner, "it contains itself");
        self.field_entry(f).offset.get(cycle, || self.find_offset(f)).copied()
    }

    fn find_offset(&self, f: FieldId) -> Result<u32> {
        let owner = self.field(f).owner;
        let found = self.layout(owner)?.fields.iter().find(|(field, _)| *field == f);
        found.map(|(_, offset)| *offset).ok_or_else(|| Error::MissingMember {
            ty: self.type_name(owner).into(),
            member: format!("instance field {}", self.field(f).name).into(),
        })
    }

    /// Do locations of this type hold object references?
    pub fn contains_refs(&self, t: TypeId) -> Result<bool> {
        Ok(match self.ty(t) {
            Type::Def { .. } if self.is_value_type(t) => self.layout(t)?.contains_refs,
            Type::Def { .. } | Type::SzArray(_) | Type::Array { .. } | Type::Mock { .. } => true,
            _ => false,
        })
    }

    fn make_layout(&self, t: TypeId) -> Result<Layout> {
        if let Some((base, _)) = self.mock(t) {
            return Ok(self.layout(base)?.clone());
        }
        let Some(info) = self.def_info(t) else {
            return Err(self.load_error(t, "only classes and value types have a layout"));
        };
        if let Some(primitive) = info.primitive {
            return Ok(primitive_layout(primitive, self.fields_of_primitive(t)?));
        }
        let inherited = match self.base(t)? {
            Some(base) if !self.is_value_type(t) => Some(self.layout(base)?),
            _ => None,
        };
        let fields: Vec<FieldId> = self.instance_fields(t)?.collect();
        let shapes =
            fields.iter().map(|f| self.shape(self.field_type(*f)?)).collect::<Result<Vec<Shape>>>()?;
        let start = inherited.map_or(0, |layout| layout.size);
        let rules = self.layout_rules();
        let kind = choose(info, &shapes, inherited, rules);
        let placed = match kind {
            LayoutKind::Auto => place::auto(&shapes, start, self.is_value_type(t), rules),
            LayoutKind::Sequential => place::sequential(&shapes, start, info.packing, info.class_size),
            LayoutKind::Explicit => {
                let offsets = self.explicit_offsets(t, &fields)?;
                place::explicit(&shapes, &offsets, start, info.packing, info.class_size)
            }
        };
        let mut placed = placed.map_err(|why| self.load_error(t, why))?;
        if let Some(length) = info.inline_array {
            self.repeat(t, &shapes, length, kind, &mut placed)?;
        }
        self.finish(t, info, kind, placed, &fields, &shapes, inherited)
    }

    #[allow(clippy::too_many_arguments)]
    fn finish(
        &self,
        t: TypeId,
        info: &TypeDefInfo,
        kind: LayoutKind,
        placed: Placed,
        fields: &[FieldId],
        shapes: &[Shape],
        inherited: Option<&Layout>,
    ) -> Result<Layout> {
        let is_value = matches!(info.kind, Kind::Struct | Kind::Enum);
        if placed.size > limits::VALUE_SIZE {
            return Err(self.load_error(t, "it is too large"));
        }
        let align = special_alignment(info).unwrap_or(placed.align);
        let own = fields.iter().copied().zip(placed.offsets.iter().map(|offset| *offset as u32));
        let base = inherited.map_or(&[][..], |layout| &layout.fields).iter().copied();
        let refs = |layout: Option<&Layout>, f: fn(&Shape) -> bool, g: fn(&Layout) -> bool| {
            shapes.iter().any(f) || layout.is_some_and(g)
        };
        Ok(Layout {
            kind,
            size: match info.is_core("System.Numerics", "Vector`1") {
                true => self.vector_bytes.get(),
                false => (if is_value { placed.size.max(1) } else { placed.size }) as u32,
            },
            align,
            fields: base.chain(own).collect(),
            contains_refs: refs(inherited, |s| s.contains_refs, |l| l.contains_refs),
            is_tracked: refs(inherited, |s| s.is_tracked, |l| l.is_tracked),
            is_blittable: kind != LayoutKind::Auto && shapes.iter().all(|shape| shape.is_blittable),
        })
    }

    /// How a location of type `t` takes part in a layout.
    fn shape(&self, t: TypeId) -> Result<Shape> {
        let cycle = || self.load_error(t, "it contains itself");
        self.type_entry(t).shape.get(cycle, || self.make_shape(t)).copied()
    }

    fn make_shape(&self, t: TypeId) -> Result<Shape> {
        match self.ty(t) {
            Type::SzArray(_) | Type::Array { .. } | Type::Mock { .. } => Ok(Shape::reference()),
            Type::Pointer(_) | Type::FnPtr(_) => Ok(Shape::primitive(8, true)),
            Type::ByRef(_) => Ok(Shape::managed_pointer()),
            Type::Var(_) | Type::MVar(_) | Type::Param { .. } => {
                Err(self.load_error(t, "a generic parameter has no size"))
            }
            Type::Def { .. } => match self.underlying_primitive(t)? {
                Some(Primitive::Void) => Err(self.load_error(t, "void has no size")),
                Some(primitive) => Ok(Shape::primitive(primitive.size(), is_blittable(primitive))),
                None if self.is_value_type(t) => Ok(Shape::value(self.layout(t)?)),
                None => Ok(Shape::reference()),
            },
        }
    }

    /// The rules of the runtime whose core library this is.
    fn layout_rules(&self) -> Rules {
        let core = self.corelib().map(|core| self.assembly(core));
        match core {
            Ok(core) if core.version()[0] < 7 => Rules::BeforeNet7,
            _ => Rules::Net7,
        }
    }

    fn explicit_offsets(&self, t: TypeId, fields: &[FieldId]) -> Result<Vec<u32>> {
        let offsets = fields.iter().map(|f| {
            let field = self.field(*f);
            let place = self.assembly(field.assembly);
            let offset = place.module().field_offset_of(field.def).map_err(|e| place.bad(e))?;
            let missing = || self.load_error(t, &format!("field {} has no offset", field.name));
            offset.ok_or_else(missing)
        });
        offsets.collect()
    }

    /// `[InlineArray(n)]`: the only field, n times.
    fn repeat(
        &self,
        t: TypeId,
        shapes: &[Shape],
        length: i32,
        kind: LayoutKind,
        placed: &mut Placed,
    ) -> Result<()> {
        if shapes.len() != 1 {
            return Err(self.load_error(t, "an inline array must have exactly one instance field"));
        }
        if kind == LayoutKind::Explicit {
            return Err(self.load_error(t, "an inline array cannot have explicit layout"));
        }
        if length <= 0 {
            return Err(self.load_error(t, "the length of an inline array must be positive"));
        }
        placed.size = placed.size.saturating_mul(length as u64);
        // The runtime's own limit for inline arrays.
        if placed.size > 1 << 20 {
            return Err(self.load_error(t, "the inline array is larger than 1 MiB"));
        }
        Ok(())
    }

    fn fields_of_primitive(&self, t: TypeId) -> Result<Box<[(FieldId, u32)]>> {
        Ok(self.instance_fields(t)?.map(|f| (f, 0)).collect())
    }

    /// Where in a type with explicit layout a reference is not aligned or meets something else.
    pub(crate) fn conflicting_offset(&self, t: TypeId) -> Option<u32> {
        let fields: Vec<FieldId> = self.instance_fields(t).ok()?.collect();
        let offsets = self.explicit_offsets(t, &fields).ok()?;
        let shapes: Vec<Shape> =
            fields.iter().map(|f| self.shape(self.field_type(*f)?)).collect::<Result<_>>().ok()?;
        place::conflict(&shapes, &offsets)
    }

    fn load_error(&self, t: TypeId, why: &str) -> Error {
        Error::TypeLoad { ty: self.type_name(t).into(), why: why.into() }
    }
}

fn primitive_layout(primitive: Primitive, fields: Box<[(FieldId, u32)]>) -> Layout {
    let size = primitive.size().max(1);
    Layout {
        kind: LayoutKind::Sequential,
        size,
        align: size,
        fields,
        contains_refs: false,
        is_tracked: false,
        is_blittable: is_blittable(primitive),
    }
}

fn is_blittable(primitive: Primitive) -> bool {
    !matches!(primitive, Primitive::Boolean | Primitive::Char | Primitive::Void)
}

fn choose(info: &TypeDefInfo, shapes: &[Shape], inherited: Option<&Layout>, rules: Rules) -> LayoutKind {
    match info.flags & 0x18 {
        0x10 => LayoutKind::Explicit,
        0x08 => {
            let ancestors =
                inherited.is_none_or(|layout| layout.size == 0 || layout.kind != LayoutKind::Auto);
            let plain = match rules {
                Rules::Net7 => shapes.iter().all(|shape| !shape.contains_refs),
                Rules::BeforeNet7 => {
                    shapes.iter().all(|shape| shape.is_sequential)
                        || shapes.iter().all(|shape| shape.is_blittable)
                }
            };
            if ancestors && plain { LayoutKind::Sequential } else { LayoutKind::Auto }
        }
        _ => LayoutKind::Auto,
    }
}

/// Types whose alignment the runtime fixes by name.
fn special_alignment(info: &TypeDefInfo) -> Option<u32> {
    if !info.in_core || info.enclosing.is_some() {
        return None;
    }
    match (&*info.namespace, &*info.name) {
        ("System", "Int128" | "UInt128") => Some(16),
        ("System.Runtime.Intrinsics", "Vector64`1") => Some(8),
        ("System.Runtime.Intrinsics", "Vector128`1") => Some(16),
        ("System.Runtime.Intrinsics", "Vector256`1") => Some(32),
        ("System.Runtime.Intrinsics", "Vector512`1") => Some(64),
        _ => None,
    }
}
