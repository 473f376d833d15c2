//! The resident memory of the process, split by what it is for.
//!
//! `/proc/self/smaps` has the resident bytes of each map, but not what a map is for. Each kind is found
//! in its own way:
//!
//! - **files** have a path;
//! - **stacks**: glibc registers the head of each thread's robust list, which is at the upper end of the
//!   thread's stack. One system call returns it, for a running thread too. Guard pages would not do:
//!   other code has them as well, newer versions of glibc have none, and the kernel may merge a stack
//!   with the map above it;
//! - **blocks of glibc**: `[heap]`, the heaps of its other arenas (aligned to 64 MiB, with a header), and
//!   large blocks, each in pages of its own behind a header with its size. Neighbours of large blocks may
//!   be merged with them into one map, so the headers are followed;
//! - everything else that is anonymous is a map of the program or a library.
//!
//! `mallinfo2` then splits glibc's blocks into used and free ones, and the counts of memprof's allocator
//! split the used ones into those of Rust and those of C. It has no symbol before glibc 2.33 and in other
//! libraries, so it is looked up at run time.
//!
//! Both readings lock what the program needs: the address space, and one arena after the other. So a
//! session reads them rarely: at its start and its end, at checkpoints and near a limit, and otherwise at
//! most once a minute, unless a reading takes longer than [`SLOW`]. Only its processor time counts: one
//! interruption on a busy machine would otherwise end the readings.
#![expect(unsafe_code, reason = "calls the operating system and the C library")]

use super::{ARENA, Counted};
use crate::threads;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ops::Range;
use core::ptr;
use memprof_recording::document::{PartKind, ResidentMemory, ResidentPart, Trigger};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::time::Duration;

/// A reading that takes longer is not repeated by itself.
const SLOW: Duration = Duration::from_millis(5);
/// The minimum time between two readings that nobody requested.
const PAUSE_NS: u64 = 60_000_000_000;
/// The number of files that are listed.
const FILES: usize = 8;
/// The part of glibc's free memory that may be in fast bins. Their blocks look used to their
/// neighbours, so with more of them it is unknown what keeps pages.
const IN_FAST_BINS: usize = 20;

#[derive(Debug, Default)]
pub(crate) struct ResidentReader {
    malloc: Option<Mallinfo2>,
    jemalloc: Option<Jemalloc>,
    readings: u64,
    last_ns: Option<u64>,
    /// The bytes that the first reading assigned to C, if the allocator had not counted from the start.
    /// Some of them may be blocks of Rust that were never counted.
    uncounted: Option<i64>,
    /// The processor time of the last reading.
    took: Duration,
    is_slow: bool,
    /// `true` if the last reading found the program's blocks in glibc's arenas, where their headers
    /// state which memory around them is free.
    has_chunks: bool,
    /// The time at which these headers were last read.
    pinned_ns: Option<u64>,
}

impl ResidentReader {
    /// Looks up the functions of the allocators. This takes the lock of the loader, so it is done on the
    /// thread that starts the session, and not later.
    pub(crate) fn new() -> Self {
        let malloc = symbol(c"mallinfo2").map(|function| {
            // SAFETY: the C library documents this type for the name.
            unsafe { core::mem::transmute::<*mut c_void, Mallinfo2>(function) }
        });
        #[cfg(feature = "jemalloc")]
        let jemalloc = Some(Jemalloc(tikv_jemalloc_sys::mallctl));
        #[cfg(not(feature = "jemalloc"))]
        let jemalloc = Jemalloc::find();
        Self { malloc, jemalloc, ..Self::default() }
    }

    /// Returns `true` if a reading is due: if it is requested, or a minute after the last one. It must
    /// fit into the time that is left. A program may have many checkpoints, so slow readings for them
    /// are a minute apart, too.
    pub(crate) fn is_due(&self, at_ns: u64, trigger: Trigger, left: Duration) -> bool {
        let next = self.last_ns.map_or(0, |last| last.saturating_add(PAUSE_NS));
        let has_rested = at_ns >= next;
        let is_due = match trigger {
            Trigger::Limit | Trigger::Signal | Trigger::End => true,
            Trigger::Checkpoint => !self.is_slow || has_rested,
            _ => !self.is_slow && has_rested,
        };
        is_due && self.took < left
    }

