//! The commands that other programs talk to, as these meet them: the real process, message by message.

#![allow(clippy::unwrap_used)] // a test may fail

#[path = "../cli/library.rs"]
mod library;
mod lsp;
mod lsp_client;
mod mcp;
mod mcp_client;
mod watch;
