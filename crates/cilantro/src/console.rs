//! Where words go: results to stdout, remarks and errors to stderr.

use std::io::{self, IsTerminal, Write};

use report::Theme;

use crate::args::{Color, Common};

/// What the user wants to see and how.
#[derive(Clone, Debug, Default)]
pub struct Console {
    pub theme: Theme,
    /// Columns, when stdout is a terminal.
    pub width: Option<usize>,
    pub verbose: u8,
    pub quiet: bool,
}

impl Console {
    pub fn new(common: &Common) -> Console {
        let colored = match common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                !matches!(anstream::AutoStream::choice(&io::stdout()), anstream::ColorChoice::Never)
            }
        };
        Console {
            theme: if colored { Theme::colored() } else { Theme::plain() },
            width: terminal_width(),
            verbose: common.verbose,
            quiet: common.quiet,
        }
    }

    /// The result. A reader that went away (`| head`) is not an error.
    pub fn result(&self, text: &str) {
        let mut stdout = io::stdout().lock();
        let _gone = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    }

    /// A remark, with `-v`.
    pub fn remark(&self, text: &str) {
        if self.verbose > 0 {
            self.stderr(&format!("{text}\n"));
        }
    }

    /// Something the user should know although all went well.
    pub fn warn(&self, text: &str) {
        if !self.quiet {
            self.stderr(&format!("warning: {text}\n"));
        }
    }

    pub fn error(&self, text: &str) {
        self.stderr(&format!("error: {text}\n"));
    }

    fn stderr(&self, text: &str) {
        let _gone = io::stderr().lock().write_all(text.as_bytes());
    }
}

fn terminal_width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let (columns, _) = terminal_size::terminal_size()?;
    Some(usize::from(columns.0))
}
