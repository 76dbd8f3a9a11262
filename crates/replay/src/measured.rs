//! What the real runtime went through: replay of an instrumented copy.
//!
//! The process allocates a byte per probe and says where; the copy is made for that address, so each process has its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use instrument::{Instrumented, Probe};

/// What is to be recorded of an assembly, in the order of the numbers that [`Hits`] has.
#[derive(Clone, Debug)]
pub struct Probes {
    module: Arc<cil::Module>,
    probes: Arc<[Probe]>,
}

impl Probes {
    pub fn new(module: Arc<cil::Module>, probes: Vec<Probe>) -> Probes {
        Probes { module, probes: probes.into() }
    }

    pub fn len(&self) -> usize {
        self.probes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.probes.is_empty()
    }

    /// Writes the copy for a block of memory at `base` into the folder.
    pub(crate) fn write_copy(&self, base: u64, folder: &Path) -> Result<Copy, String> {
        let made = instrument::instrument(&self.module, &self.probes, base).map_err(|e| e.to_string())?;
        let path = folder.join(format!("{base:x}"));
        let file = path.join("copy.dll");
        fs::create_dir_all(&path).and_then(|()| fs::write(&file, &made.image)).map_err(|e| e.to_string())?;
        Ok(Copy { file, made })
    }
}

/// The copy that a process has loaded.
pub(crate) struct Copy {
    pub file: PathBuf,
    made: Instrumented,
}

impl Copy {
    /// The offset in the original of an offset in the copy.
    pub fn original_offset(&self, token: u32, offset: u32) -> u32 {
        match cil::MethodDefId::from_token(cil::Token::from_raw(token)) {
            Some(method) => self.made.original_offset(method, offset),
            None => offset,
        }
    }
}

/// The numbers of the probes that a case has hit, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits(pub Vec<u32>);

impl Hits {
    /// Differences in base 36, as the host writes them.
    pub(crate) fn parse(text: &str) -> Option<Hits> {
        let mut last = 0u32;
        let mut hits = Vec::new();
        for part in text.split_ascii_whitespace() {
            last = last.checked_add(u32::from_str_radix(part, 36).ok()?)?;
            hits.push(last);
        }
        Some(Hits(hits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_add_up() {
        assert_eq!(Hits::parse("0 1 z 10"), Some(Hits(vec![0, 1, 36, 72])));
        assert_eq!(Hits::parse(""), Some(Hits::default()));
        assert_eq!(Hits::parse("!"), None);
    }
}
