//! From when on rules speak.

/// From when on the rules that come with memprof speak.
///
/// ```
/// use memprof_profile::{Advisor, Thresholds};
///
/// let mut thresholds = Thresholds::default();
/// thresholds.spare_share = 0.5;
/// let advisor = Advisor::new().thresholds(thresholds);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Thresholds {
    /// A value of at most so many bytes is small: metadata can outweigh its data. 1024.
    pub small_value_bytes: u64,
    /// From this share of a small value on, metadata is much. 0.9.
    pub metadata_share: f64,
    /// Auxiliary bytes over data, from which on they are much. 1.0: they double the data.
    pub auxiliary_ratio: f64,
    /// Spare capacity is reported from this share of the buffers that have it. 0.25.
    pub spare_share: f64,
    /// From this share of all bytes on, padding is much. 0.1.
    pub padding_share: f64,
    /// Spare capacity, padding and memory held from outside are not worth a word below so many
    /// bytes. 4096.
    pub least_bytes: u64,
    /// At most so many findings of one rule, those that save most. 5.
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
