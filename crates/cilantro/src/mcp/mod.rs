//! `mcp`: a Model Context Protocol server on stdin and stdout, so that coding assistants can ask what is true.
//!
//! A question is a call of the library like any other command's. What is asked is in `asked`, what is answered in `answers`,
//! how one becomes the other in `work`; `tools` lists the questions, `server` speaks the protocol.

mod answers;
mod asked;
mod job;
mod roots;
mod server;
mod tools;
mod work;

use std::time::Duration;

use engine::Error;
use rmcp::ServiceExt;
use rmcp::transport::stdio;
use tokio::runtime::Builder;

use crate::args::{Common, Mcp};
use crate::commands::Exit;
use server::Server;

/// For a question that is under way when the client goes away.
const PATIENCE: Duration = Duration::from_secs(5);

/// Answers until the client closes its end. Stdout belongs to the protocol: everything else goes to stderr.
pub fn run(args: &Mcp, common: &Common) -> Result<Exit, Error> {
    let server = Server::new(args, common)?;
    let failed = |error: &dyn std::fmt::Display| Error::Other(format!("the server has ended: {error}"));
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
    let ended = runtime.block_on(async {
        let serving = server.serve(stdio()).await.map_err(|error| failed(&error))?;
        serving.waiting().await.map_err(|error| failed(&error))
    });
    // What still runs was told to end when the futures that wait for it were dropped.
    runtime.shutdown_timeout(PATIENCE);
    ended.map(|_| Exit::NothingFound)
}
