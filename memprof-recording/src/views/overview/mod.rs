//! A recording on one screen.

mod at_moment;
mod gauges;
mod growth;
mod head;
mod holdings;
mod page;
mod unexplained;
mod work;

use crate::Recording;
use crate::document::Snapshot;
use core::fmt;
use memprof_profile::views::Units;
use page::Page;

/// A recording on one screen; [`Recording::overview`] creates it, `{}` formats it.
///
/// The overview leaves out parts without content, and lists unknown figures as unknown.
///
/// ```no_run
/// let recording = memprof::session::Recording::read_file("memory_profile_20261121_083000.json")?;
/// println!("{}", recording.overview());
/// # Ok::<(), memprof::session::RecordingError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Overview<'r> {
    recording: &'r Recording,
    at: Option<&'r Snapshot>,
    /// `true` if the recording has all snapshots and stacks of its file.
    is_whole: bool,
    /// `true` for the head and the warnings alone.
    is_brief: bool,
    units: Units,
    width: usize,
}

/// The smallest width of an overview.
const MIN_WIDTH: usize = 60;

impl Recording {
    /// Returns an overview of the recording on one screen.
    pub fn overview(&self) -> Overview<'_> {
        Overview {
            recording: self,
            at: None,
            is_whole: true,
            is_brief: false,
            units: Units::Iec,
            width: 100,
        }
    }
}

impl<'r> Overview<'r> {
    /// Shows this snapshot instead of the last one, and leaves out what is only known at the end.
    pub fn at(mut self, snapshot: &'r Snapshot) -> Self {
        self.at = Some(snapshot);
        self
    }

    /// Keeps only the lines about the run and its totals, and the warnings.
    pub fn brief(mut self) -> Self {
        self.is_brief = true;
        self
    }

    /// Leaves out the number of kept snapshots, and shortens the lists: the file has snapshots and
    /// stacks that this recording lacks.
    #[doc(hidden)]
    pub fn of_landmarks(mut self) -> Self {
        self.is_whole = false;
        self
    }

    /// Sets the units of bytes; the default is [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Limits lines to this number of columns: at least 60, and 100 by default.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }
}

impl fmt::Display for Overview<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(self.width, self.units);
        let recording = self.recording;
        let is_last = self.at.is_none();
        head::write(&mut page, recording, self.at, self.is_whole);
        if is_last && !self.is_brief {
            growth::write(&mut page, recording);
            page.gap();
        }
        head::write_totals(&mut page, recording, self.at);
        if !self.is_brief {
            at_moment::write(&mut page, recording, self.at, self.is_whole);
            let snapshot = self.at.or(recording.snapshots.last());
            if let Some(snapshot) = snapshot {
                holdings::write(&mut page, recording, snapshot);
            }
            if is_last {
                unexplained::write(&mut page, recording);
                work::write(&mut page, recording, self.is_whole);
            }
            if let Some(snapshot) = snapshot {
                holdings::write_tensors(&mut page, snapshot);
                gauges::write(&mut page, snapshot);
            }
        }
        head::write_warnings(&mut page, recording);
        out.write_str(&page.text())
    }
}
