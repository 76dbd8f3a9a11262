//! A method under test, as plain data that can cross threads.

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
    pub source: Option<String>,
    pub goals: Goals,
}

/// What there is to cover in a method's own IL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goals {
    /// In order of offset.
    pub instructions: Vec<Span>,
    /// Outgoing edges of conditional jumps and switches, sorted, each once.
    pub branches: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub offset: u32,
    pub size: u32,
}

/// From the offset of a conditional jump or switch to the offset of a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
}

impl Goals {
    pub fn il_bytes(&self) -> u64 {
        self.instructions.iter().map(|i| u64::from(i.size)).sum()
    }
}
