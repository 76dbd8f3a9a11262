//! The command line, as data.
#![allow(rustdoc::invalid_html_tags, reason = "the comments are what `--help` prints")]

mod cache;
mod clock;
mod findings;
mod page;
mod project;
mod questions;
mod reports;
mod scope;
mod servers;
mod values;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use engine::Selection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use verdict::Assumption;

use crate::config::Settings;

pub use cache::{Cache, CacheTask, Caching, Merge};
pub use clock::{ClockTime, parse_clock};
pub use findings::{FailKind, Findings};
pub use page::Page;
pub use project::{ConfigAction, ConfigFormat, Configuration, Init};
pub use questions::{Prove, Reach};
pub use reports::{FileFormat, Format, ReportFile, ReportFormat};
pub use scope::{EntryPoints, Zone};
pub use servers::{Lsp, Mcp, Watch};
pub use values::{ByteSize, parse_duration, parse_size, parse_variable};
pub use words::{Completions, Explain, Man};

/// The version line, the commands, and the options that every command takes.
#[derive(Debug, Parser)]
#[command(
    name = "cilantro",
    version,
    about = "Tests for every branch of a .NET assembly, the inputs behind every crash, and proofs for the rest.",
    after_help = "\
Examples:
  cilantro generate Shop.dll                    write a test project for the library
  cilantro check Shop.dll --type Shop.Cart      list the crashes of its methods
  cilantro reach Shop.dll Cart.cs:42            a test that gets to a line, or a proof
  cilantro prove Shop.dll Cart.Add              a proof that no exception leaves it
  cilantro replay Shop.Tests                    run the stored test cases again
  cilantro inspect Shop.dll --method Cart.Add   show its CIL
  cilantro run App.dll -- --input data.txt      run a program in the machine

Exit codes: 0 nothing found, 1 findings, 2 usage or internal error, 3 finished but incomplete.",
    propagate_version = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub common: Common,
    /// All of it as it was given, without the name of the program.
    #[arg(skip)]
    pub words: Vec<String>,
    /// What the environment and the configuration say.
    #[arg(skip)]
    pub settings: Settings,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explore methods, write a test project, replay every test on the real runtime
    #[command(after_help = "\
Examples:
  cilantro generate Shop.dll
  cilantro generate Shop.dll --type Shop.Cart --framework nunit -o tests/Shop.Tests
  cilantro generate Shop.dll --method Cart.Add --method Cart.Remove --timeout 5m")]
    Generate(Box<Generate>),
    /// Explore methods and report only the crashes: exceptions that nobody meant to throw
    #[command(after_help = "\
Examples:
  cilantro check Shop.dll
  cilantro check Shop.dll --all --fail-on any
  cilantro check Shop.dll --write-baseline known.json
  cilantro check Shop.dll --baseline known.json
  cilantro check Shop.dll --since main
  cilantro check Shop.dll --namespace Shop.Orders --format json
  cilantro check Shop.dll --report sarif=shop.sarif --report junit=shop.xml")]
    Check(Box<Check>),
    /// Find a test that gets to a place in the code, or prove that none does
    #[command(after_help = questions::REACH_HELP)]
    Reach(Box<Reach>),
    /// Prove that no exception leaves a method, or find an input with which one does
    #[command(after_help = questions::PROVE_HELP)]
    Prove(Box<Prove>),
    /// Put the parts of a run with `--shard` together: one summary, one test project
    #[command(after_help = "\
Examples:
  cilantro generate Shop.dll --shard 1/2 -o part1     on one machine
  cilantro generate Shop.dll --shard 2/2 -o part2     on another
  cilantro merge part1 part2 -o Shop.Tests")]
    Merge(Box<Merge>),
    /// Look after the results that are kept between runs
    #[command(after_help = "\
Examples:
  cilantro cache stats
  cilantro cache verify --cache /tmp/results")]
    Cache(Cache),
    /// Run stored test cases on the real runtime again
    #[command(after_help = "\
Examples:
  cilantro replay Shop.Tests
  cilantro replay Shop.Tests/cases/Shop.Cart.json --runtime /usr/share/dotnet")]
    Replay(Replay),
    /// Show types, layouts, CIL and control flow, or the path behind a test
    #[command(after_help = "\
