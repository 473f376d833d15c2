//! Views of buffers, whose own words or header have the buffer's size.

use crate::asserted::{assert_exact, assert_marked};
use crate::random::Random;
use crate::values::Value;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use memprof::Profile;
use memprof::tree::OpaqueReason;

/// A view whose buffer is its own, or static.
impl Value for Bytes {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut bytes = match random.below(4) {
                0 => Self::new(),
                1 => Self::from_static(b"static"),
                2 => Self::from(Vec::random(random).into_boxed_slice()),
                _ => Self::copy_from_slice(&Vec::<u8>::random(random)),
            };
            if random.flip() {
                bytes.advance(random.below(bytes.len() + 1));
            }
            bytes
        })
    }
}

impl Value for BytesMut {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut bytes = Self::with_capacity(random.capacity());
            for _ in 0..random.below(6) {
                match random.below(6) {
                    0 => bytes.put_slice(&Vec::<u8>::random(random)),
                    1 => bytes.advance(random.below(bytes.len() + 1)),
                    2 => bytes.truncate(random.capacity()),
                    3 => bytes.reserve(random.capacity()),
                    4 => bytes = bytes.clone(),
                    _ => bytes.clear(),
                }
            }
            bytes
        })
    }
}

#[test]
fn clones_and_slices_count_their_whole_buffer_once() {
    let views = assert_exact(|| {
        let sole = Bytes::from(vec![1; 1000]);
        [sole.clone(), sole.slice(10..20), sole.clone(), sole]
    });
    let shared = Profile::of(&views).shared();
    assert_eq!((shared.allocations, shared.handles, shared.externally_held_bytes), (1, 4, 0));
    let slice = views[1].clone();
    let shared = Profile::of(&slice).shared();
    assert_eq!(shared.externally_held_bytes, 3 * size_of::<usize>() as u64 + 1000);
}

#[test]
fn a_small_slice_counts_the_large_buffer_that_it_keeps() {
    assert_exact(|| {
        (0..10).map(|_| Bytes::from(vec![1; 1 << 20]).slice(0..16)).collect::<Vec<_>>()
    });
}

#[test]
fn spare_capacity_counts() {
    assert_exact(|| {
        let mut spacious = Vec::with_capacity(100);
        spacious.extend_from_slice(&[1; 60]);
        Bytes::from(spacious)
    });
}

#[test]
fn parts_of_a_buffer_that_is_written_to_count_it_once() {
    assert_exact(|| {
        let mut rest = BytesMut::zeroed(1000);
        [rest.split_to(100), rest.split_to(200), rest]
    });
    assert_exact(|| {
        let mut rest = BytesMut::with_capacity(1000);
        rest.put_slice(&[1; 300]);
        (rest.split_to(100).freeze(), rest.split_to(100), rest)
    });
}

#[test]
fn a_frozen_part_counts_the_whole_buffer() {
    assert_exact(|| {
        let mut rest = BytesMut::zeroed(1000);
        rest.split_to(100).freeze()
    });
    assert_exact(|| {
        let mut rest = BytesMut::zeroed(1000);
        let part = rest.split_to(100).freeze();
        vec![part.clone(), part]
    });
}

#[test]
fn a_custom_owner_is_marked() {
    let bytes = Bytes::from_owner(vec![1_u8; 100]);
    assert_marked(&bytes, OpaqueReason::Foreign, size_of::<Bytes>());
}

#[test]
fn static_bytes_own_nothing() {
    assert_exact(|| Bytes::from_static(b"static").slice(1..3));
    assert_exact(|| [Bytes::new(), Bytes::from(Vec::new())]);
}
