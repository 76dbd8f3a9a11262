//! `--shard` and `merge`: a run in several parts, on as many machines.
//!
//! A shard explores its methods and leaves their results in a folder, as the store of any run does. To merge is to run the same
//! command on what all of them found: nothing is explored, but tests are replayed, chosen, named, written and verified as if
//! one run had found everything.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Parser;
use engine::{Error, Keeping, Shard};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Exit, cache, explore};
use crate::args::{Caching, Command, CommandLine, Merge};
use crate::config::Failure;
use crate::console::Console;

const SCHEMA: &str = "cilantro/shard@1";
const DESCRIPTION: &str = "shard.json";
const RESULTS: &str = "results";

/// What a shard is a part of.
#[derive(Debug, Serialize, Deserialize)]
struct Description {
    schema: String,
    number: u32,
    count: u32,
    /// The words of the command line.
    command: Vec<String>,
    assembly: PathBuf,
    /// SHA-256 of the assembly, and a digest of the program that explored it.
    content: String,
    program: String,
}

/// Runs a part of `generate` or `check`.
pub fn run(line: &CommandLine, shard: Shard, console: &Console, started: Instant) -> Result<Exit, Error> {
    let (subject, caching, output) = match &line.command {
        Command::Generate(args) => (&args.subject, &args.caching, args.output.as_ref()),
        Command::Check(args) => (&args.subject, &args.caching, args.output.as_ref()),
        _ => return Err(Error::Internal("only methods that are explored have shards".to_owned())),
    };
    let assembly = subject.assembly.as_path();
    crate::files::check_readable(assembly)?;
    let folder = output.cloned().unwrap_or_else(|| default_folder(assembly, shard));
    let description = describe(line, assembly, shard)?;
    let json = serde_json::to_string_pretty(&description).map_err(|e| Error::Internal(e.to_string()))?;
    let cannot = |error: std::io::Error| Error::CannotWrite { path: folder.clone(), why: error.to_string() };
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join(DESCRIPTION), json + "\n"))
        .map_err(cannot)?;
    let keeping = Keeping {
        folder: folder.join(RESULTS),
        sources: cache::keeping(caching, &line.common).map(|cache| cache.folder).into_iter().collect(),
        most: u64::MAX,
        only_known: false,
    };
    explore::part(line, shard, keeping, console, started)
}

/// Runs the command of the shards on what they found.
pub fn merge(args: &Merge, line: &CommandLine, console: &Console, started: Instant) -> Result<Exit, Error> {
    let shards = args.folders.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, Error>>()?;
    let first = one_of_a_kind(&shards)?;
    let words: Vec<OsString> =
        std::iter::once("cilantro").chain(first.command.iter().map(String::as_str)).map(Into::into).collect();
    let mut whole = match crate::config::parsed(&words) {
        Ok(whole) => whole,
        Err(Failure::Config(error)) => return Err(error),
        Err(Failure::Usage(_)) => {
            return Err(Error::Other("the shards were made by a command that is not known".to_owned()));
        }
    };
    let assembly = args.assembly.clone().unwrap_or_else(|| first.assembly.clone());
    crate::files::check_readable(&assembly)?;
    if content(&assembly)? != first.content {
        let name = assembly.display();
        return Err(Error::Other(format!("{name} is not the assembly that the shards are about")));
    }
    let own = cache::keeping(&caching(), &line.common);
    let mut sources: Vec<PathBuf> = args.folders.iter().map(|folder| folder.join(RESULTS)).collect();
    let folder = own.map_or_else(|| sources.remove(0), |own| own.folder);
    let keeping = Keeping { folder, sources, most: u64::MAX, only_known: true };
    // What the answers depend on is theirs; how long this takes and what it says are ours.
    (whole.common.timeout, whole.common.jobs) = (line.common.timeout, line.common.jobs);
    match &mut whole.command {
        Command::Generate(generate) => {
            generate.subject.assembly = assembly;
            (generate.output, generate.format) = (args.output.clone(), args.format.clone());
            explore::generate(generate, None, &whole.common, Some(keeping), console, started)
        }
        Command::Check(check) => {
            check.subject.assembly = assembly;
            check.format = args.format.clone();
            explore::check(check, &whole.common, Some(keeping), console, started)
        }
        _ => Err(Error::Other("the shards were made by a command that has none".to_owned())),
    }
}

