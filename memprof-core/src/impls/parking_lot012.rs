//! `parking_lot` 0.12: locks, which have no allocation of their own.

use crate::impls::locks::locks;
use crate::impls::std::scalar::impl_flat;
use parking_lot_012::{
    Condvar, FairMutex, Mutex, Once, OnceState, ReentrantMutex, RwLock, WaitTimeoutResult,
};

locks! {
    FairMutex<T>: |lock| lock.try_lock();
    Mutex<T>: |lock| lock.try_lock();
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
