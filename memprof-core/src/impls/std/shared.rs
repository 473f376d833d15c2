//! `Rc` and `Arc`: shared allocations, each counted once, and allocations that only a `Weak` keeps.
//! Two counts are before the value.
#![expect(unsafe_code, reason = "std does not expose the counts and the memory of dropped values")]

use crate::MemoryProfile;
use crate::layout::certificate::Certificate;
use crate::layout::prefetch;
use crate::layout::word::{READS_STD, WORD, atomic_word_at, pointer_at, words_of};
use crate::sharing::ContextId;
use crate::state::Tally;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use core::cell::UnsafeCell;
use std::{rc, sync};

/// Adds the bytes around a shared value: the counts, and the padding that aligns the value.
#[inline]
pub(crate) fn add_around(walk: &mut Walk<'_>, at: Position, size: usize, align: usize) {
    let padding = bytes_around(size, align) - COUNTS;
    if counts_are_known() {
        walk.add_counts(at, COUNTS, padding);
    } else {
        let leaves = [(LeafKind::Counts, COUNTS), (LeafKind::Padding, padding)];
        walk.leaves(at, leaves, false);
        walk.count_allocations(at, 1);
    }
}

/// Adds the two counts before a value that another crate shares through an `Arc`.
#[cfg(any(feature = "arrow60", feature = "candle_core011", feature = "ndarray017"))]
pub(crate) fn add_counts(walk: &mut Walk<'_>, at: Position) {
    walk.leaves(at, [(LeafKind::Counts, COUNTS)], counts_are_known());
}

/// Enters an allocation, shared or not. Returns the value's position and the context to return to,
/// or `None` if the walk already met the allocation.
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

/// `counts` returns the numbers of the handles, as [`visit`] takes them.
#[inline]
pub(crate) fn add_shared<'a, T: MemoryProfile + ?Sized>(
    value: &'a T,
    counts: impl FnOnce() -> [usize; 2],
    walk: &mut Walk<'a>,
    at: Position,
) {
    if !walk.record_handle(at, identity(value)) {
        visit(value, counts(), walk, at);
    }
}

/// `weak` handles keep the allocation, but not what the value owns elsewhere.
fn visit<'a, T: MemoryProfile + ?Sized>(
    value: &'a T,
    [strong, weak]: [usize; 2],
    walk: &mut Walk<'a>,
    at: Position,
) {
    if walk.leaves_out_root(value, at) {
        return;
    }
    let (size, align) = (size_of_val(value), align_of_val(value));
    let entered = if strong == 1 {
        // The memory has the position and the context of its only handle.
        add_around(walk, at, size, align);
        Some((at, None))
    } else {
        let entered = enter(walk, at, identity(value), strong, (size, align));
        entered.map(|(at, outer)| (at, Some(outer)))
    };
    let Some((at, outer)) = entered else { return };
    walk.block(identity(value));
    if weak > 0 {
        walk.keep_by_weak(at, identity(value), weak, size + bytes_around(size, align));
    }
    walk.pointee(value, at);
    if let Some(outer) = outer {
        walk.leave_shared(outer);
    }
}

const BATCH: usize = 256;

/// The number of handles between the prefetch of a slot and its lookup.
const AHEAD: usize = 16;

/// The minimum number of handles for which an estimate of their allocations saves time.
const RESERVE_THRESHOLD: usize = 16 * BATCH;

