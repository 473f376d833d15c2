//! Folding of nodes that are small in every tree, so that browsers can open pages of huge trees.

use super::super::contents::NodeKind;
use super::nodes::{Node, Nodes};
use super::tree::Tree;
use core::cmp::Reverse;

const OTHERS_NAME: &str = "others";

/// Keeps the `limit / 2` nodes with the most bytes in any tree. The rest are added up in nodes
/// named "others" at the same position. A kept node has at most one such node below it for each
/// device, so about `limit` nodes remain at most. Returns the number of folded nodes.
///
/// A node is folded in all trees or in none, so that trees can be compared.
pub(super) fn fold(nodes: &mut Nodes, trees: &mut [Tree], limit: usize) -> usize {
    let count = nodes.all.len();
    if count <= limit {
        return 0;
    }
    let kept_nodes = kept_nodes(nodes, trees, limit / 2);
    let mut new_index = vec![u32::MAX; count];
    let old = core::mem::take(nodes);
    let mut folded = Nodes::default();
    for (index, node) in old.all.iter().enumerate() {
        if kept_nodes[index] {
            let parent = if index == 0 { 0 } else { new_index[node.parent as usize] };
            let name = folded.display_name(&old.names[node.name as usize]);
            new_index[index] = folded.index(Node { parent, name, ..*node });
        }
    }
    for tree in trees {
        for list in [&mut tree.leaves, &mut tree.allocations] {
            for (node, _) in list.iter_mut() {
                let mut at = *node as usize;
                if kept_nodes[at] {
                    *node = new_index[at];
                    continue;
                }
                let device = old.all[at].device;
                while !kept_nodes[at] {
                    at = old.all[at].parent as usize;
                }
                *node = folded.at(new_index[at], NodeKind::Others, OTHERS_NAME, device);
            }
        }
        let lists = [&mut tree.uncounted, &mut tree.unread, &mut tree.missed];
        let holders = tree.holders.iter_mut().map(|(node, _)| node);
        for node in lists.into_iter().flatten().chain(holders) {
            let mut at = *node as usize;
            while !kept_nodes[at] {
                at = old.all[at].parent as usize;
            }
            *node = new_index[at];
        }
        tree.normalise();
    }
    *nodes = folded;
    kept_nodes.iter().filter(|&&kept_nodes| !kept_nodes).count()
}

/// A parent has at least the bytes of its child and comes before it, so no node loses its parent.
fn kept_nodes(nodes: &Nodes, trees: &[Tree], limit: usize) -> Vec<bool> {
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
    let mut kept_nodes = vec![false; count];
    // Unexplained memory is always shown, even if it is small.
    let is_unexplained = |index: &usize| nodes.all[*index].kind == NodeKind::Unexplained;
    for mut index in (0..count).filter(is_unexplained) {
        while !kept_nodes[index] {
            kept_nodes[index] = true;
            index = nodes.all[index].parent as usize;
        }
    }
    order.iter().take(limit.max(1)).for_each(|&index| kept_nodes[index] = true);
    kept_nodes
}
