//! The most recently used pages of a file, and readers of parts of the file for `gimli`.
//!
//! The file is not mapped: pages of a mapping count as resident memory, and a file that is cut off
//! while it is mapped ends the program with a signal.
//!
//! A program may close all descriptors, and its next file may get the number of this one. So each
//! use first checks the descriptor. If it belongs to another file, it is neither read nor closed.

use core::cell::{Cell, RefCell};
use gimli::{Error, NativeEndian, Reader, ReaderOffsetId, Result};
use std::borrow::Cow;
use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::time::Instant;

/// The bytes of a page.
const PAGE: usize = 8 << 10;
/// The maximum number of pages in memory: 256 KiB.
const MAX: usize = 32;

/// A file of which at most 256 KiB are in memory.
pub(super) struct Pages {
    /// `None` only while the value is dropped.
    file: Option<File>,
    /// The device and the inode.
    identity: Option<(u64, u64)>,
    now: fn() -> Instant,
    /// The time after which nothing more is read.
    deadline: Cell<Instant>,
    /// `true` if a read was refused because of the deadline.
    is_late: Cell<bool>,
    /// The number of reads in cached pages, modulo 256.
    reads: Cell<u8>,
    cache: RefCell<Cache>,
}

#[derive(Default)]
struct Cache {
    pages: Vec<Page>,
    /// The index of the most recently used page.
    last: usize,
    /// The number of changes of `last`.
    clock: u64,
}

struct Page {
    number: u64,
    bytes: Vec<u8>,
    used: u64,
}

impl Pages {
    /// Creates an empty page cache for `file`. After `deadline`, nothing more is read; `now` is the
    /// clock.
    pub(super) fn new(file: File, deadline: Instant, now: fn() -> Instant) -> Self {
        Self {
            identity: identity(&file),
            file: Some(file),
            now,
            deadline: Cell::new(deadline),
            is_late: Cell::new(false),
            reads: Cell::new(0),
            cache: RefCell::default(),
        }
    }

    /// Returns the whole file as a reader; reading beyond its end fails.
    pub(super) fn all(&self) -> Part<'_> {
        self.part(0, u64::MAX)
    }

    /// Returns a part of the file.
    pub(super) fn part(&self, start: u64, length: u64) -> Part<'_> {
        Part { pages: self, start, end: start.saturating_add(length) }
    }

    /// Returns the file if its descriptor still belongs to it.
    fn own_file(&self) -> Option<&File> {
        self.file.as_ref().filter(|file| self.identity.is_some() && identity(file) == self.identity)
    }

    /// Sets the time after which nothing more is read.
    pub(super) fn set_deadline(&self, deadline: Instant) {
        self.deadline.set(deadline);
        self.is_late.set(false);
    }

    /// Returns `true` if a read was refused because of the deadline.
    pub(super) fn is_late(&self) -> bool {
        self.is_late.get()
    }

    /// Reads the clock. Returns `true` if nothing more is to be read.
    fn check(&self) -> bool {
        if (self.now)() >= self.deadline.get() {
            self.is_late.set(true);
        }
        self.is_late()
    }

    /// As [`check`](Self::check), but reads the clock once in 256 calls, because a read in a cached
    /// page takes less time than the clock.
    #[inline]
    fn check_sometimes(&self) -> bool {
        self.reads.set(self.reads.get().wrapping_add(1));
        if self.reads.get() == 0 { self.check() } else { self.is_late() }
    }

    /// Fills a buffer from the file, without the cache. Returns `None` if the file ends before.
    pub(super) fn read_exact(&self, buffer: &mut [u8], at: u64) -> Option<()> {
        if self.check() {
            return None;
        }
        self.own_file()?.read_exact_at(buffer, at).ok()
    }

    /// Calls `read` with the bytes from an offset to the end of its page.
    fn with_bytes<T>(&self, at: u64, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        if self.check_sometimes() {
            return None;
        }
        let number = at / PAGE as u64;
        let cache = &mut *self.cache.borrow_mut();
        if cache.pages.get(cache.last).is_none_or(|page| page.number != number) {
            self.turn_to(number, cache)?;
        }
        let bytes = cache.pages[cache.last].bytes.get((at % PAGE as u64) as usize..)?;
        Some(read(bytes))
    }

    /// Makes a page the last used one.
    fn turn_to(&self, number: u64, cache: &mut Cache) -> Option<()> {
        cache.clock += 1;
        let known = cache.pages.iter().position(|page| page.number == number);
        cache.last = match known {
            Some(index) => index,
            None => self.load(number, cache)?,
        };
        cache.pages[cache.last].used = cache.clock;
        Some(())
    }

    /// Reads a page, and replaces the page that was not used for the longest time.
    fn load(&self, number: u64, cache: &mut Cache) -> Option<usize> {
        if self.check() {
            return None;
        }
        let file = self.own_file()?;
        let index = if cache.pages.len() < MAX {
            cache.pages.push(Page { number, bytes: Vec::new(), used: 0 });
            cache.pages.len() - 1
        } else {
            let pages = cache.pages.iter().enumerate();
            pages.min_by_key(|(_, page)| page.used).map_or(0, |(index, _)| index)
        };
        let page = &mut cache.pages[index];
        // If reading fails, no page has this number.
        page.number = u64::MAX;
        page.bytes.resize(PAGE, 0);
        let start = number.checked_mul(PAGE as u64)?;
        let mut length = 0;
        while length < PAGE {
            match file.read_at(&mut page.bytes[length..], start + length as u64) {
                Ok(0) => break,
                Ok(read) => length += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
        page.bytes.truncate(length);
        page.number = number;
        Some(index)
    }
}

fn identity(file: &File) -> Option<(u64, u64)> {
    let metadata = file.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

impl Drop for Pages {
    fn drop(&mut self) {
        if self.own_file().is_none() {
            core::mem::forget(self.file.take());
        }
    }
}

/// A part of a file, which `gimli` reads.
#[derive(Clone, Copy)]
pub(super) struct Part<'p> {
    pages: &'p Pages,
    start: u64,
    end: u64,
}

impl Part<'_> {
    fn too_short(&self) -> Error {
        Error::UnexpectedEof(self.offset_id())
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        /// The longest text that is read, which may be a function's name or a path.
        const LONGEST: u64 = 64 << 10;
        let mut bytes = vec![0; self.len().min(LONGEST) as usize];
        { *self }.read_slice(&mut bytes)?;
        Ok(bytes)
    }
}

