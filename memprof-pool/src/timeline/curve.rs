//! All events in a bounded number of points, none of the peaks lost.

use super::Event;

/// Stretches of equally many events, which double when there would be too many stretches.
#[derive(Debug)]
pub(super) struct Curve {
    most: usize,
    stretches: Vec<Stretch>,
    /// Events of a whole stretch, and of the last one.
    length: u64,
    in_last: u64,
    last: Option<Event>,
}

/// The events of a stretch at which most was allocated and most was reserved; the first of equals.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    allocated: Event,
    reserved: Event,
}

impl Curve {
    pub(super) fn new(most: usize) -> Self {
        // Of one stretch there is no half.
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
