//! Every metadata table of ECMA-335 II.22 and of the portable PDB format: number, columns, row type and accessor.
//!
//! The list below is the single place that knows the tables. From it come the table numbers, the row ids, the row
//! structs, the accessors of [`Metadata`] and the column layout.

use crate::coded::CodedIndex::*;
use crate::column::{Blob, Column, Column::*, FromCell, Guid, List};
use crate::error::Result;
use crate::metadata::Metadata;
use crate::token::Token;

/// The number of a row of one table, counted from 1.
pub trait RowId: Copy + Eq + Ord + std::fmt::Debug {
    const TABLE: TableId;
    fn from_row(row: u32) -> Self;
    fn row(self) -> u32;
    fn token(self) -> Token {
        Token::new(Self::TABLE, self.row())
    }
}

macro_rules! tables {
    ($(
        $(#[$doc:meta])*
        $number:literal $Row:ident $(<$lt:lifetime>)? $Id:ident $get:ident $all:ident {
            $( $(#[$field_doc:meta])* $field:ident : $ty:ty = $column:expr, )*
        }
    )*) => {
        /// The tables by their numbers in the file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum TableId { $( $(#[$doc])* $Row = $number, )* }

        impl TableId {
            pub const ALL: &'static [TableId] = &[$(TableId::$Row,)*];

            pub const fn from_number(number: u8) -> Option<TableId> {
                match number {
                    $($number => Some(TableId::$Row),)*
                    _ => None,
                }
            }

            pub(crate) const fn columns(self) -> &'static [Column] {
                match self { $(TableId::$Row => &[$($column,)*],)* }
            }
        }

        /// A token whose table is known: what `match` works on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RowRef { $($Row($Id),)* }

        impl Token {
            /// The typed row id; `None` for the null token, user strings and unknown tables.
            pub fn row_ref(self) -> Option<RowRef> {
                if self.is_null() {
                    return None;
                }
                Some(match self.table()? { $(TableId::$Row => RowRef::$Row($Id::new(self.row())),)* })
            }
        }

        $(
            #[doc = concat!("A row of the table ", stringify!($Row), ", counted from 1.")]
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $Id(u32);

            impl $Id {
                pub const fn new(row: u32) -> Self {
                    $Id(row)
                }
                pub const fn row(self) -> u32 {
                    self.0
                }
                pub const fn token(self) -> Token {
                    Token::new(TableId::$Row, self.0)
                }
                /// The id behind a token of this table; `None` if the token is null or of another table.
                pub fn from_token(token: Token) -> Option<Self> {
                    (token.table() == Some(TableId::$Row) && !token.is_null()).then(|| $Id(token.row()))
                }
            }

            impl RowId for $Id {
                const TABLE: TableId = TableId::$Row;
                fn from_row(row: u32) -> Self {
                    $Id(row)
                }
                fn row(self) -> u32 {
                    self.0
                }
            }

            impl std::fmt::Debug for $Id {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    write!(f, concat!(stringify!($Row), "[{}]"), self.0)
                }
            }

            impl From<$Id> for Token {
                fn from(id: $Id) -> Token {
                    id.token()
                }
            }

            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $Row $(<$lt>)? { $( $(#[$field_doc])* pub $field: $ty, )* }
        )*

        impl Metadata {
            $(
                #[doc = concat!("Reads one row of the table ", stringify!($Row), ".")]
                #[allow(unused_assignments, clippy::needless_lifetimes)]
                pub fn $get<'a>(&'a self, id: $Id) -> Result<$Row $(<$lt>)?> {
                    let row = self.row_at(TableId::$Row, id.row())?;
                    let mut column = 0;
                    $(
                        let $field = <$ty as FromCell<'a>>::from_cell(row.cell(column))?;
                        column += 1;
                    )*
                    Ok($Row { $($field,)* })
                }

                #[doc = concat!("The ids of all rows of the table ", stringify!($Row), ".")]
                pub fn $all(&self) -> impl DoubleEndedIterator<Item = $Id> + ExactSizeIterator + Clone + use<> {
                    (0..self.rows(TableId::$Row)).map(|row| $Id::new(row + 1))
                }
            )*
        }
    };
}

tables! {
    /// The module itself (II.22.30): one row.
    0x00 ModuleDef<'a> ModuleDefId module_def module_defs {
        generation: u16 = U16,
        name: &'a str = Str,
        mvid: Option<Guid> = GuidIndex,
        enc_id: Option<Guid> = GuidIndex,
        enc_base_id: Option<Guid> = GuidIndex,
    }
    /// A type of another scope (II.22.38).
    0x01 TypeRef<'a> TypeRefId type_ref type_refs {
        /// The assembly, module, or enclosing type; null: look among the exported types.
        resolution_scope: Option<Token> = Coded(ResolutionScope),
        name: &'a str = Str,
        namespace: &'a str = Str,
    }
    /// A type defined here (II.22.37).
    0x02 TypeDef<'a> TypeDefId type_def type_defs {
        flags: u32 = U32,
        name: &'a str = Str,
        namespace: &'a str = Str,
        extends: Option<Token> = Coded(TypeDefOrRef),
        fields: List<'a, FieldId> = RowList(TableId::Field, TableId::FieldPtr),
        methods: List<'a, MethodDefId> = RowList(TableId::MethodDef, TableId::MethodPtr),
    }
    /// Indirection of field lists in edit-and-continue metadata.
    0x03 FieldPtr FieldPtrId field_ptr field_ptrs {
        field: FieldId = Row(TableId::Field),
    }
    /// A field (II.22.15).
    0x04 Field<'a> FieldId field fields {
        flags: u16 = U16,
        name: &'a str = Str,
        signature: Blob<'a> = BlobIndex,
    }
    /// Indirection of method lists in edit-and-continue metadata.
    0x05 MethodPtr MethodPtrId method_ptr method_ptrs {
        method: MethodDefId = Row(TableId::MethodDef),
    }
    /// A method (II.22.26).
    0x06 MethodDef<'a> MethodDefId method_def method_defs {
        /// Where the body is; 0 if there is none.
        rva: u32 = U32,
        impl_flags: u16 = U16,
        flags: u16 = U16,
        name: &'a str = Str,
        signature: Blob<'a> = BlobIndex,
        params: List<'a, ParamId> = RowList(TableId::Param, TableId::ParamPtr),
    }
    /// Indirection of parameter lists in edit-and-continue metadata.
    0x07 ParamPtr ParamPtrId param_ptr param_ptrs {
        param: ParamId = Row(TableId::Param),
    }
    /// The name and attributes of a parameter (II.22.33).
    0x08 Param<'a> ParamId param params {
        flags: u16 = U16,
        /// 1 for the first parameter, 0 for the return value.
        sequence: u16 = U16,
        name: &'a str = Str,
    }
    /// A type implements an interface (II.22.23).
    0x09 InterfaceImpl InterfaceImplId interface_impl interface_impls {
        class: Option<TypeDefId> = Row(TableId::TypeDef),
        interface: Token = Coded(TypeDefOrRef),
    }
    /// A field or method of another type, or of an instantiated one (II.22.25).
    0x0a MemberRef<'a> MemberRefId member_ref member_refs {
        class: Token = Coded(MemberRefParent),
        name: &'a str = Str,
        signature: Blob<'a> = BlobIndex,
    }
    /// The constant value of a field, parameter or property (II.22.9).
    0x0b Constant<'a> ConstantId constant constants {
        /// The element type in the low byte.
        type_code: u16 = U16,
        parent: Token = Coded(HasConstant),
        value: Blob<'a> = BlobIndex,
    }
    /// A custom attribute (II.22.10).
    0x0c CustomAttribute<'a> CustomAttributeId custom_attribute all_custom_attributes {
        parent: Token = Coded(HasCustomAttribute),
        /// The constructor: a MethodDef or a MemberRef.
        constructor: Token = Coded(CustomAttributeType),
        value: Blob<'a> = BlobIndex,
    }
    /// How a field or parameter is marshalled (II.22.17).
    0x0d FieldMarshal<'a> FieldMarshalId field_marshal field_marshals {
        parent: Token = Coded(HasFieldMarshal),
        native_type: Blob<'a> = BlobIndex,
    }
    /// Declarative security (II.22.11).
    0x0e DeclSecurity<'a> DeclSecurityId decl_security all_decl_securities {
        action: u16 = U16,
        parent: Token = Coded(HasDeclSecurity),
        permission_set: Blob<'a> = BlobIndex,
    }
    /// Packing and size of a type (II.22.8).
    0x0f ClassLayout ClassLayoutId class_layout class_layouts {
        packing_size: u16 = U16,
        class_size: u32 = U32,
        parent: TypeDefId = Row(TableId::TypeDef),
    }
    /// Explicit offset of a field (II.22.16).
    0x10 FieldLayout FieldLayoutId field_layout field_layouts {
        offset: u32 = U32,
        field: FieldId = Row(TableId::Field),
    }
    /// A signature that belongs to no member: local variables, `calli` (II.22.36).
    0x11 StandAloneSig<'a> StandAloneSigId stand_alone_sig stand_alone_sigs {
        signature: Blob<'a> = BlobIndex,
    }
    /// The events of a type (II.22.12).
    0x12 EventMap<'a> EventMapId event_map event_maps {
        parent: TypeDefId = Row(TableId::TypeDef),
        events: List<'a, EventId> = RowList(TableId::Event, TableId::EventPtr),
    }
    /// Indirection of event lists in edit-and-continue metadata.
    0x13 EventPtr EventPtrId event_ptr event_ptrs {
        event: EventId = Row(TableId::Event),
    }
    /// An event (II.22.13).
    0x14 Event<'a> EventId event events {
        flags: u16 = U16,
        name: &'a str = Str,
        event_type: Option<Token> = Coded(TypeDefOrRef),
    }
    /// The properties of a type (II.22.35).
    0x15 PropertyMap<'a> PropertyMapId property_map property_maps {
        parent: TypeDefId = Row(TableId::TypeDef),
        properties: List<'a, PropertyId> = RowList(TableId::Property, TableId::PropertyPtr),
    }
    /// Indirection of property lists in edit-and-continue metadata.
    0x16 PropertyPtr PropertyPtrId property_ptr property_ptrs {
        property: PropertyId = Row(TableId::Property),
    }
    /// A property (II.22.34).
    0x17 Property<'a> PropertyId property properties {
        flags: u16 = U16,
        name: &'a str = Str,
        signature: Blob<'a> = BlobIndex,
    }
    /// Which methods are the accessors of an event or a property (II.22.28).
    0x18 MethodSemantics MethodSemanticsId method_semantics all_method_semantics {
        flags: u16 = U16,
        method: MethodDefId = Row(TableId::MethodDef),
        association: Token = Coded(HasSemantics),
    }
    /// An explicit override (II.22.27).
    0x19 MethodImpl MethodImplId method_impl all_method_impls {
        class: TypeDefId = Row(TableId::TypeDef),
        body: Token = Coded(MethodDefOrRef),
        declaration: Token = Coded(MethodDefOrRef),
    }
    /// Another module, or a native library of P/Invoke (II.22.31).
    0x1a ModuleRef<'a> ModuleRefId module_ref module_refs {
        name: &'a str = Str,
    }
    /// A constructed type (II.22.39).
    0x1b TypeSpec<'a> TypeSpecId type_spec type_specs {
        signature: Blob<'a> = BlobIndex,
    }
    /// P/Invoke: which native function a method is (II.22.22).
    0x1c ImplMap<'a> ImplMapId impl_map impl_maps {
        flags: u16 = U16,
        member_forwarded: Token = Coded(MemberForwarded),
        import_name: &'a str = Str,
        import_scope: ModuleRefId = Row(TableId::ModuleRef),
    }
    /// Initial data of a static field (II.22.18).
    0x1d FieldRva FieldRvaId field_rva field_rvas {
        rva: u32 = U32,
        field: FieldId = Row(TableId::Field),
    }
    /// Edit-and-continue log.
    0x1e EncLog EncLogId enc_log enc_logs {
        token: u32 = U32,
        function_code: u32 = U32,
    }
    /// Edit-and-continue map.
    0x1f EncMap EncMapId enc_map enc_maps {
        token: u32 = U32,
    }
    /// The assembly (II.22.2): at most one row.
    0x20 Assembly<'a> AssemblyId assembly_row assemblies {
        hash_algorithm: u32 = U32,
        major_version: u16 = U16,
        minor_version: u16 = U16,
        build_number: u16 = U16,
        revision_number: u16 = U16,
        flags: u32 = U32,
        public_key: Blob<'a> = BlobIndex,
        name: &'a str = Str,
        culture: &'a str = Str,
    }
    /// Unused by any runtime (II.22.4).
    0x21 AssemblyProcessor AssemblyProcessorId assembly_processor assembly_processors {
        processor: u32 = U32,
    }
    /// Unused by any runtime (II.22.3).
    0x22 AssemblyOs AssemblyOsId assembly_os assembly_oses {
        platform_id: u32 = U32,
        major_version: u32 = U32,
        minor_version: u32 = U32,
    }
    /// A referenced assembly (II.22.5).
    0x23 AssemblyRef<'a> AssemblyRefId assembly_ref assembly_refs {
        major_version: u16 = U16,
        minor_version: u16 = U16,
        build_number: u16 = U16,
        revision_number: u16 = U16,
        flags: u32 = U32,
        public_key_or_token: Blob<'a> = BlobIndex,
        name: &'a str = Str,
        culture: &'a str = Str,
        hash: Blob<'a> = BlobIndex,
    }
    /// Unused by any runtime (II.22.7).
    0x24 AssemblyRefProcessor AssemblyRefProcessorId assembly_ref_processor assembly_ref_processors {
        processor: u32 = U32,
        assembly_ref: AssemblyRefId = Row(TableId::AssemblyRef),
    }
    /// Unused by any runtime (II.22.6).
    0x25 AssemblyRefOs AssemblyRefOsId assembly_ref_os assembly_ref_oses {
        platform_id: u32 = U32,
        major_version: u32 = U32,
        minor_version: u32 = U32,
        assembly_ref: AssemblyRefId = Row(TableId::AssemblyRef),
    }
    /// A file of a multi-file assembly (II.22.19).
    0x26 File<'a> FileId file files {
        flags: u32 = U32,
        name: &'a str = Str,
        hash: Blob<'a> = BlobIndex,
    }
    /// A type of another module of the assembly, or a forwarder (II.22.14).
    0x27 ExportedType<'a> ExportedTypeId exported_type exported_types {
        flags: u32 = U32,
        /// A hint only.
        type_def_row: u32 = U32,
        name: &'a str = Str,
        namespace: &'a str = Str,
        /// The file, the assembly it is forwarded to, or the enclosing exported type.
        implementation: Token = Coded(Implementation),
    }
    /// A resource (II.22.24).
    0x28 ManifestResource<'a> ManifestResourceId manifest_resource manifest_resources {
        offset: u32 = U32,
        flags: u32 = U32,
        name: &'a str = Str,
        /// Null: the resource is embedded in this file.
        implementation: Option<Token> = Coded(Implementation),
    }
    /// A type lies inside another (II.22.32).
    0x29 NestedClass NestedClassId nested_class nested_classes {
        nested: TypeDefId = Row(TableId::TypeDef),
        enclosing: TypeDefId = Row(TableId::TypeDef),
    }
    /// A generic parameter of a type or a method (II.22.20).
    0x2a GenericParam<'a> GenericParamId generic_param all_generic_params {
        number: u16 = U16,
        flags: u16 = U16,
        owner: Token = Coded(TypeOrMethodDef),
        name: &'a str = Str,
    }
    /// An instantiated generic method (II.22.29).
    0x2b MethodSpec<'a> MethodSpecId method_spec method_specs {
        method: Token = Coded(MethodDefOrRef),
        instantiation: Blob<'a> = BlobIndex,
    }
    /// A constraint of a generic parameter (II.22.21).
    0x2c GenericParamConstraint GenericParamConstraintId generic_param_constraint all_generic_param_constraints {
        owner: GenericParamId = Row(TableId::GenericParam),
        constraint: Token = Coded(TypeDefOrRef),
    }
    /// Portable PDB: a source file.
    0x30 Document<'a> DocumentId document_row documents {
        name: Blob<'a> = BlobIndex,
        hash_algorithm: Option<Guid> = GuidIndex,
        hash: Blob<'a> = BlobIndex,
        language: Option<Guid> = GuidIndex,
    }
    /// Portable PDB: the sequence points of the method with the same row number.
    0x31 MethodDebugInformation<'a> MethodDebugInformationId method_debug_information all_method_debug_information {
        document: Option<DocumentId> = Row(TableId::Document),
        sequence_points: Blob<'a> = BlobIndex,
    }
    /// Portable PDB: a range of code with local variables.
    0x32 LocalScope<'a> LocalScopeId local_scope all_local_scopes {
        method: MethodDefId = Row(TableId::MethodDef),
        import_scope: Option<ImportScopeId> = Row(TableId::ImportScope),
        variables: List<'a, LocalVariableId> = RowList(TableId::LocalVariable, TableId::LocalVariable),
        constants: List<'a, LocalConstantId> = RowList(TableId::LocalConstant, TableId::LocalConstant),
        start_offset: u32 = U32,
        length: u32 = U32,
    }
    /// Portable PDB: a local variable.
    0x33 LocalVariable<'a> LocalVariableId local_variable local_variables {
        attributes: u16 = U16,
        index: u16 = U16,
        name: &'a str = Str,
    }
    /// Portable PDB: a local constant.
    0x34 LocalConstant<'a> LocalConstantId local_constant local_constants {
        name: &'a str = Str,
        signature: Blob<'a> = BlobIndex,
    }
    /// Portable PDB: the `using`s of a scope.
    0x35 ImportScope<'a> ImportScopeId import_scope import_scopes {
        parent: Option<ImportScopeId> = Row(TableId::ImportScope),
        imports: Blob<'a> = BlobIndex,
    }
    /// Portable PDB: which `MoveNext` carries the code of an async or iterator method.
    0x36 StateMachineMethod StateMachineMethodId state_machine_method state_machine_methods {
        move_next: MethodDefId = Row(TableId::MethodDef),
        kickoff: MethodDefId = Row(TableId::MethodDef),
    }
    /// Portable PDB: anything else, told apart by a GUID.
    0x37 CustomDebugInformation<'a> CustomDebugInformationId custom_debug_information all_custom_debug_information {
        parent: Token = Coded(HasCustomDebugInformation),
        kind: Option<Guid> = GuidIndex,
        value: Blob<'a> = BlobIndex,
    }
}
