//! One array, from ten numbers to a billion, beside the raw vector.

use crate::array::Array;
use crate::unit::{SPEED, Unit};
use memprof::{Comparison, Profile, Units};
use std::collections::TryReserveError;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SIZES: [(&str, usize); 5] = [
    ("10", 10),
    ("1 K", 1_000),
    ("1 M", 1_000_000),
    ("100 M", 100_000_000),
    ("1 B", 1_000_000_000),
];

/// Profiles of one array, of which the middle one's time is told.
const ROUNDS: usize = 9;

/// What is known of an array and of the vector that it wraps.
struct Measured {
    array: Profile,
    raw: Profile,
    time: Duration,
}

/// A table of what the arrays take, and one of what they share, with the advice.
pub(crate) fn report() -> String {
    // The program keeps a handle of its own, as a table of units would.
    let unit = Arc::new(Unit::new("m/s", SPEED, 1.0));
    let measured = SIZES.map(|(size, len)| (size, measure(len, &unit)));
    [costs(&measured), shares(&measured)].join("\n\n")
}

/// Never touches the numbers: zeroed pages take no memory until then.
fn measure(len: usize, unit: &Arc<Unit>) -> Result<Measured, TryReserveError> {
    let array = Array::zeros(len, unit)?;
    let (profile, time) = timed(|| Profile::named("array", &array));
    drop(array);
    let raw = Profile::named("Vec<f64>", &vec![0.0_f64; len]);
    Ok(Measured { array: profile, raw, time })
}

fn timed(profile: impl Fn() -> Profile) -> (Profile, Duration) {
    let mut times: [Duration; ROUNDS] = std::array::from_fn(|_| {
        let start = Instant::now();
        let _ = std::hint::black_box(profile());
        start.elapsed()
    });
    times.sort_unstable();
    (profile(), times[ROUNDS / 2])
}

type Row<'m> = &'m (&'static str, Result<Measured, TryReserveError>);

fn costs(measured: &[(&'static str, Result<Measured, TryReserveError>)]) -> String {
    let mut text = String::from(
        "Numbers that know their unit, beside the raw vector\n\n  \
         numbers       array    Vec<f64>   overhead                  data  metadata  of total\
         \x20 per data byte  profiled in\n",
    );
    for row in measured {
        let _ = writeln!(text, "  {:>7}{}", row.0, with_measured(row, cost));
    }
    text.truncate(text.trim_end().len());
    text
}

fn cost(measured: &Measured) -> String {
    let Measured { array, raw, time } = measured;
    let statistics = array.statistics();
    let comparison = array.against(raw);
    let show = |bytes| Units::Iec.show(bytes).to_string();
    format!(
        "  {:>10}  {:>10}  {:>9}  {:>9}  {:>10}  {:>8}  {:>8}  {:>13}  {:>11}",
        show(comparison.bytes()),
        show(comparison.baseline_bytes()),
        overhead_bytes(&comparison),
        comparison.overhead_percent().map_or("–".into(), |percent| format!("+{percent:.1} %")),
        show(statistics.data),
        show(statistics.metadata),
        statistics.metadata_share().map_or("–".into(), |share| format!("{:.1} %", 100.0 * share)),
        statistics.overhead_ratio().map_or("–".into(), |ratio| format!("{ratio:.2} B")),
        format!("{:.2} µs", time.as_secs_f64() * 1e6),
    )
}

fn overhead_bytes(comparison: &Comparison<'_>) -> String {
    let bytes = u64::try_from(comparison.overhead_bytes()).unwrap_or_default();
    format!("+{}", Units::Iec.show(bytes))
}

fn with_measured(row: Row<'_>, of: impl Fn(&Measured) -> String) -> String {
    match &row.1 {
        Ok(measured) => of(measured),
        Err(why) => format!("  left out, no room here: {why}"),
    }
}

fn shares(measured: &[(&'static str, Result<Measured, TryReserveError>)]) -> String {
    let mut text = String::from(
        "What they share with the program's own handle to the unit, and the advice\n\n  \
         numbers    its alone  from outside  advice\n",
    );
    for row in measured {
        let _ = writeln!(text, "  {:>7}{}", row.0, with_measured(row, share));
    }
    text.truncate(text.trim_end().len());
    text
}

fn share(measured: &Measured) -> String {
    let sharing = measured.array.sharing();
    let advice = measured.array.advice();
    let advice: Vec<String> =
        advice.iter().map(|found| format!("{}: {found}", found.severity())).collect();
    format!(
        "  {:>11}  {:>12}  {}",
        Units::Iec.show(sharing.retained_bytes).to_string(),
        Units::Iec.show(sharing.held_outside_bytes).to_string(),
        if advice.is_empty() { "none".into() } else { advice.join("; ") },
    )
}
