//! The peers: for each, a function that returns the bytes of a value including its own bytes.

use allocative::{Allocative, FlameGraphBuilder};
use datasize::DataSize;
use deepsize::DeepSizeOf;
use get_size2::{GetSize, StandardTracker};
use mem_dbg::{MemSize, SizeFlags};
use memprof::{MemoryProfile, Profile};
use std::hint::black_box;

/// A way to measure values of `T`.
#[derive(Clone, Copy, Debug)]
pub struct Peer<T> {
    /// The name of the column.
    pub name: &'static str,
    /// The function that returns the bytes, or the reason why this peer cannot measure a `T`.
    pub measure: Result<fn(&T) -> usize, &'static str>,
}

/// The hand-written exact sum.
pub const HAND: &str = "hand";
/// memprof's tree.
pub const MEMPROF_TREE: &str = "memprof tree";
/// memprof's total.
pub const MEMPROF_TOTAL: &str = "memprof total";
/// `mem_dbg` with capacities and shared memory.
pub const MEM_DBG: &str = "mem_dbg";
/// get-size2 with its tracker of shared memory.
pub const GET_SIZE2: &str = "get-size2";
/// deepsize.
pub const DEEPSIZE: &str = "deepsize";
/// datasize.
pub const DATASIZE: &str = "datasize";
/// allocative's bare total.
pub const ALLOCATIVE_TOTAL: &str = "allocative total";
/// allocative's flame graph.
pub const ALLOCATIVE_TREE: &str = "allocative tree";

/// Every side, in the order of the tables.
pub const NAMES: [&str; 9] = [
    HAND,
    MEMPROF_TREE,
    MEMPROF_TOTAL,
    MEM_DBG,
    GET_SIZE2,
    DEEPSIZE,
    DATASIZE,
    ALLOCATIVE_TOTAL,
    ALLOCATIVE_TREE,
];

/// Returns memprof's tree and its total.
pub fn memprof<T: MemoryProfile>() -> [Peer<T>; 2] {
    [
        Peer { name: MEMPROF_TREE, measure: Ok(by_memprof_tree) },
        Peer { name: MEMPROF_TOTAL, measure: Ok(by_memprof_total) },
    ]
}

fn by_memprof_tree<T: MemoryProfile>(value: &T) -> usize {
    black_box(Profile::of(value)).total_bytes() as usize
}

fn by_memprof_total<T: MemoryProfile>(value: &T) -> usize {
    memprof::total_bytes(value) as usize
}

/// Returns `mem_dbg` with capacities and shared memory: its most exact form.
pub fn mem_dbg<T: MemSize>() -> Peer<T> {
    Peer { name: MEM_DBG, measure: Ok(by_mem_dbg) }
}

fn by_mem_dbg<T: MemSize>(value: &T) -> usize {
    value.mem_size(SizeFlags::CAPACITY | SizeFlags::FOLLOW_RCS)
}

/// Returns get-size2 with a tracker for the whole value.
pub fn get_size2<T: GetSize>() -> Peer<T> {
    Peer { name: GET_SIZE2, measure: Ok(by_get_size2) }
}

fn by_get_size2<T: GetSize>(value: &T) -> usize {
    size_of::<T>() + value.get_heap_size_with_tracker(StandardTracker::new()).0
}

/// Returns deepsize, which always follows shared memory.
pub fn deepsize<T: DeepSizeOf>() -> Peer<T> {
    Peer { name: DEEPSIZE, measure: Ok(T::deep_size_of) }
}

/// Returns datasize, which does not count shared memory.
pub fn datasize<T: DataSize>() -> Peer<T> {
    Peer { name: DATASIZE, measure: Ok(by_datasize) }
}

fn by_datasize<T: DataSize>(value: &T) -> usize {
    size_of::<T>() + datasize::data_size(value)
}

/// Returns allocative's bare total, which excludes shared memory, and its flame graph.
pub fn allocative<T: Allocative>() -> [Peer<T>; 2] {
    [
        Peer { name: ALLOCATIVE_TOTAL, measure: Ok(by_allocative_total) },
        Peer { name: ALLOCATIVE_TREE, measure: Ok(by_allocative_tree) },
    ]
}

fn by_allocative_total<T: Allocative>(value: &T) -> usize {
    allocative::size_of_unique(value)
}

fn by_allocative_tree<T: Allocative>(value: &T) -> usize {
    let mut builder = FlameGraphBuilder::default();
    builder.visit_root(value);
    builder.finish().flamegraph().total_size()
}

/// Returns a peer that cannot measure a `T`, with the reason.
pub const fn absent<T>(name: &'static str, reason: &'static str) -> Peer<T> {
    Peer { name, measure: Err(reason) }
}

/// Returns every peer, for types that all of them support.
pub fn all<T>() -> Vec<Peer<T>>
where
    T: MemoryProfile + MemSize + GetSize + DeepSizeOf + DataSize + Allocative,
{
    let [tree, total] = memprof();
    let [allocative_total, allocative_tree] = allocative();
    vec![
        tree,
        total,
        mem_dbg(),
        get_size2(),
        deepsize(),
        datasize(),
        allocative_total,
        allocative_tree,
    ]
}

/// Returns every peer, each of which measures the elements of a vector one at a time.
pub fn one_at_a_time<T>() -> Vec<Peer<Vec<T>>>
where
    T: MemoryProfile + MemSize + GetSize + DeepSizeOf + DataSize + Allocative,
{
    let measures: [fn(&Vec<T>) -> usize; 8] = [
        |values| sum(values, by_memprof_tree),
        |values| sum(values, by_memprof_total),
        |values| sum(values, by_mem_dbg),
        |values| sum(values, by_get_size2),
        |values| sum(values, T::deep_size_of),
        |values| sum(values, by_datasize),
        |values| sum(values, by_allocative_total),
        |values| sum(values, by_allocative_tree),
    ];
    let peers = NAMES[1..].iter().zip(measures);
    peers.map(|(name, measure)| Peer { name, measure: Ok(measure) }).collect()
}

/// Returns the vector's own bytes, plus what `measure` returns for each element.
///
/// The compiler cannot merge the calls, just as in a program that measures one value now and then.
pub fn sum<T>(values: &Vec<T>, measure: impl Fn(&T) -> usize) -> usize {
    let elements = values.iter().map(|value| black_box(measure(black_box(value))));
    size_of_val(values) + elements.sum::<usize>()
}
