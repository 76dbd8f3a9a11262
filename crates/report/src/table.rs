//! Columns that line up, whatever the colours.

use anstyle::Style;

use crate::style::paint;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

pub(crate) struct Cell {
    pub text: String,
    pub style: Style,
}

impl Cell {
    pub fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), style: Style::new() }
    }

    pub fn styled(text: impl Into<String>, style: Style) -> Cell {
        Cell { text: text.into(), style }
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }
}

/// Lays the rows out with two spaces between columns. The first column gives way when `width` is too small for all.
pub(crate) fn layout(aligns: &[Align], rows: &[Vec<Cell>], width: Option<usize>) -> Vec<String> {
    let mut widths = vec![0usize; aligns.len()];
    for row in rows {
        for (column, cell) in widths.iter_mut().zip(row) {
            *column = (*column).max(cell.width());
        }
    }
    shrink_first(&mut widths, width);
    rows.iter().map(|row| line(aligns, &widths, row)).collect()
}

fn shrink_first(widths: &mut [usize], limit: Option<usize>) {
    const LEAST: usize = 24;
    let total: usize = widths.iter().sum::<usize>() + 2 * widths.len();
    if let (Some(limit), Some(first)) = (limit, widths.first_mut()) {
        let excess = total.saturating_sub(limit);
        *first = (*first).saturating_sub(excess).max(LEAST.min(*first));
    }
}

fn line(aligns: &[Align], widths: &[usize], row: &[Cell]) -> String {
    let mut out = String::new();
    for ((align, width), cell) in aligns.iter().zip(widths).zip(row) {
        let text = elide(&cell.text, *width);
        let gap = " ".repeat(width.saturating_sub(text.chars().count()));
        out.push_str("  ");
        if *align == Align::Right {
            out.push_str(&gap);
        }
        out.push_str(&paint(cell.style, &text));
        if *align == Align::Left {
            out.push_str(&gap);
        }
    }
    out.truncate(out.trim_end_matches(' ').len());
    out
}

/// Cuts the middle out, since method ids differ at both ends.
fn elide(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width || width < 3 {
        return text.to_owned();
    }
    let head = (width - 1) / 2;
    let tail = width - 1 - head;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    format!("{start}…{end}")
}
