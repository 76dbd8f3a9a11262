//! What the compiler says to whoever uses a type or a member: `[Obsolete]` and `[Experimental]`.

use cil::attribute::Argument;
use cil::{CustomAttributeId, Module, Scalar, Token};
use types::{MethodId, MethodKind, TypeId, Universe};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Usage {
    #[default]
    Plain,
    /// A diagnostic that a file may switch off.
    Warned(String),
    /// No file may use it.
    Refused,
}

impl Usage {
    /// The diagnostics to switch off.
    pub fn diagnostics(&self) -> Vec<String> {
        match self {
            Usage::Warned(id) => vec![id.clone()],
            Usage::Plain | Usage::Refused => Vec::new(),
        }
    }

    fn or(self, other: impl FnOnce() -> Usage) -> Usage {
        if self == Usage::Plain { other() } else { self }
    }
}

/// Of the type; of one around it, when that says more.
pub fn of_type(universe: &Universe, t: TypeId) -> Usage {
    let Some(info) = universe.def_info(t) else { return Usage::Plain };
    let module = universe.assembly(info.assembly).module();
    const DEEPEST: usize = 64;
    let around = std::iter::successors(Some(info.id), |inner| module.enclosing_type(*inner).ok().flatten());
    around.take(DEEPEST).fold(Usage::Plain, |usage, ty| usage.or(|| of_token(module, ty.token())))
}

/// Of a method, or of the property or event that it is an accessor of.
pub fn of_method(universe: &Universe, m: MethodId) -> Usage {
    let MethodKind::Def { assembly, def } = universe.method(m).kind else { return Usage::Plain };
    let module = universe.assembly(assembly).module();
    let associated = || {
        let row = module.semantics_of_method(def).next().and_then(|id| module.method_semantics(id).ok());
        row.map_or(Usage::Plain, |row| of_token(module, row.association))
    };
    of_token(module, def.token()).or(associated)
}

pub fn of_token(module: &Module, token: Token) -> Usage {
    let find = |namespace, name| module.find_attribute(token, namespace, name).ok().flatten();
    const COMPILER: &str = "System.Runtime.CompilerServices";
    // For compilers that do not know the feature: ours does, and takes no notice.
    let marks = ["CompilerFeatureRequiredAttribute", "IsByRefLikeAttribute"];
    if marks.iter().any(|mark| find(COMPILER, mark).is_some()) {
        return Usage::Plain;
    }
    if let Some(id) = find("System", "ObsoleteAttribute") {
        return obsolete(module, id);
    }
    match find("System.Diagnostics.CodeAnalysis", "ExperimentalAttribute") {
        Some(id) => experimental(module, id).map_or(Usage::Refused, Usage::Warned),
        None => Usage::Plain,
    }
}

fn obsolete(module: &Module, id: CustomAttributeId) -> Usage {
    let Ok(value) = module.attribute_value(id, &mut |_| None) else { return Usage::Refused };
    if value.fixed.contains(&Argument::Scalar(Scalar::Boolean(true))) {
        return Usage::Refused;
    }
    let named = value.named.iter().find(|argument| argument.name == "DiagnosticId");
    if let Some(Argument::String(Some(id))) = named.map(|argument| &argument.value) {
        return Usage::Warned((*id).to_owned());
    }
    let said = matches!(value.fixed.first(), Some(Argument::String(Some(_))));
    Usage::Warned(if said { "CS0618" } else { "CS0612" }.to_owned())
}

fn experimental(module: &Module, id: CustomAttributeId) -> Option<String> {
    let value = module.attribute_value(id, &mut |_| None).ok()?;
    match value.fixed.first()? {
        Argument::String(Some(id)) => Some((*id).to_owned()),
        _ => None,
    }
}
