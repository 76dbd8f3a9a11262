//! What a `cilantro.toml` may say. Its keys are the names of options, so what one of them means is told in one place.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use verdict::Assumption;

use crate::args::{FailKind, MockLibrary, Mocks, Strategy, TestFramework, Zone};

/// The configuration of a project. Paths are relative to the folder of the file.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Config {
    /// What `generate` and `check` look at if the command names nothing: a project, a solution, a folder or an assembly.
    pub project: Option<PathBuf>,
    /// Where `generate` writes the test project.
    pub output: Option<PathBuf>,
    /// The test framework of the generated project.
    pub framework: Option<TestFramework>,
    /// What mocks are written with.
    pub mock_library: Option<MockLibrary>,
    /// When made-up classes stand for interfaces, abstract classes and delegates.
    pub mocks: Option<Mocks>,
    /// Write the tests without compiling and running them first.
    pub no_verify: Option<bool>,
    /// Look at what is built already, even if the sources are newer.
    pub no_build: Option<bool>,
    /// Explore internal methods as well.
    pub internals: Option<bool>,
    /// Explore every method by itself, private ones too.
    pub private: Option<bool>,
    /// What is covered through the explored methods and counted.
    pub zone: Option<Zone>,
    /// Types, methods and source files that are left out: `Shop.Legacy.*`, `Cart.Add`, `**/Generated/*.cs`.
    pub exclude: Option<Vec<String>>,
    /// List every exception, not only crashes.
    pub all: Option<bool>,
    /// Which exceptions end in exit code 1.
    pub fail_on: Option<Vec<FailKind>>,
    /// Hide the findings that this file lists.
    pub baseline: Option<PathBuf>,
    /// What proofs may take for granted.
    pub assume: Option<Vec<Assumption>>,
    /// The root of the source tree.
    pub source_root: Option<PathBuf>,
    /// Time for a whole command: `30s`, `5m`.
    pub timeout: Option<String>,
    /// Worker threads.
    pub jobs: Option<u16>,
    /// Seed of every random choice.
    pub seed: Option<u64>,
    /// Which paths go first.
    pub strategy: Option<Strategy>,
    /// Part of the effort that looks for public calls which make objects, in percent.
    pub sequences: Option<u32>,
    /// Time for one question to the solver.
    pub solver_timeout: Option<String>,
    /// Memory for the whole process: `512M`, `4G`.
    pub max_memory: Option<String>,
    /// Instructions executed per method, over all paths.
    pub max_steps: Option<u64>,
    /// The runtime to use: a dotnet executable, a dotnet root, or a folder of framework assemblies.
    pub runtime: Option<PathBuf>,
}

/// What kind of value a key has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Path,
    /// Set or not set; an option without a value.
    Flag,
    List,
}

/// The keys of a file, in the order of [`Config`].
pub fn keys() -> Vec<String> {
    match serde_json::to_value(Config::default()) {
        Ok(serde_json::Value::Object(fields)) => fields.into_iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    }
}

pub fn kind(key: &str) -> Kind {
    match key {
        "project" | "output" | "baseline" | "source-root" | "runtime" => Kind::Path,
        "no-verify" | "no-build" | "internals" | "private" | "all" => Kind::Flag,
        "exclude" | "fail-on" | "assume" => Kind::List,
        _ => Kind::Text,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail

    use clap::CommandFactory;

    use super::*;
    use crate::args::CommandLine;

    /// Every key is an option of `generate` and of the kind that is said here, but for `project`, which is its argument.
    #[test]
    fn keys_are_options() {
        let mut command = CommandLine::command();
        command.build();
        let generate = command.find_subcommand("generate").unwrap();
        for key in keys().into_iter().filter(|key| key != "project") {
            let arg = generate.get_arguments().find(|arg| arg.get_long() == Some(&key));
            let action = arg.unwrap_or_else(|| panic!("{key} is no option")).get_action();
            let is_flag = matches!(action, clap::ArgAction::SetTrue);
            let is_list = matches!(action, clap::ArgAction::Append);
            assert_eq!((kind(&key) == Kind::Flag, kind(&key) == Kind::List), (is_flag, is_list), "{key}");
        }
    }
}
