//! The replacement of `heap` if memprof's allocator is not compiled in. Except for [`SummaryJob`],
//! these types have no values, so none of their methods is called.

use crate::document::{
    Estimate, HeapTotals, OperationEvent, OperationPath, StackRow, StackTable, Summary, ThreadName,
};
use std::collections::BTreeMap;

/// An allocator that never exists.
#[derive(Debug)]
pub(crate) enum Heap {}

/// Live samples that never exist.
#[derive(Debug)]
pub(crate) enum Claims {}

/// An empty summary. Unlike the other types here, this one has a value, because the compiler would
/// report the code that uses the summary as unreachable.
#[derive(Debug)]
pub(crate) struct SummaryJob;

impl SummaryJob {
    pub(crate) fn with_stacks(self, _: Vec<u32>) -> Self {
        self
    }

    #[expect(clippy::unused_self, reason = "same signature as in `heap`")]
    pub(crate) fn work_out(self) -> (Summary, StackTable) {
        (Summary::default(), StackTable::default())
    }
}

/// An emergency line that is never written.
#[derive(Debug)]
pub(crate) enum Emergency {}

/// Implements methods of a type without values.
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
        fn watch_live(u64);
        fn new_stacks(&[StackRow]) -> StackTable;
        fn stacks(impl Iterator<Item = u32>) -> BTreeMap<u32, Vec<u64>>;
        fn paths_of(&[StackRow]) -> Vec<OperationPath>;
        fn stacks_written(&StackTable);
        fn forget_written_stacks();
        fn observe(u64);
        fn new_paths() -> Vec<OperationPath>;
        fn new_events() -> (Vec<OperationEvent>, Vec<ThreadName>, u64);
        fn claims() -> Option<Claims>;
        fn summary_job(Option<Claims>, Vec<String>, bool) -> SummaryJob;
        fn summarise_without_names(&mut Summary);
        fn end();
    }
    Claims {
        fn owners() -> Vec<usize>;
        fn renumber(BTreeMap<usize, String>) -> Vec<String>;
        fn claim(usize, usize);
        fn rows() -> Vec<StackRow>;
        fn contains(usize) -> bool;
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

/// Returns `None`, because nothing is counted without the feature `heap`.
pub(crate) fn totals() -> Option<(HeapTotals, u64)> {
    None
}

/// Returns `None`, because nothing is counted without the feature `heap`.
pub(crate) fn live_limit() -> Option<u64> {
    None
}

/// Does nothing, because nothing is counted without the feature `heap`.
pub(crate) fn reset_peak() {}

/// Runs `work`. Without the feature `heap`, nothing is counted or sampled.
pub(crate) fn unrecorded<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Runs `work`. Without the feature `heap`, nothing is counted or sampled.
pub(crate) fn unrecorded_thread<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Runs `work`. Without the feature `heap`, nothing is counted or sampled.
pub(crate) fn recorded<T>(work: impl FnOnce() -> T) -> T {
    work()
}
