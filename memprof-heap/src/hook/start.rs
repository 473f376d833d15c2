//! The level with which an allocator starts.

use super::fork;
use crate::base::level_word::{Level, LevelWord, SWITCH};
use crate::sampling;
use core::hint::black_box;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The level that `set_level` set, or the level with which the allocator started.
pub(crate) static BASE: AtomicU8 = AtomicU8::new(Level::Off as u8);

/// A string in every program whose global allocator is memprof's, even if the program has no
/// symbols. `memprof run` searches for it in programs that wrote no recording; `memprof-cli` has
/// the same string.
static MARK: &str = "this program's allocator is memprof::Allocator";

/// Sets the level with which the allocator starts, if no level is set. The hook must not wait, so
/// this function does nothing while another thread switches. The next call of the allocator then
/// tries again.
pub(super) fn at(level: Level) {
    if level > Level::Off {
        fork::register();
    }
    let Some(_switching) = SWITCH.try_lock() else { return };
    if LevelWord::now() != LevelWord::UNDECIDED {
        return;
    }
    BASE.store(level as u8, Relaxed);
    // The compiler must keep the text.
    black_box(MARK);
    if level == Level::Sampled {
        sampling::prepare_with_program();
        sampling::begin();
    } else {
        LevelWord::from(level).set();
    }
}
