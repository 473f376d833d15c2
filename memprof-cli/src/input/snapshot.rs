//! The selection of a snapshot in a recording, and its profile.

use crate::failure::Failure;
use crate::terminal::brief;
use memprof_profile::Profile;
use memprof_profile::text::{Grouped, percent};
use memprof_recording::Recording;
use memprof_recording::document::{HeapLevel, HeapTotals, RootState, Snapshot};

const MAX_LISTED: usize = 12;

pub(super) fn find<'r>(
    recording: &'r Recording,
    selector: Option<&str>,
) -> Result<&'r Snapshot, Failure> {
    let selector = selector.unwrap_or("end");
    recording.snapshot(selector).ok_or_else(|| {
        if recording.snapshots.is_empty() {
            return Failure::because(
                "the recording has no snapshots, because the program exited before the first one; \
                 `memprof info` prints the rest",
            );
        }
        let (selector, available) = (brief(selector), available(recording));
        Failure::because(format!("no snapshot `{selector}`; available: {available}"))
    })
}

fn available(recording: &Recording) -> String {
    let numbers: Vec<String> =
        recording.snapshots.iter().map(|snapshot| snapshot.number.to_string()).collect();
    let numbers = match &numbers[..] {
        [first, .., last] if numbers.len() > MAX_LISTED => {
            format!("a number from {first} to {last}")
        }
        numbers => numbers.join(", "),
    };
    let mut names: Vec<String> = Vec::new();
    for name in recording.snapshots.iter().filter_map(|snapshot| snapshot.name.as_deref()) {
        let name = brief(name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(MAX_LISTED);
    names.truncate(MAX_LISTED);
    if more > 0 {
        names.push(format!("{} more names", Grouped(more as u64)));
    }
    let fixed = if recording.peak().is_some() { "start, end, peak" } else { "start, end" };
    let options = names.into_iter().chain([fixed.into(), numbers]);
    options.collect::<Vec<_>>().join(", ")
}

pub(super) fn profile(
    recording: &Recording,
    snapshot: &Snapshot,
    root: Option<&str>,
) -> Result<Profile, Failure> {
    if let Some(name) = root {
        return Ok(snapshot.root(name).ok_or_else(|| no_root(snapshot, name))??);
    }
    if !snapshot.has_profile() {
        let reason = match missing_list(snapshot) {
            Some(list) => format!(": {list}; choose another snapshot with `@`"),
            None => format!(
                "; register roots with the session, or choose another snapshot with `@`{}",
                formats_without_roots(snapshot)
            ),
        };
        return Err(Failure::because(format!("{} has no profiles{reason}", snapshot.title())));
    }
    Ok(snapshot.profile(&recording.metadata.program)?)
}

/// Returns a hint about the formats that need no roots, if the recording can be exported to them.
fn formats_without_roots(snapshot: &Snapshot) -> &'static str {
    match snapshot.heap {
        Some(HeapTotals { level: HeapLevel::Sampled, .. }) => {
            "; the formats `folded-sites` and `pprof-sites` of `memprof export` need no roots"
        }
        _ => "",
    }
}

fn no_root(snapshot: &Snapshot, name: &str) -> Failure {
    let (title, shown) = (snapshot.title(), brief(name));
    if let Some((_, reason)) = snapshot.missing().find(|(missing, _)| *missing == name) {
        let reason = brief(reason);
        return Failure::because(format!(
            "{title} has no profile of `{shown}` ({reason}); choose another snapshot with `@`"
        ));
    }
    let roots = snapshot.roots.iter().map(|root| &root.name);
    let names = roots.chain(snapshot.sources.iter().map(|source| &source.name));
    let available: Vec<String> = names.take(MAX_LISTED).map(|name| brief(name)).collect();
    Failure::because(if available.is_empty() {
        let formats = formats_without_roots(snapshot);
        format!("{title} has no roots; choose another snapshot with `@`{formats}")
    } else {
        let available = available.join(", ");
        format!("no root or source `{shown}` in {title}; available: {available}")
    })
}

/// Returns a note if even the highest snapshot is clearly below the peak.
pub(super) fn below_peak(recording: &Recording, snapshot: &Snapshot) -> Option<String> {
    let live = u64::try_from(snapshot.heap?.live_bytes).ok()?;
    let peak = recording.peak_bytes()?;
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let share = live as f64 / peak as f64;
    (share < 0.99).then(|| {
        let share = percent(share);
        format!("the highest snapshot is {}, with {share} of the peak", snapshot.title())
    })
}

pub(super) fn missing(snapshot: &Snapshot) -> Option<String> {
    let list = missing_list(snapshot)?;
    Some(format!("not in snapshot {}: {list}", snapshot.number))
}

fn missing_list(snapshot: &Snapshot) -> Option<String> {
    let each = |(name, reason): (&str, &str)| format!("{} ({})", brief(name), brief(reason));
    let mut list: Vec<String> = snapshot.missing().take(MAX_LISTED).map(each).collect();
    let more = snapshot.missing().count().saturating_sub(MAX_LISTED);
    if more > 0 {
        list.push(format!("{} more", Grouped(more as u64)));
    }
    (!list.is_empty()).then(|| list.join(", "))
}

/// A root or a source whose bytes a snapshot lacks, or of which it has only a lower bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The path of the part in the profile; empty if the profile is that of this part.
    path: String,
    /// `true` if the snapshot has no bytes of the part at all.
    pub(crate) is_missing: bool,
}

impl Part {
    /// Returns whether unread bytes of the part may belong to a path and to the paths below it. For
    /// a path within the part, the marks of the profile decide.
    pub(crate) fn may_add_to(&self, path: &str) -> bool {
        path.is_empty()
            || !self.path.is_empty()
                && (path == self.path
                    || path.strip_prefix(&self.path).is_some_and(|rest| rest.starts_with(';')))
    }
}

/// With `root`, returns only that root.
pub(crate) fn unread(snapshot: &Snapshot, root: Option<&str>) -> Vec<Part> {
    let roots = snapshot.roots.iter().filter_map(|root| {
        let is_open = root.interval().is_some_and(|interval| interval.high.is_none());
        // A value that was dropped has no bytes.
        let is_missing = root.profile.is_none() && root.state != RootState::Dropped;
        (is_open || is_missing).then_some((&root.name, is_missing))
    });
    let sources = snapshot.sources.iter().filter(|source| source.profile.is_none());
    let all = roots.chain(sources.map(|source| (&source.name, true)));
    let all = all.filter(|(name, _)| root.is_none_or(|root| root == *name));
    let path = |name: &String| if root.is_some() { String::new() } else { name.clone() };
    all.map(|(name, is_missing)| Part { path: path(name), is_missing }).collect()
}
