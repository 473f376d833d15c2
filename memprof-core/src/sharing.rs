//! Memory that several handles share: each piece is found once, and who holds it is written down.

/// The context of memory that belongs to the root alone.
pub(crate) const ROOT: u32 = 0;

/// The shared memory met in a walk, and the handles to it.
///
/// Every piece has a number, 1 and up; 0 stands for what the root owns alone. `own` bytes are
/// those attributed while a piece is the current context, so pieces inside pieces are apart, and
/// all the totals a profile gives can be worked out at the end whatever the order of the walk.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    /// Open addressing, at most half full, a power of two long or empty.
    slots: Box<[Slot]>,
    pieces: Vec<Piece>,
    /// Handles inside shared memory: (piece that holds the handle, piece it points to).
    edges: Vec<(u32, u32)>,
    context: u32,
    /// Bytes of context 0.
    root_bytes: u64,
    /// The walk's total when the current context was entered.
    mark: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    address: usize,
    piece: u32,
    /// Handles met outside shared memory.
    root_handles: u32,
}

#[derive(Debug)]
struct Piece {
    strong: u64,
    own: u64,
    root_handles: u64,
}

/// The totals of shared memory in one profile.
///
/// Memory with a single handle is not shared and appears nowhere here.
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
    /// Bytes that would stay if the root were dropped, as somebody outside it holds a handle.
    pub bytes_held_outside: u64,
}

impl Sharing {
    pub(crate) fn context(&self) -> u32 {
        self.context
    }

    #[inline]
    fn slot_of(&self, address: usize) -> usize {
        // Fibonacci hashing; the high bits depend on all bits of the address.
        let bits = self.slots.len().trailing_zeros();
        (address.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize) >> (usize::BITS - bits.max(1)))
            & (self.slots.len() - 1)
    }

    /// Counts a handle to `address` if that is known already, and says whether it is.
    #[inline]
    pub(crate) fn meet(&mut self, address: usize) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let mut index = self.slot_of(address);
        loop {
            let context = self.context;
            let last = self.slots.len() - 1;
            let slot = &mut self.slots[index];
            if slot.address == address {
                if context == ROOT {
                    slot.root_handles = slot.root_handles.saturating_add(1);
                } else {
                    let piece = slot.piece;
                    self.edges.push((context, piece));
                }
                return true;
            }
            if slot.address == 0 {
                return false;
            }
            index = (index + 1) & last;
        }
    }

    /// Counts those of `addresses` that are known and stand where they hash to, without a branch
    /// per address, and writes the positions of the others to `rest`; returns how many those are.
    ///
    /// Independent loads overlap their cache misses: on 2 million handles to 200 thousand pieces
    /// this halves the time. Inside shared memory, where handles are written down, all are `rest`.
    #[inline]
    pub(crate) fn meet_many<const N: usize>(
        &mut self,
        addresses: &[usize],
        rest: &mut [u8; N],
    ) -> usize {
        debug_assert!(addresses.len() <= N && N <= 256);
        let mut missing = 0;
        if self.slots.is_empty() || self.context != ROOT {
            for index in 0..addresses.len() {
                rest[index] = index as u8;
            }
            return addresses.len();
        }
        for (index, &address) in addresses.iter().enumerate() {
            let slot = self.slot_of(address);
            let slot = &mut self.slots[slot];
            let known = slot.address == address;
            slot.root_handles = slot.root_handles.saturating_add(u32::from(known));
            rest[missing] = index as u8;
            missing += usize::from(!known);
        }
        missing
    }

    /// Adds a piece and a first handle to it from the current context; makes it the context.
    pub(crate) fn enter(&mut self, address: usize, strong: usize, total: u64) -> u32 {
        if (self.pieces.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        self.pieces.push(Piece { strong: strong as u64, own: 0, root_handles: 0 });
        let piece = self.pieces.len() as u32;
        let outer = self.context;
        let root_handles = u32::from(outer == ROOT);
        if outer != ROOT {
            self.edges.push((outer, piece));
        }
        self.place(Slot { address, piece, root_handles });
        self.switch(piece, total);
        outer
    }

    /// Makes `context` the current one, crediting the bytes since the last switch to the old one.
    pub(crate) fn switch(&mut self, context: u32, total: u64) -> u32 {
        let outer = self.context;
        if outer != context {
            *self.own(outer) += total - self.mark;
            self.mark = total;
            self.context = context;
        }
        outer
    }

    fn own(&mut self, context: u32) -> &mut u64 {
        match context {
            ROOT => &mut self.root_bytes,
            piece => &mut self.pieces[piece as usize - 1].own,
        }
    }

    #[cold]
    fn grow(&mut self) {
        // 1024 slots (16 KiB) at first: small arrays that share units must not grow it in steps.
        let len = (self.slots.len() * 2).max(1024);
        let old = core::mem::replace(&mut self.slots, vec![Slot::default(); len].into());
        for slot in old.into_iter().filter(|slot| slot.address != 0) {
            self.place(slot);
        }
    }

    fn place(&mut self, slot: Slot) {
        let mut index = self.slot_of(slot.address);
        while self.slots[index].address != 0 {
            index = (index + 1) & (self.slots.len() - 1);
        }
        self.slots[index] = slot;
    }

    /// Works out the totals.
    pub(crate) fn totals(mut self, total: u64) -> Shared {
        self.switch(u32::MAX, total);
        for slot in self.slots.iter().filter(|slot| slot.address != 0) {
            self.pieces[slot.piece as usize - 1].root_handles = u64::from(slot.root_handles);
        }
        let held = Holdings::new(&self.pieces, &self.edges);
        let copies = held.copies();
        let outside = held.outside();
        let mut shared = Shared {
            objects: self.pieces.len() as u64,
            bytes_if_unshared: self.root_bytes,
            ..Shared::default()
        };
        for (index, piece) in self.pieces.iter().enumerate() {
            shared.handles += held.seen[index];
            shared.bytes += piece.own;
            shared.bytes_if_unshared =
                shared.bytes_if_unshared.saturating_add(piece.own.saturating_mul(copies[index]));
            if outside[index] {
                shared.bytes_held_outside += piece.own;
            }
        }
        shared
    }
}

