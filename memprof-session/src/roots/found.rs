//! The roots as a snapshot found them: the largest ones, and the sums of all.
//!
//! A snapshot lists at most [`LISTED`] roots. A session with 100,000 roots of 100 bytes once wrote
//! a snapshot of 40 MB, and kept several of them in memory.

use super::registry::{Root, RootId, Roots};
use crate::heap::Claims;
use crate::time::nanoseconds;
use core::cmp::{Ordering, Reverse};
use memprof_profile::Profile;
use memprof_profile::large::Interval;
use memprof_profile::tree::{Device, TensorRecord};
use memprof_recording::document::{
    DeviceReading, RootReading, RootState, TensorReading, UnlistedRoots, json_line,
};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;

/// The maximum number of roots that a snapshot lists.
pub(crate) const LISTED: usize = 1000;

/// A root as a snapshot found it.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) state: RootState,
    pub(crate) held: Duration,
    pub(crate) profile: Option<Profile>,
    /// The interval of the total, if not all values were visited.
    pub(crate) interval: Option<Interval>,
    pub(crate) heap_bytes: u64,
}

impl Found {
    pub(super) fn without_profile(name: String, state: RootState, held: Duration) -> Self {
        Self { name, state, held, profile: None, interval: None, heap_bytes: 0 }
    }

    /// Returns the bytes of the root, or `None` if no value was visited.
    pub(super) fn total_bytes(&self) -> Option<u64> {
        self.profile.as_ref().map(Profile::total_bytes)
    }

    /// Returns `true` if the bytes of the root are known, at least in part.
    fn is_seen(&self) -> bool {
        use RootState::{Dropped, Partial, Profiled};
        matches!(self.state, Profiled | Partial | Dropped)
    }

    /// Returns `true` if a later snapshot may reach a root that is in this state.
    fn is_missed(&self) -> bool {
        use RootState::{Locked, NotReached, Spared, Stuck};
        matches!(self.state, Locked | NotReached | Spared | Stuck)
    }

    /// Returns `true` if the bytes of the root are known exactly.
    fn is_exact(&self) -> bool {
        self.state == RootState::Profiled && self.profile.as_ref().is_none_or(Profile::is_exact)
    }

    fn reading(self) -> RootReading {
        RootReading {
            state: self.state,
            held_ns: nanoseconds(self.held),
            total_bytes: self.total_bytes(),
            low_bytes: self.interval.map(|interval| interval.low),
            high_bytes: self.interval.and_then(|interval| interval.high),
            heap_bytes: self.profile.as_ref().map(|_| self.heap_bytes),
            profile: self.profile.as_ref().and_then(|profile| json_line(profile).ok()),
            name: self.name,
        }
    }
}

/// The roots of a snapshot.
pub(crate) struct FoundRoots {
    /// All roots. Claims refer to them by their index here.
    pub(crate) ids: Vec<RootId>,
    /// The largest roots, the smallest of them on top.
    listed: BinaryHeap<Reverse<Ranked>>,
    unlisted: UnlistedRoots,
    tensors: Tensors,
    devices: BTreeMap<Device, u64>,
    /// The bytes of all roots in heap blocks.
    pub(crate) heap_bytes: u64,
    /// `true` if the bytes of all roots are known, at least in part.
    pub(crate) all_seen: bool,
    /// `true` if the bytes of all roots are known exactly.
    pub(crate) all_exact: bool,
    /// `true` if a later snapshot may reach a root that this one did not.
    pub(crate) has_missed: bool,
}

impl Default for FoundRoots {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            listed: BinaryHeap::new(),
            unlisted: UnlistedRoots::default(),
            tensors: Tensors::default(),
            devices: BTreeMap::new(),
            heap_bytes: 0,
            all_seen: true,
            all_exact: true,
            has_missed: false,
        }
    }
}

