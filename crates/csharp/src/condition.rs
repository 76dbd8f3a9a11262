//! Conditions as words of a name: `text.Length > length` is `TextLongerThanLength`.
//!
//! Only what a reader can follow becomes a word: one comparison of an input with a constant or with another input, what a
//! reference is, which class an object has. Everything else says nothing.

use crate::identifier::word;
use case::{Case, Primitive};

/// Longer words are no help.
const LONGEST: usize = 40;

/// What a condition says of the inputs of a case; `None` if no short word says it.
pub fn condition_word(text: &str, case: &Case) -> Option<String> {
    let inputs = Inputs { case };
    let said = inputs.class(text).or_else(|| inputs.comparison(text))?;
    (said.len() <= LONGEST && !said.is_empty()).then_some(said)
}

struct Inputs<'a> {
    case: &'a Case,
}

/// One side of a comparison.
enum Side {
    Input(String),
    /// The number of elements or characters of an input.
    Length(String),
    Null,
    Number(i128),
    /// A character or a member of an enum, as a word.
    Value(String),
}

impl Inputs<'_> {
    /// `shape is a Circle`, `items is null`.
    fn class(&self, text: &str) -> Option<String> {
        let (left, right) = text.split_once(" is ")?;
        let left = self.input(left)?;
        if right == "null" {
            return Some(format!("{left}Null"));
        }
        let class = right.strip_prefix("a new ").or_else(|| right.strip_prefix("a "))?;
        let is_name = class.chars().all(|c| c.is_alphanumeric() || c == '_');
        // That it is one at all is no news.
        let says_more = is_name && !["object", "string"].contains(&class);
        says_more.then(|| format!("{left}Is{}", word(class)))
    }

    fn comparison(&self, text: &str) -> Option<String> {
        const SIGNS: [&str; 6] = [" == ", " != ", " <= ", " >= ", " < ", " > "];
        let sign = SIGNS.into_iter().find(|sign| text.contains(sign))?;
        let (left, right) = text.split_once(sign)?;
        let (left, right) = (self.side(left)?, self.side(right)?);
        let sign = sign.trim();
        Some(match (left, sign, right) {
            (Side::Input(a), "==", Side::Null) => format!("{a}Null"),
            (Side::Input(a), "!=", Side::Null) => format!("{a}NotNull"),
            (Side::Length(a), "==", Side::Number(0)) => format!("{a}Empty"),
            (Side::Length(a), "!=" | ">", Side::Number(0)) => format!("{a}NotEmpty"),
            (Side::Length(a), sign, Side::Number(n)) if n >= 0 => format!("{a}{}{n}", of_length(sign)),
            (Side::Length(a), sign, Side::Input(b)) => format!("{a}{}{b}", of_length(sign)),
            (Side::Length(a), sign, Side::Length(b)) => format!("{a}{}{b}", of_length(sign)),
            (Side::Input(a), sign, Side::Length(b)) => format!("{b}{}{a}", of_length(turned(sign))),
            (Side::Input(a), sign, Side::Number(0)) => format!("{a}{}", of_zero(sign)),
            (Side::Input(a), sign, Side::Number(n)) => format!("{a}{}{}", of_number(sign), number(n)),
            (Side::Input(a), "==", Side::Value(b)) => format!("{a}{b}"),
            (Side::Input(a), "!=", Side::Value(b)) => format!("{a}Not{b}"),
            (Side::Input(a), sign, Side::Input(b)) => format!("{a}{}{b}", of_number(sign)),
            _ => return None,
        })
    }

    fn side(&self, text: &str) -> Option<Side> {
        let text = text.trim();
        if text == "null" {
            return Some(Side::Null);
        }
        if let Ok(number) = text.parse::<i128>() {
            // More digits than anyone reads.
            return (number.unsigned_abs() <= 9_999_999).then_some(Side::Number(number));
        }
        if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            let mut units = inner.encode_utf16();
            return match (units.next(), units.next()) {
                (Some(unit), None) => Some(Side::Value(crate::words::primitive_word(Primitive::Char(unit)))),
                _ => None,
            };
        }
        if let Some(owner) = text.strip_suffix(".Length") {
            return self.input(owner).map(Side::Length);
        }
        if let Some(input) = self.input(text) {
            return Some(Side::Input(input));
        }
        // `Color.Red`: what is no input and looks like a member.
        let (ty, member) = text.rsplit_once('.')?;
        let is_member = ty.starts_with(char::is_uppercase) && [ty, member].into_iter().all(is_name);
        is_member.then(|| Side::Value(word(member)))
    }

    /// The word for an input or a part of it: `Order`, `OrderTotal`, the field of the receiver. The only parameter needs none.
    fn input(&self, text: &str) -> Option<String> {
        let parts: Vec<&str> = text.split('.').collect();
        if !parts.iter().all(|part| is_name(part)) || parts.len() > 3 {
            return None;
        }
        let (first, rest) = parts.split_first()?;
        let parameters = &self.case.method.parameters;
        let is_parameter = parameters.iter().any(|parameter| parameter.name == *first);
        let words: String = rest.iter().map(|part| word(part)).collect();
        match *first {
            "this" if !rest.is_empty() => Some(words),
            _ if is_parameter && parameters.len() == 1 => Some(words),
            _ if is_parameter => Some(word(first) + &words),
            _ => None,
        }
    }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn of_length(sign: &str) -> &'static str {
    match sign {
        "==" => "OfLength",
        "!=" => "NotOfLength",
        "<" => "ShorterThan",
        "<=" => "NotLongerThan",
        ">" => "LongerThan",
        _ => "NotShorterThan",
    }
}

