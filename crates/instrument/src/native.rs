//! Machine code is dropped from the copy, so that the runtime compiles the CIL with its probes.
//!
//! A ReadyToRun image says in its CLI header that it is more than CIL, has an operating system mixed into its machine, and
//! directories (exception tables, relocations …) that the runtime does not allow in an image of CIL only. The bytes of the
//! machine code stay where they are; nothing refers to them any more.

use cil::Module;

use crate::error::Result;
use crate::image::{Image, directory};

const CIL_ONLY: u32 = 0x1;
const CIL_LIBRARY: u32 = 0x4;
/// `RTR`.
const READY_TO_RUN: u32 = 0x0052_5452;
/// Mixed by exclusive or into the machine: Apple, FreeBSD, Linux, NetBSD, SunOS.
const SYSTEMS: [u16; 5] = [0x4644, 0xadc4, 0x7b79, 0x1993, 0x1992];
/// x86, x64, ARM, ARM64, LoongArch64, RISC-V 64.
const MACHINES: [u16; 6] = [0x014c, 0x8664, 0x01c4, 0xaa64, 0x6264, 0x5064];

pub(crate) fn drop_native_code(image: &mut Image, module: &Module) -> Result<()> {
    let (rva, _) = image.native_header()?;
    if rva == 0 {
        return Ok(());
    }
    let at = module.file_offset_of(rva);
    let signature = at.map(|at| image.u32(at)).transpose()?;
    if signature != Some(READY_TO_RUN) {
        return Err(image.bad("machine code that is not ReadyToRun", at.unwrap_or_default()));
    }
    image.clear_native_header()?;
    let flags = image.cli_flags()?;
    image.set_cli_flags(flags & !CIL_LIBRARY | CIL_ONLY)?;
    let machine = image.machine()?;
    if !MACHINES.contains(&machine)
        && let Some(plain) = SYSTEMS.iter().map(|system| machine ^ system).find(|m| MACHINES.contains(m))
    {
        image.set_machine(plain)?;
    }
    image.set_entry_point(0)?;
    for index in 0..directory::COUNT {
        if index != directory::RESOURCES && index != directory::CLI_HEADER {
            image.set_directory(index, 0, 0)?;
        }
    }
    Ok(())
}
