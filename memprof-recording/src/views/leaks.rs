//! The list of suspects: call site, growth and stack, the roots that hold the memory, and the evidence
//! of the watch.

use super::Suspect;
use super::words::{estimated, joined, place_within, rounded};
use crate::Recording;
use crate::document::{Doubt, HeapLevel, HeldBy, Leak, LeakVerdict, LeakWatch, Place, Snapshot};
use core::fmt;
use core::time::Duration;
use memprof_profile::Profile;
use memprof_profile::text::{
    Frame, Shown, counted, current_folder, cut, filled, signed, write_called,
};
use memprof_profile::views::{DiffEntry, DiffKind, Units};
use std::collections::BTreeMap;

/// The suspects with their call stacks; [`Recording::leak_list`] creates it, `{}` formats it.
///
/// ```no_run
/// let recording = memprof::session::Recording::read_file("memory_profile_20261121_083000.json")?;
/// println!("{}", recording.leak_list());
/// # Ok::<(), memprof::session::RecordingError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct LeakList<'r> {
    recording: &'r Recording,
    units: Units,
    width: usize,
    all_frames: bool,
    all_frames_hint: &'r str,
}

const MIN_WIDTH: usize = 40;
const DOUBTFUL: usize = 5;
const FRAMES: usize = 12;

impl Recording {
    /// Returns the suspects, worst first, each with its call stack.
    pub fn leak_list(&self) -> LeakList<'_> {
        LeakList {
            recording: self,
            units: Units::Iec,
            width: 100,
            all_frames: false,
            all_frames_hint: "--all-frames",
        }
    }

    /// Returns why the suspects are unknown, or `None` if they are known.
    ///
    /// If the summary is older than the recording and lists no suspects, they are unknown.
    pub fn leaks_unknown_reason(&self) -> Option<&'static str> {
        if !self.summary.leaks.is_empty() {
            return None;
        }
        let heap = self.snapshots.iter().rev().find_map(|snapshot| snapshot.heap);
        match heap.map(|heap| heap.level) {
            None => Some("memprof's allocator did not count in this program"),
            Some(HeapLevel::Counters) => Some("suspects need samples, and none were taken"),
            Some(HeapLevel::Sampled) => self
                .summary_unknown_reason()
                .or_else(|| {
                    self.summary_age().map(|_| "the last summary is older than the recording")
                })
                .or_else(|| {
                    let verdict = self.summary.leak_watch.map(|watch| watch.verdict);
                    let is_known = verdict.is_some_and(|verdict| verdict != LeakVerdict::Unknown);
                    (!is_known).then_some("too few observations")
                }),
        }
    }
}

impl Recording {
    /// Returns what the leak watch found, line by line: first whether call sites keep growing, then
    /// the evidence. [`leak_list`](Self::leak_list) has the same lines below the suspects.
    ///
    /// Empty if the [suspects are unknown](Self::leaks_unknown_reason).
    pub fn leak_verdict(&self, units: Units) -> Vec<String> {
        if self.leaks_unknown_reason().is_some() {
            return Vec::new();
        }
        let suspects = self.suspects();
        let mut lines = vec![self.growing(&suspects)];
        let Some(watch) = &self.summary.leak_watch else { return lines };
        lines.push(format!("{}: {}", process(watch, units), evidence(watch)));
        // A line that the compiler inlined into many callers is found only as a part of them all.
        let has_many = |leak: &Leak| leak.doubt == Some(Doubt::ManyCallers);
        let is_known = suspects.is_empty() && !self.summary.doubtful_leaks.iter().any(has_many);
        let smallest = watch.smallest_found_bytes_per_second.filter(|_| is_known);
        lines.extend(smallest.map(|bytes| {
            let bytes = rounded(bytes, units);
            format!("growth of {bytes}/s at one call site would have been found")
        }));
        lines
    }

