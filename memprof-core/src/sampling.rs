//! Samples: what a walk does with large slices when it has no time to visit all values.
//!
//! # The phases
//! A sampled walk begins like any other. When its observer stops it for the first time, it leaves
//! the rest of the current slice, and from then on every large slice, for the sample, and goes on
//! with everything else. At the second stop, it visits nothing more outside the sample. The elements
//! that were left are one population, from which the walk draws until the observer stops it a third
//! time. So each value is visited at most once before the sample begins, and a walk that is not
//! stopped is exact.
//!
//! # A draw
//! A drawn element is visited completely, into a [scratch tree](crate::state). The counters of the
//! scratch tree are multiplied by the number of elements that the draw represents, and added to a sum
//! for each node. So a draw costs what it touches. Slices inside a drawn element are not sampled
//! again: then every place that adds bytes would need the number of values that each value represents.
//!
//! Draws are dealt to 512 independent groups in turn. Each group estimates what all elements own, and
//! the spread of the groups shows the error of their mean. With half as many groups, the lower end of
//! an interval would be 2 % below the mean instead of 1 % even if all groups agree.
//!
//! Half of the draws go to slices by their lengths, and half to each slice equally, so that a short
//! slice of large elements is not missed. The slices of one group are spread evenly, by the fractional
//! parts of the multiples of the golden ratio from a random start.
//!
//! # Shared allocations
//! An allocation with `n` handles counts as one `n`th for each drawn element with a handle to it. All
//! elements together then count it at most once, so the sum is never too high on average. Handles in
//! such an allocation lead to others, which count as a part of that part. An allocation that
//! the walk met outside the sample counts there, in full. If the number of handles is unknown, the
//! sample counts nothing.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "estimates are floats; amounts are never negative, and the casts saturate"
)]

use crate::MemoryProfile;
use crate::large::{Sample, Sampled, SampledBytes};
use crate::layout::{Deferred, Visit, prefetch};
use crate::list::{Id, List};
use crate::shape::{NodeId, Position};
use crate::sharing::ContextId;
use crate::sort::sort_by;
use crate::state::{Counter, Counters, Folds, Mark, Place, ScratchRoot, WalkState};
use crate::tree::{BranchId, Collected, Plain};
use crate::walk::Walk;
use crate::walk::observer::{Entered, Hooks, Watch};
use crate::words::{Device, LeafKind, OpaqueReason};
use std::collections::{HashMap, HashSet};

/// The largest number of groups.
const GROUPS: usize = 512;

/// The largest number of elements drawn together, so that the processor loads them together.
const MAX_BATCH: usize = 32;

/// The largest number of draws from slices behind a guard, because others may wait for its lock.
const MAX_GUARDED: u64 = 4096;

/// The largest number of roots in a scratch tree. Further shared allocations are left out.
const MAX_ROOTS: usize = 4096;

/// The rest of a slice, which waits for the sample.
pub(crate) struct WaitingSlice<'a> {
    values: Deferred<'a>,
    len: usize,
    node: NodeId,
    context: ContextId,
    /// `true` if the slice must be drawn before a guard is dropped.
    pub(crate) is_guarded: bool,
}

pub(crate) static DRAWS: Hooks = Hooks {
    guarded: |walk| walk.draw_guarded(),
    last: |walk| walk.draw_last(),
    enter: |walk, at, address, strong| walk.enter_drawn(at, address, strong),
};

