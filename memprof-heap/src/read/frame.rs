//! Frames of call stacks, with functions, files and lines; their lookup in the program's debug
//! information; and the place that identifies a stack.
//!
//! Frames are named in the process or, by their addresses, in another one. The number of a stack
//! stays the same while the process runs.

use crate::record::fork_lock::{FREE, ForkLock};
use crate::record::hooks::for_caller;
use crate::record::{process, stacks};
use core::ffi::c_void;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::sync::atomic::AtomicU32;
use memprof_profile::text::{
    self, CUT_ADDRESS, CUT_FRAMES, CodeOrigin, CodePlace, KeyFrames, current_folder,
    is_allocation_hook,
};
use std::collections::BTreeMap;
use std::hash::DefaultHasher;
use std::sync::{Arc, Mutex, PoisonError};

/// A function on a call stack, and its location in the source.
///
/// Names come from the program's debug information: `debug = "line-tables-only"` in the Cargo
/// profile suffices. Without it, only functions may be known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Frame {
    /// The function, if known.
    pub function: Option<Arc<str>>,
    /// The file, as passed to the compiler.
    pub file: Option<Arc<str>>,
    /// The line.
    pub line: Option<u32>,
    /// The address in the function to which the inner function returns; 0 for the
    /// [location](crate::site::Site::location) of a call site, which may have several.
    pub address: usize,
}

impl Frame {
    fn unnamed(address: usize) -> Self {
        if address as u64 == CUT_ADDRESS {
            return Self { function: Some(CUT_FRAMES.into()), file: None, line: None, address: 0 };
        }
        Self { function: None, file: None, line: None, address }
    }

    /// Returns true for code of the program or of a crate. Returns false for the allocator, and for
    /// the standard library and the collections of other crates, which allocate for their callers.
    ///
    /// Also returns true for the frame that represents all stacks without a slot in the table.
    pub fn is_yours(&self) -> bool {
        self.origin().is_own()
    }

    fn origin(&self) -> CodeOrigin {
        if self.function.as_deref() == Some(FULL_TABLE) {
            return CodeOrigin::Dependency;
        }
        CodeOrigin::of(self.function.as_deref(), self.file.as_deref(), None)
    }

    /// Files are relative to a folder, and are never cut.
    pub(crate) fn within(&self, width: usize, folder: Option<&str>) -> String {
        let place = CodePlace::new(self.function.as_deref(), self.file.as_deref(), self.line);
        place.within(width, folder).unwrap_or_else(|| format!("{:#x}", self.address))
    }
}

/// The function of the only frame of a stack for which the table of call sites had no slot.
const FULL_TABLE: &str = "other sites: the table of call sites is full";

impl fmt::Display for Frame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.within(usize::MAX, current_folder().as_deref()))
    }
}

/// Returns the frame that represents a stack: the innermost one of the program.
pub(crate) fn location(frames: &[Frame]) -> Option<&Frame> {
    frames.iter().find(|frame| frame.is_yours())
}

pub(crate) fn key_frames(frames: &[Frame]) -> KeyFrames<&Frame> {
    KeyFrames::of(frames, Frame::origin)
}

/// The identity of a call site: the line that allocates, and the line of the user's code for which
/// it does. Copies of a function differ only in their address, so the frames here have none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Named {
        allocates: Frame,
        your_code: Option<Frame>,
    },
    /// Stacks without names, by the hash of their addresses.
    Unnamed(u64),
    /// All stacks whose frames have names, none of which is the program's own.
    Foreign,
}

impl Place {
    pub(crate) fn of(frames: &[Frame]) -> Self {
        let key = key_frames(frames);
        if let Some(allocates) = key.allocates {
            let line = |frame: &Frame| Frame { address: 0, ..frame.clone() };
            return Self::Named { allocates: line(allocates), your_code: key.your_code.map(line) };
        }
        let is_cut = |frame: &Frame| frame.origin() == CodeOrigin::Cut;
        if frames.iter().any(|frame| frame.function.is_some() && !is_cut(frame)) {
            return Self::Foreign;
        }
        let mut hash = DefaultHasher::new();
        for frame in frames {
            frame.address.hash(&mut hash);
        }
        Self::Unnamed(hash.finish())
    }

