//! All tables, each with the condition under which it applies. Their order does not matter.

use vm::Flavor;
use vm::mode::Mode;

use crate::table::Entry;
use crate::{
    arrays, before_net5, core31, delegates, exceptions, globalization, io, memory, mono, native, numbers,
    objects, process, reflection, runtime, strings, threading,
};

/// A table and when it applies.
pub struct Group {
    /// Where its models are: the module's path inside this crate.
    pub module: &'static str,
    pub runtimes: Runtimes,
    pub when: When,
    pub precedence: Precedence,
    pub entries: &'static [Entry],
}

/// Which of two lines for a method counts. Two of the same precedence never apply to the same method, which a test
/// checks for all methods of the class libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// Of one runtime only: knows better than what is for all.
    OfRuntime,
    Shared,
}

/// Whose class library a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtimes {
    All,
    /// .NET Core before .NET 5.
    Core3,
    Mono,
}

/// The uses of the machine that a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    /// Methods that have no body in this library; others are interpreted.
    Bodiless,
    /// Over all inputs: terms in the place of loops.
    Exploring,
    /// One method alone, whether over all inputs or with known ones: there is one thread and nobody listens.
    Alone,
    /// The class library's own text.
    TextIsMade,
    /// One schedule of threads and the like is enough to run a program, but no ground for a proof.
    Programs,
}

impl Group {
    pub(crate) fn applies(&self, framework: Flavor, mode: Mode, has_body: bool) -> bool {
        let runtime = match self.runtimes {
            Runtimes::All => true,
            Runtimes::Core3 => framework.is_core_3(),
            Runtimes::Mono => framework == Flavor::Mono,
        };
        runtime
            && match self.when {
                Always => true,
                Bodiless => !has_body,
                Exploring => mode == Mode::Explore,
                Alone => mode != Mode::Program,
                TextIsMade => mode != Mode::Explore,
                Programs => mode == Mode::Program,
            }
    }
}

const fn group(module: &'static str, when: When, entries: &'static [Entry]) -> Group {
    Group { module, runtimes: Runtimes::All, when, precedence: Precedence::Shared, entries }
}

const fn core31(module: &'static str, when: When, entries: &'static [Entry]) -> Group {
    Group { module, runtimes: Runtimes::Core3, when, precedence: Precedence::OfRuntime, entries }
}

const fn mono(module: &'static str, when: When, entries: &'static [Entry]) -> Group {
    Group { module, runtimes: Runtimes::Mono, when, precedence: Precedence::OfRuntime, entries }
}

use When::{Alone, Always, Bodiless, Exploring, Programs, TextIsMade};

