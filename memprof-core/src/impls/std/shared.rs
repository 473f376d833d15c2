//! `Rc` and `Arc`: shared allocations, each counted once, and allocations that only a `Weak` keeps.

use crate::MemoryProfile;
use crate::layout::counted::{self, COUNTS, WeakMemory, bytes_around, counts_are_known, identity};
use crate::layout::prefetch;
use crate::sharing::ContextId;
use crate::state::Tally;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use std::{rc, sync};

/// Adds the bytes around a shared value: the counts, and the padding that aligns the value.
pub(crate) fn add_around(walk: &mut Walk<'_>, at: Position, size: usize, align: usize) {
    let around = bytes_around(size, align);
    let leaves = [(LeafKind::Counts, COUNTS), (LeafKind::Padding, around - COUNTS)];
    walk.leaves(at, leaves, counts_are_known());
    walk.count_allocations(at, 1);
}

/// Adds the two counts before a value that another crate shares through an `Arc`.
#[cfg(any(feature = "arrow60", feature = "candle_core011", feature = "ndarray017"))]
pub(crate) fn add_counts(walk: &mut Walk<'_>, at: Position) {
    walk.leaves(at, [(LeafKind::Counts, COUNTS)], counts_are_known());
}

/// Enters an allocation, shared or not, and adds the bytes around its value.
///
/// Returns the value's position and the context to return to, or `None` if the walk already met the
/// allocation.
#[inline(never)]
pub(crate) fn enter(
    walk: &mut Walk<'_>,
    at: Position,
    address: usize,
    strong: usize,
    (size, align): (usize, usize),
) -> Option<(Position, ContextId)> {
    let entered = walk.enter_shared(at, address, strong)?;
    add_around(walk, entered.0, size, align);
    Some(entered)
}

/// Adds a value that `strong` handles keep alive, and the bytes around it, unless the walk already
/// met it.
fn visit<'a, T: MemoryProfile + ?Sized>(
    value: &'a T,
    strong: usize,
    walk: &mut Walk<'a>,
    at: Position,
) {
    let (size, align) = (size_of_val(value), align_of_val(value));
    if strong == 1 {
        // The memory has the position and the context of its only handle.
        add_around(walk, at, size, align);
        walk.block(identity(value));
        walk.pointee(value, at);
    } else if let Some((at, outer)) = enter(walk, at, identity(value), strong, (size, align)) {
        walk.block(identity(value));
        walk.pointee(value, at);
        walk.leave_shared(outer);
    }
}

/// The number of handles in a batch.
const BATCH: usize = 256;

/// The number of handles between the prefetch of a slot and its look-up.
const AHEAD: usize = 16;

/// The minimum number of handles for which an estimate of their allocations saves time.
const RESERVE_THRESHOLD: usize = 16 * BATCH;

/// Reserves capacity for the allocations that the handles of a slice lead to. Their number is
/// extrapolated from the first batch.
///
/// An allocation with ten handles counts as a tenth for each handle, so the sum over all handles is
/// at most the number of allocations.
fn reserve(walk: &mut Walk<'_>, handles: usize, strong_of_new: impl Iterator<Item = usize>) {
    const ONE: usize = 1 << 16;
    let shared = strong_of_new.filter(|&strong| strong > 1);
    let allocations: usize = shared.map(|strong| ONE / strong).sum();
    let allocations = (handles / BATCH).saturating_mul(allocations) / ONE;
    if allocations != 0 {
        walk.state().sharing.reserve(allocations);
    }
}

macro_rules! shared_pointers {
    ($($module:ident $pointer:ident $weak_memory:ident;)*) => {$(
        impl<T: MemoryProfile + ?Sized> MemoryProfile for $module::$pointer<T> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                let address = identity($module::$pointer::as_ptr(self));
                if !walk.record_handle(address) {
                    visit(&**self, $module::$pointer::strong_count(self), walk, at);
                }
            }

            fn type_name(&self) -> &'static str {
                (**self).type_name()
            }

            #[inline]
            fn tally<'a>(&'a self, _: &mut Tally, walk: &mut Walk<'a>, at: Position) {
                let address = identity($module::$pointer::as_ptr(self));
                if !walk.record_handle_of_root(address) {
                    self.owned(walk, at);
                }
            }

            /// Collects the new allocations of a batch before visiting the first, so that their
            /// cache misses overlap.
            fn owned_slice<'a>(values: &'a [Self], walk: &mut Walk<'a>, at: Position) {
                let mut new = [0_u8; BATCH];
                for (number, batch) in values.chunks(BATCH).enumerate() {
                    let mut len = 0;
                    for (index, value) in batch.iter().enumerate() {
                        let later = batch.get(index + AHEAD).unwrap_or(value);
                        walk.prefetch_handle(identity($module::$pointer::as_ptr(later)));
                        let address = identity($module::$pointer::as_ptr(value));
                        if !walk.record_handle_of_root(address) {
                            prefetch(address);
                            prefetch(address + COUNTS + size_of_val(&**value).saturating_sub(1));
                            new[len] = index as u8;
                            len += 1;
                        }
                    }
                    if number == 0 && values.len() >= RESERVE_THRESHOLD {
                        let strong = |&index: &u8| $module::$pointer::strong_count(&batch[usize::from(index)]);
                        reserve(walk, values.len(), new[..len].iter().map(strong));
                    }
                    for &index in &new[..len] {
                        let value = &batch[usize::from(index)];
                        match $module::$pointer::strong_count(value) {
                            // No other handle led here.
                            1 => visit(&**value, 1, walk, at),
                            _ => value.owned(walk, at),
                        }
                    }
                }
            }

        }

        /// A weak handle. Its allocation is counted at the owning handles, or here if no owning
        /// handle is left.
        impl<T: ?Sized> MemoryProfile for $module::Weak<T> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                // When the last owning handle is dropped, the allocation counts at this weak handle
                // instead.
                if self.strong_count() != 0 {
                    return;
                }
                match counted::$weak_memory(self) {
                    WeakMemory::Nothing => {}
                    // 0 means unknown, because std has no count for the weak handles of a dropped
                    // value.
                    WeakMemory::Value { size, align } => {
                        walk.shared(at, identity(self.as_ptr()), || 0, |walk, at| {
                            add_around(walk, at, size, align);
                            walk.block(identity(self.as_ptr()));
                            walk.leaf(at, LeafKind::Inline, size);
                        });
                    }
                    WeakMemory::Unknown => walk.opaque(at, OpaqueReason::Foreign),
                }
            }
        }
    )*};
}

shared_pointers! {
    rc Rc memory_of_rc_weak;
    sync Arc memory_of_arc_weak;
}
