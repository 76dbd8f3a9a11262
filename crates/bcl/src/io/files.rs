//! Files, as the system's calls see them: descriptors belong to the state, contents come from the host. A folder that may
//! not be written to refuses as one without the permission does; what changes one is in [`super::changes`].

use crate::process::errno::Process;
use crate::process::errno::{Errno, fails};
use crate::process::identity::USER;
use crate::reflection::contexts::lacks_assembly;
use crate::table::{Entry, native};
use std::path::Path;
use std::rc::Rc;
use verdict::Gap;
use vm::bytes::Bytes;
use vm::host::{Change, Denied, FileFailure, FileKind, FileStatus, Files, Zones};
use vm::machine::{Machine, Step, give_up};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const SYSTEM: &str = "Interop+Sys";

pub(crate) const TABLE: &[Entry] = &[
    native(SYSTEM, "<Open>g____PInvoke|", open),
    native(SYSTEM, "<Close>g____PInvoke|", close),
    native(SYSTEM, "<Read>g____PInvoke|", read),
    native(SYSTEM, "<PRead>g____PInvoke|", read_at),
    native(SYSTEM, "<PReadV>g____PInvoke|", read_many),
    native(SYSTEM, "<LSeek>g____PInvoke|", seek),
    native(SYSTEM, "<FStat>g____PInvoke|", status_of_open),
    native(SYSTEM, "<Stat>g____PInvoke|", |m, s, call| status(m, s, call, true)),
    native(SYSTEM, "<LStat>g____PInvoke|", |m, s, call| status(m, s, call, false)),
    native(SYSTEM, "<FLock>g____PInvoke|", lock),
    native(SYSTEM, "<PosixFAdvise>g____PInvoke|", done),
    native(SYSTEM, "<FSync>g____PInvoke|", done),
    native(SYSTEM, "<GetFileSystemType>g____PInvoke|", ordinary_file_system),
    native(SYSTEM, "<Access>g____PInvoke|", access),
    native(SYSTEM, "<ReadLink>g____PInvoke|", read_link),
    native(SYSTEM, "CanGetHiddenFlag", done),
    native(SYSTEM, "LChflagsCanSetHiddenFlag", done),
];

/// A descriptor.
#[derive(Clone, Debug)]
pub(crate) struct OpenFile {
    /// The name under which the host knows the file that is open.
    pub path: String,
    pub position: u64,
    lock: Lock,
    pub writes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lock {
    None,
    Shared,
    Exclusive,
}

pub(crate) const MINUS_ONE: Value = Value::I32(-1);
/// Descriptors below are the standard streams.
const FIRST_DESCRIPTOR: u64 = 3;

// Flags of `Open`.
const ACCESS_MODE: u64 = 0xf;
const CREATE: u64 = 0x20;
const EXCLUSIVE: u64 = 0x40;
const TRUNCATE: u64 = 0x80;
/// What the permissions of new files lack.
pub(crate) const UMASK: u32 = 0o022;

/// What the host's files say; a refusal ends the path with the reason.
pub(crate) fn ask_files<T>(
    m: &mut Machine,
    s: &State,
    call: &Call,
    path: &str,
    ask: impl FnOnce(&dyn Files) -> vm::host::FileAnswer<T>,
) -> Step<Result<T, Errno>> {
    if is_of_the_system(path) {
        return Ok(Err(Errno::NO_ENTRY));
    }
    let files: Rc<dyn Files> = if Zones::are_at(path) {
        let Some(zones) = m.host.zones() else { return Ok(Err(Errno::NO_ENTRY)) };
        zones
    } else {
        m.host.files().map_err(|denied| denied_file(m, s, call, path, &denied))?
    };
    match ask(&*files) {
        Ok(answer) => Ok(answer.map_err(errno)),
        Err(denied) => Err(m.denied(s, call, &denied)),
    }
}

fn denied_file(m: &Machine, s: &State, call: &Call, path: &str, denied: &Denied) -> Box<vm::stop::Stop> {
    let name = m.universe.method_id(call.method);
    let gap = format!("{name}: the program wants {path}, but it may not use {}", denied.0);
    give_up(s, Gap::native_call(gap))
}

/// A path argument as an absolute path.
pub(crate) fn path(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<String> {
    let address = call.number(m, s, index)?;
    let path = m.c_string(s, address)?;
    if path.starts_with('/') || path.is_empty() {
        return Ok(path);
    }
    let folder = current_folder(m, s, call)?;
    Ok(format!("{}/{path}", folder.trim_end_matches('/')))
}

pub(crate) fn current_folder(m: &Machine, s: &State, call: &Call) -> Step<String> {
    match &s.attached.get::<Process>().folder {
        Some(folder) => Ok(folder.clone()),
        None => m.host.current_directory().map_err(|denied| m.denied(s, call, &denied)),
    }
}

/// Files of the system that the class library itself looks for. The machine that programs see has none of them: its
/// local time zone is told by a variable, or is UTC.
fn is_of_the_system(path: &str) -> bool {
    ["/etc/localtime", "/etc/timezone", "/etc/os-release", "/usr/lib/os-release"].contains(&path)
}

pub(crate) fn errno(failure: FileFailure) -> Errno {
    match failure {
        FileFailure::Missing => Errno::NO_ENTRY,
        FileFailure::NotAFolder => Errno::NOT_DIRECTORY,
        FileFailure::IsAFolder => Errno::IS_DIRECTORY,
        FileFailure::NoAccess => Errno::ACCESS,
        FileFailure::NotALink => Errno::INVALID,
        FileFailure::Exists => Errno::EXISTS,
        FileFailure::NotEmpty => Errno::NOT_EMPTY,
        FileFailure::TooManyLinks => Errno::LOOP,
        FileFailure::NameTooLong => Errno::NAME_TOO_LONG,
        FileFailure::Failed => Errno::IO,
    }
}

fn done(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I32(0)))
}

