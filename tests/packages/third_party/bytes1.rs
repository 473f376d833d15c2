//! Views of buffers. They are exact while the view itself stores the capacity, and marked when only
//! a header stores it.

use crate::asserted::{assert_estimated, assert_exact, assert_marked};
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
fn clones_and_slices_count_their_buffer_once() {
    let sole = assert_exact(|| Bytes::from(vec![1; 1000]));
    let header = 3 * size_of::<usize>();
    let views = [sole.clone(), sole.slice(10..20), sole.clone(), sole];
    // The header hides the capacity, although the capacity equals the length of the first view.
    assert_estimated(&views, 4 * size_of::<Bytes>() + header + 1000);
    let shared = Profile::of(&views).shared();
    assert_eq!((shared.allocations, shared.handles), (1, 4));
}

#[test]
fn a_buffer_with_spare_capacity_hides_it() {
    let mut spacious = Vec::with_capacity(100);
    spacious.extend_from_slice(&[1; 60]);
    let bytes = Bytes::from(spacious);
    assert_estimated(&bytes, size_of::<Bytes>() + 3 * size_of::<usize>() + 60);
}

#[test]
fn parts_of_a_buffer_that_is_written_to_add_up() {
    let mut rest = BytesMut::zeroed(1000);
    let parts = [rest.split_to(100), rest.split_to(200), rest];
    assert_estimated(&parts, 3 * size_of::<BytesMut>() + 5 * size_of::<usize>() + 1000);
}

#[test]
fn a_frozen_part_is_marked() {
    let mut rest = BytesMut::zeroed(1000);
    let part = rest.split_to(100).freeze();
    assert_estimated(&part, size_of::<Bytes>() + 5 * size_of::<usize>() + 100);
    assert!(Profile::of(&vec![part.clone(), part]).shared().allocations == 1);
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