Examples:
  cilantro inspect Shop.dll
  cilantro inspect Shop.dll --type Shop.Cart
  cilantro inspect Shop.dll --method Cart.Add --cfg --format dot | dot -Tsvg > add.svg
  cilantro inspect Shop.Tests --path Add_CountOver100_ReturnsCount")]
    Inspect(Inspect),
    /// Run a program in the machine, as `dotnet` would
    #[command(after_help = "\
Examples:
  cilantro run App.dll
  cilantro run --timeout 10s App.dll -- first second
  cilantro run --sandbox data --clock 2024-01-01T00:00:00Z App.dll
  cilantro run --culture de-DE --time-zone Europe/Berlin App.dll

The program sees the standard streams, its arguments and the environment variables. Files and the
network are denied; --sandbox gives it a folder to read, which is its current directory. Time stands
still but for its own waiting, the culture is the invariant one, the time zone is UTC, and what is
random follows --seed: the same run gives the same output. Cultures are those of the runtime that it
would run on; without ICU, or if the program asks for it, there is only the invariant one.

The exit code is the program's, 134 after an exception that nobody caught. What the machine does not
support or may not do stops the program with its name and exit code 3, as does the end of --timeout
or --max-steps. A program that needs more than --max-memory gets an OutOfMemoryException. A file
that cannot be run is exit code 2.")]
    Run(Box<Run>),
    /// Say what a reason for an incomplete answer means, and what you can do about it
    #[command(after_help = "\
Examples:
  cilantro explain
  cilantro explain native_call")]
    Explain(Explain),
    /// Write what a run has found as one HTML page
    #[command(after_help = page::REPORT_HELP)]
    Report(Page),
    /// Find the projects of a folder and write a cilantro.toml for them
    #[command(after_help = project::INIT_HELP)]
    Init(Init),
    /// Show the settings that count, and where each comes from
    #[command(after_help = project::CONFIG_HELP)]
    Config(Configuration),
    /// Show what is found in a terminal, again after every build
    #[command(after_help = servers::WATCH_HELP)]
    Watch(Box<Watch>),
    /// Show findings and coverage in an editor (Language Server Protocol)
    #[command(after_help = servers::LSP_HELP)]
    Lsp(Lsp),
    /// Answer the questions of a coding assistant (Model Context Protocol)
    #[command(after_help = servers::MCP_HELP)]
    Mcp(Mcp),
    /// Print completions for a shell
    #[command(after_help = "\
Examples:
  cilantro completions bash > ~/.local/share/bash-completion/completions/cilantro
  cilantro completions powershell >> $PROFILE")]
    Completions(Completions),
    /// Write manual pages into a folder
    #[command(after_help = "\
Examples:
  cilantro man ~/.local/share/man/man1")]
    Man(Man),
}

#[derive(Debug, Args)]
pub struct Generate {
    #[command(flatten)]
    pub subject: Subject,
    #[command(flatten)]
    pub entry_points: EntryPoints,
    /// The test framework of the generated project
    #[arg(long, value_enum, default_value_t = TestFramework::Xunit)]
    pub framework: TestFramework,
    /// What mocks are written with [default: the library that the project in the output folder refers to, else none:
    /// small classes in the test file]
    #[arg(long, value_enum, value_name = "LIBRARY")]
    pub mock_library: Option<MockLibrary>,
    #[command(flatten)]
    pub mocking: Mocking,
    #[command(flatten)]
    pub trust: Trust,
    /// Write a test for each case, also where tests differ in plain values only
    #[arg(long)]
    pub no_theories: bool,
    /// Write the tests without compiling and running them first
    #[arg(long)]
    pub no_verify: bool,
    /// Write nothing: list the files that would be written, and what would become of those that are there
    #[arg(long)]
    pub dry_run: bool,
    /// The same, with the lines of C# that would change
    #[arg(long)]
    pub diff: bool,
    /// Where to write the test project [default: ./<assembly>.Tests]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub caching: Caching,
    #[command(flatten)]
    pub format: ReportFormat,
    #[command(flatten)]
    pub findings: Findings,
}

#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub subject: Subject,
    /// Only methods whose code, or code that they lead to, has changed since this: a summary.json or the folder that has it,
    /// another build of the assembly, or a git revision in which the summary is stored (main, main:tests/summary.json)
    #[arg(long, value_name = "WHAT")]
    pub since: Option<String>,
    #[command(flatten)]
    pub entry_points: EntryPoints,
    #[command(flatten)]
    pub mocking: Mocking,
    #[command(flatten)]
    pub trust: Trust,
    /// Where to write what a shard found [default: ./<assembly>.shard-K-of-N]
    #[arg(short, long, value_name = "DIR", requires = "shard")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub caching: Caching,
    #[command(flatten)]
    pub format: ReportFormat,
    #[command(flatten)]
    pub findings: Findings,
}

