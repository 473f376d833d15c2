//! indexmap 2: a vector of hashes, keys and values, and a table of their places in it.
//!
//! Neither the vector's capacity nor the table's size is public: the smaller of the two capacities
//! is. Both are read from the map's own words and checked against what is public.

use crate::impls::std::entries::{add_pairs, add_values};
use crate::impls::std::hash_table::Buckets;
use crate::impls::std::hidden::mark_hidden;
use crate::keyed::{add_entries, add_first_sorted, has_no_entries};
use crate::probe::{self, IndexWords};
use crate::{At, Keyed, Kind, MemoryProfile, Opaque, Walk};
use core::fmt::Display;
use core::hash::BuildHasherDefault;
use indexmap::{IndexMap, IndexSet};
use std::hash::DefaultHasher;
use std::sync::OnceLock;

impl<K: MemoryProfile, V: MemoryProfile, S> MemoryProfile for IndexMap<K, V, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() {
            walk.defer(self, at);
            return;
        }
        add_map_but_entries(self, walk, at);
        add_pairs(self.iter(), self.len(), walk, at);
    }
}

/// The names that sort first, not those inserted first: maps are equal in whatever order.
impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for IndexMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: At) {
        if has_no_entries(walk, at) {
            self.owned(walk, at);
            return;
        }
        add_first_sorted(cap, self.len(), walk, at, |add| self.keys().try_for_each(add));
        add_map_but_entries(self, walk, at);
        add_entries(self.iter(), self.len(), cap, walk, at);
    }
}

/// Adds what belongs to neither the keys nor the values of a map.
fn add_map_but_entries<K, V, S>(map: &IndexMap<K, V, S>, walk: &mut Walk<'_>, at: At) {
    let entries = map.as_slice();
    let seen = Seen {
        words: probe::index_words(map, map.hasher()),
        len: map.len(),
        capacity: map.capacity(),
        entries: (&raw const *entries).addr(),
        entries_bytes: size_of_val(entries),
    };
    seen.add_but_values::<K, V>(walk, at);
    mark_hidden(map.hasher(), walk, at);
}

impl<T: MemoryProfile, S> MemoryProfile for IndexSet<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() {
            walk.defer(self, at);
            return;
        }
        let entries = self.as_slice();
        let seen = Seen {
            words: probe::index_words(self, self.hasher()),
            len: self.len(),
            capacity: self.capacity(),
            entries: (&raw const *entries).addr(),
            entries_bytes: size_of_val(entries),
        };
        seen.add_but_values::<T, ()>(walk, at);
        mark_hidden(self.hasher(), walk, at);
        add_values(self.iter(), self.len(), walk, at);
    }
}

/// An entry of the vector, for its size.
#[expect(dead_code, reason = "nobody ever makes one")]
struct Entry<K, V> {
    hash: usize,
    key: K,
    value: V,
}

/// What can be asked of a map or set, and the words that it keeps private.
struct Seen {
    words: Option<IndexWords>,
    len: usize,
    capacity: usize,
    /// Where the vector of entries starts, and the bytes of its live entries.
    entries: usize,
    entries_bytes: usize,
}

impl Seen {
    /// Adds what belongs to neither the keys nor the values.
    fn add_but_values<K, V>(&self, walk: &mut Walk<'_>, at: At) {
        let Self { len, capacity, .. } = *self;
        let entry = size_of::<Entry<K, V>>();
        let found = self.read().filter(|_| self.entries_bytes == len * entry);
        let certain = found.is_some();
        self.tell(certain, walk);
        let (room, indices) =
            found.unwrap_or_else(|| (capacity, Buckets::of::<usize>(None, len, capacity, None)));
        let indices_bytes = indices.bytes(size_of::<usize>(), align_of::<usize>());
        let spare_indices = indices.count.saturating_sub(len) * size_of::<usize>();
        let spare = room.saturating_sub(len) * entry + spare_indices;
        // Places and hashes of live entries are there to find them, as control bytes are.
        let table = indices_bytes - spare_indices + len * size_of::<usize>();
        let padding = entry - size_of::<usize>() - size_of::<K>() - size_of::<V>();
        walk.count_values(at, len);
        walk.count_allocations(at, usize::from(room != 0) + usize::from(indices_bytes != 0));
        walk.leaf(at, Kind::Padding, len * padding);
        if certain {
            walk.leaf(at, Kind::Spare, spare);
            walk.leaf(at, Kind::Table, table);
            return;
        }
        walk.estimated(at, Kind::Spare, spare);
        walk.estimated(at, Kind::Table, table);
        if spare + table == 0 {
            // An estimate of nothing is no mark, yet an empty map may keep its vector or its table.
            walk.opaque(at, Opaque::Foreign);
        }
    }

