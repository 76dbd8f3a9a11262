//! A folder compiled: as the engine sees it, and with its marks as calls for the witnesses.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use testkit::{Assembly, Options, Source, Target, Toolchain};

use crate::cases::{Case, cases, instrumented};
use crate::judge::{Judged, Summary, judge};
use crate::pairs;

/// A folder without C# of its own for the methods: they are generated.
pub const GENERATED: &str = "pairs_of_classes";

pub struct Library {
    pub folder: String,
    /// What is judged; nothing is beside it.
    dll: PathBuf,
    /// The program of the witnesses.
    pub witnesses: PathBuf,
}

impl Library {
    pub fn of(folder: &str) -> Library {
        // All at once, so that the compiler starts once whichever test comes first.
        let all: Vec<Sources> = folders().iter().map(|folder| Sources::of(folder)).collect();
        let plain: Vec<Assembly> = all.iter().map(Sources::judged).collect();
        let marked: Vec<Assembly> = all.iter().map(Sources::marked).collect();
        let paths = testkit::compile_all(&[plain, marked].concat()).unwrap();
        let (plain, marked) = paths.split_at(all.len());
        let programs: Vec<Assembly> = all.iter().zip(marked).map(|(s, dll)| s.witnesses(dll)).collect();
        let programs = testkit::compile_all(&programs).unwrap();
        let at = all.iter().position(|sources| sources.folder == folder).unwrap();
        Library { folder: folder.to_owned(), dll: plain[at].clone(), witnesses: programs[at].clone() }
    }

    pub fn judged(&self) -> Vec<Judged> {
        let summary = self.generate();
        cases_of(&self.folder).into_iter().map(|case| judge(case, &summary)).collect()
    }

    /// Limits that do not depend on the machine end what never ends; those of time are for a machine that hangs.
    fn generate(&self) -> Summary {
        let output = tempfile::TempDir::new().unwrap();
        let runtime = Toolchain::locate().unwrap().runtime_root().to_owned();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
        command.arg("generate").arg(&self.dll).arg("-o").arg(output.path()).arg("--runtime").arg(runtime);
        command.args(["--format", "json", "--max-steps", "20000", "--max-memory", "2G"]);
        // What is judged is what was explored and replayed, not how tests are written.
        command.args(["--timeout", "4m", "--solver-timeout", "1s", "--no-verify", "--private"]);
        let ended = command.stdin(Stdio::null()).output().unwrap();
        serde_json::from_slice(&ended.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&ended.stderr)))
    }
}

/// The names of the folders, in their order.
pub fn folders() -> Vec<String> {
    let entries = std::fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path());
    let folders = entries.filter(|path| path.is_dir());
    let mut names: Vec<String> =
        folders.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/misjudged")
}

pub fn cases_of(folder: &str) -> Vec<Case> {
    let sources = Sources::of(folder);
    let found: Vec<Case> = sources.library.iter().flat_map(|(file, text)| cases(file, text)).collect();
    let mut names: Vec<&str> = found.iter().map(|case| &*case.name).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None, "two cases of {folder} have one name");
    found
}

/// The C# of a folder: names and texts.
struct Sources {
    folder: String,
    library: Vec<(String, String)>,
    witnesses: Vec<(String, String)>,
}

impl Sources {
    fn of(folder: &str) -> Sources {
        let path = root().join(folder);
        let mut library = read(&path);
        let mut witnesses = read(&path.join("witness"));
        if folder == GENERATED {
            let generated = pairs::generate(&library);
            library.push(("Pairs.cs".to_owned(), generated.library));
            witnesses.push(("PairsWitness.cs".to_owned(), generated.witnesses));
        }
        Sources { folder: folder.to_owned(), library, witnesses }
    }

    /// `open_world` is `OpenWorld.dll`.
    fn name(&self) -> String {
        let words = self.folder.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
        words.collect()
    }

    fn judged(&self) -> Assembly {
        let sources = self.library.iter().map(|(file, text)| Source::text(file, text)).collect();
        Assembly { name: self.name(), sources, options: options() }
    }

    fn marked(&self) -> Assembly {
        let marked = |(file, text): &(String, String)| Source::text(file, &instrumented(text));
        let mut sources: Vec<Source> = self.library.iter().map(marked).collect();
        sources.push(Source::file(&root().join("Marks.cs")));
        Assembly { name: self.name(), sources, options: options() }
    }

    fn witnesses(&self, library: &Path) -> Assembly {
        let mut sources: Vec<Source> =
            self.witnesses.iter().map(|(file, text)| Source::text(file, text)).collect();
        sources.push(Source::file(&root().join("Host.cs")));
        let options = Options { target: Target::Exe, references: vec![library.to_owned()], ..options() };
        Assembly { name: format!("{}Witness", self.name()), sources, options }
    }
}

fn options() -> Options {
    Options { allow_unsafe: true, ..Options::default() }
}

fn read(folder: &Path) -> Vec<(String, String)> {
    let files = testkit::csharp_files(folder).unwrap();
    let named = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    files.into_iter().map(named).collect()
}
