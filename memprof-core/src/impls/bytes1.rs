//! bytes 1: views of buffers that several views may share.
//!
//! A `Bytes` made of a vector without spare capacity owns its buffer alone until it is first cloned
//! or split. Until then the words of the `Bytes` contain the buffer's size. Afterwards a private
//! header contains the buffer's address and size.
#![expect(unsafe_code, reason = "a view exposes neither its kind nor its header")]

use crate::MemoryProfile;
use crate::layout::observed::Observed;
use crate::layout::word::{
    BY_INSTRUCTION, Frozen, READS_PADDING, WORD, atomic_word_at, index_of, index_of_other, word_at,
    words_of, words_of_frozen,
};
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use bytes::{Bytes, BytesMut};

impl MemoryProfile for Bytes {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        // A clone changes the representation of a view that owns its buffer.
        match view_of(self) {
            View::Borrowed => {}
            View::Unique { capacity } => {
                // A view never releases the part of its buffer that it does not use.
                walk.fixed_allocation(at, self.len(), capacity);
                // An empty view may point to the end of the buffer.
                walk.block_of(self.as_ptr().addr(), self.len());
            }
            View::Shared(header) => {
                add_shared(header, self.as_ptr().addr(), self.len(), walk, at);
            }
            View::Unknown => walk.opaque(at, OpaqueReason::Foreign),
        }
    }
}

impl MemoryProfile for BytesMut {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.block_of(self.as_ptr().addr(), self.capacity());
        match view_of_mut(self) {
            View::Shared(header) => {
                add_shared(header, self.as_ptr().addr(), self.len(), walk, at);
            }
            View::Unique { capacity } => walk.fixed_allocation(at, self.len(), capacity),
            // Only what the view covers is known. It never borrows.
            View::Borrowed | View::Unknown => {
                walk.leaf(at, LeafKind::Data, self.len());
                walk.leaf(at, LeafKind::Spare, self.capacity() - self.len());
                walk.opaque(at, OpaqueReason::Foreign);
            }
        }
    }
}

/// Adds a buffer and its header, unless another view of the buffer was met before. If the header
/// hides the size of the buffer, adds only what the view covers.
fn add_shared(header: Header, start: usize, len: usize, walk: &mut Walk<'_>, at: Position) {
    let Header { address, size, contents } = header;
    let views = || contents.map_or(0, |contents| contents.views);
    walk.shared(at, address, views, |walk, at| {
        walk.leaf(at, LeafKind::Counts, size);
        walk.count_allocations(at, 2);
        walk.block(address);
        walk.block_of(start, len);
        match contents {
            Some(Contents { capacity, views: 1 }) => {
                walk.leaf(at, LeafKind::Data, len.min(capacity));
                walk.leaf(at, LeafKind::Spare, capacity.saturating_sub(len));
            }
            Some(Contents { capacity, .. }) => walk.leaf(at, LeafKind::Data, capacity),
            None => {
                walk.leaf(at, LeafKind::Data, len);
                walk.opaque(at, OpaqueReason::Foreign);
            }
        }
    });
}

/// The bytes of a header, which contains the buffer's address, its capacity and the number of
/// views. The header of a `Bytes` has three words. The header of a `BytesMut` also contains a
/// vector's length and the first capacity, so it has five words.
const HEADER: usize = 3 * WORD;
const HEADER_MUT: usize = 5 * WORD;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// Static bytes.
    Borrowed,
    /// A buffer used by this view alone, with `capacity` bytes from its start to the end of the
    /// view.
    Unique { capacity: usize },
    /// A buffer behind a header.
    Shared(Header),
    /// A view created by `Bytes::from_owner`, a view of a kind that is not described here, or any
    /// view if the layout is unknown.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    address: usize,
    size: usize,
    /// `None` if the header cannot be read.
    contents: Option<Contents>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Contents {
    capacity: usize,
    views: usize,
}

