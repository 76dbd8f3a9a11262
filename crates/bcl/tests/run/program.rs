//! A program of the suite: its source and how it is started.

use std::fs;
use std::path::{Path, PathBuf};

use testkit::{Assembly, Framework, Options, Source, Target, Toolchain, csharp_files};

pub struct Program {
    /// `topic/Title`.
    pub name: String,
    pub topic: String,
    pub title: String,
    pub source: PathBuf,
    pub args: Vec<String>,
    pub stdin: String,
    pub variables: Vec<(String, String)>,
    pub framework: Framework,
    /// A source that is compiled into the program: empty stand-ins for names that an older class library lacks.
    pub stand_ins: Option<PathBuf>,
    /// The folder that it reads, which is its current directory.
    pub reads: Option<PathBuf>,
}

/// What a run leaves behind, as far as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Observed {
    /// Frames of stack traces are left out: the JIT inlines methods, so they are not the same on every run of CoreCLR.
    pub fn new(code: i32, stdout: &[u8], stderr: &[u8]) -> Observed {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let stderr = text(stderr);
        let lines = stderr.split_inclusive('\n').filter(|line| !is_trace(line));
        Observed { code, stdout: text(stdout), stderr: lines.collect() }
    }
}

fn is_trace(line: &str) -> bool {
    line.starts_with("   at ")
        || line.starts_with("  at ")
        || line.starts_with("   --- End of ")
        || line.starts_with("--- End of ")
}

/// All programs, in the order of their names.
pub fn all(fixtures: &Path) -> Vec<Program> {
    let mut topics: Vec<PathBuf> = fs::read_dir(fixtures)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    topics.sort();
    let files = topics.iter().flat_map(|topic| csharp_files(topic).unwrap());
    files.map(|file| read(&file)).collect()
}

/// The names in a list; lines that start with `#` explain.
pub fn listed(list: &Path) -> Vec<String> {
    let text = fs::read_to_string(list).unwrap();
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect()
}

fn read(source: &Path) -> Program {
    let part = |path: Option<&Path>| path.unwrap().file_stem().unwrap().to_string_lossy().into_owned();
    let (topic, title) = (part(source.parent()), part(Some(source)));
    let text = fs::read_to_string(source).unwrap();
    let mut program = Program {
        name: format!("{topic}/{title}"),
        topic,
        title,
        source: source.to_owned(),
        args: Vec::new(),
        stdin: String::new(),
        variables: Vec::new(),
        framework: Framework::Net10,
        stand_ins: None,
        reads: None,
    };
    for line in text.lines().take_while(|line| line.starts_with("//")) {
        if let Some(args) = line.strip_prefix("// args: ") {
            program.args.extend(args.split(' ').map(str::to_owned));
        } else if line == "// framework: netcoreapp3.1" {
            program.framework = Framework::NetCore31;
        } else if let Some(folder) = line.strip_prefix("// reads: ") {
            program.reads = Some(fs::canonicalize(source.with_file_name(folder)).unwrap());
        } else if line == "// framework: mono" {
            program.framework = Framework::Mono;
        } else if let Some(stdin) = line.strip_prefix("// stdin: ") {
            program.stdin.push_str(&stdin.replace("\\n", "\n"));
        } else if let Some((name, value)) = line.strip_prefix("// env: ").and_then(|v| v.split_once('=')) {
            program.variables.push((name.to_owned(), value.to_owned()));
        }
    }
    program
}

impl Program {
    /// Its current directory: the folder that it reads, or that of its source.
    pub fn folder(&self) -> PathBuf {
        let source = self.source.parent().unwrap_or(Path::new("/"));
        self.reads.clone().unwrap_or_else(|| fs::canonicalize(source).unwrap())
    }

    /// The `dotnet` or the `mono` that the program is for.
    pub fn runtime(&self) -> PathBuf {
        let toolchain = Toolchain::locate().unwrap();
        match self.framework {
            Framework::NetCore31 => toolchain.dotnet31(),
            Framework::Mono => toolchain.mono().unwrap().executable,
            _ => toolchain.dotnet(),
        }
    }

    /// Where the machine finds the class library.
    pub fn framework_root(&self) -> PathBuf {
        match self.framework {
            Framework::Mono => Toolchain::locate().unwrap().mono().unwrap().framework,
            _ => self.runtime(),
        }
    }

    pub fn assembly(&self) -> Assembly {
        let framework = self.framework;
        let options = Options { target: Target::Exe, allow_unsafe: true, framework, ..Options::default() };
        let sources = std::iter::once(&self.source).chain(&self.stand_ins);
        Assembly {
            name: self.title.clone(),
            sources: sources.map(|file| Source::file(file)).collect(),
            options,
        }
    }
}
