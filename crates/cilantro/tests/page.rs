//! `report` in a browser: the script runs, hostile text does not.

#![allow(clippy::unwrap_used)] // a test may fail

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SOURCE: &str = r#"
namespace Page
{
    public static class Names
    {
        public static int Bad(string text, int x) =>
            text == "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">" ? 1 / x : 2;

        public static bool Odd(int x)
        {
            if ((x & 1) == 1) return true;
            if ((x & 3) == 3) return true; // never: the low bit is clear
            return false;
        }
    }
}
"#;

fn run(args: &[&str], here: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cilantro")).args(args).current_dir(here).output().unwrap()
}

/// The page of a small library whose sources are there.
fn page(folder: &Path) -> PathBuf {
    let dll = testkit::compile("Page", &[("Names.cs", SOURCE)], &testkit::Options::default()).unwrap();
    let runtime = testkit::Toolchain::locate().unwrap().runtime_root().display().to_string();
    fs::write(folder.join("Names.cs"), SOURCE).unwrap();
    let dll = dll.display().to_string();
    let generated = run(&["generate", &dll, "-o", "T", "--no-verify", "--runtime", &runtime], folder);
    assert_eq!(generated.status.code(), Some(1), "{}", String::from_utf8_lossy(&generated.stderr));
    let made = run(&["report", "T", "--source-root", "."], folder);
    assert_eq!(String::from_utf8_lossy(&made.stdout), "The page is T/report.html.\n");
    folder.join("T/report.html")
}

#[test]
fn a_run_is_told_with_its_sources() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(page(folder.path())).unwrap();
    assert!(text.contains("if ((x &amp; 3) == 3) return true; // never"), "the source");
    assert!(text.contains("1 proven unreachable"), "a proof at its line");
    assert!(text.contains("no input gets here: proven") || text.contains("taken, 1 proven"), "a proof");
    assert!(text.contains("public void Bad_"), "the text of the test");
    assert!(!text.contains("has changed since"), "the checksum fits");
    fs::write(folder.path().join("Names.cs"), format!("// new\n{SOURCE}")).unwrap();
    run(&["report", "T", "--source-root", ".", "-o", "other.html"], folder.path());
    let changed = fs::read_to_string(folder.path().join("other.html")).unwrap();
    assert!(changed.contains("has changed since"), "the checksum does not fit");
}

#[test]
fn what_is_no_run_is_said() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.json"), "{\"schema\": \"other\"}").unwrap();
    for (named, said) in [
        (".", "there is no summary.json"),
        ("x.json", "it is not cilantro/summary@1"),
        ("no", "does not exist"),
    ] {
        let ended = run(&["report", named], folder.path());
        let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code() == Some(2) && stderr.contains(said), "{named}: {stderr}");
    }
}

fn browser() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

#[test]
fn a_browser_runs_its_script_and_no_other() {
    let Some(browser) = testkit::found_or_skip("a browser (chromium)", browser()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let profile = folder.path().join("profile");
    let dumped = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}#reasons", page.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&dumped.stdout).into_owned();
    assert!(dom.contains("<title>Page.dll – Cilantro</title>"), "{dom}");
    assert!(dom.contains("<p class=\"filter\"><label"), "the page's own script shows the filter");
    assert!(!dom.contains("<img"), "{dom}");
    assert_eq!(dom.matches("<script").count(), 1);
}
