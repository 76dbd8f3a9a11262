//! C# compiled and run with the toolchain of the tests.

use std::{fs, thread};

use testkit::{Assembly, Debug, Error, Framework, Options, Source, Target, Toolchain};

const SUM: &str = "public static class Sum { public static int Of(int a, int b) => checked(a + b); }";

#[test]
fn a_program_is_compiled_and_run() {
    let library = testkit::compile("Sum", &[("Sum.cs", SUM)], &Options::default()).unwrap();
    assert!(library.with_extension("pdb").is_file());

    let main = "using System; Console.WriteLine(Sum.Of(int.Parse(args[0]), 40)); return 7;";
    let options = Options { target: Target::Exe, references: vec![library], ..Options::default() };
    let program = testkit::compile("Program", &[("Main.cs", main)], &options).unwrap();
    let finished = testkit::run_dotnet(&program, &["2"]).unwrap();
    assert_eq!((finished.code, finished.stdout.as_str(), finished.stderr.as_str()), (Some(7), "42\n", ""));

    let overflow = testkit::run_dotnet(&program, &["2147483647"]).unwrap();
    assert!(overflow.stderr.contains("System.OverflowException"), "{overflow:?}");
}

#[test]
fn a_program_for_the_old_runtime_runs_on_it() {
    let main = "class P { static void Main() { System.Console.Write(System.Environment.Version); } }";
    let options = Options {
        target: Target::Exe,
        framework: Framework::NetCore31,
        language: "8".into(),
        ..Options::default()
    };
    let program = testkit::compile("Old", &[("Main.cs", main)], &options).unwrap();
    let dotnet = Toolchain::locate().unwrap().dotnet31();
    let finished = testkit::run(std::process::Command::new(dotnet).arg("exec").arg(program)).unwrap();
    assert_eq!(finished.stdout, "3.1.2", "{finished:?}");
}

#[test]
fn an_error_comes_with_the_compilers_words() {
    let error = testkit::compile("Wrong", &[("Wrong.cs", "class C { int X => y; }")], &Options::default());
    let Err(Error::Compile { name, diagnostics }) = error else { panic!("{error:?}") };
    assert_eq!(name, "Wrong");
    assert!(diagnostics.contains("/_/Wrong.cs(1,20): error CS0103"), "{diagnostics}");
}

#[test]
fn options_reach_the_compiler() {
    let size = |options: &Options| {
        let dll = testkit::compile("Sum", &[("Sum.cs", SUM)], options).unwrap();
        (fs::metadata(&dll).unwrap().len(), dll.with_extension("pdb").is_file())
    };
    let (without, no_pdb) = size(&Options { debug: Debug::None, ..Options::default() });
    let (embedded, no_pdb_either) = size(&Options { debug: Debug::Embedded, ..Options::default() });
    assert!(!no_pdb && !no_pdb_either && embedded > without);

    let pointer = [("P.cs", "class P { unsafe int* p; }")];
    assert!(testkit::compile("P", &pointer, &Options::default()).is_err());
    assert!(testkit::compile("P", &pointer, &Options { allow_unsafe: true, ..Options::default() }).is_ok());
}

#[test]
fn many_are_compiled_at_once_and_only_once() {
    let stamp = format!("// {:?} {}", std::time::SystemTime::now(), std::process::id());
    let assemblies: Vec<Assembly> = (0..4)
        .map(|number| Assembly {
            name: format!("Many{}", number % 3),
            sources: vec![Source::text("Many.cs", &format!("{stamp}\nclass Many{} {{ }}", number % 3))],
            options: Options::default(),
        })
        .collect();
    let results: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| testkit::compile_all(&assemblies))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
    });
    assert!(results.iter().all(|paths| paths == &results[0] && paths.iter().all(|path| path.is_file())));
    assert_eq!(results[0][0], results[0][3]);
    let before = fs::metadata(&results[0][0]).unwrap().modified().unwrap();
    testkit::compile_all(&assemblies).unwrap();
    assert_eq!(fs::metadata(&results[0][0]).unwrap().modified().unwrap(), before);
    for path in &results[0][..3] {
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }
}
