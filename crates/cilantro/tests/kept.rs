//! Results that are kept: a second run explores nothing and writes the same bytes; after an edit only what depends on it is
//! explored; what a killed run had finished is there for the next; shards come to what one run comes to.

#![allow(clippy::unwrap_used)] // a test may fail

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use testkit::{Options, Source, Toolchain};

/// Classes that have nothing to do with each other, a hidden method that two of them share, a static constructor, a base class,
/// and a class that looks at the members of others.
const SHOP: &str = r#"
using System;
namespace Shop {
    public class Cart {
        static readonly int limit;
        static Cart() { limit = Math.Max(3, 100); }
        public int Count;
        public int Add(int n) {
            if (n < 0) throw new ArgumentException("n");
            if (n > limit) return Rules.Most(n);
            Count += n;
            return Count;
        }
        public int Half(int n) => n / Count;
    }
    static class Rules {
        public static int Most(int n) { return n > 1000 ? 1000 : n; }
    }
    public class Price {
        public static int Of(int n) { if (n == 7) return 1; return n > 50 ? Rules.Most(n) : 2; }
        public static string Name(string s) { if (s.Length > 3) return s.Substring(3); return s; }
    }
    public abstract class Shape { public abstract int Sides(int k); }
    public class Square : Shape { public override int Sides(int k) => k == 3 ? 4 : 0; }
    public class Tail { public static int Last(Shape s) => s.Sides(3) == 4 ? 1 : 2; }
    public class Alone { public static int Sign(int n) => n < 0 ? -1 : n == 0 ? 0 : 1; }
    public class Mirror {
        public static int Look(int n) => typeof(Mirror).GetMethods().Length > n ? 1 : 0;
    }
}
"#;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The library, in a folder of its own, after some edits.
    fn shop(&self, edits: &[(&str, &str)]) -> PathBuf {
        let mut text = SHOP.to_owned();
        for (from, to) in edits {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        let dll = testkit::compile("Shop", &[Source::text("Shop.cs", &text)], &Options::default()).unwrap();
        let folder = self.at("lib");
        fs::create_dir_all(&folder).unwrap();
        for extension in ["dll", "pdb"] {
            let from = dll.with_extension(extension);
            if from.is_file() {
                fs::copy(from, folder.join("Shop").with_extension(extension)).unwrap();
            }
        }
        folder.join("Shop.dll")
    }

    fn command(&self, command: &str, dll: &Path, options: &[&str]) -> Command {
        let mut line = Command::new(env!("CARGO_BIN_EXE_cilantro"));
        line.current_dir(self.folder.path()).arg(command).arg(dll);
        line.arg("--runtime").arg(Toolchain::locate().unwrap().runtime_root());
        line.args(["-v", "--max-steps", "2000", "--timeout", "100s"]).args(options);
        line.stdin(Stdio::null());
        line
    }

    fn generate(&self, dll: &Path, output: &str, options: &[&str]) -> Output {
        let mut line = self.command("generate", dll, &["-o", output, "--no-verify"]);
        line.args(options).output().unwrap()
    }

    /// What was written, without what is never the same: times and the name of the folder.
    fn written(&self, output: &str) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        collect(&self.at(output), &self.at(output), &mut files);
        assert!(files.len() >= 5, "{:?}", files.keys());
        let summary = files.get_mut("summary.json").unwrap();
        let is_steady = |line: &&str| !["_ms\"", "\"output\""].iter().any(|word| line.contains(word));
        *summary = summary.lines().filter(is_steady).collect::<Vec<_>>().join("\n");
        files
    }
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => collect(root, &entry, files),
            false => {
                let name = entry.strip_prefix(root).unwrap().display().to_string();
                files.insert(name, fs::read_to_string(&entry).unwrap());
            }
        }
    }
}