pub static GROUPS: &[Group] = &[
    mono("mono", Always, mono::OWN_CODE),
    mono("mono::arrays", Always, mono::arrays::TABLE),
    mono("mono::delegates", Always, mono::delegates::TABLE),
    mono("mono::globalization", Always, mono::globalization::TABLE),
    mono("mono::types", Always, mono::types::TABLE),
    mono("mono::values", Always, mono::values::TABLE),
    mono("mono::assemblies", Programs, mono::assemblies::TABLE),
    mono("mono::attributes", Programs, mono::attributes::TABLE),
    mono("mono::domain", Programs, mono::domain::TABLE),
    mono("mono::exceptions", Programs, mono::exceptions::TABLE),
    mono("mono::files", Programs, mono::files::TABLE),
    mono("mono::lists", Programs, mono::lists::TABLE),
    mono("mono::members", Programs, mono::members::TABLE),
    mono("mono::methods", Programs, mono::methods::TABLE),
    mono("mono::properties", Programs, mono::properties::TABLE),
    mono("mono::process", Programs, mono::process::TABLE),
    mono("mono::threads", Programs, mono::threads::TABLE),
    core31("core31::arrays", Always, core31::arrays::TABLE),
    core31("core31::types", Always, core31::types::TABLE),
    core31("core31::values", Always, core31::values::TABLE),
    core31("core31::attributes", Programs, core31::attributes::TABLE),
    core31("core31::delegates", Programs, core31::delegates::TABLE),
    core31("core31::members", Programs, core31::members::TABLE),
    core31("core31::process", Programs, core31::process::TABLE),
    core31("core31::threads", Programs, core31::threads::TABLE),
    core31("core31::threads", Exploring, core31::threads::ALONE),
    group("strings::hashing", Alone, strings::hashing::TABLE),
    group("strings::comparison", Exploring, strings::comparison::TABLE),
    group("strings::hash_tables", Exploring, strings::hash_tables::TABLE),
    group("strings::search", Exploring, strings::search::TABLE),
    group("strings::characters", Exploring, strings::characters::TABLE),
    group("strings::casing", Exploring, strings::casing::TABLE),
    group("numbers::digits", Exploring, numbers::digits::TABLE),
    group("strings::interpolation", Exploring, strings::interpolation::TABLE),
    group("numbers::parsing", Exploring, numbers::parsing::TABLE),
    group("globalization::mode", Always, globalization::mode::TABLE),
    group("globalization::collation", Always, globalization::collation::TABLE),
    group("globalization::locales", Always, globalization::locales::TABLE),
    group("globalization::casing", Always, globalization::casing::TABLE),
    group("globalization::normalization", Always, globalization::normalization::TABLE),
    group("globalization::calendars", Always, globalization::calendars::TABLE),
    group("globalization::unknown_texts", Exploring, globalization::unknown_texts::TABLE),
    group("globalization::zones", Always, globalization::zones::TABLE),
    group("before_net5", Always, before_net5::TABLE),
    group("before_net5", Bodiless, before_net5::WITHOUT_BODY),
    group("reflection::types", Always, reflection::types::TABLE),
    group("process::clock", Always, process::clock::TABLE),
    group("process::clock", Alone, process::clock::ALONE),
    group("io::console", Always, io::console::TABLE),
    group("process::assertions", Alone, process::assertions::TABLE),
    group("process::environment", Always, process::environment::TABLE),
    group("exceptions::traces", Always, exceptions::traces::TABLE),
    group("io::changes", Always, io::changes::TABLE),
    group("io::files", Always, io::files::TABLE),
    group("io::folders", Always, io::folders::TABLE),
    group("process::identity", Always, process::identity::TABLE),
    group("memory::native", Always, memory::native::TABLE),
    group("process::denied", Always, process::denied::TABLE),
    group("process::errno", Always, process::errno::TABLE),
    group("runtime::features", Always, runtime::features::TABLE),
    // Reflection answers these for concrete values; the models know symbolic ones.
    group("numbers::enums", Alone, numbers::enums::TABLE),
    group("numbers::random", Alone, numbers::random::TABLE),
    group("numbers::matching", Always, numbers::matching::TABLE),
    group("numbers::math", Always, numbers::math::TABLE),
    group("numbers::libm", Always, numbers::libm::TABLE),
    group("threading::monitor", Always, threading::monitor::TABLE),
    group("threading::monitor", Alone, threading::monitor::ALONE),
    group("threading::suspension", Alone, threading::suspension::ALONE),
    group("threading::threads", Exploring, threading::threads::ALONE),
    group("runtime::gc", Alone, runtime::gc::ALONE),
    group("io::console", Alone, io::console::ALONE),
    group("exceptions::messages", TextIsMade, exceptions::messages::TABLE),
    group("strings::opaque", Exploring, strings::opaque::TABLE),
    group("reflection::activation", Always, reflection::activation::EXACT),
    group("arrays::creation", Always, arrays::creation::TABLE),
    group("arrays::sorting", Programs, arrays::sorting::TABLE),
    group("reflection::assemblies", Always, reflection::assemblies::OF_TYPES),
    group("objects::comparers", Always, objects::comparers::TABLE),
    group("delegates::multicast", Always, delegates::multicast::TABLE),
    group("runtime::gc", Always, runtime::gc::TABLE),
    group("native::hashes", Always, native::hashes::TABLE),
    group("threading::interlocked", Always, threading::interlocked::TABLE),
    group("memory::marshalling", Always, memory::marshalling::TABLE),
    group("memory::blocks", Always, memory::blocks::TABLE),
    group("reflection::method_tables", Always, reflection::method_tables::TABLE),
    group("objects::identity", Always, objects::identity::TABLE),
    group("runtime::settings", Always, runtime::settings::TABLE),
    group("runtime::app_context", Programs, runtime::app_context::TABLE),
    group("process::signals", Always, process::signals::TABLE),
    group("strings::allocation", Always, strings::allocation::TABLE),
    group("strings::opaque", Exploring, strings::opaque::OPAQUE),
    group("memory::searches", Programs, memory::searches::TABLE),
    group("memory::unsafe_", Always, memory::unsafe_::TABLE),
    group("objects::equality", Always, objects::equality::TABLE),
    group("reflection::activation", Always, reflection::activation::TABLE),
    group("reflection::assemblies", Always, reflection::assemblies::TABLE),
    group("reflection::attributes", Always, reflection::attributes::TABLE),
    group("delegates::binding", Always, delegates::binding::TABLE),
    group("reflection::fields", Always, reflection::fields::TABLE),
    group("reflection::invocation", Always, reflection::invocation::TABLE),
    group("reflection::metadata", Always, reflection::metadata::TABLE),
    group("reflection::methods", Always, reflection::methods::TABLE),
    group("reflection::signatures", Always, reflection::signatures::TABLE),
    group("native::compression", Always, native::compression::TABLE),
    group("delegates::multicast", Programs, delegates::multicast::PROGRAMS),
    group("delegates::thunks", Programs, delegates::thunks::TABLE),
    group("runtime::diagnostics", Programs, runtime::diagnostics::TABLE),
    group("runtime::gc", Programs, runtime::gc::PROGRAMS),
    group("threading::monitor", Programs, threading::monitor::THREADS),
    group("threading::threads", Programs, threading::threads::TABLE),
    group("threading::wait_handles", Programs, threading::wait_handles::TABLE),
    group("reflection::contexts", Programs, reflection::contexts::TABLE),
    group("reflection::loading", Always, reflection::loading::CONTENTS),
    group("reflection::loading", Programs, reflection::loading::TABLE),
    group("reflection::references", Programs, reflection::references::TABLE),
    group("reflection::stack_frames", Programs, reflection::stack_frames::TABLE),
    group("numbers::math", TextIsMade, numbers::math::PROGRAMS),
];
