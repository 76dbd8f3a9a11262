//! Why a test exists: what the path behind it decided, step by step, and what it alone shows. Data that people read; replay
//! does not need it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use verdict::SourceLine;

use crate::file::CaseFileError;

pub const PATHS_SCHEMA: &str = "cilantro/paths@1";

/// The path behind one test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathRecord {
    /// The name of the test, unique among those of its class.
    pub test: String,
    /// The method in C# that has this test as one of its rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_of: Option<String>,
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub method: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<NamedValue>,
    /// What was decided, in the order of execution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// Steps that are left out in the middle of a long path.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
    /// Why the rest of the path was run with the values of the test and not explored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followed: Option<String>,
    pub end: End,
    pub only: Only,
}

/// An input as a person writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedValue {
    pub name: String,
    pub value: String,
}

/// One decision of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    pub kind: StepKind,
    /// `IL_0004`.
    pub at: String,
    /// `Cart.cs:17`, where symbols know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<SourceLine>,
    /// The method that `at` is in, if it is another than the one under test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The method of another assembly that decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// `price != cost`, `items is null`.
    pub what: String,
    /// For [`StepKind::Exception`], its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throws: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// A condition of the code.
    Condition,
    /// The runtime raises an exception.
    Exception,
    /// What a reference is: null, an object that is there already, a new one, a mock.
    Reference,
    /// Which classes an object can have.
    Class,
    /// What a mocked call does.
    Mock,
    /// A number that had to be known.
    Value,
}

/// How a path ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    /// The exact type of the exception that leaves the method; nothing if it returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throws: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<SourceLine>,
}

/// What no other test of the suite shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Only {
    /// The exception at its place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exception: bool,
    /// That the method returns at all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returns: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Branch>,
    /// Instructions that only this test executes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub instructions: u32,
}

/// From a conditional jump to one of its successors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Branch {
    pub from: String,
    pub to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<SourceLine>,
}

/// A file of paths, beside the file of cases with the same name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathFile {
    pub schema: String,
    pub paths: Vec<PathRecord>,
}

impl PathFile {
    /// Sorts the paths by method and test.
    pub fn new(mut paths: Vec<PathRecord>) -> PathFile {
        paths.sort_by(|a, b| (&a.method, &a.test).cmp(&(&b.method, &b.test)));
        PathFile { schema: PATHS_SCHEMA.to_owned(), paths }
    }

    pub fn from_json(text: &str) -> Result<PathFile, CaseFileError> {
        let file: PathFile = serde_json::from_str(text)?;
        match file.schema.as_str() {
            PATHS_SCHEMA => Ok(file),
            _ => Err(CaseFileError::PathsSchema(file.schema)),
        }
    }

    /// JSON with one path in a line: small, and a diff shows which tests have changed.
    pub fn to_json(&self) -> Result<String, CaseFileError> {
        let lines: Vec<String> = self.paths.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        let schema = serde_json::to_string(&self.schema)?;
        Ok(format!("{{\"schema\": {schema}, \"paths\": [\n{}\n]}}\n", lines.join(",\n")))
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let record = PathRecord {
            test: "Margin_Same_ReturnsZero".to_owned(),
            method: "Shop.Pricing::Margin(System.Int32)".to_owned(),
            steps: vec![Step {
                kind: StepKind::Condition,
                at: "IL_0002".to_owned(),
                line: "Pricing.cs:4".parse().ok(),
                method: None,
                inside: None,
                what: "price == \"…\"".to_owned(),
                throws: None,
            }],
            ..PathRecord::default()
        };
        let earlier = PathRecord { test: "A".to_owned(), ..record.clone() };
        let file = PathFile::new(vec![record, earlier]);
        let text = file.to_json().unwrap();
        assert_eq!(PathFile::from_json(&text).unwrap(), file);
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.find("\"A\"") < text.find("Margin_Same"), "{text}");
        let other = text.replace("paths@1", "paths@2");
        assert!(PathFile::from_json(&other).unwrap_err().to_string().contains("paths@2"));
        let none = PathFile::new(Vec::new());
        assert_eq!(PathFile::from_json(&none.to_json().unwrap()).unwrap(), none);
    }
}
