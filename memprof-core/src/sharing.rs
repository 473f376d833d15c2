//! Memory that several handles share: each piece is found once, and who holds it is written down.

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

/// The context of memory that belongs to the root alone.
pub(crate) const ROOT: u32 = 0;

/// The shared memory met in a walk, and the handles to it.
///
/// Every piece has a number, 1 and up; 0 stands for what the root owns alone. `own` bytes are
/// those attributed while a piece is the current context, so pieces inside pieces are apart, and
/// all the totals a profile gives can be worked out at the end whatever the order of the walk.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    table: PieceTable,
    pieces: Vec<Piece>,
    /// Handles inside shared memory: (piece that holds the handle, piece it points to).
    edges: Vec<(u32, u32)>,
    /// Whether pieces are values that are looked at one by one.
    has_values: bool,
    context: u32,
    /// Bytes added in the current context since it was entered; counted inside shared memory only.
    current: u64,
}

#[derive(Debug)]
struct Piece {
    own: u64,
    strong: u32,
    what: What,
}

/// What a piece is: some contexts are values that are looked at one by one and not shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Shared,
    /// A value that is held in shared memory.
    ValueInShared,
    /// A value that is the root's alone, in another such value or not.
    Value,
}

/// The totals of shared memory in one profile.
///
/// Memory with a single handle is not shared and appears nowhere here; memory that only `Weak`
/// handles keep does, as nobody can tell how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shared {
    /// Distinct pieces of memory that have more than one handle.
    pub objects: u64,
    /// Handles to them that the walk met.
    pub handles: u64,
    /// Their bytes, each piece counted once.
    pub bytes: u64,
    /// What the whole profile would take if every handle had a copy of its own. Of handles that
    /// form a cycle, the one that closes it counts nothing.
    pub bytes_if_unshared: u64,
    /// Bytes that would stay if the root were dropped, as somebody holds a handle that the walk did
    /// not meet: outside the root, or, where the profile is not exact, in what could not be seen.
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

    /// Counts bytes for the piece that is the current context.
    ///
    /// Outside shared memory nothing is stored: a sum that every leaf adds to would be a chain of
    /// dependent stores, and take longer than all the rest of the walk.
    #[inline]
    pub(crate) fn add(&mut self, bytes: usize) {
        if self.context != ROOT {
            self.current = self.current.saturating_add(bytes as u64);
        }
    }

    /// Counts handles to memory that is known already, and says which are left.
    #[inline(never)]
    pub(crate) fn meet_all(&mut self, mut batch: Batch) -> Left {
        if self.context == ROOT {
            self.table.count_known(&mut batch);
        } else {
            batch.sift(|address, _| !self.meet(address));
        }
        batch.into_left()
    }

    /// Makes room for so many more pieces, or the first million of them: it is a guess.
    pub(crate) fn reserve(&mut self, pieces: usize) {
        let pieces = pieces.min(1 << 20);
        self.table.reserve(pieces);
        self.pieces.reserve(pieces);
    }

    /// Counts a handle to `address` in the common case of few pieces, one of which this is: outside
    /// shared memory, and standing where it hashes to. Says whether that was so.
    #[inline]
    pub(crate) fn meet_one_of_few(&mut self, address: usize) -> bool {
        self.context == ROOT && self.table.count_in_first_lane(address)
    }

    /// Counts a handle to `address` if that is known already, and says whether it is.
    pub(crate) fn meet(&mut self, address: usize) -> bool {
        let Some((piece, root_handles)) = self.table.find(address) else { return false };
        if self.context == ROOT {
            *root_handles = root_handles.saturating_add(1);
        } else {
            self.edges.push((self.context, piece));
        }
        true
    }

    /// Adds a piece and a first handle to it from the current context, and makes it the context;
    /// if it is known by now, only counts the handle.
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

    /// Makes a value a context of its own; returns that and the context before.
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

    /// The bytes added while a piece was the context.
    fn own_bytes(&self, piece: u32) -> u64 {
        self.pieces[piece as usize - 1].own
    }

    /// Makes `context` the current one and returns the one before.
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

    /// Works out the totals of a walk that found `total` bytes in all.
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

    /// The handles to each piece from what is the root's alone. A value that no piece holds has one,
    /// as it were.
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

/// Sums over pieces.
#[derive(Default)]
struct Totals {
    /// Without what is not in pieces.
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