/// How many methods were known, of how many.
fn known(ended: &Output) -> (usize, usize) {
    let text = String::from_utf8_lossy(&ended.stderr);
    let line = text.lines().find(|line| line.contains("are known from earlier runs"));
    let Some(line) = line else { return (0, 0) };
    let mut numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

const CACHE: [&str; 2] = ["--cache", "cache"];

#[test]
fn a_second_run_explores_nothing_and_writes_the_same() {
    let place = Place::new();
    let dll = place.shop(&[]);
    let first = place.generate(&dll, "first", &CACHE);
    assert_eq!(known(&first), (0, 0), "{}", String::from_utf8_lossy(&first.stderr));
    let second = place.generate(&dll, "second", &[&CACHE[..], &["--jobs", "1"]].concat());
    let (reused, all) = known(&second);
    assert!(reused == all && all >= 10, "{}", String::from_utf8_lossy(&second.stderr));
    assert_eq!(place.written("first"), place.written("second"));
    let without = place.generate(&dll, "without", &["--no-cache"]);
    assert_eq!(known(&without), (0, 0));
    assert_eq!(place.written("first"), place.written("without"));
    // Another seed is another question.
    let other = place.generate(&dll, "other", &[&CACHE[..], &["--seed", "5"]].concat());
    assert_eq!(known(&other), (0, 0));
    // `check` asks the same.
    let check = place.command("check", &dll, &CACHE).output().unwrap();
    assert_eq!(known(&check), (all, all), "{}", String::from_utf8_lossy(&check.stderr));
}

#[test]
fn after_an_edit_only_what_depends_on_it_is_explored() {
    let place = Place::new();
    let dll = place.shop(&[]);
    place.generate(&dll, "before", &CACHE);
    // Of a method that nobody else uses; of one that two use through a hidden one; of an override behind a base class.
    for (number, (edit, kept)) in [
        (("n == 0 ? 0 : 1", "n == 1 ? 0 : 1"), "Alone"),
        (("n > 1000 ? 1000", "n > 2000 ? 1000"), "Rules"),
        (("k == 3 ? 4", "k == 5 ? 4"), "Square"),
    ]
    .into_iter()
    .enumerate()
    {
        let dll = place.shop(&[edit]);
        let (with, without) = (format!("with{number}"), format!("without{number}"));
        let ended = place.generate(&dll, &with, &CACHE);
        place.generate(&dll, &without, &["--no-cache"]);
        assert_eq!(place.written(&with), place.written(&without), "{kept}");
        let (reused, all) = known(&ended);
        assert!(reused > 0 && reused < all, "{kept}: {}", String::from_utf8_lossy(&ended.stderr));
    }
    // A new class may be an input: everything is asked again.
    let dll = place.shop(&[(
        "public class Tail",
        "public class Circle : Shape { public override int Sides(int k) => 9; } public class Tail",
    )]);
    assert_eq!(known(&place.generate(&dll, "more", &CACHE)), (0, 0));
}

#[test]
fn what_a_killed_run_had_finished_is_there_for_the_next() {
    let place = Place::new();
    let dll = place.shop(&[]);
    place.generate(&dll, "whole", &["--no-cache"]);
    let mut random = 88172645463325252u64;
    for _ in 0..4 {
        let mut run = place.command("generate", &dll, &["-o", "killed", "--no-verify", "--jobs", "1"]);
        let mut child = run.args(CACHE).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        // At any moment after something was finished, however slow the machine is.
        let before = kept_entries(&place).len();
        while kept_entries(&place).len() == before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(random % 200));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let ended = place.generate(&dll, "killed", &CACHE);
    assert!(known(&ended).0 > 0, "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(place.written("whole"), place.written("killed"));
}

#[test]
fn damage_is_found_and_does_not_matter() {
    let place = Place::new();
    let dll = place.shop(&[]);
    let first = place.generate(&dll, "first", &CACHE);
    let files = kept_entries(&place);
    assert!(files.len() >= 10, "{}", String::from_utf8_lossy(&first.stderr));
    for (number, file) in files.iter().enumerate().filter(|(number, _)| number % 2 == 0) {
        let mut bytes = fs::read(file).unwrap();
        let at = bytes.len() - 1 - number;
        bytes[at] ^= 0xff;
        fs::write(file, bytes).unwrap();
    }
    let second = place.generate(&dll, "second", &CACHE);
    let (reused, all) = known(&second);
    assert!(reused > 0 && reused < all, "{reused} of {all}");
    assert_eq!(place.written("first"), place.written("second"));
    fs::write(files.first().unwrap(), "cilantro entry 1 nothing").unwrap();
    let cache = |task: &str| {
        let mut line = Command::new(env!("CARGO_BIN_EXE_cilantro"));
        let line = line.current_dir(place.folder.path()).args(["cache", task]).args(CACHE);
        let ended = line.output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stdout).unwrap())
    };
    let count = files.len();
    let (code, text) = cache("verify");
    assert_eq!(
        (code, text),
        (Some(1), format!("cache: {} results sound, 1 damaged and taken out\n", count - 1))
    );
    assert!(cache("stats").1.starts_with(&format!("cache: {} results, ", count - 1)), "{}", cache("stats").1);
    assert_eq!(cache("clear").0, Some(0));
    assert_eq!(cache("stats").1, "cache: 0 results, 0 bytes\n");
}

