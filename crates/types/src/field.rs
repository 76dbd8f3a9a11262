//! Fields: interning, types, constants and initial data.

use crate::memo::Memo;
use crate::sig::{Generics, SigReader};
use crate::{AssemblyId, Error, FieldId, Result, Type, TypeId, Universe};

/// A field of an instantiated type. Its type is asked for with [`Universe::field_type`].
#[derive(Debug, Clone)]
pub struct Field {
    pub owner: TypeId,
    pub name: Box<str>,
    pub assembly: AssemblyId,
    pub def: cil::FieldId,
    /// FieldAttributes.
    pub flags: u16,
}

impl Field {
    pub fn is_public(&self) -> bool {
        self.flags & 0x7 == 0x6
    }
    pub fn is_static(&self) -> bool {
        self.flags & 0x10 != 0
    }
    /// Visible to its own class and what is nested in it.
    pub fn is_private(&self) -> bool {
        self.flags & 0x7 == 0x1
    }

    pub fn is_init_only(&self) -> bool {
        self.flags & 0x20 != 0
    }
    /// A compile-time constant without storage.
    pub fn is_literal(&self) -> bool {
        self.flags & 0x40 != 0
    }
    /// Its initial bytes are in the file.
    pub fn has_rva(&self) -> bool {
        self.flags & 0x100 != 0
    }
    pub fn token(&self) -> cil::Token {
        self.def.token()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FieldKey {
    owner: TypeId,
    assembly: AssemblyId,
    def: cil::FieldId,
}

pub(crate) struct FieldEntry {
    field: Field,
    ty: Memo<TypeId>,
    pub offset: Memo<u32>,
}

impl Universe {
    pub fn field(&self, f: FieldId) -> &Field {
        &self.field_entry(f).field
    }

    /// The declared fields of a type, instance and static, in the order of the table.
    pub fn fields(&self, t: TypeId) -> Result<&[FieldId]> {
        let cycle = || Error::Cycle { what: self.type_name(t).into() };
        let fields = self.type_entry(t).fields.get(cycle, || match self.ty(t) {
            Type::Def { assembly, .. } => {
                let defs = self.def_info(t).map_or(&[][..], |info| &info.fields);
                defs.iter().map(|def| self.intern_field(t, *assembly, *def)).collect()
            }
            _ => Ok(Box::default()),
        })?;
        Ok(fields)
    }

    /// A field of a span or a memory by its newest name: before .NET 7, the reference of a span was a structure.
    pub fn field_of_span(&self, t: TypeId, name: &str) -> Result<Option<FieldId>> {
        match self.find_field(t, name)? {
            None if name == "_reference" => self.find_field(t, "_pointer"),
            found => Ok(found),
        }
    }

    /// The field of this name that `t` declares itself.
    pub fn find_field(&self, t: TypeId, name: &str) -> Result<Option<FieldId>> {
        Ok(self.fields(t)?.iter().copied().find(|f| &*self.field(*f).name == name))
    }

    /// The type of a field with the owner's generic arguments filled in.
    pub fn field_type(&self, f: FieldId) -> Result<TypeId> {
        let entry = self.field_entry(f);
        let Field { owner, assembly, def, .. } = entry.field;
        let cycle = || Error::Cycle { what: format!("the type of field {}", entry.field.name).into() };
        let ty = entry.ty.get(cycle, || {
            let place = self.assembly(assembly);
            let sig = place.module().field_sig(def).map_err(|e| place.bad(e))?;
            let generics = Generics::Of { types: self.type_args(owner), methods: &[] };
            SigReader::new(self, assembly, generics).ty(&sig)
        })?;
        Ok(*ty)
    }

    /// The bytes of a field's signature.
    pub fn field_blob(&self, f: FieldId) -> Result<&[u8]> {
        let Field { assembly, def, .. } = self.field_entry(f).field;
        let place = self.assembly(assembly);
        Ok(place.module().field(def).map_err(|e| place.bad(e))?.signature.bytes)
    }

    /// The bytes a static field starts with, if the file has them; as many as its type is long.
    pub fn field_data(&self, f: FieldId) -> Result<Option<&[u8]>> {
        let Field { assembly, def, .. } = self.field_entry(f).field;
        if !self.field(f).has_rva() {
            return Ok(None);
        }
        let place = self.assembly(assembly);
        let length = self.size_of(self.field_type(f)?)? as usize;
        place.module().field_data(def, length).map_err(|e| place.bad(e))
    }

    /// The value of a literal field.
    pub fn field_constant(&self, f: FieldId) -> Result<Option<cil::ConstantValue>> {
        let Field { assembly, def, .. } = self.field_entry(f).field;
        let place = self.assembly(assembly);
        place.module().constant_value_of(def.token()).map_err(|e| place.bad(e))
    }

    pub(crate) fn intern_field(
        &self,
        owner: TypeId,
        assembly: AssemblyId,
        def: cil::FieldId,
    ) -> Result<FieldId> {
        let key = FieldKey { owner, assembly, def };
        if let Some(known) = self.field_ids.borrow().get(&key) {
            return Ok(*known);
        }
        let place = self.assembly(assembly);
        let row = place.module().field(def).map_err(|e| place.bad(e))?;
        let field = Field { owner, name: row.name.into(), assembly, def, flags: row.flags };
        let id = FieldId(
            self.fields.push(FieldEntry { field, ty: Memo::default(), offset: Memo::default() }) as u32,
        );
        self.field_ids.borrow_mut().insert(key, id);
        Ok(id)
    }

    pub(crate) fn field_entry(&self, f: FieldId) -> &FieldEntry {
        match self.fields.get(f.index()) {
            Some(entry) => entry,
            None => unreachable!("{f:?} belongs to another universe"),
        }
    }
}
