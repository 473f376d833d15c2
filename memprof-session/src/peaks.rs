//! The moments at which a peak is recorded while the heap grows.
//!
//! The allocator wakes the session's thread as soon as the live bytes exceed those of the highest
//! recorded moment by 5 %, and by at least 1 MiB. The session's thread then records the stacks,
//! which takes about a millisecond. So the number of moments is logarithmic in the growth, and a
//! burst between two snapshots is recorded. A snapshot also walks the roots, which takes longer and
//! holds their locks. The snapshot follows when the heap has stopped growing, or after 0.25 s of
//! growth, if nearly all bytes of the peak are still live. If the snapshot misses a root, for example
//! because the program holds the root's lock while it fills the root, further snapshots follow at
//! growing intervals. Snapshots of peaks take at most a tenth of the time.

use super::time::nanoseconds;
use std::time::Duration;

#[derive(Debug, Default)]
pub(crate) struct Peaks {
    /// The most live bytes of all recorded moments.
    recorded: u64,
    /// `true` if the allocator found live bytes above the limit.
    is_found: bool,
    /// The growth that has no snapshot yet.
    growth: Option<Growth>,
    /// No snapshot of a peak is taken before this time.
    next_snapshot_ns: u64,
    /// No stacks of a peak are recorded before this time.
    next_stacks_ns: u64,
}

/// The times of the first and the last recorded moment without a snapshot of all roots.
#[derive(Clone, Copy, Debug)]
struct Growth {
    first_ns: u64,
    last_ns: u64,
    misses: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Nothing,
    Stacks,
    Snapshot,
}

/// The growth that is worth recording: the recorded bytes divided by this number.
const PARTS: u64 = 20;
/// The minimum growth that is recorded, in bytes.
const MIN: u64 = 1 << 20;
/// The time without growth after which a snapshot is taken.
const SETTLED: Duration = Duration::from_millis(100);
/// The time of growth after which a snapshot is taken, although the heap still grows.
const LONGEST_GROWTH: Duration = Duration::from_millis(250);
/// The pause after a recorded moment, in multiples of the time that the recording took.
const REST: u32 = 9;
const MIN_REST: Duration = Duration::from_millis(10);

impl Peaks {
    /// Returns the live bytes above which the next moment is recorded.
    pub(crate) fn limit(&self) -> u64 {
        self.recorded.saturating_add((self.recorded / PARTS).max(MIN))
    }

    pub(crate) fn found(&mut self) {
        self.is_found = true;
    }

    pub(crate) fn is_watching(&self) -> bool {
        !self.is_found
    }

    pub(crate) fn action(&mut self, now_ns: u64, live: u64) -> Action {
        let is_above = live > self.limit();
        if self.is_found && !is_above {
            // The heap shrank before this moment could be recorded. Without a rest, each of many
            // short bursts would wake the session's thread.
            self.is_found = false;
            self.next_stacks_ns = self.next_stacks_ns.max(rest(now_ns, Duration::ZERO));
        }
        if !self.is_there(live) {
            self.growth = None;
        }
        if self.snapshot_ns().is_some_and(|at| now_ns >= at) {
            return Action::Snapshot;
        }
        if self.is_found && now_ns >= self.next_stacks_ns {
            return Action::Stacks;
        }
        Action::Nothing
    }

    /// Returns the time at which a snapshot of the growth is due, or `None` if no snapshot is due.
    fn snapshot_ns(&self) -> Option<u64> {
        let growth = self.growth?;
        let settled = growth.last_ns.saturating_add(nanoseconds(SETTLED));
        let longest = growth.first_ns.saturating_add(nanoseconds(LONGEST_GROWTH));
        Some(settled.min(longest).max(self.next_snapshot_ns))
    }

    /// Returns whether nearly all bytes of the peak are still live, so that a snapshot shows it.
    const fn is_there(&self, live: u64) -> bool {
        live >= self.recorded - self.recorded / PARTS
    }

    /// Returns the time until [`action`](Self::action) may return another action.
    pub(crate) fn wait(&self, now_ns: u64) -> Option<Duration> {
        let stacks = self.is_found.then_some(self.next_stacks_ns);
        let next = self.snapshot_ns().into_iter().chain(stacks).min()?;
        Some(Duration::from_nanos(next.saturating_sub(now_ns)))
    }

