//! Texts that a regular expression is likely to match, made from the expression itself.
//!
//! Nothing rests on them: a text is tried, and whoever runs it says whether it matches. So what is rare in expressions
//! (conditions, balancing groups, subtractions of classes) is read as something simple or not at all.

/// Repetitions that are tried beyond those that an expression asks for.
const EXTRA: [u32; 3] = [0, 1, 3];
/// No text is longer.
const MAX_LENGTH: usize = 200;
/// Texts of one expression.
const MAX_TEXTS: usize = 24;
/// Groups inside of groups.
const MAX_DEPTH: u32 = 20;
/// Characters that stand for a class, if they are in it, the first ones first.
const USUAL: &str = "a1A0zZ9 -_.x,;:/@#!?\t\n";

enum Piece {
    Character(char),
    /// Ranges of characters, and whether it is all others that are meant.
    Class(Vec<(char, char)>, bool),
    /// Alternatives, and the number of the group if it is one that captures.
    Group(Vec<Vec<Piece>>, Option<usize>),
    Repeated(Box<Piece>, u32, u32),
    /// What was captured before.
    Again(usize),
}

/// How the choices are made that an expression leaves open.
#[derive(Clone, Copy)]
struct Manner<'a> {
    extra: u32,
    alternative: usize,
    /// A group, and what to put there.
    captured: Option<(usize, &'a str)>,
}

/// Texts for an expression; `words` are put into its groups. Empty if it is none.
pub(super) fn texts(pattern: &str, words: &[String]) -> Vec<String> {
    let mut parser = Parser { rest: pattern.chars().collect(), at: 0, groups: 0 };
    let Some(alternatives) = parser.alternatives(0).filter(|_| parser.at == parser.rest.len()) else {
        return Vec::new();
    };
    let whole = Piece::Group(alternatives, None);
    let mut manners = Vec::new();
    for alternative in 0..3 {
        manners.extend(EXTRA.map(|extra| Manner { extra, alternative, captured: None }));
    }
    for group in 1..=parser.groups {
        let put = |word| Manner { extra: 1, alternative: 0, captured: Some((group, word)) };
        manners.extend(words.iter().map(|word| put(word.as_str())));
    }
    let mut found: Vec<String> = Vec::new();
    for manner in manners {
        let mut text = Text { manner, text: String::new(), captures: Vec::new() };
        text.add(&whole);
        if text.text.len() <= MAX_LENGTH && !found.contains(&text.text) && found.len() < MAX_TEXTS {
            found.push(text.text);
        }
    }
    found
}

struct Text<'a> {
    manner: Manner<'a>,
    text: String,
    /// Groups with what they captured last.
    captures: Vec<(usize, String)>,
}

impl Text<'_> {
    fn add(&mut self, piece: &Piece) {
        if self.text.len() > MAX_LENGTH {
            return;
        }
        match piece {
            Piece::Character(c) => self.text.push(*c),
            Piece::Class(ranges, others) => {
                self.text.extend(member(ranges, *others, self.manner.alternative))
            }
            Piece::Group(alternatives, number) => self.add_group(alternatives, *number),
            Piece::Repeated(piece, least, most) => {
                let times = least.saturating_add(self.manner.extra).min(*most);
                (0..times).for_each(|_| self.add(piece));
            }
            Piece::Again(number) => {
                let captured = self.captures.iter().rev().find(|(group, _)| group == number);
                self.text.extend(captured.map(|(_, text)| text.clone()));
            }
        }
    }

    fn add_group(&mut self, alternatives: &[Vec<Piece>], number: Option<usize>) {
        let begin = self.text.len();
        match self.manner.captured {
            Some((group, word)) if number == Some(group) => self.text.push_str(word),
            _ => {
                let chosen = self.manner.alternative % alternatives.len().max(1);
                alternatives.get(chosen).into_iter().flatten().for_each(|piece| self.add(piece));
            }
        }
        if let Some(number) = number {
            self.captures.push((number, self.text[begin..].to_owned()));
        }
    }
}

