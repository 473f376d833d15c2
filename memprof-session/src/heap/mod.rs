//! The counts and samples of memprof's global allocator, in the form of snapshots and files.
#![expect(clippy::unused_self, reason = "a value proves that the allocator records")]

mod claims;
#[cfg(unix)]
mod emergency;
mod rows;

pub(crate) use claims::Claims;
#[cfg(unix)]
pub(crate) use emergency::Emergency;

// The memory of the profiler's work is counted separately, and not sampled.
pub(crate) use memprof_heap::hooks::{
    recorded as as_program, unrecorded as as_profiler, unrecorded_thread as as_profiler_thread,
};

use super::config::Config;
use super::framework;
use super::time::nanoseconds;
use super::wake::wake;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use memprof_heap::event::PathReader;
use memprof_heap::hooks::Wake;
use memprof_heap::leak::{Leak, LeakWatch};
use memprof_heap::operation::operation_paths;
use memprof_heap::site::{Names, StackId, largest_with};
use memprof_heap::{Level, LevelRequest, ProfilerTotals, Rate, Since, recorder};
use memprof_recording::document::{
    HeapLevel, HeapTotals, Leak as Suspect, Module, OperationEvent, OperationPath, StackRow,
    StackTable, Summary, ThreadName,
};
use std::collections::BTreeSet;

#[derive(Debug)]
pub(crate) struct Heap {
    _level: LevelRequest,
    paths: PathReader,
    watch: Option<LeakWatch>,
    written: WrittenStacks,
    is_early: bool,
}

/// The time at which the session began, in nanoseconds of the clock that times events.
static BEGAN: AtomicU64 = AtomicU64::new(0);

/// `true` if a peak was found that requires a snapshot.
static PEAK: AtomicBool = AtomicBool::new(false);

/// The sampling rate in the first minute of a session, if the program has set no rate. More samples
/// find a leak sooner, and 4,096 samples take about 20 ms.
const EARLY_RATE: Rate = Rate::adaptive(64 * 1024, 4096);
const LATER_RATE: Rate = Rate::adaptive(64 * 1024, 1024);
const EARLY_NS: u64 = 60_000_000_000;

/// The maximum number of blocks, operations and pairs of roots in a summary.
const LISTED: usize = 20;
/// For call sites and leaks. A reader joins those of one place once it has their names.
const SITES_LISTED: usize = 64;

/// The heap's queries name frames only where a reader of the file could not: without build ids.
const NAMES: Names =
    if cfg!(any(target_os = "linux", target_os = "android")) { Names::Off } else { Names::Lines };

fn start_watch() -> Option<LeakWatch> {
    LeakWatch::start().ok().map(|watch| watch.with_names(NAMES))
}

impl Heap {
    /// Makes the allocator record from now on; returns `None` if its level is off.
    ///
    /// # Errors
    /// Returns a warning for the user if memprof's allocator isn't the program's.
    pub(crate) fn begin(config: &Config) -> Result<Option<Self>, String> {
        if config.level == Level::Off {
            return Ok(None);
        }
        if !memprof_heap::is_installed() {
            return Err(
                "memprof's allocator is not installed, so the heap, operations and call sites are \
                 not recorded; add `#[global_allocator] static ALLOC: memprof::Allocator = \
                 memprof::Allocator::system();`, or set the level to `off`"
                    .to_owned(),
            );
        }
        recorder::set_default_rate(EARLY_RATE);
        let level = memprof_heap::request_level(config.level);
        BEGAN.store(memprof_heap::event::event_clock(), Relaxed);
        recorder::set_wake(Some(|why| {
            if why == Wake::Peak {
                PEAK.store(true, Relaxed);
            }
            wake();
        }));
        // Earlier events do not belong to this session. They are dropped before events are switched
        // on, because from then on each thread reports its name only once.
        memprof_heap::event::drain_operation_events(drop);
        recorder::set_operation_events(config.operation_events > 0);
        recorder::set_wall_time(config.wall_time);
        let watch = start_watch();
        Ok(Some(Self {
            _level: level,
            paths: PathReader::new(),
            watch,
            written: WrittenStacks::default(),
            is_early: true,
        }))
    }

    pub(crate) fn end(self) {
        recorder::set_wake(None);
        recorder::watch_live(u64::MAX);
        recorder::set_operation_events(false);
        recorder::set_wall_time(false);
        recorder::set_default_rate(Rate::ADAPTIVE);
    }

