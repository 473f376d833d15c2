//! The table of other crates' locks: contents are read through a guard that is tried for, never
//! waited for.

/// One row a lock around a `T`, and how to try for a guard.
macro_rules! locks {
    ($($lock:ty: |$name:ident| $guard:expr;)*) => {$(
        impl<T: crate::MemoryProfile + ?Sized> crate::MemoryProfile for $lock {
            fn owned<'a>(&'a self, walk: &mut crate::Walk<'a>, at: crate::At) {
                let $name = self;
                let guard = Option::ok_or($guard, crate::Opaque::Locked);
                crate::impls::std::cell::owned_behind(guard, walk, at);
            }

            fn pointee<'a>(&'a self, walk: &mut crate::Walk<'a>, at: crate::At) {
                let $name = self;
                let guard = Option::ok_or($guard, crate::Opaque::Locked);
                crate::impls::std::cell::pointee_behind(size_of_val(self), guard, walk, at);
            }
        }
    )*};
}

pub(crate) use locks;