    /// Returns `true` if a reading of what pins free memory follows the last reading, and stores its
    /// time. The program waits for it at checkpoints, so there it is done at most once a minute.
    pub(crate) fn begin_pinned(&mut self, at_ns: u64, trigger: Trigger) -> bool {
        let has_rested = self.pinned_ns.is_none_or(|last| at_ns >= last.saturating_add(PAUSE_NS));
        let is_due = match trigger {
            Trigger::Start => false,
            Trigger::Limit | Trigger::Signal | Trigger::End => self.has_chunks,
            _ => self.has_chunks && has_rested,
        };
        if is_due {
            self.pinned_ns = Some(at_ns);
        }
        is_due
    }

    /// Returns `None` if the kernel does not report maps.
    pub(crate) fn read(
        &mut self,
        at_ns: u64,
        counted: impl FnOnce() -> Option<Counted>,
    ) -> Option<ResidentMemory> {
        let began_ns = threads::cpu_ns();
        self.last_ns = Some(at_ns);
        let counted = counted();
        // SAFETY: the function has no arguments, and takes only locks that `malloc` takes too.
        let malloc = self.malloc.map(|mallinfo2| unsafe { mallinfo2() });
        let allocator_free = self.jemalloc.and_then(Jemalloc::free);
        let mut found = Maps::read().ok()?.sorted(malloc);
        found.allocator_free = allocator_free.map(signed);
        self.has_chunks = found.is_malloc_of_rust
            && malloc.is_some_and(|malloc| malloc.fsmblks <= malloc.fordblks / IN_FAST_BINS);
        let uncounted = self.uncounted.unwrap_or(i64::MAX);
        let parts = found.parts(counted, uncounted);
        let of_c = parts.iter().find(|part| part.kind == PartKind::CLibraries);
        self.uncounted = self.uncounted.or_else(|| of_c?.bytes);
        let took_ns = threads::cpu_ns().zip(began_ns).map_or(0, |(now, began)| now - began);
        self.took = Duration::from_nanos(took_ns);
        self.readings += 1;
        self.is_slow |= self.took > SLOW;
        Some(ResidentMemory {
            number: self.readings,
            took_ns,
            is_slow: self.is_slow,
            resident_bytes: found.resident_bytes.unsigned_abs(),
            threads: found.threads,
            parts,
        })
    }
}

/// What was found in the maps. Amounts are resident bytes unless stated otherwise.
#[derive(Debug, Default)]
struct Found {
    resident_bytes: i64,
    /// `[heap]` and the heaps of other arenas.
    arenas: i64,
    large_blocks: i64,
    /// Bytes of large blocks that were not found, resident or not.
    unfound: i64,
    /// `None` if the stacks of threads are not found, because the C library is not glibc.
    stacks: Option<i64>,
    threads: u64,
    anonymous: i64,
    files: Vec<(String, i64)>,
    /// The counts of `malloc`; `None` if they are unknown.
    malloc: Option<MallocCounts>,
    /// `true` if the blocks of the program are blocks of `malloc`.
    is_malloc_of_rust: bool,
    /// The free bytes of the program's allocator, if it is not `malloc`.
    allocator_free: Option<i64>,
}

/// The bytes of a block of glibc that are not the program's: at least its header, and in small and
/// aligned blocks also the rounding.
const OVERHEAD: [i64; 3] = [8, 16, 32];
/// The bytes of freed blocks that glibc keeps for each thread and counts as used.
const THREAD_CACHE: i64 = 240 << 10;

