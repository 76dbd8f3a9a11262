//! Random numbers in exploration: every number that a generator without a seed can give. Generators with a seed are the
//! class library's own code.

use term::Term;

use crate::table::{Entry, all, one};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const GENERATOR: &str = "System.Random+XoshiroImpl";

pub(crate) const TABLE: &[Entry] = &[
    all(GENERATOR, "NextUInt32", |m, _, _| Ok(Some(Value::Term(m.chance(32))))),
    all(GENERATOR, "NextUInt64", |m, _, _| Ok(Some(Value::Term(m.chance(64))))),
    one(GENERATOR, "Next", "", |m, s, call| below_most(m, s, call, 32)),
    one(GENERATOR, "NextInt64", "", |m, s, call| below_most(m, s, call, 64)),
    one(GENERATOR, "Next", "System.Int32", |m, s, call| below(m, s, call, 32)),
    one(GENERATOR, "NextInt64", "System.Int64", |m, s, call| below(m, s, call, 64)),
    one(GENERATOR, "Next", "System.Int32,System.Int32", |m, s, call| between(m, s, call, 32)),
    one(GENERATOR, "NextInt64", "System.Int64,System.Int64", |m, s, call| between(m, s, call, 64)),
];

/// A number that is not negative and not the greatest one.
fn below_most(m: &mut Machine, _: &mut State, _: &Call, width: u32) -> Step<Option<Value>> {
    let bound = m.terms.bv(width, (1 << (width - 1)) - 1);
    Ok(Some(Value::Term(rest(m, bound, width))))
}

fn below(m: &mut Machine, s: &mut State, call: &Call, width: u32) -> Step<Option<Value>> {
    let bound = number(m, s, call, 1)?;
    Ok(Some(Value::Term(rest(m, bound, width))))
}

fn between(m: &mut Machine, s: &mut State, call: &Call, width: u32) -> Step<Option<Value>> {
    let (least, bound) = (number(m, s, call, 1)?, number(m, s, call, 2)?);
    let many = m.terms.sub(bound, least);
    let offset = rest(m, many, width);
    Ok(Some(Value::Term(m.terms.add(least, offset))))
}

/// Below the bound; zero if that is zero.
fn rest(m: &mut Machine, bound: Term, width: u32) -> Term {
    let any = m.chance(width);
    let zero = m.terms.bv(width, 0);
    let none = m.terms.eq(bound, zero);
    let rest = m.terms.urem(any, bound);
    m.terms.ite(none, zero, rest)
}

fn number(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<Term> {
    let value = call.value(s, index)?;
    m.integer_term(&value).ok_or_else(|| unsupported(s, "a bound that is no number"))
}