fn view_of(bytes: &Bytes) -> View {
    let Some(layout) = known_layout() else { return View::Unknown };
    // SAFETY: the index is that of the data, because `known_layout` found it. `known_layout` finds
    // indices only if padding may be read.
    let data = unsafe { data_word(bytes, layout.indices.data) };
    if data == 0 {
        return View::Borrowed;
    }
    // SAFETY: as above, and the index is not that of the data.
    let vtable = unsafe { word(bytes, layout.indices.vtable) };
    let odd = Some(vtable) == layout.promotable_odd;
    let promotable = odd || vtable == layout.promotable;
    if promotable && data & 1 == 1 {
        // Bytes may have been cut off at the front of the view. The view always ends where its
        // buffer ends.
        let start = if odd { data } else { data - 1 };
        return match bytes.as_ptr().addr().checked_sub(start) {
            Some(cut) => View::Unique { capacity: cut + bytes.len() },
            None => View::Unknown,
        };
    }
    if promotable || vtable == layout.shared {
        View::Shared(header_at(data, HEADER, layout.header))
    } else if vtable == layout.frozen {
        View::Shared(header_at(data, HEADER_MUT, layout.header_mut))
    } else {
        View::Unknown
    }
}

fn view_of_mut(bytes: &BytesMut) -> View {
    let Some(layout) = known_layout() else { return View::Unknown };
    let Some(words) = words_mut(bytes) else { return View::Unknown };
    let data = words[layout.data_mut];
    if data & 1 == 1 {
        View::Unique { capacity: bytes.capacity() + (data >> CUT_OFFSET) }
    } else {
        View::Shared(header_at(data, HEADER_MUT, layout.header_mut))
    }
}

/// The lowest bit of the offset in the data word of a `BytesMut`. The bits below it are the kind
/// and the original capacity. This bit and the higher ones are the number of bytes cut off at the
/// front of the buffer.
const CUT_OFFSET: u32 = 5;

/// The indices of the words of views, and the vtable words that distinguish the kinds of views.
#[derive(Clone, Copy, Debug)]
struct KnownLayout {
    indices: WordIndices,
    promotable: usize,
    /// The vtable word of promotable views whose buffer is at an odd address. Most allocators never
    /// return such a buffer.
    promotable_odd: Option<usize>,
    shared: usize,
    frozen: usize,
    data_mut: usize,
    header: Option<HeaderIndices>,
    header_mut: Option<HeaderIndices>,
}

#[derive(Clone, Copy, Debug)]
struct HeaderIndices {
    capacity: usize,
    views: usize,
}

fn header_at(address: usize, size: usize, indices: Option<HeaderIndices>) -> Header {
    let contents = indices.map(|HeaderIndices { capacity, views }| {
        let first = core::ptr::with_exposed_provenance::<usize>(address);
        Contents {
            // SAFETY: `header_indices` found the word inside such a header. The header lives at
            // least as long as the view, and its capacity does not change while there is a view.
            capacity: unsafe { word_at(first.wrapping_add(capacity)) },
            // SAFETY: as above. Other threads change the number of views only by atomic operations.
            views: unsafe { atomic_word_at(first.wrapping_add(views)) },
        }
    });
    Header { address, size, contents }
}

/// Returns the indices of the words of a header, which has a known capacity and a known number of
/// views.
///
/// # Safety
/// The address is that of a header with at least `N` words, of a view that no other thread has.
unsafe fn header_indices<const N: usize>(
    address: usize,
    capacity: usize,
    views: usize,
) -> Option<HeaderIndices> {
    if !BY_INSTRUCTION {
        return None;
    }
    let first = core::ptr::with_exposed_provenance::<usize>(address);
    let words: [usize; N] = core::array::from_fn(|index| {
        // SAFETY: the words are inside the header, which no other thread has access to.
        unsafe { word_at(first.wrapping_add(index)) }
    });
    Some(HeaderIndices { capacity: index_of(&words, capacity)?, views: index_of(&words, views)? })
}

/// The indices of the two words of a `Bytes` that have no accessor.
#[derive(Clone, Copy, Debug)]
struct WordIndices {
    data: usize,
    vtable: usize,
}

