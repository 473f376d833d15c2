//! Walks that visit a random sample of large slices.
//!
//! A sampled walk visits everything except the elements of large slices. From each of these slices,
//! it draws elements at random into independent groups. A draw represents several elements, so its
//! bytes are multiplied by their number. The sum of a group is then an unbiased estimate of what all
//! elements own. So each group is an independent estimate of every leaf, and the spread of the groups
//! shows the error of their mean. Slices inside drawn elements are sampled in the same group.
//!
//! A shared allocation with `n` handles counts as one `n`th for each handle in a drawn element. All
//! handles together then count it at most once, so the sum is never too high on average. If a handle
//! is inside another shared allocation, it counts for the same part as that allocation.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "estimates are floats; amounts are never negative, and the casts saturate"
)]

mod random;
mod replicates;

use crate::sharing::{DRAWN, Equal, Sharing};
use crate::state::{Amount, Followed, WalkState};
use crate::tensor::LargestTensors;
pub(crate) use random::Random;
pub use replicates::Replicate;
pub(crate) use replicates::{branch_of, replicates_of};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The settings of a sampled walk.
///
/// ```
/// use memprof_core::large::{KnownAllocations, SamplePlan};
/// use memprof_core::tree::Collected;
/// use memprof_core::walk::Observer;
///
/// struct Unlimited;
/// impl Observer for Unlimited {}
///
/// let names: Vec<String> = (0..100_000).map(|name| name.to_string()).collect();
/// let plan = SamplePlan::new(7).groups(100).draws_per_slice(100);
/// let known = KnownAllocations::default();
/// let sampled = Collected::sampled("names", &names, plan, known, &mut Unlimited);
/// assert!(sampled.drawn < 200);
/// assert_eq!(sampled.elements, 100_000);
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct SamplePlan {
    seed: u64,
    pub(crate) groups: usize,
    draws_per_slice: usize,
    fraction: f64,
    pub(crate) skips_entries: bool,
    at_most: Option<u64>,
}

impl SamplePlan {
    /// The default number of groups.
    ///
    /// Even if all groups agree, the lower end of an interval is 1 % below the mean. With half as
    /// many groups it is 2 % below. With twice as many, the figures take twice the memory.
    pub const GROUPS: usize = 512;

    /// Returns a plan for a walk whose random numbers begin with `seed`.
    pub fn new(seed: u64) -> Self {
        let groups = Self::GROUPS;
        Self {
            seed,
            groups,
            draws_per_slice: 64,
            fraction: 0.0,
            skips_entries: false,
            at_most: None,
        }
    }

    /// Sets the number of independent groups, at least 2. Default: 512.
    pub fn groups(self, groups: usize) -> Self {
        Self { groups: groups.max(2), ..self }
    }

    /// Sets the number of elements drawn on average from each large slice, at least 1. Default: 64.
    pub fn draws_per_slice(self, draws: usize) -> Self {
        Self { draws_per_slice: draws.max(1), ..self }
    }

    /// Sets the fraction of the elements of each slice to draw, if that is more than
    /// [`draws_per_slice`](Self::draws_per_slice). Default: 0.
    pub fn fraction(self, fraction: f64) -> Self {
        Self { fraction: fraction.clamp(0.0, 1.0), ..self }
    }

    /// Sets whether the walk skips the entries of collections without random access, such as maps
    /// and lists. A walk that visits them all may take long. Default: `false`.
    pub fn skip_entries(self, skip: bool) -> Self {
        Self { skips_entries: skip, ..self }
    }

    /// Sets the maximum number of bytes on the host. If the mean of the groups is higher, the
    /// estimates are reduced in proportion. The figures of the groups stay as they are.
    pub fn at_most(self, bytes: u64) -> Self {
        Self { at_most: Some(bytes), ..self }
    }

    /// Replaces the seed by one that follows from it, for another sample of the same value.
    pub fn next_seed(self) -> Self {
        Self { seed: self.seed.wrapping_add(0x5851_f42d_4c95_7f2d), ..self }
    }

    /// Returns how to draw from a slice of `len` elements, or `None` to visit all of them.
    fn draws_of(&self, len: usize) -> Option<Draws> {
        let wanted = (len as f64 * self.fraction).max(self.draws_per_slice as f64);
        if wanted * 2.0 >= len as f64 {
            return None;
        }
        let groups = self.groups as f64;
        let in_group = (wanted / groups).round().max(1.0);
        let probability = (wanted / groups).min(1.0);
        Some(Draws {
            in_group: in_group as usize,
            probability,
            weight: len as f64 / (in_group * probability),
        })
    }
}

