//! Conditions on one character that are tables in disguise (is it white space? a digit?), as the set of characters they hold for:
//! `c is ' ' or (>= '\t' and <= '\r')`.
//!
//! The characters are halved until the condition is decided for all of a part: what a table tests bit by bit, from the top,
//! is decided early.

use term::{Binary, Node, Symbol, Term, Unary, mask};

use crate::Formula;
use crate::kinds::Kind;
use crate::literal;
use crate::piece::{Level, Piece};

const BITS: u32 = 16;
/// Conditions with fewer parts speak for themselves.
const FEW_PARTS: usize = 14;
/// Ranges of characters that are listed.
const MOST_RANGES: usize = 10;

impl Formula<'_> {
    /// Conditions, all of which hold or not, as a set of characters, if they are about one and too long to be read.
    pub(crate) fn class(&self, conditions: &[Term], holds: bool) -> Option<Piece> {
        let symbol = self.character(*conditions.first()?)?;
        if self.has_few_parts(conditions) {
            return None;
        }
        let mut search = Search { formula: self, symbol };
        let yes = search.ranges(conditions)?;
        let no = complement(&yes);
        let (ranges, is_in) = if yes.len() <= no.len() { (yes, holds) } else { (no, !holds) };
        if ranges.is_empty() || ranges.len() > MOST_RANGES {
            return None;
        }
        let patterns: Vec<String> = ranges.iter().map(|range| pattern(*range, ranges.len() > 1)).collect();
        let patterns = patterns.join(" or ");
        let name = self.name(symbol);
        let text =
            if is_in { format!("{name} is {patterns}") } else { format!("{name} is not ({patterns})") };
        Some(Piece::truth(text, Level::Relation))
    }

    /// The one character that a condition is about.
    pub(crate) fn character(&self, condition: Term) -> Option<Symbol> {
        let [symbol] = *self.terms.symbols_of(condition) else { return None };
        (self.names.kind(symbol) == Kind::Char).then_some(symbol)
    }

    fn has_few_parts(&self, conditions: &[Term]) -> bool {
        let (mut count, mut stack) = (0, conditions.to_vec());
        while let Some(next) = stack.pop() {
            count += 1;
            if count > FEW_PARTS {
                return false;
            }
            stack.extend(self.terms.node(next).children());
        }
        true
    }
}

type Range = (u16, u16);

fn pattern((first, last): Range, among_others: bool) -> String {
    let character = |unit: u16| literal::character(unit).text;
    match (first, last) {
        _ if first == last => character(first),
        (0, _) => format!("<= {}", character(last)),
        (_, u16::MAX) => format!(">= {}", character(first)),
        _ if among_others => format!("(>= {} and <= {})", character(first), character(last)),
        _ => format!(">= {} and <= {}", character(first), character(last)),
    }
}

/// What is between the ranges, before and after them.
fn complement(ranges: &[Range]) -> Vec<Range> {
    let mut rest = Vec::new();
    let mut next = Some(0u16);
    for &(first, last) in ranges {
        if let Some(start) = next.filter(|start| *start < first) {
            rest.push((start, first - 1));
        }
        next = last.checked_add(1);
    }
    rest.extend(next.map(|start| (start, u16::MAX)));
    rest
}

/// Bits of which some are known.
#[derive(Clone, Copy)]
struct Partly {
    /// Zero where nothing is known.
    value: u128,
    known: u128,
    width: u32,
}

impl Partly {
    fn whole(self) -> Option<u128> {
        (self.known == mask(self.width)).then_some(self.value)
    }

    fn greatest(self) -> u128 {
        self.value | !self.known & mask(self.width)
    }

    fn truth(value: Option<bool>) -> Partly {
        Partly { value: u128::from(value == Some(true)), known: u128::from(value.is_some()), width: 1 }
    }

    fn as_truth(self) -> Option<bool> {
        self.whole().map(|value| value == 1)
    }
}

struct Search<'a> {
    formula: &'a Formula<'a>,
    symbol: Symbol,
}

