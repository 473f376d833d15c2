//! The file that grows during the session, one line for each thing that happened, and the document
//! made from it.
//!
//! Lines that are copied are not parsed. Reading the kind and the number of each line with serde
//! took 0.16 s per pass over a timeline of 64 MiB, and 3.9 s in a debug build. After a signal, the
//! program has two seconds for all passes. So a copy compares the key at the start of a line, which
//! is all that it needs.
//!
//! A program may close all descriptors (`closefrom`, daemons), and the next file that it opens may
//! get the same number. So each use first checks that the descriptor still belongs to the file. If
//! it does not, the descriptor is neither used nor closed.

use super::Kept;
#[cfg(unix)]
use crate::heap::Emergency;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use memprof_recording::document::{
    DOCUMENT, FirstLine, Metadata, OperationEvent, Summary, VERSION,
};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

#[derive(Debug)]
pub(super) struct Timeline {
    /// The file, opened for appending, so a write goes to its end wherever the last read was.
    file: OwnFile,
    path: PathBuf,
    /// The buffer of the current line; kept so that a snapshot allocates little.
    line: Vec<u8>,
    /// `true` if the last line is torn because the disk was full.
    is_torn: bool,
    #[cfg(unix)]
    emergency: Option<Emergency>,
}

/// The capacity that the buffer keeps between two lines. Summaries are far longer, but rare.
const LINE_BYTES: usize = 64 << 10;

impl Timeline {
    pub(super) fn new(file: File, path: PathBuf) -> Self {
        let file = OwnFile::new(file);
        Self {
            file,
            path,
            line: Vec::new(),
            is_torn: false,
            #[cfg(unix)]
            emergency: None,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    #[cfg(unix)]
    pub(super) fn add_refusals(&mut self) {
        self.emergency = self.file.get().and_then(Emergency::begin).ok();
    }

    pub(super) fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        self.append(&FirstLine::new(metadata)).map(drop)
    }

    /// Appends a line and returns its size in bytes.
    ///
    /// One call writes the line, so that a killed program leaves complete lines. If the disk is
    /// full, the part that was written is removed, so that the next line does not continue a torn
    /// one.
    pub(super) fn append(&mut self, line: &impl Serialize) -> io::Result<u64> {
        // A panic of the serialiser may have left a part of a line.
        self.line.clear();
        let written = self.write_line(line);
        self.line.clear();
        self.line.shrink_to(LINE_BYTES);
        written
    }

    fn write_line(&mut self, line: &impl Serialize) -> io::Result<u64> {
        if self.is_torn {
            self.line.push(b'\n');
        }
        serde_json::to_writer(&mut self.line, line)?;
        self.line.push(b'\n');
        if self.file.get().is_err() {
            self.file.reopen(&self.path)?;
            #[cfg(unix)]
            self.move_emergency();
        }
        let mut file = self.file.get()?;
        let before = file.metadata()?.len();
        if let Err(error) = file.write_all(&self.line) {
            self.is_torn |= file.set_len(before).is_err();
            return Err(error);
        }
        self.is_torn = false;
        Ok(self.line.len() as u64)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.get()?.sync_data()
    }

    fn lines(&self) -> io::Result<Lines<'_>> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))?;
        Ok(Lines { reader: BufReader::with_capacity(64 << 10, file), line: Vec::new() })
    }

    /// Rewrites the file without the lines that are not `kept`, and without all but the last summary.
    /// A temporary file replaces it.
    ///
    /// Returns the bytes of the summary. If the program is killed before the new file is complete,
    /// the old file stays complete.
    pub(super) fn rewrite(&mut self, metadata: &Metadata, kept: &Kept) -> io::Result<u64> {
        let (new, file) = Temporary::beside(&self.path)?;
        let summary_bytes = self.write_kept(&file, metadata, kept)?;
        new.replace(&file, &self.path)?;
        self.file = file;
        self.is_torn = false;
        #[cfg(unix)]
        self.move_emergency();
        Ok(summary_bytes)
    }

    #[cfg(unix)]
    fn move_emergency(&self) {
        if let (Some(emergency), Ok(file)) = (&self.emergency, self.file.get()) {
            let _ = emergency.move_to(file);
        }
    }

