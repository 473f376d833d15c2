//! An HTML file that shows a recording in a browser, without a network.

mod assets;
mod body;
mod calls;
mod charts;
mod columns;
mod contents;
mod error;
mod escape;
mod facts;
mod growth;
mod marks;
mod notes;
mod places;
mod policy;
mod snapshots;
mod sources;
mod tables;
mod texts;
mod trees;
#[cfg(test)]
mod types;
mod write;

pub use error::PageError;
pub use write::Written;

use body::Body;
use calls::Calls;
use charts::Charts;
use contents::{Fact, Head, Tables, UnitsName};
use core::ptr;
use facts::facts;
use memprof_profile::Profile;
use memprof_profile::text::utc;
use memprof_profile::views::Units;
use memprof_recording::Recording;
use memprof_recording::document::Snapshot;
use places::Places;
use sources::Sources;
use std::io::Write;
use trees::Trees;
use write::Shell;

/// A page that shows a recording: one HTML file that needs no network.
///
/// The page shows the memory over time, and below it the individual calls of operations. It also
/// contains the trees of snapshots, the differences between them, call sites and leaks.
///
/// The page contains no arguments, environment or host name of the program. File names do not
/// include the folders of the machine that compiled the program. Amounts above 4 PiB are shown as 4
/// PiB, and then the page has a note.
///
/// ```no_run
/// use memprof::export::Page;
/// use std::fs::File;
///
/// let recording = memprof::session::Recording::read_file("session.json")?;
/// let written = Page::new(&recording).title("nightly import").write(File::create("import.html")?)?;
/// for note in &written.notes {
///     eprintln!("{note}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Page<'r> {
    content: Content<'r>,
    title: Option<String>,
    units: Units,
    max_calls: usize,
    max_snapshots: usize,
}

