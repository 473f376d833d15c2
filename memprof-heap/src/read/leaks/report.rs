//! The result of a leak watch, and its report, which fits on a screen.
//!
//! Call sites are known from samples, but the process is counted exactly. No result may contradict
//! the exact count:
//! - If the process grows and no suspect explains it, the call sites that grew most are listed, each
//!   with the reason why it is no suspect.
//! - If sampling began with the watch, a cache of constant size looks like growth: its new blocks are
//!   sampled, and the old ones that they replace were not. All call sites together then grow by more
//!   than the process. So a call site that grew by more than the process is listed apart.
//! - If one line fills a cache and another one refreshes it, the second grows as the first shrinks. So
//!   a call site that grew at least twice as fast as the process ever did is listed apart too.
//!
//! The worst suspect is first. The summary and the call sites that are no suspects are last.

use crate::read::frame::{
    Frame, Place, WIDTH, key_frames, place_line, write_called, write_callers,
};
use crate::read::leaks::growth::{Doubt, ERRORS_95, Growth, growth};
use crate::read::leaks::paths::Found;
use crate::read::leaks::trend::{MIN_OBSERVATIONS, Trend};
use crate::read::leaks::{Ages, Group, Held, Observed, Places, Seen, Series};
use crate::read::operations::names;
use crate::record::estimate::Estimate;
use crate::record::sample;
use core::fmt;
use core::fmt::Write as _;
use core::time::Duration;
use memprof_profile::text::{Shown, columns, counted, current_folder, cut, signed};
use memprof_profile::views::Units;
use std::collections::HashSet;

/// The number of samples with which a steady leak is found in at least 95 of 100 cases.
const SAMPLES_OF_LEAK: f64 = 30.0;

/// The maximum number of branches around suspects. Those around the most stacks come first.
const WIDER: usize = 64;

/// The maximum number of stacks that a call site without names lists. A line that is inlined
/// everywhere has hundreds.
const STACKS: usize = 512;

/// The smallest share of the process's growth for which a call site is listed that is no suspect. A
/// reader with names adds it to the suspect at the same line, whose growth would lack it otherwise.
const LISTED_SHARE: f64 = 0.02;

/// The memory that has grown since a [watch](crate::leak::LeakWatch) started. `{}` prints the
/// suspects with the lines that explain them, and the callers of the worst one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Leaks {
    /// How long the program has been watched.
    pub watched: Duration,
    /// The number of observations.
    pub observations: u64,
    /// The growth of the whole process, by exact counts; `None` if there are fewer than two
    /// observations.
    pub process: Option<Growth>,
    /// True if the whole process grows.
    ///
    /// Its exact counts then have a rising trend, or the process grew by at least as much as all
    /// suspects.
    pub process_grows: bool,
    /// The live bytes of the process at the last observation, minus those at the start.
    pub process_bytes: i64,
    /// The current mean bytes from one marked byte to the next.
    pub mean_bytes: u64,
    /// The slowest steady growth of one call site, in bytes per second, that is found in at least
    /// 95 of 100 cases. Infinite without observations.
    pub smallest_found: f64,
    /// Samples for which the table had no slot. Estimates are corrected for these samples: the
    /// stored ones have a higher weight.
    pub lost_samples: u64,
    /// True if the watch was restarted because the level was changed.
    pub restarted: bool,
    pub(crate) suspects: Vec<Leak>,
    pub(crate) wider: Vec<Leak>,
    /// The call sites with a [doubt](Leak::doubt), fastest growth first.
    doubtful: Vec<Leak>,
}

/// The result of a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// There are fewer than 5 observations, so it is unknown whether memory grows.
    Unknown,
    /// There are suspects.
    Leaks,
    /// The process grows, but no call site certainly does.
    NoCertainSite,
    /// Neither the process nor a call site grows, as far as [can be found](Leaks::smallest_found).
    NothingGrows,
}

