//! Names as the messages of the runtime's own exceptions write them.

use std::fmt::Write;

use crate::sig::MethodSig;
use crate::{MethodId, Type, TypeId, Universe};

impl Universe {
    /// `Namespace.Type.Method<Arguments>(Parameters)`, as in what is said about a method that may not be called.
    pub fn accessed_method(&self, m: MethodId) -> String {
        let method = self.method(m);
        let mut text = format!("{}.{}", self.accessed_type(method.owner), method.name);
        if !method.args.is_empty() {
            let args: Vec<String> = method.args.iter().map(|arg| self.type_name_in_method(*arg, m)).collect();
            let _ = write!(text, "<{}>", args.join(", "));
        }
        let params = self.signature(m).map(|signature| &*signature.params).unwrap_or_default();
        let params: Vec<String> = params.iter().map(|param| self.said_type(*param)).collect();
        let _ = write!(text, "({})", params.join(", "));
        text
    }

    /// A type, as in what is said about one that may not be used: of an array, the element.
    pub fn accessed_type(&self, t: TypeId) -> String {
        match self.ty(t) {
            Type::SzArray(inner)
            | Type::Array { elem: inner, .. }
            | Type::ByRef(inner)
            | Type::Pointer(inner) => self.accessed_type(*inner),
            Type::Def { args, .. } if !args.is_empty() => {
                let name = self.def_info(t).map(|info| self.def_name(info)).unwrap_or_default();
                let args: Vec<String> = args.iter().map(|arg| self.accessed_argument(*arg)).collect();
                format!("{name}<{}>", args.join(","))
            }
            _ => self.type_name_over_variables(t),
        }
    }

    fn accessed_argument(&self, t: TypeId) -> String {
        match self.ty(t) {
            Type::Def { .. } => self.accessed_type(t),
            _ => self.type_name_over_variables(t),
        }
    }

    /// `Int32 Namespace.Type.Method(System.String, Int32)`, as in what is said about a method that is not there.
    pub(crate) fn said_method(&self, owner: TypeId, name: &str, sig: &MethodSig) -> String {
        let params: Vec<String> = sig.params.iter().map(|param| self.said_type(*param)).collect();
        let owner = self.said_class(owner);
        format!("{} {owner}.{name}({})", self.said_type(sig.ret), params.join(", "))
    }

    fn said_type(&self, t: TypeId) -> String {
        match self.ty(t) {
            Type::Def { .. } => match (self.primitive(t), self.def_info(t)) {
                (Some(_), Some(info)) => info.name.to_string(),
                _ => self.said_class(t),
            },
            Type::SzArray(elem) => format!("{}[]", self.said_type(*elem)),
            Type::Array { elem, rank } => {
                format!("{}[{}]", self.said_type(*elem), ",".repeat((*rank as usize).saturating_sub(1)))
            }
            Type::ByRef(target) => format!("{} ByRef", self.said_type(*target)),
            Type::Pointer(target) => format!("{}*", self.said_type(*target)),
            _ => self.type_name_over_variables(t),
        }
    }

    fn said_class(&self, t: TypeId) -> String {
        let Some(info) = self.def_info(t) else { return self.type_name_over_variables(t) };
        let mut text = self.def_name(info);
        let args: Vec<String> = self.type_args(t).iter().map(|arg| self.said_type(*arg)).collect();
        if !args.is_empty() {
            let _ = write!(text, "<{}>", args.join(","));
        }
        text
    }
}
