//! The parts of the program as a CycloneDX document: every package that is compiled into it or builds it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::rules::metadata::{Metadata, Node, Package};

pub fn document(metadata: &Metadata, version: &str) -> Result<Vec<u8>> {
    let packages: BTreeMap<&str, &Package> =
        metadata.packages.iter().map(|package| (package.id.as_str(), package)).collect();
    let nodes: BTreeMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let own = metadata.packages.iter().find(|package| package.name == "cilantro").context("cilantro")?;
    let mut used = BTreeSet::new();
    let mut waiting = vec![own.id.as_str()];
    while let Some(id) = waiting.pop() {
        if used.insert(id) {
            waiting.extend(nodes.get(id).into_iter().flat_map(|node| needed(node)));
        }
    }
    let mut parts: Vec<&Package> = used.iter().filter_map(|id| packages.get(id).copied()).collect();
    parts.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    let depends = parts.iter().map(|package| {
        let on = nodes.get(package.id.as_str()).into_iter().flat_map(|node| needed(node));
        let on: BTreeSet<String> =
            on.filter_map(|id| packages.get(id)).map(|package| name(package)).collect();
        json!({ "ref": name(package), "dependsOn": on })
    });
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": { "type": "application", "bom-ref": name(own), "name": "cilantro", "version": version }
        },
        "components": parts.iter().filter(|part| part.id != own.id).map(|part| component(part)).collect::<Vec<_>>(),
        "dependencies": depends.collect::<Vec<_>>(),
    });
    Ok((serde_json::to_string_pretty(&document)? + "\n").into_bytes())
}

/// What is needed to have it: tests need more.
fn needed(node: &Node) -> impl Iterator<Item = &str> {
    let is_needed = |kind: Option<&str>| kind != Some("dev");
    let needed = node
        .deps
        .iter()
        .filter(move |dependency| dependency.dep_kinds.iter().any(|kind| is_needed(kind.kind.as_deref())));
    needed.map(|dependency| dependency.pkg.as_str())
}

fn component(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": name(package),
        "name": package.name,
        "version": package.version,
        "purl": name(package),
    });
    // Some manifests divide alternatives by a slash.
    let licence = package.license.as_ref().map(|licence| licence.replace('/', " OR "));
    if let (Some(licence), Some(fields)) = (licence, component.as_object_mut()) {
        fields.insert("licenses".to_owned(), json!([{ "expression": licence }]));
    }
    component
}

/// A package URL.
fn name(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}
