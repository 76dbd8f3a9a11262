//! Listing folders and the current directory.

use crate::io::files::ask_files;
use crate::io::files::current_folder;
use crate::io::files::path;
use crate::process::errno::Process;
use crate::process::errno::{Errno, fails};
use crate::table::{Entry, native};
use vm::host::FileKind;
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const SYSTEM: &str = "Interop+Sys";

pub(crate) const TABLE: &[Entry] = &[
    native(SYSTEM, "<OpenDir>g____PInvoke|", open),
    native(SYSTEM, "ReadDir", next),
    native(SYSTEM, "<CloseDir>g____PInvoke|", close),
    native(SYSTEM, "<GetCwd>g____PInvoke|", current),
    native(SYSTEM, "<ChDir>g____PInvoke|", change),
];

/// A folder that is being listed: what is left of it.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    /// The last comes first.
    left: Vec<(String, FileKind)>,
}

fn open(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let path = path(m, s, call, 0)?;
    match ask_files(m, s, call, &path, |files| files.entries(&path))? {
        Ok(mut left) => {
            left.reverse();
            let handle = m.runtime_data(s, vec![0; 8]);
            s.attached.get_mut::<Process>().listings.insert(handle, Listing { left });
            Ok(Some(Value::address(handle)))
        }
        Err(error) => fails(s, error, Value::NULL),
    }
}

/// `(handle, entry)`: 0 with an entry (name, length of the name or -1, kind), -1 at the end.
fn next(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (handle, entry) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let Some(listing) = s.attached.get_mut::<Process>().listings.get_mut(&handle) else {
        return Err(unsupported(s, "a listing of a folder that is closed"));
    };
    let Some((name, kind)) = listing.left.pop() else { return Ok(Some(Value::I32(-1))) };
    let kind = match kind {
        FileKind::Folder => 4,
        FileKind::File => 8,
        FileKind::Link => 10,
        FileKind::Other => 0,
    };
    let text = m.new_c_string(s, &name);
    m.store(s, entry, Repr::I8, Value::address(text))?;
    m.store(s, entry + 8, Repr::I4, Value::I32(name.len() as i32))?;
    m.store(s, entry + 12, Repr::I4, Value::I32(kind))?;
    Ok(Some(Value::I32(0)))
}

fn close(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    s.attached.get_mut::<Process>().listings.remove(&handle);
    Ok(Some(Value::I32(0)))
}

/// `(buffer, size)`: the buffer, or null.
fn current(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (to, size) = (call.number(m, s, 0)?, call.number(m, s, 1)? as usize);
    let folder = current_folder(m, s, call)?;
    if folder.len() >= size {
        return fails(s, Errno::RANGE, Value::NULL);
    }
    m.write_c_string(s, to, size, &folder)?;
    Ok(Some(Value::address(to)))
}

fn change(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let path = path(m, s, call, 0)?;
    match ask_files(m, s, call, &path, |files| files.status(&path, true))? {
        Ok(found) if found.kind == FileKind::Folder => {
            let path = match path.trim_end_matches('/') {
                "" => "/",
                path => path,
            };
            s.attached.get_mut::<Process>().folder = Some(path.to_owned());
            Ok(Some(Value::I32(0)))
        }
        Ok(_) => fails(s, Errno::NOT_DIRECTORY, Value::I32(-1)),
        Err(error) => fails(s, error, Value::I32(-1)),
    }
}
