//! Expressions of simple types through everything else the language has.

use super::Generator;
use super::scope::{Scope, Ty};
use super::simple::{ALL, Simple};
use crate::tree::Node;

impl Generator {
    /// An expression of a simple type that is not just an operator; `None` if the dice chose what is not there.
    pub fn special(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Option<Node> {
        let name = ty.name();
        match self.r.below(28) {
            22..28 => self.library(ty, scope, depth),
            0 | 1 => {
                let methods: Vec<_> = self.methods.iter().filter(|m| m.ret == ty).cloned().collect();
                let method = methods.get(self.r.below(methods.len().max(1)))?.clone();
                Some(self.call(&method, scope, depth))
            }
            2 | 3 => self.element(ty, scope, depth),
            4 => self.field(ty, scope),
            5 | 6 => self.member_of_object(ty, scope, depth),
            7 => Some(self.lambda(ty, scope, depth)),
            8 | 9 => Some(self.switch(ty, scope, depth)),
            10 => {
                let other = self.r.pick(&ALL);
                let (a, b) = (self.opaque(ty, scope, depth), self.opaque(other, scope, depth));
                Some(Node::expression(name, "(#, #).Item1", vec![a, b]))
            }
            11 => self.nullable(ty, scope, depth),
            12 => Some(self.boxed(ty, scope, depth)),
            13 | 14 => Some(self.generic(ty, scope, depth)),
            15 => {
                let function = self.variable(scope, |var| var.ty == Ty::Func(ty))?;
                let a = self.expr(ty, scope, depth);
                Some(Node::expression(name, &format!("{function}(#)"), vec![a]))
            }
            16 => {
                let pair = self.variable(scope, |var| var.ty == Ty::Pair(ty))?;
                let member = self.r.pick(&["Left", "Right", "Turn().Left", "First()"]);
                Some(Node::expression(name, &format!("{pair}.{member}"), vec![]))
            }
            17 if ty.is_integer() => {
                let value = self.value(Ty::Enum, scope, depth);
                Some(Node::expression(name, &format!("unchecked(({name})#)"), vec![value]))
            }
            18 => self.union_part(ty, scope),
            19 if ty == Simple::Int => {
                let text = self.opaque(Simple::Text, scope, depth);
                Some(Node::expression(name, "#.Length", vec![text]))
            }
            20 => {
                let tuple =
                    self.variable(scope, |var| matches!(var.ty, Ty::Tuple(a, b) if a == ty || b == ty))?;
                let var = scope.vars.iter().find(|var| var.name == tuple)?;
                let item = if matches!(var.ty, Ty::Tuple(a, _) if a == ty) { 1 } else { 2 };
                Some(Node::expression(name, &format!("{tuple}.Item{item}"), vec![]))
            }
            _ => Some(self.conditional(ty, scope, depth)),
        }
    }

    fn element(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Option<Node> {
        let wanted = [Ty::Array(ty), Ty::List(ty), Ty::Rect(ty), Ty::Jagged(ty)];
        let array = self.variable(scope, |var| wanted.contains(&var.ty))?;
        let kind = scope.vars.iter().find(|var| var.name == array)?.ty;
        let index = |g: &mut Generator| g.index(&array, kind, scope, depth);
        let name = ty.name();
        Some(match kind {
            Ty::Rect(_) => {
                let (i, j) = (index(self), index(self));
                Node::expression(name, &format!("{array}[#, #]"), vec![i, j])
            }
            Ty::Jagged(_) => {
                let (i, j) = (index(self), self.expr(Simple::Int, scope, depth));
                Node::expression(name, &format!("{array}[#][#]"), vec![i, j])
            }
            _ => {
                let i = index(self);
                Node::expression(name, &format!("{array}[#]"), vec![i])
            }
        })
    }

    /// An index that is mostly, not always, inside of the array.
    pub fn index(&mut self, array: &str, kind: Ty, scope: &Scope, depth: usize) -> Node {
        if self.r.percent(15) {
            return self.opaque(Simple::Int, scope, depth);
        }
        let a = self.opaque(Simple::UInt, scope, depth);
        let modulus = match kind {
            Ty::Rect(_) => "2".to_owned(),
            Ty::Jagged(_) => format!("(uint)Math.Max(1, {array}.Length)"),
            Ty::List(_) => format!("(uint)Math.Max(1, {array}.Count)"),
            _ => format!("(uint)Math.Max(1, {array}.Length)"),
        };
        Node::expression("int", &format!("((int)(# % {modulus}))"), vec![a])
    }

    fn lambda(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let from = Simple::any(&mut self.r);
        let parameter = self.name("x");
        let mut inner = scope.lambda();
        inner.add(&parameter, Ty::Simple(from));
        let body = self.expr(ty, &inner, depth);
        let argument = self.expr(from, scope, depth);
        let (name, from) = (ty.name(), from.name());
        Node::expression(
            name,
            &format!("((Func<{from}, {name}>)({parameter} => #))(#)"),
            vec![body, argument],
        )
    }

    fn switch(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let on = self.r.pick(&[Simple::Int, Simple::Byte, Simple::Long, Simple::Char, Simple::Text]);
        let subject = self.opaque(on, scope, depth);
        let cases: &[&str] = match on {
            Simple::Char => &["'A'", "> 'a' and < 'f'", "'\\0' or 'Z'", "'x'"],
            Simple::Text => &["\"\"", "\"one\"", "{ Length: 3 }", "['a', .., 'b']", "null"],
            Simple::Byte => &["0", "> 200", "3 or 4 or 5", "not (10 or 11) and < 50"],
            _ => &["0", "< -5", "1 or 3", "2", "> 100 and not 1000"],
        };
        let mut children = vec![subject];
        let mut template = "(# switch { ".to_owned();
        for case in cases {
            if self.r.percent(70) {
                let guard = if self.r.percent(25) {
                    children.push(self.opaque(Simple::Bool, scope, depth.min(1)));
                    " when #"
                } else {
                    ""
                };
                children.push(self.expr(ty, scope, depth));
                template.push_str(&format!("{case}{guard} => #, "));
            }
        }
        // Without a default, the switch throws for what is left.
        if children.len() < 2 || self.r.percent(95) {
            children.push(self.opaque(ty, scope, depth));
            template.push_str("_ => # ");
        }
        template.push_str("})");
        Node::expression(ty.name(), &template, children)
    }

    fn nullable(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Option<Node> {
        if ty == Simple::Text {
            return None;
        }
        let name = ty.name();
        let other = self.expr(ty, scope, depth);
        if let Some(var) = self.variable(scope, |var| var.ty == Ty::Nullable(ty)) {
            return Some(match self.r.below(4) {
                0 => Node::expression(name, &format!("{var}.Value"), vec![]),
                1 => Node::expression(name, &format!("{var}.GetValueOrDefault(#)"), vec![other]),
                2 => Node::expression(
                    name,
                    &format!("({var} is {{ }} nn ? nn : #)").replace("nn", &self.name("n")),
                    vec![other],
                ),
                _ => Node::expression(name, &format!("({var} ?? #)"), vec![other]),
            });
        }
        let maybe = self.value(Ty::Nullable(ty), scope, depth);
        if ty.is_number() && self.r.percent(50) {
            let operator = self.r.pick(&["+", "-", "*"]);
            let again = self.value(Ty::Nullable(ty), scope, depth);
            let template = format!("(({name}?)(# {operator} #) ?? #)");
            return Some(Node::expression(name, &template, vec![maybe, again, other]));
        }
        Some(Node::expression(name, "(# ?? #)", vec![maybe, other]))
    }

    fn boxed(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let name = ty.name();
        let a = self.opaque(ty, scope, depth);
        match self.r.below(4) {
            0 => {
                let bound = self.name("b");
                let other = self.expr(ty, scope, depth);
                Node::expression(
                    name,
                    &format!("((object)# is {name} {bound} ? {bound} : #)"),
                    vec![a, other],
                )
            }
            // Unboxing needs the very type: this may throw.
            1 if self.r.percent(20) => {
                let wrong = self.r.pick(&ALL).name();
                Node::expression(name, &format!("F.As<{wrong}, {name}>(F.As<{name}, {wrong}>(#))"), vec![a])
            }
            2 => Node::expression(name, &format!("F.As<object, {name}>(#)"), vec![a]),
            _ => Node::expression(name, &format!("(({name})(object)#)"), vec![a]),
        }
    }

    fn generic(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let name = ty.name();
        let (a, b) = (self.expr(ty, scope, depth), self.expr(ty, scope, depth));
        match self.r.below(4) {
            0 if ty.is_number() => Node::expression(name, &format!("F.Sum<{name}>(#, #)"), vec![a, b]),
            1 if ty != Simple::Text => {
                let c = self.expr(ty, scope, depth);
                Node::expression(name, &format!("F.Largest<{name}>(#, #, #)"), vec![a, b, c])
            }
            2 => {
                let same = self.expr(ty, scope, depth);
                if ty == Simple::Text {
                    return Node::expression(name, "(# + #)", vec![self.hide(ty, a), b]);
                }
                Node::expression(
                    name,
                    &format!("(F.Same<{name}>(#, #) ? # : default({name}))"),
                    vec![a, b, same],
                )
            }
            _ => {
                let condition = self.expr(Simple::Bool, scope, depth);
                Node::expression(name, &format!("F.Pick<{name}>(#, #, #)"), vec![condition, a, b])
            }
        }
    }
}
