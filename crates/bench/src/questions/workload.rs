//! Queries that look like those of paths, and a few that are hard on purpose.

use term::{Const, Model, Sort, Term, Terms};

/// A path: at each step one side of a branch is taken, the other is asked about.
pub struct Session {
    pub terms: Terms,
    /// Conditions as the concrete run takes them.
    pub taken: Vec<Term>,
}

/// A question of its own.
pub struct Hard {
    pub name: &'static str,
    pub terms: Terms,
    pub question: Vec<Term>,
    pub expected: Option<bool>,
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Family {
    /// Arithmetic on ints as most methods do it.
    Ints,
    /// Products of longs, checked and unchecked.
    LongProducts,
}

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick(&mut self, from: &[Term]) -> Term {
        from[self.below(from.len() as u64) as usize]
    }
}

pub fn session(family: Family, seed: u64) -> Session {
    let mut r = Random::new(seed);
    let mut terms = Terms::new();
    let (width, steps) = match family {
        Family::Ints => (32, 5 + r.below(56)),
        Family::LongProducts => (64, 3 + r.below(5)),
    };
    let mut inputs = Vec::new();
    let mut model = Model::new();
    for i in 0..3 + r.below(6) {
        let symbol = terms.symbol(&format!("a{i}"), Sort::Bv(width));
        let value = match r.below(3) {
            0 => r.next() as u128,
            _ => r.below(1000) as u128,
        };
        model.set(symbol, Const::from_bits(Sort::Bv(width), value));
        inputs.push(terms.var(symbol));
    }
    let mut words = inputs.clone();
    let mut taken = Vec::new();
    for _ in 0..steps {
        let condition = match family {
            Family::Ints => int_condition(&mut r, &mut terms, &inputs, &mut words),
            Family::LongProducts => long_condition(&mut r, &mut terms, &inputs),
        };
        let holds = terms.eval(condition, &model).is_true();
        taken.push(if holds { condition } else { terms.not(condition) });
    }
    Session { terms, taken }
}

fn int_condition(r: &mut Random, t: &mut Terms, inputs: &[Term], words: &mut Vec<Term>) -> Term {
    let (x, y) = (r.pick(words), r.pick(words));
    let mut constant = |r: &mut Random, from: u64, count: u64| {
        let value = from + r.below(count);
        t.bv(32, value as u128)
    };
    let (factor, divisor, amount) = (constant(r, 3, 61), constant(r, 2, 60), constant(r, 0, 31));
    let (byte, digit, limit) = (constant(r, 0xff, 1), constant(r, 2, 9), constant(r, 0, 2000));
    let word = match r.below(11) {
        0..=2 => t.add(x, y),
        3 => t.sub(x, y),
        4 => t.mul(x, factor),
        5 => t.urem(x, divisor),
        6 => t.shl(x, amount),
        7 => t.lshr(x, amount),
        8 => t.bvxor(x, y),
        9 => t.bvand(x, byte),
        _ => t.sdiv(x, digit),
    };
    if r.below(3) == 0 {
        words.push(word);
    }
    let other = if r.below(2) == 0 { r.pick(inputs) } else { limit };
    match r.below(5) {
        0 => t.eq(word, other),
        1 => t.ult(word, other),
        2 => t.slt(word, other),
        3 => t.sle(word, other),
        _ => t.ule(word, other),
    }
}

fn long_condition(r: &mut Random, t: &mut Terms, inputs: &[Term]) -> Term {
    let x = r.pick(inputs);
    let y = if r.below(2) == 0 {
        r.pick(inputs)
    } else {
        let factor = r.below(1000) + 2;
        t.bv(64, factor as u128)
    };
    match r.below(3) {
        0 => t.mul_overflows(x, y, true),
        1 => t.add_overflows(x, y, true),
        _ => {
            let product = t.mul(x, y);
            let limit = r.below(1_000_000);
            let limit = t.bv(64, limit as u128);
            t.slt(product, limit)
        }
    }
}

