//! The memory of the process as the operating system counts it. Figures that a system lacks are
//! unknown.

#[cfg(target_os = "linux")]
mod pinned;
#[cfg_attr(any(target_os = "linux", target_os = "android"), path = "linux.rs")]
#[cfg_attr(not(any(target_os = "linux", target_os = "android")), path = "other.rs")]
mod reader;
#[cfg(target_os = "linux")]
mod resident;

#[cfg(not(target_os = "linux"))]
use memprof_recording::document::{ResidentMemory, Trigger};
#[cfg(target_os = "linux")]
pub(crate) use pinned::kept_by;
pub(crate) use reader::ProcessMemoryReader;
#[cfg(target_os = "linux")]
pub(crate) use resident::ResidentReader;
#[cfg(not(target_os = "linux"))]
use std::time::Duration;

/// For all blocks of a snapshot. The kernel takes about 2 ns for a page of anonymous memory.
pub(crate) const RESIDENCY_PAGES: usize = 1 << 20;

/// The bytes that one block keeps resident although they are free, or that only it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct KeptPages {
    /// The block's share of the free bytes on its pages. Each block on a page has the same share.
    pub(crate) free: f64,
    /// The bytes of resident pages that have no other block, so that freeing the block frees them.
    pub(crate) alone: f64,
    /// The block's share of all its pages. The shares of all blocks add up to the pages.
    pub(crate) shared: f64,
    /// `true` if the pages may become a part of the top of their arena, which stays resident. A block of
    /// another owner that is above them in the same [heap](ARENA) prevents that.
    pub(crate) may_join_top: bool,
}

/// The size and the alignment of the heaps of glibc's arenas.
pub(crate) const ARENA: usize = if size_of::<usize>() == 8 { 64 << 20 } else { 1 << 20 };

/// The counts of memprof's allocator, for the split of the resident memory.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux reports maps"))]
pub(crate) struct Counted {
    pub(crate) live_bytes: i64,
    pub(crate) live_blocks: i64,
    pub(crate) profiler_bytes: i64,
    pub(crate) table_bytes: i64,
    /// The bytes that these tables have allocated and not used, which are not resident.
    pub(crate) reserved_bytes: i64,
    /// `true` if the allocator has counted since the program began.
    pub(crate) is_complete: bool,
}

/// Other systems have other allocators.
#[cfg(not(target_os = "linux"))]
pub(crate) const fn kept_by(_: usize, _: usize, _: &mut usize) -> Option<KeptPages> {
    None
}

#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(crate) struct ResidentReader;

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unused_self, reason = "on Linux it has state")]
impl ResidentReader {
    pub(crate) const fn new() -> Self {
        Self
    }

    pub(crate) const fn begin_pinned(&self, _: u64, _: Trigger) -> bool {
        false
    }

    pub(crate) const fn is_due(&self, _: u64, _: Trigger, _: Duration) -> bool {
        false
    }

    pub(crate) fn read<F>(&mut self, _: u64, _: F) -> Option<ResidentMemory> {
        None
    }
}
