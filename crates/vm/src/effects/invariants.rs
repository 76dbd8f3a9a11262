//! What holds for the fields of every object that code has made: known from the constructors and from who writes a field.

use cil::{Module, Opcode, Operand, RowRef, Token};
use rustc_hash::FxHashSet;
use types::{AssemblyId, FieldId, Universe};

use super::{Seen, effect, refuses};

/// Whether every constructor of the declaring type leaves something else than null in the field.
pub fn is_never_null(universe: &Universe, field: FieldId) -> bool {
    // The finalizer also runs for an object whose constructor threw, and may give it away.
    if universe.methods_named(universe.field(field).owner, "Finalize").is_ok_and(|found| !found.is_empty()) {
        return false;
    }
    let constructors = universe.methods_named(universe.field(field).owner, ".ctor").unwrap_or_default();
    !constructors.is_empty()
        && constructors.into_iter().all(|constructor| {
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

/// The instance fields that methods of an assembly write outside of constructors, by name: a mistake makes an invariant
/// be missed, never wrong. Private methods that only constructors call do not count.
#[derive(Debug, Default)]
pub struct WrittenFields {
    names: FxHashSet<Box<str>>,
    /// Some code makes objects without their constructors, or writes to them under another name.
    bypasses: bool,
}

/// Members by which an object is made or written to without its class having a say.
const BYPASSES: &[&str] =
    &["GetUninitializedObject", "GetSafeUninitializedObject", "As", "AsRef", "AsPointer"];

const PRIVATE: u16 = 1;
const ACCESS: u16 = 7;

impl WrittenFields {
    pub fn of(universe: &Universe, assembly: AssemblyId) -> WrittenFields {
        let module = universe.assembly(assembly).module();
        let mut called = FxHashSet::default();
        let mut by_private: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut written = WrittenFields::default();
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
                        let is_bypass = |name: &str| BYPASSES.contains(&name);
                        written.bypasses |=
                            is_foreign(token) && member_name(module, token).is_some_and(is_bypass);
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

    pub fn contains(&self, name: &str) -> bool {
        self.bypasses || self.names.contains(name)
    }
}

/// A member of another assembly, or of an instantiation.
fn is_foreign(token: Token) -> bool {
    matches!(token.row_ref(), Some(RowRef::MemberRef(_) | RowRef::MethodSpec(_)))
}

/// Fields of generic classes are named through an instantiation: those count as the class's own.
fn is_field_of(module: &Module, token: Token, owner: Option<cil::TypeDefId>) -> bool {
    match token.row_ref() {
        Some(RowRef::Field(field)) => {
            owner.is_some() && module.declaring_type_of_field(field).ok().flatten() == owner
        }
        _ => true,
    }
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