/// A call site where the memory of one operation grows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Leak {
    /// The innermost function that is [the program's own](Frame::is_yours), with its file and line.
    /// `None` if no frame is the program's own, or without debug information.
    pub location: Option<Frame>,
    /// The innermost frame from the user's own packages; `None` if the stack has none.
    pub your_code: Option<Frame>,
    /// The operations that ran when the memory was allocated, outermost first; empty outside of all
    /// operations.
    pub operation: Vec<&'static str>,
    /// The growth of the place's bytes.
    pub growth: Growth,
    /// Bytes per call of the operation; `None` outside of all operations, and if no call has ended.
    pub bytes_per_call: Option<f64>,
    /// Live bytes that were allocated since the watch started.
    pub live: Estimate,
    /// Live blocks that were allocated since the watch started.
    pub live_blocks: Estimate,
    /// The ages of the live blocks.
    pub ages: Ages,
    /// The call stack that holds the most bytes, from the location outwards.
    pub stack: Vec<Frame>,
    /// The number of innermost frames of `stack` that all stacks of the call site share; `None` if
    /// the frames have names, or it has only this stack.
    pub shared_frames: Option<usize>,
    /// The numbers of the stacks, and the live bytes of each, if it has several stacks without
    /// names. The stacks with the most bytes come first, and at most 512 are kept.
    pub stacks: Vec<(u32, f64)>,
    /// The reason why this call site is not a suspect; `None` for a suspect.
    pub doubt: Option<Doubt>,
    /// True if more than half of the memory was freed by the next observation. Always false unless
    /// returned by [`leaks_at_end`](crate::leak::LeakWatch::leaks_at_end).
    pub was_freed: bool,
    /// The call sites of the blocks that were live at the last observation, and their operation.
    pub(crate) sites: HashSet<(u32, u32)>,
    /// The time at which the watch started, in milliseconds of the clock of samples.
    pub(crate) since: u64,
}

/// The share of a call site's growth that the process may have freed elsewhere meanwhile.
const FREED_ELSEWHERE: f64 = 0.01;

/// The shares of the watch from which on the pace of the process is also computed. One that frees
/// what it needed to start does not grow over the whole watch, but may leak since.
const SINCE: [f64; 3] = [0.25, 0.5, 0.75];

/// How much faster than the process a call site must have grown to be listed apart.
const FASTER: f64 = 2.0;

struct Process {
    growth: Option<Growth>,
    grows: bool,
    bytes: f64,
    /// The maximum growth that the exact counts allow; infinite if there are too few.
    most_bytes: f64,
    /// The maximum bytes per second by which the process grew until the end.
    most_per_second: f64,
}

impl Seen {
    pub(crate) fn report(&self, places: &mut Places) -> Leaks {
        let mut process = self.process();
        let seconds = self.seconds();
        let (all, is_partly_unseen) = self.all_sites(process.bytes);
        let most_bytes = FASTER * process.most_per_second * seconds;
        let most_bytes = if is_partly_unseen { process.most_bytes } else { most_bytes };
        let judge = |series: &Series| judge(series, seconds, most_bytes);
        let (mut suspects, mut doubtful) = (Vec::new(), Vec::new());
        let (groups, mut paths) = self.groups(places);
        for group in groups {
            let Some((_, doubt)) = judge(&group.series(self)) else { continue };
            let leaks = if doubt.is_none() { &mut suspects } else { &mut doubtful };
            leaks.push(Leak::of(&group, self, doubt, places));
        }
        let mut found = Found::among(&paths, self, |series| {
            series.may_be_suspect() && judge(series).is_some_and(|(_, doubt)| doubt.is_none())
        });
        suspects.extend(found.narrowest.iter().map(|it| Leak::of(it, self, None, places)));
        sort(&mut suspects);
        process.explain(&suspects, seconds, self.observations);
        let is_listed = |growth: &Growth, doubt: Option<Doubt>| {
            let share = growth.per_second * seconds / process.bytes;
            doubt == Some(Doubt::Replaced) || process.grows && share >= LISTED_SHARE
        };
        doubtful.retain(|leak| is_listed(&leak.growth, leak.doubt));
        for paths in &mut paths {
            paths.remove(&found.narrowest);
        }
        // A branch that is doubtful as a whole may certainly grow without its doubtful parts.
        let others = Found::among(&paths, self, |series| {
            judge(series).is_some_and(|(growth, doubt)| is_listed(&growth, doubt))
        });
        for branch in others.narrowest {
            let doubt = judge(&branch.series(self)).and_then(|(_, doubt)| doubt);
            let leaks = if doubt.is_none() { &mut suspects } else { &mut doubtful };
            leaks.push(Leak::of(&branch, self, doubt, places));
        }
        sort(&mut suspects);
        found.wider.sort_by_key(|branch| branch.shared_frames);
        found.wider.truncate(WIDER);
        let wider = found.wider.iter().map(|branch| {
            let doubt = judge(&branch.series(self)).map_or(Some(Doubt::Unsteady), |it| it.1);
            Leak::of(branch, self, doubt, places)
        });
        let wider = wider.collect();
        sort(&mut doubtful);
        Leaks {
            watched: self.watched,
            observations: self.observations,
            process_grows: process.grows,
            process: process.growth,
            process_bytes: self.observed.last().map_or(0, |last| last.net),
            mean_bytes: sample::mean(),
            smallest_found: SAMPLES_OF_LEAK * bytes_of_sample(&all) / seconds,
            lost_samples: sample::lost(),
            restarted: self.restarted,
            suspects,
            wider,
            doubtful,
        }
    }

