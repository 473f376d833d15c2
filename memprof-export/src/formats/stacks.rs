//! Live bytes of a session by call stack and by operation, or the reason why they are unknown; as folded
//! stacks, and as what pprof's format is made from.

use super::ExportError;
use memprof_profile::text::Frame;
use memprof_recording::Recording;
use memprof_recording::document::{Estimate, HeapLevel, LiveStacks, OperationRow, Place, Site};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

pub(super) const OTHER_SITES: &str = "[other_sites]";
/// The name of a function without debug information.
const UNKNOWN: &str = "[unknown]";

/// The advice for a file that ends too early.
const RETRY_ADVICE: &str = "read the file again later, or record for longer";

pub(super) struct Sites<'r> {
    pub(super) listed: &'r [Site],
    pub(super) other: Option<Estimate>,
}

/// The memory of an operation, without the memory of operations inside it.
pub(super) struct OwnOperation<'r> {
    pub(super) row: &'r OperationRow,
    pub(super) allocated_blocks: u64,
}

pub(super) fn sites(recording: &Recording) -> Result<Sites<'_>, ExportError> {
    let summary = &recording.summary;
    if summary.sites.is_empty() && summary.other_sites.is_none() {
        let level = level(recording);
        let reason = match level {
            Some(HeapLevel::Sampled) => recording.summary_unknown_reason(),
            Some(_) => Some("no samples were taken"),
            None => Some("the heap was not counted"),
        };
        if let Some(reason) = reason {
            let action = match level {
                Some(HeapLevel::Sampled) => RETRY_ADVICE,
                _ => "record a session with memprof's allocator and the level `sampled`",
            };
            return Err(ExportError::unknown("sites", reason, action));
        }
    }
    Ok(Sites { listed: &summary.sites, other: summary.other_sites })
}

/// Returns the stack with the most live bytes, innermost frame first. It is the only one in the
/// file, and represents all stacks that reach the call site.
pub(super) fn stack(site: &Site) -> &[Place] {
    if site.stack.is_empty() { core::slice::from_ref(&site.place) } else { &site.stack }
}

/// Returns the name of a frame: its function, or its file and line.
pub(super) fn function(place: &Place) -> String {
    match (&place.function, &place.file, place.line) {
        (Some(function), _, _) => function.clone(),
        (None, Some(file), Some(line)) => format!("{file}:{line}"),
        (None, Some(file), None) => file.clone(),
        (None, None, _) => UNKNOWN.to_owned(),
    }
}

pub(super) fn operations<'r>(
    recording: &'r Recording,
) -> Result<Vec<OwnOperation<'r>>, ExportError> {
    let rows = &recording.summary.operations;
    if let Some(reason) = recording.operations_unknown_reason() {
        let action = if recording.metadata.operations_tracked {
            RETRY_ADVICE
        } else {
            "record a program that uses memprof's allocator"
        };
        return Err(ExportError::unknown("operations", reason, action));
    }
    // The blocks of an operation include the blocks of its direct children, as its bytes do.
    let mut nested_blocks: HashMap<&[String], u64> = HashMap::new();
    for row in rows {
        if let [outer @ .., _] = &row.path[..] {
            let blocks = nested_blocks.entry(outer).or_default();
            *blocks = blocks.saturating_add(row.allocated_blocks);
        }
    }
    let own = |row: &'r OperationRow| {
        let nested_blocks = nested_blocks.get(&row.path[..]).copied().unwrap_or_default();
        OwnOperation { row, allocated_blocks: row.allocated_blocks.saturating_sub(nested_blocks) }
    };
    Ok(rows.iter().map(own).collect())
}

pub(super) fn has_retained(recording: &Recording) -> bool {
    let rows = &recording.summary.operations;
    let has_estimate = |row: &OperationRow| row.retained.is_some() && row.retained_blocks.is_some();
    // Without operations, the answer depends on whether the allocator sampled.
    if rows.is_empty() {
        level(recording) == Some(HeapLevel::Sampled)
    } else {
        rows.iter().all(has_estimate)
    }
}

fn level(recording: &Recording) -> Option<HeapLevel> {
    let heap = recording.snapshots.iter().rev().find_map(|snapshot| snapshot.heap);
    heap.map(|heap| heap.level)
}

/// Rounds amounts one by one so that they add up to their rounded sum. Each result is off by less
/// than one. If each were rounded alone, a thousand amounts could be off by 500 in total.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares {
    sum: f64,
    total: u64,
}

impl Shares {
    /// Returns the next amount as an integer. Negative amounts and NaN count as 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the sum is not negative; what is above 2^64 stays there"
    )]
    pub(super) fn next(&mut self, estimate: Estimate) -> u64 {
        // `max` returns 0.0 for NaN.
        self.sum += estimate.value.max(0.0);
        let rounded = self.sum.round() as u64;
        let share = rounded.saturating_sub(self.total);
        self.total = rounded;
        share
    }
}

/// Returns the live bytes by call stack: `program;main;load 4096`, one line for each stack, sorted.
///
/// Bytes are estimates from samples. They are rounded so that the lines add up to the rounded sum
/// of all call sites. The frame `[other_sites]` holds the bytes of the call sites that the file
/// does not list. Names are escaped as in
/// [`Profile::to_folded`](memprof_profile::Profile::to_folded).
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
    let sites = sites(recording)?;
    let mut lines = Lines::of(&recording.metadata.program);
    for site in sites.listed {
        lines.add(stack(site).iter().rev().map(function), site.live);
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
/// `[other_sites]` holds the bytes of stacks that are missing from the file.
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
            lines.add(frames.iter().rev().map(function), live);
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
    let operations = operations(recording)?;
    if !has_retained(recording) {
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
            let action = "the estimates are wrong, or the file was modified";
            return Err(ExportError::too_much(subject, self.total, u64::MAX - 1, action));
        }
        let mut text = String::new();
        for (stack, bytes) in self.bytes.iter().filter(|(_, bytes)| **bytes > 0) {
            let _ = writeln!(text, "{stack} {bytes}");
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Shares};

    #[test]
    fn shares_add_up_to_the_rounded_sum_and_are_less_than_one_off() {
        let cases: [&[f64]; 7] = [
            &[],
            &[0.4, 0.4, 0.4],
            &[0.5; 7],
            &[1_048_576.25, 0.0, 3.5, 999.999, 1e12 + 0.75],
            &[9_007_199_254_740_993.0, 0.3, 0.3],
            &[f64::NAN, -5.0, 2.0],
            &[1e300, 7.0],
        ];
        for amounts in cases {
            let mut shares = Shares::default();
            let rounded: Vec<u64> =
                amounts.iter().map(|&value| shares.next(Estimate::new(value, 0.0, 1))).collect();
            let real: Vec<f64> = amounts.iter().map(|value| value.max(0.0)).collect();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as above")]
            let whole = real.iter().sum::<f64>().round() as u64;
            assert_eq!(rounded.iter().sum::<u64>(), whole, "{amounts:?}");
            #[expect(clippy::cast_precision_loss, reason = "they are small, or not compared")]
            let off = |(share, real): (&u64, &f64)| (*share as f64 - real).abs() < 1.0;
            assert!(whole > 1 << 60 || rounded.iter().zip(&real).all(off), "{rounded:?}");
        }
    }
}