impl Found {
    /// Returns the parts, which add up to the resident bytes. If the allocator has not counted from the
    /// start, at most `uncounted` bytes of blocks of Rust are not counted.
    fn parts(&self, counted: Option<Counted>, uncounted: i64) -> Vec<ResidentPart> {
        let counts = counted.unwrap_or_default();
        let Counted { live_bytes, live_blocks, profiler_bytes, table_bytes, .. } = counts;
        let own = live_bytes + profiler_bytes;
        let mut parts = Vec::new();
        let mut add = |kind, bytes: Option<i64>, range: Option<[i64; 2]>| {
            let range = range.filter(|range| Some(range[0]) != bytes || Some(range[1]) != bytes);
            parts.push(ResidentPart { kind, file: None, bytes, range });
        };
        add(PartKind::LiveHeap, counted.map(|_| live_bytes), None);
        add(PartKind::Profiler, counted.map(|_| profiler_bytes + table_bytes), None);
        let mut not_resident = 0;
        let mut anonymous = self.anonymous;
        let mut free_of_malloc = None;
        if let Some(malloc) = &self.malloc {
            let used = malloc.used + malloc.large - counts.reserved_bytes;
            let free = (self.arenas - malloc.used).clamp(0, malloc.free.max(0));
            let resident = self.arenas - free + self.large_blocks;
            not_resident = (resident - used).min(0);
            free_of_malloc = Some((free, [free, malloc.free.min(self.arenas).max(free)]));
            // memprof's tables are blocks of malloc, whatever the allocator of the program is.
            let (requested, blocks) = if self.is_malloc_of_rust {
                (own + table_bytes, live_blocks)
            } else {
                (table_bytes, 0)
            };
            let [least, usual, most] = OVERHEAD.map(|bytes| used - requested - bytes * blocks);
            let of_c = usual.max(0);
            let overhead = (used - requested - of_c).max(0);
            // If all blocks of malloc are those of C, so are the pages that were never touched.
            let untouched = if self.is_malloc_of_rust { 0 } else { not_resident.max(-of_c) };
            let [of_c, least, most] = [of_c, least, most].map(|bytes| bytes + untouched);
            not_resident -= untouched;
            let cached = THREAD_CACHE.saturating_mul(signed(self.threads));
            let low = most.saturating_sub(cached).saturating_add(not_resident);
            let low = low.saturating_sub(if counts.is_complete { 0 } else { uncounted }).max(0);
            let known = counted.map(|_| of_c);
            add(PartKind::CLibraries, known, known.map(|_| [low.min(of_c), least.max(of_c)]));
            add(PartKind::BlockOverhead, known.filter(|_| blocks > 0).map(|_| overhead), None);
        } else {
            // memprof's tables are in one of these maps.
            anonymous += self.arenas + self.large_blocks - table_bytes;
            add(PartKind::CLibraries, None, None);
        }
        if self.is_malloc_of_rust {
            let (free, range) = free_of_malloc.unzip();
            add(PartKind::AllocatorFree, free, range);
        } else {
            anonymous -= own;
            let free = self.allocator_free.map(|free| free.clamp(0, anonymous.max(0)));
            anonymous -= free.unwrap_or(0);
            add(PartKind::AllocatorFree, free, None);
            if let Some((free, range)) = free_of_malloc {
                add(PartKind::MallocFree, Some(free), Some(range));
            }
        }
        not_resident += anonymous.min(0);
        anonymous = anonymous.max(0);
        add(PartKind::NotResident, Some(not_resident), None);
        add(PartKind::Stacks, self.stacks, None);
        let low = (anonymous - self.unfound).max(0);
        add(PartKind::Anonymous, Some(anonymous), Some([low, anonymous]));
        let (listed, others) = self.files.split_at(self.files.len().min(FILES));
        let one = |kind, bytes| ResidentPart { kind, file: None, bytes: Some(bytes), range: None };
        parts.extend(listed.iter().map(|(file, bytes)| ResidentPart {
            file: Some(file.clone()),
            ..one(PartKind::File, *bytes)
        }));
        parts.push(one(PartKind::OtherFiles, others.iter().map(|(_, bytes)| bytes).sum()));
        let known: i64 = parts.iter().filter_map(|part| part.bytes).sum();
        parts.push(one(PartKind::Unexplained, self.resident_bytes - known));
        parts.retain(|part| part.bytes != Some(0));
        parts
    }
}

/// The maps of the process that have resident bytes.
#[derive(Debug, Default)]
struct Maps {
    anonymous: Vec<Map>,
    main_stack: i64,
    heap: Vec<Map>,
    files: HashMap<String, i64>,
}

/// An anonymous map.
#[derive(Clone, Debug)]
struct Map {
    at: Range<usize>,
    resident: i64,
}

