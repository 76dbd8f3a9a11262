//! `completions` and `man`: the command line for shells and manuals, made from itself.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use engine::Error;

use super::Exit;
use crate::args::{CommandLine, Completions, Man};
use crate::console::Console;

pub fn completions(args: &Completions, console: &Console) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut CommandLine::command(), "cilantro", &mut script);
    console.result(&String::from_utf8_lossy(&script));
    Exit::NothingFound
}

/// A page for the program and one for each command.
pub fn man(args: &Man, console: &Console) -> Result<Exit, Error> {
    let cannot = |path: &Path, error: std::io::Error| Error::CannotWrite {
        path: path.to_owned(),
        why: error.to_string(),
    };
    fs::create_dir_all(&args.folder).map_err(|error| cannot(&args.folder, error))?;
    clap_mangen::generate_to(CommandLine::command(), &args.folder)
        .map_err(|error| cannot(&args.folder, error))?;
    console.remark(&format!("the pages are in {}", args.folder.display()));
    Ok(Exit::NothingFound)
}
