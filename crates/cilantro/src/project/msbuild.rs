//! What a project file says, as far as it says so plainly: properties without conditions, in the project and in the
//! `Directory.Build.props` around it. MSBuild can compute anything; what is computed is not known here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use engine::Error;
use roxmltree::{Document, Node};

/// A project file that was read.
#[derive(Clone, Debug, Default)]
pub struct Project {
    pub path: PathBuf,
    properties: BTreeMap<String, String>,
    /// Names of packages, in lower case.
    packages: Vec<String>,
    /// Projects that it refers to.
    pub references: Vec<PathBuf>,
}

impl Project {
    pub fn read(path: &Path) -> Result<Project, Error> {
        let mut project = Project { path: path.to_owned(), ..Project::default() };
        let folder = project.folder().to_owned();
        let around = std::path::absolute(&folder).unwrap_or_else(|_| folder.clone());
        let props = around.ancestors().map(|folder| folder.join("Directory.Build.props"));
        if let Some(props) = props.into_iter().find(|props| props.is_file()) {
            project.take(&props)?;
        }
        project.take(path)?;
        Ok(project)
    }

    fn take(&mut self, path: &Path) -> Result<(), Error> {
        let unreadable = |why: String| Error::Unreadable { path: path.to_owned(), why };
        let bytes = fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8_lossy(&bytes);
        let document = Document::parse(text.trim_start_matches('\u{feff}'))
            .map_err(|error| unreadable(format!("it is not well-formed XML: {error}")))?;
        let plain = |node: &Node<'_, '_>| node.is_element() && node.attribute("Condition").is_none();
        for group in document.root_element().children().filter(plain) {
            match group.tag_name().name() {
                "PropertyGroup" => {
                    for property in group.children().filter(plain) {
                        let value = property.text().unwrap_or_default().trim().to_owned();
                        self.properties.insert(property.tag_name().name().to_lowercase(), value);
                    }
                }
                "ItemGroup" => group.children().filter(plain).for_each(|item| self.take_item(&item)),
                _ => {}
            }
        }
        Ok(())
    }

    fn take_item(&mut self, item: &Node<'_, '_>) {
        let Some(include) = item.attribute("Include") else { return };
        match item.tag_name().name() {
            "PackageReference" => self.packages.push(include.to_lowercase()),
            "ProjectReference" => {
                let path = self.folder().join(include.replace('\\', "/"));
                self.references.push(path);
            }
            _ => {}
        }
    }

    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The name of its file.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// A property in which nothing is left to compute.
    pub fn property(&self, name: &str) -> Option<String> {
        self.expanded(name, 0)
    }

    fn expanded(&self, name: &str, depth: usize) -> Option<String> {
        const DEEPEST: usize = 8;
        let value = self.properties.get(&name.to_lowercase()).filter(|_| depth < DEEPEST)?;
        let mut out = String::new();
        let mut rest = value.as_str();
        while let Some((before, after)) = rest.split_once("$(") {
            let (inner, behind) = after.split_once(')')?;
            out.push_str(before);
            out.push_str(&match inner.to_lowercase().as_str() {
                "msbuildprojectname" => self.name(),
                _ => self.expanded(inner, depth + 1)?,
            });
            rest = behind;
        }
        out.push_str(rest);
        Some(out).filter(|value| !value.is_empty())
    }

    pub fn assembly_name(&self) -> String {
        self.property("AssemblyName").unwrap_or_else(|| self.name())
    }

    /// The frameworks that it is built for; none if that is computed.
    pub fn frameworks(&self) -> Vec<String> {
        let many = self.property("TargetFrameworks").or_else(|| self.property("TargetFramework"));
        let names = many.unwrap_or_default();
        names.split(';').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    pub fn has_package(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.packages.iter().any(|package| *package == name || package.starts_with(&format!("{name}.")))
    }

    pub fn is_test(&self) -> bool {
        let says_so = self.property("IsTestProject").is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let packages = ["Microsoft.NET.Test.Sdk", "xunit", "xunit.v3", "NUnit", "MSTest", "TUnit"];
        says_so || packages.iter().any(|package| self.has_package(package))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail

    use super::*;

    #[test]
    fn literal_properties_are_read_and_computed_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let props = "<Project><PropertyGroup><Company>Acme</Company><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>";
        fs::write(folder.path().join("Directory.Build.props"), props).unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        let path = folder.path().join("src/Shop.csproj");
        let text = "\u{feff}<Project Sdk='Microsoft.NET.Sdk'><PropertyGroup>
            <AssemblyName>$(Company).$(MSBuildProjectName)</AssemblyName>
            <OutputPath>$(Elsewhere)/out</OutputPath><Self>$(Self)</Self></PropertyGroup>
            <PropertyGroup Condition=\"'$(CI)' == 'true'\"><AssemblyName>Other</AssemblyName></PropertyGroup>
            <ItemGroup><PackageReference Include='XUnit' Version='2'/><ProjectReference Include='..\\A\\A.csproj'/></ItemGroup></Project>";
        fs::write(&path, text).unwrap();
        let project = Project::read(&path).unwrap();
        assert_eq!(
            (project.assembly_name(), project.frameworks()),
            ("Acme.Shop".to_owned(), vec!["net8.0".to_owned()])
        );
        assert_eq!((project.property("OutputPath"), project.property("Self")), (None, None));
        assert!(project.is_test() && !project.has_package("moq"));
        assert_eq!(project.references, [folder.path().join("src/../A/A.csproj")]);
    }

    #[test]
    fn anything_else_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Shop.csproj");
        for text in ["", "<Project>", "text", "\0", "<!DOCTYPE a [<!ENTITY b 'c'>]><Project/>"] {
            fs::write(&path, text).unwrap();
            assert!(Project::read(&path).is_err(), "{text:?}");
        }
    }
}