impl Search<'_> {
    /// The characters that all conditions hold for, in order; `None` if they are too many to find.
    fn ranges(&mut self, conditions: &[Term]) -> Option<Vec<Range>> {
        let mut ranges: Vec<Range> = Vec::new();
        // Parts by their first character and the number of bits that are open, the lowest on top.
        let mut parts: Vec<(u16, u32)> = vec![(0, BITS)];
        while let Some((first, open)) = parts.pop() {
            let last = first | (mask(BITS) >> (BITS - open)) as u16;
            let at = Partly {
                value: u128::from(first),
                known: mask(BITS) & !u128::from(last ^ first),
                width: BITS,
            };
            match self.all(conditions, at)? {
                Some(false) => {}
                Some(true) => match ranges.last_mut() {
                    Some((_, end)) if end.checked_add(1) == Some(first) => *end = last,
                    _ => ranges.push((first, last)),
                },
                None if open == 0 => return None,
                None => parts.extend([(first | 1 << (open - 1), open - 1), (first, open - 1)]),
            }
            if ranges.len() > 4 * MOST_RANGES {
                return None;
            }
        }
        Some(ranges)
    }

    /// Whether all hold, if that is known; `None` when that is too much work.
    fn all(&mut self, conditions: &[Term], at: Partly) -> Option<Option<bool>> {
        let mut all = Some(true);
        for condition in conditions {
            match self.evaluate(*condition, at)?.as_truth() {
                Some(true) => {}
                Some(false) => return Some(Some(false)),
                None => all = None,
            }
        }
        Some(all)
    }

    /// What is known of a term when some bits of the character are; `None` when that is too much work.
    fn evaluate(&mut self, term: Term, at: Partly) -> Option<Partly> {
        let left = self.formula.search.get().checked_sub(1)?;
        self.formula.search.set(left);
        let terms = self.formula.terms;
        let width = match terms.sort(term) {
            term::Sort::Float(_) => return None,
            sort => sort.bits(),
        };
        let unknown = Partly { value: 0, known: 0, width };
        Some(match *terms.node(term) {
            Node::Const(value) => Partly { value: value.bits(), known: mask(width), width },
            Node::Var(symbol) if symbol == self.symbol => at,
            Node::Unary(Unary::Not, a) => Partly::truth(self.evaluate(a, at)?.as_truth().map(|truth| !truth)),
            Node::Binary(Binary::And, a, b) => {
                let a = self.evaluate(a, at)?.as_truth();
                if a == Some(false) {
                    return Some(Partly::truth(a));
                }
                let b = self.evaluate(b, at)?.as_truth();
                Partly::truth(if b == Some(false) { b } else { a.zip(b).map(|(a, b)| a && b) })
            }
            Node::Binary(op @ (Binary::Eq | Binary::Ult), a, b) => {
                let (a, b) = (self.evaluate(a, at)?, self.evaluate(b, at)?);
                Partly::truth(if op == Binary::Eq { equal(a, b) } else { below(a, b) })
            }
            Node::Ite(c, a, b) => match self.evaluate(c, at)?.as_truth() {
                Some(true) => self.evaluate(a, at)?,
                Some(false) => self.evaluate(b, at)?,
                None => unknown,
            },
            Node::Extract { of, hi, lo } => {
                let of = self.evaluate(of, at)?;
                let cut = |bits: u128| bits >> lo & mask(hi - lo + 1);
                Partly { value: cut(of.value), known: cut(of.known), width }
            }
            Node::Extend { of, to, signed: false } => {
                let of = self.evaluate(of, at)?;
                Partly { value: of.value, known: of.known | mask(to) & !mask(of.width), width }
            }
            // Anything else is known when the character is.
            _ if at.known == mask(BITS) => {
                let mut model = term::Model::new();
                model.set(self.symbol, term::Const::from_bits(term::Sort::Bv(BITS), at.value));
                Partly { value: terms.eval(term, &model).bits(), known: mask(width), width }
            }
            _ => unknown,
        })
    }
}

fn equal(a: Partly, b: Partly) -> Option<bool> {
    let both = a.known & b.known;
    if (a.value ^ b.value) & both != 0 {
        return Some(false);
    }
    a.whole().zip(b.whole()).map(|(a, b)| a == b)
}

fn below(a: Partly, b: Partly) -> Option<bool> {
    if a.greatest() < b.value {
        Some(true)
    } else if a.value >= b.greatest() {
        Some(false)
    } else {
        None
    }
}
