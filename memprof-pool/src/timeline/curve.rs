//! A curve of all events in a bounded number of points, which keeps all peaks.

use super::Event;

/// Stretches with the same number of events. When there are too many stretches, pairs are merged
/// and the number doubles.
#[derive(Debug)]
pub(super) struct Curve {
    most: usize,
    stretches: Vec<Stretch>,
    /// The events of a full stretch, and those of the last stretch.
    length: u64,
    in_last: u64,
    last: Option<Event>,
}

/// The two events of a stretch with the most allocated and the most reserved bytes. If several are
/// equal, the first of them.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    allocated: Event,
    reserved: Event,
}

impl Curve {
    pub(super) fn new(most: usize) -> Self {
        // One stretch can't be halved.
        let most = most.max(2);
        Self { most, stretches: Vec::new(), length: 1, in_last: 0, last: None }
    }

    pub(super) fn add(&mut self, event: Event) {
        self.last = Some(event);
        let single = Stretch { allocated: event, reserved: event };
        if self.in_last < self.length
            && let Some(last) = self.stretches.last_mut()
        {
            *last = last.with(single);
            self.in_last += 1;
            return;
        }
        if self.stretches.len() == self.most {
            self.halve();
        }
        self.stretches.push(single);
        self.in_last = 1;
    }

    fn halve(&mut self) {
        let pairs = self.stretches.chunks(2);
        let merged = pairs.map(|pair| pair[0].with(pair[pair.len() - 1]));
        self.stretches = merged.collect();
        self.length *= 2;
    }

    pub(super) fn points(&self) -> Vec<Event> {
        let of_stretches = self.stretches.iter().flat_map(|one| [one.allocated, one.reserved]);
        let mut points: Vec<Event> = of_stretches.chain(self.last).collect();
        points.sort_unstable_by_key(|event| event.number);
        points.dedup_by_key(|event| event.number);
        points
    }
}

impl Stretch {
    fn with(self, later: Self) -> Self {
        let more = |one: Event, other: Event, bytes: fn(&Event) -> u64| {
            if bytes(&other) > bytes(&one) { other } else { one }
        };
        Self {
            allocated: more(self.allocated, later.allocated, |event| event.held.allocated),
            reserved: more(self.reserved, later.reserved, |event| {
                event.held.reserved.unwrap_or(event.held.allocated)
            }),
        }
    }
}
