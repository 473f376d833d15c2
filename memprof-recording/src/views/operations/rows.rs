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
    let (nodes, outermost) = nodes(widest(all, order).into_iter().take(count));
    let mut rows = Vec::with_capacity(nodes.len());
    let mut todo: Vec<(usize, usize)> = Vec::new();
    let add = |todo: &mut Vec<(usize, usize)>, below: &[usize], depth| {
        let mut below = below.to_vec();
        below.sort_by(|&one, &other| by_width(&nodes[one], &nodes[other], order));
        todo.extend(below.into_iter().rev().map(|node| (node, depth)));
    };
    add(&mut todo, &outermost, 0);
    while let Some((node, depth)) = todo.pop() {
        let Node { name, operation, below } = &nodes[node];
        rows.push(Row { name, depth, operation: *operation });
        add(&mut todo, below, depth + 1);
    }
    rows
}

fn nodes<'r>(rows: impl Iterator<Item = &'r OperationRow>) -> (Vec<Node<'r>>, Vec<usize>) {
    let mut nodes: Vec<Node<'r>> = Vec::new();
    let mut outermost = Vec::new();
    let mut places: HashMap<(Option<usize>, &'r str), usize> = HashMap::new();
    for row in rows {
        let mut around = None;
        for name in &row.path {
            let new = nodes.len();
            let node = *places.entry((around, name)).or_insert(new);
            if node == new {
                nodes.push(Node { name, operation: None, below: Vec::new() });
                match around {
                    Some(around) => nodes[around].below.push(new),
                    None => outermost.push(new),
                }
            }
            around = Some(node);
        }
        let Some(node) = around else { continue };
        // A file that memprof wrote has each path once.
        nodes[node].operation.get_or_insert(row);
    }
    (nodes, outermost)
}

/// Orders an operation that has not ended first, because the operations in it are worth showing.
fn by_width(one: &Node<'_>, other: &Node<'_>, order: OperationOrder) -> Ordering {
    match (one.operation, other.operation) {
        (Some(one), Some(other)) => order.compare(one, other),
        (one, two) => one.is_some().cmp(&two.is_some()),
    }
}
