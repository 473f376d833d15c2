//! Where a leak is allocated: what grows from round to round while each block is sampled.

use super::LeakError;
use super::each_block::{EachBlock, live, operations_of};
use crate::frames::Frame;
use crate::leaks::places::{Place, Places, place};
use crate::sampling::{self, Sample};
use std::collections::HashMap;

/// A place in the source that leaks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeakSite {
    /// The innermost function that is [the program's own](Frame::is_yours), with its file and line;
    /// `None` where no frame is, as no debug information tells.
    pub location: Option<Frame>,
    /// The operations of the work, the outermost first; empty outside of all.
    pub operation: Vec<&'static str>,
    /// Bytes more that are live after each round, on average.
    pub bytes_per_round: f64,
    /// Blocks more.
    pub blocks_per_round: f64,
    /// A call stack, from the location outwards to the work.
    pub stack: Vec<Frame>,
}

/// Runs so many rounds, each block sampled, and says what grew.
pub(super) fn of_growth(
    rounds: u32,
    mut round: impl FnMut() -> Result<(), LeakError>,
) -> Result<Vec<LeakSite>, LeakError> {
    let time = EachBlock::begin();
    round()?;
    // What the first round replaced is from before.
    let first = sampling::unsampled(live);
    for _ in 1..rounds {
        round()?;
    }
    Ok(sampling::unsampled(|| {
        let last = live();
        drop(time);
        growing(&first, &last, rounds - 1)
    }))
}

/// Bytes and blocks that are live, more or less than at first, and a call site as an example.
#[derive(Default)]
struct Grown {
    location: Option<Frame>,
    operation: Vec<&'static str>,
    bytes: f64,
    blocks: f64,
    example: u32,
}

fn growing(first: &[Sample], last: &[Sample], rounds: u32) -> Vec<LeakSite> {
    let mut places = Places::default();
    let mut grown: HashMap<(Option<Place>, u32), Grown> = HashMap::new();
    let signed = last.iter().map(|sample| (sample, 1.0));
    for (sample, sign) in first.iter().map(|sample| (sample, -1.0)).chain(signed) {
        let location = places.location(sample.site);
        let key = (location.as_ref().map(place), sample.operation);
        let entry = grown.entry(key).or_insert_with(|| Grown {
            location,
            operation: operations_of(sample),
            ..Grown::default()
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
            bytes_per_round: grown.bytes / f64::from(rounds),
            blocks_per_round: grown.blocks / f64::from(rounds),
            stack: within_the_work(places.stack(grown.example)),
        })
        .collect();
    sites.sort_by(|a, b| b.bytes_per_round.total_cmp(&a.bytes_per_round));
    sites
}

/// Without what runs the work, and what runs that.
fn within_the_work(mut stack: Vec<Frame>) -> Vec<Frame> {
    let runs = |frame: &Frame| {
        let function = frame.function.as_deref().unwrap_or_default();
        function.trim_start_matches('<').starts_with("memprof_heap::no_leak::")
    };
    if let Some(end) = stack.iter().position(runs) {
        stack.truncate(end);
    }
    stack
}
