//! Where results go, and in which format.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Clone, Debug, Args)]
pub struct ReportFormat {
    /// How to print the result
    #[arg(long = "format", value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write the result into a file as well: sarif=out.sarif, junit=out.xml; formats as above, and for `generate` cobertura
    /// and lcov; may be repeated
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = parse_report)]
    pub reports: Vec<ReportFile>,
    /// The root of your source tree: paths of the build are looked for in it, and reports name files from there on [default:
    /// the current folder]
    #[arg(long, value_name = "DIR")]
    pub source_root: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// Code Quality of GitLab
    Gitlab,
    Junit,
    /// A page for the summary of a job
    Markdown,
}

/// What can be in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    Answer(Format),
    Cobertura,
    Lcov,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    pub format: FileFormat,
    pub path: PathBuf,
}

/// `sarif=out.sarif`
fn parse_report(text: &str) -> Result<ReportFile, String> {
    let Some((format, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err("write a report as FORMAT=FILE, for example sarif=out.sarif".to_owned());
    };
    let format = match format {
        "cobertura" => FileFormat::Cobertura,
        "lcov" => FileFormat::Lcov,
        other => FileFormat::Answer(Format::from_str(other, false).map_err(|_| unknown(other))?),
    };
    Ok(ReportFile { format, path: PathBuf::from(path) })
}

fn unknown(name: &str) -> String {
    let named = Format::value_variants().iter().filter_map(|format| format.to_possible_value());
    let mut names: Vec<String> = named.map(|value| value.get_name().to_owned()).collect();
    names.extend(["cobertura".to_owned(), "lcov".to_owned()]);
    format!("there is no format `{name}`; there are {}", names.join(", "))
}

impl ReportFormat {
    /// Whether a file is about coverage, which only `generate` measures for tests that it writes.
    pub fn wants_coverage(&self) -> bool {
        let is_coverage = |file: &ReportFile| matches!(file.format, FileFormat::Cobertura | FileFormat::Lcov);
        self.reports.iter().any(is_coverage)
    }

    /// Whether all that is known is told.
    pub fn wants_json(&self) -> bool {
        let is_json = |file: &ReportFile| file.format == FileFormat::Answer(Format::Json);
        self.format == Format::Json || self.reports.iter().any(is_json)
    }
}
