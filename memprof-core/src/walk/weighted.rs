//! The draws of a sampled walk, and the weight that they give to the amounts found.

#![expect(clippy::cast_precision_loss, reason = "weights are floats")]

use super::Walk;
use crate::MemoryProfile;
use crate::layout::prefetch;
use crate::position::Position;
use crate::sampling::{KnownAllocations, SamplePlan, Sampling};

/// The number of elements that are drawn and prefetched together.
const BATCH: usize = 32;

impl<'a> Walk<'a> {
    /// Visits a random sample of `values`, which may be inside a sampled slice. Returns `false` if
    /// the walk should visit all of them instead.
    #[cold]
    #[inline(never)]
    pub(crate) fn sample_slice<T: MemoryProfile>(&mut self, values: &'a [T], at: Position) -> bool {
        let Some(sampling) = &self.sampling else { return false };
        if self.is_stopped() {
            return false;
        }
        if sampling.level > 0 {
            return self.sample_nested(values, at);
        }
        let Some(draws) = sampling.draws_of(values.len()) else { return false };
        self.flush_amounts();
        let groups = sampling_of(self).plan.groups;
        let (base, mut count) = (self.work_list_len(), 0);
        for group in 0..groups {
            let Some((sampling, tree)) = self.sampling_and_tree() else { return true };
            if !sampling.random.is_chosen(draws.probability) {
                continue;
            }
            sampling.begin_group(group, draws.weight, tree);
            self.set_drawing(true);
            let visited = self.draw(values, draws.in_group, at, |walk| {
                walk.drain_to(base);
                walk.set_weight(draws.weight);
                if let Some((sampling, tree)) = walk.sampling_and_tree() {
                    sampling.end_draw(tree);
                }
            });
            self.flush_amounts();
            count += visited;
            if visited < draws.in_group {
                break;
            }
        }
        if let Some((sampling, tree)) = self.sampling_and_tree() {
            sampling.end_groups(tree);
            sampling.drawn += count as u64;
            sampling.elements += values.len() as u64;
        }
        self.set_drawing(false);
        let unvisited = values.len() - count.min(values.len());
        self.mark_unvisited(at, unvisited);
        true
    }

    /// Visits a random sample of a slice inside a drawn element.
    fn sample_nested<T: MemoryProfile>(&mut self, values: &'a [T], at: Position) -> bool {
        let sampling = sampling_of(self);
        let draws = draws_inside(sampling.level, T::is_tallied());
        if values.len() <= 3 * draws {
            return false;
        }
        let outer = sampling.weight;
        sampling.level += 1;
        self.set_weight(outer * values.len() as f64 / draws as f64);
        let visited = self.draw(values, draws, at, |_| {});
        self.set_weight(outer);
        sampling_of(self).level -= 1;
        if visited < draws {
            self.mark_unvisited(at, 1);
        }
        true
    }

    /// Visits `count` random values, drawn with replacement, and calls `after` after each visit.
    /// Returns the number of visited values, which is less than `count` if the observer stopped the
    /// walk.
    fn draw<T: MemoryProfile>(
        &mut self,
        values: &'a [T],
        count: usize,
        at: Position,
        after: impl Fn(&mut Self),
    ) -> usize {
        let mut visited = 0;
        while visited < count {
            let len = (count - visited).min(BATCH);
            if !self.take_group(len) {
                break;
            }
            let mut batch = [&values[0]; BATCH];
            let random = &mut sampling_of(self).random;
            for slot in &mut batch[..len] {
                *slot = &values[random.below(values.len())];
                prefetch((&raw const **slot).addr());
            }
            if T::is_tallied() {
                T::owned_each(batch[..len].iter().copied(), self, at);
                after(self);
            } else {
                for &value in &batch[..len] {
                    value.owned(self, at);
                    after(self);
                }
            }
            visited += len;
        }
        visited
    }

    /// Moves the amounts found so far to the rows of the sample.
    pub(crate) fn flush_amounts(&mut self) {
        self.split_inline_bytes();
        if let Some((sampling, tree)) = self.sampling_and_tree() {
            sampling.take_amounts(tree);
        }
    }

    /// Sets the weight of what the walk finds from now on.
    pub(crate) fn set_weight(&mut self, weight: f64) {
        if sampling_of(self).weight.to_bits() != weight.to_bits() {
            self.flush_amounts();
            sampling_of(self).weight = weight;
        }
    }

    /// Enters an allocation like [`enter_shared`](Self::enter_shared), in a sampled walk. In a draw,
    /// each of the `strong` handles counts for an equal part.
    #[cold]
    #[inline(never)]
    pub(crate) fn enter_sampled(
        &mut self,
        at: Position,
        address: usize,
        strong: usize,
    ) -> Option<(Position, u32)> {
        let is_drawing = self.is_drawing();
        if strong == 1 {
            if is_drawing {
                self.enter_weighted(1);
            }
            return Some((at, self.context()));
        }
        if is_drawing && self.is_uncounted(at, address, strong) {
            return None;
        }
        let outer = self.state().sharing.enter(address, strong)?;
        if is_drawing {
            sampling_of(self).record_drawn(address);
            self.enter_weighted(strong);
        } else {
            sampling_of(self).record_known(address);
        }
        let node = self.state().shared_node(at, strong);
        Some((Position { node, depth: at.depth }, outer))
    }

    /// Enters a shared allocation. Its amounts are divided by the number of its handles.
    fn enter_weighted(&mut self, strong: usize) {
        let sampling = sampling_of(self);
        let outer = sampling.weight;
        sampling.outer_weights.push(outer);
        self.set_weight(outer / strong as f64);
    }

    /// Leaves the allocation that [`enter_weighted`](Self::enter_weighted) entered.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave_weighted(&mut self) {
        if let Some(outer) = sampling_of(self).outer_weights.pop() {
            self.set_weight(outer);
        }
    }

    /// Returns whether a draw leaves out the contents behind a handle. It does if the number of
    /// handles is unknown, or if the contents count in full outside sampled slices.
    fn is_uncounted(&mut self, at: Position, address: usize, strong: usize) -> bool {
        if strong == 0 {
            self.mark_uncounted(at);
            return true;
        }
        sampling_of(self).is_known(address)
    }

    /// Marks contents that a draw does not count, because other draws may lead to the same
    /// contents.
    #[cold]
    pub(crate) fn mark_uncounted(&mut self, at: Position) {
        self.mark_unvisited(at, 1);
    }
}

/// Returns the number of elements to draw from a slice that is in `level` sampled slices.
///
/// The number decreases with the level. Otherwise the draws would multiply at each level, and one
/// element of the outermost slice would take the whole time.
fn draws_inside(level: u32, is_tallied: bool) -> usize {
    match (level, is_tallied) {
        (1, true) => 64,
        (1, false) | (2, true) => 16,
        (2, false) => 4,
        _ => 2,
    }
}

/// Returns the state of a sampled walk.
///
/// Only a walk that draws calls this, so the state exists. If an impl caught a panic, the walk may
/// have lost its state. It then gets a new state instead of a second panic.
fn sampling_of<'w>(walk: &'w mut Walk<'_>) -> &'w mut Sampling {
    let new = || Sampling::new(SamplePlan::new(0), KnownAllocations::default());
    walk.sampling.get_or_insert_with(|| Box::new(new()))
}
