//! Calls that are counted in parts: polls of a future, entries of a span.

use super::activations::{end_parts, enter_part, leave_part};
use super::events::{self, Call};
use super::flow::Flow;
use super::stack::Place;
use super::switches::{self, EVENT, TIMED};
use super::time;
use crate::base::clock;
use crate::base::level_word::LevelWord;

/// The counts of a call up to now, with its path.
pub(super) struct Parts {
    path: u32,
    whole: Flow,
    begun: bool,
    /// The time at which the first part began; 0 if times and events are off.
    began: u64,
    /// The marks of the switches that were on when the first part began.
    marks: u32,
    tensors: i64,
    /// True if one of the parts ran within a call of the same path.
    is_within_itself: bool,
}

impl Parts {
    pub(super) fn new(path: u32) -> Self {
        Self {
            path,
            whole: Flow::default(),
            begun: false,
            began: 0,
            marks: 0,
            tensors: 0,
            is_within_itself: false,
        }
    }

    pub(super) fn path(&self) -> u32 {
        self.path
    }

    /// Returns true if a part ever began.
    pub(super) fn begun(&self) -> bool {
        self.begun
    }

    /// Begins a part on the current thread, and returns the argument for `leave`.
    pub(super) fn enter(&mut self) -> Place {
        if !self.begun {
            self.begun = true;
            (self.began, self.marks) = switches::begin();
        }
        enter_part(self.path)
    }

    /// Ends a part and adds it to the earlier ones.
    pub(super) fn leave(&mut self, end: Place) {
        if let Some(part) = leave_part(end) {
            self.whole.then(part.flow);
            self.tensors = self.tensors.wrapping_add(part.tensors);
            self.is_within_itself |= part.is_within_itself;
        }
    }

    /// Records the call, which ends now.
    pub(super) fn end(&self) {
        self.end_at(self.now());
    }

    /// Records the call, which ended at this time of the clock.
    pub(super) fn end_at(&self, moment: Option<u64>) {
        if LevelWord::now().is_off() {
            return;
        }
        let Some((local, record)) = end_parts(self.path, self.whole) else { return };
        let Some(ended) = moment else { return };
        if self.marks & TIMED != 0 {
            time::note(record, ended.saturating_sub(self.began));
        }
        if self.marks & EVENT != 0 {
            let (began, delta, tensors) = (self.began, self.whole.net_bytes, self.tensors);
            let is_within_itself = self.is_within_itself;
            events::note(local, self.path, Call { began, ended, delta, tensors, is_within_itself });
        }
    }

    /// Returns the time now, if the call is timed or gets an event.
    pub(super) fn now(&self) -> Option<u64> {
        (self.began != 0).then(clock::nanoseconds)
    }
}

/// Ends a part without adding it to its call: another part of the same call includes it, or the
/// call is gone.
#[cfg(feature = "tracing_subscriber03")]
pub(super) fn discard(end: Place) {
    leave_part(end);
}
