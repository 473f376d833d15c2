//! An estimated profile, with the intervals of its total and its branches.

use crate::Profile;
use crate::estimate::interval::Interval;
use crate::estimate::lower_end::lower_end;
use crate::tree::{Branch, Device, KEYS, Leaf, OpaqueReason, Path, SHARED};
use crate::views::find::branch_at;
use core::fmt;
use core::ops::Range;
use memprof_core::large::{Replicate, Sampled};
use memprof_core::tree::Plain;

/// A profile, returned by [`Profile::estimate`], whose large slices may be estimated from a random
/// sample.
///
/// `{}` draws the tree with an interval on each estimated line.
///
/// ```
/// use memprof::large::{Budget, NoUpperEnd};
/// use memprof::Profile;
///
/// let names = vec![String::from("alpha"); 200_000];
/// let estimate = Profile::estimate(&names, Budget::elements(20_000));
/// assert!(!estimate.is_exact());
/// assert_eq!(estimate.profile().total_bytes(), 24 + 200_000 * (24 + 5));
/// assert!(estimate.total().low > 200_000 * (24 + 4));
/// // An element that was not drawn may own any amount.
/// assert_eq!(estimate.total().high, None);
/// assert_eq!(estimate.no_upper_end(), Some(NoUpperEnd::NoLimit));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct EstimatedProfile {
    profile: Profile,
    sampled: Vec<SampledLeaf>,
    /// The estimate of all sampled bytes by each group of the sample.
    groups: Vec<f64>,
    /// The maximum number of bytes of the profile, or the reason why it is not known.
    limit: Result<u64, NoUpperEnd>,
    total: Interval,
    seed: u64,
    drawn: u64,
    elements: u64,
    /// `true` if the estimates of shared memory are too high.
    counts_twice: bool,
    /// The maximum number of visited bytes that a walk over all elements may count at other
    /// branches.
    movable_bytes: u64,
    /// The branches that these bytes may be at.
    movable: Vec<Movable>,
    /// The sampled slices whose elements may lead to shared allocations.
    shared_slices: Vec<Place>,
}

/// The indices of a branch in both forms of the tree.
#[derive(Clone, Copy, Debug)]
struct Place {
    detailed: u32,
    plain: u32,
}

/// Visited bytes of shared allocations at one branch.
#[derive(Clone, Copy, Debug)]
struct Movable {
    place: Place,
    bytes: u64,
}

/// A leaf with sampled bytes.
#[derive(Clone, Debug)]
struct SampledLeaf {
    place: Place,
    /// `true` if the bytes are in shared allocations.
    is_shared: bool,
    replicate: Replicate,
}

/// The reason why an estimate has no upper end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoUpperEnd {
    /// The budget had no limit for the bytes of the value.
    NoLimit,
    /// The value owns more bytes than the limit, for example outside the counted heap.
    LimitExceeded,
    /// Sampled elements own memory on a device, which the limit does not include.
    OnDevice,
}

impl fmt::Display for NoUpperEnd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::NoLimit => "elements that were not visited may own any amount",
            Self::LimitExceeded => "the value owns more than the limit of the budget",
            Self::OnDevice => "elements that were not visited may own memory of a device",
        })
    }
}

impl EstimatedProfile {
    /// Returns the result of a walk over the whole value, which may have been stopped.
    pub(super) fn complete(profile: Profile, at_most: Option<u64>, seed: u64) -> Self {
        let mut estimate = Self::of(profile, seed);
        estimate.find_total(at_most);
        estimate
    }

    /// Returns the result of a sampled walk.
    pub(super) fn sampled(sampled: Sampled, at_most: Option<u64>, seed: u64) -> Self {
        let Sampled { collected, replicates, totals, drawn, elements, counts_twice, .. } = sampled;
        let Sampled { movable_bytes, has_shared_elsewhere, shared_slices, .. } = sampled;
        let mut estimate = Self::of(collected.into(), seed);
        if estimate.is_exact() {
            return estimate;
        }
        let mut places = plain_branches(&estimate.profile, &estimate.profile.plain());
        if has_shared_elsewhere {
            for (_, is_shared) in &mut places {
                *is_shared = true;
            }
        }
        let place = |detailed: u32| {
            let (plain, is_shared) = places.get(detailed as usize).copied().unwrap_or_default();
            (Place { detailed, plain }, is_shared)
        };
        estimate.shared_slices = shared_slices.into_iter().map(|branch| place(branch).0).collect();
        let sampled = replicates.into_iter().map(|replicate| {
            let (place, is_shared) = place(replicate.branch);
            SampledLeaf { place, is_shared, replicate }
        });
        estimate.sampled = sampled.collect();
        if movable_bytes > 0 {
            let movable = estimate.profile.root().subtree().filter_map(|branch| {
                let (place, is_shared) = place(branch.index());
                is_shared.then(|| Movable { place, bytes: visited_bytes(branch) })
            });
            estimate.movable = movable.collect();
        }
        estimate.groups = totals;
        if counts_twice {
            let shared: Vec<f64> =
                estimate.sum_of_groups(estimate.sampled.iter().filter(|leaf| leaf.is_shared));
            estimate.groups.iter_mut().zip(shared).for_each(|(all, part)| *all -= part);
        }
        let mut estimate = Self { drawn, elements, counts_twice, movable_bytes, ..estimate };
        estimate.find_total(at_most);
        estimate
    }

