//! The roots of a session, and the earliest time at which each may be walked again.

use super::budget::{BudgetedWalk, ReceivesBlocks};
use super::walk::{RootWalk, WalkResult, is_partial};
use crate::clock::nanoseconds;
use crate::deadline::Deadline;
use crate::heap::{self, Claims};
use crate::host_value::HostValue;
use crate::user_code::{Outcome, Patience, Running, UserCode, forget_panic};
use core::panic::AssertUnwindSafe;
use memprof_profile::large::Interval;
use memprof_profile::{MemoryProfile, Profile};
use memprof_recording::document::RootState;
use std::collections::{HashMap, HashSet};
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The closure that passes the values of a root to a walk.
type Show = Box<dyn FnMut(&mut RootWalk<'_>) + Send>;

/// A registered root.
pub(crate) struct Root {
    name: String,
    /// The name that the program gave it; another root may have the same one.
    given_name: String,
    show: Shown,
    is_weak: bool,
    last_walk: Option<LastWalk>,
}

/// The start of the last walk of a root, and the time for which the root was held.
#[derive(Clone, Copy)]
struct LastWalk {
    at_ns: u64,
    held: Duration,
}

/// The location of a root's closure.
enum Shown {
    Here(Show),
    /// The closure is on the thread that runs the program's code.
    Away {
        running: Running<Show, Found>,
        /// The time of the snapshot that requested it.
        at_ns: u64,
        /// `true` if that snapshot has stopped waiting.
        is_late: bool,
    },
    /// The closure was lost in a panic that could not be caught.
    Lost,
}

impl Root {
    pub(crate) fn new(name: &str, show: impl FnMut(&mut RootWalk<'_>) + Send + 'static) -> Self {
        Self {
            name: name.to_owned(),
            given_name: name.to_owned(),
            show: Shown::Here(Box::new(show)),
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
        let name = self.name.clone();
        let held = Duration::ZERO;
        Found { name, state, held, profile: None, interval: None, heap_bytes: 0 }
    }
}

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
    /// Returns `true` if the bytes of the root are known, at least in part.
    pub(crate) fn is_seen(&self) -> bool {
        use RootState::{Dropped, Partial, Profiled};
        matches!(self.state, Profiled | Partial | Dropped)
    }
}

/// All roots, in the order in which they were registered.
#[derive(Default)]
pub(crate) struct Roots {
    roots: Vec<Root>,
    /// The number of roots that got each name.
    names: HashMap<String, u32>,
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
const TRIES: usize = 3;
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

impl Roots {
    /// Adds a root; the second one of a name is called `name (2)`.
    pub(crate) fn add(&mut self, mut root: Root) {
        let count = self.names.entry(root.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            // The name is the program's memory, like the root.
            heap::recorded(|| root.name = format!("{} ({count})", root.name));
        }
        self.roots.push(root);
    }

    /// Removes the roots of this name and returns them.
    ///
    /// The caller drops them, which may drop the last handles to values of the program.
    pub(crate) fn remove(&mut self, name: &str) -> Vec<Root> {
        let removed = self.take(|root| root.name == name);
        self.forget_unused_names();
        removed
    }

    /// Removes all roots and returns them.
    pub(crate) fn clear(&mut self) -> Vec<Root> {
        self.names.clear();
        self.take(|_| true)
    }

    fn take(&mut self, which: impl Fn(&Root) -> bool) -> Vec<Root> {
        self.roots.extract_if(.., |root| which(root)).collect()
    }

    /// Removes the weak roots that the snapshot has reported as dropped.
    fn take_dropped(&mut self, found: &[Found]) -> Vec<Root> {
        let mut found = found.iter();
        let mut gone = Vec::new();
        for root in self.roots.extract_if(.., |root| {
            let state = found.next().map(|found| found.state);
            root.is_weak && state == Some(RootState::Dropped)
        }) {
            gone.push(root);
        }
        if !gone.is_empty() {
            self.forget_unused_names();
        }
        gone
    }

    /// Forgets names that no root has any more, so that the next root of that name gets no number.
    fn forget_unused_names(&mut self) {
        let used: HashSet<&str> = self.roots.iter().map(|root| &*root.given_name).collect();
        self.names.retain(|name, _| used.contains(&**name));
    }

    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Profiles the wanted roots. The others are not walked, and their state is `Spared`.
    ///
    /// Each root claims the blocks that it owns, under its number.
    pub(crate) fn profile(
        &mut self,
        at_ns: u64,
        limits: Limits,
        wanted: Wanted,
        claims: Option<&SharedClaims>,
        user_code: &mut UserCode,
    ) -> Vec<Found> {
        for root in &mut self.roots {
            root.take_back();
        }
        let patience = Patience::new(limits.root, limits.all);
        let looked: Vec<bool> = self.roots.iter().map(|root| root.is_due(at_ns, wanted)).collect();
        let mut found: Vec<Found> =
            self.roots.iter().map(|root| root.found(RootState::Spared)).collect();
        for tried in 0..TRIES {
            let is_tried = |number: usize| {
                if tried == 0 {
                    return looked[number];
                }
                let (root, found) = (&self.roots[number], &found[number]);
                found.state == RootState::Locked
                    || (root.is_due(at_ns, wanted) && root.is_back(found))
            };
            let numbers: Vec<usize> =
                (0..self.roots.len()).filter(|&number| is_tried(number)).collect();
            if numbers.is_empty() {
                break;
            }
            if tried > 0 {
                std::thread::sleep(PAUSE);
            }
            // Queue all roots at once, so that the thread that runs the program's code does not
            // wait for the session's thread between two roots.
            for &number in &numbers {
                self.roots[number].begin(at_ns, number, limits.walk, claims, user_code);
            }
            for number in numbers {
                found[number] = self.roots[number].end(patience, user_code);
            }
        }
        let dropped = self.take_dropped(&found);
        user_code.drop_values(dropped);
        found
    }
}

impl Root {
    /// Returns `true` if a snapshot at this moment walks the root.
    fn is_due(&self, at_ns: u64, wanted: Wanted) -> bool {
        self.last_walk.is_none_or(|LastWalk { at_ns: last_ns, held }| {
            at_ns >= last_ns.saturating_add(nanoseconds(held.saturating_mul(wanted.rest())))
        })
    }

    /// If a job of an earlier snapshot is done by now, takes the closure back from it.
    ///
    /// The job's result is dropped, because it belongs to an earlier moment.
    fn take_back(&mut self) {
        let Shown::Away { running, at_ns, is_late: true } = &self.show else { return };
        match UserCode::outcome(running) {
            Outcome::Done((show, found)) => {
                self.last_walk = Some(LastWalk { at_ns: *at_ns, held: found.held });
                self.show = Shown::Here(show);
            }
            Outcome::Gone => self.show = Shown::Lost,
            Outcome::Stuck | Outcome::Late => {}
        }
    }

    /// Returns `true` if a job of an earlier snapshot was done while this snapshot waited for it.
    fn is_back(&self, found: &Found) -> bool {
        found.state == RootState::NotReached && matches!(self.show, Shown::Here(_))
    }

    /// Starts profiling the root on the thread that runs the program's code. Starts nothing if an
    /// earlier job still has the root's closure.
    fn begin(
        &mut self,
        at_ns: u64,
        number: usize,
        budget: Duration,
        claims: Option<&SharedClaims>,
        user_code: &mut UserCode,
    ) {
        let show = match core::mem::replace(&mut self.show, Shown::Lost) {
            Shown::Here(show) => show,
            away_or_lost => {
                self.show = away_or_lost;
                return;
            }
        };
        let (name, claims) = (self.name.clone(), claims.cloned());
        let running = user_code.begin(move || {
            let mut show = show;
            let found = look(name, &mut show, budget, number, claims);
            (show, found)
        });
        self.show = Shown::Away { running, at_ns, is_late: false };
    }

    /// Waits for the job that was started.
    fn end(&mut self, patience: Patience, user_code: &mut UserCode) -> Found {
        let Shown::Away { running, at_ns, is_late } = &mut self.show else {
            return self.found(RootState::Panicked);
        };
        let state = match user_code.wait_for(running, patience) {
            Outcome::Done((show, found)) => {
                let was_late = *is_late;
                self.last_walk = Some(LastWalk { at_ns: *at_ns, held: found.held });
                self.show = Shown::Here(show);
                if !was_late {
                    return found;
                }
                RootState::NotReached
            }
            Outcome::Gone => {
                self.show = Shown::Lost;
                RootState::Panicked
            }
            Outcome::Stuck => {
                *is_late = true;
                RootState::Stuck
            }
            Outcome::Late => {
                *is_late = true;
                RootState::NotReached
            }
        };
        self.found(state)
    }
}

fn look(
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
        let state = RootState::Panicked;
        return Found { name, state, held, profile: None, interval: None, heap_bytes: 0 };
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
        Self { root, claims, addresses: Vec::with_capacity(Self::MAX) }
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
