//! From signature blobs to signatures. Nesting is limited, and every node costs at least one byte of the blob, so the
//! result is never larger than the file allows. Bytes after the end of a signature are ignored, as the runtime does.

use super::*;
use crate::bytes::Reader;
use crate::coded::CodedIndex;
use crate::column::Blob;
use crate::error::{ErrorKind, Result};
use crate::limits::MAX_SIGNATURE_DEPTH;
use crate::metadata::Metadata;
use crate::schema::*;

const FIELD: u8 = 0x06;
const LOCALS: u8 = 0x07;
const PROPERTY: u8 = 0x08;
const GENERIC_INST: u8 = 0x0a;
const CONVENTION_MASK: u8 = 0x0f;
const GENERIC: u8 = 0x10;
const HAS_THIS: u8 = 0x20;
const EXPLICIT_THIS: u8 = 0x40;

const ELEMENT_VALUE_TYPE: u8 = 0x11;
const ELEMENT_CLASS: u8 = 0x12;
const ELEMENT_CMOD_REQD: u8 = 0x1f;
const ELEMENT_SENTINEL: u8 = 0x41;

impl Metadata {
    pub fn method_sig(&self, id: MethodDefId) -> Result<MethodSig> {
        self.read_method_sig(self.method_def(id)?.signature)
    }

    pub fn field_sig(&self, id: FieldId) -> Result<TypeSig> {
        self.read_field_sig(self.field(id)?.signature)
    }

    pub fn property_sig(&self, id: PropertyId) -> Result<PropertySig> {
        self.read_property_sig(self.property(id)?.signature)
    }

    pub fn member_ref_sig(&self, id: MemberRefId) -> Result<MemberSig> {
        let blob = self.member_ref(id)?.signature;
        if blob.bytes.first() == Some(&FIELD) {
            return self.read_field_sig(blob).map(MemberSig::Field);
        }
        self.read_method_sig(blob).map(MemberSig::Method)
    }

    pub fn type_spec_sig(&self, id: TypeSpecId) -> Result<TypeSig> {
        self.read_type_sig(self.type_spec(id)?.signature)
    }

    /// The type arguments of an instantiated method.
    pub fn method_spec_sig(&self, id: MethodSpecId) -> Result<Vec<TypeSig>> {
        let mut reader = SigReader::new(self, self.method_spec(id)?.instantiation);
        reader.expect(GENERIC_INST, "not the instantiation of a method")?;
        reader.types()
    }

    /// The types of the local variables, as a method body's `local_var_sig` names them.
    pub fn locals_sig(&self, id: StandAloneSigId) -> Result<Vec<TypeSig>> {
        let mut reader = SigReader::new(self, self.stand_alone_sig(id)?.signature);
        reader.expect(LOCALS, "not a signature of local variables")?;
        reader.types()
    }

    pub fn stand_alone_signature(&self, id: StandAloneSigId) -> Result<StandAloneSignature> {
        let blob = self.stand_alone_sig(id)?.signature;
        match blob.bytes.first() {
            Some(&LOCALS) => self.locals_sig(id).map(StandAloneSignature::Locals),
            Some(&FIELD) => self.read_field_sig(blob).map(StandAloneSignature::Field),
            _ => self.read_method_sig(blob).map(StandAloneSignature::Method),
        }
    }

    pub fn read_method_sig(&self, blob: Blob<'_>) -> Result<MethodSig> {
        let mut reader = SigReader::new(self, blob);
        reader.method(0)
    }

    pub fn read_field_sig(&self, blob: Blob<'_>) -> Result<TypeSig> {
        let mut reader = SigReader::new(self, blob);
        reader.expect(FIELD, "not the signature of a field")?;
        reader.ty(0)
    }

