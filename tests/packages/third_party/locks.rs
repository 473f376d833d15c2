//! Locks of `parking_lot` and tokio: exact when free, marked when held, never waited for.

use crate::asserted::{assert_exact, assert_marked};
use crate::cells::unclonable;
use crate::values::Value;
use memprof::tree::OpaqueReason;
use memprof::{MemoryProfile, Profile};
use parking_lot_012 as old;
use parking_lot_013 as new;
use std::sync::Arc;
use tokio::sync;

unclonable! {
    (T: Value) old::Mutex<T>: |random| old::Mutex::new(T::random(random));
    (T: Value) old::RwLock<T>: |random| old::RwLock::new(T::random(random));
    (T: Value) new::Mutex<T>: |random| new::Mutex::new(T::random(random));
    (T: Value) new::RwLock<T>: |random| new::RwLock::new(T::random(random));
    (T: Value) new::ReentrantMutex<T>: |random| new::ReentrantMutex::new(T::random(random));
    (T: Value) sync::Mutex<T>: |random| sync::Mutex::new(T::random(random));
    (T: Value) sync::RwLock<T>: |random| sync::RwLock::new(T::random(random));
    (T: Value) sync::OnceCell<T>: |random| sync::OnceCell::new_with(Option::random(random));
}

fn text() -> String {
    String::from("unseen")
}

/// Checks a lock around text: it is exact while free, and marked while a guard is held.
macro_rules! held {
    ($($test:ident: $lock:ty, $guard:expr;)*) => {$(
        #[test]
        fn $test() {
            let lock = assert_exact(|| <$lock>::new(text()));
            let guard = $guard(&lock);
            assert_marked(&lock, OpaqueReason::Locked, size_of_val(&lock));
            drop(guard);
            assert!(Profile::of(&lock).is_exact());
        }
    )*};
}

held! {
    a_mutex_of_parking_lot_0_12_that_is_held_is_marked: old::Mutex<String>, old::Mutex::lock;
    a_mutex_of_parking_lot_0_13_that_is_held_is_marked: new::Mutex<String>, new::Mutex::lock;
    a_fair_mutex_that_is_held_is_marked: new::FairMutex<String>, new::FairMutex::lock;
    a_lock_of_parking_lot_0_12_held_for_writing_is_marked: old::RwLock<String>, old::RwLock::write;
    a_lock_of_parking_lot_0_13_held_for_writing_is_marked: new::RwLock<String>, new::RwLock::write;
    a_recursive_lock_held_for_writing_is_marked:
        new::RecursiveRwLock<String>, new::RecursiveRwLock::write;
    a_mutex_of_tokio_that_is_held_is_marked: sync::Mutex<String>, sync::Mutex::try_lock;
    a_lock_of_tokio_held_for_writing_is_marked: sync::RwLock<String>, sync::RwLock::try_write;
}

#[test]
fn a_lock_that_others_read_is_exact() {
    let lock = new::RwLock::new(text());
    let _guard = lock.read();
    assert!(Profile::of(&lock).is_exact());
    let lock = sync::RwLock::new(text());
    let _guard = lock.try_read().expect("nobody writes");
    assert!(Profile::of(&lock).is_exact());
}

#[test]
fn a_reentrant_mutex_is_read_by_the_thread_that_holds_it() {
    let lock = new::ReentrantMutex::new(text());
    let _guard = lock.lock();
    assert!(Profile::of(&lock).is_exact());
}

#[test]
fn values_behind_locks_on_the_heap_are_exact() {
    assert_exact(|| Arc::new(new::Mutex::new(vec![text(); 3])));
    assert_exact(|| Box::new(sync::RwLock::new((1_u8, text()))));
    let locked = Arc::new(sync::Mutex::new(text()));
    let _guard = locked.try_lock().expect("it is free");
    assert_marked(&locked, OpaqueReason::Locked, 8 + 16 + size_of::<sync::Mutex<String>>());
}

#[test]
fn synchronization_primitives_own_nothing() {
    fn assert_flat<T: MemoryProfile>() {
        assert!(T::is_flat());
    }
    assert_flat::<new::Condvar>();
    assert_flat::<old::Once>();
    assert_flat::<sync::Notify>();
    assert_flat::<sync::Semaphore>();
    assert_flat::<sync::OnceCell<u8>>();
    assert_exact(|| (sync::Semaphore::new(3), sync::Notify::new(), new::Condvar::new()));
}

#[test]
fn a_cell_that_is_set_once_owns_its_value() {
    let cell = assert_exact(|| {
        let cell = sync::SetOnce::new();
        cell.set(text()).expect("it is empty");
        cell
    });
    assert!(cell.get().is_some());
    assert_exact(sync::SetOnce::<String>::new);
}

#[test]
fn the_ends_of_channels_are_marked() {
    fn assert_foreign<T: MemoryProfile>(end: &T) {
        assert_marked(end, OpaqueReason::Foreign, size_of::<T>());
    }
    let (sender, receiver) = sync::mpsc::channel::<u8>(3);
    assert_foreign(&sender);
    assert_foreign(&receiver);
    let (sender, receiver) = sync::mpsc::unbounded_channel::<u8>();
    assert_foreign(&sender);
    assert_foreign(&receiver);
    let (sender, receiver) = sync::oneshot::channel::<u8>();
    assert_foreign(&sender);
    assert_foreign(&receiver);
    let (sender, receiver) = sync::watch::channel(0_u8);
    assert_foreign(&sender);
    assert_foreign(&receiver);
    let (sender, receiver) = sync::broadcast::channel::<u8>(3);
    assert_foreign(&sender);
    assert_foreign(&receiver);
    assert_foreign(&sync::Barrier::new(3));
}
