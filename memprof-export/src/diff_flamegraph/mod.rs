//! Two profiles as one flame graph that shows what grew, and what was freed.

mod frames;
mod joined;
mod palette;
mod svg;

use core::fmt;
use joined::Joined;
use memprof_profile::{Profile, Units};

/// Two profiles as a flame graph in SVG, the root on top: what grew, shrank, came and went.
///
/// A frame is as wide as what was there before or after, path by path whichever is more, so that
/// what was freed is seen too. Its colour tells the change: orange for more, blue for less, grey for
/// none, hatched for what is gone. Its title has the exact bytes. Paths are those of
/// [`Profile::to_folded`].
///
/// The file needs nothing else and runs no script; it is dark where its reader prefers that.
///
/// ```
/// use memprof_profile::Profile;
/// use memprof_export::DiffFlamegraph;
///
/// let before = Profile::from_folded("app;cache 3000\napp;scratch 500\n")?;
/// let after = Profile::from_folded("app;cache 4000\n")?;
/// let svg = DiffFlamegraph::new(&before, &after).names("monday", "tuesday").to_string();
/// assert!(svg.contains("<title>cache\nbefore: 3 000 B\nafter: 4 000 B\nchange: +1 000 B</title>"));
/// assert!(svg.contains("<title>scratch\nbefore: 500 B\nafter: not there\nchange: −500 B</title>"));
/// # Ok::<(), memprof_profile::FoldedError>(())
/// ```
///
/// # Cost
/// The tree of both, a node of some 100 bytes per path. Frames that are too narrow to be seen are
/// drawn together.
#[derive(Clone, Debug)]
#[must_use]
pub struct DiffFlamegraph<'p> {
    before: &'p Profile,
    after: &'p Profile,
    names: [String; 2],
    units: Units,
    width: u32,
}

/// No picture is narrower: its head has to fit.
const LEAST_WIDTH: u32 = 640;

impl<'p> DiffFlamegraph<'p> {
    /// What changed from one profile to the other.
    pub fn new(before: &'p Profile, after: &'p Profile) -> Self {
        let names = [before, after].map(|profile| profile.root().name().to_owned());
        Self { before, after, names, units: Units::Iec, width: 1200 }
    }

    /// What the two are called in the picture's head; the names of their roots unless set.
    pub fn names(mut self, before: &str, after: &str) -> Self {
        self.names = [before, after].map(str::to_owned);
        self
    }

    /// Shows bytes in these units; [`Units::Iec`] unless set. Titles have whole bytes.
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// So many pixels wide, at least 640; 1200 unless set.
    pub fn width(mut self, pixels: u32) -> Self {
        self.width = pixels.max(LEAST_WIDTH);
        self
    }
}

/// The whole file.
impl fmt::Display for DiffFlamegraph<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = Joined::of(self.before.root(), self.after.root());
        svg::write(self, &joined, out)
    }
}
