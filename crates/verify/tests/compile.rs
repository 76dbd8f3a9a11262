//! What does not compile, or not without a warning, is left out, and what is left compiles.
#![allow(clippy::unwrap_used)]

mod common;

use common::{class, outcome, project, verifier, verify};
use verify::{Framework, Outcome, Report, Setting, SourceFile};

/// The first diagnostic of a test that was left out, and the helper that is at fault.
fn why<'a>(report: &'a Report, name: &str) -> (&'a str, Option<&'a str>) {
    match outcome(report, name) {
        Outcome::DoesNotCompile { diagnostics, through } => {
            (diagnostics.first().map_or("", |diagnostic| diagnostic.id.as_str()), through.as_deref())
        }
        other => panic!("{name}: {other}"),
    }
}

fn holds(report: &Report, names: &[&str]) {
    for name in names {
        assert_eq!(*outcome(report, name), Outcome::Holds, "{name}: {}", outcome(report, name));
    }
}

#[test]
fn tests_that_do_not_compile_are_left_out() {
    let mut verifier = verifier();
    let mut files = vec![
        class(
            "MixedTests",
            &[
                ("First", "Assert.Equal(1, Missing());"),
                ("Good", "Assert.Equal(2, 1 + 1);"),
                ("Warned", "int unused = 1;"),
                ("NullWarned", "string text = null; Assert.Null(text);"),
                ("Ambiguous", "Assert.Equal(1, new Task().Number);"),
                ("Unclosed", "Assert.True(true;"),
                ("Last", "Assert.Equal(\"x\", 3.Twice());"),
            ],
            "public class Task { public int Number => 1; }",
        ),
        // Everything through helpers.
        class(
            "StubTests",
            &[
                ("WithStub", "Assert.Equal(1, new BadStub().Price());"),
                ("WithHelper", "Assert.Equal(1, Price());"),
                ("WithGoodStub", "Assert.Equal(2, new GoodStub().Price());"),
                ("Without", "Assert.True(true);"),
            ],
            "private static int Price() => new BadStub().Price();\n\n        private sealed class BadStub : IDisposable { public int Price() => 1; }\n\n        private sealed class GoodStub { public int Price() => Once(2); }\n\n        private static int Once(int value) => value;",
        ),
        class("HeadTests : INothing", &[("InHead", "Assert.True(true);")], ""),
    ];
    // An import of something that is not there: only who needs it goes.
    let mut imports = class("ImportTests", &[("Needs", "Thing.Do();"), ("Plain", "Assert.True(true);")], "");
    imports.text = format!("using Not.There;\n{}", imports.text);
    files.push(imports);
    let report = verify(&mut verifier, &project(Framework::XUnit2, files));

    assert_eq!(report.problems, Vec::<String>::new());
    holds(&report, &["Good", "WithGoodStub", "Without", "Plain"]);
    assert_eq!(why(&report, "First"), ("CS0103", None));
    assert_eq!(why(&report, "Warned"), ("CS0219", None));
    assert_eq!(why(&report, "NullWarned"), ("CS8600", None));
    assert_eq!(why(&report, "Last"), ("CS1061", None));
    assert!(why(&report, "Unclosed").0.starts_with("CS1"));
    assert_eq!(why(&report, "WithStub"), ("CS0535", Some("BadStub")));
    assert_eq!(why(&report, "WithHelper"), ("CS0535", Some("BadStub")));
    assert_eq!(why(&report, "InHead"), ("CS0246", None));
    assert_eq!(why(&report, "Needs"), ("CS0103", None));
    // The nested class is nearer than an implicit using.
    holds(&report, &["Ambiguous"]);

    let text = |name: &str| {
        report.files.iter().find(|file| file.path == name).unwrap().text.clone().unwrap_or_default()
    };
    let stubs = text("StubTests.cs");
    assert!(
        !stubs.contains("BadStub") && !stubs.contains("Price()\n") && stubs.contains("GoodStub"),
        "{stubs}"
    );
    assert!(!text("ImportTests.cs").contains("Not.There"));
    assert_eq!(report.files.iter().find(|file| file.path.starts_with("HeadTests")).unwrap().text, None);
    // Nothing but the tests is gone: what stays looks as it did.
    let expected = class(
        "MixedTests",
        &[("Good", "Assert.Equal(2, 1 + 1);"), ("Ambiguous", "Assert.Equal(1, new Task().Number);")],
        "public class Task { public int Number => 1; }",
    );
    assert_eq!(text("MixedTests.cs"), expected.text);
    assert_eq!(report.kept(), 5);

    // What is left is taken as it is.
    let kept =
        [("MixedTests.cs", &["Good", "Ambiguous"][..]), ("StubTests.cs", &["WithGoodStub", "Without"])];
    let files = kept.map(|(name, tests)| SourceFile::new(name, text(name), tests.iter().copied())).to_vec();
    let again = verify(&mut verifier, &project(Framework::XUnit2, files.clone()));
    assert!(again.tests.iter().all(|test| test.outcome == Outcome::Holds), "{:?}", again.tests);
    assert!(again.files.iter().zip(&files).all(|(file, given)| file.text.as_ref() == Some(&given.text)));
}

