//! The three test frameworks: attributes, assertions, packages.

use crate::mocks::MockLibrary;

/// The framework that the tests are written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestFramework {
    #[default]
    XUnit,
    NUnit,
    MSTest,
}

/// A framework together with the age of the target, which decides about packages and some names.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    pub framework: TestFramework,
    /// .NET 8 or later; the packages for older ones are older.
    pub modern: bool,
    /// C# 8 or later, which has the `#nullable` directive.
    pub knows_nullability: bool,
    pub mocks: MockLibrary,
}

const STATIC_STATE: &str = r#"namespace $NAMESPACE
{
    /// <summary>Tests that touch static fields run one after the other, and beside no other tests.</summary>
    [global::Xunit.CollectionDefinition("Static state", DisableParallelization = true)]
    public class StaticState
    {
    }
}
"#;

impl TestFramework {
    pub fn parse(text: &str) -> Option<TestFramework> {
        Some(match text {
            "xunit" => TestFramework::XUnit,
            "nunit" => TestFramework::NUnit,
            "mstest" => TestFramework::MSTest,
            _ => return None,
        })
    }

    pub fn namespace(self) -> &'static str {
        match self {
            TestFramework::XUnit => "Xunit",
            TestFramework::NUnit => "NUnit.Framework",
            TestFramework::MSTest => "Microsoft.VisualStudio.TestTools.UnitTesting",
        }
    }

    /// Names the framework brings that people like to give to types of their own.
    pub fn common_names(self) -> &'static [&'static str] {
        match self {
            TestFramework::XUnit => &["Assert", "Record"],
            TestFramework::NUnit => {
                &["Assert", "Is", "Has", "Does", "Throws", "Contains", "Iz", "List", "Warn", "TestContext"]
            }
            TestFramework::MSTest => &["Assert", "CollectionAssert", "TestContext", "Logger", "Trait"],
        }
    }

    pub fn class_attribute(self) -> Option<&'static str> {
        match self {
            TestFramework::XUnit => None,
            TestFramework::NUnit => Some("[TestFixture]"),
            TestFramework::MSTest => Some("[TestClass]"),
        }
    }

    /// Keeps a class that touches static state from running beside others.
    pub fn alone_attribute(self) -> &'static str {
        match self {
            TestFramework::XUnit => "[Collection(\"Static state\")]",
            TestFramework::NUnit => "[NonParallelizable]",
            TestFramework::MSTest => "[DoNotParallelize]",
        }
    }

    /// What that attribute refers to, where it must be said once for the whole project.
    pub fn alone_definition(self) -> Option<&'static str> {
        match self {
            TestFramework::XUnit => Some(STATIC_STATE),
            TestFramework::NUnit | TestFramework::MSTest => None,
        }
    }

    pub fn test_attribute(self) -> &'static str {
        match self {
            TestFramework::XUnit => "[Fact]",
            TestFramework::NUnit => "[Test]",
            TestFramework::MSTest => "[TestMethod]",
        }
    }

    /// What makes a method with parameters a test, beside its rows.
    pub fn rows_attribute(self) -> Option<&'static str> {
        match self {
            TestFramework::XUnit => Some("[Theory]"),
            TestFramework::NUnit => None,
            TestFramework::MSTest => Some("[DataTestMethod]"),
        }
    }

    /// The values of one row, and what it is called. xUnit has no names for rows.
    pub fn row(self, values: &str, name: &str) -> String {
        match self {
            TestFramework::XUnit => format!("[InlineData({values})] // {name}"),
            TestFramework::NUnit => format!("[TestCase({values}, TestName = \"{name}\")]"),
            TestFramework::MSTest => format!("[DataRow({values}, DisplayName = \"{name}\")]"),
        }
    }

    pub fn equal(self, expected: &str, actual: &str) -> String {
        match self {
            TestFramework::XUnit => format!("Assert.Equal({expected}, {actual});"),
            TestFramework::NUnit => format!("Assert.That({actual}, Is.EqualTo({expected}));"),
            TestFramework::MSTest => format!("Assert.AreEqual({expected}, {actual});"),
        }
    }

    /// Arrays with equal elements.
    pub fn sequence(self, expected: &str, actual: &str) -> String {
        match self {
            TestFramework::MSTest => format!("CollectionAssert.AreEqual({expected}, {actual});"),
            TestFramework::XUnit | TestFramework::NUnit => self.equal(expected, actual),
        }
    }

    pub fn truth(self, expected: bool, actual: &str) -> String {
        match (self, expected) {
            (TestFramework::XUnit, true) => format!("Assert.True({actual});"),
            (TestFramework::XUnit, false) => format!("Assert.False({actual});"),
            (TestFramework::NUnit, true) => format!("Assert.That({actual}, Is.True);"),
            (TestFramework::NUnit, false) => format!("Assert.That({actual}, Is.False);"),
            (TestFramework::MSTest, true) => format!("Assert.IsTrue({actual});"),
            (TestFramework::MSTest, false) => format!("Assert.IsFalse({actual});"),
        }
    }

    pub fn null(self, actual: &str) -> String {
        match self {
            TestFramework::XUnit => format!("Assert.Null({actual});"),
            TestFramework::NUnit => format!("Assert.That({actual}, Is.Null);"),
            TestFramework::MSTest => format!("Assert.IsNull({actual});"),
        }
    }

    pub fn same(self, expected: &str, actual: &str) -> String {
        match self {
            TestFramework::XUnit => format!("Assert.Same({expected}, {actual});"),
            TestFramework::NUnit => format!("Assert.That({actual}, Is.SameAs({expected}));"),
            TestFramework::MSTest => format!("Assert.AreSame({expected}, {actual});"),
        }
    }

    pub fn not_null(self, actual: &str) -> String {
        match self {
            TestFramework::XUnit => format!("Assert.NotNull({actual});"),
            TestFramework::NUnit => format!("Assert.That({actual}, Is.Not.Null);"),
            TestFramework::MSTest => format!("Assert.IsNotNull({actual});"),
        }
    }
}

