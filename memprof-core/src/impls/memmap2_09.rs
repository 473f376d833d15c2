//! memmap2 0.9: maps of files, and anonymous maps.
//!
//! No allocator counts a map, and most of a large file is usually not in memory. So its bytes are on
//! a device of their own, [`Device::Mmap`], below `resident` and `not resident`. Both types of map
//! look the same here: an anonymous map is memory of the process, but not of the heap either.

use crate::MemoryProfile;
use crate::walk::{Position, Walk};
use crate::words::Device;
use memmap2::{Mmap, MmapMut, MmapRaw};

/// Adds a map of `len` bytes. If the resident bytes are unknown, adds the mapped bytes alone.
fn add(walk: &mut Walk<'_>, at: Position, start: *const u8, len: usize) {
    let has_tree = walk.tree.is_some();
    let mut should_continue = || has_tree && walk.should_read_more();
    let Some(resident) = resident_bytes(start.addr(), len, &mut should_continue) else {
        return walk.add_on_device(at, Device::Mmap, len);
    };
    for (name, bytes) in [("resident", resident), ("not resident", len - resident)] {
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

/// The number of pages that one system call reads: 16 MiB of a map, which takes under 1 ms.
#[cfg(target_os = "linux")]
const PAGES: usize = 4096;

/// Returns the bytes of a map that are in memory, from its first address and its length. Returns
/// `None` if they are unknown: on other systems, or if `should_continue`, which is called before each
/// system call, returns `false`.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the system is asked which pages are in memory")]
fn resident_bytes(
    start: usize,
    len: usize,
    mut should_continue: impl FnMut() -> bool,
) -> Option<usize> {
    // SAFETY: `sysconf` only returns a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    let (end, mut at) = (start.checked_add(len)?, start - start % page);
    let (mut flags, mut resident) = ([0_u8; PAGES], 0);
    while at < end {
        let until = end.min(at.saturating_add(PAGES * page));
        let flags = &mut flags[..(until - at).div_ceil(page)];
        if !should_continue() {
            return None;
        }
        let address = core::ptr::without_provenance_mut(at);
        // SAFETY: the kernel writes a byte for each page between both addresses, which is the length
        // of `flags`. It does not access the pages.
        let result = unsafe { libc::mincore(address, until - at, flags.as_mut_ptr()) };
        if result != 0 {
            return None;
        }
        for (index, _) in flags.iter().enumerate().filter(|(_, flag)| **flag & 1 == 1) {
            let first = at + index * page;
            resident += (first + page).min(end) - first.max(start);
        }
        at = until;
    }
    Some(resident)
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

    #[test]
    fn a_stopped_walk_has_the_mapped_bytes_alone() {
        struct Never;
        impl Observer for Never {
            fn stops(&mut self) -> bool {
                true
            }
        }
        let map = MmapMut::map_anon(1 << 20).unwrap();
        let found = Collected::observed("map", &map, &mut Never);
        assert_eq!((bytes_at(&found, "resident"), bytes_at(&found, "not resident")), (0, 0));
        assert_eq!(found.tree.root().devices()[1], (Device::Mmap, 1 << 20));
    }
}
