//! Keys: digests of everything that an answer depends on.

use std::fmt;

use sha2::{Digest, Sha256};

/// A digest, by which an entry is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub(crate) [u8; 32]);

impl Key {
    pub fn of(bytes: &[u8]) -> Key {
        Key(Sha256::digest(bytes).into())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Makes a key of several parts. Each has its name and length in the digest, so parts never run into each other.
#[derive(Clone, Default)]
pub struct Digesting(Sha256);

impl Digesting {
    pub fn new() -> Digesting {
        Digesting::default()
    }

    pub fn part(&mut self, name: &str, bytes: impl AsRef<[u8]>) -> &mut Digesting {
        for field in [name.as_bytes(), bytes.as_ref()] {
            self.0.update((field.len() as u64).to_le_bytes());
            self.0.update(field);
        }
        self
    }

    pub fn number(&mut self, name: &str, number: u64) -> &mut Digesting {
        self.part(name, number.to_le_bytes())
    }

    pub fn key(&self) -> Key {
        Key(self.0.clone().finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        let one = Digesting::new().part("a", "bc").part("d", "").key();
        let other = Digesting::new().part("a", "b").part("cd", "").key();
        assert_ne!(one, other);
        assert_eq!(one, Digesting::new().part("a", "bc").part("d", "").key());
        assert_eq!(one.to_string().len(), 64);
    }
}
