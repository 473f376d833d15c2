//! Synchronization types of threads, and the ends of channels.

use crate::MemoryProfile;
use crate::impls::std::opaque::impl_opaque;
use crate::impls::std::scalar::impl_flat;
use crate::layout::lock::CONDVAR_IS_INLINE;
use crate::tree::OpaqueReason;
use crate::walk::{Position, Walk};
use std::sync::mpsc::{Receiver, Sender, SyncSender};
use std::sync::{Barrier, BarrierWaitResult, Condvar, Once, WaitTimeoutResult};
use std::{task, thread};

impl_flat! {
    [] BarrierWaitResult;
    [] Once;
    [] WaitTimeoutResult;
    [] thread::AccessError;
    [] thread::ThreadId;
}

impl_opaque! {
    [T] Receiver<T>;
    [T] Sender<T>;
    [T] SyncSender<T>;
    [T] thread::JoinHandle<T>;
    [] thread::Builder;
    [] thread::Thread;
    [] task::Waker;
}

/// Implements `MemoryProfile` for types that threads or tasks wait on. They own no allocation on
/// systems where locks own none.
macro_rules! impl_lock_like {
    ($($type:ty)*) => {$(
        impl MemoryProfile for $type {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                if !CONDVAR_IS_INLINE {
                    walk.opaque(at, OpaqueReason::Foreign);
                }
            }

            #[inline]
            fn is_flat() -> bool {
                CONDVAR_IS_INLINE
            }
        }
    )*};
}

#[cfg(feature = "tokio1")]
pub(crate) use impl_lock_like;

impl_lock_like! { Barrier Condvar }
