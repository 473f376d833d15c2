//! memmap2 0.9: maps of files, and anonymous maps.
//!
//! No allocator counts a map, and most of a large file is usually not in memory. So its bytes are on
//! a device of their own, [`Device::Mmap`], below `resident` and `not resident`. Both types of map
//! look the same here: an anonymous map is memory of the process, but not of the heap either.
//!
//! `/proc/self/pagemap` states which pages the process has mapped, as its resident memory counts them.
//! `mincore` would answer for the page cache, which may have pages that another process read, and it
//! reports every page to those who may not write the file.
//!
//! # Cost
//! The kernel takes about 60 ns for a page in memory and 4 ns per other page: 15 ms for 1 GiB in
//! memory. An [observer](crate::walk::Observer) can stop the reading after each 4 MiB. A map of
//! more than 16 GiB is not read: its bytes are below `residency unknown`, as on systems other than
//! Linux and where the kernel denies the reading.

use crate::MemoryProfile;
use crate::walk::{Position, Walk};
use crate::words::Device;
use memmap2::{Mmap, MmapMut, MmapRaw};
#[cfg(target_os = "linux")]
use std::fs::File;
#[cfg(target_os = "linux")]
use std::os::unix::fs::FileExt;

fn add(walk: &mut Walk<'_>, at: Position, start: *const u8, len: usize) {
    if walk.tree.is_none() {
        return walk.add_on_device(at, Device::Mmap, len);
    }
    let resident = resident_bytes(start.addr(), len, || walk.should_read_more());
    let parts = match resident {
        Some(resident) => [("resident", resident), ("not resident", len - resident)],
        None => [("residency unknown", len), ("", 0)],
    };
    for (name, bytes) in parts {
        if bytes != 0 {
            let at = walk.entry(at, name);
            walk.add_on_device(at, Device::Mmap, bytes);
        }
    }
}

macro_rules! maps {
    ($($map:ident)*) => {$(
        impl MemoryProfile for $map {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                add(walk, at, self.as_ptr(), self.len());
            }
        }
    )*};
}

maps! { Mmap MmapMut MmapRaw }

/// The number of pages that one system call reads, which takes under 0.1 ms.
#[cfg(target_os = "linux")]
const PAGES: usize = 1024;
#[cfg(target_os = "linux")]
const ENTRY: usize = size_of::<u64>();
/// The size of the largest map whose pages are read.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
const LARGEST: usize = 16 << 30;
#[cfg(all(target_os = "linux", not(target_pointer_width = "64")))]
const LARGEST: usize = usize::MAX;