    /// Formats why the suspects are unknown, with the evidence. Returns `None` if they are known.
    pub(super) fn leaks_unknown(&self) -> Option<String> {
        let mut text = self.leaks_unknown_reason()?.to_owned();
        if let Some(age) = self.summary_age() {
            text = format!("{text} ({age})");
        } else if let Some(watch) = &self.summary.leak_watch {
            text = format!("{text} ({})", evidence(watch));
        }
        Some(text)
    }

    fn growing(&self, suspects: &[Suspect<'_>]) -> String {
        if suspects.is_empty() {
            return match self.summary.leak_watch.map(|watch| watch.verdict) {
                Some(LeakVerdict::NoCertainSite) => "no call site certainly keeps growing",
                _ => "no call site keeps growing",
            }
            .to_owned();
        }
        let sites = counted(suspects.len() as u64, "call site");
        let [grow, they] =
            if suspects.len() == 1 { ["keeps", "it was"] } else { ["keep", "they were"] };
        match self.summary_age() {
            None if suspects.iter().all(|suspect| suspect.freed_at_end) => {
                format!("{sites} grew until {they} freed at the end")
            }
            None => format!("{sites} {grow} growing"),
            Some(age) => format!("{sites} grew, {age}"),
        }
    }
}

impl<'r> LeakList<'r> {
    /// Sets the units of bytes; the default is [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Limits lines to this number of columns: at least 40, and 100 by default.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }

    /// Shows all frames of the stacks, including those of the standard library, executors and
    /// memprof, which are folded by default.
    pub fn all_frames(mut self, all: bool) -> Self {
        self.all_frames = all;
        self
    }

    /// Sets the hint after the number of omitted frames: the option or command that shows them. The
    /// default is `--all-frames`.
    pub fn all_frames_hint(mut self, hint: &'r str) -> Self {
        self.all_frames_hint = hint;
        self
    }

    fn write(
        &self,
        suspect: &Suspect<'_>,
        folder: Option<&str>,
        out: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        // Files and lines are never cut, so a place may exceed the width.
        let text = |place: &Place, width| place_within(width, place, folder);
        writeln!(out, "{}", text(suspect.your_code.unwrap_or(suspect.allocates), self.width))?;
        if suspect.your_code.is_some() {
            let allocating = suspect.allocating();
            write_called(out, suspect.called, &allocating, suspect.cut, self.width, text)?;
        }
        if let Some(operation) = suspect.operation() {
            writeln!(out, "{}", cut(&format!("  in {operation}"), self.width))?;
        }
        for text in filled(&facts(suspect, self.units), " ·", self.width.saturating_sub(2)) {
            writeln!(out, "{}", cut(&format!("  {text}"), self.width))?;
        }
        if let Some(name) = suspect.allocated_type {
            writeln!(out, "{}", cut(&format!("  mostly of type {}", Shown(name)), self.width))?;
        }
        for held in self.recording.holders(suspect, self.units) {
            for text in filled(&[held], ";", self.width.saturating_sub(2)) {
                writeln!(out, "{}", cut(&format!("  {text}"), self.width))?;
            }
        }
        self.write_stack(suspect, folder, out)
    }

    fn write_doubtful(&self, folder: Option<&str>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for leak in self.recording.doubtful_suspects().iter().take(DOUBTFUL) {
            let reason = leak.doubt_reason().unwrap_or_default();
            let start = format!("  {}, {reason}: ", speed(leak, self.units));
            let width = self.width.saturating_sub(start.chars().count());
            let place = leak.your_code.unwrap_or(leak.allocates);
            write!(out, "\n{start}{}", place_within(width, place, folder))?;
        }
        Ok(())
    }

