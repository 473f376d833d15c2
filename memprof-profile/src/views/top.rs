//! The paths that hold the most, largest first.

use crate::text::{Code, head, row};
use crate::text::{Grouped, Percent, Units};
use crate::text::{columns, shortened};
use crate::views::Path;
use crate::{Branch, Profile};
use core::cmp::Reverse;
use core::fmt;
use memprof_core::tree::Plain;
use std::collections::BinaryHeap;

/// The fewest columns that lines are kept within.
const MIN_WIDTH: usize = 40;

/// The largest paths of a profile; [`Profile::top`] makes it, `{}` shows it as a table.
#[derive(Clone, Debug)]
#[must_use]
pub struct Top<'p> {
    paths: Vec<TopPath<'p>>,
    total: u64,
    more: u64,
    more_bytes: u64,
    units: Units,
    width: usize,
}

/// A path with bytes of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopPath<'p> {
    path: Path<'p>,
    bytes: u64,
}

impl Profile {
    /// The `count` paths with the most bytes of their own, spelled as in
    /// [`to_folded`](Self::to_folded); of equal ones, the first in the tree comes first.
    ///
    /// ```
    /// use memprof_profile::Profile;
    ///
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], [0_u8; 8]));
    /// let top = profile.top(1);
    /// assert_eq!(top.paths()[0].path().to_string(), "pair;0");
    /// assert_eq!(top.paths()[0].bytes(), 1024);
    /// println!("{top}");
    /// ```
    pub fn top(&self, count: usize) -> Top<'_> {
        let plain = self.plain();
        let mut ranking = Ranking::default();
        for line in plain.root().subtree() {
            ranking.add(line, count);
        }
        let Ranking { largest, more, more_bytes } = ranking;
        let mut found: Vec<u32> = largest.iter().map(|Reverse((_, index))| index.0).collect();
        found.sort_unstable();
        let mut paths = Vec::with_capacity(found.len());
        add_paths(&plain, plain.root(), &mut Path::default(), &found, &mut paths);
        paths.sort_by_key(|found: &TopPath<'_>| Reverse(found.bytes));
        let total = self.total_bytes();
        Top { paths, total, more, more_bytes, units: Units::Iec, width: usize::MAX }
    }
}

/// The largest of the lines seen so far. Most lines never become paths: of a million names, a
/// handful is shown.
#[derive(Default)]
struct Ranking {
    /// The smallest is on top; of equal ones the last in the tree.
    largest: BinaryHeap<Reverse<(u64, Reverse<u32>)>>,
    more: u64,
    more_bytes: u64,
}

impl Ranking {
    fn add(&mut self, line: Branch<'_>, count: usize) {
        let bytes = line.own_bytes();
        if bytes == 0 {
            return;
        }
        self.largest.push(Reverse((bytes, Reverse(line.index()))));
        if self.largest.len() > count
            && let Some(Reverse((bytes, _))) = self.largest.pop()
        {
            self.more += 1;
            self.more_bytes += bytes;
        }
    }
}

/// Adds the lines found, whose numbers are sorted; nothing is visited below which there is none.
fn add_paths<'p>(
    plain: &Plain<'p>,
    line: Branch<'_>,
    path: &mut Path<'p>,
    found: &[u32],
    paths: &mut Vec<TopPath<'p>>,
) {
    let (start, end) = (line.index(), line.end());
    let within = &found[found.partition_point(|&index| index < start)..];
    let within = &within[..within.partition_point(|&index| index < end)];
    let Some(&first) = within.first() else { return };
    path.push(plain.name(line));
    if first == start {
        paths.push(TopPath { path: path.clone(), bytes: line.own_bytes() });
    }
    for child in line.children() {
        add_paths(plain, child, path, within, paths);
    }
    path.pop();
}

impl<'p> Top<'p> {
    /// The paths, largest first.
    pub fn paths(&self) -> &[TopPath<'p>] {
        &self.paths
    }

    /// How many paths are not among them.
    pub fn more(&self) -> u64 {
        self.more
    }

    /// The bytes of the paths that are not among them.
    pub fn more_bytes(&self) -> u64 {
        self.more_bytes
    }

    /// Shows bytes in these units; [`Units::Iec`] unless set.
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Keeps lines within so many columns (at least 40): paths lose their middle, but no path gets
    /// less than a third of the line. They are whole unless set.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }
}

impl<'p> TopPath<'p> {
    /// The path, without bracketed frames that the plain form merges.
    pub fn path(&self) -> &Path<'p> {
        &self.path
    }

    /// The bytes at the path, not below it.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<'p> IntoIterator for Top<'p> {
    type Item = TopPath<'p>;
    type IntoIter = std::vec::IntoIter<TopPath<'p>>;

    fn into_iter(self) -> Self::IntoIter {
        self.paths.into_iter()
    }
}

impl Top<'_> {
    /// The paths as a table in Markdown. Names are code: nothing in them is markup or a link.
    pub fn to_markdown(&self) -> String {
        let rows = self.rows(|path| Code(path).to_string());
        rows.into_iter().fold(head(&["bytes", "share", "path"]), |table, (amount, share, name)| {
            table + &row(&[&amount, &share, &name])
        })
    }

    /// The cells of each row, the path spelled as `name` does; what is left comes last.
    fn rows(&self, name: impl Fn(&Path<'_>) -> String) -> Vec<(String, String, String)> {
        let mut rows: Vec<(u64, String)> =
            self.paths.iter().map(|found| (found.bytes, name(&found.path))).collect();
        if self.more > 0 {
            rows.push((self.more_bytes, format!("…{} more", Grouped(self.more))));
        }
        let share = |part| Percent { part, whole: self.total }.to_string();
        let cells = |(bytes, name)| (self.units.show(bytes).to_string(), share(bytes), name);
        rows.into_iter().map(cells).collect()
    }
}

/// A line per path: bytes, share of the whole, path; what is left comes last, and `no bytes` where
/// there is none.
impl fmt::Display for Top<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows(|path| path.to_string());
        if rows.is_empty() {
            return out.write_str("no bytes");
        }
        let amounts = rows.iter().map(|row| columns(&row.0)).max().unwrap_or_default();
        let shares = rows.iter().map(|row| columns(&row.1)).max().unwrap_or_default();
        for (index, (amount, share, name)) in rows.into_iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            let figures = format!("{amount:>amounts$}  {share:>shares$}   ");
            let room = self.width.saturating_sub(columns(&figures)).max(self.width / 3);
            write!(out, "{end}{figures}{}", shortened(&name, room))?;
        }
        Ok(())
    }
}