/// The magic number of ext4.
fn ordinary_file_system(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I64(0xef53)))
}

fn open(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let path = path(m, s, call, 0)?;
    let flags = call.number(m, s, 1)?;
    let found = ask_files(m, s, call, &path, |files| files.status(&path, true))?;
    let writes = flags & ACCESS_MODE != 0;
    let may_write = writable(m);
    let refused = match found {
        Ok(_) if flags & CREATE != 0 && flags & EXCLUSIVE != 0 => Some(Errno::EXISTS),
        Ok(found) if found.kind == FileKind::Folder && writes => Some(Errno::IS_DIRECTORY),
        Ok(_) if (writes || flags & TRUNCATE != 0) && !may_write => Some(Errno::ACCESS),
        Ok(_) if flags & TRUNCATE != 0 => {
            changed(m, s, call, &path, Change::Resize { path: &path, size: 0 })?.err()
        }
        Ok(_) => None,
        Err(Errno::NO_ENTRY) if flags & CREATE != 0 && may_write => {
            let mode = call.number(m, s, 2)? as u32 & 0o7777 & !UMASK;
            changed(m, s, call, &path, Change::NewFile { path: &path, mode })?.err()
        }
        Err(Errno::NO_ENTRY) if flags & CREATE != 0 => Some(refusal_of_new(m, s, call, &path)?),
        Err(error) => Some(error),
    };
    if let Some(error) = refused {
        return fails(s, error, Value::I64(-1));
    }
    match ask_files(m, s, call, &path, |files| files.opened(&path))? {
        Ok(path) => Ok(Some(Value::I64(new_descriptor(s, path, writes).cast_signed()))),
        Err(error) => fails(s, error, Value::I64(-1)),
    }
}

/// The number of a new descriptor.
pub(crate) fn new_descriptor(s: &mut State, path: String, writes: bool) -> u64 {
    let files = &mut s.attached.get_mut::<Process>().files;
    let descriptor = files.keys().last().map_or(FIRST_DESCRIPTOR, |last| last + 1);
    files.insert(descriptor, OpenFile { path, position: 0, lock: Lock::None, writes });
    descriptor
}

/// Whether the program may change files.
pub(crate) fn writable(m: &Machine) -> bool {
    m.host.files().is_ok_and(|files| files.is_writable())
}

/// Changes the host's files; a refusal ends the path with the reason.
pub(crate) fn changed(
    m: &mut Machine,
    s: &State,
    call: &Call,
    path: &str,
    change: Change<'_>,
) -> Step<Result<(), Errno>> {
    ask_files(m, s, call, path, |files| files.change(change))
}

/// Why a file that is not there cannot be made.
pub(crate) fn refusal_of_new(m: &mut Machine, s: &State, call: &Call, path: &str) -> Step<Errno> {
    let parent = path.trim_end_matches('/').rsplit_once('/').map_or("/", |(parent, _)| parent);
    let parent = if parent.is_empty() { "/" } else { parent };
    let found = ask_files(m, s, call, parent, |files| files.status(parent, true))?;
    Ok(match found {
        Ok(found) if found.kind == FileKind::Folder => Errno::ACCESS,
        Ok(_) => Errno::NOT_DIRECTORY,
        Err(error) => error,
    })
}