#[derive(Debug, Default)]
pub(crate) struct Sampling {
    random: Random,
    /// The tree of the walk while the walk draws.
    main: Option<Box<WalkState>>,
    /// The tree of the draws while the walk does not draw.
    scratch: Option<Box<WalkState>>,
    roots: Vec<ScratchRoot>,
    places: List<Place, NodeId>,
    /// The number of elements to draw from a slice now.
    batch: usize,
    /// The shared allocations that the current element met.
    met: HashSet<usize>,
    /// The shared allocations that draws counted before the walk ended.
    counted: HashSet<usize>,
    /// The nodes of the slices whose elements may lead to shared allocations.
    leading: Vec<NodeId>,
    /// The number of contexts entered before the first of these slices was left.
    contexts_before: Option<usize>,
    /// `true` if values outside large slices were not visited either.
    is_cut: bool,
    /// `true` if everything else was visited before.
    is_last: bool,
    populations: Vec<Population>,
    drawn: u64,
    elements: u64,
}

/// Slices that were sampled together, and what their draws found.
#[derive(Debug, Default)]
struct Population {
    rows: List<Row>,
    row_of: HashMap<NodeId, Id<Row>>,
    /// The number of draws of each group.
    draws: Vec<u64>,
}

/// The sums of what a population's draws found at one node, each draw times its weight.
#[derive(Debug)]
struct Row {
    node: NodeId,
    counters: Counters<f64>,
    marks: Vec<(Mark, f64)>,
    owned: Vec<(usize, f64)>,
    /// Bytes of shared allocations.
    shared: Vec<(usize, f64)>,
}

impl Population {
    fn row(&mut self, node: NodeId) -> &mut Row {
        let row = *self.row_of.entry(node).or_insert_with(|| {
            let (marks, owned, shared) = (Vec::new(), Vec::new(), Vec::new());
            self.rows.push(Row { node, counters: Counters::default(), marks, owned, shared })
        });
        &mut self.rows[row]
    }

    fn draws(&self) -> u64 {
        self.draws.iter().sum()
    }
}

impl Row {
    fn mark(&mut self, mark: Mark, count: f64) {
        match self.marks.iter_mut().find(|known| known.0 == mark) {
            Some((_, sum)) => *sum += count,
            None => self.marks.push((mark, count)),
        }
    }
}

struct Chances {
    /// The sums of the chances up to each slice.
    ends: Vec<f64>,
    /// The number of elements that a draw from each slice stands for.
    weights: Vec<f64>,
    /// The first point of each group.
    starts: Vec<f64>,
}

impl Chances {
    fn new(slices: &[WaitingSlice<'_>], random: &mut Random) -> Self {
        let elements: f64 = slices.iter().map(|slice| slice.len as f64).sum();
        let equal = 0.5 / slices.len() as f64;
        let chances = slices.iter().map(|slice| 0.5 * slice.len as f64 / elements + equal);
        let mut end = 0.0;
        let (ends, weights) = chances
            .zip(slices)
            .map(|(chance, slice)| {
                end += chance;
                (end, slice.len as f64 / chance)
            })
            .unzip();
        Self { ends, weights, starts: (0..GROUPS).map(|_| random.unit()).collect() }
    }

    /// Returns the index of the slice for the next draws of a group.
    fn slice(&self, group: usize, cycle: u32) -> usize {
        const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;
        let point = (self.starts[group] + f64::from(cycle) * GOLDEN_RATIO).fract();
        self.ends.partition_point(|&end| end <= point).min(self.ends.len() - 1)
    }
}

struct Draw;

impl<T: MemoryProfile> Visit<[T]> for Draw {
    fn visit<'a>(values: &'a [T], walk: &mut Walk<'a>, at: Position) {
        let (Some(sampling), Some(first)) = (&mut walk.sampling, values.first()) else { return };
        let mut batch = [first; MAX_BATCH];
        let batch = &mut batch[..sampling.batch.min(MAX_BATCH)];
        for slot in &mut *batch {
            *slot = &values[sampling.random.below(values.len())];
            prefetch((&raw const **slot).addr());
        }
        if T::is_tallied() {
            return T::owned_each(batch.iter().copied(), walk, at);
        }
        let waiting = walk.waiting();
        for &mut value in batch {
            value.owned(walk, at);
            walk.drain_to(waiting);
            if let Some(sampling) = &mut walk.sampling {
                sampling.met.clear();
            }
        }
    }
}

