//! `--trace`, `--dump-queries` and `inspect --path`: what the engine does, as its maintainers and users see it.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use expect_test::{Expect, expect};
use serde_json::Value;
use testkit::{Options, Toolchain};

const SOURCE: &str = r#"
namespace Watched
{
    public enum Tier { Bronze, Silver, Gold }

    public interface IPrices
    {
        int Price(string name);
    }

    public sealed class Item
    {
        public int Price { get; set; }
        public string Name;
        public Item Next;
    }

    public static class Deals
    {
        public static int Margin(int price, int cost)
        {
            if (price == cost) return 0;
            int difference = price - cost;
            return difference > 0 ? difference / (price / 100) : -1;
        }

        public static int Find(Item[] items, Tier tier)
        {
            if (items.Length > 3 && tier == Tier.Gold) return items[2].Price * 2;
            return items[0].Next == items[0] ? 1 : 2;
        }

        public static int Square(double x)
        {
            if (x * x < 0) return 1;
            return x * 3.0 == 7.5 ? 2 : 3;
        }

        public static int Search(string text)
        {
            if (text.Length > 3) return -1;
            return text.IndexOf('x') == 1 ? 1 : 0;
        }

        public static int Ask(IPrices prices)
        {
            return prices.Price("tea") > 10 ? 1 : 0;
        }

        public static T Either<T>(bool first, T a, T b)
        {
            return first ? a : b;
        }

        public static string Outside(string name)
        {
            return name.Length == 2 ? System.IO.File.ReadAllText(name) : name;
        }
    }
}
"#;

fn watched() -> PathBuf {
    testkit::compile("Watched", &[("Deals.cs", SOURCE)], &Options::default()).unwrap()
}

/// One worker and a limit in steps: everything but the clock is the same every time.
fn run(command: &str, options: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_cilantro"))
        .arg(command)
        .arg(watched())
        .arg("--runtime")
        .arg(Toolchain::locate().unwrap().runtime_root())
        .args(["--jobs", "1", "--max-steps", "20000", "--timeout", "120s", "--quiet"])
        .args(options)
        .output()
        .unwrap();
    assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.ends_with('\n'));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

fn text<'a>(line: &'a Value, field: &str) -> &'a str {
    line[field].as_str().unwrap_or_default()
}

fn events<'a>(lines: &'a [Value], name: &str, method: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["event"] == name && text(line, "method").contains(method)).collect()
}

#[test]
fn a_trace_tells_what_happened() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.jsonl");
    run("check", &["--trace", file.to_str().unwrap()]);
    let lines = lines(&file);
    assert_eq!(lines[0]["schema"], "cilantro/trace@1");
    let names: BTreeSet<&str> = lines.iter().map(|line| text(line, "event")).collect();
    let wanted = [
        "begin",
        "case",
        "concretized",
        "core",
        "decided",
        "end",
        "ended",
        "explored",
        "followed",
        "fork",
        "left_out",
        "opened",
        "query",
        "replayed",
        "replays",
        "rescued",
        "trace",
    ];
    for name in wanted {
        assert!(names.contains(name), "{name} is missing in {names:?}");
    }

    let fork = &events(&lines, "fork", "::Margin(")[0];
    assert_eq!(
        (text(fork, "place"), text(fork, "line"), &fork["guards"]),
        ("IL_0002", "Deals.cs:22", &Value::from(2))
    );
    let conditions: Vec<&str> =
        events(&lines, "decided", "::Margin(").iter().map(|e| text(e, "condition")).collect();
    assert!(
        conditions.contains(&"price - cost > 0") || conditions.contains(&"price - cost <= 0"),
        "{conditions:?}"
    );
    let fixed = &events(&lines, "concretized", "::Search(")[0];
    assert_eq!(text(fixed, "term"), "text.Length");
    let gaps = events(&lines, "left_out", "::Outside(");
    assert!(gaps.iter().any(|gap| text(gap, "reason") == "native call"), "{gaps:?}");
    let is_instance = |line: &&Value| line["event"] == "begin" && line["span"] == "instance";
    let instances: Vec<&str> = lines.iter().filter(is_instance).map(|line| text(line, "instance")).collect();
    assert!(instances.iter().any(|instance| instance.contains("::Either<System.")), "{instances:?}");
    let replayed = events(&lines, "replayed", "::Margin(");
    assert!(replayed.len() >= 3 && replayed.iter().all(|e| text(e, "verdict") == "passed"), "{replayed:?}");
    let query = &events(&lines, "query", "::Margin(")[0];
    for field in ["verdict", "layer", "constraints", "us", "path", "why", "place"] {
        assert!(!query[field].is_null(), "{field}: {query}");
    }
}

