//! The roots of a session, and the earliest time at which each may be walked again.

use super::found::{Found, FoundRoots};
use super::walk::{BudgetedWalk, ReceivesBlocks, RootWalk, WalkResult, is_partial};
use crate::command::HostValue;
use crate::heap::{self, Claims};
use crate::time::Deadline;
use crate::time::nanoseconds;
use crate::user_code::{Answer, Lent, Patience, UserCode, forget_panic};
use core::panic::AssertUnwindSafe;
use memprof_profile::MemoryProfile;
use memprof_recording::document::RootState;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The closure that passes the values of a root to a walk.
type Show = Box<dyn FnMut(&mut RootWalk<'_>) + Send>;

/// A registered root.
pub(crate) struct Root {
    /// The name in snapshots, which no other root has.
    name: String,
    /// The name that the program gave it, if that is another one.
    given_name: Option<String>,
    /// Its job returns the time of the snapshot too.
    show: Lent<Show, (u64, Found)>,
    is_weak: bool,
    last_walk: Option<LastWalk>,
}

/// The last walk of a root.
#[derive(Clone, Copy)]
struct LastWalk {
    at_ns: u64,
    /// The time for which the root was held.
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

    /// Returns the bytes that the last walk found.
    pub(super) fn last_total_bytes(&self) -> u64 {
        self.last_walk.map_or(0, |walk| walk.total_bytes)
    }

    /// Notes a walk for a snapshot at `at_ns`.
    fn note_walk(&mut self, at_ns: u64, found: &Found) {
        let total_bytes = found.total_bytes().unwrap_or_else(|| self.last_total_bytes());
        self.last_walk = Some(LastWalk { at_ns, held: found.held, total_bytes });
    }
}

/// The number of a root, in the order in which roots were registered.
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
    /// The number of these roots.
    roots: usize,
    /// The number in the name of the last one.
    last_number: u32,
}

/// The roots that a snapshot walks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All roots.
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

/// The time limits for all roots of a snapshot.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The budget of each walk.
    pub(crate) walk: Duration,
    /// The time limit of each root. A root that takes longer is stuck.
    pub(crate) root: Duration,
    /// The deadline for all roots.
    pub(crate) all: Deadline,
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

    /// Removes the root of this name and returns it.
    ///
    /// The caller drops it, which may drop the last handle to a value of the program.
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

    /// Removes all roots and returns them.
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

    /// Returns the name of a root that is registered.
    pub(super) fn name(&self, id: RootId) -> Option<&str> {
        self.by_id.get(&id).map(|root| &*root.name)
    }

    /// Profiles the wanted roots. The others are not walked, and their state is `Spared`.
    ///
    /// Each root claims the blocks that it owns, under its index in [`FoundRoots::ids`].
    pub(crate) fn profile(
        &mut self,
        at_ns: u64,
        limits: Limits,
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
                    root.begin(at_ns, index, limits.walk, claims, user_code);
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
        budget: Duration,
        claims: Option<&SharedClaims>,
        user_code: &mut UserCode,
    ) {
        if self.show.is_here() {
            let (name, claims) = (self.name.clone(), claims.cloned());
            let walk =
                move |show: &mut Show| (at_ns, walk_root(name, show, budget, number, claims));
            self.show.begin(user_code, walk);
        }
    }

    /// Waits for the job that was started.
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
    budget: Duration,
    number: usize,
    claims: Option<SharedClaims>,
) -> Found {
    let began = Instant::now();
    let mut blocks = claims.map(|claims| Blocks::new(number, claims));
    let walked = catch_unwind(AssertUnwindSafe(|| {
        let blocks = blocks.as_mut().map(|blocks| blocks as &mut dyn ReceivesBlocks);
        let walk = BudgetedWalk::new(budget, blocks);
        let mut walk = RootWalk::new(&name, walk);
        show(&mut walk);
        walk.finish()
    }));
    if let Some(blocks) = &mut blocks {
        blocks.claim();
    }
    let held = began.elapsed();
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
}

impl ReceivesBlocks for Blocks {
    fn add(&mut self, address: usize) {
        self.addresses.push(address);
        if self.addresses.len() == Self::MAX {
            self.claim();
        }
    }
}