    /// Tells where the vector is, and the table if its words are known.
    fn tell(&self, certain: bool, walk: &mut Walk<'_>) {
        // Where an entry is, there is a vector; without one, the words tell whether there is.
        walk.block_of(self.entries, self.entries_bytes);
        let Some((words, places)) = self.words.zip(places()).filter(|_| certain) else { return };
        walk.block_of(self.entries, words[places.capacity]);
        walk.block_of(words[places.control], words[places.mask]);
    }

    /// The vector's capacity and the table's buckets, if the words are those of such a map.
    fn read(&self) -> Option<(usize, Buckets)> {
        let words = self.words?;
        let places = places()?;
        let (room_left, capacity) = (words[places.room_left], words[places.capacity]);
        let room = self.len.checked_add(room_left)?;
        let plausible = words[places.entries] == self.entries
            && words[places.lens.0] == self.len
            && words[places.lens.1] == self.len
            && capacity >= self.len
            && capacity.min(room) == self.capacity;
        let table = [words[places.mask], words[places.control], self.len, room_left];
        let buckets = Buckets::of::<usize>(Some(table), self.len, room, None);
        (plausible && buckets.certain).then_some((capacity, buckets))
    }
}

/// Where a map keeps its words: the same in all of them, as none of their types depends on the
/// keys or the values.
#[derive(Clone, Copy, Debug)]
struct Places {
    mask: usize,
    control: usize,
    room_left: usize,
    capacity: usize,
    entries: usize,
    lens: (usize, usize),
}

/// The places, found once on a map whose words are known and differ.
fn places() -> Option<Places> {
    static PLACES: OnceLock<Option<Places>> = OnceLock::new();
    *PLACES.get_or_init(|| {
        type Hasher = BuildHasherDefault<DefaultHasher>;
        let mut map: IndexMap<u64, u64, Hasher> =
            IndexMap::with_capacity_and_hasher(5, Hasher::default());
        map.insert(0, 0);
        let words = probe::index_words(&map, map.hasher())?;
        places_in(words, (&raw const *map.as_slice()).addr())
    })
}

/// The places of the words of a map with one entry, five places for entries, and eight buckets,
/// seven of which may be used.
fn places_in(words: IndexWords, entries: usize) -> Option<Places> {
    let place_of = |wanted: usize| {
        let mut places = (0..words.len()).filter(|&place| words[place] == wanted);
        places.next().filter(|_| places.next().is_none())
    };
    let mut lens = (0..words.len()).filter(|&place| words[place] == 1);
    let known = Places {
        mask: place_of(7)?,
        room_left: place_of(6)?,
        capacity: place_of(5)?,
        entries: place_of(entries)?,
        lens: (lens.next()?, lens.next()?),
        control: 0,
    };
    let Places { mask, room_left, capacity, entries, lens, .. } = known;
    let others = [mask, room_left, capacity, entries, lens.0, lens.1];
    // What is left must be one place.
    let mut left = (0..words.len()).filter(|place| !others.contains(place));
    let control = left.next().filter(|_| left.next().is_none())?;
    Some(Places { control, ..known })
}

#[cfg(test)]
mod tests;
