//! Rows of a table: cells below each other.

/// Returns a line per row, two spaces between columns. The columns in `left` begin below each other,
/// the others end so.
pub(super) fn aligned(rows: &[Vec<String>], left: &[usize]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cell = |(column, cell): (usize, &String)| {
            let width = widths[column];
            if !left.contains(&column) {
                format!("{cell:>width$}")
            } else if column + 1 < columns {
                format!("{cell:<width$}")
            } else {
                cell.clone()
            }
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn columns_end_or_begin_below_each_other_and_the_last_is_not_padded() {
        let rows = [["a", "1", "x"], ["bb", "−10", "yy"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows, &[0, 2]), ["a     1  x", "bb  −10  yy"]);
        assert_eq!(aligned(&rows, &[]), [" a    1   x", "bb  −10  yy"]);
        assert!(aligned(&[], &[]).is_empty());
    }
}
