//! What a watch tells of leaks.

use super::ages::{Aged, Ages, largest_site};
use super::groups::{Group, groups};
use super::growth::Growth;
use super::places::Places;
use super::record::{Observed, Row};
use super::suspects::{Course, course, exact_course, grows_in_steps};
use super::trend::LEAST_OBSERVATIONS;
use crate::results::frame::Frame;
use crate::results::operations::names;
use crate::sampling;
use crate::sampling::Estimate;
use core::time::Duration;
use std::collections::HashSet;

/// What grows since a [watch](crate::LeakWatch) started; printed, a short table and the stack of
/// the worst.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Leaks {
    /// How long the program has been watched.
    pub watched: Duration,
    /// Observations that were made.
    pub observations: u64,
    /// How the bytes of the whole process go, counted exactly; `None` of fewer than two
    /// observations.
    pub process: Option<Growth>,
    /// Whether the whole process grows, by the same test as each suspect.
    pub process_grows: bool,
    /// By how many bytes the process held more at the last observation than at the start.
    pub process_bytes: i64,
    /// Bytes from one marked byte to the next, on average, as samples are taken now.
    pub mean_bytes: u64,
    /// Samples that found no place. Live bytes are corrected for them: the others stand for more.
    pub lost_samples: u64,
    /// Whether the watch started again, as the level was changed.
    pub restarted: bool,
    pub(super) suspects: Vec<Leak>,
}

/// A place in the source whose memory grows, as far as one operation came there.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Leak {
    /// The innermost function that is [the program's own](Frame::is_yours), with its file and line;
    /// `None` where no frame is, as no debug information tells.
    pub location: Option<Frame>,
    /// The operations that ran on the thread, the outermost first; empty outside of all.
    pub operation: Vec<&'static str>,
    /// How fast.
    pub growth: Growth,
    /// Bytes for each call of the operation; `None` outside of all, and where no call ended.
    pub bytes_per_call: Option<f64>,
    /// Bytes live of those allocated since the watch started.
    pub live: Estimate,
    /// The same in blocks.
    pub live_blocks: Estimate,
    /// How old they are.
    pub ages: Ages,
    /// The call stack that holds most, from the location outwards.
    pub stack: Vec<Frame>,
}

/// What a watch has seen.
pub(super) struct Seen {
    pub(super) watched: Duration,
    pub(super) baseline: Vec<Row>,
    pub(super) observed: Vec<Observed>,
    pub(super) ages: Vec<Aged>,
    pub(super) observations: u64,
    pub(super) restarted: bool,
}

impl Seen {
    /// All call sites, each once.
    pub(super) fn sites(&self) -> HashSet<u32> {
        let observed = self.observed.iter().flat_map(|one| &one.rows);
        self.baseline.iter().chain(observed).map(|row| row.site).collect()
    }

    pub(super) fn report(&self, places: &mut Places) -> Leaks {
        let exact = |one: &Observed| (one.seconds, one.number, one.net);
        let process = exact_course(&self.observed.iter().map(exact).collect::<Vec<_>>());
        let groups = groups(&self.baseline, &self.observed, &self.ages, places);
        let growing = groups.iter().filter_map(|group| Some((group, course(&group.points)?)));
        let growing: Vec<_> = growing.filter(|(_, course)| course.grows).collect();
        // Where one block grows in steps, so does the process.
        let net: Vec<_> = self.observed.iter().map(|one| (one.seconds, one.net as f64)).collect();
        let in_steps = growing.iter().any(|(_, course)| course.in_steps) && grows_in_steps(&net);
        let mut suspects: Vec<Leak> =
            growing.iter().map(|(group, course)| Leak::of(group, course, places)).collect();
        suspects.sort_by(|a, b| b.growth.per_second.total_cmp(&a.growth.per_second));
        Leaks {
            watched: self.watched,
            observations: self.observations,
            process_grows: in_steps || process.as_ref().is_some_and(|process| process.grows),
            process: process.map(|process| match net.last() {
                // The median slope of steps is that of the pairs between two of them: 0.
                Some(&last) if in_steps && !process.grows => Growth::in_steps(last, process.growth),
                _ => process.growth,
            }),
            process_bytes: self.observed.last().map_or(0, |last| last.net),
            mean_bytes: sampling::mean(),
            lost_samples: sampling::lost(),
            restarted: self.restarted,
            suspects,
        }
    }
}

impl Leak {
    fn of(group: &Group, course: &Course, places: &mut Places) -> Self {
        let last = group.points.last().copied().unwrap_or_default();
        Self {
            location: group.location.clone(),
            operation: names(group.operation),
            growth: course.growth,
            bytes_per_call: course.per_call,
            live: last.younger,
            live_blocks: last.younger_blocks,
            ages: Ages::of(&group.ages),
            stack: largest_site(&group.ages).map(|site| places.stack(site)).unwrap_or_default(),
        }
    }
}

impl Leaks {
    /// The suspects, those that grow fastest first.
    pub fn iter(&self) -> impl Iterator<Item = &Leak> {
        self.suspects.iter()
    }

    /// Whether no place is known to grow; which says nothing [until there are
    /// enough](Self::is_enough) observations.
    pub fn is_empty(&self) -> bool {
        self.suspects.is_empty()
    }

    /// Whether there are as many observations as a trend takes: 5.
    pub fn is_enough(&self) -> bool {
        self.observations >= LEAST_OBSERVATIONS as u64
    }

    /// Bytes in a second by which the process grows more than all suspects together; `None` if it
    /// does not grow. Below 0 where they have grown and the process has freed elsewhere.
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
