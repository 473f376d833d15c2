//! Figures of a whole profile: the bytes by purpose with the overhead of the payload, and the bytes
//! that sharing saves, could save, and keeps alive.

use crate::Profile;
use crate::text::counted;
use crate::tree::{Branch, Device, Leaf, LeafKind, Origin, Role, SHARED};
use crate::views::{Units, limited_origin};
use core::fmt;
use core::ops::AddAssign;

/// The bytes of a value or of a part of it, by purpose.
///
/// Every byte is data, metadata or auxiliary, so the three add up to the total:
///
/// | bytes | below a field without a role, or `data` | below `metadata` | below `auxiliary` |
/// |---|---|---|---|
/// | `[data]`: scalars, text, elements, enums; `[skipped]`, `[opaque]` | data | metadata | auxiliary |
/// | `[inline]`: handles such as a `Vec`'s pointer, length and capacity | metadata | metadata | metadata |
/// | `[spare]` `[table]` `[nodes]` `[counts]` `[padding]` | metadata | metadata | auxiliary |
///
/// ```
/// use memprof::Profile;
///
/// let statistics = Profile::of(&vec![0.0_f64; 100]).statistics();
/// assert_eq!((statistics.data, statistics.metadata, statistics.auxiliary), (800, 24, 0));
/// assert_eq!(statistics.overhead_ratio(), Some(0.03));
///
/// let empty = Profile::of(&Vec::<f64>::new()).statistics();
/// assert_eq!(empty.overhead_ratio(), None);
/// assert_eq!(empty.metadata_share(), Some(1.0));
/// ```
///
/// Counters and folded stacks do not record the purpose of bytes. In a profile of these origins, all
/// bytes are `unknown` and no ratio is known. `spare` and `padding` then count only frames with the
/// names `[spare]` and `[padding]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The payload.
    pub data: u64,
    /// The bytes that describe, find and hold the payload.
    pub metadata: u64,
    /// The bytes that could be dropped: everything below auxiliary fields except their handles.
    pub auxiliary: u64,
    /// The bytes of unknown purpose, because the [`origin`](crate::Profile::origin) does not record
    /// purposes.
    pub unknown: u64,
    /// The part of the metadata that several handles share.
    pub shared_metadata: u64,
    /// Excess capacity; part of metadata, auxiliary or unknown.
    pub spare: u64,
    /// The bytes that only align other bytes; part of metadata, auxiliary or unknown.
    pub padding: u64,
    /// The number of allocations.
    pub allocations: u64,
}

impl Statistics {
    /// Returns all bytes.
    pub fn total(&self) -> u64 {
        let known = self.data.saturating_add(self.metadata).saturating_add(self.auxiliary);
        known.saturating_add(self.unknown)
    }

    /// Returns the bytes that would remain if all auxiliary fields were empty.
    pub fn total_without_auxiliary(&self) -> u64 {
        self.total().saturating_sub(self.auxiliary)
    }

    /// Returns the metadata divided by the data, `0.03` for 3 %; `None` if there is no data.
    pub fn overhead_ratio(&self) -> Option<f64> {
        self.ratio(self.metadata, self.data)
    }

    /// Returns the metadata divided by the total, `1.0` for an empty array; `None` if there are no
    /// bytes.
    pub fn metadata_share(&self) -> Option<f64> {
        self.ratio(self.metadata, self.total())
    }

    /// Returns the auxiliary bytes divided by the data, `1.0` if both are equal; `None` if there is
    /// no data.
    pub fn auxiliary_ratio(&self) -> Option<f64> {
        self.ratio(self.auxiliary, self.data)
    }

    /// Returns whether several handles share any of the metadata.
    pub fn is_metadata_shared(&self) -> bool {
        self.shared_metadata > 0
    }

    fn ratio(&self, part: u64, whole: u64) -> Option<f64> {
        if self.unknown == 0 { ratio(part, whole) } else { None }
    }

