//! Many threads that send many commands to a session.

use crate::alone;
use crate::folder::Folder;
use crate::program::{Names, seldom};
use memprof::session::document::Trigger;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

const THREADS: u32 = 8;
const CHECKPOINTS: u32 = 10_000;

#[test]
fn eight_threads_take_ten_thousand_checkpoints() {
    static EXTRA: AtomicU32 = AtomicU32::new(0);
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let names = Names::default();
    session.root("names", names.clone());
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (handle, names) = (session.handle(), names.clone());
            scope.spawn(move || {
                for number in 0..CHECKPOINTS / THREADS {
                    names.write().expect("nobody panics with it").push("x".repeat(20));
                    handle.checkpoint(&format!("{thread} {number}"));
                    if number % 100 == 0 {
                        assert!(handle.snapshot().is_some());
                        EXTRA.fetch_add(1, Relaxed);
                    }
                }
            });
        }
    });
    let document = session.finish().expect("there is room");
    let taken = document.landmarks().expect("it records").metadata.snapshots;
    // The first and the last snapshot count too, and the snapshots at peaks of the heap.
    let asked = u64::from(CHECKPOINTS + EXTRA.load(Relaxed)) + 2;
    assert!((asked..asked + 100).contains(&taken), "{taken} of {asked}");
    let recording = folder.recording();
    let checkpoints = recording.snapshots.iter().filter(|one| one.trigger == Trigger::Checkpoint);
    let mut names: Vec<_> = checkpoints.filter_map(|one| one.name.clone()).collect();
    let kept = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), kept, "no two are the same");
    assert!(recording.snapshots.is_sorted_by_key(|one| (one.number, one.at_ns)));
}
