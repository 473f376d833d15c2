//! Reads of words without a public accessor, casts of wrappers, and prefetches.
//!
//! A later version may have padding where a word is expected, and reading padding as a number is
//! undefined behaviour. So an assembly instruction loads the words. The compiler makes no
//! assumption about the bytes that the instruction reads, so a byte of padding only gives an
//! arbitrary number. Callers check the words afterwards, value by value.
//!
//! Two casts are here too, between a wrapper and the wrapped type, which have the same layout: that of
//! `Pin`, which std documents, and that of a wrapper which combines a value with the function that
//! profiles it. With the latter, the walk visits values without an impl like any others: in slices, behind
//! pointers and from the work list.
//!
//! The prefetches are hints to the processor about memory that is read soon.

use crate::MemoryProfile;
use crate::shape::Position;
use crate::walk::Walk;
use core::marker::PhantomData;
use core::pin::Pin;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::rc::Rc;
use std::sync::Arc;

pub(crate) const WORD: usize = size_of::<usize>();

/// The lowest address that an allocation can have. Operating systems never map lower addresses.
pub(crate) const LOWEST_ADDRESS: usize = 4096;

/// True if an assembly instruction loads the words. Otherwise, a word that may be uninitialised
/// must not be read. Miri executes no assembly.
pub(crate) const BY_INSTRUCTION: bool = cfg!(all(
    not(miri),
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_pointer_width = "64"),
        all(target_arch = "aarch64", target_pointer_width = "64"),
    )
));

/// True if [`word_at`] may read bytes of padding. It is also true under Miri, because Miri reports
/// such a read as an error.
pub(crate) const READS_PADDING: bool = BY_INSTRUCTION || cfg!(miri);

/// True if [`word_at`] may read std's types: padding may be read, or the fields of these types are
/// known.
pub(crate) const READS_STD: bool = READS_PADDING || cfg!(memprof_known_std);

/// Returns the only item, or `None` if there are none or several.
pub(crate) fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

/// Returns the index of the only word with this value.
pub(crate) fn index_of(words: &[usize], value: usize) -> Option<usize> {
    only((0..words.len()).filter(|&index| words[index] == value))
}

/// Returns the index of the only word that has none of these values.
#[allow(dead_code, reason = "only types of other crates need it")]
pub(crate) fn index_of_other(words: &[usize], values: &[usize]) -> Option<usize> {
    only((0..words.len()).filter(|&index| !values.contains(&words[index])))
}

/// Reads the word at an address.
///
/// # Safety
/// `at` is aligned and inside a live value, and no thread writes to the word during the call. The
/// word's bytes are initialised. If [`READS_PADDING`] is true, they need not be.
#[inline]
pub(crate) unsafe fn word_at(at: *const usize) -> usize {
    // SAFETY: the caller's guarantees are those of `load`.
    unsafe { load(at) }
}

/// Reads the word at an address that other threads may write to.
///
/// # Safety
/// As for [`word_at`], except that other threads may write to the word by atomic operations, if its
/// type is atomic.
#[inline]
pub(crate) unsafe fn atomic_word_at(at: *const usize) -> usize {
    if BY_INSTRUCTION {
        // SAFETY: the caller guarantees what `load` requires, and the instruction reads the aligned
        // word atomically.
        return unsafe { load(at) };
    }
    // SAFETY: the caller guarantees that the read is valid. The word is read as a pointer, because
    // Miri distinguishes pointers from integers.
    let word = unsafe { AtomicPtr::<()>::from_ptr(at.cast_mut().cast()) };
    word.load(Ordering::Relaxed).addr()
}

/// Reads the pointer at an address. The caller must decide whether it may dereference the pointer.
///
/// # Safety
/// As for [`word_at`].
pub(crate) unsafe fn pointer_at(at: *const usize) -> *const usize {
    if BY_INSTRUCTION {
        // SAFETY: the caller guarantees what `load` requires.
        return core::ptr::with_exposed_provenance(unsafe { load(at) });
    }
    // SAFETY: the caller guarantees that the read is valid. A word read as a pointer keeps its
    // provenance.
    unsafe { at.cast::<*const usize>().read() }
}

