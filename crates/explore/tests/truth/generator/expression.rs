//! Expressions. Every arithmetic operation says whether it is checked; nothing is constant as a whole, since the
//! compiler would refuse constants that overflow.

use super::ParameterKind;
use super::body::{Body, Variable};
use super::types::Ty;

/// Functions of two numbers that every program has.
pub const FIXED_CALLS: [&str; 17] = [
    "Math.Max",
    "Math.Min",
    "Helpers_.Gcd",
    "Helpers_.Pick",
    "Helpers_.Native",
    "Helpers_.Lambda",
    "Helpers_.Generic",
    "Helpers_.Span",
    "Helpers_.Text",
    "Helpers_.Grid",
    "Helpers_.Local",
    "Helpers_.Extremes",
    "Helpers_.Once",
    "Helpers_.Broken",
    "Helpers_.Boxed",
    "Helpers_.Small",
    "Helpers_.Flow",
];

pub struct Expression {
    pub text: String,
    pub is_constant: bool,
}

fn of(text: String) -> Expression {
    Expression { text, is_constant: false }
}

impl Body<'_> {
    pub fn expression(&mut self, ty: Ty, depth: usize) -> Expression {
        match ty {
            Ty::Bool => of(self.condition(depth)),
            _ if depth == 0 => self.simple(ty),
            _ if ty.is_wide() => self.compound(ty, depth - 1),
            _ => match self.variable(ty) {
                Some(text) if self.random.percent(40) => of(text),
                _ => self.conversion(ty, depth - 1),
            },
        }
    }

    /// Not a constant.
    pub fn varying(&mut self, ty: Ty, depth: usize) -> String {
        let made = self.expression(ty, depth);
        if made.is_constant { self.opaque(ty) } else { made.text }
    }

    fn variable(&mut self, ty: Ty) -> Option<String> {
        let found: Vec<&str> =
            self.scope.variables.iter().filter(|v| v.ty == ty).map(|v| v.text.as_str()).collect();
        if found.is_empty() {
            return None;
        }
        Some(found[self.random.below(found.len())].to_owned())
    }

    /// Some variable, converted.
    fn opaque(&mut self, ty: Ty) -> String {
        if let Some(text) = self.variable(ty) {
            return text;
        }
        let numbers = self.scope.variables.iter().any(|v| v.ty != Ty::Bool);
        let all: Vec<Variable> =
            self.scope.variables.iter().filter(|v| v.ty != Ty::Bool || !numbers).cloned().collect();
        let Some(other) = all.get(self.random.below(all.len().max(1))) else {
            return format!("({})Helpers_.Zero()", ty.name());
        };
        match (other.ty, ty) {
            (Ty::Bool, Ty::Bool) => other.text.clone(),
            (Ty::Bool, _) => format!("unchecked(({})({} ? 1 : 0))", ty.name(), other.text),
            (_, Ty::Bool) => format!("({} != 0)", other.text),
            _ => format!("unchecked(({}){})", ty.name(), other.text),
        }
    }

    fn simple(&mut self, ty: Ty) -> Expression {
        match self.random.below(10) {
            0..=2 => {
                let value = ty.literal(self.random);
                Expression { text: ty.written(value), is_constant: true }
            }
            _ => of(self.opaque(ty)),
        }
    }

    fn compound(&mut self, ty: Ty, depth: usize) -> Expression {
        let choice = self.random.weighted(&[30, 9, 14, 12, 5, 6, 16, 5, 9, 3, 4, 8]);
        of(match choice {
            0 => {
                let op = self.random.pick(&["+", "-", "*", "+", "-"]);
                self.binary(ty, op, depth)
            }
            1 => self.division(ty, depth),
            2 => {
                let op = self.random.pick(&["&", "|", "^"]);
                self.binary(ty, op, depth)
            }
            3 => self.shift(ty, depth),
            4 => {
                let operand = self.varying(ty, depth);
                let op = if ty.is_signed() { self.random.pick(&["-", "~"]) } else { "~" };
                let context = self.context();
                format!("{context}({op}({operand}))")
            }
            5 => {
                let condition = self.condition(depth);
                let (yes, no) = (self.expression(ty, depth).text, self.expression(ty, depth).text);
                format!("({condition} ? {yes} : {no})")
            }
            6 => return self.conversion(ty, depth),
            7 => return self.element(ty, depth),
            8 => return self.call(ty, depth),
            9 => return self.increment(ty),
            10 => return self.member(ty, depth),
            _ => return self.simple(ty),
        })
    }

    pub fn context(&mut self) -> &'static str {
        if self.random.percent(30) { "checked" } else { "unchecked" }
    }

    fn binary(&mut self, ty: Ty, op: &str, depth: usize) -> String {
        let left = self.varying(ty, depth);
        let right = self.expression(ty, depth).text;
        let context = self.context();
        if self.random.percent(30) {
            return format!("{context}({right} {op} {left})");
        }
        format!("{context}({left} {op} {right})")
    }

    fn division(&mut self, ty: Ty, depth: usize) -> String {
        let left = self.varying(ty, depth);
        let mut right = self.expression(ty, depth.min(1));
        if right.is_constant {
            // The compiler refuses a constant zero.
            let value = ty.literal(self.random);
            right.text = ty.written(if value == 0 { 3 } else { value });
        }
        let op = self.random.pick(&["/", "%"]);
        format!("({left} {op} {})", right.text)
    }

    fn shift(&mut self, ty: Ty, depth: usize) -> String {
        let left = self.varying(ty, depth);
        let op = self.random.pick(&["<<", ">>", ">>>", ">>"]);
        let by = if self.random.percent(60) {
            self.random.below(70).to_string()
        } else {
            self.expression(Ty::I4, depth.min(1)).text
        };
        format!("({left} {op} {by})")
    }

    fn conversion(&mut self, ty: Ty, depth: usize) -> Expression {
        // Through a type of the other half, since a conversion of a conversion is dull.
        let from = if ty.is_wide() { self.random.pick(&Ty::INTEGERS) } else { self.random.pick(&Ty::WIDE) };
        let operand = self.varying(from, depth);
        let context = if self.random.percent(20) { "checked" } else { "unchecked" };
        of(format!("{context}(({})({operand}))", ty.name()))
    }

    fn element(&mut self, ty: Ty, depth: usize) -> Expression {
        if self.scope.arrays.is_empty() {
            return self.simple(ty);
        }
        let (name, _) = self.scope.arrays[self.random.below(self.scope.arrays.len())].clone();
        let index = self.index(depth);
        of(format!("unchecked(({})({name}[{index}]))", ty.name()))
    }

    /// Mostly within bounds.
    pub fn index(&mut self, depth: usize) -> String {
        let index = self.varying(Ty::I4, depth.min(1));
        match self.random.below(5) {
            0 => index,
            1 => format!("({index} & 7)"),
            2 => self.random.below(4).to_string(),
            _ => format!("({index} & 3)"),
        }
    }

    fn call(&mut self, ty: Ty, depth: usize) -> Expression {
        let found: Vec<usize> = (0..self.helpers.len()).filter(|i| self.helpers[*i].is_function()).collect();
        if found.is_empty() || self.random.percent(40) {
            let operand = self.expression(Ty::I4, depth.min(1)).text;
            let other = self.expression(Ty::I4, depth.min(1)).text;
            let name = self.random.pick(&FIXED_CALLS);
            return of(format!("unchecked(({}){name}({operand}, {other}))", ty.name()));
        }
        let helper = &self.helpers[found[self.random.below(found.len())]];
        let arguments: Vec<String> =
            helper.parameters.iter().map(|ty| self.expression(*ty, depth.min(1)).text).collect();
        let call = helper.call(&arguments);
        of(format!("unchecked(({})({call}))", ty.name()))
    }

    fn increment(&mut self, ty: Ty) -> Expression {
        match self.target(|t| t == ty) {
            Some(variable) => {
                let form = self.random.pick(&["++", "--"]);
                let context = self.context();
                let (before, after) = if self.random.percent(50) { (form, "") } else { ("", form) };
                of(format!("{context}({before}{}{after})", variable.text))
            }
            None => self.simple(ty),
        }
    }

    /// Something of a struct, a nullable, a boxed value or an object in scope.
    fn member(&mut self, ty: Ty, depth: usize) -> Expression {
        let name = ty.name();
        match self.random.below(4) {
            0 if !self.scope.structs.is_empty() => {
                let (owner, _) = self.scope.structs[self.random.below(self.scope.structs.len())].clone();
                of(format!("unchecked(({name}){owner}.Sum())"))
            }
            1 if !self.scope.nullables.is_empty() => {
                let owner = self.scope.nullables[self.random.below(self.scope.nullables.len())].clone();
                let member = self.random.pick(&[".Value", ".GetValueOrDefault()", " ?? 7"]);
                of(format!("unchecked(({name})({owner}{member}))"))
            }
            2 if !self.scope.objects.is_empty() => {
                let owner = self.scope.objects[self.random.below(self.scope.objects.len())].clone();
                let unboxed = self.random.pick(&["int", "byte", "long"]);
                of(format!("unchecked(({name})({unboxed}){owner})"))
            }
            3 if !self.scope.nodes.is_empty() => {
                let owner = self.scope.nodes[self.random.below(self.scope.nodes.len())].clone();
                let argument = self.expression(Ty::I4, depth.min(1)).text;
                let call = self.random.pick(&[".Step", ".Twice", "?.Next.Step"]);
                let call = format!("{owner}{call}({argument})");
                let call = if call.contains("?.") { format!("({call} ?? 5)") } else { call };
                of(format!("unchecked(({name}){call})"))
            }
            _ => self.simple(ty),
        }
    }

    pub fn condition(&mut self, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        match self.random.weighted(&[50, 10, 10, 8, 8, 6, 4]) {
            1 if depth > 0 => {
                let op = self.random.pick(&["&&", "||", "&", "|", "^", "=="]);
                format!("({} {op} {})", self.condition(depth), self.condition(depth))
            }
            2 => self.variable(Ty::Bool).unwrap_or_else(|| self.comparison(depth)),
            3 => format!("!{}", self.condition(depth)),
            4 => self.pattern(depth),
            5 => self.enum_condition(),
            6 if depth > 0 => {
                let [a, b, c] = std::array::from_fn(|_| self.condition(depth));
                format!("({a} ? {b} : {c})")
            }
            _ => self.comparison(depth),
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        let ty = self.random.pick(&[Ty::I4, Ty::I4, Ty::U4, Ty::I8, Ty::U8, Ty::I1, Ty::U1, Ty::U2]);
        let left = self.varying(ty, depth);
        if self.random.percent(40) {
            return self.balanced(&left, ty);
        }
        let right = match self.random.below(10) {
            0 => ty.written(ty.literal(self.random)),
            1..=5 => ty.written(self.random.below(if ty == Ty::I1 { 100 } else { 200 }) as i128),
            _ => self.expression(ty, depth).text,
        };
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        format!("({left} {op} {right})")
    }

    /// A comparison that is neither nearly always nor nearly never true.
    fn balanced(&mut self, left: &str, ty: Ty) -> String {
        let mask = self.random.pick(&[1, 3, 7, 15, 31, 64]);
        let value = self.random.below(mask + 1);
        let op = self.random.pick(&["==", "!=", "<", ">", "=="]);
        let wide = if ty.is_wide() { ty } else { Ty::I4 };
        match self.random.below(3) {
            0 => {
                let divisor = wide.written(2 + self.random.below(9) as i128);
                format!("({left} % {divisor} {op} {})", wide.written(value as i128 & 3))
            }
            _ => format!("(({left} & {}) {op} {})", wide.written(mask as i128), wide.written(value as i128)),
        }
    }

    fn pattern(&mut self, depth: usize) -> String {
        let operand = self.varying(Ty::I4, depth);
        let [a, b] = std::array::from_fn(|_| self.random.below(300) as i128 - 150);
        let (low, high) = (a.min(b), a.max(b));
        match self.random.below(3) {
            0 => format!("({operand} is >= {low} and < {high_})", high_ = high + 1),
            1 => format!("({operand} is {low} or > {high})"),
            _ => format!("({operand} is not ({low} or {other}))", other = high + 1),
        }
    }

    fn enum_condition(&mut self) -> String {
        if self.scope.enums.is_empty() {
            return self.comparison(1);
        }
        let (name, kind) = self.scope.enums[self.random.below(self.scope.enums.len())].clone();
        let member = if kind == ParameterKind::Colour {
            self.random.pick(&["Colour.Red", "Colour.Green", "Colour.Last", "(Colour)77"])
        } else {
            self.random.pick(&["Sign.Minus", "Sign.Zero", "Sign.Plus", "(Sign)(-128)"])
        };
        let op = self.random.pick(&["==", "!=", "<", ">="]);
        format!("({name} {op} {member})")
    }
}
