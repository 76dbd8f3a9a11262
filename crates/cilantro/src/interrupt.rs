//! Ctrl-C: the first one asks the run to end and to print what is there, the second one leaves at once. And the end of a
//! program's time, which is kept even inside of an instruction.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

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

/// How long a program has to end between two instructions.
const PATIENCE: Duration = Duration::from_millis(500);

/// Ctrl-C while a program runs: it ends between two instructions, or at once if it waits for input.
pub fn end_program(interrupted: &Arc<AtomicBool>) {
    let interrupted = Arc::clone(interrupted);
    let _unavailable = ctrlc::set_handler(move || {
        interrupted.store(true, Ordering::Relaxed);
        std::thread::sleep(PATIENCE);
        std::process::exit(STOPPED_BY_USER);
    });
}

/// The program is still running; dropped when it has ended.
pub struct Running(#[allow(dead_code, reason = "that it is dropped is the message")] Sender<()>);

/// Leaves the process if a program has not ended between two instructions at its deadline: a single one may take as long
/// as nobody types anything, or copy gigabytes.
pub fn end_in_time(deadline: Option<Instant>, leave: impl FnOnce() + Send + 'static) -> Running {
    let (running, ended) = mpsc::channel();
    let last = deadline.and_then(|deadline| deadline.checked_add(PATIENCE));
    if let Some(last) = last {
        std::thread::spawn(move || {
            let patience = last.saturating_duration_since(Instant::now());
            if ended.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                leave();
            }
        });
    }
    Running(running)
}
