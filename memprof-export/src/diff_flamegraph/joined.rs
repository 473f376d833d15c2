//! Two trees merged into one: each path with its bytes before and after.

use crate::plain::describes_parent;
use core::cmp::Reverse;
use memprof_profile::tree::Branch;
use std::collections::HashMap;

/// Bytes before and after; `None` where the path did not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
}

/// Both trees merged: the root first, each path before the paths below it.
///
/// A list instead of nested values: building and dropping nested values would need a stack as deep
/// as the tree.
#[derive(Debug)]
pub(super) struct JoinedTree<'p>(pub(super) Vec<Path<'p>>);

/// A path with its bytes and its children.
#[derive(Debug)]
pub(super) struct Path<'p> {
    pub(super) name: &'p str,
    /// The bytes at this path and below it.
    pub(super) total: Sides,
    /// The width in the picture. This path and each path below it add the larger of their own bytes
    /// before and after.
    pub(super) weight: u128,
    parent: usize,
    /// The indices of the children in the list, with the largest weight first.
    pub(super) children: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

impl Sides {
    fn of(&mut self, side: Side) -> &mut Option<u64> {
        match side {
            Side::Before => &mut self.before,
            Side::After => &mut self.after,
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        for side in [Side::Before, Side::After] {
            if let Some(bytes) = *{ other }.of(side) {
                let sum = self.of(side).get_or_insert(0);
                *sum = sum.saturating_add(bytes);
            }
        }
    }

    /// Returns the bytes after less the bytes before.
    pub(super) fn change(self) -> i128 {
        i128::from(self.after.unwrap_or(0)) - i128::from(self.before.unwrap_or(0))
    }

    pub(super) fn larger(self) -> u64 {
        self.before.max(self.after).unwrap_or(0)
    }
}

impl<'p> JoinedTree<'p> {
    /// Merges two trees. The roots become one path even if their names differ.
    pub(super) fn of(before: Branch<'p>, after: Branch<'p>) -> Self {
        let mut growing = JoinedTreeBuilder { paths: Vec::new(), indices: HashMap::new() };
        let root = growing.add(after.name(), 0);
        growing.add_tree(before, root, Side::Before);
        growing.add_tree(after, root, Side::After);
        growing.finish()
    }
}

/// The list while both trees are read. The bytes of a path do not include the bytes of its children
/// yet.
struct JoinedTreeBuilder<'p> {
    paths: Vec<Path<'p>>,
    /// The indices of the paths, by parent index and name.
    indices: HashMap<(usize, &'p str), usize>,
}

impl<'p> JoinedTreeBuilder<'p> {
    fn add(&mut self, name: &'p str, parent: usize) -> usize {
        let total = Sides::default();
        self.paths.push(Path { name, total, weight: 0, parent, children: Vec::new() });
        self.paths.len() - 1
    }

    fn add_tree(&mut self, root: Branch<'p>, index: usize, side: Side) {
        let mut pending = vec![(root, index)];
        while let Some((branch, index)) = pending.pop() {
            let own = self.paths[index].total.of(side).get_or_insert(0);
            *own = own.saturating_add(branch.own_bytes());
            for child in branch.children() {
                let child_index =
                    if describes_parent(child) { index } else { self.child_index(index, child) };
                pending.push((child, child_index));
            }
        }
    }

    fn child_index(&mut self, parent: usize, child: Branch<'p>) -> usize {
        if let Some(&index) = self.indices.get(&(parent, child.name())) {
            return index;
        }
        let index = self.add(child.name(), parent);
        self.indices.insert((parent, child.name()), index);
        index
    }

    fn finish(self) -> JoinedTree<'p> {
        let mut paths = self.paths;
        for path in &mut paths {
            path.weight = u128::from(path.total.larger());
        }
        // Goes backwards, because the paths below a path come after it.
        for index in (1..paths.len()).rev() {
            let Path { total, weight, parent, .. } = paths[index];
            paths[parent].total.add(total);
            paths[parent].weight += weight;
            paths[parent].children.push(index);
        }
        for index in 0..paths.len() {
            let mut children = std::mem::take(&mut paths[index].children);
            children.sort_by_key(|&child| (Reverse(paths[child].weight), paths[child].name));
            paths[index].children = children;
        }
        JoinedTree(paths)
    }
}
