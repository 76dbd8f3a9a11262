//! SharedFramework versions (SemVer 2) and the roll-forward choice of the .NET host.

use std::cmp::Ordering;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
    pub prerelease: String,
}

impl Version {
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.split('+').next()?;
        let (numbers, prerelease) = text.split_once('-').unwrap_or((text, ""));
        let mut parts = numbers.split('.').map(|part| part.parse::<u32>().ok());
        let major = parts.next()??;
        let minor = parts.next().unwrap_or(Some(0))?;
        let patch = parts.next().unwrap_or(Some(0))?;
        Some(Version { major, minor, patch, prerelease: prerelease.to_owned() })
    }

    fn is_release(&self) -> bool {
        self.prerelease.is_empty()
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        (self.major, self.minor, self.patch).cmp(&(other.major, other.minor, other.patch)).then_with(
            || match (self.is_release(), other.is_release()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => compare_prerelease(&self.prerelease, &other.prerelease),
            },
        )
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn compare_prerelease(a: &str, b: &str) -> Ordering {
    let mut left = a.split('.');
    let mut right = b.split('.');
    loop {
        let ordering = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(x), Some(y)) => match (x.parse::<u64>(), y.parse::<u64>()) {
                (Ok(x), Ok(y)) => x.cmp(&y),
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => x.cmp(y),
            },
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RollForward {
    Disable,
    LatestPatch,
    Minor,
    LatestMinor,
    Major,
    LatestMajor,
}

impl RollForward {
    pub fn parse(text: &str) -> Option<RollForward> {
        Some(match text.to_ascii_lowercase().as_str() {
            "disable" => RollForward::Disable,
            "latestpatch" => RollForward::LatestPatch,
            "minor" => RollForward::Minor,
            "latestminor" => RollForward::LatestMinor,
            "major" => RollForward::Major,
            "latestmajor" => RollForward::LatestMajor,
            _ => return None,
        })
    }

    /// The installed version the host would take for `wanted`; a release before any pre-release, when a release was asked for.
    pub fn choose<'a>(self, wanted: &Version, installed: &'a [Version]) -> Option<&'a Version> {
        if wanted.is_release() {
            let releases = installed.iter().filter(|v| v.is_release());
            if let Some(found) = self.choose_among(wanted, releases) {
                return Some(found);
            }
        }
        self.choose_among(wanted, installed.iter())
    }

    fn choose_among<'a>(
        self,
        wanted: &Version,
        installed: impl Iterator<Item = &'a Version> + Clone,
    ) -> Option<&'a Version> {
        let mut allowed = installed.clone().filter(|v| *v >= wanted && self.allows(wanted, v));
        let base = match self {
            RollForward::Disable => return installed.clone().find(|v| *v == wanted),
            RollForward::LatestMinor | RollForward::LatestMajor => return allowed.max(),
            RollForward::LatestPatch | RollForward::Minor | RollForward::Major => {
                let first = allowed.next()?;
                allowed.fold(first, std::cmp::min)
            }
        };
        // The lowest (major, minor) that will do, but its latest patch.
        installed.filter(|v| (v.major, v.minor) == (base.major, base.minor) && *v >= wanted).max()
    }

    fn allows(self, wanted: &Version, candidate: &Version) -> bool {
        match self {
            RollForward::Disable => candidate == wanted,
            RollForward::LatestPatch => (candidate.major, candidate.minor) == (wanted.major, wanted.minor),
            RollForward::Minor | RollForward::LatestMinor => candidate.major == wanted.major,
            RollForward::Major | RollForward::LatestMajor => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(policy: RollForward, wanted: &str, installed: &[&str]) -> Option<String> {
        let versions: Vec<_> = installed.iter().map(|v| Version::parse(v).unwrap()).collect();
        let found = policy.choose(&Version::parse(wanted).unwrap(), &versions)?;
        let index = versions.iter().position(|v| v == found)?;
        Some(installed[index].to_owned())
    }

    #[test]
    fn rolls_forward_like_the_host() {
        use RollForward::*;
        let all = ["3.1.2", "3.1.32", "6.0.1", "6.0.36", "8.0.1", "8.1.0", "10.0.0-rc.1", "10.0.0-rc.2"];
        let check = |policy, wanted, expected: Option<&str>| {
            assert_eq!(choose(policy, wanted, &all).as_deref(), expected)
        };
        check(Minor, "3.1.0", Some("3.1.32"));
        check(Minor, "3.0.0", Some("3.1.32"));
        check(Minor, "5.0.0", None);
        check(Major, "5.0.0", Some("6.0.36"));
        check(LatestMajor, "5.0.0", Some("8.1.0"));
        check(LatestMinor, "8.0.0", Some("8.1.0"));
        check(Minor, "8.0.0", Some("8.0.1"));
        check(LatestPatch, "8.0.0", Some("8.0.1"));
        check(LatestPatch, "8.0.2", None);
        check(Disable, "6.0.1", Some("6.0.1"));
        check(Disable, "6.0.2", None);
        check(Minor, "10.0.0-preview.1", Some("10.0.0-rc.2"));
        check(Major, "9.0.0", Some("10.0.0-rc.2"));
    }

    #[test]
    fn orders_prereleases() {
        let parse = |v| Version::parse(v).unwrap();
        assert!(parse("10.0.0-rc.2") < parse("10.0.0-rc.10"));
        assert!(parse("10.0.0-rc.10") < parse("10.0.0"));
        assert!(parse("10.0.0-preview.7") < parse("10.0.0-rc.1"));
        assert_eq!(Version::parse("ten"), None);
    }
}
