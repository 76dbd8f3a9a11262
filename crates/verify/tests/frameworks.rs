//! Fixtures, data and expectations of every framework, as its own runner handles them.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::{outcome, project, verifier, verify};
use verify::{Against, Framework, Outcome, Report, Restored, SourceFile, Verifier};

const XUNIT: &str = r#"
using System;
using System.Collections;
using System.Collections.Generic;
using System.Threading.Tasks;
using Xunit;
$USING

namespace Subject.Tests
{
    public sealed class Shared : IDisposable
    {
        public int Number = 3;
        public static int Disposed;
        public void Dispose() => Disposed++;
    }

    public class Rows : IEnumerable<object[]>
    {
        public IEnumerator<object[]> GetEnumerator() { yield return new object[] { 4 }; }
        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public class LifeTests : IClassFixture<Shared>, IAsyncLifetime, IDisposable
    {
        private readonly Shared shared;
        private readonly ITestOutputHelper output;
        private int calls;

        public LifeTests(Shared shared, ITestOutputHelper output) { this.shared = shared; this.output = output; }

        public $TASK InitializeAsync() { calls = 10; return default($TASK)!; }
        public $TASK DisposeAsync() => default($TASK)!;
        public void Dispose() { if (calls < 0) { throw new InvalidOperationException("left in a bad state"); } }

        [Fact] public void NewObject_One() { output.WriteLine("x"); calls++; Assert.Equal(11, calls); }
        [Fact] public void NewObject_Two() { calls++; Assert.Equal(11, calls); Assert.Equal(3, shared.Number); }
        [Fact] public async Task Async() { await Task.Yield(); Assert.Equal(10, calls); }
        [Fact] public async Task AsyncFails() { await Task.Yield(); Assert.Equal(11, calls); }
        [Fact] public void DisposeFails() { calls = -1; }
        [Theory] [InlineData(1, 2)] [InlineData(2, 4)] public void Rows_Double(int value, long doubled) => Assert.Equal(doubled, value * 2);
        [Theory] [InlineData(1, 2)] [InlineData(2, 5)] public void Rows_Fail(int value, int doubled) => Assert.Equal(doubled, value * 2);
        [Theory] [InlineData(null)] public void Rows_Null(string text) => Assert.Null(text);
        [Theory] [InlineData("a", "b")] public void Rows_Params(params string[] all) => Assert.Equal(2, all.Length);
        [Theory] [MemberData(nameof(Data))] public void Members(int value, string text) => Assert.Equal(text, value.ToString());
        [Theory] [MemberData(nameof(Many), 3)] public void Members_Called(int value) => Assert.InRange(value, 0, 2);
        [Theory] [ClassData(typeof(Rows))] public void Class(int value) => Assert.Equal(4, value);
        [Theory] [InlineData(2)] public void Generic<T>(T value) => Assert.IsType<int>(value);
        [Fact(Skip = "not today")] public void Skipped() => Assert.Fail("never");

        public static TheoryData<int, string> Data => new() { { 1, "1" }, { 2, "2" } };
        public static IEnumerable<object[]> Many(int count) { for (int i = 0; i < count; i++) { yield return new object[] { i }; } }
    }
}
"#;

const XUNIT_TESTS: [(&str, &str); 14] = [
    ("NewObject_One", "holds"),
    ("NewObject_Two", "holds"),
    ("Async", "holds"),
    ("AsyncFails", "Xunit.Sdk.EqualException"),
    ("DisposeFails", "System.InvalidOperationException"),
    ("Rows_Double", "holds"),
    ("Rows_Fail", "Xunit.Sdk.EqualException"),
    ("Rows_Null", "holds"),
    ("Rows_Params", "holds"),
    ("Members", "holds"),
    ("Members_Called", "holds"),
    ("Class", "holds"),
    ("Generic", "holds"),
    ("Skipped", "skipped: not today"),
];

const NUNIT: &str = r#"
using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Subject.Tests
{
    [TestFixture]
    public class LifeTests
    {
        private int once, each, seen;

        [OneTimeSetUp] public void Once() => once = 5;
        [SetUp] public void Each() => each++;
        [TearDown] public void Down() { if (seen == 99) { seen = 0; throw new InvalidOperationException("torn"); } }
        [OneTimeTearDown] public void Last() => once = 0;

        [Test] public void SameObject() { seen++; Assert.That(once, Is.EqualTo(5)); Assert.That(each, Is.GreaterThan(0)); }
        [Test] public async Task Async() { await Task.Yield(); Assert.That(once, Is.EqualTo(5)); }
        [Test] public void TearDownFails() => seen = 99;
        [Test] public void Fails() => Assert.That(1, Is.EqualTo(2));
        [TestCase(1, 2)] [TestCase(2, 4)] public void Rows(int value, long doubled) => Assert.That(value * 2, Is.EqualTo(doubled));
        [TestCase(1, 2)] [TestCase(2, 5)] public void Rows_Fail(int value, int doubled) => Assert.That(value * 2, Is.EqualTo(doubled));
        [TestCase(1.5, ExpectedResult = 3.0)] public double Rows_Result(decimal value) => (double)(value * 2);
        [TestCase(1, ExpectedResult = 3)] public int Rows_ResultFails(int value) => value * 2;
        [TestCase("2020-01-02")] public void Rows_Date(DateTime date) => Assert.That(date.Day, Is.EqualTo(2));
        [TestCaseSource(nameof(Data))] public void Source(int value, string text) => Assert.That(value.ToString(), Is.EqualTo(text));
        [TestCaseSource(nameof(Cases))] public int Source_Result(int value) => value + 1;
        [Test] public void Combined([Values(1, 2)] int x, [Range(0, 2)] int y) => Assert.That(x + y, Is.InRange(1, 4));
        [Test] public void Pass() { Assert.Pass("enough"); }
        [Test] public void Several() => Assert.Multiple(() => { Assert.That(1, Is.EqualTo(1)); Assert.That(2, Is.EqualTo(3)); });
        [Test] public void SeveralGood() => Assert.Multiple(() => { Assert.That(1, Is.EqualTo(1)); Assert.That(2, Is.EqualTo(2)); });
        [Test] [Ignore("not today")] public void Skipped() => Assert.Fail();

        private static IEnumerable<object[]> Data() { yield return new object[] { 1, "1" }; }
        private static IEnumerable<TestCaseData> Cases => new[] { new TestCaseData(1).Returns(2) };
    }
}
"#;

const NUNIT_TESTS: [(&str, &str); 16] = [
    ("SameObject", "holds"),
    ("Async", "holds"),
    ("TearDownFails", "System.InvalidOperationException"),
    ("Fails", "NUnit.Framework.AssertionException"),
    ("Rows", "holds"),
    ("Rows_Fail", "NUnit.Framework.AssertionException"),
    ("Rows_Result", "holds"),
    ("Rows_ResultFails", "System.InvalidOperationException"),
    ("Rows_Date", "holds"),
    ("Source", "holds"),
    ("Source_Result", "holds"),
    ("Combined", "holds"),
    ("Pass", "holds"),
    ("Several", "NUnit.Framework.MultipleAssertException"),
    ("SeveralGood", "holds"),
    ("Skipped", "skipped: not today"),
];

const MSTEST: &str = r#"
using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Microsoft.VisualStudio.TestTools.UnitTesting;

namespace Subject.Tests
{
    [TestClass]
    public class LifeTests
    {
        private static int assembly, once;
        private int each;

