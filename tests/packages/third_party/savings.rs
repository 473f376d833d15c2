//! Savings that advice states for types of other crates, compared with the bytes that the action
//! frees.

use crate::allocator::live_bytes;
use arrow_array::{Array, Int64Array, RecordBatch, StringArray};
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_schema::{DataType, Field, Schema};
use bytes::{Buf, Bytes};
use memprof::report::{Recommendation, Severity};
use memprof::{MemoryProfile, Profile};
use serde_json::Value as Json;
use smallvec::SmallVec;
use std::sync::Arc;

fn spare<T: MemoryProfile>(value: &T) -> Vec<Recommendation> {
    let mut advice = Profile::named("x", value).advice();
    advice.retain(|found| found.rule() == "spare");
    advice
}

/// Checks that the advice states the bytes that `act` frees. Advice on an estimate has no amount.
#[track_caller]
fn assert_saves<T: MemoryProfile>(mut value: T, action: &str, act: impl FnOnce(&mut T)) {
    let found = spare(&value);
    let [advice] = &found[..] else { panic!("{found:?}") };
    assert_eq!(advice.severity(), Severity::Warning);
    assert!(advice.action().is_some_and(|to_do| to_do.contains(action)), "{advice}");
    let before = live_bytes();
    act(&mut value);
    let freed = (before - live_bytes()) as u64;
    assert!(freed > 0);
    assert!(advice.savings().is_none_or(|saves| saves == freed), "{advice}: {freed}");
    assert_eq!(spare(&value), []);
}

#[test]
fn tables_and_vectors_of_other_crates_shrink_to_the_predicted_bytes() {
    for len in [0, 1, 7, 14, 29, 100] {
        let mut map: hashbrown::HashMap<u64, u64> = hashbrown::HashMap::with_capacity(1_000);
        map.extend((0..len).map(|key| (key, key)));
        assert_saves(map, "shrink_to_fit", hashbrown::HashMap::shrink_to_fit);
        let mut map: indexmap::IndexMap<u64, u64> = indexmap::IndexMap::with_capacity(1_000);
        map.extend((0..len).map(|key| (key, key)));
        assert_saves(map, "shrink_to_fit", indexmap::IndexMap::shrink_to_fit);
        let mut values: SmallVec<[u64; 8]> = SmallVec::with_capacity(1_000);
        values.extend(0..len);
        assert_saves(values, "shrink_to_fit", SmallVec::shrink_to_fit);
    }
}

#[test]
fn arenas_graphs_and_text_of_other_crates_shrink_to_the_predicted_bytes() {
    for len in [0, 1, 7, 100] {
        let mut slab: slab::Slab<u64> = slab::Slab::with_capacity(1_000);
        (0..len).for_each(|value| {
            slab.insert(value);
        });
        slab.try_remove(len as usize / 2);
        slab.try_remove((len as usize).saturating_sub(1));
        assert_saves(slab, "shrink_to_fit", slab::Slab::shrink_to_fit);
        let mut graph: petgraph::graph::UnGraph<u64, ()> = petgraph::Graph::with_capacity(1_000, 0);
        (0..len).for_each(|node| {
            graph.add_node(node);
        });
        assert_saves(graph, "shrink_to_fit", petgraph::Graph::shrink_to_fit);
        let mut values: thin_vec::ThinVec<u64> = thin_vec::ThinVec::with_capacity(1_000);
        values.extend(0..len);
        assert_saves(values, "shrink_to_fit", thin_vec::ThinVec::shrink_to_fit);
        let mut map: ordermap::OrderMap<u64, u64> = ordermap::OrderMap::with_capacity(1_000);
        map.extend((0..len).map(|key| (key, key)));
        assert_saves(map, "shrink_to_fit", ordermap::OrderMap::shrink_to_fit);
    }
    for len in [0, 24, 25, 31, 32, 33, 1_000] {
        let mut text = compact_str_010::CompactString::with_capacity(10_000);
        text.push_str(&"x".repeat(len));
        assert_saves(text, "shrink_to_fit", compact_str_010::CompactString::shrink_to_fit);
    }
}

