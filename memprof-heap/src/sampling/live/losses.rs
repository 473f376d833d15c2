//! Counts of samples for which the table had no slot, and the correction for them.
//!
//! The correction multiplies estimates of the stored samples. It is computed for windows of 1,024
//! insertions, so a loss changes only the estimates of samples from its own window.

use crate::base::sync::AtomicU64;
use crate::base::sync::Ordering::Relaxed;

/// The number of insertions in a window.
const INSERTIONS: u32 = 1024;

/// The current window, and the number of all lost samples.
#[derive(Default)]
pub(super) struct Losses {
    /// The number of the window, then 16 bits each for the stored and the lost samples.
    window: AtomicU64,
    /// Samples lost since the table was cleared.
    lost: AtomicU64,
}

#[derive(Clone, Copy)]
struct Window {
    /// The number of the window: 31 bits.
    number: u32,
    kept: u32,
    lost: u32,
}

/// The mark in the share of a sample whose window has ended and had losses. The other bits are the
/// counts of that window. Without the mark, a share is the number of the window.
const IS_SETTLED: u32 = 1 << 31;

/// A change of shares: all samples with the share `from` get the share `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Window {
    fn of(word: u64) -> Self {
        let (number, counts) = ((word >> 32) as u32, word as u32);
        Self { number, kept: counts >> 16, lost: counts & 0xFFFF }
    }

    fn word(self) -> u64 {
        u64::from(self.number) << 32 | u64::from(self.counts())
    }

    fn counts(self) -> u32 {
        self.kept << 16 | self.lost
    }

    fn with(self, is_kept: bool) -> Self {
        let (kept, lost) = (u32::from(is_kept), u32::from(!is_kept));
        Self { kept: self.kept + kept, lost: (self.lost + lost).min(0xFFFF), ..self }
    }

    fn next(self) -> Self {
        Self { number: self.number.wrapping_add(1) & !IS_SETTLED, kept: 0, lost: 0 }
    }

    /// Returns true if the window is complete. A window without a stored sample goes on, because no
    /// estimate could include its losses.
    fn is_full(self) -> bool {
        self.kept > 0 && self.kept + self.lost >= INSERTIONS
    }

    fn factor(self) -> f64 {
        if self.lost == 0 {
            return 1.0;
        }
        f64::from(self.kept + self.lost) / f64::from(self.kept.max(1))
    }
}

impl Losses {
    pub(super) const fn none() -> Self {
        Self { window: AtomicU64::new(0), lost: AtomicU64::new(0) }
    }

    /// Returns the share of a sample that is about to be inserted.
    pub(super) fn share(&self) -> u32 {
        self.window().number
    }

    /// Counts an insertion. If it completes a window with losses, returns the change of share for
    /// the samples of that window.
    pub(super) fn count(&self, share: u32, is_kept: bool) -> Option<Settled> {
        if !is_kept {
            self.lost.fetch_add(1, Relaxed);
        }
        let count = |word| {
            // Another thread may have ended the window since this thread read its number.
            let window = Some(Window::of(word)).filter(|window| window.number == share)?;
            let counted = window.with(is_kept);
            Some(if counted.is_full() { counted.next() } else { counted }.word())
        };
        let before = self.window.fetch_update(Relaxed, Relaxed, count).ok()?;
        let counted = Window::of(before).with(is_kept);
        let to = IS_SETTLED | counted.counts();
        (counted.is_full() && counted.lost > 0).then_some(Settled { from: share, to })
    }

    /// Counts the loss of a sample that was stored before.
    pub(super) fn count_lost(&self) {
        self.lost.fetch_add(1, Relaxed);
    }

    /// Returns the correction factor of a sample with this share.
    pub(super) fn factor(&self, share: u32) -> f64 {
        if share & IS_SETTLED != 0 {
            return Window::of(u64::from(share & !IS_SETTLED)).factor();
        }
        let window = self.window();
        if window.number == share { window.factor() } else { 1.0 }
    }

    /// Returns the number of samples lost since the table was cleared.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }

    pub(super) fn clear(&self) {
        self.window.store(self.window().next().word(), Relaxed);
        self.lost.store(0, Relaxed);
    }

    fn window(&self) -> Window {
        Window::of(self.window.load(Relaxed))
    }
}
