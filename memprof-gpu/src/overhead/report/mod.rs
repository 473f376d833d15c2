//! All rows with what they were measured with, and the views of them.

mod findings;
mod markdown;
mod plot;
mod series;
mod tables;
mod text;
mod words;

use super::environment::Environment;
use super::row::Row;
use serde::{Deserialize, Serialize};

pub use plot::PlotError;
pub use series::{Clock, Series};

/// The layout of the JSON; another number is another layout.
const FORMAT: u32 = 1;

/// Rows, and what they were measured with. Its [`Display`](core::fmt::Display) is aligned text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    format: u32,
    /// What the times were measured with.
    pub environment: Environment,
    /// The operations, in the order they were pushed.
    pub rows: Vec<Row>,
}

impl Report {
    /// A report without rows.
    pub fn new(environment: Environment) -> Self {
        Self { format: FORMAT, environment, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// The report as JSON, whose times are nanoseconds.
    ///
    /// # Panics
    /// If memory runs out.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("maps have words as keys");
        json.push('\n');
        json
    }

    /// The report that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// If it is none, or of another layout.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        use serde::de::Error;
        let report: Self = serde_json::from_str(json)?;
        if report.format == FORMAT {
            return Ok(report);
        }
        let found = report.format;
        Err(serde_json::Error::custom(format!(
            "format {found} is not known: expected {FORMAT}, written by another version of memprof"
        )))
    }
}
