//! The bytes that the roots hold, and their share of the process.

use super::super::words::operation;
use super::Page;
use crate::Recording;
use crate::document::{Estimate, Reconciliation, RootReading, RootState, Snapshot, SourceReading};
use core::cmp::Reverse;
use memprof_profile::Profile;
use memprof_profile::large::Interval;
use memprof_profile::text::{Shown, Table, change, counted, filled, percent, signed, span};
use memprof_profile::views::{Grouped, Units};

const ROOTS: usize = 10;

pub(super) fn write(page: &mut Page, recording: &Recording, snapshot: &Snapshot) {
    roots(page, recording, snapshot);
    holders(page, snapshot);
    waterfall(page, recording, snapshot);
    if let Some(heap) = &snapshot.reconciliation {
        let by_roots = !recording.summary.claimed_twice.is_empty();
        let is_partial = snapshot.roots_lack_values();
        let each_block = has_each_block(heap);
        explained(page, heap, by_roots, each_block, is_partial);
    }
}

const HOLDERS: usize = 5;

/// The largest roots come first.
fn holders(page: &mut Page, snapshot: &Snapshot) {
    let mut roots: Vec<&RootReading> = snapshot.roots.iter().collect();
    roots.sort_by_key(|root| Reverse(root.total_bytes));
    let profiles = roots.into_iter().filter_map(|root| root.profile()?.ok());
    let lines = |profile: Profile| profile.holder_lines(page.units).collect::<Vec<_>>();
    let lines: Vec<(String, String)> = profiles.flat_map(lines).collect();
    if lines.is_empty() {
        return;
    }
    page.heading("who keeps shared memory alive");
    for (_, line) in lines.iter().take(HOLDERS) {
        let parts: Vec<String> = line.split("; ").map(str::to_owned).collect();
        for (index, line) in filled(&parts, ";", page.width - 4).iter().enumerate() {
            page.preformatted(&format!("{}{line}", if index == 0 { "" } else { "  " }));
        }
    }
    if lines.len() > HOLDERS {
        let more = Grouped((lines.len() - HOLDERS) as u64);
        page.line(&format!("…{more} more: `memprof report`"));
    }
}

/// If the snapshot has no full reading, the last one before it with a full reading is shown.
fn waterfall(page: &mut Page, recording: &Recording, snapshot: &Snapshot) {
    let mut before = recording.snapshots.iter().rev().filter(|one| one.number <= snapshot.number);
    let shown = before.find(|one| one.resident.is_some()).unwrap_or(snapshot);
    let width = page.width - 2;
    let steps = recording.waterfall(shown, page.units, width).to_string();
    if steps.is_empty() {
        return;
    }
    let from = if shown.reconciliation.is_some() { "roots" } else { "heap" };
    let at = if shown.number == snapshot.number {
        String::new()
    } else {
        format!(", at {}", span(shown.at_ns))
    };
    let period = recording.waterfall_period(shown);
    let period = period.map_or_else(String::new, |period| format!(": {period}"));
    page.heading(&format!("from the {from} to resident memory{at}{period}"));
    for line in steps.lines() {
        page.preformatted(line);
    }
    if let Some(slow) = shown.resident.as_ref().filter(|resident| resident.is_slow) {
        page.line(&format!(
            "a reading of the parts takes {}, so it is taken only at checkpoints, limits and the end",
            span(slow.took_ns)
        ));
    }
}

struct Holding {
    name: String,
    bytes: Option<String>,
    growth: Growth,
    notes: Vec<String>,
}

/// The growth of a root since the first snapshot that has its bytes.
enum Growth {
    /// The root has no earlier bytes, or the part is a source.
    None,
    /// The ranges overlap, so the root may have grown or shrunk.
    Unknown,
    Known(String),
}

