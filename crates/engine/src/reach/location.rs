//! The places that a user asks about, as written: `Cart.cs:42`, `Cart.Add@IL_002a`, `Cart.Add`,
//! `exception OverflowException in Cart.Add`.

use crate::error::Error;

/// A location as written, not yet looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A line of a source file, by the end of its path.
    Line { file: String, line: u32 },
    /// An instruction of a method.
    Instruction { method: String, offset: u32 },
    /// The entry of a method.
    Method(String),
    /// An exception that leaves a method.
    Exception { name: String, method: String },
}

impl Location {
    pub fn parse(text: &str) -> Result<Location, Error> {
        let text = text.trim();
        let wrong = |why: &str| {
            Error::Other(format!(
                "`{text}` is no location: {why}; give Cart.cs:42, Cart.Add@IL_002a, Cart.Add or \"exception NAME in Cart.Add\""
            ))
        };
        if let Some(rest) = text.strip_prefix("exception ") {
            let (name, method) = rest.split_once(" in ").ok_or_else(|| wrong("`in METHOD` is missing"))?;
            let (name, method) = (name.trim().to_owned(), method.trim().to_owned());
            if name.is_empty() || method.is_empty() {
                return Err(wrong("a name is missing"));
            }
            return Ok(Location::Exception { name, method });
        }
        if let Some((method, at)) = text.rsplit_once('@') {
            let digits = at.strip_prefix("IL_").or_else(|| at.strip_prefix("il_")).unwrap_or(at);
            let offset =
                u32::from_str_radix(digits, 16).map_err(|_| wrong("an offset looks like IL_002a"))?;
            return Ok(Location::Instruction { method: method.trim().to_owned(), offset });
        }
        if let Some((file, line)) = text.rsplit_once(':')
            && !file.ends_with(':')
            && !line.is_empty()
            && line.chars().all(|c| c.is_ascii_digit())
        {
            let line = line.parse().map_err(|_| wrong("there is no such line"))?;
            return Ok(Location::Line { file: file.to_owned(), line });
        }
        match text.is_empty() {
            true => Err(wrong("it is empty")),
            false => Ok(Location::Method(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_a_location() {
        let parsed = |text: &str| Location::parse(text).unwrap();
        assert_eq!(parsed("src/Cart.cs:42"), Location::Line { file: "src/Cart.cs".to_owned(), line: 42 });
        assert_eq!(
            parsed("Cart.Add@IL_002a"),
            Location::Instruction { method: "Cart.Add".to_owned(), offset: 0x2a }
        );
        assert_eq!(
            parsed("Shop.Cart::Add(System.Int32)@2a"),
            Location::Instruction { method: "Shop.Cart::Add(System.Int32)".to_owned(), offset: 0x2a }
        );
        assert_eq!(parsed("Shop.Cart::Add"), Location::Method("Shop.Cart::Add".to_owned()));
        assert_eq!(
            parsed("exception OverflowException in Cart.Add"),
            Location::Exception { name: "OverflowException".to_owned(), method: "Cart.Add".to_owned() }
        );
    }

    #[test]
    fn what_is_no_location_is_said() {
        let said = |text: &str| Location::parse(text).unwrap_err().to_string();
        assert!(
            said("Cart.Add@here")
                .starts_with("`Cart.Add@here` is no location: an offset looks like IL_002a;")
        );
        assert!(said("exception Overflow").contains("`in METHOD` is missing"));
        assert!(said("").contains("it is empty"));
        assert!(said("Cart.cs:99999999999").contains("there is no such line"));
    }
}
