// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Aligned text tables.

use std::fmt;

/// Rows of cells; each column is as wide as its widest cell.
#[derive(Debug)]
pub struct Table {
    alignment: &'static str,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// `alignment` has a "<" or ">" for each column.
    #[must_use]
    pub fn new(alignment: &'static str, head: &[impl AsRef<str>]) -> Self {
        let head = head.iter().map(|cell| cell.as_ref().to_owned()).collect();
        Self { alignment, rows: vec![head] }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn pad(&self, column: usize, cell: &str, side: char) -> String {
        let width = self.width(column);
        if side == '<' { format!("{cell:<width$}  ") } else { format!("{cell:>width$}  ") }
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            let columns = row.iter().enumerate().zip(self.alignment.chars());
            let cells = columns.map(|((column, cell), side)| self.pad(column, cell, side));
            let line: String = cells.collect();
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_are_aligned_and_lines_end_without_spaces() {
        let mut table = Table::new("<>", &["name", "n"]);
        table.row(["a".to_owned(), "10".to_owned()]);
        table.row(["longer".to_owned(), String::new()]);
        assert_eq!(table.to_string(), "name     n\na       10\nlonger\n");
    }
}