    fn write_kept(&self, new: &OwnFile, metadata: &Metadata, kept: &Kept) -> io::Result<u64> {
        let mut out = BufWriter::new(new);
        serde_json::to_writer(&mut out, &FirstLine::new(metadata))?;
        out.write_all(b"\n")?;
        let mut summary = Vec::new();
        let mut lines = self.lines()?;
        while let Some(line) = lines.next_line()? {
            let is_kept = match line.key {
                b"format" | b"metadata" => false,
                b"snapshot" => line.first_number().is_some_and(|number| kept.has_snapshot(number)),
                b"live_stacks" => line.first_number().is_some_and(|at_ns| kept.has_moment(at_ns)),
                b"summary" => {
                    line.text.clone_into(&mut summary);
                    false
                }
                _ => true,
            };
            if is_kept {
                out.write_all(line.text)?;
            }
        }
        out.write_all(&summary)?;
        out.flush()?;
        Ok(summary.len() as u64)
    }

    /// Removes the file, whose content is in the document. Lines that are written later are lost.
    pub(super) fn remove(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        drop(self.emergency.take());
        fs::remove_file(&self.path)
    }

    /// Writes the document of all lines completely, or not at all. It replaces the file at `path`.
    ///
    /// # Cost
    /// Reads the timeline once for each list, and holds one line in memory.
    pub(super) fn write_document(
        &self,
        path: &Path,
        metadata: &Metadata,
        summary: &Summary,
    ) -> io::Result<()> {
        let (unfinished, file) = Temporary::beside(path)?;
        let mut out = BufWriter::new(&file);
        write!(out, "{{\"format\": \"{DOCUMENT}\", \"version\": {VERSION},\n\"metadata\": ")?;
        serde_json::to_writer(&mut out, metadata)?;
        out.write_all(b",\n\"snapshots\": ")?;
        self.copy("snapshot", &mut out)?;
        for key in ["operation_paths", "thread_names", "out_of_memory", "stacks", "live_stacks"] {
            write!(out, ",\n\"{key}\": ")?;
            self.copy(key, &mut out)?;
        }
        out.write_all(b",\n\"operation_events\": {\"columns\": ")?;
        serde_json::to_writer(&mut out, OperationEvent::COLUMNS)?;
        out.write_all(b", \"rows\": ")?;
        self.copy("operation_events", &mut out)?;
        out.write_all(b"},\n\"summary\": ")?;
        serde_json::to_writer(&mut out, summary)?;
        out.write_all(b"}\n")?;
        out.flush()?;
        unfinished.replace(&file, path)
    }

    /// Copies the entries of the lines with this key, as an array.
    fn copy(&self, key: &str, out: &mut impl Write) -> io::Result<()> {
        let mut separator: &[u8] = b"[\n";
        let mut lines = self.lines()?;
        while let Some(line) = lines.next_line()? {
            // A line of several entries has them as an array.
            let array = line.value.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
            let entries = array.unwrap_or(line.value);
            if line.key == key.as_bytes() && !entries.is_empty() {
                out.write_all(separator)?;
                out.write_all(entries)?;
                separator = b",\n";
            }
        }
        out.write_all(if separator == b"[\n" { b"[]" } else { b"\n]" })
    }
}

struct Lines<'f> {
    reader: BufReader<&'f OwnFile>,
    line: Vec<u8>,
}

struct Found<'l> {
    /// The first key: the kind of the line.
    key: &'l [u8],
    /// The JSON of that key's value, if the line has no other key.
    value: &'l [u8],
    text: &'l [u8],
}

impl Lines<'_> {
    fn next_line(&mut self) -> io::Result<Option<Found<'_>>> {
        loop {
            self.line.clear();
            if self.reader.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if Found::new(&self.line).is_some() {
                return Ok(Found::new(&self.line));
            }
        }
    }
}

impl<'l> Found<'l> {
    fn new(text: &'l [u8]) -> Option<Self> {
        let object = text.strip_prefix(b"{\"")?.strip_suffix(b"}\n")?;
        let (key, rest) = object.split_at(object.iter().position(|byte| *byte == b'"')?);
        Some(Self { key, value: rest.strip_prefix(b"\":")?, text })
    }

