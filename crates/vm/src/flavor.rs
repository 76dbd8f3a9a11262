//! Which runtime the class library in use belongs to. Its internals differ, and so do some results of instructions.

use types::Universe;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// By the first number of the core library's version: 4 up to .NET Core 3.1, then that of .NET.
    CoreClr { major: u16 },
    /// Also what .NET Flavor's library is taken for: both call their core library `mscorlib`.
    Mono,
}

impl Flavor {
    pub fn of(universe: &Universe) -> Flavor {
        let Ok(core) = universe.corelib() else { return Flavor::CoreClr { major: u16::MAX } };
        let core = universe.assembly(core);
        match core.name() {
            "mscorlib" => Flavor::Mono,
            _ => Flavor::CoreClr { major: core.version()[0] },
        }
    }

    /// Since .NET 9 a conversion of a float to an integer saturates and turns NaN into 0 on every machine.
    pub fn saturates(self) -> bool {
        matches!(self, Flavor::CoreClr { major: 9.. })
    }

    /// Before .NET 5, many things that have been CIL since were in the runtime.
    pub fn is_core_3(self) -> bool {
        matches!(self, Flavor::CoreClr { major: ..5 })
    }
}
