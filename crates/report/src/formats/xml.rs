//! XML as the readers of reports accept it.

use std::fmt::Write;

/// A document that grows line by line, indented.
pub(crate) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

impl Xml {
    pub fn new() -> Xml {
        Xml { text: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".to_owned(), open: Vec::new() }
    }

    pub fn begin(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    pub fn end(&mut self) {
        let Some(name) = self.open.pop() else { return };
        self.indent();
        let _infallible = writeln!(self.text, "</{name}>");
    }

    pub fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, "/>");
    }

    /// An element with nothing but text in it.
    pub fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.tag(name, attributes, ">");
        self.text.pop();
        let _infallible = writeln!(self.text, "{}</{name}>", escaped(text, false));
    }

    /// The document, with all that is open closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        self.indent();
        let _infallible = write!(self.text, "<{name}");
        for (key, value) in attributes {
            let _infallible = write!(self.text, " {key}=\"{}\"", escaped(value, true));
        }
        let _infallible = writeln!(self.text, "{end}");
    }

    fn indent(&mut self) {
        self.text.extend(self.open.iter().map(|_| "  "));
    }
}

/// Without characters that XML 1.0 does not have. In attributes line breaks would be read as spaces.
fn escaped(text: &str, is_attribute: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if is_attribute => out.push_str("&quot;"),
            '\n' | '\t' | '\r' if is_attribute => {
                let _infallible = write!(out, "&#{};", u32::from(c));
            }
            '\n' | '\t' => out.push(c),
            '\r' => out.push_str("&#13;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_does_not_have_is_replaced() {
        let mut xml = Xml::new();
        xml.begin("a", &[("b", "\"<&>\"\n\u{1}")]);
        xml.text("c", &[], "x\0y ]]> \u{ffff} é\r\n");
        let expected = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
            <a b=\"&quot;&lt;&amp;&gt;&quot;&#10;\u{fffd}\">\n  \
            <c>x\u{fffd}y ]]&gt; \u{fffd} é&#13;\n</c>\n</a>\n";
        assert_eq!(xml.finish(), expected);
    }
}