    fn process(&self) -> Process {
        let series = |x: fn(&Observed) -> f64| {
            let one = |one: &Observed| (x(one), one.net as f64);
            self.observed.iter().map(one).collect::<Vec<_>>()
        };
        let by_seconds = series(|one| one.seconds);
        let trend = Trend::of_minima(&by_seconds);
        let per_observation = Trend::of_minima(&series(|one| one.number as f64));
        let growth = trend.zip(per_observation).map(|(trend, by_number)| Growth {
            per_second: trend.slope,
            interval: trend.slope_interval,
            per_observation: by_number.slope,
        });
        let bytes = self.observed.last().map_or(0.0, |last| last.net as f64);
        let most = growth.map_or(f64::INFINITY, |growth| growth.interval.1);
        let most_since = |share: f64| {
            let since = by_seconds.partition_point(|one| one.0 < share * self.seconds());
            let trend = Trend::of_minima(&by_seconds[since..]);
            trend.map_or(f64::INFINITY, |trend| trend.slope_interval.1)
        };
        let mean = bytes / self.seconds().max(f64::MIN_POSITIVE);
        Process {
            growth,
            grows: trend.is_some_and(|trend| trend.grows()),
            bytes,
            most_bytes: bytes.max(most * self.seconds()).max(0.0),
            most_per_second: SINCE
                .map(most_since)
                .into_iter()
                .fold(mean.max(most).max(0.0), f64::max),
        }
    }

    /// Returns the live bytes of all call sites at the last observation. Also returns true if they
    /// grew by more than the process: it then freed blocks that were never sampled.
    fn all_sites(&self, process_bytes: f64) -> (Held, bool) {
        let now = Held::of_all(self.last_rows());
        let (value, (low, _)) = growth(&Held::of_all(&self.baseline), &now);
        (now, surely(value, low) > process_bytes.max(0.0))
    }
}

/// Returns the growth of a series, and why it is no suspect. Returns `None` if it may not have grown
/// at all.
///
/// A series that certainly grew by more than `most_bytes` replaces other memory.
pub(super) fn judge(
    series: &Series,
    seconds: f64,
    most_bytes: f64,
) -> Option<(Growth, Option<Doubt>)> {
    let growth = series.growth();
    if growth.interval.0 <= 0.0 {
        return None;
    }
    let least = surely(growth.per_second, growth.interval.0) * seconds * (1.0 - FREED_ELSEWHERE);
    let doubt = match series.doubt() {
        Some(Doubt::FewSamples) => Some(Doubt::FewSamples),
        _ if least > most_bytes => Some(Doubt::Replaced),
        doubt => doubt,
    };
    Some((growth, doubt))
}

/// Returns the lower end of the interval that contains the truth in 999 of 1,000 cases. `low` is the
/// lower end of the 95 % interval: above the exact growth in one of 40 programs with one leak.
fn surely(value: f64, low: f64) -> f64 {
    value - 3.3 / ERRORS_95 * (value - low)
}

fn sort(leaks: &mut [Leak]) {
    leaks.sort_by(|a, b| b.growth.per_second.total_cmp(&a.growth.per_second));
}

impl Process {
    /// Sets the process to grow if it grew by at least as much as all suspects. The trend test finds
    /// no growth in a process whose bytes rise in steps, as those of one buffer that doubles do.
    fn explain(&mut self, suspects: &[Leak], seconds: f64, observations: u64) {
        // A block that grows has its pace since it was allocated.
        let bytes = |leak: &Leak| (leak.growth.interval.0 * seconds).min(leak.live.value);
        let least: f64 = suspects.iter().map(bytes).sum();
        if self.grows || suspects.is_empty() || self.bytes < least {
            return;
        }
        self.grows = true;
        if let Some(growth) = &mut self.growth {
            growth.per_second = self.bytes / seconds;
            growth.per_observation = self.bytes / observations.max(1) as f64;
            growth.interval.0 = growth.interval.0.min(growth.per_second);
            growth.interval.1 = growth.interval.1.max(growth.per_second);
        }
    }
}

/// If each block is sampled, this is the mean size of a block.
fn bytes_of_sample(held: &Held) -> f64 {
    let samples = (held.younger.samples + held.older.samples).max(1) as f64;
    let mean = sample::mean() as f64;
    if mean > 0.0 { mean } else { (held.younger.value + held.older.value) / samples }
}

