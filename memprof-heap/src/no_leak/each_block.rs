//! The time in which each block is sampled.

use crate::sampling::{self, Sample};
use crate::{Level, OperationGuard, OperationSite, Rate, level, operations, set_level, set_rate};
use core::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Marks what is allocated on this thread while each block is sampled.
static MARK: OperationSite = OperationSite::new("assert_no_leak!", file!(), line!());

/// Level and rate are the process's, so this is for one thread at a time.
static ONE: Mutex<()> = Mutex::new(());

thread_local! {
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// Each block of the process is sampled, until this is dropped; then all is as it was.
pub(super) struct EachBlock {
    _mark: OperationGuard,
    /// `None` within another such time of this thread.
    outermost: Option<Outermost>,
}

struct Outermost {
    level: Level,
    rate: Rate,
    _one: MutexGuard<'static, ()>,
}

impl EachBlock {
    pub(super) fn begin() -> Self {
        let outermost = (!HERE.replace(true)).then(|| {
            let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
            let before = Outermost { level: level(), rate: sampling::rate(), _one: one };
            set_rate(Rate::EACH_BLOCK);
            set_level(Level::Sampled);
            before
        });
        Self { _mark: MARK.enter(), outermost }
    }
}

/// Live blocks that this thread allocated in such a time.
pub(super) fn live() -> Vec<Sample> {
    let mut samples = sampling::live_samples();
    samples.retain(|sample| operations::names(sample.operation).contains(&MARK.name()));
    samples
}

/// The operations within the mark.
pub(super) fn operations_of(sample: &Sample) -> Vec<&'static str> {
    let mut names = operations::names(sample.operation);
    let mark = names.iter().position(|name| *name == MARK.name());
    names.split_off(mark.map_or(0, |mark| mark + 1))
}

impl Drop for EachBlock {
    fn drop(&mut self) {
        let Some(before) = &self.outermost else { return };
        HERE.set(false);
        set_rate(before.rate);
        // Unless somebody has set another one meanwhile.
        if level() == Level::Sampled {
            set_level(before.level);
        }
    }
}
