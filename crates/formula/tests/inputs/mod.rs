//! Symbols of all kinds, with the C# types they stand for, and random terms over them.

// Each test uses its own part of this.
#![allow(dead_code, clippy::unwrap_used)]

use std::rc::Rc;

use formula::{Enumeration, Kind, Names};
use random::Random;
use term::{FloatWidth, Model, Rounding, Sort, Symbol, Term, Terms};

/// Name, C# type, sort, kind.
pub const INPUTS: [(&str, &str, Sort); 15] = [
    ("i", "int", Sort::Bv(32)),
    ("j", "int", Sort::Bv(32)),
    ("u", "uint", Sort::Bv(32)),
    ("l", "long", Sort::Bv(64)),
    ("q", "ulong", Sort::Bv(64)),
    ("b", "byte", Sort::Bv(8)),
    ("a", "sbyte", Sort::Bv(8)),
    ("s", "short", Sort::Bv(16)),
    ("t", "ushort", Sort::Bv(16)),
    ("c", "char", Sort::Bv(16)),
    ("f", "bool", Sort::Bv(1)),
    ("e", "Tier", Sort::Bv(32)),
    ("n", "int", Sort::Bv(31)),
    ("d", "double", Sort::Float(FloatWidth::F64)),
    ("g", "float", Sort::Float(FloatWidth::F32)),
];

pub struct Inputs {
    pub terms: Terms,
    pub symbols: Vec<Symbol>,
    tier: Rc<Enumeration>,
}

impl Inputs {
    pub fn new() -> Inputs {
        let mut terms = Terms::new();
        let symbols = INPUTS.map(|(name, _, sort)| terms.symbol(name, sort)).to_vec();
        let members =
            ["Bronze", "Silver", "Gold"].into_iter().zip(0..).map(|(name, bits)| (name.to_owned(), bits));
        let tier = Enumeration { name: "Tier".to_owned(), signed: true, members: members.collect() };
        Inputs { terms, symbols, tier: Rc::new(tier) }
    }

    pub fn var(&mut self, name: &str) -> Term {
        let at = INPUTS.iter().position(|(known, ..)| *known == name).unwrap();
        self.terms.var(self.symbols[at])
    }

    /// Values for all symbols, often special ones.
    pub fn model(&self, random: &mut Random) -> Model {
        let value = |symbol: &Symbol, random: &mut Random| {
            let sort = self.terms.symbol_sort(*symbol);
            let bits = match sort {
                Sort::Float(FloatWidth::F64) => u128::from(float(random).to_bits()),
                Sort::Float(FloatWidth::F32) => u128::from((float(random) as f32).to_bits()),
                // Characters of the sets.
                Sort::Bv(16) if random.percent(50) => random.below(520) as u128,
                _ => special(random, sort.bits()),
            };
            (*symbol, term::Const::from_bits(sort, bits))
        };
        self.symbols.iter().map(|symbol| value(symbol, random)).collect()
    }
}

pub struct Typed(Rc<Enumeration>);

impl Inputs {
    pub fn names(&self) -> Typed {
        Typed(Rc::clone(&self.tier))
    }
}

impl Names for Typed {
    fn name(&self, _: Symbol) -> Option<String> {
        None
    }

    fn kind(&self, symbol: Symbol) -> Kind {
        match INPUTS[symbol.index()].1 {
            "bool" => Kind::Bool,
            "char" => Kind::Char,
            "Tier" => Kind::Enum(Rc::clone(&self.0)),
            "uint" | "ulong" | "byte" | "ushort" => Kind::Unsigned,
            _ if INPUTS[symbol.index()].0 == "n" => Kind::Count,
            _ => Kind::Signed,
        }
    }
}

fn special(random: &mut Random, width: u32) -> u128 {
    let all = term::mask(width);
    (match random.below(9) {
        0 => 0,
        1 => 1,
        2 => all,
        3 => 1 << (width - 1),
        4 => all >> 1,
        5 => random.below(40) as u128,
        6 => all.wrapping_sub(random.below(12) as u128),
        7 => 1 << random.below(width as usize),
        _ => u128::from(random.number()),
    }) & all
}

fn float(random: &mut Random) -> f64 {
    match random.below(8) {
        0 => 0.0,
        1 => -0.0,
        2 => 1.5,
        3 => -3.0,
        4 => f64::INFINITY,
        5 => f64::NAN,
        6 => random.below(1000) as f64 / 8.0,
        _ => -1e10,
    }
}

/// Random terms.
pub struct Maker<'a> {
    pub inputs: &'a mut Inputs,
    pub random: Random,
}

