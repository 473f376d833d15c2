//! Shared allocations: each is counted once, and the handles to it are recorded.

mod batch;
mod equal;
mod holdings;
mod table;

#[cfg(test)]
mod tests;

pub(crate) use batch::{BATCH, Batch, Left};
use core::ops::AddAssign;
pub(crate) use equal::{Duplicates, Equal};
use holdings::Holdings;
use table::PieceTable;

/// The context of memory that only the root owns.
pub(crate) const ROOT: u32 = 0;

/// The shared allocations met in a walk, and the handles to them. The code calls such an allocation
/// a piece.
///
/// Every piece has a number from 1 up, and 0 is the memory that only the root owns. `own` are the
/// bytes added while a piece is the current context, so nested pieces stay apart. All totals of a
/// profile follow from this at the end, whatever the order of the walk.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    table: PieceTable,
    pieces: Vec<Piece>,
    /// Handles inside shared memory, as pairs: the piece that contains the handle, and its target.
    edges: Vec<(u32, u32)>,
    /// True if some contexts are values that are checked for equality.
    has_values: bool,
    context: u32,
    /// Bytes added to the current context since it was entered. They are only counted in shared
    /// memory.
    current: u64,
}

#[derive(Debug)]
struct Piece {
    own: u64,
    strong: u32,
    what: What,
}

/// The type of a piece. Some contexts are not shared allocations but values that are checked for
/// equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Shared,
    /// A value inside a shared allocation.
    ValueInShared,
    /// A value that only the root owns, possibly inside another such value.
    Value,
}

/// The totals of the shared allocations in one profile.
///
/// They exclude allocations with a single handle, which are not shared. They include allocations
/// that only `Weak` handles keep, because the number of those handles is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shared {
    /// The number of shared allocations, which have more than one handle.
    pub objects: u64,
    /// The number of handles to them that the walk met.
    pub handles: u64,
    /// The bytes of these allocations, each counted once.
    pub bytes: u64,
    /// The bytes of the whole profile if every handle had its own copy. In a cycle of handles, the
    /// handle that closes the cycle adds no copy.
    pub bytes_if_unshared: u64,
    /// The bytes that would remain if the root were dropped, because a handle exists that the walk
    /// did not meet. It is outside the root, or in opaque contents if the profile is not exact.
    pub bytes_held_outside: u64,
}