        public TestContext TestContext { get; set; } = null!;

        [AssemblyInitialize] public static void Assembly(TestContext context) => assembly = 7;
        [ClassInitialize] public static void Once(TestContext context) => once = 5;
        [TestInitialize] public void Each() => each++;
        [TestCleanup] public void Down() { if (each == 99) { throw new InvalidOperationException("torn"); } }

        [TestMethod] public void NewObject_One() { each++; TestContext.WriteLine("x"); Assert.AreEqual(2, each); Assert.AreEqual(12, assembly + once); }
        [TestMethod] public void NewObject_Two() { each++; Assert.AreEqual(2, each); }
        [TestMethod] public async Task Async() { await Task.Yield(); Assert.AreEqual(1, each); }
        [TestMethod] public void CleanupFails() => each = 99;
        [TestMethod] public void Fails() => Assert.AreEqual("a", "b");
        [DataTestMethod] [DataRow(1, 2)] [DataRow(2, 4)] public void Rows(int value, int doubled) => Assert.AreEqual(doubled, value * 2);
        [DataTestMethod] [DataRow(1, 2)] [DataRow(2, 5)] public void Rows_Fail(int value, int doubled) => Assert.AreEqual(doubled, value * 2);
        [DataTestMethod] [DynamicData(nameof(Data), DynamicDataSourceType.Method)] public void Dynamic(int value, string text) => Assert.AreEqual(text, value.ToString());
        [TestMethod] [Ignore("not today")] public void Skipped() => Assert.Fail("never");
        [TestMethod] public void Lists() => CollectionAssert.AreEqual(new[] { 1, 2 }, new List<int> { 1, 2 });
        $OLD

