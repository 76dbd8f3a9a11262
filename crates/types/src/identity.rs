//! The whole names of assemblies, by which messages and reflection call them.

use std::fmt::Write;

use sha1::{Digest, Sha1};

use crate::{AssemblyId, Universe};

/// `afPublicKey`: the reference has the key itself, not its token.
const HAS_KEY: u32 = 1;

impl Universe {
    /// `Name, Version=…, Culture=…, PublicKeyToken=…`.
    pub fn assembly_name(&self, a: AssemblyId) -> String {
        let assembly = self.assembly(a);
        let row = assembly.module().assembly().ok().flatten();
        let culture = row.as_ref().map_or("", |row| row.culture);
        let key = row.as_ref().map_or(&[][..], |row| row.public_key.bytes);
        written(assembly.name(), assembly.version(), culture, &public_key_token(key))
    }
}

/// The same of a reference.
pub(crate) fn reference_name(row: &cil::AssemblyRef<'_>) -> String {
    let version = [row.major_version, row.minor_version, row.build_number, row.revision_number];
    let key = row.public_key_or_token.bytes;
    let token = if row.flags & HAS_KEY != 0 { public_key_token(key) } else { key.to_vec() };
    written(row.name, version, row.culture, &token)
}

fn written(name: &str, version: [u16; 4], culture: &str, token: &[u8]) -> String {
    let [major, minor, build, revision] = version;
    let culture = if culture.is_empty() { "neutral" } else { culture };
    let mut text =
        format!("{name}, Version={major}.{minor}.{build}.{revision}, Culture={culture}, PublicKeyToken=");
    if token.is_empty() {
        text.push_str("null");
    }
    for byte in token {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The last eight bytes of the key's SHA-1, reversed (ECMA-335 II.6.3).
fn public_key_token(key: &[u8]) -> Vec<u8> {
    match key.is_empty() {
        true => Vec::new(),
        false => Sha1::digest(key).iter().rev().take(8).copied().collect(),
    }
}
