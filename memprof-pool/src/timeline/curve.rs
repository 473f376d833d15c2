//! A curve of all events with a bounded number of points, which include the peak of each bucket.

use super::Event;

/// Buckets with the same number of events. When there are too many buckets, pairs are merged and
/// the number of events in a bucket doubles.
#[derive(Debug)]
pub(super) struct Curve {
    max_buckets: usize,
    buckets: Vec<Bucket>,
    /// The number of events in a full bucket.
    events_per_bucket: u64,
    /// The number of events in the last bucket.
    events_in_last: u64,
    last: Option<Event>,
}

/// The event with the most allocated bytes of a bucket, and the event with the most reserved bytes.
/// If several events have equal bytes, the first one is kept.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    allocated: Event,
    reserved: Event,
}

impl Curve {
    pub(super) fn new(max_buckets: usize) -> Self {
        // A single bucket can't be merged with another one.
        let max_buckets = max_buckets.max(2);
        Self {
            max_buckets,
            buckets: Vec::new(),
            events_per_bucket: 1,
            events_in_last: 0,
            last: None,
        }
    }

    pub(super) fn add(&mut self, event: Event) {
        self.last = Some(event);
        let single = Bucket { allocated: event, reserved: event };
        if self.events_in_last < self.events_per_bucket
            && let Some(last) = self.buckets.last_mut()
        {
            *last = last.with(single);
            self.events_in_last += 1;
            return;
        }
        if self.buckets.len() == self.max_buckets {
            self.merge_pairs();
        }
        self.buckets.push(single);
        self.events_in_last = 1;
    }

    fn merge_pairs(&mut self) {
        let pairs = self.buckets.chunks(2);
        let merged = pairs.map(|pair| pair[0].with(pair[pair.len() - 1]));
        self.buckets = merged.collect();
        self.events_per_bucket *= 2;
    }

    pub(super) fn points(&self) -> Vec<Event> {
        let peaks = self.buckets.iter().flat_map(|one| [one.allocated, one.reserved]);
        let mut points: Vec<Event> = peaks.chain(self.last).collect();
        points.sort_unstable_by_key(|event| event.number);
        points.dedup_by_key(|event| event.number);
        points
    }
}

impl Bucket {
    fn with(self, later: Self) -> Self {
        let larger = |one: Event, other: Event, bytes: fn(&Event) -> u64| {
            if bytes(&other) > bytes(&one) { other } else { one }
        };
        Self {
            allocated: larger(self.allocated, later.allocated, |event| event.held.allocated),
            reserved: larger(self.reserved, later.reserved, |event| {
                event.held.reserved.unwrap_or(event.held.allocated)
            }),
        }
    }
}
