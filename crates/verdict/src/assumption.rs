//! What an answer takes for granted: a closed list, each with its sentence.
//!
//! What the engine knows is either true in every world, or it is one of these. A proof that rests on one is not a proof:
//! it is reported on its own, with the assumption by its name, and whoever knows that it holds can say so.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that exploration took for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Assumption {
    /// No other assembly extends the program's classes or implements its interfaces.
    ClosedWorld,
    /// What static fields lead to is as their initializers leave it.
    UnchangedStatics,
    /// No other thread changes what the method reads.
    OneThread,
    /// Settings of the process, the thread and the machine are the usual ones.
    UsualEnvironment,
    /// Text that depends on formats, cultures or the order of hash tables is as it was guessed.
    UsualText,
    /// Inputs have the shapes that are tried.
    UsualInputs,
    /// Objects lie in memory as the machine puts them.
    MemoryLayout,
    /// Objects are used after their constructors have ended, and fields are written under their own names.
    FinishedObjects,
    /// Other type arguments do nothing else than those that were tried.
    TypeArguments,
    /// A model that nobody has declared exact does what the real method does.
    Models,
}

impl Assumption {
    /// Every assumption, in report order.
    pub const ALL: [Assumption; 10] = [
        Assumption::ClosedWorld,
        Assumption::UnchangedStatics,
        Assumption::OneThread,
        Assumption::UsualEnvironment,
        Assumption::UsualText,
        Assumption::UsualInputs,
        Assumption::MemoryLayout,
        Assumption::FinishedObjects,
        Assumption::TypeArguments,
        Assumption::Models,
    ];

    /// As the command line and summaries write it.
    pub fn name(self) -> &'static str {
        match self {
            Assumption::ClosedWorld => "closed-world",
            Assumption::UnchangedStatics => "unchanged-statics",
            Assumption::OneThread => "one-thread",
            Assumption::UsualEnvironment => "usual-environment",
            Assumption::UsualText => "usual-text",
            Assumption::UsualInputs => "usual-inputs",
            Assumption::MemoryLayout => "memory-layout",
            Assumption::FinishedObjects => "finished-objects",
            Assumption::TypeArguments => "type-arguments",
            Assumption::Models => "models",
        }
    }

    pub fn named(name: &str) -> Option<Assumption> {
        Assumption::ALL.into_iter().find(|assumption| assumption.name() == name)
    }

    /// One sentence for someone who meets the assumption for the first time.
    pub fn sentence(self) -> &'static str {
        match self {
            Assumption::ClosedWorld => {
                "No other assembly extends the classes or implements the interfaces of this one."
            }
            Assumption::UnchangedStatics => "What static fields lead to is as their initializers leave it.",
            Assumption::OneThread => "No other thread changes what the method reads.",
            Assumption::UsualEnvironment => {
                "The process, its threads, culture, time zone and machine are the usual ones."
            }
            Assumption::UsualText => "Formats, cultures and orders of hash tables are the usual ones.",
            Assumption::UsualInputs => "Inputs have the shapes that are tried.",
            Assumption::MemoryLayout => "Objects lie in memory as the engine puts them.",
            Assumption::FinishedObjects => {
                "Objects are used after their constructors, and fields are written by their own names."
            }
            Assumption::TypeArguments => "Other type arguments do nothing else than those that were tried.",
            Assumption::Models => "The engine's models of runtime calls hold everywhere.",
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of assumptions, small enough for every state to carry one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assumptions(u16);

impl Assumptions {
    pub const NONE: Assumptions = Assumptions(0);

    pub const fn of(assumption: Assumption) -> Assumptions {
        Assumptions(1 << assumption as u16)
    }

    #[inline]
    pub fn add(&mut self, assumption: Assumption) {
        self.0 |= Assumptions::of(assumption).0;
    }

    #[inline]
    pub fn union_with(&mut self, other: Assumptions) {
        self.0 |= other.0;
    }

    pub fn contains(self, assumption: Assumption) -> bool {
        self.0 & Assumptions::of(assumption).0 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In report order.
    pub fn iter(self) -> impl Iterator<Item = Assumption> {
        Assumption::ALL.into_iter().filter(move |assumption| self.contains(*assumption))
    }
}

impl FromIterator<Assumption> for Assumptions {
    fn from_iter<I: IntoIterator<Item = Assumption>>(all: I) -> Assumptions {
        let mut set = Assumptions::NONE;
        all.into_iter().for_each(|assumption| set.add(assumption));
        set
    }
}
