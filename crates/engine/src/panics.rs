//! A panic is a defect in us: it ends one method's exploration, not the run, and is told once, in the report.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};

thread_local! {
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps stderr clean: the message and its place are kept for [`caught`]; the full trace is printed only on request.
pub fn install_hook(verbose: bool) {
    let standard = take_hook();
    set_hook(Box::new(move |info| {
        let message = describe(info);
        LAST.with(|last| *last.borrow_mut() = Some(message));
        if verbose {
            standard(info);
        }
    }));
}

/// Runs `work`; a panic becomes its message with the place in our source.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let kept = LAST.with(|last| last.borrow_mut().take());
        kept.unwrap_or_else(|| text_of(payload.as_ref()).to_owned())
    })
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let text = text_of(info.payload());
    match info.location() {
        Some(place) => format!("{text} ({}:{})", place.file(), place.line()),
        None => text.to_owned(),
    }
}

fn text_of(payload: &(dyn std::any::Any + Send)) -> &str {
    if let Some(text) = payload.downcast_ref::<&str>() {
        text
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text
    } else {
        "panic"
    }
}
