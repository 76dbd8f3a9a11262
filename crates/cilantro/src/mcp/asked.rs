//! What a client can ask: the arguments of the tools. Their comments are what it reads.

use schemars::JsonSchema;
use serde::Deserialize;
use verdict::Assumption;

use crate::args::TestFramework;

/// What every question about code says.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct About {
    /// Path of the compiled assembly (.dll), or of its project, solution or folder, of which what was built is taken.
    /// A relative path starts at the first root.
    pub assembly: String,
    /// The most time to spend on the answer, in seconds; 45 if it is not given.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub timeout_seconds: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct GenerateTests {
    #[serde(flatten)]
    pub about: About,
    /// The method: `Add`, `Cart.Add` or `Shop.Cart::Add(System.Int32)`; all overloads if it has no parameters.
    pub method: String,
    /// The test framework; xunit if it is not given.
    #[serde(default)]
    pub framework: Option<TestFramework>,
    /// Compile the tests and run them in several cultures, time zones and orders first; true if it is not given. Every test is
    /// replayed on the real runtime in any case.
    #[serde(default)]
    pub verify: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct WhatCanCrash {
    #[serde(flatten)]
    pub about: About,
    /// Only this method: `Cart.Add`.
    #[serde(default)]
    pub method: Option<String>,
    /// Only the methods of this type: `Shop.Cart`.
    #[serde(default, rename = "type")]
    pub ty: Option<String>,
    /// Also exceptions that the code throws by design, and those for inputs that declarations rule out.
    #[serde(default)]
    pub all: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct CanReach {
    #[serde(flatten)]
    pub about: About,
    /// `Cart.cs:42`, `Cart.Add@IL_002a`, `Cart.Add`, or `exception OverflowException in Cart.Add`.
    pub location: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Prove {
    #[serde(flatten)]
    pub about: About,
    /// The method of which it is to be shown that no exception leaves it: `Cart.Add`.
    pub method: String,
    /// Argument checks count as well.
    #[serde(default)]
    pub strict: bool,
    /// Exception types that may leave it, with those below them.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Only failures of these kinds count: null, index, divide, overflow, cast, argument, assert.
    #[serde(default)]
    pub only: Vec<String>,
    /// What the proof may take for granted.
    #[serde(default)]
    pub assume: Vec<Assumption>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct WhyOpen {
    #[serde(flatten)]
    pub about: About,
    /// The method whose branches are asked about: `Cart.Add`.
    pub method: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ExplainTest {
    /// A folder that `cilantro generate` wrote. A relative path starts at the first root.
    pub folder: String,
    /// The name of the test: `Add_ReturnsCount`, or `Cart.Add_ReturnsCount`.
    pub test: String,
}
