//! Free memory that live blocks pin: what a recording promises to be returned is returned.

use crate::beside;
use crate::child::Child;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::heap::{Level, Rate, set_rate};
use memprof::session::{Recording, SymbolSearch};
use memprof_test_support::unix as system;
use std::fs;
use std::path::Path;

const MIB: f64 = (1 << 20) as f64;

/// The variable with the layout of blocks.
const LAYOUT: &str = "SESSION_TEST_LAYOUT";

type Block = Box<[u8]>;
/// The size of a block that takes 1,024 bytes with its header. A page has 4 of them.
const SMALL: usize = 1008;
/// The size of a block in pages of its own.
const LARGE: usize = 1 << 20;
const BLOCKS: usize = 1 << 16;

/// What becomes of a block.
enum Use {
    Cached,
    /// A large block is cached instead.
    CachedLarge,
    Indexed,
    Freed,
}

/// A function that returns what becomes of the block with a number.
type Layout = fn(usize) -> Use;

const LAYOUTS: &[(&str, Layout)] = &[
    ("one block on each page", |number| match number {
        _ if number % 4 > 0 => Use::Freed,
        _ if number / 4 % 10 < 7 => Use::Cached,
        _ => Use::Indexed,
    }),
    ("one block on each second page", |number| match number {
        _ if number % 8 > 0 => Use::Freed,
        _ if number / 8 % 10 < 7 => Use::Cached,
        _ => Use::Indexed,
    }),
    ("blocks of both on each page", |number| match number % 4 {
        0 | 1 => Use::Cached,
        2 => Use::Indexed,
        _ => Use::Freed,
    }),
    ("several blocks of one on each page", |number| match number % 4 {
        2.. => Use::Freed,
        _ if number / 1024 % 10 < 7 => Use::Cached,
        _ => Use::Indexed,
    }),
    ("small and large blocks of one", |number| match number {
        _ if number % 4 > 0 => Use::Freed,
        _ if number % 1024 == 0 => Use::CachedLarge,
        _ => Use::Cached,
    }),
];

#[inline(never)]
fn cached(bytes: usize) -> Block {
    vec![1; bytes].into_boxed_slice()
}

#[inline(never)]
fn indexed() -> Block {
    vec![1; SMALL].into_boxed_slice()
}

/// Returns by how many bytes a change, and trimming after it, reduce the resident memory.
fn returned_by(change: impl FnOnce()) -> i64 {
    let resident = || {
        let pages = fs::read_to_string("/proc/self/statm").expect("procfs is mounted");
        let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse::<i64>().ok());
        pages.expect("it is a number") * 4096
    };
    let before = resident();
    change();
    system::trim_malloc();
    before - resident()
}

pub(crate) fn pin(folder: &Path) {
    set_rate(Rate::every(4096));
    let session = seldom(folder).level(Level::Sampled).start().expect("the folder can be written");
    let layout = std::env::var(LAYOUT).expect("set");
    let (_, layout) = LAYOUTS.iter().find(|(name, _)| *name == layout).expect("one of them");
    let [mut cache, mut index, mut freed] = [(); 3].map(|()| Vec::with_capacity(BLOCKS));
    // A chunk that crosses the end of a page keeps two pages. The start of the arena decides whether
    // each fourth chunk does, so begin where none does.
    let mut padding: Vec<Block> = Vec::new();
    while padding.last().is_none_or(|last| (last.as_ptr().addr() + SMALL) % 4096 > 4096 - 1024) {
        padding.push(Box::new([1; SMALL]));
    }
    for number in 0..BLOCKS {
        match layout(number) {
            Use::Cached => cache.push(cached(SMALL)),
            Use::CachedLarge => cache.push(cached(LARGE)),
            Use::Indexed => index.push(indexed()),
            Use::Freed => freed.push(Box::new([1_u8; SMALL])),
        }
    }
    drop(freed);
    session.checkpoint("pinned");
    let before = returned_by(|| ());
    let returned = returned_by(|| drop(cache));
    fs::write(folder.join("returned"), format!("{before} {returned}")).expect("it can be written");
    drop((index, padding));
    end(session);
}

/// A promise, and what was returned, in MiB.
#[derive(Debug)]
struct Measured {
    share: f64,
    promised: [f64; 2],
    returned: f64,
    trimmable: f64,
    trimmed: f64,
}

