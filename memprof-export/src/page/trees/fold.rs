//! Folding of nodes that are small in every tree, so that browsers can open pages of huge trees.

use super::super::contents::NodeKind;
use super::nodes::{Node, Nodes};
use super::tree::Tree;
use core::cmp::Reverse;

/// The name of folded nodes.
const OTHERS: &str = "others";

/// Keeps `most / 2` nodes, those with the most bytes in any tree. The rest are added up in nodes
/// named "others" at the same place. A kept node has at most one such node below it for each
/// device, so about `most` nodes remain at most. Returns the number of folded nodes.
///
/// A node is folded in all trees or in none, so that trees can be compared.
pub(super) fn fold(nodes: &mut Nodes, trees: &mut [Tree], most: usize) -> usize {
    let count = nodes.all.len();
    if count <= most {
        return 0;
    }
    let kept = kept(nodes, trees, most / 2);
    let mut place = vec![u32::MAX; count];
    let old = core::mem::take(nodes);
    let mut folded = Nodes::default();
    for (index, node) in old.all.iter().enumerate() {
        if kept[index] {
            let parent = if index == 0 { 0 } else { place[node.parent as usize] };
            let name = folded.shown(&old.names[node.name as usize]);
            place[index] = folded.index(Node { parent, name, ..*node });
        }
    }
    for tree in trees {
        for list in [&mut tree.leaves, &mut tree.allocations] {
            for (node, _) in list.iter_mut() {
                let mut at = *node as usize;
                if kept[at] {
                    *node = place[at];
                    continue;
                }
                let device = old.all[at].device;
                while !kept[at] {
                    at = old.all[at].parent as usize;
                }
                *node = folded.at(place[at], NodeKind::Others, OTHERS, device);
            }
        }
        for node in &mut tree.uncounted {
            let mut at = *node as usize;
            while !kept[at] {
                at = old.all[at].parent as usize;
            }
            *node = place[at];
        }
        tree.settle();
    }
    *nodes = folded;
    kept.iter().filter(|&&kept| !kept).count()
}

/// Returns the nodes that stay. A parent has at least the bytes of its child and comes before it,
/// so no node loses its parent.
fn kept(nodes: &Nodes, trees: &[Tree], most: usize) -> Vec<bool> {
    let count = nodes.all.len();
    let mut largest = vec![0_u64; count];
    for tree in trees {
        let mut bytes = vec![0_u64; count];
        for &(node, amount) in &tree.leaves {
            bytes[node as usize] = amount;
        }
        for index in (1..count).rev() {
            let parent = nodes.all[index].parent as usize;
            bytes[parent] = bytes[parent].saturating_add(bytes[index]);
        }
        for (largest, bytes) in largest.iter_mut().zip(bytes) {
            *largest = bytes.max(*largest);
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by_key(|&index| (Reverse(largest[index]), index));
    let mut kept = vec![false; count];
    // Unattributed memory is always shown, even if it is small.
    let is_unclaimed = |index: &usize| nodes.all[*index].kind == NodeKind::Unattributed;
    for mut index in (0..count).filter(is_unclaimed) {
        while !kept[index] {
            kept[index] = true;
            index = nodes.all[index].parent as usize;
        }
    }
    order.iter().take(most.max(1)).for_each(|&index| kept[index] = true);
    kept
}
