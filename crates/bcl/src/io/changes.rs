//! The system's calls that change files and folders. Where nothing may be changed they refuse, as a system does without
//! the permission.

use crate::io::files::{
    MINUS_ONE, UMASK, ask_files, changed, new_descriptor, opened, path, refusal_of_new, writable,
};
use crate::process::errno::{Errno, Process, fails};
use crate::table::{Entry, native};
use vm::host::Change;
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const SYSTEM: &str = "Interop+Sys";

pub(crate) const TABLE: &[Entry] = &[
    native(SYSTEM, "<Unlink>g____PInvoke|", |m, s, c| there(m, s, c, |path, _| Change::Remove { path })),
    native(SYSTEM, "<RmDir>g____PInvoke|", |m, s, c| there(m, s, c, |path, _| Change::RemoveFolder { path })),
    native(SYSTEM, "<ChMod>g____PInvoke|", |m, s, c| {
        there(m, s, c, |path, mode| Change::SetMode { path, mode: mode as u32 & 0o7777 })
    }),
    native(SYSTEM, "<Rename>g____PInvoke|", rename),
    native(SYSTEM, "<Link>g____PInvoke|", second_name),
    native(SYSTEM, "<UTimensat>g____PInvoke|", set_times),
    native(SYSTEM, "<MkDir>g____PInvoke|", new_folder),
    native(SYSTEM, "<MkdTemp>g____PInvoke|", temporary_folder),
    native(SYSTEM, "<MksTemps>g____PInvoke|", temporary_file),
    native(SYSTEM, "<SymLink>g____PInvoke|", new_link),
    native(SYSTEM, "<FChMod>g____PInvoke|", |m, s, c| {
        on_open(m, s, c, |path, mode| Change::SetMode { path, mode: mode as u32 & 0o7777 })
    }),
    native(SYSTEM, "<FUTimens>g____PInvoke|", set_times_of_open),
    native(SYSTEM, "<FTruncate>g____PInvoke|", |m, s, c| {
        on_open(m, s, c, |path, size| Change::Resize { path, size })
    }),
    native(SYSTEM, "<FAllocate>g____PInvoke|", allocate),
    native(SYSTEM, "<Write>g____PInvoke|", write),
    native(SYSTEM, "<PWrite>g____PInvoke|", write_at),
    native(SYSTEM, "<PWriteV>g____PInvoke|", write_many),
    native(SYSTEM, "<CopyFile>g____PInvoke|", copy),
];

fn answer(s: &mut State, done: Result<(), Errno>) -> Step<Option<Value>> {
    match done {
        Ok(()) => Ok(Some(Value::I32(0))),
        Err(error) => fails(s, error, MINUS_ONE),
    }
}

/// Changes what a path leads to; the change gets the second argument as well.
fn there(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    change: for<'a> fn(&'a str, u64) -> Change<'a>,
) -> Step<Option<Value>> {
    let path = path(m, s, call, 0)?;
    let second = if call.args.len() > 1 { call.number(m, s, 1)? } else { 0 };
    if !writable(m) {
        return refuse(m, s, call, &path);
    }
    let done = changed(m, s, call, &path, change(&path, second))?;
    answer(s, done)
}

/// Something there would change, and may not.
fn refuse(m: &mut Machine, s: &mut State, call: &Call, path: &str) -> Step<Option<Value>> {
    match ask_files(m, s, call, path, |files| files.status(path, false))? {
        Ok(_) => fails(s, Errno::ACCESS, MINUS_ONE),
        Err(error) => fails(s, error, MINUS_ONE),
    }
}

fn rename(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (from, to) = (path(m, s, call, 0)?, path(m, s, call, 1)?);
    if !writable(m) {
        return refuse(m, s, call, &from);
    }
    let done = changed(m, s, call, &from, Change::Rename { from: &from, to: &to })?;
    answer(s, done)
}

/// A file has one name: the class library goes another way where there are no hard links.
fn second_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let from = path(m, s, call, 0)?;
    if writable(m) { fails(s, Errno::NOT_PERMITTED, MINUS_ONE) } else { refuse(m, s, call, &from) }
}

/// `(path, times)`: seconds and nanoseconds of the last read and of the last write.
fn set_times(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let path = path(m, s, call, 0)?;
    if !writable(m) {
        return refuse(m, s, call, &path);
    }
    let times = times(m, s, call)?;
    let done = changed(m, s, call, &path, Change::SetTimes { path: &path, times, follow: false })?;
    answer(s, done)
}

