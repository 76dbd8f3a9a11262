//! Writing HTML in which nothing that comes from outside can be markup: names, inputs and messages are hostile.

use std::fmt::Write;

/// A piece of a page. Tags and attribute names are constants of the program; everything else is escaped.
#[derive(Default)]
pub struct Html {
    out: String,
}

pub type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Html {
    pub fn open(&mut self, tag: &'static str, attributes: Attributes<'_>) -> &mut Html {
        self.start(tag, attributes).out.push('>');
        self
    }

    /// An element that has nothing in it and no end.
    pub fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) -> &mut Html {
        self.start(tag, attributes).out.push_str(" />");
        self
    }

    fn start(&mut self, tag: &'static str, attributes: Attributes<'_>) -> &mut Html {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            self.text(value);
            self.out.push('"');
        }
        self
    }

    pub fn close(&mut self, tag: &'static str) -> &mut Html {
        // Writing to a string does not fail.
        let _ = write!(self.out, "</{tag}>");
        self
    }

    /// An element with text in it.
    pub fn element(&mut self, tag: &'static str, attributes: Attributes<'_>, text: &str) -> &mut Html {
        self.open(tag, attributes).text(text).close(tag)
    }

    pub fn text(&mut self, text: &str) -> &mut Html {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                '\n' | '\t' => self.out.push(c),
                c if is_invisible(c) => {
                    let _ = write!(self.out, "\\u{{{:x}}}", u32::from(c));
                }
                c => self.out.push(c),
            }
        }
        self
    }

    /// Markup that is a part of the program.
    pub fn constant(&mut self, markup: &'static str) -> &mut Html {
        self.out.push_str(markup);
        self
    }

    pub fn line(&mut self) -> &mut Html {
        self.out.push('\n');
        self
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// Control characters, and those that change the direction of the text around them.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_never_markup() {
        let mut html = Html::default();
        html.element("b", &[("title", "a\"><script>&'")], "</b>\0\u{202e}<i>");
        assert_eq!(
            html.finish(),
            "<b title=\"a&quot;&gt;&lt;script&gt;&amp;&#39;\">&lt;/b&gt;\\u{0}\\u{202e}&lt;i&gt;</b>"
        );
    }
}
