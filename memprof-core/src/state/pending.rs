//! Sums of buffers that are not in the tree yet.
//!
//! In a recursive type such as a JSON document, a slice has about four values. Adding the tallies of
//! each slice to the tree would take longer than the visit of its values. So the walk first sums up
//! the tallies of the same node, and adds the sum to the tree when another node needs its place.
//!
//! The bytes of a shared allocation do not wait: they are added to the allocation at once. So a sum
//! may have buffers of several allocations, and is added to the tree as if the root alone owned it.

use crate::shape::{Position, ShapeOf, TaggedNode};
use crate::state::{Counter, WalkState};

/// The number of sums. The fields of a recursive type have consecutive nodes, so each of them has a
/// place of its own in a type of a few fields.
const PLACES: usize = 16;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) size: usize,
    /// The shape of an element, or `None` for the bytes of a text.
    pub(crate) shape: Option<ShapeOf>,
}

impl Elements {
    pub(crate) const TEXT: Self = Self { size: 1, shape: None };

    /// Two kinds of elements can share a function only if the function does the same for both.
    #[inline]
    fn is(self, other: Self) -> bool {
        let same_function = match (self.shape, other.shape) {
            (None, None) => true,
            (Some(one), Some(other)) => core::ptr::fn_addr_eq(one, other),
            _ => false,
        };
        same_function && self.size == other.size
    }

    #[inline]
    pub(crate) fn bytes(self, tally: Tally) -> usize {
        if tally.capacity == 0 {
            0
        } else {
            tally.capacity.max(tally.len).saturating_mul(self.size)
        }
    }
}

/// The sum of the buffers of one kind at one node.
#[derive(Clone, Copy, Debug)]
struct PendingSum {
    /// [`TaggedNode::NONE`] if there is no sum.
    node: TaggedNode,
    elements: Elements,
    tally: Tally,
}

impl PendingSum {
    const NONE: Self =
        Self { node: TaggedNode::NONE, elements: Elements::TEXT, tally: Tally::NONE };
}

/// The sums that are not in the tree yet.
#[derive(Debug)]
pub(crate) struct PendingSums {
    places: [PendingSum; PLACES],
    /// False if buffers are added to the tree at once.
    is_used: bool,
}

impl Default for PendingSums {
    fn default() -> Self {
        Self { places: [PendingSum::NONE; PLACES], is_used: true }
    }
}

impl PendingSums {
    #[inline]
    fn place(&mut self, node: TaggedNode) -> &mut PendingSum {
        &mut self.places[node.index() % PLACES]
    }
}

impl WalkState {
    #[inline]
    pub(crate) fn add_buffers(&mut self, at: Position, elements: Elements, tally: Tally) {
        let sum = self.pending.place(at.node);
        if sum.node == at.node && sum.elements.is(elements) {
            sum.tally.merge(tally);
            self.sharing.add(elements.bytes(tally));
        } else {
            let Tally { allocations, len, capacity } = tally;
            self.begin_sum(at.node, elements.size, elements.shape, allocations, len, capacity);
        }
    }

    /// Adds the sum that was in its place to the tree. The arguments are numbers, because the
    /// callers would write structs to the stack even if they do not call this.
    #[cold]
    #[inline(never)]
    fn begin_sum(
        &mut self,
        node: TaggedNode,
        size: usize,
        shape: Option<ShapeOf>,
        allocations: usize,
        len: usize,
        capacity: usize,
    ) {
        if len == 0 && capacity == 0 {
            return;
        }
        let (at, elements) = (Position { node, depth: 0 }, Elements { size, shape });
        let tally = Tally { allocations, len, capacity };
        if !self.pending.is_used {
            return self.add_buffers_now(at, elements, tally);
        }
        self.sharing.add(elements.bytes(tally));
        let before =
            core::mem::replace(self.pending.place(node), PendingSum { node, elements, tally });
        if before.node != TaggedNode::NONE {
            self.add_sum(before);
        }
    }

    /// Adds all pending sums to the tree. From now on, buffers are added to the tree at once.
    pub(crate) fn end_sums(&mut self) {
        self.pending.is_used = false;
        let places = core::mem::replace(&mut self.pending.places, [PendingSum::NONE; PLACES]);
        let sums = places.into_iter().filter(|sum| sum.node != TaggedNode::NONE);
        sums.for_each(|sum| self.add_sum(sum));
    }

    /// The bytes of the sum already count in the current context.
    fn add_sum(&mut self, sum: PendingSum) {
        let context = self.sharing.pause();
        let at = Position { node: sum.node, depth: 0 };
        self.add_buffers_now(at, sum.elements, sum.tally);
        self.sharing.resume(context);
    }

    fn add_buffers_now(&mut self, at: Position, elements: Elements, tally: Tally) {
        let Elements { size, shape } = elements;
        let Some(shape) = shape else { return self.add_allocations(at, tally) };
        let Tally { allocations, len, capacity } = tally;
        let node = self.node(at);
        node.add(Counter::Values, len);
        if capacity == 0 {
            return;
        }
        node.add_allocations(allocations);
        let spare = capacity.saturating_sub(len).saturating_mul(size);
        node.add(Counter::Spare, spare);
        node.add_excess(capacity.saturating_mul(size), spare);
        self.sharing.add(spare);
        self.add_inline(at, shape(), len);
    }
}

