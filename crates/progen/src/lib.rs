//! Random C# programs, run by the machine and by CoreCLR, compared, and made smaller where the two differ.

pub mod batch;
pub mod generate;
pub mod reduce;
pub mod tree;

pub use generate::Program;
