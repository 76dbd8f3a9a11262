//! A cursor over a piece of the file that knows where in the file it is, and never reads past its piece.

use crate::error::{Error, ErrorKind, Result};

#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    data: &'a [u8],
    pos: usize,
    /// File offset of `data[0]`.
    base: u64,
    /// What the piece is, for the message when it ends too early.
    what: &'static str,
}

impl<'a> Reader<'a> {
    pub fn new(data: &'a [u8], base: u64, what: &'static str) -> Self {
        Reader { data, pos: 0, base, what }
    }

    /// A reader of the whole file that starts at `pos`.
    pub fn at(file: &'a [u8], pos: usize, what: &'static str) -> Self {
        Reader { data: file, pos, base: 0, what }
    }

    pub fn position(&self) -> usize {
        self.pos
    }

    pub fn file_offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    pub fn remaining(&self) -> usize {
        self.data.len().saturating_sub(self.pos)
    }

    pub fn is_at_end(&self) -> bool {
        self.remaining() == 0
    }

    pub fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.file_offset())
    }

    #[inline]
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8]> {
        let end = self.pos.checked_add(len);
        match end.and_then(|end| self.data.get(self.pos..end)) {
            Some(bytes) => {
                self.pos += len;
                Ok(bytes)
            }
            None => Err(self.ends()),
        }
    }

    pub fn rest(&mut self) -> &'a [u8] {
        let rest = self.data.get(self.pos..).unwrap_or_default();
        self.pos = self.data.len();
        rest
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.data.get(self.pos..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(chunk) => {
                self.pos += N;
                Ok(*chunk)
            }
            None => Err(self.ends()),
        }
    }

    #[inline]
    pub fn u8(&mut self) -> Result<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    #[inline]
    pub fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    #[inline]
    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    #[inline]
    pub fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn guid(&mut self) -> Result<[u8; 16]> {
        self.array()
    }

    pub fn peek(&self) -> Option<u8> {
        self.data.get(self.pos).copied()
    }

    pub fn skip(&mut self, len: usize) -> Result<()> {
        self.bytes(len).map(|_| ())
    }

    /// Advances to the next multiple of four, counted from the start of the piece.
    pub fn align4(&mut self) {
        self.pos = self.pos.saturating_add(3) & !3;
    }

    /// ECMA-335 II.23.2: an unsigned integer of one, two or four bytes.
    #[inline]
    pub fn compressed_u32(&mut self) -> Result<u32> {
        self.compressed().map(|(value, _)| value)
    }

    /// ECMA-335 II.23.2: a signed integer, rotated left by one so that the sign is the lowest bit.
    pub fn compressed_i32(&mut self) -> Result<i32> {
        let (value, bits) = self.compressed()?;
        let magnitude = (value >> 1) as i32;
        Ok(if value & 1 == 0 { magnitude } else { magnitude - (1 << (bits - 1)) })
    }

    /// The value and how many bits its form has room for (7, 14 or 29).
    #[inline]
    fn compressed(&mut self) -> Result<(u32, u32)> {
        let first = u32::from(self.u8()?);
        if first & 0x80 == 0 {
            return Ok((first, 7));
        }
        if first & 0x40 == 0 {
            return Ok(((first & 0x3f) << 8 | u32::from(self.u8()?), 14));
        }
        if first & 0x20 == 0 {
            let [a, b, c] = self.array()?.map(u32::from);
            return Ok(((first & 0x1f) << 24 | a << 16 | b << 8 | c, 29));
        }
        self.pos -= 1;
        Err(self.error(ErrorKind::BadMetadata("a compressed integer begins with 0b111")))
    }

    #[cold]
    fn ends(&self) -> Error {
        // A piece that starts at offset 0 is the whole file.
        let kind = if self.base == 0 {
            ErrorKind::Truncated { what: self.what }
        } else {
            ErrorKind::OutOfStream { what: self.what }
        };
        Error::new(kind, self.base + self.data.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of ECMA-335 II.23.2.
    #[test]
    fn compressed_integers_of_the_standard() {
        let unsigned: &[(&[u8], u32)] = &[
            (&[0x03], 0x03),
            (&[0x7f], 0x7f),
            (&[0x80, 0x80], 0x80),
            (&[0xae, 0x57], 0x2e57),
            (&[0xbf, 0xff], 0x3fff),
            (&[0xc0, 0x00, 0x40, 0x00], 0x4000),
            (&[0xdf, 0xff, 0xff, 0xff], 0x1fff_ffff),
        ];
        for (bytes, value) in unsigned {
            assert_eq!(Reader::new(bytes, 1, "test").compressed_u32().unwrap(), *value);
        }
        let signed: &[(&[u8], i32)] = &[
            (&[0x06], 3),
            (&[0x7b], -3),
            (&[0x80, 0x80], 64),
            (&[0x01], -64),
            (&[0xc0, 0x00, 0x40, 0x00], 8192),
            (&[0x80, 0x01], -8192),
            (&[0xdf, 0xff, 0xff, 0xfe], 268_435_455),
            (&[0xc0, 0x00, 0x00, 0x01], -268_435_456),
        ];
        for (bytes, value) in signed {
            assert_eq!(Reader::new(bytes, 1, "test").compressed_i32().unwrap(), *value);
        }
    }

    #[test]
    fn the_end_is_an_error_with_a_place() {
        let error = Reader::new(&[0x80], 0x100, "a thing").compressed_u32().unwrap_err();
        assert_eq!(error.offset(), 0x101);
        assert!(Reader::new(&[0xff; 4], 1, "a thing").compressed_u32().is_err());
    }
}
