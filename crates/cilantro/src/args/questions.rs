//! The arguments of the commands that ask one thing: `reach` and `prove`.

use std::path::PathBuf;

use clap::Args;
use engine::Kind;

use super::{MockLibrary, Mocking, ReportFormat, TestFramework, Trust};

pub const REACH_HELP: &str = "\
Examples:
  cilantro reach Shop.dll Cart.cs:42
  cilantro reach Shop.dll Cart.Add@IL_002a Cart.Round -o reach.Tests
  cilantro reach Shop.dll \"exception OverflowException in Cart.Total\" --format json

A location is a line of a source file (with symbols), an instruction, the entry of a method, or an exception
that leaves a method. The test goes through a public method that gets there, where there is one.

Exit codes: 0 nothing gets there, proven; 1 something is reached; 2 a location that is not there;
3 open, or proven under assumptions only.";

pub const PROVE_HELP: &str = "\
Examples:
  cilantro prove Shop.dll Cart.Add
  cilantro prove Shop.dll --strict
  cilantro prove Shop.dll Cart.Add --allow FormatException --only null --only index

Without a method it is the whole assembly. Argument checks are allowed: exceptions of the type ArgumentException
or below it that the method throws itself or that name one of its parameters; --strict counts them as well. A failed
Debug.Assert, Trace.Assert or contract and UnreachableException count.

Exit codes: 0 proven, 1 refuted, 3 open, or proven under assumptions only.";

#[derive(Debug, Args)]
pub struct Reach {
    /// The compiled assembly; or its project, a solution or a folder, of which what was built is taken
    #[arg(value_name = "DLL")]
    pub assembly: PathBuf,
    /// Cart.cs:42, Cart.Add@IL_002a, Cart.Add, "exception NAME in Cart.Add"
    #[arg(value_name = "LOCATION", required = true)]
    pub locations: Vec<String>,
    /// Write the tests that get there as a project into this folder
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The test framework of the project
    #[arg(long, value_enum, default_value_t = TestFramework::Xunit, requires = "output")]
    pub framework: TestFramework,
    /// What mocks are written with
    #[arg(long, value_enum, value_name = "LIBRARY", requires = "output")]
    pub mock_library: Option<MockLibrary>,
    /// Write a test for each case, also where tests differ in plain values only
    #[arg(long, requires = "output")]
    pub no_theories: bool,
    /// Write the tests without compiling and running them first
    #[arg(long, requires = "output")]
    pub no_verify: bool,
    #[command(flatten)]
    pub mocking: Mocking,
    #[command(flatten)]
    pub trust: Trust,
    #[command(flatten)]
    pub format: ReportFormat,
}

#[derive(Debug, Args)]
pub struct Prove {
    /// The compiled assembly; or its project, a solution or a folder, of which what was built is taken
    #[arg(value_name = "DLL")]
    pub assembly: PathBuf,
    /// Add, Cart.Add, "Shop.Cart::Add(System.Int32)", 0x06000012 [default: all methods]
    #[arg(value_name = "METHOD")]
    pub methods: Vec<String>,
    /// Only methods of this type; may be repeated
    #[arg(long = "type", value_name = "TYPE")]
    pub types: Vec<String>,
    /// Only methods of this namespace and those inside it; may be repeated
    #[arg(long = "namespace", value_name = "NAMESPACE")]
    pub namespaces: Vec<String>,
    /// Leave this out: a namespace, type or method, or a source file; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Argument checks count as well
    #[arg(long)]
    pub strict: bool,
    /// Exceptions of this type and those below it may leave the methods; may be repeated
    #[arg(long, value_name = "TYPE")]
    pub allow: Vec<String>,
    /// Only failures of this kind count: null, index, divide, overflow, cast, argument, assert; may be repeated
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = parse_kind)]
    pub only: Vec<Kind>,
    #[command(flatten)]
    pub mocking: Mocking,
    #[command(flatten)]
    pub trust: Trust,
    #[command(flatten)]
    pub format: ReportFormat,
}

fn parse_kind(name: &str) -> Result<Kind, String> {
    Kind::named(name).ok_or_else(|| {
        let all: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        format!("there is no such kind; there are {}", all.join(", "))
    })
}
