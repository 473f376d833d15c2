//! Values that wait until the stack is shallow again.

use super::Walk;
use crate::layout::Deferred;
use crate::position::{MAX_DEPTH, Position};

/// The maximum number of pointer edges followed by recursion from the work list of a guard.
///
/// The work lists of all guards are processed on one stack. With 64 levels each they would need 3
/// MiB in a debug build, which is more than the default stack of a thread.
const MAX_DEPTH_GUARDED: u32 = 8;

impl<'a> Walk<'a> {
    /// Adds a value to the work list, because it is too deep to recurse into.
    #[cold]
    #[inline(never)]
    pub(super) fn defer(&mut self, value: Deferred<'a>, at: Position) {
        let depth = if self.guards == 0 { 0 } else { MAX_DEPTH - MAX_DEPTH_GUARDED };
        let context = self.context();
        let factor = self.sampling.as_ref().map_or(1.0, |sampling| sampling.factor);
        let at = Position { node: at.node, depth };
        self.work_list.push(WorkItem { value, at, context, factor });
    }

    pub(crate) fn drain(&mut self) {
        self.drain_to(0);
    }

    /// Visits the values on the work list, except the first `len` of them.
    pub(crate) fn drain_to(&mut self, len: usize) {
        while self.work_list.len() > len {
            let Some(WorkItem { value, at, context, factor }) = self.work_list.pop() else {
                return;
            };
            if self.is_drawing() {
                let outer = self.resume_draw((context, factor));
                value.visit(self, at);
                self.resume_draw(outer);
            } else {
                let outer = self.switch_context(context);
                value.visit(self, at);
                self.switch_context(outer);
            }
        }
    }

    /// Returns the number of values on the work list.
    pub(crate) fn work_list_len(&self) -> usize {
        self.work_list.len()
    }
}

/// A value on the work list.
pub(crate) struct WorkItem<'a> {
    value: Deferred<'a>,
    at: Position,
    context: u32,
    /// The number of values that the value represents in a sampled walk.
    factor: f64,
}
