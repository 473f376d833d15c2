//! Types that carry type or compiler information and own nothing.

use crate::impls::std::flat::impl_flat;
use core::alloc::Layout;
use core::any::TypeId;
use core::cmp::Ordering;
use core::convert::Infallible;
use core::marker::{PhantomData, PhantomPinned};
use core::num::FpCategory;
use core::sync::atomic;

impl_flat! {
    [T: ?Sized] PhantomData<T>;
    [] PhantomPinned;
    [] Infallible;
    [] Ordering;
    [] atomic::Ordering;
    [] FpCategory;
    [] Layout;
    [] TypeId;
    [] core::panic::Location<'_>;
    [] core::fmt::Error;
}
