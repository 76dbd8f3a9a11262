//! Names by which tools know a finding again, although the code around it has changed.

use std::collections::BTreeMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::model::Finding;

/// Bytes of the hash that are used: more than any project has findings.
const LENGTH: usize = 16;

/// One for each finding: kind, method and cause, and which of several that are alike in these.
pub(super) fn fingerprints<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for finding in findings {
        let named = format!("{}\n{}\n{}", finding.rule.id(), finding.method, finding.cause);
        let before = seen.entry(named.clone()).or_default();
        all.push(match before {
            0 => hashed(&named),
            _ => hashed(&format!("{named}\n{before}")),
        });
        *before += 1;
    }
    all
}

fn hashed(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(LENGTH).fold(String::new(), |mut hex, byte| {
        let _infallible = write!(hex, "{byte:02x}");
        hex
    })
}
