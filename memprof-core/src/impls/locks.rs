//! Implements `MemoryProfile` for locks of other crates. The walk tries to get a guard and never
//! waits for it.

/// Implements `MemoryProfile` for locks around a `T`. The expression tries to get a guard.
macro_rules! locks {
    ($($lock:ty: |$name:ident| $guard:expr;)*) => {$(
        impl<T: crate::MemoryProfile + ?Sized> crate::MemoryProfile for $lock {
            fn owned<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                let $name = self;
                let guard = $guard.map(crate::layout::OnHeap::new);
                let guard = guard.ok_or(crate::tree::OpaqueReason::Locked);
                crate::impls::std::cell::owned_behind(guard, walk, at);
            }

            fn pointee<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                let $name = self;
                let guard = $guard.map(crate::layout::OnHeap::new);
                let guard = guard.ok_or(crate::tree::OpaqueReason::Locked);
                crate::impls::std::cell::pointee_behind(size_of_val(self), guard, walk, at);
            }
        }
    )*};
}

pub(crate) use locks;
