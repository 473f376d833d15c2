//! The sharing analysis: the bytes that sharing saves, could save, and keeps alive.

use crate::Profile;
use crate::text::counted;
use crate::tree::Origin;
use crate::views::Units;
use crate::views::limited_origin;
use core::fmt;

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
    /// The bytes of the profile if every handle had a copy of its allocation alone.
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
    /// number of handles is unknown or changed during the walk. No bytes are called leaked then.
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
    /// does not free, if any. A profile without data on sharing gives one line that states this.
    pub(crate) fn lines(&self, units: Units) -> Vec<String> {
        let show = |bytes| units.show(bytes);
        if let Some(origin) = limited_origin(self.origin) {
            let bytes = show(self.bytes);
            return vec![format!("{bytes} as it is; {origin} do not record sharing")];
        }
        let handles = counted(self.handles, "handle");
        let mut counts = match self.allocations {
            0 => vec!["nothing is shared".into()],
            shared => vec![format!("{handles} to {}", counted(shared, "shared allocation"))],
        };
        let mut totals = vec![format!("{} as it is", show(self.bytes))];
        if self.duplicates > 0 {
            let duplicates = counted(self.duplicates, "unshared duplicate");
            let bytes = show(self.duplicate_bytes);
            counts.push(format!("{duplicates} ({bytes})"));
            totals.push(format!("{} if duplicates were shared", show(self.bytes_if_all_shared)));
        }
        totals.push(format!("{} if nothing were shared", show(self.bytes_if_unshared)));
        let mut lines = vec![counts.join("; "), totals.join(", ")];
        if self.externally_held_bytes > 0 || self.leaked_bytes > 0 {
            let (least, most) =
                if self.is_upper_bound { ("at least ", "at most ") } else { ("", "") };
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
/// not free, if any. A profile without data on sharing gives one line that states this.
impl fmt::Display for SharingAnalysis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.lines(Units::Iec).join("\n"))
    }
}
