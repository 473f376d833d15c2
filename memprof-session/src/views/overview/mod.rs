//! A recording on one screen.

mod gauges;
mod head;
mod holdings;
mod page;
mod unexplained;
mod work;

use crate::Recording;
use crate::document::Snapshot;
use core::fmt;
use memprof_profile::Units;
use page::Page;

/// What a recording tells on one screen; [`Recording::overview`] makes it, `{}` draws it.
///
/// What there is nothing to say about is left out. What is not known is said to be unknown.
///
/// ```no_run
/// let recording = memprof_session::Recording::read_file("memory_profile_20261121_083000.json")?;
/// println!("{}", recording.overview());
/// # Ok::<(), memprof_session::RecordingError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Overview<'r> {
    recording: &'r Recording,
    at: Option<&'r Snapshot>,
    /// Whether the recording has all snapshots that its file has.
    is_whole: bool,
    units: Units,
    width: usize,
}

/// No page is drawn narrower.
const LEAST_WIDTH: usize = 60;

impl Recording {
    /// The recording on one screen.
    pub fn overview(&self) -> Overview<'_> {
        Overview { recording: self, at: None, is_whole: true, units: Units::Iec, width: 100 }
    }
}

impl<'r> Overview<'r> {
    /// Tells what the process held at this moment, not at the end. What is only known of the end
    /// is left out.
    pub fn at(mut self, snapshot: &'r Snapshot) -> Self {
        self.at = Some(snapshot);
        self
    }

    /// Doesn't tell how many snapshots there are in it, as others are in the file.
    #[cfg(feature = "record")]
    pub(crate) fn of_landmarks(mut self) -> Self {
        self.is_whole = false;
        self
    }

    /// Shows bytes in these units; [`Units::Iec`] unless set.
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Keeps lines within so many columns (at least 60; 100 unless set).
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(LEAST_WIDTH);
        self
    }
}

impl fmt::Display for Overview<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(self.width, self.units);
        head::write(&mut page, self.recording, self.at, self.is_whole);
        let snapshot = self.at.or(self.recording.snapshots.last());
        if let Some(snapshot) = snapshot {
            holdings::write(&mut page, self.recording, snapshot);
        }
        if self.at.is_none() {
            unexplained::write(&mut page, self.recording);
            work::write(&mut page, self.recording, self.is_whole);
        }
        if let Some(snapshot) = snapshot {
            holdings::write_tensors(&mut page, snapshot);
            gauges::write(&mut page, snapshot);
        }
        head::write_warnings(&mut page, self.recording);
        out.write_str(&page.text())
    }
}
