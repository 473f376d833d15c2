//! A figure that a source tells besides its bytes: a temperature, a peak, a rate.

/// A figure of a source, or why it is not known.
///
/// ```
/// use memprof_profile::Gauge;
///
/// let hot = Gauge::new("cuda:0 temperature", "celsius", Ok(41));
/// assert_eq!(hot.value, Ok(41));
/// let unknown = Gauge::new("cuda:0 power", "milliwatts", Err("not supported".into()));
/// assert!(unknown.value.is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gauge {
    /// What it is of.
    pub name: String,
    /// What it is counted in: `bytes`, `celsius`, `milliwatts`, `ns`.
    pub unit: &'static str,
    /// The figure, or why it is not known.
    pub value: Result<u64, String>,
}

impl Gauge {
    /// A figure of that name, in that unit.
    pub fn new(name: impl Into<String>, unit: &'static str, value: Result<u64, String>) -> Self {
        Self { name: name.into(), unit, value }
    }
}
