//! The result of a leak watch.

use crate::read::frame::Frame;
use crate::read::leaks::ages::{Aged, Ages, largest_site};
use crate::read::leaks::groups::{Group, Point, groups};
use crate::read::leaks::growth::Growth;
use crate::read::leaks::places::Places;
use crate::read::leaks::record::{Observed, Row};
use crate::read::leaks::suspects::{Course, course, exact_course, grows_in_steps};
use crate::read::leaks::trend::MIN_OBSERVATIONS;
use crate::read::operations::names;
use crate::record::estimate::Estimate;
use crate::record::{rate, sample};
use core::time::Duration;
use std::collections::HashSet;

/// The memory that grows since a [watch](crate::leak::LeakWatch) started. `{}` prints a short
/// table, and the stack of the worst suspect.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Leaks {
    /// The time for which the program has been watched.
    pub watched: Duration,
    /// The number of observations that were made.
    pub observations: u64,
    /// The growth of the whole process, by exact counts; `None` if there are fewer than two
    /// observations.
    pub process: Option<Growth>,
    /// True if the whole process grows, by the same test as each suspect.
    pub process_grows: bool,
    /// The live bytes of the process at the last observation, less those at the start.
    pub process_bytes: i64,
    /// The current mean bytes from one marked byte to the next.
    pub mean_bytes: u64,
    /// Samples for which the table had no slot. Estimates are corrected for these samples: the
    /// stored ones have a higher weight.
    pub lost_samples: u64,
    /// True if the watch was restarted because the level was changed.
    pub restarted: bool,
    pub(crate) suspects: Vec<Leak>,
}

/// A call site where the memory of one operation grows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Leak {
    /// The innermost function that is [the program's own](Frame::is_yours), with its file and line.
    /// `None` if no frame is the program's own, or without debug information.
    pub location: Option<Frame>,
    /// The operations that ran when the memory was allocated, the outermost first; empty outside of
    /// all operations.
    pub operation: Vec<&'static str>,
    /// The growth of the place's bytes.
    pub growth: Growth,
    /// Bytes for each call of the operation; `None` outside of all operations, and if no call has
    /// ended.
    pub bytes_per_call: Option<f64>,
    /// Live bytes that were allocated since the watch started.
    pub live: Estimate,
    /// Live blocks that were allocated since the watch started.
    pub live_blocks: Estimate,
    /// The ages of the live blocks.
    pub ages: Ages,
    /// The call stack that holds the most bytes, from the location outwards.
    pub stack: Vec<Frame>,
    /// The call sites of the blocks that were live at the last observation, and their operation.
    pub(crate) sites: HashSet<(u32, u32)>,
    /// The time at which the watch started, in milliseconds of the clock of samples.
    pub(crate) since: u64,
}

/// The data of a watch.
pub(crate) struct Seen {
    pub(crate) watched: Duration,
    /// The time of the baseline, in milliseconds of the clock of samples.
    pub(crate) since: u64,
    pub(crate) baseline: Vec<Row>,
    pub(crate) observed: Vec<Observed>,
    pub(crate) ages: Vec<Aged>,
    pub(crate) observations: u64,
    pub(crate) restarted: bool,
}

impl Seen {
    /// Returns all call sites, each once.
    pub(crate) fn sites(&self) -> HashSet<u32> {
        let observed = self.observed.iter().flat_map(|one| one.rows.iter());
        self.baseline.iter().chain(observed).map(|row| row.site).collect()
    }

    pub(crate) fn report(&self, places: &mut Places) -> Leaks {
        let exact = |one: &Observed| (one.seconds, one.number, one.net);
        let process = exact_course(&self.observed.iter().map(exact).collect::<Vec<_>>());
        let groups = groups(&self.baseline, &self.observed, &self.ages, places);
        let growing = groups.iter().filter_map(|group| {
            let points = group.points(&self.observed);
            let course = course(&points).filter(|course| course.grows)?;
            Some((group, course, *points.last()?))
        });
        let growing: Vec<_> = growing.collect();
        // A large block that grows in steps makes the process grow in steps, so test that too.
        let net: Vec<_> = self.observed.iter().map(|one| (one.seconds, one.net as f64)).collect();
        let in_steps = growing.iter().any(|(_, course, _)| course.in_steps) && grows_in_steps(&net);
        let mut suspects: Vec<Leak> = growing
            .iter()
            .map(|(group, course, last)| Leak::of(group, course, last, self.since, places))
            .collect();
        suspects.sort_by(|a, b| b.growth.per_second.total_cmp(&a.growth.per_second));
        Leaks {
            watched: self.watched,
            observations: self.observations,
            process_grows: in_steps || process.as_ref().is_some_and(|process| process.grows),
            process: process.map(|process| match net.last() {
                // The median slope is too low for steps, because all pairs of observations within
                // one step have the slope 0.
                Some(&last) if in_steps && !process.grows => Growth::in_steps(last, process.growth),
                _ => process.growth,
            }),
            process_bytes: self.observed.last().map_or(0, |last| last.net),
            mean_bytes: rate::mean(),
            lost_samples: sample::lost(),
            restarted: self.restarted,
            suspects,
        }
    }
}

impl Leak {
    fn of(group: &Group, course: &Course, last: &Point, since: u64, places: &mut Places) -> Self {
        Self {
            location: group.location.clone(),
            operation: names(group.operation),
            growth: course.growth,
            bytes_per_call: course.per_call,
            live: last.younger,
            live_blocks: last.younger_blocks,
            ages: Ages::of(&group.ages),
            sites: group.ages.iter().map(|block| (block.site, block.operation)).collect(),
            since,
            stack: largest_site(&group.ages).map(|site| places.stack(site)).unwrap_or_default(),
        }
    }
}

impl Leaks {
    /// Returns the suspects, the fastest growth first.
    pub fn iter(&self) -> impl Iterator<Item = &Leak> {
        self.suspects.iter()
    }

    /// Returns true if no place is known to grow. This means nothing [until there are
    /// enough](Self::is_enough) observations.
    pub fn is_empty(&self) -> bool {
        self.suspects.is_empty()
    }

    /// Returns true if there are enough observations for a trend: 5.
    pub fn is_enough(&self) -> bool {
        self.observations >= MIN_OBSERVATIONS as u64
    }

    /// Returns the growth of the process less the growth of all suspects, in bytes per second.
    /// Returns `None` if the process does not grow. The result is negative if suspects have grown
    /// and the process has freed other memory.
    pub fn unexplained_per_second(&self) -> Option<f64> {
        let process = self.process.filter(|_| self.process_grows)?;
        let explained: f64 = self.suspects.iter().map(|leak| leak.growth.per_second).sum();
        Some(process.per_second - explained)
    }
}

impl<'a> IntoIterator for &'a Leaks {
    type Item = &'a Leak;
    type IntoIter = core::slice::Iter<'a, Leak>;

    fn into_iter(self) -> Self::IntoIter {
        self.suspects.iter()
    }
}
