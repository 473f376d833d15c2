//! tokio 1: synchronization types of tasks, and the ends of channels.

use crate::MemoryProfile;
use crate::impls::std::cell::{guarded_cells, impl_lock_like, or_locked};
use crate::impls::std::scalar::impl_opaque;
use crate::impls::std::wrapper::holders;
use crate::layout::CONDVAR_IS_INLINE;
use crate::tree::OpaqueReason;
use crate::walk::{Position, Walk};
use tokio::sync::{
    Barrier, Mutex, Notify, OnceCell, RwLock, Semaphore, SetOnce, broadcast, mpsc, oneshot, watch,
};

guarded_cells! {
    Mutex (true): |lock: &'a Self| or_locked(lock.try_lock().ok());
    RwLock (true): |lock: &'a Self| or_locked(lock.try_read().ok());
}

holders! {
    [T: MemoryProfile] OnceCell<T> => T: |cell| cell.get();
    [T: MemoryProfile] SetOnce<T> => T: |cell| cell.get();
}

// A waiting task contains its own list node, so these types allocate nothing.
impl_lock_like! { Notify Semaphore }

impl_opaque! {
    [] Barrier;
    [T] broadcast::Receiver<T>;
    [T] broadcast::Sender<T>;
    [T] broadcast::WeakSender<T>;
    [T] mpsc::Receiver<T>;
    [T] mpsc::Sender<T>;
    [T] mpsc::UnboundedReceiver<T>;
    [T] mpsc::UnboundedSender<T>;
    [T] mpsc::WeakSender<T>;
    [T] mpsc::WeakUnboundedSender<T>;
    [T] oneshot::Receiver<T>;
    [T] oneshot::Sender<T>;
    [T] watch::Receiver<T>;
    [T] watch::Sender<T>;
}