/// The buffers met in a loop over values of one type: their number, length and capacity.
///
/// Adding to the tree once per loop instead of once per value halves the time of a walk over
/// structs that contain text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub(crate) allocations: usize,
    pub(crate) len: usize,
    pub(crate) capacity: usize,
}

impl Tally {
    pub(crate) const NONE: Self = Self { allocations: 0, len: 0, capacity: 0 };

    /// Returns a tally without buffers.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a tally of one buffer with room for `capacity` values, `len` of them live.
    #[inline]
    pub fn of(len: usize, capacity: usize) -> Self {
        Self { allocations: usize::from(capacity != 0), len, capacity }
    }

    /// Adds a buffer with room for `capacity` values, `len` of them live.
    #[inline]
    pub fn add(&mut self, len: usize, capacity: usize) {
        self.allocations += usize::from(capacity != 0);
        self.len += len;
        self.capacity += capacity;
    }

    /// Adds the buffers of another tally.
    #[inline]
    pub fn merge(&mut self, other: Self) {
        self.allocations += other.allocations;
        self.len = self.len.saturating_add(other.len);
        self.capacity += other.capacity;
    }
}

#[cfg(test)]
mod tests {
    use crate::MemoryProfile;
    use crate::tree::{Collected, Leaf, LeafKind};
    use crate::walk::{Observer, Position, Walk};
    use std::rc::Rc;

    /// Buffers of several kinds at one position or below several names.
    struct Buffers(Vec<Buffer>);

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Buffer {
        name: Option<usize>,
        kind: usize,
        used: usize,
        capacity: usize,
    }

    impl MemoryProfile for Buffers {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            for &Buffer { name, kind, used, capacity } in &self.0 {
                let at = name.map_or(at, |name| walk.entry(at, &name.to_string()));
                match kind {
                    0 => walk.allocation(at, used, capacity),
                    1 => walk.buffer(at, &raw const kind, used, capacity),
                    2 => walk.buffer(at, (&raw const kind).cast::<[u64; 3]>(), used, capacity),
                    _ => walk.buffer(at, (&raw const kind).cast::<(u8, f32)>(), used, capacity),
                }
            }
        }
    }

    /// Returns buffers in an order in which the kind and the name change at each of them.
    fn alternating() -> Vec<Buffer> {
        let names = (0..40).map(Some).chain([None]);
        let names: Vec<_> = names.collect();
        (0..1000)
            .map(|index| Buffer {
                name: names[index % names.len()],
                kind: index % 4,
                used: index % 7,
                capacity: index % 7 + index % 3,
            })
            .collect()
    }

    /// Observes a walk without stopping it.
    struct Idle;

    impl Observer for Idle {
        fn stops(&mut self) -> bool {
            false
        }
    }

    #[test]
    fn the_order_of_buffers_does_not_change_the_tree() {
        let buffers = alternating();
        let mut sorted = buffers.clone();
        sorted.sort_unstable();
        let expected = Collected::of("buffers", &Buffers(sorted));
        let buffers = Buffers(buffers);
        assert_eq!(Collected::of("buffers", &buffers), expected);
        assert_eq!(Collected::observed("buffers", &buffers, &mut Idle), expected);
        let sampled = Collected::sampled("buffers", &buffers, 7, None, &mut Idle);
        assert_eq!(sampled.collected, expected);
        assert_eq!(crate::total_bytes(&buffers), expected.tree.total_bytes());
    }

    #[test]
    fn a_buffer_with_more_values_than_capacity_has_the_same_bytes_in_the_tree_and_in_the_total() {
        let buffer = |used, capacity| Buffer { name: None, kind: 1, used, capacity };
        let buffers = Buffers(vec![buffer(10, 5), buffer(0, 5), buffer(3, 0), buffer(0, 0)]);
        let tree = Collected::of("buffers", &buffers).tree;
        assert_eq!(tree.total_bytes(), 24 + 15 * size_of::<usize>() as u64);
        assert_eq!(tree.total_bytes(), crate::total_bytes(&buffers));
        let root = tree.root();
        let mut leaves = root.leaves().iter();
        let spare = leaves.find(|leaf| leaf.kind() == LeafKind::Spare).map(Leaf::bytes);
        assert_eq!(spare, Some(5 * size_of::<usize>() as u64));
    }

    #[test]
    fn buffers_in_shared_memory_count_as_shared_wherever_they_are_met() {
        let text = || String::with_capacity(100);
        let shared: Vec<_> = (0..20).map(|_| Rc::new([text(), text()])).collect();
        let handles: Vec<_> = shared.iter().map(|one| (text(), Rc::clone(one), text())).collect();
        let collected = Collected::of("handles", &(handles, shared));
        let one = (16 + 2 * size_of::<String>() + 2 * 100) as u64;
        assert_eq!(collected.shared.bytes, 20 * one);
    }

    #[test]
    fn a_sum_that_ends_inside_another_shared_allocation_counts_in_its_own() {
        let owned = |buffers| crate::total_bytes(&Buffers(buffers)) - size_of::<Buffers>() as u64;
        let (all, some) = (alternating(), alternating().split_off(500));
        let bytes = owned(all.clone()) + owned(some.clone());
        let one = [Rc::new(Buffers(all)), Rc::new(Buffers(some))];
        let collected = Collected::of("handles", &[one.clone(), one]);
        let around = 2 * (16 + size_of::<Buffers>() as u64);
        assert_eq!(collected.shared.bytes, around + bytes);
        assert_eq!(collected.shared.bytes_if_unshared, 4 * 8 + 2 * (around + bytes));
    }
}
