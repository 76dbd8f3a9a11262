//! What comes from outside of the program and is no input: the clock, random numbers, the number of processors.
//!
//! In exploration such a value is a symbol of its own kind. A path may carry it about; what it decides must hold for all
//! its values before a test is made, and nothing that depends on it is asserted.

use term::{Sort, Symbol, Term};

use crate::machine::Machine;

/// Hundreds of nanoseconds from 1970 to 2001: no clock is earlier, and none is later than 2^56 of them after that (2229).
const EARLIEST: u128 = 978_307_200 * 10_000_000;
/// From 1601 to 1970.
const FILE_TIME_TO_1970: u128 = 116_444_736_000_000_000;
const CLOCK_BITS: u32 = 56;
/// How long a machine has been running, in milliseconds and nanoseconds: up to some 35 years.
const MILLISECONDS_BITS: u32 = 40;
const NANOSECONDS_BITS: u32 = 60;

const CLOCK: &str = "the clock";
const PROCESSORS_BITS: u32 = 10;

const PROCESSORS: &str = "the number of processors";
const CHANCE: &str = "random numbers";

impl Machine {
    /// Whether the machine explores methods; otherwise it runs a program.
    pub fn explores(&self) -> bool {
        !self.mode().runs_program()
    }

    /// Whether any path has asked for something from outside.
    pub fn reads_ambient(&self) -> bool {
        !self.inputs.ambient.is_empty()
    }

    /// What a term takes from outside.
    pub fn ambient_source(&self, term: Term) -> Option<&'static str> {
        if self.inputs.ambient.is_empty() {
            return None;
        }
        self.terms.symbols_of(term).iter().find_map(|symbol| self.inputs.ambient.get(symbol).copied())
    }

    pub fn is_ambient(&self, symbol: Symbol) -> bool {
        self.inputs.ambient.contains_key(&symbol)
    }

    /// Hundreds of nanoseconds since 1970.
    pub fn clock(&mut self) -> Term {
        let passed = self.ambient(CLOCK, CLOCK_BITS);
        let passed = self.terms.zext(passed, 64);
        let earliest = self.terms.bv(64, EARLIEST);
        self.terms.add(earliest, passed)
    }

    /// Hundreds of nanoseconds since 1601.
    pub fn file_time(&mut self) -> Term {
        let clock = self.clock();
        let earlier = self.terms.bv(64, FILE_TIME_TO_1970);
        self.terms.add(clock, earlier)
    }

    pub fn milliseconds_running(&mut self) -> Term {
        let passed = self.ambient(CLOCK, MILLISECONDS_BITS);
        self.terms.zext(passed, 64)
    }

    pub fn nanoseconds_running(&mut self) -> Term {
        let passed = self.ambient(CLOCK, NANOSECONDS_BITS);
        self.terms.zext(passed, 64)
    }

    /// Random bits.
    pub fn chance(&mut self, width: u32) -> Term {
        self.ambient(CHANCE, width)
    }

    /// How many processors there are, from one to 1,024: the same whenever it is asked for, and another on the next machine.
    pub fn processors(&mut self) -> Term {
        let key = (std::rc::Rc::from(PROCESSORS), 0);
        let known = self.inputs.surroundings_at.get(&key).copied();
        let symbol = known.unwrap_or_else(|| {
            let symbol = self.terms.symbol(PROCESSORS, Sort::Bv(PROCESSORS_BITS));
            self.inputs.ambient.insert(symbol, PROCESSORS);
            self.inputs.surroundings_at.insert(key, symbol);
            symbol
        });
        let more = self.terms.var(symbol);
        let (more, one) = (self.terms.zext(more, 32), self.terms.bv(32, 1));
        self.terms.add(more, one)
    }

    /// Something of the process or the thread that stays the same while a method runs, and that is known here: a test sees
    /// this value, a proof must hold for all. The symbol is the difference, so that zero means "as it is here".
    pub fn surroundings(&mut self, what: &str, width: u32, here: u128) -> Term {
        self.surroundings_at(what, 0, width, here)
    }

    /// The same for one of several things with one name, by the place where it is.
    pub(crate) fn surroundings_at(&mut self, what: &str, place: u64, width: u32, here: u128) -> Term {
        let key = (std::rc::Rc::from(what), place);
        let known = self.inputs.surroundings_at.get(&key).copied();
        let symbol = known.unwrap_or_else(|| {
            let symbol = self.terms.symbol(what, Sort::Bv(width));
            self.inputs.surroundings.insert(symbol, what.into());
            self.inputs.surroundings_at.insert(key, symbol);
            symbol
        });
        let here = self.terms.bv(width, here);
        let difference = self.terms.var(symbol);
        self.terms.bvxor(here, difference)
    }

    /// Symbols of a term that are known here, each with what it is.
    pub fn surroundings_of(&self, term: Term) -> Vec<(Symbol, std::rc::Rc<str>)> {
        if self.inputs.surroundings.is_empty() {
            return Vec::new();
        }
        let symbols = self.terms.symbols_of(term);
        let known = |symbol: &Symbol| Some((*symbol, self.inputs.surroundings.get(symbol)?.clone()));
        symbols.iter().filter_map(known).collect()
    }

    fn ambient(&mut self, what: &'static str, width: u32) -> Term {
        let symbol = self.terms.symbol(what, Sort::Bv(width));
        self.inputs.ambient.insert(symbol, what);
        self.terms.var(symbol)
    }
}
