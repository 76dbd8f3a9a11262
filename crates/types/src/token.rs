//! Resolution of the tokens in a method body, in the generic context of that method.

use cil::{RowRef, Token};

use crate::resolve::{DefRef, FoundMember, MemberRow};
use crate::sig::{Generics, MethodSig, SigReader};
use crate::{
    ArrayMethod, AssemblyId, Error, FieldId, MethodId, MethodKind, Modifier, Result, Type, TypeId, Universe,
};

/// What an `ldtoken` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    Type(TypeId),
    Method(MethodId),
    Field(FieldId),
}

/// The signature of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertySig {
    pub has_this: bool,
    pub ty: TypeId,
    pub params: Box<[TypeId]>,
}

impl Universe {
    pub fn resolve_type(&self, in_method: MethodId, token: Token) -> Result<TypeId> {
        let a = self.assembly_of(in_method)?;
        self.type_of_token(a, token, self.generics_of(in_method))
    }

    pub fn resolve_method(&self, in_method: MethodId, token: Token) -> Result<MethodId> {
        match self.resolve_member_token(in_method, token)? {
            Member::Method(m) => Ok(m),
            _ => Err(self.assembly(self.assembly_of(in_method)?).bad_token(token, "a method")),
        }
    }

    pub fn resolve_field(&self, in_method: MethodId, token: Token) -> Result<FieldId> {
        match self.resolve_member_token(in_method, token)? {
            Member::Field(f) => Ok(f),
            _ => Err(self.assembly(self.assembly_of(in_method)?).bad_token(token, "a field")),
        }
    }

    /// Any token an `ldtoken` may have.
    pub fn resolve_member_token(&self, in_method: MethodId, token: Token) -> Result<Member> {
        let a = self.assembly_of(in_method)?;
        self.member_of_token(a, token, self.generics_of(in_method), Some(in_method))
    }

    /// A type or member by its token, outside of any generic context: variables stay what they are.
    pub fn resolve_in_assembly(&self, a: AssemblyId, token: Token) -> Result<Member> {
        self.member_of_token(a, token, Generics::Identity, None)
    }

    /// A type or member by its token, with these arguments for the variables of types and methods.
    pub fn resolve_in_context(
        &self,
        a: AssemblyId,
        token: Token,
        types: &[TypeId],
        methods: &[TypeId],
    ) -> Result<Member> {
        if types.is_empty() && methods.is_empty() {
            return self.resolve_in_assembly(a, token);
        }
        self.member_of_token(a, token, Generics::Of { types, methods }, None)
    }

    /// The type and the index types of a property of `owner`, given by its signature's bytes.
    pub fn property_signature(&self, owner: TypeId, blob: &[u8]) -> Result<PropertySig> {
        let Type::Def { assembly, args, .. } = self.ty(owner) else {
            let ty = self.type_name(owner).into();
            return Err(Error::MissingMember { ty, member: "property".into() });
        };
        let module = self.assembly(*assembly).module();
        let blob = cil::Blob { bytes: blob, file_offset: 0 };
        let sig = module.read_property_sig(blob).map_err(|e| self.assembly(*assembly).bad(e))?;
        let mut reader = SigReader::new(self, *assembly, Generics::Of { types: args, methods: &[] });
        let ty = reader.ty(&sig.ty)?;
        Ok(PropertySig { has_this: sig.has_this, ty, params: reader.types(&sig.params)? })
    }

    /// The type in a field's signature, in the context of the type that declares the field.
    pub fn field_signature(&self, owner: TypeId, blob: &[u8]) -> Result<TypeId> {
        let Type::Def { assembly, args, .. } = self.ty(owner) else {
            let ty = self.type_name(owner).into();
            return Err(Error::MissingMember { ty, member: "field".into() });
        };
        let module = self.assembly(*assembly).module();
        let blob = cil::Blob { bytes: blob, file_offset: 0 };
        let sig = module.read_field_sig(blob).map_err(|e| self.assembly(*assembly).bad(e))?;
        SigReader::new(self, *assembly, Generics::Of { types: args, methods: &[] }).ty(&sig)
    }

    /// The custom modifiers in the signature of a field or property of `owner`; the type itself is at path `[0]`.
    pub fn modifiers_in_signature(&self, owner: TypeId, blob: &[u8]) -> Result<Vec<Modifier>> {
        let Type::Def { assembly, args, .. } = self.ty(owner) else { return Ok(Vec::new()) };
        let module = self.assembly(*assembly).module();
        let bad = |e| self.assembly(*assembly).bad(e);
        let bytes = cil::Blob { bytes: blob, file_offset: 0 };
        let (ty, params) = if blob.first() == Some(&6) {
            (module.read_field_sig(bytes).map_err(bad)?, Vec::new())
        } else {
            let sig = module.read_property_sig(bytes).map_err(bad)?;
            (sig.ty, sig.params)
        };
        let sig = cil::MethodSig {
            convention: cil::CallingConvention::Default,
            has_this: false,
            explicit_this: false,
            generic_arity: 0,
            ret: ty,
            params,
            sentinel: None,
        };
        let generics = Generics::Of { types: args, methods: &[] };
        Ok(SigReader::new(self, *assembly, generics).method(&sig)?.modifiers.into_vec())
    }

