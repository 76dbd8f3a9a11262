//! What a test does when a part of the toolchain is not there.
//!
//! Where everything is asked for (`CILANTRO_REQUIRE_ALL`, as continuous integration does) it fails. Elsewhere it is
//! skipped, and says so: on standard error, and in the file that `cargo xtask test` reads at the end, because a test
//! runner keeps the output of what passes to itself.

use std::{env, fs::File, io::Write};

/// If set, nothing may be missing.
pub const REQUIRE_ALL: &str = "CILANTRO_REQUIRE_ALL";

/// Names the file that notes of skipped comparisons are added to.
pub const SKIPPED: &str = "CILANTRO_SKIPPED";

/// Whether a missing tool is a failure.
pub fn requires_all() -> bool {
    env::var_os(REQUIRE_ALL).is_some_and(|value| !value.is_empty() && value != "0")
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

#[allow(clippy::print_stderr, reason = "a skipped test is to be seen")]
fn note(text: &str) {
    eprintln!("{text}");
    let file = env::var_os(SKIPPED).map(|path| File::options().create(true).append(true).open(path));
    if let Some(Ok(mut file)) = file {
        // The note is a courtesy: a file that cannot be written makes no test fail.
        let _ = writeln!(file, "{text}");
    }
}
