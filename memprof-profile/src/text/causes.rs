//! Errors with their causes, on one line.

use core::fmt;
use core::iter::successors;
use std::error::Error;

/// The maximum number of causes that are printed.
const MAX: usize = 8;

/// Prints an error and, in parentheses, its causes: `cannot read the trace (broken pipe)`.
///
/// The `Display` of memprof's errors leaves the causes out, for callers that print each
/// [`source`](Error::source) separately. At most eight causes are printed, because an error may be
/// its own cause.
///
/// ```
/// use memprof_profile::text::WithCauses;
///
/// let error = "12 parsecs".parse::<u64>().unwrap_err();
/// assert_eq!(WithCauses(&error).to_string(), "invalid digit found in string");
/// ```
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one error")]
pub struct WithCauses<'e>(pub &'e dyn Error);

impl fmt::Display for WithCauses<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)?;
        let mut causes = successors(self.0.source(), |&cause| cause.source()).take(MAX);
        let Some(first) = causes.next() else { return Ok(()) };
        write!(out, " ({first}")?;
        for cause in causes {
            write!(out, ": {cause}")?;
        }
        out.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::WithCauses;
    use core::fmt;
    use std::error::Error;

    #[derive(Debug)]
    struct Failed(&'static str, Option<Box<Failed>>);

    impl fmt::Display for Failed {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str(self.0)
        }
    }

    impl Error for Failed {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|cause| cause as _)
        }
    }

    #[test]
    fn causes_follow_in_parentheses() {
        let disk = Failed("disk full", None);
        let write = Failed("write failed", Some(Box::new(disk)));
        let page = Failed("no page", Some(Box::new(write)));
        assert_eq!(WithCauses(&page).to_string(), "no page (write failed: disk full)");
    }
}