    /// The signature at a `calli`, or the call site's own signature of a vararg call.
    pub fn resolve_signature(&self, in_method: MethodId, token: Token) -> Result<MethodSig> {
        let a = self.assembly_of(in_method)?;
        let assembly = self.assembly(a);
        let sig = match token.row_ref() {
            Some(RowRef::StandAloneSig(id)) => match assembly.module().stand_alone_signature(id) {
                Ok(cil::StandAloneSignature::Method(sig)) => sig,
                Ok(_) => return Err(assembly.bad_token(token, "the signature of a method")),
                Err(e) => return Err(assembly.bad(e)),
            },
            Some(RowRef::MemberRef(id)) => match assembly.module().member_ref_sig(id) {
                Ok(cil::MemberSig::Method(sig)) => sig,
                Ok(_) => return Err(assembly.bad_token(token, "the signature of a method")),
                Err(e) => return Err(assembly.bad(e)),
            },
            _ => return Err(assembly.bad_token(token, "a signature")),
        };
        SigReader::new(self, a, self.generics_of(in_method)).method(&sig)
    }

    /// The code units of an `ldstr`.
    pub fn user_string(&self, in_method: MethodId, token: Token) -> Result<Vec<u16>> {
        let assembly = self.assembly(self.assembly_of(in_method)?);
        Ok(assembly.module().user_string(token).map_err(|e| assembly.bad(e))?.to_vec())
    }

    /// The assembly whose tokens the body of a method uses.
    pub fn assembly_of(&self, m: MethodId) -> Result<AssemblyId> {
        match self.method(m).kind {
            MethodKind::Def { assembly, .. } => Ok(assembly),
            MethodKind::Array(_) => Err(Error::MissingMember {
                ty: self.type_name(self.method(m).owner).into(),
                member: "method body".into(),
            }),
        }
    }

    pub(crate) fn member_of_token(
        &self,
        a: AssemblyId,
        token: Token,
        generics: Generics<'_>,
        within: Option<MethodId>,
    ) -> Result<Member> {
        let assembly = self.assembly(a);
        match token.row_ref() {
            Some(RowRef::MethodDef(def)) => {
                let owner = self.owner_here(a, assembly.owner_of_method(def)?, within)?;
                self.open_method(owner, a, def).map(Member::Method)
            }
            Some(RowRef::Field(def)) => {
                let owner = self.owner_here(a, assembly.owner_of_field(def)?, within)?;
                self.intern_field(owner, a, def).map(Member::Field)
            }
            Some(RowRef::MemberRef(id)) => self.member_ref(a, id, generics, within),
            Some(RowRef::MethodSpec(id)) => {
                let row = assembly.module().method_spec(id).map_err(|e| assembly.bad(e))?;
                if row.method.table() == Some(cil::TableId::MethodSpec) {
                    return Err(assembly.bad_token(token, "an instantiation of a generic method"));
                }
                let sigs = assembly.module().method_spec_sig(id).map_err(|e| assembly.bad(e))?;
                let args = SigReader::new(self, a, generics).types(&sigs)?;
                match self.member_of_token(a, row.method, generics, within)? {
                    Member::Method(m) => {
                        let owner = self.method(m).owner;
                        self.instantiate_method(m, owner, &args).map(Member::Method)
                    }
                    _ => Err(assembly.bad_token(token, "an instantiation of a generic method")),
                }
            }
            Some(RowRef::TypeDef(_) | RowRef::TypeRef(_) | RowRef::TypeSpec(_)) => {
                self.type_of_token(a, token, generics).map(Member::Type)
            }
            _ => Err(assembly.bad_token(token, "a type or a member")),
        }
    }

    /// A definition's token inside its own generic type means the current instantiation.
    fn owner_here(&self, a: AssemblyId, def: cil::TypeDefId, within: Option<MethodId>) -> Result<TypeId> {
        if let Some(m) = within {
            let here = self.method(m).owner;
            if matches!(self.ty(here), Type::Def { assembly, def: d, .. } if (*assembly, *d) == (a, def)) {
                return Ok(here);
            }
        }
        self.open_type(DefRef { assembly: a, def })
    }

