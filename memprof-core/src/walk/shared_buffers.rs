//! Buffers whose parts several values share.

#![cfg_attr(
    not(any(feature = "arrow60", feature = "bytes1")),
    allow(dead_code, reason = "only these crates have buffers with windows")
)]

use super::Walk;
use crate::frame::LeafKind;
use crate::opaque::OpaqueReason;
use crate::position::Position;
use crate::windows::{CoveredBuffer, Window};

impl Walk<'_> {
    /// Follows a window of a buffer like [`shared`](Self::shared) follows a handle. `visit` adds
    /// everything except the buffer's bytes, which are an estimate.
    pub(crate) fn window(
        &mut self,
        at: Position,
        window: Window,
        strong: impl FnOnce() -> usize,
        visit: impl FnOnce(&mut Self, Position),
    ) {
        if self.record_handle(window.buffer) {
            self.add_window(at, window);
            return;
        }
        let strong = strong();
        let Some((inside, outer)) = self.enter_shared(at, window.buffer, strong) else {
            self.add_window(at, window);
            return;
        };
        visit(self, inside);
        if strong == 1 {
            self.add_buffer(inside, window.range.len(), window.capacity);
        } else {
            self.add_window(inside, window);
        }
        self.leave_shared(outer);
    }

    fn add_window(&mut self, at: Position, window: Window) {
        if self.is_drawing() {
            self.mark_uncounted(at);
            return;
        }
        let context = self.context();
        self.state().windows.add(at.node, context, window);
    }

    /// Adds the bytes of a buffer. Windows cover `used` of them.
    fn add_buffer(&mut self, at: Position, used: usize, capacity: Option<usize>) {
        let used = used.min(capacity.unwrap_or(usize::MAX));
        self.estimated(at, LeafKind::Data, used);
        match capacity {
            Some(capacity) => self.estimated(at, LeafKind::Spare, capacity - used),
            // A zero-byte estimate leaves no mark.
            None if used == 0 => self.opaque(at, OpaqueReason::Foreign),
            None => {}
        }
    }

    /// Adds the bytes of the shared buffers, after the walk met all their windows.
    pub(super) fn add_windows(&mut self) {
        let Some(state) = self.known_state() else { return };
        for buffer in core::mem::take(&mut state.windows).into_buffers() {
            let CoveredBuffer { node, context, capacity, used } = buffer;
            let outer = self.switch_context(context);
            self.add_buffer(Position::node(node), used, capacity);
            self.switch_context(outer);
        }
    }
}