/// The number of allocations is extrapolated from the first batch. An allocation with ten handles
/// counts as a tenth for each handle, so the sum over all handles is at most the number of
/// allocations.
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
                let counts = || {
                    [$module::$pointer::strong_count(self), $module::$pointer::weak_count(self)]
                };
                add_shared(&**self, counts, walk, at);
            }

            fn type_name(&self) -> &'static str {
                (**self).type_name()
            }

            #[inline]
            fn tally<'a>(&'a self, _: &mut Tally, walk: &mut Walk<'a>, at: Position) {
                let address = identity($module::$pointer::as_ptr(self));
                if !walk.record_handle_of_root(at, address) {
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
                        if !walk.record_handle_of_root(at, address) {
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
                            1 => visit(&**value, [1, $module::$pointer::weak_count(value)], walk, at),
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
                    return walk.weak_handle(at, identity(self.as_ptr()));
                }
                match $weak_memory(self) {
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

/// The bytes of the two reference counts before a shared value.
pub(crate) const COUNTS: usize = 2 * WORD;

#[inline]
fn bytes_around(size: usize, align: usize) -> usize {
    let align = align.max(align_of::<usize>());
    (COUNTS.next_multiple_of(align) + size).next_multiple_of(align) - size
}

/// Returns an address inside the allocation and no other. The value's own address is not suitable:
/// if the value is zero-sized, it may be past the end and belong to another allocation.
#[inline]
pub(crate) fn identity<T: ?Sized>(value: *const T) -> usize {
    value.addr().wrapping_sub(COUNTS)
}

pub(crate) static COUNTS_CERTIFICATE: Certificate = Certificate::new(observe_counts);

/// Covers a `Weak` that never had a value, and one whose value was dropped.
pub(crate) static WEAK_HANDLES_CERTIFICATE: Certificate = Certificate::new(observe_weak_handles);

/// Returns whether the header of a shared value is two counts and nothing else.
#[inline]
fn counts_are_known() -> bool {
    COUNTS_CERTIFICATE.is_certified()
}

/// The memory that a `Weak` keeps after its value was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WeakMemory {
    /// No memory: the handle was created by `Weak::new`.
    Nothing,
    /// The memory of a value that was dropped.
    Value { size: usize, align: usize },
    /// Unknown, because the handles of this std do not have the described layout.
    Unknown,
}

fn memory_of_rc_weak<T: ?Sized>(handle: &rc::Weak<T>) -> WeakMemory {
    // SAFETY: the pointer is that of a handle, which is borrowed until the call returns.
    unsafe { weak_memory_at(handle.as_ptr()) }
}

fn memory_of_arc_weak<T: ?Sized>(handle: &sync::Weak<T>) -> WeakMemory {
    // SAFETY: the pointer is that of a handle, which is borrowed until the call returns.
    unsafe { weak_memory_at(handle.as_ptr()) }
}

/// # Safety
/// `value` is the result of `as_ptr` of a `Weak` that lives until the call returns.
unsafe fn weak_memory_at<T: ?Sized>(value: *const T) -> WeakMemory {
    if value.addr() == NEVER_ALLOCATED {
        return WeakMemory::Nothing;
    }
    if !WEAK_HANDLES_CERTIFICATE.is_certified() {
        return WeakMemory::Unknown;
    }
    // The cast to a cell is needed because the thread that dropped the last owning handle may still
    // be dropping the value. A reference to a cell makes no claim about the bytes inside.
    let value = value as *const UnsafeCell<T>;
    // SAFETY: the certificate observed that a weak handle with memory keeps the memory, and that
    // `value` points into the memory, aligned. Only the pointer's metadata is read, never the
    // dropped value.
    let value = unsafe { &*value };
    WeakMemory::Value { size: size_of_val(value), align: align_of_val(value) }
}

/// The address in a handle made by `Weak::new`. No value has this address, because a value there
/// would end past the last address.
const NEVER_ALLOCATED: usize = usize::MAX;

/// A value that needs padding between the counts and itself.
#[repr(align(64))]
struct Aligned(#[expect(dead_code, reason = "only its address is used")] u8);

/// Returns whether a handle points to the expected counts, followed by the value at its alignment.
///
/// A further field of two bytes or more between the counts and the value would move a value of one
/// byte. No field follows the value, because a field that may be unsized is the last of its struct.
fn is_header<H>(handle: &H, value: usize, align: usize, counts: [usize; 2]) -> bool {
    // SAFETY: the caller owns the handle, and `observe_counts` checked `READS_STD`. So either std
    // is known, and the handle is a pointer, whose bytes are initialised. Or `READS_PADDING` is
    // true, and any bytes may be read.
    let Some([start]) = (unsafe { words_of::<H, 1>(handle) }) else { return false };
    let distance = value.wrapping_sub(start);
    if distance != COUNTS.next_multiple_of(align) {
        return false;
    }
    // SAFETY: the handle is one word, which was just read.
    let header = unsafe { pointer_at((&raw const *handle).cast()) };
    let found = [0, 1].map(|index| {
        // SAFETY: the two words lie between the handle's target and its value. They are counts,
        // which only handles write to, and this thread has all handles.
        unsafe { atomic_word_at(header.wrapping_add(index)) }
    });
    found == counts
}

/// Returns the same as [`is_header`] for a handle with metadata, without reading the counts.
fn is_wide_header<H>(handle: &H, value: usize, align: usize) -> bool {
    // SAFETY: as for a handle of one word.
    let words = unsafe { words_of::<H, 2>(handle) };
    let expected = value.wrapping_sub(COUNTS.next_multiple_of(align));
    words.is_some_and(|words| words.contains(&expected))
}

macro_rules! observations {
    ($($module:ident $pointer:ident $counts:ident $weak:ident;)*) => {$(
        fn $counts() -> bool {
            use $module::$pointer as Handle;

            fn matches_layout<T>(value: T) -> bool {
                let handle = Handle::new(value);
                let weak = Handle::downgrade(&handle);
                let handles = (handle.clone(), [weak.clone(), weak]);
                // All owning handles together count as one weak handle.
                let counts = [2, handles.1.len() + 1];
                is_header(&handle, Handle::as_ptr(&handle).addr(), align_of::<T>(), counts)
            }
            let text = Handle::<str>::from("text");
            let object: Handle<dyn Send> = Handle::new(Aligned(0));
            let address = Handle::as_ptr(&object).addr();
            matches_layout(0_u8)
                && matches_layout(0_u128)
                && matches_layout(Aligned(0))
                && is_wide_header(&text, text.as_ptr().addr(), 1)
                && is_wide_header(&object, address, align_of::<Aligned>())
        }

        fn $weak() -> bool {
            use $module::{$pointer as Handle, Weak};

            let empty: Weak<dyn Send> = Weak::<Aligned>::new();
            let handle = Handle::new(0_u64);
            let (address, kept) = (Handle::as_ptr(&handle).addr(), Handle::downgrade(&handle));
            drop(handle);
            let never = [Weak::<()>::new().as_ptr().addr(), empty.as_ptr().addr()];
            never == [NEVER_ALLOCATED; 2] && kept.as_ptr().addr() == address
        }
    )*};
}

observations! {
    rc Rc observe_rc_counts observe_rc_weak_handles;
    sync Arc observe_arc_counts observe_arc_weak_handles;
}

fn observe_counts() -> bool {
    READS_STD && observe_rc_counts() && observe_arc_counts()
}

fn observe_weak_handles() -> bool {
    observe_rc_weak_handles() && observe_arc_weak_handles()
}

#[cfg(test)]
mod tests;
