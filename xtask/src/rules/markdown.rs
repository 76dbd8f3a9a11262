//! Markdown has one sentence per line: a diff then shows the sentence that changed and no other.
//!
//! Paragraphs and list items are looked at; headings, tables, code and comments are not. A line has a sentence too many
//! if something that ends a sentence is followed by something that starts one. A sentence is broken if a line that is not
//! the last of its paragraph ends without such an end.

use super::{Offence, files::File};

/// What is not prose of ours, or is not written this way.
const LEFT_OUT: [&str; 2] = ["ARCHITECTURE.md", "fixtures/run/"];

/// Full stops that end no sentence.
const ABBREVIATIONS: [&str; 5] = ["e.g.", "i.e.", "etc.", "cf.", "vs."];

pub fn check(files: &[File]) -> Vec<Offence> {
    let is_ours = |path: &str| path.ends_with(".md") && !LEFT_OUT.iter().any(|start| path.starts_with(start));
    files.iter().filter(|file| is_ours(&file.path)).flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<Offence> {
    let mut offences = Vec::new();
    let mut state = Between::Prose;
    // The line before, if it belongs to the same paragraph.
    let mut before: Option<(usize, &str)> = None;
    for (number, line) in file.lines() {
        let text = line.trim();
        let is_prose = state.enter(text) && is_prose(text);
        let starts = is_item(text) || !is_prose;
        if let Some((at, unfinished)) = before.take()
            && !starts
            && !is_end(unfinished)
        {
            offences.push(Offence::at(file, at, "the sentence goes on in the next line"));
        }
        if !is_prose {
            continue;
        }
        if let Some(second) = second_sentence(text) {
            offences.push(Offence::at(file, number, format!("a second sentence starts at `{second}`")));
        }
        before = Some((number, text));
    }
    offences
}

/// What the current line is inside of.
enum Between {
    Prose,
    Fence,
    Comment,
}

impl Between {
    /// Takes a line; whether it may be prose.
    fn enter(&mut self, text: &str) -> bool {
        match self {
            Between::Fence => {
                if text.starts_with("```") {
                    *self = Between::Prose;
                }
                false
            }
            Between::Comment => {
                if text.ends_with("-->") {
                    *self = Between::Prose;
                }
                false
            }
            Between::Prose if text.starts_with("```") => {
                *self = Between::Fence;
                false
            }
            Between::Prose if text.starts_with("<!--") => {
                if !text.ends_with("-->") {
                    *self = Between::Comment;
                }
                false
            }
            Between::Prose => true,
        }
    }
}

fn is_prose(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('#') && !text.starts_with('|')
}

/// The first line of a list item.
fn is_item(text: &str) -> bool {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    ["* ", "- ", "+ "].iter().any(|mark| text.starts_with(mark))
        || (number.len() < text.len() && number.starts_with(". "))
}

/// Whether a line ends where a sentence does.
fn is_end(text: &str) -> bool {
    text.trim_end_matches(CLOSING).ends_with(['.', '!', '?', ':', '…'])
}

/// What may stand between the full stop and the space.
const CLOSING: [char; 7] = [')', ']', '"', '\'', '*', '_', '`'];

/// Where the second sentence of a line starts, if there is one.
fn second_sentence(text: &str) -> Option<String> {
    let text = without_code(text);
    let start = if is_item(&text) { text.find(' ')? + 1 } else { 0 };
    let mut from = start;
    while let Some(space) = text.get(from..)?.find(' ').map(|at| from + at) {
        let (before, after) = (text.get(start..space)?, text.get(space + 1..)?);
        from = space + 1;
        let word = before.rsplit(' ').next().unwrap_or(before);
        let ended = word.trim_end_matches(CLOSING).ends_with(['.', '!', '?']);
        let is_short = ABBREVIATIONS.iter().any(|short| word.trim_start_matches('(') == *short);
        if ended && !is_short && starts_sentence(after) {
            return Some(after.chars().take(20).collect());
        }
    }
    None
}

fn starts_sentence(text: &str) -> bool {
    let text = text.trim_start_matches(['*', '_', '(', '[', '"', '\'']);
    text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == CODE)
        || text.get(1..).is_some_and(|rest| text.starts_with('.') && rest.starts_with(char::is_uppercase))
}

/// Stands for a character of code.
const CODE: char = '\u{1}';

/// The text with other characters in the place of code, so that nothing in it looks like an end. Code is between two
/// runs of equally many backticks.
fn without_code(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        let mark = from.len() - from.trim_start_matches('`').len();
        let (opening, inside) = from.split_at(mark);
        let Some(end) = closing(inside, mark) else { break };
        let (code, after) = inside.split_at(end + mark);
        result.push_str(before);
        result.extend(opening.chars().chain(code.chars()).map(|_| CODE));
        rest = after;
    }
    result + rest
}

/// Where a run of exactly so many backticks starts.
fn closing(text: &str, mark: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text.get(at..)?.find('`').map(|found| at + found) {
        let run = text.get(start..)?;
        let length = run.len() - run.trim_start_matches('`').len();
        if length == mark {
            return Some(start);
        }
        at = start + length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offences(text: &str) -> Vec<String> {
        let found = check(&[File::new("some.md", text)]);
        found.into_iter().map(|offence| format!("{} {}", offence.place, offence.what)).collect()
    }

    #[test]
    fn one_sentence_is_a_line() {
        let text = "\
# A title. With a full stop.

It is one sentence (e.g. This one).
It has .NET 10.0 in it, `Foo. Bar`, ``List`1. Of`` and version 3.1 of something!
* An item without an end
* **An item.**
  And its second sentence.

1. First:
2. Second

| a. B | c. D |

```text
Code. Does not matter
at all
```
<!-- Nor. Do
comments -->
the end";
        assert_eq!(offences(text), [] as [String; 0]);
    }

    #[test]
    fn two_in_a_line_and_one_in_two_lines_are_found() {
        for (line, start) in [
            ("One. Two.", "Two."),
            ("* One (really). 3 means three.", "3 means three."),
            ("It ends with `code`. `Code` starts it.", "\u{1}\u{1}\u{1}\u{1}\u{1}\u{1} starts it."),
            ("One? .NET is two.", ".NET is two."),
            ("**One.** Two.", "Two."),
        ] {
            assert_eq!(offences(line), [format!("some.md:1 a second sentence starts at `{start}`")]);
        }
        let broken = "some.md:1 the sentence goes on in the next line";
        assert_eq!(offences("One sentence\nin two lines."), [broken]);
        assert_eq!(offences("* An item\n  that goes on."), [broken]);
    }

    #[test]
    fn other_files_are_left_alone() {
        assert!(
            check(&[File::new("a.rs", "One. Two."), File::new("fixtures/run/x/y.md", "One. Two.")])
                .is_empty()
        );
    }
}
