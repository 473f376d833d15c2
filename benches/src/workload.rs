//! Workloads: values of a given size, and the ways to measure them.

use crate::counting::requested_by;
use crate::peers::Peer;
use std::hint::black_box;
use std::rc::Rc;

/// The limit on memprof's time for a value, called a *bar*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// The type alone determines the bytes, so the tree's time must not grow with the value.
    Constant,
    /// The maximum ratio of the tree's time to the time of the hand-written sum. The total has a
    /// maximum ratio to the fastest exact peer, too.
    OverHand(f64),
    /// The maximum number of nanoseconds that the total of one value may take beyond the
    /// hand-written sum.
    ExtraNanoseconds(f64),
}

/// A second size of a value, beyond the last-level cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Large {
    /// The base size exceeds the last-level cache, or the size has no influence on the time.
    No,
    /// Several times the last-level cache: a gibibyte takes too long to build or to measure.
    SeveralCaches,
    /// At least a gibibyte.
    Gibibyte,
}

/// A kind of value, with a function that builds one.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The name that tables and benchmark groups show.
    pub name: &'static str,
    /// The bar of memprof.
    pub bar: Bar,
    /// `true` if a second bar requires memprof to be much faster than allocative's flame graph.
    pub beats_allocative: bool,
    /// The measured number of elements.
    pub size: usize,
    /// The second size.
    pub large: Large,
    /// Builds a value of this size, ready to be measured.
    pub build: fn(usize) -> Subject,
}

/// A value and the ways to measure it, the hand-written sum first.
#[derive(Debug)]
pub struct Subject {
    /// `size_of_val` and the bytes requested for the value. The sum is correct only under the
    /// counting allocator.
    pub bytes: usize,
    /// The hand-written sum, memprof, and the peers.
    pub sides: Vec<Side>,
}

/// One way to measure a subject.
pub struct Side {
    /// The name of the column.
    pub name: &'static str,
    measure: Result<Box<dyn Fn() -> usize>, &'static str>,
}

impl Subject {
    /// Builds a value and binds every peer to it.
    pub fn new<T: 'static>(
        build: impl FnOnce() -> T,
        hand: fn(&T) -> usize,
        peers: Vec<Peer<T>>,
    ) -> Self {
        merge_freed_chunks();
        let (value, requested) = requested_by(build);
        let value = Rc::new(value);
        let bytes = size_of::<T>() + requested.bytes;
        let hand = Peer { name: crate::peers::HAND, measure: Ok(hand) };
        let sides = std::iter::once(hand).chain(peers).map(|peer| Side::new(&value, &peer));
        Self { bytes, sides: sides.collect() }
    }

    /// Returns the side with this name.
    ///
    /// # Panics
    /// Panics if there is no such side. Every subject has all of [`crate::peers::NAMES`].
    pub fn side(&self, name: &str) -> &Side {
        self.sides.iter().find(|side| side.name == name).expect("a subject has every side")
    }
}

/// Makes glibc merge the small chunks that earlier values left behind, as any large request does.
///
/// Otherwise the next value would be scattered over them, and the times would depend on the order
/// of the workloads.
fn merge_freed_chunks() {
    drop(black_box(Vec::<u8>::with_capacity(64 * 1024)));
}

impl Side {
    fn new<T: 'static>(value: &Rc<T>, peer: &Peer<T>) -> Self {
        let bind = |measure: fn(&T) -> usize| -> Box<dyn Fn() -> usize> {
            let value = Rc::clone(value);
            Box::new(move || black_box(measure(black_box(&*value))))
        };
        Self { name: peer.name, measure: peer.measure.map(bind) }
    }

    /// Measures once. Returns the bytes that this side reports.
    ///
    /// # Errors
    /// Returns the reason why this side cannot measure the value.
    pub fn measure(&self) -> Result<usize, &'static str> {
        self.measure.as_ref().map(|measure| measure()).map_err(|reason| *reason)
    }

    /// Returns the reason why this side cannot measure the value, if it cannot.
    pub fn absent(&self) -> Option<&'static str> {
        self.measure.as_ref().err().copied()
    }
}

impl std::fmt::Debug for Side {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Side")
            .field("name", &self.name)
            .field("absent", &self.absent())
            .finish_non_exhaustive()
    }
}
