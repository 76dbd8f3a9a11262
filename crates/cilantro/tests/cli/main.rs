//! The program as its user meets it: the binary, its words and its exit codes.

#![allow(clippy::unwrap_used)] // a test may fail

mod ci;
mod corpus;
mod exclusion;
mod files;
mod findings;
mod help;
mod library;
mod malformed;
mod older;
mod program;
mod programs;
mod project;
mod prove;
mod reach;
mod readable;
mod reports;
mod run;
mod scope;
mod selection;
mod since;
mod tutorial;
mod writing;
