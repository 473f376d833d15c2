//! A limit of growth: of the total, or of a path and everything below it.

use core::str::FromStr;
use memprof_profile::testing::Tolerance;

/// A limit as on the command line: `5%`, or `Model;matrix=64 MiB`.
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    /// The path as in folded stacks, or `None` for the total.
    pub(crate) path: Option<String>,
    pub(crate) tolerance: Tolerance,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A name may contain `=`, but an amount may not.
        let (path, amount) = match text.rsplit_once('=') {
            Some(("", _)) => {
                return Err("expected a path before `=`, such as `Model;ids=5%`".into());
            }
            Some((path, amount)) => (Some(path.to_owned()), amount),
            None => (None, text),
        };
        let amount = amount.trim();
        let tolerance = amount.parse::<Tolerance>().map_err(|error| error.to_string())?;
        // `5` may be meant as a percentage.
        let has_unit = amount.contains(|char: char| char == '%' || char.is_ascii_alphabetic());
        let is_zero = !amount.contains(|char: char| ('1'..='9').contains(&char));
        if !has_unit && !is_zero {
            return Err(format!(
                "`{amount}` has no unit; expected for example `{amount}%`, `{amount}MiB`, \
                 `{amount}B`, or `0`"
            ));
        }
        Ok(Self { path, tolerance })
    }
}
