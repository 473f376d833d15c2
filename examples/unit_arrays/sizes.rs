//! One array of ten to a billion numbers, compared with the raw vector.

use crate::array::Array;
use crate::table::aligned;
use crate::unit::{SPEED, Unit};
use memprof::Profile;
use memprof::views::Units;
use std::collections::TryReserveError;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SIZES: [(&str, usize); 5] = [
    ("10", 10),
    ("1 K", 1_000),
    ("1 M", 1_000_000),
    ("100 M", 100_000_000),
    ("1 B", 1_000_000_000),
];

/// The number of profiles of one array. The table has the median time.
const ROUNDS: usize = 9;

/// An array and the vector that it wraps.
struct Measured {
    size: &'static str,
    array: Profile,
    raw: Profile,
    time: Duration,
}

/// Returns a table of the arrays' bytes, and a table of the memory that they share, with the
/// advice.
pub(crate) fn report() -> String {
    // The program keeps its own handle, as a table of units would.
    let unit = Arc::new(Unit::new("m/s", SPEED, 1.0));
    let mut sections = vec![String::new(), String::new()];
    let mut measured = Vec::new();
    for (size, len) in SIZES {
        match measure(size, len, &unit) {
            Ok(array) => measured.push(array),
            Err(why) => sections.push(format!("{size} numbers are left out: {why}")),
        }
    }
    sections[0] =
        format!("Numbers with a unit, compared with the raw vector\n\n{}", costs(&measured));
    sections[1] = format!(
        "The memory that each array shares with the program, and the advice\n\n{}",
        shares(&measured)
    );
    sections.join("\n\n")
}

/// Measures an array. Never touches the numbers, because zeroed pages take no memory until they are
/// touched.
fn measure(size: &'static str, len: usize, unit: &Arc<Unit>) -> Result<Measured, TryReserveError> {
    let (array, time) = {
        let array = Array::zeros(len, unit)?;
        timed(|| Profile::named("array", &array))
    };
    let raw = Profile::named("Vec<f64>", &vec![0.0_f64; len]);
    Ok(Measured { size, array, raw, time })
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

fn costs(measured: &[Measured]) -> String {
    let head = [
        "numbers",
        "array",
        "Vec<f64>",
        "overhead",
        "",
        "data",
        "metadata",
        "of total",
        "per data byte",
        "profiled in",
    ];
    let rows = measured.iter().map(|Measured { size, array, raw, time }| {
        let (statistics, comparison) = (array.statistics(), array.against(raw));
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        [
            (*size).to_owned(),
            show(array.total_bytes()),
            show(raw.total_bytes()),
            format!("+{} B", comparison.overhead_bytes()),
            comparison
                .overhead_percent()
                .map(|growth| format!("+{growth:.1} %"))
                .unwrap_or_default(),
            show(statistics.data),
            show(statistics.metadata),
            statistics.metadata_share().map(percent).unwrap_or_default(),
            statistics.overhead_ratio().map(|ratio| format!("{ratio:.2} B")).unwrap_or_default(),
            format!("{:>9.1} µs", time.as_secs_f64() * 1e6),
        ]
    });
    with_head(head, rows)
}

fn shares(measured: &[Measured]) -> String {
    let head = ["numbers", "as it is", "not shared", "its alone", "from outside", "advice"];
    let rows = measured.iter().map(|Measured { size, array, .. }| {
        let (sharing, advice) = (array.sharing(), array.advice());
        let advice: Vec<String> =
            advice.iter().map(|found| format!("{}: {found}", found.severity())).collect();
        [
            (*size).to_owned(),
            show(sharing.bytes),
            show(sharing.bytes_if_unshared),
            show(sharing.retained_bytes),
            show(sharing.externally_held_bytes),
            if advice.is_empty() { "none".into() } else { advice.join("; ") },
        ]
    });
    with_head(head, rows)
}

fn with_head<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    aligned(&std::iter::once(head.map(String::from)).chain(rows).collect::<Vec<_>>())
}

fn show(bytes: u64) -> String {
    Units::Iec.show(bytes).to_string()
}