impl Growth {
    fn between(first: &RootReading, now: &RootReading, units: Units) -> Self {
        let (Some(before), Some(after)) = (first.range(), now.range()) else { return Self::None };
        let is_exact = before.is_exact() && after.is_exact();
        let is_below =
            |one: Interval, other: Interval| one.high.is_some_and(|high| high < other.low);
        // A lower bound at the end bounds growth from below, one at the start shrinking.
        let at_least = match (before.high, after.high) {
            _ if is_exact => "",
            (Some(_), None) if is_below(before, after) => "≥ ",
            (None, Some(_)) if is_below(after, before) => "≤ ",
            _ if is_below(before, after) || is_below(after, before) => "",
            _ => return Self::Unknown,
        };
        let bytes = |reading: &RootReading| i128::from(reading.total_bytes.unwrap_or(0));
        Self::Known(format!("{at_least}{}", change(bytes(now) - bytes(first), units)))
    }
}

/// A root or a source before formatting.
///
/// A root's details are read only if the root is shown, because they come from all snapshots.
enum Held<'r> {
    Root(&'r RootReading),
    Source(Holding),
}

fn roots(page: &mut Page, recording: &Recording, snapshot: &Snapshot) {
    let units = page.units;
    let of_roots = snapshot.roots.iter().map(|root| (root.total_bytes, Held::Root(root)));
    let of_sources = snapshot.sources.iter().map(|source| of_source(source, units));
    let mut held: Vec<(Option<u64>, Held<'_>)> = of_roots.chain(of_sources).collect();
    held.sort_by_key(|(bytes, _)| Reverse(*bytes));
    let more = held.split_off(held.len().min(ROOTS));
    let unlisted = snapshot.roots_not_listed.unwrap_or_default();
    let mut table = Table::new(["roots", "bytes", "growth", ""], &[0, 3]);
    let mut notes = Vec::new();
    for (_, held) in held {
        let holding = match held {
            Held::Root(root) => of_root(root, recording, snapshot, units),
            Held::Source(holding) => holding,
        };
        let growth = match holding.growth {
            Growth::None => String::new(),
            Growth::Unknown => "unknown".into(),
            Growth::Known(growth) => growth,
        };
        let bytes = holding.bytes.unwrap_or_else(|| "unknown".into());
        table.row([holding.name, bytes, growth, holding.notes.join(", ")]);
        notes.push(holding.notes);
    }
    if !more.is_empty() || unlisted.count > 0 {
        let listed: i128 = more.iter().filter_map(|(bytes, _)| *bytes).map(i128::from).sum();
        let bytes = signed(listed + i128::from(unlisted.total_bytes), units);
        let at_least = if unlisted.is_lower_bound { "≥ " } else { "" };
        let name = format!("…{} more", Grouped(more.len() as u64 + unlisted.count));
        table.row([name, format!("{at_least}{bytes}"), String::new(), String::new()]);
    }
    if table.is_empty() {
        return;
    }
    page.gap();
    if table.columns() + 2 <= page.width {
        page.table_with_title(table);
    } else {
        // The notes get their own lines if the table would shorten them in the middle.
        table.drop_column(3);
        page.table_with_notes(table, &notes);
    }
    if snapshot.roots.iter().any(|root| root.state == RootState::Partial) {
        page.line("partial: the walk reached its time limit; raise it with MEMPROF_WALK_BUDGET=1s");
    }
}

fn of_root(
    root: &RootReading,
    recording: &Recording,
    snapshot: &Snapshot,
    units: Units,
) -> Holding {
    let first = recording.first_root(&root.name).filter(|(one, _)| one.number < snapshot.number);
    let mut notes = Vec::new();
    if root.state != RootState::Profiled {
        notes.push(root.state.as_str().to_owned());
    }
    let interval = root.interval().filter(|interval| interval.high.is_some());
    notes.extend(interval.map(|interval| interval.show(units).to_string()));
    let start = recording.snapshot("start").map(|snapshot| snapshot.number);
    match (root.total_bytes, first) {
        (Some(_), Some((first, _))) if Some(first.number) != start => {
            notes.push(format!("since snapshot {}", first.number));
        }
        (None, Some(_)) => {
            let before = recording.snapshots.iter().rev();
            let before = before.skip_while(|one| one.number >= snapshot.number);
            let mut known = before.filter_map(|one| Some((one.number, one.bytes_of(&root.name)?)));
            if let Some((number, bytes)) = known.next() {
                notes.push(format!("{} in snapshot {number}", units.show(bytes)));
            }
        }
        _ => {}
    }
    let growth = first.map_or(Growth::None, |(_, first)| Growth::between(first, root, units));
    let (name, bytes) = (Shown(&root.name).to_string(), root.shown_bytes(units));
    Holding { name, bytes, growth, notes }
}

fn of_source(source: &SourceReading, units: Units) -> (Option<u64>, Held<'_>) {
    let profile = source.profile().and_then(Result::ok);
    let why = source.error.as_deref().map(|error| Shown(error).to_string());
    let bytes = profile.map(|profile| profile.total_bytes());
    let holding = Holding {
        name: Shown(&source.name).to_string(),
        bytes: bytes.map(|bytes| units.show(bytes).to_string()),
        growth: Growth::None,
        notes: vec![why.map_or_else(|| "source".into(), |why| format!("source: {why}"))],
    };
    (bytes, Held::Source(holding))
}

/// Writes the share of the live heap that the roots explain, by each of the two measurements.
/// `is_partial` is `true` if values of the roots that were not visited may explain more.
fn explained(
    page: &mut Page,
    heap: &Reconciliation,
    by_roots: bool,
    has_each_block: bool,
    is_partial: bool,
) {
    let at_least = if is_partial { "at least " } else { "" };
    let exact = heap.explained_share().map(|share| {
        let doubt = if heap.roots_exact || is_partial { "" } else { ", not all of it exact" };
        format!("explained: {at_least}{} of the live heap{doubt}", percent(share))
    });
    let sampled = heap.sampled_share().map(|share| {
        if has_each_block {
            return format!("{at_least}{} by samples of all blocks", percent(share));
        }
        format!("{at_least}{}", by_samples(heap, share))
    });
    let ways: Vec<String> = exact.into_iter().chain(sampled).collect();
    if !ways.is_empty() {
        page.parts(&ways);
    }
    if let Some(few) = few_samples(heap).filter(|_| !has_each_block) {
        page.line(&format!(
            "few samples ({few}): use `heap::set_rate(heap::Rate::every(4096))` for small programs"
        ));
    }
    if let Some(twice) = heap.claimed_twice.filter(|twice| twice.value > 0.0 && !by_roots) {
        page.line(&format!("claimed by several roots: {}", twice.bytes(page.units)));
    }
    if differ(heap) {
        page.line(
            "these differ by more than chance: a profile counts memory that its value does not \
             own, or misses memory that it owns",
        );
    }
}

/// Returns `true` if each live block of a snapshot is a sample, so that estimates are exact.
fn has_each_block(heap: &Reconciliation) -> bool {
    let (Some(yes), Some(no)) = (heap.explained, heap.unexplained) else { return false };
    yes.standard_error <= 0.0 && no.standard_error <= 0.0
}

/// The number of samples below which intervals are asymmetric and a higher rate is worth its cost.
const FEW: u64 = 20;

fn few_samples(heap: &Reconciliation) -> Option<u64> {
    let samples = heap.explained?.samples + heap.unexplained?.samples;
    (samples < FEW).then_some(samples)
}

/// Formats the share of the live heap by samples, with its 95 % interval.
fn by_samples(heap: &Reconciliation, share: f64) -> String {
    if few_samples(heap).is_some() {
        let (low, high) = interval_of_few(heap);
        return format!("{} by samples ({} to {})", percent(share), percent(low), percent(high));
    }
    let side = percent(1.96 * error_of_share(heap));
    format!("{} ± {side} by samples", percent(share))
}

/// Each end combines the upper bound of one part with the lower bound of the other part.
fn interval_of_few(heap: &Reconciliation) -> (f64, f64) {
    let (Some(yes), Some(no)) = (heap.explained, heap.unexplained) else { return (0.0, 1.0) };
    let sides = (1.96 * yes.standard_error, 1.96 * no.standard_error);
    let of = |part: f64, rest: f64| if part > 0.0 { part / (part + rest) } else { 0.0 };
    let low = of((yes.value - sides.0).max(0.0), no.value + sides.1);
    (low, of(yes.value + sides.0, (no.value - sides.1).max(0.0)))
}

fn error_of_share(heap: &Reconciliation) -> f64 {
    let (Some(yes), Some(no)) = (heap.explained, heap.unexplained) else { return 0.0 };
    let all = yes.value + no.value;
    (no.value * yes.standard_error).hypot(yes.value * no.standard_error) / (all * all)
}

/// Returns `true` if the roots' exact bytes and the samples differ by over three standard errors.
#[expect(clippy::cast_precision_loss, reason = "compared with an estimate")]
fn differ(heap: &Reconciliation) -> bool {
    let Some(explained) = heap.explained else { return false };
    let twice = heap.claimed_twice.unwrap_or(Estimate::new(0.0, 0.0, 0));
    let stated = heap.roots_bytes as f64 - twice.value;
    let error = explained.standard_error.hypot(twice.standard_error);
    let off = (stated - explained.value).abs();
    off > 3.0 * error && off > 0.02 * heap.live_bytes as f64
}

pub(super) fn write_tensors(page: &mut Page, snapshot: &Snapshot) {
    let units = page.units;
    let mut tensors: Vec<_> = snapshot
        .devices
        .iter()
        .flat_map(|device| device.tensors.iter().map(move |tensor| (&device.device, tensor)))
        .collect();
    tensors.sort_by_key(|(_, tensor)| Reverse(tensor.bytes));
    let mut table = Table::new([""; 5], &[1, 2, 3, 4]);
    for (device, tensor) in tensors.into_iter().take(10) {
        let gradient = if tensor.requires_grad == Some(true) { ", gradient" } else { "" };
        let within = tensor.operation.as_deref().filter(|names| !names.is_empty());
        table.row([
            units.show(tensor.bytes).to_string(),
            format!("{} {:?}{gradient}", Shown(&tensor.dtype), tensor.shape),
            Shown(device).to_string(),
            Shown(&tensor.path).to_string(),
            within.map_or_else(String::new, |names| format!("in {}", operation(names))),
        ]);
    }
    let title = format!("the largest of {}", counted(snapshot.tensor_count, "tensor"));
    page.section(&title, &table);
}

#[cfg(test)]
mod tests {
    use super::{by_samples, few_samples, has_each_block};
    use crate::document::{Estimate, Reconciliation};

    fn heap(explained: Estimate, unexplained: Estimate) -> Reconciliation {
        Reconciliation {
            live_bytes: 10_000_000,
            profiler_bytes: None,
            roots_bytes: 9_680_000,
            roots_exact: true,
            explained: Some(explained),
            unexplained: Some(unexplained),
            claimed_twice: None,
        }
    }

    #[test]
    fn three_samples_never_have_a_share_without_an_interval() {
        // Three large blocks, with a mean of 512 KiB from one sampled byte to the next.
        let none = Estimate::new(0.0, 3.67 * 524_288.0 / 1.96, 0);
        let recorded = heap(Estimate::new(10e6, 0.4e6, 3), none);
        assert_eq!(by_samples(&recorded, 1.0), "100.0 % by samples (82.7 % to 100.0 %)");
        assert_eq!(few_samples(&recorded), Some(3));
        let many = heap(Estimate::new(9e6, 1e5, 900), Estimate::new(1e6, 1e5, 100));
        assert_eq!(by_samples(&many, 0.9), "90.0 % ± 1.8 % by samples");
        assert_eq!(few_samples(&many), None);
    }

    #[test]
    fn samples_of_each_block_need_no_interval_and_no_other_rate() {
        let exact = heap(Estimate::new(10e6, 0.0, 3), Estimate::new(0.0, 0.0, 0));
        assert!(has_each_block(&exact));
        let few = heap(Estimate::new(10e6, 0.4e6, 3), Estimate::new(0.0, 1e5, 0));
        assert!(!has_each_block(&few));
    }
}
