//! Random operations, with all invariants checked after each.

use super::device::{BrokenPromise, Device, PER_THREAD, actual_stream, simulate_thread};
use crate::{Address, AddressSpace, Age, CachingPool, MemoryResource, Request, Stream};
use memprof_test_support::rounds;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

const MIB: u64 = 1 << 20;
const LIMIT: u64 = 64 * MIB;

/// The numbers of the test's threads are above this one, and those of real threads below.
const THREADS: u64 = 1 << 40;

/// A random number generator: Marsaglia's xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D);
        ((u128::from(bits) * u128::from(end)) >> 64) as u64
    }
}

/// A pool and its expected state, which is computed without the pool's own state.
struct Model {
    random: Random,
    pool: CachingPool<Device>,
    /// Allocated memory, and the stream that uses it.
    live: BTreeMap<u64, (Request, Stream)>,
    /// The numbers of the simulated threads that exist now.
    threads: [u64; 3],
    requested: u64,
    allocations: u64,
    refusals: u64,
}

impl Model {
    /// Creates a model. The seed determines the settings of the pool.
    fn new(seed: u64, broken_promise: Option<BrokenPromise>) -> Self {
        let mut space = AddressSpace::new();
        if seed % 3 == 1 {
            space = space.with_capacity(LIMIT / 2);
        }
        let mut pool =
            CachingPool::builder(Device::new(space).breaking(broken_promise)).limit(LIMIT);
        if seed % 4 == 1 {
            pool = pool.cached_at_most(20 * MIB);
        }
        if seed % 4 == 2 {
            pool = pool.release_after(Age::Operations(50));
        }
        if seed % 5 == 3 {
            pool = pool.preallocate(24 * MIB).record(64);
        }
        let pool = pool.build().expect("there is room");
        let random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let threads = [1, 2, 3].map(|thread| THREADS + thread);
        simulate_thread(threads[0]);
        let (requested, allocations, refusals) = (0, 0, 0);
        Self { random, pool, live: BTreeMap::new(), threads, requested, allocations, refusals }
    }

    fn step(&mut self) -> Result<(), String> {
        if self.random.below(8) == 0 {
            let one = self.random.below(3) as usize;
            if self.random.below(100) == 0 {
                // The thread ends, and another one begins.
                self.threads[one] += 3;
            }
            simulate_thread(self.threads[one]);
        }
        match self.random.below(100) {
            0 => drop(self.pool.empty_cache()),
            1 => drop(self.pool.compact()),
            2 => {
                let stream = self.stream();
                if self.random.below(2) == 0 {
                    self.pool.upstream().finish(stream);
                }
                self.pool.retire(stream).map_err(|error| error.to_string())?;
            }
            3..10 => {
                let stream = self.stream();
                self.pool.upstream().finish(stream);
            }
            10..56 if self.live.len() < 14 => self.allocate()?,
            _ => self.free()?,
        }
        self.pool.check()?;
        self.pool.upstream().violation().map_or(Ok(()), Err)?;
        let statistics = self.pool.statistics();
        for (name, counted, expected) in [
            ("requested", statistics.requested, self.requested),
            ("allocations", statistics.allocations, self.allocations),
            ("out of memory", statistics.out_of_memory, self.refusals),
            ("live", statistics.allocations - statistics.frees, self.live.len() as u64),
            ("reserved", statistics.reserved, self.pool.upstream().space.allocated()),
            ("in all", statistics.reserved, statistics.active + statistics.inactive),
        ] {
            if counted != expected {
                return Err(format!("{name}: {counted}, expected {expected}"));
            }
        }
        if statistics.largest_free > statistics.cached {
            return Err("the largest free block is larger than all".to_owned());
        }
        Ok(())
    }

    fn allocate(&mut self) -> Result<(), String> {
        let bytes = match self.random.below(10) {
            0 => self.random.below(4),
            1..5 => self.random.below(MIB) + 1,
            5..9 => self.random.below(10 * MIB) + 1,
            _ => self.random.below(30 * MIB) + 1,
        };
        let alignment = if self.random.below(8) == 0 { 1 << self.random.below(15) } else { 256 };
        let request = Request::new(bytes).aligned(alignment).on(self.stream());
        let Ok(Address(address)) = self.pool.allocate(request) else {
            self.refusals += 1;
            return Ok(());
        };
        if address % alignment != 0 {
            return Err(format!("{address:#x} is not aligned to {alignment}"));
        }
        let end = address + bytes.max(1);
        let before = self.live.range(..end).next_back();
        if before.is_some_and(|(begin, (other, _))| begin + other.bytes.max(1) > address) {
            return Err(format!("{address:#x} is given out twice"));
        }
        self.live.insert(address, (request, actual_stream(request.stream)));
        self.requested += bytes;
        self.allocations += 1;
        self.pool.upstream().use_memory(Address(address), bytes, request.stream)
    }

