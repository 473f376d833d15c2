//! The merge of two trees that are sorted by name, which finds the paths whose bytes differ.

use crate::tree::Branch;
use crate::views::diff::entry::Change;
use crate::views::marks::lacks_values;
use core::cmp::Ordering;

/// Returns the paths whose bytes differ, in the order of the tree. The roots count as one path,
/// even if their names differ.
pub(crate) fn changes(before: Branch<'_>, after: Branch<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    join(before, after, LowerEnds { before: false, after: false }, &mut changes);
    changes
}

/// The trees whose bytes are only a lower end, because values that may own bytes there were not
/// visited.
#[derive(Clone, Copy)]
struct LowerEnds {
    before: bool,
    after: bool,
}

impl LowerEnds {
    /// Returns the lower ends at branches below. Values that were not visited may own bytes at each
    /// branch below theirs.
    fn at(self, before: Option<Branch<'_>>, after: Option<Branch<'_>>) -> Self {
        Self {
            before: self.before || before.is_some_and(lacks_values),
            after: self.after || after.is_some_and(lacks_values),
        }
    }

    fn mark(self, change: Change) -> Change {
        change.with_lower_ends(self.before, self.after)
    }
}

/// Merges two branches of the same path. The recursion is as deep as types nest.
fn join(before: Branch<'_>, after: Branch<'_>, above: LowerEnds, changes: &mut Vec<Change>) {
    let lower_ends = above.at(Some(before), Some(after));
    let size = before.own_bytes().abs_diff(after.own_bytes());
    if size > 0 {
        changes.push(lower_ends.mark(Change::new(Some(before.index()), after.index(), size)));
    }
    let end = after.end();
    let (mut before_children, mut after_children) = (before.children(), after.children());
    let (mut before, mut after) = (before_children.next(), after_children.next());
    loop {
        let order = match (before, after) {
            (Some(before), Some(after)) => before.name().cmp(after.name()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        match (order, before, after) {
            (Ordering::Equal, Some(before), Some(after)) => {
                join(before, after, lower_ends, changes);
            }
            (Ordering::Less, Some(before), _) => {
                let next_index = after.map_or(end, Branch::index);
                let gone = |index, size| Change::gone(index, next_index, size);
                let below = |branch, above: LowerEnds| above.at(Some(branch), None);
                add_unmatched(before, lower_ends, &below, &gone, changes);
            }
            (_, _, Some(after)) => {
                let new = |index, size| Change::new(None, index, size);
                let below = |branch, above: LowerEnds| above.at(None, Some(branch));
                add_unmatched(after, lower_ends, &below, &new, changes);
            }
            _ => {}
        }
        if order.is_le() {
            before = before_children.next();
        }
        if order.is_ge() {
            after = after_children.next();
        }
    }
}

/// Records a change for each branch of a subtree that only one of the trees has.
fn add_unmatched<'b>(
    branch: Branch<'b>,
    above: LowerEnds,
    below: &impl Fn(Branch<'b>, LowerEnds) -> LowerEnds,
    change: &impl Fn(u32, u64) -> Change,
    changes: &mut Vec<Change>,
) {
    let lower_ends = below(branch, above);
    let size = branch.own_bytes();
    if size > 0 {
        changes.push(lower_ends.mark(change(branch.index(), size)));
    }
    for child in branch.children() {
        add_unmatched(child, lower_ends, below, change, changes);
    }
}
