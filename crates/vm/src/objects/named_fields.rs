//! Fields of the class library's objects by their names, and the text of its strings.

use crate::machine::{Machine, Step, give_up, unsupported};
use crate::state::State;
use crate::value::{Repr, Value};

impl Machine {
    /// A field of an object by its name; the object's own class or one of its bases declares it.
    pub fn field_place(&self, s: &State, object: u64, name: &str) -> Step<u64> {
        let mut class = Some(self.object_type(s, object)?);
        while let Some(ty) = class {
            let found = self
                .universe
                .find_field(ty, name)
                .and_then(|field| field.map(|field| self.universe.field_offset(field)).transpose());
            match found {
                Ok(Some(offset)) => return Ok(object + u64::from(offset)),
                Ok(None) => class = self.universe.base(ty).map_err(|error| give_up(s, error.into()))?,
                Err(error) => return Err(give_up(s, error.into())),
            }
        }
        Err(unsupported(s, &format!("an object without the field {name}")))
    }

    pub fn load_field(&mut self, s: &State, object: u64, name: &str, repr: Repr) -> Step<Value> {
        let place = self.field_place(s, object, name)?;
        self.load(s, place, repr)
    }

    pub fn store_field(
        &mut self,
        s: &mut State,
        object: u64,
        name: &str,
        repr: Repr,
        value: Value,
    ) -> Step<()> {
        let place = self.field_place(s, object, name)?;
        self.store(s, place, repr, value)
    }

    /// The text of a string object.
    pub fn string_at(&mut self, s: &State, address: u64) -> Step<String> {
        let Value::I32(len) = self.load(s, address, Repr::I4)? else {
            return Err(unsupported(s, "a string of symbolic length"));
        };
        let bytes = self.load_bytes(s, address + 4, 2 * len.max(0) as usize)?;
        let Some(bytes) = bytes.concrete() else { return Err(unsupported(s, "symbolic text")) };
        let units: Vec<u16> =
            bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        Ok(String::from_utf16_lossy(&units))
    }
}
