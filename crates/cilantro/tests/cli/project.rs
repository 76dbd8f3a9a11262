//! A project that is there: what is found in it, what it was built to, and the settings that it keeps.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use expect_test::expect;
use tempfile::TempDir;

use crate::library::shop;
use crate::program::{Ended, command, ended, runtime, without};

/// A library with tests for it, as people lay them out; nothing is built.
fn tree() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let project = |items: &str| {
        format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>netstandard2.0;net10.0</TargetFrameworks></PropertyGroup><ItemGroup>{items}</ItemGroup></Project>"
        )
    };
    write("src/Shop/Shop.csproj", &project(""));
    write("src/Shop/Cart.cs", "// the source\n");
    let tests = "<PackageReference Include=\"NUnit\" /><PackageReference Include=\"NSubstitute\" />\
        <PackageReference Include=\"FluentAssertions\" /><ProjectReference Include=\"..\\..\\src\\Shop\\Shop.csproj\" />";
    write("tests/Shop.Tests/Shop.Tests.csproj", &project(tests));
    write(
        "Shop.sln",
        "Project(\"{1}\") = \"Shop\", \"src\\Shop\\Shop.csproj\", \"{2}\"\nEndProject\n\
         Project(\"{1}\") = \"T\", \"tests\\Shop.Tests\\Shop.Tests.csproj\", \"{3}\"\nEndProject\n",
    );
    folder
}

/// Puts the compiled library where a build would.
fn build(folder: &Path, framework: &str) -> PathBuf {
    let to = folder.join("src/Shop/bin/Debug").join(framework);
    fs::create_dir_all(&to).unwrap();
    let dll = shop();
    fs::copy(dll.with_extension("pdb"), to.join("Shop.pdb")).unwrap();
    fs::copy(dll, to.join("Shop.dll")).unwrap();
    touch(&to.join("Shop.dll"), 100);
    to.join("Shop.dll")
}

fn touch(path: &Path, seconds: u64) {
    let time = SystemTime::now() + Duration::from_secs(seconds);
    fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

fn asking(folder: &Path, args: &[&str]) -> Command {
    let mut asking = command(args);
    asking.current_dir(folder).env("PATH", "").env_remove("DOTNET_ROOT");
    asking
}

fn check(folder: &Path, args: &[&str]) -> Ended {
    let runtime = runtime();
    let mut asking = asking(folder, &[&["check"], args].concat());
    ended(asking.args(["--method", "Cart.Add", "--runtime"]).arg(runtime).output().unwrap())
}

#[test]
fn init_writes_what_it_finds() {
    let folder = tree();
    let init = ended(asking(folder.path(), &["init"]).output().unwrap());
    assert_eq!((init.code, init.stderr.as_str()), (Some(0), ""));
    let text = fs::read_to_string(folder.path().join("cilantro.toml")).unwrap();
    let settings: String =
        text.lines().filter(|line| !line.starts_with('#')).fold(String::new(), |all, line| all + line + "\n");
    expect![[r#"

        project = "src/Shop/Shop.csproj"

        output = "tests/Shop.GeneratedTests"

        framework = "nunit"
        mock-library = "nsubstitute"

        timeout = "2m"


    "#]]
    .assert_eq(&settings);
    assert!(text.contains("FluentAssertions"), "{text}");
    let again = ended(asking(folder.path(), &["init"]).output().unwrap());
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    // It is a file that its own reader accepts, and that commands use.
    build(folder.path(), "net10.0");
    let checked = check(&folder.path().join("src"), &[]);
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
    let empty = tempfile::tempdir().unwrap();
    let nothing = ended(asking(empty.path(), &["init"]).output().unwrap());
    assert_eq!((nothing.code, nothing.stderr.as_str()), (Some(2), "error: there are no projects in .\n"));
}

#[test]
fn options_outrank_the_environment_which_outranks_the_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("cilantro.toml"), "seed = 1\njobs = 2\ntimeout = '3s'\noutput = 'T'\n")
        .unwrap();
    let mut asking =
        asking(&folder.path().join("sub"), &["config", "show", "--format", "json", "--jobs", "7"]);
    let shown = ended(asking.env("CILANTRO_SEED", "5").env("CILANTRO_JOBS", "6").output().unwrap());
    let rows: Vec<serde_json::Value> = serde_json::from_str(&shown.stdout).unwrap();
    let row = |key: &str| {
        let row = rows.iter().find(|row| row["key"] == key).unwrap();
        without(
            &format!("{} by {}", row["value"].as_str().unwrap_or("-"), row["source"].as_str().unwrap()),
            folder.path(),
        )
    };
    assert_eq!(row("jobs"), "7 by the command line");
    assert_eq!(row("seed"), "5 by CILANTRO_SEED");
    assert_eq!(row("timeout"), "3s by DIR/cilantro.toml:3");
    assert_eq!(row("output"), "DIR/T by DIR/cilantro.toml:4");
    assert_eq!(row("fail-on"), "crash by default");
}

#[test]
fn wrong_settings_are_an_error_with_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.toml");
    fs::write(&file, "seed = 1\nframewrok = 'nunit'\n").unwrap();
    let args = ["check", "none.dll", "--config", "other.toml"];
    let said = ended(asking(folder.path(), &args).output().unwrap());
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        said.stderr,
        "error: other.toml:2:1: there is no setting `framewrok`; did you mean framework?\n"
    );
    let missing =
        ended(asking(folder.path(), &["check", "none.dll", "--config", "no.toml"]).output().unwrap());
    assert_eq!(missing.code, Some(2));
    let mut by_variable = asking(folder.path(), &["check", "none.dll"]);
    let said = ended(by_variable.env("CILANTRO_TIMEOUT", "soon").output().unwrap());
    assert!(said.stderr.contains("CILANTRO_TIMEOUT"), "{}", said.stderr);
    // Whoever asks for help gets it.
    let help = ended(asking(folder.path(), &["check", "--help", "--config", "other.toml"]).output().unwrap());
    assert_eq!(help.code, Some(0));
}