#[test]
fn spans_begin_and_end_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    run("check", &["--method", "Margin", "--trace", file.to_str().unwrap()]);
    let mut open: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines(&file) {
        let stack = open.entry(text(&line, "thread").to_owned()).or_default();
        let span = format!("{} {} {}", text(&line, "span"), text(&line, "method"), line["path"]);
        match text(&line, "event") {
            "begin" => stack.push(span),
            "end" => assert_eq!(stack.pop(), Some(span)),
            _ => {}
        }
    }
    assert!(open.values().all(Vec::is_empty), "{open:?}");
}

/// What happened in each thread, without the clock.
fn without_times(lines: Vec<Value>) -> BTreeMap<String, Vec<Value>> {
    let mut by_thread: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for mut line in lines {
        let Some(fields) = line.as_object_mut() else { continue };
        fields.retain(|name, _| name != "t" && name != "us" && !name.ends_with("_us"));
        // How many cases are run together depends on how long they waited.
        if line["event"] != "replays" {
            by_thread.entry(text(&line, "thread").to_owned()).or_default().push(line);
        }
    }
    by_thread
}

#[test]
fn the_same_run_tells_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let tell = |name: &str| {
        let file = folder.path().join(name);
        run("check", &["--seed", "7", "--trace", file.to_str().unwrap()]);
        without_times(lines(&file))
    };
    let (first, second) = (tell("first"), tell("second"));
    assert!(first.len() >= 3 && first["explore 1"].len() > 100, "{:?}", first.keys());
    for (thread, told) in &first {
        for (one, other) in told.iter().zip(&second[thread]) {
            assert_eq!(one, other);
        }
        assert_eq!(told.len(), second[thread].len(), "{thread}");
    }
}

#[test]
fn a_trace_for_perfetto_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.json");
    run("check", &["--method", "Margin", "--method", "Square", "--trace", file.to_str().unwrap()]);
    let events: Vec<Value> = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let phases: BTreeSet<&str> = events.iter().map(|event| text(event, "ph")).collect();
    assert_eq!(phases, BTreeSet::from(["B", "E", "M", "X", "i"]));
    let mut depth: BTreeMap<u64, i64> = BTreeMap::new();
    for event in events.iter().filter(|event| event["ph"] != "M") {
        assert!(event["ts"].is_u64() && event["pid"].is_u64() && event["tid"].is_u64(), "{event}");
        assert_eq!(event["ph"] == "X", event["dur"].is_u64(), "{event}");
        let open = depth.entry(event["tid"].as_u64().unwrap()).or_default();
        *open += match text(event, "ph") {
            "B" => 1,
            "E" => -1,
            _ => 0,
        };
        assert!(*open >= 0);
    }
    assert!(depth.values().all(|open| *open == 0));
    let threads: Vec<&str> =
        events.iter().filter(|e| e["name"] == "thread_name").map(|e| text(&e["args"], "name")).collect();
    assert!(threads.contains(&"explore 1") && threads.contains(&"replay"), "{threads:?}");
    // The name decides, unless somebody says otherwise.
    run("check", &["--method", "Margin", "--trace", file.to_str().unwrap(), "--trace-format", "lines"]);
    assert_eq!(lines(&file)[0]["event"], "trace");
}

#[test]
fn a_killed_run_leaves_a_readable_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_cilantro"))
        .arg("check")
        .arg(watched())
        .arg("--runtime")
        .arg(Toolchain::locate().unwrap().runtime_root())
        .args(["--quiet", "--trace"])
        .arg(&file)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // As soon as it is at work.
    let is_at_work = || fs::read_to_string(&file).is_ok_and(|text| text.contains(r#""fork""#));
    let started = std::time::Instant::now();
    while !is_at_work() && started.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lines(&file).len() > 3);
}

