//! Random C# programs. The same seed gives the same program everywhere; a program always compiles, always ends (loops and
//! calls burn a common fuel), and writes checksums on its way, so that a difference is localised.

mod calls;
mod expression;
mod library;
mod members;
mod number;
mod object;
mod scope;
mod simple;
mod special;
mod statement;
mod types;

use random::Random;

use crate::tree::Node;
use scope::{Method, Scope};
use simple::Simple;

/// A program: the members of a static class named after its seed, with a method `Run`.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub tree: Node,
    /// Tells versions of a program apart that are compiled together.
    pub version: usize,
}

/// What the programs share: fuel, checksums, and the loop over them.
pub const PRELUDE: &str = include_str!("../Prelude.cs");

impl Program {
    pub fn generate(seed: u64) -> Program {
        let mut generator = Generator::new(seed);
        let tree = generator.program();
        Program { seed, tree, version: 0 }
    }

    pub fn class(&self) -> String {
        match self.version {
            0 => format!("P{}", self.seed),
            version => format!("P{}v{version}", self.seed),
        }
    }

    /// The C# of the program's class.
    pub fn text(&self) -> String {
        let body = self.tree.render();
        format!("unsafe static class {}\n{{\n{body}}}\n", self.class())
    }
}

/// The lines of [`file()`] that each program stands on.
pub fn lines(programs: &[Program]) -> Vec<std::ops::RangeInclusive<usize>> {
    let mut first = PRELUDE.lines().count() + 1;
    let mut ranges = Vec::new();
    for program in programs {
        let count = program.text().lines().count();
        ranges.push(first..=first + count - 1);
        first += count;
    }
    ranges
}

/// A complete source file: the prelude, the programs, and a `Main` that runs those that are named, or all.
pub fn file(programs: &[Program]) -> String {
    let mut text = PRELUDE.to_owned();
    for program in programs {
        text.push_str(&program.text());
    }
    text.push_str("static class Programs\n{\n    static void Main(string[] names)\n    {\n");
    for program in programs {
        let class = program.class();
        text.push_str(&format!("        F.Run(names, \"{class}\", {class}.Run);\n"));
    }
    text.push_str("    }\n}\n");
    text
}

pub(crate) struct Generator {
    r: Random,
    /// Methods that may be called already.
    methods: Vec<Method>,
    structs: Vec<types::Struct>,
    class: Option<types::Class>,
    iterators: Vec<(String, Simple)>,
    names: usize,
    tags: usize,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        Generator {
            r: Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5bd1_e995),
            methods: Vec::new(),
            structs: Vec::new(),
            class: None,
            iterators: Vec::new(),
            names: 0,
            tags: 0,
        }
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn tag(&mut self) -> usize {
        self.tags += 1;
        self.tags
    }

    fn program(&mut self) -> Node {
        let mut members = self.type_members();
        for _ in 0..2 + self.r.below(3) {
            members.push(self.method());
        }
        if self.r.percent(50) {
            members.push(self.iterator());
        }
        if self.r.percent(60) {
            members.push(self.method());
        }
        members.push(self.run());
        Node::group(members)
    }

    /// The entry: calls every method, each behind its own handler.
    fn run(&mut self) -> Node {
        let mut statements = Vec::new();
        let methods = self.methods.clone();
        for method in &methods {
            for _ in 0..1 + self.r.below(2) {
                let scope = Scope { nesting: 1, ..Scope::default() };
                let call = self.call(method, &scope, 1);
                let tag = self.tag();
                let name = &method.name;
                statements.push(Node::statement(
                    &format!(
                        "try {{ F.Fuel = 300; F.Show({tag}, #); }} catch (Exception e) {{ F.Caught({tag}, \"{name}\", e); }}"
                    ),
                    vec![call],
                ));
            }
        }
        let body = Node::group(statements);
        Node::new(crate::tree::Kind::Group, "public static void Run()\n{\n#\n}\n", vec![body])
    }
}
