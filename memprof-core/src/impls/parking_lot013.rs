//! `parking_lot` 0.13: locks, which have no allocation of their own.

use crate::impls::locks::locks;
use crate::impls::std::scalar::impl_flat;
use parking_lot_013::{
    Condvar, FairMutex, Mutex, Once, OnceState, RecursiveRwLock, ReentrantMutex, RwLock,
    WaitTimeoutResult,
};

locks! {
    FairMutex<T>: |lock| lock.try_lock();
    Mutex<T>: |lock| lock.try_lock();
    RecursiveRwLock<T>: |lock| lock.try_read();
    // This mutex can be read even if the current thread holds it.
    ReentrantMutex<T>: |lock| lock.try_lock();
    RwLock<T>: |lock| lock.try_read();
}

impl_flat! {
    [] Condvar;
    [] Once;
    [] OnceState;
    [] WaitTimeoutResult;
}
