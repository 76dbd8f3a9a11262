//! What is to be verified: the files of a test project, and what it would be built with.

use std::path::PathBuf;

use crate::Restored;

/// A test project as it is about to be written.
#[derive(Clone, Debug)]
pub struct Project {
    /// The name of its assembly, which `InternalsVisibleTo` attributes mention.
    pub name: String,
    pub framework: Framework,
    pub mocks: Mocks,
    pub files: Vec<SourceFile>,
    /// The assembly under test and whatever else the project refers to. What these need and what lies beside them is found.
    pub references: Vec<PathBuf>,
    /// The real packages, where the user's project has restored them.
    pub restored: Option<Restored>,
    pub options: Options,
}

/// A C# file and the names of the test methods in it. A file without tests is there for the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    pub path: String,
    pub text: String,
    pub tests: Vec<String>,
}

/// The test framework by the generation of its interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Framework {
    XUnit2,
    XUnit3,
    NUnit3,
    NUnit4,
    MSTest2,
    MSTest3,
    MSTest4,
}

/// A mocking library that the tests use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mocks {
    #[default]
    None,
    Moq,
    NSubstitute,
}

/// How the user's project is compiled.
#[derive(Clone, Debug)]
pub struct Options {
    /// The tests must compile without a warning under each of these.
    pub settings: Vec<Setting>,
    /// The language version; what the target framework has by default when none is named.
    pub language: Option<String>,
    pub allow_unsafe: bool,
    pub check_overflow: bool,
    /// Warnings that nobody sees, such as `CS1701`.
    pub no_warn: Vec<String>,
    pub defines: Vec<String>,
    /// The public key of the test assembly, for `InternalsVisibleTo` attributes that ask for one.
    pub public_key: Option<Vec<u8>>,
}

/// What a project file may say one way or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub nullable: bool,
    pub implicit_usings: bool,
}

impl Project {
    pub fn new(name: &str, framework: Framework) -> Project {
        Project {
            name: name.to_owned(),
            framework,
            mocks: Mocks::None,
            files: Vec::new(),
            references: Vec::new(),
            restored: None,
            options: Options::default(),
        }
    }
}

impl SourceFile {
    pub fn new<T: Into<String>>(
        path: &str,
        text: impl Into<String>,
        tests: impl IntoIterator<Item = T>,
    ) -> SourceFile {
        let tests = tests.into_iter().map(Into::into).collect();
        SourceFile { path: path.to_owned(), text: text.into(), tests }
    }
}

impl Default for Options {
    /// A project made today and one made years ago: what compiles in both compiles in nearly every project.
    fn default() -> Options {
        Options {
            settings: vec![
                Setting { nullable: false, implicit_usings: false },
                Setting { nullable: true, implicit_usings: true },
            ],
            language: None,
            allow_unsafe: false,
            check_overflow: false,
            no_warn: ["CS1701", "CS1702"].map(str::to_owned).to_vec(),
            defines: Vec::new(),
            public_key: None,
        }
    }
}

impl Framework {
    /// The family, as the host knows it.
    pub(crate) fn family(self) -> &'static str {
        match self {
            Framework::XUnit2 | Framework::XUnit3 => "xunit",
            Framework::NUnit3 | Framework::NUnit4 => "nunit",
            Framework::MSTest2 | Framework::MSTest3 | Framework::MSTest4 => "mstest",
        }
    }

    /// What templates of the framework make a global using.
    pub(crate) fn namespace(self) -> &'static str {
        match self.family() {
            "xunit" => "Xunit",
            "nunit" => "NUnit.Framework",
            _ => "Microsoft.VisualStudio.TestTools.UnitTesting",
        }
    }
}
