//! Tests that compare the look-up in this test's own file with `addr2line`.

#![expect(unsafe_code, reason = "a descriptor is given to another file")]

#[cfg(all(target_pointer_width = "64", target_endian = "little"))]
use super::elf::{Late, ModuleFile};
use super::pages::Pages;
use super::{BoundedNames, LONGEST};
use crate::SymbolSearch;
use crate::recorder::tests::ALONE;
use core::cell::Cell;
use gimli::Reader;
use memprof_recording::document::Module;
use memprof_recording::symbols::look_up as look_up_outside;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::{LazyLock, PoisonError};
use std::time::{Duration, Instant};

thread_local! {
    static ELAPSED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    static STEP: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// A clock that advances by a step with each reading.
fn now() -> Instant {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    ELAPSED.set(ELAPSED.get() + STEP.get());
    *START + ELAPSED.get()
}

/// Returns the module of this test.
fn own_module() -> Module {
    let module = memprof_heap::site::modules().swap_remove(0);
    let hex = |id: Vec<u8>| super::elf::hexadecimal(&id);
    let ranges = module.ranges.iter().map(|range| [range.start as u64, range.end as u64]);
    Module::new(module.path, module.build_id.map(hex), module.load_bias as u64, ranges.collect())
}

/// Returns addresses over all code of this test.
fn addresses(module: &Module, count: u64) -> Vec<u64> {
    let [start, end] = *module.ranges.iter().max_by_key(|[start, end]| end - start).expect("some");
    (1..count).map(|index| start + (end - start) / count * index).collect()
}

/// Looks up all addresses without a deadline.
fn look_up(module: &Module, wanted: &[u64]) -> super::Named {
    STEP.set(Duration::ZERO);
    let mut names = BoundedNames::new(now);
    names.look_up_all(core::slice::from_ref(module), wanted);
    assert!(names.late.is_empty() && names.tried.is_empty());
    names.known
}

/// A file that is removed at the end of the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("memprof-{name}-{}", std::process::id()));
        fs::write(&path, content).expect("it can be written");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn all_frames_are_those_of_addr2line() {
    // Its memory would be sampled by the tests of the recorder.
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let module = own_module();
    let wanted = addresses(&module, 1_500);
    let found = look_up(&module, &wanted);
    let set: BTreeSet<u64> = wanted.iter().copied().collect();
    let (expected, missing) = look_up_outside(&module, &set, &SymbolSearch::new());
    assert_eq!(missing, None);
    assert!(expected.len() > 500, "{}", expected.len());
    assert!(expected.values().any(|frames| frames.len() > 2), "functions are inlined");
    for address in wanted {
        let expected = expected.get(&address).map_or(&[][..], |frames| frames);
        assert_eq!(found[&address], expected, "{:#x}", address - module.load_bias - 1);
    }
}

#[test]
fn look_ups_that_are_too_short_are_continued_by_later_ones() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let module = own_module();
    let wanted = addresses(&module, 60);
    let expected = look_up(&module, &wanted);
    // With 300 µs, the largest part of this test would take longer than a look-up, and be given up.
    STEP.set(Duration::from_micros(200));
    let mut names = BoundedNames::new(now);
    let mut counts = Vec::new();
    while counts.is_empty() || !names.late.is_empty() {
        names.look_up_all(core::slice::from_ref(&module), &wanted);
        counts.push(names.late.len());
    }
    assert!(counts.len() > 1 && counts[0] < wanted.len() - 1, "{counts:?}");
    assert!(counts.is_sorted_by(|before, after| before >= after), "{counts:?}");
    let lacking = wanted.iter().filter(|at| names.known[at] != expected[at]);
    assert_eq!(lacking.count(), 0, "{counts:?}");
}