impl Maps {
    fn read() -> io::Result<Self> {
        // The kernel locks the address space for each part of this size.
        let mut smaps = BufReader::with_capacity(32 << 10, File::open("/proc/self/smaps")?);
        let (mut maps, mut line) = (Self::default(), Vec::new());
        let mut current: Option<(Range<usize>, String)> = None;
        while smaps.read_until(b'\n', &mut line)? > 0 {
            if let Some(value) = line.strip_prefix(b"Rss:")
                && let Some((at, name)) = current.take()
            {
                maps.add(
                    at,
                    name,
                    signed(super::reader::bytes(value.trim_ascii_end()).unwrap_or(0)),
                );
            } else if !line.first().is_some_and(u8::is_ascii_uppercase) {
                current = header(&String::from_utf8_lossy(&line));
            }
            line.clear();
        }
        Ok(maps)
    }

    fn add(&mut self, at: Range<usize>, name: String, resident: i64) {
        match name.as_str() {
            _ if resident == 0 => {}
            "[heap]" => self.heap.push(Map { at, resident }),
            "[stack]" => self.main_stack += resident,
            "" => self.anonymous.push(Map { at, resident }),
            name if name.starts_with("[anon") => self.anonymous.push(Map { at, resident }),
            // The kernel's own pages do not count as resident.
            name if name.starts_with('[') => {}
            _ => *self.files.entry(name).or_default() += resident,
        }
    }

    /// Finds out what the maps are for.
    fn sorted(mut self, malloc: Option<MallocInfo>) -> Found {
        let mut found = Found::default();
        let of_heap: i64 = self.heap.iter().map(|map| map.resident).sum();
        let of_files: i64 = self.files.values().sum();
        let of_maps: i64 = self.anonymous.iter().map(|map| map.resident).sum();
        found.resident_bytes = of_heap + of_files + of_maps + self.main_stack;
        found.arenas = of_heap;
        let (of_threads, threads) = self.take_stacks();
        found.threads = threads;
        // Without glibc, no stack but the main thread's is found.
        found.stacks = of_threads.map(|bytes| bytes + self.main_stack);
        let unknown = if found.stacks.is_some() { 0 } else { self.main_stack };
        found.files = self.files.drain().collect();
        found.files.sort_unstable_by(|one, other| (other.1, &one.0).cmp(&(one.1, &other.0)));
        let is_of_malloc = |address: *const u8| {
            self.heap.iter().any(|map| map.at.contains(&address.addr()))
                || is_arena(address.addr() / ARENA * ARENA)
        };
        // Another library may have replaced `malloc`. Then the counts of glibc are not those of C.
        let malloc = malloc.filter(|_| is_of_malloc(Probe::of_c().0.cast()));
        let probe = Box::new([0_u8; Probe::BYTES]);
        found.is_malloc_of_rust =
            malloc.is_some() && is_of_malloc(core::hint::black_box(&probe).as_ptr());
        found.anonymous = unknown;
        let Some(malloc) = malloc else {
            found.anonymous += self.anonymous.iter().map(|map| map.resident).sum::<i64>();
            return found;
        };
        let mut blocks = LargeBlocks { left: malloc.hblkhd, resident: 0 };
        for map in &self.anonymous {
            if map.at.start.is_multiple_of(ARENA) && is_arena(map.at.start) {
                found.arenas += map.resident;
                continue;
            }
            let before = blocks.resident;
            blocks.find_in(map);
            found.anonymous += map.resident - (blocks.resident - before);
        }
        found.large_blocks = blocks.resident;
        found.unfound = signed(blocks.left as u64);
        found.malloc = Some(malloc.into());
        found
    }

    /// Removes the stacks from the maps. Returns their bytes, and the number of threads.
    fn take_stacks(&mut self) -> (Option<i64>, u64) {
        let (mut stacks, mut threads, mut is_found) = (0, 0, false);
        // The upper end of the highest stack in each map, by the map's index.
        let mut ends: HashMap<usize, usize> = HashMap::new();
        for task in fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
            threads += 1;
            let id = task.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
            // The main thread's robust list is not in its stack.
            let Some(id) = id.filter(|&id| id != std::process::id()) else { continue };
            let Some(head) = robust_list(id) else { continue };
            let index = self.anonymous.partition_point(|map| map.at.end <= head);
            if self.anonymous.get(index).is_some_and(|map| map.at.contains(&head)) {
                is_found = true;
                let end = (head + 1).next_multiple_of(page());
                let highest = ends.entry(index).or_default();
                *highest = end.max(*highest);
            }
        }
        for (index, end) in ends {
            let map = &mut self.anonymous[index];
            let is_merged = map.at.end.saturating_sub(end) > TOP_OF_STACK;
            let of_stack = if is_merged {
                let lowest = end.saturating_sub(MOST_PAGES * page());
                let pages = residency(&(map.at.start.max(lowest)..end));
                signed(resident_bytes(&pages) as u64).min(map.resident)
            } else {
                map.resident
            };
            stacks += of_stack;
            *map = Map { at: end..map.at.end, resident: map.resident - of_stack };
        }
        self.anonymous.retain(|map| map.resident > 0);
        ((is_found || threads <= 1).then_some(stacks), threads)
    }
}

