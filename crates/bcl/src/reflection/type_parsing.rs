//! Types by the names that reflection writes, as the values of attributes have them.

use types::{AssemblyId, TypeId, Universe};

/// The type of a name such as ``Ns.Outer+Inner`1[[System.Int32, System.Private.CoreLib]][], App``; names without an
/// assembly are looked for in `home` and in the core library.
pub(crate) fn parse(universe: &Universe, home: AssemblyId, name: &str) -> Option<TypeId> {
    let mut parser = Parser { universe, home, text: name.as_bytes(), at: 0 };
    let ty = parser.qualified(true)?;
    (parser.at == parser.text.len()).then_some(ty)
}

struct Parser<'a> {
    universe: &'a Universe,
    home: AssemblyId,
    text: &'a [u8],
    at: usize,
}

/// What stands after the name of a type.
enum Suffix {
    Arguments(Vec<TypeId>),
    Vector,
    Array(u32),
    Pointer,
    ByRef,
}

impl Parser<'_> {
    /// A type and, if it may have one, its assembly.
    fn qualified(&mut self, may_name_assembly: bool) -> Option<TypeId> {
        let name = self.name();
        let mut suffixes = Vec::new();
        while let Some(suffix) = self.suffix()? {
            suffixes.push(suffix);
        }
        let mut assembly = None;
        if may_name_assembly && self.eat(b',') {
            assembly = Some(self.assembly_name());
        }
        let mut ty = self.find(&name, assembly.as_deref())?;
        for suffix in suffixes {
            ty = match suffix {
                Suffix::Arguments(args) => self.universe.make_instance(ty, &args),
                Suffix::Vector => self.universe.make_sz_array(ty),
                Suffix::Array(rank) => self.universe.make_array(ty, rank),
                Suffix::Pointer => self.universe.make_pointer(ty),
                Suffix::ByRef => self.universe.make_byref(ty),
            }
            .ok()?;
        }
        Some(ty)
    }

    fn find(&self, name: &str, assembly: Option<&str>) -> Option<TypeId> {
        let places = match assembly {
            Some(assembly) => vec![self.universe.load_by_name(assembly).ok()??],
            None => [Some(self.home), self.universe.corelib().ok()].into_iter().flatten().collect(),
        };
        places.into_iter().find_map(|place| self.universe.find_type(place, name).ok().flatten())
    }

    fn name(&mut self) -> String {
        let mut name = Vec::new();
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'[' | b']' | b',' | b'*' | b'&' => break,
                b'\\' => {
                    self.at += 1;
                    name.extend(self.text.get(self.at));
                }
                byte => name.push(byte),
            }
            self.at += 1;
        }
        String::from_utf8_lossy(&name).trim().to_owned()
    }

    /// The simple name of an assembly; what else is said of it is passed over.
    fn assembly_name(&mut self) -> String {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|byte| *byte != b']') {
            self.at += 1;
        }
        let text = String::from_utf8_lossy(self.text.get(start..self.at).unwrap_or_default()).into_owned();
        text.split(',').next().unwrap_or_default().trim().to_owned()
    }

    /// `Some(None)` where no suffix stands, `None` if one is malformed.
    fn suffix(&mut self) -> Option<Option<Suffix>> {
        if self.eat(b'*') {
            return Some(Some(Suffix::Pointer));
        }
        if self.eat(b'&') {
            return Some(Some(Suffix::ByRef));
        }
        if !self.eat(b'[') {
            return Some(None);
        }
        if self.eat(b']') {
            return Some(Some(Suffix::Vector));
        }
        if self.eat(b'*') {
            return self.eat(b']').then_some(Some(Suffix::Array(1)));
        }
        if self.text.get(self.at) == Some(&b',') {
            let mut rank = 1;
            while self.eat(b',') {
                rank += 1;
            }
            return self.eat(b']').then_some(Some(Suffix::Array(rank)));
        }
        let mut args = Vec::new();
        loop {
            let bracketed = self.eat(b'[');
            args.push(self.qualified(bracketed)?);
            if bracketed && !self.eat(b']') {
                return None;
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.eat(b']').then_some(Some(Suffix::Arguments(args)))
    }

    fn eat(&mut self, byte: u8) -> bool {
        let eats = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(eats);
        eats
    }
}
