//! Trees of snapshots: the bytes of the roots and sources, and unexplained memory.

mod choice;
mod fold;
mod nodes;
mod tree;

pub(super) use nodes::Nodes;
pub(super) use tree::Tree;

use super::places::Places;
use crate::known::is_complete;
use memprof_profile::Profile;
use memprof_profile::large::Interval;
use memprof_profile::text::Shown;
use memprof_profile::views::Units;
use memprof_recording::document::{RootReading, Snapshot, SourceReading};
use std::collections::HashMap;

/// The largest number of nodes in all trees. Nodes that are small in every tree are folded.
const MAX_NODES: usize = 100_000;
/// The largest number of amounts in all trees, about 10 MB of a page.
const MAX_AMOUNTS: usize = 2_000_000;

#[derive(Debug)]
pub(super) struct Trees {
    pub(super) nodes: Nodes,
    pub(super) all: Vec<Tree>,
    /// The index of each snapshot's tree, by the index of the snapshot.
    pub(super) of: HashMap<usize, usize>,
    /// Roots and sources whose data are not a profile, with the reason, by the snapshot's index.
    pub(super) broken: HashMap<usize, Vec<(String, String)>>,
    /// The number of snapshots with a profile whose tree is left out.
    pub(super) left_out: usize,
    pub(super) folded: usize,
}

impl Trees {
    /// The snapshots must be in chronological order.
    pub(super) fn of_snapshots(
        places: &Places<'_>,
        snapshots: &[&Snapshot],
        peak: Option<usize>,
        limit: usize,
    ) -> Self {
        let mut trees = Self::empty(places.program());
        let mut amounts = 0;
        for index in choice::choose(snapshots, peak, limit) {
            if amounts > MAX_AMOUNTS {
                break;
            }
            let (tree, broken) = read(snapshots[index], places, &mut trees.nodes);
            if !broken.is_empty() {
                trees.broken.insert(index, broken);
            }
            if let Some(tree) = tree {
                amounts += tree.len();
                trees.of.insert(index, trees.all.len());
                trees.all.push(tree);
            }
        }
        let has_tree = |&(index, snapshot): &(usize, &&Snapshot)| {
            snapshot.has_profile() && !trees.of.contains_key(&index)
        };
        trees.left_out = snapshots.iter().enumerate().filter(has_tree).count();
        trees.folded = fold::fold(&mut trees.nodes, &mut trees.all, MAX_NODES);
        trees
    }

    pub(super) fn of_profile(profile: &Profile) -> Self {
        let mut trees = Self::empty(profile.root().name());
        let mut tree = Tree { verdict: tree::verdict(profile), ..Tree::default() };
        tree.add_program(profile, &mut trees.nodes);
        if !tree.unread.is_empty() {
            tree.add_unread_total();
        }
        tree.normalise();
        trees.of.insert(0, 0);
        trees.all.push(tree);
        trees.folded = fold::fold(&mut trees.nodes, &mut trees.all, MAX_NODES);
        trees
    }

    fn empty(program: &str) -> Self {
        Self {
            nodes: Nodes::of(program),
            all: Vec::new(),
            of: HashMap::new(),
            broken: HashMap::new(),
            left_out: 0,
            folded: 0,
        }
    }
}

type Broken = Vec<(String, String)>;

fn read(snapshot: &Snapshot, places: &Places<'_>, nodes: &mut Nodes) -> (Option<Tree>, Broken) {
    let mut broken = Vec::new();
    let mut readable = |name: &str, profile: Option<Result<Profile, _>>| match profile? {
        Ok(profile) => Some(profile),
        Err(error) => {
            let error: memprof_profile::views::JsonError = error;
            broken.push((name.to_owned(), error.to_string()));
            None
        }
    };
    let roots: Vec<Profile> = snapshot
        .roots
        .iter()
        .filter_map(|root| readable(&root.name, RootReading::profile(root)))
        .collect();
    let sources: Vec<Profile> = snapshot
        .sources
        .iter()
        .filter_map(|source| readable(&source.name, SourceReading::profile(source)))
        .collect();
    let unexplained = unexplained(snapshot);
    if roots.is_empty() && sources.is_empty() && (unexplained.is_none() || !broken.is_empty()) {
        return (None, broken);
    }
    let mut tree = Tree::default();
    for root in &roots {
        tree.add_root(root, nodes);
    }
    let is_missing = |root: &&RootReading| root.profile.is_none() && !is_complete(root);
    for root in snapshot.roots.iter().filter(is_missing) {
        tree.add_missing(&root.name, nodes);
    }
    for (name, _) in &broken {
        tree.add_missing(name, nodes);
    }
    tree.unexplained_at_most = !tree.unread.is_empty();
    let unread_sources = snapshot.sources.iter().filter(|source| source.profile.is_none());
    for source in unread_sources.clone() {
        tree.add_missing(&source.name, nodes);
    }
    for source in &sources {
        tree.add_source(source, nodes);
    }
    if let Some(bytes) = unexplained {
        tree.add_unexplained(bytes, &places.unexplained_sites(snapshot), nodes);
    }
    // If all memory is counted, the unread contents of roots are among the unexplained bytes.
    let is_host_only = snapshot.devices.iter().all(|device| device.device == "cpu");
    let is_counted = unexplained.is_some() && is_host_only && unread_sources.count() == 0;
    if !tree.unread.is_empty() && !is_counted {
        tree.add_unread_total();
    }
    tree.normalise();
    tree.verdict = if roots.is_empty() && sources.is_empty() {
        "no root was read".to_owned()
    } else {
        tree::verdict(&Profile::joined("", roots.iter().chain(&sources)))
    };
    for root in &snapshot.roots {
        if let Some(interval) = root.interval() {
            tree.verdict.push_str(&estimated(root, interval));
        }
    }
    (Some(tree), broken)
}

/// Returns the interval of a root that is estimated, as a part of a sentence.
fn estimated(root: &RootReading, interval: Interval) -> String {
    let bytes = Units::Iec.show(root.total_bytes.unwrap_or_default());
    format!("; {} is estimated: {bytes} ({interval})", Shown(&root.name))
}

/// Returns `None` if the roots claim more than is live.
fn unexplained(snapshot: &Snapshot) -> Option<u64> {
    let rest = if let Some(heap) = &snapshot.reconciliation {
        let profiler = i128::from(heap.profiler_bytes?);
        i128::from(heap.live_bytes) - profiler - i128::from(heap.roots_bytes)
    } else {
        let claimed = snapshot.roots.iter().filter_map(|root| root.heap_bytes);
        let unlisted = snapshot.roots_not_listed.map(|others| others.heap_bytes);
        let claimed: i128 = claimed.chain(unlisted).map(i128::from).sum();
        i128::from(snapshot.heap?.live_bytes) - claimed
    };
    u64::try_from(rest).ok()
}