/// The most bytes of a thread's variables, between the robust list and the end of the stack.
const TOP_OF_STACK: usize = 64 << 10;

/// Parses the first line of a map: its addresses and its name.
fn header(line: &str) -> Option<(Range<usize>, String)> {
    let mut rest = line.trim_end();
    let mut field = || {
        let (field, more) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = more.trim_start();
        field
    };
    let (start, end) = field().split_once('-')?;
    let at = usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?;
    // Access, offset, device, inode.
    for _ in 0..4 {
        field();
    }
    Some((at, rest.to_owned()))
}

/// Returns `true` if there is a heap of an arena at this address, according to its header: the arena, the
/// heap before it, its size, and the size that was ever accessible.
fn is_arena(address: usize) -> bool {
    let Some([arena, _, size, accessible]) = words(address) else { return false };
    let is_size = |size: usize| size > 0 && size <= ARENA && size.is_multiple_of(page());
    arena != 0 && is_size(size) && is_size(accessible) && size <= accessible
}

struct LargeBlocks {
    /// The bytes of blocks that are not found yet.
    left: usize,
    resident: i64,
}

/// The maximum number of resident pages of a map that are searched for blocks.
const SEARCHED: usize = 16_384;
/// The number of pages that one system call reads.
const AT_ONCE: usize = 512;

/// The words before a block: the size of the block before it, and its own size with flags.
type Header = [usize; 2];

impl LargeBlocks {
    /// Adds the blocks in a map. If all of the map are blocks, so are its resident bytes. Otherwise the
    /// kernel reports which pages are resident, and blocks begin at one of those.
    fn find_in(&mut self, map: &Map) {
        let mut at = map.at.start;
        while let Some(bytes) = self.block(at, map.at.end) {
            at += bytes;
        }
        if at >= map.at.end {
            self.resident += map.resident;
            return;
        }
        if self.left == 0 && at == map.at.start {
            return;
        }
        let pages = residency(&map.at);
        let index = |address: usize| (address - map.at.start) / page();
        let count = |from: usize, to: usize| {
            let to = index(to).min(pages.len());
            resident_bytes(pages.get(index(from).min(to)..to).unwrap_or_default())
        };
        let mut resident = count(map.at.start, at);
        let candidates: Vec<usize> = (index(at)..pages.len())
            .filter(|&page| pages[page])
            .map(|index| map.at.start + index * page())
            .take(SEARCHED)
            .collect();
        for addresses in candidates.chunks(AT_ONCE) {
            for (&address, header) in addresses.iter().zip(headers(addresses)) {
                if address < at {
                    continue;
                }
                if let Some(bytes) = self.take(header, map.at.end - address) {
                    at = address + bytes;
                    resident += count(address, at);
                }
            }
            if self.left == 0 {
                break;
            }
        }
        self.resident += signed(resident as u64).min(map.resident);
    }

    fn block(&mut self, at: usize, end: usize) -> Option<usize> {
        if at < end && self.left > 0 { self.take(words(at)?, end - at) } else { None }
    }