    pub fn read_property_sig(&self, blob: Blob<'_>) -> Result<PropertySig> {
        let mut reader = SigReader::new(self, blob);
        let head = reader.bytes.u8()?;
        if head & CONVENTION_MASK != PROPERTY {
            return Err(reader.bad("not the signature of a property"));
        }
        let count = reader.count()?;
        let ty = reader.ty(0)?;
        let params = reader.repeat(count)?;
        Ok(PropertySig { has_this: head & HAS_THIS != 0, ty, params })
    }

    /// A type alone, as TypeSpec rows and `FieldMarshal`-free constants have it.
    pub fn read_type_sig(&self, blob: Blob<'_>) -> Result<TypeSig> {
        let mut reader = SigReader::new(self, blob);
        reader.ty(0)
    }
}

pub(crate) struct SigReader<'a> {
    metadata: &'a Metadata,
    pub bytes: Reader<'a>,
}

impl<'a> SigReader<'a> {
    pub fn new(metadata: &'a Metadata, blob: Blob<'a>) -> Self {
        SigReader { metadata, bytes: Reader::new(blob.bytes, blob.file_offset, "a signature") }
    }

    fn bad(&self, what: &'static str) -> crate::Error {
        self.bytes.error(ErrorKind::BadSignature(what))
    }

    fn expect(&mut self, head: u8, otherwise: &'static str) -> Result<()> {
        if self.bytes.u8()? == head { Ok(()) } else { Err(self.bad(otherwise)) }
    }

    /// A count of things that take at least one byte each.
    fn count(&mut self) -> Result<usize> {
        let count = self.bytes.compressed_u32()? as usize;
        if count > self.bytes.remaining() {
            return Err(self.bad("it claims more elements than it has bytes"));
        }
        Ok(count)
    }

    fn types(&mut self) -> Result<Vec<TypeSig>> {
        let count = self.count()?;
        self.repeat(count)
    }

    fn repeat(&mut self, count: usize) -> Result<Vec<TypeSig>> {
        (0..count).map(|_| self.ty(0)).collect()
    }

    fn method(&mut self, depth: u32) -> Result<MethodSig> {
        let head = self.bytes.u8()?;
        let convention = match head & CONVENTION_MASK {
            0 => CallingConvention::Default,
            1 => CallingConvention::Cdecl,
            2 => CallingConvention::StdCall,
            3 => CallingConvention::ThisCall,
            4 => CallingConvention::FastCall,
            5 => CallingConvention::VarArg,
            9 => CallingConvention::Unmanaged,
            _ => return Err(self.bad("not the signature of a method")),
        };
        let generic_arity = if head & GENERIC != 0 { self.bytes.compressed_u32()? } else { 0 };
        let count = self.count()?;
        let ret = self.ty(depth + 1)?;
        let mut params = Vec::new();
        let mut sentinel = None;
        for index in 0..count {
            if self.bytes.peek() == Some(ELEMENT_SENTINEL) && sentinel.is_none() {
                self.bytes.skip(1)?;
                sentinel = Some(index as u32);
            }
            params.push(self.ty(depth + 1)?);
        }
        Ok(MethodSig {
            convention,
            has_this: head & HAS_THIS != 0,
            explicit_this: head & EXPLICIT_THIS != 0,
            generic_arity,
            ret,
            params,
            sentinel,
        })
    }