pub fn hard() -> Vec<Hard> {
    let mut all = vec![
        hard_one("murmur finaliser inverted", Some(true), |t| {
            let x = t.fresh("x", Sort::Bv(64));
            let mixed = fmix64(t, x);
            let value = t.bv(64, 0x1234_5678_9abc_def0);
            vec![t.eq(mixed, value)]
        }),
        hard_one("murmur finaliser modulo 1000", Some(true), |t| {
            let x = t.fresh("x", Sort::Bv(64));
            let mixed = fmix64(t, x);
            let (thousand, rest) = (t.bv(64, 1000), t.bv(64, 137));
            let remainder = t.urem(mixed, thousand);
            vec![t.eq(remainder, rest)]
        }),
        hard_one("square root of a 32-bit square", None, |t| {
            let x = t.fresh("x", Sort::Bv(32));
            let square = t.mul(x, x);
            let value = t.bv(32, 1_234_567 * 1_234_567);
            vec![t.eq(square, value)]
        }),
        hard_one("wrapping product of 32 bits", Some(true), |t| {
            let (x, y) = (t.fresh("x", Sort::Bv(32)), t.fresh("y", Sort::Bv(32)));
            let product = t.mul(x, y);
            let (value, one) = (t.bv(32, 0xdead_beef), t.bv(32, 1));
            vec![t.eq(product, value), t.ult(one, x), t.ult(one, y)]
        }),
        hard_one("x = x / y * y + x % y, 32 bits", Some(false), |t| {
            let (x, y) = (t.fresh("x", Sort::Bv(32)), t.fresh("y", Sort::Bv(32)));
            let (q, r, zero) = (t.udiv(x, y), t.urem(x, y), t.bv(32, 0));
            let product = t.mul(q, y);
            let sum = t.add(product, r);
            vec![t.ne(y, zero), t.ne(sum, x)]
        }),
        hard_one("checked product in bounds, 64 bits", Some(false), |t| {
            let (x, y) = (t.fresh("x", Sort::Bv(64)), t.fresh("y", Sort::Bv(64)));
            let limit = t.bv(64, 1 << 31);
            vec![t.ult(x, limit), t.ult(y, limit), t.mul_overflows(x, y, true)]
        }),
        hard_one("checked product overflows upwards, 64 bits", Some(true), |t| {
            let (x, y) = (t.fresh("x", Sort::Bv(64)), t.fresh("y", Sort::Bv(64)));
            let (product, zero) = (t.mul(x, y), t.bv(64, 0));
            let overflow = t.mul_overflows(x, y, true);
            vec![overflow, t.slt(zero, product), t.slt(zero, x), t.slt(zero, y)]
        }),
    ];
    all.extend(of_methods());
    for (name, width, p, q) in [
        ("factors of 24 bits", 32, 3989u128, 4001u128),
        ("factors of 32 bits", 32, 65521, 65519),
        ("factors of 40 bits", 64, 1_048_573, 1_048_571),
    ] {
        all.push(hard_one(name, Some(true), |t| {
            let (x, y) = (t.fresh("x", Sort::Bv(width)), t.fresh("y", Sort::Bv(width)));
            let half = width / 2;
            let (x, y) = (t.extract(x, half - 1, 0), t.extract(y, half - 1, 0));
            let (x, y) = (t.zext(x, width), t.zext(y, width));
            let product = t.mul(x, y);
            let (value, one) = (t.bv(width, p * q), t.bv(width, 1));
            vec![t.eq(product, value), t.ult(one, x), t.ult(one, y)]
        }));
    }
    for (name, length) in [("31-hash of 5 letters", 5), ("31-hash of 8 letters", 8)] {
        all.push(hard_one(name, Some(true), |t| {
            let mut question = Vec::new();
            let (mut hash, mut value) = (t.bv(32, 0), 0u32);
            for i in 0..length {
                let letter = letter(t, &mut question, 97, 122);
                let factor = t.bv(32, 31);
                hash = t.mul(hash, factor);
                hash = t.add(hash, letter);
                value = value.wrapping_mul(31).wrapping_add(97 + (i * 7 + 3) % 26);
            }
            let value = t.bv(32, value as u128);
            question.push(t.eq(hash, value));
            question
        }));
    }
    for (name, length) in [("FNV-1a of 4 characters", 4), ("FNV-1a of 6 characters", 6)] {
        all.push(hard_one(name, Some(true), |t| {
            let mut question = Vec::new();
            let (mut hash, mut value) = (t.bv(32, 2_166_136_261), 2_166_136_261u32);
            for i in 0..length {
                let letter = letter(t, &mut question, 32, 126);
                let factor = t.bv(32, 16_777_619);
                hash = t.bvxor(hash, letter);
                hash = t.mul(hash, factor);
                value = (value ^ (97 + (i * 7 + 3) % 26)).wrapping_mul(16_777_619);
            }
            let value = t.bv(32, value as u128);
            question.push(t.eq(hash, value));
            question
        }));
    }
    for (name, width) in [("distributive law, 32 bits", 32), ("distributive law, 64 bits", 64)] {
        all.push(hard_one(name, Some(false), |t| {
            let [x, y, z] = ["x", "y", "z"].map(|name| t.fresh(name, Sort::Bv(width)));
            let sum = t.add(y, z);
            let left = t.mul(x, sum);
            let (a, b) = (t.mul(x, y), t.mul(x, z));
            let right = t.add(a, b);
            vec![t.ne(left, right)]
        }));
    }
    all.push(hard_one("bits counted in parallel and one by one, 32 bits", Some(false), |t| {
        let x = t.fresh("x", Sort::Bv(32));
        let (fast, slow) = (popcount(t, x), popcount_slow(t, x));
        vec![t.ne(fast, slow)]
    }));
    all.push(hard_one("bits counted in parallel are 17", Some(true), |t| {
        let x = t.fresh("x", Sort::Bv(32));
        let (count, value) = (popcount(t, x), t.bv(32, 17));
        vec![t.eq(count, value)]
    }));
    all
}

