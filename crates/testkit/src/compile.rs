//! C# sources → assemblies, each compiled once and kept by the hash of everything that went into it.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::{Error, Lock, Toolchain, run, versions};

/// A C# file: its name (as the symbols will have it, below `/_/`) and its text.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    text: Result<String, PathBuf>,
}

impl Source {
    pub fn text(name: &str, text: &str) -> Source {
        Source { name: name.to_owned(), text: Ok(text.to_owned()) }
    }
    pub fn file(path: &Path) -> Source {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Source { name, text: Err(path.to_path_buf()) }
    }
}

impl From<&Path> for Source {
    fn from(path: &Path) -> Source {
        Source::file(path)
    }
}

impl From<&PathBuf> for Source {
    fn from(path: &PathBuf) -> Source {
        Source::file(path)
    }
}

impl From<(&str, &str)> for Source {
    fn from((name, text): (&str, &str)) -> Source {
        Source::text(name, text)
    }
}

/// The C# files of a folder, in the order of their names.
pub fn csharp_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io(folder))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cs"))
        .collect();
    files.sort();
    Ok(files)
}

/// Where debug information goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Debug {
    None,
    /// A portable PDB beside the assembly.
    Portable,
    /// A portable PDB inside the assembly.
    Embedded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Library,
    Exe,
}

/// Which base class library a compilation sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framework {
    /// The implementation assemblies of .NET 10.
    Net10,
    /// The reference assemblies of .NET Core 3.1.
    NetCore31,
    /// The reference assemblies of .NET Standard 2.1.
    NetStandard21,
    /// The assemblies of Mono's class library for .NET Framework 4.
    Mono,
    /// None: `references` must bring a core library.
    None,
}

#[derive(Debug, Clone)]
pub struct Options {
    /// C# language version: `12` by default, `preview` and older ones as the compiler takes them.
    pub language: String,
    pub optimize: bool,
    pub debug: Debug,
    pub target: Target,
    pub framework: Framework,
    /// Further assemblies; copied beside the output, so that a program finds them.
    pub references: Vec<PathBuf>,
    pub allow_unsafe: bool,
    pub checked: bool,
    pub nullable: bool,
    /// Anything else the compiler takes, such as `-define:X` or `-resource:file`.
    pub arguments: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            language: "12".to_owned(),
            optimize: true,
            debug: Debug::Portable,
            target: Target::Library,
            framework: Framework::Net10,
            references: Vec::new(),
            allow_unsafe: false,
            checked: false,
            nullable: false,
            arguments: Vec::new(),
        }
    }
}

/// One assembly to be compiled: the parameters of [`compile`] as a value, for [`compile_all`].
#[derive(Debug, Clone)]
pub struct Assembly {
    pub name: String,
    pub sources: Vec<Source>,
    pub options: Options,
}

/// Compiles `name.dll` from C# sources; returns the path of the assembly in the cache.
pub fn compile<S: Into<Source> + Clone>(
    name: &str,
    sources: &[S],
    options: &Options,
) -> Result<PathBuf, Error> {
    let sources = sources.iter().cloned().map(Into::into).collect();
    let mut paths = compile_all(&[Assembly { name: name.to_owned(), sources, options: options.clone() }])?;
    Ok(paths.remove(0))
}

/// Compiles several assemblies with one start of the compiler, which costs more than compiling a small file.
pub fn compile_all(assemblies: &[Assembly]) -> Result<Vec<PathBuf>, Error> {
    let toolchain = Toolchain::locate()?;
    let root = toolchain.layout().compiled();
    let entries =
        assemblies.iter().map(|a| Entry::new(&toolchain, a, &root)).collect::<Result<Vec<_>, _>>()?;
    let mut missing: Vec<&Entry> = entries.iter().filter(|entry| !entry.output().is_file()).collect();
    if !missing.is_empty() {
        // In one order everywhere, so that two processes with the same set never wait for each other.
        missing.sort_by(|a, b| a.key.cmp(&b.key));
        missing.dedup_by(|a, b| a.key == b.key);
        compile_missing(&toolchain, missing)?;
    }
    Ok(entries.iter().map(Entry::output).collect())
}

/// An assembly that has been compiled already.
pub fn compiled(assembly: &Assembly) -> Result<Option<PathBuf>, Error> {
    let toolchain = Toolchain::locate()?;
    let output = Entry::new(&toolchain, assembly, &toolchain.layout().compiled())?.output();
    Ok(output.is_file().then_some(output))
}

