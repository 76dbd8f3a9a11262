//! Statements.

use super::Generator;
use super::scope::{Scope, Ty};
use super::simple::{INTEGERS, Simple, UNMANAGED};
use crate::tree::Node;

impl Generator {
    /// Some statements in a scope of their own.
    pub fn block(&mut self, outer: &Scope, count: usize) -> Node {
        let mut scope = outer.inner();
        self.statements(&mut scope, count)
    }

    pub fn statements(&mut self, scope: &mut Scope, count: usize) -> Node {
        let nodes = (0..count).map(|_| self.statement(scope)).collect();
        Node::group(nodes)
    }

    pub fn statement(&mut self, scope: &mut Scope) -> Node {
        let nested = scope.nesting < 4;
        match self.r.below(40) {
            0..8 => self.declare(scope),
            8..14 => self.assign(scope),
            14 | 15 if nested => self.branch(scope),
            16..19 if nested => self.looping(scope),
            19 | 20 if nested => self.attempt(scope),
            21 if nested => self.select(scope),
            22 => self.raise(scope),
            23 if !scope.in_handler => self.memory(scope),
            24 if !scope.in_handler => self.pointers(scope),
            25 => self.mutate(scope),
            26 => self.tuple_assign(scope),
            27 => self.local_function(scope),
            28 => self.captured(scope),
            29 => self.iterate(scope),
            30 => self.print(scope),
            31 => self.leave(scope),
            32 if nested => self.guarded(scope),
            33 => self.query(scope),
            34 => self.shared(scope),
            _ => self.checksum(scope),
        }
    }

    fn declare(&mut self, scope: &mut Scope) -> Node {
        let ty = self.any_type();
        let value = self.value(ty, scope, 3);
        let name = self.name("v");
        scope.add(&name, ty);
        Node::statement(&format!("{} {name} = #;", ty.name()), vec![value])
    }

    pub fn checksum(&mut self, scope: &Scope) -> Node {
        let ty = Simple::any(&mut self.r);
        let value = self.expr(ty, scope, 3);
        Node::statement("F.Add(#);", vec![value])
    }

    fn print(&mut self, scope: &Scope) -> Node {
        let ty = Simple::any(&mut self.r);
        let value = self.expr(ty, scope, 2);
        let tag = self.tag();
        Node::statement(&format!("F.Show({tag}, #);"), vec![value])
    }

    fn assign(&mut self, scope: &Scope) -> Node {
        let Some(name) = self.variable(scope, |var| var.writable) else { return self.checksum(scope) };
        let Some(var) = scope.vars.iter().find(|var| var.name == name) else { return self.checksum(scope) };
        let ty = var.ty;
        match ty {
            Ty::Array(inner) | Ty::List(inner) if self.r.percent(80) => {
                let index = self.index(&name, ty, scope, 1);
                let value = self.expr(inner, scope, 2);
                Node::statement(&format!("{name}[#] = #;"), vec![index, value])
            }
            Ty::Rect(inner) => {
                let (i, j) = (self.index(&name, ty, scope, 1), self.index(&name, ty, scope, 1));
                let value = self.expr(inner, scope, 2);
                Node::statement(&format!("{name}[#, #] = #;"), vec![i, j, value])
            }
            Ty::Struct(index) if self.r.percent(70) => {
                let field = Simple::any(&mut self.r);
                match self.field_path(index, field) {
                    Some(path) => {
                        let value = self.expr(field, scope, 2);
                        Node::statement(&format!("{name}.{path} = #;"), vec![value])
                    }
                    None => Node::statement(&format!("{name}.Mix();"), vec![]),
                }
            }
            Ty::Object if self.r.percent(60) => {
                let Some(class) = self.class.clone() else { return self.checksum(scope) };
                let value = self.expr(class.first, scope, 2);
                Node::statement(&format!("{name}.First = #;"), vec![value])
            }
            Ty::Union => {
                let (field, value) = match self.r.below(4) {
                    0 => ("Middle", self.expr(Simple::UShort, scope, 2)),
                    1 => ("Odd", self.expr(Simple::SByte, scope, 2)),
                    2 => {
                        let value = self.expr(Simple::Double, scope, 2);
                        ("Real", Node::expression("double", "F.Canon(#)", vec![value]))
                    }
                    _ => ("High", self.expr(Simple::Int, scope, 2)),
                };
                Node::statement(&format!("{name}.{field} = #;"), vec![value])
            }
            Ty::Simple(simple) if simple.is_integer() && self.r.percent(30) => {
                let operator = self.r.pick(&["+=", "-=", "*=", "&=", "|=", "^=", "/=", "%="]);
                let value = self.opaque(simple, scope, 2);
                let block = self.r.pick(&["", "unchecked ", "checked "]);
                let template = if block.is_empty() {
                    format!("{name} {operator} #;")
                } else {
                    format!("{block}{{ {name} {operator} #; }}")
                };
                Node::statement(&template, vec![value])
            }
            _ => {
                let value = self.value(ty, scope, 3);
                Node::statement(&format!("{name} = #;"), vec![value])
            }
        }
    }

