//! What Cargo says about the packages of the workspace and those that they depend on.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::process::cargo;

#[derive(Debug, Deserialize)]
pub struct Metadata {
    pub packages: Vec<Package>,
    pub workspace_members: BTreeSet<String>,
    pub resolve: Resolve,
}

#[derive(Debug, Deserialize)]
pub struct Package {
    pub id: String,
    pub name: String,
    pub version: String,
    pub license: Option<String>,
    /// None for a package of this repository.
    pub source: Option<String>,
    pub manifest_path: String,
    pub dependencies: Vec<Requirement>,
}

/// A dependency as the manifest has it.
#[derive(Debug, Deserialize)]
pub struct Requirement {
    pub name: String,
    pub req: String,
    pub path: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Resolve {
    pub nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
pub struct Node {
    pub id: String,
    pub deps: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// As sources have it.
    pub name: String,
    /// The id of its package.
    pub pkg: String,
    pub dep_kinds: Vec<Kind>,
}

#[derive(Debug, Deserialize)]
pub struct Kind {
    /// `dev`, `build`, or none for an ordinary one.
    pub kind: Option<String>,
}

impl Metadata {
    pub fn read() -> Result<Metadata> {
        Metadata::of(&[])
    }

    /// Only what is needed on one platform.
    pub fn read_for(target: &str) -> Result<Metadata> {
        Metadata::of(&["--filter-platform", target])
    }

    fn of(options: &[&str]) -> Result<Metadata> {
        let mut command = cargo(["metadata", "--format-version=1", "--locked"]);
        let output = command.args(options).output().context("cargo metadata")?;
        ensure!(
            output.status.success(),
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// The packages of the workspace, each with its dependencies.
    pub fn members(&self) -> impl Iterator<Item = (&Package, &[Dependency])> {
        let nodes: BTreeMap<&str, &Node> =
            self.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let members = self.packages.iter().filter(|package| self.workspace_members.contains(&package.id));
        members.map(move |package| {
            let node = nodes.get(package.id.as_str());
            (package, node.map_or(&[][..], |node| node.deps.as_slice()))
        })
    }
}