    fn first_number(&self) -> Option<u64> {
        let value = self.value.splitn(2, |byte| *byte == b':').nth(1)?;
        let end = value.iter().position(|byte| !byte.is_ascii_digit())?;
        str::from_utf8(&value[..end]).ok()?.parse().ok()
    }
}

/// A file that is used only while its descriptor still refers to this file.
#[derive(Debug)]
struct OwnFile {
    /// `None` only while the value is dropped.
    file: Option<File>,
    identity: Option<Identity>,
}

#[cfg(unix)]
pub(crate) use unix::Identity;
#[cfg(unix)]
use unix::moved_up;

#[cfg(not(unix))]
type Identity = ();

#[cfg(unix)]
fn identity(file: &File) -> Option<Identity> {
    Identity::of_file(file)
}

/// Returns an empty identity: elsewhere a file has a handle, whose value is not reused at once.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix the descriptor may be closed")]
fn identity(_: &File) -> Option<Identity> {
    Some(())
}

impl OwnFile {
    fn new(file: File) -> Self {
        #[cfg(unix)]
        let file = moved_up(file);
        Self { identity: identity(&file), file: Some(file) }
    }

    /// Returns an error if the descriptor was closed or belongs to another file. Another thread may
    /// still close it between this check and the use, because no system has a call that checks and
    /// writes in one step.
    fn get(&self) -> io::Result<&File> {
        let file = self.file.as_ref().filter(|file| {
            let now = identity(file);
            now.is_some() && now == self.identity
        });
        file.ok_or_else(|| io::Error::other("the program has closed the file"))
    }

    /// Opens the same file again, if it still exists, and leaves the old descriptor alone.
    fn reopen(&mut self, path: &Path) -> io::Result<()> {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        let reopened = Self::new(file);
        if reopened.identity != self.identity {
            return Err(io::Error::other(
                "the program has closed the file, and its path names another file",
            ));
        }
        core::mem::forget(core::mem::replace(self, reopened));
        Ok(())
    }
}

/// Each read checks the descriptor first: it may belong to a pipe of the program by now.
impl Read for &OwnFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.get()?.read(buffer)
    }
}

/// Each write checks the descriptor first.
impl Write for &OwnFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.get()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.get()?.flush()
    }
}

impl Seek for &OwnFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.get()?.seek(to)
    }
}

impl Drop for OwnFile {
    fn drop(&mut self) {
        if self.get().is_err() {
            core::mem::forget(self.file.take());
        }
    }
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "another file may have the descriptor now")]
mod unix {
    use std::fs::File;
    use std::os::fd::{AsRawFd, FromRawFd, RawFd};

    // On 32-bit systems the plain call of glibc rejects inodes and sizes that need 64 bits.
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    use libc::{fstat, stat};
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    use libc::{fstat64 as fstat, stat64 as stat};

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Identity {
        pub(crate) device: u64,
        pub(crate) inode: u64,
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

        pub(super) fn of_file(file: &File) -> Option<Self> {
            Self::of(file.as_raw_fd())
        }
    }

    /// For the recorder's files. Below macOS's default limit of descriptors, which is 256.
    pub(super) const LOWEST: RawFd = 200;

    /// Moves a file to a free descriptor with a high number, if there is one.
    ///
    /// A program that closes all descriptors gets the lowest numbers for its next files. So a write
    /// that is under way at that moment fails, instead of going into one of the program's new files.
    pub(super) fn moved_up(file: File) -> File {
        // SAFETY: `file` owns an open descriptor.
        let moved = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, LOWEST) };
        if moved < 0 {
            return file;
        }
        // SAFETY: the call returned a new descriptor, which has no other owner.
        unsafe { File::from_raw_fd(moved) }
    }
}

/// The temporary file that has not replaced another file yet; null without one.
///
/// It is no lock: the session's thread could hold the lock while another thread forks, and then the
/// child's own session would wait for it forever. A session writes one temporary file at a time.
static UNFINISHED: AtomicPtr<Unfinished> = AtomicPtr::new(ptr::null_mut());

struct Unfinished {
    pid: u32,
    path: PathBuf,
}

#[cfg_attr(not(unix), expect(dead_code, reason = "only signals end a program early"))]
pub(crate) fn remove_unfinished() {
    if let Some(unfinished) = note(None)
        && unfinished.pid == std::process::id()
    {
        let _ = fs::remove_file(&unfinished.path);
    }
}

