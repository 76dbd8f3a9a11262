//! Numbers that JSON readers would damage (64-bit and wider) are written as strings.

/// A metadata token as `"0x06000012"`.
pub mod token {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(token: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{token:#010x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.strip_prefix("0x").ok_or_else(|| D::Error::custom("a token starts with 0x"))?;
        u32::from_str_radix(digits, 16).map_err(|_| D::Error::custom(format!("`{text}` is not a token")))
    }
}