    fn branch(&mut self, scope: &Scope) -> Node {
        let condition = self.opaque(Simple::Bool, scope, 2);
        let count = 1 + self.r.below(3);
        let then = self.block(scope, count);
        if self.r.percent(50) {
            let other = self.block(scope, count);
            return Node::statement("if (#) {\n#\n} else {\n#\n}", vec![condition, then, other]);
        }
        Node::statement("if (#) {\n#\n}", vec![condition, then])
    }

    fn looping(&mut self, scope: &Scope) -> Node {
        let mut inner = scope.inner();
        inner.in_loop = true;
        let count = 1 + self.r.below(3);
        match self.r.below(5) {
            0 => {
                let condition = self.opaque(Simple::Bool, scope, 2);
                let body = self.block(&inner, count);
                Node::statement("while (F.Go() && #) {\n#\n}", vec![condition, body])
            }
            1 => {
                let condition = self.opaque(Simple::Bool, scope, 2);
                let body = self.block(&inner, count);
                Node::statement("do {\n#\n} while (F.Go() && #);", vec![body, condition])
            }
            2 => {
                let Some(array) =
                    self.variable(scope, |var| matches!(var.ty, Ty::Array(_) | Ty::List(_) | Ty::Rect(_)))
                else {
                    return self.counting(scope, inner, count);
                };
                let item = self.name("e");
                let (Ty::Array(ty) | Ty::List(ty) | Ty::Rect(ty)) =
                    scope.vars.iter().find(|var| var.name == array).map_or(Ty::Enum, |var| var.ty)
                else {
                    return self.checksum(scope);
                };
                inner.vars.iter_mut().filter(|var| var.name == array).for_each(|var| var.writable = false);
                inner.add_fixed(&item, Ty::Simple(ty));
                let body = self.block(&inner, count);
                Node::statement(
                    &format!("foreach ({} {item} in {array}) {{\nif (!F.Go()) break;\n#\n}}", ty.name()),
                    vec![body],
                )
            }
            _ => self.counting(scope, inner, count),
        }
    }

    fn counting(&mut self, scope: &Scope, mut inner: Scope, count: usize) -> Node {
        let ty = self.r.pick(&INTEGERS);
        let index = self.name("i");
        inner.add_fixed(&index, Ty::Simple(ty));
        let limit = 2 + self.r.below(9);
        let body = self.block(&inner, count);
        let _ = scope;
        let name = ty.name();
        let (start, test, step) = if self.r.percent(70) {
            ("0".to_owned(), format!("< {limit}"), "++")
        } else {
            (limit.to_string(), "> 0".to_owned(), "--")
        };
        Node::statement(
            &format!("for ({name} {index} = {start}; {index} {test} && F.Go(); {index}{step}) {{\n#\n}}"),
            vec![body],
        )
    }

