//! An editor: messages with headers, and nothing else may be on stdout.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// A server that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(200);

pub struct Editor {
    server: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    last: i32,
    /// Notifications that nobody has waited for yet.
    notes: Vec<Value>,
}

impl Editor {
    /// A server for an opened folder.
    pub fn open(folder: &Path, options: &[&str]) -> Editor {
        let runtime = testkit::Toolchain::locate().unwrap().runtime_root().to_owned();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
        command.arg("lsp").args(options).arg("--runtime").arg(runtime).current_dir(std::env::temp_dir());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().unwrap();
        let (messages, from) = channel();
        let mut stdout = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                let _nobody_listens = messages.send(message);
            }
        });
        let to = server.stdin.take().unwrap();
        let mut editor = Editor { server, to, from, last: 0, notes: Vec::new() };
        let root = format!("file://{}", folder.display());
        let greeting =
            editor.request("initialize", json!({ "capabilities": {}, "rootUri": root, "processId": null }));
        assert_eq!(greeting["serverInfo"]["name"], "cilantro");
        assert_eq!(greeting["capabilities"]["hoverProvider"], true);
        editor.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.to.flush().unwrap();
    }

    /// The whole response.
    pub fn response(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.from.recv_timeout(PATIENCE).unwrap();
            if message["id"] == id {
                return message;
            }
            assert!(message["id"].is_null(), "{message}");
            self.notes.push(message);
        }
    }

    /// The result of a request that must have one.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.response(method, params);
        assert!(response["error"].is_null(), "{response}");
        response["result"].clone()
    }

    /// The next notification of this kind.
    pub fn heard(&mut self, method: &str) -> Value {
        if let Some(at) = self.notes.iter().position(|note| note["method"] == method) {
            return self.notes.remove(at)["params"].clone();
        }
        loop {
            let message = self.from.recv_timeout(PATIENCE).unwrap();
            if message["method"] == method {
                return message["params"].clone();
            }
            self.notes.push(message);
        }
    }

    /// Closes the editor as the protocol wants it.
    pub fn close(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        self.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
        self.server.wait().unwrap().code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ended_already = self.server.kill();
        let _ended = self.server.wait();
    }
}

/// The next message; nothing when the server has ended.
fn read(stdout: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().unwrap(),
            Some(_) => {}
            None if line == "\r\n" => break,
            None => panic!("this is no header: {line}"),
        }
    }
    let mut bytes = vec![0; length];
    stdout.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).unwrap())
}