/// Measures a layout. On a busy machine, the first reading of the parts may take so long that the
/// checkpoint has none.
fn measure(layout: &str) -> Measured {
    let mut attempts = (0..20).filter_map(|_| attempt(layout));
    attempts.next().expect("a reading is fast")
}

/// Returns the folder of a child that pinned memory.
fn pinned(layout: &str) -> Folder {
    let folder = Folder::new();
    let ended = Child::start_with("pin", &folder, &[(LAYOUT, layout)]).end();
    assert!(ended.status.success(), "{layout}: {}", ended.error);
    folder
}

fn attempt(layout: &str) -> Option<Measured> {
    let folder = pinned(layout);
    let mut recording = folder.recording();
    SymbolSearch::new().resolve(&mut recording);
    let text = fs::read_to_string(folder.path().join("returned")).expect("the child wrote it");
    let (trimmed, returned) = text.split_once(' ').expect("two numbers");
    let mib = |text: &str| text.parse::<f64>().expect("a number") / MIB;
    measured(&recording, mib(trimmed), mib(returned))
}

#[expect(clippy::cast_precision_loss, reason = "amounts of this program are small")]
fn measured(recording: &Recording, trimmed: f64, returned: f64) -> Option<Measured> {
    let snapshot = recording.snapshot("pinned").expect("it was taken");
    snapshot.resident.as_ref()?;
    let pinned = recording.pinned(snapshot).expect("glibc has headers");
    println!("{}", recording.overview().at(snapshot));
    let named = |name: Option<&str>| name.is_some_and(|name| name.ends_with("::cached"));
    let mut sites = pinned.sites.iter();
    let site = sites.find(|site| named(site.allocates.function.as_deref())).expect("it is named");
    let bytes = site.pinned.expect("it pins memory");
    Some(Measured {
        share: bytes.free.value / pinned.free.value,
        promised: bytes.returned().map(|bytes| bytes as f64 / MIB),
        returned,
        trimmable: pinned.trimmable_bytes as f64 / MIB,
        trimmed,
    })
}

#[test]
fn rows_without_roots_are_written_once() {
    let _beside = beside();
    let has_pinned = |folder: &Folder| {
        let recording = folder.recording();
        let mut moments = recording.live_stacks.iter();
        moments.any(|moment| !moment.pinned.is_empty() && !moment.rows.is_empty())
    };
    let mut folders = (0..20).map(|_| pinned(LAYOUTS[0].0));
    let folder = folders.find(has_pinned).expect("a reading is fast");
    let text = fs::read_to_string(&folder.with_ending("json")[0]).expect("it can be read");
    let moments = text.lines().filter(|line| line.contains(r#""rows":[["#));
    let mut times: Vec<&str> = moments.filter_map(|line| line.split(',').next()).collect();
    let lines = times.len();
    times.dedup();
    assert!(lines > 0 && times.len() == lines, "{times:?}");
}

#[test]
#[ignore = "reads resident memory, which a busy system changes, too: nightly runs it"]
fn freeing_the_blocks_of_a_site_returns_what_was_promised() {
    let _beside = beside();
    for (layout, _) in LAYOUTS {
        let is_narrow = layout.starts_with("one block");
        let runs: Vec<Measured> =
            (0..if is_narrow { 3 } else { 1 }).map(|_| measure(layout)).collect();
        println!("{layout}: {runs:?}");
        // The truth is outside of a range in 5 of 100 runs, and an end varies by 5 %. So single runs
        // have a wider range, and means are compared.
        for Measured { promised: [least, most], returned, .. } in &runs {
            let range = 0.85 * least..=1.15 * most;
            assert!(range.contains(returned), "{layout}: {runs:?}");
        }
        #[expect(clippy::cast_precision_loss, reason = "there are three runs at most")]
        let mean = |of: fn(&Measured) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
        let kept = mean(|one| one.trimmable) - mean(|one| one.trimmed);
        assert!((-2.0..10.0).contains(&kept), "{layout}: {runs:?}");
        if is_narrow {
            let (share, returned) = (mean(|one| one.share), mean(|one| one.returned));
            assert!((share - 0.7).abs() < 0.07, "{layout}: {share}");
            let is_near = |promised: f64| (promised - returned).abs() <= returned / 5.0;
            let [least, most] = [mean(|one| one.promised[0]), mean(|one| one.promised[1])];
            assert!(is_near(least) && is_near(most), "{layout}: {runs:?}");
        }
    }
}
