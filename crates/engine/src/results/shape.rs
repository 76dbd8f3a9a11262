//! All of an assembly but the bodies of its methods: types, members, attributes, data.
//!
//! Some of what the engine knows about an assembly it reads off all bodies: which fields are written where. That is here too, as
//! a set of facts, so that it changes when they do and not with every body.

use std::collections::BTreeSet;

use cil::{MethodDefId, Module, Opcode, Operand, RowRef, Token};
use store::{Digesting, Key};

use super::spelling::Speller;

/// Attributes that name a build, and that only reflection sees.
const OF_A_BUILD: &[&str] =
    &["AssemblyInformationalVersionAttribute", "AssemblyFileVersionAttribute", "AssemblyMetadataAttribute"];

/// Members of other assemblies by which objects are made or written to without their class having a say.
const BYPASSES: &[&str] =
    &["GetUninitializedObject", "GetSafeUninitializedObject", "As", "AsRef", "AsPointer"];

pub(super) fn shape(module: &Module, file: &[u8]) -> Key {
    let mut digest = Digesting::new();
    let mut speller = Speller::new(module);
    types(module, &mut speller, &mut digest);
    members(module, &mut speller, &mut digest);
    rest(module, file, &mut speller, &mut digest);
    for fact in facts(module) {
        digest.part("fact", fact);
    }
    digest.key()
}

fn types(module: &Module, speller: &mut Speller<'_>, digest: &mut Digesting) {
    for id in module.type_defs() {
        let Ok(row) = module.type_def(id) else { continue };
        digest.number("type", id.token().raw().into()).number("flags", row.flags.into());
        digest.part("namespace", row.namespace).part("name", row.name);
        digest.part("base", row.extends.map(|base| speller.token(base)).unwrap_or_default());
        digest.part("layout", format!("{:?}", module.class_layout_of(id).ok().flatten()));
        digest.part("outer", format!("{:?}", module.enclosing_type(id).ok().flatten()));
        for field in row.fields {
            digest.number("own field", field.token().raw().into());
        }
        for method in row.methods {
            digest.number("own method", method.token().raw().into());
        }
    }
    for row in module.interface_impls().filter_map(|id| module.interface_impl(id).ok()) {
        digest.part("implements", format!("{:?} {}", row.class, speller.token(row.interface)));
    }
    for row in module.all_method_impls().filter_map(|id| module.method_impl(id).ok()) {
        let (body, declaration) = (speller.token(row.body), speller.token(row.declaration));
        digest.part("overrides", format!("{:?} {body} {declaration}", row.class));
    }
}

fn members(module: &Module, speller: &mut Speller<'_>, digest: &mut Digesting) {
    for id in module.fields() {
        let Ok(row) = module.field(id) else { continue };
        digest.part("field", row.name).number("flags", row.flags.into());
        digest.part("sig", module.field_sig(id).map(|sig| speller.ty(&sig)).unwrap_or_default());
        digest.part("offset", format!("{:?}", module.field_offset_of(id).ok().flatten()));
    }
    for id in module.method_defs() {
        let Ok(row) = module.method_def(id) else { continue };
        digest.part("method", row.name).number("flags", row.flags.into());
        digest.number("impl", row.impl_flags.into()).part("body", [u8::from(row.rva != 0)]);
        digest.part("sig", module.method_sig(id).map(|sig| speller.method(&sig)).unwrap_or_default());
        for param in row.params.filter_map(|param| module.param(param).ok()) {
            digest.part("param", format!("{} {} {}", param.sequence, param.flags, param.name));
        }
        let native = module.impl_map_of(id.token()).ok().flatten();
        digest.part("native", native.map(|map| map.import_name).unwrap_or_default());
    }
    for id in module.properties() {
        let Ok(row) = module.property(id) else { continue };
        digest.part("property", row.name);
        let sig = module.property_sig(id).map(|sig| (speller.ty(&sig.ty), speller.types(&sig.params)));
        digest.part("sig", format!("{:?}", sig.unwrap_or_default()));
    }
    for row in module.events().filter_map(|id| module.event(id).ok()) {
        let ty = row.event_type.map(|ty| speller.token(ty)).unwrap_or_default();
        digest.part("event", row.name).part("of", ty);
    }
    for row in module.all_method_semantics().filter_map(|id| module.method_semantics(id).ok()) {
        digest.part("accessor", format!("{} {:?} {:?}", row.flags, row.method, row.association));
    }
}