    /// Returns the function that allocates, if its name is known.
    pub(crate) fn allocates(&self) -> Option<&Frame> {
        if let Self::Named { allocates, .. } = self { Some(allocates) } else { None }
    }

    pub(crate) fn your_code(&self) -> Option<&Frame> {
        if let Self::Named { your_code, .. } = self { your_code.as_ref() } else { None }
    }
}

pub(crate) const WIDTH: usize = 100;

const CALLERS: usize = 6;

/// Writes nothing if the stack has none of the user's code.
pub(crate) fn write_called(
    out: &mut impl fmt::Write,
    key: &KeyFrames<&Frame>,
    allocating: &[&Frame],
    folder: Option<&str>,
) -> fmt::Result {
    if key.your_code.is_none() {
        return Ok(());
    }
    let text = |frame: &Frame, width| frame.within(width, folder);
    text::write_called(out, key.called, allocating, key.cut, WIDTH, text)
}

/// Writes the callers of the frames that explain a stack, without folded ones.
pub(crate) fn write_callers(
    out: &mut impl fmt::Write,
    stack: &[Frame],
    key: &KeyFrames<&Frame>,
    folder: Option<&str>,
) -> fmt::Result {
    let inner = key.your_code.or(key.allocates);
    let at = inner.and_then(|inner| stack.iter().position(|frame| core::ptr::eq(frame, inner)));
    let outer = stack.iter().skip(at.unwrap_or_default() + 1);
    let mut callers = outer.filter(|frame| frame.origin().is_listed()).take(CALLERS);
    callers.try_for_each(|frame| writeln!(out, "    from {}", frame.within(WIDTH - 9, folder)))
}

/// Formats the user's code and the function that allocates in one line.
pub(crate) fn key_line(frames: &[Frame], folder: Option<&str>) -> String {
    /// The maximum number of columns of each, without files and lines that are longer.
    const WIDTH: usize = 80;
    let key = key_frames(frames);
    let text = |frame: &Frame| frame.within(WIDTH, folder);
    let line = key.allocates.map(|allocates| text::key_line(key.your_code, allocates, text));
    line.unwrap_or_else(|| UNKNOWN_PLACE.to_owned())
}

/// Formats the frame of a place. If it is unknown, no frame of the stack is the program's own.
pub(crate) fn place_line(frame: Option<&Frame>, width: usize, folder: Option<&str>) -> String {
    frame.map_or_else(|| UNKNOWN_PLACE.to_owned(), |frame| frame.within(width, folder))
}

const UNKNOWN_PLACE: &str = if cfg!(all(windows, target_pointer_width = "32")) {
    "unknown: no call stacks on this platform"
} else {
    "unknown: no debug information"
};

memprof_profile::keywords! {
    /// Whether the process itself looks up the names of frames.
    ///
    /// Without names, frames have their addresses. The command `memprof` looks up the addresses of
    /// a recording outside of the process.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Names {
        /// Frames have addresses only. Nothing is read.
        Off => "off",
        /// Frames have functions, files and lines. Reading the program's debug information takes
        /// tens of megabytes of memory, or hundreds in a large program.
        #[default]
        Lines => "lines",
    }
}

/// The number of a call stack in this process.
///
/// Samples from the same stack have the same number, and a stack keeps its number until the process
/// exits. So a recorder can write each stack once, and refer to it by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StackId(u32);

impl StackId {
    /// The number shared by all stacks without a slot in the table. No frames are stored for this
    /// number.
    pub const OTHER: Self = Self(stacks::OTHER);

    /// Returns the number, which is less than 100,000.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the stack of a [number](Self::number) of this process.
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// Returns the return addresses of the stack, innermost first, including those of the
    /// allocator. A stack of more than 65 frames has its innermost 40 and its outermost 24, with
    /// the address 1 between them. If it has 1,024 frames or more, only the innermost 40 are kept.
    ///
    /// Returns nothing for [`OTHER`](Self::OTHER), for a number without a stack, and while another
    /// thread stores the stack.
    pub fn addresses(self) -> Vec<usize> {
        for_caller(|| stacks::frames_of(self.0).collect())
    }
}