/// Questions that methods of ordinary programs ask.
fn of_methods() -> Vec<Hard> {
    let mut all = vec![
        hard_one("checked product is a prime", Some(true), |t| {
            let (x, y) = (t.fresh("x", Sort::Bv(32)), t.fresh("y", Sort::Bv(32)));
            let (overflow, product, value) = (t.mul_overflows(x, y, true), t.mul(x, y), t.bv(32, 1_000_003));
            vec![t.not(overflow), t.eq(product, value)]
        }),
        hard_one("square of a bounded int is negative", Some(false), |t| {
            let x = t.fresh("x", Sort::Bv(32));
            let (low, high, zero) = (t.bv(32, (-46340i32) as u32 as u128), t.bv(32, 46340), t.bv(32, 0));
            let square = t.mul(x, x);
            vec![t.sge(x, low), t.sle(x, high), t.slt(square, zero)]
        }),
        hard_one("right triangle of shorts", Some(true), |t| {
            let mut question = Vec::new();
            let [x, y, z] = ["a", "b", "c"].map(|name| {
                let side = t.fresh(name, Sort::Bv(16));
                let side = t.sext(side, 32);
                let zero = t.bv(32, 0);
                question.push(t.sgt(side, zero));
                t.mul(side, side)
            });
            let sum = t.add(x, y);
            question.push(t.eq(sum, z));
            question
        }),
        hard_one("product of two ushorts is a semiprime", Some(true), |t| {
            let (p, q) = (t.fresh("p", Sort::Bv(16)), t.fresh("q", Sort::Bv(16)));
            let (one, value) = (t.bv(16, 1), t.bv(32, 62_615_533));
            let mut question = vec![t.ult(one, p), t.ult(one, q), t.ule(p, q)];
            let (p, q) = (t.zext(p, 32), t.zext(q, 32));
            let product = t.mul(p, q);
            question.push(t.eq(product, value));
            question
        }),
    ];
    for (name, steps, expected) in
        [("six steps of Euclid below 50", 6, true), ("nine steps of Euclid below 50", 9, false)]
    {
        all.push(hard_one(name, Some(expected), |t| {
            let (mut a, mut b) = (t.fresh("a", Sort::Bv(32)), t.fresh("b", Sort::Bv(32)));
            let (one, fifty, zero) = (t.bv(32, 1), t.bv(32, 50), t.bv(32, 0));
            let mut question = Vec::new();
            for word in [a, b] {
                question.push(t.sge(word, one));
                question.push(t.sle(word, fifty));
            }
            for step in 0..steps {
                let rest = t.srem(a, b);
                (a, b) = (b, rest);
                let over = t.eq(rest, zero);
                question.push(if step + 1 < steps { t.not(over) } else { over });
            }
            question
        }));
    }
    all
}

fn hard_one(name: &'static str, expected: Option<bool>, build: impl FnOnce(&mut Terms) -> Vec<Term>) -> Hard {
    let mut terms = Terms::new();
    let question = build(&mut terms);
    Hard { name, terms, question, expected }
}

fn letter(t: &mut Terms, question: &mut Vec<Term>, from: u128, to: u128) -> Term {
    let letter = t.fresh("c", Sort::Bv(16));
    let letter = t.zext(letter, 32);
    let (low, high) = (t.bv(32, from), t.bv(32, to));
    question.push(t.ule(low, letter));
    question.push(t.ule(letter, high));
    letter
}

fn fmix64(t: &mut Terms, x: Term) -> Term {
    let shift = t.bv(64, 33);
    let mut h = x;
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        let high = t.lshr(h, shift);
        h = t.bvxor(h, high);
        let factor = t.bv(64, factor);
        h = t.mul(h, factor);
    }
    let high = t.lshr(h, shift);
    t.bvxor(h, high)
}

fn popcount(t: &mut Terms, x: Term) -> Term {
    let mut v = x;
    for (shift, mask) in
        [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0xffff)]
    {
        let (shift, mask) = (t.bv(32, shift), t.bv(32, mask));
        let shifted = t.lshr(v, shift);
        let (even, odd) = (t.bvand(v, mask), t.bvand(shifted, mask));
        v = t.add(even, odd);
    }
    v
}

fn popcount_slow(t: &mut Terms, x: Term) -> Term {
    let mut count = t.bv(32, 0);
    for i in 0..32 {
        let bit = t.extract(x, i, i);
        let bit = t.zext(bit, 32);
        count = t.add(count, bit);
    }
    count
}
