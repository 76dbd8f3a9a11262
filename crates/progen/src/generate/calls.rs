//! Calls of the program's own methods.

use super::Generator;
use super::scope::{Method, Passing, Scope, Ty};
use super::simple::Simple;
use crate::tree::Node;

impl Generator {
    pub fn call(&mut self, method: &Method, scope: &Scope, depth: usize) -> Node {
        let mut children = Vec::new();
        let mut arguments = Vec::new();
        for (passing, ty) in &method.params {
            let (text, child) = self.argument(*passing, *ty, scope, depth);
            arguments.push(text);
            children.extend(child);
        }
        let template = format!("{}({})", method.name, arguments.join(", "));
        Node::expression(method.ret.name(), &template, children)
    }

    fn argument(
        &mut self,
        passing: Passing,
        ty: Simple,
        scope: &Scope,
        depth: usize,
    ) -> (String, Option<Node>) {
        match passing {
            Passing::Value => ("#".into(), Some(self.expr(ty, scope, depth))),
            Passing::In => ("#".into(), Some(self.opaque(ty, scope, depth))),
            Passing::Out => ("out _".into(), None),
            Passing::Ref => match self.place(ty, scope, depth) {
                Some(place) => ("ref #".into(), Some(place)),
                // A place that nobody else knows.
                None => {
                    let value = self.expr(ty, scope, depth);
                    (format!("ref (new {}[] {{ # }})[0]", ty.name()), Some(value))
                }
            },
        }
    }

    /// A variable, element or field that a reference can be taken of.
    pub fn place(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Option<Node> {
        let name = self.variable(scope, |var| {
            matches!(var.ty, Ty::Simple(t) | Ty::Array(t) if t == ty)
                && (var.writable || matches!(var.ty, Ty::Array(_)))
        })?;
        let kind = scope.vars.iter().find(|var| var.name == name)?.ty;
        if let Ty::Array(_) = kind {
            let index = self.index(&name, kind, scope, depth.min(1));
            return Some(Node::expression("ref", &format!("{name}[#]"), vec![index]));
        }
        Some(Node::expression("ref", &name, vec![]))
    }
}
