//! Where each part of the toolchain is.
//!
//! [`Layout`] says where things belong (the set-up writes there), [`Toolchain`] promises that the
//! essential ones are really there.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{Error, cache_dir, hex_digest};

/// The source of the C# compiler driver, compiled once by the set-up.
pub const COMPILER_SOURCE: &str = include_str!("../csharp/Compiler.cs");

/// The pinned versions; folder names in the cache carry them, so that a change of version is a new folder.
pub mod versions {
    pub const RUNTIME: &str = "10.0.0";
    pub const RUNTIME_MAJOR: &str = "10.";
    pub const SDK31: &str = "3.1.102";
    pub const RUNTIME31: &str = "3.1.2";
    pub const ROSLYN: &str = "4.8.0";
    pub const Z3: &str = "5.4.0";
    pub const NUNIT: &str = "3.13.2";
    pub const NSWAG: &str = "14.7.1";
    pub const MONO: &str = "6";
}

/// The folders of the toolchain inside a cache folder.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The cache folder itself.
    pub cache: PathBuf,
}

impl Layout {
    pub fn of_user() -> Result<Layout, Error> {
        Ok(Layout { cache: cache_dir()? })
    }
    pub fn toolchain(&self) -> PathBuf {
        self.cache.join("toolchain")
    }
    /// The provisioned runtime.
    pub fn runtime(&self) -> PathBuf {
        self.toolchain().join(format!("dotnet-{}", versions::RUNTIME))
    }
    /// A text file with the root of a `dotnet` that was on the machine before us.
    pub fn existing_runtime(&self) -> PathBuf {
        self.toolchain().join("dotnet-root")
    }
    pub fn sdk31(&self) -> PathBuf {
        self.toolchain().join(format!("sdk-{}", versions::SDK31))
    }
    pub fn roslyn(&self) -> PathBuf {
        self.toolchain().join(format!("roslyn-{}", versions::ROSLYN))
    }
    /// The compiled driver with Roslyn beside it; a change of its source makes a new folder.
    pub fn compiler(&self) -> PathBuf {
        let digest = hex_digest(COMPILER_SOURCE.as_bytes());
        self.toolchain().join(format!("csc-{}-{}", versions::ROSLYN, digest.get(..12).unwrap_or_default()))
    }
    pub fn z3(&self) -> PathBuf {
        self.toolchain().join(format!("z3-{}", versions::Z3))
    }
    pub fn nunit(&self) -> PathBuf {
        self.toolchain().join(format!("nunit-{}", versions::NUNIT))
    }
    /// Assemblies of others, to try things on.
    pub fn third_party(&self) -> PathBuf {
        self.toolchain().join(format!("third-party-{}", versions::NSWAG))
    }
    /// Mono, unpacked from the packages of the system's distribution.
    pub fn mono(&self) -> PathBuf {
        self.toolchain().join(format!("mono-{}", versions::MONO))
    }
    /// Assemblies that tests have compiled.
    pub fn compiled(&self) -> PathBuf {
        self.cache.join("compiled")
    }
    pub fn locks(&self) -> PathBuf {
        self.cache.join("locks")
    }
}

/// A toolchain that is ready for use.
#[derive(Debug, Clone)]
pub struct Toolchain {
    layout: Layout,
    runtime_root: PathBuf,
    framework: PathBuf,
}

impl Toolchain {
    /// Finds the toolchain in the cache folder.
    pub fn locate() -> Result<Toolchain, Error> {
        Toolchain::in_layout(Layout::of_user()?)
    }

    pub fn in_layout(layout: Layout) -> Result<Toolchain, Error> {
        let runtime_root = runtime_root(&layout)?;
        let framework = newest_framework(&runtime_root)
            .ok_or(Error::NotReady { what: "the .NET 10 framework", path: runtime_root.clone() })?;
        let toolchain = Toolchain { layout, runtime_root, framework };
        present("the C# compiler", toolchain.compiler())?;
        Ok(toolchain)
    }