impl core::fmt::Debug for Part<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "Part({:#x}..{:#x})", self.start, self.end)
    }
}

impl Reader for Part<'_> {
    type Endian = NativeEndian;
    type Offset = u64;

    fn endian(&self) -> NativeEndian {
        NativeEndian
    }

    #[inline]
    fn len(&self) -> u64 {
        self.end - self.start
    }

    fn empty(&mut self) {
        self.end = self.start;
    }

    fn truncate(&mut self, length: u64) -> Result<()> {
        if length > self.len() {
            return Err(self.too_short());
        }
        self.end = self.start + length;
        Ok(())
    }

    fn offset_from(&self, base: &Self) -> u64 {
        self.start - base.start
    }

    fn offset_id(&self) -> ReaderOffsetId {
        ReaderOffsetId(self.start)
    }

    fn lookup_offset_id(&self, id: ReaderOffsetId) -> Option<u64> {
        (self.start..=self.end).contains(&id.0).then(|| id.0 - self.start)
    }

    fn find(&self, byte: u8) -> Result<u64> {
        let mut at = self.start;
        while at < self.end {
            let find = |bytes: &[u8]| (bytes.iter().position(|of| *of == byte), bytes.len());
            let (found, length) =
                self.pages.with_bytes(at, find).ok_or_else(|| self.too_short())?;
            match found {
                Some(index) if at + (index as u64) < self.end => {
                    return Ok(at + index as u64 - self.start);
                }
                None if length > 0 => at += length as u64,
                _ => break,
            }
        }
        Err(self.too_short())
    }

    #[inline]
    fn skip(&mut self, length: u64) -> Result<()> {
        if length > self.len() {
            return Err(self.too_short());
        }
        self.start += length;
        Ok(())
    }

    fn split(&mut self, length: u64) -> Result<Self> {
        let mut first = *self;
        first.truncate(length)?;
        self.start += length;
        Ok(first)
    }

    fn to_slice(&self) -> Result<Cow<'_, [u8]>> {
        self.bytes().map(Cow::Owned)
    }

    fn to_string(&self) -> Result<Cow<'_, str>> {
        String::from_utf8(self.bytes()?).map(Cow::Owned).map_err(|_| Error::BadUtf8)
    }

    fn to_string_lossy(&self) -> Result<Cow<'_, str>> {
        let bytes = self.bytes()?;
        Ok(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
    }

    #[inline]
    fn read_slice(&mut self, buffer: &mut [u8]) -> Result<()> {
        if buffer.len() as u64 > self.len() {
            return Err(self.too_short());
        }
        let mut rest = buffer;
        while !rest.is_empty() {
            let copy = |bytes: &[u8]| {
                let length = bytes.len().min(rest.len());
                rest[..length].copy_from_slice(&bytes[..length]);
                length
            };
            let length = self.pages.with_bytes(self.start, copy).unwrap_or(0);
            if length == 0 {
                return Err(self.too_short());
            }
            rest = &mut rest[length..];
            self.start += length as u64;
        }
        Ok(())
    }

    #[inline]
    fn read_u8(&mut self) -> Result<u8> {
        let first = |bytes: &[u8]| bytes.first().copied();
        if self.start < self.end
            && let Some(byte) = self.pages.with_bytes(self.start, first).flatten()
        {
            self.start += 1;
            return Ok(byte);
        }
        Err(self.too_short())
    }
}
