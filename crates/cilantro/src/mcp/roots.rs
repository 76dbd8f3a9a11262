//! Which files may be looked at: those below the roots, wherever `..` and links lead.

use std::fs;
use std::path::{Path, PathBuf};

use engine::Error;

/// The folders that a question may be about.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    folders: Vec<PathBuf>,
}

impl Roots {
    /// Folders that are not there have nothing below them.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Roots {
        Roots { folders: folders.into_iter().filter_map(|folder| fs::canonicalize(folder).ok()).collect() }
    }

    /// The file or folder that is meant, without links.
    pub fn allowed(&self, path: &Path) -> Result<PathBuf, Error> {
        let first = self.folders.first().cloned().unwrap_or_default();
        let meant = first.join(path);
        // Whether something is there is not told of places that nobody may ask about.
        let refused = || {
            let roots: Vec<String> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
            let (path, roots) = (path.display(), roots.join(", "));
            Error::Other(format!(
                "{path} is not below a root of this server, or not there; its roots are: {roots}"
            ))
        };
        let real = fs::canonicalize(meant).map_err(|_| refused())?;
        if self.folders.iter().any(|folder| real.starts_with(folder)) { Ok(real) } else { Err(refused()) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail

    use super::*;

    #[test]
    fn nothing_outside_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(root.join("in.dll"), "").unwrap();
        fs::write(folder.path().join("out.dll"), "").unwrap();
        let roots = Roots::new([root.clone()]);
        assert_eq!(
            roots.allowed(Path::new("in.dll")).unwrap(),
            fs::canonicalize(root.join("in.dll")).unwrap()
        );
        assert!(roots.allowed(&root.join("in.dll")).is_ok() && roots.allowed(&root).is_ok());
        for outside in ["../out.dll", "../root-not", "/", "no.dll"] {
            assert!(roots.allowed(Path::new(outside)).is_err(), "{outside}");
        }
        assert!(roots.allowed(&folder.path().join("out.dll")).is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join("out.dll"), root.join("link.dll")).unwrap();
            assert!(roots.allowed(Path::new("link.dll")).is_err());
        }
        assert!(Roots::default().allowed(Path::new("/")).is_err());
    }
}
