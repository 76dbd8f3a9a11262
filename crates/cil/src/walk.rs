//! Reads everything there is in a file, for tests and fuzzing: no part of the reader may panic, hang or allocate
//! without bound, whatever the bytes.

use crate::attribute::EnumRef;
use crate::error::{Error, Result};
use crate::metadata::Metadata;
use crate::module::Module;
use crate::pdb::Pdb;
use crate::scalar::ScalarType;
use crate::schema::*;
use crate::token::Token;

/// What a walk has read. Errors are counted, not returned: one bad row does not keep the others from being read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub rows: u64,
    pub signatures: u64,
    pub bodies: u64,
    pub instructions: u64,
    pub clauses: u64,
    pub attributes: u64,
    pub constants: u64,
    pub resources: u64,
    pub sequence_points: u64,
    pub local_names: u64,
    pub errors: u64,
    pub first_error: Option<Error>,
    /// The work budget was used up before the end.
    pub exhausted: bool,
}

/// Bytes of any file: a PDB if it looks like one, else an assembly.
pub fn read_bytes(bytes: Vec<u8>, budget: u64) -> Result<Stats> {
    if bytes.starts_with(b"BSJB") {
        return Ok(read_pdb(&Pdb::from_vec(bytes)?, budget));
    }
    Ok(read_everything(&Module::from_vec(bytes)?, budget))
}

/// Reads every row, signature, body, attribute, resource and look-up of a module, and its embedded PDB. `budget`
/// limits the work, counted in rows, instructions and the like.
pub fn read_everything(module: &Module, budget: u64) -> Stats {
    let mut walk = Walk { stats: Stats::default(), budget };
    walk.tables(module);
    walk.heaps(module);
    walk.types(module);
    walk.methods(module);
    walk.members(module);
    walk.attributes(module);
    walk.manifest(module);
    if let Some(Some(pdb)) = walk.check(Pdb::embedded(module)) {
        walk.pdb(&pdb);
    }
    walk.stats
}

pub fn read_pdb(pdb: &Pdb, budget: u64) -> Stats {
    let mut walk = Walk { stats: Stats::default(), budget };
    walk.tables(pdb);
    walk.pdb(pdb);
    walk.stats
}

struct Walk {
    stats: Stats,
    budget: u64,
}

impl Walk {
    /// Takes from the budget; false when it is used up.
    fn spend(&mut self, work: u64) -> bool {
        let left = self.budget.checked_sub(work);
        self.stats.exhausted |= left.is_none();
        self.budget = left.unwrap_or(0);
        left.is_some()
    }

