//! The argument of a root's closure. Its walks share a time budget: they stop or estimate the rest
//! when time is over, and report the blocks that they reach.
//!
//! If a snapshot asks who keeps shared memory alive, the walks also keep the handles to it. The graph
//! of these takes several times as long as the walk, so it is made when the root is no longer held.

use super::Blocks;
use crate::heap;
use crate::user_code::forget_panic;
use core::alloc::Layout;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicUsize, Ordering};
use memprof_profile::large::{Budget, EstimatedProfile, Interval};
use memprof_profile::tree::{Device, OpaqueReason};
use memprof_profile::walk::{Handles, Observer};
use memprof_profile::{MemoryProfile, Profile};
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The argument of a root's closure. The closure passes the values of the root to its methods.
///
/// ```
/// use memprof::session::RootWalk;
/// use std::sync::Mutex;
///
/// static CACHE: Mutex<Vec<String>> = Mutex::new(Vec::new());
///
/// let root = |walk: &mut RootWalk<'_>| match CACHE.try_lock() {
///     Ok(cache) => walk.value(&*cache),
///     Err(_) => walk.locked(),
/// };
/// # let _ = root;
/// ```
#[derive(Debug)]
pub struct RootWalk<'w> {
    name: &'w str,
    walk: BudgetedWalk<'w>,
    parts: Vec<Part>,
    /// The sum of the intervals of all parts.
    interval: Interval,
    heap_bytes: u64,
    locked: bool,
    dropped: bool,
    panicked: bool,
}

#[derive(Debug)]
struct Part {
    profile: Profile,
    /// `true` if the value has a name of its own below the root.
    is_below: bool,
    /// `None` if the walk kept no handles.
    handles: Option<Handles>,
}

pub(crate) struct WalkResult {
    /// `None` if the closure passed no value.
    pub(crate) profile: Option<Profile>,
    /// The interval of the total, if not all values were visited.
    pub(crate) interval: Option<Interval>,
    pub(crate) heap_bytes: u64,
    pub(crate) locked: bool,
    pub(crate) dropped: bool,
    pub(crate) panicked: bool,
}

impl<'w> RootWalk<'w> {
    pub(super) fn new(name: &'w str, walk: BudgetedWalk<'w>) -> Self {
        Self {
            name,
            walk,
            parts: Vec::new(),
            interval: Interval::exact(0),
            heap_bytes: 0,
            locked: false,
            dropped: false,
            panicked: false,
        }
    }

    /// Profiles a value as the root itself.
    ///
    /// A value that takes too long for the budget of the walk is estimated from a random sample of
    /// its large slices, with an [interval](memprof_profile::large::Interval). Values that were
    /// not visited are marked.
    pub fn value<T: MemoryProfile + ?Sized>(&mut self, value: &T) {
        self.profile(self.name, value, false);
    }

    /// Profiles a value below the root, with its own name.
    pub fn part<T: MemoryProfile + ?Sized>(&mut self, name: &str, value: &T) {
        self.profile(name, value, true);
    }

    /// Catches a panic, which would poison a lock whose guard the closure holds.
    fn profile<T: MemoryProfile + ?Sized>(&mut self, name: &str, value: &T, is_below: bool) {
        let walk = &mut self.walk;
        match catch_unwind(AssertUnwindSafe(|| walk.profile(name, value))) {
            Ok(profile) => self.add(profile, is_below, size_of_val(value) as u64),
            panicked @ Err(_) => {
                forget_panic(panicked.map(drop));
                self.panicked = true;
            }
        }
    }

    /// Reports that the values can't be read now, because another thread holds their lock.
    pub fn locked(&mut self) {
        self.locked = true;
    }

    /// Reports that the values are gone.
    pub fn dropped(&mut self) {
        self.dropped = true;
    }

    /// Profiles the value of an `Arc`. The value is in a heap block, after two counts.
    pub(super) fn shared<T: MemoryProfile + ?Sized>(&mut self, value: &T) {
        let address = core::ptr::from_ref(value).cast::<u8>().addr();
        // The walk doesn't report the block that contains the root itself.
        self.walk.block(address);
        self.value(value);
        let block = Layout::new::<[usize; 2]>().extend(Layout::for_value(value));
        self.heap_bytes += block.map_or(0, |(block, _)| block.pad_to_align().size() as u64);
    }

