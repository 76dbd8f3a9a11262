//! What the machine is used for.

/// Decides which models stand for methods and how exceptions end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Over all inputs: text is put off, what is random or outside is a symbol.
    #[default]
    Explore,
    /// A path once more with the values of its model: text is made by the class library's own code.
    Follow,
    /// A whole program: in one schedule, with random numbers of one seed, and with traces of its exceptions. None of that is
    /// ground for a proof.
    Program,
}

impl Mode {
    /// Formatting of text is interpreted; otherwise such text has unknown contents, which is enough for exploration.
    pub(crate) fn interprets_text(self) -> bool {
        self != Mode::Explore
    }

    pub fn runs_program(self) -> bool {
        self == Mode::Program
    }
}
