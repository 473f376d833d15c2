//! Calls that are counted in parts: polls of a future, entries of a span.

use super::activations::{self, Flow, enter_part, leave_part};
use crate::hook::gate::Gate;

/// What a call counted up to now, of an operation's path.
pub(super) struct Parts {
    path: u32,
    whole: Flow,
    /// Whether a part began, timed or not.
    begun: bool,
    began: Option<u64>,
}

impl Parts {
    pub(super) fn new(path: u32) -> Self {
        Self { path, whole: Flow::default(), begun: false, began: None }
    }

    pub(super) fn path(&self) -> u32 {
        self.path
    }

    /// Whether a part ever began.
    pub(super) fn begun(&self) -> bool {
        self.begun
    }

    /// Begins a part on the current thread. Returns the depth that `leave` needs.
    pub(super) fn enter(&mut self) -> u32 {
        if !self.begun {
            self.begun = true;
            self.began = activations::times().then(activations::nanoseconds);
        }
        enter_part(self.path)
    }

    /// Ends a part and adds it to what came before it.
    pub(super) fn leave(&mut self, depth: u32) {
        let Some(part) = leave_part(depth) else { return };
        let whole = &mut self.whole;
        // Bytes that earlier parts left are live while this one runs.
        whole.peak = whole.peak.max(whole.net().wrapping_add(part.peak));
        whole.allocated_bytes = whole.allocated_bytes.wrapping_add(part.allocated_bytes);
        whole.freed_bytes = whole.freed_bytes.wrapping_add(part.freed_bytes);
        whole.allocated_blocks = whole.allocated_blocks.wrapping_add(part.allocated_blocks);
        whole.freed_blocks = whole.freed_blocks.wrapping_add(part.freed_blocks);
    }

    /// Notes the call.
    pub(super) fn end(&self) {
        self.end_at(self.now());
    }

    /// Notes the call, which ended at a moment of its clock.
    pub(super) fn end_at(&self, moment: Option<u64>) {
        if !Gate::now().is_off() {
            let time = self.began.zip(moment).map(|(began, ended)| ended.saturating_sub(began));
            activations::end_parts(self.path, self.whole, time);
        }
    }

    /// The moment now, if the call is timed.
    pub(super) fn now(&self) -> Option<u64> {
        self.began.map(|_| activations::nanoseconds())
    }
}

/// Ends a part that is within another one of the same call.
#[cfg(feature = "tracing_subscriber03")]
pub(super) fn discard(depth: u32) {
    leave_part(depth);
}
