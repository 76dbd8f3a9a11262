//! Where the values of options come from: the command line, else the environment, else `cilantro.toml`, else their defaults.
//!
//! A key of the file and a variable of the environment stand for the option of the same name. What they say becomes the
//! default of that option, so it is read and checked exactly as if it had been written on the command line.

mod file;
mod ignore;
mod types;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use engine::Error;

pub use file::NAME;
pub use ignore::Ignored;
pub use types::{Config, Kind, keys, kind};

use crate::args::CommandLine;

/// A value that is not an option's own default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The option's name.
    pub key: String,
    pub values: Vec<String>,
    pub source: Source,
}

/// Who says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    CommandLine,
    Environment(String),
    File { path: PathBuf, line: usize },
}

/// All that was said, by whoever counts.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The file that was read.
    pub file: Option<PathBuf>,
    pub ignored: Ignored,
    pub settings: Vec<Setting>,
}

/// Why there is nothing to do: what clap has to say (help is such a thing), or what is wrong with the configuration.
pub enum Failure {
    Usage(clap::Error),
    Config(Error),
}

/// The command line with its settings.
pub fn parsed(args: &[OsString]) -> Result<CommandLine, Failure> {
    let plain = CommandLine::command().try_get_matches_from(args);
    if let Err(told) = &plain
        && !told.use_stderr()
    {
        return plain.map_err(Failure::Usage).and_then(from_matches);
    }
    // What is missing may be in the file, so the first look is a lenient one.
    let lenient = CommandLine::command().ignore_errors(true).try_get_matches_from(args);
    let given = match &lenient {
        Ok(matches) if is_configured(matches.subcommand_name()) => matches,
        _ => return plain.map_err(Failure::Usage).and_then(from_matches),
    };
    let settings = settings(given).map_err(Failure::Config)?;
    let command = settings.settings.iter().fold(CommandLine::command(), with_default);
    let matches = command.try_get_matches_from(args).map_err(Failure::Usage)?;
    let mut line = from_matches(matches)?;
    line.settings = settings;
    Ok(line)
}

fn from_matches(matches: ArgMatches) -> Result<CommandLine, Failure> {
    CommandLine::from_arg_matches(&matches)
        .map_err(|error| Failure::Usage(error.format(&mut CommandLine::command())))
}

/// Commands that explain Cilantro, or begin a project, do not depend on what a project says.
fn is_configured(command: Option<&str>) -> bool {
    command.is_some_and(|name| !matches!(name, "explain" | "completions" | "man" | "init" | "report"))
}

/// Whether a setting is for a command. A program that is run has limits of its own, and `reach` writes tests only if it is
/// told where.
fn is_for(key: &str, command: &str) -> bool {
    match key {
        "project" => matches!(command, "generate" | "check" | "lsp" | "watch"),
        "output" => matches!(command, "generate" | "lsp"),
        "runtime" => true,
        _ => command != "run",
    }
}

fn settings(given: &ArgMatches) -> Result<Settings, Error> {
    let here = std::env::current_dir().unwrap_or_default();
    let file = match given.get_one::<PathBuf>("config") {
        Some(named) => Some(named.clone()),
        None => file::find(NAME, &here),
    };
    let mut settings = match &file {
        Some(path) => file::read(path)?,
        None => Vec::new(),
    };
    for setting in environment(|name| std::env::var_os(name))? {
        settings.retain(|other| other.key != setting.key);
        settings.push(setting);
    }
    let command = given.subcommand();
    let values = |key: &str| {
        let id = key.replace('-', "_");
        let of = |matches: &ArgMatches| {
            let is_given = matches.ids().any(|known| known.as_str() == id)
                && matches.value_source(&id) == Some(ValueSource::CommandLine);
            let raw = is_given.then(|| matches.get_raw(&id)).flatten();
            raw.map(|raw| raw.map(|value| value.to_string_lossy().into_owned()).collect::<Vec<_>>())
        };
        of(given).or_else(|| command.and_then(|(_, matches)| of(matches)))
    };
    let is_given = |key: &str| values(key).is_some();
    // One of them on the command line means that the other is not meant.
    let scope = ["internals", "private"];
    let is_scope_given = scope.iter().any(|key| is_given(key));
    settings.retain(|setting| !(is_scope_given && scope.contains(&setting.key.as_str())));
    settings.retain(|setting| !is_given(&setting.key));
    for key in keys() {
        if let Some(values) = values(&key) {
            settings.push(Setting { key, values, source: Source::CommandLine });
        }
    }
    let ignored = file::find(ignore::NAME, &here).map(|path| ignore::read(&path)).transpose()?;
    Ok(Settings { file, ignored: ignored.unwrap_or_default(), settings })
}

