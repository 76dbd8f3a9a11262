//! `lsp`: what is known of the code, where it is written. A language server on stdin and stdout.
//!
//! `known` says what an exploration means for the lines of source files, `worker` explores, one thing after the other;
//! this file speaks the protocol. Messages are few, so they are written as JSON.

mod known;
mod worker;

use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::Error;
use lsp_server::{Connection, Message, Request, Response};
use serde_json::{Value, json};

use crate::args::{Common, Lsp};
use crate::builds::{Seen, look_out};
use crate::commands::Exit;
use crate::files::path_of_uri;
use known::Known;
use worker::{Job, Worker};

/// What the commands of lenses and code actions are called.
pub(crate) const EXPLAIN: &str = "cilantro.explain";
pub(crate) const PROVE: &str = "cilantro.prove";
pub(crate) const WRITE_TESTS: &str = "cilantro.writeTests";

/// JSON-RPC's numbers for what went wrong.
const UNKNOWN_METHOD: i32 = -32601;
const WRONG_PARAMETERS: i32 = -32602;
pub(crate) const FAILED: i32 = -32803;

/// For work that is under way when the editor is closed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves one editor until it says that it is over.
pub fn run(args: &Lsp, common: &Common) -> Result<Exit, Error> {
    let (connection, threads) = Connection::stdio();
    let failed = |error: &dyn std::fmt::Display| Error::Other(format!("the server has ended: {error}"));
    let (id, asked) = connection.initialize_start().map_err(|error| failed(&error))?;
    let greeting = json!({
        "capabilities": {
            "codeLensProvider": {},
            "hoverProvider": true,
            "codeActionProvider": true,
            "executeCommandProvider": { "commands": [EXPLAIN, PROVE, WRITE_TESTS] },
            "textDocumentSync": 0
        },
        "serverInfo": { "name": "cilantro", "version": env!("CARGO_PKG_VERSION") }
    });
    connection.initialize_finish(id, greeting).map_err(|error| failed(&error))?;
    let served = serve(&connection, args, common, opened_folder(&asked));
    served?;
    // The thread that writes ends when nobody can send any more.
    drop(connection);
    threads.join().map_err(|error| failed(&error))?;
    Ok(Exit::NothingFound)
}

/// The folder that the editor has opened, by the newer way to say it or by the older one.
fn opened_folder(asked: &Value) -> PathBuf {
    let uri = asked["workspaceFolders"][0]["uri"].as_str().or(asked["rootUri"].as_str());
    uri.and_then(path_of_uri).or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}

fn serve(connection: &Connection, args: &Lsp, common: &Common, folder: PathBuf) -> Result<(), Error> {
    let sender = connection.sender.clone();
    let known = Arc::new(Mutex::new(Known::default()));
    let (jobs, waiting) = channel();
    let tell = Box::new(move |message: Message| _ = sender.send(message));
    let worker = Worker::new(args, common, folder.clone(), Arc::clone(&known), tell);
    let exploring = worker.exploring();
    let subject = args.assembly.as_ref().map_or_else(|| folder.clone(), |named| folder.join(named));
    let looks_out = {
        let (jobs, exploring) = (jobs.clone(), Arc::clone(&exploring));
        look_out(subject, move |seen| {
            let job = match seen {
                Seen::Build(subject) => {
                    // What is explored by now is out of date.
                    exploring.cancel();
                    Job::Explore(subject)
                }
                Seen::Nothing(why) => Job::Complain(why),
            };
            let _is_over = jobs.send(job);
        })?
    };
    let (works, work_is_over) = channel::<()>();
    engine::spawn("work", move || {
        let _works = works;
        worker.work(&waiting);
    })?;
    let server = Server { connection, known, jobs };
    let ended = server.answer_all();
    looks_out.end();
    exploring.cancel();
    let _is_over = server.jobs.send(Job::End);
    match (ended, work_is_over.recv_timeout(PATIENCE)) {
        (Ok(()), Err(RecvTimeoutError::Timeout)) => {
            Err(Error::Other("the work did not end in time".to_owned()))
        }
        (ended, _) => ended,
    }
}

struct Server<'a> {
    connection: &'a Connection,
    known: Arc<Mutex<Known>>,
    jobs: Sender<Job>,
}

impl Server<'_> {
    fn answer_all(&self) -> Result<(), Error> {
        for message in &self.connection.receiver {
            let Message::Request(request) = message else { continue };
            match self.connection.handle_shutdown(&request) {
                Ok(true) => return Ok(()),
                Ok(false) => self.answer(request),
                Err(error) => return Err(Error::Other(format!("the server has ended: {error}"))),
            }
        }
        Ok(())
    }

    fn answer(&self, request: Request) {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = &request.params;
        let file = asked["textDocument"]["uri"].as_str().and_then(path_of_uri).unwrap_or_default();
        let line = |place: &Value| place["line"].as_u64().and_then(|line| u32::try_from(line + 1).ok());
        let answer = match request.method.as_str() {
            "textDocument/codeLens" => known.lenses(&file),
            "textDocument/hover" => {
                line(&asked["position"]).map_or(Value::Null, |line| known.hover(&file, line))
            }
            "textDocument/codeAction" => {
                line(&asked["range"]["start"]).map_or(Value::Null, |line| known.actions(&file, line))
            }
            "workspace/executeCommand" => return self.execute(request, &known),
            other => {
                let response =
                    Response::new_err(request.id, UNKNOWN_METHOD, format!("{other} is not supported"));
                return self.send(response);
            }
        };
        self.send(Response::new_ok(request.id, answer));
    }

    /// What takes long is done by the worker, which answers by itself.
    fn execute(&self, request: Request, known: &Known) {
        let (command, subject) = (&request.params["command"], request.params["arguments"][0].as_str());
        let id = request.id.clone();
        let job = match (command.as_str(), subject.map(str::to_owned)) {
            (Some(EXPLAIN), Some(method)) => match known.explanation(&method) {
                Some(text) => return self.send(Response::new_ok(id, text)),
                None => return self.refuse(request, &format!("{method} is not known")),
            },
            (Some(PROVE), Some(method)) => Job::Prove { id, method },
            (Some(WRITE_TESTS), Some(ty)) => Job::Write { id, ty },
            _ => return self.refuse(request, "there is no such command, or it has no argument"),
        };
        let _is_over = self.jobs.send(job);
    }

    fn refuse(&self, request: Request, why: &str) {
        self.send(Response::new_err(request.id, WRONG_PARAMETERS, why.to_owned()));
    }

    fn send(&self, response: Response) {
        let _editor_is_gone = self.connection.sender.send(response.into());
    }
}