        private static IEnumerable<object[]> Data() { yield return new object[] { 1, "1" }; }
    }
}
"#;

const MSTEST_TESTS: [(&str, &str); 10] = [
    ("NewObject_One", "holds"),
    ("NewObject_Two", "holds"),
    ("Async", "holds"),
    ("CleanupFails", "System.InvalidOperationException"),
    ("Fails", "Microsoft.VisualStudio.TestTools.UnitTesting.AssertFailedException"),
    ("Rows", "holds"),
    ("Rows_Fail", "Microsoft.VisualStudio.TestTools.UnitTesting.AssertFailedException"),
    ("Dynamic", "holds"),
    ("Skipped", "skipped: not today"),
    ("Lists", "holds"),
];

fn summary(report: &Report, name: &str) -> String {
    match outcome(report, name) {
        Outcome::Holds => "holds".to_owned(),
        Outcome::Skipped { why } => format!("skipped: {why}"),
        Outcome::Fails { failures, .. } => match &failures.first().unwrap().how {
            verify::How::Failed { exception, .. } => exception.clone(),
            other => other.to_string(),
        },
        other => other.to_string(),
    }
}

fn check(verifier: &mut Verifier, framework: Framework, text: &str, expected: &[(&str, &str)]) {
    let file = SourceFile::new("LifeTests.cs", text, expected.iter().map(|(name, _)| *name));
    let report = verify(verifier, &project(framework, vec![file]));
    compare(&report, framework, expected);
}

fn compare(report: &Report, framework: Framework, expected: &[(&str, &str)]) {
    let seen: Vec<(&str, String)> = expected.iter().map(|(name, _)| (*name, summary(report, name))).collect();
    let wanted: Vec<(&str, String)> =
        expected.iter().map(|(name, what)| (*name, (*what).to_owned())).collect();
    assert_eq!(seen, wanted, "{framework:?} {:?}", report.problems);
}

#[test]
fn xunit() {
    let mut verifier = verifier();
    let second = XUNIT
        .replace("$USING", "using Xunit.Abstractions;")
        .replace("default($TASK)!", "Task.CompletedTask")
        .replace("$TASK", "Task");
    check(&mut verifier, Framework::XUnit2, &second, &XUNIT_TESTS);
    let third =
        XUNIT.replace("$USING", "").replace("$TASK", "ValueTask").replace("default(ValueTask)!", "default");
    check(&mut verifier, Framework::XUnit3, &third, &XUNIT_TESTS);
}

#[test]
fn nunit() {
    let mut verifier = verifier();
    check(&mut verifier, Framework::NUnit3, NUNIT, &NUNIT_TESTS);
    check(&mut verifier, Framework::NUnit4, NUNIT, &NUNIT_TESTS);
    // The classic assertions moved.
    let classic = "using NUnit.Framework;\nnamespace Subject.Tests { public class OldTests { [Test] public void Old() => Assert.AreEqual(1, 1);\n[Test] public void New() => Assert.That(1, Is.EqualTo(1)); } }";
    let old = [("Old", "holds"), ("New", "holds")];
    check(&mut verifier, Framework::NUnit3, classic, &old);
    let report = verify(
        &mut verifier,
        &project(Framework::NUnit4, vec![SourceFile::new("OldTests.cs", classic, ["Old", "New"])]),
    );
    assert!(matches!(outcome(&report, "Old"), Outcome::DoesNotCompile { .. }));
    assert_eq!(*outcome(&report, "New"), Outcome::Holds);
}

#[test]
fn mstest() {
    let mut verifier = verifier();
    let old = "[TestMethod] [ExpectedException(typeof(FormatException))] public void Expected() => int.Parse(\"x\");\n        [TestMethod] [ExpectedException(typeof(FormatException))] public void ExpectedFails() { }";
    let with_old: Vec<(&str, &str)> = MSTEST_TESTS
        .into_iter()
        .chain([("Expected", "holds"), ("ExpectedFails", "System.InvalidOperationException")])
        .collect();
    check(&mut verifier, Framework::MSTest2, &MSTEST.replace("$OLD", old), &with_old);
    check(&mut verifier, Framework::MSTest3, &MSTEST.replace("$OLD", old), &with_old);
    check(&mut verifier, Framework::MSTest4, &MSTEST.replace("$OLD", ""), &MSTEST_TESTS);
}

#[test]
fn restored_packages_come_before_stand_ins() {
    let nunit = testkit::Toolchain::locate().unwrap().nunit_framework().unwrap();
    let folder = restored(&nunit);
    let mut verifier = verifier();
    let file = SourceFile::new("LifeTests.cs", NUNIT, NUNIT_TESTS.iter().map(|(name, _)| *name));
    let mut project = project(Framework::NUnit3, vec![file]);
    project.restored = Restored::beside(folder.path()).unwrap();
    let report = verify(&mut verifier, &project);
    assert_eq!(report.against, Against::Packages);
    // The real one counts what was collected as an assertion that failed.
    compare(&report, Framework::NUnit3, &NUNIT_TESTS);
}

const ANALYZER: &str = r#"
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

[DiagnosticAnalyzer(LanguageNames.CSharp)]
public class NoFortyTwo : DiagnosticAnalyzer
{
    static readonly DiagnosticDescriptor Rule = new DiagnosticDescriptor("T0042", "t", "No forty-two", "c", DiagnosticSeverity.Warning, true);
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics => ImmutableArray.Create(Rule);
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterSyntaxNodeAction(node =>
        {
            if (((LiteralExpressionSyntax)node.Node).Token.ValueText == "42") node.ReportDiagnostic(Diagnostic.Create(Rule, node.Node.GetLocation()));
        }, SyntaxKind.NumericLiteralExpression);
    }
}
"#;

