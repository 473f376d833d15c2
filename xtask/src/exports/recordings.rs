//! The recordings to export: one with hostile names, and a real one.

use super::programs::output;
use crate::{Failure, workspace};
use memprof_session::Recording;
use memprof_session::document::Estimate;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A recording with its name and path.
pub(crate) struct Recorded {
    pub(crate) name: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) recording: Recording,
}

/// Copies both recordings into a folder.
pub(crate) fn recordings(folder: &Path) -> Result<Vec<Recorded>, Failure> {
    let hostile = folder.join("hostile.json");
    fs::copy(workspace().join("memprof-export/tests/golden/hostile.json"), &hostile)?;
    let real = folder.join("source_index.json");
    fs::copy(source_index(&folder.join("recorded"))?, &real)?;
    let recorded = |(name, path): (&'static str, PathBuf)| {
        let recording = Recording::read_file(&path)?;
        Ok(Recorded { name, path, recording })
    };
    [("hostile", hostile), ("source_index", real)].into_iter().map(recorded).collect()
}

/// Records the example, which indexes the sources of three crates. Returns the path of the report.
pub(super) fn source_index(folder: &Path) -> Result<PathBuf, Failure> {
    let mut example = crate::cargo();
    example.args(["run", "--quiet", "--package", "memprof", "--example", "source_index", "--"]);
    record(example, folder)
}

/// Runs the example `source_index`. Returns the path of its report.
pub(super) fn record(mut example: Command, folder: &Path) -> Result<PathBuf, Failure> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    example.args(["--rounds", "3", "--output-dir"]).arg(folder);
    output(example.args(["memprof-core", "memprof-session", "memprof-heap"]))?;
    let mut files = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let report = files.find(|path| path.extension().is_some_and(|ending| ending == "json"));
    Ok(report.ok_or("the example wrote no report")?)
}

impl Recorded {
    /// Returns all bytes of the last snapshot.
    pub(crate) fn snapshot_bytes(&self) -> Result<u64, Failure> {
        let last = self.recording.snapshot("end").ok_or("no snapshot")?;
        Ok(last.profile(&self.recording.metadata.program)?.total_bytes())
    }

    /// Returns the live bytes of all call sites.
    pub(crate) fn site_bytes(&self) -> u64 {
        let summary = &self.recording.summary;
        let listed = summary.sites.iter().map(|site| site.live);
        rounded(listed.chain(summary.other_sites))
    }

    /// Returns the live bytes that operations allocated themselves, and all bytes that they
    /// allocated.
    pub(crate) fn operation_bytes(&self) -> (u64, u64) {
        let operations = &self.recording.summary.operations;
        let live = operations.iter().filter_map(|operation| operation.retained);
        let allocated = operations.iter().map(|operation| operation.own_allocated_bytes);
        (rounded(live), allocated.sum())
    }
}

/// Returns the sum of the estimates. Only the sum is rounded.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^64")]
fn rounded(estimates: impl Iterator<Item = Estimate>) -> u64 {
    estimates.map(|estimate| estimate.value).sum::<f64>().round() as u64
}
