//! What a test does when a part of the toolchain is not there.
//!
//! Where everything is asked for (`CILANTRO_REQUIRE_ALL`, as continuous integration does) it fails. Elsewhere it is
//! skipped, and says so: on standard error, and in the file that `cargo xtask test` reads at the end, because a test
//! runner keeps the output of what passes to itself.

use std::{env, fs::File, io::Write};

use crate::icu;

/// If set, nothing may be missing.
pub const REQUIRE_ALL: &str = "CILANTRO_REQUIRE_ALL";

/// Names the file that notes of skipped comparisons are added to.
pub const SKIPPED: &str = "CILANTRO_SKIPPED";

/// Says that this machine cannot have ICU: then what needs it may be left out in any case.
pub const WITHOUT_ICU: &str = "CILANTRO_WITHOUT_ICU";

/// Whether a missing tool is a failure.
pub fn requires_all() -> bool {
    is_set(REQUIRE_ALL)
}

/// What was found; if nothing was, the test is to return at once.
///
/// # Panics
///
/// If everything is asked for.
pub fn found_or_skip<T>(what: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        assert!(!requires_all(), "{what} is not there, and {REQUIRE_ALL} asks for everything");
        note(&format!("not compared: {what} is not there"));
    }
    found
}

/// The version of the machine's ICU; without one, a test about cultures is to return at once.
///
/// # Panics
///
/// If everything is asked for, and nobody said that ICU cannot be had.
pub fn icu_or_skip() -> Option<String> {
    let found = icu();
    if found.is_none() && is_set(WITHOUT_ICU) {
        note("not compared: ICU is not there");
        return None;
    }
    found_or_skip("ICU", found)
}

/// Whether tests about cultures are left out.
pub fn leaves_out_icu() -> bool {
    icu().is_none() && (!requires_all() || is_set(WITHOUT_ICU))
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

#[allow(clippy::print_stderr, reason = "a skipped test is to be seen")]
fn note(text: &str) {
    eprintln!("{text}");
    let file = env::var_os(SKIPPED).map(|path| File::options().create(true).append(true).open(path));
    if let Some(Ok(mut file)) = file {
        // The note is a courtesy: a file that cannot be written makes no test fail.
        let _ = writeln!(file, "{text}");
    }
}
