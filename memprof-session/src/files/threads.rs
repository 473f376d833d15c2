//! The names of the threads whose calls are in a file.

use memprof_recording::document::{OperationEvent, ThreadName};
use std::collections::{BTreeMap, BTreeSet};

/// The names of the threads of the program, by the numbers of the threads.
#[derive(Debug, Default)]
pub(super) struct ThreadNames(BTreeMap<u32, Named>);

#[derive(Debug)]
struct Named {
    name: String,
    is_written: bool,
}

/// The maximum number of names. Beyond this number, the names of the oldest threads are dropped,
/// except the name of the first thread, which is usually `main`.
const MAX: usize = 16_384;

impl ThreadNames {
    pub(super) fn add(&mut self, threads: Vec<ThreadName>) {
        for ThreadName { thread, name } in threads {
            self.0.insert(thread, Named { name, is_written: false });
        }
        let first = self.0.first_key_value().map(|(&thread, _)| thread);
        while self.0.len() > MAX {
            let Some(oldest) = self.0.keys().copied().find(|&thread| Some(thread) != first) else {
                break;
            };
            self.0.remove(&oldest);
        }
    }

    /// Returns the names of the threads on which these calls ended, without the names that are
    /// already in the file.
    pub(super) fn missing(&self, calls: &[OperationEvent]) -> Vec<ThreadName> {
        let threads: BTreeSet<u32> = calls.iter().map(|call| call.thread).collect();
        let missing = |thread: &u32| self.0.get(thread).is_some_and(|named| !named.is_written);
        self.of(threads.into_iter().filter(missing))
    }

    /// Returns the names of threads. Threads without a known name are left out.
    pub(super) fn of(&self, threads: impl IntoIterator<Item = u32>) -> Vec<ThreadName> {
        let known = |thread| Some(ThreadName { thread, name: self.0.get(&thread)?.name.clone() });
        threads.into_iter().filter_map(known).collect()
    }

    /// Notes that the file has these names.
    pub(super) fn written(&mut self, threads: &[ThreadName]) {
        for ThreadName { thread, .. } in threads {
            if let Some(named) = self.0.get_mut(thread) {
                named.is_written = true;
            }
        }
    }

    /// Notes that the file was rewritten, and has these names only.
    pub(super) fn rewritten(&mut self, threads: &[ThreadName]) {
        for named in self.0.values_mut() {
            named.is_written = false;
        }
        self.written(threads);
    }
}