#[test]
fn a_file_that_could_not_be_opened_in_time_is_opened_again() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let module = own_module();
    let wanted = addresses(&module, 20);
    STEP.set(2 * LONGEST);
    let mut names = BoundedNames::new(now);
    names.look_up_all(core::slice::from_ref(&module), &wanted);
    assert!(names.known.is_empty(), "{:?}", names.known);
    STEP.set(Duration::ZERO);
    names.look_up_all(core::slice::from_ref(&module), &wanted);
    assert_eq!(names.known, look_up(&module, &wanted));
}

#[test]
fn the_deadline_ends_reads_in_cached_pages_too() {
    let scratch = Scratch::new("cached", &[7; 4096]);
    STEP.set(Duration::ZERO);
    let file = File::open(&scratch.0).expect("it is there");
    let pages = Pages::new(file, now() + LONGEST, now);
    let mut part = pages.all();
    assert_eq!(part.read_u8(), Ok(7));
    assert!(!pages.is_late());
    ELAPSED.set(ELAPSED.get() + LONGEST);
    let read = core::iter::from_fn(|| part.read_u8().ok()).count();
    assert!(read <= 256, "{read}");
    assert!(pages.is_late());
    pages.set_deadline(now() + LONGEST);
    assert_eq!(part.read_u8(), Ok(7));
}

#[test]
fn a_descriptor_that_belongs_to_another_file_by_now_is_neither_read_nor_closed() {
    let (mine, theirs) = (Scratch::new("mine", &[7; 99]), Scratch::new("theirs", &[8; 99]));
    STEP.set(Duration::ZERO);
    let open = |scratch: &Scratch| File::open(&scratch.0).expect("it is there");
    let file = open(&mine);
    let (number, other) = (file.as_raw_fd(), open(&theirs));
    let pages = Pages::new(file, now() + LONGEST, now);
    // SAFETY: both descriptors are open. The only user of the first checks it before each use.
    let moved = unsafe { libc::dup2(other.as_raw_fd(), number) };
    assert_eq!(moved, number);
    pages.all().read_u8().expect_err("it is the program's");
    assert_eq!(pages.read_exact(&mut [0], 0), None);
    drop(pages);
    // SAFETY: `F_GETFD` accepts any number and only reports whether it is open.
    assert_ne!(unsafe { libc::fcntl(number, libc::F_GETFD) }, -1, "it was closed");
    // SAFETY: no other code uses the number that `dup2` assigned.
    unsafe { libc::close(number) };
}

/// Returns a file of 4,000 sections whose names are the same text of 60 KiB.
#[cfg(all(target_pointer_width = "64", target_endian = "little"))]
fn file_with_long_names() -> Vec<u8> {
    const SECTIONS: u16 = 4000;
    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(40, 0);
    file.splice(40.., 64_u64.to_ne_bytes());
    file.resize(58, 0);
    file.extend(64_u16.to_ne_bytes());
    file.extend(SECTIONS.to_ne_bytes());
    file.extend(0_u16.to_ne_bytes());
    let names = file.len() as u64 + 64 * u64::from(SECTIONS);
    for _ in 0..SECTIONS {
        let at = file.len();
        file.resize(at + 24, 0);
        file.extend(names.to_ne_bytes());
        file.resize(at + 64, 0);
    }
    file.resize(file.len() + (60 << 10), b'a');
    file.push(0);
    file
}

#[cfg(all(target_pointer_width = "64", target_endian = "little"))]
#[test]
fn a_file_of_another_build_takes_little_memory_and_time() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let scratch = Scratch::new("names", &file_with_long_names());
    STEP.set(Duration::ZERO);
    let path = scratch.0.to_str().expect("it is UTF-8");
    let module = Module::new(path, Some("00".to_owned()), 0, Vec::new());
    let open = || ModuleFile::open(&module, now() + LONGEST, now);
    let (opened, memory) = memprof_heap::measure(open).expect("the allocator is memprof's");
    assert!(matches!(opened, Ok(None)));
    assert!(memory.peak_bytes < 1 << 20, "{memory:?}");
    STEP.set(LONGEST);
    assert!(matches!(open(), Err(Late)));
}
