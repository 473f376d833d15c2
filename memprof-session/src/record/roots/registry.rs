//! The roots of a session, and when each may be held again.

use super::budget::BudgetedWalk;
use super::walk::{RootWalk, Told};
use crate::document::RootState;
use crate::record::heap;
use core::panic::AssertUnwindSafe;
use memprof_core::{MemoryProfile, Opaque, Profile};
use std::collections::HashMap;
use std::panic::catch_unwind;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// A root that was registered.
pub(crate) struct Root {
    name: String,
    show: Box<dyn FnMut(&mut RootWalk<'_>) + Send>,
    /// Nanoseconds of the session before which it is spared.
    spared_until_ns: u64,
}

impl Root {
    pub(crate) fn new(name: &str, show: impl FnMut(&mut RootWalk<'_>) + Send + 'static) -> Self {
        Self { name: name.to_owned(), show: Box::new(show), spared_until_ns: 0 }
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
        Self::new(name, move |walk| match value.upgrade() {
            Some(value) => walk.shared(&*value),
            None => walk.dropped(),
        })
    }
}

/// How a root was found in a snapshot.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) state: RootState,
    pub(crate) held: Duration,
    pub(crate) profile: Option<Profile>,
    pub(crate) heap_bytes: u64,
}

impl Found {
    /// Whether it is known what it holds, at least in part.
    pub(crate) fn is_seen(&self) -> bool {
        use RootState::{Dropped, Partial, Profiled};
        matches!(self.state, Profiled | Partial | Dropped)
    }
}

/// All roots, in the order in which they were registered.
#[derive(Default)]
pub(crate) struct Roots {
    roots: Vec<Root>,
    /// How often each name was given.
    names: HashMap<String, u32>,
}

/// A root that is held for long is left alone for so many times as long: it is held for at most a
/// hundredth of the time.
const SPARED: u32 = 99;

/// A root whose lock is held is asked again, so many times, with a pause.
const TRIES: usize = 3;
const PAUSE: Duration = Duration::from_micros(500);

impl Roots {
    /// Adds a root; the second one of a name is called `name (2)`.
    pub(crate) fn add(&mut self, mut root: Root) {
        let count = self.names.entry(root.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            root.name = format!("{} ({count})", root.name);
        }
        self.roots.push(root);
    }

    /// Takes the roots of a name away, and drops what they keep alive.
    pub(crate) fn remove(&mut self, name: &str) {
        let_go(self.roots.extract_if(.., |root| root.name == name).collect());
        self.names.remove(name);
    }

    /// Takes all of them away.
    pub(crate) fn clear(&mut self) {
        let_go(core::mem::take(&mut self.roots));
        self.names.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Profiles all roots. Those that were held for long are spared, unless `all` are wanted.
    ///
    /// `blocks` is told the number of a root, and an address within each block that it owns.
    pub(crate) fn profile(
        &mut self,
        at_ns: u64,
        budget: Duration,
        all: bool,
        mut blocks: Option<&mut dyn FnMut(usize, usize)>,
    ) -> Vec<Found> {
        let mut look = |number: usize, root: &mut Root| match &mut blocks {
            Some(blocks) => look(root, at_ns, budget, Some(&mut |address| blocks(number, address))),
            None => look(root, at_ns, budget, None),
        };
        let mut found: Vec<Found> = Vec::with_capacity(self.roots.len());
        for (number, root) in self.roots.iter_mut().enumerate() {
            let is_spared = !all && at_ns < root.spared_until_ns;
            found.push(if is_spared { spared(&root.name) } else { look(number, root) });
        }
        for _ in 1..TRIES {
            if found.iter().all(|found| found.state != RootState::Locked) {
                break;
            }
            std::thread::sleep(PAUSE);
            for (number, (root, found)) in self.roots.iter_mut().zip(&mut found).enumerate() {
                if found.state == RootState::Locked {
                    *found = look(number, root);
                }
            }
        }
        found
    }
}

/// Drops roots, and with them perhaps the last handle to a value of the program.
fn let_go(roots: Vec<Root>) {
    for root in roots {
        heap::recorded(|| drop(root));
    }
}

fn spared(name: &str) -> Found {
    Found {
        name: name.to_owned(),
        state: RootState::Spared,
        held: Duration::ZERO,
        profile: None,
        heap_bytes: 0,
    }
}

fn look(
    root: &mut Root,
    at_ns: u64,
    budget: Duration,
    mut blocks: Option<&mut dyn FnMut(usize)>,
) -> Found {
    let began = Instant::now();
    let wants_blocks = blocks.is_some();
    let mut tell = |address: usize| {
        if let Some(blocks) = &mut blocks {
            blocks(address);
        }
    };
    let told = catch_unwind(AssertUnwindSafe(|| {
        let blocks: Option<&mut dyn FnMut(usize)> =
            if wants_blocks { Some(&mut tell) } else { None };
        let walk = BudgetedWalk::new(budget, blocks);
        let mut walk = RootWalk::new(&root.name, walk);
        (root.show)(&mut walk);
        walk.tell()
    }));
    let held = began.elapsed();
    let rest = u64::try_from(held.saturating_mul(SPARED).as_nanos()).unwrap_or(u64::MAX);
    root.spared_until_ns = at_ns.saturating_add(rest);
    let name = root.name.clone();
    let Ok(Told { profile, heap_bytes, locked, dropped }) = told else {
        let state = RootState::Panicked;
        return Found { name, state, held, profile: None, heap_bytes: 0 };
    };
    let state = match &profile {
        _ if locked => RootState::Locked,
        None if dropped => RootState::Dropped,
        Some(profile) if is_partial(profile) => RootState::Partial,
        _ => RootState::Profiled,
    };
    Found { name, state, held, profile, heap_bytes }
}

/// Whether the walk of a profile was ended early.
fn is_partial(profile: &Profile) -> bool {
    let mut branches = profile.root().subtree();
    branches.any(|branch| branch.opaque().any(|(why, _)| why == Opaque::OutOfTime))
}