impl Leak {
    fn of(group: &Group, seen: &Seen, doubt: Option<Doubt>, places: &mut Places) -> Self {
        let (series, mut stacks) = (group.series(seen), group.live_sites(seen));
        let sites = stacks.iter().map(|(site, _)| (*site, group.operation)).collect();
        let largest = stacks.first().map(|(site, _)| *site);
        stacks.truncate(if group.shared_frames.is_some() { STACKS } else { 0 });
        Self {
            location: group.place.as_ref().and_then(Place::allocates).cloned(),
            your_code: group.place.as_ref().and_then(Place::your_code).cloned(),
            operation: names(group.operation),
            growth: series.growth(),
            bytes_per_call: series.per_call(),
            live: series.points.last().map(|point| point.held.younger).unwrap_or_default(),
            live_blocks: group.live_blocks(seen),
            ages: group.ages(seen),
            stack: largest.map(|site| places.stack(site)).unwrap_or_default(),
            shared_frames: group.shared_frames,
            stacks,
            doubt,
            was_freed: false,
            sites,
            since: seen.since,
        }
    }
}

impl Leaks {
    /// Returns the suspects, fastest growth first.
    pub fn iter(&self) -> impl Iterator<Item = &Leak> {
        self.suspects.iter()
    }

    /// Returns true if there are no suspects. [`verdict`](Self::verdict) returns what this means.
    pub fn is_empty(&self) -> bool {
        self.suspects.is_empty()
    }

    /// Returns the groups of call stacks around the suspects; those that share the fewest frames come
    /// first. Empty if all suspects have names.
    ///
    /// Without names, it is unknown which stacks allocate at the same line. A suspect may therefore
    /// be only a part of the line. One of these groups then has all stacks of the line. If this group
    /// has a [doubt](Leak::doubt), the line is no suspect.
    pub fn wider(&self) -> impl Iterator<Item = &Leak> {
        self.wider.iter()
    }

    /// Returns the call sites that grew, but are not certain to keep growing; fastest growth first.
    /// Empty unless the process grows. Each has at least 2 % of the process's growth.
    pub fn uncertain(&self) -> impl Iterator<Item = &Leak> {
        self.doubtful.iter().filter(|leak| leak.doubt != Some(Doubt::Replaced))
    }

    /// Returns the call sites whose new blocks replace old ones, so that the process grew less;
    /// fastest growth first.
    pub fn replaced(&self) -> impl Iterator<Item = &Leak> {
        self.doubtful.iter().filter(|leak| leak.doubt == Some(Doubt::Replaced))
    }

    /// Returns what was found.
    pub fn verdict(&self) -> Verdict {
        if self.observations < MIN_OBSERVATIONS as u64 {
            Verdict::Unknown
        } else if !self.suspects.is_empty() {
            Verdict::Leaks
        } else if self.process_grows {
            Verdict::NoCertainSite
        } else {
            Verdict::NothingGrows
        }
    }

    /// Returns the growth of the process minus the growth of all suspects, in bytes per second.
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

const LINES: usize = 18;

/// The maximum number of other call sites below suspects, and `ALONE` if there are no suspects.
const DOUBTFUL: usize = 2;
const ALONE: usize = 6;

impl fmt::Display for Leaks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.watched.as_secs_f64();
        if self.verdict() == Verdict::Unknown {
            let few = self.observations;
            return write!(
                out,
                "unknown, too few observations: {few} in {seconds:.1} s; {MIN_OBSERVATIONS} are \
                 needed{}",
                self.again()
            );
        }
        let folder = current_folder();
        let folder = folder.as_deref();
        let (mut lines, mut shown) = (0, 0);
        for leak in self {
            let entry = entry(leak, folder, shown == 0)?;
            lines += entry.lines().count();
            if shown > 0 && lines > LINES {
                break;
            }
            out.write_str(&entry)?;
            shown += 1;
        }
        if let Some(more) = self.iter().count().checked_sub(shown).filter(|more| *more > 0) {
            writeln!(out, "…{more} more")?;
        }
        writeln!(out, "{}", self.summary())?;
        let doubtful = self.uncertain().chain(self.replaced());
        for leak in doubtful.take(if self.is_empty() { ALONE } else { DOUBTFUL }) {
            let start = format!("  {}  {}: ", speed(&leak.growth), reason(leak));
            writeln!(out, "{start}{}", place(leak, WIDTH.saturating_sub(columns(&start)), folder))?;
        }
        write!(
            out,
            "{} observations in {seconds:.1} s · counts only memory allocated since then",
            self.observations
        )?;
        match self.lost_samples {
            0 => {}
            lost => write!(out, " · {lost} samples lost")?,
        }
        out.write_str(self.again())
    }
}