    /// Returns the estimate that consists of a profile whose bytes are all known.
    fn of(profile: Profile, seed: u64) -> Self {
        Self {
            total: Interval::exact(profile.total_bytes()),
            profile,
            sampled: Vec::new(),
            groups: Vec::new(),
            limit: Err(NoUpperEnd::NoLimit),
            seed,
            drawn: 0,
            elements: 0,
            counts_twice: false,
            movable_bytes: 0,
            movable: Vec::new(),
            shared_slices: Vec::new(),
        }
    }

    /// Computes the interval of the total, unless all bytes are known.
    fn find_total(&mut self, at_most: Option<u64>) {
        if self.is_exact() {
            return;
        }
        self.limit = self.limit_of(at_most);
        self.total = self.interval_of(self.profile.root(), Form::Detailed);
        if self.total.high.is_some_and(|high| high < self.total.low) {
            self.limit = Err(NoUpperEnd::LimitExceeded);
            self.total.high = None;
        }
    }

    /// Returns the maximum number of bytes of the whole profile.
    fn limit_of(&self, at_most: Option<u64>) -> Result<u64, NoUpperEnd> {
        let at_most = at_most.ok_or(NoUpperEnd::NoLimit)?;
        if self.sampled.iter().any(|leaf| leaf.replicate.device != Device::Cpu) {
            return Err(NoUpperEnd::OnDevice);
        }
        let on_devices = self.profile.devices().into_iter();
        let on_devices =
            on_devices.filter(|&(device, _)| device != Device::Cpu).map(|(_, bytes)| bytes);
        let inline = self.profile.shallow_bytes().unwrap_or_default();
        Ok(on_devices.fold(at_most.saturating_add(inline), u64::saturating_add))
    }

    /// Returns the profile. Its estimated leaves are [marked](Leaf::estimated_bytes), and elements
    /// that were not visited are marked as [stopped](OpaqueReason::Stopped).
    ///
    /// Its totals of [shared](Profile::shared) memory do not include sampled elements.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the profile without its intervals.
    pub fn into_profile(self) -> Profile {
        self.profile
    }

    /// Returns the 95 % interval of the total.
    pub fn total(&self) -> Interval {
        self.total
    }

    /// Returns the 95 % interval of the branch at a path, with everything below it. The path is
    /// spelled as for [`Profile::bytes_at`]. Returns `None` if there is no such branch.
    ///
    /// Elements that were not visited may own memory at a branch. The upper end of such a branch is
    /// the upper end of the total, less the lower ends of the other branches.
    ///
    /// ```
    /// use memprof::large::Budget;
    /// use memprof::Profile;
    ///
    /// let value = (vec![String::from("alpha"); 100_000], vec![0_u64; 1000]);
    /// let estimate = Profile::estimate(&value, Budget::elements(20_000));
    /// assert!(estimate.interval_at("0").unwrap().contains(24 + 100_000 * 29));
    /// assert!(estimate.interval_at("1").unwrap().is_exact());
    /// ```
    pub fn interval_at(&self, path: &str) -> Option<Interval> {
        let plain = self.profile.plain();
        let branch = branch_at(&plain, path)?;
        Some(self.interval_of(branch, Form::Plain))
    }

    /// Returns each leaf of the profile with its path and its 95 % interval, in the order of
    /// [`Profile::leaves`].
    ///
    /// A leaf that is exact has an interval of one number. If no drawn element has a leaf of some
    /// kind, the iterator has no item for that kind.
    ///
    /// # Cost
    /// Computes each interval again, in about 0.1 milliseconds.
    pub fn leaves(&self) -> impl Iterator<Item = (Path<'_>, Leaf, Interval)> {
        let branches = self.profile.root().subtree();
        let branches = branches.flat_map(|branch| {
            let leaves = crate::views::leaves::listed_leaves(branch);
            leaves.into_iter().map(move |leaf| (branch, leaf))
        });
        let intervals = branches.map(|(branch, leaf)| self.interval_of_leaf(branch, &leaf));
        self.profile.leaves().zip(intervals).map(|((path, leaf), interval)| (path, leaf, interval))
    }

