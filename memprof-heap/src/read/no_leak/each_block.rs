//! The period in which every block is sampled. A thread that allocates while it lasts is known by the
//! number in its samples, whatever operations run and whichever thread frees the blocks.

use crate::read::operations;
use crate::record::level::Level;
use crate::record::live_table::Sample;
use crate::record::operation::{OperationGuard, OperationSite};
use crate::record::rate::{self, Rate, RateRequest, request_rate};
use crate::record::switch::{LevelRequest, request_level};
use crate::record::{sample, threads};
use core::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The operation around the work while every block is sampled. Operations around the check are not
/// shown.
static MARK: OperationSite = OperationSite::new("assert_no_leak!", file!(), line!());

/// The lock of the thread that samples each block. The whole process is sampled, so only one thread
/// at a time may do so.
static ONE: Mutex<()> = Mutex::new(());

thread_local! {
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// A request that each block of the process is sampled, until this is dropped.
pub(crate) struct EachBlock {
    _mark: OperationGuard,
    /// `None` within another such period of this thread.
    outermost: Option<Outermost>,
}

struct Outermost {
    // This is the first field, so that sampling ends before the rate changes.
    _level: LevelRequest,
    _rate: RateRequest,
    _one: MutexGuard<'static, ()>,
}

impl EachBlock {
    pub(crate) fn begin() -> Self {
        let outermost = (!HERE.replace(true)).then(|| {
            let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
            let rate = request_rate(Rate::EACH_BLOCK);
            Outermost { _level: request_level(Level::Sampled), _rate: rate, _one: one }
        });
        Self { _mark: MARK.enter(), outermost }
    }
}

/// Returns true if the samples are still of every block. If too many were live, some were removed,
/// and the others represent them.
pub(crate) fn is_each_sampled() -> bool {
    rate::mean() == 0
}

/// Returns the samples of live blocks that this thread has allocated since a time of the clock, in
/// milliseconds.
pub(crate) fn live_since(milliseconds: u64) -> Vec<Sample> {
    let own = threads::local().map(|local| local.shard().thread());
    let mut samples = sample::live_samples();
    samples.retain(|one| Some(one.thread) == own && one.allocated_at >= milliseconds);
    samples
}

/// Returns the operations within the mark.
pub(crate) fn operations_of(sample: &Sample) -> Vec<&'static str> {
    let mut names = operations::names(sample.operation);
    let mark = names.iter().position(|name| *name == MARK.name());
    names.split_off(mark.map_or(0, |mark| mark + 1))
}

impl Drop for EachBlock {
    fn drop(&mut self) {
        if self.outermost.is_some() {
            HERE.set(false);
        }
    }
}
