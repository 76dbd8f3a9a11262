//! The few colours of the text reports, and whether they are used at all.

use anstyle::{AnsiColor, Style};

/// Styles by meaning. `Theme::plain` has no escape codes at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Theme {
    pub heading: Style,
    pub good: Style,
    pub bad: Style,
    pub warn: Style,
    pub dim: Style,
}

impl Theme {
    pub fn plain() -> Theme {
        Theme::default()
    }

    pub fn colored() -> Theme {
        Theme {
            heading: Style::new().bold(),
            good: AnsiColor::Green.on_default(),
            bad: AnsiColor::Red.on_default().bold(),
            warn: AnsiColor::Yellow.on_default(),
            dim: Style::new().dimmed(),
        }
    }
}

/// `text` in `style`; nothing is added when the style is plain.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
