//! Ctrl-C: the first one asks the run to end and to print what is there, the second one leaves at once.

use std::sync::Arc;

use crate::driver::Signals;

/// The exit code of a process that its user stopped.
const STOPPED_BY_USER: i32 = 130;

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
