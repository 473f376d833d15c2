//! Files and processes, whose resources belong to the operating system, and readers and writers with
//! buffers of their own.

use crate::MemoryProfile;
use crate::impls::std::scalar::{impl_flat, impl_opaque};
use crate::impls::std::wrapper::holders;
use crate::layout::LINE_WRITER_BUFFER;
use crate::shape::{Field, Position, Shape};
use crate::walk::Walk;
use crate::words::{LeafKind, OpaqueReason};
use std::io::{
    BufReader, BufWriter, Cursor, Empty, ErrorKind, LineWriter, Repeat, SeekFrom, Sink, Stderr,
    Stdin, Stdout, Write,
};
use std::{fs, process};

impl_flat! {
    fs::File, fs::FileTimes, fs::FileType, fs::Metadata, fs::OpenOptions, fs::Permissions,
    process::ChildStderr, process::ChildStdin, process::ChildStdout, process::ExitCode,
    process::ExitStatus,
}

#[cfg(unix)]
impl_flat! { process::Child, std::os::fd::BorrowedFd<'_>, std::os::fd::OwnedFd }

#[cfg(windows)]
impl_flat! {
    std::os::windows::io::BorrowedHandle<'_>, std::os::windows::io::BorrowedSocket<'_>,
    std::os::windows::io::OwnedHandle, std::os::windows::io::OwnedSocket,
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

impl_flat! {
    [] Empty;
    [] ErrorKind;
    [] Repeat;
    [] SeekFrom;
    [] Sink;
    // These types refer to buffers that live as long as the process.
    [] Stderr;
    [] Stdin;
    [] Stdout;
}

holders! { [T: MemoryProfile] Cursor<T> => T: |cursor| Some(cursor.get_ref()); }

impl<R: MemoryProfile + ?Sized> MemoryProfile for BufReader<R> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.fixed_allocation(at, self.buffer().len(), self.capacity());
        // After everything is read, the address may be past the end of the buffer.
        walk.block_of(self.buffer().as_ptr().addr(), self.buffer().len());
        self.get_ref().owned(walk, at);
    }
}

impl<W: MemoryProfile + Write + ?Sized> MemoryProfile for BufWriter<W> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.fixed_allocation(at, self.buffer().len(), self.capacity());
        walk.block_of(self.buffer().as_ptr().addr(), self.capacity());
        self.get_ref().owned(walk, at);
    }
}

impl<W: MemoryProfile + Write + ?Sized> MemoryProfile for LineWriter<W> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.count_allocations(at, 1);
        walk.estimated(at, LeafKind::Spare, LINE_WRITER_BUFFER);
        self.get_ref().owned(walk, at);
    }
}

/// An error owns memory only if it wraps another error. That memory is private.
impl MemoryProfile for std::io::Error {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if self.get_ref().is_some() {
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }
}
