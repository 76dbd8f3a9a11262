//! One file per class under test.

use crate::framework::{Dialect, TestFramework};
use crate::identifier;
use crate::identifier::word;
use crate::mocks::{MockLibrary, NEXT, Stubs, class_text};
use crate::scope::Scope;
use crate::test::{Place, Test, TestWriter, Written};
use crate::theory::{self, Method};
use std::collections::BTreeSet;

use case::type_facts::TypeFacts;
use case::type_name::TypeName;
use case::{Case, Reach};

/// The text of a file, without the header that marks it as ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassFile {
    /// The name of the test class.
    pub name: String,
    pub text: String,
    /// The tests in it, in their order.
    pub tests: Vec<TestMethod>,
    pub uses_reflection: bool,
    /// It is not to run beside others.
    pub changes_statics: bool,
    /// It refers to the mocking library.
    pub uses_library: bool,
    pub left_out: Vec<LeftOut>,
}

/// A method of a test class and the cases that it shows: one, or one for each of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestMethod {
    pub name: String,
    pub cases: Vec<String>,
}

/// A case that cannot be written as C#, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub case: String,
    pub method: String,
    pub why: String,
}

/// Renders the cases of one class. `definition` is the class: `Ns.Outer+Inner`1`.
pub fn render_class(
    definition: &str,
    cases: &[&Case],
    surroundings: &dyn TypeFacts,
    dialect: Dialect,
    root_namespace: &str,
    theories: &Theories,
) -> ClassFile {
    let name = test_class_name(definition);
    let namespace = test_namespace(definition, surroundings, root_namespace);
    let framework = dialect.framework;
    let stubs = Stubs::plan(cases, surroundings, &namespace, &name);
    let mut fixed = vec![(framework.namespace(), framework.common_names())];
    let library = dialect.mocks.namespace().filter(|_| stubs.iter().next().is_some());
    fixed.extend(library);
    let first = Scope::new(surroundings, &namespace, fixed);
    // Only to see which types are named.
    let (tests, _) = write_tests(cases, surroundings, dialect, &first, &stubs);
    stub_classes(&tests, &stubs, &first, surroundings);
    let scope = first.decide();
    let (tests, left_out) = write_tests(cases, surroundings, dialect, &scope, &stubs);
    let classes = stub_classes(&tests, &stubs, &scope, surroundings);
    let write = |case, places: &BTreeSet<Place>| {
        let writer = TestWriter::new(&scope, surroundings, dialect, case, &stubs);
        writer.parametrised(places).write().ok()
    };
    let (uses_reflection, changes_statics) = (
        tests.iter().any(|(_, test)| test.uses_reflection),
        tests.iter().any(|(_, test)| test.changes_statics),
    );
    let methods = theory::fold(tests, framework, &|case| theories.is_apart(definition, case), &write);
    let mut all = scope.usings();
    // The class for reflection lives in the root namespace of the tests.
    let sees_root = namespace == root_namespace || namespace.starts_with(&format!("{root_namespace}."));
    if uses_reflection && !sees_root {
        all.push(root_namespace.to_owned());
    }
    let directives = directives(dialect, &scope.diagnostics());
    let text = directives + &layout(&all, &scope.aliases(), &namespace, &name, &methods, &classes, dialect);
    let uses_library = library.is_some();
    ClassFile {
        name,
        text,
        tests: methods
            .into_iter()
            .map(|method| TestMethod { name: method.name, cases: method.cases })
            .collect(),
        uses_reflection,
        changes_statics,
        uses_library,
        left_out,
    }
}

/// Which tests may become rows of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Theories {
    /// None may.
    pub off: bool,
    /// Cases that stay tests of their own, by the class under test and their names.
    pub apart: BTreeSet<(String, String)>,
}

impl Theories {
    fn is_apart(&self, definition: &str, case: &Case) -> bool {
        self.off || self.apart.contains(&(definition.to_owned(), case.name.clone()))
    }
}

/// Whether the test of the case needs no reflection.
pub fn reach(case: &Case, surroundings: &dyn TypeFacts) -> Reach {
    match alone(case, surroundings) {
        Ok(test) if !test.uses_reflection => Reach::Public,
        _ => Reach::Reflection,
    }
}

/// Why the test of the case uses reflection, in the words of its comment.
pub fn reflection_causes(case: &Case, surroundings: &dyn TypeFacts) -> Vec<String> {
    alone(case, surroundings).map(|test| test.reflection).unwrap_or_default()
}

/// The test of a case without others around it.
fn alone(case: &Case, surroundings: &dyn TypeFacts) -> Written<Test> {
    let framework = TestFramework::XUnit;
    let dialect = Dialect { framework, modern: true, knows_nullability: true, mocks: MockLibrary::None };
    let scope = Scope::new(surroundings, "", Vec::new());
    let stubs = Stubs::plan(&[case], surroundings, "", "");
    TestWriter::new(&scope, surroundings, dialect, case, &stubs).write()
}

