//! Folded stacks of the live bytes in a session: by call stack and by operation.

use super::ExportError;
use super::stacks::{self, OTHER_SITES, Shares};
use memprof_profile::text::Frame;
use memprof_recording::Recording;
use memprof_recording::document::{Estimate, LiveStacks};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Returns the live bytes by call stack: `program;main;load 4096`, one line for each stack, sorted.
///
/// Bytes are estimates from samples. They are rounded so that the lines add up to the rounded sum
/// of all call sites. The frame `[other_sites]` has the bytes of the call sites that the file does
/// not list. Names are escaped as in [`Profile::to_folded`](memprof_profile::Profile::to_folded).
///
/// ```no_run
/// let recording = memprof::session::Recording::read_file("memory_profile_20261121_083000.json")?;
/// std::fs::write("sites.folded", memprof::export::folded_sites(&recording)?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if no samples were taken, if the file ends before its first summary, or if the
/// sum is `u64::MAX` or more.
pub fn folded_sites(recording: &Recording) -> Result<String, ExportError> {
    let sites = stacks::sites(recording)?;
    let mut lines = Lines::of(&recording.metadata.program);
    for site in sites.listed {
        let stack = stacks::stack(site).iter().rev().map(stacks::function);
        lines.add(stack, site.live);
    }
    if let Some(live) = sites.other {
        lines.add([OTHER_SITES.to_owned()], live);
    }
    lines.text("the sites' bytes")
}

/// Returns the live bytes by call stack at one moment of a recording, such as
/// [`Recording::peak_stacks`].
///
/// The lines are those of [`folded_sites`], with all stacks of that moment. The frame
/// `[other_sites]` has the bytes of stacks that the file lacks.
///
/// ```no_run
/// let recording = memprof::session::Recording::read_file("memory_profile_20261121_083000.json")?;
/// if let Some(peak) = recording.peak_stacks() {
///     std::fs::write("peak.folded", memprof::export::folded_live_stacks(&recording, peak)?)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the sum is `u64::MAX` or more.
pub fn folded_live_stacks(
    recording: &Recording,
    moment: &LiveStacks,
) -> Result<String, ExportError> {
    let mut lines = Lines::of(&recording.metadata.program);
    for (frames, live, _) in recording.live_stack_frames(moment) {
        if frames.is_empty() {
            lines.add([OTHER_SITES.to_owned()], live);
        } else {
            lines.add(frames.iter().rev().map(stacks::function), live);
        }
    }
    lines.text("the stacks' bytes")
}

/// Returns the live bytes by the operation that allocated them: `program;serve;handle 4096`,
/// sorted.
///
/// Bytes allocated outside all operations are left out. Estimates are rounded and names are escaped
/// as in [`folded_sites`].
///
/// ```no_run
/// let recording = memprof::session::Recording::read_file("memory_profile_20261121_083000.json")?;
/// print!("{}", memprof::export::folded_operations(&recording)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if operations were not counted, if the file ends before its first summary, if
/// no samples were taken, or if the sum is `u64::MAX` or more.
pub fn folded_operations(recording: &Recording) -> Result<String, ExportError> {
    let operations = stacks::operations(recording)?;
    if !stacks::has_retained(recording) {
        let reason = "no samples were taken";
        let action = "record a session with the level `sampled`, or export the allocated bytes \
                       as pprof-operations";
        return Err(ExportError::unknown("live bytes of operations", reason, action));
    }
    let mut lines = Lines::of(&recording.metadata.program);
    for row in operations.iter().map(|operation| operation.row) {
        lines.add(row.path.iter().cloned(), row.retained.unwrap_or_default());
    }
    lines.text("the operations' bytes")
}

/// Lines of folded stacks below a root.
struct Lines {
    root: String,
    bytes: BTreeMap<String, u64>,
    shares: Shares,
    total: u128,
}

impl Lines {
    fn of(program: &str) -> Self {
        let root = Frame(program).to_string();
        Self { root, bytes: BTreeMap::new(), shares: Shares::default(), total: 0 }
    }

    fn add(&mut self, stack: impl IntoIterator<Item = String>, live: Estimate) {
        let mut path = self.root.clone();
        for name in stack {
            let _ = write!(path, ";{}", Frame(&name));
        }
        let bytes = self.shares.next(live);
        self.total += u128::from(bytes);
        let sum = self.bytes.entry(path).or_default();
        *sum = sum.saturating_add(bytes);
    }

    /// Returns the lines, without lines of 0 bytes.
    fn text(self, subject: &'static str) -> Result<String, ExportError> {
        // `Shares` saturates at `u64::MAX`, so a total of this size may be too small.
        if self.total >= u128::from(u64::MAX) {
            let action = "the estimates are wrong, or the file was changed";
            return Err(ExportError::too_much(subject, self.total, u64::MAX - 1, action));
        }
        let mut text = String::new();
        for (stack, bytes) in self.bytes.iter().filter(|(_, bytes)| **bytes > 0) {
            let _ = writeln!(text, "{stack} {bytes}");
        }
        Ok(text)
    }
}
