//! The names of the threads whose calls are in a file.

use memprof_recording::document::{OperationEvent, ThreadName};
use std::collections::{BTreeMap, BTreeSet};

/// The names of threads that are not in the file, by the numbers of the threads.
#[derive(Debug, Default)]
pub(super) struct ThreadNames(BTreeMap<u32, String>);

/// The maximum number of names. Beyond this number, the names of the oldest threads are dropped,
/// except the name of the first thread, which is usually `main`.
const MAX: usize = 16_384;

impl ThreadNames {
    pub(super) fn add(&mut self, threads: Vec<ThreadName>) {
        self.0.extend(threads.into_iter().map(|ThreadName { thread, name }| (thread, name)));
        while self.0.len() > MAX
            && let Some(oldest) = self.0.keys().nth(1).copied()
        {
            self.0.remove(&oldest);
        }
    }

    /// Returns the names of the threads on which these calls ended, without the names that are
    /// already in the file.
    pub(super) fn missing(&self, calls: &[OperationEvent]) -> Vec<ThreadName> {
        let threads: BTreeSet<u32> = calls.iter().map(|call| call.thread).collect();
        let name = |thread| Some(ThreadName { thread, name: self.0.get(&thread)?.clone() });
        threads.into_iter().filter_map(name).collect()
    }

    /// Notes that the file has these names.
    pub(super) fn written(&mut self, threads: &[ThreadName]) {
        for ThreadName { thread, .. } in threads {
            self.0.remove(thread);
        }
    }
}