/// A walk that draws. The walk gets its tree back when this is dropped, also during a panic.
struct Drawing<'w, 'a> {
    walk: &'w mut Walk<'a>,
    outer: Watch,
}

impl<'w, 'a> Drawing<'w, 'a> {
    fn begin(walk: &'w mut Walk<'a>) -> Self {
        // Not all handles are met, so it is unknown who keeps shared memory alive.
        walk.state().sharing.end_trace();
        let outer = walk.watch;
        walk.watch.begin_drawing();
        if let Some(sampling) = &mut walk.sampling {
            let scratch = sampling.scratch.take().unwrap_or_default();
            sampling.main = walk.tree.replace(scratch);
        }
        Self { walk, outer }
    }
}

impl Drop for Drawing<'_, '_> {
    fn drop(&mut self) {
        let Self { walk, outer } = self;
        walk.watch.end_drawing(*outer);
        if let Some(sampling) = &mut walk.sampling {
            if let Some(main) = sampling.main.take() {
                sampling.scratch = walk.tree.replace(main);
            }
        }
    }
}

impl<'a> Walk<'a> {
    /// If there is no sample, marks the rest of the slice as not visited.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave_slice<T: MemoryProfile>(&mut self, values: &'a [T], at: Position) {
        if values.is_empty() {
            return;
        }
        let (is_drawing, context) = (self.is_drawing(), self.context());
        match self.sampling_and_tree() {
            Some((sampling, tree)) if !is_drawing => {
                let node = tree.number(at);
                if !T::is_tallied() {
                    sampling.leading.push(node);
                    sampling.contexts_before.get_or_insert(tree.sharing.len());
                }
                let (values, len) = (Deferred::new::<Draw, [T]>(values), values.len());
                let is_guarded = false;
                self.defer_slice(WaitingSlice { values, len, node, context, is_guarded });
            }
            _ => self.mark_unvisited(at, values.len()),
        }
    }

    fn draw_guarded(&mut self) {
        let others = self.slices.iter().rposition(|slice| !slice.is_guarded);
        let guarded = self.slices.split_off(others.map_or(0, |last| last + 1));
        self.draw_all(&guarded, MAX_GUARDED);
    }

    fn draw_last(&mut self) {
        let is_cut = self.is_stopped();
        if let Some(sampling) = &mut self.sampling {
            (sampling.is_last, sampling.is_cut) = (true, is_cut);
        }
        let slices = core::mem::take(&mut self.slices);
        self.draw_all(&slices, u64::MAX);
    }

    /// Draws at most `limit` elements from slices, and marks the slices.
    fn draw_all(&mut self, slices: &[WaitingSlice<'a>], limit: u64) {
        if slices.is_empty() {
            return;
        }
        let elements = slices.iter().map(|slice| slice.len as u64).sum();
        let drawn = self.draw(slices, limit.min(elements));
        for (slice, &drawn) in slices.iter().zip(&drawn) {
            let unvisited = (slice.len as u64).saturating_sub(drawn).max(1);
            self.mark(Position::node(slice.node), Mark::Opaque(OpaqueReason::Stopped), unvisited);
        }
        if let Some(sampling) = &mut self.sampling {
            sampling.drawn += drawn.iter().sum::<u64>();
            sampling.elements += elements;
        }
    }

    /// Returns the number of draws from each slice.
    fn draw(&mut self, slices: &[WaitingSlice<'a>], limit: u64) -> Vec<u64> {
        let mut drawn = vec![0; slices.len()];
        let drawing = Drawing::begin(self);
        let walk = &mut *drawing.walk;
        let Some(sampling) = &mut walk.sampling else { return drawn };
        let chances = Chances::new(slices, &mut sampling.random);
        sampling.populations.push(Population { draws: vec![0; GROUPS], ..Population::default() });
        let mut left = limit;
        for cycle in 0_u32.. {
            for group in 0..GROUPS {
                // The groups get single draws first, so that few draws make many groups.
                let batch = left.min(1 << cycle.min(MAX_BATCH.ilog2()));
                if batch == 0 || !walk.take_group(batch as usize) {
                    return drawn;
                }
                let index = chances.slice(group, cycle);
                let slice = &slices[index];
                let Some((sampling, scratch)) = walk.sampling_and_tree() else { return drawn };
                sampling.batch = batch as usize;
                sampling.roots.clear();
                let root = scratch.begin_scratch();
                sampling.roots.push(root);
                slice.values.visit(walk, Position::node(root.node));
                let Some((sampling, scratch)) = walk.sampling_and_tree() else { return drawn };
                sampling.add(scratch, slice, group, batch, chances.weights[index]);
                drawn[index] += batch;
                left -= batch;
            }
        }
        drawn
    }

    #[cold]
    #[inline(never)]
    fn enter_drawn(&mut self, at: Position, address: usize, strong: usize) -> Entered {
        if strong == 0 || self.is_stopped() {
            return None;
        }
        let context = self.context();
        let (sampling, scratch) = self.sampling_and_tree()?;
        let known = &mut sampling.main.as_mut()?.sharing;
        if !sampling.met.insert(address)
            || known.is_known(address) && !sampling.counted.contains(&address)
        {
            return None;
        }
        if !sampling.is_last && sampling.counted.insert(address) {
            // The walk continues after these draws, and must not count the allocation too.
            if let Some(outer) = known.enter(address, strong) {
                known.switch(outer);
            }
        }
        let node = sampling.root_of_shared(scratch, at, strong)?;
        scratch.rare(Position::node(node)).add_shared(strong);
        Some((at.with_node(node), context))
    }
}

impl Sampling {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Random(seed), ..Self::default() }
    }

    fn root_of_shared(
        &mut self,
        scratch: &mut WalkState,
        at: Position,
        strong: usize,
    ) -> Option<NodeId> {
        let handle = scratch.number(at);
        // Handles in a collection usually lead to allocations with equally many handles.
        let is_same =
            |last: &&ScratchRoot| last.handle.get() == Some(handle) && last.strong == strong;
        if let Some(last) = self.roots.last().filter(is_same) {
            return Some(last.node);
        }
        if self.roots.len() == MAX_ROOTS {
            return None;
        }
        let above = scratch.scratch_root(handle);
        let above = self.roots.partition_point(|root| root.node < above);
        let part = self.roots.get(above)?.part / strong as f64;
        let node = scratch.add_scratch_root();
        self.roots.push(ScratchRoot { node, handle: handle.into(), strong, part });
        Some(node)
    }

    /// Adds what the draws of a group found.
    fn add(
        &mut self,
        scratch: &mut WalkState,
        slice: &WaitingSlice<'_>,
        group: usize,
        batch: u64,
        weight: f64,
    ) {
        let Some((main, population)) = self.main.as_mut().zip(self.populations.last_mut()) else {
            return;
        };
        population.draws[group] += batch;
        scratch.split_inline_bytes();
        main.places_of(scratch, &self.roots, slice.node, &mut self.places);
        for (number, place) in self.places.numbered().skip(1) {
            let weight = weight * self.roots[place.root].part;
            let counters = scratch.counters(&scratch.nodes[number]);
            let mut bytes = Counter::bytes_in(&counters).into_iter().fold(0, u64::saturating_add);
            for marked in scratch.marks(number) {
                // The slice is marked as not visited in any case.
                if marked.mark != Mark::Opaque(OpaqueReason::Stopped) {
                    let count = marked.count as f64 * weight;
                    population.row(place.node).mark(marked.mark, count);
                }
                if let Mark::OnDevice(_) = marked.mark {
                    bytes = bytes.saturating_add(marked.count);
                }
            }
            if bytes == 0 && counters.iter().all(|&count| count == 0) {
                continue;
            }
            let row = population.row(place.node);
            for (sum, &more) in row.counters.iter_mut().zip(&counters) {
                *sum += more as f64 * weight;
            }
            let is_shared = place.root != 0 || slice.context.is_some();
            let groups = if is_shared { &mut row.shared } else { &mut row.owned };
            let bytes = bytes as f64 * weight;
            match groups.binary_search_by_key(&group, |&(group, _)| group) {
                Ok(index) => groups[index].1 += bytes,
                Err(index) if bytes > 0.0 => groups.insert(index, (group, bytes)),
                Err(_) => {}
            }
        }
    }

    /// Reduces the means if the tree then has more than `at_most` bytes on the host.
    fn write_back(&self, tree: &mut WalkState, at_most: Option<u64>) {
        let reduction = at_most.map_or(1.0, |at_most| self.reduction(tree, at_most));
        for population in &self.populations {
            let draws = population.draws() as f64;
            let mean = |sum: f64| (sum / draws).round() as u64;
            for row in &population.rows.0 {
                let node = row.node;
                for &(mark, sum) in &row.marks {
                    if let Mark::OnDevice(device) = mark {
                        tree.mark(node, mark, mean(sum));
                        tree.mark_sampled(node, LeafKind::Data, device, mean(sum));
                    } else {
                        // A mark with a count of 0 would mean that nothing is missing.
                        tree.mark(node, mark, mean(sum).max(1));
                    }
                }
                let at = Position::node(node);
                let bytes = Counter::bytes_in(&row.counters).map(|sum| mean(sum * reduction));
                for (&kind, bytes) in LeafKind::ALL.iter().zip(bytes).filter(|(_, b)| *b > 0) {
                    tree.count(at, Counter::of(kind), bytes);
                    tree.mark_sampled(node, kind, Device::Cpu, bytes);
                }
                let counts = Counter::COUNTS.map(|count| (count, row.counters[count as usize]));
                for (count, sum) in counts.into_iter().filter(|&(_, sum)| mean(sum) > 0) {
                    tree.count(at, count, mean(sum));
                }
            }
        }
    }

    /// Returns the factor that limits the estimates to the maximum number of bytes on the host.
    fn reduction(&self, tree: &WalkState, at_most: u64) -> f64 {
        let bytes = |counters| Counter::bytes_in(counters).into_iter().sum::<f64>();
        let visited = tree.nodes.0.iter().flat_map(|node| tree.all_bytes(node));
        let visited = visited.fold(0, u64::saturating_add) as f64;
        let sampled = self.populations.iter().map(|population| {
            let rows = population.rows.0.iter().map(|row| bytes(&row.counters));
            rows.sum::<f64>() / population.draws().max(1) as f64
        });
        let (sampled, left) = (sampled.sum::<f64>(), at_most as f64 - visited);
        // A limit below what was visited is wrong, so it reduces nothing.
        if sampled > left && left >= 0.0 { left / sampled } else { 1.0 }
    }

    /// Adds the sample to a finished walk. `finish` makes the result of the walk.
    pub(crate) fn finish(
        self,
        state: &mut WalkState,
        at_most: Option<u64>,
        finish: impl FnOnce(&WalkState) -> Collected,
    ) -> Sampled {
        let movable_bytes =
            self.contexts_before.map_or(0, |contexts| state.sharing.movable_bytes(contexts));
        let movable = if movable_bytes == 0 { Vec::new() } else { state.shared_bytes() };
        self.write_back(state, at_most);
        let folds = state.folds();
        state.raise_unvisited(&folds);
        let collected = finish(state);
        let mut sample = self.sample(state, &folds, &movable, &collected.tree.plain());
        sample.movable_bytes = movable_bytes;
        let Self { drawn, elements, .. } = self;
        Sampled { collected, sample, drawn, elements }
    }

    fn sample(
        &self,
        state: &WalkState,
        folds: &Folds,
        movable: &[(NodeId, u64)],
        plain: &Plain<'_>,
    ) -> Sample {
        let mut branches = Branches::new(state, plain);
        let draws = self.populations.iter().map(Population::draws);
        let groups = GROUPS.min(draws.max().unwrap_or_default() as usize);
        let mut bytes = Vec::new();
        for population in &self.populations {
            let mut draws = vec![0_u64; groups];
            for (group, more) in population.draws.iter().enumerate().filter(|_| groups != 0) {
                draws[group % groups] += more;
            }
            for row in &population.rows.0 {
                let branch = branches.of_node(row.node).0;
                for (is_shared, rows) in [(false, &row.owned), (true, &row.shared)] {
                    bytes.extend(rows.iter().map(|&(group, bytes)| {
                        let group = group % groups;
                        SampledBytes {
                            branch,
                            group,
                            is_shared,
                            bytes: bytes / draws[group] as f64,
                        }
                    }));
                }
            }
        }
        sort_by(&mut bytes, |a, b| a.branch.cmp(&b.branch));
        let movable = movable.iter().map(|&(node, bytes)| (branches.of_node(node).0, bytes));
        let mut movable: Vec<(BranchId, u64)> = movable.collect();
        sort_by(&mut movable, <(BranchId, u64)>::cmp);
        let leading = self.leading.iter().map(|&node| branches.of_node(folds.root_of(node)).0);
        let shared = bytes.iter().filter(|bytes| bytes.is_shared).map(|bytes| bytes.branch);
        let places: Vec<BranchId> =
            leading.chain(shared).chain(movable.iter().map(|&(branch, _)| branch)).collect();
        let sharing = match (places.iter().min(), places.iter().max()) {
            _ if self.is_cut => BranchId::ROOT..plain.root().end(),
            (Some(&first), Some(&last)) => first..last.next(),
            _ => BranchId::ROOT..BranchId::ROOT,
        };
        Sample { groups, bytes, sharing, movable, movable_bytes: 0 }
    }
}

