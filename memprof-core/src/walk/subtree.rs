//! The capture of a subtree: values are visited into a tree of their own, which can be merged into
//! the tree of the walk.

use super::{MAX_GUARDS, Walk, WorkItem};
use crate::position::Position;
use crate::state::{Obstacle, Subtree, WalkState};
use crate::watch::Watch;

/// A walk into a tree of its own. The walk gets its tree and its work list back when this is
/// dropped, also during a panic.
struct Capture<'w, 'a> {
    walk: &'w mut Walk<'a>,
    tree: Option<Box<WalkState>>,
    work_list: Vec<WorkItem<'a>>,
    watch: Watch,
    guards: u32,
}

impl Walk<'_> {
    /// Visits values into a tree of their own, and returns the subtree. `visit` gets the position of
    /// the subtree's root, as deep as `at`. All values are visited before this returns, also those
    /// on the work list.
    ///
    /// # Errors
    /// Returns an obstacle if the subtree cannot be merged, or if too many captures and guards are
    /// nested. The values then have to be visited again. The walk must have a tree.
    pub(crate) fn capture(
        &mut self,
        at: Position,
        visit: impl FnOnce(&mut Self, Position),
    ) -> Result<Subtree, Obstacle> {
        if self.guards == MAX_GUARDS || self.tree.is_none() {
            return Err(Obstacle::Guard);
        }
        let capture = Capture::begin(self);
        visit(capture.walk, Position { node: 0, depth: at.depth });
        capture.walk.drain();
        capture.walk.end_sums();
        capture.walk.tree.as_mut().map_or(Err(Obstacle::Guard), |tree| Subtree::of(tree))
    }

    /// Records an obstacle, if the walk captures a subtree.
    #[inline]
    pub(crate) fn note(&mut self, obstacle: Obstacle) {
        if let Some(WalkState { log: Some(log), .. }) = self.tree.as_deref_mut() {
            // Later obstacles may come from values that the walk only met because it was stopping.
            log.obstacle.get_or_insert(obstacle);
            self.watch.stop_at_obstacle();
        }
    }
}

impl<'w, 'a> Capture<'w, 'a> {
    fn begin(walk: &'w mut Walk<'a>) -> Self {
        let mut captured = Box::new(WalkState::new());
        captured.log = Some(Box::default());
        let tree = walk.tree.replace(captured);
        let work_list = core::mem::take(&mut walk.work_list);
        let (watch, guards) = (walk.watch, walk.guards);
        // The captured values have their own work list. It is processed on the current stack, like
        // the work list of a guard.
        walk.guards += 1;
        Self { walk, tree, work_list, watch, guards }
    }
}

impl Drop for Capture<'_, '_> {
    fn drop(&mut self) {
        let Self { walk, tree, work_list, watch, guards } = self;
        walk.tree = tree.take();
        walk.work_list = core::mem::take(work_list);
        walk.guards = *guards;
        if walk.watch.is_obstructed() {
            walk.watch = *watch;
        }
    }
}