/// Compiles assemblies that are not worth keeping into a folder, with one start of the compiler; each may fail on its own.
pub fn compile_each(assemblies: &[Assembly], folder: &Path) -> Result<Vec<Result<PathBuf, Error>>, Error> {
    let toolchain = Toolchain::locate()?;
    let entries =
        assemblies.iter().map(|a| Entry::new(&toolchain, a, folder)).collect::<Result<Vec<_>, _>>()?;
    let jobs = entries.iter().map(|e| Job::prepare(&toolchain, e)).collect::<Result<Vec<_>, _>>()?;
    let stderr = start_compiler(&toolchain, &jobs)?;
    let finished = jobs.into_iter().zip(&entries).map(|(job, entry)| {
        job.finish(&stderr)?;
        Ok(entry.output())
    });
    Ok(finished.collect())
}

fn start_compiler(toolchain: &Toolchain, jobs: &[Job<'_>]) -> Result<String, Error> {
    let mut command = Command::new(toolchain.dotnet());
    command.arg("exec").arg(toolchain.compiler()).args(jobs.iter().map(Job::response_file));
    Ok(run(&mut command)?.stderr)
}

fn compile_missing(toolchain: &Toolchain, entries: Vec<&Entry>) -> Result<(), Error> {
    let mut locks = Vec::new();
    let mut jobs = Vec::new();
    for entry in entries {
        let lock = toolchain.layout().locks().join(format!("{}.lock", entry.key));
        locks.push(Lock::acquire(&lock, || {})?);
        // Somebody may have compiled it while we waited.
        if !entry.output().is_file() {
            jobs.push(Job::prepare(toolchain, entry)?);
        }
    }
    if jobs.is_empty() {
        return Ok(());
    }
    let stderr = start_compiler(toolchain, &jobs)?;
    // All of them, whatever happens to one: what compiles need not be compiled again.
    let finished: Vec<_> = jobs.into_iter().map(|job| job.finish(&stderr)).collect();
    finished.into_iter().collect()
}

/// A place in the cache for one assembly.
struct Entry {
    assembly: Assembly,
    /// Names and texts of the sources.
    sources: Vec<(String, String)>,
    key: String,
    folder: PathBuf,
}

impl Entry {
    /// `root` is the folder that holds the folders of assemblies.
    fn new(toolchain: &Toolchain, assembly: &Assembly, root: &Path) -> Result<Entry, Error> {
        let mut sources = Vec::new();
        for source in &assembly.sources {
            let text = match &source.text {
                Ok(text) => text.clone(),
                Err(path) => fs::read_to_string(path).map_err(Error::io(path))?,
            };
            sources.push((source.name.clone(), text));
        }
        let key = key(toolchain, assembly, &sources)?;
        let folder = root.join(&key);
        Ok(Entry { assembly: assembly.clone(), sources, key, folder })
    }

    fn output(&self) -> PathBuf {
        self.folder.join(format!("{}.dll", self.assembly.name))
    }
}

/// A hash of everything the output depends on.
fn key(toolchain: &Toolchain, assembly: &Assembly, sources: &[(String, String)]) -> Result<String, Error> {
    let options = &assembly.options;
    let mut hash = Sha256::new();
    let mut feed = |bytes: &[u8]| {
        hash.update(bytes.len().to_le_bytes());
        hash.update(bytes);
    };
    feed(toolchain.layout().compiler().file_name().unwrap_or_default().as_encoded_bytes());
    feed(toolchain.runtime_version().as_bytes());
    feed(assembly.name.as_bytes());
    feed(switches(&assembly.name, options).join("\n").as_bytes());
    feed(format!("{:?}", options.framework).as_bytes());
    for reference in &options.references {
        feed(reference.file_name().unwrap_or_default().as_encoded_bytes());
        feed(&fs::read(reference).map_err(Error::io(reference))?);
    }
    for (name, text) in sources {
        feed(name.as_bytes());
        feed(text.as_bytes());
    }
    let digest: String = hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{}-{digest}", assembly.name))
}

/// The compiler's options that do not name files.
fn switches(name: &str, options: &Options) -> Vec<String> {
    let on = |flag: bool| if flag { "+" } else { "-" };
    let mut switches = vec![
        "-nostdlib".to_owned(),
        "-deterministic".to_owned(),
        "-nowarn:1701,1702".to_owned(),
        format!("-langversion:{}", options.language),
        format!("-optimize{}", on(options.optimize)),
        format!("-unsafe{}", on(options.allow_unsafe)),
        format!("-checked{}", on(options.checked)),
        format!("-nullable{}", on(options.nullable)),
        format!("-target:{}", if options.target == Target::Exe { "exe" } else { "library" }),
        format!("-out:{name}.dll"),
    ];
    switches.push(
        match options.debug {
            Debug::None => "-debug-",
            Debug::Portable => "-debug:portable",
            Debug::Embedded => "-debug:embedded",
        }
        .to_owned(),
    );
    switches.extend(options.arguments.iter().cloned());
    switches
}

/// One compilation under way: a temporary folder that becomes the cache entry when all is well.
struct Job<'a> {
    entry: &'a Entry,
    folder: TempDir,
}

