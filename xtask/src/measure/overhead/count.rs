//! Instructions counted by valgrind, which needs no access to the processor's counters.
//!
//! A count is the difference between two runs that repeat the work a different number of times.

use super::sides::{Side, WORKLOADS, Workload};
use crate::Failure;
use crate::tools::{apt_install, has, output};
use std::path::Path;
use std::process::Command;

/// A figure for each workload.
pub(super) type Counts = [f64; WORKLOADS.len()];

pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) counts: Counts,
}

pub(super) fn install_valgrind() -> Result<(), Failure> {
    if !has("valgrind") {
        apt_install(&["valgrind"]);
    }
    if has("valgrind") {
        Ok(())
    } else {
        Err("valgrind is missing and could not be installed".into())
    }
}

pub(super) fn rows(folder: &Path, sides: &[Side], pairs: Counts) -> Result<Vec<Row>, Failure> {
    let row = |side: &Side| {
        eprintln!("{}: {} …", side.program, side.name);
        let mut counts = pairs;
        for (count, workload) in counts.iter_mut().zip(&WORKLOADS) {
            *count = per_repetition(folder, side, workload)? / *count;
        }
        Ok(Row { name: side.name, counts })
    };
    sides.iter().map(row).collect()
}

/// In one repetition of each workload. A pair is any two calls of the allocator.
pub(super) fn pairs(folder: &Path) -> Result<Counts, Failure> {
    let mut pairs = Counts::default();
    for (pairs, workload) in pairs.iter_mut().zip(&WORKLOADS) {
        let times = workload.times[1];
        let mut counting = Command::new(folder.join("counting"));
        let calls = output(counting.args([workload.name, &times.to_string()]))?;
        *pairs = calls.trim().parse::<f64>()? / 2.0 / f64::from(times);
    }
    Ok(pairs)
}

pub(super) fn per_repetition(
    folder: &Path,
    side: &Side,
    workload: &Workload,
) -> Result<f64, Failure> {
    let [few, many] = workload.times.map(|times| times.div_ceil(side.slower));
    let many = many.max(few + 1);
    let instructions = |times: u32| {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
        valgrind.arg(folder.join(side.program)).args([workload.name, &times.to_string()]);
        let run = valgrind.args(side.level).output()?;
        let printed = String::from_utf8(run.stderr)?;
        let counted = references(&printed).filter(|_| run.status.success());
        counted.ok_or_else(|| Failure::from(format!("{valgrind:?} failed: {printed}")))
    };
    Ok((instructions(many)? - instructions(few)?) / f64::from(many - few))
}

/// Parses the line `==123== I   refs:      2,254,287`.
fn references(printed: &str) -> Option<f64> {
    let line = printed.lines().find(|line| line.contains("I ") && line.contains("refs:"))?;
    let digits: String = line.split_once("refs:")?.1.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::references;

    #[test]
    fn instructions_are_read_among_valgrinds_lines() {
        let printed = "==7== Command: ./plain pairs 1\n==7== \n==7== I   refs:      2,254,287\n";
        assert_eq!(references(printed), Some(2_254_287.0));
        assert_eq!(references("==7== D   refs:      1\n"), None);
    }
}
