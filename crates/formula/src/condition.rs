//! Conditions: what the normal form says with `and` and `not` alone, as a person says it.

use term::{Binary, Node, Term, Unary};

use crate::Formula;
use crate::piece::{Level, Piece};

/// Conditions that are joined into one.
const MOST_JOINED: usize = 24;

impl Formula<'_> {
    pub(crate) fn condition(&self, term: Term) -> Piece {
        self.within(|| self.condition_at(term, true))
    }

    /// The condition, or that it does not hold.
    fn condition_at(&self, term: Term, holds: bool) -> Piece {
        if let Some(class) = self.class(&[term], holds) {
            return class;
        }
        match *self.terms.node(term) {
            Node::Const(value) => Piece::truth((value.is_true() == holds).to_string(), Level::Primary),
            Node::Var(symbol) => negated_unless(holds, &Piece::truth(self.name(symbol), Level::Primary)),
            Node::Unary(Unary::Not, inner) => self.condition_at(inner, !holds),
            Node::Binary(Binary::And, a, b) => match self.overflow(a, b) {
                Some((a, op, b)) => self.overflows(a, op, b, true, holds),
                None => self.joined_conditions(term, holds),
            },
            Node::Binary(op @ (Binary::UmulOverflows | Binary::SmulOverflows), a, b) => {
                self.overflows(a, "*", b, op == Binary::SmulOverflows, holds)
            }
            Node::Binary(op, a, b) => match (op, *self.terms.node(a)) {
                // There is less room above one operand than the other needs.
                (Binary::Ult, Node::Unary(Unary::BvNot, room)) => self.overflows(b, "+", room, false, holds),
                _ => self.comparison(op, a, b, holds),
            },
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.condition(c), self.condition(a), self.condition(b));
                let text =
                    format!("{} ? {} : {}", c.at(Level::Or), a.at(Level::Or), b.at(Level::Conditional));
                negated_unless(holds, &Piece::truth(text, Level::Conditional))
            }
            _ => Piece::elided(),
        }
    }

    /// All conditions of a chain of `and`; if it does not hold, one of them does not.
    fn joined_conditions(&self, term: Term, holds: bool) -> Piece {
        let (between, level) = if holds { (" && ", Level::And) } else { (" || ", Level::Or) };
        let mut conditions = self.conjuncts(term);
        let is_cut = conditions.len() > MOST_JOINED;
        conditions.truncate(MOST_JOINED);
        let mut parts: Vec<String> = Vec::new();
        while let Some(next) = conditions.first().copied() {
            // What is said of one character is said together.
            let character = self.character(next);
            let (alike, others): (Vec<Term>, Vec<Term>) = conditions
                .iter()
                .partition(|&&c| c == next || character.is_some() && self.character(c) == character);
            let class = if alike.len() > 1 { self.class(&alike, holds) } else { None };
            match class {
                Some(class) => {
                    parts.push(class.at(Level::BitOr));
                    conditions = others;
                }
                None => {
                    parts.push(self.within(|| self.condition_at(next, holds)).at(Level::BitOr));
                    conditions.remove(0);
                }
            }
        }
        parts.extend(is_cut.then(|| "…".to_owned()));
        Piece::truth(parts.join(between), level)
    }

    /// The conditions of a chain of `and`, one more than are written at most.
    fn conjuncts(&self, term: Term) -> Vec<Term> {
        let (mut found, mut waiting) = (Vec::new(), vec![term]);
        while let Some(next) = waiting.pop() {
            match *self.terms.node(next) {
                Node::Binary(Binary::And, a, b) if self.overflow(a, b).is_none() => waiting.extend([b, a]),
                _ => found.push(next),
            }
            if found.len() > MOST_JOINED {
                break;
            }
        }
        found
    }

    /// The operands of a sum or a difference, if two conditions together say that it overflows: the operands have the same
    /// sign (or, for a difference, have not) and the result has the other one.
    fn overflow(&self, p: Term, q: Term) -> Option<(Term, &'static str, Term)> {
        let sides = [(p, q), (q, p)];
        sides.into_iter().find_map(|(operands, result)| {
            let (first, second, is_sum) = self.signs(operands)?;
            let (one, other, is_kept) = self.signs(result)?;
            if is_kept {
                return None;
            }
            let ways = [(first, second, one, other), (first, second, other, one)];
            let swapped = ways.map(|(a, b, x, y)| (b, a, x, y));
            ways.into_iter().chain(swapped).find_map(|(a, b, x, result)| {
                let op = if is_sum { "+" } else { "-" };
                (a == x && self.is_result(result, a, b, is_sum)).then_some((a, op, b))
            })
        })
    }

    /// Two terms whose signs are compared, and whether these are the same.
    fn signs(&self, condition: Term) -> Option<(Term, Term, bool)> {
        let (equality, same) = match *self.terms.node(condition) {
            Node::Unary(Unary::Not, inner) => (inner, false),
            _ => (condition, true),
        };
        let Node::Binary(Binary::Eq, a, b) = *self.terms.node(equality) else { return None };
        let below_zero = |term: Term| match *self.terms.node(term) {
            Node::Binary(Binary::Slt, x, limit) if self.terms.as_bv(limit) == Some(0) => Some(x),
            _ => None,
        };
        Some((below_zero(a)?, below_zero(b)?, same))
    }

    fn is_result(&self, result: Term, a: Term, b: Term, is_sum: bool) -> bool {
        let Node::Binary(Binary::Add, x, y) = *self.terms.node(result) else { return false };
        let is_second = |term: Term| match *self.terms.node(term) {
            _ if is_sum => term == b,
            Node::Unary(Unary::Neg, inner) => inner == b,
            _ => false,
        };
        x == a && is_second(y) || y == a && is_second(x)
    }

    fn overflows(&self, a: Term, op: &str, b: Term, signed: bool, holds: bool) -> Piece {
        let (a, b) = (self.exact(a, signed), self.exact(b, signed));
        let verb = if holds { "overflows" } else { "does not overflow" };
        let text = format!("{} {op} {} {verb}", a.at(Level::Product), b.at(Level::Unary));
        Piece::truth(text, Level::Equality)
    }
}

pub(crate) fn negated_unless(holds: bool, piece: &Piece) -> Piece {
    if holds { piece.clone() } else { Piece::truth(format!("!{}", piece.at(Level::Unary)), Level::Unary) }
}
