//! `parking_lot` 0.12 and 0.13: locks, which have no allocation of their own.

/// Implements `MemoryProfile` for the types of a version. Further locks for readers follow its name.
macro_rules! parking_lot {
    ($version:ident $($more:ident)?) => {
        const _: () = {
            use crate::impls::std::cell::{guarded_cells, or_locked};
            use crate::impls::std::scalar::impl_flat;
            use $version::{
                Condvar, FairMutex, Mutex, Once, OnceState, ReentrantMutex, RwLock,
                WaitTimeoutResult, $($more)?
            };

            guarded_cells! {
                FairMutex (true): |lock: &'a Self| or_locked(lock.try_lock());
                Mutex (true): |lock: &'a Self| or_locked(lock.try_lock());
                // This mutex can be read even if the current thread holds it.
                ReentrantMutex (true): |lock: &'a Self| or_locked(lock.try_lock());
                RwLock (true): |lock: &'a Self| or_locked(lock.try_read());
                $($more (true): |lock: &'a Self| or_locked(lock.try_read());)?
            }

            impl_flat! { Condvar, Once, OnceState, WaitTimeoutResult }
        };
    };
}

#[cfg(feature = "parking_lot012")]
parking_lot! { parking_lot_012 }
#[cfg(feature = "parking_lot013")]
parking_lot! { parking_lot_013 RecursiveRwLock }
