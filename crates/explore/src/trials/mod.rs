//! Texts that are worth a try where no solver finds one: what a method reads as a number, a date, an address or by a
//! regular expression is a language of its own, which the class library's code takes apart character by character.
//!
//! The program says which: by the methods of the framework that it calls ([`formats`]), by its own regular expressions
//! ([`pattern`]) and by its literals. A text that is tried is run and proves nothing.

mod formats;
mod pattern;

use std::rc::Rc;

use types::MethodId;
use vm::Machine;
use vm::code::{Code, Op};

use crate::parts;
use formats::Wants;

/// Methods that are looked at for the texts that they want.
const MAX_SEARCHED: usize = 100;
/// Literals that are looked at.
const MAX_LITERALS: usize = 40;
/// Longer ones are messages.
const MAX_LITERAL: usize = 100;
/// Words that are put into the groups of a regular expression, and how long they may be.
const MAX_WORDS: usize = 6;
const MAX_WORD: usize = 12;
/// Texts in all.
const MAX_TEXTS: usize = 64;

/// What the code of a method says about the texts that it wants.
#[derive(Default)]
struct Hints {
    wants: Vec<Wants>,
    literals: Vec<String>,
    numbers: Vec<String>,
}

/// Texts for the inputs of a method; none if nothing in it reads text in a language of its own.
pub(crate) fn texts(machine: &mut Machine, code: &Rc<Code>) -> Vec<String> {
    let hints = hints(machine, code);
    let mut found: Vec<String> = Vec::new();
    let mut add = |text: String| {
        if found.len() < MAX_TEXTS && !found.contains(&text) {
            found.push(text);
        }
    };
    for wants in &hints.wants {
        hints.texts(*wants).into_iter().for_each(&mut add);
    }
    if !hints.wants.is_empty() {
        hints.literals.iter().cloned().for_each(&mut add);
    }
    found
}

impl Hints {
    fn texts(&self, wants: Wants) -> Vec<String> {
        let of = |samples: &[&str]| samples.iter().map(|&sample| sample.to_owned()).collect::<Vec<_>>();
        let words: Vec<String> =
            self.literals.iter().filter(|word| word.len() <= MAX_WORD).take(MAX_WORDS).cloned().collect();
        match wants {
            Wants::Texts(samples) => of(samples),
            Wants::Numbers(samples) => [of(samples), self.numbers.clone()].concat(),
            Wants::Dates(samples) => {
                let written = self.literals.iter().flat_map(|format| formats::in_format(format));
                of(samples).into_iter().chain(written).collect()
            }
            Wants::Patterns => {
                let is_pattern =
                    |text: &&String| text.contains(['[', '\\', '(', '+', '*', '.', '^', '$', '|']);
                let patterns = self.literals.iter().filter(is_pattern);
                patterns.flat_map(|pattern| pattern::texts(pattern, &words)).collect()
            }
        }
    }

    fn add(&mut self, machine: &Machine, code: &Code) {
        for op in &code.ops {
            match *op {
                Op::LdI4(number) if !(-1..=1).contains(&number) => self.add_number(f64::from(number)),
                Op::LdR8(number) if number.is_finite() => self.add_number(number),
                Op::LdStr(literal) => {
                    let literal = code.literals.get(literal as usize);
                    self.add_literal(literal.and_then(|text| String::from_utf16(text).ok()));
                }
                _ => {}
            }
        }
        for site in &code.calls {
            let method = machine.universe.method(site.method);
            let class = machine.universe.type_name(machine.universe.definition(method.owner));
            if let Some(wants) = formats::wanted_by(&class, &method.name)
                && !self.wants.contains(&wants)
            {
                self.wants.push(wants);
            }
        }
    }

    fn add_literal(&mut self, literal: Option<String>) {
        let is_new = |text: &String| text.len() <= MAX_LITERAL && !self.literals.contains(text);
        if let Some(text) = literal.filter(is_new)
            && self.literals.len() < MAX_LITERALS
        {
            self.literals.push(text);
        }
    }

    /// A number that the program may compare with, and its neighbours.
    fn add_number(&mut self, number: f64) {
        for text in [number, number + 1.0, number - 1.0].map(|number| number.to_string()) {
            if self.numbers.len() < MAX_LITERALS && !self.numbers.contains(&text) {
                self.numbers.push(text);
            }
        }
    }
}

/// Looks through a method, what the compiler made of its parts, and what it calls in assemblies that are not the framework's.
fn hints(machine: &mut Machine, code: &Rc<Code>) -> Hints {
    let universe = Rc::clone(&machine.universe);
    let mut hints = Hints::default();
    let mut seen: Vec<MethodId> = vec![code.method];
    seen.extend(parts::parts_of(&universe, code.method).iter().map(|part| part.method));
    let mut next = 0;
    while let Some(&method) = seen.get(next) {
        next += 1;
        let Ok(code) = machine.code(method) else { continue };
        hints.add(machine, &code);
        let initializers = code
            .fields
            .iter()
            .filter(|site| site.init)
            .filter_map(|site| universe.methods_named(site.owner, ".cctor").ok()?.first().copied());
        let called = code.calls.iter().map(|site| site.method);
        for method in called.chain(initializers) {
            let is_own = !machine.is_framework(universe.method(method).owner);
            if is_own && seen.len() < MAX_SEARCHED && !seen.contains(&method) {
                seen.push(method);
            }
        }
    }
    hints
}