#[test]
fn projects_solutions_and_folders_stand_for_what_was_built() {
    let folder = tree();
    build(folder.path(), "netstandard2.0");
    fs::write(folder.path().join("Shop.slnx"), "<Solution><Project Path='src/Shop/Shop.csproj'/></Solution>")
        .unwrap();
    for named in ["src/Shop/Shop.csproj", "Shop.sln", "Shop.slnx", "src/Shop", "src"] {
        let checked = check(folder.path(), &[named, "-v"]);
        assert_eq!(checked.code, Some(0), "{named}: {}", checked.stderr);
        assert!(checked.stderr.contains("bin/Debug/netstandard2.0/Shop.dll"), "{}", checked.stderr);
    }
    // The newest framework of those that were built.
    build(folder.path(), "net10.0");
    let checked = check(folder.path(), &["Shop.sln", "-v"]);
    assert!(checked.stderr.contains("bin/Debug/net10.0/Shop.dll"), "{}", checked.stderr);
    fs::write(folder.path().join("src/Other.csproj"), "<Project/>").unwrap();
    fs::write(folder.path().join("src/Third.csproj"), "<Project/>").unwrap();
    let several = check(folder.path(), &["src"]);
    assert_eq!(
        (several.code, several.stderr.as_str()),
        (Some(2), "error: src has 2 projects; name one of them: src/Other.csproj, src/Third.csproj\n")
    );
}

#[test]
fn what_is_old_or_not_built_is_said() {
    let folder = tree();
    let unbuilt = check(folder.path(), &["Shop.sln"]);
    assert_eq!(unbuilt.code, Some(2));
    assert_eq!(
        unbuilt.stderr,
        "error: src/Shop/Shop.csproj is not built, and no .NET SDK was found; build it with `dotnet build`, or give the path of the .dll\n"
    );
    build(folder.path(), "net10.0");
    touch(&folder.path().join("src/Shop/Cart.cs"), 1000);
    let stale = check(folder.path(), &["Shop.sln"]);
    assert_eq!(stale.code, Some(0));
    assert!(stale.stderr.contains("is older than src/Shop/Cart.cs"), "{}", stale.stderr);
}

