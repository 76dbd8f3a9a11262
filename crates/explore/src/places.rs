//! Places in the code as people name them: `IL_0004`, and the source line where symbols know it.

use types::{MethodKind, Universe};
use vm::Place;

/// `IL_0004`.
pub fn offset(place: Place) -> String {
    format!("IL_{:04x}", place.il_offset)
}

/// `Cart.cs:17`; nothing without symbols.
pub fn line(universe: &Universe, place: Place) -> Option<String> {
    let MethodKind::Def { assembly, def } = universe.method(place.method).kind else { return None };
    let pdb = universe.assembly(assembly).pdb()?;
    let point = pdb.source_of(def, place.il_offset).ok()??;
    let document = pdb.document_name(point.document).ok()?;
    let file = document.rsplit(['/', '\\']).next()?;
    Some(format!("{file}:{}", point.span?.start_line))
}
