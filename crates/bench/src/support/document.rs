//! The support document: figures, and their text.

use std::collections::BTreeMap;
use std::fmt::Write;

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    pub framework: String,
    pub programs: usize,
    /// A digest of the programs that were run.
    pub digest: String,
    /// Programs that differ or stop, and why.
    pub failing: Vec<(String, String)>,
    pub types: Vec<TypeRow>,
    pub natives: Vec<Natives>,
}

/// A public class or structure.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeRow {
    pub assembly: String,
    pub namespace: String,
    pub name: String,
    /// Of the public methods with a body.
    pub exercised: usize,
    pub public: usize,
}

/// Native methods of a class without a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Natives {
    pub assembly: String,
    pub class: String,
    pub names: Vec<String>,
}

/// The line of the figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub programs: usize,
    pub agreed: usize,
    pub types: usize,
    pub exercised: usize,
    pub public: usize,
}

impl Document {
    /// The order of the text, whatever the order of measuring was.
    pub fn sort(&mut self) {
        self.failing.sort();
        self.types.sort();
        self.natives.sort();
    }

    pub fn figures(&self) -> Figures {
        let touched = || self.types.iter().filter(|row| row.exercised > 0);
        Figures {
            programs: self.programs,
            agreed: self.programs - self.failing.len(),
            types: touched().count(),
            exercised: touched().map(|row| row.exercised).sum(),
            public: touched().map(|row| row.public).sum(),
        }
    }
}

pub fn render(document: &Document) -> String {
    let mut text = String::from(HEAD);
    let figures = document.figures();
    text += &format!("\nRuntime: {}\n\nPrograms: sha256 {}\n\n", document.framework, document.digest);
    text +=
        "| programs | agree | types exercised | their public methods | exercised |\n|---|---|---|---|---|\n";
    let Figures { programs, agreed, types, exercised, public } = figures;
    text += &format!("| {programs} | {agreed} | {types} | {public} | {exercised} |\n");
    text += "\n## Programs that do not agree\n\n";
    if document.failing.is_empty() {
        text += "None.\n";
    }
    for (program, why) in &document.failing {
        text += &format!("* {program}: {}\n", escaped(why));
    }
    assemblies(&mut text, document);
    types_of(&mut text, document);
    natives_of(&mut text, document);
    text
}

const HEAD: &str = "\
# What of the class library runs

<!-- Written by `cargo xtask support`. Do not edit. -->

The programs of `fixtures/run` are run by the machine and by CoreCLR.
A public method counts as exercised if a program called it, directly or through the class library, and its whole output, error output and exit code were the same in both.
Methods that a model stands for count as well.
A method that is not exercised may work; nobody has looked.
What is not supported stops a program with its name and exit code 3: the native calls below have no model.
";

fn assemblies(text: &mut String, document: &Document) {
    *text += "\n## Assemblies\n\n| assembly | public methods | exercised |\n|---|---|---|\n";
    let mut sums: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for row in &document.types {
        let sum = sums.entry(&row.assembly).or_default();
        sum.0 += row.public;
        sum.1 += row.exercised;
    }
    for (assembly, (public, exercised)) in sums {
        let _ = writeln!(text, "| {assembly} | {public} | {exercised} |");
    }
}

fn types_of(text: &mut String, document: &Document) {
    *text += "\n## Types\n";
    let mut at = ("", "");
    for row in document.types.iter().filter(|row| row.exercised > 0) {
        let here = (row.assembly.as_str(), row.namespace.as_str());
        if at != here {
            at = here;
            let namespace = if here.1.is_empty() { "no namespace" } else { here.1 };
            let _ = write!(
                text,
                "\n### {namespace} ({})\n\n| type | public methods | exercised |\n|---|---|---|\n",
                here.0
            );
        }
        let short = row.name.strip_prefix(&format!("{}.", row.namespace)).unwrap_or(&row.name);
        let _ = writeln!(text, "| {} | {} | {} |", escaped(short), row.public, row.exercised);
    }
}

fn natives_of(text: &mut String, document: &Document) {
    *text += "\n## Native calls without a model\n";
    let mut assembly = "";
    for natives in &document.natives {
        if natives.assembly != assembly {
            assembly = &natives.assembly;
            let _ = write!(text, "\n### {assembly}\n\n");
        }
        let _ = writeln!(
            text,
            "* {} ({}): {}",
            escaped(&natives.class),
            natives.names.len(),
            natives.names.join(", ")
        );
    }
}

/// Characters that mean something in a table or list.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('`', "\\`")
}
