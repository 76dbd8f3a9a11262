//! The attacker's process: started, told what is claimed, listened to, and started again without the method that hung or
//! killed it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cil::{MethodDefId, Module, Token};
use engine::Claim;
use instrument::Probe;
use testkit::{Options, Source, Target, Toolchain};

/// A batch of calls that takes longer hangs.
const SILENCE: Duration = Duration::from_secs(15);
const START: Duration = Duration::from_secs(60);

/// What is attacked, and for how long.
#[derive(Clone, Debug)]
pub struct Attack<'a> {
    pub library: &'a Path,
    pub claims: &'a [Claim],
    pub seed: u32,
    pub time: Duration,
}

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Broken {
    pub method: String,
    /// The branch, or the exception.
    pub what: String,
    /// The call, in words.
    pub how: String,
}

/// What came of an attack.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub broken: BTreeSet<Broken>,
    pub calls: u64,
    /// Methods that were called with success, and those that never were: their inputs cannot be made.
    pub called: usize,
    pub uncalled: BTreeSet<String>,
    /// Methods in which the process died or hung, and how: that is not spoken of in a proof.
    pub lost: BTreeMap<String, String>,
}

impl Attack<'_> {
    pub fn run(&self) -> Result<Report> {
        let mut report = Report::default();
        let mut called: BTreeMap<u32, u64> = BTreeMap::new();
        let end = Instant::now() + self.time;
        let mut skipped: BTreeSet<u32> = BTreeSet::new();
        for round in 0.. {
            let left = end.saturating_duration_since(Instant::now());
            let claims: Vec<&Claim> = self.claims.iter().filter(|c| !skipped.contains(&c.token)).collect();
            if left.is_zero() || claims.is_empty() {
                break;
            }
            let seed = self.seed.wrapping_add(round * 7919) & 0x3fff_ffff;
            let mut session = Session::start(self.library, &claims, seed, left)?;
            let Some((token, how)) = session.listen(&mut report, &mut called)? else { break };
            let name = claims.iter().find(|c| c.token == token).map(|c| c.method.clone());
            report.lost.insert(name.unwrap_or_default(), how);
            if !skipped.insert(token) {
                break;
            }
        }
        for claim in self.claims.iter().filter(|claim| !skipped.contains(&claim.token)) {
            match called.get(&claim.token) {
                Some(1..) => report.called += 1,
                _ => {
                    report.uncalled.insert(claim.method.clone());
                }
            }
        }
        Ok(report)
    }
}

struct Session<'a> {
    child: Child,
    lines: Receiver<String>,
    claims: &'a [&'a Claim],
    probes: Vec<Probe>,
    end: Instant,
    /// Its end would be the end of the process.
    input: Option<ChildStdin>,
    folder: tempfile::TempDir,
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _gone = (self.child.kill(), self.child.wait());
    }
}