#[expect(unsafe_code, reason = "takes a box out of an atomic pointer")]
fn note(unfinished: Option<Unfinished>) -> Option<Box<Unfinished>> {
    let new = unfinished.map_or(ptr::null_mut(), |file| Box::into_raw(Box::new(file)));
    let before = UNFINISHED.swap(new, Ordering::AcqRel);
    // SAFETY: a pointer that is not null is from `Box::into_raw`, and the swap returns it only once.
    (!before.is_null()).then(|| unsafe { Box::from_raw(before) })
}

/// A new file next to another one. It is removed when dropped.
struct Temporary {
    path: PathBuf,
    is_in_place: bool,
}

/// If this many random names are taken, another user has created them on purpose.
const TRIES: usize = 16;

impl Temporary {
    /// The name cannot be predicted and links are not followed, because another user may have put a
    /// link in a shared folder.
    fn beside(path: &Path) -> io::Result<(Self, OwnFile)> {
        let mut error = io::ErrorKind::AlreadyExists.into();
        for _ in 0..TRIES {
            let random = RandomState::new().hash_one(path);
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{random:016x}.tmp"));
            let path = PathBuf::from(name);
            let made = OpenOptions::new().read(true).append(true).create_new(true).open(&path);
            match made {
                Ok(file) => {
                    drop(note(Some(Unfinished { pid: std::process::id(), path: path.clone() })));
                    return Ok((Self { path, is_in_place: false }, OwnFile::new(file)));
                }
                Err(other) if other.kind() == io::ErrorKind::AlreadyExists => error = other,
                Err(other) => return Err(other),
            }
        }
        Err(error)
    }

    /// Renames the file to `path` after its content is on the disk. A file or a link at `path` is
    /// replaced.
    ///
    /// After a power failure, `path` is the old file or the new one, never an empty one.
    fn replace(mut self, file: &OwnFile, path: &Path) -> io::Result<()> {
        file.get()?.sync_all()?;
        fs::rename(&self.path, path)?;
        self.is_in_place = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_in_place {
            let _ = fs::remove_file(&self.path);
        }
        drop(note(None));
    }
}

/// Writes the names of the files in a folder to the disk, so that they survive a power failure.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent().filter(|_| cfg!(unix)) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(all(test, unix))]
#[expect(unsafe_code, reason = "a descriptor is given to another file")]
mod tests {
    use super::OwnFile;
    use std::fs::{self, File};
    use std::io::{Read, Seek, Write};
    use std::os::fd::AsRawFd;

    #[test]
    fn nothing_is_written_or_read_where_the_program_has_another_file_now() {
        let folder = std::env::temp_dir();
        let name = |name| folder.join(format!("memprof-{}-{name}", std::process::id()));
        let (mine, theirs) = (name("mine"), name("theirs"));
        fs::write(&theirs, "of the program").expect("the folder can be written");
        let own = OwnFile::new(File::create_new(&mine).expect("it is new"));
        (&own).write_all(b"a line").expect("it is the session's");

        let descriptor = own.get().expect("it is the session's").as_raw_fd();
        assert!(descriptor >= super::unix::LOWEST, "{descriptor}");
        let other = File::open(&theirs).expect("it is there");
        // SAFETY: both descriptors are open. The only user of the first descriptor checks it before
        // each use.
        let moved = unsafe { libc::dup2(other.as_raw_fd(), descriptor) };
        assert_eq!(moved, descriptor);

        (&own).write_all(b"another").expect_err("it is not the session's");
        (&own).rewind().expect_err("it is not the session's");
        (&own).read(&mut [0; 8]).expect_err("it is not the session's");
        drop(own);
        // SAFETY: `F_GETFD` accepts any number and only reports whether it is open.
        assert_ne!(unsafe { libc::fcntl(descriptor, libc::F_GETFD) }, -1, "it was closed");
        assert_eq!(fs::read(&mine).expect("it is there"), b"a line");
        assert_eq!(fs::read(&theirs).expect("it is there"), b"of the program");
        // SAFETY: no other code uses the number that `dup2` assigned.
        unsafe { libc::close(descriptor) };
        fs::remove_file(mine).expect("it is there");
        fs::remove_file(theirs).expect("it is there");
    }
}