#[derive(Debug, Args)]
pub struct Replay {
    /// A folder that `generate` wrote, or one file of test cases
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub format: ReportFormat,
}

#[derive(Debug, Args)]
pub struct Inspect {
    #[command(flatten)]
    pub subject: Subject,
    /// Say why this test exists: its path, decision by decision. Instead of the assembly give the folder that `generate`
    /// wrote; may be repeated
    #[arg(long = "path", value_name = "TEST", conflicts_with_all = ["cfg", "types", "methods", "namespaces"])]
    pub tests: Vec<String>,
    /// Show the control-flow graph of the selected methods
    #[arg(long)]
    pub cfg: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = InspectFormat::Text)]
    pub format: InspectFormat,
}

#[derive(Debug, Args)]
pub struct Run {
    /// The compiled program
    #[arg(value_name = "APP")]
    pub program: PathBuf,
    /// A folder that the program may read and that it starts in; without one it may not use files
    #[arg(long, value_name = "DIR")]
    pub sandbox: Option<PathBuf>,
    /// The program may change the files of the sandbox: it sees what it wrote, the folder stays as it is
    #[arg(long, requires = "sandbox")]
    pub writable: bool,
    /// The same, and the folder becomes what the program has made of it when it ends
    #[arg(long, requires = "sandbox")]
    pub write_back: bool,
    /// How wide a `Vector<T>` is: 128, 256 or 512 bits
    #[arg(long, value_name = "BITS", default_value_t = 128, value_parser = parse_vector_bits)]
    pub vector_bits: u32,
    /// The time at which the clock stands: 2024-01-01, 2024-01-01T12:30:00Z, or `now` [default: noon of 2000-01-01]
    #[arg(long, value_name = "TIME", value_parser = parse_clock)]
    pub clock: Option<ClockTime>,
    /// The culture that the program starts in: de-DE, or `user` for your own [default: the invariant one]
    #[arg(long, value_name = "NAME")]
    pub culture: Option<String>,
    /// The culture of its user interface [default: the same]
    #[arg(long, value_name = "NAME")]
    pub ui_culture: Option<String>,
    /// The local time zone: Europe/Berlin, or `user` for your own [default: UTC]
    #[arg(long, value_name = "NAME")]
    pub time_zone: Option<String>,
    /// Set an environment variable for the program; may be repeated
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub variables: Vec<(String, String)>,
    /// Do not hand on the environment variables of this process
    #[arg(long)]
    pub clear_env: bool,
    /// Arguments for the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// Which assembly, and which of its methods.
#[derive(Clone, Debug, Args)]
pub struct Subject {
    /// The compiled assembly; or its project, a solution or a folder, of which what was built is taken
    #[arg(value_name = "DLL")]
    pub assembly: PathBuf,
    /// Only this type: Shop.Cart, Cart, Shop.Outer+Inner; may be repeated
    #[arg(long = "type", value_name = "TYPE")]
    pub types: Vec<String>,
    /// Only this method: Add, Cart.Add, "Shop.Cart::Add(System.Int32)", 0x06000012; may be repeated
    #[arg(long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// Only this namespace and those inside it; may be repeated
    #[arg(long = "namespace", value_name = "NAMESPACE")]
    pub namespaces: Vec<String>,
}

#[derive(Clone, Copy, Debug, Args)]
pub struct Mocking {
    /// When made-up classes stand for interfaces, abstract classes and delegates: before real ones, after them, only where
    /// there are none, or not at all
    #[arg(long, value_enum, value_name = "WHEN")]
    pub mocks: Option<Mocks>,
}

/// What the user vouches for.
#[derive(Clone, Debug, Args)]
pub struct Trust {
    /// Take this for granted in proofs: closed-world, unchanged-statics, one-thread, usual-environment, usual-text,
    /// usual-inputs, memory-layout, finished-objects, type-arguments, models; several with commas
    #[arg(long = "assume", value_name = "WHAT", value_delimiter = ',', value_parser = parse_assumption)]
    pub assume: Vec<Assumption>,
}

fn parse_vector_bits(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(bits @ (128 | 256 | 512)) => Ok(bits),
        _ => Err("vectors have 128, 256 or 512 bits".to_owned()),
    }
}

