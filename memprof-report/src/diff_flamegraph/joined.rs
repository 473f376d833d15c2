//! Two trees as one: each path with what it held before and after.

use crate::plain::joins_its_parent;
use core::cmp::Reverse;
use memprof_core::Branch;
use std::collections::BTreeMap;

/// Bytes before and after; none where there was no such path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
}

/// A path, and what is below it.
#[derive(Debug)]
pub(super) struct Joined<'p> {
    pub(super) name: &'p str,
    /// Here and below.
    pub(super) total: Sides,
    /// What it takes in the picture: path by path the larger of both.
    pub(super) weight: u128,
    /// Widest first.
    pub(super) children: Vec<Joined<'p>>,
}

/// A path while both trees are read.
#[derive(Default)]
struct Growing<'p> {
    own: Sides,
    children: BTreeMap<&'p str, Self>,
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

    fn add(&mut self, other: Self) {
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
        let mut root = Growing::default();
        root.grow(before, Side::Before);
        root.grow(after, Side::After);
        root.finish(after.name())
    }

    /// Several paths as one, which has no name.
    pub(super) fn together(paths: &[Self]) -> Self {
        let mut total = Sides::default();
        for path in paths {
            total.add(path.total);
        }
        let weight = paths.iter().map(|path| path.weight).sum();
        Self { name: "", total, weight, children: Vec::new() }
    }
}

/// Recursion is as deep as profiles, at most 1024 levels.
impl<'p> Growing<'p> {
    fn grow(&mut self, branch: Branch<'p>, side: Side) {
        let own = self.own.of(side).get_or_insert(0);
        *own = own.saturating_add(branch.own_bytes());
        for child in branch.children() {
            if joins_its_parent(child) {
                self.grow(child, side);
            } else {
                self.children.entry(child.name()).or_default().grow(child, side);
            }
        }
    }

    fn finish(self, name: &'p str) -> Joined<'p> {
        let children = self.children.into_iter();
        let mut children: Vec<_> = children.map(|(name, child)| child.finish(name)).collect();
        children.sort_by_key(|child| Reverse(child.weight));
        let mut total = self.own;
        for child in &children {
            total.add(child.total);
        }
        let weight =
            u128::from(self.own.larger()) + children.iter().map(|child| child.weight).sum::<u128>();
        Joined { name, total, weight, children }
    }
}
