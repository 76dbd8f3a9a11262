//! Source lines of a method, from its symbols.

use std::collections::BTreeMap;
use std::path::Path;

use types::{MethodId, MethodKind, Universe};

/// `Cart.cs:17` of the first statement.
pub fn first_line(u: &Universe, m: MethodId) -> Option<String> {
    let lines = Lines::of(u, m);
    lines.at.into_values().next()
}

/// Where statements begin.
#[derive(Default)]
pub struct Lines {
    /// IL offset → `Cart.cs:17`, with the text of the line when the file is there.
    pub at: BTreeMap<u32, String>,
}

impl Lines {
    pub fn of(u: &Universe, m: MethodId) -> Lines {
        Lines::read(u, m, false).unwrap_or_default()
    }

    /// With the text of the source line behind each place.
    pub fn with_text(u: &Universe, m: MethodId) -> Lines {
        Lines::read(u, m, true).unwrap_or_default()
    }

    fn read(u: &Universe, m: MethodId, text: bool) -> Option<Lines> {
        let MethodKind::Def { assembly, def } = u.method(m).kind else { return None };
        let pdb = u.assembly(assembly).pdb()?;
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut lines = Lines::default();
        for point in pdb.sequence_points(def).ok()? {
            let Some(span) = point.span else { continue };
            let path = pdb.document_name(point.document).ok()?;
            let mut place = format!("{}:{}", base_name(&path), span.start_line);
            if text {
                let file = files.entry(path.clone()).or_insert_with(|| read_lines(&path));
                let line = file
                    .get((span.start_line as usize).wrapping_sub(1))
                    .map(|line| line.trim())
                    .unwrap_or_default();
                if !line.is_empty() {
                    place = format!("{place}  {line}");
                }
            }
            lines.at.insert(point.il_offset, place);
        }
        Some(lines)
    }
}

/// The names of local variables by number, where symbols give one.
pub fn local_names(u: &Universe, m: MethodId) -> BTreeMap<u16, String> {
    let mut names = BTreeMap::new();
    let MethodKind::Def { assembly, def } = u.method(m).kind else { return names };
    let scopes = u.assembly(assembly).pdb().and_then(|pdb| pdb.method_scopes(def).ok()).unwrap_or_default();
    for local in scopes.iter().flat_map(|scope| &scope.variables) {
        names.entry(local.index).or_insert_with(|| local.name.to_owned());
    }
    names
}

fn read_lines(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(path)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