fn set_times_of_open(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Some(file) = opened(m, s, call)? else { return fails(s, Errno::BAD_FILE, MINUS_ONE) };
    let times = times(m, s, call)?;
    let change = Change::SetTimes { path: &file.path, times, follow: true };
    let done = changed(m, s, call, &file.path, change)?;
    answer(s, done)
}

fn times(m: &mut Machine, s: &State, call: &Call) -> Step<[i64; 2]> {
    let at = call.number(m, s, 1)?;
    let mut times = [0; 2];
    for (i, time) in (0..).zip(&mut times) {
        let seconds = m.load_word(s, at + 16 * i)?.cast_signed();
        let nanoseconds = m.load_word(s, at + 16 * i + 8)?.cast_signed();
        *time = seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds);
    }
    Ok(times)
}

/// `(path, mode)`
fn new_folder(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let path = path(m, s, call, 0)?;
    if !writable(m) {
        return refuse_new(m, s, call, &path);
    }
    let mode = call.number(m, s, 1)? as u32 & 0o7777 & !UMASK;
    let done = changed(m, s, call, &path, Change::NewFolder { path: &path, mode })?;
    answer(s, done)
}

/// Something would be made, and may not.
fn refuse_new(m: &mut Machine, s: &mut State, call: &Call, path: &str) -> Step<Option<Value>> {
    let error = match ask_files(m, s, call, path, |files| files.status(path, false))? {
        Ok(_) => Errno::EXISTS,
        Err(Errno::NO_ENTRY) => refusal_of_new(m, s, call, path)?,
        Err(error) => error,
    };
    fails(s, error, MINUS_ONE)
}

/// `(target, link)`
fn new_link(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let path = path(m, s, call, 1)?;
    if !writable(m) {
        let error = refusal_of_new(m, s, call, &path)?;
        return fails(s, error, MINUS_ONE);
    }
    let target = call.number(m, s, 0)?;
    let target = m.c_string(s, target)?;
    let done = changed(m, s, call, &path, Change::NewLink { path: &path, target: &target })?;
    answer(s, done)
}

/// A new folder whose name the system chooses: the address of the name, null if it fails.
fn temporary_folder(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    match new_name(m, s, call, 0, |path| Change::NewFolder { path, mode: 0o700 })? {
        Ok(_) => Ok(Some(Value::address(call.number(m, s, 0)?))),
        Err(error) => fails(s, error, Value::NULL),
    }
}

/// `(name with room for six characters, length of what follows them)`: a new file, and its descriptor.
fn temporary_file(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let suffix = call.number(m, s, 1)? as usize;
    match new_name(m, s, call, suffix, |path| Change::NewFile { path, mode: 0o600 })? {
        Ok(path) => match ask_files(m, s, call, &path, |files| files.opened(&path))? {
            Ok(opened) => Ok(Some(Value::I64(new_descriptor(s, opened, true).cast_signed()))),
            Err(error) => fails(s, error, Value::I64(-1)),
        },
        Err(error) => fails(s, error, Value::I64(-1)),
    }
}

/// Fills the six places before the last `suffix` bytes of a name so that nothing has it, and makes what it is for.
fn new_name(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    suffix: usize,
    make: for<'a> fn(&'a str) -> Change<'a>,
) -> Step<Result<String, Errno>> {
    let asked = path(m, s, call, 0)?;
    if !writable(m) {
        return Ok(Err(refusal_of_new(m, s, call, &asked)?));
    }
    let at = asked.len().checked_sub(suffix + 6);
    let Some((start, end)) = at.and_then(|at| Some((asked.get(..at)?, asked.get(at + 6..)?))) else {
        return Ok(Err(Errno::INVALID));
    };
    for number in 0..1_000_000 {
        let name = format!("{start}{number:06}{end}");
        match changed(m, s, call, &name, make(&name))? {
            Ok(()) => {
                let place = call.number(m, s, 0)?;
                let written = m.c_string(s, place)?;
                let shown = name.get(name.len() - written.len()..).unwrap_or(&name).to_owned();
                m.write_c_string(s, place, shown.len() + 1, &shown)?;
                return Ok(Ok(name));
            }
            Err(Errno::EXISTS) => {}
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Err(Errno::EXISTS))
}

/// Changes an open file; the change gets the second argument as well.
fn on_open(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    change: for<'a> fn(&'a str, u64) -> Change<'a>,
) -> Step<Option<Value>> {
    let Some(file) = opened(m, s, call)?.filter(|_| writable(m)) else {
        return fails(s, Errno::BAD_FILE, MINUS_ONE);
    };
    let second = call.number(m, s, 1)?;
    let done = changed(m, s, call, &file.path, change(&file.path, second))?;
    answer(s, done)
}

