//! Maps marked `keyed`, whose entries get paths of their own. Each entry is named after its key.

use crate::MemoryProfile;
use crate::impls::parts::MapParts;
use crate::impls::parts::Remaining;
use crate::sort::sort_by;
use crate::tree::{KEYS, LeafKind, OTHER, SHARED};
use crate::walk::{Position, Walk};
use core::fmt::{Display, Write};
use core::ops::ControlFlow;

/// A map that `#[profile(keyed)]` can profile entry by entry.
///
/// Keys, and the bytes of the map as a whole, have the same paths as without the attribute. Each
/// value is below a branch named after its key, with all that it owns.
///
/// # Cost
/// Each key is formatted and its name is looked up once, or twice if not all entries can be named.
/// A known name allocates nothing.
#[diagnostic::on_unimplemented(
    message = "`#[profile(keyed)]` cannot name the entries of `{Self}`",
    label = "not a map whose keys implement `Display`",
    note = "`keyed` is for `HashMap` and `BTreeMap` with keys that implement `Display`",
    note = "for `IndexMap`, `OrderMap`, `LruCache`, `DashMap`, hashbrown's `HashMap` and serde_json's `Map` and `Value`, turn on the feature of memprof named after the crate"
)]
pub trait Keyed {
    /// Adds what the map owns. Each value is added below a position that is named after the value's
    /// key.
    ///
    /// If the map is itself an entry of a keyed map, with no field in between, its entries get no
    /// names. At most `cap` names are made at a position, and further entries share `[other]`. An
    /// unordered map names the entries that sort first, so that equal maps name the same entries.
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position);
}

/// Adds a map. Each value is added below a position that is named after the value's key.
pub(crate) fn add_keyed_parts<'a, M>(map: &'a M, cap: usize, walk: &mut Walk<'a>, at: Position)
where
    M: MemoryProfile + MapParts<Key: MemoryProfile + Display, Value: MemoryProfile>,
{
    if is_keyed_entry(walk, at) {
        map.owned(walk, at);
        return;
    }
    let len = map.entry_count();
    if !M::IS_SORTED {
        add_first_names(cap, len, walk, at, |add| {
            map.entries().map(|(key, _)| key).try_for_each(add)
        });
    }
    map.add_but_entries(true, walk, at);
    add_entries(map.entries(), len, cap, walk, at);
}

/// Returns whether the entries of a map get no names: the map at this position is itself an entry
/// of a keyed map, or the walk has no tree.
pub(crate) fn is_keyed_entry(walk: &mut Walk<'_>, at: Position) -> bool {
    let Some(tree) = &mut walk.tree else { return true };
    tree.node(at).is_entry()
}

/// Writes the name of a key's entry to `name`. Returns whether the entry may have that name. Some
/// names are reserved in paths.
fn format_name<K: Display>(key: &K, name: &mut String) -> bool {
    name.clear();
    // If formatting fails, the text written so far is the name.
    let _ = write!(name, "{key}");
    !name.starts_with('[')
        || ![KEYS, SHARED, OTHER].contains(&name.as_str()) && name.parse::<LeafKind>().is_err()
}

/// Adds the names that sort first, if a map of `len` entries has more entries than can have names.
///
/// `for_each_key` calls its argument with each key, and stops early if the walk is stopped.
pub(crate) fn add_first_names<K: Display>(
    cap: usize,
    len: usize,
    walk: &mut Walk<'_>,
    at: Position,
    for_each_key: impl FnOnce(&mut dyn FnMut(&K) -> ControlFlow<()>) -> ControlFlow<()>,
) {
    let limit = cap.saturating_sub(walk.state().rare(at).names as usize);
    if limit == 0 || len <= limit && !walk.state().is_in_entry(at) {
        // No names are needed in advance: either no new name is possible, or every entry gets a
        // name when it is added. The second case is uncertain below an entry of another map,
        // because maps inside the values may get this position too, and use up names first.
        return;
    }
    let mut first = FirstNames { names: Vec::new(), limit, is_full: false };
    let mut formatted = core::mem::take(&mut walk.state().name);
    let mut add = |key: &K| {
        if walk.should_stop() {
            return ControlFlow::Break(());
        }
        if format_name(key, &mut formatted)
            && !first.is_past(&formatted)
            && walk.state().find_entry(at, &formatted).is_none()
        {
            first.add(&formatted);
        }
        ControlFlow::Continue(())
    };
    // If the walk was stopped, the loop over the entries marks the entries not visited.
    let _ = for_each_key(&mut add);
    walk.state().name = formatted;
    first.truncate();
    for name in first.names {
        walk.state().add_named_entry(at, &name, cap);
    }
}

/// The names that sort first among the names added so far.
struct FirstNames {
    /// The names that the last `truncate` sorted, then the names added since, which may be
    /// duplicates.
    names: Vec<String>,
    limit: usize,
    /// True if the first `limit` names are sorted and distinct. In that case, the last of them is
    /// the bound.
    is_full: bool,
}

impl FirstNames {
    /// Returns whether the list already has `limit` names that sort before this one or equal it.
    fn is_past(&self, name: &str) -> bool {
        self.is_full && self.names[self.limit - 1].as_str() <= name
    }

    fn add(&mut self, name: &str) {
        self.names.push(name.to_owned());
        // Sorting only at twice `limit` names makes the cost per name constant.
        if self.names.len() >= self.limit.saturating_mul(2).max(64) {
            self.truncate();
        }
    }

    /// Keeps the first `limit` names, sorted and without duplicates.
    fn truncate(&mut self) {
        sort_by(&mut self.names, String::cmp);
        self.names.dedup();
        self.is_full = self.names.len() >= self.limit;
        self.names.truncate(self.limit);
    }
}

/// Adds `len` keys at the map's `[keys]`, and each value below the entry that its key names.
///
/// A value goes to [`OTHER`] if its name is new and `cap` names exist. If the walk is stopped, the
/// inline bytes of the remaining values go to [`OTHER`] too.
pub(crate) fn add_entries<'a, K: MemoryProfile + Display + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    len: usize,
    cap: usize,
    walk: &mut Walk<'a>,
    at: Position,
) {
    let keys = walk.keys(at);
    if walk.state().rare(at).names == 0 {
        // Only the first map at a position reserves capacity. The names of later maps may already
        // exist.
        walk.state().reserve_entries(len.min(cap));
    }
    let mut entries = Remaining { entries, len };
    while let Some((key, value)) = entries.next_or_mark(walk, at) {
        walk.inline(keys, K::shape(), 1);
        walk.descend(key, keys);
        let entry = entry_of(key, cap, walk, at);
        walk.inline(entry, V::shape(), 1);
        walk.descend(value, entry);
    }
    if entries.len != 0 {
        walk.inline(keys, K::shape(), entries.len);
        let other = walk.entry(at, OTHER);
        walk.inline(other, V::shape(), entries.len);
    }
}

/// Returns the entry that a key names, or [`OTHER`] if the name is new and `cap` names exist.
fn entry_of<K: Display>(key: &K, cap: usize, walk: &mut Walk<'_>, at: Position) -> Position {
    let mut name = core::mem::take(&mut walk.state().name);
    if !format_name(key, &mut name) {
        name.clear();
        name.push_str(OTHER);
    } else if walk.state().find_entry(at, &name).is_none() {
        if (walk.state().rare(at).names as usize) < cap {
            walk.state().add_named_entry(at, &name, cap);
        } else {
            name.clear();
            name.push_str(OTHER);
        }
    }
    let entry = walk.entry(at, &name);
    walk.state().name = name;
    entry
}
