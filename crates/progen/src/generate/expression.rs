//! Expressions of simple types.

use super::Generator;
use super::scope::{Scope, Ty, Var};
use super::simple::{ALL, NUMBERS, Simple};
use crate::tree::Node;

impl Generator {
    /// An expression of this type; `depth` bounds its size.
    pub fn expr(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        if depth == 0 || self.r.percent(12) {
            return self.leaf(ty, scope);
        }
        let special = self.r.percent(30);
        if special && let Some(node) = self.special(ty, scope, depth - 1) {
            return node;
        }
        match ty {
            Simple::Bool => self.condition(scope, depth - 1),
            Simple::Text => self.text(scope, depth - 1),
            Simple::Char => self.character(scope, depth - 1),
            _ => self.number(ty, scope, depth - 1),
        }
    }

    /// An expression that the compiler cannot evaluate, so that it does not reject what it evaluates to.
    pub fn opaque(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let node = self.expr(ty, scope, depth);
        self.hide(ty, node)
    }

    pub fn hide(&mut self, ty: Simple, node: Node) -> Node {
        if node.is_constant() { Node::expression(ty.name(), "F.Id(#)", vec![node]) } else { node }
    }

    pub fn leaf(&mut self, ty: Simple, scope: &Scope) -> Node {
        if self.r.percent(70)
            && let Some(name) = self.variable(scope, |var| var.ty == Ty::Simple(ty))
        {
            return Node::expression(ty.name(), &name, vec![]);
        }
        let literal = ty.literal(&mut self.r);
        Node::constant(ty.name(), &literal)
    }

    /// A variable at random, the later ones more likely.
    pub fn variable(&mut self, scope: &Scope, accept: impl Fn(&Var) -> bool) -> Option<String> {
        let found: Vec<&Var> = scope.vars.iter().filter(|var| accept(var)).collect();
        if found.is_empty() {
            return None;
        }
        let index = self.r.below(found.len()).max(self.r.below(found.len()));
        Some(found[index].name.clone())
    }

    fn condition(&mut self, scope: &Scope, depth: usize) -> Node {
        match self.r.below(8) {
            0..4 => {
                let ty = self.r.pick(&ALL);
                let operator = match ty {
                    Simple::Bool | Simple::Text => self.r.pick(&["==", "!="]),
                    _ => self.r.pick(&["==", "!=", "<", "<=", ">", ">="]),
                };
                let (a, b) = (self.opaque(ty, scope, depth), self.expr(ty, scope, depth));
                Node::expression("bool", &format!("(# {operator} #)"), vec![a, b])
            }
            4 | 5 => {
                let operator = self.r.pick(&["&&", "||", "&", "|", "^"]);
                let (a, b) =
                    (self.opaque(Simple::Bool, scope, depth), self.opaque(Simple::Bool, scope, depth));
                Node::expression("bool", &format!("(# {operator} #)"), vec![a, b])
            }
            6 => {
                let a = self.opaque(Simple::Bool, scope, depth);
                Node::expression("bool", "(!#)", vec![a])
            }
            _ => {
                let ty = self.r.pick(&[Simple::Float, Simple::Double]);
                let test = self.r.pick(&["IsNaN", "IsInfinity", "IsNegative", "IsFinite"]);
                let a = self.expr(ty, scope, depth);
                Node::expression("bool", &format!("{}.{test}(#)", ty.name()), vec![a])
            }
        }
    }

    fn character(&mut self, scope: &Scope, depth: usize) -> Node {
        match self.r.below(4) {
            0 => {
                let text = self.opaque(Simple::Text, scope, depth);
                let index = self.opaque(Simple::Int, scope, depth);
                Node::expression("char", "#[#]", vec![text, index])
            }
            1 => {
                let function = self.r.pick(&["char.ToUpperInvariant", "char.ToLowerInvariant"]);
                let a = self.expr(Simple::Char, scope, depth);
                Node::expression("char", &format!("{function}(#)"), vec![a])
            }
            2 => {
                let a = self.opaque(Simple::Char, scope, depth);
                let b = self.expr(Simple::Int, scope, depth);
                Node::expression("char", "((char)(# + #))", vec![a, b])
            }
            _ => {
                let from = self.r.pick(&NUMBERS);
                self.cast(from, Simple::Char, scope, depth)
            }
        }
    }

    fn text(&mut self, scope: &Scope, depth: usize) -> Node {
        let a = self.opaque(Simple::Text, scope, depth);
        match self.r.below(9) {
            0 | 1 => {
                let ty = Simple::any(&mut self.r);
                let b = self.shown(ty, scope, depth);
                Node::expression("string", "(# + #)", vec![a, b])
            }
            2 => {
                let (ty, other) = (Simple::any(&mut self.r), Simple::any(&mut self.r));
                let (b, c) = (self.shown(ty, scope, depth), self.shown(other, scope, depth));
                Node::expression("string", "$\"{#}<{#}|{#}>\"", vec![a, b, c])
            }
            3 => {
                let (start, length) =
                    (self.expr(Simple::Int, scope, depth), self.expr(Simple::Int, scope, depth));
                Node::expression("string", "#.Substring(#, #)", vec![a, start, length])
            }
            4 => {
                let (b, c) = (self.expr(Simple::Char, scope, depth), self.expr(Simple::Char, scope, depth));
                Node::expression("string", "#.Replace(#, #)", vec![a, b, c])
            }
            5 => {
                let method = self.r.pick(&["ToUpperInvariant", "Trim", "ToString", "ToLowerInvariant"]);
                Node::expression("string", &format!("#.{method}()"), vec![a])
            }
            6 => {
                let b = self.expr(Simple::Text, scope, depth);
                Node::expression("string", "(# ?? #)", vec![a, b])
            }
            7 => {
                let b = self.expr(Simple::Char, scope, depth);
                Node::expression("string", "string.Join('-', #.Split(#))", vec![a, b])
            }
            _ => {
                let ty = self.r.pick(&NUMBERS);
                self.shown(ty, scope, depth)
            }
        }
    }

    /// A value as text. NUL and unpaired surrogates do not survive the console, so characters become numbers.
    fn shown(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let value = self.opaque(ty, scope, depth);
        match ty {
            Simple::Text => value,
            Simple::Char => Node::expression("string", "((int)#).ToString()", vec![value]),
            Simple::Bool => Node::expression("string", "(#).ToString()", vec![value]),
            _ => Node::expression("string", "(#).ToString(CultureInfo.InvariantCulture)", vec![value]),
        }
    }
}
