//! The world in which programs and methods are seen: cultures as the runtime that was chosen has them, unless the
//! application asks for invariant mode or the machine has no ICU.

use std::path::Path;
use std::sync::Arc;

use culture::{Framework, Globalization, Limits, Runtime};

use crate::runtimes::Chosen;

const INVARIANT: &str = "System.Globalization.Invariant";
/// Properties that say which ICU an application uses begin so.
const ABOUT_CULTURES: &str = "System.Globalization.";

/// Said where the machine cannot do what programs expect.
const NO_ICU: &str = "no ICU was found on this machine, so there are no cultures but the invariant one and comparisons are ordinal";
const NO_RUNTIME: &str = "there is no runtime to ask about cultures, so there is only the invariant one and comparisons are ordinal";

/// In which culture programs start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Culture {
    /// The same for everyone.
    #[default]
    Invariant,
    Named(String),
    /// That of the user, as the system tells it.
    OfUser,
}

impl Culture {
    /// The variable by which most systems tell it. Where ICU has no data for a locale it takes those of the default one, so
    /// this matters for other cultures as well.
    fn variable(&self) -> Vec<(String, Option<String>)> {
        let name = match self {
            Culture::Invariant => "C".to_owned(),
            Culture::Named(name) => name.replace('-', "_"),
            Culture::OfUser => return Vec::new(),
        };
        vec![("LC_ALL".to_owned(), Some(format!("{name}.UTF-8")))]
    }
}

/// Who answers questions about cultures.
#[derive(Clone, Default)]
pub struct World {
    /// None: invariant mode.
    pub answers: Option<Arc<Globalization>>,
    /// Why it is invariant mode, where that is not the application's own wish.
    pub remark: Option<&'static str>,
}

impl World {
    /// Of an application on this runtime. The environment variable for invariant mode outweighs the application's
    /// configuration, as it does in the runtime.
    pub fn of(chosen: &Chosen, application: &Path, culture: &Culture, variable: Option<&str>) -> World {
        let probing = chosen.probing(application).ok();
        let properties = probing.as_ref().map(|probing| probing.properties().to_vec()).unwrap_or_default();
        let configured = properties.iter().find(|(name, _)| name == INVARIANT);
        let wish = variable.and_then(truth).or_else(|| truth(&configured?.1));
        if wish == Some(true) {
            return World::default();
        }
        let Ok(runtime) = &chosen.replay else {
            return World { answers: None, remark: Some(NO_RUNTIME) };
        };
        if runtime.is_mono() {
            return World { answers: None, remark: Some(NO_RUNTIME) };
        }
        let framework = |found: &replay::SharedFramework| Framework {
            name: found.name.clone(),
            version: found.version.clone(),
        };
        let of_cultures = |(name, _): &(String, String)| name.starts_with(ABOUT_CULTURES);
        let asked = Runtime {
            muxer: runtime.muxer.clone(),
            frameworks: runtime.frameworks.iter().map(framework).collect(),
            properties: properties.into_iter().filter(of_cultures).map(|(n, v)| (n, v.into())).collect(),
            environment: culture.variable(),
        };
        let answers = Globalization::new(asked, Limits::default());
        match answers.has_icu() {
            true => World { answers: Some(Arc::new(answers)), remark: None },
            false => World { answers: None, remark: Some(NO_ICU) },
        }
    }

    /// What the machine is given.
    pub fn cultures(&self) -> bcl::Cultures {
        self.answers.clone().map(bcl::Cultures::of).unwrap_or_default()
    }

    pub fn is_invariant(&self) -> bool {
        self.answers.is_none()
    }
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "0" => Some(false),
        text => text.to_ascii_lowercase().parse().ok(),
    }
}
