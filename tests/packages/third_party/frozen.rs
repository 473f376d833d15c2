//! Frozen values of other crates' types. Each profile visits the values that may change.

use memprof::large::{Frozen, Obstacle, Profiler};
use memprof::{MemoryProfile, Profile};
use std::sync::Arc;

/// Returns the obstacle to reusing a value, or `None` if a second profile reuses it.
#[track_caller]
fn obstacle<T: MemoryProfile>(value: T) -> Option<Obstacle> {
    let values = [Frozen::new(value)];
    let mut profiler = Profiler::new();
    for _ in 0..2 {
        assert_eq!(profiler.named("values", &values), Profile::named("values", &values));
    }
    let reuse = profiler.last();
    assert_eq!(reuse.reused() + reuse.walked(), 1);
    reuse.refused().next().map(|refused| refused.0)
}

#[test]
fn locks_and_concurrent_maps_are_visited_each_time() {
    let guard = Some(Obstacle::Guard);
    assert_eq!(obstacle(parking_lot_013::Mutex::new(vec![1])), guard);
    assert_eq!(obstacle(parking_lot_012::RwLock::new(vec![1])), guard);
    assert_eq!(obstacle(tokio::sync::Mutex::new(vec![1])), guard);
    assert_eq!(obstacle(tokio::sync::OnceCell::<String>::new()), Some(Obstacle::OnceCell));
    assert_eq!(obstacle(dashmap::DashMap::<u8, String>::new()), guard);
    assert_eq!(obstacle(moka::sync::Cache::<u8, String>::new(10)), guard);
    assert_eq!(obstacle(arc_swap::ArcSwap::new(Arc::new(vec![1]))), guard);
}

#[test]
fn views_of_shared_buffers_are_visited_each_time() {
    assert_eq!(obstacle(bytes::Bytes::from(vec![1; 10])), Some(Obstacle::SingleHandle));
    let bytes = bytes::Bytes::from(vec![1; 10]);
    let view = bytes.slice(2..5);
    assert!(obstacle(view).is_some());
    let array = ndarray::ArcArray::<u8, ndarray::Ix1>::zeros(10);
    assert!(obstacle(array.clone()).is_some());
    assert!(obstacle(arrow_array::Int32Array::from(vec![1, 2, 3])).is_some());
}

#[test]
fn collections_of_other_crates_are_reused() {
    let text = || String::from("text");
    assert_eq!(obstacle(indexmap::IndexMap::from([(1, text()), (2, text())])), None);
    assert_eq!(obstacle(smallvec::SmallVec::<[String; 1]>::from_vec(vec![text(); 3])), None);
    assert_eq!(obstacle(hashbrown::HashMap::<u8, String>::from_iter([(1, text())])), None);
    assert_eq!(obstacle(serde_json::json!({ "a": [1, { "b": "c" }] })), None);
    assert_eq!(obstacle(ndarray::Array2::<f64>::zeros((3, 4))), None);
    assert_eq!(obstacle(slab::Slab::from_iter([(0, text())])), None);
}