    fn add_own(&mut self, branch: Branch<'_>, is_shared: bool) {
        self.allocations = self.allocations.saturating_add(branch.counts().allocations);
        for leaf in branch.leaves() {
            let add = |sum: &mut u64| *sum = sum.saturating_add(leaf.bytes());
            match leaf.kind() {
                LeafKind::Spare => add(&mut self.spare),
                LeafKind::Padding => add(&mut self.padding),
                _ => {}
            }
            match purpose(leaf) {
                _ if branch.origin() != Origin::Values => add(&mut self.unknown),
                Role::Data => add(&mut self.data),
                Role::Metadata => {
                    add(&mut self.metadata);
                    if is_shared {
                        add(&mut self.shared_metadata);
                    }
                }
                _ => add(&mut self.auxiliary),
            }
        }
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        let add = |sum: &mut u64, other: u64| *sum = sum.saturating_add(other);
        add(&mut self.data, other.data);
        add(&mut self.metadata, other.metadata);
        add(&mut self.auxiliary, other.auxiliary);
        add(&mut self.unknown, other.unknown);
        add(&mut self.shared_metadata, other.shared_metadata);
        add(&mut self.spare, other.spare);
        add(&mut self.padding, other.padding);
        add(&mut self.allocations, other.allocations);
    }
}