/// The same comparison with its sides exchanged.
fn turned(sign: &str) -> &str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

fn of_number(sign: &str) -> &'static str {
    match sign {
        "==" => "Equals",
        "!=" => "Not",
        "<" => "LessThan",
        "<=" => "AtMost",
        ">" => "GreaterThan",
        _ => "AtLeast",
    }
}

fn of_zero(sign: &str) -> &'static str {
    match sign {
        "==" => "Zero",
        "!=" => "NotZero",
        "<" => "Negative",
        "<=" => "NotPositive",
        ">" => "Positive",
        _ => "NotNegative",
    }
}

fn number(value: i128) -> String {
    if value < 0 { format!("Minus{}", value.unsigned_abs()) } else { value.to_string() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn case(parameters: &[&str]) -> Case {
        let parameters: Vec<String> = parameters
            .iter()
            .map(|name| format!(r#"{{"name": "{name}", "type": "System.Int32"}}"#))
            .collect();
        let text = format!(
            r#"{{ "schema": "cilantro/case@1", "assembly": "A.dll", "cases": [ {{ "name": "N",
            "method": {{ "id": "A::B()", "type": "A", "name": "B", "token": "0x06000001", "static": true,
            "parameters": [{}], "returns": "System.Void" }}, "arguments": [], "expect": {{ "void": true }} }} ] }}"#,
            parameters.join(",")
        );
        case::CaseFile::from_json(&text).unwrap().cases.remove(0)
    }

    #[test]
    fn comparisons_of_inputs_are_words() {
        let case = case(&["text", "length"]);
        let said = |text: &str| condition_word(text, &case);
        for (text, expected) in [
            ("text == null", "TextNull"),
            ("text != null", "TextNotNull"),
            ("text is null", "TextNull"),
            ("text.Length == 0", "TextEmpty"),
            ("text.Length > length", "TextLongerThanLength"),
            ("text.Length < 5", "TextShorterThan5"),
            ("length < 0", "LengthNegative"),
            ("length > 100", "LengthGreaterThan100"),
            ("length == -2", "LengthEqualsMinus2"),
            ("length < text.Length", "TextLongerThanLength"),
            ("length == 'a'", "LengthLowercaseA"),
            ("this.count == 0", "CountZero"),
            ("text is a new Circle", "TextIsCircle"),
            ("length == Color.Red", "LengthRed"),
        ] {
            assert_eq!(said(text).as_deref(), Some(expected), "{text}");
        }
        for unclear in [
            "(uint)(length - 1) >= 3",
            "made1000.5.arg0.Length == 0",
            "text[0] != 'a'",
            "length > 3000000000",
            "text is a new object, one of Circle, Square",
            "text is a Type that the framework makes",
            "text is a new string",
        ] {
            assert_eq!(said(unclear), None, "{unclear}");
        }
    }

    #[test]
    fn the_only_parameter_needs_no_name() {
        let case = case(&["value"]);
        assert_eq!(condition_word("value < 0", &case).as_deref(), Some("Negative"));
        assert_eq!(condition_word("value.Length > 3", &case).as_deref(), Some("LongerThan3"));
    }
}
