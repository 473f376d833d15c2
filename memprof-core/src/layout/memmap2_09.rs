//! memmap2 0.9: the bytes of a map that are in memory.

/// The number of pages that one system call reads: 16 MiB of a map, which takes under 1 ms.
#[cfg(target_os = "linux")]
const PAGES: usize = 4096;

/// Returns the bytes of a map that are in memory, from its first address and its length. Returns
/// `None` if they are unknown: on other systems, or if `should_continue`, which is called before each
/// system call, returns `false`.
#[cfg(target_os = "linux")]
pub(crate) fn resident_bytes(
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
pub(crate) fn resident_bytes(_: usize, _: usize, _: impl FnMut() -> bool) -> Option<usize> {
    None
}