impl Maker<'_> {
    pub fn condition(&mut self, depth: u32) -> Term {
        let width = self.random.pick(&[32, 32, 32, 64, 16, 8]);
        match self.random.below(if depth == 0 { 5 } else { 12 }) {
            0 | 1 => self.compared(width, depth),
            2 => {
                let flag = self.inputs.var("f");
                let one = self.inputs.terms.bv(1, 1);
                self.inputs.terms.eq(flag, one)
            }
            3 if self.random.percent(25) => self.class(),
            3 => self.special_comparison(),
            4 => self.float_comparison(depth.saturating_sub(1)),
            5 => {
                let a = self.condition(depth - 1);
                self.inputs.terms.not(a)
            }
            6 | 7 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                self.inputs.terms.and(a, b)
            }
            8 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                self.inputs.terms.or(a, b)
            }
            9 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                self.inputs.terms.eq(a, b)
            }
            _ => self.compared(width, depth),
        }
    }

    /// Of what has words of its own: characters, members of enums, counts.
    fn special_comparison(&mut self) -> Term {
        let name = self.random.pick(&["c", "e", "n", "t", "b"]);
        let a = self.inputs.var(name);
        let width = self.inputs.terms.width(a);
        let bits = if self.random.percent(50) {
            self.random.below(130) as u128
        } else {
            special(&mut self.random, width)
        };
        let b = self.inputs.terms.bv(width, bits);
        match self.random.below(4) {
            0 => self.inputs.terms.eq(a, b),
            1 => self.inputs.terms.ult(a, b),
            2 => self.inputs.terms.uge(a, b),
            _ => self.inputs.terms.slt(a, b),
        }
    }

    /// A set of characters, as a table over their bits.
    fn class(&mut self) -> Term {
        let ranges: Vec<(usize, usize)> =
            (0..1 + self.random.below(4)).map(|_| (self.random.below(512), self.random.below(9))).collect();
        let is_in = |unit: usize| ranges.iter().any(|(first, more)| (*first..=first + more).contains(&unit));
        let c = self.inputs.var("c");
        let t = &mut self.inputs.terms;
        let (zero, one) = (t.bv(1, 0), t.bv(1, 1));
        let mut level: Vec<Term> = (0..512).map(|unit| if is_in(unit) { one } else { zero }).collect();
        for bit in 0..9 {
            let test = t.extract(c, bit, bit);
            let test = t.eq(test, one);
            level = level.chunks_exact(2).map(|pair| t.ite(test, pair[1], pair[0])).collect();
        }
        let (high, nothing) = (t.extract(c, 15, 9), t.bv(7, 0));
        let (is_low, found) = (t.eq(high, nothing), t.eq(level[0], one));
        t.and(is_low, found)
    }

    fn compared(&mut self, width: u32, depth: u32) -> Term {
        let (a, b) = (self.number(width, depth), self.number(width, depth.saturating_sub(1)));
        let t = &mut self.inputs.terms;
        match self.random.below(6) {
            0 => t.eq(a, b),
            1 => t.ult(a, b),
            2 => t.slt(a, b),
            3 => t.sle(a, b),
            4 => t.ule(a, b),
            _ => t.ne(a, b),
        }
    }

    pub fn number(&mut self, width: u32, depth: u32) -> Term {
        if depth == 0 || self.random.percent(15) {
            return self.leaf(width);
        }
        let d = depth - 1;
        let kind = self.random.below(22);
        match kind {
            0..=2 => {
                let (a, b) = (self.number(width, d), self.number(width, d));
                self.inputs.terms.add(a, b)
            }
            3 | 4 => {
                let (a, b) = (self.number(width, d), self.number(width, d));
                self.inputs.terms.sub(a, b)
            }
            5 => {
                let (a, b) = (self.number(width, d), self.number(width, d));
                self.inputs.terms.mul(a, b)
            }
            6..=8 => self.bitwise(kind, width, d),
            9 => {
                let a = self.number(width, d);
                if self.random.percent(50) { self.inputs.terms.neg(a) } else { self.inputs.terms.bvnot(a) }
            }
            10..=12 => self.shifted(kind, width, d),
            13..=16 => self.divided(kind, width, d),
            17 => {
                let (c, a, b) = (self.condition(d), self.number(width, d), self.number(width, d));
                self.inputs.terms.ite(c, a, b)
            }
            18 => self.extended(width, d),
            19 => self.sliced(width, d),
            20 => self.joined(width, d),
            _ => self.of_float(width, d),
        }
    }

    fn leaf(&mut self, width: u32) -> Term {
        if self.random.percent(30) {
            let bits = special(&mut self.random, width);
            return self.inputs.terms.bv(width, bits);
        }
        let names: &[&str] = match width {
            8 => &["b", "a"],
            16 => &["s", "t", "c"],
            32 => &["i", "j", "u", "e", "n", "f", "c", "b"],
            _ => &["l", "q", "i", "u"],
        };
        let name = self.random.pick(names);
        let var = self.inputs.var(name);
        let own = self.inputs.terms.width(var);
        if own == width {
            var
        } else if self.random.percent(40) && own > 1 && name != "n" {
            self.inputs.terms.sext(var, width)
        } else {
            self.inputs.terms.zext(var, width)
        }
    }

    fn bitwise(&mut self, kind: usize, width: u32, depth: u32) -> Term {
        let (a, b) = (self.number(width, depth), self.number(width, depth));
        match kind {
            6 => self.inputs.terms.bvand(a, b),
            7 => self.inputs.terms.bvor(a, b),
            _ => self.inputs.terms.bvxor(a, b),
        }
    }

    fn shifted(&mut self, kind: usize, width: u32, depth: u32) -> Term {
        let (a, by) = (self.number(width, depth), self.number(width, depth));
        let t = &mut self.inputs.terms;
        let by = match self.random.below(3) {
            0 => by,
            1 => t.bv(width, u128::from(self.random.number()) % u128::from(width)),
            _ => {
                let cut = t.extract(by, width.ilog2() - 1, 0);
                t.zext(cut, width)
            }
        };
        match kind {
            10 => t.shl(a, by),
            11 => t.lshr(a, by),
            _ => t.ashr(a, by),
        }
    }

    fn divided(&mut self, kind: usize, width: u32, depth: u32) -> Term {
        let (a, b) = (self.number(width, depth), self.number(width, depth));
        let t = &mut self.inputs.terms;
        match kind {
            13 => t.udiv(a, b),
            14 => t.urem(a, b),
            15 => t.sdiv(a, b),
            _ => t.srem(a, b),
        }
    }

    fn extended(&mut self, width: u32, depth: u32) -> Term {
        let from = match width {
            64 => self.random.pick(&[32, 16, 8]),
            32 => self.random.pick(&[16, 8]),
            16 => 8,
            _ => return self.leaf(width),
        };
        let of = self.number(from, depth);
        if self.random.percent(50) {
            self.inputs.terms.zext(of, width)
        } else {
            self.inputs.terms.sext(of, width)
        }
    }

    fn sliced(&mut self, width: u32, depth: u32) -> Term {
        let from = if width == 64 { 64 } else { self.random.pick(&[32, 64]).max(width) };
        let of = self.number(from, depth);
        let size = 1 + self.random.below(width as usize) as u32;
        let lo = self.random.below((from - size + 1) as usize) as u32;
        let lo = if self.random.percent(40) { 0 } else { lo };
        let t = &mut self.inputs.terms;
        let slice = t.extract(of, lo + size - 1, lo);
        if self.random.percent(50) { t.zext(slice, width) } else { t.sext(slice, width) }
    }

    fn joined(&mut self, width: u32, depth: u32) -> Term {
        if width == 8 {
            return self.leaf(8);
        }
        let (high, low) = (self.number(width / 2, depth), self.number(width / 2, depth));
        self.inputs.terms.concat(high, low)
    }

    fn of_float(&mut self, width: u32, depth: u32) -> Term {
        if width < 32 {
            return self.leaf(width);
        }
        let of = self.float(depth);
        if self.random.percent(50) {
            self.inputs.terms.fp_to_signed(of, width)
        } else {
            self.inputs.terms.fp_to_unsigned(of, width)
        }
    }

    fn float_comparison(&mut self, depth: u32) -> Term {
        let (a, b) = (self.float(depth), self.float(depth));
        let t = &mut self.inputs.terms;
        match self.random.below(4) {
            0 => t.fp_eq(a, b),
            1 => t.fp_lt(a, b),
            2 => t.fp_le(a, b),
            _ => {
                let less = t.fp_lt(a, b);
                t.not(less)
            }
        }
    }

    /// A double.
    fn float(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.percent(20) {
            let constant = float(&mut self.random).to_bits();
            let (d, g) = (self.inputs.var("d"), self.inputs.var("g"));
            return match self.random.below(3) {
                0 => d,
                1 => self.inputs.terms.fp_to_fp(g, FloatWidth::F64),
                _ => self.inputs.terms.constant(term::Const::F64(constant)),
            };
        }
        let kind = self.random.below(9);
        if kind == 0 {
            let of = self.number(32, depth - 1);
            return self.inputs.terms.signed_to_fp(of, FloatWidth::F64);
        }
        let (a, b) = (self.float(depth - 1), self.float(depth - 1));
        let t = &mut self.inputs.terms;
        match kind {
            1 => t.fp_add(a, b),
            2 => t.fp_sub(a, b),
            3 => t.fp_mul(a, b),
            4 => t.fp_div(a, b),
            5 => t.fp_neg(a),
            6 => t.fp_abs(a),
            7 => t.fp_round(Rounding::Down, a),
            _ => t.fp_sqrt(a),
        }
    }
}
