//! Metadata tokens: a table and a row in one number, as instructions and signatures carry them.

use std::fmt;

use crate::schema::TableId;

/// The table number in the top byte, the 1-based row below it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(u32);

/// The pseudo table number of tokens that name a string of the `#US` heap (operand of `ldstr`).
const USER_STRING: u8 = 0x70;
const ROW_MASK: u32 = 0x00ff_ffff;

impl Token {
    /// `row` is taken modulo 2^24, as the format has no room for more.
    pub const fn new(table: TableId, row: u32) -> Token {
        Token((table as u32) << 24 | row & ROW_MASK)
    }

    pub const fn from_raw(raw: u32) -> Token {
        Token(raw)
    }

    pub const fn user_string(offset: u32) -> Token {
        Token((USER_STRING as u32) << 24 | offset & ROW_MASK)
    }

    pub const fn raw(self) -> u32 {
        self.0
    }

    /// The table; `None` for user strings and for numbers that name no table.
    pub const fn table(self) -> Option<TableId> {
        TableId::from_number((self.0 >> 24) as u8)
    }

    /// The 1-based row; 0 is the null token of its table.
    pub const fn row(self) -> u32 {
        self.0 & ROW_MASK
    }

    pub const fn is_null(self) -> bool {
        self.row() == 0
    }

    /// The offset in the `#US` heap, if this is the token of a user string.
    pub const fn user_string_offset(self) -> Option<u32> {
        if self.0 >> 24 == USER_STRING as u32 { Some(self.row()) } else { None }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08x}", self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.table() {
            Some(table) => write!(f, "{table:?}[{}]", self.row()),
            None => fmt::Display::fmt(self, f),
        }
    }
}