    /// `elsewhere` is the number of the profile's bytes that are not in heap blocks of the value.
    fn add(&mut self, profile: EstimatedProfile, is_below: bool, elsewhere: u64) {
        let Interval { low, high } = profile.total();
        self.interval.low = self.interval.low.saturating_add(low);
        let sum = self.interval.high.zip(high).map(|(sum, high)| sum.saturating_add(high));
        self.interval.high = sum;
        let profile = profile.into_profile();
        let host = profile.devices().into_iter().find(|(device, _)| *device == Device::Cpu);
        self.heap_bytes += host.map_or(0, |(_, bytes)| bytes).saturating_sub(elsewhere);
        // If another thread holds the lock of the root itself, the profile contains nothing else.
        self.locked |=
            !is_below && profile.root().opaque().any(|(why, _)| why == OpaqueReason::Locked);
        self.parts.push(Part { profile, is_below, handles: self.walk.kept.take() });
    }

    /// The root is no longer held.
    pub(super) fn finish(self) -> WalkResult {
        let Self { name, parts, interval, heap_bytes, locked, dropped, panicked, walk } = self;
        let finish = |Part { mut profile, is_below, handles }| {
            if walk.graph_left.is_some() {
                profile.add_holders(handles.as_ref());
            }
            if is_below { Profile::joined(name, [&profile]) } else { profile }
        };
        let parts: Vec<Profile> = parts.into_iter().map(finish).collect();
        let profile = match <[Profile; 1]>::try_from(parts) {
            Ok([profile]) => Some(profile),
            Err(parts) if parts.is_empty() => None,
            // All parts have the root's name, so that joining merges them into one branch.
            Err(parts) => Some(Profile::joined(name, &parts)),
        };
        let interval = profile.as_ref().filter(|profile| is_partial(profile)).map(|_| interval);
        WalkResult { profile, interval, heap_bytes, locked, dropped, panicked }
    }
}

pub(super) fn is_partial(profile: &Profile) -> bool {
    let mut branches = profile.root().subtree();
    branches.any(|branch| branch.opaque().any(|(why, _)| why == OpaqueReason::Stopped))
}

/// The walks of one root, which share one time budget.
pub(super) struct BudgetedWalk<'b> {
    ends: Instant,
    /// Receives an address in each block; `None` if blocks are not matched with samples.
    blocks: Option<&'b mut Blocks>,
    graph_left: Option<GraphLeft>,
    /// The handles of the last walk.
    kept: Option<Handles>,
}

/// The size of the graphs that a snapshot may still make.
pub(crate) type GraphLeft = Arc<AtomicUsize>;

impl<'b> BudgetedWalk<'b> {
    pub(super) fn new(
        budget: Duration,
        blocks: Option<&'b mut Blocks>,
        graph_left: Option<GraphLeft>,
    ) -> Self {
        Self { ends: Instant::now() + budget, blocks, graph_left, kept: None }
    }

    /// Profiles a value in the remaining time, or estimates its profile if it is too large.
    fn profile<T: MemoryProfile + ?Sized>(&mut self, name: &str, value: &T) -> EstimatedProfile {
        let mut budget = Budget::time(self.ends.saturating_duration_since(Instant::now()));
        if let Some(limit) = heap::live_limit() {
            budget = budget.at_most(limit);
        }
        Profile::estimate_observed(name, value, budget, self)
    }
}

impl Observer for BudgetedWalk<'_> {
    fn stops(&mut self) -> bool {
        Instant::now() >= self.ends
    }

    fn wants_blocks(&self) -> bool {
        self.blocks.is_some()
    }

    fn block(&mut self, address: usize) {
        if let Some(blocks) = &mut self.blocks {
            blocks.add(address);
        }
    }

    fn max_graph(&self) -> usize {
        self.graph_left.as_ref().map_or(0, |left| left.load(Ordering::Relaxed))
    }

    fn handles(&mut self, handles: Handles) {
        if let Some(left) = &self.graph_left {
            let rest = left.load(Ordering::Relaxed).saturating_sub(handles.graph_size());
            left.store(rest, Ordering::Relaxed);
            self.kept = Some(handles);
        }
    }
}

impl core::fmt::Debug for BudgetedWalk<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("BudgetedWalk").field("ends", &self.ends).finish_non_exhaustive()
    }
}
