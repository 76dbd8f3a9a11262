//! The arguments of `report`.

use std::path::PathBuf;

use clap::Args;

pub const REPORT_HELP: &str = "\
Examples:
  cilantro report Shop.Tests --source-root .
  cilantro check Shop.dll --format json > shop.json; cilantro report shop.json -o shop.html

The page is one file that needs no network: coverage by type and method, findings with inputs and tests, reasons in
plain words, facts about loops, and the sources with what is covered, proven and open in each line.";

#[derive(Debug, Args)]
pub struct Page {
    /// A folder that `generate` wrote, or a summary as JSON
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Where to write the page [default: report.html in the folder]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The root of your source tree: the files of the build are looked for in it [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub source_root: Option<PathBuf>,
}
