//! What the runtime itself makes and keeps for the class library: handles, method tables, traces, texts.

mod handles;
mod method_table;
mod named_fields;
mod texts;
mod throwers;
mod throwing;
mod traces;

pub use traces::Source;
