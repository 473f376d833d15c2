//! `Rc` and `Arc`: memory that several handles share, counted once; and what only a `Weak` keeps.

use crate::{At, Kind, MemoryProfile, Tally, Walk, probe};
use std::{rc, sync};

/// The two reference counts that stand before a shared value.
const COUNTS: usize = 2 * size_of::<usize>();

/// The bytes that std allocates around a value of the given size and alignment.
fn bytes_around(size: usize, align: usize) -> usize {
    let align = align.max(align_of::<usize>());
    (COUNTS.next_multiple_of(align) + size).next_multiple_of(align) - size
}

/// What tells a shared allocation from all others: an address inside it. That of the value may be
/// past its end, and another allocation's, if the value has no size.
#[inline]
fn identity<T: ?Sized>(value: *const T) -> usize {
    value.addr() - COUNTS
}

/// Adds the bytes around a shared value: the counts, and the padding that aligns it.
fn add_counts(walk: &mut Walk<'_>, at: At, size: usize, align: usize) {
    walk.leaf(at, Kind::Counts, COUNTS);
    walk.leaf(at, Kind::Padding, bytes_around(size, align) - COUNTS);
    walk.count_allocations(at, 1);
}

macro_rules! shared_pointers {
    ($($module:ident $pointer:ident;)*) => {$(
        impl<T: MemoryProfile + ?Sized> MemoryProfile for $module::$pointer<T> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                if at.is_deep() {
                    walk.defer(self, at);
                    return;
                }
                let address = identity($module::$pointer::as_ptr(self));
                if walk.has_met(address) {
                    return;
                }
                let (at, outer) =
                    walk.enter_shared(at, address, $module::$pointer::strong_count(self));
                add_counts(walk, at, size_of_val(&**self), align_of_val(&**self));
                (**self).pointee(walk, at.deeper());
                walk.leave_shared(outer);
            }

            fn inline(walk: &mut Walk<'_>, at: At, count: usize) {
                walk.lump(at, Kind::Inline, size_of::<Self>(), count);
            }

            #[inline]
            fn tally<'a>(&'a self, _: &mut Tally, walk: &mut Walk<'a>, at: At) {
                let address = identity($module::$pointer::as_ptr(self));
                if !walk.paths.sharing.meet_one_of_few(address) {
                    self.owned(walk, at);
                }
            }

            /// Cache misses take nearly all the time, so each pass asks for the memory that the next
            /// one needs: the table's groups, then what is new.
            fn owned_slice<'a>(values: &'a [Self], walk: &mut Walk<'a>, at: At) {
                for group in values.chunks(BATCH) {
                    for value in group {
                        walk.paths.sharing.prefetch(identity($module::$pointer::as_ptr(value)));
                    }
                    let mut new = [0_u8; BATCH];
                    let mut count = 0;
                    for (index, value) in group.iter().enumerate() {
                        let address = identity($module::$pointer::as_ptr(value));
                        new[count] = index as u8;
                        count += usize::from(!walk.paths.sharing.meet_known(address));
                    }
                    let new = &new[..count];
                    for &index in new {
                        let value = &group[usize::from(index)];
                        let address = identity($module::$pointer::as_ptr(value));
                        probe::prefetch(address);
                        probe::prefetch(address + COUNTS + size_of_val(&**value));
                    }
                    for &index in new {
                        group[usize::from(index)].owned(walk, at);
                    }
                }
            }
        }

        /// A handle; the memory is counted where the owning handles are, or here when none is left.
        impl<T: ?Sized> MemoryProfile for $module::Weak<T> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                if self.strong_count() != 0 {
                    return;
                }
                if let Some((size, align)) = probe::layout_behind_weak(self.as_ptr()) {
                    // 0 handles: nobody can tell how many weak ones there are.
                    walk.shared(at, identity(self.as_ptr()), || 0, |walk, at| {
                        add_counts(walk, at, size, align);
                        walk.leaf(at, Kind::Inline, size);
                    });
                }
            }
        }
    )*};
}

/// Handles per pass. When one in ten is new, 256 have enough new ones to keep the memory busy.
const BATCH: usize = 256;

shared_pointers! {
    rc Rc;
    sync Arc;
}
