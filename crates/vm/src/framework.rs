//! Which runtime the class library in use belongs to. Its internals differ, and so do some results of instructions.

use types::Universe;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// By the first number of the core library's version: 4 up to .NET Core 3.1, then that of .NET.
    CoreClr { major: u16 },
    /// Also what .NET Framework's library is taken for: both call their core library `mscorlib`.
    Mono,
}

impl Framework {
    pub fn of(universe: &Universe) -> Framework {
        let Ok(core) = universe.corelib() else { return Framework::CoreClr { major: u16::MAX } };
        let core = universe.assembly(core);
        match core.name() {
            "mscorlib" => Framework::Mono,
            _ => Framework::CoreClr { major: core.version()[0] },
        }
    }

    /// Since .NET 9 a conversion of a float to an integer saturates and turns NaN into 0 on every machine.
    pub fn saturates(self) -> bool {
        matches!(self, Framework::CoreClr { major: 9.. })
    }

    /// Before .NET 5, many things that have been CIL since were in the runtime.
    pub fn is_core_3(self) -> bool {
        matches!(self, Framework::CoreClr { major: ..5 })
    }
}