    /// Takes the block with this header, if it is one: it has the flag of a map, no block before it, and a
    /// size of at most `room`. Returns its size.
    fn take(&mut self, [before, size]: Header, room: usize) -> Option<usize> {
        const IS_MAPPED: usize = 2;
        let bytes = size & !0xFFF;
        let is_block = before == 0 && size == bytes | IS_MAPPED && bytes > 0;
        if !is_block || bytes > room || bytes > self.left {
            return None;
        }
        self.left -= bytes;
        Some(bytes)
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct MallocInfo {
    arena: usize,
    ordblks: usize,
    smblks: usize,
    hblks: usize,
    hblkhd: usize,
    usmblks: usize,
    fsmblks: usize,
    uordblks: usize,
    fordblks: usize,
    keepcost: usize,
}

type Mallinfo2 = unsafe extern "C" fn() -> MallocInfo;

#[derive(Clone, Copy, Debug, Default)]
struct MallocCounts {
    used: i64,
    free: i64,
    /// Bytes of large blocks, which are used and in no arena.
    large: i64,
}

impl From<MallocInfo> for MallocCounts {
    fn from(info: MallocInfo) -> Self {
        let [used, free, large] =
            [info.uordblks, info.fordblks, info.hblkhd].map(|bytes| signed(bytes as u64));
        Self { used, free, large }
    }
}

/// mimalloc reports only what it has committed, so its free memory is unknown.
#[derive(Clone, Copy, Debug)]
struct Jemalloc(Mallctl);

type Mallctl =
    unsafe extern "C" fn(*const c_char, *mut c_void, *mut usize, *mut c_void, usize) -> c_int;

impl Jemalloc {
    /// Finds the allocator, if its functions are visible to the loader.
    #[cfg(not(feature = "jemalloc"))]
    fn find() -> Option<Self> {
        let function = symbol(c"mallctl").or_else(|| symbol(c"_rjem_mallctl"))?;
        // SAFETY: jemalloc documents this type for the name.
        Some(Self(unsafe { core::mem::transmute::<*mut c_void, Mallctl>(function) }))
    }

    /// Returns the resident bytes that are in no block, of Rust or of C.
    fn free(self) -> Option<u64> {
        let mut epoch = 1_u64;
        let (new, null) = ((&raw mut epoch).cast(), ptr::null_mut());
        // SAFETY: the name is a C string, and the pointer is to a local number of this size.
        unsafe { self.0(c"epoch".as_ptr(), null, null.cast(), new, size_of::<u64>()) };
        let resident = self.figure(c"stats.resident").filter(|&bytes| bytes > 0)?;
        Some(resident.saturating_sub(self.figure(c"stats.allocated")?))
    }

    fn figure(self, name: &CStr) -> Option<u64> {
        let (mut bytes, mut len) = (0_usize, size_of::<usize>());
        let to = (&raw mut bytes).cast();
        // SAFETY: the name is a C string, and the pointers are to local numbers of this size.
        let result = unsafe { self.0(name.as_ptr(), to, &raw mut len, ptr::null_mut(), 0) };
        (result == 0).then_some(bytes as u64)
    }
}

struct Probe(*mut c_void);

impl Probe {
    const BYTES: usize = 48;

    fn of_c() -> Self {
        // SAFETY: the call has no preconditions.
        Self(unsafe { libc::malloc(Self::BYTES) })
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // SAFETY: the pointer is null or from `malloc`, and this is its only use after that.
        unsafe { libc::free(self.0) };
    }
}

fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name is a C string.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}

fn robust_list(thread: u32) -> Option<usize> {
    let (mut head, mut len) = (0_usize, 0_usize);
    let call = libc::SYS_get_robust_list;
    // SAFETY: the pointers are to local numbers, and the kernel only writes to them.
    let result = unsafe { libc::syscall(call, thread, &raw mut head, &raw mut len) };
    (result == 0 && head != 0).then_some(head)
}

/// Copies the headers at these addresses, up to the first address at which nothing is mapped.
fn headers(addresses: &[usize]) -> Vec<Header> {
    let mut headers = vec![Header::default(); addresses.len()];
    let remote: Vec<libc::iovec> = addresses.iter().map(|&at| span::<Header>(at)).collect();
    let read = copy(headers.as_flattened_mut(), &remote);
    headers.truncate(read / size_of::<Header>());
    headers
}

/// Copies words from an address, or returns `None` if nothing is mapped there.
pub(super) fn words<const N: usize>(address: usize) -> Option<[usize; N]> {
    let mut words = [0_usize; N];
    let read = copy(&mut words, &[span::<[usize; N]>(address)]);
    (read == size_of_val(&words)).then_some(words)
}

const fn span<T>(address: usize) -> libc::iovec {
    libc::iovec { iov_base: ptr::without_provenance_mut(address), iov_len: size_of::<T>() }
}

/// Copies from these addresses of the process. Returns the number of bytes.
pub(super) fn copy(to: &mut [usize], from: &[libc::iovec]) -> usize {
    let own = std::process::id().cast_signed();
    let local = libc::iovec { iov_base: to.as_mut_ptr().cast(), iov_len: size_of_val(to) };
    let count = from.len() as libc::c_ulong;
    // SAFETY: the kernel writes only to the slice, and checks the other addresses.
    let read = unsafe { libc::process_vm_readv(own, &raw const local, 1, from.as_ptr(), count, 0) };
    usize::try_from(read).unwrap_or(0)
}

/// A program may reserve terabytes and use little of them, and each page takes a byte here.
const MOST_PAGES: usize = 1 << 20;

/// Covers the first [`MOST_PAGES`]. Empty if the kernel refuses, for example if the map is gone.
pub(super) fn residency(pages: &Range<usize>) -> Vec<bool> {
    let pages = pages.start..pages.end.min(pages.start.saturating_add(MOST_PAGES * page()));
    let mut found = vec![0_u8; pages.len().div_ceil(page())];
    let start = ptr::without_provenance_mut(pages.start);
    // SAFETY: the kernel writes a byte for each page, and checks the addresses.
    let result = unsafe { libc::mincore(start, pages.len(), found.as_mut_ptr().cast()) };
    if result == 0 { found.iter().map(|page| page & 1 == 1).collect() } else { Vec::new() }
}

pub(super) fn resident_bytes(pages: &[bool]) -> usize {
    pages.iter().filter(|&&is_resident| is_resident).count() * page()
}

pub(super) fn page() -> usize {
    super::reader::page_bytes() as usize
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Counted, Found, MallocCounts, ResidentReader, header};
    use memprof_recording::document::{PartKind, ResidentPart};
    use std::thread::sleep;
    use std::time::Duration;

