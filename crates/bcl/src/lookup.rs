//! Which lines of the tables apply to a method.
//!
//! Only methods of the class library have models: a type of the user's with the name of one in the framework (`HashCode`,
//! `Index` and others are often copied into libraries) is what its own code says.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use types::{MethodId, Type, TypeId, Universe};
use vm::Flavor;
use vm::mode::Mode;

use crate::groups::{GROUPS, Group};
use crate::table::{Entry, Overloads};

/// A line that applies to a method.
#[derive(Clone, Copy)]
pub struct Line {
    pub group: &'static Group,
    pub entry: &'static Entry,
}

impl Line {
    /// Otherwise it says that the method is interpreted, whatever other lines say.
    pub fn has_model(&self) -> bool {
        self.entry.model.is_some()
    }
}

/// The lines that apply to a method in a mode; the first one counts. The others are of a lower precedence, or for the
/// overloads that have no line of their own.
pub fn lines(universe: &Universe, method: MethodId, mode: Mode) -> Vec<Line> {
    let definition = universe.method_definition(method).unwrap_or(method);
    let info = universe.method(definition);
    if !is_framework(universe, info.owner) {
        return Vec::new();
    }
    let owner = name_in_tables(universe.type_name(info.owner));
    let flavor = Flavor::of(universe);
    let is_native = info.is_internal_call() || info.is_pinvoke();
    let named = TABLES.of(&owner).filter(|line| line.entry.is_named(&info.name));
    let mut found: Vec<Line> = named.filter(|line| line.entry.is_for(is_native)).collect();
    if found.is_empty() {
        return found;
    }
    let has_body = !matches!(universe.body(definition), Ok(None));
    let id = universe.method_id(definition);
    found.retain(|line| line.group.applies(flavor, mode, has_body) && line.entry.takes(&id));
    found.sort_by_key(|line| (line.group.precedence, line.entry.overloads == Overloads::Others));
    found
}

fn is_framework(universe: &Universe, ty: TypeId) -> bool {
    matches!(universe.ty(ty), Type::Def { assembly, .. } if universe.is_framework(*assembly))
}

/// Before .NET 5 the core library kept this class to itself.
fn name_in_tables(owner: String) -> String {
    match owner.as_str() {
        "Internal.Runtime.CompilerServices.Unsafe" => "System.Runtime.CompilerServices.Unsafe".to_owned(),
        _ => owner,
    }
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables { by_owner: FxHashMap::default(), patterns: Vec::new() };
    for group in GROUPS {
        for entry in group.entries {
            let line = Line { group, entry };
            match entry.owner.ends_with('*') {
                true => tables.patterns.push(line),
                false => tables.by_owner.entry(entry.owner).or_default().push(line),
            }
        }
    }
    tables
});

struct Tables {
    by_owner: FxHashMap<&'static str, Vec<Line>>,
    /// Lines for many types.
    patterns: Vec<Line>,
}

impl Tables {
    /// The lines for the methods of a type.
    fn of(&self, owner: &str) -> impl Iterator<Item = Line> {
        let own = self.by_owner.get(owner).into_iter().flatten();
        let shared = self.patterns.iter().filter(move |line| line.entry.is_of(owner));
        own.chain(shared).copied()
    }
}
