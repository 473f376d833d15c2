//! Disks for the profiler's files: an ordinary, a full and a stuck one.

use crate::{Failure, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The kind of disk that contains a case's recording.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Ordinary,
    /// A file system of 64 KiB in memory. Only root can mount it.
    Full,
    /// A library, loaded before the C library, replaces `write`, `writev` and `fsync`. For regular
    /// files, each call waits two minutes first, which is longer than any case.
    Stuck,
}

impl Kind {
    /// Returns the reason why a machine may not be able to provide this kind of disk.
    pub(super) fn need(self) -> &'static str {
        match self {
            Self::Ordinary => "nothing",
            Self::Full => "only root can mount a small file system",
            Self::Stuck => "there is no C compiler `cc`",
        }
    }
}

/// A disk that is ready for use.
pub(super) struct Disk {
    kind: Kind,
    library: PathBuf,
}

/// A C library that delays writes to regular files by two minutes, as soon as the file that
/// `GUEST_STUCK` names exists.
const STUCK: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_if_regular(int fd) {
    struct stat status;
    const char *flag = getenv("GUEST_STUCK");
    if (flag && access(flag, F_OK) == 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        for (int i = 0; i < 120; i++) sleep(1);
}

ssize_t write(int fd, const void *data, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    wait_if_regular(fd);
    return real(fd, data, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    static ssize_t (*real)(int, const struct iovec *, int);
    if (!real) real = dlsym(RTLD_NEXT, "writev");
    wait_if_regular(fd);
    return real(fd, parts, count);
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    wait_if_regular(fd);
    return real(fd);
}
"#;

impl Disk {
    /// Prepares the disk. Returns `None` if the machine does not allow it.
    pub(super) fn prepare(kind: Kind) -> Result<Option<Self>, Failure> {
        let folder = target("guest");
        fs::create_dir_all(&folder)?;
        let library = folder.join("stuck.so");
        match kind {
            Kind::Ordinary => {}
            Kind::Full => {
                let probe = folder.join("mount");
                fs::create_dir_all(&probe)?;
                if !mount(&probe) {
                    return Ok(None);
                }
                unmount(&probe);
            }
            Kind::Stuck => {
                let source = folder.join("stuck.c");
                fs::write(&source, STUCK)?;
                let mut compiler = Command::new("cc");
                compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
                match compiler.status() {
                    Ok(status) if status.success() => {}
                    Ok(status) => return Err(format!("cc: {status}").into()),
                    Err(_) => return Ok(None),
                }
            }
        }
        Ok(Some(Self { kind, library }))
    }

    /// Creates the folder for the recording of a run.
    pub(super) fn recording_folder(&self, run: &Path) -> Result<PathBuf, Failure> {
        let folder = run.join("recording");
        if self.kind == Kind::Full {
            unmount(&folder);
        }
        fs::create_dir_all(&folder)?;
        if self.kind == Kind::Full && !mount(&folder) {
            return Err("a second file system cannot be mounted".into());
        }
        Ok(folder)
    }

    /// Releases a folder for a recording. The contents of a full disk are then lost.
    pub(super) fn release(&self, folder: &Path) {
        if self.kind == Kind::Full {
            unmount(folder);
        }
    }

    /// Makes the program use the disk, which is stuck as soon as the file `stuck` exists.
    pub(super) fn set_environment(&self, command: &mut Command, stuck: &Path) {
        if self.kind == Kind::Stuck {
            command.env("LD_PRELOAD", &self.library).env("GUEST_STUCK", stuck);
        }
    }
}

/// Mounts a small file system at the folder. Returns `true` if that succeeded.
fn mount(folder: &Path) -> bool {
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(folder);
    mount.output().is_ok_and(|output| output.status.success())
}

/// Unmounts the file system, if one is mounted.
fn unmount(folder: &Path) {
    let _ = Command::new("umount").arg(folder).output();
}