/// A lookup of frames by address. The frames of up to `MAX` addresses are cached for the life of
/// the process. Further addresses are looked up each time.
///
/// The lookup reads tens of megabytes of debug information, which are freed when this is dropped.
/// After that, the next unknown address takes about 0.1 s again.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    names: Names,
    looked_up: bool,
}

type Known = BTreeMap<usize, Vec<Frame>>;

/// The frames that were found, about 200 bytes each. Only `known` may access this map.
static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
static KNOWN_LOCK: ForkLock = ForkLock { owner: AtomicU32::new(FREE) };
/// The maximum number of addresses in `KNOWN`, which is higher than most programs need.
const MAX: usize = 1 << 16;

/// Returns `None` in a child that was forked while another thread changed the frames.
fn known<T>(read: impl FnOnce(&mut Known) -> T) -> Option<T> {
    // The mutex is free because the lock is held.
    KNOWN_LOCK
        .run_unless_orphaned(|| read(&mut KNOWN.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// The lock that a thread holds while it calls a function of `backtrace` that takes the crate's own
/// lock. If a fork left that lock locked, no further names are found in the child.
static LOOKING_UP: ForkLock = ForkLock { owner: AtomicU32::new(FREE) };

/// The number of innermost addresses of a stack that may be in the allocator. Without optimisation,
/// the last such address is the tenth.
const HOOK_DEPTH: usize = 16;

impl Drop for Symbols {
    fn drop(&mut self) {
        self.release_cache();
    }
}

impl Symbols {
    pub(crate) fn new(names: Names) -> Self {
        Self { names, looked_up: false }
    }

    /// If the table of call sites had no slot for the stack, returns one frame that states that.
    pub(crate) fn of_site(&mut self, site: u32) -> Vec<Frame> {
        if site == stacks::OTHER {
            let function = Some(FULL_TABLE.into());
            return vec![Frame { function, file: None, line: None, address: 0 }];
        }
        self.frames(&stacks::frames_of(site).collect::<Vec<_>>())
    }

    /// Returns the frames of a stack, innermost first, without those of the allocator itself.
    /// Inlined functions have frames of their own.
    fn frames(&mut self, addresses: &[usize]) -> Vec<Frame> {
        if self.names == Names::Off {
            return addresses.iter().map(|address| Frame::unnamed(*address)).collect();
        }
        let (mut frames, mut first) = (Vec::new(), 0);
        for (depth, address) in addresses.iter().enumerate() {
            let from = frames.len();
            self.add(*address, &mut frames);
            if depth < HOOK_DEPTH {
                first = past_hook(&frames[from..]).map_or(first, |past| from + past);
            }
        }
        frames.split_off(first)
    }

    pub(crate) fn release_cache(&mut self) {
        if core::mem::take(&mut self.looked_up) {
            process::as_profiler(|| LOOKING_UP.run_unless_orphaned(backtrace::clear_symbol_cache));
        }
    }

    /// The cached frames are memory of memprof, the returned frames are memory of the caller.
    fn add(&mut self, address: usize, frames: &mut Vec<Frame>) {
        if address as u64 == CUT_ADDRESS {
            frames.push(Frame::unnamed(address));
            return;
        }
        let add_known = |frames: &mut Vec<Frame>| {
            let add = |known: &mut Known| {
                known.get(&address).map(|found| frames.extend_from_slice(found)).is_some()
            };
            known(add).unwrap_or(false)
        };
        if add_known(frames) {
            return;
        }
        self.looked_up = true;
        process::as_profiler(|| {
            // Don't hold the lock of `KNOWN`, so that other threads can read frames meanwhile.
            let found = find(address);
            known(|known| {
                if known.len() < MAX {
                    known.insert(address, found);
                }
            });
        });
        if !add_known(frames) {
            frames.extend(find(address));
        }
    }
}

/// Returns the index of the first frame outside of the allocator, if one of the frames is inside.
fn past_hook(frames: &[Frame]) -> Option<usize> {
    let is_hook =
        |frame: &Frame| is_allocation_hook(frame.function.as_deref(), frame.file.as_deref());
    frames.iter().rposition(is_hook).map(|last| last + 1)
}

fn find(address: usize) -> Vec<Frame> {
    let mut frames = Vec::new();
    LOOKING_UP.run_unless_orphaned(|| {
        backtrace::resolve(core::ptr::without_provenance_mut::<c_void>(address), |symbol| {
            frames.push(Frame {
                // `#` omits the hash at the end.
                function: symbol.name().map(|name| format!("{name:#}").into()),
                file: symbol.filename().map(|file| file.to_string_lossy().into()),
                line: symbol.lineno(),
                address,
            });
        });
    });
    if frames.is_empty() {
        frames.push(Frame::unnamed(address));
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::Frame;

    #[test]
    fn a_function_without_a_file_is_shown_by_its_name() {
        let is_yours = |function: &str| {
            let function = Some(function.into());
            Frame { function, file: None, line: None, address: 0 }.is_yours()
        };
        for name in [
            "alloc::vec::Vec<T>::push",
            "<alloc::vec::Vec<mine::Type> as core::clone::Clone>::clone",
            "<&str as core::fmt::Display>::fmt",
            "<[T] as alloc::slice::Join<&str>>::join",
            "<&alloc::string::String as core::fmt::Display>::fmt",
        ] {
            assert!(!is_yours(name), "{name}");
        }
        for name in [
            "mine::function",
            "<mine::Type as core::clone::Clone>::clone",
            "<&mine::Type as core::fmt::Display>::fmt",
            "<str as mine::Trait>::function",
        ] {
            assert!(is_yours(name), "{name}");
        }
    }
}

#[cfg(test)]
mod symbols_tests {
    #[cfg(unix)]
    #[test]
    #[expect(unsafe_code, reason = "to fork is unsafe")]
    fn a_child_forked_while_names_are_looked_up_reads_stacks() {
        use super::Symbols;
        use super::find;
        use std::sync::atomic::AtomicBool;
        use std::sync::atomic::Ordering::Relaxed;
        use std::time::Duration;
        use std::time::Instant;

        // A child takes over locks only if it notices that it is one.
        crate::record::fork::register(drop);
        let address = (find as *const () as usize) + 1;
        let done = AtomicBool::new(false);
        let exited = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    find(address);
                }
            });
            let exited = (0..20).all(|number| {
                std::thread::sleep(Duration::from_millis(number));
                // SAFETY: the child only looks up a name, which is sound in a child that may
                // allocate, and exits.
                let child = unsafe { libc::fork() };
                if child == 0 {
                    let frames = Symbols::default().frames(&[address + number as usize]);
                    // SAFETY: this only ends the child.
                    unsafe { libc::_exit(i32::from(frames.is_empty())) };
                }
                let end = Instant::now() + Duration::from_secs(20);
                let mut status = 1;
                loop {
                    // SAFETY: the pointer to the status is valid.
                    let ended = unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) };
                    if ended == child {
                        break status == 0;
                    }
                    if Instant::now() > end {
                        // SAFETY: it is a child that has not been waited for.
                        unsafe { libc::kill(child, libc::SIGKILL) };
                        // SAFETY: as above.
                        unsafe { libc::waitpid(child, &raw mut status, 0) };
                        break false;
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            done.store(true, Relaxed);
            exited
        });
        assert!(exited, "a child hangs");
    }

    #[test]
    fn the_frame_of_unnamed_stacks_states_that_the_table_is_full() {
        let frames = super::Symbols::default().of_site(crate::record::stacks::OTHER);
        let functions: Vec<_> = frames.iter().map(|frame| frame.function.as_deref()).collect();
        assert_eq!(functions, [Some("other sites: the table of call sites is full")]);
    }
}
