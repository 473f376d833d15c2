//! What of a snapshot is known, and what is only known in part.

use memprof_session::document::{RootReading, RootState, Snapshot};

/// Whether all of a root was seen: what was locked, left alone or out of time holds more than was.
pub(crate) fn is_whole(root: &RootReading) -> bool {
    matches!(root.state, RootState::Profiled | RootState::Dropped)
}

/// Why not all of what the roots hold was seen; `None` if all was.
pub(crate) fn why_not_whole(snapshot: &Snapshot) -> Option<&'static str> {
    let one = snapshot.roots.iter().find(|root| !is_whole(root))?;
    Some(match one.state {
        RootState::Locked => "a root was locked",
        RootState::Spared => "a root was spared",
        RootState::Partial => "a root was seen in part",
        RootState::Panicked => "a root panicked",
        _ => "not all of a root was seen",
    })
}

/// All bytes of a root; `None` if not all of it was seen.
pub(crate) fn root_bytes(root: &RootReading) -> Option<u64> {
    root.total_bytes.filter(|_| is_whole(root))
}

/// The bytes of all roots in each memory, by its name; `None` if not all of every root was seen.
pub(crate) fn device_bytes(snapshot: &Snapshot) -> impl Iterator<Item = (&str, Option<u64>)> {
    let whole = snapshot.roots.iter().all(is_whole);
    snapshot.devices.iter().map(move |one| (&*one.device, whole.then_some(one.bytes)))
}