#[test]
fn a_project_that_says_how_it_is_built_is_taken_at_its_word() {
    let mut verifier = verifier();
    let tests = [("NullWarned", "string text = null; Assert.Null(text);")];
    let mut ambiguous = class("AmbiguousTests", &[("Ambiguous", "Assert.Equal(1, new Path().Length);")], "");
    ambiguous.text = ambiguous.text.replace(
        "namespace Subject.Tests",
        "namespace Shapes { public class Path { public int Length => 1; } }\n\nnamespace Subject.Tests",
    );
    ambiguous.text = ambiguous.text.replace("using Xunit;", "using Xunit;\nusing Shapes;");
    let mut project = project(Framework::XUnit2, vec![class("NullTests", &tests, ""), ambiguous]);
    let report = verify(&mut verifier, &project);
    assert_eq!(why(&report, "NullWarned"), ("CS8600", None));
    assert_eq!(why(&report, "Ambiguous"), ("CS0104", None));

    project.options.settings = vec![Setting { nullable: false, implicit_usings: false }];
    holds(&verify(&mut verifier, &project), &["NullWarned", "Ambiguous"]);

    project.options.settings = vec![Setting { nullable: true, implicit_usings: false }];
    let report = verify(&mut verifier, &project);
    assert_eq!(why(&report, "NullWarned"), ("CS8600", None));
    holds(&report, &["Ambiguous"]);
}

#[test]
fn internals_are_seen_by_friends_only() {
    // A public key is a header and a number; nobody has the other half of this one.
    let key = format!("0024000004800000940000000602000000240000525341310004000001000100{}", "c5".repeat(128));
    let source = format!(
        "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Subject.Tests\")]\n\
         [assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Signed.Tests, PublicKey={key}\")]\n\
         internal static class Hidden {{ internal static int One() => 1; }}"
    );
    let library = common::library("Friendly", &source);
    let mut verifier = verifier();
    let tests = [("Sees", "Assert.Equal(1, Hidden.One());"), ("Not", "Assert.Equal(2, 2);")];
    let mut project = project(Framework::XUnit2, vec![class("HiddenTests", &tests, "")]);
    project.references = vec![library];
    holds(&verify(&mut verifier, &project), &["Sees", "Not"]);

    project.name = "Stranger.Tests".to_owned();
    let report = verify(&mut verifier, &project);
    assert_eq!(why(&report, "Sees"), ("CS0122", None));
    holds(&report, &["Not"]);

    project.name = "Signed.Tests".to_owned();
    let bytes = |at: usize| u8::from_str_radix(&key[2 * at..2 * at + 2], 16).unwrap();
    project.options.public_key = Some((0..key.len() / 2).map(bytes).collect());
    holds(&verify(&mut verifier, &project), &["Sees", "Not"]);
}

#[test]
fn what_is_wrong_with_the_project_is_said() {
    let mut verifier = verifier();
    let file = class("SomeTests", &[("Some", "Assert.True(true);")], "");
    let mut odd = project(Framework::XUnit2, vec![file.clone()]);
    odd.references = vec![std::path::PathBuf::from("/nowhere/Shop.dll")];
    let report = verify(&mut verifier, &odd);
    assert_eq!(report.problems, ["/nowhere/Shop.dll is no assembly"]);
    holds(&report, &["Some"]);

    let mut renamed = file;
    renamed.tests.push("Forgotten".to_owned());
    let report = verify(&mut verifier, &project(Framework::XUnit2, vec![renamed]));
    assert_eq!(why(&report, "Forgotten").1, Some("SomeTests.cs, which has no method Forgotten"));
    holds(&report, &["Some"]);
}

#[test]
fn an_old_compiler_will_do() {
    let toolchain = testkit::Toolchain::locate().unwrap();
    let folder = toolchain.layout().sdk31().join("csc");
    let compiler = verify::Compiler::named(&folder, &toolchain.dotnet()).unwrap();
    // Its own `dotnet` stands above it; the one of the newer runtime is wanted here.
    let compiler = verify::Compiler { muxer: toolchain.dotnet(), ..compiler };
    let mut verifier = verify::Verifier::new(compiler, common::runtime(), common::limits()).unwrap();
    let file =
        class("OldTests", &[("Good", "Assert.Equal(2, 1 + 1);"), ("Bad", "Assert.Equal(1, Missing());")], "");
    let report = verify(&mut verifier, &project(Framework::XUnit2, vec![file]));
    assert!(report.compiler.starts_with("3."), "{}", report.compiler);
    holds(&report, &["Good"]);
    assert_eq!(why(&report, "Bad"), ("CS0103", None));
}