/// Reads the words of a value that consists of `N` words.
///
/// Returns `None` if its size or its alignment is different.
///
/// # Safety
/// No thread writes to the value during the call. The value's bytes are initialised. If
/// [`READS_PADDING`] is true, they need not be.
pub(crate) unsafe fn words_of<T, const N: usize>(value: &T) -> Option<[usize; N]> {
    if size_of::<T>() != N * WORD || align_of::<T>() != align_of::<usize>() {
        return None;
    }
    let first = (&raw const *value).cast::<usize>();
    Some(core::array::from_fn(|index| {
        // SAFETY: the word lies inside `*value`, which is borrowed and aligned to words. The rest
        // is the caller's guarantee.
        unsafe { word_at(first.wrapping_add(index)) }
    }))
}

/// A type whose words only a unique reference can change.
///
/// # Safety
/// No thread writes to the words of a value that is borrowed.
#[allow(dead_code, reason = "only types of other crates need it")]
pub(crate) unsafe trait Frozen {}

/// Reads the words like [`words_of`]. Also returns `None` if padding must not be read.
#[allow(dead_code, reason = "only types of other crates need it")]
pub(crate) fn words_of_frozen<T: Frozen, const N: usize>(value: &T) -> Option<[usize; N]> {
    if !READS_PADDING {
        return None;
    }
    // SAFETY: no thread writes to the words, as `Frozen` guarantees, and padding may be read.
    unsafe { words_of(value) }
}

/// Reads the `N` words of a value that are outside `part`. Returns `None` if these words are not
/// contiguous or their number is not `N`.
///
/// # Safety
/// As for [`words_of`], except for the words of `part`.
pub(crate) unsafe fn words_except<T, P, const N: usize>(value: &T, part: &P) -> Option<[usize; N]> {
    let part_size = size_of::<P>().next_multiple_of(WORD);
    if size_of::<T>() != N * WORD + part_size || align_of::<T>() != align_of::<usize>() {
        return None;
    }
    let first = (&raw const *value).cast::<usize>();
    let part_at = (&raw const *part).addr().wrapping_sub(first.addr());
    // The part is first or last, or it is zero-sized and may be anywhere.
    let skipped = match part_at {
        _ if part_size == 0 => 0,
        0 => part_size / WORD,
        _ if part_at == N * WORD => 0,
        _ => return None,
    };
    Some(core::array::from_fn(|index| {
        // SAFETY: the word lies inside `*value`, which is borrowed and aligned to words. The word
        // is outside `part`. The rest is the caller's guarantee.
        unsafe { word_at(first.wrapping_add(skipped + index)) }
    }))
}

/// Defines `load` by the instruction that loads a word.
#[allow(unused_macros, reason = "Miri and other processors do not use it")]
macro_rules! load_by {
    ($instruction:literal) => {
        /// # Safety
        /// As for [`word_at`].
        #[inline]
        unsafe fn load(at: *const usize) -> usize {
            let word;
            // SAFETY: the instruction reads a word, which is inside a live object.
            unsafe {
                core::arch::asm!(
                    $instruction,
                    at = in(reg) at,
                    word = lateout(reg) word,
                    options(pure, readonly, nostack, preserves_flags),
                );
            }
            word
        }
    };
}

#[cfg(all(not(miri), target_arch = "x86_64", target_pointer_width = "64"))]
load_by! { "mov {word}, qword ptr [{at}]" }

#[cfg(all(not(miri), target_arch = "x86"))]
load_by! { "mov {word}, dword ptr [{at}]" }

#[cfg(all(not(miri), target_arch = "aarch64", target_pointer_width = "64"))]
load_by! { "ldr {word}, [{at}]" }

