//! Values of types that are not simple, and what can be had of them.

use super::Generator;
use super::scope::{Scope, Ty};
use super::simple::{ALL, Simple};
use crate::tree::Node;

impl Ty {
    pub fn name(self) -> String {
        match self {
            Ty::Simple(ty) => ty.name().to_owned(),
            Ty::Nullable(ty) => format!("{}?", ty.name()),
            Ty::Array(ty) => format!("{}[]", ty.name()),
            Ty::Rect(ty) => format!("{}[,]", ty.name()),
            Ty::Jagged(ty) => format!("{}[][]", ty.name()),
            Ty::List(ty) => format!("List<{}>", ty.name()),
            Ty::Tuple(a, b) => format!("({}, {})", a.name(), b.name()),
            Ty::Func(ty) => format!("Func<{0}, {0}>", ty.name()),
            Ty::Struct(index) => format!("S{index}"),
            Ty::Object => "Base".to_owned(),
            Ty::Pair(ty) => format!("Pair<{}>", ty.name()),
            Ty::Enum => "Mode".to_owned(),
            Ty::Union => "Overlay".to_owned(),
        }
    }
}

impl Generator {
    /// The type of a new variable.
    pub fn any_type(&mut self) -> Ty {
        let ty = Simple::any(&mut self.r);
        match self.r.below(24) {
            0 | 1 => Ty::Array(ty),
            2 => Ty::Rect(ty),
            3 => Ty::Jagged(ty),
            4 => Ty::List(ty),
            5 => Ty::Tuple(ty, Simple::any(&mut self.r)),
            6 if ty != Simple::Text => Ty::Nullable(ty),
            7 => Ty::Func(ty),
            8 | 9 => Ty::Struct(self.r.below(self.structs.len())),
            10 | 11 => Ty::Object,
            12 => Ty::Pair(ty),
            13 => Ty::Enum,
            14 => Ty::Union,
            _ => Ty::Simple(ty),
        }
    }

    pub fn value(&mut self, ty: Ty, scope: &Scope, depth: usize) -> Node {
        let name = ty.name();
        if let Ty::Simple(simple) = ty {
            return self.expr(simple, scope, depth);
        }
        if self.r.percent(35)
            && let Some(var) = self.variable(scope, |var| var.ty == ty)
        {
            return Node::expression(&name, &var, vec![]);
        }
        let depth = depth.min(2);
        match ty {
            Ty::Simple(simple) => self.expr(simple, scope, depth),
            Ty::Nullable(inner) => {
                let value = self.expr(inner, scope, depth);
                match self.r.below(3) {
                    0 => Node::expression(&name, &format!("default({name})"), vec![]),
                    _ => Node::expression(&name, &format!("(({name})#)"), vec![value]),
                }
            }
            Ty::Array(inner) => self.list_of(&name, &format!("new {name} {{ "), inner, scope, depth),
            Ty::List(inner) => self.list_of(&name, &format!("new {name} {{ "), inner, scope, depth),
            Ty::Rect(inner) => {
                let parts: Vec<Node> = (0..4).map(|_| self.expr(inner, scope, depth.min(1))).collect();
                Node::expression(&name, &format!("new {name} {{ {{ #, # }}, {{ #, # }} }}"), parts)
            }
            Ty::Jagged(inner) => {
                let rows: Vec<Node> = (0..1 + self.r.below(3))
                    .map(|_| self.value(Ty::Array(inner), scope, depth.min(1)))
                    .collect();
                let holes = vec!["#"; rows.len()].join(", ");
                Node::expression(&name, &format!("new {name} {{ {holes} }}"), rows)
            }
            Ty::Tuple(a, b) => {
                let (a, b) = (self.expr(a, scope, depth), self.expr(b, scope, depth));
                Node::expression(&name, "(#, #)", vec![a, b])
            }
            Ty::Func(inner) => {
                let parameter = self.name("x");
                let mut body_scope = scope.lambda();
                body_scope.add(&parameter, Ty::Simple(inner));
                let body = self.expr(inner, &body_scope, depth);
                let template = format!("(({name})({parameter} => F.Go() ? # : {parameter}))");
                Node::expression(&name, &template, vec![body])
            }
            Ty::Struct(index) => self.new_struct(index, scope, depth),
            Ty::Object => self.new_object(scope, depth),
            Ty::Pair(inner) => {
                let (a, b) = (self.expr(inner, scope, depth), self.expr(inner, scope, depth));
                Node::expression(&name, &format!("new {name}(#, #)"), vec![a, b])
            }
            Ty::Enum => match self.r.below(3) {
                0 => {
                    let a = self.opaque(Simple::Int, scope, depth);
                    Node::expression(&name, "unchecked((Mode)#)", vec![a])
                }
                _ => {
                    let text = self.r.pick(&[
                        "F.Id(Mode.None)",
                        "F.Id(Mode.Some)",
                        "F.Id(Mode.Most)",
                        "(F.Id(Mode.Some) | Mode.Most)",
                    ]);
                    Node::expression(&name, text, vec![])
                }
            },
            Ty::Union => {
                let a = self.expr(Simple::Long, scope, depth);
                Node::expression(&name, "new Overlay { Whole = # }", vec![a])
            }
        }
    }

