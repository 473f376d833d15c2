//! Counts of things.

use crate::text::Grouped;

/// Returns `n things`, or `1 thing`.
///
/// ```
/// use memprof_profile::text::counted;
///
/// assert_eq!(counted(1, "value"), "1 value");
/// assert_eq!(counted(4096, "value"), "4 096 values");
/// ```
pub fn counted(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", Grouped(count))
}
