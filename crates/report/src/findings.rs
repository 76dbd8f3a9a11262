//! Exceptions as their reader wants them: crashes by where they come from, one example each; what is by design is counted.

use std::collections::BTreeMap;

use verdict::{FindingKind, SourceLine};

use crate::style::{Theme, paint};
use crate::summary::{Bug, Construction, Method, Summary};
use crate::text::TextOptions;
use crate::words::{self, count, inputs, one_line, short_id};

/// Crashes that are shown with all that is known, and those that get a line, if the reader did not ask for all.
const DETAILED: usize = 8;
const LISTED: usize = 24;
/// Callers that are named.
const CALLERS: usize = 3;

/// An exception of a method.
pub(crate) type Found<'a> = (&'a Method, &'a Bug);

/// Exceptions with the same cause: the best example first, then those of other methods.
pub(crate) struct Group<'a> {
    pub example: Found<'a>,
    pub others: Vec<Found<'a>>,
}

/// The crashes that a public call shows and no baseline knows, the ones that most methods lead to first.
pub(crate) fn crashes(summary: &Summary) -> Vec<Group<'_>> {
    let told = exceptions(summary).filter(|(_, bug)| is_told_crash(summary, bug));
    sorted(grouped(told, |_| false))
}

/// Where the rest is the same, the order is that of the methods.
pub(crate) fn sorted(mut groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    groups.sort_by_key(|group| (!group.example.1.replayed, std::cmp::Reverse(group.others.len())));
    groups
}

pub(crate) fn is_told_crash(summary: &Summary, bug: &Bug) -> bool {
    is_crash(bug) && !bug.known && (bug.replayed || !has_replayed(summary))
}

/// A crash that somebody can see who has only the public members.
fn is_crash(bug: &Bug) -> bool {
    bug.kind == FindingKind::Crash && bug.construction == Construction::Public
}

/// Whether the real runtime was asked at all: then what it has not confirmed is worth less.
fn has_replayed(summary: &Summary) -> bool {
    summary.methods.iter().any(|method| method.replay.passed > 0)
}

pub(crate) fn exceptions(summary: &Summary) -> impl Iterator<Item = Found<'_>> {
    summary.methods.iter().flat_map(|method| method.bugs.iter().map(move |bug| (method, bug)))
}

/// In the order in which the first of each group is met. Examples are those that are preferred, where there are any.
pub(crate) fn grouped<'a>(
    found: impl Iterator<Item = Found<'a>>,
    is_preferred: impl Fn(&Bug) -> bool + Copy,
) -> Vec<Group<'a>> {
    let mut places: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    let mut groups: Vec<Vec<Found<'a>>> = Vec::new();
    for (method, bug) in found {
        let key = match bug.group.as_str() {
            "" => (bug.exception.as_str(), method.id.as_str(), bug.at.as_deref().unwrap_or_default()),
            group => (bug.exception.as_str(), group, ""),
        };
        let index = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.push((method, bug)),
            None => groups.push(vec![(method, bug)]),
        }
    }
    groups.into_iter().filter_map(|group| Group::of(group, is_preferred)).collect()
}

impl<'a> Group<'a> {
    fn of(mut found: Vec<Found<'a>>, is_preferred: impl Fn(&Bug) -> bool) -> Option<Group<'a>> {
        let worth = |(method, bug): &Found<'_>| {
            let length: usize = bug.inputs.iter().map(|input| input.value.len()).sum();
            let is_own = bug.place.as_ref().is_some_and(|place| place.method == method.id);
            (!is_preferred(bug), !bug.replayed, length, !is_own)
        };
        let best = (0..found.len()).min_by_key(|index| found.get(*index).map(worth))?;
        let example = found.remove(best);
        Some(Group { example, others: found })
    }

