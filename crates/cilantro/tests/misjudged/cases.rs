//! The marks in the C# of a folder: `/*live Name*/` on a branch, with a comment above that says why.

/// What is true of the place that is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Some input reaches it.
    Live,
    /// Some input reaches it, in a body that the compiler moves elsewhere: a lambda, an iterator, an initializer.
    Inner,
    /// No input reaches it.
    Dead,
    /// An exception of the type that is named can leave the method here.
    Throws,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub kind: Kind,
    pub file: String,
    pub line: u32,
    /// The exception, by its simple name.
    pub exception: Option<String>,
    /// How many edges of the method are dead besides the marked one, because of what the compiler adds.
    pub dead_edges: u64,
    /// The mark stands in a handler, to which no branch leads.
    pub in_handler: bool,
}

/// The cases of one source. Each needs a comment above that begins with its kind.
pub fn cases(file: &str, source: &str) -> Vec<Case> {
    let mut found = Vec::new();
    let mut explained: Option<&str> = None;
    for (number, line) in source.lines().enumerate() {
        let comment = line.trim().strip_prefix("// ").and_then(|text| text.split_once(": "));
        if let Some((kind @ ("live" | "dead" | "throws"), _)) = comment {
            explained = Some(kind);
        }
        let Some(mark) = Mark::first_in(line) else { continue };
        let wanted = if mark.kind == "inner" { "live" } else { mark.kind };
        assert_eq!(explained.take(), Some(wanted), "{file}:{}: {} is not explained", number + 1, mark.name);
        found.push(Case {
            name: mark.name.to_owned(),
            kind: match mark.kind {
                "live" => Kind::Live,
                "inner" => Kind::Inner,
                "dead" => Kind::Dead,
                _ => Kind::Throws,
            },
            file: file.to_owned(),
            line: number as u32 + 1,
            exception: mark.exception.map(str::to_owned),
            dead_edges: mark.dead_edges,
            in_handler: line.contains("catch"),
        });
    }
    found
}

/// The source as witnesses run it: a mark is a call that remembers its name.
pub fn instrumented(source: &str) -> String {
    let mut text = String::new();
    for line in source.lines() {
        match Mark::first_in(line).filter(|mark| mark.kind != "throws") {
            Some(mark) => {
                let call = format!("global::Marks.Reached(\"{}\");", mark.name);
                text.push_str(&line.replace(mark.text, &call));
            }
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

struct Mark<'a> {
    text: &'a str,
    kind: &'a str,
    name: &'a str,
    exception: Option<&'a str>,
    dead_edges: u64,
}

impl<'a> Mark<'a> {
    /// `/*kind Name Exception +1*/`, the last two where they are wanted.
    fn first_in(line: &'a str) -> Option<Mark<'a>> {
        let start = line.find("/*")?;
        let end = start + line[start..].find("*/")? + 2;
        let text = &line[start..end];
        let mut words = text[2..text.len() - 2].split(' ');
        let kind = words.next().filter(|kind| ["live", "inner", "dead", "throws"].contains(kind))?;
        let mut mark = Mark { text, kind, name: words.next()?, exception: None, dead_edges: 0 };
        for word in words {
            match word.strip_prefix('+') {
                Some(number) => mark.dead_edges = number.parse().ok()?,
                None => mark.exception = Some(word),
            }
        }
        assert_eq!(mark.exception.is_some(), kind == "throws", "{text}");
        Some(mark)
    }
}