#[derive(Clone, Copy, Debug)]
enum Content<'r> {
    Recording(&'r Recording),
    Profile(&'r Profile),
}

impl<'r> Page<'r> {
    /// Creates a page of a recording.
    pub const fn new(recording: &'r Recording) -> Self {
        Self::of(Content::Recording(recording))
    }

    /// Creates a page of one profile, with its tree and without a time axis.
    ///
    /// ```
    /// use memprof::export::Page;
    /// use memprof::Profile;
    ///
    /// let mut page = Vec::new();
    /// Page::of_profile(&Profile::named("numbers", &vec![1_u64; 1000])).write(&mut page)?;
    /// assert!(page.starts_with(b"<!DOCTYPE html>"));
    /// # Ok::<(), memprof::export::PageError>(())
    /// ```
    pub const fn of_profile(profile: &'r Profile) -> Self {
        Self::of(Content::Profile(profile))
    }

    const fn of(content: Content<'r>) -> Self {
        let (max_calls, max_snapshots) = (1_000_000, 64);
        Self { content, title: None, units: Units::Iec, max_calls, max_snapshots }
    }

    /// Sets the title. The default is the name of the program.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the initial units of bytes. The reader of the page can choose others.
    pub const fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Limits the number of individual calls. The page keeps the longest calls and the calls with
    /// the largest changes. The default is a million.
    pub const fn max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls;
        self
    }

    /// Limits the number of snapshots with a tree. The default is 64.
    ///
    /// The page keeps the last snapshot, the first, the peak, checkpoints, and others evenly spread
    /// over time. It keeps fewer if the trees are huge.
    pub const fn max_snapshots(mut self, snapshots: usize) -> Self {
        self.max_snapshots = snapshots;
        self
    }

    /// Writes the page. Returns its size and notes on the parts that it leaves out.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    ///
    /// # Cost
    /// The page takes 13 to 22 bytes per call, and writing a million calls takes 2 seconds. Writing
    /// needs about as much memory as the recording itself.
    pub fn write(&self, out: impl Write) -> Result<Written, PageError> {
        match self.content {
            Content::Recording(recording) => self.write_recording(recording, out),
            Content::Profile(profile) => self.write_profile(profile, out),
        }
    }

    fn write_recording(
        &self,
        recording: &Recording,
        out: impl Write,
    ) -> Result<Written, PageError> {
        let metadata = &recording.metadata;
        let mut snapshots: Vec<&Snapshot> = recording.snapshots.iter().collect();
        let clock_was_set_back = !snapshots.is_sorted_by_key(|snapshot| snapshot.at_ns);
        snapshots.sort_by_key(|snapshot| snapshot.at_ns);
        // The tables show the call stacks of one moment. If it has a snapshot, the page has no other
        // peak.
        let stacks = recording.peak_stacks().and_then(|moment| moment.snapshot);
        let of_stacks = stacks.and_then(|number| snapshots.iter().find(|one| one.number == number));
        let peak = of_stacks.copied().or(recording.peak()).filter(|_| snapshots.len() > 1);
        let peak = peak.and_then(|peak| snapshots.iter().position(|one| ptr::eq(*one, peak)));
        let sources = Sources::of(recording);
        let places = Places::of(recording, &sources);
        let trees = Trees::of_snapshots(&places, &snapshots, peak, self.max_snapshots);
        let charts = Charts::new(recording, &snapshots);
        let calls = Calls::new(recording, &sources.paths(recording), self.max_calls);
        let (listed, names_left_out) = snapshots::listed(&snapshots, peak, &trees);
        let place = |index: usize| listed.binary_search(&index).ok();
        let (marks, marks_left_out) = marks::marks(recording, &snapshots, peak, self.units, place);
        let of_snapshots: Vec<_> = listed
            .iter()
            .map(|&index| snapshots::of(index, snapshots[index], peak == Some(index), &trees))
            .collect();
        let body = Body {
            charts: &charts,
            marks,
            snapshots: of_snapshots,
            calls: Some(&calls),
            tables: Tables::new(&sources.summary(recording), recording, &places, self.units),
            trees: &trees,
        };
        let (columns, clamped) = body.compressed()?;
        let notes = notes::notes(
            recording,
            &notes::PageParts {
                calls: &calls,
                charts: &charts,
                trees: &trees,
                marks_left_out,
                names_left_out,
                clock_was_set_back,
                clamped,
            },
        );
        let suspects = recording.suspects();
        let is_freed = !suspects.is_empty() && suspects.iter().all(|one| one.freed_at_end);
        let head = Head {
            program: texts::name(&metadata.program),
            title: self.display_title(&metadata.program),
            memprof: texts::name(&metadata.memprof),
            platform: texts::name(&metadata.platform),
            began: Some(utc(metadata.started_unix_ns)),
            end: end(recording),
            ended: texts::name(&metadata.ended.to_string()),
            tracked: metadata.operations_tracked,
            summed_up: recording.summary_unknown_reason().is_none(),
            summary_age: recording.summary_age(),
            units: shown(self.units),
            facts: facts(recording, &snapshots),
            growth: growth::growth(&snapshots, is_freed),
            notes,
        };
        let summary = recording.overview().units(self.units).width(SUMMARY).to_string();
        Shell { head, summary: texts::summary(&sources.text(&summary)), columns }.write(out)
    }

    fn write_profile(&self, profile: &Profile, out: impl Write) -> Result<Written, PageError> {
        let program = profile.root().name();
        let trees = Trees::of_profile(profile);
        let body = Body {
            charts: &Charts::default(),
            marks: Vec::new(),
            snapshots: vec![snapshots::of_profile(profile)],
            calls: None,
            tables: Tables::default(),
            trees: &trees,
        };
        let (columns, clamped) = body.compressed()?;
        let mut notes = notes::of_trees(&trees);
        notes.extend(clamped.then(notes::clamped));
        let head = Head {
            program: texts::name(program),
            title: self.display_title(program),
            memprof: env!("CARGO_PKG_VERSION").into(),
            end: 1,
            summed_up: true,
            units: shown(self.units),
            facts: vec![Fact::bytes("total", profile.total_bytes())],
            notes,
            ..Head::default()
        };
        let summary = profile.tree().units(self.units).width(SUMMARY).to_string();
        Shell { head, summary: texts::summary(&summary), columns }.write(out)
    }

    fn display_title(&self, program: &str) -> String {
        texts::name(self.title.as_deref().unwrap_or(program))
    }
}

const fn shown(units: Units) -> UnitsName {
    match units {
        Units::Si => UnitsName::Si,
        Units::Bytes => UnitsName::Bytes,
        _ => UnitsName::Iec,
    }
}

const SUMMARY: usize = 100;

fn end(recording: &Recording) -> u64 {
    let snapshots = recording.snapshots.iter().map(|snapshot| snapshot.at_ns);
    let calls = recording.operation_events.iter().map(crate::lanes::end_ns);
    let moments = recording.out_of_memory.iter().map(|moment| moment.at_ns);
    let last = snapshots.chain(calls).chain(moments).max().unwrap_or(0);
    last.max(recording.metadata.generated_ns).max(1)
}
