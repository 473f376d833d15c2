//! Maps whose entries have paths of their own, on request: the key names the path.

use crate::{At, MemoryProfile, OTHER, Profile, Walk};
use core::fmt::Display;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A map that `#[profile(keyed)]` can show entry by entry.
///
/// Keys and what belongs to the map as a whole stay where they are without it; what an entry's
/// value is and owns hangs below a branch named after the key.
///
/// # Cost
/// Every key is formatted, and every value visited three times: the other two times tell what of
/// the map's memory is not the values'. Keyed maps inside keyed maps add two visits per level.
#[diagnostic::on_unimplemented(
    message = "`#[profile(keyed)]` does not know how to name the entries of `{Self}`",
    label = "not a map whose keys implement `Display`",
    note = "`keyed` is for `HashMap` and `BTreeMap` with keys that implement `Display`"
)]
pub trait Keyed {
    /// Adds what the map owns, each value below a position that its key names.
    ///
    /// At most `cap` names are made at a position; further entries share `[other]`. A map without
    /// an order gives the names that sort first, so that a profile depends on the values alone.
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: At);
}

impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for HashMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: At) {
        if self.is_empty() || is_nameless(walk) {
            self.owned(walk, at);
            return;
        }
        let mut names = Names::known_at(at, cap, walk);
        names.add_first_sorted(self.keys());
        add_but_values(self, walk, at);
        add_entries(self.iter(), &names, walk, at);
    }
}

impl<K: MemoryProfile + Display, V: MemoryProfile> Keyed for BTreeMap<K, V> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: At) {
        if self.is_empty() || is_nameless(walk) {
            self.owned(walk, at);
            return;
        }
        let mut names = Names::known_at(at, cap, walk);
        names.add_first(self.keys());
        add_but_values(self, walk, at);
        add_entries(self.iter(), &names, walk, at);
    }
}

/// The names that entries at one position may have.
struct Names {
    named: BTreeSet<String>,
    cap: usize,
}

impl Names {
    /// The names that other maps at the same position gave to their entries.
    fn known_at(at: At, cap: usize, walk: &mut Walk<'_>) -> Self {
        let mut named = BTreeSet::new();
        for node in at.node + 1..walk.paths.len() as u32 {
            let node = walk.paths.node(At::node(node));
            if node.parent == at.node
                && let Cow::Owned(name) = &node.name
            {
                named.insert(name.clone());
            }
        }
        named.remove(OTHER);
        Self { named, cap }
    }

    /// Adds names of `keys` in their order, as long as there is room.
    fn add_first<'k, K: Display + 'k>(&mut self, keys: impl Iterator<Item = &'k K>) {
        for key in keys {
            if self.named.len() >= self.cap {
                break;
            }
            self.named.insert(key.to_string());
        }
    }

    /// Adds the first names of `keys` in alphabetical order that there is room for.
    fn add_first_sorted<'k, K: Display + 'k>(&mut self, keys: impl Iterator<Item = &'k K>) {
        let room = self.cap.saturating_sub(self.named.len());
        let mut first = BTreeSet::new();
        for key in keys {
            let name = key.to_string();
            if !self.named.contains(&name) {
                first.insert(name);
            }
            if first.len() > room {
                first.pop_last();
            }
        }
        self.named.append(&mut first);
    }
}

/// Adds keys at the map's `[keys]`, and each value below the entry that its key names.
fn add_entries<'a, K: MemoryProfile + Display + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    names: &Names,
    walk: &mut Walk<'a>,
    at: At,
) {
    let keys = walk.keys(at);
    for (key, value) in entries {
        K::inline(walk, keys, 1);
        key.owned(walk, keys.deeper());
        let name = key.to_string();
        let entry = if names.named.contains(&name) { &name } else { OTHER };
        let entry = walk.entry(at, entry);
        V::inline(walk, entry, 1);
        value.owned(walk, entry.deeper());
    }
}

/// Adds what belongs to neither a key nor a value: the table or the nodes, and their spare room.
///
/// The map adds them at its own position, as it does the values; a profile of the values alone
/// tells how much of that is theirs. Keys have a position of their own.
fn add_but_values<M: Map>(map: &M, walk: &mut Walk<'_>, at: At) {
    let (whole, values) = (Profile::named("", &Whole(map)), Profile::named("", &Values(map)));
    let (whole, values) = (whole.root(), values.root());
    for leaf in whole.leaves() {
        let part = values.leaves().iter().find(|part| part.kind() == leaf.kind());
        let (bytes, estimated) = part.map_or((0, 0), |part| (part.bytes(), part.estimated_bytes()));
        let estimated = leaf.estimated_bytes().saturating_sub(estimated);
        let known = leaf.bytes().saturating_sub(bytes).saturating_sub(estimated);
        walk.leaf(at, leaf.kind(), known as usize);
        if estimated > 0 {
            walk.estimated(at, leaf.kind(), estimated as usize);
        }
    }
    for &(why, count) in whole.opaque() {
        let part = values.opaque().iter().find(|part| part.0 == why);
        for _ in part.map_or(0, |part| part.1)..count {
            walk.opaque(at, why);
        }
    }
    let (whole, values) = (whole.counts(), values.counts());
    walk.count_allocations(at, whole.allocations.saturating_sub(values.allocations) as usize);
    walk.count_values(at, whole.values.saturating_sub(values.values) as usize);
    walk.count_nodes(at, whole.nodes.saturating_sub(values.nodes) as usize);
}

/// Among what a walk followed, says that its maps are to name no entries; nothing has address 0.
///
/// Otherwise maps inside maps would be walked three times per level.
const NAMELESS: (usize, usize) = (0, 0);

fn make_nameless(walk: &mut Walk<'_>) {
    walk.paths.followed.insert(NAMELESS);
}

fn is_nameless(walk: &Walk<'_>) -> bool {
    walk.paths.followed.contains(&NAMELESS)
}

/// What the two maps have in common.
trait Map: MemoryProfile {
    type Value: MemoryProfile;
    fn values(&self) -> impl ExactSizeIterator<Item = &Self::Value>;
}

impl<K: MemoryProfile, V: MemoryProfile, S> Map for HashMap<K, V, S> {
    type Value = V;
    fn values(&self) -> impl ExactSizeIterator<Item = &V> {
        self.values()
    }
}

impl<K: MemoryProfile, V: MemoryProfile> Map for BTreeMap<K, V> {
    type Value = V;
    fn values(&self) -> impl ExactSizeIterator<Item = &V> {
        self.values()
    }
}

/// A map as a root, without the bytes of the map itself.
struct Whole<'m, M>(&'m M);

impl<M: Map> MemoryProfile for Whole<'_, M> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        make_nameless(walk);
        self.0.owned(walk, at);
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        self.owned(walk, at);
    }
}

/// The values of a map as a root, where the map has them.
struct Values<'m, M>(&'m M);

impl<M: Map> MemoryProfile for Values<'_, M> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        make_nameless(walk);
        let values = self.0.values();
        M::Value::inline(walk, at, values.len());
        for value in values {
            value.owned(walk, at.deeper());
        }
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        self.owned(walk, at);
    }
}
