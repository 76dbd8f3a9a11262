//! Methods that need two things at once: pairs of conditions (`fixtures/misjudged/pairs_of_classes/Atoms.cs`) in several
//! shapes, chosen by a fixed seed.
//!
//! An atom is a condition over parameters of its own that a caller can make true or false as it likes; one that is
//! called `never` is never true. Comments above its declarations say what it takes, when it holds, and what a witness
//! gives and does.

use std::fmt::Write as _;

use random::Random;

const SEED: u64 = 16;
const LIVE: usize = 64;
const DEAD: usize = 20;
/// Calls of a method that chance decides.
const OFTEN: u32 = 300;

pub struct Generated {
    pub library: String,
    pub witnesses: String,
}

/// The lines of an atom, by their first words; what is not there is empty.
#[derive(Clone, Debug, Default)]
struct Atom {
    name: String,
    /// The class that it stands for: pairs are of two classes.
    class: String,
    is_never: bool,
    takes: String,
    types: String,
    holds: String,
    given: String,
    before: String,
    after: String,
    is_often: bool,
}

pub fn generate(sources: &[(String, String)]) -> Generated {
    let atoms: Vec<Atom> = sources.iter().flat_map(|(_, text)| atoms(text)).collect();
    let (never, live): (Vec<Atom>, Vec<Atom>) = atoms.into_iter().partition(|atom| atom.is_never);
    let mut random = Random::new(SEED);
    let mut library =
        String::from("using System;\nusing System.Collections.Generic;\n\npublic static class Pairs\n{\n");
    let mut witnesses = String::from(
        "using System;\nusing System.Collections.Generic;\nusing System.Threading;\n\nstatic class Witness\n{\n",
    );
    let pairs = choose(&live, &live, LIVE, &mut random);
    let dead = choose(&live, &never, DEAD, &mut random);
    for (number, (first, second)) in pairs.iter().chain(&dead).enumerate() {
        let pair = Pair { first, second, number };
        pair.write_method(&mut library);
        pair.write_witness(&mut witnesses);
    }
    library.push_str("}\n");
    witnesses.push_str("}\n");
    Generated { library, witnesses }
}

/// Pairs of two classes, each at most once, in a random order.
fn choose(from: &[Atom], with: &[Atom], count: usize, random: &mut Random) -> Vec<(Atom, Atom)> {
    let mut all: Vec<(&Atom, &Atom)> =
        from.iter().flat_map(|a| with.iter().filter(|b| a.class != b.class).map(move |b| (a, b))).collect();
    let mut chosen: Vec<(Atom, Atom)> = Vec::new();
    while chosen.len() < count && !all.is_empty() {
        let (a, b) = all.swap_remove(random.below(all.len()));
        all.retain(|(c, d)| (c.name != b.name || d.name != a.name) && (c.name != a.name || d.name != b.name));
        chosen.push((a.clone(), b.clone()));
    }
    chosen
}

struct Pair<'a> {
    first: &'a Atom,
    second: &'a Atom,
    number: usize,
}

impl Pair<'_> {
    fn name(&self) -> String {
        format!("{}{}{}", self.first.name, self.second.name, self.number)
    }

    fn both<'s>(&'s self, part: impl Fn(&'s Atom) -> &'s str) -> Vec<&'s str> {
        [part(self.first), part(self.second)].into_iter().filter(|text| !text.is_empty()).collect()
    }

    fn write_method(&self, text: &mut String) {
        let (a, b) = (&self.first.holds, &self.second.holds);
        let kind = if self.second.is_never { "dead" } else { "live" };
        // In the second shape another test hangs on what never holds.
        let (mark, shape) = (format!("{kind} {}", self.name()), self.number % 6);
        let mark = if self.second.is_never && shape == 1 { format!("{mark} +1") } else { mark };
        let mark = format!("/*{mark}*/");
        let types: Vec<&str> = self.both(|atom| &atom.types);
        let types: Vec<&str> =
            types.iter().flat_map(|t| t.split(", ")).filter_map(|t| t.split(" = ").next()).collect();
        let types = if types.is_empty() { String::new() } else { format!("<{}>", types.join(", ")) };
        let takes = self.both(|atom| &atom.takes).join(", ");
        let body = match shape {
            0 => format!("if ({a})\n{{\nif ({b}) {{ {mark} return 2; }}\nreturn 1;\n}}\nreturn 0;"),
            1 => format!(
                "int count = 0;\nif ({a}) count++;\nif ({b}) count++;\nif (count == 2) {{ {mark} return 1; }}\nreturn 0;"
            ),
            2 => format!("if (!({a})) return 0;\nif (!({b})) return 1;\n{mark} return 2;"),
            3 => format!(
                "int steps = 0;\ntry {{ if (!({a})) return 0; }}\nfinally {{ steps++; }}\nif ({b}) {{ {mark} return steps; }}\nreturn 2;"
            ),
            4 => format!(
                "for (int i = 0; i < 2; i++)\n{{\nif (i == 0) continue;\nif (!({a})) return 0;\nif ({b}) {{ {mark} return 1; }}\n}}\nreturn 2;"
            ),
            _ => format!(
                "bool first = {a};\nif (first) {{ if ({b}) {{ {mark} return 1; }} }}\nreturn first ? 2 : 3;"
            ),
        };
        let _ = writeln!(text, "// {kind}: {} and {}.", self.first.name, self.second.name);
        let _ = writeln!(text, "public static int {}{types}({takes})\n{{\n{body}\n}}\n", self.name());
    }

    fn write_witness(&self, text: &mut String) {
        let types = self.both(|atom| &atom.types);
        let types: Vec<&str> =
            types.iter().flat_map(|t| t.split(", ")).filter_map(|t| t.split(" = ").nth(1)).collect();
        let types = if types.is_empty() { String::new() } else { format!("<{}>", types.join(", ")) };
        let given = self.both(|atom| &atom.given).join(", ");
        let before = self.both(|atom| &atom.before).join("\n");
        let after = self.both(|atom| &atom.after).join("\n");
        let rounds = if self.first.is_often || self.second.is_often { OFTEN } else { 1 };
        let _ = writeln!(
            text,
            "static void {name}()\n{{\n{before}\nfor (int round = 0; round < {rounds}; round++) Pairs.{name}{types}({given});\n{after}\n}}\n",
            name = self.name()
        );
    }
}

/// The atoms of a source: `// atom Name of class`, then lines `// word: text`.
fn atoms(source: &str) -> Vec<Atom> {
    let mut found: Vec<Atom> = Vec::new();
    for comment in source.lines().filter_map(|line| line.trim().strip_prefix("// ")) {
        let head = comment.strip_prefix("atom ").map(|rest| (rest, false));
        let head = head.or_else(|| comment.strip_prefix("never ").map(|rest| (rest, true)));
        if let Some((rest, is_never)) = head {
            let (name, class) = rest.split_once(" of ").unwrap();
            found.push(Atom { name: name.to_owned(), class: class.to_owned(), is_never, ..Atom::default() });
        } else if let (Some(atom), Some((word, text))) = (found.last_mut(), comment.split_once(": ")) {
            match word {
                "takes" => atom.takes = text.to_owned(),
                "types" => atom.types = text.to_owned(),
                "holds" => atom.holds = text.to_owned(),
                "given" => atom.given = text.to_owned(),
                "before" => atom.before = text.to_owned(),
                "after" => atom.after = text.to_owned(),
                "often" => atom.is_often = true,
                _ => {}
            }
        }
    }
    found
}
