//! The lines of the methods that stored cases call.

use std::collections::BTreeMap;

use cil::{MethodDefId, Module, Pdb, Token};
use explore::places::source_line;
use report::SourceLine;

use crate::stored::Suite;

/// The first line of each method under test, by its id; those that symbols know.
pub fn of(suites: &[Suite]) -> BTreeMap<String, SourceLine> {
    let mut lines = BTreeMap::new();
    for suite in suites {
        let module = Module::open(&suite.assembly).ok();
        let pdb = module.and_then(|module| Pdb::find_for(&module, &suite.assembly).ok().flatten());
        let Some(pdb) = pdb else { continue };
        for case in &suite.cases {
            let def = MethodDefId::from_token(Token::from_raw(case.method.token));
            if let Some(line) = def.and_then(|def| first_line(&pdb, def)) {
                lines.insert(case.method.id.clone(), line);
            }
        }
    }
    lines
}

/// What an iterator or an async method is written as is in the method that the compiler made of it.
fn first_line(pdb: &Pdb, def: MethodDefId) -> Option<SourceLine> {
    let of = |def: MethodDefId| {
        let points = pdb.sequence_points(def).ok()?;
        points.iter().find_map(|point| source_line(pdb, point))
    };
    of(def).or_else(|| of(pdb.move_next_of(def).ok()??))
}