    pub(crate) fn took_peak(&self) -> bool {
        PEAK.swap(false, Relaxed)
    }

    /// Requests a wake of the session's thread as soon as more than `above_bytes` are live.
    pub(crate) fn watch_live(&self, above_bytes: u64) {
        recorder::watch_live(above_bytes);
    }

    pub(crate) fn new_stacks(&self, rows: &[StackRow]) -> StackTable {
        self.written.lacking(rows)
    }

    pub(crate) fn stacks_written(&mut self, stacks: &StackTable) {
        self.written.add(stacks);
    }

    /// Records that the file has none of the stacks, because it is new.
    pub(crate) fn forget_written_stacks(&mut self) {
        self.written = WrittenStacks::default();
    }

    pub(crate) fn observe(&mut self, at_ns: u64) {
        if self.is_early && at_ns >= EARLY_NS {
            self.is_early = false;
            recorder::set_default_rate(LATER_RATE);
        }
        match &self.watch {
            // An observation fails while sampling is off; the program may switch sampling on again.
            Some(watch) => drop(watch.observe()),
            None => self.watch = start_watch(),
        }
    }

    pub(crate) fn new_paths(&mut self) -> Vec<OperationPath> {
        self.paths.read().iter().map(rows::path).collect()
    }

    /// Also returns the number of lost calls.
    pub(crate) fn new_events(&self) -> (Vec<OperationEvent>, Vec<ThreadName>, u64) {
        let (mut events, mut names, began) = (Vec::new(), Vec::new(), BEGAN.load(Relaxed));
        let drained = memprof_heap::event::drain_with_thread_names(
            |event| {
                // A call that began before the session does not belong to it.
                if event.start_ns >= began {
                    events.push(rows::event(&event, began));
                }
            },
            |name| names.push(rows::thread_name(name)),
        );
        (events, names, drained.dropped)
    }

    /// Returns the live samples for roots to claim, or `None` if no samples are taken.
    pub(crate) fn claims(&self) -> Option<Claims> {
        Claims::take()
    }

    /// Leaves out stacks that the process does not have.
    pub(crate) fn stacks(&self, stacks: impl Iterator<Item = u32>) -> StackTable {
        stack_table(stacks)
    }

    pub(crate) fn paths_of<'r>(
        &self,
        rows: impl Iterator<Item = &'r StackRow>,
    ) -> Vec<OperationPath> {
        let wanted: BTreeSet<u32> = rows.filter_map(|row| row.path).collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let paths = operation_paths();
        paths.iter().filter(|path| wanted.contains(&path.id.number())).map(rows::path).collect()
    }

    /// `roots` are the names of the roots that have claimed samples. At the end, most programs have
    /// freed their values, so the suspects of the observation before are listed too.
    pub(crate) fn summary(
        &self,
        claims: Option<Claims>,
        roots: &[String],
        is_end: bool,
    ) -> Summary {
        let mut summary = Summary::default();
        if let Ok(operations) = memprof_heap::operations() {
            summary.operations = operations.iter().map(rows::operation).collect();
        }
        let framework = framework::summary();
        summary.framework_operations = framework.rows().iter().map(rows::framework).collect();
        if let Ok(largest) = largest_with(LISTED, NAMES) {
            summary.largest_blocks = largest.blocks.iter().map(rows::block).collect();
        }
        if let Some(watch) = &self.watch {
            let leaks = if is_end { watch.leaks_at_end() } else { watch.leaks() };
            let holders = |suspect: &Leak| {
                let claims = claims.as_ref();
                let of = |by: &Claims| by.holders(suspect, roots);
                claims.map_or_else(Vec::new, of)
            };
            let row = |one: &Leak| {
                let held_by = if one.was_freed { Vec::new() } else { holders(one) };
                Suspect { freed_at_end: one.was_freed, ..rows::leak(one, held_by) }
            };
            let suspect = |one: &Leak| Suspect { stacks: one.stacks.clone(), ..row(one) };
            summary.leaks = leaks.iter().map(suspect).take(SITES_LISTED).collect();
            summary.wider_leaks = leaks.wider().map(row).take(SITES_LISTED).collect();
            let doubtful = leaks.uncertain().chain(leaks.replaced()).take(SITES_LISTED);
            summary.doubtful_leaks = doubtful.map(row).collect();
            summary.leak_watch = Some(rows::leak_watch(&leaks));
        }
        let has_roots = claims.is_some();
        if let Some(claims) = claims.or_else(Claims::take) {
            (summary.sites, summary.other_sites) = claims.sites();
            if has_roots {
                summary.unexplained_sites = claims.unexplained_sites();
                summary.unexplained_operations = claims.unexplained_operations();
                summary.claimed_twice = claims.pairs(roots);
            }
        }
        let addresses = summary.places().filter_map(|place| place.address).collect();
        summary.modules = rows::modules(&addresses);
        summary
    }
}

