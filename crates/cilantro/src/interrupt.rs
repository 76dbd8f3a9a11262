//! Ctrl-C: the first one asks the run to end and to print what is there, the second one leaves at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use budget::Signals;

/// The exit code of a process that its user stopped.
pub const STOPPED_BY_USER: i32 = 130;

/// Connects the signals of the system. Where that fails, Ctrl-C just ends the process.
pub fn connect(signals: &Arc<Signals>) {
    let signals = Arc::clone(signals);
    let _unavailable = ctrlc::set_handler(move || {
        if signals.is_interrupted() {
            std::process::exit(STOPPED_BY_USER);
        }
        signals.interrupt();
    });
}

/// Ctrl-C while a program runs: it ends between two instructions, or at once if it waits for input.
pub fn end_program(interrupted: &Arc<AtomicBool>) {
    const PATIENCE: Duration = Duration::from_millis(500);
    let interrupted = Arc::clone(interrupted);
    let _unavailable = ctrlc::set_handler(move || {
        interrupted.store(true, Ordering::Relaxed);
        std::thread::sleep(PATIENCE);
        std::process::exit(STOPPED_BY_USER);
    });
}