fn close(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let descriptor = call.number(m, s, 0)?;
    match s.attached.get_mut::<Process>().files.remove(&descriptor) {
        Some(_) => Ok(Some(Value::I32(0))),
        None => fails(s, Errno::BAD_FILE, MINUS_ONE),
    }
}

pub(crate) fn opened(m: &mut Machine, s: &State, call: &Call) -> Step<Option<OpenFile>> {
    let descriptor = call.number(m, s, 0)?;
    Ok(s.attached.get::<Process>().files.get(&descriptor).cloned())
}

/// `(descriptor, buffer, size)`
fn read(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Some(file) = opened(m, s, call)? else { return fails(s, Errno::BAD_FILE, MINUS_ONE) };
    let (to, size) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    match bytes(m, s, call, &file.path, file.position, size)? {
        Ok(bytes) => {
            let count = bytes.len();
            fill(m, s, to, bytes)?;
            let descriptor = call.number(m, s, 0)?;
            if let Some(file) = s.attached.get_mut::<Process>().files.get_mut(&descriptor) {
                file.position += count as u64;
            }
            Ok(Some(Value::I32(count as i32)))
        }
        Err(error) => fails(s, error, MINUS_ONE),
    }
}

/// `(descriptor, buffer, size, offset)`
fn read_at(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Some(file) = opened(m, s, call)? else { return fails(s, Errno::BAD_FILE, MINUS_ONE) };
    let (to, size, offset) = (call.number(m, s, 1)?, call.number(m, s, 2)?, call.number(m, s, 3)?);
    match bytes(m, s, call, &file.path, offset, size)? {
        Ok(bytes) => {
            let count = bytes.len();
            fill(m, s, to, bytes)?;
            Ok(Some(Value::I32(count as i32)))
        }
        Err(error) => fails(s, error, MINUS_ONE),
    }
}

/// `(descriptor, vectors, their count, offset)`: a vector is an address and a length.
fn read_many(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Some(file) = opened(m, s, call)? else { return fails(s, Errno::BAD_FILE, Value::I64(-1)) };
    let (vectors, count, offset) = (call.number(m, s, 1)?, call.number(m, s, 2)?, call.number(m, s, 3)?);
    let mut total = 0;
    for i in 0..count {
        let (to, size) = (m.load_word(s, vectors + 16 * i)?, m.load_word(s, vectors + 16 * i + 8)?);
        match bytes(m, s, call, &file.path, offset + total, size)? {
            Ok(bytes) => {
                let len = bytes.len() as u64;
                fill(m, s, to, bytes)?;
                total += len;
                if len < size {
                    break;
                }
            }
            Err(error) => return fails(s, error, Value::I64(-1)),
        }
    }
    Ok(Some(Value::I64(total.cast_signed())))
}

fn bytes(
    m: &mut Machine,
    s: &State,
    call: &Call,
    path: &str,
    offset: u64,
    size: u64,
) -> Step<Result<Vec<u8>, Errno>> {
    let size = (size & u64::from(u32::MAX)) as usize;
    ask_files(m, s, call, path, |files| files.read(path, offset, size))
}

fn fill(m: &mut Machine, s: &mut State, to: u64, bytes: Vec<u8>) -> Step<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    m.store_bytes(s, to, &Bytes::from_vec(bytes))
}

/// `(descriptor, offset, from the start, the position or the end)`
fn seek(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Some(file) = opened(m, s, call)? else { return fails(s, Errno::BAD_FILE, Value::I64(-1)) };
    let offset = call.number(m, s, 1)?.cast_signed();
    let base = match call.number(m, s, 2)? {
        0 => 0,
        1 => file.position,
        _ => match ask_files(m, s, call, &file.path, |files| files.status(&file.path, true))? {
            Ok(found) => found.size,
            Err(error) => return fails(s, error, Value::I64(-1)),
        },
    };
    let Some(position) = base.checked_add_signed(offset) else {
        return fails(s, Errno::INVALID, Value::I64(-1));
    };
    let descriptor = call.number(m, s, 0)?;
    if let Some(file) = s.attached.get_mut::<Process>().files.get_mut(&descriptor) {
        file.position = position;
    }
    Ok(Some(Value::I64(position.cast_signed())))
}

fn status_of_open(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Some(file) = opened(m, s, call)? else { return fails(s, Errno::BAD_FILE, MINUS_ONE) };
    let found = ask_files(m, s, call, &file.path, |files| files.status(&file.path, true))?;
    give_status(m, s, call, found)
}

