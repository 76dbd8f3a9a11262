//! Custom attributes (ECMA-335 II.23.3): which type they are of, and their arguments.

mod arguments;
mod enums;

use crate::error::{Error, ErrorKind, Result};
use crate::metadata::Metadata;
use crate::scalar::{Scalar, ScalarType};
use crate::schema::*;
use crate::sig::{MemberSig, MethodSig, TypeSig};
use crate::token::Token;

/// The arguments of a custom attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeValue<'a> {
    /// Of the constructor, in order.
    pub fixed: Vec<Argument<'a>>,
    /// Fields and properties that are set.
    pub named: Vec<NamedArgument<'a>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedArgument<'a> {
    pub is_property: bool,
    pub name: &'a str,
    pub value: Argument<'a>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument<'a> {
    Scalar(Scalar),
    String(Option<&'a str>),
    /// A `System.Type` by its reflection name, with the assembly unless it is this one or the core library.
    Type(Option<&'a str>),
    Enum(EnumRef<'a>, Scalar),
    /// `None` is the null array.
    Array(Option<Vec<Argument<'a>>>),
    /// A value given where the parameter is an `object`.
    Boxed(Box<Argument<'a>>),
}

/// How an attribute names the type of an enum argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumRef<'a> {
    /// A TypeDef or TypeRef of this module, from the signature of the constructor.
    Token(Token),
    /// A reflection name, from the attribute itself.
    Name(&'a str),
}

/// Answers what is behind an enum of another assembly, which decides how many bytes an argument takes; enums of this module are found without asking.
pub type EnumResolver<'r> = dyn FnMut(EnumRef<'_>) -> Option<ScalarType> + 'r;

/// The type of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeType<'a> {
    /// A TypeDef or TypeRef; the definition, if the attribute is generic.
    pub token: Token,
    pub namespace: &'a str,
    pub name: &'a str,
}

impl Metadata {
    /// The arguments of an attribute. `resolve` is asked for the enums of other assemblies.
    pub fn attribute_value(
        &self,
        id: CustomAttributeId,
        resolve: &mut EnumResolver<'_>,
    ) -> Result<AttributeValue<'_>> {
        let row = self.custom_attribute(id)?;
        let constructor = self.attribute_constructor(row.constructor)?;
        arguments::read(self, row.value, &constructor, resolve)
    }

    pub fn attribute_type(&self, id: CustomAttributeId) -> Result<AttributeType<'_>> {
        let constructor = self.custom_attribute(id)?.constructor;
        let bad = || {
            let at = self.cell_file_offset(TableId::CustomAttribute, id.row(), 1);
            Error::new(ErrorKind::BadAttribute("its constructor belongs to no type"), at)
        };
        let class = match constructor.row_ref() {
            Some(RowRef::MethodDef(method)) => self.declaring_type_of_method(method)?.map(Token::from),
            Some(RowRef::MemberRef(member)) => Some(self.member_ref(member)?.class),
            _ => None,
        };
        let token = match class.and_then(Token::row_ref) {
            Some(RowRef::TypeSpec(spec)) => match self.type_spec_sig(spec)? {
                TypeSig::GenericInst(inst) => inst.definition,
                TypeSig::Class(token) => token,
                _ => return Err(bad()),
            },
            _ => class.ok_or_else(bad)?,
        };
        let (namespace, name) = self.type_name(token)?.ok_or_else(bad)?;
        Ok(AttributeType { token, namespace, name })
    }

    /// The first attribute of a type on a parent.
    pub fn find_attribute(
        &self,
        parent: Token,
        namespace: &str,
        name: &str,
    ) -> Result<Option<CustomAttributeId>> {
        for id in self.custom_attributes(parent) {
            let ty = self.attribute_type(id)?;
            if ty.name == name && ty.namespace == namespace {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Namespace and name of a TypeDef or TypeRef; `None` for other tokens.
    pub fn type_name(&self, token: Token) -> Result<Option<(&str, &str)>> {
        Ok(match token.row_ref() {
            Some(RowRef::TypeDef(id)) => {
                let row = self.type_def(id)?;
                Some((row.namespace, row.name))
            }
            Some(RowRef::TypeRef(id)) => {
                let row = self.type_ref(id)?;
                Some((row.namespace, row.name))
            }
            _ => None,
        })
    }

    /// The parameter types of an attribute's constructor; those of a generic attribute with its arguments put in.
    fn attribute_constructor(&self, constructor: Token) -> Result<Vec<TypeSig>> {
        let (sig, arguments) = match constructor.row_ref() {
            Some(RowRef::MethodDef(method)) => (self.method_sig(method)?, Vec::new()),
            Some(RowRef::MemberRef(member)) => self.member_constructor(member)?,
            _ => return Ok(Vec::new()),
        };
        let substitute = |param: TypeSig| match param {
            TypeSig::Var(number) => arguments.get(number as usize).cloned().unwrap_or(TypeSig::Var(number)),
            TypeSig::SzArray(element) => match *element {
                TypeSig::Var(number) if (number as usize) < arguments.len() => {
                    let argument = arguments.get(number as usize).cloned();
                    TypeSig::SzArray(Box::new(argument.unwrap_or(TypeSig::Var(number))))
                }
                other => TypeSig::SzArray(Box::new(other)),
            },
            other => other,
        };
        Ok(sig.params.into_iter().map(substitute).collect())
    }

    fn member_constructor(&self, member: MemberRefId) -> Result<(MethodSig, Vec<TypeSig>)> {
        let row = self.member_ref(member)?;
        let MemberSig::Method(sig) = self.member_ref_sig(member)? else {
            let kind = ErrorKind::BadAttribute("its constructor is a field");
            return Err(Error::new(kind, row.signature.file_offset));
        };
        let arguments = match row.class.row_ref() {
            Some(RowRef::TypeSpec(spec)) => match self.type_spec_sig(spec)? {
                TypeSig::GenericInst(inst) => inst.arguments,
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        Ok((sig, arguments))
    }
}
