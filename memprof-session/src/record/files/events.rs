//! Which calls of operations a timeline keeps when there are too many: the longest, and those of
//! the largest changes.

use crate::document::{DroppedEvents, OperationEvent};

/// How many events there are, how long they took and what they changed, and which of them stay.
#[derive(Clone, Debug)]
pub(super) struct EventCap {
    most: u64,
    count: u64,
    times: Scale,
    changes: Scale,
    /// Calls at least as long are kept, and those that changed at least so many bytes.
    from_ns: u64,
    from_bytes: u64,
    /// Of calls that are kept, but are all alike, one in so many.
    one_in: u64,
    turn: u64,
    dropped: u64,
}

impl EventCap {
    pub(super) fn new(most: u64) -> Self {
        Self {
            most,
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

    /// Whether a call that has just ended is to be kept; it is counted as dropped if not.
    pub(super) fn admits(&mut self, event: &OperationEvent) -> bool {
        let admits = self.most > 0 && self.is_large(event);
        self.dropped += u64::from(!admits);
        admits
    }

    /// Whether a call in the file stays there; it is counted as dropped if not.
    pub(super) fn keeps(&mut self, event: &OperationEvent) -> bool {
        self.turn += 1;
        let keeps = self.is_large(event) && self.turn.is_multiple_of(self.one_in);
        self.dropped += u64::from(!keeps);
        keeps
    }

    fn is_large(&self, event: &OperationEvent) -> bool {
        time(event) >= self.from_ns || event.delta_bytes.unsigned_abs() >= self.from_bytes
    }

    /// Counts a call that is in the file.
    pub(super) fn note(&mut self, event: &OperationEvent) {
        self.count += 1;
        self.times.add(time(event));
        self.changes.add(event.delta_bytes.unsigned_abs());
    }

    pub(super) fn is_full(&self) -> bool {
        self.count > self.most
    }

    /// What is in the file is counted anew.
    pub(super) fn begin_again(&mut self) {
        self.count = 0;
        self.turn = 0;
        self.times = Scale::new();
        self.changes = Scale::new();
    }

    /// Raises what a call must have taken or changed to stay: a quarter of the cap for each.
    pub(super) fn raise(&mut self) {
        let (from_ns, times) = self.times.largest(self.most / 4);
        let (from_bytes, changes) = self.changes.largest(self.most / 4);
        self.from_ns = self.from_ns.max(from_ns);
        // No change is never a large one.
        self.from_bytes = self.from_bytes.max(from_bytes).max(1);
        // Those that are all alike can't be told apart by what they took.
        let stay = times.saturating_add(changes).min(self.count).max(1);
        self.one_in = stay.div_ceil((self.most / 2).max(1)).max(1);
    }

    /// The file has been written anew: what stayed stays.
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

/// How many amounts there are of each size: steps of an eighth of an octave.
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

    /// From what amount on there are at most `most`, and how many there are. At least the largest.
    fn largest(&self, most: u64) -> (u64, u64) {
        let mut sum = 0;
        let mut from = None;
        for index in (0..STEPS).rev().filter(|&index| self.0[index] > 0) {
            if from.is_some() && sum + self.0[index] > most {
                break;
            }
            sum += self.0[index];
            from = Some(index);
        }
        (from.map_or(0, least), sum)
    }
}

/// The step of an amount: its octave, and the three bits after the first.
fn step(amount: u64) -> usize {
    if amount < 8 {
        return amount as usize;
    }
    let octave = amount.ilog2();
    let eighth = (amount >> (octave - 3)) & 7;
    (octave as usize) * 8 + eighth as usize
}

/// The least amount of a step.
fn least(step: usize) -> u64 {
    if step < 24 {
        return step.min(8) as u64;
    }
    let (octave, eighth) = (step / 8, (step % 8) as u64);
    (8 + eighth) << (octave - 3)
}