    fn write_stack(
        &self,
        suspect: &Suspect<'_>,
        folder: Option<&str>,
        out: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let all = suspect.frames(true);
        let above = if self.all_frames {
            suspect.allocates
        } else {
            suspect.your_code.unwrap_or(suspect.allocates)
        };
        let after = |frames: Vec<&Place>| {
            let at = frames.iter().position(|frame| **frame == *above).map_or(0, |at| at + 1);
            frames.len() - at
        };
        let shown = suspect.frames(self.all_frames);
        let skipped = shown.len() - after(shown.clone());
        let (shown, unfolded) = (&shown[skipped..], after(all));
        let most = if self.all_frames { usize::MAX } else { FRAMES };
        // Frames without a name are only counted.
        let named = shown.iter().filter(|frame| self.all_frames || frame.is_named());
        let listed: Vec<_> = named.take(most).collect();
        for frame in &listed {
            let width = self.width.saturating_sub(9);
            writeln!(out, "    from {}", place_within(width, frame, folder))?;
        }
        match unfolded.saturating_sub(listed.len()) {
            0 => Ok(()),
            more => {
                let (more, hint) = (counted(more as u64, "more frame"), self.all_frames_hint);
                writeln!(out, "    …{more}: `{hint}`")
            }
        }
    }
}

impl Suspect<'_> {
    /// Returns the [doubt](Self::doubt) in words, such as `not steady` or `12 samples`; `None` for a
    /// suspect.
    pub fn doubt_reason(&self) -> Option<String> {
        Some(match self.doubt? {
            Doubt::Unsteady => "not steady".to_owned(),
            Doubt::ShortLived => "short-lived blocks".to_owned(),
            Doubt::Replaced => "replaced (the process grew less)".to_owned(),
            Doubt::ManyCallers => "many callers".to_owned(),
            Doubt::FewSamples => counted(self.live.samples, "sample"),
        })
    }
}

fn process(watch: &LeakWatch, units: Units) -> String {
    if let Some(bytes) = watch.process_bytes_per_second {
        return format!("the live heap grows by {}/s", rounded(bytes, units));
    }
    let changed = signed(watch.process_bytes.into(), units);
    format!("the live heap does not grow (change: {changed})")
}

fn evidence(watch: &LeakWatch) -> String {
    let seconds = Duration::from_nanos(watch.watched_ns).as_secs_f64();
    format!("{} in {seconds:.1} s", counted(watch.observations, "observation"))
}

fn facts(leak: &Suspect<'_>, units: Units) -> Vec<String> {
    let mut facts = vec![speed(leak, units)];
    if let Some(bytes) = leak.bytes_per_call {
        facts.push(format!("{} per call", growth(bytes, units)));
    }
    let blocks = estimated(&leak.live_blocks, "block");
    facts.push(format!("{} live in {blocks}", leak.live.bytes(units)));
    if leak.freed_at_end {
        facts.push("freed at the end".to_owned());
    }
    facts
}

/// Formats a growth with its interval: `+1.2 KiB/s (1.1 KiB to 1.3 KiB)`.
fn speed(leak: &Suspect<'_>, units: Units) -> String {
    let [low, high] = interval(leak, units);
    format!("{}/s ({low} to {high})", growth(leak.bytes_per_second, units))
}

pub(super) fn interval(leak: &Suspect<'_>, units: Units) -> [String; 2] {
    leak.bytes_per_second_interval.map(|bytes| rounded(bytes, units))
}

/// Formats a change with its sign: `+1.2 KiB`.
pub(super) fn growth(bytes: f64, units: Units) -> String {
    let sign = if bytes > 0.0 { "+" } else { "" };
    // A change of less than a byte must not be shown as 0.
    if bytes.abs() < 1.0 && bytes != 0.0 {
        return format!("{sign}{bytes:.2} B").replace('-', "−");
    }
    format!("{sign}{}", rounded(bytes, units))
}

impl fmt::Display for LeakList<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some([finding, evidence]) = self.recording.resident_growth(self.units) {
            writeln!(out, "{finding}\n  {evidence}")?;
        }
        if let Some(why) = self.recording.leaks_unknown() {
            return write!(out, "unknown: {why}");
        }
        let folder = current_folder();
        for suspect in &self.recording.suspects() {
            self.write(suspect, folder.as_deref(), out)?;
        }
        out.write_str(&self.recording.leak_verdict(self.units).join("\n"))?;
        self.write_doubtful(folder.as_deref(), out)
    }
}