fn parse_assumption(name: &str) -> Result<Assumption, String> {
    Assumption::named(name).ok_or_else(|| {
        let all: Vec<&str> = Assumption::ALL.iter().map(|assumption| assumption.name()).collect();
        format!("there is no such assumption; there are {}", all.join(", "))
    })
}

impl Subject {
    pub fn selection(&self) -> Selection {
        Selection {
            types: self.types.clone(),
            methods: self.methods.clone(),
            namespaces: self.namespaces.clone(),
        }
    }
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// The file with settings [default: cilantro.toml in this folder or the nearest one around it]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Look at what is built already, even if the sources of a project are newer
    #[arg(long, global = true)]
    pub no_build: bool,
    /// Time for the whole command, replay included: 30, 30s, 5m, 500ms [default: 45s]
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Worker threads [default: number of cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Seed of every random choice
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Which paths go first: deep ones, wide ones, those that promise new branches, or those nearest to what is missing
    #[arg(long, global = true, value_enum, default_value_t = Strategy::Coverage)]
    pub strategy: Strategy,
    /// Part of the effort that looks for public calls which make the objects of tests, in percent; 0: none [default: 10]
    #[arg(long, global = true, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=50))]
    pub sequences: Option<u32>,
    /// Time for one question to the solver [default: a third of the method's share]
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_duration)]
    pub solver_timeout: Option<Duration>,
    /// Compare every answer of the solver with an external SMT-LIB solver: its path, or the first of z3, bitwuzla and
    /// cvc5 on PATH
    #[arg(long, global = true, value_name = "SOLVER", num_args = 0..=1, require_equals = true)]
    pub cross_check: Option<Option<PathBuf>>,
    /// Memory for the whole process: 512M, 4G [default: half of the machine, at most 4G]
    #[arg(long, alias = "memory", global = true, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<ByteSize>,
    /// Instructions executed per method, over all paths [default: no limit]
    #[arg(long, alias = "steps", global = true, value_name = "N")]
    pub max_steps: Option<u64>,
    /// The runtime to use: a dotnet executable, a dotnet root, or a folder of framework assemblies
    #[arg(long, global = true, value_name = "PATH")]
    pub runtime: Option<PathBuf>,
    /// Write down what the engine does: JSON lines, or, if the name ends in .json, a trace that Perfetto opens
    #[arg(long, global = true, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// The format of the trace, whatever the file is called
    #[arg(long, global = true, value_enum, value_name = "FORMAT", requires = "trace")]
    pub trace_format: Option<TraceFormat>,
    /// Write every question that reaches the core of the solver into a new folder, as SMT-LIB with its answer
    #[arg(long, global = true, value_name = "DIR")]
    pub dump_queries: Option<PathBuf>,
    /// Also the questions that need no search
    #[arg(long, global = true, requires = "dump_queries")]
    pub dump_all_queries: bool,
    /// Colours: auto follows the terminal and NO_COLOR
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
    /// Say more (-vv: even more)
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,
    /// No progress and no remarks, only the result
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TestFramework {
    Xunit,
    Nunit,
    Mstest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MockLibrary {
    None,
    Moq,
    Nsubstitute,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mocks {
    Prefer,
    Auto,
    Avoid,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    /// One JSON object per line
    Lines,
    /// The trace event format of Chrome and Perfetto
    Chrome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InspectFormat {
    Text,
    Json,
    Dot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    Dfs,
    Bfs,
    Coverage,
    Targeted,
}

impl From<Mocks> for vm::Mocks {
    fn from(named: Mocks) -> vm::Mocks {
        match named {
            Mocks::Prefer => vm::Mocks::Prefer,
            Mocks::Auto => vm::Mocks::Auto,
            Mocks::Avoid => vm::Mocks::Avoid,
            Mocks::Never => vm::Mocks::Never,
        }
    }
}

impl From<Strategy> for explore::Strategy {
    fn from(named: Strategy) -> explore::Strategy {
        match named {
            Strategy::Dfs => explore::Strategy::Dfs,
            Strategy::Bfs => explore::Strategy::Bfs,
            Strategy::Coverage => explore::Strategy::Coverage,
            Strategy::Targeted => explore::Strategy::Targeted,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}
