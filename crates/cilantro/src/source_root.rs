//! Paths of a build, as a reader of reports finds the files: relative to the root of the source tree.
//!
//! A compiler writes down where its sources were on the machine of the build, or `/_/…` if the build is deterministic. The
//! same file is looked for under the root, by as much of the end of its path as there is; that it is the same is known by
//! the checksum in the symbols. Where the file was edited since, its name and folder must do.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cil::{Module, Pdb};
use engine::Error;
use sha1::Sha1;
use sha2::{Digest, Sha256};

pub struct SourceRoot {
    root: PathBuf,
    /// The user named it.
    is_named: bool,
    /// What the symbols say of the contents of files, by their paths in the build.
    checksums: BTreeMap<String, Vec<u8>>,
    found: RefCell<BTreeMap<String, String>>,
}

impl SourceRoot {
    /// Complains if it is no folder.
    pub fn new(folder: Option<&Path>, assembly: Option<&Path>) -> Result<SourceRoot, Error> {
        let named = folder.unwrap_or(Path::new("."));
        let root = match fs::canonicalize(named) {
            Ok(root) if root.is_dir() => root,
            Ok(_) => return Err(not_a_folder(named, "it is not a folder")),
            Err(_) if folder.is_none() => PathBuf::from("/"),
            Err(error) => return Err(not_a_folder(named, &error.to_string())),
        };
        let checksums = assembly.map(checksums).unwrap_or_default();
        Ok(SourceRoot { root, is_named: folder.is_some(), checksums, found: RefCell::default() })
    }

    /// The folder itself, as text.
    pub fn folder(&self) -> String {
        self.root.to_string_lossy().into_owned()
    }

    /// The path from the root on; the path as it is if there is no such file.
    pub fn name(&self, path: &str) -> String {
        if let Some(known) = self.found.borrow().get(path) {
            return known.clone();
        }
        let name = self.looked_for(path).unwrap_or_else(|| without_map(path));
        self.found.borrow_mut().insert(path.to_owned(), name.clone());
        name
    }

    /// The file that a path of the build means: one of the tree, or the one at this very path.
    pub fn file(&self, path: &str) -> Option<PathBuf> {
        let inside = self.root.join(self.name(path));
        let as_it_is = || Some(PathBuf::from(path)).filter(|path| path.is_absolute() && path.is_file());
        Some(inside).filter(|file| file.is_file()).or_else(as_it_is)
    }

    /// Whether a file is the one that was compiled, if the symbols know it.
    pub fn is_same(&self, path: &str, file: &Path) -> Option<bool> {
        self.checksums.get(path).map(|sum| has_checksum(file, sum))
    }

    /// A file that is there, from the root on where it is inside.
    pub fn inside(&self, path: &Path) -> String {
        let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let part = whole.strip_prefix(&self.root).unwrap_or(&whole);
        part.to_string_lossy().replace('\\', "/")
    }

    fn looked_for(&self, path: &str) -> Option<String> {
        // Whoever climbs out of its folder means no file of the tree.
        let parts: Vec<&str> =
            path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
        if parts.contains(&"..") {
            return None;
        }
        let ends = (0..parts.len()).filter_map(|start| parts.get(start..));
        let there: Vec<(usize, String)> = ends
            .map(|end| (end.len(), end.join("/")))
            .filter(|(_, end)| self.root.join(end).is_file())
            .collect();
        let checksum = self.checksums.get(path);
        let is_same = |end: &str| checksum.is_some_and(|sum| has_checksum(&self.root.join(end), sum));
        let same = there.iter().find(|(_, end)| is_same(end));
        // Many files have the same name; with its folder it is another matter.
        let alike = || there.iter().find(|(length, _)| self.is_named || *length > 1 || parts.len() == 1);
        same.or_else(alike).map(|(_, end)| end.clone())
    }
}

fn not_a_folder(path: &Path, why: &str) -> Error {
    Error::Other(format!("the source root {} cannot be used: {why}", path.display()))
}

/// What deterministic builds write for the root of a repository: `/_/src/Cart.cs`, `/_1/src/Cart.cs`.
fn without_map(path: &str) -> String {
    let mapped = path.strip_prefix("/_").and_then(|rest| rest.split_once('/'));
    match mapped {
        Some((number, rest)) if number.chars().all(|c| c.is_ascii_digit()) => rest.to_owned(),
        _ => path.to_owned(),
    }
}

fn checksums(assembly: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let pdb = Module::open(assembly).ok().and_then(|module| Pdb::find_for(&module, assembly).ok().flatten());
    let Some(pdb) = pdb else { return all };
    for document in pdb.documents() {
        if let (Ok(name), Ok(row)) = (pdb.document_name(document), pdb.document_row(document)) {
            all.insert(name, row.hash.bytes.to_vec());
        }
    }
    all
}

/// The algorithm is known by the length of what it gives.
fn has_checksum(file: &Path, checksum: &[u8]) -> bool {
    let Ok(bytes) = fs::read(file) else { return false };
    match checksum.len() {
        20 => Sha1::digest(&bytes).as_slice() == checksum,
        32 => Sha256::digest(&bytes).as_slice() == checksum,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail

    use super::*;

    fn tree() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("src/Shop")).unwrap();
        fs::write(folder.path().join("src/Shop/Cart.cs"), "cart").unwrap();
        fs::write(folder.path().join("Program.cs"), "program").unwrap();
        folder
    }

    #[test]
    fn files_are_found_by_the_end_of_their_paths() {
        let tree = tree();
        let root = SourceRoot::new(Some(tree.path()), None).unwrap();
        let check = |path: &str, name: &str| assert_eq!(root.name(path), name, "{path}");
        check("/_/src/Shop/Cart.cs", "src/Shop/Cart.cs");
        check(r"C:\agent\work\1\src\Shop\Cart.cs", "src/Shop/Cart.cs");
        check(&tree.path().join("src/Shop/Cart.cs").display().to_string(), "src/Shop/Cart.cs");
        check("/_/elsewhere/Other.cs", "elsewhere/Other.cs");
        check("/_1/Other.cs", "Other.cs");
        check("/home/me/Other.cs", "/home/me/Other.cs");
        check("/home/../Program.cs", "/home/../Program.cs");
        check("/_x/Other.cs", "/_x/Other.cs");
        // Somebody said that it is the root.
        check("/home/me/Program.cs", "Program.cs");
    }

    #[test]
    fn a_name_alone_is_not_enough_unless_the_contents_are_the_same() {
        let tree = tree();
        let mut root = SourceRoot::new(Some(tree.path()), None).unwrap();
        root.is_named = false;
        assert_eq!(root.name("/home/me/Program.cs"), "/home/me/Program.cs");
        for sum in [Sha256::digest("program").to_vec(), Sha1::digest("program").to_vec()] {
            let checksums = BTreeMap::from([("/home/me/Program.cs".to_owned(), sum)]);
            let root = SourceRoot {
                checksums,
                is_named: false,
                ..SourceRoot::new(Some(tree.path()), None).unwrap()
            };
            assert_eq!(root.name("/home/me/Program.cs"), "Program.cs");
        }
    }
}
