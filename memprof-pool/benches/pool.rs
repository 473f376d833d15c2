//! Throughput of reuse: a pool compared with the system's allocator and with the pool's upstream.
//!
//! All rows run in one process, with the sizes and the order of a training transformer:
//! `cargo bench -p memprof-pool --bench pool`.
//!
//! At the end, the benchmark prints the ratios of medians, from rounds in which all rows take
//! turns, and the pool's statistics.

#![expect(unsafe_code, reason = "memory that was allocated is freed")]

mod workload;

use criterion::{Criterion, Throughput};
use memprof_pool::{
    Address, AddressSpace, CachingPool, HostUpstream, MemoryResource, Request, Statistics, Tracking,
};
use std::alloc::{Layout, alloc, dealloc};
use std::collections::HashMap;
use std::hint::black_box;
use std::ptr;
use std::time::{Duration, Instant};
use workload::{SMALL, Step, Transformer};

/// The model reads one text at a time, so that the written memory fits into any machine.
const MODEL: Transformer = Transformer { batch: 1, ..SMALL };

/// An allocation or a free within one step. It refers to memory by a slot of a table.
enum Operation {
    Allocate(usize, u64),
    Free(usize),
}

trait Subject {
    fn allocate(&self, bytes: u64) -> u64;
    fn free(&self, address: u64, bytes: u64);
}

/// The system's allocator, without a resource around it.
struct System;

/// Returns the layout that a `Vec` of the widest vector type requests.
fn layout(bytes: u64) -> Layout {
    Layout::from_size_align(bytes as usize, 64).expect("sizes are small")
}

impl Subject for System {
    fn allocate(&self, bytes: u64) -> u64 {
        // SAFETY: no step allocates 0 bytes.
        unsafe { alloc(layout(bytes)) }.expose_provenance() as u64
    }

    fn free(&self, address: u64, bytes: u64) {
        let block = ptr::with_exposed_provenance_mut(address as usize);
        // SAFETY: `allocate` returned the memory for this layout, and each slot is freed once.
        unsafe { dealloc(block, layout(bytes)) };
    }
}

impl<R: MemoryResource> Subject for R {
    fn allocate(&self, bytes: u64) -> u64 {
        MemoryResource::allocate(self, Request::new(bytes)).expect("there is room").0
    }

    fn free(&self, address: u64, bytes: u64) {
        // SAFETY: `allocate` returned the memory for this request, and each slot is freed once.
        let freed = unsafe { self.deallocate(Address(address), Request::new(bytes)) };
        freed.expect("it is allocated");
    }
}

/// Returns the operations of the training after the weights are loaded, and the number of slots.
fn operations(lengths: &[u64]) -> (Vec<Operation>, usize) {
    let (mut slots, mut vacant, mut most) = (HashMap::new(), Vec::new(), 0);
    let mut operations = Vec::new();
    let weights = MODEL.train(&[]).len();
    for step in MODEL.train(lengths).into_iter().skip(weights) {
        match step {
            Step::Allocate { name, bytes } => {
                let slot = vacant.pop().unwrap_or(most);
                most = most.max(slot + 1);
                slots.insert(name, slot);
                operations.push(Operation::Allocate(slot, bytes));
            }
            Step::Free { name } => {
                let slot = slots.remove(&name).expect("it was allocated in this step");
                vacant.push(slot);
                operations.push(Operation::Free(slot));
            }
        }
    }
    assert!(slots.is_empty(), "a step frees all that it allocates");
    (operations, most)
}

/// Runs the operations. If `written` is `true`, it writes each page of the memory once, as a
/// program would.
fn run(subject: &dyn Subject, operations: &[Operation], table: &mut [(u64, u64)], written: bool) {
    for operation in operations {
        match *operation {
            Operation::Allocate(slot, bytes) => {
                let address = black_box(subject.allocate(bytes));
                if written {
                    let block: *mut u8 = ptr::with_exposed_provenance_mut(address as usize);
                    for page in (0..bytes as usize).step_by(4096) {
                        // SAFETY: the page begins within the block.
                        let begin = unsafe { block.add(page) };
                        // SAFETY: the block is allocated, and a byte is aligned anywhere.
                        unsafe { begin.write_volatile(1) };
                    }
                }
                table[slot] = (address, bytes);
            }
            Operation::Free(slot) => {
                let (address, bytes) = table[slot];
                subject.free(address, bytes);
            }
        }
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A row: its name, its allocator, `true` if it writes the memory, and the index of the row with
/// which it is compared.
type Row<'r> = (&'static str, &'r dyn Subject, bool, usize);

/// The number of rounds. In each round, every row takes its turn.
const ROUNDS: usize = 41;

#[expect(clippy::cast_precision_loss, reason = "there are some thousand calls")]
fn compare(rows: &[Row<'_>], operations: &[Operation], table: &mut [(u64, u64)]) {
    let mut times = vec![Vec::new(); rows.len()];
    for _ in 0..ROUNDS {
        for (row, (_, subject, written, _)) in rows.iter().enumerate() {
            let begin = Instant::now();
            run(*subject, operations, table, *written);
            times[row].push(begin.elapsed());
        }
    }
    let medians: Vec<Duration> = times.iter_mut().map(|times| median(times)).collect();
    let calls = operations.len() as f64;
    println!("| allocator | ns per call | relative throughput |");
    println!("|---|---|---|");
    for (row, (name, _, _, base)) in rows.iter().enumerate() {
        let each = medians[row].as_secs_f64() * 1e9 / calls;
        let ratio = medians[*base].as_secs_f64() / medians[row].as_secs_f64();
        let beside = rows[*base].0;
        println!("| {name} | {each:.0} | {ratio:.2} × {beside} |");
    }
}

fn main() {
    let lengths = [186, 417, 251, 340];
    let (operations, slots) = operations(&lengths);
    let mut table = vec![(0, 0); slots];
    let pool = || CachingPool::builder(HostUpstream).build().expect("it needs nothing");
    let (unwritten, written) = (pool(), pool());
    let tracked = Tracking::new(Statistics::new(pool()));
    let (space, of_space) = (AddressSpace::new(), CachingPool::builder(AddressSpace::new()));
    let of_space = of_space.build().expect("it needs nothing");
    let rows: [Row<'_>; 8] = [
        ("system allocator, written", &System, true, 0),
        ("raw host upstream, written", &HostUpstream, true, 0),
        ("pool over the host, written", &written, true, 0),
        ("system allocator, not written", &System, false, 3),
        ("pool over the host, not written", &unwritten, false, 3),
        ("the same, counted and tracked", &tracked, false, 3),
        ("raw address space", &space, false, 6),
        ("pool over an address space", &of_space, false, 6),
    ];
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("training step");
    group.throughput(Throughput::Elements(operations.len() as u64)).sample_size(20);
    for (name, subject, is_written, _) in rows {
        group.bench_function(name, |bencher| {
            bencher.iter(|| run(subject, &operations, &mut table, is_written));
        });
    }
    group.finish();
    println!("\n{} allocations and frees a round, sequences of {lengths:?}\n", operations.len());
    compare(&rows, &operations, &mut table);
    let found = written.statistics();
    println!(
        "\npool over the host: hit rate {:.5}, {} allocations, {} segments; {} MiB free; peak {} MiB \
         reserved, {} MiB allocated",
        found.hit_rate().unwrap_or(f64::NAN),
        found.allocations,
        found.segments,
        found.cached >> 20,
        found.peak_reserved >> 20,
        found.peak_allocated >> 20,
    );
}