impl Dialect {
    /// All of these assert the exact type.
    pub fn throws(self, exception: &str, lambda: &str) -> String {
        let method = match self.framework {
            TestFramework::XUnit | TestFramework::NUnit => "Throws",
            TestFramework::MSTest if self.modern => "ThrowsExactly",
            TestFramework::MSTest => "ThrowsException",
        };
        format!("Assert.{method}<{exception}>({lambda});")
    }

    /// The same for a lambda that gives a task, and whether the statement awaits it.
    pub fn throws_awaited(self, exception: &str, lambda: &str) -> (String, bool) {
        let (method, is_awaited) = match self.framework {
            TestFramework::XUnit => ("ThrowsAsync", true),
            TestFramework::NUnit => ("ThrowsAsync", false),
            TestFramework::MSTest if self.modern => ("ThrowsExactlyAsync", true),
            TestFramework::MSTest => ("ThrowsExceptionAsync", true),
        };
        let awaits = if is_awaited { "await " } else { "" };
        (format!("{awaits}Assert.{method}<{exception}>({lambda});"), is_awaited)
    }

    /// Package and version, in the order of the project file.
    pub fn packages(self) -> &'static [(&'static str, &'static str)] {
        match (self.framework, self.modern) {
            (TestFramework::XUnit, true) => &[
                ("Microsoft.NET.Test.Sdk", "17.14.1"),
                ("xunit", "2.9.3"),
                ("xunit.runner.visualstudio", "3.1.4"),
            ],
            (TestFramework::XUnit, false) => &[
                ("Microsoft.NET.Test.Sdk", "17.3.2"),
                ("xunit", "2.4.2"),
                ("xunit.runner.visualstudio", "2.4.5"),
            ],
            (TestFramework::NUnit, true) => {
                &[("Microsoft.NET.Test.Sdk", "17.14.1"), ("NUnit", "4.3.2"), ("NUnit3TestAdapter", "5.0.0")]
            }
            (TestFramework::NUnit, false) => {
                &[("Microsoft.NET.Test.Sdk", "17.3.2"), ("NUnit", "3.13.3"), ("NUnit3TestAdapter", "4.2.1")]
            }
            (TestFramework::MSTest, true) => &[
                ("Microsoft.NET.Test.Sdk", "17.14.1"),
                ("MSTest.TestAdapter", "3.8.3"),
                ("MSTest.TestFramework", "3.8.3"),
            ],
            (TestFramework::MSTest, false) => &[
                ("Microsoft.NET.Test.Sdk", "17.3.2"),
                ("MSTest.TestAdapter", "2.2.10"),
                ("MSTest.TestFramework", "2.2.10"),
            ],
        }
    }
}
