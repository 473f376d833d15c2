//! The check of `--fail-if-grows`.

use crate::arguments::Limit;
use crate::escape::escaped;
use crate::failure::Failure;
use crate::input::Source;
use memprof_profile::Profile;
use memprof_profile::testing::Tolerance;
use memprof_profile::text::Frame;
use memprof_profile::tree::PathNotFound;
use memprof_profile::views::Units;

/// A limit with the bytes to which it applies.
pub(super) struct Limited<'a> {
    path: Option<&'a str>,
    /// `None` if the path is new.
    before: Option<u64>,
    after: u64,
    tolerance: Tolerance,
}

impl<'a> Limited<'a> {
    /// Looks up the bytes of a limit. A path that only one of the profiles has is new or gone.
    ///
    /// # Errors
    /// Returns an error if neither profile has the path.
    pub(super) fn of(
        limit: &'a Limit,
        before: &Profile,
        after: &Profile,
    ) -> Result<Self, PathNotFound> {
        let path = limit.path.as_deref();
        let below = path.map_or("", |path| below_root(path, before, after));
        let (was, is) = (before.bytes_at(below), after.try_bytes_at(below));
        let after = match (was, is) {
            (None, Err(error)) => return Err(error),
            (_, is) => is.unwrap_or(0),
        };
        Ok(Self { path, before: was, after, tolerance: limit.tolerance })
    }

    /// Returns a line about growth beyond the limit, or `None` if the limit holds.
    pub(super) fn violation(&self, name: &Source, units: Units) -> Option<String> {
        let before = self.before.unwrap_or(0);
        if self.tolerance.allows_growth(before, self.after) {
            return None;
        }
        let growth = units.show(self.after - before);
        let path = self.path.map_or_else(String::new, |path| format!("{} ", escaped(path)));
        let was = self.before.map_or_else(|| "new".into(), |before| units.show(before).to_string());
        let (after, tolerance) = (units.show(self.after), self.tolerance);
        Some(format!(
            "{name}: {path}grew by {growth} ({was} → {after}): expected at most {tolerance} \
             (`--fail-if-grows`)"
        ))
    }
}

/// Removes the root's name from the start of a path, in plain form or escaped as in folded stacks.
/// A path without this name is returned unchanged. The printed table has paths with the name, and
/// budgets of tests have paths without it.
fn below_root<'p>(path: &'p str, before: &Profile, after: &Profile) -> &'p str {
    let roots = [after.root().name(), before.root().name()];
    let mut roots = roots.into_iter().flat_map(|root| [root.to_owned(), Frame(root).to_string()]);
    let below = roots.find_map(|root| {
        let below = path.strip_prefix(&*root)?;
        if below.is_empty() { Some(below) } else { below.strip_prefix(';') }
    });
    let exists = |path: &&str| [before, after].iter().any(|one| one.bytes_at(path).is_some());
    below.filter(|below| exists(below) || !exists(&path)).unwrap_or(path)
}

/// Returns a failure with a line for each violated limit.
pub(super) fn check(limits: &[Limited<'_>], name: &Source, units: Units) -> Result<(), Failure> {
    let violations: Vec<_> =
        limits.iter().filter_map(|limit| limit.violation(name, units)).collect();
    if violations.is_empty() { Ok(()) } else { Err(Failure::Check(violations)) }
}
