//! Columns of figures.

/// Aligns cells to the right, each column as wide as its widest cell. The last column is unchanged.
pub(crate) fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut lines = Vec::new();
    for row in rows {
        let (last, figures) = row.split_last().expect("rows have cells");
        let figures = figures.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}"));
        let line: Vec<String> = figures.chain([last.clone()]).collect();
        lines.push(format!("  {}", line.join("  ").trim_end()));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn figures_are_aligned() {
        let rows = [["n", "size", "note"], ["10", "1 µs", "–"], ["9", "12 µs", ""]];
        let rows = rows.map(|row| row.map(String::from));
        assert_eq!(aligned(&rows), "   n   size  note\n  10   1 µs  –\n   9  12 µs");
    }
}