/// A character of a class.
fn member(ranges: &[(char, char)], others: bool, number: usize) -> Option<char> {
    let is_in = |c: char| ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != others;
    let usual: Vec<char> = USUAL.chars().filter(|c| is_in(*c)).collect();
    match usual.len() {
        0 if others => None,
        0 => ranges.first().map(|(first, _)| *first),
        count => usual.get(number % count).copied(),
    }
}

struct Parser {
    rest: Vec<char>,
    at: usize,
    /// Groups that capture, so far.
    groups: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn eat(&mut self, text: &str) -> bool {
        let is_there = text.chars().enumerate().all(|(n, c)| self.rest.get(self.at + n) == Some(&c));
        if is_there {
            self.at += text.chars().count();
        }
        is_there
    }

    fn alternatives(&mut self, depth: u32) -> Option<Vec<Vec<Piece>>> {
        let mut found = vec![Vec::new()];
        while let Some(c) = self.peek() {
            match c {
                ')' => break,
                '|' => {
                    self.at += 1;
                    found.push(Vec::new());
                }
                _ => {
                    let piece = self.repeated(depth)?;
                    found.last_mut()?.extend(piece);
                }
            }
        }
        Some(found)
    }

    /// A piece and how often it is repeated. What matches no text (`^`, `\b`, a look ahead) is no piece.
    fn repeated(&mut self, depth: u32) -> Option<Option<Piece>> {
        let piece = self.piece(depth)?;
        let (least, most) = match self.peek() {
            Some('*') => (0, u32::MAX),
            Some('+') => (1, u32::MAX),
            Some('?') => (0, 1),
            Some('{') => match self.counts() {
                Some(counts) => counts,
                None => return Some(piece),
            },
            _ => return Some(piece),
        };
        self.at += 1;
        // Lazy or not, the texts are the same.
        self.eat("?");
        Some(piece.map(|piece| Piece::Repeated(Box::new(piece), least, most)))
    }

    /// `{2}`, `{2,}`, `{2,3}`: stops at the closing brace. Anything else is plain text.
    fn counts(&mut self) -> Option<(u32, u32)> {
        let close = self.rest[self.at..].iter().position(|c| *c == '}')? + self.at;
        let inside: String = self.rest[self.at + 1..close].iter().collect();
        let (least, most) = match inside.split_once(',') {
            None => (inside.parse().ok()?, inside.parse().ok()?),
            Some((least, "")) => (least.parse().ok()?, u32::MAX),
            Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
        };
        self.at = close;
        Some((least, most))
    }

    fn piece(&mut self, depth: u32) -> Option<Option<Piece>> {
        Some(match self.next()? {
            '^' | '$' => None,
            '.' => Some(Piece::Class(vec![('\n', '\n')], true)),
            '[' => Some(self.class()?),
            '(' if depth < MAX_DEPTH => self.group(depth + 1)?,
            '(' => return None,
            '\\' => self.escape()?,
            c => Some(Piece::Character(c)),
        })
    }

    fn group(&mut self, depth: u32) -> Option<Option<Piece>> {
        let looks = ["?=", "?!", "?<=", "?<!"].into_iter().any(|sign| self.eat(sign));
        let mut number = None;
        if !looks && self.eat("?") {
            match self.next()? {
                ':' | '>' => {}
                '<' | '\'' => {
                    while !matches!(self.next()?, '>' | '\'') {}
                    number = Some(());
                }
                // Options, for the rest or for a group.
                _ => loop {
                    match self.next()? {
                        ')' => return Some(None),
                        ':' => break,
                        _ => {}
                    }
                },
            }
        } else if !looks {
            number = Some(());
        }
        let number = number.map(|()| {
            self.groups += 1;
            self.groups
        });
        let alternatives = self.alternatives(depth)?;
        if !self.eat(")") {
            return None;
        }
        Some((!looks).then_some(Piece::Group(alternatives, number)))
    }

