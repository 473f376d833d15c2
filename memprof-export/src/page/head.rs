//! What a page knows before it has read its columns: which run it is of, and how it is shown.

use super::facts::Fact;
use memprof_profile::Units;
use serde::Serialize;

/// The head of a page, as `report.d.ts` has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Head {
    pub(super) program: String,
    pub(super) title: String,
    pub(super) memprof: String,
    pub(super) platform: String,
    /// `None` of a profile alone, which tells no time.
    pub(super) began: Option<String>,
    pub(super) end: u64,
    pub(super) ended: String,
    pub(super) tracked: bool,
    pub(super) summed_up: bool,
    /// The moment of the summary, if it is older than the last snapshot.
    pub(super) summary_age: Option<String>,
    pub(super) units: &'static str,
    pub(super) notes: Vec<String>,
    pub(super) facts: Vec<Fact>,
}

/// The word that scripts use.
pub(super) fn word(units: Units) -> &'static str {
    match units {
        Units::Si => "si",
        Units::Bytes => "bytes",
        _ => "iec",
    }
}
