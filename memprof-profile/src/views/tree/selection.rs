//! The selection of the lines below a branch that are drawn; all others are added up as `…n more`.

use crate::tree::Branch;
use crate::views::marks::Marks;
use crate::views::parts::{Part, parts};
use crate::views::tree::Tree;
use core::cmp::Reverse;

/// The maximum number of lines below one branch by default.
const MAX_LINES: usize = 12;

/// The number of lines of a large branch that are drawn even if each is small.
const MAX_SMALL_LINES: usize = 3;

/// If at most this number of lines are below the root, all of them are drawn. A struct rarely has
/// more fields, but a map often has more entries.
const MAX_FIELDS: usize = 64;

/// A line with at least 1/`LARGE_FRACTION` of the total is large, and is never left out by default.
const LARGE_FRACTION: u64 = 20;

/// A line that may be drawn below a branch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry<'t> {
    /// A branch.
    Branch(Branch<'t>),
    /// Bytes of the branch itself.
    Own(Part),
}

/// The lines below one branch.
#[derive(Debug, Default)]
pub(crate) struct Selection<'t> {
    /// The lines that are drawn, largest first.
    pub(crate) shown: Vec<Entry<'t>>,
    pub(crate) hidden: Vec<Entry<'t>>,
}

impl Selection<'_> {
    /// Returns whether the branch's own bytes have separate lines.
    pub(crate) fn has_own(&self) -> bool {
        self.shown.iter().chain(&self.hidden).any(|entry| matches!(entry, Entry::Own(_)))
    }
}

impl Entry<'_> {
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Branch(branch) => branch.total_bytes(),
            Self::Own(part) => part.bytes,
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Branch(branch) => branch.name(),
            Self::Own(part) => part.name,
        }
    }

    pub(crate) fn add_marks(&self, marks: &mut Marks) {
        match self {
            Self::Branch(branch) => marks.add_tree(*branch),
            Self::Own(part) => marks.add_estimate(part.estimated_bytes),
        }
    }

    fn is_marked(&self) -> bool {
        match self {
            Self::Branch(branch) => branch.is_marked(),
            Self::Own(part) => part.estimated_bytes > 0,
        }
    }
}

/// The settings of the selection, computed once per tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selector {
    floor: u64,
    large: u64,
    max_lines: Option<usize>,
    detailed: bool,
    /// `true` if small lines directly below the root are drawn too.
    keeps_fields: bool,
}

impl Selector {
    pub(crate) fn new(tree: &Tree<'_>) -> Self {
        let total = tree.profile.total_bytes();
        Self {
            floor: share_of(total, tree.min_share),
            large: total / LARGE_FRACTION,
            max_lines: tree.max_lines,
            detailed: tree.detailed,
            keeps_fields: tree.max_lines.is_none() && tree.min_share <= super::MIN_SHARE,
        }
    }

    /// Returns the minimum number of spare bytes that get a note.
    pub(crate) fn floor(&self) -> u64 {
        self.floor
    }

    pub(crate) fn select<'t>(&self, branch: Branch<'t>) -> Selection<'t> {
        let mut entries = self.entries(branch);
        if self.keeps_fields && branch.index() == 0 && entries.len() <= MAX_FIELDS {
            sort(&mut entries);
            return Selection { shown: entries, hidden: Vec::new() };
        }
        let (mut entries, small) = self.apart(entries);
        sort(&mut entries);
        let mut selection = Selection::default();
        for entry in entries {
            let shown = self.is_shown(&entry, selection.shown.len());
            if shown { &mut selection.shown } else { &mut selection.hidden }.push(entry);
        }
        selection.hidden.extend(small);
        self.balance(selection, branch.total_bytes())
    }

    /// Splits entries into entries that may be drawn and entries that are too small in any case.
    /// Only a few of a million entries are drawn, so the others need not be sorted.
    fn apart<'t>(&self, entries: Vec<Entry<'t>>) -> (Vec<Entry<'t>>, Vec<Entry<'t>>) {
        // By default, a line after the first `MAX_LINES` is drawn only if it takes at least
        // 1/`LARGE_FRACTION` of the total, so at most `LARGE_FRACTION` such lines are drawn.
        let max_lines = self.max_lines.unwrap_or(MAX_LINES + LARGE_FRACTION as usize);
        let max_candidates = max_lines.max(MAX_SMALL_LINES).saturating_add(1);
        if entries.len() <= max_candidates {
            return (entries, Vec::new());
        }
        let mut bytes: Vec<u64> = entries.iter().map(Entry::bytes).collect();
        let index = bytes.len() - max_candidates;
        let (_, &mut threshold, _) = bytes.select_nth_unstable(index);
        entries.into_iter().partition(|entry| entry.bytes() >= threshold || entry.is_marked())
    }

    fn entries<'t>(&self, branch: Branch<'t>) -> Vec<Entry<'t>> {
        let branches = branch.children().map(Entry::Branch);
        let entries = branches.filter(|entry| entry.bytes() > 0 || entry.is_marked());
        let mut entries: Vec<_> = entries.collect();
        let parts = parts(branch);
        let apart = if self.detailed {
            !entries.is_empty() || parts.len() > 1
        } else {
            !entries.is_empty() && branch.own_bytes() >= self.floor
        };
        if apart {
            entries.extend(parts.into_iter().map(Entry::Own));
        }
        entries
    }

    fn is_shown(&self, entry: &Entry<'_>, before: usize) -> bool {
        let bytes = entry.bytes();
        match self.max_lines {
            Some(max_lines) => before < max_lines && (bytes >= self.floor || entry.is_marked()),
            None if before < MAX_LINES => bytes >= self.floor || entry.is_marked(),
            None => bytes > 0 && bytes >= self.large,
        }
    }

    /// Adds a single hidden line instead of `…1 more`, and adds some lines to a large branch that
    /// would have none. `max_lines` limits the number of lines in both cases.
    fn balance<'t>(&self, mut selection: Selection<'t>, bytes: u64) -> Selection<'t> {
        let limit = self.max_lines.unwrap_or(usize::MAX);
        if selection.shown.is_empty() && bytes > 0 && bytes >= self.large {
            let count = selection.hidden.len().min(MAX_SMALL_LINES).min(limit);
            selection.shown.extend(selection.hidden.drain(..count));
        }
        if selection.hidden.len() == 1 && (1..limit).contains(&selection.shown.len()) {
            selection.shown.append(&mut selection.hidden);
            sort(&mut selection.shown);
        }
        selection
    }
}

/// Sorts entries by size, largest first, then by name.
fn sort(entries: &mut [Entry<'_>]) {
    entries.sort_by(|a, b| {
        Reverse(a.bytes()).cmp(&Reverse(b.bytes())).then_with(|| a.name().cmp(b.name()))
    });
}

/// Returns `percent` of `total`, rounded up to a whole byte.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a threshold need not be exact; casts of floats saturate, and NaN becomes 0"
)]
fn share_of(total: u64, percent: f64) -> u64 {
    (total as f64 * (percent / 100.0)).ceil() as u64
}