    fn attempt(&mut self, scope: &Scope) -> Node {
        let count = 1 + self.r.below(3);
        let body = self.block(scope, count);
        let caught = self.name("ex");
        let mut handler_scope = Scope { in_handler: true, ..scope.inner() };
        // A handler sees how far the exception came.
        let handler = self.statements(&mut handler_scope, 1);
        let note = format!("F.Add(F.Code({caught}));");
        let rethrow =
            self.r.pick(&["", "", "", "throw;", "throw new Worry(\"w\", X);"]).replace('X', &caught);
        let rethrow = if rethrow.is_empty() { rethrow } else { format!("if (F.Go()) {rethrow}") };
        let finally_body = self.quiet(scope);
        match self.r.below(5) {
            0 => Node::statement("try {\n#\n} finally {\n#\n}", vec![body, finally_body]),
            1 => {
                let filter = self.opaque(Simple::Bool, scope, 2);
                Node::statement(
                    &format!(
                        "try {{\n#\n}} catch (Exception {caught}) when (#) {{\n{note}\n#\n{rethrow}\n}} finally {{\n#\n}}"
                    ),
                    vec![body, filter, handler, finally_body],
                )
            }
            2 => Node::statement(
                &format!(
                    "try {{\n#\n}} catch (ArithmeticException {caught}) {{\n{note}\n#\n}} catch (Exception {caught}) {{\n{note}\n{rethrow}\n}}"
                ),
                vec![body, handler],
            ),
            3 => Node::statement(
                &format!(
                    "try {{\ntry {{\n#\n}} finally {{\n#\n}}\n}} catch (Exception {caught}) when (F.Code({caught}) % 2 == 0) {{\n{note}\n#\n}} catch (Exception {caught}) {{\n{note}\n}}"
                ),
                vec![body, finally_body, handler],
            ),
            _ => Node::statement(
                &format!("try {{\n#\n}} catch (Exception {caught}) {{\n{note}\n#\n{rethrow}\n}}"),
                vec![body, handler],
            ),
        }
    }

    /// A statement without jumps, for finally blocks.
    fn quiet(&mut self, scope: &Scope) -> Node {
        let scope = Scope { in_loop: false, returns: None, nesting: 9, ..scope.clone() };
        if self.r.percent(50) { self.assign(&scope) } else { self.checksum(&scope) }
    }

    fn select(&mut self, scope: &Scope) -> Node {
        let subject = self.opaque(Simple::Int, scope, 2);
        let inner = Scope { in_loop: false, ..scope.clone() };
        let mut children = vec![subject];
        let mut template = "switch (#) {\n".to_owned();
        let first = self.r.below(5);
        for case in 0..2 + self.r.below(4) {
            children.push(self.block(&inner, 1));
            let end =
                if case > 0 && self.r.percent(15) { format!("goto case {first};") } else { "break;".into() };
            let end = if end.starts_with("goto") { format!("if (F.Go()) {end} break;") } else { end };
            template.push_str(&format!("case {}: {{\n#\n{end}\n}}\n", first + case));
        }
        if self.r.percent(60) {
            children.push(self.block(&inner, 1));
            template.push_str("default: {\n#\nbreak;\n}\n");
        }
        template.push('}');
        Node::statement(&template, children)
    }

    fn raise(&mut self, scope: &Scope) -> Node {
        let condition = self.opaque(Simple::Bool, scope, 2);
        let code = self.r.below(100);
        let what = self.r.pick(&[
            "new Trouble(K, \"trouble\")",
            "new InvalidOperationException()",
            "new Worry(\"worry\", new Trouble(K, \"inner\"))",
            "new ArgumentOutOfRangeException(\"p\", K, \"too far\")",
            "new ArgumentNullException(\"q\")",
            "null",
        ]);
        let what = what.replace('K', &code.to_string());
        Node::statement(&format!("if (# && F.Fuel % 3 == 0) throw {what};"), vec![condition])
    }

    /// Spans and memory of the stack.
    fn memory(&mut self, scope: &Scope) -> Node {
        let ty = self.r.pick(&UNMANAGED);
        let (name, span) = (ty.name(), self.name("sp"));
        let length = 1 + self.r.below(9);
        let (value, index, other) =
            (self.expr(ty, scope, 2), self.opaque(Simple::Int, scope, 1), self.expr(ty, scope, 1));
        let half = length / 2;
        let guard = if self.r.percent(85) { format!("& 7) % {length}") } else { ")".to_owned() };
        Node::statement(
            &format!(
                "{{\nSpan<{name}> {span} = stackalloc {name}[{length}];\n{span}.Fill(#);\n{span}[(#{guard}] = #;\nforeach (var q in MemoryMarshal.AsBytes({span}[{half}..])) F.Add(q);\n{span}.Slice({half}).Reverse();\nF.Add({span}[{}]);\nF.Add({span}.IndexOf(default({name})));\n}}",
                length - 1
            ),
            vec![self.canonical(ty, value), index, self.canonical(ty, other)],
        )
    }