    const MIB: i64 = 1 << 20;

    #[test]
    fn a_reading_that_was_interrupted_is_not_slow() {
        let interrupted = || {
            sleep(Duration::from_millis(100));
            None
        };
        let read = ResidentReader::new().read(0, interrupted).expect("the kernel reports maps");
        assert!(read.took_ns < 100_000_000, "{} ns", read.took_ns);
    }

    /// A program with 8 MiB in the arenas, of which 5 MiB are in use, and one large block of 4 MiB.
    fn found(is_malloc_of_rust: bool) -> Found {
        let malloc = MallocCounts { used: 5 * MIB, free: 3 * MIB, large: 4 * MIB };
        Found {
            resident_bytes: 30 * MIB,
            arenas: 8 * MIB,
            large_blocks: 4 * MIB,
            stacks: Some(MIB),
            threads: 2,
            anonymous: 7 * MIB,
            files: vec![("/bin/app".to_owned(), 10 * MIB)],
            malloc: Some(malloc),
            is_malloc_of_rust,
            ..Found::default()
        }
    }

    const COUNTED: Counted = Counted {
        live_bytes: 4 * MIB,
        live_blocks: 1 << 14,
        profiler_bytes: MIB / 2,
        table_bytes: MIB / 2,
        reserved_bytes: 0,
        is_complete: true,
    };

    /// Returns the parts in KiB, and checks that they add up.
    fn parts(found: &Found, counted: Option<Counted>) -> Vec<(PartKind, Option<i64>)> {
        let parts = found.parts(counted, i64::MAX);
        let sum: i64 = parts.iter().filter_map(|part| part.bytes).sum();
        assert_eq!(sum, found.resident_bytes);
        for ResidentPart { bytes, range, .. } in &parts {
            let (Some(bytes), Some([low, high])) = (bytes, range) else { continue };
            assert!(low <= bytes && bytes <= high, "{parts:?}");
        }
        parts.iter().map(|part| (part.kind, part.bytes.map(|bytes| bytes / 1024))).collect()
    }

