//! The merge of two trees that are sorted by name, which finds the paths whose bytes differ.

use crate::tree::Branch;
use crate::views::diff::entry::Change;
use core::cmp::Ordering;

/// Returns the paths whose bytes differ, in the order of the tree. The roots count as one path,
/// even if their names differ.
pub(crate) fn changes(before: Branch<'_>, after: Branch<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    join(before, after, &mut changes);
    changes
}

/// Merges two branches of the same path. The recursion is as deep as types nest.
fn join(before: Branch<'_>, after: Branch<'_>, changes: &mut Vec<Change>) {
    let size = before.own_bytes().abs_diff(after.own_bytes());
    if size > 0 {
        changes.push(Change::new(Some(before.index()), after.index(), size));
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
            (Ordering::Equal, Some(before), Some(after)) => join(before, after, changes),
            (Ordering::Less, Some(before), _) => {
                let next_index = after.map_or(end, Branch::index);
                add_unmatched(before, |index, size| Change::gone(index, next_index, size), changes);
            }
            (_, _, Some(after)) => {
                add_unmatched(after, |index, size| Change::new(None, index, size), changes);
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
fn add_unmatched(
    branch: Branch<'_>,
    change: impl Fn(u32, u64) -> Change,
    changes: &mut Vec<Change>,
) {
    for branch in branch.subtree() {
        let size = branch.own_bytes();
        if size > 0 {
            changes.push(change(branch.index(), size));
        }
    }
}
