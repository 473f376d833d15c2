//! Memory that several handles share: each piece is found once, and who holds it is written down.

mod equal;
mod holdings;
mod table;

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

    /// Asks for the memory that [`meet_known`](Self::meet_known) will read.
    #[inline]
    pub(crate) fn prefetch(&self, address: usize) {
        self.table.prefetch(address);
    }

    /// Counts a handle to `address` in the common case: one outside shared memory, to a piece that
    /// is known and stands where it hashes to. Says whether that was so.
    #[inline]
    pub(crate) fn meet_known(&mut self, address: usize) -> bool {
        self.context == ROOT && self.table.count_at_home(address)
    }

    /// Like [`meet_known`](Self::meet_known), where few pieces are expected.
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

    /// Adds a piece and a first handle to it from the current context; makes it the context.
    pub(crate) fn enter(&mut self, address: usize, strong: usize) -> u32 {
        let strong = u32::try_from(strong).unwrap_or(u32::MAX);
        self.pieces.push(Piece { own: 0, strong, what: What::Shared });
        let piece = self.pieces.len() as u32;
        let outer = self.context;
        self.table.insert(address, piece, u32::from(outer == ROOT));
        if outer != ROOT {
            self.edges.push((outer, piece));
        }
        self.switch(piece)
    }

    /// Makes a value a context of its own; returns that and the context before.
    fn enter_value(&mut self) -> (u32, u32) {
        let outer = self.context;
        let what = match outer.checked_sub(1).map(|outer| self.pieces[outer as usize].what) {
            None | Some(What::Value) => What::Value,
            Some(What::Shared | What::ValueInShared) => What::ValueInShared,
        };
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
        let sum = |of: fn(&Piece) -> bool| {
            let pieces = self.pieces.iter().filter(|piece| of(piece));
            pieces.map(|piece| piece.own).fold(0, u64::saturating_add)
        };
        let shared_only: fn(&Piece) -> bool = |piece| piece.what != What::Value;
        let mut shared = Shared {
            objects: self.pieces.iter().filter(|piece| piece.what == What::Shared).count() as u64,
            bytes: sum(shared_only),
            bytes_if_unshared: total.saturating_sub(sum(|_| true)),
            ..Shared::default()
        };
        let mut root_handles = self.table.root_handles(self.pieces.len());
        self.add_values_of_root(&mut root_handles);
        if self.edges.is_empty() {
            for (piece, handles) in self.pieces.iter().zip(root_handles) {
                shared.add(piece, handles, handles, handles < u64::from(piece.strong));
            }
            return shared;
        }
        let holdings = Holdings::new(&self.pieces, root_handles, &self.edges);
        let (copies, outside) = (holdings.copies(), holdings.outside());
        for (index, piece) in self.pieces.iter().enumerate() {
            shared.add(piece, holdings.seen[index], copies[index], outside[index]);
        }
        shared
    }
}

impl Sharing {
    /// A value that is no piece's is the root's: one handle, as it were.
    fn add_values_of_root(&self, root_handles: &mut [u64]) {
        let mut is_held = vec![false; self.pieces.len()];
        for &(_, to) in &self.edges {
            is_held[to as usize - 1] = true;
        }
        for ((piece, handles), is_held) in self.pieces.iter().zip(root_handles).zip(is_held) {
            if piece.what == What::Value && !is_held {
                *handles = 1;
            }
        }
    }
}

impl Shared {
    fn add(&mut self, piece: &Piece, handles: u64, copies: u64, outside: bool) {
        if piece.what == What::Shared {
            self.handles += handles;
        }
        self.bytes_if_unshared =
            self.bytes_if_unshared.saturating_add(piece.own.saturating_mul(copies));
        if outside {
            self.bytes_held_outside = self.bytes_held_outside.saturating_add(piece.own);
        }
    }
}
