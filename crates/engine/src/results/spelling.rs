//! Metadata spelled out, so that it stays the same when rows of other tables move.
//!
//! Tokens of types, methods and fields that the assembly defines are spelled as they are: what they mean is in its
//! [`shape`](super::shape). References to others are spelled by their names. Where two versions of an assembly are compared,
//! tokens mean nothing, and all is spelled by names.

use cil::{MemberSig, MethodSig, Module, RowRef, StandAloneSignature, Token, TypeDefId, TypeSig};

/// References may lead to each other in damaged metadata.
const DEEPEST: u32 = 32;

/// Spells tokens and signatures of one module, and notes which types of it were named.
pub(super) struct Speller<'a> {
    pub module: &'a Module,
    /// Types of the assembly that were named.
    pub types: Vec<TypeDefId>,
    /// Whether a type parameter or `object` was named: any type may be behind it.
    pub names_anything: bool,
    by_names: bool,
    depth: u32,
}

impl<'a> Speller<'a> {
    pub fn new(module: &'a Module) -> Speller<'a> {
        Speller { module, types: Vec::new(), names_anything: false, by_names: false, depth: 0 }
    }

    /// Spells what the assembly defines by names as well.
    pub fn by_names(module: &'a Module) -> Speller<'a> {
        Speller { by_names: true, ..Speller::new(module) }
    }

    /// A type of the assembly with those around it, and what is called so in it.
    fn named(&self, ty: Option<TypeDefId>, member: &str) -> Option<String> {
        let mut name = without_ordinals(member);
        let mut around = ty;
        for _ in 0..DEEPEST {
            let Some(ty) = around else { break };
            let row = self.module.type_def(ty).ok()?;
            name = format!("{}.{}:{name}", row.namespace, without_ordinals(row.name));
            around = self.module.enclosing_type(ty).ok().flatten();
        }
        Some(name)
    }

    pub fn token(&mut self, token: Token) -> String {
        if self.depth >= DEEPEST {
            return "…".to_owned();
        }
        self.depth += 1;
        let spelled = self.row(token).unwrap_or_else(|| format!("?{:08x}", token.raw()));
        self.depth -= 1;
        spelled
    }

    fn row(&mut self, token: Token) -> Option<String> {
        let module = self.module;
        if token.raw() >> 24 == USER_STRINGS {
            let text = module.user_string(token).ok()?;
            return Some(format!("{:?}", text.to_vec()));
        }
        Some(match token.row_ref()? {
            RowRef::TypeDef(ty) => {
                self.types.push(ty);
                match self.by_names {
                    true => self.named(Some(ty), "")?,
                    false => format!("{:08x}", token.raw()),
                }
            }
            RowRef::Field(field) => {
                let owner = module.declaring_type_of_field(field).ok().flatten();
                self.types.extend(owner);
                match self.by_names {
                    true => self.named(owner, module.field(field).ok()?.name)?,
                    false => format!("{:08x}", token.raw()),
                }
            }
            RowRef::MethodDef(method) => {
                let owner = module.declaring_type_of_method(method).ok().flatten();
                self.types.extend(owner);
                match self.by_names {
                    true => {
                        let name = self.named(owner, module.method_def(method).ok()?.name)?;
                        let sig = module.method_sig(method).ok()?;
                        format!("{name} {}", self.method(&sig))
                    }
                    false => format!("{:08x}", token.raw()),
                }
            }
            RowRef::TypeRef(id) => {
                let row = module.type_ref(id).ok()?;
                let scope = row.resolution_scope.map(|scope| self.token(scope)).unwrap_or_default();
                format!("{scope}/{}.{}", row.namespace, row.name)
            }
            RowRef::TypeSpec(id) => {
                let sig = module.type_spec_sig(id).ok()?;
                self.ty(&sig)
            }
            RowRef::MemberRef(id) => {
                let row = module.member_ref(id).ok()?;
                let class = self.token(row.class);
                let sig = match module.member_ref_sig(id).ok()? {
                    MemberSig::Field(ty) => self.ty(&ty),
                    MemberSig::Method(sig) => self.method(&sig),
                };
                format!("{class}::{} {sig}", row.name)
            }
            RowRef::MethodSpec(id) => {
                let row = module.method_spec(id).ok()?;
                let method = self.token(row.method);
                let arguments = module.method_spec_sig(id).ok()?;
                format!("{method}<{}>", self.types(&arguments))
            }
            RowRef::StandAloneSig(id) => match module.stand_alone_signature(id).ok()? {
                StandAloneSignature::Locals(locals) => self.types(&locals),
                StandAloneSignature::Method(sig) => self.method(&sig),
                StandAloneSignature::Field(ty) => self.ty(&ty),
            },
            RowRef::AssemblyRef(id) => {
                let row = module.assembly_ref(id).ok()?;
                format!("[{}]", row.name)
            }
            RowRef::ModuleRef(id) => format!("[module {}]", module.module_ref(id).ok()?.name),
            _ => format!("{:08x}", token.raw()),
        })
    }

    pub fn method(&mut self, sig: &MethodSig) -> String {
        let (ret, params) = (self.ty(&sig.ret), self.types(&sig.params));
        let MethodSig { convention, has_this, explicit_this, generic_arity, sentinel, .. } = sig;
        format!("{convention:?} {has_this} {explicit_this} {generic_arity} {sentinel:?} {ret}({params})")
    }

    pub fn types(&mut self, types: &[TypeSig]) -> String {
        types.iter().map(|ty| self.ty(ty)).collect::<Vec<_>>().join(",")
    }

    pub fn ty(&mut self, sig: &TypeSig) -> String {
        self.names_anything |= matches!(sig, TypeSig::Object | TypeSig::Var(_) | TypeSig::MVar(_));
        match sig {
            TypeSig::Ptr(inner) => format!("{}*", self.ty(inner)),
            TypeSig::ByRef(inner) => format!("{}&", self.ty(inner)),
            TypeSig::SzArray(inner) => format!("{}[]", self.ty(inner)),
            TypeSig::Pinned(inner) => format!("pinned {}", self.ty(inner)),
            TypeSig::Class(token) => format!("class {}", self.token(*token)),
            TypeSig::ValueType(token) => format!("struct {}", self.token(*token)),
            TypeSig::Array(array) => {
                let element = self.ty(&array.element);
                format!("{element}[{} {:?} {:?}]", array.rank, array.sizes, array.lower_bounds)
            }
            TypeSig::GenericInst(inst) => {
                let (definition, arguments) = (self.token(inst.definition), self.types(&inst.arguments));
                format!("{} {definition}<{arguments}>", inst.is_value_type)
            }
            TypeSig::FnPtr(sig) => format!("method {}", self.method(sig)),
            TypeSig::Modified(modified) => {
                let (modifier, inner) = (self.token(modified.modifier), self.ty(&modified.inner));
                format!("{} {modifier} {inner}", modified.is_required)
            }
            plain => format!("{plain:?}"),
        }
    }
}

/// What the compiler makes is numbered by the place of the method that it is made for, `<Add>b__2_0` or `<>c__DisplayClass2_0`:
/// the first number changes with every member in front of it. The second tells parts of one method apart.
fn without_ordinals(name: &str) -> String {
    if !name.contains('<') {
        return name.to_owned();
    }
    let mut spelled = String::new();
    let mut rest = name;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, digits) = rest.split_at(start);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (number, after) = digits.split_at(end);
        let is_first =
            after.strip_prefix('_').is_some_and(|more| more.starts_with(|c: char| c.is_ascii_digit()));
        spelled += before;
        spelled += if is_first { "#" } else { number };
        rest = after;
    }
    spelled + rest
}

/// The number of the heap of strings in tokens.
const USER_STRINGS: u32 = 0x70;

#[cfg(test)]
mod tests {
    use super::without_ordinals;

    #[test]
    fn only_the_place_of_a_method_is_left_out() {
        for (name, expected) in [
            ("<Add>b__2_0", "<Add>b__#_0"),
            ("<Add>b__12_1", "<Add>b__#_1"),
            ("<>c__DisplayClass2_0", "<>c__DisplayClass#_0"),
            ("<Add>g__Inner1|4_0", "<Add>g__Inner1|#_0"),
            ("<Add>b__1", "<Add>b__1"),
            ("<Items>d__3", "<Items>d__3"),
            ("Row1_2", "Row1_2"),
        ] {
            assert_eq!(without_ordinals(name), expected);
        }
    }
}
