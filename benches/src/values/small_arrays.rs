//! Small arrays with units: a hundred thousand quantities, fifty units.

use crate::{Bar, Large, Subject, Workload, hand, peers, xorshift::Xorshift};
use allocative::Allocative;
use datasize::DataSize;
use deepsize::DeepSizeOf;
use get_size2::GetSize;
use mem_dbg::MemSize;
use memprof::MemoryProfile;
use std::sync::Arc;

/// `Vec<Quantity>`.
pub const WORKLOAD: Workload = Workload {
    name: "small arrays, shared units",
    bar: Bar::OverHand(2.0),
    beats_allocative: false,
    size: 100_000,
    large: Large::SeveralCaches,
    build: |size| Subject::new(|| build(size), exact, peers::all()),
};

/// A few numbers with a unit.
#[derive(Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(rec)]
pub struct Quantity {
    /// The numbers.
    pub data: Vec<f64>,
    /// The unit of the numbers.
    pub unit: Arc<Unit>,
    /// The uncertainty of each number.
    pub uncertainty: Option<Vec<f64>>,
}

/// A physical unit.
#[derive(Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(rec)]
pub struct Unit {
    /// The symbol, such as `m/s`.
    pub symbol: String,
    /// The powers of the seven base units.
    pub powers: [i8; 7],
    /// The factor to the coherent unit.
    pub factor: f64,
}

/// Returns `size` quantities in random units, half of them with uncertainties.
pub fn build(size: usize) -> Vec<Quantity> {
    let mut random = Xorshift::new(9);
    let units: Vec<_> = (0..50).map(|_| Arc::new(unit(&mut random))).collect();
    let mut quantity = |_| {
        let len = random.between(3, 13);
        let mut numbers = || (0..len).map(|_| random.unit()).collect();
        let (data, uncertainty): (_, Vec<f64>) = (numbers(), numbers());
        let unit = Arc::clone(&units[random.below(units.len())]);
        let uncertainty = Some(uncertainty).filter(|_| random.below(2) == 0);
        Quantity { data, unit, uncertainty }
    };
    (0..size).map(&mut quantity).collect()
}

fn unit(random: &mut Xorshift) -> Unit {
    Unit { symbol: random.word(4), powers: [0, 1, -1, 0, 2, 0, 0], factor: random.unit() }
}

/// Returns the exact bytes.
#[allow(clippy::ptr_arg, reason = "the vector's own bytes count")]
pub fn exact(quantities: &Vec<Quantity>) -> usize {
    let mut bytes = size_of_val(quantities) + quantities.capacity() * size_of::<Quantity>();
    let mut visited = hand::Visited::new(50);
    for quantity in quantities {
        bytes += quantity.data.capacity() * size_of::<f64>();
        if let Some(uncertainty) = &quantity.uncertainty {
            bytes += uncertainty.capacity() * size_of::<f64>();
        }
        if visited.insert(Arc::as_ptr(&quantity.unit).addr()) {
            bytes += hand::arc_bytes::<Unit>() + quantity.unit.symbol.capacity();
        }
    }
    bytes
}
