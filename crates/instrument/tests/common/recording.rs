//! Running programs whose assemblies are copies with probes, and what they recorded.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use cil::Module;
use instrument::{Instrumented, Probe, instrument};
use testkit::{Framework, Options};

use super::BASE;

/// The block of memory that probes write to, as a file.
pub struct Block {
    path: PathBuf,
    size: usize,
}

impl Block {
    pub fn new(folder: &Path, size: usize) -> Block {
        let path = folder.join("probes");
        let size = size.next_multiple_of(4096).max(4096);
        File::create(&path).unwrap().set_len(size as u64).unwrap();
        Block { path, size }
    }

    /// What the environment variable `PROBES` has to say.
    pub fn variable(&self) -> String {
        format!("{BASE:x} {:x} {}", self.size, self.path.display())
    }

    /// One flag for each probe.
    pub fn recorded(&self) -> Vec<bool> {
        let bytes = fs::read(&self.path).unwrap();
        assert!(bytes.iter().all(|byte| *byte <= 1));
        bytes.into_iter().map(|byte| byte == 1).collect()
    }
}

/// Something that maps the block before `Main` runs.
pub fn hook() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/StartupHook.cs");
    let options = Options { framework: Framework::NetCore31, language: "9".into(), ..Options::default() };
    testkit::compile("ProbeBlock", &[source.as_path()], &options).unwrap()
}

/// The same before anything managed runs.
pub fn preload() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/preload.c");
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("preload.so");
    static COMPILED: OnceLock<()> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let unfinished = library.with_extension(std::process::id().to_string());
        let mut compiler = Command::new("cc");
        let status =
            compiler.args(["-shared", "-fPIC", "-o"]).arg(&unfinished).arg(&source).status().unwrap();
        assert!(status.success());
        fs::rename(unfinished, &library).unwrap();
    });
    library
}

/// Makes the JIT optimise everything at once; it would leave most code of short programs as it is.
pub fn full_opts() -> (String, String) {
    ("DOTNET_TieredCompilation".to_owned(), "0".to_owned())
}

/// A program that can be started.
pub struct Start<'a> {
    pub runtime: &'a Path,
    pub dll: &'a Path,
    pub args: &'a [String],
    pub stdin: &'a str,
    pub variables: &'a [(String, String)],
    pub folder: &'a Path,
    pub mapping: Mapping,
}

/// What maps the block.
#[derive(Clone, Copy)]
pub enum Mapping {
    /// Code that runs before `Main`.
    StartupHook,
    /// A native library that is loaded before the runtime, for probes in the core library.
    Preload,
}

impl Start<'_> {
    /// Exit code (as a shell has it), standard output and standard error.
    pub fn run(&self, block: &Block) -> (i32, Vec<u8>, Vec<u8>) {
        let (variable, library) = match self.mapping {
            Mapping::StartupHook => ("DOTNET_STARTUP_HOOKS", hook()),
            Mapping::Preload => ("LD_PRELOAD", preload()),
        };
        let mut child = Command::new(self.runtime)
            .arg("exec")
            .arg(self.dll)
            .args(self.args)
            .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
            .env("DOTNET_TieredPGO", "0")
            .env(variable, library)
            .env("PROBES", block.variable())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program need not read what it is given.
        let _unread = child.stdin.take().unwrap().write_all(self.stdin.as_bytes());
        let output = child.wait_with_output().unwrap();
        (exit_code(output.status), output.stdout, output.stderr)
    }
}

fn exit_code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap()
}

/// Writes a copy with probes over the file of the original.
pub fn replace(dll: &Path, module: &Module, probes: &[Probe], base: u64) -> Instrumented {
    let copy = instrument(module, probes, base).unwrap_or_else(|error| panic!("{}: {error}", dll.display()));
    fs::write(dll, &copy.image).unwrap();
    copy
}
