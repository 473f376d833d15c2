//! Contents that cannot be read are marked at once: nothing waits, panics or counts as exact.

use memprof::tree::{Branch, OpaqueReason};
use memprof::{MemoryProfile, Profile};
use std::any::Any;
use std::cell::{Cell, LazyCell, RefCell};
use std::collections::HashMap;
use std::error::Error;
use std::hash::{BuildHasher, DefaultHasher};
use std::io::LineWriter;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex, RwLock, mpsc};
use std::thread;
use std::time::Instant;

/// Bytes of a pointer.
const WORD: usize = size_of::<usize>();

fn reasons(branch: Branch<'_>) -> Vec<(OpaqueReason, u64)> {
    branch.subtree().flat_map(Branch::opaque).collect()
}

/// Checks that a value is marked once, and that `bytes` of it are still known.
#[track_caller]
fn assert_marked<T: MemoryProfile + ?Sized>(value: &T, why: OpaqueReason, bytes: usize) {
    let profile = Profile::of(value);
    assert_eq!(reasons(profile.root()), [(why, 1)], "{profile:?}");
    assert!(!profile.is_exact());
    assert_eq!(profile.total_bytes(), bytes as u64, "{profile:?}");
}

#[track_caller]
fn assert_exact<T: MemoryProfile + ?Sized>(value: &T) {
    let profile = Profile::of(value);
    assert!(profile.is_exact(), "{profile:?}");
}

#[test]
fn a_mutex_locked_by_this_thread_is_marked() {
    let mutex = Mutex::new(vec![1_u8; 100]);
    let guard = mutex.lock();
    assert_marked(&mutex, OpaqueReason::Locked, size_of_val(&mutex));
    drop(guard);
    assert_exact(&mutex);
}

#[test]
fn a_mutex_locked_by_another_thread_is_marked() {
    let mutex = Mutex::new(vec![1_u8; 100]);
    let (locked, wait) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let mutex = &mutex;
        scope.spawn(move || {
            let _guard = mutex.lock();
            locked.send(()).expect("somebody waits");
            let _ = released.recv();
        });
        wait.recv().expect("the lock is taken");
        assert_marked(mutex, OpaqueReason::Locked, size_of_val(mutex));
        drop(release);
    });
}

#[test]
fn a_lock_held_for_writing_is_marked() {
    let lock = RwLock::new(String::from("unseen"));
    let _guard = lock.write();
    assert_marked(&lock, OpaqueReason::Locked, size_of_val(&lock));
}

#[test]
fn a_cell_borrowed_for_writing_is_marked() {
    let cell = RefCell::new(String::from("unseen"));
    let _guard = cell.borrow_mut();
    assert_marked(&cell, OpaqueReason::Borrowed, size_of_val(&cell));
}

#[test]
fn a_locked_value_behind_a_pointer_keeps_its_own_bytes() {
    let mutex = Arc::new(Mutex::new(String::from("unseen")));
    let _guard = mutex.lock();
    assert_marked(&mutex, OpaqueReason::Locked, 3 * WORD + size_of::<Mutex<String>>());
}

#[test]
fn locked_contents_without_drop_glue_are_exact() {
    let (mutex, lock) = (Mutex::new(Instant::now()), RwLock::new(7_u64));
    let cell = RefCell::new((1_u8, 2.0_f64));
    let (_one, _two, _three) = (mutex.lock(), lock.write(), cell.borrow_mut());
    assert_exact(&mutex);
    assert_exact(&lock);
    assert_exact(&cell);
}

#[test]
fn closures_objects_and_errors_are_boxes_of_known_size() {
    let text = String::from("captured");
    let closure: Box<dyn Fn() -> usize> = Box::new(move || text.len());
    assert_marked(&closure, OpaqueReason::Foreign, 2 * WORD + size_of::<String>());
    let closure: Arc<dyn Fn(&str) -> usize + Send + Sync> = Arc::new({
        let text = String::from("captured");
        move |other: &str| text.len() + other.len()
    });
    assert_marked(&closure, OpaqueReason::Foreign, 4 * WORD + size_of::<String>());
    let object: Box<dyn Any> = Box::new(vec![1_u8]);
    assert_marked(&object, OpaqueReason::Foreign, 2 * WORD + size_of::<Vec<u8>>());
    let error: Box<dyn Error + Send + Sync> = "message".into();
    assert_marked(&error, OpaqueReason::Foreign, 2 * WORD + size_of::<String>());
}

#[test]
fn the_ends_of_channels_are_marked() {
    let (sender, receiver) = mpsc::channel::<u8>();
    assert_marked(&sender, OpaqueReason::Foreign, size_of_val(&sender));
    assert_marked(&receiver, OpaqueReason::Foreign, size_of_val(&receiver));
    assert_marked(&thread::current(), OpaqueReason::Foreign, size_of::<thread::Thread>());
}

#[test]
fn owning_values_with_private_contents_are_marked() {
    assert_marked(&Cell::new(Some(Box::new(1_u8))), OpaqueReason::Foreign, WORD);
    let maybe = MaybeUninit::<Vec<u8>>::uninit();
    assert_marked(&maybe, OpaqueReason::Foreign, size_of::<Vec<u8>>());
    assert_exact(&MaybeUninit::<u64>::uninit());
    let text = String::from("captured");
    let lazy = LazyCell::<usize, _>::new(move || text.len());
    assert_marked(&lazy, OpaqueReason::Foreign, size_of_val(&lazy));
    LazyCell::force(&lazy);
    assert_exact(&lazy);
}

#[test]
fn a_hasher_that_may_own_memory_is_marked() {
    #[derive(Default)]
    struct Owning(Box<u64>);

    impl BuildHasher for Owning {
        type Hasher = DefaultHasher;

        fn build_hasher(&self) -> DefaultHasher {
            assert_eq!(*self.0, 0);
            DefaultHasher::new()
        }
    }

    let map: HashMap<u8, u8, Owning> = HashMap::from_iter([(1, 1)]);
    assert_eq!(reasons(Profile::of(&map).root()), [(OpaqueReason::Foreign, 1)]);
}

#[test]
fn a_writer_that_hides_its_buffer_is_an_estimate() {
    let profile = Profile::of(&LineWriter::new(Vec::<u8>::new()));
    assert!(!profile.is_exact());
    assert_eq!(profile.total_bytes(), size_of::<LineWriter<Vec<u8>>>() as u64 + 1024);
}

#[test]
fn an_error_is_exact_unless_it_has_a_source() {
    assert_exact(&std::io::Error::from_raw_os_error(2));
    assert_exact(&std::io::Error::from(std::io::ErrorKind::NotFound));
    let made = std::io::Error::other("message");
    assert_marked(&made, OpaqueReason::Foreign, size_of_val(&made));
}
