//! bytes 1: views of buffers that several of them may share.
//!
//! A `Bytes` made of a vector without spare capacity keeps that buffer to itself until it is first
//! cloned or split, and then its own words tell the buffer's size. Afterwards, a header that nobody can
//! see keeps the buffer and its size.

use crate::probe;
use crate::{At, Kind, MemoryProfile, Opaque, Walk};
use bytes::{Bytes, BytesMut};
use std::sync::OnceLock;

/// A header keeps the buffer, its capacity and the number of views: three words for a `Bytes`; with
/// a vector's length and the first capacity, five for a `BytesMut`.
const HEADER: usize = 3 * size_of::<usize>();
const HEADER_MUT: usize = 5 * size_of::<usize>();

impl MemoryProfile for Bytes {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        match view_of(self) {
            View::Borrowed => {}
            View::Sole { capacity } => {
                walk.allocation(at, self.len(), capacity);
                // Without bytes, it may stand at the end.
                walk.block_of(self.as_ptr().addr(), self.len());
            }
            View::Shared { address, header } => {
                let strong = || usize::from(self.is_unique());
                walk.shared(at, address, strong, |walk, at| {
                    walk.leaf(at, Kind::Counts, header);
                    walk.count_allocations(at, 2);
                    walk.block(address);
                    walk.block_of(self.as_ptr().addr(), self.len());
                    add_region(self.len(), self.len(), walk, at);
                });
            }
            View::Unknown => walk.opaque(at, Opaque::Foreign),
        }
    }
}

impl MemoryProfile for BytesMut {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        walk.block_of(self.as_ptr().addr(), self.capacity());
        match view_of_mut(self) {
            // The parts of a buffer that `BytesMut`s see are apart, so that each adds its own.
            ViewMut::Shared { address } => {
                walk.shared(
                    at,
                    address,
                    || 0,
                    |walk, at| {
                        walk.leaf(at, Kind::Counts, HEADER_MUT);
                        walk.count_allocations(at, 2);
                        walk.block(address);
                    },
                );
                add_region(self.len(), self.capacity(), walk, at);
            }
            ViewMut::Sole { capacity } => walk.allocation(at, self.len(), capacity),
            ViewMut::Unknown => add_region(self.len(), self.capacity(), walk, at),
        }
    }
}

/// Adds what is known of a buffer whose capacity only its header knows: the part that a view sees.
fn add_region(used: usize, capacity: usize, walk: &mut Walk<'_>, at: At) {
    walk.estimated(at, Kind::Data, used);
    walk.estimated(at, Kind::Spare, capacity - used);
    if capacity == 0 {
        // An estimate of nothing is no mark.
        walk.opaque(at, Opaque::Foreign);
    }
}

/// What a `Bytes` says of the buffer that it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// Static bytes.
    Borrowed,
    /// A buffer of its own, of so many bytes from its start to the end of the view.
    Sole { capacity: usize },
    /// A buffer behind the header at an address.
    Shared { address: usize, header: usize },
    /// An owner that somebody else wrote, or a kind of a later version.
    Unknown,
}

fn view_of(bytes: &Bytes) -> View {
    let Some(known) = known() else { return View::Unknown };
    let data = probe::data_of_bytes(bytes, known.places.data);
    if data == 0 {
        return View::Borrowed;
    }
    let vtable = probe::word_of_bytes(bytes, known.places.vtable);
    let odd = Some(vtable) == known.promotable_odd;
    let promotable = odd || vtable == known.promotable;
    if promotable && data & 1 == 1 {
        // The view starts past what was cut off at the front; it always ends where the buffer does.
        let start = if odd { data } else { data - 1 };
        return match bytes.as_ptr().addr().checked_sub(start) {
            Some(cut) => View::Sole { capacity: cut + bytes.len() },
            None => View::Unknown,
        };
    }
    if promotable || vtable == known.shared {
        View::Shared { address: data, header: HEADER }
    } else if vtable == known.frozen {
        View::Shared { address: data, header: HEADER_MUT }
    } else {
        View::Unknown
    }
}

