//! An estimated profile, with the intervals of its total and its branches.

use crate::Profile;
use crate::large::interval::{Interval, lower_end};
use crate::text::{Grouped, Units};
use crate::tree::{Branch, Device, Leaf, OpaqueReason, Path, branch_at, listed_leaves};
use crate::views::{Intervals, Tree};
use core::fmt;
use core::ops::Range;
use memprof_core::large::{Sample, Sampled, SampledBytes};
use memprof_core::tree::BranchId;

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
    basis: Basis,
    /// The maximum number of bytes of the profile, or the reason why it is not known.
    limit: Result<u64, NoUpperEnd>,
    total: Interval,
    seed: u64,
    drawn: u64,
    elements: u64,
}

/// What intervals are computed from. Branches are those of the plain form.
#[derive(Clone, Debug)]
struct Basis {
    /// The sampled bytes, sorted by branch.
    bytes: Vec<SampledBytes>,
    owned: Vec<f64>,
    all: Vec<f64>,
    /// The sum of the visited bytes before each branch, and of all branches.
    visited: Vec<u64>,
    /// For each branch, whether it is a slice that was left to sampling, or in one.
    is_unvisited: Vec<bool>,
    /// As in [`Sample`].
    sharing: Range<BranchId>,
    movable: Vec<(BranchId, u64)>,
    movable_bytes: u64,
}

impl Basis {
    fn new(sample: Sample, root: Branch<'_>) -> Self {
        let Sample { groups, bytes, sharing, movable, movable_bytes, .. } = sample;
        let (mut owned, mut all) = (vec![0.0; groups], vec![0.0; groups]);
        for one in &bytes {
            all[one.group] += one.bytes;
            owned[one.group] += if one.is_shared { 0.0 } else { one.bytes };
        }
        let mut sum = 0_u64;
        let visited = root.subtree().map(|branch| {
            let here = branch.leaves().iter().map(visited_bytes).fold(0, u64::saturating_add);
            let before = sum;
            sum = sum.saturating_add(here);
            before
        });
        let mut visited: Vec<u64> = visited.collect();
        visited.push(sum);
        let is_unvisited = unvisited(root);
        Self { bytes, owned, all, visited, is_unvisited, sharing, movable, movable_bytes }
    }

    /// Covers the branch and everything below it, if the profile has at most `limit` bytes.
    fn interval_of(&self, branch: Branch<'_>, limit: Option<u64>) -> Interval {
        let (start, end) = (branch.id(), branch.end());
        // Shared memory counts somewhere in `sharing`. So it is certain to count at a branch only if
        // that contains all of `sharing`.
        let has_all_shared =
            self.sharing.is_empty() || start <= self.sharing.start && self.sharing.end <= end;
        let [movable, others_movable] = if has_all_shared {
            [0, 0]
        } else {
            let here = within(&self.movable, start..end, |movable| movable.0).iter();
            let here = here.map(|&(_, bytes)| bytes).fold(0, u64::saturating_add);
            [here.min(self.movable_bytes), self.movable_bytes]
        };
        if !self.is_unvisited[start.index()] && !branch.is_marked() {
            let bytes = branch.total_bytes();
            return Interval { low: bytes.saturating_sub(movable), high: Some(bytes) };
        }
        let mut others = if has_all_shared { self.all.clone() } else { self.owned.clone() };
        let mut here = vec![0.0; others.len()];
        for one in within(&self.bytes, start..end, |one| one.branch) {
            if has_all_shared || !one.is_shared {
                here[one.group] += one.bytes;
                others[one.group] = (others[one.group] - one.bytes).max(0.0);
            }
        }
        let all_visited = self.visited.last().copied().unwrap_or_default();
        let visited = self.visited[end.index()] - self.visited[start.index()];
        let low = visited.saturating_sub(movable).saturating_add(lower_end(&here));
        let high = limit.map(|limit| {
            let others_visited = (all_visited - visited).saturating_sub(others_movable);
            limit.saturating_sub(others_visited).saturating_sub(lower_end(&others))
        });
        Interval { low, high }
    }
}

/// Returns the elements of a list sorted by branch whose branch is in a range.
fn within<T>(list: &[T], range: Range<BranchId>, branch: fn(&T) -> BranchId) -> &[T] {
    let start = list.partition_point(|one| branch(one) < range.start);
    let end = list.partition_point(|one| branch(one) < range.end);
    &list[start..end]
}

