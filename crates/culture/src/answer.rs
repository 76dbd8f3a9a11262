//! An answer's bytes, read in order. The host is ours, but it runs on a runtime that we do not know: nothing is
//! taken for granted.

use crate::{Entry, Error};

/// What a function returned and wrote into its caller's buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// A length, a code or a truth, as the entry has it.
    pub returned: i32,
    pub units: Vec<u16>,
}

/// Where something was found, or whether.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// An index (-1: nowhere), or 1 and 0.
    pub returned: i32,
    /// The units that matched. None: the function did not tell.
    pub matched: Option<i32>,
}

pub struct Answer<'a> {
    entry: Entry,
    bytes: &'a [u8],
}

impl<'a> Answer<'a> {
    /// Takes the status off.
    pub fn read(entry: Entry, bytes: &'a [u8]) -> Result<Answer<'a>, Error> {
        let (&status, bytes) = bytes.split_first().ok_or_else(|| short(entry))?;
        let mut answer = Answer { entry, bytes };
        match status {
            0 => Ok(answer),
            1 => Err(Error::NotThere(entry)),
            2 => Err(Error::Refused { entry, why: String::from_utf16_lossy(&answer.units()?) }),
            other => Err(Error::Protocol(format!("{entry} has the status {other}"))),
        }
    }

    pub fn number(&mut self) -> Result<i32, Error> {
        let (bytes, rest) = self.bytes.split_first_chunk::<4>().ok_or_else(|| short(self.entry))?;
        self.bytes = rest;
        Ok(i32::from_le_bytes(*bytes))
    }

    pub fn units(&mut self) -> Result<Vec<u16>, Error> {
        let bytes = self.counted(2)?;
        Ok(bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect())
    }

    pub fn bytes(&mut self) -> Result<Vec<u8>, Error> {
        Ok(self.counted(1)?.to_vec())
    }

    pub fn written(&mut self) -> Result<Written, Error> {
        Ok(Written { returned: self.number()?, units: self.units()? })
    }

    pub fn found(&mut self) -> Result<Found, Error> {
        let (returned, matched) = (self.number()?, self.number()?);
        Ok(Found { returned, matched: (matched >= 0).then_some(matched) })
    }

    pub fn texts(&mut self) -> Result<Vec<Vec<u16>>, Error> {
        let count = self.number()?;
        (0..count).map(|_| self.units()).collect()
    }

    fn counted(&mut self, size: usize) -> Result<&'a [u8], Error> {
        let count = usize::try_from(self.number()?).map_err(|_| short(self.entry))?;
        let length = count.checked_mul(size).ok_or_else(|| short(self.entry))?;
        let (bytes, rest) = self.bytes.split_at_checked(length).ok_or_else(|| short(self.entry))?;
        self.bytes = rest;
        Ok(bytes)
    }
}

fn short(entry: Entry) -> Error {
    Error::Protocol(format!("the answer to {entry} is too short"))
}
