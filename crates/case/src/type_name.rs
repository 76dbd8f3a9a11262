//! Type names in reflection style (``Ns.Outer`1+Inner[System.Int32][]``) taken apart.

use std::fmt;

/// A type as a case names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeName {
    /// Empty for the global namespace.
    pub namespace: String,
    /// Outermost type first, each with its own number of type parameters.
    pub path: Vec<Segment>,
    /// All type arguments, those of enclosing types first; empty for an open definition.
    pub arguments: Vec<TypeName>,
    /// What is built on the type, innermost first.
    pub suffixes: Vec<Suffix>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment {
    pub name: String,
    pub arity: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suffix {
    Array { rank: usize },
    Pointer,
    ByRef,
}

impl TypeName {
    pub fn parse(text: &str) -> Option<TypeName> {
        let mut rest = text;
        let name = parse(&mut rest, 0)?;
        rest.is_empty().then_some(name)
    }

    /// The definition without arguments and suffixes: `Ns.Outer`1+Inner`.
    pub fn definition(&self) -> String {
        let path: Vec<String> = self.path.iter().map(Segment::metadata_name).collect();
        let path = path.join("+");
        if self.namespace.is_empty() { path } else { format!("{}.{path}", self.namespace) }
    }

    /// The name of the type itself, without namespace and enclosing types.
    pub fn simple(&self) -> &str {
        self.path.last().map_or("", |segment| segment.name.as_str())
    }

    pub fn is_plain(&self) -> bool {
        self.suffixes.is_empty()
    }

    /// `T` of `Nullable<T>`.
    pub fn nullable_of(&self) -> Option<&TypeName> {
        let is_one = self.is_plain() && self.definition() == "System.Nullable`1";
        if is_one { self.arguments.first() } else { None }
    }

    /// Whether it can be written `(A, B)`.
    pub fn is_tuple(&self) -> bool {
        self.is_plain()
            && self.namespace == "System"
            && self.path.len() == 1
            && self.simple() == "ValueTuple"
            && (2..=7).contains(&self.arguments.len())
    }
}

/// As it is written in a case.
impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.definition())?;
        if !self.arguments.is_empty() {
            let arguments: Vec<String> = self.arguments.iter().map(ToString::to_string).collect();
            write!(f, "[{}]", arguments.join(","))?;
        }
        for suffix in &self.suffixes {
            match suffix {
                Suffix::Array { rank } => write!(f, "[{}]", ",".repeat(rank - 1))?,
                Suffix::Pointer => write!(f, "*")?,
                Suffix::ByRef => write!(f, "&")?,
            }
        }
        Ok(())
    }
}

impl Segment {
    fn metadata_name(&self) -> String {
        match self.arity {
            0 => self.name.clone(),
            arity => format!("{}`{arity}", self.name),
        }
    }
}

/// Names come from files: deeper ones than this are refused.
const MAX_DEPTH: usize = 64;

fn parse(rest: &mut &str, depth: usize) -> Option<TypeName> {
    if depth > MAX_DEPTH {
        return None;
    }
    let end = rest.find(['[', ']', ',', '&', '*']).unwrap_or(rest.len());
    let (head, tail) = rest.split_at(end);
    *rest = tail;
    let (namespace, path) = split_head(head.trim())?;
    let wanted: usize = path.iter().map(|segment| segment.arity).sum();
    let mut arguments = Vec::new();
    // `[` opens arguments when something stands in it, and an array otherwise.
    if wanted > 0 && rest.starts_with('[') && !rest.starts_with("[]") && !rest.starts_with("[,") {
        loop {
            *rest = rest.get(1..)?;
            arguments.push(parse(rest, depth + 1)?);
            if !rest.starts_with(',') {
                break;
            }
        }
        *rest = rest.strip_prefix(']')?;
        if arguments.len() != wanted {
            return None;
        }
    }
    Some(TypeName { namespace, path, arguments, suffixes: suffixes(rest)? })
}

fn split_head(head: &str) -> Option<(String, Vec<Segment>)> {
    let mut parts = head.split('+');
    let first = parts.next()?;
    let (namespace, outermost) = first.rsplit_once('.').unwrap_or(("", first));
    let path: Vec<Segment> = std::iter::once(outermost).chain(parts).map(segment).collect::<Option<_>>()?;
    Some((namespace.to_owned(), path))
}

fn segment(text: &str) -> Option<Segment> {
    let (name, arity) = match text.rsplit_once('`') {
        Some((name, arity)) => (name, arity.parse().ok().filter(|arity| *arity < 256)?),
        None => (text, 0),
    };
    (!name.is_empty()).then(|| Segment { name: name.to_owned(), arity })
}

fn suffixes(rest: &mut &str) -> Option<Vec<Suffix>> {
    let mut found = Vec::new();
    loop {
        if let Some(tail) = rest.strip_prefix('&') {
            found.push(Suffix::ByRef);
            *rest = tail;
        } else if let Some(tail) = rest.strip_prefix('*') {
            found.push(Suffix::Pointer);
            *rest = tail;
        } else if let Some(tail) = rest.strip_prefix('[') {
            let (inside, tail) = tail.split_once(']')?;
            let rank = match inside {
                "*" => 1,
                commas if commas.bytes().all(|b| b == b',') => commas.len() + 1,
                _ => return None,
            };
            found.push(Suffix::Array { rank });
            *rest = tail;
        } else {
            return Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let name = TypeName::parse("A.B.Outer`1+In`2[System.Int32,C.D[],E`1[F]][,]&").unwrap();
        assert_eq!(name.namespace, "A.B");
        assert_eq!(name.definition(), "A.B.Outer`1+In`2");
        assert_eq!(name.simple(), "In");
        assert_eq!(name.arguments.len(), 3);
        assert_eq!(name.arguments[1].suffixes, [Suffix::Array { rank: 1 }]);
        assert_eq!(name.arguments[2].arguments[0].definition(), "F");
        assert_eq!(name.suffixes, [Suffix::Array { rank: 2 }, Suffix::ByRef]);
        let open = TypeName::parse("Box`1[]").unwrap();
        assert_eq!((open.arguments.len(), open.suffixes.len()), (0, 1));
        assert!(TypeName::parse("System.Nullable`1[System.Int32]").unwrap().nullable_of().is_some());
        assert!(TypeName::parse("System.ValueTuple`2[A,B]").unwrap().is_tuple());
    }

    #[test]
    fn nonsense_is_refused() {
        let deep = "A`1[".repeat(100_000);
        for text in ["", "A`1[B", "A`2[B]", "A[B]", "A]", "A,B", "A`x", ".", "+", deep.as_str()] {
            assert_eq!(TypeName::parse(text), None, "{}", &text[..text.len().min(20)]);
        }
    }
}
