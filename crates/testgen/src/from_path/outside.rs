//! Inputs that no parameter passes, as far as the path has asked for them.

use std::rc::Rc;

use case::{ObjectKind, Outside, Text, Value, Variable};
use verdict::Gap;
use vm::inputs::outside::{self, AskedVariables, StandardInput};

use crate::from_path::Writer;

const LINE_END: u16 = b'\n' as u16;

impl Writer<'_> {
    pub(super) fn outside_inputs(&mut self) -> Result<Outside, Gap> {
        let mut found = Outside::default();
        for name in &self.state.attached.get::<AskedVariables>().0 {
            if let Some(value) = self.outside_value(&outside::Outside::Variable(Rc::clone(name)))? {
                found.environment.push(Variable { name: name.to_string(), value });
            }
        }
        let lines = self.state.attached.get::<StandardInput>().lines;
        if lines > 0 {
            found.console = Some(self.standard_input(lines)?);
        }
        Ok(found)
    }

    fn outside_value(&mut self, what: &outside::Outside) -> Result<Option<Value>, Gap> {
        let known = self.machine.inputs.outside.iter().find(|(known, _)| known == what);
        known.map(|(_, input)| self.input(input)).transpose()
    }

    /// The lines that were read as one text.
    fn standard_input(&mut self, lines: u32) -> Result<Value, Gap> {
        let mut text = Vec::new();
        for number in 0..lines {
            let Some(Value::Object(id)) = self.outside_value(&outside::Outside::Line(number))? else { break };
            let object = self.objects.iter().find(|object| object.id == id);
            if let Some(ObjectKind::String(Text(units))) = object.map(|object| &object.kind) {
                text.extend(units);
            }
            text.push(LINE_END);
        }
        Ok(self.new_object(ObjectKind::String(Text(text))))
    }
}
