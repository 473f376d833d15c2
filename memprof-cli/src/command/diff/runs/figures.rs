//! The figures of one run.
//!
//! A figure that a run does not know is not 0: with 0 in its place, growth would be missed if it is a
//! run after, and invented if it is a run before. A path is 0 only where the profile is complete and
//! does not have it.

use crate::input::{self, Part};
use memprof_profile::Profile;
use memprof_profile::tree::Branch;
use memprof_profile::views::missing_values;
use memprof_recording::Recording;
use std::collections::BTreeMap;

/// The levels of the tree that are compared: a root and its fields. Deeper paths would fill a
/// comment on a pull request.
const DEPTH: usize = 2;

/// The figures of a whole run. `--fail-if-grows` accepts their names, also if a root has the same
/// name.
pub(super) const WHOLE: [&str; 4] = ["peak", END, "allocated", ALLOCATIONS];
pub(super) const END: &str = "end";
pub(super) const ALLOCATIONS: &str = "allocations";

/// Returns the process with the highest peak of each run, because one command may start several
/// processes with sessions. A recording that `memprof run` did not start is a run of its own.
pub(super) fn highest_of_each_run(recordings: Vec<Recording>) -> Vec<Recording> {
    fn identifier(recording: &Recording) -> Option<&str> {
        recording.metadata.run.as_deref().filter(|run| !run.is_empty())
    }
    let mut runs: Vec<Recording> = Vec::new();
    for recording in recordings {
        let run = identifier(&recording);
        let same = runs.iter().position(|other| run.is_some() && identifier(other) == run);
        match same {
            Some(same) if runs[same].peak_bytes() < recording.peak_bytes() => {
                runs[same] = recording;
            }
            Some(_) => {}
            None => runs.push(recording),
        }
    }
    runs
}

#[derive(Clone, Copy)]
pub(super) enum Figure {
    Known(u64),
    /// The visited bytes, if values that own more bytes may not have been visited.
    AtLeast(u64),
    Unknown,
}

impl Figure {
    pub(super) fn is_known(self) -> bool {
        matches!(self, Self::Known(_))
    }

    pub(super) fn visited(self) -> Option<u64> {
        match self {
            Self::Known(value) | Self::AtLeast(value) => Some(value),
            Self::Unknown => None,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Key<'a> {
    Whole(usize),
    Path(&'a str),
}

impl<'a> Key<'a> {
    /// Returns what a limit names. The figures of the whole run win over roots of the same name.
    pub(super) fn named(name: &'a str) -> Self {
        WHOLE.iter().position(|whole| *whole == name).map_or(Self::Path(name), Self::Whole)
    }

    pub(super) fn name(self) -> &'a str {
        match self {
            Self::Whole(index) => WHOLE[index],
            Self::Path(path) => path,
        }
    }

    pub(super) fn is_whole(self) -> bool {
        matches!(self, Self::Whole(_))
    }
}

pub(super) struct Run {
    whole: [Option<u64>; WHOLE.len()],
    pub(super) paths: BTreeMap<String, Figure>,
    /// The roots and sources that were not or not completely visited.
    unread: Vec<Part>,
    /// `false` if the profile may lack roots that are not in `unread`.
    has_all_roots: bool,
}

impl Run {
    pub(super) fn of(recording: &Recording) -> Self {
        let mut run =
            Self { whole: [None; _], paths: BTreeMap::new(), unread: vec![], has_all_roots: false };
        let Some(end) = recording.snapshots.last() else { return run };
        let heap = end.heap;
        run.whole = [
            recording.peak_bytes(),
            heap.map(|heap| u64::try_from(heap.live_bytes).unwrap_or(0)),
            heap.map(|heap| heap.allocated_bytes),
            heap.map(|heap| heap.allocated_blocks),
        ];
        let Ok(profile) = end.profile(&recording.metadata.program) else { return run };
        run.unread = input::unread(end);
        run.has_all_roots = end.roots_not_listed.is_none();
        run.add_paths(&profile);
        run
    }

    fn add_paths(&mut self, profile: &Profile) {
        let roots = profile.root().children();
        let mut level: Vec<_> = roots.map(|root| (root.name().to_owned(), root, false)).collect();
        for _ in 0..DEPTH {
            let mut below = Vec::new();
            for (path, branch, is_open) in level {
                let bytes = branch.total_bytes();
                let is_lower_end =
                    is_open || self.may_lack(&path) || branch.subtree().any(lacks_values);
                let is_open = is_open || lacks_values(branch);
                let children = branch.children();
                below.extend(
                    children.map(|child| (format!("{path};{}", child.name()), child, is_open)),
                );
                let figure =
                    if is_lower_end { Figure::AtLeast(bytes) } else { Figure::Known(bytes) };
                self.paths.insert(path, figure);
            }
            level = below;
        }
    }

    pub(super) fn figure(&self, key: Key<'_>) -> Figure {
        match key {
            Key::Whole(index) => self.whole[index].map_or(Figure::Unknown, Figure::Known),
            Key::Path(path) => self.at(path),
        }
    }

    /// Returns the bytes at a path. They are 0 if the profile is complete and has no such path.
    fn at(&self, path: &str) -> Figure {
        if let Some(figure) = self.paths.get(path) {
            return *figure;
        }
        let parent = path.rsplit_once(';').and_then(|(parent, _)| self.paths.get(parent));
        let is_complete = parent.map_or(self.has_all_roots, |parent| parent.is_known());
        if is_complete && !self.may_lack(path) { Figure::Known(0) } else { Figure::Unknown }
    }

    fn may_lack(&self, path: &str) -> bool {
        self.unread.iter().any(|part| part.may_add_to(path))
    }
}

fn lacks_values(branch: Branch<'_>) -> bool {
    missing_values(branch).is_some()
}