/// `None` if the allocator does not count. Any thread may call it.
pub(crate) fn totals() -> Option<(HeapTotals, ProfilerTotals)> {
    let totals = memprof_heap::totals().ok()?;
    let level = match memprof_heap::level() {
        Level::Sampled => HeapLevel::Sampled,
        _ => HeapLevel::Counters,
    };
    let profilers = totals.profilers;
    let totals = HeapTotals {
        level,
        counted_ns: match totals.since {
            Since::Start => None,
            Since::Ago(ago) => {
                let session =
                    memprof_heap::event::event_clock().saturating_sub(BEGAN.load(Relaxed));
                Some(nanoseconds(ago).saturating_sub(session))
            }
        },
        live_bytes: totals.program_bytes(),
        profiler_bytes: totals.profiler_bytes,
        profiler_peak_bytes: totals.profilers.peak_bytes,
        live_blocks: totals.program_blocks(),
        allocated_bytes: totals.program_allocated_bytes(),
        allocated_blocks: totals.program_allocated_blocks(),
        freed_bytes: totals.program_freed_bytes(),
        freed_blocks: totals.program_freed_blocks(),
        peak_bytes: totals.peak.bytes,
        peak_error_bytes: totals.peak.error_bytes,
    };
    Some((totals, profilers))
}

/// Returns an upper bound of the live bytes, or `None` if some of them were not counted.
///
/// The counters of threads are read one after the other while the threads allocate and free. The
/// sum may therefore be too low, so the bound is 2 % higher.
pub(crate) fn live_limit() -> Option<u64> {
    let totals = memprof_heap::totals().ok()?;
    let live = totals.live_bytes().max(0).unsigned_abs();
    (totals.since == Since::Start).then(|| live.saturating_add(live / 50))
}

/// One bit for each stack that a process can have.
#[derive(Debug, Default)]
struct WrittenStacks {
    bits: Vec<u64>,
    modules: Vec<Module>,
}

impl WrittenStacks {
    fn has(&self, stack: u32) -> bool {
        let word = self.bits.get(stack as usize / 64).copied().unwrap_or(0);
        word >> (stack % 64) & 1 == 1
    }

    fn lacking(&self, stacks: &[StackRow]) -> StackTable {
        let stacks = stacks.iter().map(|row| row.stack).filter(|&stack| !self.has(stack));
        let mut table = stack_table(stacks);
        table.modules.retain(|module| !self.modules.contains(module));
        table
    }

    fn add(&mut self, table: &StackTable) {
        for &stack in table.addresses.keys() {
            let word = stack as usize / 64;
            if self.bits.len() <= word {
                self.bits.resize(word + 1, 0);
            }
            self.bits[word] |= 1 << (stack % 64);
        }
        self.modules.extend(table.modules.iter().cloned());
    }
}

/// A stack has no addresses while another thread stores it; the next moment then has it.
fn stack_table(stacks: impl Iterator<Item = u32>) -> StackTable {
    let mut table = StackTable::default();
    let stacks = stacks.map(|stack| (stack, addresses(stack)));
    table.addresses.extend(stacks.filter(|(_, stack)| !stack.is_empty()));
    let all: BTreeSet<u64> = table.addresses.values().flatten().copied().collect();
    if !all.is_empty() {
        table.modules = rows::modules(&all);
    }
    table
}

/// Returns the innermost address first; nothing if the process has no such stack.
fn addresses(stack: u32) -> Vec<u64> {
    let addresses = StackId::from_number(stack).addresses();
    // On some systems, the outermost return address is 0.
    addresses.into_iter().map(|address| address as u64).filter(|address| *address != 0).collect()
}
