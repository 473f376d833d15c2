//! The thresholds above which rules report.

/// The thresholds above which the rules that come with memprof report.
///
/// ```
/// use memprof::report::{Advisor, Thresholds};
///
/// let mut thresholds = Thresholds::default();
/// thresholds.spare_share = 0.5;
/// let advisor = Advisor::new().thresholds(thresholds);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Thresholds {
    /// The maximum size of a value that the rule `metadata` counts as small. Default: 1024 bytes.
    pub small_value_bytes: u64,
    /// The minimum share of metadata in a small value that the rule `metadata` reports. Default:
    /// 0.9.
    pub metadata_share: f64,
    /// The minimum ratio of auxiliary bytes to data that the rule `auxiliary` reports. Default:
    /// 1.0, which means equal amounts.
    pub auxiliary_ratio: f64,
    /// The minimum share of excess capacity that the rule `spare` reports, relative to all bytes of
    /// the buffers with that capacity. Default: 0.25.
    pub spare_share: f64,
    /// The minimum share of padding in all bytes that the rule `padding` reports. Default: 0.1.
    pub padding_share: f64,
    /// The minimum excess capacity, padding or externally held memory that a rule reports. Default:
    /// 4096 bytes.
    pub min_bytes: u64,
    /// The maximum number of findings that one rule returns: the findings with the largest savings.
    /// Default: 5.
    pub max_findings: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            small_value_bytes: 1024,
            metadata_share: 0.9,
            auxiliary_ratio: 1.0,
            spare_share: 0.25,
            padding_share: 0.1,
            min_bytes: 4096,
            max_findings: 5,
        }
    }
}
