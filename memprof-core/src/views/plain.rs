//! The plain form of a branch: names only, the bracketed frames merged into the line they describe.
//!
//! - Leaves of every kind become the own bytes of their branch.
//! - `[shared]` is spliced out: what is below it joins the handle's line and children by name, so
//!   that a path does not depend on how many handles there are.
//! - `[keys]` joins the map's line unless names are below it; what the keys take is remembered.
//! - `[other]` stays: it stands for entries that have names.

use crate::frame::{KEYS, SHARED};
use crate::{Branch, Counts, Leaf, Profile};

/// A line of the plain tree.
#[derive(Debug)]
pub(crate) struct Plain<'p> {
    pub(crate) name: &'p str,
    /// All bytes here and below.
    pub(crate) bytes: u64,
    /// What is here and not below: a branch without a name and without children.
    pub(crate) own: Branch,
    /// Leaves of `own` that are the keys', which the tree shows as `[keys]`.
    pub(crate) keys: Branch,
    /// Sorted by name.
    pub(crate) children: Vec<Plain<'p>>,
}

/// Bytes right at a line that have a bracketed name of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) bytes: u64,
    pub(crate) estimated_bytes: u64,
}

impl Profile {
    pub(crate) fn plain(&self) -> Plain<'_> {
        Plain::merged(&self.root)
    }
}

impl<'p> Plain<'p> {
    /// The plain form.
    fn merged(branch: &'p Branch) -> Self {
        let mut line = Self::own(branch);
        for child in &branch.children {
            let child = Self::merged(child);
            match child.name {
                SHARED => line.splice(child),
                KEYS if child.children.is_empty() => line.splice_keys(child),
                _ => line.adopt(child),
            }
        }
        line
    }

    /// The same type without merging anything.
    pub(crate) fn detailed(branch: &'p Branch) -> Self {
        let mut line = Self::own(branch);
        branch.children.iter().for_each(|child| line.adopt(Self::detailed(child)));
        line
    }

    /// The bytes right here, by kind and those of keys apart.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let part = |name, leaves: &[Leaf]| Part {
            name,
            bytes: leaves.iter().map(|leaf| leaf.bytes).sum(),
            estimated_bytes: leaves.iter().map(|leaf| leaf.estimated_bytes).sum(),
        };
        let mut parts = vec![part(KEYS, &self.keys.leaves)];
        for leaf in &self.own.leaves {
            let mut all = part(leaf.kind.frame(), &[*leaf]);
            if let Some(keys) = self.keys.leaves.iter().find(|keys| keys.kind == leaf.kind) {
                all.bytes -= keys.bytes;
                all.estimated_bytes -= keys.estimated_bytes;
            }
            parts.push(all);
        }
        parts.retain(|part| part.bytes > 0);
        parts
    }

    fn own(branch: &'p Branch) -> Self {
        let bytes = branch.leaves.iter().map(|leaf| leaf.bytes).sum();
        let own = Branch {
            role: branch.role,
            bytes,
            counts: branch.counts,
            leaves: branch.leaves.clone(),
            opaque: branch.opaque.clone(),
            ..Branch::default()
        };
        Self { name: &branch.name, bytes, own, keys: Branch::default(), children: Vec::new() }
    }

    /// Takes what another line holds into this one.
    fn splice(&mut self, other: Self) {
        self.bytes += other.own.bytes;
        self.own.merge(other.own);
        self.keys.merge(other.keys);
        for child in other.children {
            self.adopt(child);
        }
    }

    /// Keys are not values of the map, so what is counted of them is only how they are held.
    fn splice_keys(&mut self, mut keys: Self) {
        keys.own.counts = Counts { values: 0, nodes: 0, ..keys.own.counts };
        keys.keys = keys.own.leaves_only();
        self.splice(keys);
    }

    /// Adds a child, or merges it with the one of its name.
    fn adopt(&mut self, child: Self) {
        match self.children.binary_search_by(|known| known.name.cmp(child.name)) {
            Ok(known) => {
                let known = &mut self.children[known];
                let before = known.bytes;
                known.splice(child);
                self.bytes += known.bytes - before;
            }
            Err(place) => {
                self.bytes += child.bytes;
                self.children.insert(place, child);
            }
        }
    }
}

impl Branch {
    /// The leaves right here, without anything else.
    fn leaves_only(&self) -> Self {
        Self { bytes: self.bytes, leaves: self.leaves.clone(), ..Self::default() }
    }
}