    /// Returns whether every byte is known, as [`Profile::is_exact`] does.
    pub fn is_exact(&self) -> bool {
        self.profile.is_exact()
    }

    /// Returns the reason why the total has no upper end; `None` if it has one.
    pub fn no_upper_end(&self) -> Option<NoUpperEnd> {
        if self.total.high.is_some() { None } else { self.limit.err() }
    }

    /// Returns the seed of the random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of elements drawn from sampled slices. It is 0 if the whole value was
    /// visited, or if no slice was large enough.
    pub fn drawn_elements(&self) -> u64 {
        self.drawn
    }

    /// Returns the number of elements of the sampled slices, without slices inside drawn elements.
    pub fn sampled_elements(&self) -> u64 {
        self.elements
    }

    /// Returns whether elements that were not visited may change the bytes of a branch.
    pub(super) fn is_estimated(&self, branch: Branch<'_>, form: Form) -> bool {
        let range = branch.index()..branch.end();
        self.sampled.iter().any(|leaf| range.contains(&leaf.place.branch(form)))
            || self.movable_in(&range, form) > 0
            || self.is_in_sampled_slice(branch, form)
    }

    /// Returns the interval of a branch and everything below it.
    pub(super) fn interval_of(&self, branch: Branch<'_>, form: Form) -> Interval {
        let range = branch.index()..branch.end();
        let movable = self.movable_in(&range, form);
        if !branch.is_marked() && !self.is_in_sampled_slice(branch, form) {
            return visited_interval(branch.total_bytes(), movable);
        }
        let groups = self.groups_in(&range, form, |_| true);
        self.interval(branch.total_bytes(), estimated_bytes(branch), movable, &groups)
    }

    fn interval_of_leaf(&self, branch: Branch<'_>, leaf: &Leaf) -> Interval {
        let range = branch.index()..branch.index() + 1;
        // The movable bytes are known only for a branch, not for each kind of leaf.
        let movable = self.movable_in(&range, Form::Detailed).min(leaf.bytes());
        let is_visited = leaf.estimated_bytes() == 0 && !leaf.is_mark();
        if is_visited && !self.is_in_sampled_slice(branch, Form::Detailed) {
            return visited_interval(leaf.bytes(), movable);
        }
        let key = (leaf.kind(), leaf.role(), leaf.device());
        let groups =
            self.groups_in(&range, Form::Detailed, |one| (one.kind, one.role, one.device) == key);
        self.interval(leaf.bytes(), leaf.estimated_bytes(), movable, &groups)
    }

    /// Returns the interval of a part of the profile, from the sum of its sampled leaves in each
    /// group.
    fn interval(&self, bytes: u64, estimated: u64, movable: u64, groups: &Groups) -> Interval {
        let root = self.profile.root();
        let (movable, movable_elsewhere) =
            if bytes == root.total_bytes() { (0, 0) } else { (movable, self.movable_bytes) };
        let low = bytes
            .saturating_sub(estimated)
            .saturating_sub(movable)
            .saturating_add(whole(lower_end(&groups.found)));
        let high = self.limit.ok().map(|limit| {
            let (others, others_estimated) =
                (root.total_bytes() - bytes, estimated_bytes(root).saturating_sub(estimated));
            let other_groups = self.groups.iter().zip(groups.found.iter().zip(&groups.elsewhere));
            let other_groups: Vec<f64> = other_groups
                .map(|(all, (part, elsewhere))| (all - part - elsewhere).max(0.0))
                .collect();
            let others_low =
                others.saturating_sub(others_estimated).saturating_sub(movable_elsewhere);
            limit.saturating_sub(others_low).saturating_sub(whole(lower_end(&other_groups)))
        });
        Interval { low, high }
    }

    /// Returns whether a branch is a sampled slice or in one, so that elements that were not visited
    /// may own memory there.
    fn is_in_sampled_slice(&self, branch: Branch<'_>, form: Form) -> bool {
        let contains = |outer: Branch<'_>| (outer.index()..outer.end()).contains(&branch.index());
        let is_unvisited =
            |outer: Branch<'_>| outer.opaque().any(|(reason, _)| reason == OpaqueReason::Stopped);
        let any =
            |root: Branch<'_>| root.subtree().any(|outer| contains(outer) && is_unvisited(outer));
        match form {
            Form::Detailed => any(self.profile.root()),
            Form::Plain => any(self.profile.plain().root()),
        }
    }

