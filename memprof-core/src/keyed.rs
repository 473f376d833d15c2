//! Maps whose entries have paths of their own, on request: the key names the path.

use crate::impls::std::entries::Rest;
use crate::impls::std::{btree, hash_map};
use crate::{At, KEYS, Kind, MemoryProfile, OTHER, SHARED, Walk, probe};
use core::fmt::Display;
use core::ops::ControlFlow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A map that `#[profile(keyed)]` can show entry by entry.
///
/// Keys and what belongs to the map as a whole stay where they are without it; what an entry's
/// value is and owns hangs below a branch named after the key.
///
/// # Cost
/// Every key is formatted twice, and its name looked up.
#[diagnostic::on_unimplemented(
    message = "`#[profile(keyed)]` does not know how to name the entries of `{Self}`",
    label = "not a map whose keys implement `Display`",
    note = "`keyed` is for `HashMap` and `BTreeMap` with keys that implement `Display`",
    note = "for `IndexMap`, `DashMap`, hashbrown's `HashMap` and serde_json's `Map`, turn on the feature of memprof named after the crate"
)]
pub trait Keyed {
    /// Adds what the map owns, each value below a position that its key names.
    ///
    /// A map that is itself an entry of a keyed map, with no field between, has no entries of its
    /// own. At most `cap` names are made at a position; further entries share `[other]`. A map that
    /// its keys don't order gives the names that sort first, so that equal maps name the same entries.
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: At);
}

impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for HashMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: At) {
        if has_no_entries(walk, at) {
            self.owned(walk, at);
            return;
        }
        add_first_sorted(cap, walk, at, |add| self.keys().try_for_each(add));
        hash_map::add_map_but_entries(self, true, walk, at);
        add_entries(self.iter(), self.len(), walk, at);
    }
}

impl<K: MemoryProfile + Display, V: MemoryProfile> Keyed for BTreeMap<K, V> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: At) {
        if has_no_entries(walk, at) {
            self.owned(walk, at);
            return;
        }
        add_first(cap, walk, at, self.keys());
        let emptied = || probe::leaf_of_emptied_btree_map(self);
        btree::add_map_but_entries(self.iter(), self.len(), emptied, walk, at);
        add_entries(self.iter(), self.len(), walk, at);
    }
}

/// Whether a map at this position is itself an entry of a keyed map, and so has none of its own.
pub(crate) fn has_no_entries(walk: &mut Walk<'_>, at: At) -> bool {
    walk.paths.node(at).is_entry()
}

/// The names that maps at this position may give to their entries.
fn names_at<'w>(at: At, walk: &'w mut Walk<'_>) -> &'w mut BTreeSet<String> {
    walk.paths.names.entry(at.node).or_default()
}

/// The name that a key gives to its entry; none if paths have another use for it.
fn name_of<K: Display>(key: &K) -> Option<String> {
    let name = key.to_string();
    let reserved =
        [KEYS, SHARED, OTHER].contains(&name.as_str()) || Kind::from_frame(&name).is_some();
    (!reserved).then_some(name)
}

/// Adds names of `keys` in their order, as long as there is room.
fn add_first<'k, K: Display + 'k>(
    cap: usize,
    walk: &mut Walk<'_>,
    at: At,
    mut keys: impl Iterator<Item = &'k K>,
) {
    while names_at(at, walk).len() < cap
        && !walk.ends()
        && let Some(key) = keys.next()
    {
        if let Some(name) = name_of(key) {
            names_at(at, walk).insert(name);
        }
    }
}

/// Adds the first names in alphabetical order that there is room for, of the keys that
/// `for_each_key` calls its argument with, which breaks off once there is no more time.
pub(crate) fn add_first_sorted<K: Display>(
    cap: usize,
    walk: &mut Walk<'_>,
    at: At,
    for_each_key: impl FnOnce(&mut dyn FnMut(&K) -> ControlFlow<()>) -> ControlFlow<()>,
) {
    let mut names = core::mem::take(names_at(at, walk));
    let room = cap.saturating_sub(names.len());
    let mut first = BTreeSet::new();
    let mut add = |key: &K| {
        if walk.ends() {
            return ControlFlow::Break(());
        }
        if let Some(name) = name_of(key).filter(|name| !names.contains(name)) {
            first.insert(name);
        }
        if first.len() > room {
            first.pop_last();
        }
        ControlFlow::Continue(())
    };
    if room != 0 {
        // Where it broke off, the entries' own loop marks those left.
        let _ = for_each_key(&mut add);
    }
    names.append(&mut first);
    *names_at(at, walk) = names;
}

/// Adds `len` keys at the map's `[keys]`, and each value below the entry that its key names; where
/// the walk ends before, the own bytes of those left are in [`OTHER`].
pub(crate) fn add_entries<'a, K: MemoryProfile + Display + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    len: usize,
    walk: &mut Walk<'a>,
    at: At,
) {
    let keys = walk.keys(at);
    let mut entries = Rest { entries, len };
    while let Some((key, value)) = entries.next_in_time(walk, at) {
        K::inline(walk, keys, 1);
        key.owned(walk, keys.deeper());
        let name = name_of(key).filter(|name| names_at(at, walk).contains(name));
        let entry = walk.entry(at, name.as_deref().unwrap_or(OTHER));
        V::inline(walk, entry, 1);
        value.owned(walk, entry.deeper());
    }
    if entries.len != 0 {
        K::inline(walk, keys, entries.len);
        let other = walk.entry(at, OTHER);
        V::inline(walk, other, entries.len);
    }
}
