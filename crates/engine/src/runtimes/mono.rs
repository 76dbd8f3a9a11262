//! Mono: whether a program is for it, and where it is.

use std::env;
use std::path::{Path, PathBuf};

/// The class library of the Mono that would run this program: it refers to `mscorlib` and nothing says that it is for
/// .NET.
pub fn library_for(program: &Path) -> Option<PathBuf> {
    if program.with_extension("runtimeconfig.json").is_file() || !refers_to_mscorlib(program) {
        return None;
    }
    prefixes().iter().find_map(|prefix| library_below(prefix))
}

/// What the user means by `--runtime PATH`, if it is a Mono: its executable or the folder it is installed in.
pub fn library_named(path: &Path) -> Option<PathBuf> {
    let full = path.canonicalize().ok()?;
    if full.is_dir() {
        return library_below(&full);
    }
    full.file_name().is_some_and(|name| name.to_string_lossy().starts_with("mono")).then_some(())?;
    library_below(full.parent()?.parent()?)
}

/// The executable that runs this class library (`lib/mono/4.5`).
pub fn executable_of(library: &Path) -> Option<PathBuf> {
    let prefix = library.ancestors().nth(3)?;
    ["mono", "mono-sgen", "mono.exe"]
        .iter()
        .map(|name| prefix.join("bin").join(name))
        .find(|file| file.is_file())
}

fn refers_to_mscorlib(program: &Path) -> bool {
    let Ok(module) = cil::Module::open(program) else { return false };
    let names: Vec<&str> =
        module.assembly_refs().filter_map(|id| module.assembly_ref(id).ok()).map(|row| row.name).collect();
    let is_for_dotnet =
        ["System.Runtime", "System.Private.CoreLib", "netstandard"].iter().any(|n| names.contains(n));
    names.contains(&"mscorlib") && !is_for_dotnet
}

fn library_below(prefix: &Path) -> Option<PathBuf> {
    let folder = prefix.join("lib/mono/4.5");
    folder.join("mscorlib.dll").is_file().then_some(folder)
}

/// Where Mono may be installed, in the order in which it is preferred.
fn prefixes() -> Vec<PathBuf> {
    let mut prefixes = Vec::new();
    for folder in env::var_os("PATH").iter().flat_map(|path| env::split_paths(path).collect::<Vec<_>>()) {
        let behind_links = folder.join("mono").canonicalize().ok();
        let prefix = behind_links.and_then(|mono| Some(mono.parent()?.parent()?.to_owned()));
        prefixes.extend(prefix);
    }
    let usual: &[&str] = match env::consts::OS {
        "windows" => &[r"C:\Program Files\Mono"],
        "macos" => &["/Library/Frameworks/Mono.framework/Versions/Current", "/opt/homebrew", "/usr/local"],
        _ => &["/usr", "/usr/local", "/opt/mono"],
    };
    prefixes.extend(usual.iter().map(PathBuf::from));
    prefixes.extend(replay::runtime::provisioned("mono-").into_iter().map(|folder| folder.join("usr")));
    prefixes
}
