//! Names of types in one file: which `using` directives it needs and which names must be written in full.
//!
//! A file is written twice: the first time only to see which types it names, the second time with the names that
//! this leads to.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use crate::identifier;
use case::type_facts::TypeFacts;
use case::type_name::{Suffix, TypeName};

pub struct Scope<'a> {
    surroundings: &'a dyn TypeFacts,
    /// The namespace of the file.
    namespace: String,
    /// Namespaces that are imported in any case, with the names they are known to bring.
    fixed: Vec<(&'static str, &'static [&'static str])>,
    seen: RefCell<BTreeSet<Outermost>>,
    /// Empty during the first pass.
    decided: BTreeMap<Outermost, Short>,
    usings: BTreeSet<String>,
    /// What the compiler would say about what the file uses.
    diagnostics: RefCell<BTreeSet<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Outermost {
    namespace: String,
    name: String,
    arity: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Short {
    Yes,
    No,
}

impl<'a> Scope<'a> {
    pub fn new(
        surroundings: &'a dyn TypeFacts,
        namespace: &str,
        fixed: Vec<(&'static str, &'static [&'static str])>,
    ) -> Scope<'a> {
        Scope {
            surroundings,
            namespace: namespace.to_owned(),
            fixed,
            seen: RefCell::default(),
            decided: BTreeMap::new(),
            usings: BTreeSet::new(),
            diagnostics: RefCell::default(),
        }
    }

    /// For the second pass: everything the first one named is decided.
    pub fn decide(mut self) -> Scope<'a> {
        let seen = self.seen.take();
        let imported: BTreeSet<String> =
            seen.iter().map(|outermost| outermost.namespace.clone()).filter(|n| !self.encloses(n)).collect();
        for outermost in seen {
            let short = self.resolves(&outermost, &imported);
            if short && !self.encloses(&outermost.namespace) {
                self.usings.insert(outermost.namespace.clone());
            }
            self.decided.insert(outermost, if short { Short::Yes } else { Short::No });
        }
        self
    }

    /// The file uses something that the compiler warns about.
    pub fn warned(&self, diagnostics: &[String]) {
        self.diagnostics.borrow_mut().extend(diagnostics.iter().cloned());
    }

    /// The diagnostics that the file switches off.
    pub fn diagnostics(&self) -> Vec<String> {
        self.diagnostics.borrow().iter().cloned().collect()
    }

    /// Sorted as the tools sort them: `System` first.
    pub fn usings(&self) -> Vec<String> {
        let fixed = self.fixed.iter().map(|(namespace, _)| (*namespace).to_owned());
        let mut all: Vec<String> = self.usings.iter().cloned().chain(fixed).collect();
        all.sort_by_key(|namespace| {
            (namespace != "System" && !namespace.starts_with("System."), namespace.clone())
        });
        all.dedup();
        all
    }

    /// Aliases for names of the framework that a type of an enclosing namespace would hide.
    pub fn aliases(&self) -> Vec<String> {
        let mut around = self.enclosing_namespaces();
        around.push(String::new());
        let mut aliases = Vec::new();
        for (namespace, names) in &self.fixed {
            for name in *names {
                let outermost = Outermost { namespace: String::new(), name: (*name).to_owned(), arity: 0 };
                if around.iter().any(|place| self.is_taken(place, &outermost)) {
                    aliases.push(format!("using {name} = {namespace}.{name};"));
                }
            }
        }
        aliases
    }

    /// The type as C# writes it; none when it cannot (compiler-made names, pointers to nothing we know).
    pub fn name(&self, ty: &str) -> Option<String> {
        self.type_name(&TypeName::parse(ty)?)
    }

    pub fn type_name(&self, ty: &TypeName) -> Option<String> {
        let mut text = match ty.nullable_of() {
            Some(inner) => format!("{}?", self.type_name(inner)?),
            None => self.without_suffixes(ty)?,
        };
        // C# writes the ranks of arrays of arrays from the outside in.
        let arrays: Vec<String> = ty
            .suffixes
            .iter()
            .rev()
            .map(|suffix| match suffix {
                Suffix::Array { rank } => Some(format!("[{}]", ",".repeat(rank - 1))),
                Suffix::Pointer | Suffix::ByRef => None,
            })
            .collect::<Option<_>>()?;
        text.push_str(&arrays.concat());
        Some(text)
    }

    /// A type of the base library by namespace and name, such as `System.BitConverter`.
    pub fn known(&self, name: &str) -> String {
        self.name(name).unwrap_or_else(|| format!("global::{name}"))
    }

    fn without_suffixes(&self, ty: &TypeName) -> Option<String> {
        if ty.namespace == "System" && ty.path.len() == 1 {
            if let Some(keyword) = keyword(ty.simple()) {
                return Some(keyword.to_owned());
            }
            if ty.is_tuple() {
                let items: Vec<String> =
                    ty.arguments.iter().map(|a| self.type_name(a)).collect::<Option<_>>()?;
                return Some(format!("({})", items.join(", ")));
            }
        }
        let mut arguments = ty.arguments.iter();
        let mut segments = Vec::new();
        for segment in &ty.path {
            let own: Vec<String> =
                arguments.by_ref().take(segment.arity).map(|a| self.type_name(a)).collect::<Option<_>>()?;
            let name = identifier::written(&segment.name)?;
            segments.push(match segment.arity {
                0 => name,
                // An open definition, as in `typeof(Box<>)`.
                arity if own.is_empty() => format!("{name}<{}>", ",".repeat(arity - 1)),
                _ => format!("{name}<{}>", own.join(", ")),
            });
        }
        Some(self.qualified(ty, segments.join(".")))
    }

    fn qualified(&self, ty: &TypeName, name: String) -> String {
        let Some(first) = ty.path.first() else { return name };
        let outermost =
            Outermost { namespace: ty.namespace.clone(), name: first.name.clone(), arity: first.arity };
        match self.decided.get(&outermost) {
            Some(Short::Yes) => name,
            Some(Short::No) if ty.namespace.is_empty() => format!("global::{name}"),
            Some(Short::No) => format!("global::{}.{name}", ty.namespace),
            None => {
                self.seen.borrow_mut().insert(outermost);
                name
            }
        }
    }

    /// Whether types of the namespace are visible without a directive.
    fn encloses(&self, namespace: &str) -> bool {
        namespace.is_empty()
            || self.namespace == namespace
            || self.namespace.strip_prefix(namespace).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Whether the simple name means this type, as the C# specification looks names up: the enclosing namespaces from
    /// the inside out, the global one, the imported ones.
    fn resolves(&self, wanted: &Outermost, imported: &BTreeSet<String>) -> bool {
        // A name that the tests use for something else: `Assert` must stay the framework's.
        if self.fixed.iter().any(|(_, names)| names.contains(&wanted.name.as_str())) {
            return false;
        }
        for namespace in self.enclosing_namespaces() {
            if namespace == wanted.namespace {
                return true;
            }
            if self.is_taken(&namespace, wanted) {
                return false;
            }
        }
        // The global namespace is looked at before the directives.
        if wanted.namespace.is_empty() {
            return true;
        }
        if self.is_taken("", wanted) {
            return false;
        }
        let brings = |namespace: &str| self.exists(namespace, wanted);
        let others = imported.iter().filter(|n| **n != wanted.namespace).any(|n| brings(n));
        let fixed =
            self.fixed.iter().any(|(namespace, _)| *namespace != wanted.namespace && brings(namespace));
        !others && !fixed
    }

    /// From the inside out, without the global one.
    fn enclosing_namespaces(&self) -> Vec<String> {
        let parts: Vec<&str> = self.namespace.split('.').filter(|part| !part.is_empty()).collect();
        (1..=parts.len()).rev().map(|n| parts.iter().take(n).copied().collect::<Vec<_>>().join(".")).collect()
    }

    fn is_taken(&self, namespace: &str, wanted: &Outermost) -> bool {
        self.exists(namespace, wanted)
            || (wanted.arity == 0 && self.surroundings.is_namespace(&join(namespace, &wanted.name)))
    }

    fn exists(&self, namespace: &str, wanted: &Outermost) -> bool {
        let name = match wanted.arity {
            0 => wanted.name.clone(),
            arity => format!("{}`{arity}", wanted.name),
        };
        self.surroundings.type_info(&join(namespace, &name)).is_some()
    }
}

fn join(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") }
}

pub fn keyword(simple: &str) -> Option<&'static str> {
    Some(match simple {
        "Boolean" => "bool",
        "Char" => "char",
        "SByte" => "sbyte",
        "Byte" => "byte",
        "Int16" => "short",
        "UInt16" => "ushort",
        "Int32" => "int",
        "UInt32" => "uint",
        "Int64" => "long",
        "UInt64" => "ulong",
        "IntPtr" => "nint",
        "UIntPtr" => "nuint",
        "Single" => "float",
        "Double" => "double",
        "Decimal" => "decimal",
        "String" => "string",
        "Object" => "object",
        "Void" => "void",
        _ => return None,
    })
}
