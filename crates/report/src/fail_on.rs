//! Which exceptions make a run end with exit code 1.

use verdict::FindingKind;

use crate::summary::{Bug, Construction};

/// The kinds that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailOn {
    crash: bool,
    misuse: bool,
    refused: bool,
    /// Also for inputs that no public way is known to.
    unreachable: bool,
}

impl Default for FailOn {
    /// Crashes.
    fn default() -> FailOn {
        FailOn::NONE.with(FindingKind::Crash)
    }
}

impl FailOn {
    pub const NONE: FailOn = FailOn { crash: false, misuse: false, refused: false, unreachable: false };
    /// Every exception, whatever its inputs are made by.
    pub const ANY: FailOn = FailOn { crash: true, misuse: true, refused: true, unreachable: true };

    pub fn with(self, kind: FindingKind) -> FailOn {
        match kind {
            FindingKind::Crash => FailOn { crash: true, ..self },
            FindingKind::Misuse => FailOn { misuse: true, ..self },
            FindingKind::Refused => FailOn { refused: true, ..self },
        }
    }

    /// Both.
    pub fn or(self, other: FailOn) -> FailOn {
        FailOn {
            crash: self.crash || other.crash,
            misuse: self.misuse || other.misuse,
            refused: self.refused || other.refused,
            unreachable: self.unreachable || other.unreachable,
        }
    }

    /// Whether the exception is a finding: confirmed on the real runtime, and not known already.
    pub fn counts(self, bug: &Bug) -> bool {
        let is_wanted = match bug.kind {
            FindingKind::Crash => self.crash,
            FindingKind::Misuse => self.misuse,
            FindingKind::Refused => self.refused,
        };
        let is_makeable = self.unreachable || bug.construction == Construction::Public;
        is_wanted && is_makeable && bug.replayed && !bug.known
    }
}