    /// If the snapshot `missed` a root of a peak, another one follows.
    pub(crate) fn took_snapshot(&mut self, now_ns: u64, live: u64, took: Duration, missed: bool) {
        self.recorded = self.recorded.max(live);
        self.is_found = false;
        self.next_snapshot_ns = rest(now_ns, took);
        if self.is_there(live) {
            self.growth = self.growth.filter(|_| missed).map(|growth| {
                // The pause doubles, so that a root that is locked forever causes few snapshots.
                let pause = nanoseconds(SETTLED).saturating_mul(1 << growth.misses.min(32));
                self.next_snapshot_ns = self.next_snapshot_ns.max(now_ns.saturating_add(pause));
                Growth { first_ns: now_ns, last_ns: now_ns, misses: growth.misses + 1 }
            });
        }
        self.next_stacks_ns = self.next_stacks_ns.max(now_ns);
    }

    pub(crate) fn took_stacks(&mut self, now_ns: u64, live: u64, took: Duration) {
        self.recorded = self.recorded.max(live);
        self.is_found = false;
        let first_ns = self.growth.map_or(now_ns, |growth| growth.first_ns);
        self.growth = Some(Growth { first_ns, last_ns: now_ns, misses: 0 });
        self.next_stacks_ns = rest(now_ns, took);
    }

    /// Notes that recording panicked. If a peak was being recorded, the next attempt comes after a
    /// rest. Without a rest, the session's thread would panic again at once.
    pub(crate) fn panicked(&mut self, now_ns: u64) {
        let next_ns = rest(now_ns, SETTLED);
        self.next_snapshot_ns = self.next_snapshot_ns.max(next_ns);
        self.next_stacks_ns = self.next_stacks_ns.max(next_ns);
    }

    /// Detects that the program has reset the allocator's peak: `highest_peak` is then below the
    /// recorded bytes. Recording starts again from the live bytes.
    pub(crate) fn check_reset(&mut self, highest_peak: u64, live: u64) {
        if highest_peak < self.recorded {
            self.recorded = live;
        }
    }
}

fn rest(now_ns: u64, took: Duration) -> u64 {
    now_ns.saturating_add(nanoseconds(took.saturating_mul(REST).max(MIN_REST)))
}

#[cfg(test)]
mod tests {
    use super::{Action, Peaks};
    use std::time::Duration;

    const MIB: u64 = 1 << 20;
    const MS: u64 = 1_000_000;
    const FAST: Duration = Duration::from_millis(1);
    const SLOW: Duration = Duration::from_millis(100);

    /// Acts as the allocator, which reports live bytes above the limit, and returns the action.
    fn act(peaks: &mut Peaks, now_ns: u64, live: u64) -> Action {
        if live > peaks.limit() {
            peaks.found();
        }
        let action = peaks.action(now_ns, live);
        match action {
            Action::Snapshot => peaks.took_snapshot(now_ns, live, SLOW, false),
            Action::Stacks => peaks.took_stacks(now_ns, live, FAST),
            Action::Nothing => {}
        }
        action
    }

    #[test]
    fn a_burst_is_recorded_at_its_top_and_its_snapshot_follows() {
        let mut peaks = Peaks::default();
        assert_eq!(act(&mut peaks, 0, 100 * MIB), Action::Stacks);
        assert_eq!(act(&mut peaks, MS, 104 * MIB), Action::Nothing, "less than 5 %");
        assert_eq!(act(&mut peaks, 2 * MS, 200 * MIB), Action::Nothing, "too soon");
        assert_eq!(peaks.wait(2 * MS), Some(Duration::from_millis(8)));
        assert_eq!(act(&mut peaks, 10 * MS, 400 * MIB), Action::Stacks);
        assert_eq!(act(&mut peaks, 30 * MS, 500 * MIB), Action::Stacks);
        assert_eq!(peaks.wait(30 * MS), Some(Duration::from_millis(100)));
        assert_eq!(act(&mut peaks, 129 * MS, 499 * MIB), Action::Nothing);
        assert_eq!(act(&mut peaks, 130 * MS, 499 * MIB), Action::Snapshot);
        assert_eq!(peaks.wait(130 * MS), None);
        assert_eq!(act(&mut peaks, 5000 * MS, 500 * MIB), Action::Nothing, "it is recorded");
    }

    #[test]
    fn long_growth_has_snapshots_in_a_tenth_of_the_time() {
        let (mut peaks, mut live) = (Peaks::default(), MIB);
        let mut snapshots = Vec::new();
        for now in (0..10_000 * MS).step_by(20_000_000) {
            live += live * 11 / 200;
            if act(&mut peaks, now, live) == Action::Snapshot {
                snapshots.push(now);
            }
        }
        let rests = snapshots.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(snapshots.len() >= 5 && rests.min() >= Some(900 * MS), "{snapshots:?}");
    }

