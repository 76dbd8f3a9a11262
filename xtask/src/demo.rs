//! `cargo xtask demo`: from nothing to tests of the example library that pass on the real runtime.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use testkit::{Source, Toolchain};

use crate::{
    process::{cargo, root, step},
    setup,
};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Passed on to `cilantro generate`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub fn run(options: &Options) -> Result<()> {
    let toolchain = setup::run(&setup::Options { extras: false, own_runtime: false })?;
    step("build cilantro", &mut cargo(["build", "--locked", "--release", "--package", "cilantro"]))?;
    let cilantro = target().join("release/cilantro");
    let folder = target().join("demo");
    let library = compile_example(&folder)?;
    let tests = folder.join("tests");

    let mut generate = Command::new(&cilantro);
    generate
        .arg("generate")
        .arg(&library)
        .arg("-o")
        .arg(&tests)
        .args(runtime(&toolchain))
        .args(&options.arguments);
    show(&generate);
    // Findings are the point of the demo, and an incomplete answer is an answer.
    outcome(&mut generate, &[0, 1, 3])?;

    let mut replay = Command::new(&cilantro);
    replay.arg("replay").arg(&tests).args(runtime(&toolchain));
    show(&replay);
    let output = replay.output().context("cilantro cannot be started")?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!("the tests do not replay:\n{text}{}", String::from_utf8_lossy(&output.stderr));
    }
    // One line for each test would bury the table above.
    println!("{}", text.trim_end().lines().next_back().unwrap_or_default());

    println!("\nThe library:   {}", relative(&root().join("examples/Shop")));
    println!("compiled:      {}", relative(&library));
    println!("its tests:     {}", relative(&tests));
    println!("the program:   {}", relative(&cilantro));
    Ok(())
}

/// Compiles the example library, with its symbols beside it.
fn compile_example(folder: &Path) -> Result<PathBuf> {
    let files = testkit::csharp_files(&root().join("examples/Shop"))?;
    let files: Vec<Source> = files.iter().map(Source::from).collect();
    let compiled =
        testkit::compile("Shop", &files, &testkit::Options { nullable: true, ..Default::default() })?;
    fs::create_dir_all(folder)?;
    let library = folder.join("Shop.dll");
    fs::copy(&compiled, &library)?;
    fs::copy(compiled.with_extension("pdb"), library.with_extension("pdb"))?;
    Ok(library)
}

fn runtime(toolchain: &Toolchain) -> [PathBuf; 2] {
    [PathBuf::from("--runtime"), toolchain.dotnet()]
}

fn outcome(command: &mut Command, good: &[i32]) -> Result<()> {
    let status = command.status().with_context(|| command.get_program().to_string_lossy().into_owned())?;
    match status.code() {
        Some(code) if good.contains(&code) => Ok(()),
        _ => bail!("{} failed: {status}", command.get_program().to_string_lossy()),
    }
}

/// Shows a command as one would type it.
fn show(command: &Command) {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words.map(|word| relative(Path::new(word))).collect();
    eprintln!("\n$ {}", words.join(" "));
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
