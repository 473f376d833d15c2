//! The selection of a snapshot in a recording, and its profile.

use super::error::What;
use crate::shown::brief;
use memprof_profile::Profile;
use memprof_session::Recording;
use memprof_session::document::Snapshot;

/// The most names or numbers that an error lists.
const LISTED: usize = 12;

/// Returns the snapshot that a word names; the last one if there is no word.
pub(super) fn find<'r>(recording: &'r Recording, word: Option<&str>) -> Result<&'r Snapshot, What> {
    let word = word.unwrap_or("end");
    recording.snapshot(word).ok_or_else(|| match recording.snapshots.len() {
        0 => What::NoSnapshots,
        _ => What::Snapshot { word: brief(word), known: known(recording) },
    })
}

/// Returns the words that name a snapshot of this recording.
fn known(recording: &Recording) -> String {
    let numbers: Vec<String> =
        recording.snapshots.iter().map(|snapshot| snapshot.number.to_string()).collect();
    let numbers = match &numbers[..] {
        [first, .., last] if numbers.len() > LISTED => format!("a number from {first} to {last}"),
        numbers => numbers.join(", "),
    };
    let mut names: Vec<String> = Vec::new();
    for name in recording.snapshots.iter().filter_map(|snapshot| snapshot.name.as_deref()) {
        let name = brief(name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    if more > 0 {
        names.push(format!("{more} more names"));
    }
    let ends = if recording.peak().is_some() { "start, end, peak" } else { "start, end" };
    let words = names.into_iter().chain([ends.into(), numbers]);
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the joined profile of a snapshot, or that of one root or source.
pub(super) fn profile(
    recording: &Recording,
    snapshot: &Snapshot,
    root: Option<&str>,
) -> Result<Profile, What> {
    if let Some(name) = root {
        return Ok(snapshot.root(name).ok_or_else(|| no_root(snapshot, name))??);
    }
    if !snapshot.has_profile() {
        return Err(What::NoProfile { snapshot: snapshot.title(), why: missing_list(snapshot) });
    }
    Ok(snapshot.profile(&recording.metadata.program)?)
}

fn no_root(snapshot: &Snapshot, name: &str) -> What {
    if let Some((_, why)) = snapshot.missing().find(|(missing, _)| *missing == name) {
        return What::Missing { name: brief(name), why: brief(why), snapshot: snapshot.title() };
    }
    let roots = snapshot.roots.iter().map(|root| &root.name);
    let names = roots.chain(snapshot.sources.iter().map(|source| &source.name));
    let known: Vec<String> = names.take(LISTED).map(|name| brief(name)).collect();
    What::Root { name: brief(name), snapshot: snapshot.title(), known: known.join(", ") }
}

/// Returns a note on the roots and sources that are missing from a snapshot's profile.
pub(super) fn missing(snapshot: &Snapshot) -> Option<String> {
    let list = missing_list(snapshot)?;
    Some(format!("not in snapshot {}: {list}", snapshot.number))
}

fn missing_list(snapshot: &Snapshot) -> Option<String> {
    let each = |(name, why): (&str, &str)| format!("{} ({})", brief(name), brief(why));
    let mut list: Vec<String> = snapshot.missing().take(LISTED).map(each).collect();
    let more = snapshot.missing().count().saturating_sub(LISTED);
    if more > 0 {
        list.push(format!("{more} more"));
    }
    (!list.is_empty()).then(|| list.join(", "))
}