    fn member_ref(
        &self,
        a: AssemblyId,
        id: cil::MemberRefId,
        generics: Generics<'_>,
        within: Option<MethodId>,
    ) -> Result<Member> {
        let assembly = self.assembly(a);
        let row = assembly.module().member_ref(id).map_err(|e| assembly.bad(e))?;
        let parent = match row.class.row_ref() {
            // A vararg call names the definition and adds its own signature.
            Some(RowRef::MethodDef(_)) => return self.member_of_token(a, row.class, generics, within),
            Some(RowRef::ModuleRef(module)) => {
                let module = assembly.module().module_ref(module).map_err(|e| assembly.bad(e))?;
                self.globals(a, module.name)?
            }
            _ => self.type_of_token(a, row.class, generics)?,
        };
        match self.ty(parent) {
            Type::SzArray(_) | Type::Array { .. } => {
                if let Some(m) = self.array_member(a, id, parent, row.name)? {
                    return Ok(Member::Method(m));
                }
                let array = self.well_known()?.array;
                self.found(array, self.search_member(a, id, array)?)
            }
            Type::Def { .. } => {
                let index = (id.row() as usize).wrapping_sub(1);
                let memo = assembly
                    .member_refs
                    .get(index)
                    .ok_or_else(|| assembly.bad_token(id.token(), "a member"))?;
                let cycle = || Error::Cycle { what: format!("member reference {}", id.token()).into() };
                // A class that is a bare variable may be another definition each time.
                let fixed = self.is_fixed_class(a, row.class)?;
                let found = match fixed {
                    true => *memo.get(cycle, || self.search_member(a, id, parent))?,
                    false => self.search_member(a, id, parent)?,
                };
                self.found(parent, found)
            }
            _ => Err(assembly.bad_token(id.token(), "a member of a class")),
        }
    }

    fn is_fixed_class(&self, a: AssemblyId, class: Token) -> Result<bool> {
        match class.row_ref() {
            Some(RowRef::TypeSpec(_)) => {
                let open = self.type_of_token(a, class, Generics::Identity)?;
                Ok(matches!(self.ty(open), Type::Def { .. }))
            }
            _ => Ok(true),
        }
    }

    /// The member on the right ancestor of `parent`.
    fn found(&self, parent: TypeId, found: FoundMember) -> Result<Member> {
        let mut owner = parent;
        for _ in 0..found.steps_up {
            owner = self.base(owner)?.unwrap_or(owner);
        }
        let Type::Def { assembly, .. } = *self.ty(owner) else {
            return Err(Error::MissingMember { ty: self.type_name(parent).into(), member: "member".into() });
        };
        match found.member {
            MemberRow::Method(def) => self.open_method(owner, assembly, def).map(Member::Method),
            MemberRow::Field(def) => self.intern_field(owner, assembly, def).map(Member::Field),
        }
    }

    fn search_member(&self, a: AssemblyId, id: cil::MemberRefId, parent: TypeId) -> Result<FoundMember> {
        let assembly = self.assembly(a);
        let row = assembly.module().member_ref(id).map_err(|e| assembly.bad(e))?;
        let ty = || self.type_name(parent).into();
        match assembly.module().member_ref_sig(id).map_err(|e| assembly.bad(e))? {
            cil::MemberSig::Method(sig) => {
                let wanted = SigReader::new(self, a, Generics::Identity).method(&sig)?;
                let found = self.find_by_signature(parent, row.name, &wanted)?;
                let missing = || Error::MissingMethod {
                    ty: ty(),
                    member: self.describe_wanted(row.name, &wanted).into(),
                    said: self.said_method(parent, row.name, &wanted).into(),
                };
                let (steps_up, m) = found.ok_or_else(missing)?;
                match self.method(m).kind {
                    MethodKind::Def { def, .. } => {
                        Ok(FoundMember { steps_up, member: MemberRow::Method(def) })
                    }
                    MethodKind::Array(_) => Err(missing()),
                }
            }
            cil::MemberSig::Field(sig) => {
                let wanted = SigReader::new(self, a, Generics::Identity).ty(&sig)?;
                let mut current = Some(self.definition(parent));
                let mut steps_up = 0;
                while let Some(t) = current {
                    for &f in self.fields(t)? {
                        if &*self.field(f).name == row.name && self.field_type(f)? == wanted {
                            let member = MemberRow::Field(self.field(f).def);
                            return Ok(FoundMember { steps_up, member });
                        }
                    }
                    current = self.base(t)?;
                    steps_up += 1;
                }
                Err(Error::MissingField {
                    ty: ty(),
                    member: format!("field {} {}", self.type_name(wanted), row.name).into(),
                    said: format!("{}.{}", self.type_name(parent), row.name).into(),
                })
            }
        }
    }

    fn array_member(
        &self,
        a: AssemblyId,
        id: cil::MemberRefId,
        array: TypeId,
        name: &str,
    ) -> Result<Option<MethodId>> {
        let assembly = self.assembly(a);
        let cil::MemberSig::Method(sig) =
            assembly.module().member_ref_sig(id).map_err(|e| assembly.bad(e))?
        else {
            return Ok(None);
        };
        let kind = match name {
            ".ctor" => ArrayMethod::Constructor { params: sig.params.len() as u32 },
            "Get" => ArrayMethod::Get,
            "Set" => ArrayMethod::Set,
            "Address" => ArrayMethod::Address,
            _ => return Ok(None),
        };
        let m = self.array_method(array, kind)?;
        let fits = self.signature(m)?.params.len() == sig.params.len();
        fits.then_some(Some(m)).ok_or_else(|| Error::MissingMember {
            ty: self.type_name(array).into(),
            member: format!("method {name} with {} parameters", sig.params.len()).into(),
        })
    }

    /// The `<Module>` type of another file of the assembly.
    fn globals(&self, a: AssemblyId, module: &str) -> Result<TypeId> {
        let part = self.part(a, module)?;
        self.open_type(DefRef { assembly: part, def: cil::TypeDefId::new(1) })
    }
}
