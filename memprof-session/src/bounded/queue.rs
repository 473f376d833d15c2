//! The order and the time limits of the parts of a look-up.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The minimum time limit of a part.
const MIN: Duration = Duration::from_millis(20);

/// A part of a look-up that is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waiting<P> {
    pub(super) part: P,
    /// The time limit that the last attempt exceeded; zero before the first attempt.
    pub(super) tried: Duration,
}

impl<P> Waiting<P> {
    /// Returns `true` if an attempt with this time limit may succeed: if it is clearly longer than the
    /// last one.
    pub(super) fn is_worth(&self, limit: Duration) -> bool {
        limit > self.tried + self.tried / 4
    }
}

/// Attempts the parts until all are done or the time `end` has come. Returns the parts that are not
/// done.
///
/// Each part gets an equal share of the time that is left. A part that exceeds its share waits
/// behind the parts with shorter attempts, and then gets at least twice the time. So one slow part
/// does not use the time of all others. `attempt` gets the end of the part's time, and returns
/// `true` if the part is done.
pub(super) fn run<P>(
    mut parts: Vec<Waiting<P>>,
    end: Instant,
    now: fn() -> Instant,
    mut attempt: impl FnMut(&P, Instant) -> bool,
) -> Vec<Waiting<P>> {
    // The sort is stable: of parts with equal attempts, the first one matters most.
    parts.sort_by_key(|waiting| waiting.tried);
    let mut queue = VecDeque::from(parts);
    let mut left = Vec::new();
    while let Some(mut waiting) = queue.pop_front() {
        let began = now();
        let rest = end.saturating_duration_since(began);
        let share = rest / u32::try_from(queue.len() + 1).unwrap_or(u32::MAX);
        let limit = share.max(MIN).max(2 * waiting.tried).min(rest);
        if !waiting.is_worth(limit) {
            left.push(waiting);
        } else if !attempt(&waiting.part, began + limit) {
            waiting.tried = limit;
            let behind = queue.partition_point(|other| other.tried <= limit);
            queue.insert(behind, waiting);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::{MIN, Waiting, run};
    use core::cell::Cell;
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    const SECOND: Duration = Duration::from_secs(1);

    thread_local! {
        static ELAPSED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    fn now() -> Instant {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        *START + ELAPSED.get()
    }

    /// Runs parts that take these times, for at most a second. Returns the parts that are left.
    fn run_for_a_second(parts: Vec<Waiting<Duration>>) -> Vec<Waiting<Duration>> {
        let end = now() + SECOND;
        let left = run(parts, end, now, |&takes, until| {
            let limit = until - now();
            ELAPSED.set(ELAPSED.get() + takes.min(limit));
            takes <= limit
        });
        assert!(now() <= end);
        left
    }

    fn waiting(milliseconds: u64) -> Waiting<Duration> {
        Waiting { part: Duration::from_millis(milliseconds), tried: Duration::ZERO }
    }

    fn new(milliseconds: impl IntoIterator<Item = u64>) -> Vec<Waiting<Duration>> {
        milliseconds.into_iter().map(waiting).collect()
    }

    #[test]
    fn a_slow_part_leaves_time_for_all_others() {
        let left = run_for_a_second(new([60_000, 5, 15, 30, 5]));
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].part, Duration::from_mins(1));
    }

    #[test]
    fn a_slow_part_of_an_earlier_look_up_waits_behind_new_parts() {
        let tried = Duration::from_millis(600);
        let mut parts = vec![Waiting { part: Duration::from_secs(3), tried }];
        parts.extend(new([5, 15]));
        let left = run_for_a_second(parts);
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn parts_that_are_all_slow_are_done_one_after_the_other() {
        let mut left = new([300; 10]);
        let mut runs = 0;
        // Without twice the time, it would take ten look-ups.
        while !left.is_empty() && runs < 9 {
            left = run_for_a_second(left);
            runs += 1;
        }
        assert_eq!(left, []);
    }

    #[test]
    fn a_part_that_was_too_slow_gets_more_time_in_each_look_up() {
        let mut left = run_for_a_second(new([900, 50, 900]));
        assert_eq!(left.len(), 2, "{left:?}");
        let mut runs = 0;
        while !left.is_empty() && runs < 10 {
            // New parts come first.
            left.extend(new([5]));
            left = run_for_a_second(left);
            assert!(left.iter().all(|waiting| waiting.part > MIN), "{left:?}");
            runs += 1;
        }
        assert!(runs < 10, "{left:?}");
    }

    #[test]
    fn a_part_that_takes_longer_than_a_look_up_is_given_up() {
        let mut left = new([3000]);
        for _ in 0..5 {
            left = run_for_a_second(left);
        }
        let before = now();
        let left = run_for_a_second(left);
        assert_eq!(left[0].tried, SECOND);
        assert_eq!(now(), before, "no attempt was made");
    }

    #[test]
    fn many_parts_have_a_least_time_and_the_first_ones_matter_most() {
        let left = run_for_a_second(new((0..200).map(|index| 19 - index % 2)));
        assert!(left.iter().all(|waiting| waiting.tried < MIN), "{left:?}");
        assert!((140..150).contains(&left.len()), "{}", left.len());
    }
}
