//! The places of a leak: call sites that grow from round to round while every block is sampled.
//!
//! At most 4,096 samples are live. When more blocks are, the rate becomes coarser: samples are
//! removed at random, and the others represent them. So the growth is that until the last round in
//! which every block was sampled. If there are not two such rounds, the growth of the other rounds
//! is an estimate, and call sites whose growth is within its errors are left out.

use crate::read::frame::{Frame, Place};
use crate::read::leaks::Places;
use crate::read::no_leak::LeakError;
use crate::read::no_leak::each_block::{self, EachBlock, live, operations_of};
use crate::record::live_table::Sample;
use crate::record::sample;
use std::collections::HashMap;

/// The standard errors by which an estimated growth must exceed 0.
const ERRORS: f64 = 3.0;

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
    pub(crate) sites: Vec<LeakSite>,
    /// Bytes by which the test harness's buffer for captured output had grown after each round.
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
    let (mut rounds_to_last, mut is_exact) = (0, false);
    for number in 0..rounds {
        if let Err(error) = round() {
            return Err(match error {
                LeakError::PastLimit(mut leak) => {
                    leak.sites = since(&first, number + 1);
                    LeakError::PastLimit(leak)
                }
                error => error,
            });
        }
        sample::unsampled(|| {
            let now = live();
            captured.push(captured_bytes(&now, &mut places));
            if number == 0 {
                // The first round may replace earlier blocks, which is not growth.
                first.clone_from(&now);
            }
            let is_each_sampled = each_block::is_each_sampled();
            if is_each_sampled || !is_exact {
                (last, rounds_to_last) = (now, number);
            }
            is_exact |= is_each_sampled && number > 0;
        });
    }
    Ok(sample::unsampled(|| {
        drop(time);
        let sites = growing(&first, &last, rounds_to_last, &mut places);
        Grown { sites, captured: growth_of_buffer(&captured) }
    }))
}

/// Returns the sites that grew in `rounds` rounds since these samples were live.
pub(crate) fn since(first: &[Sample], rounds: u32) -> Vec<LeakSite> {
    sample::unsampled(|| growing(first, &live(), rounds, &mut Places::default()))
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
    let mut largest = 0;
    let grown = sizes.iter().map(|size| {
        // The sample of the buffer may be removed when the rate becomes coarser.
        largest = largest.max(*size);
        (largest - first / 2).max(0)
    });
    grown.collect()
}

/// The change in live bytes and blocks, and a call site as an example.
#[derive(Default)]
struct Change {
    operation: Vec<&'static str>,
    bytes: f64,
    blocks: f64,
    /// The square of the standard error of the bytes; 0 if every block was sampled.
    variance: f64,
    example: u32,
}

fn growing(first: &[Sample], last: &[Sample], rounds: u32, places: &mut Places) -> Vec<LeakSite> {
    let mut grown: HashMap<(Place, u32), Change> = HashMap::new();
    let signed = last.iter().map(|sample| (sample, 1.0));
    for (sample, sign) in first.iter().map(|sample| (sample, -1.0)).chain(signed) {
        if places.captures_output(sample.site) {
            continue;
        }
        let place = places.place(sample.site);
        let entry = grown
            .entry((place, sample.operation))
            .or_insert_with(|| Change { operation: operations_of(sample), ..Change::default() });
        let bytes = sample.bytes();
        entry.bytes += sign * bytes.value;
        entry.variance += bytes.variance;
        entry.blocks += sign * sample.blocks().value;
        entry.example = sample.site;
    }
    let mut sites: Vec<LeakSite> = grown
        .into_iter()
        .filter(|(_, grown)| grown.bytes > ERRORS * grown.variance.sqrt())
        .map(|((place, _), grown)| LeakSite {
            location: place.allocates().cloned(),
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