    fn free(&mut self) -> Result<(), String> {
        let count = self.live.len() as u64;
        if count == 0 {
            return Ok(());
        }
        let at = self.random.below(count) as usize;
        let (&address, &(request, user)) = self.live.iter().nth(at).expect("so many are there");
        let address = Address(address);
        if self.random.below(20) == 0 {
            self.free_wrongly(address, request)?;
        }
        let stream = if self.random.below(4) == 0 { self.stream() } else { request.stream };
        self.live.remove(&address.0);
        self.requested -= request.bytes;
        // The stream that frees the memory uses it last, after the stream that allocated it.
        self.pool.upstream().wait_for_stream(stream, user);
        self.pool.upstream().use_memory(address, request.bytes, stream)?;
        self.pool.upstream().free_memory(address, request.bytes, stream);
        // SAFETY: the memory is live, and nothing uses it.
        unsafe { self.pool.deallocate(address, request.on(stream)) }
            .map_err(|error| error.to_string())
    }

    /// Tries wrong frees, none of which may change anything.
    fn free_wrongly(&self, address: Address, request: Request) -> Result<(), String> {
        let larger = Request { bytes: request.bytes + 1, ..request };
        let aligned = request.aligned(1 << 16);
        for (address, request) in [
            (address, larger),
            (address, aligned),
            (Address(address.0 + 1), request),
            (Address(8), request),
        ] {
            // SAFETY: nothing uses the memory, and the pool checks the rest.
            if unsafe { self.pool.deallocate(address, request) }.is_ok() {
                return Err(format!("{address} was freed as {request:?}"));
            }
        }
        Ok(())
    }

    fn stream(&mut self) -> Stream {
        match self.random.below(4) {
            3 => PER_THREAD,
            shared => Stream(shared),
        }
    }
}

/// Runs random operations from a seed. Returns the first problem and the number of operations
/// before it.
fn run(
    seed: u64,
    operations: u64,
    broken_promise: Option<BrokenPromise>,
) -> Result<(), (u64, String)> {
    let mut model = Model::new(seed, broken_promise);
    for operation in 0..operations {
        let step = catch_unwind(AssertUnwindSafe(|| model.step()));
        let problem = match step {
            Ok(Ok(())) => continue,
            Ok(Err(problem)) => problem,
            Err(_) => "a panic".to_owned(),
        };
        // A pool with an inconsistent state can't be dropped.
        core::mem::forget(model);
        return Err((operation, problem));
    }
    let Model { pool, live, .. } = model;
    for (address, (request, _)) in live {
        // SAFETY: the memory is live, and nothing uses it.
        unsafe { pool.deallocate(Address(address), request) }.expect("it is live");
    }
    pool.upstream().finish_all();
    let released = pool.compact();
    assert_eq!((released.unmovable, pool.statistics().reserved), (0, 0), "seed {seed}");
    assert_eq!(pool.upstream().space.allocated(), 0, "seed {seed}");
    Ok(())
}

/// The number of operations for each seed.
const OPERATIONS: u64 = 12_500;

/// Runs 20 seeds, which cover all settings of a pool; with `MEMPROF_THOROUGH=1` a million operations.
#[test]
fn pool_and_model_agree_after_each_operation() {
    let seeds = rounds(20, 80);
    std::thread::scope(|scope| {
        for first in 0..4 {
            scope.spawn(move || {
                for seed in (first..seeds).step_by(4) {
                    assert_eq!(run(seed, OPERATIONS, None), Ok(()), "seed {seed}");
                }
            });
        }
    });
}

#[test]
fn each_broken_promise_of_a_device_is_found() {
    for (broken_promise, expected) in [
        (BrokenPromise::AllPassed, "while Freed"),
        (BrokenPromise::NoWait, "while Freed"),
        (BrokenPromise::OneStreamForAllThreads, "while Freed"),
        (BrokenPromise::Overlaps, "overlaps"),
        (BrokenPromise::KeepsSegments, "reserved: "),
    ] {
        let failure = (0..5).find_map(|seed| run(seed, OPERATIONS, Some(broken_promise)).err());
        let (operation, problem) =
            failure.unwrap_or_else(|| panic!("{broken_promise:?} is not found"));
        assert!(problem.contains(expected), "{broken_promise:?} after {operation}: {problem}");
    }
}
