//! Snapshots as profiles, which every view of a profile reads.

use crate::Recording;
use crate::document::{RootReading, Snapshot, SourceReading};
use memprof_profile::{ATTRIBUTED, JsonError, Leaf, Path, Profile};

impl Snapshot {
    /// What all roots and sources held, below one root of this name: that of the program.
    ///
    /// What several roots share counts in each of them, as they were walked one by one. What a
    /// source found to be the roots' ([`ATTRIBUTED`]) counts with them alone. What could
    /// not be profiled is not in it; [`missing`](Self::missing) tells what.
    ///
    /// ```no_run
    /// # let recording = memprof_session::Recording::read_file("session.json")?;
    /// if let Some(last) = recording.snapshot("end") {
    ///     println!("{}", last.profile(&recording.metadata.program)?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If what the file holds of one is no profile.
    pub fn profile(&self, name: &str) -> Result<Profile, JsonError> {
        let roots = self.roots.iter().filter_map(RootReading::profile);
        let sources = self.sources.iter().filter_map(SourceReading::profile);
        let sources = sources.map(|profile| profile.map(without_attributed));
        let parts: Vec<Profile> = roots.chain(sources).collect::<Result<_, _>>()?;
        Ok(Profile::joined(name, &parts))
    }

    /// What the root or source of this name held; `None` if there is none, or it could not be
    /// profiled.
    ///
    /// # Errors
    /// If what the file holds is no profile.
    pub fn root(&self, name: &str) -> Option<Result<Profile, JsonError>> {
        let mut root = self.roots.iter().filter(|root| root.name == name);
        let mut source = self.sources.iter().filter(|source| source.name == name);
        root.find_map(RootReading::profile).or_else(|| source.find_map(SourceReading::profile))
    }

    /// Whether any root or source was profiled.
    pub fn has_profile(&self) -> bool {
        self.roots.iter().any(|root| root.profile.is_some())
            || self.sources.iter().any(|source| source.profile.is_some())
    }

    /// The roots and sources of which there is no profile, with the reason.
    pub fn missing(&self) -> impl Iterator<Item = (&str, &str)> {
        let roots = self.roots.iter().filter(|root| root.profile.is_none());
        let sources = self.sources.iter().filter(|source| source.profile.is_none());
        roots.map(|root| (&*root.name, root.state.word())).chain(
            sources.map(|source| (&*source.name, source.error.as_deref().unwrap_or("not read"))),
        )
    }

    /// All bytes of the root of this name, as far as they were visited.
    pub fn bytes_of(&self, root: &str) -> Option<u64> {
        self.roots.iter().find(|reading| reading.name == root)?.total_bytes
    }
}

/// A source's profile without what roots hold.
fn without_attributed(profile: Profile) -> Profile {
    let is_attributed = |frames: &[&str]| frames[1..].contains(&ATTRIBUTED);
    if !profile.leaves().any(|(path, _)| is_attributed(path.frames())) {
        return profile;
    }
    let rest = profile.leaves().filter(|(path, _)| !is_attributed(path.frames()));
    // Without the root, and without the frame of the kind.
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
    /// The first snapshot in which the bytes of the root of this name are known, and they: what
    /// its growth is told from.
    pub fn first_reading(&self, root: &str) -> Option<(&Snapshot, u64)> {
        self.snapshots.iter().find_map(|snapshot| Some((snapshot, snapshot.bytes_of(root)?)))
    }
}
