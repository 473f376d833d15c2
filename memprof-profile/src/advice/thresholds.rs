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
    /// The largest size of a small value, whose metadata can outweigh its data. Default: 1024
    /// bytes.
    pub small_value_bytes: u64,
    /// The share of metadata from which the rule `metadata` reports a small value. Default: 0.9.
    pub metadata_share: f64,
    /// The ratio of auxiliary bytes to data from which the rule `auxiliary` reports. Default: 1.0,
    /// which means as many auxiliary bytes as data.
    pub auxiliary_ratio: f64,
    /// The share from which the rule `spare` reports: excess capacity divided by all bytes of the
    /// buffers that have it. Default: 0.25.
    pub spare_share: f64,
    /// The share of padding in all bytes from which the rule `padding` reports. Default: 0.1.
    pub padding_share: f64,
    /// The least excess capacity, padding or externally held memory that a rule reports. Default:
    /// 4096 bytes.
    pub least_bytes: u64,
    /// The maximum number of findings that one rule returns: the findings with the largest savings.
    /// Default: 5.
    pub most_findings: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            small_value_bytes: 1024,
            metadata_share: 0.9,
            auxiliary_ratio: 1.0,
            spare_share: 0.25,
            padding_share: 0.1,
            least_bytes: 4096,
            most_findings: 5,
        }
    }
}
