//! The clock of the host, and random bytes. Time stands still but for the waiting of the program (see
//! [`vm::threads`]).

use crate::table::{Entry, all, enter, native, one};
use term::Term;
use verdict::Assumption;
use vm::host::LocalZone;
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const SYSTEM: &str = "Interop+Sys";
/// Hundreds of nanoseconds from the year 1 to 1970.
const UNIX_EPOCH: u64 = 621_355_968_000_000_000;

pub(crate) const TABLE: &[Entry] = &[
    native(SYSTEM, "GetSystemTimeAsTicks", system_time),
    native(SYSTEM, "GetLowResolutionTimestamp", milliseconds),
    native(SYSTEM, "GetTimestamp", nanoseconds),
    enter("System.TimeZoneInfo", "TryGetLocalTzFile", local_zone),
    enter("System.TimeZoneInfo", "GetTimeZoneDirectory", zone_folder),
    native(SYSTEM, "GetCryptographicallySecureRandomBytes", random_bytes),
    // The library of ciphers is not there; its random numbers are the host's.
    all("Interop+Crypto", "GetRandomBytes", |m, s, call| {
        random_bytes(m, s, call)?;
        Ok(Some(Value::bool(true)))
    }),
];

/// For one method alone: a generator asks for random bytes until they are not all zero, which they never are here.
pub(crate) const ALONE: &[Entry] = &[one("System.Random+XoshiroImpl", ".ctor", "", new_generator)];

fn new_generator(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let generator = call.number(m, s, 0)?;
    let words = random_words(m, 32);
    for (field, word) in ["_s0", "_s1", "_s2", "_s3"].into_iter().zip(words) {
        m.store_field(s, generator, field, Repr::I8, Value::Term(word))?;
    }
    Ok(None)
}

fn system_time(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    match m.host.utc_ticks() {
        Ok(ticks) => {
            let ticks = ticks.saturating_sub(UNIX_EPOCH) + s.threads_mut().ask_time() / 100;
            Ok(Some(Value::I64(ticks.cast_signed())))
        }
        Err(_) if m.explores() && is_for_zone(m, s) => {
            m.assume(Assumption::UsualEnvironment, |_| "a time zone keeps its rules".to_owned());
            Ok(Some(Value::I64(YEAR_2026)))
        }
        Err(_) if m.explores() => Ok(Some(Value::Term(m.clock()))),
        Err(denied) => Err(m.denied(s, call, &denied)),
    }
}

/// The first of January 2026 in ticks since 1970.
const YEAR_2026: i64 = 20_454 * 24 * 60 * 60 * 10_000_000;

/// Whether a time zone asks that is being made: it only looks for which of its hundreds of rules is in force, which would split
/// a path for each of them.
fn is_for_zone(m: &Machine, s: &State) -> bool {
    let mut askers = s.frames().map(|frame| m.universe.method(frame.code.method));
    let asker = askers.find(|method| &*m.universe.type_name(method.owner) != "System.DateTime");
    asker.is_some_and(|method| {
        &*method.name == ".ctor" && &*m.universe.type_name(method.owner) == "System.TimeZoneInfo"
    })
}

/// The first of January 1601 in ticks.
const FILE_TIME: u64 = 504_911_232_000_000_000;

/// `FILETIME`.
pub(crate) fn file_time(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    match m.host.utc_ticks() {
        Ok(ticks) => Ok(Some(Value::I64((ticks - FILE_TIME).cast_signed()))),
        Err(_) if m.explores() => Ok(Some(Value::Term(m.file_time()))),
        Err(denied) => Err(m.denied(s, call, &denied)),
    }
}

/// The machine was started some time before the program.
const UP_TIME: u64 = 1_000_000_000_000;

pub(crate) fn milliseconds(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    if m.explores() {
        return Ok(Some(Value::Term(m.milliseconds_running())));
    }
    Ok(Some(Value::I64(((s.threads_mut().ask_time() + UP_TIME) / 1_000_000).cast_signed())))
}

/// What is left of them in 32 bits.
pub(crate) fn milliseconds_32(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Ok(match milliseconds(m, s, call)? {
        Some(Value::I64(now)) => Some(Value::I32(now as i32)),
        Some(Value::Term(now)) => Some(Value::Term(m.resize(now, 32))),
        other => other,
    })
}

fn nanoseconds(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    if m.explores() {
        return Ok(Some(Value::Term(m.nanoseconds_running())));
    }
    Ok(Some(Value::I64((s.threads_mut().ask_time() + UP_TIME).cast_signed())))
}

/// The same bytes in every run with the same seed, so that a program behaves the same each time. What is proven must hold
/// for all of them, so in exploration they are any.
pub(crate) fn random_bytes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let target = call.number(m, s, 0)?;
    let count = call.number(m, s, 1)? as u32;
    if m.explores() {
        any_bytes(m, s, target, count)?;
    } else {
        for i in 0..count {
            let byte = s.next_random(m.config.seed);
            m.store(s, target + u64::from(i), Repr::U1, Value::I32(i32::from(byte)))?;
        }
    }
    let returns = m.universe.method(call.method).name.starts_with("GetCryptographically");
    Ok(returns.then_some(Value::I32(0)))
}

/// So many zeros at once nobody ever gets, and generators look for them.
const NEVER_ALL_ZERO: u32 = 16;

/// Any bytes; many of them are not all zero, and nothing else is known of them.
fn any_bytes(m: &mut Machine, s: &mut State, target: u64, count: u32) -> Step<()> {
    for (i, word) in random_words(m, count).into_iter().enumerate() {
        m.store(s, target + 8 * i as u64, Repr::I8, Value::Term(word))?;
    }
    for i in count / 8 * 8..count {
        let bits = m.chance(8);
        let bits = m.terms.zext(bits, 32);
        m.store(s, target + u64::from(i), Repr::U1, Value::Term(bits))?;
    }
    Ok(())
}

/// The whole words in so many bytes.
fn random_words(m: &mut Machine, count: u32) -> Vec<Term> {
    let mut words: Vec<Term> = (0..count / 8).map(|_| m.chance(64)).collect();
    if let Some(&first) = words.first().filter(|_| count >= NEVER_ALL_ZERO) {
        let any = words[1..].iter().fold(first, |any, &word| m.terms.bvor(any, word));
        let (zero, one) = (m.terms.bv(64, 0), m.terms.bv(64, 1));
        let is_zero = m.terms.eq(any, zero);
        words[0] = m.terms.ite(is_zero, one, first);
    }
    words
}

/// Unless the program is told another zone, local time is universal time: files that say where the machine stands are not
/// read. Where the contents of the file
/// and the name of the zone would go are both set to null.
fn local_zone(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    if m.host.local_zone() == LocalZone::OfVariable {
        return m.enter_body(s, call, after);
    }
    for index in 0..call.args.len() {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::Ref, Value::NULL)?;
    }
    m.returned(s, after, Some(Value::bool(false)))
}

/// A variable may name another folder for programs.
fn zone_folder(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    if m.mode().runs_program() {
        return m.enter_body(s, call, after);
    }
    let folder = m.string(s, "/usr/share/zoneinfo/")?;
    m.returned(s, after, Some(Value::address(folder)))
}
