//! A question as its frame: a length, the number of an entry, arguments. What follows the length is also the key under
//! which the answer is kept.

use crate::Entry;

#[derive(Clone, Debug)]
pub struct Question {
    entry: Entry,
    frame: Vec<u8>,
}

impl Question {
    pub fn new(entry: Entry) -> Question {
        let mut frame = Vec::with_capacity(64);
        frame.extend([0, 0, 0, 0, entry as u8]);
        Question { entry, frame }
    }

    pub fn number(mut self, value: i32) -> Question {
        self.frame.extend(value.to_le_bytes());
        self
    }

    pub fn text(self, units: &[u16]) -> Question {
        let mut question = self.number(i32::try_from(units.len()).unwrap_or(i32::MAX));
        question.frame.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
        question
    }

    /// The name of a locale where its native form is UTF-8.
    pub fn name(self, name: &str) -> Question {
        let units: Vec<u16> = name.encode_utf16().collect();
        self.text(&units)
    }

    pub fn text_or_null(self, units: Option<&[u16]>) -> Question {
        match units {
            Some(units) => self.text(units),
            None => self.number(-1),
        }
    }

    pub fn entry(&self) -> Entry {
        self.entry
    }

    /// What the answer depends on.
    pub fn key(&self) -> &[u8] {
        self.frame.get(4..).unwrap_or_default()
    }

    /// What is sent.
    pub fn into_frame(mut self) -> Vec<u8> {
        let length = u32::try_from(self.key().len()).unwrap_or(u32::MAX);
        for (byte, value) in self.frame.iter_mut().zip(length.to_le_bytes()) {
            *byte = value;
        }
        self.frame
    }
}