/// Found once, on a view of each kind.
fn known_layout() -> Option<KnownLayout> {
    static LAYOUT: Observed<Option<KnownLayout>> = Observed::new();
    LAYOUT.get_or_init(|| {
        let borrowed = Bytes::from_static(b"abc");
        if !READS_PADDING {
            return None;
        }
        // SAFETY: the value was created here, and padding may be read.
        let words_of_borrowed = unsafe { words_of(&borrowed) };
        let indices = indices_in(words_of_borrowed?, borrowed.as_ptr().addr(), 3)?;
        // SAFETY: the indices were found, so padding may be read, and the two indices differ.
        let vtable = |bytes: &Bytes| unsafe { word(bytes, indices.vtable) };
        // SAFETY: as above.
        let data = |bytes: &Bytes| unsafe { data_word(bytes, indices.data) };

        let samples: [Bytes; 16] =
            core::array::from_fn(|_| Bytes::from(vec![0; 7].into_boxed_slice()));
        let is_even = |bytes: &&Bytes| bytes.as_ptr().addr() % 2 == 0;
        let promotable = samples.iter().find(is_even)?;
        let promotable_odd = samples.iter().find(|bytes| !is_even(bytes)).map(vtable);
        let plain = data(promotable) == promotable.as_ptr().addr() + 1;

        let mut with_spare = Vec::with_capacity(57);
        with_spare.push(0);
        let capacity = with_spare.capacity();
        let shared = Bytes::from(with_spare);
        let views = [shared.clone(), shared.clone()];
        // SAFETY: the header of this kind of view has three words, which is the smallest size of a
        // header with an address, a capacity and a count. The views were created here.
        let header = unsafe { header_indices::<3>(data(&shared), capacity, 1 + views.len()) };
        let mut split = BytesMut::with_capacity(57);
        split.extend_from_slice(&[0; 9]);
        let capacity_mut = split.capacity();
        let (one, frozen) = (split.split_to(2), split.split_to(4).freeze());
        // SAFETY: the header of a `BytesMut` has a vector, its first capacity and a count, so five
        // words. The views were created here.
        let header_mut = unsafe { header_indices::<5>(data(&frozen), capacity_mut, 3) };
        drop((views, one));

        let mut cut = BytesMut::zeroed(9);
        bytes::Buf::advance(&mut cut, 3);
        let words = words_mut(&cut)?;
        // The length and the capacity are equal. So only the data word is left.
        let data_mut = index_of_other(&words, &[cut.as_ptr().addr(), cut.capacity()])?;
        let cut_off = words[data_mut] >> CUT_OFFSET == 3 && words[data_mut] & 1 == 1;

        let layout = KnownLayout {
            indices,
            promotable: vtable(promotable),
            promotable_odd,
            shared: vtable(&shared),
            frozen: vtable(&frozen),
            data_mut,
            header,
            header_mut,
        };
        let KnownLayout { promotable, shared, frozen, .. } = layout;
        let are_distinct = promotable != shared && promotable != frozen && shared != frozen;
        (plain && cut_off && are_distinct).then_some(layout)
    })
}

/// Returns the indices of the private words, given the words of `len` static bytes at an address.
/// The data word is null, and the remaining word is the vtable.
fn indices_in(words: [usize; 4], address: usize, len: usize) -> Option<WordIndices> {
    let vtable = index_of_other(&words, &[0, address, len])?;
    Some(WordIndices { data: index_of(&words, 0)?, vtable })
}

/// Reads a word of a `Bytes` that never changes while the `Bytes` is borrowed.
///
/// # Safety
/// `index` is below four, not that of the data, and `READS_PADDING` is true.
unsafe fn word(bytes: &Bytes, index: usize) -> usize {
    // SAFETY: the word lies inside `*bytes`, which is borrowed and aligned to words.
    unsafe { word_at((&raw const *bytes).cast::<usize>().wrapping_add(index)) }
}

/// Reads the data word of a `Bytes`. Other threads may change it by cloning the `Bytes` for the
/// first time.
///
/// # Safety
/// `index` is that of the data, and `READS_PADDING` is true.
unsafe fn data_word(bytes: &Bytes, index: usize) -> usize {
    // SAFETY: the word lies inside `*bytes`, which is borrowed and aligned to words. Other threads
    // change it only by atomic operations.
    unsafe { atomic_word_at((&raw const *bytes).cast::<usize>().wrapping_add(index)) }
}

// SAFETY: the words change only through a unique reference.
unsafe impl Frozen for BytesMut {}

/// Reads the four words of a `BytesMut`: address, length, capacity and data.
fn words_mut(bytes: &BytesMut) -> Option<[usize; 4]> {
    words_of_frozen(bytes)
}

#[cfg(test)]
mod tests;
