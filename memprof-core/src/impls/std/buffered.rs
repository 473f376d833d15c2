//! Readers and writers: the buffers they own, used and spare.

use crate::MemoryProfile;
use crate::impls::std::flat::impl_flat;
use crate::layout::line_writer;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use std::io::{
    BufReader, BufWriter, Cursor, Empty, ErrorKind, LineWriter, Repeat, SeekFrom, Sink, Stderr,
    Stdin, Stdout, Write,
};

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

impl<T: MemoryProfile> MemoryProfile for Cursor<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.get_ref().owned(walk, at);
    }

    #[inline]
    fn is_flat() -> bool {
        T::is_flat()
    }
}

/// Adds a buffer of `capacity` bytes. No method shrinks it.
fn add_buffer(used: usize, capacity: usize, walk: &mut Walk<'_>, at: Position) {
    walk.count_allocations(at, usize::from(capacity != 0));
    walk.leaf(at, LeafKind::Data, used);
    walk.leaf(at, LeafKind::Spare, capacity - used);
}

impl<R: MemoryProfile + ?Sized> MemoryProfile for BufReader<R> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_buffer(self.buffer().len(), self.capacity(), walk, at);
        // After everything is read, the address may be past the end of the buffer.
        walk.block_of(self.buffer().as_ptr().addr(), self.buffer().len());
        self.get_ref().owned(walk, at);
    }
}

impl<W: MemoryProfile + Write + ?Sized> MemoryProfile for BufWriter<W> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_buffer(self.buffer().len(), self.capacity(), walk, at);
        walk.block_of(self.buffer().as_ptr().addr(), self.capacity());
        self.get_ref().owned(walk, at);
    }
}

impl<W: MemoryProfile + Write + ?Sized> MemoryProfile for LineWriter<W> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.count_allocations(at, 1);
        walk.estimated(at, LeafKind::Spare, line_writer::BUFFER);
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
