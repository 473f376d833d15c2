//! The parts of the resident memory: memory of each kind gets its name and its size.

#![expect(clippy::cast_possible_wrap, reason = "amounts of these programs are small")]

use crate::beside;
use crate::child::Child;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::session::Recording;
use memprof::session::document::{PartKind, ResidentMemory};
use memprof_test_support::{unix as system, wait_for};
use std::fs::{self, File};
use std::hint::black_box;
use std::path::Path;
use std::sync::{Arc, Barrier};
use std::thread;

const MIB: usize = 1 << 20;

/// The variable with the kind of memory that a program allocates.
const KIND: &str = "SESSION_TEST_KIND";

/// A kind of memory: what allocates it, and the parts that grow by how many MiB.
type Kind = (&'static str, fn(&Path), &'static [(PartKind, i64)]);

const KINDS: &[Kind] = &[
    ("rust", rust, &[(PartKind::LiveHeap, 48)]),
    ("small blocks in C", small_blocks_in_c, &[(PartKind::CLibraries, 32)]),
    ("large blocks in C", large_blocks_in_c, &[(PartKind::CLibraries, 48)]),
    ("maps", maps, &[(PartKind::Anonymous, 48)]),
    (
        "blocks in C between maps and blocks in Rust",
        mixed,
        &[(PartKind::CLibraries, 24), (PartKind::Anonymous, 48), (PartKind::LiveHeap, 24)],
    ),
    ("parked threads", parked_threads, &[(PartKind::Stacks, 32)]),
    ("a burst of threads", burst, &[(PartKind::AllocatorFree, 64)]),
    ("a mapped file", mapped_file, &[(PartKind::File, 24)]),
    (
        "memory that is never touched",
        untouched,
        &[(PartKind::LiveHeap, 256), (PartKind::NotResident, -256), (PartKind::Anonymous, 32)],
    ),
];

fn rust(_: &Path) {
    std::mem::forget(vec![1_u8; 32 * MIB]);
    (0..16 * MIB / 256).for_each(|_| std::mem::forget(vec![1_u8; 256]));
}

fn small_blocks_in_c(_: &Path) {
    (0..32 * MIB / 1000).for_each(|_| system::allocate_in_c(1000));
}

fn large_blocks_in_c(_: &Path) {
    (0..16).for_each(|_| system::allocate_in_c(3 * MIB));
}

fn maps(_: &Path) {
    (0..16).for_each(|_| system::map_anonymous(3 * MIB));
}

fn mixed(_: &Path) {
    for _ in 0..24 {
        system::allocate_in_c(MIB);
        system::map_anonymous(2 * MIB);
        std::mem::forget(vec![1_u8; MIB]);
    }
}

/// Starts threads that use 1 MiB of their stacks and then wait.
fn parked_threads(_: &Path) {
    const THREADS: usize = 32;
    let ready = Arc::new(Barrier::new(THREADS + 1));
    for _ in 0..THREADS {
        let ready = ready.clone();
        thread::spawn(move || {
            #[expect(clippy::large_stack_arrays, reason = "the test is about stacks")]
            black_box(&mut [1_u8; MIB]);
            ready.wait();
            thread::park();
        });
    }
    ready.wait();
}

/// Allocates and frees small blocks on several threads at once. A block above them, which stays, keeps the
/// allocator from giving their memory back.
fn burst(_: &Path) {
    const THREADS: usize = 4;
    let full = Arc::new(Barrier::new(THREADS));
    let work = |_| {
        let full = full.clone();
        thread::spawn(move || {
            let blocks: Vec<_> = (0..16 * MIB / 1000).map(|_| vec![1_u8; 984]).collect();
            std::mem::forget(vec![1_u8; 984]);
            full.wait();
            drop(blocks);
        })
    };
    let threads: Vec<_> = (0..THREADS).map(work).collect();
    for thread in threads {
        thread.join().expect("it does not panic");
    }
}

fn mapped_file(folder: &Path) {
    let path = folder.join("data");
    fs::write(&path, vec![1; 24 * MIB]).expect("the folder can be written");
    system::map_file(&File::open(path).expect("it was written"), 24 * MIB);
}

fn untouched(_: &Path) {
    std::mem::forget(Vec::<u8>::with_capacity(256 * MIB));
    system::map_anonymous(32 * MIB);
}

fn kind() -> &'static Kind {
    let kind = std::env::var(KIND).expect("set");
    KINDS.iter().find(|(name, ..)| *name == kind).expect("it is one of them")
}

pub(crate) fn grow(folder: &Path) {
    let session = seldom(folder).start().expect("the folder can be written");
    session.checkpoint("before");
    (kind().1)(folder);
    session.checkpoint("after");
    end(session);
}

#[test]
fn each_kind_of_memory_has_its_name_and_its_size() {
    let _beside = beside();
    for (name, _, expected) in KINDS {
        // On a busy machine, a reading may take so long that the session does not repeat it.
        let recording = wait_for("both checkpoints have a full reading", || {
            let folder = Folder::new();
            let settings = [(KIND, *name), ("SESSION_TEST_LEVEL", "sampled")];
            let ended = Child::start_with("grow", &folder, &settings).end();
            assert!(ended.status.success(), "{name}: {}", ended.error);
            let recording = folder.recording();
            let has_both = CHECKPOINTS.iter().all(|name| parts(&recording, name).is_some());
            has_both.then_some(recording)
        });
        let [before, after] = CHECKPOINTS.map(|name| parts(&recording, name).expect("as above"));
        println!("{name}: {before:#?} {after:#?}");
        // The profiler's tables are allocated with `malloc` too.
        let of_c = before.bytes(&[PartKind::CLibraries]).expect("glibc counts it");
        assert!(of_c < 4 * MIB as i64, "{name}: {of_c} B of C libraries before any was allocated");
        for kind in PartKind::ALL {
            let grown = |of: &ResidentMemory| of.bytes(&[*kind]);
            let (Some(before), Some(after)) = (grown(before), grown(after)) else { continue };
            let grown = after - before;
            let expected = expected.iter().find(|(of, _)| of == kind).map_or(0, |(_, mib)| *mib);
            let expected = expected * MIB as i64;
            // Small parts, such as the pages of code, change in each program.
            let error = (expected.abs() / 10).max(2 * MIB as i64);
            assert!((grown - expected).abs() <= error, "{name}: {kind} grew by {grown}");
        }
        for one in [before, after] {
            let sum: i64 = one.parts.iter().filter_map(|part| part.bytes).sum();
            assert_eq!(sum.unsigned_abs(), one.resident_bytes, "{name}: the parts add up");
        }
    }
}

const CHECKPOINTS: [&str; 2] = ["before", "after"];

fn parts<'r>(recording: &'r Recording, name: &str) -> Option<&'r ResidentMemory> {
    recording.snapshot(name).expect("it was taken").resident.as_deref()
}