fn caching() -> Caching {
    Caching { cache: None, no_cache: false, cache_size: None, shard: None }
}

fn describe(line: &CommandLine, assembly: &Path, shard: Shard) -> Result<Description, Error> {
    let program = engine::program().map(|key| key.to_string()).unwrap_or_default();
    let Shard { number, count } = shard;
    Ok(Description {
        schema: SCHEMA.to_owned(),
        number,
        count,
        command: line.words.clone(),
        assembly: std::path::absolute(assembly).unwrap_or_else(|_| assembly.to_owned()),
        content: content(assembly)?,
        program,
    })
}

fn content(assembly: &Path) -> Result<String, Error> {
    let bytes = fs::read(assembly)
        .map_err(|error| Error::Unreadable { path: assembly.to_owned(), why: error.to_string() })?;
    Ok(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

fn read(folder: &Path) -> Result<Description, Error> {
    let path = folder.join(DESCRIPTION);
    let unreadable = |why: String| Error::Unreadable { path: path.clone(), why };
    let text = fs::read_to_string(&path).map_err(|error| unreadable(error.to_string()))?;
    let read: Description = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    match read.schema == SCHEMA {
        true => Ok(read),
        false => Err(unreadable(format!("its schema is {} and not {SCHEMA}", read.schema))),
    }
}

/// The shards must be all parts of the same thing, each once; any of them then tells what that is.
fn one_of_a_kind(shards: &[Description]) -> Result<&Description, Error> {
    let first = shards.first().ok_or_else(|| Error::Other("there is nothing to merge".to_owned()))?;
    let options = essence(&first.command);
    for (what, is_same) in [
        ("assemblies", shards.iter().all(|shard| shard.content == first.content)),
        ("versions of Cilantro", shards.iter().all(|shard| shard.program == first.program)),
        ("numbers of shards", shards.iter().all(|shard| shard.count == first.count)),
        ("options", shards.iter().all(|shard| essence(&shard.command) == options)),
    ] {
        if !is_same {
            return Err(Error::Other(format!("the shards are of different {what}")));
        }
    }
    if engine::program().map(|key| key.to_string()).unwrap_or_default() != first.program {
        return Err(Error::Other("the shards were made by another version of Cilantro".to_owned()));
    }
    for number in 1..=first.count {
        if !shards.iter().any(|shard| shard.number == number) {
            return Err(Error::Other(format!("shard {number}/{} is missing", first.count)));
        }
    }
    Ok(first)
}

/// What a command asks for, without what differs from machine to machine.
fn essence(words: &[String]) -> Option<String> {
    let words = std::iter::once("cilantro".to_owned()).chain(words.iter().cloned());
    let mut line = CommandLine::try_parse_from(words).ok()?;
    let common = &mut line.common;
    (common.jobs, common.timeout, common.runtime, common.quiet, common.verbose) =
        (None, None, None, false, 0);
    match &mut line.command {
        Command::Generate(args) => {
            (args.subject.assembly, args.output, args.caching) = (PathBuf::new(), None, caching());
        }
        Command::Check(args) => {
            (args.subject.assembly, args.output, args.caching) = (PathBuf::new(), None, caching());
        }
        _ => {}
    }
    Some(format!("{line:?}"))
}

fn default_folder(assembly: &Path, shard: Shard) -> PathBuf {
    let stem = assembly.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("./{stem}.shard-{}-of-{}", shard.number, shard.count))
}
