//! Which ICU the machine has: .NET takes its cultures from it.

use std::path::Path;

/// Folders in which systems keep libraries.
const FOLDERS: [&str; 6] = [
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/lib",
    "/usr/local/lib",
];

/// The version of the newest ICU, such as `72.1`; none if there is none.
pub fn icu() -> Option<String> {
    let versions = FOLDERS.iter().flat_map(|folder| versions(Path::new(folder)));
    versions
        .max_by_key(|version| version.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>())
}

fn versions(folder: &Path) -> Vec<String> {
    let files = folder.read_dir().into_iter().flatten().flatten();
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    let version = |name: String| Some(name.strip_prefix("libicuuc.so.")?.to_owned());
    names.filter_map(version).filter(|version| version.contains('.')).collect()
}
