//! Facts of one type definition that all its instantiations share, answered from its own row: nothing else is loaded.

use std::cell::OnceCell;
use std::rc::Rc;

use cil::{FieldId as FieldRow, MethodDefId, TypeDefId};

use crate::assembly::Assembly;
use crate::{AssemblyId, Error, Result, TypeId, Universe, limits};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Primitive {
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
    I,
    U,
}

impl Primitive {
    /// Bytes of a location; 0 for `void`.
    pub fn size(self) -> u32 {
        match self {
            Primitive::Void => 0,
            Primitive::Boolean | Primitive::I1 | Primitive::U1 => 1,
            Primitive::Char | Primitive::I2 | Primitive::U2 => 2,
            Primitive::I4 | Primitive::U4 | Primitive::R4 => 4,
            Primitive::I8 | Primitive::U8 | Primitive::R8 | Primitive::I | Primitive::U => 8,
        }
    }

    fn by_name(name: &str) -> Option<Primitive> {
        Some(match name {
            "Void" => Primitive::Void,
            "Boolean" => Primitive::Boolean,
            "Char" => Primitive::Char,
            "SByte" => Primitive::I1,
            "Byte" => Primitive::U1,
            "Int16" => Primitive::I2,
            "UInt16" => Primitive::U2,
            "Int32" => Primitive::I4,
            "UInt32" => Primitive::U4,
            "Int64" => Primitive::I8,
            "UInt64" => Primitive::U8,
            "Single" => Primitive::R4,
            "Double" => Primitive::R8,
            "IntPtr" => Primitive::I,
            "UIntPtr" => Primitive::U,
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variance {
    None,
    Covariant,
    Contravariant,
}

#[derive(Debug, Clone)]
pub struct GenericParameter {
    pub name: Box<str>,
    /// GenericParamAttributes: variance and special constraints.
    pub flags: u16,
    pub id: cil::GenericParamId,
}

impl GenericParameter {
    pub fn variance(&self) -> Variance {
        match self.flags & 3 {
            1 => Variance::Covariant,
            2 => Variance::Contravariant,
            _ => Variance::None,
        }
    }
    pub fn must_be_reference(&self) -> bool {
        self.flags & 0x4 != 0
    }
    pub fn must_be_value(&self) -> bool {
        self.flags & 0x8 != 0
    }
    pub fn must_have_constructor(&self) -> bool {
        self.flags & 0x10 != 0
    }
    pub fn allows_byref_like(&self) -> bool {
        self.flags & 0x20 != 0
    }
}

#[derive(Debug)]
pub struct TypeDefInfo {
    pub assembly: AssemblyId,
    pub id: TypeDefId,
    pub namespace: Box<str>,
    pub name: Box<str>,
    pub enclosing: Option<TypeDefId>,
    pub flags: u32,
    pub generic_parameters: Box<[GenericParameter]>,
    pub fields: Box<[FieldRow]>,
    pub methods: Box<[MethodDefId]>,
    pub extends: Option<cil::Token>,
    pub kind: Kind,
    pub primitive: Option<Primitive>,
    /// Defined in the core library (an assembly that defines `System.Object`).
    pub in_core: bool,
    pub is_byref_like: bool,
    pub packing: u16,
    pub class_size: u32,
    /// Elements of an `[InlineArray]`.
    pub inline_array: Option<i32>,
    pub(crate) open: OnceCell<TypeId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Class,
    Interface,
    Struct,
    Enum,
    Delegate,
}

impl TypeDefInfo {
    pub fn is_core(&self, namespace: &str, name: &str) -> bool {
        self.in_core && self.enclosing.is_none() && &*self.name == name && &*self.namespace == namespace
    }
    pub fn is_abstract(&self) -> bool {
        self.flags & 0x80 != 0
    }
    pub fn is_sealed(&self) -> bool {
        self.flags & 0x100 != 0
    }
    pub fn is_before_field_init(&self) -> bool {
        self.flags & 0x10_0000 != 0
    }
    /// Public, and so are all types around it? (Only this definition's own bits; see [`Universe::is_visible`].)
    pub fn visibility(&self) -> u32 {
        self.flags & 7
    }
}

impl Universe {
    pub(crate) fn type_def_info(&self, a: AssemblyId, id: TypeDefId) -> Result<Rc<TypeDefInfo>> {
        let assembly = self.assembly(a);
        let cell = assembly.def_cell(id)?;
        if let Some(info) = cell.get() {
            return Ok(info.clone());
        }
        let info = Rc::new(read(a, assembly, id).map_err(|e| e.into_error(assembly))?);
        Ok(cell.get_or_init(|| info).clone())
    }
}

/// Either a problem of the bytes or of what they say.
pub(crate) enum Trouble {
    Image(cil::Error),
    What(String),
}

impl From<cil::Error> for Trouble {
    fn from(error: cil::Error) -> Trouble {
        Trouble::Image(error)
    }
}

impl Trouble {
    pub fn into_error(self, assembly: &Assembly) -> Error {
        match self {
            Trouble::Image(error) => assembly.bad(error),
            Trouble::What(what) => assembly.wrong(what),
        }
    }
}

fn read(a: AssemblyId, assembly: &Assembly, id: TypeDefId) -> std::result::Result<TypeDefInfo, Trouble> {
    let module = assembly.module();
    let row = module.type_def(id)?;
    let enclosing = assembly.enclosing(id)?;
    check_nesting(assembly, id)?;
    let extends_name = assembly.token_name(row.extends)?;
    let in_core = assembly.is_core();
    let itself = (enclosing.is_none()).then_some((row.namespace, row.name));
    let kind = kind(row.flags, row.extends, extends_name, itself, in_core);
    let (packing, class_size) = assembly.class_layout(id)?;
    let primitive = match itself {
        Some(("System", name)) if in_core && kind == Kind::Struct => Primitive::by_name(name),
        _ => None,
    };
    let is_value = matches!(kind, Kind::Struct);
    let token = id.token();
    let is_byref_like = is_value
        && (assembly.has_attribute(token, "System.Runtime.CompilerServices", "IsByRefLikeAttribute")?
            || in_core && matches!(itself, Some(("System", "TypedReference" | "RuntimeArgumentHandle"))));
    let inline_array = if is_value { assembly.inline_array_length(token)? } else { None };
    Ok(TypeDefInfo {
        assembly: a,
        id,
        namespace: row.namespace.into(),
        name: row.name.into(),
        enclosing,
        flags: row.flags,
        generic_parameters: assembly.generic_parameters(token)?,
        fields: row.fields.collect(),
        methods: row.methods.collect(),
        extends: row.extends,
        kind,
        primitive,
        in_core,
        is_byref_like,
        packing,
        class_size,
        inline_array,
        open: OnceCell::new(),
    })
}

/// Value types are known by the name of what they extend, so that nothing must be loaded to tell.
fn kind(
    flags: u32,
    extends: Option<cil::Token>,
    extends_name: Option<(&str, &str)>,
    itself: Option<(&str, &str)>,
    in_core: bool,
) -> Kind {
    if flags & 0x20 != 0 {
        return Kind::Interface;
    }
    // A base in this very module is the real one only in the core library.
    let local = extends.is_some_and(|token| token.table() == Some(cil::TableId::TypeDef));
    if local && !in_core {
        return Kind::Class;
    }
    match extends_name {
        Some(("System", "Enum")) => Kind::Enum,
        Some(("System", "ValueType")) if itself != Some(("System", "Enum")) => Kind::Struct,
        Some(("System", "MulticastDelegate")) => Kind::Delegate,
        _ => Kind::Class,
    }
}

fn check_nesting(assembly: &Assembly, id: TypeDefId) -> std::result::Result<(), Trouble> {
    let mut current = id;
    for _ in 0..limits::NESTED_DEPTH {
        match assembly.enclosing(current)? {
            Some(outer) => current = outer,
            None => return Ok(()),
        }
    }
    Err(Trouble::What(format!("type definition {} is nested in itself", id.token())))
}
