//! The JSON form of a comparison with a baseline.

use crate::Profile;
use crate::views::comparison::Comparison;
use serde::Serialize;

/// The value of the first key, which identifies the format.
const FORMAT: &str = "memprof comparison";

/// The version of the format. It is raised when keys change their meaning. New keys do not raise
/// it.
const VERSION: u64 = 1;

#[derive(Serialize)]
struct Record<'c> {
    format: &'static str,
    version: u64,
    value: SideRecord<'c>,
    baseline: SideRecord<'c>,
    overhead_bytes: i128,
    overhead_percent: Option<f64>,
}

#[derive(Serialize)]
struct SideRecord<'c> {
    name: &'c str,
    bytes: u64,
    exact: bool,
}

impl Comparison<'_> {
    /// Returns the comparison as JSON on one line; `docs/format.md` describes it.
    #[expect(clippy::missing_panics_doc, reason = "writing to memory does not fail")]
    pub fn to_json(&self) -> String {
        let record = Record {
            format: FORMAT,
            version: VERSION,
            value: side(self.value),
            baseline: side(self.baseline),
            overhead_bytes: self.overhead_bytes(),
            overhead_percent: self.overhead_percent(),
        };
        serde_json::to_string(&record).expect("writing to memory does not fail") + "\n"
    }
}

fn side(profile: &Profile) -> SideRecord<'_> {
    let (bytes, exact) = (profile.total_bytes(), profile.is_exact());
    SideRecord { name: profile.root().name(), bytes, exact }
}