impl Leaks {
    fn again(&self) -> &'static str {
        if self.restarted { "\nrestarted, because the level changed" } else { "" }
    }

    fn summary(&self) -> String {
        let plus = if self.process_bytes > 0 { "+" } else { "" };
        let changed = format!("{plus}{} (exact count)", rounded(self.process_bytes as f64));
        match (self.verdict(), self.process.filter(|_| self.process_grows)) {
            (Verdict::Leaks, Some(growth)) => {
                let unexplained = self.unexplained_per_second().unwrap_or_default();
                let share = 100.0 * unexplained.max(0.0) / growth.per_second;
                format!("the process grows by {}; unexplained: {share:.0} %", speed(&growth))
            }
            (Verdict::Leaks, None) => {
                format!("the process as a whole does not grow: it changed by {changed}")
            }
            (_, Some(growth)) => format!(
                "the process grows by {}, but no call site certainly does\n\
                 (one byte in {} is sampled)",
                speed(&growth),
                Units::Iec.show(self.mean_bytes.max(1)),
            ),
            (_, None) => format!(
                "nothing grows; the process changed by {changed}\n\
                 growth of one call site by {}/s would have been found",
                rounded(self.smallest_found)
            ),
        }
    }
}

/// Returns the user's code, the dependency that it calls, the allocating function, and the figures.
fn entry(leak: &Leak, folder: Option<&str>, has_callers: bool) -> Result<String, fmt::Error> {
    let mut out = place(leak, WIDTH, folder) + "\n";
    let key = key_frames(&leak.stack);
    let allocating = key.allocates.filter(|_| key.allocates != key.your_code);
    write_called(&mut out, &key, allocating.as_slice(), folder)?;
    let blocks = counted(leak.live_blocks.value.round() as u64, "block");
    writeln!(out, "  {} · {} live in {blocks}", speed(&leak.growth), leak.live.bytes())?;
    writeln!(out, "{}", cut(&format!("  {}", details(leak)), WIDTH))?;
    if has_callers {
        write_callers(&mut out, &leak.stack, &key, folder)?;
    }
    Ok(out)
}

fn place(leak: &Leak, width: usize, folder: Option<&str>) -> String {
    place_line(leak.your_code.as_ref().or(leak.location.as_ref()), width, folder)
}

fn details(leak: &Leak) -> String {
    let mut facts = Vec::new();
    if !leak.operation.is_empty() {
        facts.push(format!("in {}", Shown(&leak.operation.join(";"))));
    }
    if let Some(bytes) = leak.bytes_per_call {
        facts.push(format!("{} per call", rounded(bytes)));
    }
    let age = |age: Duration| format!("{:.1} s", age.as_secs_f64());
    facts.push(format!("oldest {}, median {}", age(leak.ages.oldest), age(leak.ages.median)));
    facts.join(" · ")
}

fn reason(leak: &Leak) -> String {
    match leak.doubt {
        Some(Doubt::Unsteady) => "not steady".to_owned(),
        Some(Doubt::ShortLived) => "short-lived blocks".to_owned(),
        Some(Doubt::Replaced) => "replaced (the process grew less)".to_owned(),
        Some(Doubt::FewSamples) | None => counted(leak.live.samples, "sample"),
    }
}

/// Returns `64.0 KiB/s (58.1 KiB to 70.2 KiB)`, or the growth per minute or hour if it is slow.
fn speed(growth: &Growth) -> String {
    const SLOW: f64 = 1024.0;
    let units = [(1.0, "s"), (60.0, "min"), (3600.0, "h")];
    let readable = |unit: &&(f64, &str)| growth.per_second.abs() * unit.0 >= SLOW;
    let (seconds, unit) = units.iter().find(readable).unwrap_or(&units[2]);
    let [slope, low, high] =
        [growth.per_second, growth.interval.0, growth.interval.1].map(|one| one * seconds);
    if low.is_finite() && high.is_finite() {
        format!("{}/{unit} ({} to {})", rounded(slope), rounded(low), rounded(high))
    } else {
        format!("{}/{unit}", rounded(slope))
    }
}

fn rounded(bytes: f64) -> String {
    // Print a decimal for few bytes, such as bytes per call.
    if bytes.abs() < 10.0 && (bytes - bytes.round()).abs() > 0.05 {
        return format!("{bytes:.1} B");
    }
    signed(bytes.round() as i128, Units::Iec)
}

#[cfg(test)]
mod tests;