    /// Returns the maximum number of visited bytes in a range of branches that a walk over all
    /// elements may count elsewhere.
    fn movable_in(&self, range: &Range<u32>, form: Form) -> u64 {
        let is_inside = |shared: &&Movable| range.contains(&shared.place.branch(form));
        let bytes: u64 = self.movable.iter().filter(is_inside).map(|shared| shared.bytes).sum();
        bytes.min(self.movable_bytes)
    }

    /// Returns the sampled bytes of some leaves in a range of branches.
    ///
    /// A profile counts a shared allocation at the first handle of the walk, and a sample counts a
    /// part of it at each handle. So if elements of slices at other branches may have handles too,
    /// it is unknown which branch counts the shared bytes.
    fn groups_in(
        &self,
        range: &Range<u32>,
        form: Form,
        is_wanted: impl Fn(&Replicate) -> bool,
    ) -> Groups {
        let is_in_range = |place: &Place| range.contains(&place.branch(form));
        let is_inside = |leaf: &SampledLeaf| is_in_range(&leaf.place) && is_wanted(&leaf.replicate);
        let has_all_shared = !self.counts_twice
            && self.shared_slices.iter().all(is_in_range)
            && self.sampled.iter().all(|leaf| !leaf.is_shared || is_in_range(&leaf.place));
        let found = self
            .sampled
            .iter()
            .filter(|leaf| is_inside(leaf) && (!leaf.is_shared || has_all_shared));
        let elsewhere = self
            .sampled
            .iter()
            .filter(|leaf| leaf.is_shared && !has_all_shared && !self.counts_twice);
        Groups { found: self.sum_of_groups(found), elsewhere: self.sum_of_groups(elsewhere) }
    }

    /// Returns the sum of leaves in each group.
    fn sum_of_groups<'r>(&self, leaves: impl Iterator<Item = &'r SampledLeaf>) -> Vec<f64> {
        let mut sums = vec![0.0; self.groups.len()];
        for leaf in leaves {
            sums.iter_mut().zip(&leaf.replicate.groups).for_each(|(sum, more)| *sum += more);
        }
        sums
    }
}

/// The sampled bytes of a part of a profile, with one number for each group.
struct Groups {
    /// The bytes that the part has.
    found: Vec<f64>,
    /// The shared bytes that count either in the part or elsewhere.
    elsewhere: Vec<f64>,
}

impl Place {
    /// Returns the index of the branch in a form of the tree.
    fn branch(self, form: Form) -> u32 {
        match form {
            Form::Detailed => self.detailed,
            Form::Plain => self.plain,
        }
    }
}

/// The form of a tree: with its bracketed frames or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Detailed,
    Plain,
}

/// Returns the interval of visited bytes, of which a walk over all elements may count some
/// elsewhere.
fn visited_interval(bytes: u64, movable: u64) -> Interval {
    Interval { low: bytes.saturating_sub(movable), high: Some(bytes) }
}

/// Returns the visited bytes of the leaves of a branch.
fn visited_bytes(branch: Branch<'_>) -> u64 {
    let visited = |leaf: &Leaf| leaf.bytes() - leaf.estimated_bytes().min(leaf.bytes());
    branch.leaves().iter().map(visited).fold(0, u64::saturating_add)
}

/// Returns the estimated bytes of a branch and everything below it.
fn estimated_bytes(branch: Branch<'_>) -> u64 {
    let leaves = branch.subtree().flat_map(Branch::leaves);
    leaves.map(Leaf::estimated_bytes).fold(0, u64::saturating_add)
}

/// Rounds an amount down to whole bytes.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "amounts are never negative, and the cast saturates"
)]
fn whole(bytes: f64) -> u64 {
    bytes.floor() as u64
}

/// Returns the index in the plain form for each branch of a profile, and whether the branch is in
/// shared memory.
fn plain_branches(profile: &Profile, plain: &Plain<'_>) -> Vec<(u32, bool)> {
    fn add(branch: Branch<'_>, plain: Branch<'_>, is_shared: bool, branches: &mut [(u32, bool)]) {
        let is_shared = is_shared || branch.name() == SHARED;
        branches[branch.index() as usize] = (plain.index(), is_shared);
        for child in branch.children() {
            let joins = matches!(child.name(), SHARED | KEYS);
            // The plain form keeps a `[keys]` branch that has names below it.
            let found = if child.name() == SHARED { None } else { plain.child(child.name()) };
            match found {
                Some(found) => add(child, found, is_shared, branches),
                None if joins => add(child, plain, is_shared, branches),
                None => {}
            }
        }
    }
    let root = profile.root();
    let mut branches = vec![(0, false); root.end() as usize];
    add(root, plain.root(), false, &mut branches);
    branches
}
