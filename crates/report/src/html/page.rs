//! The frame of the page: head, navigation, sections.

use sha2::{Digest, Sha256};

use super::HtmlReport;
use super::markup::Html;
use super::{findings, methods, overview, reasons, source};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The sections: their ids and titles.
const SECTIONS: [(&str, &str); 6] = [
    ("overview", "Overview"),
    ("findings", "Findings"),
    ("methods", "Methods"),
    ("reasons", "What is open, and why"),
    ("proofs", "Proofs about loops"),
    ("source", "Source"),
];

/// The whole page.
pub fn render_html(report: &HtmlReport) -> String {
    let mut html = Html::default();
    let title = format!("{} – Cilantro", report.summary.assembly);
    html.constant("<!DOCTYPE html>\n")
        .open("html", &[("lang", "en")])
        .constant("<head><meta charset=\"utf-8\" />");
    html.constant("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />");
    html.constant("<meta name=\"color-scheme\" content=\"light dark\" />");
    // Only this script runs, whatever a name in the page looks like.
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'",
        source_hash(STYLE),
        source_hash(SCRIPT)
    );
    html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)]);
    html.element("title", &[], &title);
    html.constant("<style>").constant(STYLE).constant("</style></head><body>");
    html.constant("<a class=\"skip\" href=\"#main\">Skip to the content</a>").line();
    html.open("header", &[]).element("h1", &[], &report.summary.assembly);
    html.element("p", &[], &overview::subtitle(&report.summary)).close("header");
    navigation(&mut html);
    html.open("main", &[("id", "main"), ("tabindex", "-1")]).line();
    for (id, title) in SECTIONS {
        let heading = format!("{id}-title");
        html.open("section", &[("id", id), ("aria-labelledby", &heading)]);
        html.element("h2", &[("id", &heading)], title).line();
        match id {
            "overview" => overview::write(report, &mut html),
            "findings" => findings::write(report, &mut html),
            "methods" => methods::write(report, &mut html),
            "reasons" => reasons::write(report, &mut html),
            "proofs" => methods::loops(report, &mut html),
            _ => source::write(report, &mut html),
        }
        html.close("section").line();
    }
    html.close("main").constant("<script>").constant(SCRIPT).constant("</script></body></html>\n");
    html.finish()
}

fn navigation(html: &mut Html) {
    html.open("nav", &[("aria-label", "Sections")]).open("ul", &[]);
    for (id, title) in SECTIONS {
        html.open("li", &[]).element("a", &[("href", &format!("#{id}"))], title).close("li");
    }
    html.close("ul").close("nav").line();
}

/// `sha256-…`, by which a browser knows a script or a style again.
fn source_hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().chain([0, 0].iter()).take(3).fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        for place in 0..4 {
            let digit = (bits >> (18 - 6 * place)) & 63;
            let is_there = place <= chunk.len();
            out.push(if is_there {
                DIGITS.get(digit as usize).map_or('=', |byte| char::from(*byte))
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn as_everybody_writes_it() {
        for (text, expected) in
            [("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("Many", "TWFueQ==")]
        {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }
}
