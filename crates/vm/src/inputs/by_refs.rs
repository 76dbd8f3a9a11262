//! By-ref inputs that are the same location: each managed pointer may point to where another input lives.

use types::TypeId;

use crate::heap::BlockKind;
use crate::inputs::contents::Contents;
use crate::inputs::{Input, input_type};
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use verdict::Gap;

/// More ways for by-ref inputs to coincide than this are not tried.
const MAX_ALIASED_STARTS: usize = 32;

impl Machine {
    /// The arguments as made, and their variants in which a managed pointer is another input's location or a field of it.
    pub(crate) fn aliased_arguments(
        &mut self,
        s: &State,
        arguments: Vec<Value>,
    ) -> Result<Vec<Vec<Value>>, Gap> {
        let inputs: Vec<Input> = self.inputs.this.iter().chain(&self.inputs.arguments).cloned().collect();
        let mut variants = vec![arguments];
        for (index, input) in inputs.iter().enumerate() {
            let Input::ByRef { target, .. } = input else { continue };
            let mut places = Vec::new();
            for (other, owner) in inputs.iter().enumerate().filter(|(other, _)| *other != index) {
                // Of two locations of one type, only the later one is moved onto the earlier.
                let same =
                    matches!(owner, Input::ByRef { target: t, .. } if input_type(t) == input_type(target));
                if !same || other < index {
                    self.places_inside(s, owner, input_type(target), &mut places)?;
                }
            }
            let apart = variants.clone();
            for place in places {
                variants.extend(apart.iter().map(|arguments| {
                    let mut moved = arguments.clone();
                    moved[index] = Value::address(place);
                    moved
                }));
            }
            if variants.len() > MAX_ALIASED_STARTS {
                variants.truncate(1);
                let detail = "by-ref arguments that point to the same place are not explored: too many ways";
                self.inputs.limits.push(Gap::bound(detail));
                break;
            }
        }
        Ok(variants)
    }

    /// Addresses of locations of a type in an input that lives in memory.
    fn places_inside(
        &self,
        s: &State,
        input: &Input,
        wanted: TypeId,
        places: &mut Vec<u64>,
    ) -> Result<(), Gap> {
        match input {
            Input::ByRef { block, target } => self.fields_inside(block.address(), target, wanted, places),
            Input::Reference { symbol, .. } => {
                let Some(Some(block)) = s.path.origins.resolution(*symbol) else { return Ok(()) };
                let Some(BlockKind::Object(exact) | BlockKind::Open(exact)) =
                    s.heap.get(block).map(|b| b.kind)
                else {
                    return Ok(());
                };
                let Some(contents) = self.inputs.contents_of(*symbol, exact) else { return Ok(()) };
                let Contents::Fields { fields, .. } = &**contents else { return Ok(()) };
                for (field, part) in fields {
                    let address = block.address() + u64::from(self.universe.field_offset(*field)?);
                    self.fields_inside(address, part, wanted, places)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn fields_inside(
        &self,
        address: u64,
        input: &Input,
        wanted: TypeId,
        places: &mut Vec<u64>,
    ) -> Result<(), Gap> {
        if input_type(input) == wanted {
            places.push(address);
        }
        if let Input::Struct { fields, .. } = input {
            for (field, part) in fields {
                let offset = u64::from(self.universe.field_offset(*field)?);
                self.fields_inside(address + offset, part, wanted, places)?;
            }
        }
        Ok(())
    }
}
