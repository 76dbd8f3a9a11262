//! `*.runtimeconfig.json`: which shared frameworks a program wants, and what it sets for the runtime.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::version::RollForward;
use crate::Result;

#[derive(Debug, Clone, Default)]
pub(super) struct RuntimeConfig {
    pub frameworks: Vec<Wanted>,
    pub additional_probing_paths: Vec<PathBuf>,
    /// What the program sets for the runtime and for itself, as text and in the file's order.
    pub properties: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub name: String,
    pub version: String,
    pub roll_forward: RollForward,
}

impl RuntimeConfig {
    pub fn read_if_present(path: &Path) -> Result<Option<RuntimeConfig>> {
        if !path.is_file() {
            return Ok(None);
        }
        let json = super::read(path)?;
        Ok(Some(RuntimeConfig::from_json(json.get("runtimeOptions").unwrap_or(&Value::Null))))
    }

    fn from_json(options: &Value) -> RuntimeConfig {
        let policy = roll_forward(options).unwrap_or(RollForward::Minor);
        let single = options.get("framework").into_iter();
        let several = options.get("frameworks").and_then(Value::as_array).into_iter().flatten();
        let frameworks = single.chain(several).filter_map(|f| wanted(f, policy)).collect();
        let paths = options.get("additionalProbingPaths").and_then(Value::as_array).into_iter().flatten();
        let additional_probing_paths = paths.filter_map(Value::as_str).map(PathBuf::from).collect();
        let properties = options.get("configProperties").and_then(Value::as_object).into_iter().flatten();
        let properties = properties.map(|(name, value)| (name.clone(), text(value))).collect();
        RuntimeConfig { frameworks, additional_probing_paths, properties }
    }
}

/// As the host hands a value on to the runtime.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn wanted(framework: &Value, policy: RollForward) -> Option<Wanted> {
    Some(Wanted {
        name: framework.get("name")?.as_str()?.to_owned(),
        version: framework.get("version").and_then(Value::as_str).unwrap_or("0.0.0").to_owned(),
        roll_forward: roll_forward(framework).unwrap_or(policy),
    })
}

/// `rollForward`, or its predecessor `rollForwardOnNoCandidateFx` (0: patches only, 1: minor, 2: major).
fn roll_forward(json: &Value) -> Option<RollForward> {
    if let Some(text) = json.get("rollForward").and_then(Value::as_str) {
        return RollForward::parse(text);
    }
    match json.get("rollForwardOnNoCandidateFx").and_then(Value::as_u64)? {
        0 => Some(RollForward::LatestPatch),
        1 => Some(RollForward::Minor),
        _ => Some(RollForward::Major),
    }
}
