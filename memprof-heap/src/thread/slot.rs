//! Words of a thread for a module of a higher layer, which defines their type.
#![expect(unsafe_code, reason = "only a higher layer has the type of the words")]

use core::cell::UnsafeCell;

/// `WORDS` words of a shard, all zero at the start. The words stay for the next thread when the
/// thread ends.
#[repr(C, align(8))]
pub(crate) struct Slot<const WORDS: usize>(UnsafeCell<[u64; WORDS]>);

impl<const WORDS: usize> Slot<WORDS> {
    pub(super) const fn new() -> Self {
        Self(UnsafeCell::new([0; WORDS]))
    }

    /// Returns the value in the slot, by a cast that costs no instruction.
    ///
    /// # Safety
    /// The slot is read as a `T` and as no other type. A `T` may be all zero bytes.
    #[inline(always)]
    pub(crate) unsafe fn as_ref<T>(&self) -> &T {
        const { assert!(size_of::<T>() <= size_of::<Self>() && align_of::<T>() <= 8) };
        // SAFETY: size and alignment suffice. The caller guarantees the rest.
        unsafe { &*self.0.get().cast::<T>() }
    }
}
