//! The bytes of an entry: a line that says what follows, and the content, deflated.
//!
//! ```text
//! cilantro entry 1 <SHA-256 of the content> <its length>
//! ```

use crate::key::Key;

const HEAD: &str = "cilantro entry 1";
/// Contents are text with much repetition: little effort is enough.
const LEVEL: u8 = 3;
/// A length beyond this is damage, and not worth the memory.
const LARGEST: usize = 1 << 30;

pub fn encode(content: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{HEAD} {} {}\n", Key::of(content), content.len()).into_bytes();
    bytes.extend(miniz_oxide::deflate::compress_to_vec(content, LEVEL));
    bytes
}

/// The content, if every bit of it is as it was written.
pub fn decode(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = (bytes.get(..end)?, bytes.get(end + 1..)?);
    let mut words = std::str::from_utf8(line).ok()?.strip_prefix(HEAD)?.split_whitespace();
    let (checksum, length) = (words.next()?, words.next()?.parse::<usize>().ok()?);
    if length > LARGEST {
        return None;
    }
    let content = miniz_oxide::inflate::decompress_to_vec_with_limit(rest, length).ok()?;
    (content.len() == length && Key::of(&content).to_string() == checksum).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_damage_is_noticed() {
        let content: Vec<u8> = (0..2000u32).flat_map(|n| (n / 7).to_le_bytes()).collect();
        let whole = encode(&content);
        assert_eq!(decode(&whole).as_deref(), Some(content.as_slice()));
        for at in 0..whole.len() {
            assert_ne!(decode(&whole[..at]).as_deref(), Some(content.as_slice()), "cut at {at}");
            let mut changed = whole.clone();
            changed[at] ^= 0x11;
            // What is after the end of the stream, or a bit that nobody reads, may change: the content may not.
            let read = decode(&changed);
            assert!(read.is_none_or(|read| read == content), "changed at {at}");
        }
        assert_eq!(decode(b"cilantro entry 1 ff 99999999999999\n"), None);
        assert_eq!(decode(b""), None);
    }
}