#[test]
fn arenas_that_cannot_shrink_get_no_action() {
    let slots: slotmap::SlotMap<slotmap::DefaultKey, u64> = slotmap::SlotMap::with_capacity(1_000);
    let dense: slotmap::DenseSlotMap<slotmap::DefaultKey, u64> =
        slotmap::DenseSlotMap::with_capacity(1_000);
    let sparse: slotmap::SparseSecondaryMap<slotmap::DefaultKey, u64> =
        slotmap::SparseSecondaryMap::with_capacity(1_000);
    let cache: lru::LruCache<u64, u64> =
        lru::LruCache::new(std::num::NonZeroUsize::MIN.saturating_add(1_000));
    let values: [&dyn MemoryProfile; 4] = [&slots, &dense, &sparse, &cache];
    for value in values {
        let profile = Profile::of(value);
        let mut advice = profile.advice();
        advice.retain(|found| found.rule() == "spare");
        assert!(advice.iter().all(|found| found.action().is_none()), "{advice:?}");
        assert!(profile.statistics().spare > 8_000, "{profile:?}");
    }
}

fn parsed(keys: usize, objects: usize) -> Json {
    let object = |number: usize| {
        let entries = (0..keys).map(|key| format!("\"key {key:03}\": {number}"));
        format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
    };
    let objects: Vec<String> = (0..objects).map(object).collect();
    serde_json::from_str(&format!("[{}]", objects.join(", "))).expect("it is JSON")
}

fn collect_again(json: &mut Json) {
    match json {
        Json::Array(values) => values.iter_mut().for_each(collect_again),
        Json::Object(object) => {
            object.values_mut().for_each(collect_again);
            *object = std::mem::take(object).into_iter().collect();
        }
        _ => {}
    }
}

#[test]
fn objects_of_one_node_get_no_advice_to_collect() {
    let json = parsed(3, 1_000);
    assert!(spare(&json).iter().all(|found| !found.to_string().contains("collect")), "{json}");
}

#[test]
fn collecting_large_objects_frees_the_predicted_bytes() {
    let mut json = parsed(1_000, 5);
    let is_tree = size_of::<serde_json::Map<String, Json>>() == 3 * size_of::<usize>();
    let found = spare(&json);
    let collect = found.iter().find(|found| found.to_string().contains("collect"));
    let before = live_bytes();
    collect_again(&mut json);
    let freed = (before - live_bytes()) as u64;
    assert_eq!(collect.and_then(Recommendation::savings), is_tree.then_some(freed));
}

fn batch(rows: i64) -> RecordBatch {
    let fields = vec![
        Field::new("number", DataType::Int64, false),
        Field::new("text", DataType::Utf8, false),
    ];
    let numbers = Int64Array::from_iter_values(0..rows);
    let texts = StringArray::from_iter_values((0..rows).map(|row| format!("row {row}")));
    let columns: Vec<Arc<dyn Array>> = vec![Arc::new(numbers), Arc::new(texts)];
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).expect("columns of one length")
}

#[test]
fn a_slice_of_a_batch_counts_the_whole_buffers_that_it_keeps() {
    let whole = batch(10_000);
    let slices: Vec<RecordBatch> = (0..100).map(|part| whole.slice(part * 100, 100)).collect();
    let [all, one] = [&slices[..], &slices[..1]].map(|slices| Profile::of(slices).total_bytes());
    let alone = Profile::of(&whole).total_bytes();
    assert!(one > alone - 100 && all > one, "{alone} {one} {all}");
    assert!(spare(&slices).iter().all(|found| found.action().is_none()));
}

#[test]
fn an_unshared_buffer_of_arrow_shrinks() {
    let spacious = || {
        let mut numbers: Vec<u64> = Vec::with_capacity(10_000);
        numbers.extend(0..1_000);
        Buffer::from_vec(numbers)
    };
    assert_saves(spacious(), "shrink_to_fit", Buffer::shrink_to_fit);
    let shared = [spacious()].map(|buffer| [buffer.clone(), buffer]);
    assert!(spare(&shared).is_empty(), "another array may use the rest of a shared buffer");
    let mut written = MutableBuffer::with_capacity(100_000);
    written.extend_from_slice(&[1_u8; 1_000]);
    assert_saves(written, "shrink_to_fit", MutableBuffer::shrink_to_fit);
}

#[test]
fn views_of_one_buffer_count_it_once() {
    let whole = Bytes::from(vec![1; 1_000]);
    let views: Vec<Bytes> = (0..10).map(|part| whole.slice(part * 100..part * 100 + 100)).collect();
    drop(whole);
    let header = 3 * size_of::<usize>();
    let expected = 24 + views.capacity() * size_of::<Bytes>() + header + 1_000;
    assert_eq!(Profile::of(&views).total_bytes(), expected as u64);
}

#[test]
fn bytes_cut_off_by_a_view_have_no_action() {
    let mut view = Bytes::from(vec![1; 10_000]);
    view.advance(9_000);
    let [found] = &spare(&view)[..] else { panic!("one buffer") };
    assert_eq!((found.severity(), found.action(), found.savings()), (Severity::Info, None, None));
}