/// What a `BytesMut` says of the buffer that it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ViewMut {
    Sole { capacity: usize },
    Shared { address: usize },
    Unknown,
}

fn view_of_mut(bytes: &BytesMut) -> ViewMut {
    let Some(place) = known().map(|known| known.data_mut) else { return ViewMut::Unknown };
    let data = probe::word_of_bytes_mut(bytes, place);
    if data & 1 == 1 {
        ViewMut::Sole { capacity: bytes.capacity() + (data >> CUT_OFFSET) }
    } else {
        ViewMut::Shared { address: data }
    }
}

/// Below it, a word of a `BytesMut` says what kind it is; from it on, how much was cut off at the
/// front of its buffer.
const CUT_OFFSET: u32 = 5;

/// Where views keep their words, and the words that tell kinds of views apart.
#[derive(Clone, Copy, Debug)]
struct Known {
    places: Places,
    promotable: usize,
    /// The same for buffers at odd addresses, which hardly any allocator gives.
    promotable_odd: Option<usize>,
    shared: usize,
    frozen: usize,
    data_mut: usize,
}

/// Where a `Bytes` keeps the two words that have no accessor.
#[derive(Clone, Copy, Debug)]
struct Places {
    data: usize,
    vtable: usize,
}

/// What is known of this version of the crate, found once on a view of each kind.
fn known() -> Option<Known> {
    static KNOWN: OnceLock<Option<Known>> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let borrowed = Bytes::from_static(b"abc");
        let places = places_in(probe::words_of_bytes(&borrowed)?, borrowed.as_ptr().addr(), 3)?;
        let vtable = |bytes: &Bytes| probe::word_of_bytes(bytes, places.vtable);
        let data = |bytes: &Bytes| probe::data_of_bytes(bytes, places.data);

        let samples: [Bytes; 16] =
            core::array::from_fn(|_| Bytes::from(vec![0; 7].into_boxed_slice()));
        let is_even = |bytes: &&Bytes| bytes.as_ptr().addr().is_multiple_of(2);
        let promotable = samples.iter().find(is_even)?;
        let promotable_odd = samples.iter().find(|bytes| !is_even(bytes)).map(vtable);
        let plain = data(promotable) == promotable.as_ptr().addr() + 1;

        let mut spacious = Vec::with_capacity(9);
        spacious.push(0);
        let shared = Bytes::from(spacious);
        let mut split = BytesMut::zeroed(9);
        let frozen = split.split_to(4).freeze();

        let mut cut = BytesMut::zeroed(9);
        bytes::Buf::advance(&mut cut, 3);
        let words = probe::words_of_bytes_mut(&cut)?;
        let public = [cut.as_ptr().addr(), cut.len(), cut.capacity()];
        // Length and capacity are the same here, and both known: one place is left for the data.
        let mut left = (0..words.len()).filter(|&place| !public.contains(&words[place]));
        let data_mut = left.next().filter(|_| left.next().is_none())?;
        let cut_off = words[data_mut] >> CUT_OFFSET == 3 && words[data_mut] & 1 == 1;

        let known = Known {
            places,
            promotable: vtable(promotable),
            promotable_odd,
            shared: vtable(&shared),
            frozen: vtable(&frozen),
            data_mut,
        };
        let Known { promotable, shared, frozen, .. } = known;
        let apart = promotable != shared && promotable != frozen && shared != frozen;
        (plain && cut_off && apart).then_some(known)
    })
}

/// The places of the words of static bytes, of which there are `len` at an address: their data word
/// is null, and the fourth word is what tells them from other kinds.
fn places_in(words: [usize; 4], address: usize, len: usize) -> Option<Places> {
    let place_of = |wanted: usize| {
        let mut places = (0..4).filter(|&place| words[place] == wanted);
        places.next().filter(|_| places.next().is_none())
    };
    let (data, address, len) = (place_of(0)?, place_of(address)?, place_of(len)?);
    let vtable = (0..4).find(|place| ![data, address, len].contains(place))?;
    Some(Places { data, vtable })
}

#[cfg(test)]
mod tests;
