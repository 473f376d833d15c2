//! The paths that hold the most, largest first.

use crate::tree::Plain;
use crate::views::Path;
use crate::views::units::{Grouped, Percent, Units};
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

/// A line per path: bytes, share of the whole, path; what is left comes last.
impl fmt::Display for Top<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<(u64, String)> =
            self.paths.iter().map(|found| (found.bytes, found.path.to_string())).collect();
        if self.more > 0 {
            lines.push((self.more_bytes, format!("…{} more", Grouped(self.more))));
        }
        let amount = |bytes| Units::Iec.show(bytes).to_string();
        let share = |part| Percent { part, whole: self.total }.to_string();
        let amounts = lines.iter().map(|line| amount(line.0).len()).max().unwrap_or_default();
        let shares = lines.iter().map(|line| share(line.0).len()).max().unwrap_or_default();
        for (index, (bytes, name)) in lines.into_iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            let (amount, share) = (amount(bytes), share(bytes));
            write!(out, "{end}{amount:>amounts$}  {share:>shares$}   {name}")?;
        }
        Ok(())
    }
}