/// The graph of pieces: which holds handles to which.
struct Holdings<'s> {
    pieces: &'s [Piece],
    /// Targets of each piece's handles, all in one list, from `starts[i]` to `starts[i + 1]`.
    targets: Vec<u32>,
    starts: Vec<u32>,
    /// Handles met to each piece.
    seen: Vec<u64>,
}

impl<'s> Holdings<'s> {
    fn new(pieces: &'s [Piece], edges: &[(u32, u32)]) -> Self {
        let mut seen: Vec<u64> = pieces.iter().map(|piece| piece.root_handles).collect();
        let mut starts = vec![0_u32; pieces.len() + 1];
        for &(from, to) in edges {
            starts[from as usize] += 1;
            seen[to as usize - 1] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // `starts[i]` is now the end of the targets of piece `i` (counted from 0 here); fill backwards.
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges.iter().rev() {
            let slot = &mut starts[from as usize];
            *slot -= 1;
            targets[*slot as usize] = to - 1;
        }
        starts.rotate_left(1);
        if let Some(last) = starts.last_mut() {
            *last = targets.len() as u32;
        }
        Self { pieces, targets, starts, seen }
    }

    fn targets(&self, piece: usize) -> &[u32] {
        &self.targets[self.starts[piece] as usize..self.starts[piece + 1] as usize]
    }

    /// How many copies of each piece there would be if every handle had its own.
    fn copies(&self) -> Vec<u64> {
        let (order, closes_cycle) = self.post_order();
        let mut copies: Vec<u64> = self.pieces.iter().map(|piece| piece.root_handles).collect();
        for &piece in order.iter().rev() {
            let own = copies[piece as usize];
            let range = self.starts[piece as usize] as usize..self.starts[piece as usize + 1] as usize;
            for edge in range.filter(|&edge| !closes_cycle[edge]) {
                let target = &mut copies[self.targets[edge] as usize];
                *target = target.saturating_add(own);
            }
        }
        copies
    }

    /// Pieces in depth-first post-order (so reversed, holders before what they hold), and which
    /// edges close a cycle. Iterative: chains of a million shared nodes are real.
    fn post_order(&self) -> (Vec<u32>, Vec<bool>) {
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            New,
            Open,
            Done,
        }
        let mut visits = vec![Visit::New; self.pieces.len()];
        let mut closes_cycle = vec![false; self.targets.len()];
        let mut order = Vec::with_capacity(self.pieces.len());
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for start in 0..self.pieces.len() as u32 {
            if visits[start as usize] != Visit::New {
                continue;
            }
            visits[start as usize] = Visit::Open;
            stack.push((start, self.starts[start as usize]));
            while let Some((piece, edge)) = stack.last_mut() {
                if *edge == self.starts[*piece as usize + 1] {
                    visits[*piece as usize] = Visit::Done;
                    order.push(*piece);
                    stack.pop();
                    continue;
                }
                let index = *edge as usize;
                *edge += 1;
                let target = self.targets[index];
                match visits[target as usize] {
                    Visit::New => {
                        visits[target as usize] = Visit::Open;
                        stack.push((target, self.starts[target as usize]));
                    }
                    Visit::Open => closes_cycle[index] = true,
                    Visit::Done => {}
                }
            }
        }
        (order, closes_cycle)
    }

    /// Which pieces somebody outside the root keeps alive, directly or through another piece.
    fn outside(&self) -> Vec<bool> {
        let mut outside = vec![false; self.pieces.len()];
        let mut stack: Vec<u32> = Vec::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            if self.seen[index] < piece.strong {
                outside[index] = true;
                stack.push(index as u32);
            }
        }
        while let Some(piece) = stack.pop() {
            for &target in self.targets(piece as usize) {
                if !core::mem::replace(&mut outside[target as usize], true) {
                    stack.push(target);
                }
            }
        }
        outside
    }
}
