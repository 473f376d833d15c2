//! Large values, and values in states that random ones rarely reach.

use crate::allocator::{calls, live_bytes, owned_by};
use crate::hashes::Last;
use memprof::{MemoryProfile, Profile, total_bytes};
use std::cell::{LazyCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::BuildHasherDefault;
use std::mem::ManuallyDrop;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

type Runs = BuildHasherDefault<Last>;

/// Creates a value, and compares the bytes of its profile with those that the allocator counted.
#[track_caller]
fn assert_exact<T: MemoryProfile>(make: impl FnOnce() -> T) -> T {
    let (value, owned) = owned_by(make);
    let expected = owned as u64 + size_of::<T>() as u64;
    let profile = Profile::of(&value);
    assert!(profile.is_exact(), "{profile:?}");
    assert_eq!((profile.total_bytes(), total_bytes(&value)), (expected, expected), "{profile:?}");
    value
}

#[test]
fn a_table_whose_buckets_are_all_tombstones_is_exact() {
    let map = assert_exact(|| {
        let mut map: HashMap<u64, u64, Runs> = HashMap::default();
        // 28 keys are next to each other in 32 buckets. No empty bucket is close to a removed key,
        // so each removal leaves a tombstone.
        map.extend((0..28).map(|key: u64| (key.swap_bytes(), key)));
        map.retain(|_, _| false);
        map
    });
    assert_eq!((map.len(), map.capacity()), (0, 0), "nothing shows that it has buckets");
    assert!(total_bytes(&map) > 500);
}

#[test]
fn tables_are_exact_after_each_removal() {
    const REMOVED: u64 = if cfg!(miri) { 56 } else { 1_792 };
    let mut map: HashMap<u64, u64, Runs> = HashMap::default();
    let mut owned = 0;
    for key in 0..REMOVED {
        owned += owned_by(|| map.insert(key.swap_bytes(), key)).1;
    }
    for key in 0..REMOVED {
        owned += owned_by(|| map.remove(&key.swap_bytes())).1;
        assert_eq!(total_bytes(&map), size_of_val(&map) as u64 + owned as u64, "{key} removed");
        assert!(Profile::of(&map).is_exact(), "{key} removed");
    }
}

#[test]
fn trees_are_exact_at_every_length_growing_and_shrinking() {
    const GROWN: u32 = if cfg!(miri) { 50 } else { 1_500 };
    let mut map: BTreeMap<u32, u16> = BTreeMap::new();
    let mut owned = 0;
    let mut check = |map: &BTreeMap<u32, u16>, change: i64, what: &str| {
        owned += change;
        let expected = size_of_val(map) as u64 + owned as u64;
        assert_eq!(total_bytes(map), expected, "{what}, {} entries", map.len());
        assert!(Profile::of(map).is_exact(), "{what}, {} entries", map.len());
    };
    for number in 0..GROWN {
        let (_, change) = owned_by(|| map.insert(number.wrapping_mul(2_654_435_761), 0));
        check(&map, change, "grown");
    }
    while !map.is_empty() {
        let middle = *map.keys().nth(map.len() / 2).expect("it is not empty");
        let (_, change) = owned_by(|| map.remove(&middle));
        check(&map, change, "shrunk");
    }
}

#[test]
fn large_collections_are_exact() {
    const LEN: u64 = if cfg!(miri) { 100 } else { 100_000 };
    let mixed = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    assert_exact(|| (0..LEN).collect::<BTreeSet<u64>>());
    assert_exact(|| {
        (0..LEN).map(mixed).fold(BTreeSet::new(), |mut set, key| {
            set.insert(key);
            set
        })
    });
    assert_exact(|| (0..LEN).rev().map(|key| (key, mixed(key) as u8)).collect::<BTreeMap<_, _>>());
    assert_exact(|| (0..LEN).map(|key| (mixed(key), key as u8)).collect::<HashMap<_, _>>());
    assert_exact(|| (0..LEN).map(|key| key.to_string()).collect::<HashSet<_>>());
    assert_exact(|| (0..LEN).collect::<LinkedList<_>>());
    assert_exact(|| {
        let mut map: BTreeMap<u64, [u8; 3]> = (0..LEN).map(|key| (mixed(key), [0; 3])).collect();
        map.retain(|key, _| key % 10 == 0);
        map
    });
}

#[test]
fn a_queue_that_wraps_around_is_exact() {
    assert_exact(|| {
        let mut queue: VecDeque<String> = (0..64).map(|number| number.to_string()).collect();
        for number in 0..40 {
            queue.pop_front();
            queue.push_back("x".repeat(number));
        }
        assert!(!queue.as_slices().1.is_empty());
        queue
    });
}

#[test]
fn poisoned_locks_are_read() {
    let mutex = assert_exact(|| Mutex::new(vec![String::from("kept"); 3]));
    let lock = assert_exact(|| RwLock::new(vec![String::from("kept"); 3]));
    let expected = (total_bytes(&mutex), total_bytes(&lock));
    std::thread::scope(|scope| {
        let poison = scope.spawn(|| {
            let _mutex = mutex.lock().unwrap_or_else(PoisonError::into_inner);
            let _lock = lock.write().unwrap_or_else(PoisonError::into_inner);
            std::panic::resume_unwind(Box::new("on purpose"));
        });
        assert!(poison.join().is_err());
    });
    assert!(mutex.is_poisoned() && lock.is_poisoned());
    assert_eq!((total_bytes(&mutex), total_bytes(&lock)), expected);
    assert!(Profile::of(&mutex).is_exact() && Profile::of(&lock).is_exact());
}

#[test]
fn locks_and_cells_that_others_read_are_exact() {
    let lock = assert_exact(|| RwLock::new(vec![1_u8; 100]));
    let cell = assert_exact(|| RefCell::new(vec![1_u8; 100]));
    let _guards = (lock.read(), cell.borrow());
    assert!(Profile::of(&lock).is_exact() && Profile::of(&cell).is_exact());
}

#[test]
fn pinned_and_kept_values_are_exact() {
    assert_exact(|| Pin::new(Rc::new(vec![1_u8; 10])));
    assert_exact(|| {
        let shared = Pin::new(Arc::new(String::from("shared")));
        (shared.clone(), shared)
    });
    let mut kept = assert_exact(|| ManuallyDrop::new(vec![1_u8; 10]));
    ManuallyDrop::into_inner(std::mem::replace(&mut kept, ManuallyDrop::new(Vec::new())));
}

#[test]
fn a_closure_without_drop_glue_is_exact() {
    assert_exact(|| LazyCell::<u8, _>::new(|| 7));
    let closure = assert_exact(|| -> Box<dyn Fn() -> u8> { Box::new(|| 7) });
    assert_eq!(closure(), 7);
}

#[test]
fn a_profile_borrows_nothing_from_its_value() {
    let value: Vec<BTreeMap<u8, Rc<String>>> = vec![BTreeMap::from([(1, Rc::new("a".into()))])];
    let before = live_bytes();
    drop(Profile::of(&value));
    assert_eq!(live_bytes(), before);
}

#[test]
fn the_total_of_a_value_without_shared_memory_allocates_nothing() {
    #[derive(MemoryProfile)]
    struct Model {
        names: Vec<String>,
        index: HashMap<String, BTreeMap<u64, Box<str>>>,
        list: Option<Box<Model>>,
        one_handle: Rc<[u8]>,
    }
    let model = |list| Model {
        names: vec![String::from("alpha"); 100],
        index: HashMap::from([("a".into(), (0..100).map(|key| (key, "text".into())).collect())]),
        list,
        one_handle: Rc::from([1, 2, 3]),
    };
    let value = model(Some(Box::new(model(None))));
    let expected = Profile::of(&value).total_bytes();
    let before = calls();
    assert_eq!(total_bytes(&value), expected);
    assert_eq!(calls(), before);
}
