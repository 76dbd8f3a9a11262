//! What holds for the fields of every object that code has made: known from the constructors and from who writes a field.

use cil::{Module, Opcode, Operand, RowRef, Token, TypeDefId, TypeSig};
use rustc_hash::FxHashSet;
use types::{AssemblyId, FieldId, TypeId, Universe};

use super::{Seen, effect, first_store, refuses};

/// Whether every constructor of the declaring type leaves something else than null in the field.
pub fn is_never_null(universe: &Universe, field: FieldId) -> bool {
    if may_be_finalized(universe, universe.field(field).owner) {
        return false;
    }
    let constructors = universe.methods_named(universe.field(field).owner, ".ctor").unwrap_or_default();
    let may_be_first = !first_store::is_written_by_methods(universe, field);
    !constructors.is_empty()
        && constructors.into_iter().all(|constructor| {
            if may_be_first && first_store::sets_first(universe, constructor, field) {
                return true;
            }
            let stored = effect(universe, constructor).and_then(|effect| effect.fields.get(&field).copied());
            match stored {
                Some(Seen::NotNull) => true,
                Some(Seen::Parameter(index)) => {
                    let count = universe.signature(constructor).map_or(0, |sig| sig.params.len());
                    let argument = |n| if n == index { Seen::Null } else { Seen::Parameter(n) };
                    refuses(universe, constructor, (0..count).map(argument).collect())
                }
                _ => false,
            }
        })
}

/// Whether objects of a class may have a finalizer: it also runs for an object whose constructor threw, and may give it away.
/// Looked at are its bases and the classes of its assembly that extend it.
fn may_be_finalized(universe: &Universe, class: TypeId) -> bool {
    let has_finalizer = |ty: TypeId| {
        let is_object = universe.base(ty).is_ok_and(|base| base.is_none());
        !is_object && universe.methods_named(ty, "Finalize").map_or(true, |found| !found.is_empty())
    };
    let Some(bases) = lineage(universe, class) else { return true };
    if bases.into_iter().any(has_finalizer) {
        return true;
    }
    let definition = universe.definition(class);
    let Some(assembly) = universe.def_info(definition).map(|info| info.assembly) else { return true };
    let mut others = universe.type_defs(assembly).filter_map(Result::ok).filter(|ty| has_finalizer(*ty));
    others.any(|ty| {
        lineage(universe, ty)
            .is_none_or(|bases| bases.iter().any(|base| universe.definition(*base) == definition))
    })
}

/// A class and its bases.
fn lineage(universe: &Universe, class: TypeId) -> Option<Vec<TypeId>> {
    let mut bases = vec![class];
    while let Some(base) = universe.base(*bases.last()?).ok()? {
        bases.push(base);
    }
    Some(bases)
}

/// The instance fields that methods of an assembly write outside of constructors, by name: a mistake makes an invariant
/// be missed, never wrong. Private methods that only constructors call do not count.
#[derive(Debug, Default)]
pub struct WrittenFields {
    names: FxHashSet<Box<str>>,
    /// Types of which some code makes objects without their constructors, or to which it writes under another name.
    bypassed: FxHashSet<TypeDefId>,
    /// The same for types that the code does not name.
    bypasses_all: bool,
}

/// Classes and members by which an object is made or written to without its own class having a say.
const BYPASSES: &[(&str, &str)] = &[
    ("RuntimeHelpers", "GetUninitializedObject"),
    ("FormatterServices", "GetUninitializedObject"),
    ("FormatterServices", "GetSafeUninitializedObject"),
    ("Unsafe", "As"),
    ("Unsafe", "AsRef"),
    ("Unsafe", "AsPointer"),
];

const PRIVATE: u16 = 1;
const ACCESS: u16 = 7;

