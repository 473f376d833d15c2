//! Operations below the operations in which they ran, the largest first.

use super::OperationOrder;
use crate::document::OperationRow;
use core::cmp::Ordering;
use std::collections::HashMap;

/// A line of the table.
pub(super) struct Row<'r> {
    pub(super) name: &'r str,
    /// The number of operations around this one.
    pub(super) depth: usize,
    /// `None` if the operation has not ended, but inner operations have.
    pub(super) operation: Option<&'r OperationRow>,
}

/// A node of the tree.
struct Node<'r> {
    name: &'r str,
    operation: Option<&'r OperationRow>,
    /// The live bytes that the operation and all operations within it allocated themselves.
    retained: f64,
    below: Vec<usize>,
}

/// Returns the operations, the largest first.
pub(super) fn widest(all: &[OperationRow], order: OperationOrder) -> Vec<&OperationRow> {
    let mut all: Vec<&OperationRow> = all.iter().collect();
    all.sort_by(|one, other| order.compare(one, other));
    all
}

/// Returns the `count` largest operations, below the operations in which they ran.
pub(super) fn tree(all: &[OperationRow], order: OperationOrder, count: usize) -> Vec<Row<'_>> {
    let (nodes, outermost) = nodes(all, widest(all, order).into_iter().take(count));
    let mut rows = Vec::with_capacity(nodes.len());
    let mut todo: Vec<(usize, usize)> = Vec::new();
    let add = |todo: &mut Vec<(usize, usize)>, below: &[usize], depth| {
        let mut below = below.to_vec();
        below.sort_by(|&one, &other| by_width(&nodes[one], &nodes[other], order));
        todo.extend(below.into_iter().rev().map(|node| (node, depth)));
    };
    add(&mut todo, &outermost, 0);
    while let Some((node, depth)) = todo.pop() {
        let Node { name, operation, below, .. } = &nodes[node];
        rows.push(Row { name, depth, operation: *operation });
        add(&mut todo, below, depth + 1);
    }
    rows
}

fn nodes<'r>(
    all: &'r [OperationRow],
    shown: impl Iterator<Item = &'r OperationRow>,
) -> (Vec<Node<'r>>, Vec<usize>) {
    let by_path: HashMap<&[String], &OperationRow> =
        all.iter().rev().map(|row| (&row.path[..], row)).collect();
    let mut nodes: Vec<Node<'r>> = Vec::new();
    let mut outermost = Vec::new();
    let mut places: HashMap<(Option<usize>, &'r str), usize> = HashMap::new();
    for row in shown {
        let mut around = None;
        for (depth, name) in row.path.iter().enumerate() {
            let new = nodes.len();
            let node = *places.entry((around, name)).or_insert(new);
            if node == new {
                let operation = by_path.get(&row.path[..=depth]).copied();
                let retained =
                    operation.and_then(|row| row.retained).map_or(0.0, |live| live.value);
                nodes.push(Node { name, operation, retained, below: Vec::new() });
                match around {
                    Some(around) => nodes[around].below.push(new),
                    None => outermost.push(new),
                }
            }
            around = Some(node);
        }
    }
    // An operation comes after those around it.
    for node in (0..nodes.len()).rev() {
        let below: f64 = nodes[node].below.iter().map(|&below| nodes[below].retained).sum();
        nodes[node].retained += below;
    }
    (nodes, outermost)
}

/// Orders an operation that has not ended first, because the operations in it are worth showing.
fn by_width(one: &Node<'_>, other: &Node<'_>, order: OperationOrder) -> Ordering {
    match (one.operation, other.operation) {
        (Some(row), Some(other_row)) => {
            let by_subtree = match order {
                OperationOrder::Retained => other.retained.total_cmp(&one.retained),
                _ => Ordering::Equal,
            };
            by_subtree.then_with(|| order.compare(row, other_row))
        }
        (one, two) => one.is_some().cmp(&two.is_some()),
    }
}
