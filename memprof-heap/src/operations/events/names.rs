//! Names of threads, in the rings of their events: an entry before the first event of a thread.
//!
//! So a name is read on its own thread. A drain returns it even if the thread has ended by then.

use super::kept::Kept;
use super::ring::{Entry, WORDS};
use crate::base::sync::AtomicU32;
use crate::base::sync::Ordering::Relaxed;
use crate::base::thread_name::{self, BYTES, Name};
use crate::operations::paths::ROOT;
use crate::thread::shard::LocalShard;

/// The name of a thread of [`OperationEvent`](super::OperationEvent)s.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadName {
    /// The number of the thread.
    pub thread: u32,
    /// The name that the operating system has for the thread, cut to 40 bytes. Linux cuts names to
    /// 15 bytes, and gives a thread without a name that of the thread that started it. The main
    /// thread is called `main`. The text is empty if the thread has no name.
    ///
    /// The program chooses the name, so it may contain any characters.
    pub name: String,
}

/// The number of times that events were switched on. Names are kept again after each time, so that
/// each recorder gets the names of all threads.
static SWITCHED_ON: AtomicU32 = AtomicU32::new(0);

// The first word of an entry is the number of the thread. No event has the path `ROOT`.
const _: () = assert!(ROOT == 0 && BYTES == (WORDS - 1) * size_of::<u64>());

/// Notes that events were switched on.
pub(super) fn begin() {
    SWITCHED_ON.fetch_add(1, Relaxed);
}

/// Keeps the name of the current thread, if that was not done since events were switched on. If the
/// ring is full, the next event tries again.
#[inline]
pub(super) fn note(local: LocalShard, kept: &Kept) {
    let mark = u64::from(SWITCHED_ON.load(Relaxed)) << 32 | u64::from(local.shard().thread());
    if kept.named() != mark {
        note_new(kept, mark);
    }
}

#[cold]
fn note_new(kept: &Kept, mark: u64) {
    // Reading the name takes system calls. While a full ring is not drained, each call of an
    // operation runs this function.
    if !kept.ring.has_space() {
        return;
    }
    let is_kept = thread_name::current().is_none_or(|name| {
        let thread = mark & u64::from(u32::MAX);
        kept.ring.try_push(entry(thread, &name)).is_some()
    });
    if is_kept {
        kept.set_named(mark);
    }
}

fn entry(thread: u64, name: &Name) -> Entry {
    let mut entry = [0; WORDS];
    entry[0] = thread << 32;
    let (words, _) = name.as_chunks();
    for (word, bytes) in entry.iter_mut().skip(1).zip(words) {
        *word = u64::from_le_bytes(*bytes);
    }
    entry
}

/// Returns the name in an entry; `None` if the entry is an event.
pub(super) fn read([first, words @ ..]: &Entry) -> Option<ThreadName> {
    if *first as u32 != ROOT {
        return None;
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let len = bytes.iter().position(|&byte| byte == 0).unwrap_or(BYTES);
    let name = String::from_utf8_lossy(&bytes[..len]);
    // A character that was cut is left out.
    let name = name.trim_end_matches(char::REPLACEMENT_CHARACTER).to_owned();
    Some(ThreadName { thread: (*first >> 32) as u32, name })
}

#[cfg(test)]
mod tests {
    use super::{BYTES, entry, read};

    #[test]
    fn a_name_fills_an_entry_and_a_cut_character_is_left_out() {
        for (text, expected) in [
            ("", ""),
            ("worker-1", "worker-1"),
            (
                "0123456789012345678901234567890123456789",
                "0123456789012345678901234567890123456789",
            ),
            ("012345678901234567890123456789012345678é", "012345678901234567890123456789012345678"),
            ("a\u{1b}]b", "a\u{1b}]b"),
        ] {
            let mut name = [0; BYTES];
            let len = text.len().min(BYTES);
            name[..len].copy_from_slice(&text.as_bytes()[..len]);
            let read = read(&entry(7, &name)).expect("it is a name");
            assert_eq!((read.thread, read.name.as_str()), (7, expected));
        }
        assert_eq!(read(&[7 << 32 | 2, 0, 0, 0, 0, 0]), None);
    }
}
