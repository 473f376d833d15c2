//! Measurements of two sides in turns, so that the machine's drift affects both.

use memprof_benches::clock::cpu_time_of;
use std::fmt;
use std::time::Duration;

/// The number of rounds of both sides. It is odd, so that one round is the median.
pub(crate) const ROUNDS: usize = 9;

/// The approximate duration of a sample, which consists of repeated calls.
const SAMPLE: Duration = Duration::from_millis(20);

/// The raw side's time, and the ratio of the wrapped side's time to it.
pub(crate) struct Compared {
    raw: Duration,
    ratio: f64,
}

/// Calls both sides. The raw side's time determines the number of calls per round.
pub(crate) fn compare(raw: &dyn Fn(), wrapped: &dyn Fn()) -> Compared {
    wrapped();
    let once = cpu_time_of(1, raw).max(Duration::from_nanos(20));
    #[expect(clippy::cast_sign_loss, reason = "clamped to at least 1")]
    let calls = SAMPLE.div_duration_f64(once).ceil().clamp(1.0, 100_000.0) as u32;
    let mut times = Vec::new();
    let mut ratios = Vec::new();
    for round in 0..ROUNDS {
        // The sides take turns to be first.
        let (raw, wrapped) = if round % 2 == 0 {
            let raw = cpu_time_of(calls, raw);
            (raw, cpu_time_of(calls, wrapped))
        } else {
            let wrapped = cpu_time_of(calls, wrapped);
            (cpu_time_of(calls, raw), wrapped)
        };
        times.push(raw);
        ratios.push(wrapped.div_duration_f64(raw.max(Duration::from_nanos(1))));
    }
    times.sort_unstable();
    ratios.sort_unstable_by(f64::total_cmp);
    Compared { raw: times[ROUNDS / 2], ratio: ratios[ROUNDS / 2] }
}

impl fmt::Display for Compared {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.raw.as_secs_f64();
        let (time, unit) = match seconds {
            ..1e-6 => (seconds * 1e9, "ns"),
            ..1e-3 => (seconds * 1e6, "µs"),
            _ => (seconds * 1e3, "ms"),
        };
        write!(out, "{:.2} ({time:.1} {unit})", self.ratio)
    }
}
