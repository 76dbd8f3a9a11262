//! Assemblies that a program loads by path or from bytes, and the contexts that it loads them into.
//!
//! The default context is what the universe finds by name. In any other one an assembly is a copy of its own, with types
//! and static fields that are not those of another copy; what it refers to is found by name again.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use types::{AssemblyId, Error, Universe};

use crate::io::files::ask_files;
use crate::reflection::assemblies::{assembly_argument, assembly_objects};
use crate::reflection::loading::not_found;
use crate::table::{Entry, enter_one, failed, native, native_enter};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::Value;

const CONTEXT: &str = "System.Runtime.Loader.AssemblyLoadContext";

pub(crate) const TABLE: &[Entry] = &[
    native(CONTEXT, "<InitializeAssemblyLoadContext>g____PInvoke|", new_context),
    native(CONTEXT, "GetLoadContextForAssembly", context_of),
    native(CONTEXT, "PrepareForAssemblyLoadContextRelease", |_, _, _| Ok(None)),
    native_enter(CONTEXT, "<LoadFromPath>g____PInvoke|", load_path),
    native_enter(CONTEXT, "LoadFromStream", load_bytes),
    enter_one("System.Reflection.AssemblyName", "GetAssemblyName", "System.String", assembly_name),
];

/// The largest file that is taken for an assembly.
const MOST_BYTES: usize = 1 << 30;

/// What has been loaded where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contexts {
    /// The handles of the objects for the contexts of assemblies; none of those in the default one.
    of: FxHashMap<AssemblyId, u64>,
    /// By the context and the path.
    by_path: FxHashMap<(u64, PathBuf), AssemblyId>,
    /// Those that were looked at, not loaded.
    looked_at: FxHashSet<AssemblyId>,
}

impl Contexts {
    pub(crate) fn has_loaded(&self, assembly: AssemblyId) -> bool {
        !self.looked_at.contains(&assembly)
    }

    /// The assembly that has been loaded into a context under this name.
    pub(crate) fn named(&self, m: &Machine, context: u64, name: &str) -> Option<AssemblyId> {
        let is_named = |a: &AssemblyId| m.universe.assembly(*a).name().eq_ignore_ascii_case(name);
        let inside = self.of.iter().filter(|(_, of)| **of == context).map(|(assembly, _)| *assembly);
        inside.filter(is_named).min()
    }
}

/// `(handle of the object, whether it is the default one, whether it can be unloaded)`: what stands for the context.
fn new_context(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let is_default = call.number(m, s, 1)? != 0;
    let handle = if is_default { 0 } else { call.number(m, s, 0)? };
    Ok(Some(Value::address(m.runtime_data(s, handle.to_le_bytes().to_vec()))))
}

/// The handle of the context whose object is at this place; zero for the default one, or none.
pub(crate) fn context_at(m: &mut Machine, s: &State, place: u64) -> Step<u64> {
    let object = if place == 0 { 0 } else { m.load_word(s, place)? };
    if object == 0 {
        return Ok(0);
    }
    let class = m.core_type(s, CONTEXT)?;
    let at = m.offset_of(s, class, &["_nativeAssemblyLoadContext"])?;
    let context = m.load_word(s, object + u64::from(at))?;
    if context == 0 { Ok(0) } else { m.load_word(s, context) }
}

fn context_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let handle = s.attached.get::<Contexts>().of.get(&assembly).copied().unwrap_or(0);
    Ok(Some(Value::address(handle)))
}

/// `(context, path, path of machine code, out assembly)`.
fn load_path(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let context = call.number(m, s, 0)?;
    let context = m.load_word(s, context)?;
    let path = call.number(m, s, 1)?;
    let path = m.utf16_at(s, path)?;
    let key = (context, PathBuf::from(&path));
    let known = s.attached.get::<Contexts>().by_path.get(&key).copied();
    let loaded = match known {
        Some(known) => Ok(known),
        None => match image(m, s, call, &path)? {
            Some(image) => loaded(m, s, context, Path::new(&path), image),
            None => return not_found(m, s, &path),
        },
    };
    match loaded {
        Ok(assembly) => {
            s.attached.get_mut::<Contexts>().by_path.insert(key, assembly);
            give(m, s, call, 3, assembly, after)
        }
        Err(error) => not_an_image(m, s, &error),
    }
}

