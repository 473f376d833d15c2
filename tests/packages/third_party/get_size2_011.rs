//! Values whose bytes get-size2 reports.

use crate::allocator::owned_by;
use crate::asserted::{assert_estimated, assert_exact, assert_marked};
use get_size2::GetSize;
use memprof::tree::OpaqueReason;
use memprof::walk::reported::GetSize2;
use memprof::{MemoryProfile, Profile};

/// A type of a crate that does not use memprof.
struct Names(Vec<String>);

impl GetSize for Names {
    fn get_heap_size(&self) -> usize {
        self.0.get_heap_size()
    }
}

/// A type that reports nothing, although it owns memory.
struct Silent(#[expect(dead_code, reason = "it is only dropped")] Vec<u8>);

impl GetSize for Silent {}

#[test]
fn reported_bytes_are_one_estimated_leaf() {
    let names = || GetSize2(Names(vec!["a".repeat(100), "b".repeat(50)]));
    let (value, owned) = owned_by(names);
    assert_estimated(&value, size_of::<Names>() + owned as usize);
    let profile = Profile::of(&value);
    assert_eq!(profile.root().name(), "Names");
}

#[test]
fn a_report_of_nothing_is_marked_unless_nothing_is_dropped() {
    assert_marked(&GetSize2(Silent(vec![1])), OpaqueReason::Foreign, size_of::<Silent>());
    assert_exact(|| GetSize2(7_u64));
}

#[test]
fn a_field_of_another_crates_type_can_be_wrapped() {
    #[derive(MemoryProfile)]
    struct Model {
        names: GetSize2<Names>,
    }
    let model = Model { names: GetSize2(Names(vec!["a".repeat(1_000)])) };
    let profile = Profile::of(&model);
    assert_eq!(profile.bytes_at("names"), Some(24 + 24 + 1_000));
    assert_eq!(model.names.0.0.len(), 1);
}
