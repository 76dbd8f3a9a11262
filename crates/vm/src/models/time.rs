//! The clock of the host, and random bytes. Time stands still but for the waiting of the program (see [`super::tasks`]).

use super::{Call, Entry, native};
use crate::machine::{Machine, Step};
use crate::state::State;
use crate::value::{Repr, Value};

const SYSTEM: &str = "Interop+Sys";
/// Hundreds of nanoseconds from the year 1 to 1970.
const UNIX_EPOCH: u64 = 621_355_968_000_000_000;

pub(super) const TABLE: &[Entry] = &[
    native(SYSTEM, "GetSystemTimeAsTicks", system_time),
    native(SYSTEM, "GetCryptographicallySecureRandomBytes", random_bytes),
];

fn system_time(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    match m.host.utc_ticks() {
        Ok(ticks) => {
            let ticks = ticks.saturating_sub(UNIX_EPOCH) + s.work.elapsed_ticks();
            Ok(Some(Value::I64(ticks.cast_signed())))
        }
        Err(denied) => Err(m.denied(s, call, &denied)),
    }
}

/// The same bytes in every run, so that a program behaves the same each time.
fn random_bytes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let target = call.number(m, s, 0)?;
    let count = call.number(m, s, 1)? as u32;
    for i in 0..count {
        let byte = s.next_random();
        m.store(s, target + u64::from(i), Repr::U1, Value::I32(i32::from(byte)))?;
    }
    let returns = m.universe.method(call.method).name.starts_with("GetCrypto");
    Ok(returns.then_some(Value::I32(0)))
}