impl AddAssign for Shared {
    fn add_assign(&mut self, more: Self) {
        let Self { objects, handles, bytes, bytes_if_unshared, bytes_held_outside } = more;
        for (sum, more) in [
            (&mut self.objects, objects),
            (&mut self.handles, handles),
            (&mut self.bytes, bytes),
            (&mut self.bytes_if_unshared, bytes_if_unshared),
            (&mut self.bytes_held_outside, bytes_held_outside),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
}

impl Sharing {
    pub(crate) fn context(&self) -> u32 {
        self.context
    }

    /// Adds bytes to the piece that is the current context.
    ///
    /// Outside shared memory it stores nothing. If every leaf added to one sum, the stores would
    /// depend on each other and take longer than the rest of the walk.
    #[inline]
    pub(crate) fn add(&mut self, bytes: usize) {
        if self.context != ROOT {
            self.current = self.current.saturating_add(bytes as u64);
        }
    }

    /// Counts handles to known allocations and returns the places of the other handles.
    #[inline(never)]
    pub(crate) fn meet_all(&mut self, mut batch: Batch) -> Left {
        if self.context == ROOT {
            self.table.count_known(&mut batch);
        } else {
            batch.sift(|address, _| !self.meet(address));
        }
        batch.into_left()
    }

    /// Reserves capacity for `pieces` more pieces, at most for about a million because the number
    /// is a guess.
    pub(crate) fn reserve(&mut self, pieces: usize) {
        let pieces = pieces.min(1 << 20);
        self.table.reserve(pieces);
        self.pieces.reserve(pieces);
    }

    /// Counts a handle to `address` if the context is the root and the address is in the first lane
    /// of its group. Returns whether it did. With few pieces this is the common case.
    #[inline]
    pub(crate) fn meet_one_of_few(&mut self, address: usize) -> bool {
        self.context == ROOT && self.table.count_in_first_lane(address)
    }

    /// Counts a handle to `address` if that is known, and returns whether it is.
    pub(crate) fn meet(&mut self, address: usize) -> bool {
        let Some((piece, root_handles)) = self.table.find(address) else { return false };
        if self.context == ROOT {
            *root_handles = root_handles.saturating_add(1);
        } else {
            self.edges.push((self.context, piece));
        }
        true
    }

    /// Adds a piece with a first handle from the current context, and makes it the context. If the
    /// piece is already known, only counts the handle and returns `None`.
    #[inline]
    pub(crate) fn enter(&mut self, address: usize, strong: usize) -> Option<u32> {
        let (outer, new) = (self.context, self.pieces.len() as u32 + 1);
        let known = self.table.find_or_insert(address, new, u32::from(outer == ROOT));
        let piece = known.as_ref().map_or(new, |known| known.0);
        if outer != ROOT {
            self.edges.push((outer, piece));
        } else if let Some((_, root_handles)) = known {
            *root_handles = root_handles.saturating_add(1);
        }
        if piece != new {
            return None;
        }
        let strong = u32::try_from(strong).unwrap_or(u32::MAX);
        self.pieces.push(Piece { own: 0, strong, what: What::Shared });
        Some(self.switch(piece))
    }

    /// Makes a value a context of its own. Returns that context and the previous one.
    fn enter_value(&mut self) -> (u32, u32) {
        let outer = self.context;
        let what = match outer.checked_sub(1).map(|outer| self.pieces[outer as usize].what) {
            None | Some(What::Value) => What::Value,
            Some(What::Shared | What::ValueInShared) => What::ValueInShared,
        };
        self.has_values = true;
        self.pieces.push(Piece { own: 0, strong: 1, what });
        let piece = self.pieces.len() as u32;
        if outer != ROOT {
            self.edges.push((outer, piece));
        }
        (piece, self.switch(piece))
    }

    /// Returns the bytes added while a piece was the context.
    fn own_bytes(&self, piece: u32) -> u64 {
        self.pieces[piece as usize - 1].own
    }

    /// Makes `context` the current one and returns the previous one.
    #[inline]
    pub(crate) fn switch(&mut self, context: u32) -> u32 {
        let outer = core::mem::replace(&mut self.context, context);
        let bytes = core::mem::take(&mut self.current);
        if outer != ROOT {
            self.pieces[outer as usize - 1].own =
                self.pieces[outer as usize - 1].own.saturating_add(bytes);
        }
        outer
    }

    /// Computes the totals of a walk that found `total` bytes.
    pub(crate) fn totals(&self, total: u64) -> Shared {
        let mut totals = Totals::default();
        let root_handles = self.table.root_handles(self.pieces.len());
        if self.edges.is_empty() && !self.has_values {
            for (piece, &handles) in self.pieces.iter().zip(&root_handles[1..]) {
                totals.add(piece, handles.into(), handles.into(), handles < piece.strong);
            }
        } else {
            let holdings =
                Holdings::new(&self.pieces, self.with_values(&root_handles[1..]), &self.edges);
            let (copies, outside) = (holdings.copies(), holdings.outside());
            for (index, piece) in self.pieces.iter().enumerate() {
                totals.add(piece, holdings.seen[index], copies[index], outside[index]);
            }
        }
        let alone = total.saturating_sub(totals.in_pieces);
        Shared {
            bytes_if_unshared: alone.saturating_add(totals.shared.bytes_if_unshared),
            ..totals.shared
        }
    }

    /// Returns the number of handles to each piece from memory that only the root owns. A value
    /// outside every piece counts as having one.
    fn with_values(&self, root_handles: &[u32]) -> Vec<u64> {
        let is_value = |piece: &Piece| u64::from(piece.what == What::Value);
        let mut handles: Vec<u64> = self.pieces.iter().map(is_value).collect();
        for &(_, to) in &self.edges {
            handles[to as usize - 1] = 0;
        }
        for (handles, &met) in handles.iter_mut().zip(root_handles) {
            *handles += u64::from(met);
        }
        handles
    }
}

/// Sums over all pieces.
#[derive(Default)]
struct Totals {
    /// The totals, without memory outside the pieces.
    shared: Shared,
    /// The bytes of all pieces.
    in_pieces: u64,
}

impl Totals {
    #[inline]
    fn add(&mut self, piece: &Piece, handles: u64, copies: u64, outside: bool) {
        let Self { shared, in_pieces } = self;
        *in_pieces = in_pieces.saturating_add(piece.own);
        if piece.what != What::Value {
            shared.bytes = shared.bytes.saturating_add(piece.own);
        }
        if piece.what == What::Shared {
            shared.objects += 1;
            shared.handles += handles;
        }
        let unshared = piece.own.saturating_mul(copies);
        shared.bytes_if_unshared = shared.bytes_if_unshared.saturating_add(unshared);
        if outside {
            shared.bytes_held_outside = shared.bytes_held_outside.saturating_add(piece.own);
        }
    }
}
