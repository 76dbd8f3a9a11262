//! The assembly as a whole: where it is, what it refers to and how that resolved, its types with their sizes.

use std::io::{self, Write};

use serde::Serialize;
use types::{AssemblyId, TypeId, Universe};

use super::{table, type_view};

#[derive(Serialize)]
pub struct Overview {
    name: String,
    version: String,
    file: String,
    symbols: bool,
    frameworks: Vec<Framework>,
    notes: Vec<String>,
    references: Vec<Reference>,
    types: Vec<Line>,
}

#[derive(Serialize)]
struct Framework {
    name: String,
    version: String,
    folder: String,
}

#[derive(Serialize)]
struct Reference {
    name: String,
    version: String,
    /// The assembly it was resolved to, with its version and file.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Found>,
}

#[derive(Serialize)]
struct Found {
    version: String,
    file: String,
}

#[derive(Serialize)]
struct Line {
    kind: &'static str,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u32>,
    fields: usize,
    methods: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Overview {
    pub fn of(universe: &Universe, a: AssemblyId, types: &[TypeId]) -> Overview {
        let assembly = universe.assembly(a);
        let frameworks = universe.probing().frameworks().iter().map(|framework| Framework {
            name: framework.name.clone(),
            version: framework.version.clone(),
            folder: framework.folder.display().to_string(),
        });
        Overview {
            name: assembly.name().to_owned(),
            version: dotted(assembly.version()),
            file: assembly.path().display().to_string(),
            symbols: assembly.pdb().is_some(),
            frameworks: frameworks.collect(),
            notes: universe.probing().notes().to_vec(),
            references: references(universe, a),
            types: types.iter().map(|t| line(universe, *t)).collect(),
        }
    }

    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{} {}", self.name, self.version)?;
        writeln!(out, "  file       {}", self.file)?;
        writeln!(out, "  symbols    {}", if self.symbols { "yes" } else { "no" })?;
        for framework in &self.frameworks {
            writeln!(out, "  framework  {} {}  {}", framework.name, framework.version, framework.folder)?;
        }
        for note in &self.notes {
            writeln!(out, "  note       {note}")?;
        }
        writeln!(out, "\nReferences")?;
        let rows: Vec<Vec<String>> = self.references.iter().map(Reference::row).collect();
        table::print(out, "  ", &rows, 60)?;
        writeln!(out, "\nTypes ({})", self.types.len())?;
        let rows: Vec<Vec<String>> = self.types.iter().map(Line::row).collect();
        table::print(out, "  ", &rows, 60)
    }
}

impl Reference {
    fn row(&self) -> Vec<String> {
        let found = match &self.found {
            Some(found) => format!("{}  {}", found.version, found.file),
            None => "not found".to_owned(),
        };
        vec![self.name.clone(), self.version.clone(), "->".to_owned(), found]
    }
}

impl Line {
    fn row(&self) -> Vec<String> {
        let size = self.size.map(|size| format!("{size} bytes")).unwrap_or_default();
        let contents = format!("{} fields, {} methods", self.fields, self.methods);
        let mut row = vec![self.kind.to_owned(), self.name.clone(), size, contents];
        row.extend(self.error.clone());
        row
    }
}

fn references(universe: &Universe, a: AssemblyId) -> Vec<Reference> {
    let rows = universe.references(a).unwrap_or_default();
    let found = |target: AssemblyId| {
        let assembly = universe.assembly(target);
        Found { version: dotted(assembly.version()), file: assembly.path().display().to_string() }
    };
    let references = rows.into_iter().map(|row| Reference {
        name: row.name,
        version: dotted(row.version),
        found: row.target.map(found),
    });
    references.collect()
}

fn line(universe: &Universe, t: TypeId) -> Line {
    let info = universe.def_info(t);
    let is_sized = !universe.is_interface(t) && !type_view::is_static(universe, t);
    let size = match universe.is_open(t) || !is_sized {
        true => Ok(None),
        false => universe.layout(t).map(|layout| Some(layout.size)),
    };
    Line {
        kind: type_view::kind(universe, t),
        name: universe.type_name(t),
        size: size.as_ref().ok().copied().flatten(),
        fields: info.map_or(0, |info| info.fields.len()),
        methods: info.map_or(0, |info| info.methods.len()),
        error: size.err().map(|error| error.to_string()),
    }
}

pub fn dotted(version: [u16; 4]) -> String {
    version.map(|part| part.to_string()).join(".")
}
