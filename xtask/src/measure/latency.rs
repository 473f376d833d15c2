//! The latency of a service, with the system's allocator and inside memprof's at each level.

use super::Measured;
use crate::Failure;
use crate::built::built;
use crate::tools::output;
use std::fmt::Write;
use std::process::Command;

/// The programs, with their levels. The second repeats the first, the baseline, to show noise.
const SIDES: [(&str, &str, Option<&str>); 5] = [
    ("plain program", "plain", None),
    ("plain program again", "plain", None),
    ("memprof, off", "with_memprof", Some("off")),
    ("memprof, counters", "with_memprof", Some("counters")),
    ("memprof, sampled", "with_memprof", Some("sampled")),
];
const ROUNDS: usize = 15;
/// Two seconds of requests.
const REQUESTS: &str = "4000";

/// The median, the 99th and the 99.9th percentile, in nanoseconds.
type Percentiles = [f64; 3];

pub(super) fn measure() -> Result<Measured, Failure> {
    let programs = ["--bin", "plain", "--bin", "with_memprof", "--features", "service"];
    let package = ["--profile", "bench", "--package", "memprof-heap-benches"];
    let plain = built(&[&package[..], &programs].concat(), "release/plain")?;
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let mut figures = [[0.0; 3]; SIDES.len()];
        for offset in 0..SIDES.len() {
            let side = (round + offset) % SIDES.len();
            let (_, program, level) = SIDES[side];
            let mut service = Command::new(plain.with_file_name(program));
            let printed = output(service.args(["service", REQUESTS]).args(level))?;
            for (figure, text) in figures[side].iter_mut().zip(printed.split_whitespace()) {
                *figure = text.parse()?;
            }
        }
        rounds.push(figures);
    }
    Ok(Measured { printed: markdown(&rounds), missed: None })
}

fn markdown(rounds: &[[Percentiles; SIDES.len()]]) -> String {
    let mut text = format!(
        "An axum service on two threads sorts the items of an order of 2 KiB of JSON and answers \
         with as many. Four clients in the same process send 500 requests a second each. A latency \
         begins when its request was due. The sides take turns in {ROUNDS} rounds of two seconds. \
         Figures are medians of the rounds; in parentheses, of the ratios to the plain program in \
         the same round.\n\n| allocator | p50 | p99 | p99.9 |\n|---|---:|---:|---:|\n"
    );
    for (side, (name, ..)) in SIDES.iter().enumerate() {
        let cell = |at: usize| {
            let time = median(rounds.iter().map(|round| round[side][at]).collect()) / 1000.0;
            let ratio = median(rounds.iter().map(|round| round[side][at] / round[0][at]).collect());
            if side == 0 { format!("{time:.0} µs") } else { format!("{time:.0} µs ({ratio:.3})") }
        };
        let _ = writeln!(text, "| {name} | {} | {} | {} |", cell(0), cell(1), cell(2));
    }
    text
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::{SIDES, markdown};

    #[test]
    fn a_row_has_medians_and_ratios_within_rounds() {
        let round = |scale: f64| {
            let mut round = [[100_000.0 * scale, 200_000.0, 300_000.0]; SIDES.len()];
            round[4][0] *= 1.5;
            round
        };
        let printed = markdown(&[round(1.0), round(2.0), round(9.0)]);
        assert!(printed.ends_with(
            "| memprof, sampled | 300 µs (1.500) | 200 µs (1.000) | 300 µs (1.000) |\n"
        ));
    }
}