/// `Ns.Outer+Box`1` → `OuterBoxOfTTests`.
pub fn test_class_name(definition: &str) -> String {
    let Some(name) = TypeName::parse(definition) else { return "GeneratedTests".to_owned() };
    let mut result = String::new();
    for segment in &name.path {
        result.push_str(&word(&segment.name));
        if segment.arity > 0 {
            result.push_str("Of");
            result.push_str(&"T".repeat(segment.arity));
        }
    }
    result.push_str("Tests");
    if identifier::is_identifier(&result) { result } else { format!("_{result}") }
}

/// The namespace of the class with `.Tests` below it, unless the user has a type of that name.
pub fn test_namespace(definition: &str, surroundings: &dyn TypeFacts, root_namespace: &str) -> String {
    let namespace = TypeName::parse(definition).map(|name| name.namespace).unwrap_or_default();
    if namespace.is_empty() {
        return root_namespace.to_owned();
    }
    let wanted = format!("{namespace}.Tests");
    if surroundings.type_info(&wanted).is_some() { format!("{namespace}.GeneratedTests") } else { wanted }
}

pub(crate) type Tests<'a> = Vec<(&'a Case, Test)>;

fn write_tests<'a>(
    cases: &[&'a Case],
    surroundings: &dyn TypeFacts,
    dialect: Dialect,
    scope: &Scope<'_>,
    stubs: &Stubs,
) -> (Tests<'a>, Vec<LeftOut>) {
    let mut tests = Vec::new();
    let mut left_out = Vec::new();
    for case in cases {
        let writer = || TestWriter::new(scope, surroundings, dialect, case, stubs);
        match writer().write() {
            Ok(test) => tests.push((*case, test)),
            Err(why) => {
                left_out.push(LeftOut { case: case.name.clone(), method: case.method.id.clone(), why })
            }
        }
    }
    (tests, left_out)
}

/// The classes that the tests use, and what these need.
fn stub_classes(
    tests: &Tests<'_>,
    stubs: &Stubs,
    scope: &Scope<'_>,
    surroundings: &dyn TypeFacts,
) -> Vec<Vec<String>> {
    let used = stubs.iter().filter(|(key, _)| tests.iter().any(|(_, test)| test.used_stubs.contains(*key)));
    let mut classes: Vec<Vec<String>> =
        used.filter_map(|(_, stub)| class_text(stub, scope, surroundings).ok()).collect();
    classes.sort();
    if tests.iter().any(|(_, test)| test.uses_next) {
        let list = scope.known("System.Collections.Generic.List`1");
        let list = list.trim_end_matches("<>");
        classes.push(NEXT.lines().map(|line| line.replace("$LIST", list)).collect());
    }
    classes
}

/// Tests pass null wherever they like, and look at what is obsolete as well: warnings about it would say nothing.
pub fn directives(dialect: Dialect, diagnostics: &[String]) -> String {
    let mut lines = String::new();
    if dialect.knows_nullability {
        lines.push_str("#nullable disable\n");
    }
    if !diagnostics.is_empty() {
        lines.push_str(&format!("#pragma warning disable {}\n", diagnostics.join(", ")));
    }
    if lines.is_empty() { lines } else { lines + "\n" }
}

fn layout(
    usings: &[String],
    aliases: &[String],
    namespace: &str,
    class: &str,
    methods: &[Method],
    classes: &[Vec<String>],
    dialect: Dialect,
) -> String {
    let mut out = String::new();
    for using in usings {
        out.push_str(&format!("using {using};\n"));
    }
    out.push_str(&format!("\nnamespace {namespace}\n{{\n"));
    for alias in aliases {
        out.push_str(&format!("    {alias}\n"));
    }
    if !aliases.is_empty() {
        out.push('\n');
    }
    if methods.iter().any(|method| method.test.changes_statics) {
        out.push_str(&format!("    {}\n", dialect.framework.alone_attribute()));
    }
    if let Some(attribute) = dialect.framework.class_attribute() {
        out.push_str(&format!("    {attribute}\n"));
    }
    out.push_str(&format!("    public class {class}\n    {{\n"));
    for (index, Method { name, test, parameters, attributes, .. }) in methods.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        for attribute in attributes {
            out.push_str(&format!("        {attribute}\n"));
        }
        out.push_str(&format!("        public {} {name}({parameters})\n        {{\n", test.returns));
        for line in &test.lines {
            match line.is_empty() {
                true => out.push('\n'),
                false => out.push_str(&format!("            {line}\n")),
            }
        }
        out.push_str("        }\n");
    }
    for class in classes {
        out.push('\n');
        for line in class {
            match line.is_empty() {
                true => out.push('\n'),
                false => out.push_str(&format!("        {line}\n")),
            }
        }
    }
    out.push_str("    }\n}\n");
    out
}
