//! The kinds of walks: with a tree or without, observed, sampled, and over several values.

use super::Walk;
use crate::MemoryProfile;
use crate::observer::Observer;
use crate::position::Position;
use crate::sampling::Sampling;
use crate::state::WalkState;
use crate::watch::Watch;

impl<'a> Walk<'a> {
    /// Returns a walk that collects a tree.
    pub(crate) fn new() -> Self {
        Self { tree: Some(Box::new(WalkState::new())), ..Self::without_tree() }
    }

    /// Returns a walk that only computes the total, and that allocates nothing at first.
    #[inline]
    fn without_tree() -> Self {
        Self {
            tree: None,
            handles: None,
            total: 0,
            stack_limit: 0,
            watch: Watch::default(),
            sampling: None,
            work_list: Vec::new(),
            guards: 0,
            slices: Vec::new(),
            observer: None,
        }
    }

    /// Walks `root` completely and returns everything found.
    pub(crate) fn run<T: MemoryProfile + ?Sized>(root: &T) -> WalkState {
        Walk::new().walk_root(root)
    }

    /// Walks `root` like [`run`](Self::run), but the observer may stop the walk early.
    pub(crate) fn run_observed<T: MemoryProfile + ?Sized>(
        root: &T,
        observer: &mut dyn Observer,
    ) -> WalkState {
        let mut walk = Walk::new();
        walk.watch = Watch::begin(observer);
        walk.observer = Some(observer);
        walk.walk_root(root)
    }

    /// Walks `root` like [`run_observed`](Self::run_observed), but draws from large slices if the
    /// observer stops the walk.
    pub(crate) fn run_sampled<T: MemoryProfile + ?Sized>(
        root: &T,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> (WalkState, Sampling) {
        let mut walk = Walk::new();
        walk.state().root_type = root.type_name();
        walk.watch = Watch::begin_sampled(observer);
        walk.sampling = Some(Box::new(Sampling::new(seed)));
        walk.observer = Some(observer);
        walk.visit_root(root, Position::node(0));
        let sampling = walk.sampling.take();
        let sampling = sampling.map_or_else(|| Sampling::new(seed), |sampling| *sampling);
        (walk.finish(), sampling)
    }

    fn walk_root<T: MemoryProfile + ?Sized>(mut self, root: &'a T) -> WalkState {
        self.state().root_type = root.type_name();
        self.visit_root(root, Position::node(0));
        self.finish()
    }

    /// Walks several values like [`run`](Self::run), each below the root under its name.
    pub(crate) fn run_all<N: AsRef<str>>(
        values: impl Iterator<Item = (N, &'a (dyn MemoryProfile + 'a))>,
    ) -> WalkState {
        let mut walk = Walk::new();
        for (name, value) in values {
            let at = walk.entry(Position::node(0), name.as_ref());
            walk.visit_root(value, at);
        }
        walk.finish()
    }

    /// Walks `root` completely and returns the number of its bytes.
    #[inline]
    pub(crate) fn total_of<T: MemoryProfile + ?Sized>(root: &'a T) -> u64 {
        let mut walk = Walk::without_tree();
        walk.visit_root(root, Position::node(0));
        let total = walk.total;
        if walk.work_list.capacity() == 0 && walk.handles.is_none() {
            // The walk has nothing to free. `forget` saves a call that would check this again.
            core::mem::forget(walk);
        }
        total
    }

    /// Adds pending sums, splits inline bytes over fields, and returns the tree.
    fn finish(mut self) -> WalkState {
        self.state().end_sums();
        self.state().split_inline_bytes();
        self.state().mark_followed();
        self.state().count_duplicates();
        if self.is_stopped() {
            let state = self.state();
            let folds = state.folds();
            state.raise_unvisited(&folds);
        }
        self.tree.take().map_or_else(WalkState::new, |tree| *tree)
    }
}
