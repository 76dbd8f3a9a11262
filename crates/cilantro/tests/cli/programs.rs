//! `run`: programs in the machine, and what they see of the world.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use testkit::{Options, Target};

use crate::program::{Ended, command, ended, runtime};

fn compiled(name: &str, source: &str) -> PathBuf {
    let options = Options { target: Target::Exe, ..Options::default() };
    testkit::compile(name, &[(format!("{name}.cs").as_str(), source)], &options).unwrap()
}

/// The whole program is `Main` with this body.
fn body(name: &str, statements: &str) -> PathBuf {
    let source = format!(
        "using System; using System.IO; using System.Linq; using System.Collections.Generic;
        static class App {{ static int Main(string[] args) {{ {statements} }} }}"
    );
    compiled(name, &source)
}

fn running(dll: &Path, options: &[&str], args: &[&str]) -> Command {
    let mut running = command(["run"]);
    running.arg("--runtime").arg(runtime()).args(options).arg(dll).args(args);
    running
}

fn run(dll: &Path, options: &[&str], args: &[&str]) -> Ended {
    ended(running(dll, options, args).output().unwrap())
}

#[test]
fn a_program_writes_and_exits_as_on_its_runtime() {
    let dll = body(
        "RunHello",
        r#"Console.WriteLine("hello " + args[0]); Console.Error.WriteLine(args[1]); return 42;"#,
    );
    let ended = run(&dll, &[], &["--", "--world", "-x"]);
    assert_eq!(
        (ended.code, ended.stdout.as_str(), ended.stderr.as_str()),
        (Some(42), "hello --world\n", "-x\n")
    );
}

#[test]
fn what_is_not_supported_stops_with_its_name() {
    let source = r#"
        using System.Runtime.InteropServices;
        static class App
        {
            [DllImport("nowhere")] static extern int Missing();
            static int Main() => Missing();
        }"#;
    let ended = run(&compiled("RunNative", source), &[], &[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(3), "error: not supported: App::Missing()\n"));
}

#[test]
fn files_are_denied_unless_a_folder_is_given() {
    let dll = body("RunFiles", r#"Console.WriteLine(File.ReadAllText(args[0])); return 0;"#);
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("inside")).unwrap();
    std::fs::write(folder.path().join("inside/open.txt"), "contents").unwrap();
    std::fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    let inside = folder.path().join("inside").display().to_string();
    let sandbox = ["--sandbox", inside.as_str()];

    let denied = run(&dll, &[], &["open.txt"]);
    assert_eq!((denied.code, denied.stdout.as_str()), (Some(3), ""));
    assert!(denied.stderr.contains("files, which are denied; use --sandbox DIR"), "{}", denied.stderr);
    let read = run(&dll, &sandbox, &["open.txt"]);
    assert_eq!((read.code, read.stdout.as_str(), read.stderr.as_str()), (Some(0), "contents\n", ""));

    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.txt", folder.path().join("inside/link")).unwrap();
    let secret = folder.path().join("secret.txt").display().to_string();
    for path in ["../secret.txt", "missing", "link", &secret, "/etc/hostname"] {
        let missing = run(&dll, &sandbox, &[path]);
        assert_eq!((missing.code, missing.stdout.as_str()), (Some(134), ""), "{path}");
        assert!(missing.stderr.contains("NotFoundException: Could not find "), "{path}: {}", missing.stderr);
    }
    let wrong = run(&dll, &["--sandbox", &secret], &["open.txt"]);
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(2), ""));
    assert!(wrong.stderr.contains("secret.txt cannot be read: it is not a folder"), "{}", wrong.stderr);
}