    #[test]
    fn a_snapshot_that_missed_a_root_is_taken_again_while_the_peak_lasts() {
        let mut peaks = Peaks::default();
        peaks.took_stacks(0, 100 * MIB, FAST);
        let mut at_ns = 100 * MS;
        for pause in [100, 200, 400, 800] {
            assert_eq!(peaks.action(at_ns, 99 * MIB), Action::Snapshot);
            peaks.took_snapshot(at_ns, 99 * MIB, FAST, true);
            assert_eq!(peaks.wait(at_ns), Some(Duration::from_millis(pause)));
            assert_eq!(peaks.action(at_ns + pause * MS - 1, 99 * MIB), Action::Nothing);
            at_ns += pause * MS;
        }
        let mut shrunk = peaks;
        assert_eq!(shrunk.action(at_ns, 50 * MIB), Action::Nothing);
        assert_eq!(shrunk.wait(at_ns), None, "the peak is gone");
    }

    #[test]
    fn a_snapshot_that_reached_all_roots_is_the_last_one() {
        let mut peaks = Peaks::default();
        peaks.took_stacks(0, 100 * MIB, FAST);
        peaks.took_snapshot(100 * MS, 100 * MIB, SLOW, true);
        assert_eq!(peaks.wait(100 * MS), Some(Duration::from_millis(900)), "a tenth of the time");
        peaks.took_snapshot(1000 * MS, 100 * MIB, FAST, false);
        assert_eq!(peaks.wait(1000 * MS), None);
        // A snapshot that the program requests causes no further one.
        peaks.took_snapshot(2000 * MS, 100 * MIB, FAST, true);
        assert_eq!(peaks.wait(2000 * MS), None);
    }

    #[test]
    fn watching_resumes_if_a_peak_is_gone_before_it_was_recorded() {
        let mut peaks = Peaks::default();
        peaks.took_snapshot(0, 100 * MIB, SLOW, false);
        peaks.took_stacks(0, 200 * MIB, FAST);
        peaks.found();
        assert!(!peaks.is_watching());
        // No snapshot follows either, as it would not show the peak.
        assert_eq!(peaks.action(20 * MS, 50 * MIB), Action::Nothing);
        assert!(peaks.is_watching());
        assert_eq!((peaks.wait(20 * MS), peaks.limit()), (None, 210 * MIB));
    }

    #[test]
    fn bursts_that_are_missed_wake_the_session_at_intervals() {
        let mut peaks = Peaks::default();
        peaks.took_snapshot(0, 100 * MIB, FAST, false);
        let mut looks = 0;
        for now_ns in (20 * MS..120 * MS).step_by(100_000) {
            peaks.found();
            if peaks.wait(now_ns) == Some(Duration::ZERO) {
                looks += 1;
                assert_eq!(peaks.action(now_ns, 90 * MIB), Action::Nothing);
            }
        }
        assert_eq!(looks, 10);
    }

    #[test]
    fn a_peak_at_which_recording_panicked_is_recorded_after_a_rest() {
        for has_growth in [false, true] {
            let mut peaks = Peaks::default();
            let now_ns = 5000 * MS;
            if has_growth {
                peaks.took_stacks(0, 100 * MIB, FAST);
            } else {
                peaks.found();
            }
            assert_eq!(peaks.wait(now_ns), Some(Duration::ZERO));
            assert_ne!(peaks.action(now_ns, 100 * MIB), Action::Nothing);
            peaks.panicked(now_ns);
            assert_eq!(peaks.wait(now_ns), Some(Duration::from_millis(900)));
            assert_eq!(peaks.action(now_ns, 100 * MIB), Action::Nothing);
            assert_ne!(peaks.action(now_ns + 900 * MS, 100 * MIB), Action::Nothing);
        }
    }

    #[test]
    fn the_number_of_moments_is_logarithmic() {
        let (mut peaks, mut live, mut now, mut moments) = (Peaks::default(), MIB, 0, 0);
        while live < 64 << 30 {
            moments += u32::from(act(&mut peaks, now, live) == Action::Stacks);
            live += live / 1000;
            now += 10_000 * MS;
        }
        assert!((180..240).contains(&moments), "{moments}");
    }

    #[test]
    fn a_reset_peak_is_recorded_again() {
        let mut peaks = Peaks::default();
        peaks.took_snapshot(0, 100 * MIB, FAST, false);
        peaks.check_reset(100 * MIB, 10 * MIB);
        assert_eq!(peaks.limit(), 105 * MIB);
        peaks.check_reset(20 * MIB, 10 * MIB);
        assert_eq!(peaks.limit(), 11 * MIB);
    }
}
