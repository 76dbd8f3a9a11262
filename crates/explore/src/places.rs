//! Places in the code as people name them: `IL_0004`, and the source line where symbols know it.

use cil::Pdb;
use cil::pdb::SequencePoint;
use types::{MethodKind, Universe};
use verdict::{Columns, SourceLine};
use vm::Place;

/// `IL_0004`.
pub fn offset(place: Place) -> String {
    format!("IL_{:04x}", place.il_offset)
}

/// `Cart.cs:17`; nothing without symbols.
pub fn line(universe: &Universe, place: Place) -> Option<SourceLine> {
    let MethodKind::Def { assembly, def } = universe.method(place.method).kind else { return None };
    let pdb = universe.assembly(assembly).pdb()?;
    let point = pdb.source_of(def, place.il_offset).ok()??;
    source_line(pdb, &point)
}

/// The line that a sequence point stands for; none if it is hidden.
pub fn source_line(pdb: &Pdb, point: &SequencePoint) -> Option<SourceLine> {
    let span = point.span?;
    let columns = Columns { start: span.start_column, end_line: span.end_line, end: span.end_column };
    let path = pdb.document_name(point.document).ok()?;
    Some(SourceLine { path, line: span.start_line, columns: Some(columns) })
}