    fn escape(&mut self) -> Option<Option<Piece>> {
        let c = self.next()?;
        if let Some((ranges, others)) = known_class(c) {
            return Some(Some(Piece::Class(ranges, others)));
        }
        Some(match c {
            'b' | 'B' | 'A' | 'Z' | 'z' | 'G' => None,
            'p' | 'P' => {
                while self.next()? != '}' {}
                Some(Piece::Class(vec![('A', 'Z'), ('a', 'z')], c == 'P'))
            }
            'k' => {
                while !matches!(self.next()?, '>' | '\'' | '}') {}
                Some(Piece::Again(self.groups))
            }
            '1'..='9' => Some(Piece::Again(c.to_digit(10)? as usize)),
            _ => Some(Piece::Character(self.escaped(c)?)),
        })
    }

    fn escaped(&mut self, c: char) -> Option<char> {
        let digits = match c {
            't' => return Some('\t'),
            'n' => return Some('\n'),
            'r' => return Some('\r'),
            'f' => return Some('\u{c}'),
            'v' => return Some('\u{b}'),
            'e' => return Some('\u{1b}'),
            '0' => return Some('\0'),
            'x' => 2,
            'u' => 4,
            c => return Some(c),
        };
        let number: String = self.rest.get(self.at..self.at + digits)?.iter().collect();
        self.at += digits;
        char::from_u32(u32::from_str_radix(&number, 16).ok()?)
    }

    /// `[a-z\d]`, after the bracket.
    fn class(&mut self) -> Option<Piece> {
        let others = self.eat("^");
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut is_first = true;
        loop {
            let c = self.next()?;
            if c == ']' && !is_first {
                return Some(Piece::Class(ranges, others));
            }
            is_first = false;
            let first = match c {
                '\\' => {
                    let c = self.next()?;
                    match known_class(c) {
                        Some((known, false)) => {
                            ranges.extend(known);
                            continue;
                        }
                        // Everything else than a class: something of it is enough.
                        Some(_) => {
                            ranges.push(('!', '/'));
                            continue;
                        }
                        None => self.escaped(c)?,
                    }
                }
                c => c,
            };
            let is_range = self.peek() == Some('-') && self.rest.get(self.at + 1).is_some_and(|c| *c != ']');
            if !is_range {
                ranges.push((first, first));
                continue;
            }
            self.at += 1;
            let last = match self.next()? {
                '\\' => {
                    let c = self.next()?;
                    self.escaped(c)?
                }
                c => c,
            };
            ranges.push((first, last));
        }
    }
}

/// `\d` and its like, and whether it is all others that are meant.
fn known_class(c: char) -> Option<(Vec<(char, char)>, bool)> {
    let ranges = match c.to_ascii_lowercase() {
        'd' => vec![('0', '9')],
        'w' => vec![('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')],
        's' => vec![(' ', ' '), ('\t', '\r')],
        _ => return None,
    };
    Some((ranges, c.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str) -> Vec<String> {
        texts(pattern, &["49".to_owned()])
    }

    #[test]
    fn texts_are_what_the_expression_says() {
        assert!(of(r"^\+(\d{1,3})-(\d{4,8})$").contains(&"+1-1111".to_owned()));
        assert!(of(r"^\+(\d{1,3})-(\d{4,8})$").contains(&"+49-11111".to_owned()));
        assert!(of("^(GET|POST) /").contains(&"POST /".to_owned()));
        assert!(of(r"[a-z0-9.]+@[a-z]+\.[a-z]{2,3}").contains(&"a@a.aa".to_owned()));
        assert!(of(r"(?i)(?<word>\w+)\s\k<word>").contains(&"a a".to_owned()));
        assert!(of("[^\"]*").contains(&"a".to_owned()));
    }

    #[test]
    fn what_is_no_expression_has_no_texts() {
        for pattern in ["(", "[a", r"\", "a)", r"\x1", "(?"] {
            assert_eq!(of(pattern), Vec::<String>::new(), "{pattern}");
        }
    }
}
