//! What sharing saves, what it could save, and what it keeps alive.

use crate::text::{Grouped, counted};
use crate::views::untold_by;
use crate::{Origin, Profile, Units};
use core::fmt;

/// What handles share in one value or in many: see [`Profile::sharing`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharingAnalysis {
    /// What the profile was made from. Folded stacks do not tell what is shared: all but `bytes` is
    /// 0 then, and means nothing.
    pub origin: Origin,
    /// Handles met to memory that has more than one.
    pub handles: u64,
    /// Distinct pieces of such memory.
    pub objects: u64,
    /// All bytes of the profile, each piece counted once.
    pub bytes: u64,
    /// What they would be if every handle had a copy of its own.
    pub bytes_if_none_shared: u64,
    /// What they would be if objects that are [equal](Self::duplicates) were shared as well.
    pub bytes_if_all_shared: u64,
    /// Objects that equal one met before, and are not shared with it; of types marked
    /// `#[profile(shareable)]` only.
    pub duplicates: u64,
    /// What those take, and sharing them would save; not counting the handles that take their place.
    pub duplicate_bytes: u64,
    /// Bytes that dropping the value frees.
    pub retained_bytes: u64,
    /// Bytes that stay when it is dropped, as others hold handles to them.
    pub held_outside_bytes: u64,
}

impl Profile {
    /// What handles share, what sharing more would save, and what is held from outside.
    ///
    /// Of many values, profile them together: a slice, or [`Profile::of_all`].
    ///
    /// ```
    /// use memprof_profile::Profile;
    /// use std::sync::Arc;
    ///
    /// let unit = Arc::new([0_u8; 84]);
    /// let arrays = vec![unit.clone(); 10];
    /// let sharing = Profile::of(&arrays).sharing();
    /// assert_eq!((sharing.handles, sharing.objects), (10, 1));
    /// assert_eq!(sharing.bytes, 24 + 10 * 8 + 104);
    /// assert_eq!(sharing.bytes_if_none_shared, 24 + 10 * (8 + 104));
    /// assert_eq!(sharing.held_outside_bytes, 104); // `unit`, the local variable
    /// println!("{sharing}");
    /// ```
    ///
    /// # Cost
    /// A look at each branch: the rest was worked out with the profile.
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
            objects: shared.objects,
            bytes,
            bytes_if_none_shared: shared.bytes_if_unshared,
            bytes_if_all_shared: bytes.saturating_sub(duplicate_bytes),
            duplicates,
            duplicate_bytes,
            retained_bytes: bytes.saturating_sub(shared.bytes_held_outside),
            held_outside_bytes: shared.bytes_held_outside,
        }
    }
}

impl SharingAnalysis {
    /// A line each: who shares, what it comes to, and what others hold if they hold anything.
    pub(crate) fn lines(&self, units: Units) -> Vec<String> {
        let show = |bytes| units.show(bytes);
        if let Some(who) = untold_by(self.origin) {
            let what = format!("{who} do not tell what is shared");
            return vec![format!("{} as it is; {what}", show(self.bytes))];
        }
        let handles = counted(self.handles, "handle");
        let mut who = match self.objects {
            0 => vec!["nothing is shared".into()],
            objects => vec![format!("{handles} to {}", counted(objects, "object"))],
        };
        let mut what = vec![format!("{} as it is", show(self.bytes))];
        if self.duplicates > 0 {
            let (objects, bytes) = (Grouped(self.duplicates), show(self.duplicate_bytes));
            who.push(format!("{objects} more equal one that they do not share ({bytes})"));
            what.push(format!("{} if they did", show(self.bytes_if_all_shared)));
        }
        what.push(format!("{} if nothing were shared", show(self.bytes_if_none_shared)));
        let mut lines = vec![who.join("; "), what.join(", ")];
        if self.held_outside_bytes > 0 {
            let (alone, outside) = (show(self.retained_bytes), show(self.held_outside_bytes));
            lines.push(format!("{alone} held by this alone, {outside} also from outside"));
        }
        lines
    }
}

/// A line each: who shares, what it comes to, and what others hold if they hold anything.
impl fmt::Display for SharingAnalysis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.lines(Units::Iec).join("\n"))
    }
}
