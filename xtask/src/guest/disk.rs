//! Disks for the profiler's files: an ordinary, a full and a stuck one.

use crate::tools::output;
use crate::{Failure, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Disk {
    Ordinary,
    /// A file system of 64 KiB in memory. Only root can mount it.
    Full,
    /// A library, loaded before the C library, replaces `write`, `writev` and `fsync`. For regular
    /// files, each call waits two minutes first, which is longer than any case.
    Stuck,
}

/// A C library that delays writes to regular files by two minutes, as soon as the file that
/// `GUEST_STUCK` names exists.
const STUCK: &str = include_str!("stuck.c");

impl Disk {
    /// Prepares the disk, and returns what the machine lacks for it.
    pub(super) fn missing(self) -> Result<Option<&'static str>, Failure> {
        let folder = target("guest");
        fs::create_dir_all(&folder)?;
        match self {
            Self::Ordinary => Ok(None),
            Self::Full => {
                let probe = folder.join("mount");
                fs::create_dir_all(&probe)?;
                let is_mounted = mount(&probe);
                self.release(&probe);
                Ok((!is_mounted).then_some("only root can mount a small file system"))
            }
            Self::Stuck if Command::new("cc").arg("--version").output().is_err() => {
                Ok(Some("there is no C compiler `cc`"))
            }
            Self::Stuck => {
                fs::write(folder.join("stuck.c"), STUCK)?;
                let arguments = ["-shared", "-fPIC", "-o", "stuck.so", "stuck.c", "-ldl"];
                output(Command::new("cc").args(arguments).current_dir(folder))?;
                Ok(None)
            }
        }
    }

    pub(super) fn recording_folder(self, run: &Path) -> Result<PathBuf, Failure> {
        let folder = run.join("recording");
        self.release(&folder);
        fs::create_dir_all(&folder)?;
        if self == Self::Full && !mount(&folder) {
            return Err("a second file system cannot be mounted".into());
        }
        Ok(folder)
    }

    /// Releases a folder for a recording. The contents of a full disk are then lost.
    pub(super) fn release(self, folder: &Path) {
        if self == Self::Full {
            let _ = Command::new("umount").arg(folder).output();
        }
    }

    /// Makes the program use the disk, which is stuck as soon as the file `stuck` exists.
    pub(super) fn set_environment(self, command: &mut Command, stuck: &Path) {
        if self == Self::Stuck {
            command.env("LD_PRELOAD", target("guest/stuck.so")).env("GUEST_STUCK", stuck);
        }
    }
}

fn mount(folder: &Path) -> bool {
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(folder);
    mount.output().is_ok_and(|output| output.status.success())
}