#[test]
fn analyzers_of_the_framework_are_heard() {
    let toolchain = testkit::Toolchain::locate().unwrap();
    let roslyn = toolchain.layout().roslyn();
    let references =
        ["Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"].map(|name| roslyn.join(name));
    let options = testkit::Options { references: references.to_vec(), ..testkit::Options::default() };
    let analyzer = testkit::compile("FortyTwo", &[("FortyTwo.cs", ANALYZER)], &options).unwrap();
    let folder = restored(&toolchain.nunit_framework().unwrap());
    let text = "using NUnit.Framework;\nnamespace Subject.Tests { public class T {\n[Test] public void Bad() => Assert.That(42, Is.EqualTo(42));\n[Test] public void Good() => Assert.That(41, Is.EqualTo(41)); } }";
    let mut project = project(Framework::NUnit3, vec![SourceFile::new("T.cs", text, ["Bad", "Good"])]);
    let mut restored = Restored::beside(folder.path()).unwrap().unwrap();
    restored.analyzers = vec![analyzer];
    project.restored = Some(restored);
    let report = verify(&mut verifier(), &project);
    assert_eq!(summary(&report, "Good"), "holds");
    let Outcome::DoesNotCompile { diagnostics, .. } = outcome(&report, "Bad") else {
        panic!("{:?}", report.tests)
    };
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.id == "T0042"), "{diagnostics:?}");
}

/// A project folder with the real NUnit restored.
fn restored(nunit: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let packages = folder.path().join("packages");
    let lib = packages.join("nunit/3.13.2/lib/netstandard2.0");
    std::fs::create_dir_all(&lib).unwrap();
    std::fs::copy(nunit, lib.join("nunit.framework.dll")).unwrap();
    std::fs::create_dir_all(folder.path().join("obj")).unwrap();
    let file = "lib/netstandard2.0/nunit.framework.dll";
    let assets = format!(
        r#"{{"version":3,"targets":{{"net10.0":{{"NUnit/3.13.2":{{"type":"package","compile":{{"{file}":{{}}}},"runtime":{{"{file}":{{}}}}}}}}}},"libraries":{{"NUnit/3.13.2":{{"type":"package","path":"nunit/3.13.2"}}}},"packageFolders":{{"{}":{{}}}}}}"#,
        packages.display()
    );
    std::fs::write(folder.path().join("obj/project.assets.json"), assets).unwrap();
    folder
}

#[test]
fn values_that_cannot_be_shown_are_not_shown() {
    let shy = "private sealed class Shy { public override string ToString() => throw new System.InvalidOperationException(); }";
    let mut verifier = verifier();
    for (framework, using, mark, same, differ, class_mark) in [
        (Framework::XUnit2, "Xunit", "Fact", "Assert.Same(shy, shy);", "Assert.Same(shy, new Shy());", ""),
        (
            Framework::NUnit4,
            "NUnit.Framework",
            "Test",
            "Assert.That(shy, Is.SameAs(shy));",
            "Assert.That(new Shy(), Is.SameAs(shy));",
            "",
        ),
        (
            Framework::MSTest3,
            "Microsoft.VisualStudio.TestTools.UnitTesting",
            "TestMethod",
            "Assert.AreSame(shy, shy);",
            "Assert.AreSame(shy, new Shy());",
            "[TestClass] ",
        ),
    ] {
        let text = format!(
            "using {using};\nnamespace Subject.Tests {{ {class_mark}public class ShyTests {{ [{mark}] public void Same() {{ var shy = new Shy(); {same} }}\n[{mark}] public void Differ() {{ var shy = new Shy(); {differ} }}\n{shy} }} }}"
        );
        let report = verify(
            &mut verifier,
            &project(framework, vec![SourceFile::new("T.cs", text, ["Same", "Differ"])]),
        );
        assert_eq!(summary(&report, "Same"), "holds");
        let failed = summary(&report, "Differ");
        assert!(
            ["SameException", "AssertionException", "AssertFailedException"]
                .iter()
                .any(|name| failed.ends_with(name)),
            "{failed}"
        );
    }
}
