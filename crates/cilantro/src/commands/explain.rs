//! `explain`: the words of an answer at length.

use engine::{Error, nearest};
use verdict::{Assumption, Explanation, Reason};

use super::Exit;
use crate::args::Explain;
use crate::console::Console;

pub fn run(args: &Explain, console: &Console) -> Result<Exit, Error> {
    let text = match &args.name {
        None => list(),
        Some(name) => match Topic::all().find(|topic| topic.is_called(name)) {
            Some(topic) => topic.text(),
            None => return Err(unknown(name)),
        },
    };
    console.result(&text);
    Ok(Exit::NothingFound)
}

/// Something that can be explained.
#[derive(Clone, Copy)]
enum Topic {
    Reason(Reason),
    Assumption(Assumption),
}

impl Topic {
    fn all() -> impl Iterator<Item = Topic> {
        let assumptions = Assumption::ALL.into_iter().map(Topic::Assumption);
        Reason::ALL.into_iter().map(Topic::Reason).chain(assumptions)
    }

    /// As texts say it.
    fn name(self) -> &'static str {
        match self {
            Topic::Reason(reason) => reason.name(),
            Topic::Assumption(assumption) => assumption.name(),
        }
    }

    /// As JSON says it.
    fn stored(self) -> String {
        let value = match self {
            Topic::Reason(reason) => serde_json::to_value(reason),
            Topic::Assumption(assumption) => serde_json::to_value(assumption),
        };
        value.ok().and_then(|value| Some(value.as_str()?.to_owned())).unwrap_or_default()
    }

    fn sentence(self) -> &'static str {
        match self {
            Topic::Reason(reason) => reason.sentence(),
            Topic::Assumption(assumption) => assumption.sentence(),
        }
    }

    fn is_called(self, name: &str) -> bool {
        plain(self.name()) == plain(name) || plain(&self.stored()) == plain(name)
    }

    fn text(self) -> String {
        match self {
            Topic::Reason(reason) => of_reason(reason, &self.stored()),
            Topic::Assumption(assumption) => of_assumption(assumption),
        }
    }
}

/// Spaces, hyphens, underscores and case do not count.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn of_reason(reason: Reason, stored: &str) -> String {
    let Explanation { meaning, why, what_to_do } = reason.explanation();
    let mut out = vec![format!("{} (`{stored}` in JSON)", reason.name()), String::new()];
    out.push(reason.sentence().to_owned());
    out.extend(section("What it means", &wrapped(meaning, "  ", "  ")));
    out.extend(section("Why", &wrapped(why, "  ", "  ")));
    let advice: Vec<String> = what_to_do.iter().flat_map(|line| wrapped(line, "  * ", "    ")).collect();
    out.extend(section("What you can do", &advice));
    out.push(String::new());
    out.join("\n")
}

fn of_assumption(assumption: Assumption) -> String {
    let name = assumption.name();
    let mut out = vec![format!("{name} (an assumption)"), String::new(), assumption.sentence().to_owned()];
    let meaning = "Proofs that rest on it are counted apart, and a method whose answer does is complete under assumptions \
                   only: exit code 3.";
    out.extend(section("What it means", &wrapped(meaning, "  ", "  ")));
    let advice = format!("If you know that it holds wherever your program runs, say so: --assume {name}.");
    out.extend(section("What you can do", &wrapped(&advice, "  * ", "    ")));
    out.push(String::new());
    out.join("\n")
}

fn section(title: &str, lines: &[String]) -> Vec<String> {
    [&[String::new(), title.to_owned()], lines].concat()
}

/// Lines that fit into a terminal.
fn wrapped(text: &str, first: &str, others: &str) -> Vec<String> {
    const WIDTH: usize = 96;
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, others.to_owned()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines.push(line);
    lines
}

fn list() -> String {
    let longest = Topic::all().map(|topic| topic.name().len()).max().unwrap_or(0);
    let row = |topic: Topic| format!("  {:longest$}  {}", topic.name(), topic.sentence());
    let mut out = vec!["Why an answer is incomplete:".to_owned()];
    out.extend(Reason::ALL.into_iter().map(Topic::Reason).map(row));
    out.extend([String::new(), "What a proof may take for granted:".to_owned()]);
    out.extend(Assumption::ALL.into_iter().map(Topic::Assumption).map(row));
    out.extend([
        String::new(),
        "`cilantro explain NAME` says more about one of them.".to_owned(),
        String::new(),
    ]);
    out.join("\n")
}

/// Letters that are enough to be a part of a name.
const SHORTEST: usize = 3;

fn unknown(name: &str) -> Error {
    let names: Vec<&str> = Topic::all().map(Topic::name).collect();
    let has_it = |other: &&&str| plain(name).len() >= SHORTEST && plain(other).contains(&plain(name));
    let mut near: Vec<String> = names.iter().filter(has_it).map(|other| (*other).to_owned()).collect();
    if near.is_empty() {
        near = nearest(name, names.iter().copied());
    }
    let hint = match near.as_slice() {
        [] => "`cilantro explain` lists them".to_owned(),
        near => format!("there is {}", near.join(", ")),
    };
    Error::Other(format!("nothing is called `{name}`; {hint}"))
}