    fn list_of(&mut self, name: &str, start: &str, inner: Simple, scope: &Scope, depth: usize) -> Node {
        let parts: Vec<Node> =
            (0..1 + self.r.below(5)).map(|_| self.expr(inner, scope, depth.min(1))).collect();
        let holes = vec!["#"; parts.len()].join(", ");
        Node::expression(name, &format!("{start}{holes} }}"), parts)
    }

    fn new_struct(&mut self, index: usize, scope: &Scope, depth: usize) -> Node {
        let name = format!("S{index}");
        let fields = self.structs[index].fields.clone();
        let mut children = Vec::new();
        let mut template = format!("new {name}(");
        for (position, (_, ty)) in fields.iter().enumerate() {
            template.push_str(if position == 0 { "#" } else { ", #" });
            children.push(self.value(*ty, scope, depth.min(1)));
        }
        template.push(')');
        if self.r.percent(20) {
            let other = Node::expression(&name, &template, children);
            let again = self.value(Ty::Struct(index), scope, 0);
            return Node::expression(&name, "(# + #)", vec![other, again]);
        }
        Node::expression(&name, &template, children)
    }

    fn new_object(&mut self, scope: &Scope, depth: usize) -> Node {
        let Some(class) = self.class.clone() else { return Node::expression("Base", "null", vec![]) };
        if self.r.percent(4) {
            return Node::expression("Base", "F.Id<Base>(null)", vec![]);
        }
        let which = self.r.pick(&["Near", "Far", "Last"]);
        let a = self.expr(class.first, scope, depth);
        let b = self.expr(class.second, scope, depth);
        Node::expression("Base", &format!("((Base)new {which}(#, #))"), vec![a, b])
    }

    pub fn member_of_object(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Option<Node> {
        let class = self.class.clone()?;
        let object = self.value(Ty::Object, scope, depth);
        let name = ty.name();
        let arm = |g: &mut Generator| g.expr(ty, scope, depth);
        if ty == class.first && self.r.percent(60) {
            let a = self.expr(ty, scope, depth);
            let template = self.r.pick(&["#.Turn(#)", "((IShape)#).Turn(#)", "#.Twice(#)", "#.Same(#)"]);
            return Some(Node::expression(name, template, vec![object, a]));
        }
        if ty == class.second && self.r.percent(60) {
            return Some(Node::expression(name, "#.Second", vec![object]));
        }
        Some(match ty {
            Simple::Text => {
                let other = self.r.pick(&ALL);
                let a = self.opaque(other, scope, depth);
                Node::expression(name, &format!("#.Describe<{}>(#)", other.name()), vec![object, a])
            }
            Simple::Int => {
                let a = self.expr(Simple::Int, scope, depth);
                Node::expression(name, "((IShape)#).Size(#)", vec![object, a])
            }
            _ => {
                let (a, b, c) = (arm(self), arm(self), arm(self));
                Node::expression(
                    name,
                    "(# switch { Last { Kind: > 2 } => #, Far => #, null => default, _ => # })",
                    vec![object, a, b, self_typed(ty, c)],
                )
            }
        })
    }

    pub fn field(&mut self, ty: Simple, scope: &Scope) -> Option<Node> {
        let var = self.variable(scope, |var| matches!(var.ty, Ty::Struct(_)))?;
        let Ty::Struct(index) = scope.vars.iter().find(|v| v.name == var)?.ty else { return None };
        let path = self.field_path(index, ty)?;
        Some(Node::expression(ty.name(), &format!("{var}.{path}"), vec![]))
    }

    /// A path to a field of this type, through nested structs.
    pub fn field_path(&mut self, index: usize, ty: Simple) -> Option<String> {
        let fields = self.structs.get(index)?.fields.clone();
        let mut paths = Vec::new();
        for (name, field) in &fields {
            match field {
                Ty::Simple(simple) if *simple == ty => paths.push(name.clone()),
                Ty::Struct(inner) => {
                    paths.extend(self.field_path(*inner, ty).map(|path| format!("{name}.{path}")))
                }
                _ => {}
            }
        }
        let at = self.r.below(paths.len().max(1));
        paths.get(at).cloned()
    }

    pub fn union_part(&mut self, ty: Simple, scope: &Scope) -> Option<Node> {
        let var = self.variable(scope, |var| var.ty == Ty::Union)?;
        let field = match ty {
            Simple::Long => "Whole",
            Simple::Int => "High",
            Simple::UInt => "Low",
            Simple::UShort => "Middle",
            Simple::Byte => "Third",
            Simple::SByte => "Odd",
            _ => return None,
        };
        Some(Node::expression(ty.name(), &format!("{var}.{field}"), vec![]))
    }
}

/// The last arm of a switch gives it its type.
fn self_typed(ty: Simple, node: Node) -> Node {
    Node::expression(ty.name(), &format!("({})#", ty.name()), vec![node])
}
