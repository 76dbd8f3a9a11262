//! What nullable annotations say: `string?` may be null, `string` is not supposed to be.
//!
//! The compiler writes them as attributes: `NullableAttribute` on a parameter or field, with a byte for each part of its
//! type, and `NullableContextAttribute` on the method or a type around it for all that have none. `[AllowNull]`,
//! `[DisallowNull]` and `[MaybeNull]` say more than the type does. `[NotNull]` speaks of what holds afterwards, so it says
//! nothing about what may be passed.

use cil::attribute::Argument;
use cil::{CustomAttributeId, Module, Scalar, Token, TypeDefId};

use crate::{FieldId, MethodId, MethodKind, Universe};

const COMPILER: &str = "System.Runtime.CompilerServices";
const ANALYSIS: &str = "System.Diagnostics.CodeAnalysis";
/// The byte that means "not null".
const NOT_NULL: u8 = 1;
const MAY_BE_NULL: u8 = 2;

/// What is said about the parts of a type, the whole first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nullability {
    /// One byte for all parts, or one for each; none if nothing is said.
    parts: Vec<u8>,
}

impl Nullability {
    /// Annotated as something that is never null.
    pub fn is_never_null(&self) -> bool {
        self.part(0) == Some(NOT_NULL)
    }

    /// The same of the elements of an array, or of a type with a single type argument.
    pub fn is_element_never_null(&self) -> bool {
        self.part(1) == Some(NOT_NULL)
    }

    fn part(&self, index: usize) -> Option<u8> {
        match self.parts.as_slice() {
            [all] => Some(*all),
            parts => parts.get(index).copied(),
        }
    }

    /// What is said of the whole type is this instead.
    fn with_whole(mut self, whole: u8) -> Nullability {
        match self.parts.as_mut_slice() {
            [] => self.parts.push(whole),
            [all] if *all != whole => self.parts = vec![whole, *all],
            [all] => *all = whole,
            [first, ..] => *first = whole,
        }
        self
    }
}

impl Universe {
    /// What may be passed for a parameter, counted from 0. Damaged annotations say nothing.
    pub fn parameter_nullability(&self, m: MethodId, index: usize) -> Nullability {
        let MethodKind::Def { assembly, def } = self.method(m).kind else { return Nullability::default() };
        let module = self.assembly(assembly).module();
        let Ok(row) = module.method_def(def) else { return Nullability::default() };
        let is_wanted =
            |id: &cil::ParamId| module.param(*id).is_ok_and(|param| usize::from(param.sequence) == index + 1);
        let param = row.params.into_iter().find(is_wanted).map(|id| id.token());
        let own = param.and_then(|param| of_token(module, param));
        let said = own.or_else(|| {
            let around = module.declaring_type_of_method(def).ok().flatten();
            context(module, def.token()).or_else(|| around_type(module, around?))
        });
        let property = module.semantics_of_method(def).next().and_then(|id| module.method_semantics(id).ok());
        let marks = param.into_iter().chain(property.map(|row| row.association));
        let has = |name: &str| marks.clone().any(|token| is_marked(module, token, name));
        let said = said.unwrap_or_default();
        if has("AllowNullAttribute") {
            said.with_whole(MAY_BE_NULL)
        } else if has("DisallowNullAttribute") {
            said.with_whole(NOT_NULL)
        } else {
            said
        }
    }

    /// What a field may hold.
    pub fn field_nullability(&self, f: FieldId) -> Nullability {
        let field = self.field(f);
        let module = self.assembly(field.assembly).module();
        let token = field.token();
        let around = || module.declaring_type_of_field(field.def).ok().flatten();
        let said = of_token(module, token).or_else(|| around_type(module, around()?)).unwrap_or_default();
        let may_be = ["MaybeNullAttribute", "AllowNullAttribute"];
        match may_be.iter().any(|name| is_marked(module, token, name)) {
            true => said.with_whole(MAY_BE_NULL),
            false => said,
        }
    }
}

fn is_marked(module: &Module, token: Token, name: &str) -> bool {
    module.find_attribute(token, ANALYSIS, name).is_ok_and(|found| found.is_some())
}

/// The annotation of a parameter or field itself.
fn of_token(module: &Module, token: Token) -> Option<Nullability> {
    bytes(module, module.find_attribute(token, COMPILER, "NullableAttribute").ok()??)
}

/// What a method or type says for all inside of it.
fn context(module: &Module, token: Token) -> Option<Nullability> {
    bytes(module, module.find_attribute(token, COMPILER, "NullableContextAttribute").ok()??)
}

fn around_type(module: &Module, ty: TypeDefId) -> Option<Nullability> {
    const DEEPEST: usize = 64;
    let outwards = std::iter::successors(Some(ty), |inner| module.enclosing_type(*inner).ok().flatten());
    outwards.take(DEEPEST).find_map(|ty| context(module, ty.token()))
}

fn bytes(module: &Module, id: CustomAttributeId) -> Option<Nullability> {
    let value = module.attribute_value(id, &mut |_| None).ok()?;
    let byte = |argument: &Argument<'_>| match argument {
        Argument::Scalar(Scalar::U1(byte)) => Some(*byte),
        _ => None,
    };
    match value.fixed.first()? {
        Argument::Array(Some(all)) => Some(Nullability { parts: all.iter().filter_map(byte).collect() }),
        one => byte(one).map(|byte| Nullability { parts: vec![byte] }),
    }
}
