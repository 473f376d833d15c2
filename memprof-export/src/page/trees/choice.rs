//! The choice of the snapshots that have their tree in the page.

use memprof_recording::document::Snapshot;
use std::collections::HashSet;

/// Returns indices into `snapshots`, which are in chronological order: the most important first
/// (the last, the first, the peak, checkpoints), then others evenly spread over time. The others
/// need a profile; the heap alone is enough for the important ones.
pub(super) fn choose(snapshots: &[&Snapshot], peak: Option<usize>, limit: usize) -> Vec<usize> {
    let all: Vec<usize> =
        (0..snapshots.len()).filter(|&index| snapshots[index].has_profile()).collect();
    let has_tree =
        |&index: &usize| snapshots[index].has_profile() || snapshots[index].heap.is_some();
    let with_tree: Vec<usize> = (0..snapshots.len()).filter(has_tree).collect();
    let checkpoints: Vec<usize> =
        with_tree.iter().copied().filter(|&index| snapshots[index].name.is_some()).collect();
    let mut chosen = Vec::new();
    let mut chosen_indices = HashSet::new();
    let mut add = |index: usize| {
        if chosen.len() < limit && chosen_indices.insert(index) {
            chosen.push(index);
        }
    };
    let ends = with_tree.last().into_iter().chain(with_tree.first()).copied();
    for index in ends.chain(peak.filter(has_tree)) {
        add(index);
    }
    for some in [&checkpoints, &all] {
        for index in spread(some, snapshots, limit) {
            add(index);
        }
    }
    chosen
}

/// Each prefix of the result is spread evenly too.
fn spread(some: &[usize], snapshots: &[&Snapshot], limit: usize) -> Vec<usize> {
    if some.len() <= limit {
        return some.to_vec();
    }
    let (Some(&first), Some(&last)) = (some.first(), some.last()) else { return Vec::new() };
    let (begin, end) = (snapshots[first].at_ns, snapshots[last].at_ns);
    let steps = limit.next_power_of_two().max(2);
    let bits = steps.trailing_zeros();
    (0..steps)
        .map(|step| {
            let step = (step as u32).reverse_bits() >> (32 - bits);
            let elapsed = u128::from(end - begin) * u128::from(step) / steps as u128;
            let at = begin + elapsed as u64;
            let position = some.partition_point(|&index| snapshots[index].at_ns < at);
            some[position.min(some.len() - 1)]
        })
        .collect()
}
