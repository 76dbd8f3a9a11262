//! Bars of covered, proven and open branches, as SVG. The numbers are always beside them as text.

use super::markup::Html;
use crate::summary::Coverage;

/// Branches by what is known of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    pub all: u64,
    pub covered: u64,
    pub proven: u64,
    pub assuming: u64,
}

impl Branches {
    pub fn add(&mut self, coverage: &Coverage) {
        self.all += coverage.branches;
        self.covered += coverage.covered_branches;
        self.proven += coverage.proven_unreachable_branches;
        self.assuming += coverage.proven_assuming_branches;
    }

    pub fn open(self) -> u64 {
        self.all.saturating_sub(self.covered + self.proven + self.assuming)
    }
}

impl From<&Coverage> for Branches {
    fn from(coverage: &Coverage) -> Branches {
        let mut branches = Branches::default();
        branches.add(coverage);
        branches
    }
}

const WIDTH: u64 = 200;

pub fn bar(branches: Branches, html: &mut Html) {
    let width = WIDTH.to_string();
    html.open(
        "svg",
        &[
            ("class", "bar"),
            ("viewBox", "0 0 200 10"),
            ("width", &width),
            ("height", "10"),
            ("aria-hidden", "true"),
            ("focusable", "false"),
            ("preserveAspectRatio", "none"),
        ],
    );
    let parts = [
        ("covered", branches.covered),
        ("proven", branches.proven),
        ("assuming", branches.assuming),
        ("open", branches.open()),
    ];
    let (mut before, mut from) = (0, 0);
    for (class, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
        before += count;
        let to = before.saturating_mul(WIDTH) / branches.all.max(1);
        let (x, width) = (from.to_string(), to.saturating_sub(from).to_string());
        html.open("rect", &[("class", class), ("x", &x), ("y", "0"), ("width", &width), ("height", "10")])
            .close("rect");
        from = to;
    }
    html.close("svg");
}
