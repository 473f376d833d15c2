//! The places of a leak: call sites that grow from round to round while every block is sampled.

use crate::read::frame::{Frame, Place};
use crate::read::leaks::places::Places;
use crate::read::no_leak::LeakError;
use crate::read::no_leak::each_block::{self, EachBlock, live, operations_of};
use crate::record::live_table::Sample;
use crate::record::sample;
use std::collections::HashMap;

/// A call site that leaks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeakSite {
    /// The innermost function that is [the program's own](Frame::is_yours), with its file and line.
    /// `None` if no frame is the program's own, or without debug information.
    pub location: Option<Frame>,
    /// The operations of the work, the outermost first; empty outside of all operations.
    pub operation: Vec<&'static str>,
    /// Bytes by which live memory grows in each round, on average.
    pub bytes_per_round: f64,
    /// Blocks by which live memory grows in each round, on average.
    pub blocks_per_round: f64,
    /// A call stack, from the location outwards to the work.
    pub stack: Vec<Frame>,
}

/// The growth in rounds in which every block was sampled.
pub(crate) struct Grown {
    /// `None` unless every block was sampled.
    pub(crate) sites: Option<Vec<LeakSite>>,
    /// Bytes by which the test harness's buffer for captured output had grown after each round.
    /// Empty unless every block was sampled, because an estimate cannot be subtracted from exact
    /// bytes.
    pub(crate) captured: Vec<i64>,
}

/// Runs `rounds` rounds with every block sampled, and returns the sites that grew.
pub(crate) fn of_growth(
    rounds: u32,
    mut round: impl FnMut() -> Result<(), LeakError>,
) -> Result<Grown, LeakError> {
    let time = EachBlock::begin();
    let mut places = Places::default();
    let (mut first, mut last, mut captured) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..rounds {
        if let Err(error) = round() {
            return Err(match error {
                LeakError::PastLimit(mut leak) => {
                    let sites = since(&first, number + 1);
                    leak.has_sites = sites.is_some();
                    leak.sites = sites.unwrap_or_default();
                    LeakError::PastLimit(leak)
                }
                error => error,
            });
        }
        sample::unsampled(|| {
            last = live();
            captured.push(captured_bytes(&last, &mut places));
            if number == 0 {
                // The first round may replace earlier blocks, which is not growth.
                first.clone_from(&last);
            }
        });
    }
    Ok(sample::unsampled(|| {
        let was_each_sampled = each_block::is_each_sampled();
        drop(time);
        if !was_each_sampled {
            return Grown { sites: None, captured: Vec::new() };
        }
        let sites = growing(&first, &last, rounds.saturating_sub(1), &mut places);
        Grown { sites: Some(sites), captured: growth_of_buffer(&captured) }
    }))
}

/// Returns the sites that grew in `rounds` rounds since these samples were live. Returns `None`
/// unless every block was sampled.
pub(crate) fn since(first: &[Sample], rounds: u32) -> Option<Vec<LeakSite>> {
    let sites = || growing(first, &live(), rounds, &mut Places::default());
    each_block::is_each_sampled().then(|| sample::unsampled(sites))
}

/// Returns the bytes of the buffer in which the test harness captures output.
fn captured_bytes(samples: &[Sample], places: &mut Places) -> i64 {
    let captured = samples.iter().filter(|sample| places.captures_output(sample.site));
    captured.map(|sample| sample.size.cast_signed()).sum()
}

/// Returns for each size the bytes by which the buffer had grown; 0 until the buffer is first
/// found. A buffer doubles, so the first size found is twice the size before.
fn growth_of_buffer(sizes: &[i64]) -> Vec<i64> {
    let first = sizes.iter().copied().find(|size| *size > 0).unwrap_or_default();
    sizes.iter().map(|size| (size - first / 2).max(0)).collect()
}

/// The change in live bytes and blocks, and a call site as an example.
#[derive(Default)]
struct Change {
    location: Option<Frame>,
    operation: Vec<&'static str>,
    bytes: f64,
    blocks: f64,
    example: u32,
}

fn growing(first: &[Sample], last: &[Sample], rounds: u32, places: &mut Places) -> Vec<LeakSite> {
    let mut grown: HashMap<(Place, u32), Change> = HashMap::new();
    let signed = last.iter().map(|sample| (sample, 1.0));
    for (sample, sign) in first.iter().map(|sample| (sample, -1.0)).chain(signed) {
        if places.captures_output(sample.site) {
            continue;
        }
        let (place, location) = places.place(sample.site);
        let entry = grown.entry((place, sample.operation)).or_insert_with(|| Change {
            location,
            operation: operations_of(sample),
            ..Change::default()
        });
        entry.bytes += sign * sample.bytes().value;
        entry.blocks += sign * sample.blocks().value;
        entry.example = sample.site;
    }
    let mut sites: Vec<LeakSite> = grown
        .into_values()
        .filter(|grown| grown.bytes > 0.0)
        .map(|grown| LeakSite {
            location: grown.location,
            operation: grown.operation,
            bytes_per_round: grown.bytes / f64::from(rounds.max(1)),
            blocks_per_round: grown.blocks / f64::from(rounds.max(1)),
            stack: within_the_work(places.stack(grown.example)),
        })
        .collect();
    sites.sort_by(|a, b| b.bytes_per_round.total_cmp(&a.bytes_per_round));
    sites
}

/// Returns the stack without the functions that run the work, and without their callers.
fn within_the_work(mut stack: Vec<Frame>) -> Vec<Frame> {
    // The path of `no_leak`, which contains this module.
    let no_leak = module_path!().trim_end_matches("sites");
    let runs = |frame: &Frame| {
        let function = frame.function.as_deref().unwrap_or_default();
        function.trim_start_matches('<').starts_with(no_leak)
    };
    if let Some(end) = stack.iter().position(runs) {
        stack.truncate(end);
    }
    stack
}