fn kept_entries(place: &Place) -> Vec<PathBuf> {
    let mut files = Vec::new();
    entries(&place.at("cache/v1"), &mut files);
    files.sort();
    files
}

fn entries(folder: &Path, files: &mut Vec<PathBuf>) {
    // A run that is going on may take away what it has made.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        match entry.is_dir() {
            true if entry.ends_with("unfinished") => {}
            true => entries(&entry, files),
            false => files.push(entry),
        }
    }
}

#[test]
fn a_folder_that_cannot_be_one_is_said_and_costs_nothing_else() {
    let place = Place::new();
    let dll = place.shop(&[]);
    fs::write(place.at("cache"), "a file").unwrap();
    let ended = place.generate(&dll, "tests", &[&CACHE[..], &["--type", "Shop.Alone"]].concat());
    let text = String::from_utf8_lossy(&ended.stderr);
    assert!(text.contains("results are not kept for later runs in cache"), "{text}");
    assert_eq!(ended.status.code(), Some(0), "{text}");
    assert!(place.written("tests").keys().any(|name| name.ends_with(".cs")));
}

#[test]
fn shards_come_to_what_one_run_comes_to() {
    let place = Place::new();
    let dll = place.shop(&[]);
    place.generate(&dll, "whole", &["--no-cache"]);
    for count in [1, 3] {
        let mut folders = Vec::new();
        for number in 1..=count {
            let (shard, folder) = (format!("{number}/{count}"), format!("part{number}of{count}"));
            let ended = place.generate(&dll, &folder, &["--no-cache", "--shard", &shard]);
            assert!(
                place.at(&folder).join("shard.json").is_file(),
                "{}",
                String::from_utf8_lossy(&ended.stderr)
            );
            folders.push(folder);
        }
        let merge = |folders: &[String], output: &str| {
            let mut line = Command::new(env!("CARGO_BIN_EXE_cilantro"));
            line.current_dir(place.folder.path()).arg("merge").args(folders).args(["-o", output]);
            line.args(["--timeout", "100s"]).output().unwrap()
        };
        let output = format!("merged{count}");
        let ended = merge(&folders, &output);
        assert!(place.at(&output).is_dir(), "{}", String::from_utf8_lossy(&ended.stderr));
        assert_eq!(place.written("whole"), place.written(&output), "{count}");
        if count > 1 {
            let ended = merge(&folders[1..], "missing");
            assert_eq!(ended.status.code(), Some(2));
            let text = String::from_utf8_lossy(&ended.stderr);
            assert!(text.contains("shard 1/3 is missing"), "{text}");
        }
    }
}