impl<'a> Session<'a> {
    fn start(library: &Path, claims: &'a [&'a Claim], seed: u32, time: Duration) -> Result<Session<'a>> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(Toolchain::locate()?.dotnet());
        command.arg("exec").arg(program()?).current_dir(folder.path());
        command
            .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", if testkit::icu().is_some() { "0" } else { "1" });
        command.env("DOTNET_GCHeapHardLimit", "0x30000000").env("DOTNET_DbgEnableMiniDump", "0");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("the runtime does not start")?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the process has no pipes");
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(std::io::Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let probes = probes(claims);
        let mut session =
            Session { child, lines, claims, probes, end: Instant::now() + START, input: None, folder };
        session.tell(&mut input, library, seed, time)?;
        session.input = Some(input);
        session.end = Instant::now() + time + SILENCE;
        Ok(session)
    }

    fn tell(&mut self, input: &mut ChildStdin, library: &Path, seed: u32, time: Duration) -> Result<()> {
        writeln!(input, "probes\t{}", self.probes.len())?;
        let address = self.answer("address")?;
        let base = u64::from_str_radix(&address, 16)?;
        let module = Module::open(library)?;
        let copy = instrument::instrument(&module, &self.probes, base)?;
        let path = self.folder.path().join("copy.dll");
        std::fs::write(&path, &copy.image)?;
        let library = std::path::absolute(library)?;
        writeln!(input, "load\t{}\t{}", library.display(), path.display())?;
        self.answer("loaded")?;
        for claim in self.claims {
            let numbers: Vec<String> = (0..)
                .zip(&self.probes)
                .filter(|(_, probe)| claims_edge(claim, probe))
                .map(|(number, _): (usize, _)| number.to_string())
                .collect();
            let exceptions: Vec<&str> = claim.exceptions.iter().map(String::as_str).collect();
            let complete = u8::from(claim.is_complete);
            let (exceptions, numbers) = (exceptions.join(";"), numbers.join(","));
            writeln!(input, "claim\t{:x}\t{complete}\t{exceptions}\t{numbers}", claim.token)?;
        }
        writeln!(input, "go\t{seed}\t{}", time.as_millis())?;
        Ok(input.flush()?)
    }

    fn answer(&self, wanted: &str) -> Result<String> {
        let line = self.lines.recv_timeout(START).context("the attacker does not answer")?;
        match line.split_once('\t') {
            Some((word, rest)) if word == wanted => Ok(rest.to_owned()),
            _ => bail!("the attacker says {line}"),
        }
    }

    /// Until it is done; the method in which the process went away, and how, if it did.
    fn listen(
        &mut self,
        report: &mut Report,
        called: &mut BTreeMap<u32, u64>,
    ) -> Result<Option<(u32, String)>> {
        let mut trying = None;
        loop {
            let line = match self.lines.recv_timeout(SILENCE) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    return Ok(trying.map(|token| (token, "it did not come back".to_owned())));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.child.wait()?;
                    return Ok(trying.map(|token| (token, format!("the process ended: {status}"))));
                }
            };
            let parts: Vec<&str> = line.split('\t').collect();
            let token = parts.get(1).and_then(|token| u32::from_str_radix(token, 16).ok());
            match (parts.as_slice(), token) {
                (["done"], _) => return Ok(None),
                (["try", _], Some(token)) => {
                    trying = Some(token);
                    // The order of tries is all that is known when the process dies.
                    *called.entry(token).or_default() += 0;
                }
                (["calls", _, calls, returned], Some(token)) => {
                    report.calls += calls.parse::<u64>().unwrap_or(0);
                    *called.entry(token).or_default() += returned.parse::<u64>().unwrap_or(0);
                }
                ([kind @ ("hit" | "threw"), _, what, how], Some(token)) => {
                    report.broken.insert(self.broken(kind, token, what, how));
                }
                _ => bail!("the attacker says {line}"),
            }
            if Instant::now() > self.end {
                return Ok(trying.map(|token| (token, "it did not end".to_owned())));
            }
        }
    }

    fn broken(&self, kind: &str, token: u32, what: &str, how: &str) -> Broken {
        let claim = self.claims.iter().find(|claim| claim.token == token);
        let edge = || {
            let probe = self.probes.get(what.parse::<usize>().ok()?)?;
            let instrument::Place::Edge(edge) = probe.place else { return None };
            let body = probe.method.token().raw();
            Some(format!("IL_{:04x} -> IL_{:04x} of {body:#010x} is reached", edge.from, edge.to))
        };
        let what = match kind {
            "hit" => edge().unwrap_or_default(),
            _ => format!("{what} leaves it"),
        };
        Broken { method: claim.map_or_else(String::new, |c| c.method.clone()), what, how: how.to_owned() }
    }
}

/// On every branch that is claimed to be unreachable.
fn probes(claims: &[&Claim]) -> Vec<Probe> {
    let edges: BTreeSet<_> = claims.iter().flat_map(|claim| &claim.unreachable).collect();
    let probe = |(body, edge): &(u32, engine::parts::Edge)| {
        let method = MethodDefId::from_token(Token::from_raw(*body))?;
        Some(Probe::edge(method, instrument::Edge { from: edge.from, to: edge.to }))
    };
    edges.into_iter().filter_map(probe).collect()
}

fn claims_edge(claim: &Claim, probe: &Probe) -> bool {
    let instrument::Place::Edge(edge) = probe.place else { return false };
    let edge = engine::parts::Edge { from: edge.from, to: edge.to };
    claim.unreachable.contains(&(probe.method.token().raw(), edge))
}

/// The compiled attacker.
fn program() -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("host");
    let sources: Vec<Source> =
        testkit::csharp_files(&folder)?.iter().map(|file| Source::file(file)).collect();
    let options = Options { target: Target::Exe, allow_unsafe: true, ..Options::default() };
    Ok(testkit::compile("Attacker", &sources, &options)?)
}
