//! One host process: requests go in, answers come out, each within its time.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    Limits, Runtime,
    host::HostFiles,
    limits::{MAX_ANSWER, MAX_LAST_WORDS, POLL},
    process_group,
};

/// A child with its pipes. Dropping it kills it and all that it started.
pub struct HostProcess {
    child: Child,
    requests: Sender<String>,
    answers: Receiver<String>,
    last_words: Arc<Mutex<Vec<u8>>>,
    /// Requests answered so far.
    pub answered: u32,
}

/// Why there is no answer. The process is of no use afterwards.
#[derive(Debug)]
pub enum Lost {
    TimedOut,
    Cancelled,
    /// The process ended; how, in words.
    Ended(String),
}

impl HostProcess {
    pub(crate) fn start(
        runtime: &Runtime,
        files: &HostFiles,
        limits: &Limits,
    ) -> std::io::Result<HostProcess> {
        let mut command = Command::new(&runtime.muxer);
        if runtime.is_mono() {
            prepare_mono(&mut command, runtime, limits);
        } else {
            command.arg("exec").arg("--runtimeconfig").arg(files.config());
        }
        command.arg(files.assembly());
        // The code under test must not find the user's files by relative paths.
        command.current_dir(files.folder());
        // The world in which the machine explores: the invariant culture, as the system's ICU has it, and UTC.
        command.env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
        command
            .env_remove("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT")
            .env_remove("DOTNET_SYSTEM_GLOBALIZATION_APPLOCALICU");
        HostProcess::launch(command, limits)
    }

    /// Starts a host program with limits; its last argument is the mark that its answers start with.
    pub fn launch(mut command: Command, limits: &Limits) -> std::io::Result<HostProcess> {
        let mark = mark();
        command.arg(&mark);
        set_environment(&mut command, limits);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        process_group::prepare(&mut command, limits);
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            process_group::kill(&mut child);
            return Err(std::io::Error::other("the process has no pipes"));
        };
        let last_words = Arc::new(Mutex::new(Vec::new()));
        listen(stderr, Arc::clone(&last_words));
        let requests = send(stdin);
        Ok(HostProcess { child, requests, answers: receive(stdout, mark), last_words, answered: 0 })
    }

    /// Sends one line and waits for the answer.
    pub fn ask(&mut self, line: &str, until: Instant, cancel: &AtomicBool) -> Result<String, Lost> {
        self.send(line);
        self.next_answer(until, cancel)
    }

    pub fn send(&self, line: &str) {
        // When the process is gone nobody takes the line; the answers have ended then as well.
        let _ = self.requests.send(format!("{line}\n"));
    }

    /// Waits for one more answer, for hosts that give several to one request.
    pub fn next_answer(&mut self, until: Instant, cancel: &AtomicBool) -> Result<String, Lost> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(POLL)) {
                Ok(answer) => {
                    self.answered += 1;
                    return Ok(answer);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Lost::Ended(self.how_it_ended())),
                Err(RecvTimeoutError::Timeout) if cancel.load(Ordering::Relaxed) => {
                    return Err(Lost::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Lost::TimedOut),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Called when the answers have ended: the process is dying or dead.
    fn how_it_ended(&mut self) -> String {
        let status = wait_briefly(&mut self.child);
        // The thread that listens sees the end of the pipe a moment later.
        thread::sleep(Duration::from_millis(10));
        let words = self.last_words.lock().map(|words| words.clone()).unwrap_or_default();
        describe(status, &String::from_utf8_lossy(&words))
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        process_group::kill(&mut self.child);
    }
}

/// Mono looks for its configuration where it was installed, which is not where it is if it was unpacked elsewhere.
fn prepare_mono(command: &mut Command, runtime: &Runtime, limits: &Limits) {
    let prefix = runtime.muxer.parent().and_then(Path::parent);
    let beside = prefix.and_then(Path::parent).map(|root| root.join("etc"));
    if let Some(folder) = beside.filter(|folder| folder.join("mono/config").is_file()) {
        command.env("MONO_CFG_DIR", folder);
    }
    command.env("MONO_GC_PARAMS", format!("max-heap-size={}", limits.heap_bytes));
    for variable in ["MONO_PATH", "MONO_ENV_OPTIONS", "MONO_OPTIONS", "MONO_GAC_PREFIX", "MONO_LOG_LEVEL"] {
        command.env_remove(variable);
    }
}

fn set_environment(command: &mut Command, limits: &Limits) {
    let heap = format!("{:x}", limits.heap_bytes);
    for prefix in ["DOTNET", "COMPlus"] {
        command.env(format!("{prefix}_GCHeapHardLimit"), &heap);
        command.env(format!("{prefix}_EnableDiagnostics"), "0");
        command.env(format!("{prefix}_DbgEnableMiniDump"), "0");
        command.env(format!("{prefix}_gcServer"), "0");
    }
    command.env("DOTNET_MULTILEVEL_LOOKUP", "0");
    for variable in ["DOTNET_STARTUP_HOOKS", "DOTNET_ROOT", "DOTNET_ADDITIONAL_DEPS", "DOTNET_ROLL_FORWARD"] {
        command.env_remove(variable);
    }
}

/// Something the code under test does not print by chance.
fn mark() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

/// Writes on a thread of its own: a pipe that nobody reads must not hold us up.
fn send(mut stdin: ChildStdin) -> Sender<String> {
    let (requests, from) = mpsc::channel::<String>();
    thread::spawn(move || {
        for line in from {
            if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    requests
}

/// Passes on what follows the mark at the start of a line; all else was printed by the code under test.
fn receive(stdout: ChildStdout, mark: String) -> Receiver<String> {
    let (to, answers) = mpsc::channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(stdout);
        let mut line = Vec::new();
        loop {
            line.clear();
            match lines.by_ref().take(MAX_ANSWER).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let Some(answer) = line.strip_prefix(mark.as_bytes()) else { continue };
            if to.send(String::from_utf8_lossy(answer).into_owned()).is_err() {
                return;
            }
        }
    });
    answers
}

fn listen(mut stderr: ChildStderr, words: Arc<Mutex<Vec<u8>>>) {
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = stderr.read(&mut buffer) {
            let Ok(mut words) = words.lock() else { return };
            let room = MAX_LAST_WORDS.saturating_sub(words.len());
            words.extend(buffer.iter().take(count.min(room)));
        }
    });
}

fn wait_briefly(child: &mut Child) -> Option<ExitStatus> {
    let until = Instant::now() + Duration::from_secs(2);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
            _ => return None,
        }
    }
}

/// The first line the runtime wrote says most: `Stack overflow.`, `Unhandled exception. System…`.
fn describe(status: Option<ExitStatus>, words: &str) -> String {
    let first = words.lines().map(str::trim).find(|line| !line.is_empty());
    match (first, status) {
        (Some(line), _) if line.starts_with("Stack overflow") => "stack overflow".to_owned(),
        (Some(line), _) if line.starts_with("Process terminated") => {
            let message = line.trim_start_matches("Process terminated.").trim();
            let message =
                if message.is_empty() { words.lines().nth(1).unwrap_or_default().trim() } else { message };
            format!("the process was terminated (FailFast): {message}")
        }
        (Some(line), _) if line.starts_with("Unhandled exception") => {
            format!("on another thread: {}", line.trim_end_matches('.'))
        }
        (Some(line), Some(status)) => format!("the process ended with {status}: {line}"),
        (None, Some(status)) => format!("the process ended with {status}"),
        (_, None) => "the process closed its output".to_owned(),
    }
}