/// `(context, bytes, their number, symbols, their number, out assembly)`.
fn load_bytes(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let context = call.number(m, s, 0)?;
    let context = m.load_word(s, context)?;
    let (bytes, count) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    let bytes = m.load_bytes(s, bytes, count as usize)?;
    let Some(bytes) = bytes.concrete() else { return Err(unsupported(s, "an assembly of unknown bytes")) };
    match loaded(m, s, context, Path::new(""), Image::Bytes(bytes.to_vec())) {
        Ok(assembly) => give(m, s, call, 5, assembly, after),
        Err(error) => not_an_image(m, s, &error),
    }
}

fn give(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    place: usize,
    assembly: AssemblyId,
    after: OnReturn,
) -> Step {
    let object = assembly_objects(m, s, assembly)?.1;
    call.give(m, s, place, object)?;
    m.returned(s, after, None)
}

/// Where the bytes of an assembly are.
enum Image {
    /// In a file that belongs to the program.
    File,
    Bytes(Vec<u8>),
}

/// What a path leads to: a file beside the program's own, or one that it may read.
fn image(m: &mut Machine, s: &mut State, call: &Call, path: &str) -> Step<Option<Image>> {
    if m.universe.is_beside(Path::new(path)) {
        return Ok(Some(Image::File));
    }
    // A file that is not there is missing, whatever may be read.
    if lacks_assembly(&m.universe, Path::new(path)) {
        return Ok(None);
    }
    let read = ask_files(m, s, call, path, |files| files.read(path, 0, MOST_BYTES))?;
    Ok(read.ok().map(Image::Bytes))
}

/// Could a file be beside the program's own assemblies, and is not?
pub(crate) fn lacks_assembly(u: &Universe, path: &Path) -> bool {
    let is_near = |folder: &Path| u.assemblies().any(|a| u.assembly(a).path().parent() == Some(folder));
    path.parent().is_some_and(is_near) && !u.is_beside(path)
}

fn loaded(m: &Machine, s: &mut State, context: u64, path: &Path, image: Image) -> Result<AssemblyId, Error> {
    if context != 0 {
        let bytes = match image {
            Image::File => None,
            Image::Bytes(bytes) => Some(bytes),
        };
        let assembly = m.universe.load_apart(path, bytes)?;
        s.attached.get_mut::<Contexts>().of.insert(assembly, context);
        return Ok(assembly);
    }
    // The default context has one assembly of a name, and the program's own come first.
    let assembly = match image {
        Image::File => m.universe.load(path)?,
        Image::Bytes(bytes) => m.universe.load_image(path, bytes)?,
    };
    let name = m.universe.assembly(assembly).name().to_owned();
    Ok(m.universe.load_by_name(&name)?.unwrap_or(assembly))
}

fn not_an_image(m: &mut Machine, s: &mut State, error: &Error) -> Step {
    match error {
        Error::BadImage { .. } | Error::BadMetadata { .. } | Error::NotAnAssembly { .. } => {
            m.throw_strings(s, "System.BadImageFormatException", &["Bad IL format."])
        }
        error => Err(failed(s, error.clone())),
    }
}

/// The name of the assembly in a file, which is not loaded.
fn assembly_name(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let text = call.number(m, s, 0)?;
    if text == 0 {
        return m.throw_strings(s, "System.ArgumentNullException", &["assemblyFile"]);
    }
    let path = m.string_at(s, text)?;
    let found = match image(m, s, call, &path)? {
        Some(Image::File) => m.universe.load_apart(Path::new(&path), None),
        Some(Image::Bytes(bytes)) => m.universe.load_apart(Path::new(&path), Some(bytes)),
        None => {
            let message = format!("Could not find file '{path}'.");
            return m.throw_strings(s, "System.IO.FileNotFoundException", &[&message, &path]);
        }
    };
    let assembly = match found {
        Ok(assembly) => assembly,
        Err(error) => return not_an_image(m, s, &error),
    };
    s.attached.get_mut::<Contexts>().looked_at.insert(assembly);
    let object = assembly_objects(m, s, assembly)?.1;
    let class = m.core_type(s, "System.Reflection.Assembly")?;
    let method = m.universe.find_method(class, "GetName", &[]).map_err(|e| failed(s, e))?;
    let Some(method) = method else { return Err(unsupported(s, "names of assemblies")) };
    s.top.stack.push(Value::address(object));
    m.invoke(s, method, 1, after)
}
