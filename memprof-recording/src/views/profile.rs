//! Profiles of snapshots.

use crate::Recording;
use crate::document::{RootReading, RootState, Snapshot, SourceReading};
use memprof_profile::MemoryProfile;
use memprof_profile::Profile;
use memprof_profile::source::ATTRIBUTED;
use memprof_profile::tree::{Leaf, LeafKind, OpaqueReason, Path};
use memprof_profile::views::JsonError;
use memprof_profile::walk::{Position, Walk};

impl Snapshot {
    /// Returns one profile of all roots and sources, below a root with this name.
    ///
    /// The caller chooses the name, for example the program's name. Bytes that several roots share
    /// count in each of them, because the roots were walked separately. Bytes that a source
    /// attributed to the roots ([`ATTRIBUTED`]) count only with the roots. The profile lacks roots
    /// and sources that could not be profiled; [`missing`](Self::missing) lists them.
    ///
    /// ```no_run
    /// # let recording = memprof::session::Recording::read_file("session.json")?;
    /// if let Some(last) = recording.snapshot("end") {
    ///     println!("{}", last.profile(&recording.metadata.program)?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a stored profile is invalid.
    pub fn profile(&self, name: &str) -> Result<Profile, JsonError> {
        Ok(Profile::joined(name, &self.parts()?))
    }

    fn parts(&self) -> Result<Vec<Profile>, JsonError> {
        let roots = self.roots.iter().filter_map(RootReading::profile);
        let sources = self.sources.iter().filter_map(SourceReading::profile);
        let sources = sources.map(|profile| profile.map(without_attributed));
        roots.chain(sources).collect()
    }

    /// Returns a [`profile`](Self::profile) for a comparison with the one of another snapshot.
    ///
    /// If both snapshots counted the heap, the branch `unexplained` has the
    /// [bytes that no root holds](Self::unexplained_bytes). A root that could be walked only in the
    /// other snapshot is a branch with unknown bytes.
    ///
    /// # Errors
    /// Returns an error if a stored profile is invalid.
    pub fn profile_beside(&self, other: &Self, name: &str) -> Result<Profile, JsonError> {
        let mut parts = self.parts()?;
        let walked =
            |name: &str| other.roots.iter().any(|root| root.name == name && root.profile.is_some());
        let unwalked = self.roots.iter().filter(|root| {
            root.profile.is_none() && root.state != RootState::Dropped && walked(&root.name)
        });
        parts.extend(unwalked.map(|root| Profile::named(&root.name, &Unwalked)));
        let unexplained = self.unexplained_bytes().filter(|_| other.heap.is_some());
        parts.extend(unexplained.map(|bytes| Profile::named("unexplained", &Unexplained(bytes))));
        Ok(Profile::joined(name, &parts))
    }

    /// Returns the bytes of the live heap that are in no visited value of a root. Returns `None` if
    /// the heap was not counted.
    ///
    /// The profiler's own memory is left out. Returns 0 if the roots claim more than is live.
    pub fn unexplained_bytes(&self) -> Option<u64> {
        let rest = if let Some(heap) = &self.reconciliation {
            let profiler = i128::from(heap.profiler_bytes.unwrap_or(0));
            i128::from(heap.live_bytes) - profiler - i128::from(heap.roots_bytes)
        } else {
            let claimed = self.roots.iter().filter_map(|root| root.heap_bytes);
            i128::from(self.heap?.live_bytes) - claimed.map(i128::from).sum::<i128>()
        };
        Some(u64::try_from(rest.max(0)).unwrap_or(u64::MAX))
    }

    /// Returns the profile of the root or source with this name.
    ///
    /// Returns `None` if no root or source has this name, or if it could not be profiled.
    ///
    /// # Errors
    /// Returns an error if the stored profile is invalid.
    pub fn root(&self, name: &str) -> Option<Result<Profile, JsonError>> {
        let mut root = self.roots.iter().filter(|root| root.name == name);
        let mut source = self.sources.iter().filter(|source| source.name == name);
        root.find_map(RootReading::profile).or_else(|| source.find_map(SourceReading::profile))
    }

    /// Returns `true` if any root or source was profiled.
    pub fn has_profile(&self) -> bool {
        self.roots.iter().any(|root| root.profile.is_some())
            || self.sources.iter().any(|source| source.profile.is_some())
    }

    /// Returns the roots and sources without a profile, each with the reason.
    pub fn missing(&self) -> impl Iterator<Item = (&str, &str)> {
        let roots = self.roots.iter().filter(|root| root.profile.is_none());
        let sources = self.sources.iter().filter(|source| source.profile.is_none());
        let unlisted = self.roots_not_listed.iter();
        let unlisted = unlisted.map(|_| ("the smaller roots", "the file has only their sum"));
        roots
            .map(|root| (&*root.name, root.state.as_str()))
            .chain(
                sources
                    .map(|source| (&*source.name, source.error.as_deref().unwrap_or("not read"))),
            )
            .chain(unlisted)
    }

    /// Returns all visited bytes of the root with this name.
    pub fn bytes_of(&self, root: &str) -> Option<u64> {
        self.roots.iter().find(|reading| reading.name == root)?.total_bytes
    }
}

/// Live heap that no root holds.
struct Unexplained(u64);

impl MemoryProfile for Unexplained {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.leaf(at, LeafKind::Data, usize::try_from(self.0).unwrap_or(usize::MAX));
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.owned(walk, at);
    }
}

struct Unwalked;

impl MemoryProfile for Unwalked {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.opaque(at, OpaqueReason::Locked);
    }
}

/// Removes the bytes that a source attributed to the roots from its profile.
fn without_attributed(profile: Profile) -> Profile {
    let is_attributed = |frames: &[&str]| frames[1..].contains(&ATTRIBUTED);
    if !profile.leaves().any(|(path, _)| is_attributed(path.frames())) {
        return profile;
    }
    let rest = profile.leaves().filter(|(path, _)| !is_attributed(path.frames()));
    // The path of a counter has neither the root's name nor the leaf's kind.
    let leaf = |(path, leaf): (Path<'_>, Leaf)| {
        let [_, frames @ .., _] = path.frames() else { return (Vec::new(), leaf.device(), 0) };
        (frames.iter().map(|&frame| frame.to_owned()).collect(), leaf.device(), leaf.bytes())
    };
    Profile::of_counters(
        profile.root().name(),
        rest.map(leaf).collect::<Vec<(Vec<String>, _, _)>>(),
    )
}

impl Recording {
    /// Returns the first snapshot with the bytes of the root: its growth is computed from them.
    pub(super) fn first_root(&self, root: &str) -> Option<(&Snapshot, &RootReading)> {
        self.snapshots.iter().find_map(|snapshot| {
            let reading = snapshot.roots.iter().find(|reading| reading.name == root)?;
            reading.total_bytes.map(|_| (snapshot, reading))
        })
    }
}
