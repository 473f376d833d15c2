//! The two usual forms of a sparse matrix: by rows and by columns.

use memprof::MemoryProfile;

/// Compressed sparse rows: row `r` holds entries `row_starts[r]..row_starts[r + 1]`.
#[derive(Clone, Debug, Default, PartialEq, MemoryProfile)]
pub(crate) struct CsrMatrix {
    pub(crate) row_starts: Vec<u32>,
    pub(crate) column_indices: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

/// Compressed sparse columns: column `c` holds entries `column_starts[c]..column_starts[c + 1]`.
#[derive(Clone, Debug, PartialEq, MemoryProfile)]
pub(crate) struct CscMatrix {
    pub(crate) column_starts: Vec<u32>,
    pub(crate) row_indices: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

impl CsrMatrix {
    pub(crate) fn shrink_to_fit(&mut self) {
        self.row_starts.shrink_to_fit();
        self.column_indices.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}

/// Returns a matrix without columns, to which columns are added one by one.
impl Default for CscMatrix {
    fn default() -> Self {
        Self { column_starts: vec![0], row_indices: Vec::new(), values: Vec::new() }
    }
}

impl CscMatrix {
    /// Begins the next column, which is empty.
    pub(crate) fn push_column(&mut self) {
        self.column_starts.push(self.values.len() as u32);
    }

    /// Adds an entry to the last column.
    pub(crate) fn push(&mut self, row: u32, value: f64) {
        self.row_indices.push(row);
        self.values.push(value);
        if let Some(end) = self.column_starts.last_mut() {
            *end += 1;
        }
    }

    /// Returns the same matrix by rows. The entries of a row are in the order of their columns.
    pub(crate) fn to_rows(&self, row_count: usize) -> CsrMatrix {
        let row_starts = self.row_starts(row_count);
        let mut next = row_starts.clone();
        let mut column_indices = vec![0; self.values.len()];
        let mut values = vec![0.0; self.values.len()];
        for (column, range) in self.column_starts.windows(2).enumerate() {
            for entry in range[0] as usize..range[1] as usize {
                let place = &mut next[self.row_indices[entry] as usize];
                column_indices[*place as usize] = column as u32;
                values[*place as usize] = self.values[entry];
                *place += 1;
            }
        }
        CsrMatrix { row_starts, column_indices, values }
    }

    /// Returns the start of each row: the prefix sums of the rows' entry counts.
    fn row_starts(&self, row_count: usize) -> Vec<u32> {
        let mut starts = vec![0; row_count + 1];
        for &row in &self.row_indices {
            starts[row as usize + 1] += 1;
        }
        for row in 0..row_count {
            starts[row + 1] += starts[row];
        }
        starts
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.column_starts.shrink_to_fit();
        self.row_indices.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the matrix with the rows `[1 0 2 0]` and `[0 3 4 0]`. The last column is empty.
    fn by_columns() -> CscMatrix {
        let mut matrix = CscMatrix::default();
        for column in [&[(0, 1.0)][..], &[(1, 3.0)], &[(0, 2.0), (1, 4.0)], &[]] {
            matrix.push_column();
            for &(row, value) in column {
                matrix.push(row, value);
            }
        }
        matrix
    }

    #[test]
    fn columns_start_at_the_end_of_the_previous_one() {
        assert_eq!(by_columns().column_starts, [0, 1, 2, 4, 4]);
    }

    #[test]
    fn rows_hold_the_same_entries_in_the_order_of_their_columns() {
        let rows = by_columns().to_rows(3);
        assert_eq!(rows.row_starts, [0, 2, 4, 4], "the third row is empty");
        assert_eq!(rows.column_indices, [0, 2, 1, 2]);
        assert_eq!(rows.values, [1.0, 2.0, 3.0, 4.0]);
    }
}