/// An SDK of two lines: it says that it is one, and builds by copying.
#[cfg(unix)]
fn sdk(folder: &Path, build: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let bin = folder.join("sdk");
    fs::create_dir_all(&bin).unwrap();
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --list-sdks ]; then echo '10.0.100 [/sdk]'; exit 0; fi\necho \"$1 $2\" >> {0}/asked\n{build}\n",
        folder.display()
    );
    fs::write(bin.join("dotnet"), script).unwrap();
    fs::set_permissions(bin.join("dotnet"), fs::Permissions::from_mode(0o755)).unwrap();
    bin
}

#[cfg(unix)]
#[test]
fn an_sdk_builds_what_is_missing_or_old() {
    let folder = tree();
    let dll = shop();
    let copy = format!(
        "/bin/mkdir -p src/Shop/bin/Debug/net10.0 && /bin/cp {} src/Shop/bin/Debug/net10.0/",
        dll.display()
    );
    let bin = sdk(folder.path(), &copy);
    let run = |options: &[&str]| {
        let args = [&["check", "Shop.sln", "--method", "Cart.Add"], options].concat();
        ended(
            asking(folder.path(), &args).env("PATH", &bin).arg("--runtime").arg(runtime()).output().unwrap(),
        )
    };
    let asked = || fs::read_to_string(folder.path().join("asked")).unwrap_or_default();
    let refused = run(&["--no-build"]);
    assert_eq!((refused.code, asked().as_str()), (Some(2), ""), "{}", refused.stderr);
    let built = run(&[]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    assert_eq!(asked(), "build src/Shop/Shop.csproj\n");
    run(&[]);
    assert_eq!(asked().lines().count(), 1, "nothing has changed");
    touch(&folder.path().join("src/Shop/Cart.cs"), 1000);
    run(&[]);
    assert_eq!(asked().lines().count(), 2);
    sdk(folder.path(), "echo 'Cart.cs(3,1): error CS1002: ; expected'; exit 1");
    let failed = run(&[]);
    assert_eq!(failed.code, Some(2));
    assert!(
        failed.stderr.contains("could not be built") && failed.stderr.contains("CS1002"),
        "{}",
        failed.stderr
    );
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = tree();
    build(folder.path(), "net10.0");
    let generate = |options: &[&str]| {
        let args =
            [&["generate", "Shop.sln", "-o", "out", "--method", "Cart.Add", "--no-verify"], options].concat();
        ended(asking(folder.path(), &args).arg("--runtime").arg(runtime()).output().unwrap())
    };
    let dry = generate(&["--dry-run"]);
    assert_eq!(dry.code, Some(0), "{}", dry.stderr);
    assert!(!folder.path().join("out").exists());
    for line in ["  new        out/CartTests.cs", "  new        out/cases/Shop.Cart.json"] {
        assert!(dry.stdout.contains(line), "{}", dry.stdout);
    }
    assert!(!dry.stdout.contains("The tests are in"), "{}", dry.stdout);
    generate(&[]);
    let project = fs::read_to_string(folder.path().join("out/Shop.Tests.csproj")).unwrap();
    assert!(project.contains("ProjectReference Include=\"../src/Shop/Shop.csproj\""), "{project}");
    let same = generate(&["--diff"]);
    assert!(
        same.stdout.contains("  unchanged  out/CartTests.cs") && !same.stdout.contains("@@"),
        "{}",
        same.stdout
    );
    let tests = folder.path().join("out/CartTests.cs");
    let edited = fs::read_to_string(&tests).unwrap().replace("public void", "public async void");
    fs::write(&tests, &edited).unwrap();
    let changed = generate(&["--diff"]);
    assert!(changed.stdout.contains("  kept       out/CartTests.cs"), "{}", changed.stdout);
    assert!(changed.stdout.contains("public async void"), "{}", changed.stdout);
    assert_eq!(fs::read_to_string(&tests).unwrap(), edited);
}