fn purpose(leaf: &Leaf) -> Role {
    let is_payload = matches!(leaf.kind(), LeafKind::Data | LeafKind::Skipped | LeafKind::Opaque);
    match leaf.role() {
        _ if leaf.kind() == LeafKind::Inline => Role::Metadata,
        Role::Data if is_payload => Role::Data,
        Role::Data | Role::Metadata => Role::Metadata,
        _ => Role::Auxiliary,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio is rounded")]
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl Statistics {
    /// Returns the statistics of a branch with everything below it.
    ///
    /// # Cost
    /// Visits each branch below once.
    pub fn of(branch: Branch<'_>) -> Self {
        let mut statistics = Self::default();
        // The first branch after the current shared subtree.
        let mut shared_until = branch.id();
        for branch in branch.subtree() {
            if branch.name() == SHARED {
                shared_until = shared_until.max(branch.end());
            }
            let is_shared = branch.id() < shared_until;
            statistics.add_own(branch, is_shared);
        }
        statistics
    }

    /// Returns the statistics of a branch without its children.
    pub fn right_at(branch: Branch<'_>) -> Self {
        let mut statistics = Self::default();
        statistics.add_own(branch, branch.name() == SHARED);
        statistics
    }
}

/// # Statistics
impl Profile {
    /// Returns the bytes by purpose: data, metadata and auxiliary. [`Statistics`] has an example.
    ///
    /// # Cost
    /// Visits each branch once.
    pub fn statistics(&self) -> Statistics {
        Statistics::of(self.root())
    }

    /// Returns the bytes in each memory, the host's first. Memories without bytes are absent. The
    /// list is empty if the [`origin`](Self::origin) does not record memories.
    ///
    /// ```
    /// use memprof::tree::Device;
    /// use memprof::Profile;
    ///
    /// assert_eq!(Profile::of(&vec![0_u8; 100]).devices(), [(Device::Cpu, 124)]);
    /// ```
    ///
    /// # Cost
    /// Visits each branch once.
    pub fn devices(&self) -> Vec<(Device, u64)> {
        self.root().devices()
    }
}

/// The sharing in one value or in several; see [`Profile::sharing`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharingAnalysis {
    /// The origin of the profile. Counters and folded stacks have no data on sharing. For these
    /// origins, all figures except `bytes` are 0 and have no meaning.
    pub origin: Origin,
    /// The number of handles to shared allocations that the walk visited.
    pub handles: u64,
    /// The number of shared allocations.
    pub allocations: u64,
    /// All bytes of the profile. Each shared allocation counts once.
    pub bytes: u64,
    /// The bytes of the profile if every handle had its own copy of its allocation, but not of what
    /// that leads to.
    pub bytes_if_unshared: u64,
    /// The bytes of the profile if [equal values](Self::duplicates) were also shared.
    pub bytes_if_all_shared: u64,
    /// The number of values that are equal to an earlier one and not shared with it. Only types
    /// marked `#[profile(shareable)]` count.
    pub duplicates: u64,
    /// The bytes of these duplicates, which sharing would save. The handles that would replace the
    /// duplicates are not subtracted.
    pub duplicate_bytes: u64,
    /// The bytes that dropping the value frees. A lower bound if
    /// [`is_upper_bound`](Self::is_upper_bound) is true.
    pub retained_bytes: u64,
    /// The bytes that stay allocated when the value is dropped, because they have handles
    /// elsewhere.
    pub externally_held_bytes: u64,
    /// The bytes that stay allocated when the value is dropped, because only handles in a cycle
    /// keep them alive.
    pub leaked_bytes: u64,
    /// True if `externally_held_bytes` is an upper bound: the walk could not read everything, or a
    /// number of handles is unknown or changed during the walk. In that case, no bytes are reported
    /// as leaked.
    pub is_upper_bound: bool,
}

/// # Sharing
impl Profile {
    /// Returns the bytes that handles share, the bytes that sharing equal values would save, and
    /// the externally held bytes.
    ///
    /// To analyze several values, profile them together: as a slice, or with [`Profile::of_all`].
    ///
    /// ```
    /// use memprof::Profile;
    /// use std::sync::Arc;
    ///
    /// let unit = Arc::new([0_u8; 84]);
    /// let arrays = vec![unit.clone(); 10];
    /// let sharing = Profile::of(&arrays).sharing();
    /// assert_eq!((sharing.handles, sharing.allocations), (10, 1));
    /// assert_eq!(sharing.bytes, 24 + 10 * 8 + 104);
    /// assert_eq!(sharing.bytes_if_unshared, 24 + 10 * (8 + 104));
    /// assert_eq!(sharing.externally_held_bytes, 104); // `unit`, the local variable
    /// println!("{sharing}");
    /// ```
    ///
    /// # Cost
    /// Visits each branch once. The other figures were computed with the profile.
    pub fn sharing(&self) -> SharingAnalysis {
        let (origin, bytes) = (self.origin(), self.total_bytes());
        if origin != Origin::Values {
            return SharingAnalysis { origin, bytes, ..SharingAnalysis::default() };
        }
        let (mut duplicates, mut duplicate_bytes) = (0_u64, 0_u64);
        for branch in self.root().subtree() {
            let counts = branch.counts();
            duplicates = duplicates.saturating_add(counts.duplicates);
            duplicate_bytes = duplicate_bytes.saturating_add(counts.duplicate_bytes);
        }
        let shared = self.shared;
        SharingAnalysis {
            origin,
            handles: shared.handles,
            allocations: shared.allocations,
            bytes,
            bytes_if_unshared: shared.bytes_if_unshared,
            bytes_if_all_shared: bytes.saturating_sub(duplicate_bytes),
            duplicates,
            duplicate_bytes,
            retained_bytes: bytes
                .saturating_sub(shared.externally_held_bytes)
                .saturating_sub(shared.leaked_bytes),
            externally_held_bytes: shared.externally_held_bytes,
            leaked_bytes: shared.leaked_bytes,
            is_upper_bound: shared.is_upper_bound,
        }
    }
}

impl SharingAnalysis {
    /// Returns a line for the handles, one for the bytes, and one for bytes that dropping the value
    /// does not free, if any. For a profile without data on sharing, one line says so.
    pub(crate) fn lines(&self, units: Units) -> Vec<String> {
        let show = |bytes| units.show(bytes);
        if let Some(origin) = limited_origin(self.origin) {
            let bytes = show(self.bytes);
            return vec![format!("{bytes} as is; {origin} do not record sharing")];
        }
        let handles = counted(self.handles, "handle");
        let mut counts = match self.allocations {
            0 => vec!["nothing is shared".into()],
            shared => vec![format!("{handles} to {}", counted(shared, "shared allocation"))],
        };
        let mut totals = vec![format!("{} as is", show(self.bytes))];
        if self.duplicates > 0 {
            let duplicates = counted(self.duplicates, "unshared duplicate");
            let bytes = show(self.duplicate_bytes);
            counts.push(format!("{duplicates} ({bytes})"));
            totals.push(format!("{} if duplicates were shared", show(self.bytes_if_all_shared)));
        }
        totals.push(format!("{} if nothing were shared", show(self.bytes_if_unshared)));
        let mut lines = vec![counts.join("; "), totals.join(", ")];
        if self.externally_held_bytes > 0 || self.leaked_bytes > 0 {
            let (least, most) = if self.is_upper_bound { ("≥ ", "≤ ") } else { ("", "") };
            let mut parts =
                vec![format!("{least}{} freed with this value", show(self.retained_bytes))];
            if self.externally_held_bytes > 0 {
                parts.push(format!("{most}{} externally held", show(self.externally_held_bytes)));
            }
            if self.leaked_bytes > 0 {
                parts.push(format!("{} leaked in a cycle", show(self.leaked_bytes)));
            }
            lines.push(parts.join(", "));
        }
        lines
    }
}

/// Writes a line for the handles, one for the bytes, and one for bytes that dropping the value does
/// not free, if any. For a profile without data on sharing, one line says so.
impl fmt::Display for SharingAnalysis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.lines(Units::Iec).join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Statistics, purpose};
    use crate::tree::{Leaf, LeafKind, OpaqueReason, Role, SHARED};
    use crate::views::samples::{Sample, values};

    #[test]
    fn the_three_purposes_add_up_to_the_total() {
        for profile in values() {
            assert_eq!(profile.statistics().total(), profile.total_bytes(), "{profile}");
        }
    }

    #[test]
    fn every_kind_has_the_documented_purpose() {
        let payload = [LeafKind::Data, LeafKind::Skipped, LeafKind::Opaque];
        for &kind in LeafKind::ALL {
            let of = |&role: &Role| purpose(&Leaf::new(kind, role, 1));
            let expected = match kind {
                LeafKind::Inline => [Role::Metadata; 3],
                _ if payload.contains(&kind) => [Role::Data, Role::Metadata, Role::Auxiliary],
                _ => [Role::Metadata, Role::Metadata, Role::Auxiliary],
            };
            assert!(Role::ALL.iter().map(of).eq(expected), "{kind}");
        }
    }

    #[test]
    fn ratios_of_zero_bytes_are_none() {
        let none = Statistics::default();
        assert_eq!((none.overhead_ratio(), none.metadata_share()), (None, None));
        assert_eq!(none.auxiliary_ratio(), None);
        let auxiliary = Statistics { auxiliary: 5, data: 10, ..none };
        assert_eq!(auxiliary.auxiliary_ratio(), Some(0.5));
        assert_eq!(auxiliary.total_without_auxiliary(), 10);
    }

    #[test]
    fn metadata_below_a_shared_handle_is_shared() {
        let shared = Sample::new(SHARED).leaf(LeafKind::Counts, 16).with([Sample::data("x", 5)]);
        let sample = Sample::new("root").with([
            Sample::new("unit").leaf(LeafKind::Inline, 8).with([shared]),
            Sample::new("last").leaf(LeafKind::Spare, 3).opaque(OpaqueReason::Locked),
        ]);
        let statistics = sample.profile().statistics();
        assert_eq!(statistics.shared_metadata, 16);
        assert!(statistics.is_metadata_shared());
        assert_eq!((statistics.data, statistics.metadata, statistics.spare), (5, 27, 3));
    }

    #[test]
    fn sums_saturate() {
        let mut most = Statistics { data: u64::MAX, metadata: 1, ..Statistics::default() };
        most += most;
        assert_eq!((most.data, most.metadata, most.total()), (u64::MAX, 2, u64::MAX));
    }
}