impl<'a> Job<'a> {
    fn prepare(toolchain: &Toolchain, entry: &'a Entry) -> Result<Job<'a>, Error> {
        let root = entry.folder.parent().unwrap_or(&entry.folder);
        fs::create_dir_all(root).map_err(Error::io(root))?;
        let folder =
            tempfile::Builder::new().prefix(".compiling-").tempdir_in(root).map_err(Error::io(root))?;
        let job = Job { entry, folder };
        let options = &entry.assembly.options;

        let mut lines = switches(&entry.assembly.name, options).join("\n");
        for reference in framework_references(toolchain, options.framework)?.iter().chain(&options.references)
        {
            let _ = write!(lines, "\n-r:{}", reference.display());
        }
        for (name, text) in &entry.sources {
            job.write(name, text)?;
            let _ = write!(lines, "\n{name}");
        }
        job.write("compile.rsp", &lines)?;
        for reference in &options.references {
            let copy = job.folder.path().join(reference.file_name().unwrap_or_default());
            fs::copy(reference, &copy).map_err(Error::io(&copy))?;
        }
        if options.target == Target::Exe && options.framework != Framework::Mono {
            let config = runtime_config(toolchain, options.framework);
            job.write(&format!("{}.runtimeconfig.json", entry.assembly.name), &config)?;
        }
        Ok(job)
    }

    fn response_file(&self) -> PathBuf {
        self.folder.path().join("compile.rsp")
    }

    fn finish(self, compiler_stderr: &str) -> Result<(), Error> {
        let name = &self.entry.assembly.name;
        if !self.folder.path().join(format!("{name}.dll")).is_file() {
            let log = fs::read_to_string(self.folder.path().join("compile.rsp.log"))
                .unwrap_or_else(|_| compiler_stderr.to_owned());
            return Err(Error::Compile { name: name.clone(), diagnostics: log });
        }
        // The entry's lock is ours and the assembly was not there: what is there now is a torn-off rest.
        let _ = fs::remove_dir_all(&self.entry.folder);
        let folder = self.folder.keep();
        fs::rename(&folder, &self.entry.folder).map_err(Error::io(&self.entry.folder))
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder.path().join(name);
        fs::write(&path, text).map_err(Error::io(path))
    }
}

fn framework_references(toolchain: &Toolchain, framework: Framework) -> Result<Vec<PathBuf>, Error> {
    let folder = match framework {
        Framework::Net10 => toolchain.framework_dir().to_path_buf(),
        Framework::NetCore31 => toolchain.ref_pack31(),
        Framework::NetStandard21 => toolchain.ref_pack_netstandard(),
        Framework::Mono => return mono_references(toolchain),
        Framework::None => return Ok(Vec::new()),
    };
    let managed = |name: &str| {
        let known =
            ["System.", "Microsoft.", "mscorlib.", "netstandard."].iter().any(|p| name.starts_with(p));
        known && name.ends_with(".dll") && !name.ends_with(".Native.dll")
    };
    let mut references = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Error::io(&folder))?.flatten() {
        if entry.file_name().to_str().is_some_and(managed) {
            references.push(entry.path());
        }
    }
    references.sort();
    Ok(references)
}

fn mono_references(toolchain: &Toolchain) -> Result<Vec<PathBuf>, Error> {
    let folder = toolchain.needed_mono()?.framework;
    let names = ["mscorlib", "System", "System.Core", "System.Numerics"];
    let files: Vec<PathBuf> = names.iter().map(|name| folder.join(format!("{name}.dll"))).collect();
    match files.iter().find(|file| !file.is_file()) {
        Some(missing) => Err(Error::NotReady { what: "Mono", path: missing.clone() }),
        None => Ok(files),
    }
}

fn runtime_config(toolchain: &Toolchain, framework: Framework) -> String {
    let (moniker, version) = match framework {
        Framework::NetCore31 | Framework::NetStandard21 => ("netcoreapp3.1", versions::RUNTIME31),
        Framework::Net10 | Framework::None | Framework::Mono => ("net10.0", toolchain.runtime_version()),
    };
    format!(
        r#"{{"runtimeOptions":{{"tfm":"{moniker}","rollForward":"Major","framework":{{"name":"Microsoft.NETCore.App","version":"{version}"}},"configProperties":{{"System.Globalization.Invariant":true}}}}}}
"#
    )
}
