//! Strings and arrays made by the runtime, and zero-terminated text in native memory.

use types::TypeId;

use crate::bytes::Bytes;
use crate::machine::{Machine, Step, unsupported};
use crate::ops::ELEMENTS;
use crate::state::State;
use crate::value::{Repr, Value};

impl Machine {
    pub fn object_array(&mut self, s: &mut State, class: TypeId, objects: &[u64]) -> Step<u64> {
        let Some(array) = self.allocate_array(s, class, objects.len() as u64)? else {
            return Err(unsupported(s, "so many objects"));
        };
        for (i, object) in objects.iter().enumerate() {
            let place = array + u64::from(ELEMENTS) + 8 * i as u64;
            self.store(s, place, Repr::Ref, Value::address(*object))?;
        }
        Ok(array)
    }

    /// A string object of this text.
    pub fn string(&mut self, s: &mut State, text: &str) -> Step<u64> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.allocate_string(s, &units)
    }

    /// A zero-terminated name, as metadata keeps them.
    pub fn utf8(&mut self, s: &mut State, text: &str) -> u64 {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.runtime_data(s, bytes)
    }

    /// A zero-terminated name in native memory.
    pub fn utf8_at(&mut self, s: &State, address: u64) -> Step<String> {
        let bytes: Vec<u8> =
            self.units_at(s, address, Repr::U1)?.into_iter().map(|unit| unit as u8).collect();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn utf16_at(&mut self, s: &State, address: u64) -> Step<String> {
        Ok(String::from_utf16_lossy(&self.units_at(s, address, Repr::U2)?))
    }

    fn units_at(&mut self, s: &State, mut address: u64, repr: Repr) -> Step<Vec<u16>> {
        let mut units = Vec::new();
        loop {
            match self.load(s, address, repr)? {
                Value::I32(0) => return Ok(units),
                Value::I32(unit) => units.push(unit as u16),
                _ => return Err(unsupported(s, "symbolic text")),
            }
            address += u64::from(repr.size());
        }
    }

    /// Bytes up to a zero.
    pub fn c_string(&mut self, s: &State, address: u64) -> Step<String> {
        let mut bytes = Vec::new();
        loop {
            match self.load(s, address + bytes.len() as u64, Repr::U1)? {
                Value::I32(0) => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
                Value::I32(byte) => bytes.push(byte as u8),
                _ => return Err(unsupported(s, "a symbolic path")),
            }
        }
    }

    /// UTF-16 up to a zero.
    pub fn wide_string(&mut self, s: &State, address: u64) -> Step<String> {
        let mut units = Vec::new();
        loop {
            match self.load(s, address + 2 * units.len() as u64, Repr::U2)? {
                Value::I32(0) => return Ok(String::from_utf16_lossy(&units)),
                Value::I32(unit) => units.push(unit as u16),
                _ => return Err(unsupported(s, "a symbolic name")),
            }
        }
    }

    /// Whether the text and its zero fit; otherwise as much as does.
    pub fn write_c_string(&mut self, s: &mut State, to: u64, size: usize, text: &str) -> Step<bool> {
        let fits = text.len() < size;
        let mut bytes: Vec<u8> = text.bytes().take(size.saturating_sub(1)).collect();
        bytes.push(0);
        if size > 0 {
            self.store_bytes(s, to, &Bytes::from_vec(bytes))?;
        }
        Ok(fits)
    }

    /// Memory of its own with the text and its zero.
    pub fn new_c_string(&mut self, s: &mut State, text: &str) -> u64 {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.runtime_data(s, bytes)
    }
}
