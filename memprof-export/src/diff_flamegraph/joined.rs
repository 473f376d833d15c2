//! Two trees as one: each path with what it held before and after.

use crate::plain::joins_its_parent;
use core::cmp::Reverse;
use memprof_profile::Branch;
use std::collections::HashMap;

/// Bytes before and after; none where there was no such path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
}

/// Both trees as one: the root first, each path before those below it.
///
/// A list and no nested values, as those would take a stack as deep as the tree to build and drop.
#[derive(Debug)]
pub(super) struct Joined<'p>(pub(super) Vec<Path<'p>>);

/// A path, and what is below it.
#[derive(Debug)]
pub(super) struct Path<'p> {
    pub(super) name: &'p str,
    /// Here and below.
    pub(super) total: Sides,
    /// What it takes in the picture: path by path the larger of both.
    pub(super) weight: u128,
    parent: usize,
    /// Their places in the list, the widest first.
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

    /// By how many bytes more it is after.
    pub(super) fn change(self) -> i128 {
        i128::from(self.after.unwrap_or(0)) - i128::from(self.before.unwrap_or(0))
    }

    pub(super) fn larger(self) -> u64 {
        self.before.max(self.after).unwrap_or(0)
    }
}

impl<'p> Joined<'p> {
    /// The roots are one path whatever their names.
    pub(super) fn of(before: Branch<'p>, after: Branch<'p>) -> Self {
        let mut growing = Growing { paths: Vec::new(), places: HashMap::new() };
        let root = growing.add(after.name(), 0);
        growing.grow(before, root, Side::Before);
        growing.grow(after, root, Side::After);
        growing.finish()
    }
}

/// The list while both trees are read; what is at each path counts without what is below.
struct Growing<'p> {
    paths: Vec<Path<'p>>,
    /// The paths by the one above them and their name.
    places: HashMap<(usize, &'p str), usize>,
}

impl<'p> Growing<'p> {
    fn add(&mut self, name: &'p str, parent: usize) -> usize {
        let total = Sides::default();
        self.paths.push(Path { name, total, weight: 0, parent, children: Vec::new() });
        self.paths.len() - 1
    }

    fn grow(&mut self, root: Branch<'p>, place: usize, side: Side) {
        let mut left = vec![(root, place)];
        while let Some((branch, place)) = left.pop() {
            let own = self.paths[place].total.of(side).get_or_insert(0);
            *own = own.saturating_add(branch.own_bytes());
            for child in branch.children() {
                let below = if joins_its_parent(child) { place } else { self.below(place, child) };
                left.push((child, below));
            }
        }
    }

    fn below(&mut self, parent: usize, child: Branch<'p>) -> usize {
        if let Some(&place) = self.places.get(&(parent, child.name())) {
            return place;
        }
        let place = self.add(child.name(), parent);
        self.places.insert((parent, child.name()), place);
        place
    }

    fn finish(self) -> Joined<'p> {
        let mut paths = self.paths;
        for path in &mut paths {
            path.weight = u128::from(path.total.larger());
        }
        // From the last on: what is below a path comes after it.
        for place in (1..paths.len()).rev() {
            let Path { total, weight, parent, .. } = paths[place];
            paths[parent].total.add(total);
            paths[parent].weight += weight;
            paths[parent].children.push(place);
        }
        for place in 0..paths.len() {
            let mut children = std::mem::take(&mut paths[place].children);
            children.sort_by_key(|&child| (Reverse(paths[child].weight), paths[child].name));
            paths[place].children = children;
        }
        Joined(paths)
    }
}
