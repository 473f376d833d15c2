//! The paths that hold the most, largest first.

use crate::tree::Plain;
use crate::views::Path;
use crate::views::markdown::{Code, head, row};
use crate::views::units::{Grouped, Percent, Units};
use crate::views::width::columns;
use crate::{Branch, Profile};
use core::fmt;

/// The largest paths of a profile; [`Profile::top`] makes it, `{}` shows it as a table.
#[derive(Clone, Debug)]
#[must_use]
pub struct Top<'p> {
    paths: Vec<TopPath<'p>>,
    total: u64,
    more: u64,
    more_bytes: u64,
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
    /// use memprof_core::Profile;
    ///
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], [0_u8; 8]));
    /// let top = profile.top(1);
    /// assert_eq!(top.paths()[0].path().to_string(), "pair;0");
    /// assert_eq!(top.paths()[0].bytes(), 1024);
    /// println!("{top}");
    /// ```
    pub fn top(&self, count: usize) -> Top<'_> {
        let mut paths = Vec::new();
        let plain = self.plain();
        add_paths(&plain, plain.root(), &mut Path::default(), &mut paths);
        paths.sort_by_key(|found: &TopPath<'_>| core::cmp::Reverse(found.bytes));
        let rest = paths.split_off(count.min(paths.len()));
        let more_bytes = rest.iter().map(|found| found.bytes).sum();
        Top { paths, total: self.total_bytes(), more: rest.len() as u64, more_bytes }
    }
}

fn add_paths<'p>(
    plain: &Plain<'p>,
    line: Branch<'_>,
    path: &mut Path<'p>,
    paths: &mut Vec<TopPath<'p>>,
) {
    path.push(plain.name(line));
    let bytes = line.own_bytes();
    if bytes > 0 {
        paths.push(TopPath { path: path.clone(), bytes });
    }
    for child in line.children() {
        add_paths(plain, child, path, paths);
    }
    path.pop();
}

impl<'p> Top<'p> {
    /// The paths, largest first.
    pub fn paths(&self) -> &[TopPath<'p>] {
        &self.paths
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
        let cells = |(bytes, name)| (Units::Iec.show(bytes).to_string(), share(bytes), name);
        rows.into_iter().map(cells).collect()
    }
}

/// A line per path: bytes, share of the whole, path; what is left comes last.
impl fmt::Display for Top<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows(|path| path.to_string());
        let amounts = rows.iter().map(|row| columns(&row.0)).max().unwrap_or_default();
        let shares = rows.iter().map(|row| columns(&row.1)).max().unwrap_or_default();
        for (index, (amount, share, name)) in rows.into_iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(out, "{end}{amount:>amounts$}  {share:>shares$}   {name}")?;
        }
        Ok(())
    }
}
