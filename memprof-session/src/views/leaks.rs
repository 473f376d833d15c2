//! The list of suspects: call site, growth, confidence and stack.

use super::words::{estimated, operation, percent, place, rounded};
use crate::Recording;
use crate::document::{HeapLevel, Leak};
use core::fmt;
use memprof_profile::text::counted;
use memprof_profile::text::cut;
use memprof_profile::text::filled;
use memprof_profile::views::Units;

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
}

/// The smallest width of a list.
const LEAST_WIDTH: usize = 40;
/// The number of frames shown of a stack.
const FRAMES: usize = 12;

impl Recording {
    /// Returns the suspects, the worst first, each with its call stack.
    pub fn leak_list(&self) -> LeakList<'_> {
        LeakList { recording: self, units: Units::Iec, width: 100 }
    }

    /// Returns why the suspects are unknown, or `None` if they are known.
    ///
    /// If the summary is older than the recording and lists no suspects, they are unknown.
    pub fn why_leaks_are_unknown(&self) -> Option<&'static str> {
        if !self.summary.leaks.is_empty() {
            return None;
        }
        let heap = self.snapshots.iter().rev().find_map(|snapshot| snapshot.heap);
        match heap.map(|heap| heap.level) {
            None => Some("memprof's allocator did not count in this program"),
            Some(HeapLevel::Counters) => Some("suspects need samples, and none were taken"),
            Some(HeapLevel::Sampled) => self.why_summary_is_unknown().or_else(|| {
                self.summary_age().map(|_| "the last summary is older than the recording")
            }),
        }
    }
}

impl LeakList<'_> {
    /// Sets the units of bytes; the default is [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Limits lines to this number of columns: at least 40, and 100 by default.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(LEAST_WIDTH);
        self
    }

    fn write(&self, leak: &Leak, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |indent: usize, text: &str| {
            let indented = format!("{:indent$}{text}", "");
            writeln!(out, "{}", cut(&indented, self.width))
        };
        line(0, &place(&leak.place))?;
        if !leak.operation.is_empty() {
            line(2, &format!("in {}", operation(&leak.operation)))?;
        }
        for text in filled(&facts(leak, self.units), " ·", self.width.saturating_sub(2)) {
            line(2, &text)?;
        }
        // Skip the frames up to the call site: the stack begins with frames of the library that
        // allocated, or with the call site itself.
        let within = leak.stack.iter().skip_while(|frame| **frame != leak.place).skip(1);
        let frames: Vec<_> = within.collect();
        let frames = if frames.is_empty() { leak.stack.iter().collect() } else { frames };
        for frame in frames.iter().take(FRAMES) {
            line(4, &format!("from {}", place(frame)))?;
        }
        match frames.len().saturating_sub(FRAMES) {
            0 => Ok(()),
            more => line(4, &format!("…{}", counted(more as u64, "more frame"))),
        }
    }
}

/// Returns the figures of a suspect: growth, confidence and live bytes.
fn facts(leak: &Leak, units: Units) -> Vec<String> {
    let mut facts = vec![format!("{} a second", growth(leak.bytes_per_second, units))];
    if let Some(bytes) = leak.bytes_per_call {
        facts.push(format!("{} a call", growth(bytes, units)));
    }
    facts.push(format!("confidence {}", sure(leak.confidence)));
    let blocks = estimated(&leak.live_blocks, "block");
    facts.push(format!("{} live in {blocks}", leak.live.bytes(units)));
    facts
}

/// Formats a confidence, which is never shown as 100 %.
pub(super) fn sure(confidence: f64) -> String {
    if confidence > 0.999 { "over 99.9 %".into() } else { percent(confidence) }
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
        let age = self.recording.summary_age();
        if let Some(why) = self.recording.why_leaks_are_unknown() {
            write!(out, "unknown: {why}")?;
            return age.map_or(Ok(()), |age| write!(out, " ({age})"));
        }
        let leaks = &self.recording.summary.leaks;
        if leaks.is_empty() {
            return out.write_str("no place keeps growing");
        }
        for leak in leaks {
            self.write(leak, out)?;
        }
        let places = counted(leaks.len() as u64, "place");
        let grows = if leaks.len() == 1 { "keeps" } else { "keep" };
        match age {
            None => write!(out, "{places} {grows} growing"),
            Some(age) => write!(out, "{places} grew, {age}"),
        }
    }
}
