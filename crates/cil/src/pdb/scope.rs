//! Local scopes: the names and constants of a method's local variables, and where they are in force.

use super::{LocalConstantValue, Pdb};
use crate::body::CodeRange;
use crate::error::Result;
use crate::lookup::{Found, Search};
use crate::schema::{ImportScopeId, LocalScopeId, MethodDefId};

/// A range of code with the names declared in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodScope<'a> {
    pub range: CodeRange,
    pub imports: Option<ImportScopeId>,
    pub variables: Vec<LocalName<'a>>,
    pub constants: Vec<(&'a str, LocalConstantValue<'a>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalName<'a> {
    /// The number of the local variable.
    pub index: u16,
    pub name: &'a str,
    /// A variable made by the compiler, not to be shown.
    pub is_hidden: bool,
}

const DEBUGGER_HIDDEN: u16 = 0x1;

impl Pdb {
    /// The rows of a method's scopes, outer ones first.
    pub fn scopes_of(&self, method: MethodDefId) -> Found<'_, LocalScopeId> {
        self.find(Search::ScopesOfMethod, method)
    }

    /// The scopes of a method with all they hold, outer ones first.
    pub fn method_scopes(&self, method: MethodDefId) -> Result<Vec<MethodScope<'_>>> {
        self.scopes_of(method).map(|id| self.method_scope(id)).collect()
    }

    pub fn method_scope(&self, id: LocalScopeId) -> Result<MethodScope<'_>> {
        let row = self.local_scope(id)?;
        let end = row.start_offset.saturating_add(row.length);
        let mut scope = MethodScope {
            range: CodeRange { start: row.start_offset, end },
            imports: row.import_scope,
            variables: Vec::new(),
            constants: Vec::new(),
        };
        for id in row.variables {
            let variable = self.local_variable(id)?;
            let is_hidden = variable.attributes & DEBUGGER_HIDDEN != 0;
            scope.variables.push(LocalName { index: variable.index, name: variable.name, is_hidden });
        }
        for id in row.constants {
            scope.constants.push((self.local_constant(id)?.name, self.local_constant_value(id)?));
        }
        Ok(scope)
    }

    /// The name of a local variable at a code offset: that of the innermost scope which has one.
    pub fn local_name(&self, method: MethodDefId, index: u16, il_offset: u32) -> Result<Option<&str>> {
        let mut name = None;
        for id in self.scopes_of(method) {
            let row = self.local_scope(id)?;
            let range =
                CodeRange { start: row.start_offset, end: row.start_offset.saturating_add(row.length) };
            if !range.contains(il_offset) {
                continue;
            }
            for id in row.variables {
                let variable = self.local_variable(id)?;
                if variable.index == index {
                    name = Some(variable.name);
                }
            }
        }
        Ok(name)
    }
}
