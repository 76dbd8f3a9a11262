//! One question under way: what it may look at, what it may cost, and who hears how far it is.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use budget::Signals;
use engine::{DEFAULT_SIZE, Engine, Error, Event, Keeping, Options, Outcome};
use tokio::sync::mpsc::UnboundedSender;
use verdict::Assumption;

use super::asked::About;
use super::roots::Roots;
use crate::args::{Common, Mocking, Trust};
use crate::commands::explore::common_options;
use crate::console::Console;
use crate::project::{self, Subject};

/// For a question that does not say.
const USUAL: Duration = Duration::from_secs(45);
/// If the user did not say how much time a question may take.
const MOST: Duration = Duration::from_secs(120);

/// What a question is answered with.
pub struct Job {
    pub common: Common,
    pub roots: Roots,
    pub keeping: Option<Keeping>,
    pub signals: Arc<Signals>,
    pub heard: UnboundedSender<String>,
}

impl Job {
    /// The assembly that is meant, if it may be asked about. Nothing is built: whoever asks may not want that.
    pub fn subject(&self, about: &About) -> Result<Subject, Error> {
        let path = self.roots.allowed(Path::new(&about.assembly))?;
        let mut subject = project::resolve(&path, false, &Console::default())?;
        subject.assembly = self.roots.allowed(&subject.assembly)?;
        crate::files::check_readable(&subject.assembly)?;
        Ok(subject)
    }

    pub fn options(&self, about: &About, assume: &[Assumption]) -> Options {
        let most = self.common.timeout.unwrap_or(MOST);
        let wanted = about.timeout_seconds.map_or(USUAL, |seconds| Duration::from_secs(seconds.max(1)));
        let trust = Trust { assume: assume.to_vec() };
        Options {
            timeout: Some(wanted.min(most)),
            keeping: self.keeping.clone(),
            signals: Arc::clone(&self.signals),
            ..common_options(Mocking { mocks: None }, &trust, &self.common, Instant::now())
        }
    }

    /// Explores, and tells whoever listens.
    pub fn explored(&self, assembly: &Path, options: Options) -> Result<Outcome, Error> {
        let mut run = Engine::new(options).generate(assembly)?;
        self.watch(&mut run);
        run.finish()
    }

    /// Tells how far it is until it is over.
    pub fn watch(&self, run: &mut dyn Iterator<Item = Event>) {
        for event in run {
            let text = match event {
                Event::Opened { assembly, methods, .. } => format!("{assembly}: {methods} methods"),
                Event::Explored(method) => format!("{}: {} tests", method.id, method.tests),
                Event::Progress(now) => format!(
                    "{} of {} methods, {} branches, {} states, {} s left",
                    now.explored,
                    now.methods,
                    now.covered_branches,
                    now.states,
                    now.left.as_secs()
                ),
            };
            let _nobody_listens = self.heard.send(text);
        }
    }
}

/// Where results are kept, if that is wanted.
pub fn keeping(folder: Option<&Path>) -> Option<Keeping> {
    let folder = folder?.to_owned();
    Some(Keeping { folder, sources: Vec::new(), most: DEFAULT_SIZE, only_known: false })
}
