//! Two profiles as one flame graph that shows what grew and what was freed.

mod frames;
mod joined;
mod palette;
mod svg;

use core::fmt;
use joined::JoinedTree;
use memprof_profile::Profile;
use memprof_profile::views::Units;

/// Two profiles as one SVG flame graph, with the root on top.
///
/// Each path counts with the larger of its own bytes before and after. The width of a frame is the
/// sum over its path and all paths below it, so freed bytes are visible too. The colour represents
/// the change: orange for growth, blue for shrinkage, grey for no change. Paths that are gone are
/// hatched. The title of a frame has the exact bytes. The paths are the same as in
/// [`Profile::to_folded`].
///
/// The file is self-contained and contains no script. It uses dark colours if the reader's system
/// prefers them.
///
/// ```
/// use memprof::export::DiffFlamegraph;
/// use memprof::Profile;
///
/// let before = Profile::from_folded("app;cache 3000\napp;scratch 500\n")?;
/// let after = Profile::from_folded("app;cache 4000\n")?;
/// let svg = DiffFlamegraph::new(&before, &after).names("monday", "tuesday").to_string();
/// assert!(svg.contains("<title>cache\nbefore: 3 000 B\nafter: 4 000 B\nchange: +1 000 B</title>"));
/// assert!(svg.contains("<title>scratch\nbefore: 500 B\nafter: absent\nchange: −500 B</title>"));
/// # Ok::<(), memprof::views::FoldedError>(())
/// ```
///
/// # Cost
/// The merged tree takes about 100 bytes per path. Neighbouring frames that are too narrow to see
/// are drawn as one frame.
#[derive(Clone, Debug)]
#[must_use]
pub struct DiffFlamegraph<'p> {
    before: &'p Profile,
    after: &'p Profile,
    names: [String; 2],
    units: Units,
    width: u32,
}

/// The smallest width at which the head fits.
const MIN_WIDTH: u32 = 640;

impl<'p> DiffFlamegraph<'p> {
    /// Creates a flame graph of the changes from `before` to `after`.
    pub fn new(before: &'p Profile, after: &'p Profile) -> Self {
        let names = [before, after].map(|profile| profile.root().name().to_owned());
        Self { before, after, names, units: Units::Iec, width: 1200 }
    }

    /// Sets the names of both profiles in the head. The default is the names of their roots.
    pub fn names(mut self, before: &str, after: &str) -> Self {
        self.names = [before, after].map(str::to_owned);
        self
    }

    /// Sets the units for bytes. The default is [`Units::Iec`]. Titles always show whole bytes.
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Sets the width in pixels, at least 640. The default is 1200.
    pub fn width(mut self, pixels: u32) -> Self {
        self.width = pixels.max(MIN_WIDTH);
        self
    }
}

/// Writes the whole file.
impl fmt::Display for DiffFlamegraph<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = JoinedTree::of(self.before.root(), self.after.root());
        svg::write(self, &joined, out)
    }
}
