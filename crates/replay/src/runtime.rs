//! Where a .NET runtime is: what the user names, else DOTNET_ROOT, PATH, the usual folders, and what the set-up provided.

use std::{
    env,
    path::{Path, PathBuf},
};

/// A runtime that can run an assembly: the `dotnet` executable and the frameworks chosen for it, or Mono.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// The `dotnet` executable, or `mono`.
    pub muxer: PathBuf,
    /// The core framework and whatever else the assembly asks for. Mono has no shared frameworks.
    pub frameworks: Vec<SharedFramework>,
}

impl Runtime {
    /// Mono with its own class library.
    pub fn mono(executable: PathBuf) -> Runtime {
        Runtime { muxer: executable, frameworks: Vec::new() }
    }

    /// Whether this is Mono: a `dotnet` runs nothing without a framework.
    pub fn is_mono(&self) -> bool {
        self.frameworks.is_empty()
    }

    /// Whether this runtime finds an ICU that it can use. An old one is started for that.
    pub(crate) fn has_icu(&self) -> bool {
        if self.is_mono() {
            return false;
        }
        let framework =
            |f: &SharedFramework| culture::Framework { name: f.name.clone(), version: f.version.clone() };
        let asked = culture::Runtime {
            muxer: self.muxer.clone(),
            frameworks: self.frameworks.iter().map(framework).collect(),
            ..culture::Runtime::default()
        };
        culture::Globalization::new(asked, culture::Limits::default()).has_icu()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedFramework {
    /// Such as `Microsoft.NETCore.App`.
    pub name: String,
    pub version: String,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotFound {
    #[error(
        "{} is neither a dotnet executable, nor a dotnet root, nor a folder of framework assemblies of one",
        .0.display()
    )]
    Named(PathBuf),
    #[error("no .NET runtime was found: install one, set DOTNET_ROOT, or name it with --runtime")]
    Nowhere,
}

/// An installation: `dotnet` with `shared/` beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    pub muxer: PathBuf,
    pub root: PathBuf,
    /// The exact framework folder, when the user named one.
    pub framework: Option<PathBuf>,
}

impl Installation {
    /// What the user means by `--runtime PATH`: a `dotnet` executable, a dotnet root, or `shared/<name>/<version>`.
    pub fn named(path: &Path) -> Result<Installation, NotFound> {
        let unknown = || NotFound::Named(path.to_owned());
        let full = path.canonicalize().map_err(|_| unknown())?;
        if full.is_file() {
            return full.parent().and_then(Installation::at_root).ok_or_else(unknown);
        }
        if let Some(found) = Installation::at_root(&full) {
            return Ok(found);
        }
        let root = full.ancestors().nth(3).ok_or_else(unknown)?;
        let found = Installation::at_root(root).ok_or_else(unknown)?;
        match full.join("System.Private.CoreLib.dll").is_file() || full.join("System.Runtime.dll").is_file() {
            true => Ok(Installation { framework: Some(full), ..found }),
            false => Err(unknown()),
        }
    }

    /// Every installation of this machine, in the order in which they are preferred.
    pub fn all() -> Vec<Installation> {
        let mut found: Vec<Installation> = Vec::new();
        for root in candidate_roots() {
            let Some(installation) = Installation::at_root(&root) else { continue };
            if !found.contains(&installation) {
                found.push(installation);
            }
        }
        found
    }

    fn at_root(root: &Path) -> Option<Installation> {
        let root = root.canonicalize().ok()?;
        let muxer = root.join(MUXER);
        let is_one = muxer.is_file() && root.join("shared").is_dir();
        is_one.then_some(Installation { muxer, root, framework: None })
    }
}

const MUXER: &str = if cfg!(windows) { "dotnet.exe" } else { "dotnet" };

fn candidate_roots() -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = env::var_os("DOTNET_ROOT").map(PathBuf::from).into_iter().collect();
    for folder in env::var_os("PATH").iter().flat_map(|path| env::split_paths(path).collect::<Vec<_>>()) {
        // `dotnet` on PATH is often a link into the root.
        let behind_links = folder.join(MUXER).canonicalize().ok();
        roots.extend(behind_links.and_then(|muxer| muxer.parent().map(Path::to_owned)));
    }
    let home = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(PathBuf::from);
    roots.extend(home.map(|home| home.join(".dotnet")));
    let usual: &[&str] = match env::consts::OS {
        "windows" => &[r"C:\Program Files\dotnet"],
        "macos" => &["/usr/local/share/dotnet", "/opt/homebrew/opt/dotnet/libexec"],
        _ => &[
            "/usr/share/dotnet",
            "/usr/lib/dotnet",
            "/usr/lib64/dotnet",
            "/opt/dotnet",
            "/snap/dotnet-sdk/current",
        ],
    };
    roots.extend(usual.iter().map(PathBuf::from));
    roots.extend(provisioned("dotnet-").into_iter().chain(provisioned("sdk-")));
    roots
}

/// What `cargo xtask setup` put into its cache: who builds Cilantro on a machine without .NET can use it at once.
pub fn provisioned(prefix: &str) -> Vec<PathBuf> {
    let user_cache = || {
        let named = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = || env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
        named.or_else(home).map(|cache| cache.join("cilantro"))
    };
    let cache = env::var_os("CILANTRO_CACHE").map(PathBuf::from).or_else(user_cache);
    let Some(entries) = cache.and_then(|cache| cache.join("toolchain").read_dir().ok()) else {
        return Vec::new();
    };
    let is_runtime =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix));
    let mut roots: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_runtime).collect();
    roots.sort();
    roots
}
