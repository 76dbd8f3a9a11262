//! Coded indexes (ECMA-335 II.24.2.6): a row of one of several tables, told apart by a tag in the low bits.

use crate::schema::TableId;
use crate::schema::TableId as T;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodedIndex {
    TypeDefOrRef,
    HasConstant,
    HasCustomAttribute,
    HasFieldMarshal,
    HasDeclSecurity,
    MemberRefParent,
    HasSemantics,
    MethodDefOrRef,
    MemberForwarded,
    Implementation,
    CustomAttributeType,
    ResolutionScope,
    TypeOrMethodDef,
    HasCustomDebugInformation,
}

const HAS_CUSTOM_DEBUG_INFORMATION: &[Option<TableId>] = &[
    Some(T::MethodDef),
    Some(T::Field),
    Some(T::TypeRef),
    Some(T::TypeDef),
    Some(T::Param),
    Some(T::InterfaceImpl),
    Some(T::MemberRef),
    Some(T::ModuleDef),
    Some(T::DeclSecurity),
    Some(T::Property),
    Some(T::Event),
    Some(T::StandAloneSig),
    Some(T::ModuleRef),
    Some(T::TypeSpec),
    Some(T::Assembly),
    Some(T::AssemblyRef),
    Some(T::File),
    Some(T::ExportedType),
    Some(T::ManifestResource),
    Some(T::GenericParam),
    Some(T::GenericParamConstraint),
    Some(T::MethodSpec),
    Some(T::Document),
    Some(T::LocalScope),
    Some(T::LocalVariable),
    Some(T::LocalConstant),
    Some(T::ImportScope),
];

impl CodedIndex {
    pub(crate) const fn tag_bits(self) -> u32 {
        match self {
            CodedIndex::HasFieldMarshal
            | CodedIndex::HasSemantics
            | CodedIndex::MethodDefOrRef
            | CodedIndex::MemberForwarded
            | CodedIndex::TypeOrMethodDef => 1,
            CodedIndex::TypeDefOrRef
            | CodedIndex::HasConstant
            | CodedIndex::HasDeclSecurity
            | CodedIndex::Implementation
            | CodedIndex::ResolutionScope => 2,
            CodedIndex::MemberRefParent | CodedIndex::CustomAttributeType => 3,
            CodedIndex::HasCustomAttribute | CodedIndex::HasCustomDebugInformation => 5,
        }
    }

    /// The tables by tag; `None` where the standard leaves a tag unused.
    pub(crate) const fn tables(self) -> &'static [Option<TableId>] {
        match self {
            CodedIndex::TypeDefOrRef => &[Some(T::TypeDef), Some(T::TypeRef), Some(T::TypeSpec)],
            CodedIndex::HasConstant => &[Some(T::Field), Some(T::Param), Some(T::Property)],
            // The debug tables extend the list of the metadata tables.
            CodedIndex::HasCustomAttribute => HAS_CUSTOM_DEBUG_INFORMATION.split_at(22).0,
            CodedIndex::HasFieldMarshal => &[Some(T::Field), Some(T::Param)],
            CodedIndex::HasDeclSecurity => &[Some(T::TypeDef), Some(T::MethodDef), Some(T::Assembly)],
            CodedIndex::MemberRefParent => &[
                Some(T::TypeDef),
                Some(T::TypeRef),
                Some(T::ModuleRef),
                Some(T::MethodDef),
                Some(T::TypeSpec),
            ],
            CodedIndex::HasSemantics => &[Some(T::Event), Some(T::Property)],
            CodedIndex::MethodDefOrRef => &[Some(T::MethodDef), Some(T::MemberRef)],
            CodedIndex::MemberForwarded => &[Some(T::Field), Some(T::MethodDef)],
            CodedIndex::Implementation => &[Some(T::File), Some(T::AssemblyRef), Some(T::ExportedType)],
            CodedIndex::CustomAttributeType => &[None, None, Some(T::MethodDef), Some(T::MemberRef), None],
            CodedIndex::ResolutionScope => {
                &[Some(T::ModuleDef), Some(T::ModuleRef), Some(T::AssemblyRef), Some(T::TypeRef)]
            }
            CodedIndex::TypeOrMethodDef => &[Some(T::TypeDef), Some(T::MethodDef)],
            CodedIndex::HasCustomDebugInformation => HAS_CUSTOM_DEBUG_INFORMATION,
        }
    }

    /// The table and row of an encoded value; `None` for an unused tag.
    pub(crate) fn decode(self, value: u32) -> Option<(TableId, u32)> {
        let bits = self.tag_bits();
        let tag = value & ((1 << bits) - 1);
        let table = (*self.tables().get(tag as usize)?)?;
        Some((table, value >> bits))
    }

    /// The encoded value of a row, for searching a column; `None` if the index cannot name that table.
    pub(crate) fn encode(self, table: TableId, row: u32) -> Option<u32> {
        let tag = self.tables().iter().position(|&candidate| candidate == Some(table))?;
        Some(row << self.tag_bits() | tag as u32)
    }
}