    fn check<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.stats.errors += 1;
                self.stats.first_error.get_or_insert(error);
                None
            }
        }
    }

    /// Counts what an iterator yields, within the budget.
    fn count(&mut self, items: impl Iterator) -> u64 {
        let mut count = 0;
        for _ in items {
            if !self.spend(1) {
                break;
            }
            count += 1;
        }
        count
    }

    /// False when the budget is used up.
    fn signature<T: std::fmt::Debug>(&mut self, signature: Result<T>) -> bool {
        let Some(signature) = self.check(signature) else { return self.spend(1) };
        self.stats.signatures += 1;
        // Printing visits the whole of it.
        let length = format!("{signature:?}").len();
        self.spend(length as u64 / 16 + 1)
    }

    fn tables(&mut self, metadata: &Metadata) {
        macro_rules! read_all {
            ($($all:ident $get:ident)*) => {$(
                for id in metadata.$all() {
                    if !self.spend(1) {
                        return;
                    }
                    if self.check(metadata.$get(id)).is_some() {
                        self.stats.rows += 1;
                    }
                }
            )*};
        }
        read_all! {
            module_defs module_def  type_refs type_ref  type_defs type_def  field_ptrs field_ptr  fields field
            method_ptrs method_ptr  method_defs method_def  param_ptrs param_ptr  params param
            interface_impls interface_impl  member_refs member_ref  constants constant
            all_custom_attributes custom_attribute  field_marshals field_marshal
            all_decl_securities decl_security  class_layouts class_layout  field_layouts field_layout
            stand_alone_sigs stand_alone_sig  event_maps event_map  event_ptrs event_ptr  events event
            property_maps property_map  property_ptrs property_ptr  properties property
            all_method_semantics method_semantics  all_method_impls method_impl  module_refs module_ref
            type_specs type_spec  impl_maps impl_map  field_rvas field_rva  enc_logs enc_log  enc_maps enc_map
            assemblies assembly_row  assembly_processors assembly_processor  assembly_oses assembly_os
            assembly_refs assembly_ref  assembly_ref_processors assembly_ref_processor
            assembly_ref_oses assembly_ref_os  files file  exported_types exported_type
            manifest_resources manifest_resource  nested_classes nested_class
            all_generic_params generic_param  method_specs method_spec
            all_generic_param_constraints generic_param_constraint  documents document_row
            all_method_debug_information method_debug_information  all_local_scopes local_scope
            local_variables local_variable  local_constants local_constant  import_scopes import_scope
            state_machine_methods state_machine_method  all_custom_debug_information custom_debug_information
        }
    }

    fn heaps(&mut self, metadata: &Metadata) {
        let _ = metadata.version();
        // Every offset of the user string heap; most are not the start of a string.
        let mut offset = 1;
        while metadata.contains(Token::user_string(offset)) && self.spend(1) {
            match metadata.user_string(Token::user_string(offset)) {
                Ok(string) => offset += (string.units().len() as u32 * 2).max(1),
                Err(_) => offset += 1,
            }
        }
    }

    fn types(&mut self, module: &Module) {
        for id in module.type_defs() {
            if !self.spend(4) {
                return;
            }
            self.type_lists(module, id);
            self.check(module.enclosing_type(id));
            self.check(module.class_layout_of(id));
            self.check(module.enum_underlying(id));
            self.count(module.nested_types(id));
            self.count(module.interfaces_of(id));
            self.count(module.method_impls_of(id));
            self.count(module.decl_securities(id.token()));
            self.generic_params(module, id.token());
            if let Some(row) = self.check(module.type_def(id)) {
                self.check(module.find_type(row.namespace, row.name));
            }
            if let Some(events) = self.check(module.events_of(id)) {
                self.count(events.iter());
            }
            if let Some(properties) = self.check(module.properties_of(id)) {
                self.count(properties.iter());
            }
        }
        for id in module.type_specs() {
            if !self.signature(module.type_spec_sig(id)) {
                return;
            }
        }
    }

    fn type_lists(&mut self, module: &Module, id: TypeDefId) {
        let Some(row) = self.check(module.type_def(id)) else { return };
        for field in row.fields {
            if !self.spend(1) {
                return;
            }
            self.check(module.declaring_type_of_field(field));
            self.check(module.field_offset_of(field));
            self.check(module.field_data(field, 1));
            self.check(module.marshal_of(field.token()).map(|id| module.marshal_descriptor(id)).transpose());
            self.signature(module.field_sig(field));
            self.constant(module, field.token());
        }
        for method in row.methods {
            if !self.spend(1) {
                return;
            }
            self.check(module.declaring_type_of_method(method));
        }
    }

    fn generic_params(&mut self, module: &Module, owner: Token) {
        for id in module.generic_params(owner) {
            if !self.spend(1) {
                return;
            }
            self.check(module.generic_param(id).map(|row| row.variance()));
            self.count(module.constraints_of(id));
        }
    }

    fn constant(&mut self, module: &Module, parent: Token) {
        if let Some(Some(_)) = self.check(module.constant_value_of(parent)) {
            self.stats.constants += 1;
        }
    }

    fn methods(&mut self, module: &Module) {
        for id in module.method_defs() {
            if !self.spend(2) {
                return;
            }
            self.signature(module.method_sig(id));
            self.check(module.impl_map_of(id.token()));
            self.count(module.semantics_of_method(id));
            self.generic_params(module, id.token());
            self.body(module, id);
        }
        for id in module.params() {
            if !self.spend(1) {
                return;
            }
            self.check(module.method_of_param(id));
            self.constant(module, id.token());
            self.check(module.marshal_of(id.token()).map(|id| module.marshal_descriptor(id)).transpose());
        }
    }

    fn body(&mut self, module: &Module, id: MethodDefId) {
        let Some(Some(body)) = self.check(module.method_body(id)) else { return };
        self.stats.bodies += 1;
        self.stats.clauses += body.clauses.len() as u64;
        if let Some(locals) = body.local_var_sig {
            self.signature(module.locals_sig(locals));
        }
        for instruction in body.instructions() {
            if !self.spend(1) {
                return;
            }
            if self.check(instruction).is_some() {
                self.stats.instructions += 1;
            }
        }
        self.spend(body.clauses.len() as u64);
    }

    fn members(&mut self, module: &Module) {
        for id in module.member_refs() {
            if !self.signature(module.member_ref_sig(id)) {
                return;
            }
        }
        for id in module.method_specs() {
            if !self.signature(module.method_spec_sig(id)) {
                return;
            }
        }
        for id in module.stand_alone_sigs() {
            if !self.signature(module.stand_alone_signature(id)) {
                return;
            }
        }
        for id in module.properties() {
            if !self.signature(module.property_sig(id)) {
                return;
            }
            self.check(module.declaring_type_of_property(id));
            self.count(module.semantics_of(id.token()));
            self.constant(module, id.token());
        }
        for id in module.events() {
            if !self.spend(1) {
                return;
            }
            self.check(module.declaring_type_of_event(id));
            self.count(module.semantics_of(id.token()));
        }
    }

    fn attributes(&mut self, module: &Module) {
        for id in module.all_custom_attributes() {
            if !self.spend(4) {
                return;
            }
            self.check(module.attribute_type(id));
            let value = module.attribute_value(id, &mut |ty| Some(guess_underlying(module, ty)));
            if let Some(value) = self.check(value) {
                self.stats.attributes += 1;
                self.spend((value.fixed.len() + value.named.len()) as u64);
            }
            if let Some(row) = self.check(module.custom_attribute(id)) {
                self.count(module.custom_attributes(row.parent).take(1));
            }
        }
    }

    fn manifest(&mut self, module: &Module) {
        self.check(module.assembly());
        self.check(module.module());
        let _ = (module.entry_point(), module.is_ready_to_run());
        self.check(module.code_view());
        for id in module.exported_types() {
            if !self.spend(1) {
                return;
            }
            if let Some(row) = self.check(module.exported_type(id)) {
                self.check(module.find_exported_type(row.namespace, row.name));
            }
        }
        for id in module.manifest_resources() {
            if !self.spend(1) {
                return;
            }
            if let Some(Some(_)) = self.check(module.resource_data(id)) {
                self.stats.resources += 1;
            }
        }
    }

    fn pdb(&mut self, pdb: &Pdb) {
        let _ = (pdb.id(), pdb.entry_point());
        for id in pdb.all_method_debug_information() {
            if !self.spend(2) {
                return;
            }
            self.pdb_method(pdb, MethodDefId::new(id.row()));
        }
        for id in pdb.documents() {
            if !self.spend(1) {
                return;
            }
            if let Some(name) = self.check(pdb.document_name(id)) {
                self.spend(name.len() as u64 / 16 + 1);
            }
            if let Some(Some(text)) = self.check(pdb.embedded_source(id)) {
                self.spend(text.len() as u64 / 64);
            }
        }
        for id in pdb.import_scopes() {
            if !self.spend(1) {
                return;
            }
            if let Some(imports) = self.check(pdb.imports(id)) {
                self.spend(imports.len() as u64);
            }
        }
        self.check(pdb.source_link());
    }

    fn pdb_method(&mut self, pdb: &Pdb, method: MethodDefId) {
        if let Some(points) = self.check(pdb.sequence_points(method)) {
            self.spend(points.len() as u64);
            self.stats.sequence_points += points.len() as u64;
        }
        self.check(pdb.local_signature(method));
        for id in pdb.scopes_of(method) {
            if !self.spend(1) {
                return;
            }
            if let Some(scope) = self.check(pdb.method_scope(id)) {
                self.spend((scope.variables.len() + scope.constants.len()) as u64);
                self.stats.local_names += scope.variables.len() as u64;
            }
        }
        self.check(pdb.move_next_of(method));
        self.check(pdb.kickoff_of(method));
        self.check(pdb.async_stepping(method));
        self.check(pdb.hoisted_local_scopes(method));
    }
}

/// Without the other assemblies: nearly every enum in attributes is an `int`; the keywords of event sources are not.
fn guess_underlying(module: &Module, ty: EnumRef<'_>) -> ScalarType {
    let name = match ty {
        EnumRef::Token(token) => module.type_name(token).ok().flatten().map_or("", |(_, name)| name),
        EnumRef::Name(name) => name.split(',').next().unwrap_or_default(),
    };
    if name.ends_with("EventKeywords") { ScalarType::I8 } else { ScalarType::I4 }
}
