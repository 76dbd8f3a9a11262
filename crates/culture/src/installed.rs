//! Whether the machine has an ICU, as far as that can be seen without starting a process.

use std::{env, path::PathBuf};

/// On Linux a library of this name lies in one of the usual folders; other systems bring one of their own. What is seen
/// nowhere may still be there: then only the runtime itself can tell.
pub fn is_installed() -> bool {
    !cfg!(target_os = "linux") || folders().any(has_library)
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let named = env::var_os("LD_LIBRARY_PATH");
    let named: Vec<PathBuf> = named.iter().flat_map(env::split_paths).collect();
    let usual = ["/usr/lib64", "/usr/lib", "/lib", "/usr/local/lib"].map(PathBuf::from);
    // Debian has a folder for each architecture.
    let inside = ["/usr/lib", "/lib"].into_iter().flat_map(|folder| PathBuf::from(folder).read_dir());
    let of_architecture = inside.flatten().flatten().map(|entry| entry.path()).filter(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().contains("-linux-")) && path.is_dir()
    });
    named.into_iter().chain(usual).chain(of_architecture)
}

fn has_library(folder: PathBuf) -> bool {
    let files = folder.read_dir().into_iter().flatten().flatten();
    files.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("libicuuc.so"))
}