/// The branches of the nodes of a walk, in the plain form of the finished tree.
struct Branches<'s> {
    state: &'s WalkState,
    plain: &'s Plain<'s>,
    /// The branch of each known node, and whether the branches below it have no names.
    known: HashMap<NodeId, (BranchId, bool)>,
    children: HashMap<BranchId, HashMap<&'s str, BranchId>>,
}

impl<'s> Branches<'s> {
    fn new(state: &'s WalkState, plain: &'s Plain<'s>) -> Self {
        let known = HashMap::from([(NodeId::ROOT, (BranchId::ROOT, false))]);
        Self { state, plain, known, children: HashMap::new() }
    }

    /// A node without a branch has that of the node above it.
    fn of_node(&mut self, node: NodeId) -> (BranchId, bool) {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let here = &self.state.nodes[node];
        let (above, is_leaf) = self.of_node(here.parent);
        let branch = if is_leaf || here.field.frameless {
            above
        } else {
            let below = || self.plain.at(above).children().map(|one| (one.name(), one.id()));
            let children = self.children.entry(above).or_insert_with(|| below().collect());
            children.get(self.state.name_of(here)).copied().unwrap_or(above)
        };
        let known = (branch, is_leaf || here.field.leaf);
        self.known.insert(node, known);
        known
    }
}

/// A small generator of random numbers (`SplitMix64`). It is fast and passes the usual tests, but its
/// numbers are predictable.
#[derive(Debug, Default)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, or 0 if `end` is 0. The probabilities of two numbers differ by
    /// at most 2⁻⁶⁴.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// Returns a number from 0 to 1, without 1.
    fn unit(&mut self) -> f64 {
        // A float has 53 exact bits.
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests;
