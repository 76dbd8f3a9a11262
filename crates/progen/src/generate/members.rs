//! Methods of a program, and the statements that declare functions inside of them.

use super::Generator;
use super::scope::{Method, Passing, Scope, Ty, Var};
use super::simple::{NUMBERS, Simple};
use crate::tree::{Kind, Node};

impl Generator {
    pub fn method(&mut self) -> Node {
        let name = self.name("M");
        let mut params = Vec::new();
        for _ in 0..self.r.below(4) {
            let passing = match self.r.below(10) {
                0 => Passing::Ref,
                1 => Passing::In,
                2 => Passing::Out,
                _ => Passing::Value,
            };
            params.push((passing, Simple::any(&mut self.r)));
        }
        let ret = Simple::any(&mut self.r);
        let mut scope = Scope { returns: Some(ret), ..Scope::default() };
        let mut list = Vec::new();
        let mut start = String::new();
        for (index, (passing, ty)) in params.iter().enumerate() {
            let word = match passing {
                Passing::Value => "",
                Passing::Ref => "ref ",
                Passing::In => "in ",
                Passing::Out => "out ",
            };
            list.push(format!("{word}{} a{index}", ty.name()));
            if *passing == Passing::Out {
                start.push_str(&format!("a{index} = default;\n"));
            }
            scope.vars.push(Var {
                name: format!("a{index}"),
                ty: Ty::Simple(*ty),
                writable: *passing != Passing::In,
                capturable: *passing == Passing::Value,
            });
        }
        let method = Method { name: name.clone(), params, ret };
        // Now and then a method calls itself; the fuel ends it.
        let recursive = self.r.percent(15);
        if recursive {
            self.methods.push(method.clone());
        }
        let count = 4 + self.r.below(8);
        let body = self.statements(&mut scope, count);
        if !recursive {
            self.methods.push(method);
        }
        let result = self.expr(ret, &scope, 3);
        let tag = self.tag();
        let attribute = self.r.pick(&["", "", "[MethodImpl(MethodImplOptions.NoInlining)] "]);
        let text = format!(
            "{attribute}static {} {name}({})\n{{\n{start}if (!F.Go()) return default;\n#\nF.Out({tag});\nreturn #;\n}}\n",
            ret.name(),
            list.join(", ")
        );
        Node::new(Kind::Member, &text, vec![body, result])
    }

    pub fn iterator(&mut self) -> Node {
        let name = self.name("Seq");
        let ty = Simple::any(&mut self.r);
        let mut scope = Scope { nesting: 3, ..Scope::default() };
        scope.add("n", Ty::Simple(Simple::Int));
        scope.add_fixed("i", Ty::Simple(Simple::Int));
        let first = self.expr(ty, &scope, 2);
        let body = self.iterator_statements(&scope);
        let each = self.expr(ty, &scope, 2);
        let stop = self.opaque(Simple::Bool, &scope, 2);
        let last = self.expr(ty, &scope, 2);
        self.iterators.push((name.clone(), ty));
        let text = format!(
            "static IEnumerable<{}> {name}(int n)\n{{\nint i = 0;\nyield return #;\ntry {{\nfor (; i < n && F.Go(); i++) {{\n#\nyield return #;\nif (#) yield break;\n}}\n}} finally {{\nF.Add(n);\n}}\nyield return #;\n}}\n",
            ty.name()
        );
        Node::new(Kind::Member, &text, vec![first, body, each, stop, last])
    }

    fn iterator_statements(&mut self, scope: &Scope) -> Node {
        let nodes = (0..self.r.below(3)).map(|_| self.checksum(scope)).collect();
        Node::group(nodes)
    }

    pub fn iterate(&mut self, scope: &Scope) -> Node {
        let Some((name, ty)) = self.iterators.last().cloned() else { return self.checksum(scope) };
        let count = self.r.below(6);
        let item = self.name("y");
        let mut inner = scope.inner();
        inner.add_fixed(&item, Ty::Simple(ty));
        let body = self.checksum(&inner);
        Node::statement(
            &format!("foreach (var {item} in {name}({count})) {{\nif (!F.Go()) break;\n#\n}}"),
            vec![body],
        )
    }

    pub fn local_function(&mut self, scope: &mut Scope) -> Node {
        let (from, to) = (Simple::any(&mut self.r), Simple::any(&mut self.r));
        let (name, parameter) = (self.name("Local"), self.name("x"));
        let mut inner = scope.lambda();
        inner.add(&parameter, Ty::Simple(from));
        let body = self.expr(to, &inner, 3);
        let argument = self.expr(from, scope, 2);
        let text = format!(
            "{{\n{} {name}({} {parameter}) => F.Go() ? # : default;\nF.Add({name}(#));\n}}",
            to.name(),
            from.name()
        );
        Node::statement(&text, vec![body, argument])
    }

    /// A closure that changes what it captures.
    pub fn captured(&mut self, scope: &Scope) -> Node {
        let ty = self.r.pick(&NUMBERS);
        let (value, step) = (self.expr(ty, scope, 2), self.expr(ty, &scope.lambda(), 1));
        let (c, f) = (self.name("c"), self.name("f"));
        let name = ty.name();
        if self.r.percent(50) {
            return Node::statement(
                &format!(
                    "{{\n{name} {c} = #;\nAction {f} = () => {c}++;\n{f} += () => F.Add({c});\n{f} += {f};\nfor (int k = 0; k < 3; k++) {f}();\nF.Add({c});\n}}"
                ),
                vec![value],
            );
        }
        Node::statement(
            &format!(
                "{{\nvar {f} = new List<Func<{name}>>();\nfor (int k = 0; k < 3; k++) {{\n{name} {c} = #;\n{f}.Add(() => {c} = #);\n}}\nforeach (var g in {f}) F.Add(g());\n}}"
            ),
            vec![value, step],
        )
    }

    /// A query over an array.
    pub fn query(&mut self, scope: &Scope) -> Node {
        let Some(array) =
            self.variable(scope, |var| matches!(var.ty, Ty::Array(_) | Ty::List(_)) && var.capturable)
        else {
            return self.checksum(scope);
        };
        let Some(Ty::Array(ty) | Ty::List(ty)) =
            scope.vars.iter().find(|var| var.name == array).map(|var| var.ty)
        else {
            return self.checksum(scope);
        };
        let item = self.name("q");
        let mut inner = scope.lambda();
        inner.add_fixed(&item, Ty::Simple(ty));
        let (test, to) = (self.expr(Simple::Bool, &inner, 2), Simple::any(&mut self.r));
        let selected = self.expr(to, &inner, 2);
        let end = self.r.pick(&["Take(3)", "Reverse()", "Skip(1)", "Distinct()"]);
        Node::statement(
            &format!(
                "foreach (var w in {array}.Where({item} => #).Select({item} => #).{end}.ToArray()) F.Add(w);"
            ),
            vec![test, selected],
        )
    }

    pub fn shared(&mut self, scope: &Scope) -> Node {
        let _ = scope;
        // Through calls: the JIT may run a static constructor before a loop that only accesses a field.
        let text = self.r.pick(&["Shared.Mix();", "F.Add(Shared.Touch());", "Shared.Spend();"]);
        Node::statement(text, vec![])
    }
}
