//! The addresses of values whose bytes are an estimate: a walk reports each block, and nothing
//! else.

use crate::allocator::blocks_of;
use crate::blocks::{Addresses, block_at, complaint};
use crate::hashes::Plain;
use bytes::{Bytes, BytesMut};
use lru::LruCache;
use memprof::{MemoryProfile, Profile};
use ndarray::{ArcArray2, Array2, ArrayD, IxDyn};
use petgraph::stable_graph::StableDiGraph;
use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, SecondaryMap, SlotMap, SparseSecondaryMap};
use std::collections::BTreeSet;
use url::Url;

#[track_caller]
fn assert_told<T: MemoryProfile>(make: impl FnOnce() -> T) {
    let (value, blocks) = blocks_of(make);
    assert!(!blocks.is_empty(), "it owns memory");
    assert_eq!(complaint(&value, &blocks), None);
}

#[test]
fn arrays_with_a_private_capacity_report_their_buffers() {
    assert_told(|| ArrayD::<f64>::zeros(IxDyn(&[2, 3])));
    assert_told(|| ArrayD::<f64>::zeros(IxDyn(&[2, 1, 1, 1, 1, 3])));
    assert_told(|| ArcArray2::<u8>::zeros((3, 3)));
    let shared = || Array2::from_elem((2, 2), String::from("text")).into_shared();
    assert_told(|| {
        let array = shared();
        [array.clone(), array]
    });
}

#[test]
fn views_of_one_buffer_report_it_and_its_header() {
    assert_told(|| {
        let bytes = Bytes::from(vec![1_u8; 100]);
        let tail = bytes.slice(50..);
        (bytes, tail)
    });
    assert_told(|| {
        let mut bytes = BytesMut::zeroed(100);
        let head = bytes.split_to(50);
        (bytes, head.freeze())
    });
}

#[test]
fn a_url_reports_its_text() {
    assert_told(|| Url::parse("https://example.com/").expect("it is one"));
}

/// Checks that a walk reports an address in all blocks except `few`, which belong to no entry.
#[track_caller]
fn assert_reported_but<T: MemoryProfile>(few: usize, make: impl FnOnce() -> T) {
    let (value, blocks) = blocks_of(make);
    let mut reported = Addresses::default();
    let _ = Profile::observed("value", &value, &mut reported);
    let found: Option<BTreeSet<usize>> =
        reported.0.iter().map(|&address| block_at(&blocks, address)).collect();
    assert_eq!(found.map(|found| found.len()), Some(blocks.len() - few), "{blocks:?}");
}

#[test]
fn arenas_report_their_slots_by_a_value_in_them() {
    assert_reported_but(0, || Slab::from_iter([(3, 1_u8), (9, 2)]));
    assert_reported_but(0, || {
        let mut slots: SlotMap<DefaultKey, String> = SlotMap::new();
        let key = slots.insert("x".repeat(100));
        let mut secondary = SecondaryMap::new();
        secondary.insert(key, vec![1_u8]);
        let mut sparse = SparseSecondaryMap::new();
        sparse.insert(key, 1_u64);
        (slots, secondary, sparse)
    });
    assert_reported_but(0, DenseSlotMap::<DefaultKey, u64>::new);
    assert_reported_but(0, || StableDiGraph::<u8, u16>::from_edges([(0, 1, 2_u16), (1, 0, 3)]));
}

#[test]
fn a_cache_reports_all_but_the_ends_of_its_list() {
    assert_reported_but(2, || {
        let mut cache: LruCache<u64, String, Plain> =
            LruCache::unbounded_with_hasher(Plain::default());
        cache.put(1, "x".repeat(100));
        cache.put(2, "y".repeat(100));
        cache
    });
}
