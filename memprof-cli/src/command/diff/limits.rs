//! The check of `--fail-if-grows`.

use crate::arguments::Limit;
use crate::escape::escaped;
use crate::failure::Failure;
use crate::input::{Part, Picked, Source};
use memprof_profile::Profile;
use memprof_profile::testing::Tolerance;
use memprof_profile::text::Frame;
use memprof_profile::tree::PathNotFound;
use memprof_profile::views::Units;

/// A limit with the bytes to which it applies.
pub(super) struct Limited<'a> {
    path: Option<&'a str>,
    before: Figure,
    after: Figure,
    tolerance: Tolerance,
}

#[derive(Clone, Copy)]
struct Figure {
    /// `None` if the profile has no such path.
    bytes: Option<u64>,
    /// `true` if values that own more bytes may not have been visited.
    is_lower_end: bool,
}

impl Figure {
    fn bytes(self) -> u64 {
        self.bytes.unwrap_or(0)
    }

    fn show(self, units: Units) -> String {
        let at_least = if self.is_lower_end { "≥ " } else { "" };
        match self.bytes {
            None if !self.is_lower_end => "new".into(),
            _ => format!("{at_least}{}", units.show(self.bytes())),
        }
    }
}

impl<'a> Limited<'a> {
    /// Looks up the bytes of a limit. A path that only one of the profiles has is new or gone.
    ///
    /// # Errors
    /// Returns an error if neither profile has the path.
    pub(super) fn of(
        limit: &'a Limit,
        before: &Picked,
        after: &Picked,
    ) -> Result<Self, PathNotFound> {
        let path = limit.path.as_deref();
        let below = path.map_or("", |path| below_root(path, &before.profile, &after.profile));
        let was = before.profile.bytes_at(below);
        let is = match (was, after.profile.try_bytes_at(below)) {
            (None, Err(error)) => return Err(error),
            (_, is) => is.unwrap_or(0),
        };
        // A root that neither snapshot has is not compared.
        let both = |part: &Part| {
            part.is_missing && before.unread.contains(part) && after.unread.contains(part)
        };
        let figure = |of: &Picked, bytes| Figure {
            bytes,
            is_lower_end: of.profile.is_lower_end_at(below)
                || of.unread.iter().any(|part| part.may_add_to(below) && !both(part)),
        };
        let (before, after) = (figure(before, was), figure(after, Some(is)));
        Ok(Self { path, before, after, tolerance: limit.tolerance })
    }

    pub(super) fn violation(&self, name: &Source, units: Units) -> Option<String> {
        let (before, after) = (self.before, self.after);
        let allows = self.tolerance.allows_growth(before.bytes(), after.bytes());
        if allows && !after.is_lower_end {
            return None;
        }
        let path = self.path.map_or_else(String::new, |path| format!("{} ", escaped(path)));
        let figures = format!("{} → {}", before.show(units), after.show(units));
        let tolerance = self.tolerance;
        // More bytes before would make the growth smaller.
        if allows || before.is_lower_end {
            let path = if path.is_empty() { String::new() } else { format!("{path}has ") };
            return Some(format!(
                "{name}: {path}unknown growth ({figures}), because not all values were visited; raise \
                 MEMPROF_WALK_BUDGET, or limit paths that were visited completely"
            ));
        }
        let growth = units.show(after.bytes() - before.bytes());
        let at_least = if after.is_lower_end { "at least " } else { "" };
        Some(format!(
            "{name}: {path}grew by {at_least}{growth} ({figures}), more than {tolerance} \
             (`--fail-if-grows`)"
        ))
    }
}

/// Budgets in tests have paths without the root's name, the printed table has paths with it.
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

pub(super) fn check(limits: &[Limited<'_>], name: &Source, units: Units) -> Result<(), Failure> {
    let violations: Vec<_> =
        limits.iter().filter_map(|limit| limit.violation(name, units)).collect();
    if violations.is_empty() { Ok(()) } else { Err(Failure::Check(violations)) }
}
