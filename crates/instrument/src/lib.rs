//! A copy of an assembly that records what the runtime really did: which conditional jumps and switches went where, and
//! which instructions were reached.
//!
//! Each [`Probe`] has one byte in a block of memory that somebody else provides: probe `i` writes 1 to `base + i` when its
//! edge is taken or its instruction reached. A probe is four instructions (`ldc.i8 address; conv.u; ldc.i4.1; stind.i1`):
//! it needs no metadata, leaves the evaluation stack alone and cannot fail, so no row of any table changes but the RVAs of
//! the bodies that have probes. These bodies are written anew at the end of the last section. A body without a probe stays
//! where and what it is.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = testkit::compile("InstrumentExample", &[("E.cs",
//! #     "public static class E { public static int F(int x) => x > 5 ? 1 : 2; }")], &testkit::Options::default())?;
//! let module = cil::Module::open(&path)?;
//! let mut probes = Vec::new();
//! for method in module.method_defs() {
//!     probes.push(instrument::Probe::reached(method, 0));
//!     if let Some(body) = module.method_body(method)? {
//!         let edges = instrument::edges(&body)?;
//!         probes.extend(edges.into_iter().map(|edge| instrument::Probe::edge(method, edge)));
//!     }
//! }
//! assert_eq!(probes.len(), 3); // F is entered; `x > 5` or not
//! let base = 0x10_0000_0000; // the process maps three bytes here before it loads the copy
//! let copy = instrument::instrument(&module, &probes, base)?;
//! assert!(copy.image.len() > module.bytes().len());
//! # Ok(())
//! # }
//! ```
//!
//! **What the copy is.** Its identity (name, version, public key, module version id), tokens, resources and field data are
//! those of the original. It is never strong-name signed, has no checksum, and no machine code: a ReadyToRun image becomes
//! one of CIL only, since the runtime would run the machine code instead. Code that *other* images have inlined from it is
//! out of reach: framework assemblies are compiled together, and whoever instruments one of them should run it with
//! `DOTNET_ReadyToRun=0`. Nothing is recorded for methods that the runtime replaces by code of its own.
//!
//! **Symbols.** A PDB describes the offsets of the original, and the runtime would print wrong lines for the copy. So the
//! copy does not refer to one (its debug directory is empty): stack traces have no lines, and who wants them translates
//! offsets with [`Instrumented::original_offset`] and looks them up in the PDB of the original.
//!
//! **What a program can see.** Offsets in stack frames, `MethodBody.GetILAsByteArray`, its own file; that larger methods are
//! inlined less often and need more stack; in code that is not optimised, that an object which lies on the evaluation stack
//! at a probe is not collected before the method ends. Nothing else.

mod bodies;
mod code;
mod emit;
mod error;
mod image;
mod native;
mod offsets;
mod placement;
mod probe;
mod rewritten;

use cil::{MethodDefId, Module};

pub use error::{Error, Result};
pub use offsets::OffsetMap;
pub use probe::{Edge, Place, Probe, edges};

use bodies::Bodies;
use image::Image;

/// A copy with probes.
#[derive(Debug)]
pub struct Instrumented {
    /// The bytes of the file.
    pub image: Vec<u8>,
    /// The methods that have probes, in the order of their rows, each with its offsets.
    pub methods: Vec<(MethodDefId, OffsetMap)>,
}

impl Instrumented {
    /// The offset in the original of what stands at an offset of a method of the copy.
    pub fn original_offset(&self, method: MethodDefId, offset: u32) -> u32 {
        match self.methods.binary_search_by_key(&method.row(), |(id, _)| id.row()) {
            Ok(index) => self.methods.get(index).map_or(offset, |(_, map)| map.original(offset)),
            Err(_) => offset,
        }
    }
}

/// Makes a copy in which probe `i` writes 1 to the byte at `base + i`.
pub fn instrument(module: &Module, probes: &[Probe], base: u64) -> Result<Instrumented> {
    if base.checked_add(probes.len() as u64).is_none() {
        return Err(Error::TooLarge("the block of probes"));
    }
    let mut image = Image::copy_of(module)?;
    native::drop_native_code(&mut image, module)?;
    image.drop_signatures_and_symbols()?;

    let mut bodies = Bodies::new(module, probes, base);
    let mut order: Vec<(MethodDefId, usize)> = probes.iter().map(|probe| probe.method).zip(0..).collect();
    order.sort_unstable();
    for group in order.chunk_by(|(a, _), (b, _)| a == b) {
        bodies.add(group)?;
    }
    image.append(&bodies.bytes, &bodies.cells)?;
    let image = bodies.check(image.into_bytes())?;
    Ok(Instrumented { image, methods: bodies.methods })
}