/// Generic parameters, constants, attributes, data, references.
fn rest(module: &Module, file: &[u8], speller: &mut Speller<'_>, digest: &mut Digesting) {
    for id in module.all_generic_params() {
        let Ok(row) = module.generic_param(id) else { continue };
        digest.part("parameter", format!("{:?}", row));
        for constraint in module.constraints_of(id).filter_map(|id| module.generic_param_constraint(id).ok())
        {
            digest.part("constraint", speller.token(constraint.constraint));
        }
    }
    for row in module.constants().filter_map(|id| module.constant(id).ok()) {
        digest.part("constant", format!("{:?} {}", row.parent, row.type_code)).part("value", row.value.bytes);
    }
    for row in module.all_custom_attributes().filter_map(|id| module.custom_attribute(id).ok()) {
        let constructor = speller.token(row.constructor);
        if !OF_A_BUILD.iter().any(|name| constructor.contains(name)) {
            let parent = speller.token(row.parent);
            digest.part("attribute", parent).part("made by", constructor).part("value", row.value.bytes);
        }
    }
    for row in module.field_rvas().filter_map(|id| module.field_rva(id).ok()) {
        let start = module.file_offset_of(row.rva).unwrap_or(file.len());
        let size = data_size(module, row.field);
        digest.part(
            "data",
            file.get(start..).unwrap_or_default().iter().copied().take(size).collect::<Vec<u8>>(),
        );
    }
    for id in module.manifest_resources() {
        let name = module.manifest_resource(id).map(|row| row.name).unwrap_or_default();
        digest.part("resource", name);
        digest.part("content", module.resource_data(id).ok().flatten().unwrap_or_default());
    }
    for row in module.assembly_refs().filter_map(|id| module.assembly_ref(id).ok()) {
        let versions = (row.major_version, row.minor_version, row.build_number, row.revision_number);
        digest.part("reference", row.name).part("version", format!("{versions:?}"));
    }
    if let Ok(Some(row)) = module.assembly() {
        digest.part("assembly", row.name).part("key", row.public_key.bytes);
    }
}

/// How many bytes of the file are the initial value of a field.
fn data_size(module: &Module, field: cil::FieldId) -> usize {
    const OF_NUMBERS: usize = 8;
    let of_struct = || {
        let cil::TypeSig::ValueType(token) = module.field_sig(field).ok()? else { return None };
        let ty = cil::TypeDefId::from_token(token)?;
        usize::try_from(module.class_layout_of(ty).ok()??.class_size).ok()
    };
    of_struct().unwrap_or(OF_NUMBERS)
}

/// What the engine reads off all bodies together.
fn facts(module: &Module) -> BTreeSet<String> {
    const PRIVATE: u16 = 1;
    const ACCESS: u16 = 7;
    let mut facts = BTreeSet::new();
    let (mut called, mut private_setters) = (BTreeSet::new(), BTreeSet::new());
    for method in module.method_defs() {
        let Ok(row) = module.method_def(method) else { continue };
        let is_private = row.flags & ACCESS == PRIVATE;
        if is_private && row.name.starts_with("set_") {
            private_setters.insert(row.name);
        }
        add_facts(module, method, row.name, is_private, &mut facts, &mut called);
    }
    facts.extend(
        private_setters
            .into_iter()
            .filter(|name| called.contains(*name))
            .map(|name| format!("called {name}")),
    );
    facts
}

fn add_facts<'m>(
    module: &'m Module,
    method: MethodDefId,
    name: &str,
    is_private: bool,
    facts: &mut BTreeSet<String>,
    called: &mut BTreeSet<&'m str>,
) {
    let Ok(Some(body)) = module.method_body(method) else { return };
    let own = module.declaring_type_of_method(method).ok().flatten();
    let who = match name {
        ".ctor" | ".cctor" => format!("{name} of {own:?}"),
        _ if is_private => format!("private {name}"),
        _ => "someone".to_owned(),
    };
    let mut speller = Speller::new(module);
    // What decides whether an array behind a static field may be changed.
    let (mut reads, mut changes) = (BTreeSet::new(), BTreeSet::new());
    let mut bypasses = false;
    for instruction in body.instructions().flatten() {
        let opcode = instruction.opcode;
        if opcode.name().starts_with("stelem") || opcode.name().starts_with("stind") {
            changes.insert(opcode.name().to_owned());
        }
        let Operand::Token(token) = instruction.operand else { continue };
        match opcode {
            Opcode::Stfld | Opcode::Ldflda | Opcode::Stsfld | Opcode::Ldsflda => {
                let field = speller.token(token);
                facts.insert(format!("{who} {} {field}", opcode.name()));
                changes.insert(field);
            }
            Opcode::Ldsfld => {
                reads.insert(speller.token(token));
            }
            Opcode::Call | Opcode::Callvirt | Opcode::Newobj | Opcode::Ldftn | Opcode::Ldvirtftn => {
                let member = member_name(module, token);
                bypasses |= member.is_some_and(|name| BYPASSES.contains(&name));
                called.extend(member);
                changes.insert(speller.token(token));
            }
            Opcode::Stobj | Opcode::Calli => {
                changes.insert(opcode.name().to_owned());
            }
            _ => {}
        }
    }
    if !reads.is_empty() {
        facts.insert(format!("{who} reads {reads:?} and does {changes:?}"));
    }
    if bypasses {
        facts.insert(format!("{method:?} bypasses {:?}", speller.types));
    }
}

fn member_name(module: &Module, token: Token) -> Option<&str> {
    match token.row_ref()? {
        RowRef::MethodDef(method) => Some(module.method_def(method).ok()?.name),
        RowRef::MemberRef(member) => Some(module.member_ref(member).ok()?.name),
        RowRef::MethodSpec(spec) => match module.method_spec(spec).ok()?.method.row_ref()? {
            RowRef::MethodDef(method) => Some(module.method_def(method).ok()?.name),
            RowRef::MemberRef(member) => Some(module.member_ref(member).ok()?.name),
            _ => None,
        },
        _ => None,
    }
}