/// The reason why an estimate has no upper end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoUpperEnd {
    /// The budget had no limit for the bytes of the value.
    NoLimit,
    /// The value owns more bytes than the limit, for example outside the counted heap.
    LimitExceeded,
    /// Elements that were not visited may own memory on a device, which the limit does not include,
    /// because others at the same path do.
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
    /// `at_most` is the maximum number of bytes on the host.
    pub(super) fn new(sampled: Sampled, at_most: Option<u64>, seed: u64) -> Self {
        let Sampled { collected, sample, drawn, elements, .. } = sampled;
        let profile = Profile::from(collected);
        let mut limit = match at_most {
            None => Err(NoUpperEnd::NoLimit),
            Some(_) if has_unvisited_on_device(profile.root()) => Err(NoUpperEnd::OnDevice),
            Some(at_most) => {
                let devices = profile.devices().into_iter();
                let others = devices.filter(|&(device, _)| device != Device::Cpu);
                Ok(others.map(|(_, bytes)| bytes).fold(at_most, u64::saturating_add))
            }
        };
        let plain = profile.plain();
        let basis = Basis::new(sample, plain.root());
        let mut total = basis.interval_of(plain.root(), limit.ok());
        if total.high.is_some_and(|high| high < total.low) {
            limit = Err(NoUpperEnd::LimitExceeded);
            total.high = None;
        }
        drop(plain);
        Self { profile, basis, limit, total, seed, drawn, elements }
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
    /// written as for [`Profile::bytes_at`]. Returns `None` if there is no such branch.
    ///
    /// Elements that were not visited may own memory at a branch. The upper end of such a branch is
    /// the upper end of the total, minus the lower ends of the other branches.
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
        Some(self.interval_of(branch))
    }

    /// Returns each leaf of the profile with its path and an interval, in the order of
    /// [`Profile::leaves`].
    ///
    /// The interval of an estimated leaf ranges from the visited bytes to the upper end of the
    /// total. The interval of its branch is shorter.
    pub fn leaves(&self) -> impl Iterator<Item = (Path<'_>, Leaf, Interval)> {
        let is_unvisited = unvisited(self.profile.root());
        let leaves = self.profile.root().subtree().flat_map(move |branch| {
            let is_unvisited = is_unvisited[branch.id().index()];
            listed_leaves(branch).into_iter().map(move |leaf| (leaf, is_unvisited))
        });
        self.profile.leaves().zip(leaves).map(|((path, leaf), (_, is_unvisited))| {
            let visited = visited_bytes(&leaf);
            let is_visited = !is_unvisited && !leaf.is_mark() && visited == leaf.bytes();
            let high = if is_visited { Some(visited) } else { self.total.high };
            let low = visited.saturating_sub(self.basis.movable_bytes);
            (path, leaf, Interval { low, high })
        })
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

    /// Returns the number of elements drawn from large slices. It is 0 if the whole value was
    /// visited, or if no slice was large enough.
    pub fn drawn_elements(&self) -> u64 {
        self.drawn
    }

    /// Returns the number of elements that were left to sampling, without slices inside drawn
    /// elements.
    pub fn sampled_elements(&self) -> u64 {
        self.elements
    }

    /// Returns the estimate as a [`Tree`], to print it with other settings than those of `{}`. Each
    /// estimated line has its interval, unless the tree keeps its bracketed frames.
    pub fn tree(&self) -> Tree<'_> {
        self.profile().tree().with_intervals(self)
    }

    /// Returns the interval of a branch of the plain form, and everything below it.
    fn interval_of(&self, branch: Branch<'_>) -> Interval {
        self.basis.interval_of(branch, self.limit.ok())
    }
}

impl Intervals for EstimatedProfile {
    fn of_line(&self, line: Branch<'_>, is_detailed: bool, units: Units) -> Option<String> {
        let interval = (!is_detailed).then(|| self.interval_of(line))?;
        (!interval.is_exact()).then(|| interval.show(units).to_string())
    }

    fn footer(&self, units: Units) -> Vec<String> {
        if self.is_exact() {
            return Vec::new();
        }
        let (interval, drawn) = (self.total().show(units), self.drawn_elements());
        let no_upper_end = self
            .no_upper_end()
            .map(|reason| format!(", no upper bound: {reason}"))
            .unwrap_or_default();
        if drawn == 0 {
            // The sum of the visited bytes is the lower end, and no estimate.
            return vec![format!("{interval}{no_upper_end}"), "no element drawn".to_owned()];
        }
        let bytes = units.show(self.profile().total_bytes());
        let elements = Grouped(self.sampled_elements());
        vec![
            format!("estimated {bytes} ({interval}{no_upper_end})"),
            format!("{} of {elements} elements drawn", Grouped(drawn)),
            format!("seed {}", self.seed()),
        ]
    }

    fn estimates_counts(&self) -> bool {
        self.drawn_elements() > 0
    }
}

/// Draws the [`tree`](EstimatedProfile::tree) with its default settings.
impl fmt::Display for EstimatedProfile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree().fmt(out)
    }
}

/// Returns for each branch whether values that were not visited may own memory there.
fn unvisited(root: Branch<'_>) -> Vec<bool> {
    let mut end = BranchId::ROOT;
    let is_unvisited = |branch: Branch<'_>| {
        if branch.opaque().any(|(reason, _)| reason == OpaqueReason::Stopped) {
            end = branch.end().max(end);
        }
        branch.id() < end
    };
    root.subtree().map(is_unvisited).collect()
}

/// Returns whether memory of a device is at a branch whose values were not all visited.
fn has_unvisited_on_device(root: Branch<'_>) -> bool {
    let is_unvisited = unvisited(root);
    root.subtree().any(|branch| {
        let mut leaves = branch.leaves().iter();
        is_unvisited[branch.id().index()] && leaves.any(|leaf| leaf.device() != Device::Cpu)
    })
}

fn visited_bytes(leaf: &Leaf) -> u64 {
    leaf.bytes().saturating_sub(leaf.estimated_bytes())
}
