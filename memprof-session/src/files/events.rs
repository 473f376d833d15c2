//! The calls of operations that a full timeline keeps: the longest calls, and the calls with the
//! largest changes.

use memprof_recording::document::{DroppedEvents, OperationEvent};

/// The number of events, their times and changes, and the thresholds of the events to keep.
#[derive(Clone, Debug)]
pub(super) struct EventCap {
    max: u64,
    count: u64,
    times: Scale,
    changes: Scale,
    /// A call is kept if it took at least this long or changed at least this many bytes.
    from_ns: u64,
    from_bytes: u64,
    /// A rewrite keeps one in `one_in` of the calls above a threshold, because they may all be
    /// alike.
    one_in: u64,
    turn: u64,
    dropped: u64,
}

impl EventCap {
    pub(super) fn new(max: u64) -> Self {
        Self {
            max,
            count: 0,
            times: Scale::new(),
            changes: Scale::new(),
            from_ns: 0,
            from_bytes: 0,
            one_in: 1,
            turn: 0,
            dropped: 0,
        }
    }

    /// Returns `true` if a call that has just ended is to be kept; otherwise counts it as dropped.
    pub(super) fn admits(&mut self, event: &OperationEvent) -> bool {
        let admits = self.max > 0 && self.is_large(event);
        self.dropped += u64::from(!admits);
        admits
    }

    /// Returns `true` if a call in the file stays there; otherwise counts it as dropped.
    pub(super) fn keeps(&mut self, event: &OperationEvent) -> bool {
        self.turn += 1;
        let keeps = self.is_large(event) && self.turn.is_multiple_of(self.one_in);
        self.dropped += u64::from(!keeps);
        keeps
    }

    fn is_large(&self, event: &OperationEvent) -> bool {
        time(event) >= self.from_ns || event.net_bytes.unsigned_abs() >= self.from_bytes
    }

    /// Counts a call that is in the file.
    pub(super) fn note(&mut self, event: &OperationEvent) {
        self.count += 1;
        self.times.add(time(event));
        self.changes.add(event.net_bytes.unsigned_abs());
    }

    pub(super) fn is_full(&self) -> bool {
        self.count > self.max
    }

    /// Resets the counts of the file's events, before they are counted again.
    pub(super) fn begin_again(&mut self) {
        self.count = 0;
        self.turn = 0;
        self.times = Scale::new();
        self.changes = Scale::new();
    }

    /// Raises both thresholds, so that each keeps about a quarter of the cap.
    pub(super) fn raise(&mut self) {
        let (from_ns, times) = self.times.largest(self.max / 4);
        let (from_bytes, changes) = self.changes.largest(self.max / 4);
        self.from_ns = self.from_ns.max(from_ns);
        // A call without a change never counts as a large change.
        self.from_bytes = self.from_bytes.max(from_bytes).max(1);
        // Thresholds cannot separate calls that are alike, so one in `one_in` of them stays.
        let stay = times.saturating_add(changes).min(self.count).max(1);
        self.one_in = stay.div_ceil((self.max / 2).max(1)).max(1);
    }

    /// Ends the selection by `one_in` after a rewrite, so that the next rewrite does not apply it
    /// again.
    pub(super) fn settle(&mut self) {
        self.one_in = 1;
    }

    pub(super) fn dropped(&self) -> DroppedEvents {
        DroppedEvents {
            not_recorded: 0,
            over_cap: self.dropped,
            kept_from_ns: self.from_ns,
            kept_from_bytes: self.from_bytes,
        }
    }
}

fn time(event: &OperationEvent) -> u64 {
    event.end_ns.saturating_sub(event.start_ns)
}

/// A histogram of amounts, in steps of an eighth of an octave.
#[derive(Clone, Debug)]
struct Scale(Box<[u64; STEPS]>);

const STEPS: usize = 64 * 8;

impl Scale {
    fn new() -> Self {
        Self(Box::new([0; STEPS]))
    }

    fn add(&mut self, amount: u64) {
        self.0[step(amount)] += 1;
    }

    /// Returns the threshold that at most `max` amounts reach, and the number of amounts that
    /// reach it.
    ///
    /// The largest step is always included, even if more amounts are in it.
    fn largest(&self, max: u64) -> (u64, u64) {
        let mut sum = 0;
        let mut from = None;
        for index in (0..STEPS).rev().filter(|&index| self.0[index] > 0) {
            if from.is_some() && sum + self.0[index] > max {
                break;
            }
            sum += self.0[index];
            from = Some(index);
        }
        (from.map_or(0, min_of_step), sum)
    }
}

/// Returns the step of an amount: its octave, and the three bits after the first.
fn step(amount: u64) -> usize {
    if amount < 8 {
        return amount as usize;
    }
    let octave = amount.ilog2();
    let eighth = (amount >> (octave - 3)) & 7;
    (octave as usize) * 8 + eighth as usize
}

/// Returns the smallest amount that falls into a step.
fn min_of_step(step: usize) -> u64 {
    if step < 24 {
        return step.min(8) as u64;
    }
    let (octave, eighth) = (step / 8, (step % 8) as u64);
    (8 + eighth) << (octave - 3)
}
