//! A client of the Model Context Protocol: a line is a message, and nothing else may be on stdout.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// A server that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(200);

pub struct Client {
    server: Child,
    to: Option<ChildStdin>,
    from: Receiver<String>,
    /// What the client says when it is asked for its roots.
    roots: Vec<String>,
    asked_for_roots: usize,
    last: u64,
    /// What was told without being asked.
    pub notes: Vec<Value>,
}

/// How a server is started.
#[derive(Default)]
pub struct Start<'a> {
    pub folder: Option<&'a Path>,
    pub options: &'a [&'a str],
    /// The client names these; without any it cannot be asked.
    pub roots: Option<Vec<PathBuf>>,
}

impl Client {
    /// A server that has been greeted.
    pub fn start(start: Start<'_>) -> Client {
        let runtime = testkit::Toolchain::locate().unwrap().runtime_root().to_owned();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
        command.arg("mcp").arg("--runtime").arg(runtime).args(start.options);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(folder) = start.folder {
            command.current_dir(folder);
        }
        let mut server = command.spawn().unwrap();
        let (lines, from) = channel();
        let stdout = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).try_for_each(|line| lines.send(line)).ok();
        });
        let to = server.stdin.take();
        let capabilities = if start.roots.is_some() { json!({ "roots": {} }) } else { json!({}) };
        let roots = start.roots.unwrap_or_default();
        let roots = roots.iter().map(|root| format!("file://{}", root.display())).collect();
        let mut client = Client { server, to, from, roots, asked_for_roots: 0, last: 0, notes: Vec::new() };
        let greeting = client.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": capabilities,
                "clientInfo": { "name": "test", "version": "1" }
            }),
        );
        assert_eq!(greeting["result"]["serverInfo"]["name"], "cilantro", "{greeting}");
        assert_eq!(greeting["result"]["protocolVersion"], "2025-06-18");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    pub fn send(&mut self, message: &Value) {
        let to = self.to.as_mut().unwrap();
        writeln!(to, "{message}").unwrap();
        to.flush().unwrap();
    }

    /// Sends a request and does not wait.
    pub fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The response to a request.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.response(id)
    }

    pub fn response(&mut self, id: u64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
            assert!(message["id"].is_null(), "a response that nobody waits for: {message}");
        }
    }

    /// The next message; questions of the server are answered on the way.
    pub fn next(&mut self) -> Value {
        loop {
            let line = self.from.recv_timeout(PATIENCE).unwrap();
            let message: Value =
                serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            if message["method"] == "roots/list" {
                self.asked_for_roots += 1;
                let roots: Vec<Value> = self.roots.iter().map(|uri| json!({ "uri": uri })).collect();
                let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "roots": roots } });
                self.send(&answer);
                continue;
            }
            if message["id"].is_null() {
                self.notes.push(message.clone());
            }
            return message;
        }
    }

    /// What a tool answers; it must be no error.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let response = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &response["result"];
        assert_eq!(result["isError"], false, "{response}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        text
    }

    /// What is wrong with a question.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let response = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(response["result"]["isError"], true, "{response}");
        response["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    pub fn was_asked_for_roots(&self) -> bool {
        self.asked_for_roots > 0
    }

    /// Goes away; the server must end by itself.
    pub fn leave(mut self) -> Option<i32> {
        drop(self.to.take());
        self.server.wait().unwrap().code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ended_already = self.server.kill();
        let _ended = self.server.wait();
    }
}