/// # Safety
/// As for [`word_at`].
#[cfg(any(
    miri,
    not(any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_pointer_width = "64"),
        all(target_arch = "aarch64", target_pointer_width = "64"),
    ))
))]
#[inline]
unsafe fn load(at: *const usize) -> usize {
    // SAFETY: the caller guarantees that the bytes are initialised.
    unsafe { at.read() }
}

/// A pointer type that may be read inside a `Pin`.
///
/// # Safety
/// Nothing reachable through a shared reference to the pointer moves the pointee.
pub(crate) unsafe trait Immovable {}

// SAFETY: a shared reference to a box only gives shared references to its value.
unsafe impl<T: ?Sized> Immovable for Box<T> {}
// SAFETY: as for a box; `Rc::get_mut` and similar functions need a unique reference to the pointer.
unsafe impl<T: ?Sized> Immovable for Rc<T> {}
// SAFETY: as for `Rc`.
unsafe impl<T: ?Sized> Immovable for Arc<T> {}

pub(crate) fn pin_as_inner<P: Immovable>(pin: &Pin<P>) -> &P {
    let pointer = (&raw const *pin).cast::<P>();
    // SAFETY: `Pin` is `repr(transparent)` over its pointer, as std documents, so the reference is
    // to a valid `P`. It is shared, and `Immovable` guarantees that the pointee does not move.
    unsafe { &*pointer }
}

/// A `T` that the function `F` profiles. `F` has no bytes.
#[repr(transparent)]
pub(crate) struct WithFunction<T, F> {
    value: T,
    function: PhantomData<F>,
}

impl<T, F: Copy> WithFunction<T, F> {
    /// Fails to compile if `F` has bytes, as a function pointer has.
    const IS_ZERO_SIZED: () =
        assert!(size_of::<F>() == 0, "expected the name of a function, not a pointer to one");

    #[inline]
    pub(crate) fn of(value: &T, _: F) -> &Self {
        let () = Self::IS_ZERO_SIZED;
        // SAFETY: `WithFunction` is a transparent wrapper of `T`, and nothing can be moved out of a
        // shared reference to it.
        unsafe { &*(&raw const *value).cast::<Self>() }
    }

    #[inline]
    pub(crate) fn of_slice(values: &[T], _: F) -> &[Self] {
        let () = Self::IS_ZERO_SIZED;
        let start = values.as_ptr().cast::<Self>();
        // SAFETY: as in `of`. A slice of a transparent wrapper has the layout of a slice of the
        // wrapped type.
        unsafe { core::slice::from_raw_parts(start, values.len()) }
    }

    #[inline]
    fn function() -> F {
        let () = Self::IS_ZERO_SIZED;
        // SAFETY: a read of no bytes is valid at every aligned address that is not null. Only `of`
        // and `of_slice` return this type, and they take an `F`. So an `F` exists, and `F` is
        // `Copy`.
        unsafe { NonNull::<F>::dangling().read() }
    }
}

/// The function adds what a value owns outside its inline bytes.
impl<T, F> MemoryProfile for WithFunction<T, F>
where
    F: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy,
{
    #[inline]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        Self::function()(&self.value, walk, at);
    }
}

#[inline]
pub(crate) fn prefetch(address: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch is only a hint; the processor ignores it if the address is not readable.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::without_provenance(address));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

/// Prefetches 1 KiB from an address: a buffer that will be read, and the memory after it. The
/// allocations of a buffer's values usually follow the buffer.
///
/// With this prefetch, a walk over a tree of 3 M nodes takes as long as a hand-written sum of the
/// same bytes. With half of the prefetched bytes the walk takes 1.08 times as long, and without
/// prefetch 1.2 times as long. On vectors in random order the walk is not slower than without
/// prefetch. This function is not inlined, so that it is compiled once instead of once per type.
#[inline(never)]
pub(crate) fn read_ahead(address: usize) {
    const LINES: usize = 16;
    for line in 0..LINES {
        prefetch(address.wrapping_add(64 * line));
    }
}

#[cfg(test)]
mod tests;