const HOLDERS: usize = 2;

/// The part of a root that grew most during the recording.
struct Grown {
    path: String,
    bytes: i128,
}

/// The changes at a path and below it.
#[derive(Default)]
struct Changes<'p> {
    bytes: i128,
    /// `true` if values were not visited here, so that other changes may be larger.
    is_unknown: bool,
    below: BTreeMap<&'p str, Changes<'p>>,
}

impl<'p> Changes<'p> {
    fn add(&mut self, entry: &DiffEntry<'p>) {
        let is_unknown = entry.kind() == DiffKind::Unknown;
        let mut at = self;
        for frame in [None].into_iter().chain(entry.path().frames()[1..].iter().map(Some)) {
            if let Some(frame) = frame {
                at = at.below.entry(frame).or_default();
            }
            at.bytes += entry.change();
            at.is_unknown |= is_unknown;
        }
    }

    /// Returns the branch below that grew by at least twice as much as everything else together.
    fn largest(&self) -> Option<(&'p str, &Self)> {
        if self.below.values().any(|below| below.is_unknown) {
            return None;
        }
        let (name, largest) = self.below.iter().max_by_key(|(_, below)| below.bytes)?;
        let others = self.below.values().map(|below| below.bytes.max(0)).sum::<i128>();
        let own = self.bytes - self.below.values().map(|below| below.bytes).sum::<i128>();
        let rest = others - largest.bytes.max(0) + own.max(0);
        (largest.bytes > 0 && largest.bytes >= 2 * rest).then_some((name, largest))
    }
}

impl Recording {
    /// Formats the roots that hold a suspect's memory, one per line:
    /// `held by the root index: 33.9 MiB by samples; index;documents;text grew most (+34.1 MiB)`.
    ///
    /// The root is known from the addresses of blocks. The path is only a guess, because a walk
    /// reports addresses without paths. It is the lowest path that clearly grew most, if all values
    /// beside it were visited.
    pub fn holders(&self, suspect: &Suspect<'_>, units: Units) -> Vec<String> {
        let line = |held: &HeldBy| {
            let root = Shown(&held.root);
            let held_bytes = held.live.bytes(units);
            let held_text = format!("held by the root {root}: {held_bytes} by samples");
            match self.grown_most(&held.root) {
                Some(Grown { path, bytes }) => {
                    let grown = signed(bytes, units);
                    format!("{held_text}; {} grew most (+{grown})", Shown(&path))
                }
                None => held_text,
            }
        };
        suspect.held_by.iter().take(HOLDERS).map(line).collect()
    }

    /// Returns the part that clearly grew most between the root's first and last profile.
    fn grown_most(&self, root: &str) -> Option<Grown> {
        let of = |snapshot: &Snapshot| -> Option<Profile> {
            let reading = snapshot.roots.iter().find(|reading| reading.name == root)?;
            reading.profile()?.ok()
        };
        let mut snapshots = self.snapshots.iter();
        let first = snapshots.by_ref().find_map(of)?;
        let last = snapshots.rev().find_map(of)?;
        let diff = last.diff(&first);
        let mut changes = Changes::default();
        let entries: Vec<_> = diff.entries().collect();
        for entry in &entries {
            changes.add(entry);
        }
        let (mut at, mut frames) = (&changes, vec![last.root().name()]);
        while let Some((name, below)) = at.largest() {
            frames.push(name);
            at = below;
        }
        // The root alone is the suspect's line anyway.
        let is_part = frames.len() > 1 || changes.below.is_empty();
        (is_part && at.bytes > 0 && !at.is_unknown)
            .then(|| Grown { path: joined(frames.into_iter().map(Frame), ";"), bytes: at.bytes })
    }
}
