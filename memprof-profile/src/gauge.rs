//! Figures of a source that are not part of its bytes: a temperature, a peak, a rate.

/// A figure of a source, or the reason why it is unknown.
///
/// ```
/// use memprof::source::Gauge;
///
/// let hot = Gauge::new("cuda:0 temperature", "celsius", Ok(41));
/// assert_eq!(hot.value, Ok(41));
/// let unknown = Gauge::new("cuda:0 power", "milliwatts", Err("not supported".into()));
/// assert!(unknown.value.is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gauge {
    /// The name of the figure.
    pub name: String,
    /// The unit: `bytes`, `celsius`, `milliwatts`, `ns`.
    pub unit: &'static str,
    /// The figure, or the reason why it is unknown.
    pub value: Result<u64, String>,
}

impl Gauge {
    /// Returns a figure with a name and a unit.
    pub fn new(name: impl Into<String>, unit: &'static str, value: Result<u64, String>) -> Self {
        Self { name: name.into(), unit, value }
    }
}
