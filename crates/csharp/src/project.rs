//! A ready test project: one file per class, the project file, and the class for reflection where it is needed.

use std::collections::BTreeMap;

use crate::class_file::directives;
use crate::{
    Dialect, LeftOut, MockLibrary, TestFramework, TestMethod, Theories, reflected_class, render_class,
};
use case::Case;
use case::type_facts::TypeFacts;

#[derive(Clone, Debug)]
pub struct Options {
    pub framework: TestFramework,
    pub mocks: MockLibrary,
    /// Such as `net10.0`.
    pub target_framework: String,
    /// The simple name of the assembly under test.
    pub assembly: String,
    pub reference: Reference,
    pub theories: Theories,
}

/// How the project refers to the assembly under test; paths are relative to the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    Assembly { hint_path: String },
    Project { path: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// Sorted by path.
    pub files: Vec<File>,
    pub tests: usize,
    pub left_out: Vec<LeftOut>,
}

/// A file before its header is put on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the folder of the project.
    pub path: String,
    pub text: String,
    /// The class under test, and the tests in the file.
    pub class: String,
    pub tests: Vec<TestMethod>,
}

impl File {
    /// A file without tests.
    pub(crate) fn plain(path: String, text: String) -> File {
        File { path, text, class: String::new(), tests: Vec::new() }
    }
}

/// Renders the cases, which have their names, as a project.
pub fn render_project(cases: &[Case], surroundings: &dyn TypeFacts, options: &Options) -> Suite {
    let modern = is_modern(&options.target_framework);
    let knows_nullability = knows_nullability(&options.target_framework);
    let dialect = Dialect { framework: options.framework, modern, knows_nullability, mocks: options.mocks };
    let root_namespace = format!("{}.Tests", namespace_of(&options.assembly));
    let mut suite = Suite { files: Vec::new(), tests: 0, left_out: Vec::new() };
    let mut uses_reflection = false;
    let mut uses_library = false;
    let mut changes_statics = false;
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for (definition, cases) in by_class(cases) {
        let class =
            render_class(definition, &cases, surroundings, dialect, &root_namespace, &options.theories);
        suite.left_out.extend(class.left_out);
        if class.tests.is_empty() {
            continue;
        }
        suite.tests += class.tests.iter().map(|test| test.cases.len()).sum::<usize>();
        uses_reflection |= class.uses_reflection;
        uses_library |= class.uses_library;
        changes_statics |= class.changes_statics;
        suite.files.push(File {
            path: file_name(&class.name, &mut taken),
            text: class.text,
            class: definition.to_owned(),
            tests: class.tests,
        });
    }
    if uses_reflection {
        let reflected = directives(dialect, &[]) + &reflected_class(&root_namespace);
        suite.files.push(File::plain("Reflected.cs".into(), reflected));
    }
    if let Some(definition) = options.framework.alone_definition().filter(|_| changes_statics) {
        let text = definition.replace("$NAMESPACE", &root_namespace);
        suite.files.push(File::plain("StaticState.cs".into(), text));
    }
    let project = project_file(dialect, options, &root_namespace, uses_library);
    suite.files.push(File::plain(format!("{}.Tests.csproj", options.assembly), project));
    suite.files.sort_by(|a, b| a.path.cmp(&b.path));
    suite
}

fn by_class(cases: &[Case]) -> BTreeMap<&str, Vec<&Case>> {
    let mut classes: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        let definition = case.method.ty.split('[').next().unwrap_or(&case.method.ty);
        classes.entry(definition).or_default().push(case);
    }
    for cases in classes.values_mut() {
        // In the order of the source, as far as tokens tell; then by name.
        cases.sort_by(|a, b| (a.method.token, &a.name).cmp(&(b.method.token, &b.name)));
    }
    classes
}

/// Two classes of one name live in different namespaces; files need names that differ on every disk.
fn file_name(class: &str, taken: &mut BTreeMap<String, usize>) -> String {
    let count = taken.entry(class.to_lowercase()).or_default();
    *count += 1;
    if *count == 1 { format!("{class}.cs") } else { format!("{class}{count}.cs") }
}

/// An assembly name as a namespace.
fn namespace_of(assembly: &str) -> String {
    let parts = assembly.split('.').map(|part| {
        let kept: String = part.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        crate::identifier::written(&kept).unwrap_or_else(|| format!("_{kept}"))
    });
    parts.collect::<Vec<_>>().join(".")
}

fn is_modern(target: &str) -> bool {
    let version = target.strip_prefix("net").and_then(|rest| rest.split('.').next());
    target.contains('.') && version.and_then(|v| v.parse::<u32>().ok()).is_some_and(|major| major >= 8)
}

/// Targets whose default language is C# 8 or later.
fn knows_nullability(target: &str) -> bool {
    let core = target.strip_prefix("netcoreapp").is_some_and(|version| version.starts_with('3'));
    let version = target.strip_prefix("net").and_then(|rest| rest.split_once('.'));
    core || version.and_then(|(major, _)| major.parse::<u32>().ok()).is_some_and(|major| major >= 5)
}

fn project_file(dialect: Dialect, options: &Options, root_namespace: &str, uses_library: bool) -> String {
    let packages: String = dialect
        .packages()
        .iter()
        .copied()
        .chain(dialect.mocks.package().filter(|_| uses_library))
        .map(|(name, version)| format!("    <PackageReference Include=\"{name}\" Version=\"{version}\" />\n"))
        .collect();
    let reference = match &options.reference {
        Reference::Assembly { hint_path } => format!(
            "    <Reference Include=\"{}\">\n      <HintPath>{}</HintPath>\n    </Reference>\n",
            escape(&options.assembly),
            escape(hint_path)
        ),
        Reference::Project { path } => format!("    <ProjectReference Include=\"{}\" />\n", escape(path)),
    };
    format!(
        r#"<Project Sdk="Microsoft.NET.Sdk">

  <PropertyGroup>
    <TargetFramework>{}</TargetFramework>
    <RootNamespace>{root_namespace}</RootNamespace>
    <IsPackable>false</IsPackable>
    <IsTestProject>true</IsTestProject>
  </PropertyGroup>

  <ItemGroup>
{packages}  </ItemGroup>

  <ItemGroup>
{reference}  </ItemGroup>

</Project>
"#,
        escape(&options.target_framework)
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
