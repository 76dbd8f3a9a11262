//! Covered branches over time, as a picture.

use std::fmt::Write;
use std::time::Duration;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const MARGIN: f64 = 48.0;

/// What was covered when.
#[derive(Default)]
pub struct Curve {
    points: Vec<(f64, u64)>,
}

impl Curve {
    /// Only what changed is kept.
    pub fn add(&mut self, at: Duration, covered: u64) {
        if self.points.last().is_none_or(|(_, before)| *before != covered) {
            self.points.push((at.as_secs_f64(), covered));
        }
    }

    pub fn svg(&self, title: &str) -> String {
        let end = self.points.last().map_or(1.0, |(at, _)| at.max(1.0));
        let most = self.points.iter().map(|(_, covered)| *covered).max().unwrap_or(0).max(1);
        let x = |at: f64| MARGIN + at / end * (WIDTH - 2.0 * MARGIN);
        let y = |covered: u64| HEIGHT - MARGIN - covered as f64 / most as f64 * (HEIGHT - 2.0 * MARGIN);
        // Between two points nothing changed: a step, not a slope.
        let mut line = format!("M {:.1} {:.1}", x(0.0), y(0));
        for (at, covered) in &self.points {
            let _ = write!(line, " H {:.1} V {:.1}", x(*at), y(*covered));
        }
        let (left, bottom, right) = (MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <text x=\"{left}\" y=\"24\">{}: branches met over {end:.1} s</text>\n\
             <path d=\"M {left} {MARGIN} V {bottom} H {right}\" fill=\"none\" stroke=\"gray\"/>\n\
             <text x=\"4\" y=\"{MARGIN}\">{most}</text>\n\
             <text x=\"{right}\" y=\"{:.0}\" text-anchor=\"end\">{end:.0} s</text>\n\
             <path d=\"{line}\" fill=\"none\" stroke=\"black\"/>\n\
             </svg>\n",
            escaped(title),
            bottom + 18.0,
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_a_step_for_every_change() {
        let mut curve = Curve::default();
        for (at, covered) in [(1, 10), (2, 10), (3, 25)] {
            curve.add(Duration::from_secs(at), covered);
        }
        let svg = curve.svg("A & B");
        assert!(svg.contains("A &amp; B"), "{svg}");
        assert_eq!(svg.matches(" V ").count() - 1, 2, "{svg}");
    }
}
