//! A tree of counters: paths with the bytes at their ends.

use crate::device::Device;
use crate::frame::LeafKind;
use crate::origin::Origin;
use crate::role::Role;
use crate::tree::branch::{Branches, MAX_DEPTH};
use crate::tree::branch_list::{BranchList, add_name};
use crate::tree::leaf::Leaf;
use crate::tree::own::Own;

/// A path below the root, the device of the bytes there, and the number of bytes.
type Counter = (Vec<String>, Device, u64);

/// Returns the names and branches of a tree with these leaves. Leaves with the same path and device
/// add up.
///
/// A counter with the value 0 still becomes a branch, because the value is known.
pub(super) fn tree_of_counters(root: &str, mut leaves: Vec<Counter>) -> (String, Branches) {
    for (path, ..) in &mut leaves {
        path.truncate(MAX_DEPTH - 1);
    }
    leaves.sort_unstable();
    let mut names = String::new();
    let mut builder = BranchList::default();
    let mut rest = leaves.as_slice();
    let own = own(&mut rest, &[]);
    let name = add_name(&mut names, root);
    builder.begin(name, &own);
    let mut open: Vec<String> = Vec::new();
    while let Some((path, ..)) = rest.first() {
        let shared = open.iter().zip(path).take_while(|(a, b)| a == b).count();
        open.drain(shared..).for_each(|_| builder.end());
        for depth in shared..path.len() {
            // The leaves at a path precede those below it.
            let own =
                if depth + 1 == path.len() { take_next_own(&mut rest) } else { Own::default() };
            let name = add_name(&mut names, &path[depth]);
            builder.begin(name, &own);
            open.push(path[depth].clone());
        }
    }
    open.drain(..).for_each(|_| builder.end());
    builder.end();
    (names, builder.finish().with_origin(Origin::Counters))
}

/// Returns the contents at the path of the first leaf.
fn take_next_own(rest: &mut &[Counter]) -> Own {
    let leaves = *rest;
    leaves.first().map_or_else(Own::default, |(path, ..)| own(rest, path))
}

/// Takes the leaves at `path`, which come first if there are any.
fn own(rest: &mut &[Counter], path: &[String]) -> Own {
    let mut own = Own::default();
    let here = rest.iter().take_while(|leaf| leaf.0 == path).count();
    for &(_, device, bytes) in rest[..here].iter().filter(|leaf| leaf.2 > 0) {
        own.add_leaf(Leaf::new(LeafKind::Data, Role::default(), bytes).on(device));
    }
    *rest = &rest[here..];
    own
}
