//! Results that are kept between runs, and runs in several parts.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::{ByteSize, parse_size};

/// Where results of methods are kept.
#[derive(Clone, Debug, Args)]
pub struct Caching {
    /// The folder in which results are kept for the next run [default: .cilantro/cache]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Neither use results of earlier runs nor keep any
    #[arg(long, conflicts_with = "cache")]
    pub no_cache: bool,
    /// Size of the folder, beyond which the results that were not used for longest are given up [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub cache_size: Option<ByteSize>,
    /// Explore only the k-th of n parts of the methods, and write what was found into a folder for `merge`
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    pub shard: Option<engine::Shard>,
}

/// Looks after results that were kept.
#[derive(Debug, Args)]
pub struct Cache {
    #[command(subcommand)]
    pub task: CacheTask,
    /// The folder [default: .cilantro/cache]
    #[arg(long, global = true, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum CacheTask {
    /// Say how many results there are, and how large they are
    Stats,
    /// Take all of them out
    Clear,
    /// Read all of them, and take out those that are damaged
    Verify,
}

/// Puts shards together.
#[derive(Debug, Args)]
pub struct Merge {
    /// The folders that the runs with `--shard` wrote: all n of them
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Where to write the test project [default: ./<assembly>.Tests]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The assembly, if it is not where it was when the shards ran
    #[arg(long, value_name = "DLL")]
    pub assembly: Option<PathBuf>,
    #[command(flatten)]
    pub format: super::ReportFormat,
}

fn parse_shard(text: &str) -> Result<engine::Shard, String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((number, count)) if 1 <= number && number <= count => Ok(engine::Shard { number, count }),
        _ => Err("a shard is K/N with 1 <= K <= N: 2/3".to_owned()),
    }
}
