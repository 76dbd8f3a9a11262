//! Random expressions with a meaning of their own: built through the constructors on one side, evaluated naively,
//! bit by bit where that is simplest, on the other.

// each test uses its own part of this
#![allow(dead_code)]

use term::{Sort, Symbol, Term, Terms};

/// Random numbers and values of bit-vectors.
#[derive(Clone)]
pub struct Random(random::Random);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(random::Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635))
    }

    pub fn next(&mut self) -> u64 {
        self.0.number()
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    /// A value of the width, often a special one.
    pub fn value(&mut self, width: u32) -> u128 {
        let all = mask(width);
        let wide = (self.next() as u128) << 64 | self.next() as u128;
        (match self.below(8) {
            0 => 0,
            1 => 1,
            2 => all,
            3 => 1u128 << (width - 1),
            4 => 1u128 << self.below(width as usize),
            5 => (self.below(16)) as u128,
            6 => all - self.below(8) as u128 % (all.min(7) + 1),
            _ => wide,
        }) & all
    }
}

pub fn mask(width: u32) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(value: u128, width: u32) -> i128 {
    if width < 128 && value >> (width - 1) & 1 == 1 {
        (value as i128).wrapping_sub(1i128 << width)
    } else {
        value as i128
    }
}

/// An expression of some width; booleans have width 0.
#[derive(Clone, Debug)]
pub enum Expr {
    Var(usize),
    Const(u32, u128),
    Un(&'static str, Box<Expr>),
    Bin(&'static str, Box<Expr>, Box<Expr>),
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    Extract(Box<Expr>, u32, u32),
    Extend(Box<Expr>, u32, bool),
}

/// The variables of an expression: their widths (0 for booleans), in order.
pub struct Shape {
    pub widths: Vec<u32>,
}

impl Shape {
    pub fn symbols(&self, terms: &mut Terms) -> Vec<Symbol> {
        let sort = |width| if width == 0 { Sort::Bool } else { Sort::Bv(width) };
        (0..)
            .zip(&self.widths)
            .map(|(i, &width): (u32, _)| terms.symbol(&format!("v{i}"), sort(width)))
            .collect()
    }
}

const WORD: [&str; 18] = [
    "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "bvand", "bvor", "bvxor", "shl", "lshr", "ashr",
    "add", "sub", "mul", "bvxor", "bvor",
];
const COMPARE: [&str; 18] = [
    "eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge", "add_u", "add_s", "sub_u", "sub_s",
    "mul_u", "mul_s", "eq", "eq",
];
const LOGIC: [&str; 5] = ["and", "or", "xor", "implies", "beq"];

impl Expr {
    pub fn random(r: &mut Random, shape: &Shape, width: u32, depth: u32) -> Expr {
        if depth == 0 || r.below(8) == 0 {
            return Expr::leaf(r, shape, width);
        }
        let sub = |r: &mut Random, width| Box::new(Expr::random(r, shape, width, depth - 1));
        if width == 0 {
            return Expr::random_bool(r, shape, depth);
        }
        match r.below(12) {
            0 => Expr::Un(["bvnot", "neg"][r.below(2)], sub(r, width)),
            1 => Expr::Ite(sub(r, 0), sub(r, width), sub(r, width)),
            2 => {
                let inner = width + r.below((129 - width) as usize).min(70) as u32;
                let lo = r.below((inner - width + 1) as usize) as u32;
                Expr::Extract(sub(r, inner), lo + width - 1, lo)
            }
            3 if width > 1 => {
                let inner = 1 + r.below(width as usize - 1) as u32;
                Expr::Extend(sub(r, inner), width, r.below(2) == 0)
            }
            4 if width > 1 => {
                let low = 1 + r.below(width as usize - 1) as u32;
                Expr::Bin("concat", sub(r, width - low), sub(r, low))
            }
            5 => Expr::xorshift(r, shape, width, depth),
            6 => {
                // an operator with a constant
                let (op, constant) = (WORD[r.below(WORD.len())], Expr::Const(width, r.value(width)));
                let other = sub(r, width);
                if r.below(5) == 0 {
                    Expr::Bin(op, Box::new(constant), other)
                } else {
                    Expr::Bin(op, other, Box::new(constant))
                }
            }
            7 => {
                let amount = Expr::Const(width, r.below(width as usize + 1) as u128 & mask(width));
                Expr::Bin(["shl", "lshr", "ashr"][r.below(3)], sub(r, width), Box::new(amount))
            }
            _ => Expr::Bin(WORD[r.below(WORD.len())], sub(r, width), sub(r, width)),
        }
    }

    fn random_bool(r: &mut Random, shape: &Shape, depth: u32) -> Expr {
        let sub = |r: &mut Random, width| Box::new(Expr::random(r, shape, width, depth - 1));
        match r.below(10) {
            0 => Expr::Un("not", sub(r, 0)),
            1 => Expr::Ite(sub(r, 0), sub(r, 0), sub(r, 0)),
            2..=4 => Expr::Bin(LOGIC[r.below(LOGIC.len())], sub(r, 0), sub(r, 0)),
            5 | 6 => {
                let width = shape.any_width(r);
                let constant = Box::new(Expr::Const(width, r.value(width)));
                let (op, other) = (COMPARE[r.below(COMPARE.len())], sub(r, width));
                if r.below(3) == 0 { Expr::Bin(op, constant, other) } else { Expr::Bin(op, other, constant) }
            }
            _ => {
                let width = shape.any_width(r);
                Expr::Bin(COMPARE[r.below(COMPARE.len())], sub(r, width), sub(r, width))
            }
        }
    }

    /// `x ^ (x >> k)` or its mirror image: the shape mixing functions have.
    fn xorshift(r: &mut Random, shape: &Shape, width: u32, depth: u32) -> Expr {
        let x = Box::new(Expr::random(r, shape, width, depth - 1));
        let amount = Box::new(Expr::Const(width, r.below(width as usize) as u128 & mask(width)));
        Expr::Bin("bvxor", x.clone(), Box::new(Expr::Bin(["shl", "lshr"][r.below(2)], x, amount)))
    }

    fn leaf(r: &mut Random, shape: &Shape, width: u32) -> Expr {
        let fitting: Vec<usize> = (0..shape.widths.len()).filter(|&i| shape.widths[i] == width).collect();
        if r.below(4) == 0 || (fitting.is_empty() && r.below(4) == 0) {
            return if width == 0 {
                Expr::Const(0, r.below(2) as u128)
            } else {
                Expr::Const(width, r.value(width))
            };
        }
        if !fitting.is_empty() {
            return Expr::Var(fitting[r.below(fitting.len())]);
        }
        let i = r.below(shape.widths.len());
        match shape.widths[i] {
            0 if width == 0 => Expr::Var(i),
            0 => Expr::Ite(
                Box::new(Expr::Var(i)),
                Box::new(Expr::Const(width, 1)),
                Box::new(Expr::Const(width, 0)),
            ),
            other if width == 0 => {
                Expr::Bin("ult", Box::new(Expr::Var(i)), Box::new(Expr::Const(other, r.value(other))))
            }
            other if other > width => {
                let lo = r.below((other - width + 1) as usize) as u32;
                Expr::Extract(Box::new(Expr::Var(i)), lo + width - 1, lo)
            }
            _ => Expr::Extend(Box::new(Expr::Var(i)), width, r.below(2) == 0),
        }
    }

    pub fn build(&self, t: &mut Terms, symbols: &[Symbol]) -> Term {
        match self {
            Expr::Var(i) => t.var(symbols[*i]),
            Expr::Const(0, value) => t.bool(*value == 1),
            Expr::Const(width, value) => t.bv(*width, *value),
            Expr::Un(op, a) => {
                let a = a.build(t, symbols);
                match *op {
                    "not" => t.not(a),
                    "neg" => t.neg(a),
                    _ => t.bvnot(a),
                }
            }
            Expr::Bin(op, a, b) => {
                let (a, b) = (a.build(t, symbols), b.build(t, symbols));
                build_binary(t, op, a, b)
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (c.build(t, symbols), a.build(t, symbols), b.build(t, symbols));
                t.ite(c, a, b)
            }
            Expr::Extract(a, hi, lo) => {
                let a = a.build(t, symbols);
                t.extract(a, *hi, *lo)
            }
            Expr::Extend(a, to, signed) => {
                let a = a.build(t, symbols);
                if *signed { t.sext(a, *to) } else { t.zext(a, *to) }
            }
        }
    }

    pub fn width(&self, shape: &Shape) -> u32 {
        match self {
            Expr::Var(i) => shape.widths[*i],
            Expr::Const(width, _) => *width,
            Expr::Un(_, a) => a.width(shape),
            Expr::Bin("concat", a, b) => a.width(shape) + b.width(shape),
            Expr::Bin(op, a, _) if WORD.contains(op) => a.width(shape),
            Expr::Bin(..) => 0,
            Expr::Ite(_, a, _) => a.width(shape),
            Expr::Extract(_, hi, lo) => hi - lo + 1,
            Expr::Extend(_, to, _) => *to,
        }
    }

    /// The expression as SMT-LIB text, exactly as it stands; small expressions only, since nothing is shared.
    pub fn smt(&self, shape: &Shape, names: &[String]) -> String {
        let s = |e: &Expr| e.smt(shape, names);
        match self {
            Expr::Var(i) => names[*i].clone(),
            Expr::Const(0, value) => (*value == 1).to_string(),
            Expr::Const(width, value) => format!("(_ bv{value} {width})"),
            Expr::Un(op, a) => format!("({} {})", if *op == "neg" { "bvneg" } else { op }, s(a)),
            Expr::Ite(c, a, b) => format!("(ite {} {} {})", s(c), s(a), s(b)),
            Expr::Extract(a, hi, lo) => format!("((_ extract {hi} {lo}) {})", s(a)),
            Expr::Extend(a, to, signed) => {
                let kind = if *signed { "sign_extend" } else { "zero_extend" };
                format!("((_ {kind} {}) {})", to - a.width(shape), s(a))
            }
            Expr::Bin(op, a, b) => smt_binary(op, &s(a), &s(b), a.width(shape)),
        }
    }

    pub fn value(&self, shape: &Shape, inputs: &[u128]) -> u128 {
        let v = |e: &Expr| e.value(shape, inputs);
        match self {
            Expr::Var(i) => inputs[*i],
            Expr::Const(_, value) => *value,
            Expr::Un("not", a) => 1 - v(a),
            Expr::Un("neg", a) => v(a).wrapping_neg() & mask(a.width(shape)),
            Expr::Un(_, a) => !v(a) & mask(a.width(shape)),
            Expr::Ite(c, a, b) => v(if v(c) == 1 { a } else { b }),
            Expr::Extract(a, hi, lo) => v(a) >> lo & mask(hi - lo + 1),
            Expr::Extend(a, _, false) => v(a),
            Expr::Extend(a, to, true) => signed(v(a), a.width(shape)) as u128 & mask(*to),
            Expr::Bin("concat", a, b) => v(a) << b.width(shape) | v(b),
            Expr::Bin(op, a, b) => binary_value(op, v(a), v(b), a.width(shape)),
        }
    }
}

impl Shape {
    fn any_width(&self, r: &mut Random) -> u32 {
        match self.widths[r.below(self.widths.len())] {
            0 => 1,
            width => width,
        }
    }
}

fn build_binary(t: &mut Terms, op: &str, a: Term, b: Term) -> Term {
    match op {
        "add" => t.add(a, b),
        "sub" => t.sub(a, b),
        "mul" => t.mul(a, b),
        "udiv" => t.udiv(a, b),
        "urem" => t.urem(a, b),
        "sdiv" => t.sdiv(a, b),
        "srem" => t.srem(a, b),
        "bvand" => t.bvand(a, b),
        "bvor" => t.bvor(a, b),
        "bvxor" => t.bvxor(a, b),
        "shl" => t.shl(a, b),
        "lshr" => t.lshr(a, b),
        "ashr" => t.ashr(a, b),
        "concat" => t.concat(a, b),
        "eq" | "beq" => t.eq(a, b),
        "ne" => t.ne(a, b),
        "ult" => t.ult(a, b),
        "ule" => t.ule(a, b),
        "ugt" => t.ugt(a, b),
        "uge" => t.uge(a, b),
        "slt" => t.slt(a, b),
        "sle" => t.sle(a, b),
        "sgt" => t.sgt(a, b),
        "sge" => t.sge(a, b),
        "add_u" => t.add_overflows(a, b, false),
        "add_s" => t.add_overflows(a, b, true),
        "sub_u" => t.sub_overflows(a, b, false),
        "sub_s" => t.sub_overflows(a, b, true),
        "mul_u" => t.mul_overflows(a, b, false),
        "mul_s" => t.mul_overflows(a, b, true),
        "and" => t.and(a, b),
        "or" => t.or(a, b),
        "xor" => t.xor(a, b),
        "implies" => t.implies(a, b),
        _ => panic!("{op}"),
    }
}

fn binary_value(op: &str, x: u128, y: u128, width: u32) -> u128 {
    let all = if width == 0 { 1 } else { mask(width) };
    let (sx, sy) = if width == 0 { (0, 0) } else { (signed(x, width), signed(y, width)) };
    let in_signed_range = |value: Option<i128>| match value {
        Some(value) => signed(value as u128 & all, width) == value,
        None => false,
    };
    match op {
        "add" => x.wrapping_add(y) & all,
        "sub" => x.wrapping_sub(y) & all,
        "mul" => x.wrapping_mul(y) & all,
        "udiv" => x.checked_div(y).unwrap_or(all),
        "urem" => x.checked_rem(y).unwrap_or(x),
        "sdiv" if y == 0 => {
            if sx < 0 {
                1
            } else {
                all
            }
        }
        "sdiv" => sx.wrapping_div(sy) as u128 & all,
        "srem" => {
            if y == 0 {
                x
            } else {
                sx.wrapping_rem(sy) as u128 & all
            }
        }
        "bvand" | "and" => x & y,
        "bvor" | "or" => x | y,
        "bvxor" | "xor" => x ^ y,
        "shl" => {
            (0..width).fold(0, |r, i| if i as u128 >= y { r | (x >> (i as u128 - y) & 1) << i } else { r })
        }
        "lshr" => (0..width).fold(0, |r, i| {
            if y < 128 && i as u128 + y < width as u128 { r | (x >> (i as u128 + y) & 1) << i } else { r }
        }),
        "ashr" => (0..width).fold(0, |r, i| {
            let from = y.saturating_add(i as u128).min(width as u128 - 1);
            r | (x >> from & 1) << i
        }),
        "eq" | "beq" => (x == y) as u128,
        "ne" => (x != y) as u128,
        "ult" => (x < y) as u128,
        "ule" => (x <= y) as u128,
        "ugt" => (x > y) as u128,
        "uge" => (x >= y) as u128,
        "slt" => (sx < sy) as u128,
        "sle" => (sx <= sy) as u128,
        "sgt" => (sx > sy) as u128,
        "sge" => (sx >= sy) as u128,
        "add_u" => x.checked_add(y).is_none_or(|sum| sum > all) as u128,
        "sub_u" => (x < y) as u128,
        "mul_u" => x.checked_mul(y).is_none_or(|product| product > all) as u128,
        "add_s" => !in_signed_range(sx.checked_add(sy)) as u128,
        "sub_s" => !in_signed_range(sx.checked_sub(sy)) as u128,
        "mul_s" => !in_signed_range(sx.checked_mul(sy)) as u128,
        "implies" => (1 - x) | y,
        _ => panic!("{op}"),
    }
}

fn smt_binary(op: &str, a: &str, b: &str, width: u32) -> String {
    let plain = |name: &str| format!("({name} {a} {b})");
    // an operation leaves its type if it differs at twice the width
    let overflow = |name: &str, extend: &str| {
        let wide = |word: &str| format!("((_ {extend} {width}) {word})");
        format!("(not (= ({name} {} {}) {}))", wide(a), wide(b), wide(&format!("({name} {a} {b})")))
    };
    match op {
        "eq" | "beq" => plain("="),
        "ne" => plain("distinct"),
        "concat" | "and" | "or" | "xor" => plain(op),
        "implies" => plain("=>"),
        "bvand" | "bvor" | "bvxor" => plain(op),
        "add_u" => overflow("bvadd", "zero_extend"),
        "sub_u" => overflow("bvsub", "zero_extend"),
        "mul_u" => overflow("bvmul", "zero_extend"),
        "add_s" => overflow("bvadd", "sign_extend"),
        "sub_s" => overflow("bvsub", "sign_extend"),
        "mul_s" => overflow("bvmul", "sign_extend"),
        _ => plain(&format!("bv{op}")),
    }
}