    /// Its bits will be looked at.
    pub fn canonical(&self, ty: Simple, value: Node) -> Node {
        if ty.is_float() { Node::expression(ty.name(), "F.Canon(#)", vec![value]) } else { value }
    }

    fn pointers(&mut self, scope: &Scope) -> Node {
        let ty = self.r.pick(&UNMANAGED);
        let name = ty.name();
        let (value, other) = (self.expr(ty, scope, 2), self.expr(ty, scope, 2));
        let (value, other) = (self.canonical(ty, value), self.canonical(ty, other));
        let (v, p) = (self.name("t"), self.name("p"));
        match self.r.below(3) {
            0 => Node::statement(
                &format!(
                    "{{\n{name} {v} = #;\nbyte* {p} = (byte*)&{v};\nfor (int k = 0; k < sizeof({name}); k++) F.Add({p}[k]);\n*{p} ^= 1;\nF.Add({v});\n}}"
                ),
                vec![value],
            ),
            1 => Node::statement(
                &format!(
                    "{{\n{name}* {p} = stackalloc {name}[4];\n{p}[0] = #;\n*({p} + 3) = #;\n{name}* end = {p} + 4;\nwhile ({p} < end) F.Add(*{p}++);\nF.Add((int)(end - {p}));\n}}"
                ),
                vec![value, other],
            ),
            _ => Node::statement(
                &format!(
                    "fixed ({name}* {p} = new {name}[] {{ #, # }}) {{\nF.Add({p}[1]);\n*{p} = {p}[1];\nF.Add(*{p});\nF.Add(*(byte*)({p} + 1));\n}}"
                ),
                vec![value, other],
            ),
        }
    }

    fn mutate(&mut self, scope: &Scope) -> Node {
        let ty = Simple::any(&mut self.r);
        let (Some(a), Some(b)) = (self.place(ty, scope, 1), self.place(ty, scope, 1)) else {
            return self.checksum(scope);
        };
        let name = ty.name();
        match self.r.below(2) {
            0 => Node::statement("F.Swap(ref #, ref #);", vec![a, b]),
            _ => {
                let r = self.name("r");
                let value = self.expr(ty, scope, 2);
                Node::statement(
                    &format!("{{\nref {name} {r} = ref #;\n{r} = #;\nF.Add({r});\n}}"),
                    vec![a, value],
                )
            }
        }
    }

    fn tuple_assign(&mut self, scope: &Scope) -> Node {
        let ty = Simple::any(&mut self.r);
        let accept = |var: &super::scope::Var| var.ty == Ty::Simple(ty) && var.writable;
        let (Some(a), Some(b)) = (self.variable(scope, accept), self.variable(scope, accept)) else {
            return self.declare_tuple(scope);
        };
        let value = self.expr(ty, scope, 2);
        Node::statement(&format!("({a}, {b}) = ({b}, #);"), vec![value])
    }

    fn declare_tuple(&mut self, scope: &Scope) -> Node {
        let (a, b) = (Simple::any(&mut self.r), Simple::any(&mut self.r));
        let (x, y) = (self.name("d"), self.name("d"));
        let (left, right) = (self.opaque(a, scope, 2), self.opaque(b, scope, 2));
        Node::statement(
            &format!("{{\nvar ({x}, {y}) = (#, #);\nF.Add({x});\nF.Add({y});\n}}"),
            vec![left, right],
        )
    }

    fn leave(&mut self, scope: &Scope) -> Node {
        let condition = self.opaque(Simple::Bool, scope, 2);
        if scope.in_loop {
            let word = self.r.pick(&["break", "continue"]);
            return Node::statement(&format!("if (#) {word};"), vec![condition]);
        }
        match scope.returns {
            Some(ty) if scope.nesting > 1 => {
                let value = self.expr(ty, scope, 2);
                Node::statement("if (#) return #;", vec![condition, value])
            }
            _ => self.checksum(scope),
        }
    }

    fn guarded(&mut self, scope: &Scope) -> Node {
        let tag = self.tag();
        let body = self.block(scope, 2);
        let head = match self.r.below(3) {
            0 => format!("using (new Closer({tag}))"),
            1 => "lock (typeof(F))".to_owned(),
            _ => self.r.pick(&["checked", "unchecked"]).to_owned(),
        };
        Node::statement(&format!("{head} {{\n#\n}}"), vec![body])
    }
}
