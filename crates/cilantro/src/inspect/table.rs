//! Columns of text.

use std::io::{self, Write};

/// Prints rows with their cells aligned to the left; the last column is not padded. Long cells do not push the others
/// further than `widest`.
pub fn print(out: &mut dyn Write, indent: &str, rows: &[Vec<String>], widest: usize) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).filter(|width| *width <= widest).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = indent.to_owned();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:<width$}  "));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