    /// The `dotnet` executable.
    pub fn dotnet(&self) -> PathBuf {
        self.runtime_root.join(muxer())
    }
    /// The folder with `dotnet`, `host/` and `shared/`.
    pub fn runtime_root(&self) -> &Path {
        &self.runtime_root
    }
    /// The version of the .NET 10 framework: `10.0.0` when provisioned, otherwise what the machine has.
    pub fn runtime_version(&self) -> &str {
        self.framework.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }
    /// `shared/Microsoft.NETCore.App/10.x`.
    pub fn framework_dir(&self) -> &Path {
        &self.framework
    }
    pub fn corelib(&self) -> PathBuf {
        self.framework.join("System.Private.CoreLib.dll")
    }
    /// The `dotnet` executable of .NET Core 3.1.
    pub fn dotnet31(&self) -> PathBuf {
        self.layout.sdk31().join("dotnet")
    }
    /// `shared/Microsoft.NETCore.App/3.1.2`.
    pub fn framework31_dir(&self) -> PathBuf {
        self.layout.sdk31().join("shared/Microsoft.NETCore.App").join(versions::RUNTIME31)
    }
    /// `shared/Microsoft.AspNetCore.App/3.1.2`.
    pub fn aspnet31_dir(&self) -> PathBuf {
        self.layout.sdk31().join("shared/Microsoft.AspNetCore.App").join(versions::RUNTIME31)
    }
    pub fn corelib31(&self) -> PathBuf {
        self.framework31_dir().join("System.Private.CoreLib.dll")
    }
    /// The reference assemblies of .NET Core 3.1.
    pub fn ref_pack31(&self) -> PathBuf {
        self.layout.sdk31().join("packs/Microsoft.NETCore.App.Ref/3.1.0/ref/netcoreapp3.1")
    }
    /// The reference assemblies of .NET Standard 2.1.
    pub fn ref_pack_netstandard(&self) -> PathBuf {
        self.layout.sdk31().join("packs/NETStandard.Library.Ref/2.1.0/ref/netstandard2.1")
    }
    /// The C# compiler driver.
    pub fn compiler(&self) -> PathBuf {
        self.layout.compiler().join("csc12.dll")
    }
    /// The z3 executable, for comparing answers.
    pub fn z3(&self) -> Result<PathBuf, Error> {
        present("z3", self.layout.z3().join("z3"))
    }
    pub fn nunit_framework(&self) -> Result<PathBuf, Error> {
        present("NUnit", self.layout.nunit().join("nunit.framework.dll"))
    }
    /// An assembly written by others: `Humanizer` and `CommandLine`; more, such as `Newtonsoft.Json`, after
    /// `cargo xtask setup --extras`.
    pub fn third_party(&self, name: &str) -> Option<PathBuf> {
        let file = format!("{name}.dll");
        [self.layout.third_party(), self.layout.nunit()]
            .iter()
            .map(|dir| dir.join(&file))
            .find(|path| path.is_file())
    }
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
    /// Mono, where it cannot be done without.
    pub fn needed_mono(&self) -> Result<Mono, Error> {
        self.mono().ok_or_else(|| Error::NotReady { what: "Mono", path: self.layout.mono() })
    }
    /// Mono: the one of the set-up, else the machine's. There need not be any.
    pub fn mono(&self) -> Option<Mono> {
        let own = self.layout.mono().join("usr");
        let config = Some(self.layout.mono().join("etc"));
        Mono::below(&own, "bin/mono-sgen", config).or_else(|| {
            let path = std::env::var_os("PATH")?;
            let found =
                std::env::split_paths(&path).map(|folder| folder.join("mono")).find(|f| f.is_file())?;
            let prefix = found.canonicalize().ok()?.parent()?.parent()?.to_owned();
            Mono::below(&prefix, "bin/mono", None)
        })
    }
}

/// An installation of Mono.
#[derive(Debug, Clone)]
pub struct Mono {
    pub executable: PathBuf,
    /// The folder of its class library.
    pub framework: PathBuf,
    /// The folder of its configuration (`MONO_CFG_DIR`), where it would not find it by itself.
    pub config: Option<PathBuf>,
}

impl Mono {
    fn below(prefix: &Path, executable: &str, config: Option<PathBuf>) -> Option<Mono> {
        let executable = prefix.join(executable);
        let mono = Mono { executable, framework: prefix.join("lib/mono/4.5"), config };
        (mono.executable.is_file() && mono.framework.join("mscorlib.dll").is_file()).then_some(mono)
    }
}

fn runtime_root(layout: &Layout) -> Result<PathBuf, Error> {
    let own = layout.runtime();
    if own.join(muxer()).is_file() {
        return Ok(own);
    }
    if let Ok(text) = fs::read_to_string(layout.existing_runtime()) {
        let root = PathBuf::from(text.trim());
        if root.join(muxer()).is_file() {
            return Ok(root);
        }
    }
    Err(Error::NotReady { what: "the .NET runtime", path: own })
}

/// The newest .NET 10 framework below a dotnet root.
pub fn newest_framework(root: &Path) -> Option<PathBuf> {
    let frameworks = fs::read_dir(root.join("shared/Microsoft.NETCore.App")).ok()?;
    frameworks
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let patch: Vec<u32> = name
                .strip_prefix(versions::RUNTIME_MAJOR)?
                .split('.')
                .map(str::parse)
                .collect::<Result<_, _>>()
                .ok()?;
            let path = entry.path();
            path.join("System.Private.CoreLib.dll").is_file().then_some((patch, path))
        })
        .max()
        .map(|(_, path)| path)
}

fn muxer() -> &'static str {
    if cfg!(windows) { "dotnet.exe" } else { "dotnet" }
}

fn present(what: &'static str, path: PathBuf) -> Result<PathBuf, Error> {
    if path.is_file() { Ok(path) } else { Err(Error::NotReady { what, path }) }
}
