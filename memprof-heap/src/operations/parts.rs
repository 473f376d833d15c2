//! Calls that are counted in parts: polls of a future, entries of a span.

use super::activations::{end_parts, enter_part, leave_part};
use super::flow::Flow;
use super::stack::Place;
use super::time;
use crate::hook::gate::Gate;

/// What a call counted up to now, of an operation's path.
pub(super) struct Parts {
    path: u32,
    whole: Flow,
    begun: bool,
    /// When the first part began, if the call is timed.
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

    /// Begins a part on the current thread. Returns what `leave` needs.
    pub(super) fn enter(&mut self) -> Place {
        if !self.begun {
            self.begun = true;
            self.began = time::is_on().then(time::nanoseconds);
        }
        enter_part(self.path)
    }

    /// Ends a part and adds it to what came before it.
    pub(super) fn leave(&mut self, end: Place) {
        if let Some(part) = leave_part(end) {
            self.whole.then(part);
        }
    }

    /// Notes the call.
    pub(super) fn end(&self) {
        self.end_at(self.now());
    }

    /// Notes the call, which ended at a moment of its clock.
    pub(super) fn end_at(&self, moment: Option<u64>) {
        if !Gate::now().is_off() {
            let time = self.began.zip(moment).map(|(began, ended)| ended.saturating_sub(began));
            end_parts(self.path, self.whole, time);
        }
    }

    /// The moment now, if the call is timed.
    pub(super) fn now(&self) -> Option<u64> {
        self.began.map(|_| time::nanoseconds())
    }
}

/// Ends a part that is within another one of the same call.
#[cfg(feature = "tracing_subscriber03")]
pub(super) fn discard(end: Place) {
    leave_part(end);
}