/// `(descriptor, offset, length)`: the file is at least so long afterwards.
fn allocate(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Some(file) = opened(m, s, call)?.filter(|file| file.writes) else {
        return fails(s, Errno::BAD_FILE, MINUS_ONE);
    };
    let size = call.number(m, s, 1)?.saturating_add(call.number(m, s, 2)?);
    let done = match ask_files(m, s, call, &file.path, |files| files.status(&file.path, true))? {
        Ok(found) if found.size >= size => Ok(()),
        Ok(_) => changed(m, s, call, &file.path, Change::Resize { path: &file.path, size })?,
        Err(error) => Err(error),
    };
    answer(s, done)
}

/// `(descriptor, buffer, size)`
fn write(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Some(file) = opened(m, s, call)? else { return fails(s, Errno::BAD_FILE, MINUS_ONE) };
    let (from, size) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    match written(m, s, call, file.position, from, size)? {
        Ok(()) => {
            let descriptor = call.number(m, s, 0)?;
            if let Some(file) = s.attached.get_mut::<Process>().files.get_mut(&descriptor) {
                file.position += size;
            }
            Ok(Some(Value::I32(size as i32)))
        }
        Err(error) => fails(s, error, MINUS_ONE),
    }
}

/// `(descriptor, buffer, size, offset)`
fn write_at(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (from, size, offset) = (call.number(m, s, 1)?, call.number(m, s, 2)?, call.number(m, s, 3)?);
    match written(m, s, call, offset, from, size)? {
        Ok(()) => Ok(Some(Value::I32(size as i32))),
        Err(error) => fails(s, error, MINUS_ONE),
    }
}

/// `(descriptor, vectors, their count, offset)`: a vector is an address and a length.
fn write_many(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (vectors, count, offset) = (call.number(m, s, 1)?, call.number(m, s, 2)?, call.number(m, s, 3)?);
    let mut total = 0;
    for i in 0..count {
        let (from, size) = (m.load_word(s, vectors + 16 * i)?, m.load_word(s, vectors + 16 * i + 8)?);
        if let Err(error) = written(m, s, call, offset + total, from, size)? {
            return fails(s, error, Value::I64(-1));
        }
        total += size;
    }
    Ok(Some(Value::I64(total.cast_signed())))
}

/// Writes memory into the file of the descriptor that is the first argument.
fn written(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    offset: u64,
    from: u64,
    size: u64,
) -> Step<Result<(), Errno>> {
    let size = (size & u64::from(u32::MAX)) as usize;
    let Some(file) = opened(m, s, call)?.filter(|file| file.writes) else { return Ok(Err(Errno::BAD_FILE)) };
    if size == 0 {
        return Ok(Ok(()));
    }
    let bytes = m.load_bytes(s, from, size)?;
    let Some(bytes) = bytes.concrete() else { return Err(unsupported(s, "a file of unknown bytes")) };
    if s.heap.live_bytes().saturating_add(offset).saturating_add(size as u64) > m.config.max_heap_bytes {
        return Ok(Err(Errno::NO_SPACE));
    }
    changed(m, s, call, &file.path, Change::Write { path: &file.path, offset, bytes })
}

/// `(source, destination, length)`: the whole file.
fn copy(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let target = call.number(m, s, 1)?;
    let target = s.attached.get::<Process>().files.get(&target).filter(|file| file.writes).cloned();
    let (Some(source), Some(target)) = (opened(m, s, call)?, target) else {
        return fails(s, Errno::BAD_FILE, MINUS_ONE);
    };
    let bytes = ask_files(m, s, call, &source.path, |files| files.read(&source.path, 0, usize::MAX))?;
    let done = match bytes {
        Ok(bytes) => {
            let change = Change::Write { path: &target.path, offset: 0, bytes: &bytes };
            changed(m, s, call, &target.path, change)?
        }
        Err(error) => Err(error),
    };
    answer(s, done)
}
