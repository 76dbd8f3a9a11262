//! Source places, from the portable PDB beside or inside the assembly.

use std::path::Path;

use cil::{MethodDefId, Module, Pdb};
use explore::places::source_line;
use verdict::SourceLine;

/// Knows nothing when there are no symbols, or only unusable ones: places are a courtesy.
pub struct Sources {
    pdb: Option<Pdb>,
}

impl Sources {
    pub fn of(module: &Module, path: &Path) -> Sources {
        Sources { pdb: Pdb::find_for(module, path).ok().flatten() }
    }

    /// `Cart.cs:17`: the line of the code at this offset, or the first line of the method.
    pub fn line(&self, method: MethodDefId, offset: u32) -> Option<SourceLine> {
        let pdb = self.pdb.as_ref()?;
        let points = pdb.sequence_points(method).ok()?;
        let visible = || points.iter().filter(|point| point.span.is_some());
        let point = visible().rfind(|point| point.il_offset <= offset).or_else(|| visible().next())?;
        source_line(pdb, point)
    }
}
