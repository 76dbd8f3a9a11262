//! Arithmetic and conversions.

use super::Generator;
use super::scope::{Scope, Ty};
use super::simple::{NUMBERS, Simple};
use crate::tree::Node;

impl Generator {
    pub fn number(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        match self.r.below(20) {
            0..8 => self.binary(ty, scope, depth),
            8..12 => {
                let from = self.source(ty);
                self.cast(from, ty, scope, depth)
            }
            12 if ty.is_integer() => self.shift(ty, scope, depth),
            12..14 => self.unary(ty, scope, depth),
            14..16 => self.assignment(ty, scope, depth),
            16..18 => self.mathematics(ty, scope, depth),
            _ => self.conditional(ty, scope, depth),
        }
    }

    /// A type that converts to this one.
    fn source(&mut self, ty: Simple) -> Simple {
        let from = self.r.pick(&NUMBERS);
        match from {
            _ if from == ty => Simple::Char,
            // There is no conversion between decimals and native integers.
            Simple::Decimal if matches!(ty, Simple::NInt | Simple::NUInt) => Simple::Int,
            Simple::NInt | Simple::NUInt if ty == Simple::Decimal => Simple::Long,
            from => from,
        }
    }

    pub fn cast(&mut self, from: Simple, to: Simple, scope: &Scope, depth: usize) -> Node {
        let value = self.opaque(from, scope, depth);
        let context = self.context();
        let name = to.name();
        Node::expression(name, &format!("{context}(({name})#)"), vec![value])
    }

    /// Nothing, `checked` or `unchecked`.
    fn context(&mut self) -> &'static str {
        self.r.pick(&["", "", "", "unchecked", "checked"])
    }

    fn binary(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let operators: &[&str] = if ty.is_integer() {
            &["+", "-", "*", "+", "-", "*", "/", "%", "&", "|", "^"]
        } else {
            &["+", "-", "*", "/", "%"]
        };
        let operator = self.r.pick(operators);
        let a = self.opaque(ty, scope, depth);
        let b = if matches!(operator, "/" | "%") {
            self.opaque(ty, scope, depth)
        } else {
            self.expr(ty, scope, depth)
        };
        let context = self.context();
        let cast = if ty.promotes() { format!("({})", ty.name()) } else { String::new() };
        Node::expression(ty.name(), &format!("{context}({cast}(# {operator} #))"), vec![a, b])
    }

    fn shift(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let operator = self.r.pick(&["<<", ">>", ">>>"]);
        let (a, b) = (self.opaque(ty, scope, depth), self.expr(Simple::Int, scope, depth));
        let context = self.context();
        let cast = if ty.promotes() { format!("({})", ty.name()) } else { String::new() };
        Node::expression(ty.name(), &format!("{context}({cast}(# {operator} #))"), vec![a, b])
    }

    fn unary(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let a = self.opaque(ty, scope, depth);
        let context = self.context();
        let name = ty.name();
        let operator = match ty {
            ty if ty.is_unsigned_wide() => "~",
            ty if ty.is_integer() => self.r.pick(&["-", "~", "+"]),
            _ => "-",
        };
        Node::expression(name, &format!("{context}(({name})({operator}#))"), vec![a])
    }

    fn assignment(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let Some(name) = self.variable(scope, |var| var.ty == Ty::Simple(ty) && var.writable) else {
            return self.binary(ty, scope, depth);
        };
        match self.r.below(3) {
            0 => {
                let step = self.r.pick(&["++", "--"]);
                let context = self.context();
                Node::expression(ty.name(), &format!("{context}({name}{step})"), vec![])
            }
            1 => {
                let a = self.expr(ty, scope, depth);
                Node::expression(ty.name(), &format!("({name} = #)"), vec![a])
            }
            _ => {
                let operator = self.r.pick(&["+=", "-=", "*="]);
                let a = self.opaque(ty, scope, depth);
                let context = self.context();
                Node::expression(ty.name(), &format!("{context}({name} {operator} #)"), vec![a])
            }
        }
    }

    pub fn conditional(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let condition = self.opaque(Simple::Bool, scope, depth);
        let (a, b) = (self.expr(ty, scope, depth), self.expr(ty, scope, depth));
        let name = ty.name();
        // The type of the whole is that of its parts.
        Node::expression(name, "(# ? # : #)", vec![condition, a, b])
    }

    fn mathematics(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Node {
        let name = ty.name();
        let a = self.opaque(ty, scope, depth);
        let one = |template: &str, a| Node::expression(name, template, vec![a]);
        match ty {
            Simple::Float => {
                let f =
                    self.r.pick(&["Sqrt", "Floor", "Ceiling", "Truncate", "Abs", "Round", "BitIncrement"]);
                one(&format!("MathF.{f}(#)"), a)
            }
            Simple::Double => {
                let f = self.r.pick(&[
                    "Sqrt",
                    "Floor",
                    "Ceiling",
                    "Truncate",
                    "Abs",
                    "Round",
                    "BitDecrement",
                    "Cbrt",
                ]);
                one(&format!("Math.{f}(#)"), a)
            }
            Simple::Decimal => {
                let f = self.r.pick(&["Floor", "Ceiling", "Truncate", "Abs", "Round"]);
                one(&format!("Math.{f}(#)"), a)
            }
            Simple::UInt | Simple::ULong => {
                let f = self.r.pick(&["PopCount", "LeadingZeroCount", "TrailingZeroCount", "Log2"]);
                one(&format!("(({name})BitOperations.{f}(#))"), a)
            }
            _ if self.r.percent(40) && !ty.is_unsigned_wide() => one(&format!("(({name})Math.Abs(#))"), a),
            _ => {
                let f = self.r.pick(&["Min", "Max"]);
                let b = self.expr(ty, scope, depth);
                Node::expression(name, &format!("Math.{f}(#, #)"), vec![a, b])
            }
        }
    }
}
