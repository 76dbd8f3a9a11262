//! Generic parameters as types of their own, as reflection sees them.
//!
//! Inside signatures a parameter is only a number ([`Type::Var`], [`Type::MVar`]). Reflection over an open definition
//! works on the instantiation of the definition over its own parameters, each told from all others by its row
//! ([`Type::Param`]): bases, members and signatures follow by ordinary substitution.

use cil::{GenericParamId, RowRef};

use crate::sig::Generics;
use crate::type_def::GenericParameter;
use crate::{AssemblyId, MethodId, MethodKind, Result, Type, TypeId, Universe};

/// What declares a generic parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterOwner {
    Type(TypeId),
    Method(MethodId),
}

impl Universe {
    /// An open definition over its own parameters; any other type is itself.
    pub fn reflected(&self, t: TypeId) -> Result<TypeId> {
        if !self.is_open(t) || !self.is_definition(t) {
            return Ok(t);
        }
        let Some(info) = self.def_info(t) else { return Ok(t) };
        let args = self.parameters(info.assembly, &info.generic_parameters)?;
        self.make_instance(t, &args)
    }

    /// A method with everything open in it replaced by parameters.
    pub fn reflected_method(&self, m: MethodId) -> Result<MethodId> {
        let method = self.method(m);
        let MethodKind::Def { assembly, .. } = method.kind else { return Ok(m) };
        let owner = self.reflected(method.owner)?;
        if !method.args.is_empty() && method.args.iter().all(|arg| matches!(self.ty(*arg), Type::MVar(_))) {
            let args = self.parameters(assembly, &self.generic_parameters_of_method(m))?;
            return self.instantiate_method(m, owner, &args);
        }
        if owner == method.owner { Ok(m) } else { self.instantiate_method(m, owner, &method.args) }
    }

    /// Does the type mention generic variables or parameters?
    pub fn mentions_parameters(&self, t: TypeId) -> bool {
        let entry = self.type_entry(t);
        entry.open || entry.reflected
    }

    /// The row of a parameter.
    pub fn parameter(&self, t: TypeId) -> Option<(AssemblyId, GenericParamId)> {
        match self.ty(t) {
            Type::Param { assembly, id } => Some((*assembly, *id)),
            _ => None,
        }
    }

    pub fn parameter_name(&self, assembly: AssemblyId, id: GenericParamId) -> &str {
        self.assembly(assembly).module().generic_param(id).map_or("", |row| row.name)
    }

    /// The type or method that declares a parameter, over its own parameters.
    pub fn parameter_owner(&self, assembly: AssemblyId, id: GenericParamId) -> Result<ParameterOwner> {
        let place = self.assembly(assembly);
        let row = place.module().generic_param(id).map_err(|e| place.bad(e))?;
        match row.owner.row_ref() {
            Some(RowRef::TypeDef(def)) => {
                Ok(ParameterOwner::Type(self.reflected(self.type_of_def(assembly, def)?)?))
            }
            Some(RowRef::MethodDef(def)) => {
                let method = self.method_of_token(assembly, def)?;
                Ok(ParameterOwner::Method(self.reflected_method(method)?))
            }
            _ => Err(place.bad_token(row.owner, "a type or a method")),
        }
    }

    /// The types that a parameter is constrained to.
    pub fn parameter_constraints(&self, assembly: AssemblyId, id: GenericParamId) -> Result<Vec<TypeId>> {
        let generics = match self.parameter_owner(assembly, id)? {
            ParameterOwner::Type(owner) => Generics::Of { types: self.type_args(owner), methods: &[] },
            ParameterOwner::Method(method) => self.generics_of(method),
        };
        self.constraint_types(assembly, id, generics)
    }

    pub(crate) fn parameter_facts(
        &self,
        assembly: AssemblyId,
        id: GenericParamId,
    ) -> Option<GenericParameter> {
        let row = self.assembly(assembly).module().generic_param(id).ok()?;
        Some(GenericParameter { name: row.name.into(), flags: row.flags, id })
    }

    fn parameters(&self, assembly: AssemblyId, declared: &[GenericParameter]) -> Result<Box<[TypeId]>> {
        declared.iter().map(|parameter| self.intern(Type::Param { assembly, id: parameter.id })).collect()
    }
}
