//! Registered roots: values that each snapshot profiles without waiting for a lock. For each root,
//! there is the earliest time at which it may be walked again.
//!
//! A snapshot lists at most [`LISTED`] roots, the largest ones, and the sums of all. A session with
//! 100,000 roots of 100 bytes once wrote a snapshot of 40 MB, and kept several of them in memory.

mod walk;

pub(crate) use walk::GraphLeft;
pub use walk::RootWalk;

use crate::command::HostValue;
use crate::heap;
use crate::heap::Claims;
use crate::time::{Deadline, nanoseconds};
use crate::user_code::{Answer, Lent, Patience, UserCode, forget_panic};
use core::cmp::Reverse;
use core::panic::AssertUnwindSafe;
use memprof_profile::large::Interval;
use memprof_profile::tree::{Device, TensorRecord};
use memprof_profile::{MemoryProfile, Profile};
use memprof_recording::document::{
    DeviceReading, RootReading, RootState, TensorReading, UnlistedRoots, json_line,
};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use walk::{BudgetedWalk, WalkResult, is_partial};

/// The closure that passes the values of a root to a walk.
type Show = Box<dyn FnMut(&mut RootWalk<'_>) + Send>;

pub(crate) struct Root {
    /// The root's unique name in snapshots.
    name: String,
    /// The name that the program gave it, if that is different.
    given_name: Option<String>,
    /// Its job returns the time of the snapshot too.
    show: Lent<Show, (u64, Found)>,
    is_weak: bool,
    last_walk: Option<LastWalk>,
}

#[derive(Clone, Copy)]
struct LastWalk {
    at_ns: u64,
    held: Duration,
    total_bytes: u64,
}

impl Root {
    pub(crate) fn new(name: &str, show: impl FnMut(&mut RootWalk<'_>) + Send + 'static) -> Self {
        Self {
            name: name.to_owned(),
            given_name: None,
            show: Lent::Here(Box::new(show)),
            is_weak: false,
            last_walk: None,
        }
    }

    pub(crate) fn shared<T>(name: &str, value: Arc<T>) -> Self
    where
        T: MemoryProfile + Send + Sync + ?Sized + 'static,
    {
        Self::new(name, move |walk| walk.shared(&*value))
    }

    pub(crate) fn weak<T>(name: &str, value: Weak<T>) -> Self
    where
        T: MemoryProfile + Send + Sync + ?Sized + 'static,
    {
        let show = move |walk: &mut RootWalk<'_>| match value.upgrade() {
            Some(value) => {
                // If this handle becomes the last one, it frees the value.
                let held = HostValue::new(value);
                if let Some(value) = held.as_ref() {
                    walk.shared(&**value);
                }
            }
            None => walk.dropped(),
        };
        Self { is_weak: true, ..Self::new(name, show) }
    }

    fn found(&self, state: RootState) -> Found {
        Found::without_profile(self.name.clone(), state, Duration::ZERO)
    }

    fn last_total_bytes(&self) -> u64 {
        self.last_walk.map_or(0, |walk| walk.total_bytes)
    }

    fn note_walk(&mut self, at_ns: u64, found: &Found) {
        let total_bytes = found.total_bytes().unwrap_or_else(|| self.last_total_bytes());
        self.last_walk = Some(LastWalk { at_ns, held: found.held, total_bytes });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RootId(u64);

/// All roots.
///
/// A server may register a root for each connection. So each operation on one root takes constant
/// or logarithmic time. A list of roots, in which a removal searched all of them, took 12.5 s for
/// 10,000 removals.
#[derive(Default)]
pub(crate) struct Roots {
    by_id: BTreeMap<RootId, Root>,
    next_id: u64,
    by_name: HashMap<String, RootId>,
    given_names: HashMap<String, GivenName>,
}

/// The roots that got the same name from the program.
#[derive(Default)]
struct GivenName {
    roots: usize,
    /// The number in the name of the last one.
    last_number: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    /// The roots that were not walked recently. A root is held for at most 1 % of the time.
    Rested,
    /// The roots that may be walked at a peak: each is held for at most a tenth of the time. With
    /// the limit of `Rested`, a root walked during the growth would be skipped at the peak.
    RestedForPeak,
}

impl Wanted {
    /// Returns the time for which a root is spared, in multiples of the time for which it was held.
    const fn rest(self) -> u32 {
        match self {
            Self::All => 0,
            Self::Rested => 99,
            Self::RestedForPeak => 9,
        }
    }
}

/// The number of attempts for a root whose lock is held, with a pause between them.
const ATTEMPTS: usize = 3;
const PAUSE: Duration = Duration::from_micros(500);

#[derive(Clone)]
pub(crate) struct Limits {
    pub(crate) walk: Duration,
    pub(crate) root: Duration,
    pub(crate) all: Deadline,
    /// `None` if the snapshot does not ask who keeps shared memory alive.
    pub(crate) graph_left: Option<GraphLeft>,
}

/// The live samples that roots may claim; `None` once the snapshot has taken them back.
pub(crate) type SharedClaims = Arc<Mutex<Option<Claims>>>;

/// The number of roots whose walks are queued at once. The thread that runs the program's code then
/// does not wait for the session's thread between two roots, and the results take little memory.
const BATCH: usize = 256;

impl Roots {
    /// Adds a root; the second one of a name is called `name (2)`.
    pub(crate) fn add(&mut self, mut root: Root) {
        let given = self.given_names.entry(root.name.clone()).or_default();
        given.roots += 1;
        loop {
            given.last_number += 1;
            let name = match given.last_number {
                1 => root.name.clone(),
                number => format!("{} ({number})", root.name),
            };
            let id = RootId(self.next_id);
            let Entry::Vacant(free) = self.by_name.entry(name) else { continue };
            if given.last_number > 1 {
                // The name is the program's memory, like the root.
                let name = heap::as_program(|| free.key().clone());
                root.given_name = Some(core::mem::replace(&mut root.name, name));
            }
            free.insert(id);
            self.next_id += 1;
            self.by_id.insert(id, root);
            return;
        }
    }

    /// The caller drops the root, which may drop the last handle to a value of the program.
    pub(crate) fn remove(&mut self, name: &str) -> Option<Root> {
        let id = *self.by_name.get(name)?;
        self.take(id)
    }

    fn take(&mut self, id: RootId) -> Option<Root> {
        let root = self.by_id.remove(&id)?;
        self.by_name.remove(&root.name);
        let given_name = root.given_name.as_ref().unwrap_or(&root.name);
        if let Some(given) = self.given_names.get_mut(given_name) {
            given.roots -= 1;
            // The next root of that name gets no number.
            if given.roots == 0 {
                self.given_names.remove(given_name);
            }
        }
        Some(root)
    }

    pub(crate) fn clear(&mut self) -> Vec<Root> {
        self.by_name.clear();
        self.given_names.clear();
        core::mem::take(&mut self.by_id).into_values().collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    fn name(&self, id: RootId) -> Option<&str> {
        self.by_id.get(&id).map(|root| &*root.name)
    }

    /// Roots that are not wanted are not walked: their state is `Spared`. Each root claims the
    /// blocks that it owns, under its index in [`FoundRoots::ids`].
    pub(crate) fn profile(
        &mut self,
        at_ns: u64,
        limits: &Limits,
        wanted: Wanted,
        claims: Option<&SharedClaims>,
        user_code: &mut UserCode,
    ) -> FoundRoots {
        let mut found = FoundRoots::default();
        let mut due = Vec::new();
        for (&id, root) in &mut self.by_id {
            // The findings of an earlier moment are dropped.
            if let Some((at_ns, found)) = root.show.take_back() {
                root.note_walk(at_ns, &found);
            }
            if root.is_due(at_ns, wanted) {
                due.push((found.ids.len(), id));
            } else {
                found.add(found.ids.len(), root.found(RootState::Spared), root);
            }
            found.ids.push(id);
        }
        let patience = Patience::new(limits.root, limits.all);
        let mut dropped = Vec::new();
        for attempt in 1..=ATTEMPTS {
            if attempt > 1 && !due.is_empty() {
                std::thread::sleep(PAUSE);
            }
            for batch in core::mem::take(&mut due).chunks(BATCH) {
                let is_over = limits.all.is_over();
                for &(index, id) in batch.iter().filter(|_| !is_over) {
                    let Some(root) = self.by_id.get_mut(&id) else { continue };
                    root.begin(at_ns, index, limits, claims, user_code);
                }
                for &(index, id) in batch {
                    let Some(root) = self.by_id.get_mut(&id) else { continue };
                    let reading = if is_over {
                        root.found(RootState::NotReached)
                    } else {
                        root.end(patience, user_code)
                    };
                    let is_tried_again = !is_over
                        && attempt < ATTEMPTS
                        && (reading.state == RootState::Locked
                            || (root.is_back(&reading) && root.is_due(at_ns, wanted)));
                    if is_tried_again {
                        due.push((index, id));
                        continue;
                    }
                    if root.is_weak && reading.state == RootState::Dropped {
                        dropped.push(id);
                    }
                    found.add(index, reading, root);
                }
            }
        }
        let dropped: Vec<Root> = dropped.into_iter().filter_map(|id| self.take(id)).collect();
        user_code.drop_values(dropped);
        found
    }
}

impl Root {
    /// Returns `true` if a snapshot at this moment walks the root.
    fn is_due(&self, at_ns: u64, wanted: Wanted) -> bool {
        self.last_walk.is_none_or(|LastWalk { at_ns: last_ns, held, .. }| {
            at_ns >= last_ns.saturating_add(nanoseconds(held.saturating_mul(wanted.rest())))
        })
    }

    /// Returns `true` if a job of an earlier snapshot was done while this snapshot waited for it.
    fn is_back(&self, found: &Found) -> bool {
        found.state == RootState::NotReached && self.show.is_here()
    }

    /// Starts profiling the root, unless an earlier job still has the root's closure.
    fn begin(
        &mut self,
        at_ns: u64,
        number: usize,
        limits: &Limits,
        claims: Option<&SharedClaims>,
        user_code: &mut UserCode,
    ) {
        if self.show.is_here() {
            let (name, claims, limits) = (self.name.clone(), claims.cloned(), limits.clone());
            let walk =
                move |show: &mut Show| (at_ns, walk_root(name, show, limits, number, claims));
            self.show.begin(user_code, walk);
        }
    }

    fn end(&mut self, patience: Patience, user_code: &mut UserCode) -> Found {
        let state = match self.show.end(patience, user_code) {
            Answer::Done((at_ns, found)) => {
                self.note_walk(at_ns, &found);
                return found;
            }
            Answer::Earlier((at_ns, found)) => {
                self.note_walk(at_ns, &found);
                RootState::NotReached
            }
            Answer::Lost => RootState::Panicked,
            Answer::Stuck => RootState::Stuck,
            Answer::Late => RootState::NotReached,
        };
        self.found(state)
    }
}

fn walk_root(
    name: String,
    show: &mut Show,
    limits: Limits,
    number: usize,
    claims: Option<SharedClaims>,
) -> Found {
    let began = Instant::now();
    let mut held = None;
    let mut blocks = claims.map(|claims| Blocks::new(number, claims));
    let walked = catch_unwind(AssertUnwindSafe(|| {
        let walk = BudgetedWalk::new(limits.walk, blocks.as_mut(), limits.graph_left);
        let mut walk = RootWalk::new(&name, walk);
        show(&mut walk);
        held = Some(began.elapsed());
        walk.finish()
    }));
    if let Some(blocks) = &mut blocks {
        blocks.claim();
    }
    let held = held.unwrap_or_else(|| began.elapsed());
    let Ok(WalkResult { profile, interval, heap_bytes, locked, dropped, panicked: false }) = walked
    else {
        forget_panic(walked.map(drop));
        return Found::without_profile(name, RootState::Panicked, held);
    };
    let state = match &profile {
        _ if locked => RootState::Locked,
        None if dropped => RootState::Dropped,
        Some(profile) if is_partial(profile) => RootState::Partial,
        _ => RootState::Profiled,
    };
    Found { name, state, held, profile, interval, heap_bytes }
}

/// Addresses of blocks that a root owns; they are claimed in batches.
struct Blocks {
    root: usize,
    claims: SharedClaims,
    addresses: Vec<usize>,
}

impl Blocks {
    /// The number of addresses that are claimed under one lock.
    const MAX: usize = 512;

    fn new(root: usize, claims: SharedClaims) -> Self {
        Self { root, claims, addresses: Vec::new() }
    }

    fn claim(&mut self) {
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        let addresses = self.addresses.drain(..);
        // A job that ends after its snapshot finds no claims.
        if let Some(claims) = &mut *claims {
            addresses.for_each(|address| claims.claim(self.root, address));
        }
    }

    fn add(&mut self, address: usize) {
        self.addresses.push(address);
        if self.addresses.len() == Self::MAX {
            self.claim();
        }
    }
}

const LISTED: usize = 1000;

/// A root as a snapshot found it.
struct Found {
    name: String,
    state: RootState,
    held: Duration,
    profile: Option<Profile>,
    /// The interval of the total, if not all values were visited.
    interval: Option<Interval>,
    heap_bytes: u64,
}

impl Found {
    fn without_profile(name: String, state: RootState, held: Duration) -> Self {
        Self { name, state, held, profile: None, interval: None, heap_bytes: 0 }
    }

    /// Returns the bytes of the root, or `None` if no value was visited.
    fn total_bytes(&self) -> Option<u64> {
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

/// The rank of a root: its bytes and its index. Of roots with equal bytes, the earlier one is larger.
type Rank = (u64, Reverse<usize>);

#[derive(Default)]
pub(crate) struct FoundRoots {
    /// All roots. Claims refer to them by their index here.
    pub(crate) ids: Vec<RootId>,
    /// The largest roots, the smallest of them first.
    listed: BTreeMap<Rank, Found>,
    unlisted: UnlistedRoots,
    tensors: Tensors,
    devices: BTreeMap<Device, u64>,
    pub(crate) heap_bytes: u64,
    /// `true` if the bytes of a root are not known at all.
    pub(crate) has_unseen: bool,
    pub(crate) has_inexact: bool,
    /// `true` if a later snapshot may reach a root that this one did not.
    pub(crate) has_missed: bool,
}

impl FoundRoots {
    /// Adds a root of this index. A root that was not walked has the rank of its last walk.
    fn add(&mut self, index: usize, found: Found, root: &Root) {
        self.has_unseen |= !found.is_seen();
        self.has_inexact |= !found.is_exact();
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
        self.listed.insert((bytes, Reverse(index)), found);
        if self.listed.len() > LISTED
            && let Some((_, found)) = self.listed.pop_first()
        {
            let low = found.interval.map(|interval| interval.low);
            let total_bytes = low.or_else(|| found.total_bytes()).unwrap_or(0);
            self.unlisted.add(total_bytes, found.heap_bytes, !found.is_exact());
        }
    }

    pub(crate) const fn tensor_count(&self) -> u64 {
        self.tensors.count
    }

    pub(crate) fn device_readings(&self, claims: Option<&Claims>) -> Vec<DeviceReading> {
        self.tensors.by_device(&self.devices(), claims)
    }

    pub(crate) fn devices(&self) -> Vec<(Device, u64)> {
        self.devices.iter().map(|(&device, &bytes)| (device, bytes)).collect()
    }

    pub(crate) fn names(
        &self,
        indexes: impl IntoIterator<Item = usize>,
        roots: &Roots,
    ) -> BTreeMap<usize, String> {
        let listed = self.listed.iter();
        let listed = listed.map(|((_, Reverse(index)), found)| (*index, found.name.clone()));
        let mut names: BTreeMap<usize, String> = listed.collect();
        for index in indexes {
            if let Some(name) = self.ids.get(index).and_then(|&id| roots.name(id)) {
                names.entry(index).or_insert_with(|| name.to_owned());
            }
        }
        names
    }

    /// Returns the roots in the order of registration, and the sum of the others.
    pub(crate) fn into_readings(self) -> (Vec<RootReading>, Option<UnlistedRoots>) {
        let unlisted = (self.unlisted.count > 0).then_some(self.unlisted);
        (self.into_listed().into_iter().map(Found::reading).collect(), unlisted)
    }

    /// Returns the listed roots, in the order of registration.
    fn into_listed(self) -> Vec<Found> {
        let mut listed: Vec<(Rank, Found)> = self.listed.into_iter().collect();
        listed.sort_unstable_by_key(|((_, Reverse(index)), _)| *index);
        listed.into_iter().map(|(_, found)| found).collect()
    }
}

const TENSORS_LISTED: usize = 10;

#[derive(Default)]
struct Tensors {
    count: u64,
    /// The largest tensors, largest first.
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

#[cfg(test)]
mod tests;
