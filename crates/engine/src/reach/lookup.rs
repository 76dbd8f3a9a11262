//! From a location as written to places in the code, or to a sentence with the nearest ones.

use std::collections::BTreeSet;

use cil::{MethodDefId, Module, Pdb, Token};

use super::location::Location;
use crate::error::Error;
use crate::subject::nearest::nearest;
use crate::subject::select;
use crate::subject::target::Target;

/// A location that is there.
#[derive(Clone, Debug)]
pub struct Question {
    /// As it was asked for.
    pub text: String,
    pub asked: Asked,
}

#[derive(Clone, Debug)]
pub enum Asked {
    /// One of these instructions is executed.
    Instructions(BTreeSet<Spot>),
    /// An exception of this type leaves one of these methods, by their tokens.
    Exception { name: String, methods: BTreeSet<u32> },
}

/// An instruction: the token of its method and its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub method: u32,
    pub offset: u32,
}

/// What is looked at to find a location.
pub struct Lookup<'a> {
    pub assembly: &'a str,
    pub module: &'a Module,
    pub pdb: Option<&'a Pdb>,
    pub targets: &'a [Target],
}

impl Lookup<'_> {
    pub fn find(&self, text: &str) -> Result<Question, Error> {
        let asked = match Location::parse(text)? {
            Location::Line { file, line } => Asked::Instructions(self.line(&file, line)?),
            Location::Instruction { method, offset } => self.instruction(&method, offset)?,
            Location::Method(name) => {
                let methods = self.methods(&name)?;
                Asked::Instructions(methods.iter().map(|t| Spot { method: t.token, offset: 0 }).collect())
            }
            Location::Exception { name, method } => {
                let methods = self.methods(&method)?.iter().map(|target| target.token).collect();
                Asked::Exception { name, methods }
            }
        };
        Ok(Question { text: text.to_owned(), asked })
    }

    fn methods(&self, name: &str) -> Result<Vec<&Target>, Error> {
        let found: Vec<&Target> = self.targets.iter().filter(|t| select::is_method(t, name)).collect();
        if found.is_empty() {
            let nearest = nearest(name, self.targets.iter().map(|target| target.id.as_str()));
            return Err(self.missing("method", name, nearest));
        }
        Ok(found)
    }

    fn instruction(&self, name: &str, offset: u32) -> Result<Asked, Error> {
        let methods = self.methods(name)?;
        let [target] = methods[..] else {
            let ids: Vec<&str> = methods.iter().take(3).map(|target| target.id.as_str()).collect();
            return Err(Error::Other(format!(
                "`{name}` means several methods of {}: give one of them as {}",
                self.assembly,
                ids.join(" or ")
            )));
        };
        let offsets = self.offsets(target.token);
        if offsets.binary_search(&offset).is_err() {
            let near = around(&offsets, offset).into_iter().map(report::place).collect();
            let name = format!("{}@{}", target.id, report::place(offset));
            return Err(self.missing("instruction", &name, near));
        }
        Ok(Asked::Instructions(BTreeSet::from([Spot { method: target.token, offset }])))
    }

    /// Offsets of the instructions of a method, sorted.
    fn offsets(&self, token: u32) -> Vec<u32> {
        let Some(def) = MethodDefId::from_token(Token::from_raw(token)) else { return Vec::new() };
        let Ok(Some(body)) = self.module.method_body(def) else { return Vec::new() };
        body.instructions().map_while(Result::ok).map(|instruction| instruction.offset).collect()
    }

    /// The instructions at which something on a line begins; if nothing does, those of what goes over it.
    fn line(&self, file: &str, line: u32) -> Result<BTreeSet<Spot>, Error> {
        let Some(pdb) = self.pdb else {
            return Err(Error::Other(format!(
                "{} has no symbols (a portable PDB beside or inside of it), so {file}:{line} cannot be found; give Type.Method@IL_002a",
                self.assembly
            )));
        };
        let mut files = BTreeSet::new();
        let (mut starting, mut around_it, mut lines) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for def in self.module.method_defs() {
            for point in pdb.sequence_points(def).unwrap_or_default() {
                let Some(span) = point.span else { continue };
                let Ok(document) = pdb.document_name(point.document) else { continue };
                let is_meant = is_file(&document, file);
                files.insert(document);
                if !is_meant {
                    continue;
                }
                lines.insert(span.start_line);
                let spot = Spot { method: def.token().raw(), offset: point.il_offset };
                if span.start_line == line {
                    starting.insert(spot);
                } else if (span.start_line..=span.end_line).contains(&line) {
                    around_it.insert(spot);
                }
            }
        }
        if lines.is_empty() {
            let name = |path: &String| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
            let names: BTreeSet<String> = files.iter().map(name).collect();
            let nearest = nearest(file, names.iter().map(String::as_str));
            return Err(self.missing("source file", file, nearest));
        }
        let spots = if starting.is_empty() { around_it } else { starting };
        if spots.is_empty() {
            let lines: Vec<u32> = lines.into_iter().collect();
            let near = around(&lines, line).into_iter().map(|line| format!("{file}:{line}")).collect();
            return Err(self.missing("code at", &format!("{file}:{line}"), near));
        }
        Ok(spots)
    }

    fn missing(&self, what: &'static str, name: &str, nearest: Vec<String>) -> Error {
        Error::NotFound { what, name: name.to_owned(), assembly: self.assembly.to_owned(), nearest }
    }
}

/// Whether a document of the symbols is the file that is meant, by whole parts of its path from the end.
fn is_file(document: &str, wanted: &str) -> bool {
    let parts = |path: &str| path.replace('\\', "/").to_lowercase();
    let (document, wanted) = (parts(document), parts(wanted));
    let wanted = wanted.trim_start_matches("./");
    document.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The numbers before and after one that is not among them.
fn around(sorted: &[u32], wanted: u32) -> Vec<u32> {
    let at = sorted.partition_point(|known| *known < wanted);
    let before = at.checked_sub(1).and_then(|at| sorted.get(at));
    before.into_iter().chain(sorted.get(at)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_by_the_end_of_their_path() {
        assert!(is_file("/_/src/Cart.cs", "Cart.cs") && is_file("C:\\src\\Cart.cs", "src/cart.cs"));
        assert!(!is_file("/_/src/MyCart.cs", "Cart.cs"));
    }

    #[test]
    fn neighbours() {
        assert_eq!(around(&[2, 5, 9], 6), [5, 9]);
        assert_eq!(around(&[2, 5, 9], 1), [2]);
        assert_eq!(around(&[2, 5, 9], 10), [9]);
    }
}