impl FoundRoots {
    /// Adds a root of this index. A root that was not walked has the rank of its last walk.
    pub(super) fn add(&mut self, index: usize, found: Found, root: &Root) {
        self.all_seen &= found.is_seen();
        self.all_exact &= found.is_exact();
        self.has_missed |= found.is_missed();
        self.heap_bytes = self.heap_bytes.saturating_add(found.heap_bytes);
        if let Some(profile) = &found.profile {
            self.tensors.add(profile);
            for (device, bytes) in profile.devices() {
                let sum = self.devices.entry(device).or_default();
                *sum = sum.saturating_add(bytes);
            }
        }
        let bytes = found.total_bytes().unwrap_or_else(|| root.last_total_bytes());
        self.listed.push(Reverse(Ranked { bytes, index, found }));
        if self.listed.len() > LISTED
            && let Some(Reverse(Ranked { found, .. })) = self.listed.pop()
        {
            let low = found.interval.map(|interval| interval.low);
            let total_bytes = low.or_else(|| found.total_bytes()).unwrap_or(0);
            self.unlisted.add(total_bytes, found.heap_bytes, !found.is_exact());
        }
    }

    pub(crate) const fn tensor_count(&self) -> u64 {
        self.tensors.count
    }

    /// Returns the bytes in each memory, with its largest tensors.
    pub(crate) fn device_readings(&self, claims: Option<&Claims>) -> Vec<DeviceReading> {
        self.tensors.by_device(&self.devices(), claims)
    }

    /// Returns the bytes that the roots hold in each memory.
    pub(crate) fn devices(&self) -> Vec<(Device, u64)> {
        self.devices.iter().map(|(&device, &bytes)| (device, bytes)).collect()
    }

    /// Returns the names of the listed roots and of the roots with these indexes, by index.
    pub(crate) fn names(
        &self,
        indexes: impl IntoIterator<Item = usize>,
        roots: &Roots,
    ) -> BTreeMap<usize, String> {
        let listed = self.listed.iter().map(|Reverse(one)| (one.index, one.found.name.clone()));
        let mut names: BTreeMap<usize, String> = listed.collect();
        for index in indexes {
            if let Entry::Vacant(unlisted) = names.entry(index)
                && let Some(name) = self.ids.get(index).and_then(|&id| roots.name(id))
            {
                unlisted.insert(name.to_owned());
            }
        }
        names
    }

    /// Returns the readings of the listed roots, in the order of registration, and the sum of the
    /// other roots.
    pub(crate) fn into_readings(self) -> (Vec<RootReading>, Option<UnlistedRoots>) {
        let unlisted = (self.unlisted.count > 0).then_some(self.unlisted);
        (self.into_listed().into_iter().map(Found::reading).collect(), unlisted)
    }

    /// Returns the listed roots, in the order of registration.
    pub(super) fn into_listed(self) -> Vec<Found> {
        let mut listed: Vec<Ranked> = self.listed.into_iter().map(|Reverse(one)| one).collect();
        listed.sort_unstable_by_key(|one| one.index);
        listed.into_iter().map(|one| one.found).collect()
    }
}

/// A root by its bytes. Of roots with equal bytes, the earlier one is larger.
struct Ranked {
    bytes: u64,
    index: usize,
    found: Found,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes.cmp(&other.bytes).then_with(|| other.index.cmp(&self.index))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

/// The number of tensors that a snapshot lists.
const TENSORS_LISTED: usize = 10;

/// The tensors of all roots.
#[derive(Default)]
struct Tensors {
    count: u64,
    /// The largest tensors, the largest first.
    largest: Vec<TensorRecord>,
}

impl Tensors {
    fn add(&mut self, profile: &Profile) {
        let tensors = profile.tensors();
        self.count += tensors.count();
        if tensors.count() > 0 {
            self.largest.extend(tensors.largest().iter().cloned());
            self.largest.sort_by_key(|tensor| Reverse(tensor.bytes));
            self.largest.truncate(TENSORS_LISTED);
        }
    }

    fn by_device(&self, held: &[(Device, u64)], claims: Option<&Claims>) -> Vec<DeviceReading> {
        let on = |device: Device| self.largest.iter().filter(move |tensor| tensor.device == device);
        let reading = |tensor: &TensorRecord| TensorReading {
            path: tensor.path.clone(),
            dtype: tensor.dtype.clone(),
            shape: tensor.shape.clone(),
            bytes: tensor.bytes,
            requires_grad: tensor.requires_grad,
            operation: claims
                .zip(tensor.address())
                .and_then(|(claims, address)| claims.operation_at(address)),
        };
        let device = |&(device, bytes): &(Device, u64)| DeviceReading {
            device: device.to_string(),
            bytes,
            tensors: on(device).map(reading).collect(),
        };
        held.iter().map(device).collect()
    }
}
