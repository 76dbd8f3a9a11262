//! What a reviewer reads: small values at the boundary that a path is about, rows where tests differ in values only, names that
//! say the condition.

use std::path::{Path, PathBuf};

use expect_test::expect;
use testkit::Options;

use crate::program::{command, ended, runtime};

const SOURCE: &str = r#"
using System;
namespace Shop
{
    public enum Size { Small, Large }
    public static class Prices
    {
        public static int Discount(int amount)
        {
            if (amount > 100) return 10;
            if (amount < -500) throw new ArgumentOutOfRangeException(nameof(amount));
            return 0;
        }
        public static string Cut(string text, int length)
        {
            if (text.Length > length) return text.Substring(0, length);
            return text;
        }
        public static string Code(string text)
        {
            if (text.Length == 3 && text[1] == '-') return "code";
            return "none";
        }
        public static string Label(Size size, int count, bool gift)
        {
            if (size == Size.Large) return gift ? "large gift" : "large";
            if (count > 12) return "dozens";
            return gift ? "gift" : null;
        }
        public static string Due(DateTime due)
        {
            if (due > new DateTime(2021, 3, 4, 5, 6, 7)) return "late";
            return "fine";
        }
    }
}
"#;

/// One of these texts depends on the culture.
const UNSTEADY: &str = r#"
namespace Shop
{
    public static class Prices
    {
        public static string Show(int mode)
        {
            switch (mode)
            {
                case 1: return 1.5.ToString("N1");
                case 2: return "two";
                case 3: return "three";
                case 4: return "four";
                default: return "other";
            }
        }
    }
}
"#;

fn library() -> PathBuf {
    testkit::compile("Readable", &[("Readable.cs", SOURCE)], &Options::default()).unwrap()
}

/// The text of the test class, after all of its tests were compiled and run.
fn generated(folder: &Path, more: &[&str]) -> String {
    let mut generate = command(["generate", "--max-steps", "3000", "--timeout", "120s", "--runtime"]);
    generate.arg(runtime()).arg("-o").arg(folder).args(more).arg(library());
    let ran = ended(generate.output().unwrap());
    assert!(!ran.stdout.contains("Not written"), "{}", ran.stdout);
    assert!(!ran.stderr.contains("not compiled"), "{}", ran.stderr);
    let text = std::fs::read_to_string(folder.join("PricesTests.cs")).unwrap();
    text.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap()
}

/// The lines with attributes, declarations, calls and assertions, as far as they are about a method.
fn about(text: &str, method: &str) -> String {
    let wanted = [format!("{method}_"), format!("{method}("), "[InlineData".to_owned()];
    let lines = text.lines().map(str::trim).filter(|line| wanted.iter().any(|word| line.contains(word)));
    lines
        .filter(|line| !line.contains("InlineData") || line.contains(method))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn values_are_small_and_names_say_the_condition() {
    let folder = tempfile::tempdir().unwrap();
    let text = generated(folder.path(), &["--no-theories"]);
    expect![[r#"
        public void Discount_Returns0()
        var result = Prices.Discount(0);
        public void Discount_Returns10()
        var result = Prices.Discount(101);
        public void Discount_ThrowsArgumentOutOfRangeException()
        Assert.Throws<ArgumentOutOfRangeException>(() => Prices.Discount(-501));
        public void Cut_Null_ThrowsNullReferenceException()
        Assert.Throws<NullReferenceException>(() => Prices.Cut(null, 0));
        public void Cut_TextLongerThanLength_ReturnsEmptyString()
        var result = Prices.Cut("a", 0);
        public void Cut_TextNotLongerThanLength_ReturnsEmptyString()
        var result = Prices.Cut("", 0);
        public void Cut_ThrowsArgumentOutOfRangeException()
        Assert.Throws<ArgumentOutOfRangeException>(() => Prices.Cut("", -1));
        public void Code_NotOfLength3_ReturnsNone()
        var result = Prices.Code("");
        public void Code_Null_ThrowsNullReferenceException()
        Assert.Throws<NullReferenceException>(() => Prices.Code(null));
        public void Code_OfLength3_ReturnsNone()
        var result = Prices.Code("aaa");
        public void Code_ReturnsCode()
        var result = Prices.Code("a-a");
        public void Due_ReturnsFine()
        var result = Prices.Due(new DateTime(1, 1, 1));
        public void Due_ReturnsLate()
        var result = Prices.Due(new DateTime(2025, 1, 1));
    "#]]
    .assert_eq(&["Discount", "Cut", "Code", "Due"].map(|method| about(&text, method)).concat());
    assert!(!text.contains(r"\0"), "{text}");
}

#[test]
fn tests_that_differ_in_values_only_are_rows_of_one() {
    let mut first = None;
    for (framework, row) in [
        ("xunit", "[InlineData(Size.Small, 13, false, \"dozens\")]"),
        ("nunit", "[TestCase(Size.Small, 13, false, \"dozens\", TestName = \"Label_"),
        ("mstest", "[DataRow(Size.Small, 13, false, \"dozens\", DisplayName = \"Label_"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let text = generated(folder.path(), &["--framework", framework]);
        assert!(text.contains(row), "{text}");
        assert!(
            text.contains(
                "public void Label_ReturnsExpected(Size size, int count, bool gift, string expected)"
            ),
            "{text}"
        );
        // A row is a test of its own to everything that counts tests and explains them.
        let summary = std::fs::read_to_string(folder.path().join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        let methods = summary["methods"].as_array().unwrap();
        let label = methods.iter().find(|method| method["id"].as_str().unwrap().contains("Label")).unwrap();
        assert_eq!(label["tests"], 5, "{label}");
        for (name, rows) in [("Label_ReturnsDozens", 1), ("Label_ReturnsExpected", 5)] {
            let mut inspect = command(["inspect", "--format", "json", "--path", name]);
            let told = ended(inspect.arg(folder.path()).output().unwrap());
            let paths: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
            assert_eq!(paths["paths"].as_array().unwrap().len(), rows, "{}{}", told.stdout, told.stderr);
        }
        if framework == "xunit" {
            first = Some((folder, text));
        }
    }
    // The same bytes again, and with two workers.
    let (_, text) = first.unwrap();
    let again = tempfile::tempdir().unwrap();
    assert_eq!(generated(again.path(), &["--jobs", "2"]), text);
}

#[test]
fn a_row_that_does_not_hold_takes_no_other_with_it() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let dll = testkit::compile("Unsteady", &[("Unsteady.cs", UNSTEADY)], &Options::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut generate = command(["generate", "--max-steps", "3000", "--timeout", "120s", "--runtime"]);
    let ran = ended(generate.arg(runtime()).arg("-o").arg(folder.path()).arg(dll).output().unwrap());
    assert!(ran.stdout.contains("does not hold everywhere (1 test)"), "{}", ran.stdout);
    let text = std::fs::read_to_string(folder.path().join("PricesTests.cs")).unwrap();
    for kept in ["\"two\"", "\"three\"", "\"four\"", "\"other\""] {
        assert!(text.contains(kept), "{text}");
    }
    assert!(!text.contains("1.5") && !text.contains("Show(1)"), "{text}");
}
