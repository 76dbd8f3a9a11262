//! The tutorial: its commands are run, in their order, and print what the page says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::runtime;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The project of the tutorial, as if it had been built.
fn shop(folder: &Path) {
    let project = folder.join("Shop");
    let built = project.join("bin/Debug/net8.0");
    fs::create_dir_all(&built).unwrap();
    let example = repository().join("examples/Shop");
    let sources = testkit::csharp_files(&example).unwrap();
    for source in sources.iter().chain([&example.join("Shop.csproj")]) {
        fs::copy(source, project.join(source.file_name().unwrap())).unwrap();
    }
    let options = testkit::Options { nullable: true, ..testkit::Options::default() };
    let sources: Vec<testkit::Source> = sources.iter().map(testkit::Source::from).collect();
    let dll = testkit::compile("Shop", &sources, &options).unwrap();
    for extension in ["dll", "pdb"] {
        let text = fs::read(dll.with_extension(extension)).unwrap();
        fs::write(built.join("Shop").with_extension(extension), text).unwrap();
    }
}

fn printed(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_cilantro")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["-c", command]).current_dir(folder).env("PATH", path).env("CILANTRO_RUNTIME", runtime());
    // The compiler of the tests is not an SDK's, and other tests are about compiling.
    let output = bash.env("CILANTRO_NO_VERIFY", "true").env("COLUMNS", "100").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{command}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Without what differs from run to run: times, and the spaces that line them up.
fn steady(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_unit = |word: Option<&&str>| {
        word.is_some_and(|word| matches!(word.trim_end_matches([')', '.']), "ms" | "s"))
    };
    let number = |word: &str| word.trim_start_matches('(').parse::<f64>().is_ok();
    let mut steady = Vec::new();
    for (at, word) in words.iter().enumerate() {
        steady.push(match number(word) && is_unit(words.get(at + 1)) {
            true => "TIME",
            false => word,
        });
    }
    steady.join(" ")
}

/// What is wrong with what was printed, compared with what the page says.
fn difference(expected: &[&str], printed: &str) -> Option<String> {
    let whole: Vec<String> = printed.lines().map(steady).collect();
    if !expected.contains(&"…") {
        let expected: Vec<String> = expected.iter().map(|line| steady(line)).collect();
        let trimmed = |lines: &[String]| lines.join("\n").trim().to_owned();
        return (trimmed(&expected) != trimmed(&whole)).then(|| printed.to_owned());
    }
    let mut rest = whole.iter();
    let mut missing = expected.iter().filter(|line| **line != "…" && !line.trim().is_empty());
    missing
        .find(|line| !rest.any(|other| other.contains(&steady(line))))
        .map(|line| format!("`{line}` is missing in:\n{printed}"))
}

#[test]
fn its_commands_print_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    shop(folder.path());
    let page = repository().join("docs/tutorial.md");
    let text = fs::read_to_string(&page).unwrap();
    let (mut is_console, mut commands) = (false, Vec::new());
    for line in text.lines() {
        match line {
            "```console" => is_console = true,
            "```" => is_console = false,
            line if is_console => match line.strip_prefix("$ ") {
                Some(command) => commands.push((command, Vec::new())),
                None => commands.last_mut().unwrap().1.push(line),
            },
            _ => {}
        }
    }
    assert!(commands.len() > 10, "{commands:?}");
    let is_blessing = std::env::var_os("UPDATE_EXPECT").is_some();
    let (mut wrong, mut blessed) = (Vec::new(), text.clone());
    for (command, expected) in &commands {
        let printed = printed(command, folder.path());
        let Some(why) = difference(expected, &printed) else { continue };
        wrong.push(format!("$ {command}\n{why}"));
        if !expected.contains(&"…") {
            let old = [
                &[format!("$ {command}")],
                &expected.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()[..],
            ];
            let new = format!("$ {command}\n{}", printed.trim());
            blessed = blessed.replacen(&old.concat().join("\n"), new.trim_end(), 1);
        }
    }
    if is_blessing {
        fs::write(page, blessed).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
