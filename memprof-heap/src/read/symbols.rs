//! The look-up of frames by address, from the program's debug information.

use crate::read::frame::{FULL_TABLE, Frame, Names, Place, key_frames};
use crate::record::fork_lock::{FREE, ForkLock};
use crate::record::{hooks, stacks};
use core::ffi::c_void;
use core::sync::atomic::AtomicU32;
use memprof_profile::text::{CUT_ADDRESS, is_allocation_hook};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

/// A look-up of frames by address. The frames of up to `MAX` addresses are cached for the life of
/// the process. Further addresses are looked up each time.
///
/// The look-up reads tens of megabytes of debug information, which are freed when this is dropped.
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

/// Calls `read` with the frames that were found. Returns `None` in a child process that was forked
/// while a thread of its parent changed them.
fn known<T>(read: impl FnOnce(&mut Known) -> T) -> Option<T> {
    // The mutex is free because the lock is held.
    let _held = KNOWN_LOCK.lock_unless_orphaned()?;
    Some(read(&mut KNOWN.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// The lock that a thread holds while it calls a function of `backtrace` that takes the crate's own
/// lock.
static LOOKING_UP: ForkLock = ForkLock { owner: AtomicU32::new(FREE) };

/// Runs work that takes the lock of `backtrace`. Returns `None` if a fork left that lock locked: in
/// this process, no further names are found.
fn look_up<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _held = LOOKING_UP.lock_unless_orphaned()?;
    Some(work())
}

/// The number of innermost addresses of a stack that may be in the allocator. Without optimisation,
/// the last such address is the tenth.
const HOOK_DEPTH: usize = 16;

/// The frames that matter for places, by address.
#[derive(Debug, Default)]
pub(crate) struct Locations(HashMap<usize, Location>);

#[derive(Debug)]
struct Location {
    /// True if one of the frames at the address is in the allocator.
    has_hook: bool,
    /// The innermost frame that is the program's own, outside of the allocator.
    allocates: Option<Frame>,
    /// The innermost frame of the user's code.
    your_code: Option<Frame>,
}

impl Drop for Symbols {
    fn drop(&mut self) {
        self.release_cache();
    }
}

impl Symbols {
    /// Returns a look-up that names frames as `names` selects.
    pub(crate) fn new(names: Names) -> Self {
        Self { names, looked_up: false }
    }

    /// Returns the frames of a call site's stack, like [`frames`](Self::frames). If the table of
    /// call sites had no slot for the stack, returns one frame that states that.
    pub(crate) fn of_site(&mut self, site: u32) -> Vec<Frame> {
        if site == stacks::OTHER {
            let function = Some(FULL_TABLE.into());
            return vec![Frame { function, file: None, line: None, address: 0 }];
        }
        self.frames(&stacks::frames_of(site))
    }

    /// Returns the frames of a stack, the innermost first, without those of the allocator itself.
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

    /// Returns the place of a call site. It looks up no more frames than it needs.
    pub(crate) fn place_of_site(&mut self, site: u32, known: &mut Locations) -> Place {
        if self.names != Names::Off
            && site != stacks::OTHER
            && let Some(place) = self.named_place(site, known)
        {
            return place;
        }
        Place::of(&self.of_site(site))
    }

    fn named_place(&mut self, site: u32, known: &mut Locations) -> Option<Place> {
        let (mut allocates, mut your_code) = (None, None);
        for (depth, address) in stacks::frames_of(site).into_iter().enumerate() {
            if depth >= HOOK_DEPTH && your_code.is_some() {
                break;
            }
            let of = known.0.entry(address).or_insert_with(|| self.location_of(address));
            if depth < HOOK_DEPTH && of.has_hook {
                (allocates, your_code) = (None, None);
            }
            allocates = allocates.or_else(|| of.allocates.clone());
            your_code = your_code.or_else(|| of.your_code.clone());
        }
        Some(Place::Named { allocates: allocates?, your_code })
    }

    fn location_of(&mut self, address: usize) -> Location {
        let mut frames = Vec::new();
        self.add(address, &mut frames);
        let past = past_hook(&frames);
        let key = key_frames(&frames[past.unwrap_or_default()..]);
        let (allocates, your_code) = (key.allocates.cloned(), key.your_code.cloned());
        Location { has_hook: past.is_some(), allocates, your_code }
    }

    /// Frees the symbols that the `backtrace` crate cached, if any were looked up.
    pub(crate) fn release_cache(&mut self) {
        if core::mem::take(&mut self.looked_up) {
            hooks::run(|| look_up(backtrace::clear_symbol_cache));
        }
    }

    /// Adds the frames of an address. The cached frames are memory of memprof, and the returned
    /// frames are memory of the caller.
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
        hooks::run(|| {
            // Don't hold the lock of `KNOWN` here, so that other threads can read frames during the
            // look-up.
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
    look_up(|| {
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
    /// Forks while another thread looks up names.
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
