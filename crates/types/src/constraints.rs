//! Generic constraints: may these arguments instantiate that definition?

use crate::sig::Generics;
use crate::type_def::GenericParameter;
use crate::{AssemblyId, MethodId, MethodKind, Result, Type, TypeId, Universe};

impl Universe {
    /// Do the arguments of an instantiated type satisfy the constraints of its definition?
    pub fn satisfies_constraints(&self, t: TypeId) -> Result<bool> {
        let (Type::Def { assembly, args, .. }, Some(info)) = (self.ty(t), self.def_info(t)) else {
            return Ok(true);
        };
        self.all_satisfied(
            *assembly,
            &info.generic_parameters,
            args,
            Generics::Of { types: args, methods: &[] },
        )
    }

    /// Do the arguments of an instantiated generic method satisfy its constraints?
    pub fn method_satisfies_constraints(&self, m: MethodId) -> Result<bool> {
        let MethodKind::Def { assembly, .. } = self.method(m).kind else { return Ok(true) };
        let parameters = self.generic_parameters_of_method(m);
        self.all_satisfied(assembly, &parameters, &self.method(m).args, self.generics_of(m))
    }

    /// Do these arguments fit some parameters of a type?
    pub(crate) fn type_arguments_fit(
        &self,
        t: TypeId,
        parameters: &[GenericParameter],
        args: &[TypeId],
    ) -> Result<bool> {
        let Type::Def { assembly, args: types, .. } = self.ty(t) else { return Ok(true) };
        self.all_satisfied(*assembly, parameters, args, Generics::Of { types, methods: &[] })
    }

    /// Do these arguments fit some parameters of a method?
    pub(crate) fn arguments_fit(
        &self,
        m: MethodId,
        parameters: &[GenericParameter],
        args: &[TypeId],
    ) -> Result<bool> {
        let MethodKind::Def { assembly, .. } = self.method(m).kind else { return Ok(true) };
        self.all_satisfied(assembly, parameters, args, self.generics_of(m))
    }

    /// May `arg` stand for a parameter, given all arguments of the type and method that declare it?
    pub fn parameter_accepts(
        &self,
        parameter: TypeId,
        arg: TypeId,
        types: &[TypeId],
        methods: &[TypeId],
    ) -> Result<bool> {
        let Some((assembly, id)) = self.parameter(parameter) else { return Ok(true) };
        let Some(facts) = self.parameter_facts(assembly, id) else { return Ok(true) };
        let generics = Generics::Of { types, methods };
        self.all_satisfied(assembly, &[facts], &[arg], generics)
    }

    fn all_satisfied(
        &self,
        a: AssemblyId,
        parameters: &[GenericParameter],
        args: &[TypeId],
        generics: Generics<'_>,
    ) -> Result<bool> {
        for (parameter, &arg) in parameters.iter().zip(args) {
            if !self.special_constraints(parameter, arg)?
                || !self.type_constraints(a, parameter, arg, generics)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn special_constraints(&self, parameter: &GenericParameter, arg: TypeId) -> Result<bool> {
        if let Type::Param { assembly, id } = self.ty(arg)
            && let Some(given) = self.parameter_facts(*assembly, *id)
        {
            return Ok((!parameter.must_be_value() || given.must_be_value())
                && (!parameter.must_be_reference() || given.must_be_reference())
                && (!parameter.must_have_constructor()
                    || given.must_have_constructor()
                    || given.must_be_value()));
        }
        if matches!(self.ty(arg), Type::ByRef(_) | Type::Pointer(_) | Type::FnPtr(_)) || self.is_void(arg) {
            return Ok(false);
        }
        if self.is_byref_like(arg) && !parameter.allows_byref_like() {
            return Ok(false);
        }
        // `struct` means: a value type other than `Nullable<T>`; it always has a constructor.
        let is_value = self.is_value_type(arg);
        if parameter.must_be_value() && (!is_value || self.is_nullable(arg)) {
            return Ok(false);
        }
        if parameter.must_be_reference() && !self.is_reference(arg) {
            return Ok(false);
        }
        Ok(!parameter.must_have_constructor() || is_value || self.has_public_default_constructor(arg)?)
    }

    fn type_constraints(
        &self,
        a: AssemblyId,
        parameter: &GenericParameter,
        arg: TypeId,
        generics: Generics<'_>,
    ) -> Result<bool> {
        for wanted in self.constraint_types(a, parameter.id, generics)? {
            if !self.is_assignable(arg, wanted)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The types that a parameter is constrained to, given the arguments of the type and method that declare it (a
    /// variable stands for itself).
    pub fn constraints_with(
        &self,
        a: AssemblyId,
        parameter: cil::GenericParamId,
        types: &[TypeId],
        methods: &[TypeId],
    ) -> Result<Vec<TypeId>> {
        self.constraint_types(a, parameter, Generics::Of { types, methods })
    }

    pub(crate) fn constraint_types(
        &self,
        a: AssemblyId,
        parameter: cil::GenericParamId,
        generics: Generics<'_>,
    ) -> Result<Vec<TypeId>> {
        let assembly = self.assembly(a);
        let rows = assembly.module().constraints_of(parameter);
        rows.map(|id| {
            let row = assembly.module().generic_param_constraint(id).map_err(|e| assembly.bad(e))?;
            self.type_of_token(a, row.constraint, generics)
        })
        .collect()
    }

    /// The constructor that `new()` asks for.
    pub fn has_public_default_constructor(&self, t: TypeId) -> Result<bool> {
        if self.is_abstract(t) {
            return Ok(false);
        }
        let constructor = self.find_method(t, ".ctor", &[])?;
        Ok(constructor.is_some_and(|m| self.method(m).is_public() && !self.method(m).is_static()))
    }

    fn is_void(&self, t: TypeId) -> bool {
        self.primitive(t) == Some(crate::Primitive::Void)
    }
}
