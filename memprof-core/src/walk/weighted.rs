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
        if let Some((sampling, tree)) = self.sampling_and_tree() {
            let leads_to_shared = !T::is_tallied();
            sampling.begin_slice(tree.number(at), leads_to_shared, tree);
        }
        self.flush_amounts();
        let groups = sampling_of(self).plan.groups;
        let (base, mut count) = (self.waiting(), 0);
        for group in 0..groups {
            let Some((sampling, tree)) = self.sampling_and_tree() else { return true };
            if !sampling.random.is_chosen(draws.probability) {
                continue;
            }
            sampling.begin_group(group, draws.weight, tree);
            self.set_drawing(true);
            let visited = self.draw(values, draws.in_group, at, |walk| {
                walk.drain_to(base);
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

    /// Adds a collection without its entries, if the plan skips the entries of collections without
    /// random access. Returns whether it did.
    #[cold]
    #[inline(never)]
    pub(super) fn skips_entries<T: MemoryProfile>(&mut self, value: &'a T, at: Position) -> bool {
        if self.is_stopped() {
            return false;
        }
        let Some((sampling, tree)) = self.sampling_and_tree() else { return false };
        if !sampling.plan.skips_entries || sampling.level > 0 {
            return false;
        }
        // Like the elements of a slice that are not drawn, the entries may lead to shared memory.
        sampling.begin_slice(tree.number(at), true, tree);
        sampling.skipped += 1;
        let watch = self.watch;
        self.watch.stop_to_skip();
        value.owned(self, at);
        self.watch = watch;
        true
    }

    /// Visits a random sample of a slice inside a drawn element.
    fn sample_nested<T: MemoryProfile>(&mut self, values: &'a [T], at: Position) -> bool {
        let sampling = sampling_of(self);
        let draws = draws_inside(sampling.level, T::is_tallied());
        if values.len() <= 3 * draws {
            return false;
        }
        let outer = sampling.factor;
        sampling.level += 1;
        self.set_factor(outer * values.len() as f64 / draws as f64);
        let visited = self.draw(values, draws, at, |_| {});
        self.set_factor(outer);
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
        if let Some((sampling, tree)) = self.sampling_and_tree() {
            tree.split_inline_bytes();
            sampling.take_amounts(tree);
        }
    }

    /// Sets the number of values that each value represents from now on.
    fn set_factor(&mut self, factor: f64) {
        self.flush_amounts();
        if let Some((sampling, tree)) = self.sampling_and_tree() {
            sampling.set_factor(factor, tree);
        }
    }

    /// Continues a draw in another context with another factor, and returns the current ones.
    #[cold]
    pub(crate) fn resume_draw(&mut self, (context, factor): (u32, f64)) -> (u32, f64) {
        let outer = (self.context(), sampling_of(self).factor);
        self.set_factor(factor);
        self.switch_context(context);
        outer
    }

    /// Enters an allocation like [`enter_shared`](Self::enter_shared), in a sampled walk.
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
            return Some((at, self.context()));
        }
        let is_left_out = if is_drawing {
            self.is_uncounted(at, address, strong)
        } else {
            self.leaves_out_shared(at)
        };
        if is_left_out {
            return None;
        }
        if is_drawing {
            self.flush_amounts();
        }
        let outer = self.state().sharing.enter(address, strong)?;
        if let Some((sampling, tree)) = self.sampling_and_tree() {
            if is_drawing {
                sampling.record_drawn(address);
                sampling.outer_factors.push(sampling.factor);
                sampling.set_factor(1.0, tree);
            } else {
                sampling.record_known(address);
            }
        }
        let node = self.state().shared_node(at, strong);
        Some((Position { node, depth: at.depth }, outer))
    }

    /// Leaves an allocation that [`enter_shared`](Self::enter_shared) entered in a draw.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave_drawn(&mut self, outer: u32) {
        // An allocation with a single handle has no context of its own.
        if self.context() != outer {
            let factor = sampling_of(self).outer_factors.pop().unwrap_or(1.0);
            self.resume_draw((outer, factor));
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
