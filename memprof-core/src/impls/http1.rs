//! http 1: maps of headers, whose vectors and texts have private capacities.
#![expect(unsafe_code, reason = "a name does not expose whether it owns its text")]

use crate::MemoryProfile;
use crate::impls::parts::add_values;
use crate::impls::std::scalar::impl_flat;
use crate::layout::observed::Observed;
use crate::layout::word::{BY_INSTRUCTION, WORD, atomic_word_at};
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use http::header::HOST;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version};

/// The number of indices follows from the public capacity. The vector of entries has the same
/// capacity unless the map was cloned, so all bytes are an estimate.
impl<T: MemoryProfile> MemoryProfile for HeaderMap<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let (len, names, capacity) = (self.len(), self.keys_len(), self.capacity());
        let further = len - names;
        let entry = entry_size::<T>();
        // The names and the values are counted below.
        let links = names * entry + further * further_size::<T>()
            - names * size_of::<HeaderName>()
            - len * size_of::<T>();
        let vectors = usize::from(capacity != 0) * 2 + usize::from(further != 0);
        walk.count_allocations(at, vectors);
        walk.count_values(at, len);
        walk.estimated(at, LeafKind::Spare, capacity.saturating_sub(names) * entry);
        walk.estimated(at, LeafKind::Table, indices_for(capacity) * INDEX + links);
        let keys = walk.keys(at);
        add_values(self.keys(), names, walk, keys);
        add_values(self.values(), len, walk, at);
    }
}

/// A name that is one of the crate's constants owns nothing. Any other name stores its text, which
/// its clones share.
impl MemoryProfile for HeaderName {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if has_text(self) != Some(false) {
            add_text(self.as_str().as_bytes(), walk, at);
        }
    }
}

/// The bytes may be a part of a buffer, and clones share them.
impl MemoryProfile for HeaderValue {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_text(self.as_bytes(), walk, at);
    }
}

/// Adds text whose buffer is private.
fn add_text(text: &[u8], walk: &mut Walk<'_>, at: Position) {
    walk.count_allocations(at, usize::from(!text.is_empty()));
    walk.leaves(at, [(LeafKind::Data, text.len())], false);
}

impl_flat! { StatusCode, Version }

/// The bytes of an index: the number of an entry, and a hash.
const INDEX: usize = 2 * size_of::<u16>();

/// An entry, which contains the first value of a name. Only its size is used.
#[expect(dead_code, reason = "never constructed: only its size is used")]
struct Entry<T> {
    hash: u16,
    name: HeaderName,
    value: T,
    links: Option<(usize, usize)>,
}

/// A further value of a name.
#[expect(dead_code, reason = "never constructed: only its size is used")]
struct Further<T> {
    value: T,
    previous: Link,
    next: Link,
}

/// A neighbour of a further value.
#[expect(dead_code, reason = "never constructed: only its size is used")]
enum Link {
    Entry(usize),
    Further(usize),
}

/// The size is private, so the caller marks the bytes as an estimate.
const fn entry_size<T>() -> usize {
    size_of::<Entry<T>>()
}

/// An estimate, like [`entry_size`].
const fn further_size<T>() -> usize {
    size_of::<Further<T>>()
}

/// A quarter of the indices is never used.
const fn indices_for(capacity: usize) -> usize {
    if capacity == 0 { 0 } else { (capacity + capacity / 3).next_power_of_two() }
}

/// A name without text is one of the crate's constants. Returns `None` if the words of names are
/// not the known ones.
fn has_text(name: &HeaderName) -> Option<bool> {
    static KNOWN: Observed<bool> = Observed::new();
    let known = KNOWN.get_or_init(|| {
        let text = HeaderName::from_static("x-memprof-probe");
        contains_text(&text) == Some(true) && contains_text(&HOST) == Some(false)
    });
    if known { contains_text(name) } else { None }
}

/// Returns whether the address and the length of a name's text are among its four words.
fn contains_text(name: &HeaderName) -> Option<bool> {
    if !BY_INSTRUCTION
        || size_of::<HeaderName>() != 4 * WORD
        || align_of::<HeaderName>() != align_of::<usize>()
    {
        return None;
    }
    let first = (&raw const *name).cast::<usize>();
    let words: [usize; 4] = core::array::from_fn(|index| {
        // SAFETY: the word lies inside `*name`, which is borrowed and aligned to words. An assembly
        // instruction loads it, so its bytes may be uninitialised, as they are in a constant name.
        // Other threads change it only by atomic operations.
        unsafe { atomic_word_at(first.wrapping_add(index)) }
    });
    let text = name.as_str();
    Some(words.contains(&text.as_ptr().addr()) && words.contains(&text.len()))
}

#[cfg(test)]
mod tests {
    use super::{has_text, indices_for};
    use http::header::{ACCEPT, CONTENT_SECURITY_POLICY_REPORT_ONLY};
    use http::{HeaderMap, HeaderName};

    #[test]
    #[cfg_attr(miri, ignore = "Miri reads no uninitialised words")]
    fn only_names_that_are_no_constants_have_text() {
        let text = HeaderName::from_bytes(b"x-request-id").expect("it is a name");
        assert_eq!(has_text(&text), Some(true));
        assert_eq!(has_text(&ACCEPT), Some(false));
        assert_eq!(has_text(&CONTENT_SECURITY_POLICY_REPORT_ONLY), Some(false));
        assert_eq!(has_text(&HeaderName::from_static("accept")), Some(false));
    }

    #[test]
    fn a_map_has_a_power_of_two_of_indices() {
        for capacity in 0..1_000 {
            let capacity = HeaderMap::<u8>::with_capacity(capacity).capacity();
            let indices = indices_for(capacity);
            assert!(indices == 0 || indices.is_power_of_two(), "{capacity}: {indices}");
            assert_eq!(indices - indices / 4, capacity);
        }
    }
}