    pub fn ty(&mut self, depth: u32) -> Result<TypeSig> {
        if depth > MAX_SIGNATURE_DEPTH {
            let limit = MAX_SIGNATURE_DEPTH as usize;
            return Err(self.bytes.error(ErrorKind::Limit { what: "the nesting of a signature", limit }));
        }
        let element = self.bytes.u8()?;
        if let Some(simple) = simple(element) {
            return Ok(simple);
        }
        Ok(match element {
            0x0f => TypeSig::Ptr(self.boxed(depth)?),
            0x10 => TypeSig::ByRef(self.boxed(depth)?),
            ELEMENT_VALUE_TYPE => TypeSig::ValueType(self.token()?),
            ELEMENT_CLASS => TypeSig::Class(self.token()?),
            0x13 => TypeSig::Var(self.bytes.compressed_u32()?),
            0x14 => TypeSig::Array(Box::new(self.array(depth)?)),
            0x15 => TypeSig::GenericInst(Box::new(self.generic_inst(depth)?)),
            0x1b => TypeSig::FnPtr(Box::new(self.method(depth + 1)?)),
            0x1d => TypeSig::SzArray(self.boxed(depth)?),
            0x1e => TypeSig::MVar(self.bytes.compressed_u32()?),
            ELEMENT_CMOD_REQD | 0x20 => {
                let modifier = self.token()?;
                let is_required = element == ELEMENT_CMOD_REQD;
                TypeSig::Modified(Box::new(ModifiedSig { is_required, modifier, inner: self.ty(depth + 1)? }))
            }
            0x45 => TypeSig::Pinned(self.boxed(depth)?),
            unknown => return Err(self.bytes.error(ErrorKind::BadElementType(unknown))),
        })
    }

    fn boxed(&mut self, depth: u32) -> Result<Box<TypeSig>> {
        self.ty(depth + 1).map(Box::new)
    }

    fn array(&mut self, depth: u32) -> Result<ArraySig> {
        let element = self.ty(depth + 1)?;
        let rank = self.bytes.compressed_u32()?;
        if rank == 0 {
            return Err(self.bad("an array without dimensions"));
        }
        let count = self.count()?;
        let sizes = (0..count).map(|_| self.bytes.compressed_u32()).collect::<Result<_>>()?;
        let count = self.count()?;
        let lower_bounds = (0..count).map(|_| self.bytes.compressed_i32()).collect::<Result<_>>()?;
        Ok(ArraySig { element, rank, sizes, lower_bounds })
    }

    fn generic_inst(&mut self, depth: u32) -> Result<GenericInstSig> {
        let is_value_type = match self.bytes.u8()? {
            ELEMENT_VALUE_TYPE => true,
            ELEMENT_CLASS => false,
            _ => return Err(self.bad("the instantiated type is neither a class nor a value type")),
        };
        let definition = self.token()?;
        let count = self.count()?;
        let arguments = (0..count).map(|_| self.ty(depth + 1)).collect::<Result<_>>()?;
        Ok(GenericInstSig { is_value_type, definition, arguments })
    }

    /// II.23.2.8: a TypeDefOrRef coded index, compressed.
    pub fn token(&mut self) -> Result<Token> {
        let value = self.bytes.compressed_u32()?;
        let (table, row) = CodedIndex::TypeDefOrRef
            .decode(value)
            .ok_or_else(|| self.bytes.error(ErrorKind::BadCodedIndex(value)))?;
        let token = Token::new(table, row);
        if !self.metadata.contains(token) {
            let rows = self.metadata.referable_rows(table);
            return Err(self.bytes.error(ErrorKind::NoSuchRow { token, rows }));
        }
        Ok(token)
    }
}

/// The element types that need nothing after them.
pub(crate) fn simple(element: u8) -> Option<TypeSig> {
    Some(match element {
        0x01 => TypeSig::Void,
        0x02 => TypeSig::Boolean,
        0x03 => TypeSig::Char,
        0x04 => TypeSig::I1,
        0x05 => TypeSig::U1,
        0x06 => TypeSig::I2,
        0x07 => TypeSig::U2,
        0x08 => TypeSig::I4,
        0x09 => TypeSig::U4,
        0x0a => TypeSig::I8,
        0x0b => TypeSig::U8,
        0x0c => TypeSig::R4,
        0x0d => TypeSig::R8,
        0x0e => TypeSig::String,
        0x16 => TypeSig::TypedReference,
        0x18 => TypeSig::IntPtr,
        0x19 => TypeSig::UIntPtr,
        0x1c => TypeSig::Object,
        _ => return None,
    })
}