/// The shared allocations that a walk met outside sampled slices, where they count in full.
///
/// A walk cannot know the allocations that it has not met yet. If it draws a handle to one of them
/// first, the allocation counts twice, and the walk must be repeated with these allocations.
#[derive(Debug, Default)]
pub struct KnownAllocations(pub(crate) Sharing);

/// The parameters of the draws from one slice. Each group draws with the given probability,
/// independently of the other groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws {
    pub(crate) in_group: usize,
    pub(crate) probability: f64,
    /// The number of elements that each draw of a group represents.
    pub(crate) weight: f64,
}

/// The state of a sampled walk.
#[derive(Debug)]
pub(crate) struct Sampling {
    pub(crate) plan: SamplePlan,
    pub(crate) random: Random,
    /// The group that the walk draws for at the moment, or `None` outside sampled slices.
    group: Option<usize>,
    /// The number of sampled slices around the current value.
    pub(crate) level: u32,
    /// The number of elements that the current draw represents.
    weight: f64,
    /// The number of values that the current value represents, in the drawn element or in the shared
    /// allocation around the value.
    pub(crate) factor: f64,
    /// The factors that apply again when the walk leaves the shared allocations around the current
    /// value.
    pub(crate) outer_factors: Vec<f64>,
    /// The factor at each handle that the current draw met.
    handle_factors: Vec<f64>,
    /// The amounts in shared allocations that the current draw found, by context. The part of each
    /// allocation that counts is known at the end of the draw.
    in_shared: Vec<(u32, Amount, f64)>,
    /// The memory that the walk met outside sampled slices. It is kept here while the walk draws.
    known: Known,
    /// The allocations that an earlier walk met outside sampled slices.
    known_earlier: KnownAllocations,
    /// The addresses of the shared allocations of which draws counted a part.
    drawn_shared: HashSet<usize>,
    /// `true` if an allocation in `drawn_shared` also counts in full, outside sampled slices.
    pub(crate) counts_twice: bool,
    /// The number of contexts that the walk entered before the first sampled slice. A walk over all
    /// elements enters them at the same places.
    contexts_before: Option<usize>,
    /// The nodes of the sampled slices whose elements may lead to shared allocations.
    shared_slices: BTreeSet<u32>,
    rows: BTreeMap<Amount, Row>,
    /// The number of rows that have a figure for each group.
    detailed_rows: usize,
    /// The estimate of all sampled bytes by each group.
    totals: Vec<f64>,
    pub(crate) drawn: u64,
    pub(crate) elements: u64,
    /// The number of collections whose entries the walk skipped.
    pub(crate) skipped: u64,
}

/// An amount: the exact part outside sampled slices, and the estimates of the part inside them.
#[derive(Debug, Default)]
struct Row {
    exact: f64,
    /// The sum of all groups.
    sum: f64,
    /// The sum of each group. Empty for counts, and for amounts beyond the limit.
    groups: Vec<f64>,
}

/// The maximum number of rows with a figure for each group, which take up to 16 MiB. Other rows
/// have a mean and no interval.
const MAX_DETAILED_ROWS: usize = 4096;

/// The memory that counts once and that the walk has already met. Each draw starts without such
/// memory, because draws must not depend on each other.
#[derive(Debug, Default)]
struct Known {
    sharing: Sharing,
    equal: Equal,
    followed: Followed,
    tensors: LargestTensors,
}

impl Known {
    /// Exchanges this memory with that of the tree.
    fn swap(&mut self, tree: &mut WalkState) {
        core::mem::swap(&mut self.sharing, &mut tree.sharing);
        core::mem::swap(&mut self.equal, &mut tree.equal);
        core::mem::swap(&mut self.followed, &mut tree.followed);
        core::mem::swap(&mut self.tensors, &mut tree.tensors);
    }
}

impl Sampling {
    pub(crate) fn new(plan: SamplePlan, known_earlier: KnownAllocations) -> Self {
        Self {
            plan,
            random: Random::new(plan.seed),
            group: None,
            level: 0,
            weight: 1.0,
            factor: 1.0,
            outer_factors: Vec::new(),
            handle_factors: Vec::new(),
            in_shared: Vec::new(),
            known: Known::default(),
            known_earlier,
            drawn_shared: HashSet::new(),
            counts_twice: false,
            contexts_before: None,
            shared_slices: BTreeSet::new(),
            rows: BTreeMap::new(),
            detailed_rows: 0,
            totals: vec![0.0; plan.groups],
            drawn: 0,
            elements: 0,
            skipped: 0,
        }
    }

    /// Returns how to draw from a slice of `len` elements outside sampled slices, or `None` to visit
    /// all of them.
    pub(crate) fn draws_of(&self, len: usize) -> Option<Draws> {
        self.plan.draws_of(len)
    }

