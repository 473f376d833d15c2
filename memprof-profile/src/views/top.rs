//! The paths with the most bytes, largest first; and a profile as Markdown, which begins with them.

use crate::Profile;
use crate::text::{Code, Grouped, Percent, Shown, Table, Units, fenced, head, row};
use crate::tree::{Branch, Path};
use crate::views::notes::{Known, footer};
use core::cmp::Reverse;
use core::fmt;
use memprof_core::tree::{BranchId, Plain, sort_by};
use std::collections::BinaryHeap;

const MIN_WIDTH: usize = 40;

/// The largest paths of a profile, returned by [`Profile::top`]. `{}` prints them as a table.
#[derive(Clone, Debug)]
#[must_use]
pub struct Top<'p> {
    paths: Vec<TopPath<'p>>,
    total: u64,
    more: u64,
    more_known: Known,
    units: Units,
    width: usize,
}

/// A path with own bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopPath<'p> {
    path: Path<'p>,
    known: Known,
}

/// # Largest paths
impl Profile {
    /// Returns the `count` paths with the most own bytes, written as in
    /// [`to_folded`](Self::to_folded). Paths with equal bytes are in the order of the tree.
    ///
    /// ```
    /// use memprof::Profile;
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
        let Ranking { largest, more, more_known } = ranking;
        let mut found: Vec<BranchId> = largest.iter().map(|Reverse((_, id, _))| id.0).collect();
        found.sort_unstable();
        let mut paths = Vec::with_capacity(found.len());
        add_paths(&plain, plain.root(), &mut Path::default(), &found, &mut paths);
        sort_by(&mut paths, |a: &TopPath<'_>, b| b.known.bytes.cmp(&a.known.bytes));
        let total = self.total_bytes();
        Top { paths, total, more, more_known, units: Units::Iec, width: usize::MAX }
    }
}

/// Only the few lines that are shown become paths, because there may be a million names.
#[derive(Default)]
struct Ranking {
    /// A heap with the smallest line on top; of equal lines, the last in the tree.
    largest: BinaryHeap<Reverse<(u64, Reverse<BranchId>, bool)>>,
    more: u64,
    more_known: Known,
}

impl Ranking {
    fn add(&mut self, line: Branch<'_>, count: usize) {
        let Known { bytes, is_lower_bound } = Known::own(line);
        if bytes == 0 {
            return;
        }
        self.largest.push(Reverse((bytes, Reverse(line.id()), is_lower_bound)));
        if self.largest.len() > count
            && let Some(Reverse((bytes, _, is_lower_bound))) = self.largest.pop()
        {
            self.more += 1;
            self.more_known = self.more_known.plus(Known { bytes, is_lower_bound });
        }
    }
}

/// Skips subtrees without any of the lines in `found`, whose numbers are sorted.
fn add_paths<'p>(
    plain: &Plain<'p>,
    line: Branch<'_>,
    path: &mut Path<'p>,
    found: &[BranchId],
    paths: &mut Vec<TopPath<'p>>,
) {
    let (start, end) = (line.id(), line.end());
    let within = &found[found.partition_point(|&id| id < start)..];
    let within = &within[..within.partition_point(|&id| id < end)];
    let Some(&first) = within.first() else { return };
    path.push(plain.name(line));
    if first == start {
        paths.push(TopPath { path: path.clone(), known: Known::own(line) });
    }
    for child in line.children() {
        add_paths(plain, child, path, within, paths);
    }
    path.pop();
}

impl<'p> Top<'p> {
    /// Returns the paths, largest first.
    pub fn paths(&self) -> &[TopPath<'p>] {
        &self.paths
    }

    /// Returns the number of paths that are left out.
    pub fn more(&self) -> u64 {
        self.more
    }

    /// Returns the bytes of the paths that are left out.
    pub fn more_bytes(&self) -> u64 {
        self.more_known.bytes
    }

    /// Sets the units of bytes. Default: [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Sets the number of columns of a line, at least 40. Longer paths are shortened in the middle,
    /// but each path keeps at least a third of the line. By default, paths are not shortened.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }
}

impl<'p> TopPath<'p> {
    /// Returns the path, without the bracketed frames that the plain form merges.
    pub fn path(&self) -> &Path<'p> {
        &self.path
    }

    /// Returns the path's own bytes, without those below it.
    pub fn bytes(&self) -> u64 {
        self.known.bytes
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
    /// Returns the paths as a table in Markdown. Names are written as code, so nothing in them acts
    /// as markup or a link.
    pub fn to_markdown(&self) -> String {
        let rows = self.rows(|path| Code(path).to_string());
        rows.into_iter().fold(head(&["bytes", "share", "path"]), |table, [amount, share, name]| {
            table + &row(&[&amount, &share, &name])
        })
    }

    /// The last row adds up the paths that are left out.
    fn rows(&self, name: impl Fn(&Path<'_>) -> String) -> Vec<[String; 3]> {
        let paths = self.paths.iter().map(|found| (found.known, name(&found.path)));
        let more = || (self.more_known, format!("…{} more", Grouped(self.more)));
        let rows = paths.chain((self.more > 0).then(more));
        let share = |known: Known| Percent { part: known.bytes, whole: self.total }.to_string();
        rows.map(|(known, name)| [known.show(self.units), share(known), name]).collect()
    }
}

/// Writes a line for each path: bytes, share of the total, path. The last line adds up the paths
/// that are left out. Writes `no bytes` for an empty profile.
impl fmt::Display for Top<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows(|path| path.to_string());
        if rows.is_empty() {
            return out.write_str("no bytes");
        }
        let table = Table::of_rows(rows.into_iter().map(Vec::from).collect(), &[2]);
        out.write_str(&table.min_cell(self.width / 3).lines(self.width).join("\n"))
    }
}

/// The number of rows of the table. The collapsed tree comes below the table.
const LARGEST: usize = 10;

/// # Markdown
impl Profile {
    /// Returns the profile as Markdown: the total, the ten largest paths, whether the bytes are
    /// exact, and the collapsed tree.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], [0_u8; 8]));
    /// let markdown = profile.to_markdown();
    /// assert!(markdown.starts_with("**1.0 KiB** in `pair`\n"));
    /// assert!(markdown.contains("| 1.0 KiB | 99.2 % | `pair;0` |\n"));
    /// ```
    pub fn to_markdown(&self) -> String {
        let total = Known::of(self.root()).show(Units::Iec);
        let root = Code(Shown(self.root().name()));
        let (table, tree) = (self.top(LARGEST).to_markdown(), fenced(&self.to_string()));
        let footer = footer(self, Units::Iec).join(" · ");
        format!(
            "**{total}** in {root}\n\n{table}\n{footer}\n\n\
             <details><summary>tree</summary>\n\n{tree}\n</details>\n"
        )
    }
}
