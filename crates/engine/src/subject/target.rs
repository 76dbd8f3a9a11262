//! A method under test, as plain data that can cross threads.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use verdict::SourceLine;

use crate::subject::access::Access;
use crate::subject::exclusion::Mark;

/// A method of the assembly under test and the shape of its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The MethodDef token; each worker finds the method in its own universe by it.
    pub token: u32,
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub id: String,
    pub namespace: String,
    /// `Namespace.Outer+Inner`1`.
    pub type_name: String,
    pub name: String,
    /// `Cart.cs:17`, when symbols are there.
    pub source: Option<SourceLine>,
    /// Who can call it.
    pub access: Access,
    /// The same as far as the types around it do not matter.
    pub own_access: Access,
    /// Its code says that it is to be left out.
    pub mark: Option<Mark>,
    /// Bodies of methods that no test calls by itself and that are to be covered through this one.
    pub inner: Arc<BTreeSet<u32>>,
    /// Its own body first, then those that the compiler made of its parts.
    pub bodies: Vec<Body>,
}

/// A body of code and what there is to cover in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The MethodDef token.
    pub token: u32,
    pub goals: Goals,
}

/// What there is to cover in a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goals {
    /// In order of offset.
    pub instructions: Vec<Span>,
    /// Outgoing edges of conditional jumps and switches, sorted, each once.
    pub branches: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub offset: u32,
    pub size: u32,
    pub then: Then,
}

/// Where execution goes after an instruction, if nothing is thrown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Then {
    #[default]
    Next,
    Jump(u32),
    /// It is decided when it runs, or the method ends.
    Elsewhere,
}

/// From the offset of a conditional jump or switch to the offset of a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
}

impl Target {
    /// A static constructor runs once in a process, whoever comes to its type first.
    pub fn is_initializer(&self) -> bool {
        self.name == ".cctor"
    }

    pub fn il_bytes(&self) -> u64 {
        self.bodies.iter().map(|body| body.goals.il_bytes()).sum()
    }
}

impl Goals {
    pub fn il_bytes(&self) -> u64 {
        self.instructions.iter().map(|i| u64::from(i.size)).sum()
    }

    /// The instructions that run from an offset on up to the next decision, if nothing is thrown.
    pub fn run_from(&self, start: u32) -> Vec<u32> {
        let mut run = Vec::new();
        let mut next = Some(start);
        while let Some(offset) = next.take() {
            let Ok(at) = self.instructions.binary_search_by_key(&offset, |span| span.offset) else { break };
            for span in self.instructions.get(at..).unwrap_or_default() {
                if run.contains(&span.offset) {
                    return run;
                }
                run.push(span.offset);
                match span.then {
                    Then::Next => {}
                    Then::Jump(to) => {
                        next = Some(to);
                        break;
                    }
                    Then::Elsewhere => return run,
                }
            }
        }
        run
    }
}