    #[test]
    fn blocks_of_malloc_are_those_of_rust_and_those_of_c() {
        let expected = [
            (PartKind::LiveHeap, Some(4096)),
            (PartKind::Profiler, Some(1024)),
            (PartKind::CLibraries, Some(4096 - 256)),
            (PartKind::BlockOverhead, Some(256)),
            (PartKind::AllocatorFree, Some(3072)),
            (PartKind::Stacks, Some(1024)),
            (PartKind::Anonymous, Some(7168)),
            (PartKind::File, Some(10240)),
        ];
        assert_eq!(parts(&found(true), Some(COUNTED)), expected);
        // Neither is the rest of the table of stacks, which is one large block of malloc.
        let malloc = Some(MallocCounts { used: 5 * MIB, free: 3 * MIB, large: 42 * MIB });
        let with_table = Found { malloc, ..found(true) };
        let counted = Counted { reserved_bytes: 38 * MIB, ..COUNTED };
        assert_eq!(parts(&with_table, Some(counted)), expected);
        // Blocks of Rust that were never touched are not blocks of C.
        let untouched = Counted { live_bytes: 104 * MIB, ..COUNTED };
        let mut reserved = found(true);
        reserved.malloc = Some(MallocCounts { used: 5 * MIB, free: 3 * MIB, large: 104 * MIB });
        let reserved = parts(&reserved, Some(untouched));
        assert!(reserved.contains(&(PartKind::NotResident, Some(-100 * 1024))), "{reserved:?}");
        assert!(reserved.contains(&(PartKind::CLibraries, Some(4096 - 256))), "{reserved:?}");
    }

    #[test]
    fn with_another_allocator_all_of_malloc_but_the_tables_is_of_c() {
        let mut found = found(false);
        let unknown = parts(&found, Some(COUNTED));
        for part in [
            (PartKind::CLibraries, Some(9216 - 512)),
            (PartKind::AllocatorFree, None),
            (PartKind::MallocFree, Some(3072)),
            (PartKind::Anonymous, Some(7168 - 4608)),
        ] {
            assert!(unknown.contains(&part), "{part:?} in {unknown:?}");
        }
        let malloc = MallocCounts { used: 5 * MIB, free: 3 * MIB, large: 40 * MIB };
        let reserved = parts(&Found { malloc: Some(malloc), ..self::found(false) }, Some(COUNTED));
        assert!(reserved.contains(&(PartKind::CLibraries, Some(9216 - 512))), "{reserved:?}");
        found.allocator_free = Some(3 * MIB / 2);
        let known = parts(&found, Some(COUNTED));
        assert!(known.contains(&(PartKind::AllocatorFree, Some(6144 - 4608))), "{known:?}");
        assert!(known.contains(&(PartKind::Anonymous, Some(1024))), "{known:?}");
    }

    #[test]
    fn parts_without_counts_are_unknown_and_not_0() {
        let uncounted = parts(&found(true), None);
        for part in [
            (PartKind::LiveHeap, None),
            (PartKind::CLibraries, None),
            (PartKind::AllocatorFree, Some(3072)),
            (PartKind::Unexplained, Some(9216)),
        ] {
            assert!(uncounted.contains(&part), "{part:?} in {uncounted:?}");
        }
        let musl = Found { malloc: None, is_malloc_of_rust: false, stacks: None, ..found(false) };
        let musl = parts(&Found { resident_bytes: 29 * MIB, ..musl }, Some(COUNTED));
        for part in [
            (PartKind::LiveHeap, Some(4096)),
            (PartKind::CLibraries, None),
            (PartKind::AllocatorFree, None),
            (PartKind::Stacks, None),
        ] {
            assert!(musl.contains(&part), "{part:?} in {musl:?}");
        }
    }

    #[test]
    fn the_first_line_of_a_map_has_its_addresses_and_its_name() {
        let cases = [
            ("7f00-7f10 rw-p 00000000 00:00 0 \n", Some((0x7f00..0x7f10, ""))),
            (
                "55d0-55e0 rw-p 00000000 00:00 0                          [heap]\n",
                Some((0x55d0..0x55e0, "[heap]")),
            ),
            ("1-2 r--p 0 08:01 7   /a b/c (deleted)\n", Some((1..2, "/a b/c (deleted)"))),
            ("x-2 r--p", None),
            ("", None),
        ];
        for (line, expected) in cases {
            let expected = expected.map(|(at, name)| (at, name.to_owned()));
            assert_eq!(header(line), expected, "{line}");
        }
    }
}
