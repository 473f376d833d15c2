//! The log of a captured subtree: the steps that made its nodes, and what it met that a merge cannot
//! repeat.

use crate::shape::Shape;
use crate::state::WalkState;

/// The steps that made the nodes of a captured subtree, in order.
///
/// A merge repeats the steps in the other tree. The other tree may fold recursive types onto its own
/// nodes, or name other entries of a keyed map, so node numbers cannot be copied.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) steps: Vec<Step>,
    obstacles: Obstacles,
    purpose: Purpose,
}

/// The use of a captured subtree. The walk stops at an obstacle that rules out this use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The subtree is merged once, right after it was captured.
    #[default]
    Merge,
    /// The subtree is also merged by later walks, instead of a visit of the values.
    Remember,
}

/// A set of obstacles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Obstacles(u16);

/// A step that made nodes, or read the tree.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A shape was met at a node, and its fields start at `base`.
    Fields { node: u32, shape: &'static Shape, base: u32 },
    /// The keys of a map at a node were met.
    Keys { node: u32, keys: u32 },
    /// An entry was added below a node.
    Entry { node: u32, name: Box<str>, entry: u32 },
    /// A keyed map was met, which depends on whether its node is an entry.
    KeyedMap { node: u32, is_entry: bool },
    /// A keyed map of `len` entries was met, and all of them can have names.
    Names { node: u32, cap: usize, len: usize },
    /// A keyed map named the next entry, because fewer than `cap` names existed.
    Name { node: u32, name: Box<str>, cap: usize },
}

/// Something that a walk met in a captured subtree, and that limits the use of the subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A handle to memory that has several handles.
    SharedHandle,
    /// A handle to memory that has no other handle at the moment, or a weak handle.
    SingleHandle,
    /// Contents of a cell or lock.
    Guard,
    /// Contents of a cell that is set once.
    OnceCell,
    /// A reference that was followed.
    Reference,
    /// A tensor.
    Tensor,
    /// A value that is compared with equal values.
    Shareable,
    /// A keyed map with more entries than names.
    Keyed,
    /// Positions whose nodes the other tree keeps apart, while the subtree has one node for both.
    Folded,
}

impl Obstacle {
    /// All obstacles.
    pub(crate) const ALL: [Self; 9] = [
        Self::SharedHandle,
        Self::SingleHandle,
        Self::Guard,
        Self::OnceCell,
        Self::Reference,
        Self::Tensor,
        Self::Shareable,
        Self::Keyed,
        Self::Folded,
    ];

    /// Returns whether a subtree with this obstacle can have this use. Handles, cells and locks only
    /// matter later, because the program may change them.
    const fn allows(self, purpose: Purpose) -> bool {
        let may_change = matches!(self, Self::SingleHandle | Self::Guard | Self::OnceCell);
        matches!(purpose, Purpose::Merge) && may_change
    }
}

impl Obstacles {
    /// Returns the first obstacle that rules out a use.
    pub(crate) fn first_against(self, purpose: Purpose) -> Option<Obstacle> {
        let is_met = |&obstacle: &Obstacle| self.0 & 1 << obstacle as u16 != 0;
        Obstacle::ALL.into_iter().filter(is_met).find(|obstacle| !obstacle.allows(purpose))
    }
}

impl Log {
    pub(crate) fn new(purpose: Purpose) -> Self {
        Self { purpose, ..Self::default() }
    }

    /// Returns the obstacles that the walk met.
    pub(crate) fn obstacles(&self) -> Obstacles {
        self.obstacles
    }

    /// Records an obstacle. Returns whether it rules out the purpose of the subtree.
    pub(crate) fn note(&mut self, obstacle: Obstacle) -> bool {
        self.obstacles.0 |= 1 << obstacle as u16;
        !obstacle.allows(self.purpose)
    }
}

impl WalkState {
    /// Logs a step, if the tree is to be merged into another one.
    #[inline]
    pub(crate) fn log_step(&mut self, step: Step) {
        if let Some(log) = &mut self.log {
            log.steps.push(step);
        }
    }

    /// Adds the obstacles of a subtree that is merged into a tree which is captured too.
    pub(super) fn inherit_obstacles(&mut self, obstacles: Obstacles) {
        if let Some(log) = &mut self.log {
            log.obstacles.0 |= obstacles.0;
        }
    }
}
