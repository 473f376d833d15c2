//! A session leaves the program's settings of the allocator unchanged.

use crate::alone;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::heap;
use memprof::heap::hooks::Wake;
use memprof::heap::{Level, level, set_level};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static WOKEN: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicU64 = AtomicU64::new(0);

/// Makes the allocator refuse a block, and the peak pass a limit. Returns the program's call
/// counts.
fn called() -> (u64, u64) {
    let before = (WOKEN.load(Relaxed), REFUSED.load(Relaxed));
    let mut bytes: Vec<u8> = Vec::new();
    assert!(bytes.try_reserve_exact(1 << 46).is_err());
    heap::reset_peak().expect("it counts");
    heap::hooks::watch_peak(heap::totals().expect("it counts").peak.bytes + (8 << 20));
    drop(std::hint::black_box(vec![1_u8; 16 << 20]));
    drop(std::hint::black_box(vec![1_u8; 16 << 20]));
    (WOKEN.load(Relaxed) - before.0, REFUSED.load(Relaxed) - before.1)
}

#[test]
fn the_programs_hooks_are_called_during_and_after_a_session() {
    let _alone = alone();
    set_level(Level::Counters);
    heap::hooks::set_wake(Some(|why| {
        if why == Wake::Peak {
            WOKEN.fetch_add(1, Relaxed);
        }
    }));
    heap::hooks::set_on_refusal(Some(|_| {
        REFUSED.fetch_add(1, Relaxed);
    }));
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    assert_eq!(called(), (1, 1));
    end(session);
    assert_eq!(folder.recording().out_of_memory.len(), 1, "the session is called too");
    assert_eq!(called(), (1, 1));
    heap::hooks::set_wake(None);
    heap::hooks::set_on_refusal(None);
    set_level(Level::Off);
}

#[test]
fn a_level_set_during_a_session_stays_set() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    assert_eq!(level(), Level::Counters);
    set_level(Level::Sampled);
    end(session);
    assert_eq!(level(), Level::Sampled);
    set_level(Level::Off);
}

#[test]
fn a_session_inside_a_leak_check_restores_the_level() {
    let _alone = alone();
    let folder = Folder::new();
    let (mut session, mut kept) = (None, Vec::with_capacity(1000));
    let leak = heap::leak::check_no_leak(10, || {
        kept.push(vec![1_u8; 100]);
        if level() == Level::Sampled && session.is_none() {
            session = Some(seldom(folder.path()).start().expect("the folder can be written"));
        }
    });
    assert!(leak.is_err());
    assert_eq!(level(), Level::Counters, "that of the session");
    end(session.expect("a leak is looked for in samples"));
    set_level(Level::Off);
    assert_eq!(level(), Level::Off);
}
