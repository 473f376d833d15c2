//! Handles to memory that several handles may share.

use super::Walk;
use crate::position::Position;
use crate::sharing::ROOT;

/// # Shared memory
impl Walk<'_> {
    /// Follows a handle to memory that several handles may share, so that the memory counts once.
    ///
    /// `address` identifies the memory. `strong` returns the number of handles that keep it alive,
    /// or 0 if that is unknown. `visit` adds the memory's bytes, and is called only for the first
    /// handle met. The position passed to `visit` is the handle's own if there is a single handle,
    /// otherwise below `[shared]`.
    ///
    /// ```
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A texture whose handles a library counts.
    /// struct Texture { id: usize, bytes: usize, handles: usize }
    ///
    /// impl MemoryProfile for Texture {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         let bytes = self.bytes;
    ///         walk.shared(at, self.id, || self.handles, |walk, at| walk.allocation(at, bytes, bytes));
    ///     }
    /// }
    ///
    /// let textures = [(); 3].map(|()| Texture { id: 0xa0, bytes: 1000, handles: 3 });
    /// assert_eq!(Profile::of(&textures).total_bytes(), 3 * 24 + 1000);
    /// ```
    ///
    /// # Cost
    /// Takes a look-up in a table of the shared memory met so far. Nothing is stored if there is a
    /// single handle.
    #[inline]
    pub fn shared(
        &mut self,
        at: Position,
        address: usize,
        strong: impl FnOnce() -> usize,
        visit: impl FnOnce(&mut Self, Position),
    ) {
        if self.record_handle(address) {
            return;
        }
        if let Some((inside, outer)) = self.enter_shared(at, address, strong()) {
            visit(self, inside);
            self.leave_shared(outer);
        }
    }

    /// If the walk already met the memory at an address, counts a handle to this memory. Returns
    /// whether the walk already met the memory.
    ///
    /// This method, [`enter_shared`](Self::enter_shared) and [`leave_shared`](Self::leave_shared)
    /// do the same as [`shared`](Self::shared) without closures. Closures would add three functions
    /// per type.
    #[inline(never)]
    pub(crate) fn record_handle(&mut self, address: usize) -> bool {
        let address = nonzero(address);
        self.known_state().is_some_and(|state| state.sharing.record_handle(address))
    }

    /// Prefetches the memory that [`record_handle`](Self::record_handle) reads.
    #[inline]
    pub(crate) fn prefetch_handle(&mut self, address: usize) {
        if let Some(state) = self.known_state() {
            state.sharing.prefetch_handle(address);
        }
    }

    /// Counts a handle like [`record_handle`](Self::record_handle), but only if the handle is not
    /// inside shared memory.
    #[inline]
    pub(crate) fn record_handle_of_root(&mut self, address: usize) -> bool {
        match &mut self.tree {
            Some(tree) => tree.sharing.record_handle_of_root(address),
            None => match &mut self.handles {
                Some(handles) => handles.sharing.record_handle_of_root(address),
                None => false,
            },
        }
    }

    /// Returns the position of memory that `strong` handles keep alive, and the context to return
    /// to. Returns `None` if the walk already met the memory.
    #[inline]
    pub(crate) fn enter_shared(
        &mut self,
        at: Position,
        address: usize,
        strong: usize,
    ) -> Option<(Position, u32)> {
        if strong == 1 {
            return Some((at, self.context()));
        }
        if self.is_drawing() {
            return self.enter_drawn(at, nonzero(address), strong);
        }
        if self.leaves_out_shared(at) {
            return None;
        }
        let outer = self.state().sharing.enter(nonzero(address), strong)?;
        let Some(tree) = &mut self.tree else { return Some((at, outer)) };
        let node = tree.shared_node(at, strong);
        Some((Position { node, depth: at.depth }, outer))
    }

    /// Returns to the context that was current before [`enter_shared`](Self::enter_shared).
    #[inline(never)]
    pub(crate) fn leave_shared(&mut self, outer: u32) {
        self.switch_context(outer);
    }

    /// Returns the current context.
    pub(crate) fn context(&mut self) -> u32 {
        self.known_state().map_or(ROOT, |state| state.sharing.context())
    }

    /// Makes a context the current one and returns the previous one.
    pub(crate) fn switch_context(&mut self, context: u32) -> u32 {
        self.known_state().map_or(ROOT, |state| state.sharing.switch(context))
    }
}

/// Replaces the address 0, which marks a free lane in the table of shared memory, by the last
/// address, which no allocation has.
#[inline]
fn nonzero(address: usize) -> usize {
    if address == 0 { usize::MAX } else { address }
}
