//! The three test frameworks: attributes, assertions, packages.

use crate::mocks::MockLibrary;

/// The framework that the tests are written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framework {
    #[default]
    XUnit,
    NUnit,
    MSTest,
}

/// A framework together with the age of the target, which decides about packages and some names.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    pub framework: Framework,
    /// .NET 8 or later; the packages for older ones are older.
    pub modern: bool,
    pub mocks: MockLibrary,
}

impl Framework {
    pub fn parse(text: &str) -> Option<Framework> {
        Some(match text {
            "xunit" => Framework::XUnit,
            "nunit" => Framework::NUnit,
            "mstest" => Framework::MSTest,
            _ => return None,
        })
    }

    pub fn namespace(self) -> &'static str {
        match self {
            Framework::XUnit => "Xunit",
            Framework::NUnit => "NUnit.Framework",
            Framework::MSTest => "Microsoft.VisualStudio.TestTools.UnitTesting",
        }
    }

    /// Names the framework brings that people like to give to types of their own.
    pub fn common_names(self) -> &'static [&'static str] {
        match self {
            Framework::XUnit => &["Assert", "Record"],
            Framework::NUnit => {
                &["Assert", "Is", "Has", "Does", "Throws", "Contains", "Iz", "List", "Warn", "TestContext"]
            }
            Framework::MSTest => &["Assert", "CollectionAssert", "TestContext", "Logger", "Trait"],
        }
    }

    pub fn class_attribute(self) -> Option<&'static str> {
        match self {
            Framework::XUnit => None,
            Framework::NUnit => Some("[TestFixture]"),
            Framework::MSTest => Some("[TestClass]"),
        }
    }

    /// Keeps classes that look at static state from running side by side, where that is the habit.
    pub fn alone_attribute(self) -> Option<&'static str> {
        match self {
            Framework::XUnit => Some("[Collection(\"Static state\")]"),
            Framework::NUnit | Framework::MSTest => None,
        }
    }

    pub fn test_attribute(self) -> &'static str {
        match self {
            Framework::XUnit => "[Fact]",
            Framework::NUnit => "[Test]",
            Framework::MSTest => "[TestMethod]",
        }
    }

    pub fn equal(self, expected: &str, actual: &str) -> String {
        match self {
            Framework::XUnit => format!("Assert.Equal({expected}, {actual});"),
            Framework::NUnit => format!("Assert.That({actual}, Is.EqualTo({expected}));"),
            Framework::MSTest => format!("Assert.AreEqual({expected}, {actual});"),
        }
    }

    /// Arrays with equal elements.
    pub fn sequence(self, expected: &str, actual: &str) -> String {
        match self {
            Framework::MSTest => format!("CollectionAssert.AreEqual({expected}, {actual});"),
            Framework::XUnit | Framework::NUnit => self.equal(expected, actual),
        }
    }

    pub fn truth(self, expected: bool, actual: &str) -> String {
        match (self, expected) {
            (Framework::XUnit, true) => format!("Assert.True({actual});"),
            (Framework::XUnit, false) => format!("Assert.False({actual});"),
            (Framework::NUnit, true) => format!("Assert.That({actual}, Is.True);"),
            (Framework::NUnit, false) => format!("Assert.That({actual}, Is.False);"),
            (Framework::MSTest, true) => format!("Assert.IsTrue({actual});"),
            (Framework::MSTest, false) => format!("Assert.IsFalse({actual});"),
        }
    }

    pub fn null(self, actual: &str) -> String {
        match self {
            Framework::XUnit => format!("Assert.Null({actual});"),
            Framework::NUnit => format!("Assert.That({actual}, Is.Null);"),
            Framework::MSTest => format!("Assert.IsNull({actual});"),
        }
    }

    pub fn same(self, expected: &str, actual: &str) -> String {
        match self {
            Framework::XUnit => format!("Assert.Same({expected}, {actual});"),
            Framework::NUnit => format!("Assert.That({actual}, Is.SameAs({expected}));"),
            Framework::MSTest => format!("Assert.AreSame({expected}, {actual});"),
        }
    }

    pub fn not_null(self, actual: &str) -> String {
        match self {
            Framework::XUnit => format!("Assert.NotNull({actual});"),
            Framework::NUnit => format!("Assert.That({actual}, Is.Not.Null);"),
            Framework::MSTest => format!("Assert.IsNotNull({actual});"),
        }
    }
}

impl Dialect {
    /// All of these assert the exact type.
    pub fn throws(self, exception: &str, lambda: &str) -> String {
        let method = match self.framework {
            Framework::XUnit | Framework::NUnit => "Throws",
            Framework::MSTest if self.modern => "ThrowsExactly",
            Framework::MSTest => "ThrowsException",
        };
        format!("Assert.{method}<{exception}>({lambda});")
    }

    /// Package and version, in the order of the project file.
    pub fn packages(self) -> &'static [(&'static str, &'static str)] {
        match (self.framework, self.modern) {
            (Framework::XUnit, true) => &[
                ("Microsoft.NET.Test.Sdk", "17.14.1"),
                ("xunit", "2.9.3"),
                ("xunit.runner.visualstudio", "3.1.4"),
            ],
            (Framework::XUnit, false) => &[
                ("Microsoft.NET.Test.Sdk", "17.3.2"),
                ("xunit", "2.4.2"),
                ("xunit.runner.visualstudio", "2.4.5"),
            ],
            (Framework::NUnit, true) => {
                &[("Microsoft.NET.Test.Sdk", "17.14.1"), ("NUnit", "4.3.2"), ("NUnit3TestAdapter", "5.0.0")]
            }
            (Framework::NUnit, false) => {
                &[("Microsoft.NET.Test.Sdk", "17.3.2"), ("NUnit", "3.13.3"), ("NUnit3TestAdapter", "4.2.1")]
            }
            (Framework::MSTest, true) => &[
                ("Microsoft.NET.Test.Sdk", "17.14.1"),
                ("MSTest.TestAdapter", "3.8.3"),
                ("MSTest.TestFramework", "3.8.3"),
            ],
            (Framework::MSTest, false) => &[
                ("Microsoft.NET.Test.Sdk", "17.3.2"),
                ("MSTest.TestAdapter", "2.2.10"),
                ("MSTest.TestFramework", "2.2.10"),
            ],
        }
    }
}
