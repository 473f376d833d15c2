//! Calls that are counted in parts: polls of a future, entries of a span.

use super::activations::{end_parts, enter_part, leave_part};
use super::events::{self, Call};
use super::flow::Flow;
use super::stack::Place;
use super::switches::{self, EVENT, TIMED};
use super::time;
use crate::base::clock;
use crate::base::level_word::LevelWord;

/// What a call counted up to now, of an operation's path.
pub(super) struct Parts {
    path: u32,
    whole: Flow,
    begun: bool,
    /// When the first part began; 0 if nobody asks.
    began: u64,
    /// Who asks.
    marks: u32,
    tensors: i64,
    /// Whether a part was.
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

    /// Whether a part ever began.
    pub(super) fn begun(&self) -> bool {
        self.begun
    }

    /// Begins a part on the current thread. Returns what `leave` needs.
    pub(super) fn enter(&mut self) -> Place {
        if !self.begun {
            self.begun = true;
            (self.began, self.marks) = switches::begin();
        }
        enter_part(self.path)
    }

    /// Ends a part and adds it to what came before it.
    pub(super) fn leave(&mut self, end: Place) {
        if let Some(part) = leave_part(end) {
            self.whole.then(part.flow);
            self.tensors = self.tensors.wrapping_add(part.tensors);
            self.is_within_itself |= part.is_within_itself;
        }
    }

    /// Notes the call.
    pub(super) fn end(&self) {
        self.end_at(self.now());
    }

    /// Notes the call, which ended at a moment of its clock.
    pub(super) fn end_at(&self, moment: Option<u64>) {
        if LevelWord::now().is_off() {
            return;
        }
        let Some((mine, record)) = end_parts(self.path, self.whole) else { return };
        let Some(ended) = moment else { return };
        if self.marks & TIMED != 0 {
            time::note(record, ended.saturating_sub(self.began));
        }
        if self.marks & EVENT != 0 {
            let (began, delta, tensors) = (self.began, self.whole.net_bytes, self.tensors);
            let is_within_itself = self.is_within_itself;
            events::note(mine, self.path, Call { began, ended, delta, tensors, is_within_itself });
        }
    }

    /// The moment now, if somebody asks.
    pub(super) fn now(&self) -> Option<u64> {
        (self.began != 0).then(clock::nanoseconds)
    }
}

/// Ends a part that is within another one of the same call.
#[cfg(feature = "tracing_subscriber03")]
pub(super) fn discard(end: Place) {
    leave_part(end);
}
