//! Which fields a method may change, by name: what it and the methods it calls store to, take the address of, or fetch an
//! object from. It is a guess that proposes calls; whether a call helps is for the search to say.

use std::collections::BTreeSet;
use std::rc::Rc;

use cil::{Opcode, Operand};
use rustc_hash::FxHashSet;
use types::{AssemblyId, MethodId, Universe};

/// Calls are followed only so deep.
const MAX_DEPTH: u32 = 6;

/// What a method may do to fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    pub changed: BTreeSet<Rc<str>>,
    pub read: BTreeSet<Rc<str>>,
}

impl Touched {
    pub fn by(universe: &Universe, method: MethodId) -> Touched {
        let mut touched = Touched::default();
        if let Some(home) = home(universe, method) {
            follow(universe, home, method, 0, &mut FxHashSet::default(), &mut touched);
        }
        touched
    }
}

fn follow(
    universe: &Universe,
    home: AssemblyId,
    method: MethodId,
    depth: u32,
    seen: &mut FxHashSet<MethodId>,
    touched: &mut Touched,
) {
    if depth > MAX_DEPTH || !seen.insert(method) {
        return;
    }
    let Ok(Some(body)) = universe.body(method) else { return };
    for instruction in body.instructions().flatten() {
        let Operand::Token(token) = instruction.operand else { continue };
        match instruction.opcode {
            Opcode::Stfld | Opcode::Ldflda | Opcode::Ldfld => {
                let Ok(field) = universe.resolve_field(method, token) else { continue };
                let name = Rc::clone(&Rc::from(&*universe.field(field).name));
                let leads_on = universe.field_type(field).is_ok_and(|ty| !universe.is_value_type(ty));
                if instruction.opcode != Opcode::Ldfld || leads_on {
                    touched.changed.insert(Rc::clone(&name));
                }
                touched.read.insert(name);
            }
            Opcode::Call | Opcode::Callvirt | Opcode::Newobj => {
                let Ok(callee) = universe.resolve_method(method, token) else { continue };
                if self::home(universe, callee) == Some(home) {
                    follow(universe, home, callee, depth + 1, seen, touched);
                }
            }
            _ => {}
        }
    }
}

fn home(universe: &Universe, method: MethodId) -> Option<AssemblyId> {
    crate::decision::assembly_of(universe, method)
}