/// Returns `None` if the bytes are unknown: on other systems, for a large map, if the kernel denies
/// it, or if `should_continue`, which is called before each system call, returns `false`.
#[cfg(target_os = "linux")]
fn resident_bytes(
    start: usize,
    len: usize,
    mut should_continue: impl FnMut() -> bool,
) -> Option<usize> {
    const PRESENT: u64 = 1 << 63;
    let end = start.checked_add(len).filter(|_| len <= LARGEST)?;
    let entries = File::open("/proc/self/pagemap").ok()?;
    let page = page_bytes()?;
    let (mut at, mut resident) = (start - start % page, 0);
    let mut buffer = [0; PAGES * ENTRY];
    while at < end {
        if !should_continue() {
            return None;
        }
        let buffer = &mut buffer[..(end - at).div_ceil(page).min(PAGES) * ENTRY];
        entries.read_exact_at(buffer, (at / page * ENTRY) as u64).ok()?;
        for entry in buffer.chunks_exact(ENTRY) {
            let next = at.saturating_add(page);
            if u64::from_ne_bytes(entry.try_into().ok()?) & PRESENT != 0 {
                resident += next.min(end) - at.max(start);
            }
            at = next;
        }
    }
    Some(resident)
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the system is asked for the size of a page")]
fn page_bytes() -> Option<usize> {
    // SAFETY: `sysconf` only returns a number.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()
}

#[cfg(not(target_os = "linux"))]
fn resident_bytes(_: usize, _: usize, _: impl FnMut() -> bool) -> Option<usize> {
    None
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use crate::total_bytes;
    use crate::tree::{Branch, Collected, Device};
    use crate::walk::Observer;
    use memmap2::{Advice, Mmap, MmapMut, MmapOptions, MmapRaw};
    use std::fs::{self, File};
    use std::io::Write;
    use std::time::Instant;

    /// At least the bytes of a page.
    const PAGE: usize = if cfg!(target_arch = "x86_64") { 4096 } else { 64 << 10 };

    /// Returns the resident bytes of the map that begins at an address, as the kernel lists them.
    fn listed(address: usize) -> u64 {
        let all = fs::read_to_string("/proc/self/smaps").unwrap();
        let mut lines = all.lines().skip_while(|line| !line.starts_with(&format!("{address:x}-")));
        let rss = lines.find_map(|line| line.strip_prefix("Rss:")).expect("the map is listed");
        1024 * rss.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    }

    fn bytes_at(map: &Collected, name: &str) -> u64 {
        map.tree.root().child(name).map_or(0, Branch::total_bytes)
    }

    #[test]
    fn resident_bytes_of_an_anonymous_map_are_those_of_the_kernel() {
        let mut map = MmapMut::map_anon(16_384 * PAGE).unwrap();
        // Otherwise the kernel may list it together with a neighbour.
        map.advise(Advice::DontDump).unwrap();
        for touched in [0, 1, 5_000, 9_000] {
            (0..touched).for_each(|page| map[page * PAGE] = 1);
            let found = Collected::of("map", &map);
            let resident = bytes_at(&found, "resident");
            assert!(resident.abs_diff(listed(map.as_ptr().addr())) <= PAGE as u64, "{resident}");
            assert!(resident >= (touched * PAGE) as u64);
            assert_eq!(resident + bytes_at(&found, "not resident"), map.len() as u64);
            let own = size_of::<MmapMut>() as u64;
            let devices = found.tree.root().devices();
            assert_eq!(devices, [(Device::Cpu, own), (Device::Mmap, map.len() as u64)]);
            assert_eq!(found.tree.total_bytes(), total_bytes(&map));
            assert!(found.tree.root().is_exact());
            assert_eq!(found.tree.root().counts().allocations, 0);
        }
    }

    #[test]
    fn a_map_of_a_file_counts_from_its_offset() {
        let path = std::env::temp_dir().join(format!("memprof-map-{}", std::process::id()));
        fs::write(&path, vec![7; 10 * PAGE]).unwrap();
        let file = File::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let len = 3 * PAGE + 7;
        // SAFETY: nothing writes to the file.
        #[expect(unsafe_code, reason = "the file could be changed by others")]
        let map: Mmap = unsafe { MmapOptions::new().offset(100).len(len).map(&file).unwrap() };
        let touched: u64 = map.iter().map(|&byte| u64::from(byte)).sum();
        assert_eq!(touched, 7 * len as u64);
        let found = Collected::of("map", &map);
        assert_eq!(bytes_at(&found, "resident"), len as u64);
        assert!(listed(map.as_ptr().addr() - 100).abs_diff(len as u64) <= PAGE as u64);
        let raw = MmapRaw::from(map);
        assert_eq!(Collected::of("map", &raw).tree.total_bytes(), found.tree.total_bytes());
    }

    /// Returns a file of a test that has no name anymore.
    fn file(test: &str, write: impl FnOnce(&File)) -> File {
        let path = std::env::temp_dir().join(format!("memprof-map-{test}-{}", std::process::id()));
        write(&File::create(&path).unwrap());
        let file = File::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        file
    }

    #[test]
    fn pages_of_a_file_that_the_process_never_read_are_not_resident() {
        // The file is in the page cache, because it was just written.
        let file = file("unread", |mut file| file.write_all(&vec![7; 64 * PAGE]).unwrap());
        // SAFETY: nothing writes to the file.
        #[expect(unsafe_code, reason = "the file could be changed by others")]
        let map: Mmap = unsafe { Mmap::map(&file).unwrap() };
        let found = Collected::of("map", &map);
        assert_eq!(bytes_at(&found, "resident"), 0);
        assert_eq!(bytes_at(&found, "not resident"), map.len() as u64);
        // The kernel may map several pages at once.
        assert_eq!(map[5 * PAGE], 7);
        let resident = bytes_at(&Collected::of("map", &map), "resident");
        assert!(resident >= 4096, "{resident}");
        assert_eq!(resident, listed(map.as_ptr().addr()));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn the_pages_of_a_large_map_are_not_read() {
        let largest = super::LARGEST as u64;
        let file = file("large", |file| file.set_len(largest + 1).unwrap());
        let bytes_of = |len: u64| {
            let len = usize::try_from(len).unwrap();
            // SAFETY: nothing writes to the file.
            #[expect(unsafe_code, reason = "the file could be changed by others")]
            let map: Mmap = unsafe { MmapOptions::new().len(len).map(&file).unwrap() };
            let began = Instant::now();
            let found = Collected::of("map", &map);
            println!("{len} bytes took {:?}", began.elapsed());
            ["not resident", "residency unknown"].map(|name| bytes_at(&found, name))
        };
        assert_eq!(bytes_of(largest), [largest, 0]);
        assert_eq!(bytes_of(largest + 1), [0, largest + 1]);
    }

    #[test]
    fn after_a_stopped_walk_the_residency_is_unknown() {
        struct Never;
        impl Observer for Never {
            fn stops(&mut self) -> bool {
                true
            }
        }
        let map = MmapMut::map_anon(1 << 20).unwrap();
        let found = Collected::observed("map", &map, &mut Never);
        assert_eq!(bytes_at(&found, "residency unknown"), 1 << 20);
        assert_eq!(found.tree.root().devices()[1], (Device::Mmap, 1 << 20));
    }
}