#[test]
fn questions_are_accepted_by_z3_with_the_same_answer() {
    let z3 = Toolchain::locate().unwrap().z3().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (all, name) in [(false, "core"), (true, "all")] {
        let dump = folder.path().join(name);
        let (dir, trace) = (dump.to_str().unwrap(), folder.path().join(format!("{name}.jsonl")));
        let mut options = vec!["--dump-queries", dir, "--trace", trace.to_str().unwrap()];
        options.extend(all.then_some("--dump-all-queries"));
        run("check", &options);
        let lines = lines(&trace);
        let told: BTreeMap<&str, &Value> = lines
            .iter()
            .filter(|line| !line["file"].is_null())
            .map(|line| (text(line, "file"), line))
            .collect();
        let core = lines.iter().filter(|line| line["event"] == "core").count();
        assert!(told.len() >= core && core > 10, "{} files for {core} questions", told.len());
        assert_eq!(told.values().any(|line| line["event"] == "query"), all);
        assert_eq!(fs::read_dir(&dump).unwrap().count(), told.len());
        for (file, line) in &told {
            let path = dump.join(file);
            let script = fs::read_to_string(&path).unwrap();
            assert!(script.contains(&format!("; method: {}", text(line, "method"))), "{script}");
            let answer = Command::new(&z3).arg(&path).output().unwrap();
            let answer = String::from_utf8(answer.stdout).unwrap();
            assert_eq!(answer.trim(), text(line, "verdict"), "{file}\n{script}");
        }
        // Floats have no words of their own there, but gates have.
        let floats = told.values().filter(|line| text(line, "method").contains("::Square("));
        assert!(floats.count() >= 2);
    }
    // Files of two runs together would mislead.
    let output = Command::new(env!("CARGO_BIN_EXE_cilantro"))
        .args([
            "check",
            watched().to_str().unwrap(),
            "--dump-queries",
            folder.path().join("core").to_str().unwrap(),
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the folder is not empty"));
}

#[test]
fn a_file_that_cannot_be_written_is_one_sentence() {
    let output = Command::new(env!("CARGO_BIN_EXE_cilantro"))
        .args(["check", watched().to_str().unwrap(), "--trace", "/nowhere/at/all.jsonl"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
    assert!(message.contains("/nowhere/at/all.jsonl"));
}

#[test]
fn without_the_options_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_cilantro"))
        .arg("check")
        .arg(watched())
        .arg("--runtime")
        .arg(Toolchain::locate().unwrap().runtime_root())
        .args(["--method", "Margin"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Generates tests once for all that look at them.
fn generated(folder: &Path) -> PathBuf {
    let out = folder.join("Watched.Tests");
    run("generate", &["-o", out.to_str().unwrap()]);
    out
}

fn inspect(folder: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cilantro")).arg("inspect").arg(folder).args(options).output().unwrap()
}

/// The paths of all tests of a method.
fn check_paths(out: &Path, method: &str, expected: Expect) {
    let stored: Value =
        serde_json::from_str(&fs::read_to_string(out.join("paths/Watched.Deals.json")).unwrap()).unwrap();
    let of_method = |path: &&Value| text(path, "method").contains(method);
    let tests = stored["paths"].as_array().unwrap().iter().filter(of_method).map(|path| text(path, "test"));
    let options: Vec<&str> = tests.flat_map(|test| ["--path", test]).collect();
    let output = inspect(out, &options);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    expected.assert_eq(&String::from_utf8(output.stdout).unwrap());
}

#[test]
fn inspect_says_why_a_test_exists() {
    let folder = tempfile::tempdir().unwrap();
    let out = generated(folder.path());
    check_paths(
        &out,
        "::Margin(",
        expect![[r#"
        Margin_ByZero_ThrowsDivideByZeroException
          method  Watched.Deals::Margin(System.Int32,System.Int32)
          inputs  price = 1, cost = 0

          Deals.cs:22  IL_0002  price != cost
          Deals.cs:24  IL_000c  price - cost > 0
          Deals.cs:24  IL_0015  price > -100 && price < 100  → System.DivideByZeroException
          throws System.DivideByZeroException at Deals.cs:24 (IL_0015)

          No other test shows this exception at this place.

        Margin_Returns0
          method  Watched.Deals::Margin(System.Int32,System.Int32)
          inputs  price = 0, cost = 0

          Deals.cs:22  IL_0002  price == cost
          returns

          No other test takes the branch from IL_0002 to IL_0004 (Deals.cs:22).
          No other test executes 2 of its instructions.

        Margin_Returns100
          method  Watched.Deals::Margin(System.Int32,System.Int32)
          inputs  price = 100, cost = 0

          Deals.cs:22  IL_0002  price != cost
          Deals.cs:24  IL_000c  price - cost > 0
          Deals.cs:24  IL_0015  (price <= -100 || price >= 100) && (price - cost != int.MinValue || price > -100 || price <= -200)
          returns

          No other test executes 1 of its instructions.

        Margin_ReturnsMinus1
          method  Watched.Deals::Margin(System.Int32,System.Int32)
          inputs  price = 0, cost = 1

          Deals.cs:22  IL_0002  price != cost
          Deals.cs:24  IL_000c  price - cost <= 0
          returns

          No other test takes the branch from IL_000c to IL_000e (Deals.cs:24).
          No other test executes 2 of its instructions.
    "#]],
    );
    check_paths(
        &out,
        "::Find(",
        expect![[r#"
            Find_ItemsNotEmpty_ThrowsNullReferenceException
              method  Watched.Deals::Find(Watched.Item[],Watched.Tier)
              inputs  items = Item[] of length 4 {  }, tier = Tier.Bronze

              Deals.cs:29  IL_0001  items is a new Item[]
              Deals.cs:29  IL_0004  items.Length >= 4
              Deals.cs:29  IL_0008  tier != Tier.Gold
              Deals.cs:30  IL_0017  items.Length != 0
              Deals.cs:30  IL_0018  items[0] is null
              throws System.NullReferenceException at Deals.cs:30 (IL_0018)

              No other test shows this exception at this place.

            Find_ItemsNotShorterThan3_ThrowsNullReferenceException
              method  Watched.Deals::Find(Watched.Item[],Watched.Tier)
              inputs  items = Item[] of length 4 {  }, tier = Tier.Gold

              Deals.cs:29  IL_0001  items is a new Item[]
              Deals.cs:29  IL_0004  items.Length >= 4
              Deals.cs:29  IL_0008  tier == Tier.Gold
              Deals.cs:29  IL_000c  items.Length >= 3
              Deals.cs:29  IL_000d  items[2] is null
              throws System.NullReferenceException at Deals.cs:29 (IL_000d)

              No other test shows this exception at this place.

            Find_ItemsNull_ThrowsNullReferenceException
              method  Watched.Deals::Find(Watched.Item[],Watched.Tier)
              inputs  items = null, tier = Tier.Bronze

              Deals.cs:29  IL_0001  items is null
              throws System.NullReferenceException at Deals.cs:29 (IL_0001)

              No other test shows this exception at this place.

            Find_Returns0
              method  Watched.Deals::Find(Watched.Item[],Watched.Tier)
              inputs  items = Item[] of length 4 { [2] = Item { Price = 0 } }, tier = Tier.Gold

              Deals.cs:29  IL_0001  items is a new Item[]
              Deals.cs:29  IL_0004  items.Length >= 4
              Deals.cs:29  IL_0008  tier == Tier.Gold
              Deals.cs:29  IL_000c  items.Length >= 3
              Deals.cs:29  IL_000d  items[2] is a new Item
              returns

              No other test executes 3 of its instructions.

            Find_Returns1
              method  Watched.Deals::Find(Watched.Item[],Watched.Tier)
              inputs  items = Item[] of length 1 { [0] = Item { Next = Item { Next = … } } }, tier = Tier.Bronze

              Deals.cs:29  IL_0001  items is a new Item[]
              Deals.cs:29  IL_0004  items.Length < 4
              Deals.cs:30  IL_0017  items.Length != 0
              Deals.cs:30  IL_0018  items[0] is a new Item
              Deals.cs:30  IL_001f  items.Length != 0
              Deals.cs:30  IL_0020  items[0].Next is the same object as items[0]
              returns

              No other test takes the branch from IL_0020 to IL_0024 (Deals.cs:30).
              No other test executes 2 of its instructions.

            Find_Returns2
              method  Watched.Deals::Find(Watched.Item[],Watched.Tier)
              inputs  items = Item[] of length 4 { [0] = Item { Next = null } }, tier = Tier.Bronze

              Deals.cs:29  IL_0001  items is a new Item[]
              Deals.cs:29  IL_0004  items.Length >= 4
              Deals.cs:29  IL_0008  tier != Tier.Gold
              Deals.cs:30  IL_0017  items.Length != 0
              Deals.cs:30  IL_0018  items[0] is a new Item
              Deals.cs:30  IL_001f  items.Length != 0
              Deals.cs:30  IL_0020  items[0].Next is null
              returns

              No other test takes the branch from IL_0020 to IL_0022 (Deals.cs:30).
              No other test executes 2 of its instructions.

            Find_ThrowsIndexOutOfRangeException
              method  Watched.Deals::Find(Watched.Item[],Watched.Tier)
              inputs  items = Item[] of length 0 {  }, tier = Tier.Bronze

              Deals.cs:29  IL_0001  items is a new Item[]
              Deals.cs:29  IL_0004  items.Length < 4
              Deals.cs:30  IL_0017  items.Length == 0  → System.IndexOutOfRangeException
              throws System.IndexOutOfRangeException at Deals.cs:30 (IL_0017)

              No other test shows this exception at this place.
        "#]],
    );
    check_paths(
        &out,
        "::Search(",
        expect![[r#"
            Search_Null_ThrowsNullReferenceException
              method  Watched.Deals::Search(System.String)
              inputs  text = null

              Deals.cs:41  IL_0001  text is null
              throws System.NullReferenceException at Deals.cs:41 (IL_0001)

              No other test shows this exception at this place.

            Search_Returns0
              method  Watched.Deals::Search(System.String)
              inputs  text = ""

              Deals.cs:41  IL_0001  text is a new string
              Deals.cs:41  IL_0007  text.Length < 4
              Deals.cs:42  IL_000e  text.Length == 0  (a number had to be known)  (inside System.SpanHelpers::IndexOfChar(System.Char&,System.Char,System.Int32))
              returns

              No other test takes the branch from IL_0007 to IL_000b (Deals.cs:41).
              No other test executes 6 of its instructions.

            Search_ReturnsMinus1
              method  Watched.Deals::Search(System.String)
              inputs  text = "aaaa"

              Deals.cs:41  IL_0001  text is a new string
              Deals.cs:41  IL_0007  text.Length >= 4
              returns

              No other test takes the branch from IL_0007 to IL_0009 (Deals.cs:41).
              No other test executes 2 of its instructions.
        "#]],
    );
    check_paths(
        &out,
        "::Ask(",
        expect![[r#"
        Ask_Null_ThrowsNullReferenceException
          method  Watched.Deals::Ask(Watched.IPrices)
          inputs  prices = null

          Deals.cs:47  IL_0006  prices is null
          throws System.NullReferenceException at Deals.cs:47 (IL_0006)

          No other test shows this exception at this place.

        Ask_Returns0
          method  Watched.Deals::Ask(Watched.IPrices)
          inputs  prices = IPrices { Price() = 0 }

          Deals.cs:47  IL_0006  prices is a new mock of IPrices
          returns

          No other test of the method returns.
          No other test executes 3 of its instructions.
    "#]],
    );
    check_paths(
        &out,
        "::Outside(",
        expect![[r#"
            Outside_Null_ThrowsNullReferenceException
              method  Watched.Deals::Outside(System.String)
              inputs  name = null

              Deals.cs:57  IL_0001  name is null
              throws System.NullReferenceException at Deals.cs:57 (IL_0001)

              No other test shows this exception at this place.

            Outside_ReturnsEmptyString
              method  Watched.Deals::Outside(System.String)
              inputs  name = ""

              Deals.cs:57  IL_0001  name is a new string
              Deals.cs:57  IL_0007  name.Length != 2
              returns

              No other test of the method returns.
              No other test takes the branch from IL_0007 to IL_0009 (Deals.cs:57).
              No other test executes 2 of its instructions.

            Outside_ThrowsArgumentException
              method  Watched.Deals::Outside(System.String)
              inputs  name = "a\0"

              Deals.cs:57  IL_0001  name is a new string
              Deals.cs:57  IL_0007  name.Length == 2
              Deals.cs:57  IL_000c  name[0] == '\0' || name[1] == '\0'  (inside System.IO.Path::GetFullPath(System.String))
              throws System.ArgumentException at Deals.cs:57 (IL_000c)

              No other test shows this exception at this place.
              No other test takes the branch from IL_0007 to IL_000b (Deals.cs:57).
              No other test executes 2 of its instructions.
        "#]],
    );

    // As many paths as tests, under the same names.
    let names = |folder: &str, list: &str| -> Vec<String> {
        let file = out.join(folder).join("Watched.Deals.json");
        let stored: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let name = |entry: &Value| entry["name"].as_str().or(entry["test"].as_str()).unwrap().to_owned();
        stored[list].as_array().unwrap().iter().map(name).collect()
    };
    assert_eq!(names("cases", "cases"), names("paths", "paths"));

    let output = inspect(&out, &["--path", "Deals.Margin_SameValue_Nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    let output = inspect(&out, &["--path", "margin"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no test in") && message.contains("there is Margin_"), "{message}");
    let output = inspect(folder.path(), &["--path", "x"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("`generate` writes them"));
    let first = names("paths", "paths").remove(0);
    let json = inspect(&out, &["--path", &format!("Deals.{first}"), "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json["schema"], &json["paths"][0]["test"]), (&"cilantro/inspect@1".into(), &first.into()));
}
