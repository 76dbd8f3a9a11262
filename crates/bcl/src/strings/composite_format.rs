//! Composite formats (`"{0,8:N2} of {1}"`), taken apart.

/// The widest alignment that is put off.
pub(crate) const MAX_ALIGNMENT: i32 = 1_000;

/// A piece of a format.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Literal(Vec<u16>),
    Hole { index: u32, alignment: i32, format: Vec<u16> },
}

/// The pieces of a format that is surely right for so many values; `None` for any other.
pub(crate) fn pieces(text: &[u16], count: usize) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut literal = Vec::new();
    let mut rest = text.iter().copied().peekable();
    while let Some(unit) = rest.next() {
        match u8::try_from(unit) {
            Ok(brace @ (b'{' | b'}')) if rest.peek() == Some(&u16::from(brace)) => {
                rest.next();
                literal.push(unit);
            }
            Ok(b'{') => {
                let mut hole = Vec::new();
                loop {
                    match rest.next()? {
                        0x7d => break,
                        unit => hole.push(unit),
                    }
                }
                let hole = String::from_utf16(&hole).ok()?;
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                pieces.push(self::hole(&hole, count)?);
            }
            Ok(b'}') => return None,
            _ => literal.push(unit),
        }
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal));
    }
    Some(pieces)
}

/// `index[,alignment][:format]`, in its plain form.
fn hole(text: &str, count: usize) -> Option<Piece> {
    let (place, format) = text.split_once(':').unwrap_or((text, ""));
    let (index, alignment) = place.split_once(',').unwrap_or((place, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let alignment = alignment.trim_matches(' ');
    if !is_number(index)
        || !is_number(alignment.strip_prefix('-').unwrap_or(alignment))
        || format.contains('{')
    {
        return None;
    }
    let index: u32 = index.parse().ok().filter(|index| (*index as usize) < count)?;
    let alignment = alignment.parse().ok().filter(|width: &i32| width.abs() <= MAX_ALIGNMENT)?;
    Some(Piece::Hole { index, alignment, format: format.encode_utf16().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, count: usize) -> Option<Vec<Piece>> {
        pieces(&text.encode_utf16().collect::<Vec<u16>>(), count)
    }

    #[test]
    fn a_format_is_taken_apart() {
        let literal = |text: &str| Piece::Literal(text.encode_utf16().collect());
        let hole = |index, alignment, format: &str| Piece::Hole {
            index,
            alignment,
            format: format.encode_utf16().collect(),
        };
        assert_eq!(
            of("a{0}b{1,-5:X2}", 2),
            Some(vec![literal("a"), hole(0, 0, ""), literal("b"), hole(1, -5, "X2")])
        );
        assert_eq!(of("{{0}}", 0), Some(vec![literal("{0}")]));
    }

    #[test]
    fn what_may_be_wrong_is_not() {
        for text in ["{0", "}", "{1}", "{a}", "{0,}", "{-1}", "{ 0}", "{0:{"] {
            assert_eq!(of(text, 1), None, "{text}");
        }
    }
}
