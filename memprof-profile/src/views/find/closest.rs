//! The search for the existing paths that are closest to a path that does not exist.

use crate::tree::Branch;
use crate::tree::Path;
use crate::views::find::{DeepestMatch, find};
use core::cmp::Reverse;

/// The maximum number of paths that the message names.
const MAX_PATHS: usize = 6;

/// Separators that users write instead of `;`.
const SEPARATORS: [&str; 4] = ["::", ".", "/", ">"];

/// Returns the closest existing paths without the root's name, and the number of further paths. The
/// best match is first.
pub(crate) fn closest(
    root: Branch<'_>,
    frames: &[&str],
    deepest: DeepestMatch<'_>,
) -> (Vec<String>, u64) {
    let mut paths = Vec::new();
    // The caller may have begun the path with the root's name.
    if frames.first() == Some(&root.name()) && find(root, &frames[1..]).is_ok() {
        paths.push(frames[1..].join(";"));
    }
    // The caller may have left out the first frames of the path.
    if let Some(last) = frames.last() {
        let mut path = Path::default();
        ending_with(root, frames, last, &mut path, &mut paths);
    }
    if paths.is_empty() {
        paths.extend(with_other_separator(root, frames));
    }
    if !paths.is_empty() {
        return (paths, 0);
    }
    // The first frame that does not exist may be misspelt, so compare it with the names at its
    // position.
    let below = best_matches(deepest, frames.get(deepest.frames).copied().unwrap_or_default());
    let more = below.len().saturating_sub(MAX_PATHS) as u64;
    let path = |child: Branch<'_>| {
        let above = frames[..deepest.frames].iter().copied();
        Path::of(above.chain([child.name()]).collect()).to_string()
    };
    (below.into_iter().take(MAX_PATHS).map(path).collect(), more)
}

/// Returns the path if its frames are joined by another separator than `;`, with or without the
/// root's name.
fn with_other_separator(root: Branch<'_>, frames: &[&str]) -> Option<String> {
    SEPARATORS.iter().find_map(|separator| {
        let parts = frames.iter().flat_map(|frame| frame.split(separator)).map(str::trim);
        let parts: Vec<&str> = parts.collect();
        let below = match parts.split_first() {
            Some((first, below)) if *first == root.name() => below,
            _ => &parts,
        };
        (parts.len() > frames.len() && !below.is_empty() && find(root, below).is_ok())
            .then(|| below.join(";"))
    })
}

/// Returns the children whose names match at least half of the given name, or all children if no
/// name does.
fn best_matches<'p>(deepest: DeepestMatch<'p>, wanted: &str) -> Vec<Branch<'p>> {
    let key = |child: Branch<'_>| {
        (Reverse(similarity(child.name(), wanted)), Reverse(child.total_bytes()))
    };
    let mut below: Vec<_> = deepest.branch.children().map(|child| (key(child), child)).collect();
    below.sort_by_key(|(key, _)| *key);
    let half = wanted.chars().count().div_ceil(2).max(1);
    let similar = below.iter().take_while(|((similarity, _), _)| similarity.0 >= half).count();
    if similar > 0 {
        below.truncate(similar);
    }
    below.into_iter().map(|(_, child)| child).collect()
}

/// Finds paths that end with these frames, at most `MAX_PATHS / 2` of them.
fn ending_with<'p>(
    branch: Branch<'p>,
    frames: &[&str],
    last: &str,
    path: &mut Path<'p>,
    paths: &mut Vec<String>,
) {
    for child in branch.children() {
        if paths.len() >= MAX_PATHS / 2 {
            return;
        }
        path.push(child.name());
        if child.name() == last && path.frames().ends_with(frames) {
            paths.push(path.to_string());
        }
        ending_with(child, frames, last, path, paths);
        path.pop();
    }
}

/// Counts the characters that two names share at their start and end, ignoring case. This is fast
/// enough for a million names and fits common typos.
fn similarity(name: &str, wanted: &str) -> usize {
    let chars = |text: &str| text.chars().map(|char| char.to_ascii_lowercase()).collect::<Vec<_>>();
    let (name, wanted) = (chars(name), chars(wanted));
    let shorter = name.len().min(wanted.len());
    let head = name.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
    let tail = name.iter().rev().zip(wanted.iter().rev()).take_while(|(a, b)| a == b).count();
    (head + tail).min(shorter)
}
