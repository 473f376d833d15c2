//! `Pin`, which owns what the pointer inside it owns.

use crate::MemoryProfile;
use crate::impls::std::flat::impl_flat;
use crate::layout::pin_as_inner;
use crate::walk::{Position, Walk};
use core::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

impl_flat! {
    [T: ?Sized] Pin<&T>;
    [T: ?Sized] Pin<&mut T>;
}

macro_rules! pinned {
    ($($pointer:ident)*) => {$(
        impl<T: MemoryProfile + ?Sized> MemoryProfile for Pin<$pointer<T>> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                pin_as_inner(self).owned(walk, at);
            }

            fn type_name(&self) -> &'static str {
                (**self).type_name()
            }
        }
    )*};
}

pinned! { Box Rc Arc }
