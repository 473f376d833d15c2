//! What threads wait on, and the ends of channels.

use crate::impls::std::flat::flat;
use crate::impls::std::hidden::hidden;
use crate::{At, MemoryProfile, Opaque, Walk};
use std::sync::mpsc::{Receiver, Sender, SyncSender};
use std::sync::{Barrier, BarrierWaitResult, Condvar, Once, WaitTimeoutResult};
use std::{task, thread};

/// Whether a lock of std is a word that the system waits on. Elsewhere it is a `pthread_mutex_t` in
/// an allocation of its own, made when the lock is first used, which nobody can see.
pub(crate) const LOCKS_ARE_WORDS: bool = cfg!(any(
    windows,
    target_os = "android",
    target_os = "dragonfly",
    target_os = "freebsd",
    target_os = "fuchsia",
    target_os = "hermit",
    target_os = "linux",
    target_os = "openbsd",
    target_family = "wasm",
));

flat! {
    [] BarrierWaitResult;
    [] Once;
    [] WaitTimeoutResult;
    [] thread::AccessError;
    [] thread::ThreadId;
}

hidden! {
    [T] Receiver<T>;
    [T] Sender<T>;
    [T] SyncSender<T>;
    [T] thread::JoinHandle<T>;
    [] thread::Builder;
    [] thread::Thread;
    [] task::Waker;
}

/// Impls for what threads or tasks wait on, without an allocation where locks are words.
macro_rules! waited_on {
    ($($type:ty)*) => {$(
        impl MemoryProfile for $type {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                if !LOCKS_ARE_WORDS {
                    walk.opaque(at, Opaque::Foreign);
                }
            }

            #[inline]
            fn is_flat() -> bool {
                LOCKS_ARE_WORDS
            }
        }
    )*};
}

#[cfg(feature = "tokio1")]
pub(crate) use waited_on;

waited_on! { Barrier Condvar }
