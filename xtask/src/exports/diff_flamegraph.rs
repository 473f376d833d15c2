//! The differential flame graph in a browser, in the light and the dark theme.

use super::node::drive;
use super::programs::memprof;
use super::recordings::recordings;
use crate::Failure;
use std::ffi::OsStr;
use std::path::Path;

pub(super) fn check(folder: &Path) -> Result<String, Failure> {
    let mut results = Vec::new();
    for recorded in recordings(folder)? {
        let svg = folder.join(format!("{}.svg", recorded.name));
        let at = |snapshot: u64| format!("{}@{snapshot}", recorded.path.display());
        let with_profile =
            recorded.recording.snapshots.iter().filter(|snapshot| snapshot.has_profile());
        let numbers: Vec<u64> = with_profile.map(|snapshot| snapshot.number).collect();
        let [first, .., last] = numbers[..] else { return Err("fewer than two snapshots".into()) };
        let (before, after) = (at(first), at(last));
        let arguments =
            ["flamegraph", "--force", "--before", &before, &after, "-o"].map(OsStr::new);
        memprof(&[&arguments[..], &[svg.as_os_str()]].concat())?;
        let output = drive("diff_flamegraph.mjs", &[svg.as_os_str()])?;
        let bytes = |number: u64| -> Result<u64, Failure> {
            let snapshot = recorded.recording.snapshot(&number.to_string()).ok_or("no snapshot")?;
            Ok(snapshot.profile(&recorded.recording.metadata.program)?.total_bytes())
        };
        let expected = format!("{} {}", bytes(first)?, bytes(last)?);
        let (totals, frames) = output.trim().split_once('\n').unwrap_or((output.trim(), ""));
        if totals != expected {
            let name = recorded.name;
            return Err(format!("{name}: the browser shows {totals}, and not {expected}").into());
        }
        results.push(format!("{}: {totals} bytes before and after; {frames}", recorded.name));
    }
    results.push(format!("drawn: {}", folder.join("*.png").display()));
    Ok(results.join("\n"))
}
