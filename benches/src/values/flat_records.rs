//! An array of flat structs: ten million records of numbers.

use crate::{Bar, Large, Subject, Workload, peers, xorshift::Xorshift};
use allocative::Allocative;
use datasize::DataSize;
use deepsize::DeepSizeOf;
use get_size2::GetSize;
use mem_dbg::MemSize;
use memprof::MemoryProfile;

/// `Vec<Sample>`.
pub const WORKLOAD: Workload = Workload {
    name: "flat structs",
    bar: Bar::Constant,
    beats_allocative: false,
    size: 10_000_000,
    large: Large::No,
    build: |size| Subject::new(|| build(size), exact, peers::all()),
};

/// A measurement at a place and time.
#[derive(Clone, Copy, Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(flat)]
pub struct Sample {
    /// The place.
    pub position: [f64; 2],
    /// The time.
    pub time: u64,
    /// The instrument.
    pub sensor: u32,
    /// `true` if the measurement is reliable.
    pub valid: bool,
}

/// Returns `size` records.
pub fn build(size: usize) -> Vec<Sample> {
    let mut random = Xorshift::new(2);
    let mut sample = |time| Sample {
        position: [random.unit(), random.unit()],
        time,
        sensor: random.below(64) as u32,
        valid: random.below(100) > 0,
    };
    (0..size as u64).map(&mut sample).collect()
}

/// Returns the exact bytes.
#[allow(clippy::ptr_arg, reason = "the vector's own bytes count")]
pub fn exact(samples: &Vec<Sample>) -> usize {
    size_of_val(samples) + samples.capacity() * size_of::<Sample>()
}
