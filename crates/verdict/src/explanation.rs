//! Reasons at length: what they mean, where they come from, and what somebody who meets one can do.

use crate::Reason;

/// What is said about a reason to somebody who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What it means for the answer.
    pub meaning: &'static str,
    /// How it comes about.
    pub why: &'static str,
    /// What can be done, the simplest first.
    pub what_to_do: &'static [&'static str],
}

impl Reason {
    pub fn explanation(self) -> Explanation {
        let (meaning, why, what_to_do): (_, _, &'static [&'static str]) = match self {
            Reason::Timeout => (
                "The tests and findings that are there hold; paths that were not followed in time may have others.",
                "A method gets its share of the time, and some have more paths than fit into it: loops over inputs, long \
                 texts, many conditions that do not depend on each other. The same reason stands at tests that were found \
                 and not replayed before the end.",
                &[
                    "Give more time: --timeout 5m.",
                    "Ask about less at once: --type or --method; a method alone has all the time.",
                    "Try another order of paths: --strategy coverage, targeted, dfs or bfs.",
                ],
            ),
            Reason::StepLimit => (
                "The method was followed up to the allowed number of instructions, over all its paths, and no further.",
                "The number was given with --max-steps; without it there is no limit but the time.",
                &["Allow more: --max-steps, or leave the option out."],
            ),
            Reason::MemoryLimit => (
                "States that waited were given up, because the process would have needed more memory than allowed.",
                "Every path keeps its own memory, and large arrays, deep recursion or very many paths add up. The limit is \
                 half of the machine and at most 4 GB unless something else is said.",
                &[
                    "Allow more: --max-memory 8G.",
                    "Let fewer methods be explored at a time: --jobs 1.",
                    "Ask about less at once: --type or --method.",
                ],
            ),
            Reason::Bound => (
                "Something was tried up to a size or a number, and not beyond it; what was tried is answered.",
                "Inputs have no end: arrays and texts can be of any length, recursion of any depth, types of any kind. Where \
                 no proof speaks of all of them, the engine stops at a bound; the detail names it.",
                &[
                    "Read the detail: it says what was not tried.",
                    "If what was left out cannot happen in your program, the answer is as good as complete for it.",
                    "Simplify what the detail names, for example a loop that changes many things at once.",
                ],
            ),
            Reason::Deadlock => (
                "The program came to a point from which it cannot go on: every thread waits for another.",
                "`cilantro run` runs threads one at a time and sees when none of them can continue. It is a property of the \
                 program for this order of its threads.",
                &[
                    "Read who waits for what: -v shows the stacks.",
                    "Take locks in the same order everywhere; do not wait for a task on the thread that is to run it.",
                ],
            ),
            Reason::Cancelled => (
                "Somebody stopped the run; what was there so far is the answer.",
                "Ctrl-C, or a signal to end.",
                &["Run it again, with a --timeout that you want to wait for."],
            ),
            Reason::SolverUnknown => (
                "It is not known whether some path can be taken, so nothing is claimed about what lies on it.",
                "Some conditions are hard: products of many unknown numbers, remainders, floating point, hashes. The solver \
                 gave up after its time for one question. With --cross-check also: two solvers did not agree.",
                &[
                    "Give a single question more time: --solver-timeout 10s, and --timeout accordingly.",
                    "Keep the questions with --dump-queries DIR and look at the one that takes long.",
                ],
            ),
            Reason::UnsupportedInstruction => (
                "Paths end before an instruction that the engine does not execute; what lies behind it is open.",
                "Few instructions of CIL are left out, mostly those that no C# compiler emits.",
                &[
                    "Look at the place: cilantro inspect DLL --method METHOD.",
                    "Test what is around it: the methods that it calls are explored by themselves.",
                ],
            ),
            Reason::UnsupportedInput => (
                "The method was not explored, or not with every input, because values of a parameter's type cannot be made.",
                "Pointers, ref structs other than spans, classes without a known way to make one, type parameters for which \
                 no type is known.",
                &[
                    "Make a class for it known: a public constructor, or a class in the assembly that implements it.",
                    "Allow made-up classes: --mocks auto or prefer.",
                    "Explore methods that call it with an object that they make themselves.",
                ],
            ),
            Reason::NativeCall => (
                "Paths end at a call whose code is not CIL; what happens after it is open.",
                "The runtime and native libraries do parts of the work. Many of these calls have a model, which docs/models.md \
                 lists; this one has none, or depends on the world around the process: files, the network, the clock.",
                &[
                    "Put the call behind an interface or a delegate: it is mocked then, and both sides are explored.",
                    "See docs/support.md for what is there.",
                ],
            ),
            Reason::MissingReference => (
                "Code that needs something that was not found was not followed; everything else was.",
                "Assemblies are looked for beside the assembly, as its deps.json says, and in the shared framework that its \
                 runtimeconfig.json names. What the code refers to is in none of them, or in another version.",
                &[
                    "Put the dependencies beside the assembly: use the output of `dotnet publish`.",
                    "Name the runtime that it is for: --runtime PATH.",
                ],
            ),
            Reason::InvalidCode => (
                "The method breaks the rules of CIL; the runtime would refuse it, or it was damaged.",
                "Obfuscators and code generators write such code, and so do files that were cut off.",
                &[
                    "Build the assembly again, or ask about the one before it was obfuscated.",
                    "Look at the code: cilantro inspect DLL --method METHOD.",
                ],
            ),
            Reason::ReplayMismatch => (
                "The engine predicted something else than the real runtime does. The test was dropped, and no branch of the \
                 method counts as proven.",
                "A defect of the engine or of one of its models, or code that behaves differently each time: chance, time, \
                 other threads, state that earlier calls left behind.",
                &[
                    "If the code always does the same, report it: it is a defect of Cilantro.",
                    "Pass in what varies: a clock, a random number generator.",
                ],
            ),
            Reason::ReplayUnavailable => (
                "There are tests, but the real runtime has not confirmed them; they are not written, and exceptions are not \
                 counted as findings.",
                "No runtime was found that can load the assembly, or the process could not be started or was ended.",
                &[
                    "Install the .NET that the assembly is for, or name one: --runtime PATH.",
                    "Read the detail: it says what the process said.",
                ],
            ),
            Reason::NotWritten => (
                "Something was found and confirmed, but there is no C# for it in the written project.",
                "The C# would not compile, for example because a member is not accessible, or it does not hold in every \
                 culture, time zone and order of tests. The summary lists each such test with its reason.",
                &[
                    "Look at `unwritten` in summary.json.",
                    "Run the case instead of the C#: cilantro replay DIR.",
                ],
            ),
            Reason::InternalError => (
                "Cilantro failed at this method; nothing is claimed about it, and other methods are not affected.",
                "A defect in Cilantro.",
                &[
                    "Report it, with the assembly or the method if you can: -v adds what is known of the place.",
                    "Leave the method out for now by naming others: --type, --method.",
                ],
            ),
        };
        Explanation { meaning, why, what_to_do }
    }
}
