//! What a process changes about itself, and text that crosses the border to the system: zero-terminated bytes.

use std::collections::BTreeMap;

use crate::table::{Entry, all, native};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const SYSTEM: &str = "Interop+Sys";
const MARSHAL: &str = "System.Runtime.InteropServices.Marshal";

pub(crate) const TABLE: &[Entry] = &[
    native(SYSTEM, "GetErrNo", |_, s, _| Ok(Some(Value::I32(s.attached.get::<Process>().error)))),
    native(SYSTEM, "SetErrNo", set_error),
    native(SYSTEM, "ConvertErrorPlatformToPal", to_portable),
    native(SYSTEM, "ConvertErrorPalToPlatform", from_portable),
    native(SYSTEM, "StrErrorR", error_text),
    // The JIT replaces the bodies of these two.
    all(MARSHAL, "GetLastPInvokeError", |_, s, _| {
        Ok(Some(Value::I32(s.attached.get::<Process>().call_error)))
    }),
    all(MARSHAL, "SetLastPInvokeError", set_call_error),
];

/// The part of a process that the system keeps for it.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// `errno`.
    pub(crate) error: i32,
    /// The error of the last native call that wanted it kept.
    call_error: i32,
    /// Environment variables that were set or removed.
    pub(crate) variables: BTreeMap<String, Option<String>>,
    /// The current directory, once it was changed.
    pub(crate) folder: Option<String>,
    pub(crate) files: BTreeMap<u64, crate::io::files::OpenFile>,
    pub(crate) listings: BTreeMap<u64, crate::io::folders::Listing>,
}

/// Errors of the system: Linux's number, the class library's, and the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub i32);

impl Errno {
    pub const NOT_PERMITTED: Errno = Errno(1);
    pub const NO_ENTRY: Errno = Errno(2);
    pub const IO: Errno = Errno(5);
    pub const BAD_FILE: Errno = Errno(9);
    pub const AGAIN: Errno = Errno(11);
    pub const ACCESS: Errno = Errno(13);
    pub const EXISTS: Errno = Errno(17);
    pub const NOT_DIRECTORY: Errno = Errno(20);
    pub const IS_DIRECTORY: Errno = Errno(21);
    pub const INVALID: Errno = Errno(22);
    pub const NO_SPACE: Errno = Errno(28);
    pub const RANGE: Errno = Errno(34);
    pub const NAME_TOO_LONG: Errno = Errno(36);
    pub const NOT_EMPTY: Errno = Errno(39);
    pub const LOOP: Errno = Errno(40);
}

const ERRORS: &[(i32, i32, &str)] = &[
    (0, 0, "Success"),
    (1, 0x10042, "Operation not permitted"),
    (2, 0x1002D, "No such file or directory"),
    (5, 0x1001D, "Input/output error"),
    (9, 0x10008, "Bad file descriptor"),
    (11, 0x10006, "Resource temporarily unavailable"),
    (12, 0x10031, "Cannot allocate memory"),
    (13, 0x10002, "Permission denied"),
    (17, 0x10014, "File exists"),
    (20, 0x10039, "Not a directory"),
    (21, 0x1001F, "Is a directory"),
    (22, 0x1001C, "Invalid argument"),
    (28, 0x10034, "No space left on device"),
    (34, 0x10047, "Numerical result out of range"),
    (36, 0x10025, "File name too long"),
    (39, 0x1003A, "Directory not empty"),
    (40, 0x10020, "Too many levels of symbolic links"),
];

fn set_error(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let error = call.number(m, s, 0)? as i32;
    s.attached.get_mut::<Process>().error = error;
    Ok(None)
}

fn set_call_error(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let error = call.number(m, s, 0)? as i32;
    s.attached.get_mut::<Process>().call_error = error;
    Ok(None)
}

fn to_portable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = call.number(m, s, 0)? as i32;
    match ERRORS.iter().find(|error| error.0 == number) {
        Some(error) => Ok(Some(Value::I32(error.1))),
        None => Err(unsupported(s, &format!("the system's error {number}"))),
    }
}

fn from_portable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = call.number(m, s, 0)? as i32;
    match ERRORS.iter().find(|error| error.1 == number) {
        Some(error) => Ok(Some(Value::I32(error.0))),
        None => Err(unsupported(s, &format!("the system's error {number:#x}"))),
    }
}

/// `(number, buffer, its size)`, and the text's address is the result.
fn error_text(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = call.number(m, s, 0)? as i32;
    let text = ERRORS.iter().find(|error| error.0 == number).map(|error| error.2.to_owned());
    let text = text.unwrap_or_else(|| format!("Unknown error {number}"));
    let (buffer, size) = (call.number(m, s, 1)?, call.number(m, s, 2)? as usize);
    m.write_c_string(s, buffer, size, &text)?;
    Ok(Some(Value::address(buffer)))
}

/// The result of a native call that failed.
pub(crate) fn fails(s: &mut State, error: Errno, result: Value) -> Step<Option<Value>> {
    s.attached.get_mut::<Process>().error = error.0;
    Ok(Some(result))
}