fn status(m: &mut Machine, s: &mut State, call: &Call, follow: bool) -> Step<Option<Value>> {
    let path = path(m, s, call, 0)?;
    if path.is_empty() {
        return fails(s, Errno::NO_ENTRY, MINUS_ONE);
    }
    // The class library looks beside an assembly that asks for another one, whatever the program may read.
    let is_assembly = [".dll", ".exe"].iter().any(|end| path.ends_with(end));
    if is_assembly && m.host.files().is_err() && lacks_assembly(&m.universe, Path::new(&path)) {
        return fails(s, Errno::NO_ENTRY, MINUS_ONE);
    }
    let found = ask_files(m, s, call, &path, |files| files.status(&path, follow))?;
    give_status(m, s, call, found)
}

fn give_status(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    found: Result<FileStatus, Errno>,
) -> Step<Option<Value>> {
    let to = call.number(m, s, 1)?;
    let found = match found {
        Ok(found) => found,
        Err(error) => return fails(s, error, MINUS_ONE),
    };
    let kind = match found.kind {
        FileKind::Folder => 0x4000,
        FileKind::File => 0x8000,
        FileKind::Link => 0xa000,
        FileKind::Other => 0x2000,
    };
    // The layout of `Interop.Sys.FileStatus`: flags (1: the time it was made is known), mode, owners, size, four times.
    m.fill_bytes(s, to, 116, 0)?;
    m.store(s, to, Repr::I4, Value::I32(1))?;
    m.store(s, to + 4, Repr::I4, Value::I32(kind | found.mode.cast_signed()))?;
    // Everything belongs to the program's user.
    m.store(s, to + 8, Repr::I4, Value::I32(USER))?;
    m.store(s, to + 12, Repr::I4, Value::I32(USER))?;
    m.store(s, to + 16, Repr::I8, Value::I64(found.size.cast_signed()))?;
    for (i, time) in (0..).zip(found.times) {
        m.store(s, to + 24 + 16 * i, Repr::I8, Value::I64(time.div_euclid(1_000_000_000)))?;
        m.store(s, to + 32 + 16 * i, Repr::I8, Value::I64(time.rem_euclid(1_000_000_000)))?;
    }
    m.store(s, to + 88, Repr::I8, Value::I64(1))?;
    m.store(s, to + 104, Repr::I8, Value::I64(found.inode.cast_signed()))?;
    Ok(Some(Value::I32(0)))
}

/// Advisory locks between the descriptors of this process; there is no other one.
fn lock(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (descriptor, wanted) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let Some(file) = opened(m, s, call)? else { return fails(s, Errno::BAD_FILE, MINUS_ONE) };
    let lock = match wanted & 0xb {
        1 => Lock::Shared,
        2 => Lock::Exclusive,
        _ => Lock::None,
    };
    let process = s.attached.get::<Process>();
    let others = process.files.iter().filter(|(other, f)| **other != descriptor && f.path == file.path);
    let taken = match lock {
        Lock::None => false,
        Lock::Shared => others.into_iter().any(|(_, other)| other.lock == Lock::Exclusive),
        Lock::Exclusive => others.into_iter().any(|(_, other)| other.lock != Lock::None),
    };
    if taken {
        return fails(s, Errno::AGAIN, MINUS_ONE);
    }
    if let Some(file) = s.attached.get_mut::<Process>().files.get_mut(&descriptor) {
        file.lock = lock;
    }
    Ok(Some(Value::I32(0)))
}

fn access(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let path = path(m, s, call, 0)?;
    let writes = call.number(m, s, 1)? & 2 != 0;
    match ask_files(m, s, call, &path, |files| files.status(&path, true))? {
        Ok(_) if writes && !writable(m) => fails(s, Errno::ACCESS, MINUS_ONE),
        Ok(_) => Ok(Some(Value::I32(0))),
        Err(error) => fails(s, error, MINUS_ONE),
    }
}

/// `(path, buffer, size)`, without a zero at the end.
fn read_link(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let path = path(m, s, call, 0)?;
    let (to, size) = (call.number(m, s, 1)?, call.number(m, s, 2)? as usize);
    match ask_files(m, s, call, &path, |files| files.link(&path))? {
        Ok(target) => {
            let bytes: Vec<u8> = target.bytes().take(size).collect();
            let count = bytes.len() as i32;
            fill(m, s, to, bytes)?;
            Ok(Some(Value::I32(count)))
        }
        Err(error) => fails(s, error, MINUS_ONE),
    }
}
