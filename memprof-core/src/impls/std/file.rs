//! Files and processes, whose resources belong to the operating system.

use crate::MemoryProfile;
use crate::impls::std::flat::impl_flat;
use crate::impls::std::opaque::impl_opaque;
use crate::walk::{Field, Position, Shape, Walk};
use std::{fs, process};

impl_flat! {
    [] fs::File;
    [] fs::FileTimes;
    [] fs::FileType;
    [] fs::Metadata;
    [] fs::OpenOptions;
    [] fs::Permissions;
    [] process::ChildStderr;
    [] process::ChildStdin;
    [] process::ChildStdout;
    [] process::ExitCode;
    [] process::ExitStatus;
}

#[cfg(unix)]
impl_flat! {
    [] process::Child;
    [] std::os::fd::BorrowedFd<'_>;
    [] std::os::fd::OwnedFd;
}

#[cfg(windows)]
impl_flat! {
    [] std::os::windows::io::BorrowedHandle<'_>;
    [] std::os::windows::io::BorrowedSocket<'_>;
    [] std::os::windows::io::OwnedHandle;
    [] std::os::windows::io::OwnedSocket;
}

impl_opaque! {
    [] fs::DirEntry;
    [] fs::ReadDir;
    [] process::Command;
    [] process::Stdio;
}

impl MemoryProfile for process::Output {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        self.stdout.owned(walk, fields.at(1));
        self.stderr.owned(walk, fields.at(2));
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.inline(at, Self::shape(), 1);
        self.owned(walk, at);
    }

    fn shape() -> &'static Shape {
        const {
            &Shape::of::<Self>(
                const {
                    &[
                        Field::of::<process::ExitStatus>("status"),
                        Field::of::<Vec<u8>>("stdout"),
                        Field::of::<Vec<u8>>("stderr"),
                    ]
                },
            )
        }
    }
}
