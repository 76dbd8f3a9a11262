//! Names of types and methods: those of reflection, and the ids of the tool's output.

use std::fmt::Write;

use crate::resolve::dotted;
use crate::sig::MethodSig;
use crate::type_def::{GenericParameter, TypeDefInfo};
use crate::{FieldId, MethodId, MethodKind, Type, TypeId, Universe};

/// How variables are written.
#[derive(Clone, Copy, Default)]
struct Variables<'a> {
    types: &'a [GenericParameter],
    methods: &'a [GenericParameter],
}

impl Universe {
    /// As reflection writes it: ``Ns.Outer+Inner`1[System.Int32]``; an open definition without arguments.
    pub fn type_name(&self, t: TypeId) -> String {
        if let Some(info) = self.def_info(t)
            && self.is_definition(t)
        {
            return self.def_name(info);
        }
        self.name_with(t, Variables::default())
    }

    /// The name of a type that stands inside a definition: variables by their declared names.
    pub fn type_name_in_type(&self, t: TypeId, owner: TypeId) -> String {
        let owner = self.def_info(owner).filter(|_| self.is_definition(owner));
        let types = owner.map_or(&[][..], |info| &info.generic_parameters);
        self.name_with(t, Variables { types, methods: &[] })
    }

    /// The name of a type over variables by their numbers: ``Ns.Box`1[!0]``, also where that is the open definition.
    pub fn type_name_over_variables(&self, t: TypeId) -> String {
        self.name_with(t, Variables::default())
    }

    /// The name of a type that stands inside a method: variables by their declared names.
    pub fn type_name_in_method(&self, t: TypeId, m: MethodId) -> String {
        let methods = self.generic_parameters_of_method(m);
        let owner = self.method(m).owner;
        let owner = self.def_info(owner).filter(|_| self.is_definition(owner));
        let types = owner.map_or(&[][..], |info| &info.generic_parameters);
        self.name_with(t, Variables { types, methods: &methods })
    }

    /// `Namespace.Type::Method(Full.Param.Types)`; generic methods add `<T>` as declared, or their arguments.
    pub fn method_id(&self, m: MethodId) -> String {
        let method = self.method(m);
        let own_parameters = self.generic_parameters_of_method(m);
        let owner = self.def_info(method.owner).filter(|_| self.is_definition(method.owner));
        let variables =
            Variables { types: owner.map_or(&[], |info| &info.generic_parameters), methods: &own_parameters };
        let mut id = format!("{}::{}", self.type_name(method.owner), method.name);
        self.write_list(&mut id, "<", ">", &method.args, variables);
        match self.signature(m) {
            Ok(sig) => {
                id.push('(');
                for (i, param) in sig.params.iter().enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    let _ = write!(id, "{comma}{}", self.name_with(*param, variables));
                }
                id.push(')');
            }
            // The id must exist even when a parameter's type cannot be found.
            Err(_) => id.push_str("(?)"),
        }
        id
    }

    /// `Ns.Type::field`.
    pub fn field_name(&self, f: FieldId) -> String {
        let field = self.field(f);
        format!("{}::{}", self.type_name(field.owner), field.name)
    }

    /// The namespace of a type: that of the outermost type around it.
    pub fn namespace(&self, t: TypeId) -> String {
        let Some(info) = self.def_info(t) else { return String::new() };
        match info.enclosing.map(|outer| self.type_of_def(info.assembly, outer)) {
            Some(Ok(outer)) => self.namespace(outer),
            _ => info.namespace.to_string(),
        }
    }

    /// The full name of a definition, without generic arguments.
    pub fn def_name(&self, info: &TypeDefInfo) -> String {
        let own = dotted(&info.namespace, &info.name);
        // Nesting is known to be finite: it is checked when the definition is read.
        match info.enclosing.map(|outer| self.type_def_info(info.assembly, outer)) {
            Some(Ok(outer)) => format!("{}+{own}", self.def_name(&outer)),
            _ => own,
        }
    }

    /// The declared generic parameters of a method.
    pub fn generic_parameters_of_method(&self, m: MethodId) -> Box<[GenericParameter]> {
        match self.method(m).kind {
            MethodKind::Def { assembly, def } if !self.method(m).args.is_empty() => {
                self.assembly(assembly).generic_parameters(def.token()).unwrap_or_default()
            }
            _ => Box::default(),
        }
    }

    /// What a failed search was after.
    pub(crate) fn describe_wanted(&self, name: &str, sig: &MethodSig) -> String {
        let mut text = format!("method {} {name}", self.type_name(sig.ret));
        text.push('(');
        for (i, param) in sig.params.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let _ = write!(text, "{comma}{}", self.type_name(*param));
        }
        text.push(')');
        text
    }

    fn name_with(&self, t: TypeId, variables: Variables<'_>) -> String {
        let named = |list: &[GenericParameter], n: u32, mark: &str| match list.get(n as usize) {
            Some(parameter) => parameter.name.to_string(),
            None => format!("{mark}{n}"),
        };
        match self.ty(t) {
            Type::Def { args, .. } => {
                let mut name = self.def_info(t).map(|info| self.def_name(info)).unwrap_or_default();
                self.write_list(&mut name, "[", "]", args, variables);
                name
            }
            Type::SzArray(elem) => format!("{}[]", self.name_with(*elem, variables)),
            Type::Array { elem, rank: 1 } => format!("{}[*]", self.name_with(*elem, variables)),
            Type::Array { elem, rank } => {
                format!("{}[{}]", self.name_with(*elem, variables), ",".repeat(*rank as usize - 1))
            }
            Type::ByRef(target) => format!("{}&", self.name_with(*target, variables)),
            Type::Pointer(target) => format!("{}*", self.name_with(*target, variables)),
            Type::FnPtr(sig) => {
                let mut name = self.name_with(sig.ret, variables);
                name.push('(');
                for (i, param) in sig.params.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    let _ = write!(name, "{comma}{}", self.name_with(*param, variables));
                }
                name.push(')');
                name
            }
            Type::Var(n) => named(variables.types, *n, "!"),
            Type::MVar(n) => named(variables.methods, *n, "!!"),
            Type::Param { assembly, id } => self.parameter_name(*assembly, *id).to_owned(),
            Type::Mock { base, interfaces } => self.mock_name(*base, interfaces),
        }
    }

    fn write_list(
        &self,
        out: &mut String,
        open: &str,
        close: &str,
        args: &[TypeId],
        variables: Variables<'_>,
    ) {
        for (i, arg) in args.iter().enumerate() {
            out.push_str(if i == 0 { open } else { "," });
            out.push_str(&self.name_with(*arg, variables));
        }
        if !args.is_empty() {
            out.push_str(close);
        }
    }
}
