//! The moments before the kernel kills the program, because a memory limit is reached.
//!
//! A killed program leaves what its session wrote before, so a session writes a snapshot with stacks when
//! 80, 90 and 95 % of a limit are used. Below 70 %, the usage is read whenever the session's thread runs
//! anyway: at each snapshot, and when the heap has grown by 5 %. From 70 % on, the thread wakes for it
//! every 10 ms. All readings together take at most 0.1 % of a processor since the session began, and 10 ms
//! more: a program that grows by a gigabyte a second passes all levels in the time of a few readings. The
//! 10 ms are left for readings close to a limit. On a busy machine, an interruption makes a single reading
//! take many times as long, and the next one would then come too late. So only the shorter one of two
//! consecutive readings counts.

use crate::threads;
use crate::time::nanoseconds;
use core::mem::replace;
use memprof_recording::document::MemoryPressure;
use std::time::Duration;

const LEVELS: [u64; 3] = [80, 90, 95];
/// The share from which the usage is read at regular times.
const CLOSE: u64 = 70;
/// The points by which the usage must fall below a level before the level counts again.
const FALL: u64 = 10;
/// The time between two readings close to a limit, and further away.
const PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(100)];
/// The processor time of all readings, as a part of the time of the session.
const PART: u64 = 1000;
/// The processor time of readings close to a limit that is always allowed.
const ALLOWED: Duration = Duration::from_millis(10);

#[derive(Debug, Default)]
pub(crate) struct Pressure {
    next_ns: u64,
    spent_ns: u64,
    /// The processor time of the last reading.
    last_took_ns: u64,
    is_close: bool,
    /// The highest level that was reached and has not been left since; 0 at first.
    reached: u64,
}

impl Pressure {
    /// Reads the usage, unless the last reading is too recent. Returns a level that is reached now.
    pub(crate) fn poll(
        &mut self,
        now_ns: u64,
        read: impl FnOnce() -> Option<MemoryPressure>,
    ) -> Option<(u64, MemoryPressure)> {
        if now_ns < self.next_ns {
            return None;
        }
        let began_ns = threads::cpu_ns();
        let pressure = read();
        let took_ns = threads::cpu_ns().zip(began_ns).map_or(0, |(now, began)| now - began);
        let usual_ns = took_ns.min(replace(&mut self.last_took_ns, took_ns));
        self.spent_ns = self.spent_ns.saturating_add(usual_ns);
        let percent = pressure.map_or(0, |pressure| pressure.percent());
        self.is_close = percent >= CLOSE;
        let pause = now_ns.saturating_add(nanoseconds(PAUSES[usize::from(!self.is_close)]));
        let allowed = if self.is_close { ALLOWED } else { Duration::ZERO };
        let affordable = self.spent_ns.saturating_sub(nanoseconds(allowed)).saturating_mul(PART);
        self.next_ns = pause.max(affordable);
        Some((self.level(percent)?, pressure?))
    }

    /// Returns the time until the usage is to be read, if it is close to a limit.
    pub(crate) fn wait(&self, now_ns: u64) -> Option<Duration> {
        self.is_close.then(|| Duration::from_nanos(self.next_ns.saturating_sub(now_ns)))
    }

    fn level(&mut self, percent: u64) -> Option<u64> {
        let below = |limit: u64| LEVELS.into_iter().rev().find(|&level| level <= limit);
        if percent < self.reached.saturating_sub(FALL) {
            self.reached = below(percent + FALL).unwrap_or(0);
        }
        let level = below(percent).filter(|&level| level > self.reached)?;
        self.reached = level;
        Some(level)
    }
}

#[cfg(test)]
mod tests {
    use super::Pressure;
    use crate::threads::cpu_ns;
    use memprof_recording::document::{MemoryLimit, MemoryPressure};
    use std::time::Duration;

    #[test]
    fn readings_take_a_thousandth_of_the_time_after_the_first_ten_milliseconds() {
        const MS: u64 = 1_000_000;
        let close = MemoryPressure::new(MemoryLimit::Group, 75, 100);
        let mut pressure = Pressure { spent_ns: 9 * MS, ..Pressure::default() };
        assert_eq!(pressure.poll(MS, || Some(close)), None);
        assert_eq!(pressure.wait(MS), Some(Duration::from_millis(10)));
        pressure.spent_ns = 30 * MS;
        assert_eq!(pressure.poll(11 * MS, || Some(close)), None);
        let wait = pressure.wait(0).expect("it is close");
        assert!(wait >= Duration::from_secs(20) && wait < Duration::from_secs(30), "{wait:?}");
        pressure.next_ns = 0;
        assert_eq!(pressure.poll(0, || None), None);
        assert_eq!(pressure.wait(0), None, "far from a limit, the thread does not wake for it");
    }

    #[test]
    fn readings_far_from_a_limit_leave_the_first_ten_milliseconds_to_those_close_to_it() {
        const MS: u64 = 1_000_000;
        let [far, close] = [10, 75].map(|used| MemoryPressure::new(MemoryLimit::Group, used, 100));
        let mut pressure = Pressure { spent_ns: 3 * MS, ..Pressure::default() };
        assert_eq!(pressure.poll(0, || Some(far)), None);
        assert_eq!(pressure.next_ns, 3000 * MS);
        assert_eq!(pressure.poll(3000 * MS, || Some(close)), None);
        assert!(pressure.wait(3000 * MS).is_some_and(|wait| wait == Duration::from_millis(10)));
    }

    #[test]
    fn one_slow_reading_does_not_delay_the_next() {
        let work = || {
            let began = cpu_ns();
            while cpu_ns().zip(began).is_some_and(|(now, began)| now - began < 12_000_000) {}
            None
        };
        let mut pressure = Pressure::default();
        let waits = [(); 2].map(|()| {
            let now = pressure.next_ns;
            assert_eq!(pressure.poll(now, work), None);
            pressure.next_ns - now
        });
        assert_eq!(waits[0], 100_000_000, "the pause between two readings");
        assert!(waits[1] >= 1_000_000_000, "the second one counts: {waits:?}");
    }

    #[test]
    fn each_level_is_reported_once_until_the_usage_has_fallen_by_ten_points() {
        let mut pressure = Pressure::default();
        let cases = [
            (79, None),
            (80, Some(80)),
            (85, None),
            (91, Some(90)),
            (79, None),
            (90, Some(90)),
            (70, None),
            (80, None),
            (69, None),
            (80, Some(80)),
            (99, Some(95)),
            (90, None),
            (200, None),
            (0, None),
            (96, Some(95)),
        ];
        for (index, (percent, expected)) in cases.into_iter().enumerate() {
            assert_eq!(pressure.level(percent), expected, "case {index}: {percent} %");
        }
    }
}
