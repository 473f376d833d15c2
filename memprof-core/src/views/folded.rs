//! Folded stacks: `frame;frame;frame bytes`, a line per path.

use crate::views::Path;
use crate::{Branch, Profile};
use core::fmt::Write;

impl Profile {
    /// The profile as folded stacks, which flame graph tools read: a line per path with bytes of
    /// its own, sorted by name within each branch.
    ///
    /// The lines add up to [`total_bytes`](Self::total_bytes). Readers split a line at its last
    /// space and at every `;`, so in names white space is written `_`, `;` is written `:`, and
    /// control characters are escaped: a line has exactly one space.
    /// `to_json` keeps names as they are.
    ///
    /// ```
    /// use memprof_core::Profile;
    ///
    /// let profile = Profile::named("names", &vec![String::from("alpha")]);
    /// assert_eq!(profile.to_folded(), "names 53\n");
    /// assert_eq!(profile.to_folded_detailed(), "names;[inline] 48\nnames;[data] 5\n");
    /// ```
    pub fn to_folded(&self) -> String {
        let mut lines = String::new();
        write_lines(self.plain().root(), &mut Path::default(), &mut lines);
        lines
    }

    /// The same with the bracketed frames kept: a line per leaf, as [`leaves`](Self::leaves) lists
    /// them. A line of 0 bytes stands where contents could not be seen.
    pub fn to_folded_detailed(&self) -> String {
        let mut lines = String::new();
        for (path, leaf) in self.leaves() {
            write_line(&path, leaf.bytes, &mut lines);
        }
        lines
    }
}

fn write_lines<'p>(line: Branch<'p>, path: &mut Path<'p>, lines: &mut String) {
    path.push(line.name());
    let own = line.own_bytes();
    if own > 0 {
        write_line(path, own, lines);
    }
    for child in line.children() {
        write_lines(child, path, lines);
    }
    path.pop();
}

fn write_line(path: &Path<'_>, bytes: u64, lines: &mut String) {
    writeln!(lines, "{path} {bytes}").expect("writing to a string does not fail");
}