impl WrittenFields {
    pub fn of(universe: &Universe, assembly: AssemblyId) -> WrittenFields {
        let module = universe.assembly(assembly).module();
        let mut called = FxHashSet::default();
        let mut by_private: Vec<(&str, Vec<&str>)> = Vec::new();
        // Whoever may write a field under this attribute does not name it in code.
        let is_accessor = |ty| module.type_ref(ty).is_ok_and(|row| row.name == "UnsafeAccessorAttribute");
        let bypasses_all = module.type_refs().any(is_accessor);
        let mut written = WrittenFields { bypasses_all, ..WrittenFields::default() };
        for method in module.method_defs() {
            let Ok(row) = module.method_def(method) else { continue };
            let Ok(Some(body)) = module.method_body(method) else { continue };
            let own = module.declaring_type_of_method(method).ok().flatten();
            let is_constructor = row.name == ".ctor";
            let mut fields = Vec::new();
            for instruction in body.instructions().flatten() {
                let Operand::Token(token) = instruction.operand else { continue };
                match instruction.opcode {
                    // A constructor may write its own class's fields, as far as they are of its own object.
                    Opcode::Stfld | Opcode::Ldflda if is_constructor && is_field_of(module, token, own) => {}
                    Opcode::Stfld | Opcode::Ldflda => fields.extend(member_name(module, token)),
                    Opcode::Call | Opcode::Callvirt | Opcode::Ldftn | Opcode::Ldvirtftn => {
                        called.extend(member_name(module, token));
                        if is_bypass(module, token) {
                            written.add_bypass(module, method, own);
                        }
                    }
                    _ => {}
                }
            }
            if row.flags & ACCESS == PRIVATE {
                by_private.push((row.name, fields));
            } else {
                written.names.extend(fields.into_iter().map(Box::from));
            }
        }
        for (method, fields) in by_private {
            if called.contains(method) || !method.starts_with("set_") {
                written.names.extend(fields.into_iter().map(Box::from));
            }
        }
        written
    }

    /// Code without the say of a class: the types that it names may be meant, or all if it names none.
    fn add_bypass(&mut self, module: &Module, method: cil::MethodDefId, own: Option<TypeDefId>) {
        let before = self.bypassed.len();
        let takes_anything = module.method_sig(method).map_or(true, |sig| sig.params.iter().any(is_anything));
        let body = module.method_body(method).ok().flatten();
        for instruction in body.iter().flat_map(|body| body.instructions().flatten()) {
            if let Operand::Token(token) = instruction.operand
                && let Some(RowRef::TypeDef(ty)) = token.row_ref()
            {
                self.bypassed.insert(ty);
            }
        }
        self.bypasses_all |= takes_anything || self.bypassed.len() == before && own.is_none();
        self.bypassed.extend(own);
    }

    pub fn contains(&self, name: &str, owner: Option<TypeDefId>) -> bool {
        self.bypasses_all
            || owner.is_none_or(|owner| self.bypassed.contains(&owner))
            || self.names.contains(name)
    }
}

/// Whether a call is one of [`BYPASSES`].
fn is_bypass(module: &Module, token: Token) -> bool {
    match token.row_ref() {
        Some(RowRef::MethodSpec(spec)) => {
            module.method_spec(spec).is_ok_and(|row| is_bypass(module, row.method))
        }
        Some(RowRef::MemberRef(member)) => {
            let Ok(row) = module.member_ref(member) else { return true };
            let Some(RowRef::TypeRef(owner)) = row.class.row_ref() else { return false };
            let owner = module.type_ref(owner).map_or("", |owner| owner.name);
            BYPASSES.contains(&(owner, row.name))
        }
        _ => false,
    }
}

/// A parameter that takes objects of any class.
fn is_anything(sig: &TypeSig) -> bool {
    match sig.unmodified() {
        TypeSig::ByRef(target) => is_anything(target),
        other => matches!(other, TypeSig::Object | TypeSig::Var(_) | TypeSig::MVar(_)),
    }
}

/// Whether it is a field of the class itself. Fields of generic classes are named through an instantiation: that over its own
/// parameters is the class itself, any other is another one.
fn is_field_of(module: &Module, token: Token, owner: Option<TypeDefId>) -> bool {
    let Some(owner) = owner else { return false };
    match token.row_ref() {
        Some(RowRef::Field(field)) => module.declaring_type_of_field(field).ok().flatten() == Some(owner),
        Some(RowRef::MemberRef(member)) => {
            let class = module.member_ref(member).ok().and_then(|row| row.class.row_ref());
            let Some(RowRef::TypeSpec(class)) = class else { return false };
            module.type_spec_sig(class).is_ok_and(|class| is_over_own_parameters(&class, owner))
        }
        _ => false,
    }
}

fn is_over_own_parameters(class: &TypeSig, owner: TypeDefId) -> bool {
    let TypeSig::GenericInst(class) = class else { return false };
    let is_own =
        |(index, argument): (usize, &TypeSig)| matches!(argument, TypeSig::Var(n) if *n as usize == index);
    class.definition.row_ref() == Some(RowRef::TypeDef(owner))
        && class.arguments.iter().enumerate().all(is_own)
}

fn member_name(module: &Module, token: Token) -> Option<&str> {
    match token.row_ref()? {
        RowRef::Field(field) => module.field(field).ok().map(|row| row.name),
        RowRef::MethodDef(method) => module.method_def(method).ok().map(|row| row.name),
        RowRef::MemberRef(member) => module.member_ref(member).ok().map(|row| row.name),
        RowRef::MethodSpec(spec) => member_name(module, module.method_spec(spec).ok()?.method),
        _ => None,
    }
}
