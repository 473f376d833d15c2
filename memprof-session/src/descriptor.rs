//! The check that a descriptor still belongs to its file: a program may close all descriptors, and
//! open other files with the same numbers.
#![expect(unsafe_code, reason = "another file may have the descriptor now")]

use core::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};

// On 32-bit systems the plain call of glibc rejects inodes and sizes that need 64 bits.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) use libc::{fstat, stat};
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) use libc::{fstat64 as fstat, stat64 as stat};

/// The device and inode of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Returns the identity of an open descriptor, or `None` if it is closed. Allocates nothing.
    #[allow(
        clippy::unnecessary_cast,
        clippy::cast_lossless,
        clippy::cast_sign_loss,
        reason = "the types differ between systems"
    )]
    pub(crate) fn of(descriptor: RawFd) -> Option<Self> {
        // SAFETY: `stat` consists of integers, for which zero bytes are valid.
        let mut status: stat = unsafe { core::mem::zeroed() };
        // SAFETY: the pointer is to a local `stat`, and a closed descriptor is an error.
        let known = unsafe { fstat(descriptor, &raw mut status) } == 0;
        known.then_some(Self { device: status.st_dev as u64, inode: status.st_ino as u64 })
    }

    pub(crate) fn of_file(file: &File) -> Option<Self> {
        Self::of(file.as_raw_fd())
    }
}

/// The lowest descriptor number for the recorder's files. It is below the default limit of macOS,
/// which is 256.
pub(crate) const LOWEST: RawFd = 200;

/// Moves a file to a free descriptor with a high number, if there is one.
///
/// A program that closes all descriptors gets the lowest numbers for its next files. So a write
/// that is under way at that moment fails, instead of going into one of the program's new files.
pub(crate) fn moved_up(file: File) -> File {
    // SAFETY: `file` owns an open descriptor.
    let moved = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, LOWEST) };
    if moved < 0 {
        return file;
    }
    // SAFETY: the call returned a new descriptor, which has no other owner.
    unsafe { File::from_raw_fd(moved) }
}

/// A descriptor that signal handlers and the allocator write to.
///
/// The descriptor stays open until the process ends, so that a late writer doesn't write to a file
/// of the program.
pub(crate) struct SharedDescriptor {
    number: AtomicI32,
    device: AtomicU64,
    inode: AtomicU64,
    /// The process that opened the descriptor; a forked child must not write to it.
    process: AtomicU32,
}

impl SharedDescriptor {
    pub(crate) const fn none() -> Self {
        Self {
            number: AtomicI32::new(-1),
            device: AtomicU64::new(0),
            inode: AtomicU64::new(0),
            process: AtomicU32::new(0),
        }
    }

    /// Returns the descriptor, if this process opened it and it still belongs to the same file.
    ///
    /// Between this check and the use of the number, another thread may still close the descriptor
    /// and open a file. No system has a call that checks and writes in one step.
    pub(crate) fn checked(&self) -> Option<RawFd> {
        if self.process.load(Ordering::Acquire) != std::process::id() {
            return None;
        }
        let number = self.number.load(Ordering::Acquire);
        let expected = Identity {
            device: self.device.load(Ordering::Acquire),
            inode: self.inode.load(Ordering::Acquire),
        };
        (Identity::of(number) == Some(expected)).then_some(number)
    }

    /// Stores a descriptor that this process opened.
    pub(crate) fn set(&self, number: RawFd, identity: Identity) {
        self.number.store(number, Ordering::Release);
        self.expect(identity);
        self.process.store(std::process::id(), Ordering::Release);
    }

    /// Changes the file that the number is expected to belong to.
    pub(crate) fn expect(&self, identity: Identity) {
        self.device.store(identity.device, Ordering::Release);
        self.inode.store(identity.inode, Ordering::Release);
    }
}
