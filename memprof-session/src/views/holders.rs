//! The roots that hold a suspect's memory, with the path of each that grew most.

use super::Suspect;
use crate::Recording;
use crate::document::{HeldBy, Snapshot};
use memprof_profile::Profile;
use memprof_profile::text::{Shown, signed};
use memprof_profile::views::Units;

/// The number of roots that are shown.
const SHOWN: usize = 2;

/// The path of a root that grew most during the recording.
struct Grown {
    path: String,
    bytes: i128,
}

impl Recording {
    /// Formats the roots that hold a suspect's memory, one per line:
    /// `held by the root index: 33.9 MiB by samples; index;documents;text grew most (+34.1 MiB)`.
    ///
    /// The root is known from the addresses of blocks. The path is only a guess, the path of the
    /// root that grew most, because a walk reports addresses without paths.
    pub fn holders(&self, suspect: &Suspect<'_>, units: Units) -> Vec<String> {
        let line = |held: &HeldBy| {
            let root = Shown(&held.root);
            let held_bytes = held.live.bytes(units);
            let held_text = format!("held by the root {root}: {held_bytes} by samples");
            match self.grown_most(&held.root) {
                Some(Grown { path, bytes }) => {
                    let grown = signed(bytes, units);
                    format!("{held_text}; {} grew most (+{grown})", Shown(&path))
                }
                None => held_text,
            }
        };
        suspect.held_by.iter().take(SHOWN).map(line).collect()
    }

    /// Returns the path of a root that grew most between its first and its last profile.
    fn grown_most(&self, root: &str) -> Option<Grown> {
        let of = |snapshot: &Snapshot| -> Option<Profile> {
            let reading = snapshot.roots.iter().find(|reading| reading.name == root)?;
            reading.profile()?.ok()
        };
        let mut snapshots = self.snapshots.iter();
        let first = snapshots.by_ref().find_map(of)?;
        let last = snapshots.rev().find_map(of)?;
        let diff = last.diff(&first);
        let grown = diff.entries().filter(|entry| entry.change() > 0);
        let most = grown.max_by_key(memprof_profile::views::DiffEntry::change)?;
        Some(Grown { path: most.path().to_string(), bytes: most.change() })
    }
}
