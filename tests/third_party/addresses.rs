//! The addresses of values whose bytes are an estimate: each block is reported, and no other.

use crate::allocator::blocks_of;
use crate::blocks::complaint;
use bytes::{Bytes, BytesMut};
use memprof::MemoryProfile;
use ndarray::{ArcArray2, Array2, ArrayD, IxDyn};
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
