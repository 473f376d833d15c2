//! All amounts of the growing tree, by key, so that a sampled walk can scale them.

use crate::device::Device;
use crate::frame::LeafKind;
use crate::position::Position;
use crate::state::node::{COMMON, Node, Rare, kind_index};
use crate::state::{END, WalkState};

/// The key of one amount of a [`WalkState`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Amount {
    /// Bytes of a kind at a node.
    Bytes(u32, LeafKind),
    /// Bytes of data at a node in the memory of a device other than the host.
    OnDevice(u32, Device),
    /// A count at a node, by its index in the list of [`counts_of_node`] followed by
    /// [`counts_of_rare`].
    Count(u32, u8),
    /// The count of a mark, by its index in the list of all marks.
    Mark(u32),
}

impl Amount {
    /// Returns the node and, unless the amount is a count, the kind and device of its bytes.
    pub(crate) fn leaf(self) -> Option<(u32, LeafKind, Device)> {
        match self {
            Self::Bytes(node, kind) => Some((node, kind, Device::Cpu)),
            Self::OnDevice(node, device) => Some((node, LeafKind::Data, device)),
            Self::Count(..) | Self::Mark(_) => None,
        }
    }
}

/// The number of counts in a node.
const NODE_COUNTS: usize = 4;

fn counts_of_node(node: &mut Node) -> [&mut u64; NODE_COUNTS] {
    [&mut node.allocations, &mut node.values, &mut node.excess.buffers, &mut node.excess.shrinkable]
}

fn counts_of_rare(rare: &mut Rare) -> [&mut u64; 4] {
    [&mut rare.tree_nodes, &mut rare.compactable, &mut rare.shared_allocations, &mut rare.handles]
}

/// The kinds in the order of their indices.
const COMMON_KINDS: [LeafKind; COMMON] =
    [LeafKind::Inline, LeafKind::Data, LeafKind::Spare, LeafKind::Counts, LeafKind::Padding];
const RARE_KINDS: [LeafKind; 4] =
    [LeafKind::Table, LeafKind::Nodes, LeafKind::Skipped, LeafKind::Opaque];

impl WalkState {
    /// Moves all amounts except 0 to `receive`, and leaves 0 in their place.
    ///
    /// Inline bytes that are not split over fields yet are not amounts.
    pub(crate) fn take_amounts(&mut self, mut receive: impl FnMut(Amount, u64)) {
        let mut take = |amount: Amount, value: &mut u64| {
            if *value != 0 {
                receive(amount, core::mem::take(value));
            }
        };
        for (number, node) in (0..).zip(&mut self.nodes) {
            for (kind, bytes) in COMMON_KINDS.into_iter().zip(&mut node.bytes) {
                take(Amount::Bytes(number, kind), bytes);
            }
            for (count, value) in (0..).zip(counts_of_node(node)) {
                take(Amount::Count(number, count), value);
            }
            if node.rare == END {
                continue;
            }
            let rare = &mut self.rare[node.rare as usize - 1];
            for (kind, bytes) in RARE_KINDS.into_iter().zip(&mut rare.bytes) {
                take(Amount::Bytes(number, kind), bytes);
            }
            for (count, value) in (NODE_COUNTS as u8..).zip(counts_of_rare(rare)) {
                take(Amount::Count(number, count), value);
            }
        }
        for (&(node, device), bytes) in &mut self.on_devices {
            take(Amount::OnDevice(node, device), bytes);
        }
        for (number, marked) in (0..).zip(&mut self.marks) {
            take(Amount::Mark(number), &mut marked.count);
        }
    }

    /// Returns the amount with the given key, which [`take_amounts`](Self::take_amounts) passed to
    /// its closure.
    pub(crate) fn amount(&mut self, amount: Amount) -> &mut u64 {
        match amount {
            Amount::Bytes(node, kind) if kind_index(kind) < COMMON => {
                &mut self.nodes[node as usize].bytes[kind_index(kind)]
            }
            Amount::Bytes(node, kind) => {
                &mut self.rare(Position::node(node)).bytes[kind_index(kind) - COMMON]
            }
            Amount::OnDevice(node, device) => self.on_devices.entry((node, device)).or_default(),
            Amount::Count(node, count) if usize::from(count) < NODE_COUNTS => {
                let [allocations, values, buffers, shrinkable] =
                    counts_of_node(&mut self.nodes[node as usize]);
                match count {
                    0 => allocations,
                    1 => values,
                    2 => buffers,
                    _ => shrinkable,
                }
            }
            Amount::Count(node, count) => {
                let [tree_nodes, compactable, shared_allocations, handles] =
                    counts_of_rare(self.rare(Position::node(node)));
                match usize::from(count) - NODE_COUNTS {
                    0 => tree_nodes,
                    1 => compactable,
                    2 => shared_allocations,
                    _ => handles,
                }
            }
            Amount::Mark(number) => &mut self.marks[number as usize].count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMON_KINDS, RARE_KINDS};
    use crate::frame::LeafKind;
    use crate::state::WalkState;
    use crate::state::node::kind_index;
    use crate::tree::tree_of_walk;
    use crate::walk::Walk;
    use std::collections::{BTreeMap, HashMap};
    use std::sync::Arc;

    #[test]
    fn the_kinds_are_listed_in_the_order_of_their_indices() {
        let kinds = COMMON_KINDS.iter().chain(&RARE_KINDS);
        assert!(kinds.clone().copied().map(kind_index).eq(0..LeafKind::ALL.len()));
    }

    #[test]
    fn amounts_that_are_taken_and_returned_make_the_same_tree() {
        let shared = Arc::new(vec![String::from("shared"); 3]);
        let table: HashMap<u32, Vec<Arc<Vec<String>>>> =
            (0..20).map(|key| (key, vec![shared.clone(); key as usize])).collect();
        let tree: BTreeMap<String, Option<Box<u64>>> =
            (0..50).map(|key| (key.to_string(), Some(Box::new(key)))).collect();
        let value = (table, tree, Vec::<u8>::with_capacity(100));
        let mut state: WalkState = Walk::run(&value);
        let before = tree_of_walk("value", &state);
        let mut taken = Vec::new();
        state.take_amounts(|amount, value| taken.push((amount, value)));
        assert_eq!(tree_of_walk("value", &state).total_bytes(), 0);
        for &(amount, value) in &taken {
            *state.amount(amount) += value;
        }
        assert_eq!(tree_of_walk("value", &state), before);
    }
}
