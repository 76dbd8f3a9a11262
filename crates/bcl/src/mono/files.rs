//! `MonoIO`: the standard streams; files are not given to programs.

use crate::answers::no;
use crate::table::{Entry, native};
use vm::bytes::Bytes;
use vm::host::Output;
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::State;
use vm::value::{Repr, Value};

const IO: &str = "System.IO.MonoIO";
const DRIVER: &str = "System.ConsoleDriver";

pub(crate) const TABLE: &[Entry] = &[
    native(IO, "get_ConsoleInput", |_, _, _| Ok(Some(Value::I64(0)))),
    native(IO, "get_ConsoleOutput", |_, _, _| Ok(Some(Value::I64(1)))),
    native(IO, "get_ConsoleError", |_, _, _| Ok(Some(Value::I64(2)))),
    native(IO, "get_VolumeSeparatorChar", |_, _, _| Ok(Some(Value::I32('/' as i32)))),
    native(IO, "get_DirectorySeparatorChar", |_, _, _| Ok(Some(Value::I32('/' as i32)))),
    native(IO, "get_AltDirectorySeparatorChar", |_, _, _| Ok(Some(Value::I32('/' as i32)))),
    native(IO, "get_PathSeparator", |_, _, _| Ok(Some(Value::I32(':' as i32)))),
    // A pipe.
    native(IO, "GetFileType", |m, s, c| succeed(m, s, c, Value::I32(3))),
    native(IO, "Flush", |m, s, c| succeed(m, s, c, Value::bool(true))),
    native(IO, "Close", |m, s, c| succeed(m, s, c, Value::bool(true))),
    native(IO, "Seek", |m, s, c| {
        let place = c.number(m, s, 3)?;
        m.store(s, place, Repr::I4, Value::I32(INVALID_SEEK))?;
        Ok(Some(Value::I64(-1)))
    }),
    native(IO, "GetCurrentDirectory", |m, s, c| {
        let folder = match m.host.current_directory() {
            Ok(folder) => folder,
            Err(denied) => return Err(m.denied(s, c, &denied)),
        };
        let place = c.number(m, s, 0)?;
        m.store(s, place, Repr::I4, Value::I32(0))?;
        m.string(s, &folder).map(|text| Some(Value::address(text)))
    }),
    native(IO, "Write", write),
    native(IO, "Read", read),
    native(DRIVER, "Isatty", no),
];

/// `MonoIOError` of a stream that cannot seek.
const INVALID_SEEK: i32 = 25;

/// The error is the last argument.
fn succeed(m: &mut Machine, s: &mut State, call: &Call, value: Value) -> Step<Option<Value>> {
    let place = call.number(m, s, call.args.len() - 1)?;
    m.store(s, place, Repr::I4, Value::I32(0))?;
    Ok(Some(value))
}

/// `(handle, byte[] source, offset, count, out error)`.
fn write(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let to = if call.number(m, s, 0)? == 2 { Output::Error } else { Output::Out };
    let (array, offset, count) = (call.number(m, s, 1)?, call.number(m, s, 2)?, call.number(m, s, 3)?);
    if count > 0 {
        let bytes = m.load_bytes(s, array + u64::from(ELEMENTS) + offset, count as usize)?;
        let Some(bytes) = bytes.concrete() else {
            return Err(unsupported(s, "symbolic text on the console"));
        };
        if let Err(denied) = m.host.write(to, bytes) {
            return Err(m.denied(s, call, &denied));
        }
    }
    succeed(m, s, call, Value::I32(count as i32))
}

/// `(handle, byte[] destination, offset, count, out error)`.
fn read(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (array, offset, count) = (call.number(m, s, 1)?, call.number(m, s, 2)?, call.number(m, s, 3)?);
    let bytes = match m.host.read(count as usize) {
        Ok(bytes) => bytes,
        Err(denied) => return Err(m.denied(s, call, &denied)),
    };
    let read = bytes.len().min(count as usize);
    if read > 0 {
        m.store_bytes(s, array + u64::from(ELEMENTS) + offset, &Bytes::from_vec(bytes))?;
    }
    succeed(m, s, call, Value::I32(read as i32))
}