/// `CILANTRO_MOCK_LIBRARY` for `mock-library`.
pub fn variable(key: &str) -> String {
    format!("CILANTRO_{}", key.replace('-', "_").to_uppercase())
}

fn environment(value: impl Fn(&str) -> Option<OsString>) -> Result<Vec<Setting>, Error> {
    let mut settings = Vec::new();
    for key in keys() {
        let name = variable(&key);
        let Some(value) = value(&name).filter(|value| !value.is_empty()) else { continue };
        let bad = |why: &str| Error::Other(format!("the environment variable {name} cannot be used: {why}"));
        let value = value.into_string().map_err(|_| bad("it is not valid text"))?;
        let values: Vec<String> = match kind(&key) {
            Kind::List => value.split(',').map(|part| part.trim().to_owned()).collect(),
            Kind::Flag => match value.as_str() {
                "1" | "true" => vec!["true".to_owned()],
                "0" | "false" => vec!["false".to_owned()],
                _ => return Err(bad("write true or false")),
            },
            Kind::Text | Kind::Path => vec![value],
        };
        check(&key, &values).map_err(|why| bad(&why))?;
        settings.push(Setting { key, values, source: Source::Environment(name) });
    }
    Ok(settings)
}

/// What the option of this name says of the values.
fn check(key: &str, values: &[String]) -> Result<(), String> {
    if key == "project" || kind(key) == Kind::Flag {
        return Ok(());
    }
    let mut line = vec!["cilantro".to_owned(), "generate".to_owned(), "any.dll".to_owned()];
    line.extend(values.iter().map(|value| format!("--{key}={value}")));
    let Err(error) = CommandLine::command().try_get_matches_from(line) else { return Ok(()) };
    if let Some(source) = std::error::Error::source(&error) {
        return Err(source.to_string());
    }
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    };
    let (value, valid) = (text(ContextKind::InvalidValue), text(ContextKind::ValidValue));
    Err(match valid.as_str() {
        "" => format!("`{value}` is no value of --{key}"),
        valid => format!("there is no `{value}`; there are {valid}"),
    })
}

/// The setting as the default of its option, in every command that it is for.
fn with_default(command: clap::Command, setting: &Setting) -> clap::Command {
    if setting.source == Source::CommandLine {
        return command;
    }
    let Setting { key, values, .. } = setting;
    let id = if key == "project" { "assembly".to_owned() } else { key.replace('-', "_") };
    let has = |command: &clap::Command| command.get_arguments().any(|arg| arg.get_id() == id.as_str());
    let set = |arg: clap::Arg| arg.required(false).default_values(values.clone());
    if has(&command) && key != "project" {
        return command.mut_arg(&id, set);
    }
    let meant: Vec<String> = command
        .get_subcommands()
        .filter(|sub| is_for(key, sub.get_name()) && has(sub))
        .map(|sub| sub.get_name().to_owned())
        .collect();
    meant.iter().fold(command, |command, name| command.mut_subcommand(name, |sub| sub.mut_arg(&id, set)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail

    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Result<Vec<Setting>, Error> {
        environment(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn variables_stand_for_options() {
        let settings =
            of(&[("CILANTRO_FAIL_ON", "crash, misuse"), ("CILANTRO_ALL", "1"), ("CILANTRO_CACHE", "x")])
                .unwrap();
        let told: Vec<_> = settings.iter().map(|s| (s.key.as_str(), s.values.join("+"))).collect();
        assert_eq!(told, [("all", "true".to_owned()), ("fail-on", "crash+misuse".to_owned())]);
        for (name, value, said) in [
            ("CILANTRO_ALL", "perhaps", "write true or false"),
            ("CILANTRO_TIMEOUT", "soon", "write a time as 30s"),
            ("CILANTRO_ZONE", "all", "there is no `all`; there are method, type, assembly"),
        ] {
            let error = of(&[(name, value)]).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(said), "{error}");
        }
    }
}