#[test]
fn a_folder_is_for_reading_only() {
    let dll = body(
        "RunWrites",
        r#"
        foreach (var (name, write) in new (string, Action)[] {
            ("text", () => File.WriteAllText("new.txt", "x")), ("append", () => File.AppendAllText("old.txt", "x")),
            ("open", () => File.OpenWrite("old.txt")), ("delete", () => File.Delete("old.txt")),
            ("delete nothing", () => File.Delete("nothing.txt")), ("folder", () => Directory.CreateDirectory("new")),
            ("existing folder", () => Directory.CreateDirectory("sub")), ("copy", () => File.Copy("old.txt", "copy.txt")),
            ("move", () => File.Move("old.txt", "moved.txt")), ("remove", () => Directory.Delete("sub")),
            ("nowhere", () => File.WriteAllText("none/new.txt", "x")), ("create", () => new FileStream("old.txt", FileMode.CreateNew)) })
            try { write(); Console.WriteLine(name + ": done"); }
            catch (Exception e) { Console.WriteLine(name + ": " + e.GetType().Name + ": " + e.Message.Replace(Environment.CurrentDirectory, ".")); }
        return File.ReadAllText("old.txt").Length;"#,
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("old.txt"), "old").unwrap();
    let ended = run(&dll, &["--sandbox", &folder.path().display().to_string()], &[]);
    expect_test::expect![[r#"
        text: UnauthorizedAccessException: Access to the path './new.txt' is denied.
        append: UnauthorizedAccessException: Access to the path './old.txt' is denied.
        open: UnauthorizedAccessException: Access to the path './old.txt' is denied.
        delete: UnauthorizedAccessException: Access to the path './old.txt' is denied.
        delete nothing: done
        folder: UnauthorizedAccessException: Access to the path './new' is denied.
        existing folder: done
        copy: UnauthorizedAccessException: Access to the path './copy.txt' is denied.
        move: UnauthorizedAccessException: Access to the path './moved.txt' is denied.
        remove: IOException: Access to the path './sub' is denied.
        nowhere: DirectoryNotFoundException: Could not find a part of the path './none/new.txt'.
        create: IOException: The file './old.txt' already exists.
    "#]]
    .assert_eq(&ended.stdout);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(3), ""));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn the_clock_stands_where_it_is_set() {
    let dll = body(
        "RunClock",
        r#"
        Console.WriteLine(DateTime.UtcNow.ToString("yyyy-MM-ddTHH:mm:ss.fffK")); Console.WriteLine(DateTime.Now.ToString("yyyy-MM-ddTHH:mm:ss.fffK"));
        System.Threading.Thread.Sleep(1500); Console.WriteLine(DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()); return 0;"#,
    );
    let started = Instant::now();
    let set = run(&dll, &["--clock", "2024-01-01T00:00:00Z"], &[]);
    assert_eq!(set.stdout, "2024-01-01T00:00:00.000Z\n2024-01-01T00:00:00.000+00:00\n1704067201500\n");
    let not_set = run(&dll, &[], &[]);
    assert!(not_set.stdout.starts_with("2000-01-01T12:00:00.000Z\n"), "{}", not_set.stdout);
    let now = run(&dll, &["--clock", "now"], &[]);
    assert!(now.stdout.as_str() > "2025", "{}", now.stdout);
    assert!(started.elapsed() < Duration::from_secs(60));
    assert_eq!(run(&dll, &["--clock", "soon"], &[]).code, Some(2));
}

#[test]
fn what_is_random_follows_the_seed() {
    let dll = body(
        "RunRandom",
        r#"Console.WriteLine(new Random().Next() + " " + Guid.NewGuid() + " " + "text".GetHashCode() + " " + HashCode.Combine(1)
            + " " + System.Security.Cryptography.RandomNumberGenerator.GetInt32(1000000)); return 0;"#,
    );
    let with = |seed: &str| {
        let ended = run(&dll, &["--seed", seed], &[]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        ended.stdout
    };
    assert_eq!(with("1"), with("1"));
    let (one, two) = (with("1"), with("2"));
    assert!(one.split(' ').zip(two.split(' ')).all(|(a, b)| a != b), "{one}{two}");
    assert_eq!(run(&dll, &[], &[]).stdout, with("0"));
}

#[test]
fn variables_are_handed_on_or_not() {
    let dll = body(
        "RunVariables",
        r#"foreach (string name in args) Console.Write((Environment.GetEnvironmentVariable(name) ?? "null") + " ");
        return Environment.GetEnvironmentVariables().Count;"#,
    );
    let mine = |options: &[&str]| {
        ended(running(&dll, options, &["MINE", "OTHER"]).env("MINE", "inherited").output().unwrap())
    };
    assert_eq!(mine(&[]).stdout, "inherited null ");
    assert_eq!(mine(&["--env", "OTHER=a=b", "--env", "MINE=changed"]).stdout, "changed a=b ");
    let cleared = mine(&["--clear-env", "--env", "OTHER=x"]);
    assert_eq!((cleared.code, cleared.stdout.as_str()), (Some(1), "null x "));
    assert_eq!(mine(&["--env", "wrong"]).code, Some(2));
}

#[test]
fn every_budget_ends_a_run_with_its_reason() {
    let dll = body(
        "RunForever",
        r#"Console.WriteLine("begun"); var all = new List<byte[]>(); for (long i = 0; ; i++) if (args.Length > 0) all.Add(new byte[1000000]);"#,
    );
    let cases = [
        (&["--timeout", "2s"][..], &[][..], "error: stopped: the time was used up (--timeout)\n"),
        (
            &["--max-steps", "5000000"],
            &[],
            "error: stopped: the allowed number of instructions was used up (--max-steps)\n",
        ),
    ];
    for (options, args, expected) in cases {
        let ended = run(&dll, options, args);
        assert_eq!(
            (ended.code, ended.stdout.as_str(), ended.stderr.as_str()),
            (Some(3), "begun\n", expected)
        );
    }
    // A lack of memory is something that a program can catch, as on the runtime.
    let full = run(&dll, &["--max-memory", "50M"], &["fill"]);
    assert_eq!((full.code, full.stdout.as_str()), (Some(134), "begun\n"));
    assert!(full.stderr.starts_with("Unhandled exception. System.OutOfMemoryException: "), "{}", full.stderr);
}

#[test]
fn a_single_instruction_cannot_outlast_the_time() {
    let dll = body("RunReading", "Console.ReadLine(); return 0;");
    let mut child = running(&dll, &["--timeout", "1s"], &[]).stdin(Stdio::piped()).spawn().unwrap();
    // The program must not see the end of its input.
    let input = child.stdin.take();
    let ended = ended(child.wait_with_output().unwrap());
    drop(input);
    let stopped = "error: stopped: the time was used up (--timeout)\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(3), stopped));
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_program() {
    let busy = body("RunBusy", r#"Console.WriteLine("begun"); for (long i = 0; ; i++) { }"#);
    let waiting = body("RunWaiting", r#"Console.WriteLine("begun"); Console.ReadLine(); return 0;"#);
    for dll in [busy, waiting] {
        let mut child = running(&dll, &[], &[]).stdin(Stdio::piped()).spawn().unwrap();
        let mut begun = [0; 6];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut begun).unwrap();
        // The program must not see the end of its input.
        let input = child.stdin.take();
        let interrupted = Instant::now();
        let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
        assert!(kill.success());
        let ended = ended(child.wait_with_output().unwrap());
        drop(input);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(130), ""));
        assert!(interrupted.elapsed() < Duration::from_secs(5), "took {:?}", interrupted.elapsed());
    }
}

#[test]
fn no_network_and_no_processes() {
    for (name, statement, denied) in [
        (
            "RunSocket",
            "new System.Net.Sockets.TcpClient(\"127.0.0.1\", 80); return 0;",
            "the network, which is denied\n",
        ),
        (
            "RunProcess",
            "System.Diagnostics.Process.Start(\"ls\"); return 0;",
            "other processes, which are denied\n",
        ),
        (
            "RunSelf",
            "return System.Diagnostics.Process.GetCurrentProcess().Threads.Count;",
            "files, which are denied; use --sandbox DIR\n",
        ),
    ] {
        let ended = run(&body(name, statement), &[], &[]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{name}: {}", ended.stderr);
        assert!(ended.stderr.ends_with(denied), "{name}: {}", ended.stderr);
    }
}
