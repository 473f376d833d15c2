//! The roots that hold a suspect's memory, with the path of each that grew most.

use super::Suspect;
use super::words::joined;
use crate::Recording;
use crate::document::{HeldBy, Snapshot};
use memprof_profile::Profile;
use memprof_profile::text::{Frame, Shown, signed};
use memprof_profile::views::{DiffEntry, DiffKind, Units};
use std::collections::BTreeMap;

/// The number of roots that are shown.
const SHOWN: usize = 2;

/// The part of a root that grew most during the recording.
struct Grown {
    path: String,
    bytes: i128,
}

/// The changes at a path and below it.
#[derive(Default)]
struct Changes<'p> {
    bytes: i128,
    /// `true` if values were not visited here, so that other changes may be larger.
    is_unknown: bool,
    below: BTreeMap<&'p str, Changes<'p>>,
}

impl<'p> Changes<'p> {
    fn add(&mut self, entry: &DiffEntry<'p>) {
        let is_unknown = entry.kind() == DiffKind::Unknown;
        let mut at = self;
        for frame in [None].into_iter().chain(entry.path().frames()[1..].iter().map(Some)) {
            if let Some(frame) = frame {
                at = at.below.entry(frame).or_default();
            }
            at.bytes += entry.change();
            at.is_unknown |= is_unknown;
        }
    }

    /// Returns the branch below that grew by at least twice as much as everything else together.
    fn largest(&self) -> Option<(&'p str, &Self)> {
        if self.below.values().any(|below| below.is_unknown) {
            return None;
        }
        let (name, largest) = self.below.iter().max_by_key(|(_, below)| below.bytes)?;
        let others = self.below.values().map(|below| below.bytes.max(0)).sum::<i128>();
        let own = self.bytes - self.below.values().map(|below| below.bytes).sum::<i128>();
        let rest = others - largest.bytes.max(0) + own.max(0);
        (largest.bytes > 0 && largest.bytes >= 2 * rest).then_some((name, largest))
    }
}

impl Recording {
    /// Formats the roots that hold a suspect's memory, one per line:
    /// `held by the root index: 33.9 MiB by samples; index;documents;text grew most (+34.1 MiB)`.
    ///
    /// The root is known from the addresses of blocks. The path is only a guess, because a walk
    /// reports addresses without paths. It is the lowest path that clearly grew most, if all values
    /// beside it were visited.
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

    /// Returns the part of a root that clearly grew most between its first and its last profile, or
    /// `None` if there is no such part.
    fn grown_most(&self, root: &str) -> Option<Grown> {
        let of = |snapshot: &Snapshot| -> Option<Profile> {
            let reading = snapshot.roots.iter().find(|reading| reading.name == root)?;
            reading.profile()?.ok()
        };
        let mut snapshots = self.snapshots.iter();
        let first = snapshots.by_ref().find_map(of)?;
        let last = snapshots.rev().find_map(of)?;
        let diff = last.diff(&first);
        let mut changes = Changes::default();
        let entries: Vec<_> = diff.entries().collect();
        for entry in &entries {
            changes.add(entry);
        }
        let (mut at, mut frames) = (&changes, vec![last.root().name()]);
        while let Some((name, below)) = at.largest() {
            frames.push(name);
            at = below;
        }
        // The root alone is the suspect's line anyway.
        let is_part = frames.len() > 1 || changes.below.is_empty();
        (is_part && at.bytes > 0 && !at.is_unknown)
            .then(|| Grown { path: joined(frames.into_iter().map(Frame), ";"), bytes: at.bytes })
    }
}
