//! Every limit the reader imposes on its input, in one place.
//!
//! All other allocation is bounded by the size of the file itself: nothing is ever reserved by a count that the
//! file merely claims.

/// Deepest nesting of a type inside a signature (`List<List<List<...>>>`, pointers to pointers, ...).
pub const MAX_SIGNATURE_DEPTH: u32 = 100;
/// Longest string read from the `#Strings` heap, in bytes. The runtime's own limit for names is 1,023.
pub const MAX_STRING_BYTES: usize = 16 * 1024;
/// Most sections a PE file may have (the Windows loader stops at 96; 16 bits are there).
pub const MAX_SECTIONS: usize = 4096;
/// Most metadata streams in one root. Real files have five or six.
pub const MAX_STREAMS: usize = 64;
/// Longest version string in the metadata root, including padding.
pub const MAX_VERSION_BYTES: u32 = 256;
/// Largest portable PDB that is inflated from an assembly.
pub const MAX_EMBEDDED_PDB_BYTES: usize = 256 * 1024 * 1024;
/// An embedded PDB may not be more than this many times larger than its compressed form (deflate cannot do better
/// than about 1032 : 1).
pub const MAX_INFLATE_RATIO: usize = 1032;
/// Deepest nesting of arrays and boxed values in a custom attribute argument.
pub const MAX_ATTRIBUTE_DEPTH: u32 = 32;
/// Most entries read from the PE debug directory.
pub const MAX_DEBUG_ENTRIES: usize = 256;
/// Largest line or column number of a sequence point (the format's own limits are 0x1fffffff and 0xffff).
pub const MAX_LINE: u32 = 0x1fff_ffff;
