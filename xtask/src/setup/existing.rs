//! A `dotnet` that is on the machine already.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The root of a .NET 10 installation named by `DOTNET_ROOT` or found on PATH.
pub fn find() -> Option<PathBuf> {
    let named = env::var_os("DOTNET_ROOT").map(PathBuf::from);
    let on_path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&on_path).filter_map(|folder| root_of(&folder.join("dotnet")));
    named.into_iter().chain(on_path).find(|root| is_suitable(root))
}

/// The folder of the real executable: on PATH there is often a link.
fn root_of(executable: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(executable).ok()?.parent()?.to_path_buf())
}

fn is_suitable(root: &Path) -> bool {
    root.join("dotnet").is_file() && testkit::newest_framework(root).is_some()
}
