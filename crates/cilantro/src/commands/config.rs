//! `config show`: the settings that count.

use clap::CommandFactory;
use engine::Error;
use report::render_json;
use serde::Serialize;

use super::Exit;
use crate::args::{CommandLine, ConfigAction, ConfigFormat, Configuration};
use crate::config::{Setting, Settings, Source, keys};
use crate::console::Console;

/// A setting as it is shown.
#[derive(Serialize)]
struct Row {
    key: String,
    value: Option<String>,
    source: String,
}

pub fn run(args: &Configuration, settings: &Settings, console: &Console) -> Result<Exit, Error> {
    let ConfigAction::Show { format } = args.action;
    let mut command = CommandLine::command();
    command.build();
    let rows: Vec<Row> = keys().into_iter().map(|key| row(key, settings, &command)).collect();
    let text = match format {
        ConfigFormat::Json => render_json(&rows).map_err(|error| Error::Internal(error.to_string()))?,
        ConfigFormat::Text => text(&rows, settings),
    };
    console.result(&text);
    Ok(Exit::NothingFound)
}

fn row(key: String, settings: &Settings, command: &clap::Command) -> Row {
    match settings.settings.iter().find(|setting| setting.key == key) {
        Some(Setting { values, source, .. }) => {
            Row { value: Some(values.join(", ")), source: told(source), key }
        }
        None => Row { value: default_of(&key, command), source: "default".to_owned(), key },
    }
}

fn told(source: &Source) -> String {
    match source {
        Source::CommandLine => "the command line".to_owned(),
        Source::Environment(name) => name.clone(),
        Source::File { path, line } => format!("{}:{line}", path.display()),
    }
}

/// What the help of the option says.
fn default_of(key: &str, command: &clap::Command) -> Option<String> {
    let generate = command.find_subcommand("generate")?;
    let arg = generate.get_arguments().find(|arg| arg.get_long() == Some(key))?;
    let values: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if !values.is_empty() {
        return Some(values.join(", "));
    }
    let help = arg.get_help()?.to_string();
    let (_, rest) = help.split_once("[default: ")?;
    Some(rest.strip_suffix(']').unwrap_or(rest).to_owned())
}

fn text(rows: &[Row], settings: &Settings) -> String {
    let widest = |of: &dyn Fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or(0);
    const LONGEST: usize = 48;
    let shown = |row: &Row| match row.value.as_deref() {
        None => "-".to_owned(),
        Some(value) if value.chars().count() > LONGEST => value.chars().take(LONGEST).chain(['…']).collect(),
        Some(value) => value.to_owned(),
    };
    let (keys, values) = (widest(&|row| row.key.len()), widest(&|row| shown(row).chars().count()));
    let mut out: Vec<String> = Vec::new();
    out.push(match &settings.file {
        Some(path) => format!("Settings of {}", path.display()),
        None => {
            "No cilantro.toml was found here or in a folder around; `cilantro init` writes one.".to_owned()
        }
    });
    out.extend(rows.iter().map(|row| format!("  {:keys$}  {:values$}  {}", row.key, shown(row), row.source)));
    if let Some(path) = &settings.ignored.file {
        out.push(format!("Left out by {}: {}", path.display(), settings.ignored.patterns.join(", ")));
    }
    out.push(String::new());
    out.join("\n")
}