    /// The other methods that lead there, each once.
    pub fn callers(&self) -> Vec<String> {
        let (example, _) = self.example;
        let mut names: Vec<String> = Vec::new();
        for (method, _) in &self.others {
            let name = short_id(&method.id);
            if method.id != example.id && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The method that the exception comes from.
    pub fn method(&self) -> &str {
        let (method, bug) = self.example;
        bug.place.as_ref().map_or(&method.id, |place| &place.method)
    }

    pub fn place(&self) -> Option<String> {
        let (_, bug) = self.example;
        match &bug.place {
            Some(origin) => place(origin.source.as_ref(), Some(&origin.at)),
            None => place(bug.source.as_ref(), bug.at.as_deref()),
        }
    }
}

/// All that the text says about exceptions.
pub(crate) fn findings(summary: &Summary, options: &TextOptions, out: &mut Vec<String>) {
    let crashes = crashes(summary);
    let theme = &options.theme;
    if !crashes.is_empty() {
        heading("Crashes", theme, out);
    }
    let (detailed, listed) = if options.all { (usize::MAX, usize::MAX) } else { (DETAILED, LISTED) };
    // One more than there is room for is no reason to shorten.
    let detailed = if crashes.len() <= detailed.saturating_add(1) { usize::MAX } else { detailed };
    for group in crashes.iter().take(detailed) {
        group_lines(group, options, out);
    }
    for group in crashes.iter().skip(detailed).take(listed) {
        out.push(group_line(group, theme));
    }
    if crashes.len() > detailed.saturating_add(listed) {
        let more = crashes.len() - detailed - listed;
        out.push(format!("  and {more} more (--all lists them)"));
    }
    match options.all {
        true => the_rest(summary, theme, out),
        false => out.extend(rest_line(summary)),
    }
}

fn heading(text: &str, theme: &Theme, out: &mut Vec<String>) {
    out.push(String::new());
    out.push(paint(theme.heading, text));
}

fn group_lines(group: &Group<'_>, options: &TextOptions, out: &mut Vec<String>) {
    let (method, bug) = group.example;
    let theme = &options.theme;
    let doubt = if bug.replayed { "" } else { " (not confirmed on the real runtime)" };
    out.push(format!("  {} in {}{doubt}", paint(theme.bad, &bug.exception), short_id(group.method())));
    if let Some(place) = group.place() {
        out.push(format!("    at      {place}"));
    }
    if !bug.message.is_empty() {
        out.push(format!("    message {}", shortened(&one_line(&bug.message), options)));
    }
    if group.method() != method.id {
        out.push(format!("    call    {}", short_id(&method.id)));
    }
    example_lines(bug, options, out);
    let callers = group.callers();
    if !callers.is_empty() {
        let named = if options.all { callers.len() } else { CALLERS };
        let mut line = callers.iter().take(named).cloned().collect::<Vec<_>>().join(", ");
        if let Some(more) = callers.len().checked_sub(named).filter(|more| *more > 0) {
            line.push_str(&format!(" and {more} more"));
        }
        out.push(format!("    also by {line}"));
    }
}

fn example_lines(bug: &Bug, options: &TextOptions, out: &mut Vec<String>) {
    if !bug.inputs.is_empty() {
        out.push(format!("    inputs  {}", shortened(&inputs(&bug.inputs), options)));
    }
    for rule in &bug.breaks {
        out.push(format!("    broken  {}", one_line(rule)));
    }
    if bug.construction == Construction::Reflection && bug.breaks.is_empty() {
        out.push("    made    by reflection: no public way to this input is known".to_owned());
    }
    if !bug.test.is_empty() {
        out.push(format!("    test    {}", bug.test));
    }
}

fn shortened(text: &str, options: &TextOptions) -> String {
    if options.all { text.to_owned() } else { words::shortened(text) }
}

fn group_line(group: &Group<'_>, theme: &Theme) -> String {
    let (_, bug) = group.example;
    let exception = bug.exception.rsplit('.').next().unwrap_or(&bug.exception);
    let place = group.place().map(|place| format!(" at {place}")).unwrap_or_default();
    let others = match group.callers().len() {
        0 => String::new(),
        n => format!(", also by {}", count(n as u64, "other method")),
    };
    format!("  {} in {}{place}{others}", paint(theme.bad, exception), short_id(group.method()))
}

/// What is neither a crash nor worth a line of its own.
pub(crate) struct Rest<'a> {
    pub heading: &'static str,
    /// What is said of so many of them.
    words: &'static str,
    pub found: Vec<Found<'a>>,
}

pub(crate) fn rest(summary: &Summary) -> Vec<Rest<'_>> {
    let of = |heading, words, is_meant: &dyn Fn(&Bug) -> bool| Rest {
        heading,
        words,
        found: exceptions(summary).filter(|(_, bug)| is_meant(bug)).collect(),
    };
    let is_plain = |bug: &Bug| bug.construction == Construction::Public && !bug.known;
    let broken = summary.methods.iter().flat_map(|m| m.broken_inputs.iter().map(move |bug| (m, bug)));
    vec![
        of("Misuse: inputs that the declarations rule out", "for misuse", &|bug| {
            bug.kind == FindingKind::Misuse && is_plain(bug)
        }),
        of("Refused by design", "refused by design", &|bug| {
            bug.kind == FindingKind::Refused && is_plain(bug)
        }),
        of(
            "For inputs that no public way is known to",
            "for inputs that no public way is known to",
            &|bug| bug.construction == Construction::Reflection && !bug.known,
        ),
        Rest {
            heading: "Exceptions only for inputs that no public member makes (not counted)",
            words: "for inputs that break a rule of their class",
            found: broken.collect(),
        },
        of("Crashes that the real runtime has not confirmed", "not confirmed on the real runtime", &|bug| {
            is_crash(bug) && !bug.known && !bug.replayed && has_replayed(summary)
        }),
        of("Known", "known", &|bug| bug.known),
    ]
}

fn rest_line(summary: &Summary) -> Vec<String> {
    let counts = rest(summary).into_iter().filter(|rest| !rest.found.is_empty());
    let counts: Vec<String> = counts.map(|rest| format!("{} {}", rest.found.len(), rest.words)).collect();
    if counts.is_empty() {
        return Vec::new();
    }
    vec![String::new(), format!("Other exceptions (--all lists them): {}.", counts.join(", "))]
}

fn the_rest(summary: &Summary, theme: &Theme, out: &mut Vec<String>) {
    for Rest { heading: title, found, .. } in rest(summary) {
        if !found.is_empty() {
            heading(title, theme, out);
        }
        for (method, bug) in found {
            bug_lines(method, bug, theme, out);
        }
    }
}

fn bug_lines(method: &Method, bug: &Bug, theme: &Theme, out: &mut Vec<String>) {
    let doubt = if bug.replayed { "" } else { " (not confirmed on the real runtime)" };
    out.push(format!("  {} in {}{doubt}", paint(theme.warn, &bug.exception), short_id(&method.id)));
    if let Some(place) = place(bug.source.as_ref(), bug.at.as_deref()) {
        out.push(format!("    at      {place}"));
    }
    if !bug.message.is_empty() {
        out.push(format!("    message {}", one_line(&bug.message)));
    }
    let all = TextOptions { all: true, ..TextOptions::plain() };
    example_lines(bug, &all, out);
}

fn place(source: Option<&SourceLine>, at: Option<&str>) -> Option<String> {
    match (source, at) {
        (Some(source), Some(at)) => Some(format!("{source} ({at})")),
        (Some(source), None) => Some(source.to_string()),
        (None, Some(at)) => Some(at.to_owned()),
        (None, None) => None,
    }
}
