//! Memory that no Rust allocator counts. It stays until the process exits.

use std::ffi::c_int;
use std::os::fd::AsRawFd;
use std::ptr;

/// Allocates a block with C's `malloc`, and writes to each of its pages.
pub fn allocate_in_c(bytes: usize) {
    // SAFETY: the call has no preconditions.
    let block = unsafe { libc::malloc(bytes) };
    assert!(!block.is_null(), "the system has memory");
    // SAFETY: the block has this many bytes.
    unsafe { ptr::write_bytes(block.cast::<u8>(), 1, bytes) };
}

/// Maps anonymous memory, and writes to each of its pages.
pub fn map_anonymous(bytes: usize) {
    let memory = map(bytes, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_ANONYMOUS, -1);
    // SAFETY: the memory has this many bytes and is writable.
    unsafe { ptr::write_bytes(memory, 1, bytes) };
}

/// Maps a file, and reads each of its pages.
pub fn map_file(file: &std::fs::File, bytes: usize) {
    let memory = map(bytes, libc::PROT_READ, 0, file.as_raw_fd());
    for at in (0..bytes).step_by(4096) {
        // SAFETY: the map has this many bytes.
        let byte = unsafe { memory.add(at) };
        // SAFETY: the file has this many bytes too.
        std::hint::black_box(unsafe { byte.read_volatile() });
    }
}

fn map(bytes: usize, access: c_int, kind: c_int, file: c_int) -> *mut u8 {
    let kind = kind | libc::MAP_PRIVATE;
    // SAFETY: the kernel chooses an address that is free.
    let memory = unsafe { libc::mmap(ptr::null_mut(), bytes, access, kind, file, 0) };
    assert_ne!(memory, libc::MAP_FAILED, "the system has memory");
    memory.cast()
}

/// Makes glibc's `malloc` return its whole free pages to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn trim_malloc() {
    // SAFETY: the call has no preconditions.
    unsafe { libc::malloc_trim(0) };
}