    /// Moves the amounts of the tree to `rows`. Amounts inside sampled slices are multiplied by the
    /// number of values that they represent.
    pub(crate) fn take_amounts(&mut self, tree: &mut WalkState) {
        let (factor, context) = (self.factor, tree.sharing.context());
        let is_in_shared = self.group.is_some() && context != DRAWN;
        tree.take_amounts(|amount, value| {
            if is_in_shared {
                self.in_shared.push((context, amount, value as f64 * factor));
            } else {
                self.add(amount, value as f64 * factor);
            }
        });
    }

    /// Adds an amount that the walk found in the current group, or outside sampled slices.
    fn add(&mut self, amount: Amount, value: f64) {
        let row = self.rows.entry(amount).or_default();
        let Some(group) = self.group else {
            row.exact += value;
            return;
        };
        let value = value * self.weight;
        row.sum += value;
        if amount.leaf().is_none() {
            return;
        }
        self.totals[group] += value;
        if row.groups.is_empty() {
            if self.detailed_rows == MAX_DETAILED_ROWS {
                return;
            }
            self.detailed_rows += 1;
            row.groups = vec![0.0; self.plan.groups];
        }
        row.groups[group] += value;
    }

    /// Sets the number of values that the current value represents. The caller must have taken all
    /// earlier amounts.
    pub(crate) fn set_factor(&mut self, factor: f64, tree: &WalkState) {
        self.handle_factors.resize(tree.sharing.drawn_handles(), self.factor);
        self.factor = factor;
    }

    /// Begins a sampled slice at a node, outside other sampled slices.
    pub(crate) fn begin_slice(&mut self, node: u32, leads_to_shared: bool, tree: &WalkState) {
        self.contexts_before.get_or_insert(tree.sharing.len());
        if leads_to_shared {
            self.shared_slices.insert(node);
        }
    }

    /// Returns the visited bytes that a walk over all elements may count at other branches.
    pub(crate) fn movable_bytes(&self, tree: &WalkState) -> u64 {
        self.contexts_before.map_or(0, |len| tree.sharing.movable_bytes(len))
    }

    /// Begins to draw for a group. The caller must have taken all earlier amounts.
    pub(crate) fn begin_group(&mut self, group: usize, weight: f64, tree: &mut WalkState) {
        if self.group.replace(group).is_none() {
            self.known.swap(tree);
            tree.sharing.begin_draw();
        }
        (self.weight, self.level) = (weight, 1);
    }

    /// Ends the drawing. The caller must have taken all amounts of the groups.
    pub(crate) fn end_groups(&mut self, tree: &mut WalkState) {
        if self.group.take().is_some() {
            self.known.swap(tree);
            self.known = Known::default();
        }
        (self.weight, self.level) = (1.0, 0);
    }

    /// Adds the shared allocations that one draw met, and forgets what it met, because the next draw
    /// must not depend on it.
    pub(crate) fn end_draw(&mut self, tree: &mut WalkState) {
        if !self.in_shared.is_empty() {
            self.set_factor(1.0, tree);
            let parts = tree.sharing.parts(&self.handle_factors);
            let mut in_shared = core::mem::take(&mut self.in_shared);
            for (context, amount, value) in in_shared.drain(..) {
                self.add(amount, value * parts[context as usize - 1]);
            }
            self.in_shared = in_shared;
        }
        self.factor = 1.0;
        self.outer_factors.clear();
        self.handle_factors.clear();
        tree.sharing.begin_draw();
        tree.equal = Equal::default();
        tree.tensors = LargestTensors::default();
    }

    /// Returns the estimate of all sampled bytes by each group.
    pub(crate) fn into_totals(self) -> Vec<f64> {
        self.totals
    }

    /// Returns the nodes of the sampled slices whose elements may lead to shared allocations.
    pub(crate) fn shared_slices(&self) -> impl Iterator<Item = u32> {
        self.shared_slices.iter().copied()
    }

    /// Returns whether the walk met the allocation at `address` outside sampled slices, where it
    /// counts in full.
    pub(crate) fn is_known(&mut self, address: usize) -> bool {
        self.known.sharing.is_known(address) || self.known_earlier.0.is_known(address)
    }

    /// Records that draws count a part of a shared allocation.
    pub(crate) fn record_drawn(&mut self, address: usize) {
        self.drawn_shared.insert(address);
    }

    /// Records that a shared allocation counts in full, outside sampled slices.
    pub(crate) fn record_known(&mut self, address: usize) {
        self.counts_twice |= self.drawn_shared.contains(&address);
    }
}

#[cfg(test)]
mod tests;
