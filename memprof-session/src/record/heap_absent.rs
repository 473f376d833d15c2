//! In the place of `heap` where memprof's allocator isn't compiled in: there is none, so nothing of
//! it is ever asked.

use crate::document::{Estimate, HeapTotals, OperationEvent, OperationPath, Summary};

/// An allocator that there is none of.
#[derive(Debug)]
pub(crate) enum Heap {}

/// Live samples that there are none of.
#[derive(Debug)]
pub(crate) enum Claims {}

/// A summary of what nobody counts. It could be, so that code after it is not unreachable.
#[derive(Debug)]
pub(crate) struct SummaryJob;

impl SummaryJob {
    #[expect(clippy::unused_self, reason = "it is that of `heap`")]
    pub(crate) fn work_out(self) -> Summary {
        Summary::default()
    }
}

/// A line that nobody asks to be written.
#[derive(Debug)]
pub(crate) enum Emergency {}

/// Methods of a value that there is none of.
macro_rules! never {
    ($($type:ty { $(fn $name:ident($($parameter:ty),*) $(-> $result:ty)?;)* })*) => {$(
        impl $type {
            $(pub(crate) fn $name(&self $(, _: $parameter)*) $(-> $result)? {
                match *self {}
            })*
        }
    )*};
}

never! {
    Heap {
        fn took_peak() -> bool;
        fn watch_peak();
        fn observe();
        fn new_paths() -> Vec<OperationPath>;
        fn new_events() -> (Vec<OperationEvent>, u64);
        fn claims() -> Option<Claims>;
        fn summary_job(Option<Claims>, Vec<String>) -> SummaryJob;
        fn summarise_without_names(&mut Summary);
        fn end();
    }
    Claims {
        fn claim(usize, usize);
        fn explained() -> Estimate;
        fn unexplained() -> Estimate;
        fn claimed_twice() -> Estimate;
        fn operation_at(usize) -> Option<Vec<String>>;
    }
    Emergency {
        fn move_to(&std::fs::File) -> std::io::Result<()>;
    }
}

impl Emergency {
    pub(crate) fn begin(_: &std::fs::File) -> std::io::Result<Self> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

/// Nobody counts.
pub(crate) fn totals() -> Option<(HeapTotals, u64)> {
    None
}

/// Nobody counts.
pub(crate) fn reset_peak() {}

/// Nobody samples.
pub(crate) fn unrecorded<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Nobody samples.
pub(crate) fn unrecorded_thread<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Nobody samples.
pub(crate) fn recorded<T>(work: impl FnOnce() -> T) -> T {
    work()
}
