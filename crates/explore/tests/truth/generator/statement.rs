//! Statements.

use super::ParameterKind;
use super::body::{Body, Ends};
use super::helpers::Kind;
use super::types::Ty;

const EXPRESSION_DEPTH: usize = 3;

impl Body<'_> {
    /// A whole body of about `size` statements.
    pub fn whole(&mut self, size: usize) -> String {
        let mut text = self.block(size, 2);
        text.push_str(&self.leaf());
        text
    }

    fn block(&mut self, size: usize, nesting: usize) -> String {
        self.scoped(|body| (0..size).map(|_| body.statement(nesting)).collect())
    }

    fn braces(&mut self, nesting: usize) -> String {
        let size = 1 + self.random.below(2);
        let mut text = self.block(size, nesting.saturating_sub(1));
        if self.random.percent(35) {
            text.push_str(&self.leaf());
        }
        format!("{{\n{text}}}\n")
    }

    fn statement(&mut self, nesting: usize) -> String {
        let choice = if nesting == 0 {
            self.random.weighted(&[20, 20, 20, 10, 10, 10, 5])
        } else {
            self.random.weighted(&[14, 12, 22, 4, 5, 7, 5, 22, 8, 7, 4, 11])
        };
        match choice {
            0 => self.declaration(),
            1 => self.assignment(),
            2 => self.leaf_if(),
            3 => self.array(),
            4 => self.by_reference(),
            5 => self.compound_local(),
            6 => self.jump(),
            7 => self.if_else(nesting),
            8 => self.switch(nesting),
            9 => self.for_loop(nesting),
            10 => self.while_loop(nesting),
            _ => self.try_catch(nesting),
        }
    }

    /// An end of a path.
    pub fn leaf(&mut self) -> String {
        self.leaves += 1;
        let leaf = 1000 + self.leaves;
        if self.in_catch && self.random.percent(20) {
            return "throw;\n".to_owned();
        }
        if self.in_finally || self.random.percent(12) {
            let exception =
                self.random.pick(&["X0", "X1", "X2", "X3", "X4", "X5", "InvalidOperationException"]);
            return format!("throw new {exception}();\n");
        }
        match self.ends {
            Ends::Leaves { plain: true } => format!("return {leaf};\n"),
            Ends::Leaves { plain: false } => {
                let value = self.varying(Ty::I8, 2);
                format!("return unchecked({value} * 31 + {leaf});\n")
            }
            Ends::Value(Some(ty)) => format!("return {};\n", self.expression(ty, 2).text),
            Ends::Value(None) => "return;\n".to_owned(),
        }
    }

    fn leaf_if(&mut self) -> String {
        let condition = self.condition(EXPRESSION_DEPTH);
        let leaf = self.leaf();
        // Throwing in the end of a `finally` may leave the compiler with code that never ends normally, which is legal.
        format!("if ({condition}) {leaf}")
    }

    fn declaration(&mut self) -> String {
        let ty = match self.random.below(8) {
            0 => Ty::Bool,
            1 | 2 => self.random.pick(&[Ty::I1, Ty::U1, Ty::I2, Ty::U2, Ty::Char]),
            _ => self.random.pick(&Ty::WIDE),
        };
        let value = self.expression(ty, EXPRESSION_DEPTH).text;
        let name = self.fresh("v");
        self.add_variable(&name, ty, true);
        format!("{} {name} = {value};\n", ty.name())
    }

    fn assignment(&mut self) -> String {
        let Some(variable) = self.target(|_| true) else { return self.declaration() };
        let ty = variable.ty;
        if ty != Ty::Bool && ty != Ty::Char && self.random.percent(35) {
            let op = self.random.pick(&["+=", "-=", "*=", "^=", "|="]);
            let value = self.varying(ty, 2);
            let context = self.context();
            return format!("{context} {{ {} {op} {value}; }}\n", variable.text);
        }
        let value = self.expression(ty, EXPRESSION_DEPTH).text;
        format!("{} = {value};\n", variable.text)
    }

    fn array(&mut self) -> String {
        if !self.scope.arrays.is_empty() && self.random.percent(60) {
            let (name, element) = self.scope.arrays[self.random.below(self.scope.arrays.len())].clone();
            let value = self.expression(element, 2).text;
            let index = self.index(2);
            return format!("{name}[{index}] = {value};\n");
        }
        let element = self.random.pick(&[Ty::I4, Ty::U1, Ty::I1, Ty::I8, Ty::U2]);
        let name = self.fresh("array");
        let ty = element.name();
        let text = match self.random.below(4) {
            0 => format!("{ty}[] {name} = new {ty}[{}];\n", self.varying(Ty::I1, 2)),
            1 => {
                let values: Vec<String> =
                    (0..5).map(|_| element.written(element.literal(self.random))).collect();
                format!("{ty}[] {name} = {{ {} }};\n", values.join(", "))
            }
            _ => {
                let values: Vec<String> = (0..4).map(|_| self.expression(element, 1).text).collect();
                format!("{ty}[] {name} = {{ {} }};\n", values.join(", "))
            }
        };
        self.scope.arrays.push((name, element));
        text
    }

    /// A call that changes a variable of the caller.
    fn by_reference(&mut self) -> String {
        let found: Vec<usize> = (0..self.helpers.len()).filter(|i| !self.helpers[*i].is_function()).collect();
        if found.is_empty() {
            return self.assignment();
        }
        let helper = &self.helpers[found[self.random.below(found.len())]];
        let which = usize::from(helper.kind == Kind::Out);
        let changed = helper.parameters[which];
        let mut before = String::new();
        let target = match self.target(|ty| ty == changed) {
            Some(variable) => variable.text,
            None => {
                let name = self.fresh("v");
                let value = self.expression(changed, 1).text;
                before = format!("{} {name} = {value};\n", changed.name());
                self.add_variable(&name, changed, true);
                name
            }
        };
        let other = self.expression(helper.parameters[1 - which], 2).text;
        if helper.kind == Kind::Ref {
            return format!("{before}{};\n", helper.call(&[format!("ref {target}"), other]));
        }
        let call = helper.call(&[other, format!("out {target}")]);
        let leaf = self.leaf();
        format!("{before}if ({call}) {leaf}")
    }

    /// A local that is more than a number.
    fn compound_local(&mut self) -> String {
        match self.random.below(7) {
            0 => {
                let name = self.fresh("s");
                let [a, b] = std::array::from_fn(|_| self.expression(Ty::U1, 2).text);
                self.add_struct(&name, ParameterKind::P);
                format!("P {name} = new P {{ A = {a}, B = {b} }};\n")
            }
            1 => match self.scope.structs.last().cloned() {
                Some((other, kind)) => {
                    let name = self.fresh("s");
                    self.add_struct(&name, kind);
                    let changed = match kind {
                        ParameterKind::P => Ty::U1,
                        ParameterKind::W => Ty::I2,
                        _ => Ty::I1,
                    };
                    let by = self.expression(changed, 2).text;
                    format!("var {name} = {other};\n{name}.Bump({by});\n")
                }
                None => self.declaration(),
            },
            2 => {
                let name = self.fresh("o");
                let condition = self.condition(2);
                let [a, b] = [Ty::I4, Ty::U1].map(|ty| self.expression(ty, 1).text);
                self.scope.objects.push(name.clone());
                format!("object {name} = {condition} ? (object)({a}) : (object)({b});\n")
            }
            3 => {
                let name = self.fresh("n");
                let condition = self.condition(2);
                let value = self.expression(Ty::I4, 2).text;
                self.scope.nullables.push(name.clone());
                format!("int? {name} = {condition} ? {value} : null;\n")
            }
            4 => {
                let name = self.fresh("c");
                let condition = self.condition(2);
                let [a, b] = std::array::from_fn(|_| self.expression(Ty::I4, 1).text);
                let next = self.scope.nodes.last().cloned().unwrap_or_else(|| "null".to_owned());
                self.scope.nodes.push(name.clone());
                format!(
                    "Node {name} = {condition} ? new Add {{ Value = {a} }} : new Mul {{ Value = {b}, Next = {next} }};\n"
                )
            }
            5 => {
                let [a, b] = std::array::from_fn(|_| self.fresh("v"));
                let [x, y] = [Ty::I4, Ty::I8].map(|ty| self.expression(ty, 2).text);
                let text = format!("(int {a}, long {b}) = ({x}, {y});\n");
                self.add_variable(&a, Ty::I4, true);
                self.add_variable(&b, Ty::I8, true);
                text
            }
            _ => {
                let name = self.fresh("v");
                let condition = self.condition(2);
                let value = self.expression(Ty::U1, 2).text;
                self.add_variable(&name, Ty::U1, true);
                format!(
                    "Box<byte> b{name} = {condition} ? new Box<byte>({value}) : default;\nbyte {name} = b{name}.Take();\n"
                )
            }
        }
    }

    fn jump(&mut self) -> String {
        if self.loops == 0 {
            return self.leaf_if();
        }
        let condition = self.condition(2);
        let jump = self.random.pick(&["break", "continue"]);
        format!("if ({condition}) {jump};\n")
    }

    fn if_else(&mut self, nesting: usize) -> String {
        if let Some(object) = self.scope.objects.last().cloned()
            && self.random.percent(50)
        {
            let name = self.fresh("q");
            let then = self.scoped(|body| {
                body.add_variable(&name, Ty::U1, true);
                body.braces(nesting)
            });
            return format!("if ({object} is byte {name})\n{then}");
        }
        let condition = self.condition(EXPRESSION_DEPTH);
        let then = self.braces(nesting);
        if self.random.percent(50) {
            return format!("if ({condition})\n{then}");
        }
        format!("if ({condition})\n{then}else\n{}", self.braces(nesting))
    }

    fn switch(&mut self, nesting: usize) -> String {
        let ty = self.random.pick(&[Ty::I4, Ty::I4, Ty::I8, Ty::U1, Ty::I1, Ty::U4]);
        let operand = self.varying(ty, 2);
        let dense = self.random.percent(60);
        let first = if ty.is_signed() { self.random.below(8) as i128 - 4 } else { 0 };
        let count = 2 + self.random.below(5);
        let mut labels: Vec<i128> =
            (0..count as i128).map(|i| if dense { first + i } else { ty.literal(self.random) }).collect();
        labels.sort_unstable();
        labels.dedup();
        // `break` and `continue` inside the switch would leave the switch instead: keep to ends.
        let loops = std::mem::take(&mut self.loops);
        let mut text = format!("switch ({operand})\n{{\n");
        for label in labels {
            text.push_str(&format!("case {}:\n", ty.written(label)));
            if self.random.percent(25) {
                continue;
            }
            text.push_str(&self.section(nesting));
        }
        text.push_str(&format!("default:\n{}", self.section(nesting)));
        self.loops = loops;
        text.push_str("}\n");
        text
    }

    fn section(&mut self, nesting: usize) -> String {
        if self.random.percent(50) {
            return self.leaf();
        }
        let text = self.braces(nesting);
        format!("{text}break;\n")
    }

    fn for_loop(&mut self, nesting: usize) -> String {
        let name = self.fresh("i");
        let count = 2 + self.random.below(3);
        let bound = if self.random.percent(60) {
            count.to_string()
        } else {
            format!("({} & 3)", self.varying(Ty::I4, 1))
        };
        self.loops += 1;
        let body = self.scoped(|body| {
            body.add_variable(&name, Ty::I4, false);
            body.loop_body(nesting)
        });
        self.loops -= 1;
        format!("for (int {name} = 0; {name} < {bound}; {name}++)\n{body}")
    }

    fn while_loop(&mut self, nesting: usize) -> String {
        let name = self.fresh("w");
        let condition = self.condition(2);
        self.loops += 1;
        let body = self.loop_body(nesting);
        self.loops -= 1;
        if self.random.percent(40) {
            return format!("int {name} = 0;\ndo\n{body}while ({name}++ < 2 && {condition});\n");
        }
        format!("int {name} = 0;\nwhile ({name}++ < 3 && {condition})\n{body}")
    }

    fn loop_body(&mut self, nesting: usize) -> String {
        let size = 1 + self.random.below(3);
        let text = self.block(size, nesting.min(1).saturating_sub(1));
        format!("{{\n{text}}}\n")
    }

    fn try_catch(&mut self, nesting: usize) -> String {
        let mut text = format!("try\n{}", self.braces(nesting));
        let specific = [
            "DivideByZeroException",
            "OverflowException",
            "IndexOutOfRangeException",
            "X1",
            "X0",
            "X3",
            "X4",
        ];
        let mut any = false;
        for exception in specific {
            if self.random.percent(25) {
                any = true;
                let filter = self.filter();
                text.push_str(&format!("catch ({exception}){filter}\n"));
                text.push_str(&self.handler(nesting));
            }
        }
        if self.random.percent(15) {
            any = true;
            let filter = self.filter();
            text.push_str(&format!("catch (ArithmeticException){filter}\n"));
            text.push_str(&self.handler(nesting));
        }
        if self.random.percent(20) {
            any = true;
            text.push_str("catch (Exception)\n");
            text.push_str(&self.handler(nesting));
        }
        if !any || self.random.percent(35) {
            text.push_str("finally\n");
            let (loops, in_catch) = (std::mem::take(&mut self.loops), std::mem::take(&mut self.in_catch));
            let outer = std::mem::replace(&mut self.in_finally, true);
            let size = 1 + self.random.below(2);
            let block = self.block(size, nesting.saturating_sub(1).min(1));
            text.push_str(&format!("{{\n{block}}}\n"));
            self.in_finally = outer;
            (self.loops, self.in_catch) = (loops, in_catch);
        }
        text
    }

    fn filter(&mut self) -> String {
        if self.random.percent(30) { format!(" when ({})", self.condition(2)) } else { String::new() }
    }

    fn handler(&mut self, nesting: usize) -> String {
        let outer = std::mem::replace(&mut self.in_catch, true);
        let text = self.braces(nesting);
        self.in_catch = outer;
        text
    }
}
