//! The log of a captured subtree: the steps that made its nodes, and what it met that a merge cannot
//! repeat.

use crate::shape::Shape;
use crate::state::WalkState;
use core::hash::{Hash, Hasher};

/// The steps that made the nodes of a captured subtree, in order.
///
/// A merge repeats the steps in the other tree. The other tree may fold recursive types onto its own
/// nodes, or name other entries of a keyed map, so node numbers cannot be copied.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) steps: Vec<Step>,
    /// Addresses of blocks that later walks report again.
    pub(crate) addresses: Vec<usize>,
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

crate::keywords! {
    /// Something in a frozen value because of which every profile has to visit the value.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Obstacle {
        /// A handle to memory that has several handles, such as an `Arc`.
        SharedHandle => "shared handle",
        /// A handle to memory that has no other handle at the moment, or a weak handle.
        SingleHandle => "single handle",
        /// A cell or a lock.
        Guard => "cell or lock",
        /// A cell that is set once.
        OnceCell => "once cell",
        /// A reference that a field marked `follow` leads to.
        Reference => "followed reference",
        /// A tensor.
        Tensor => "tensor",
        /// A type marked `shareable`, whose values are compared with equal values.
        Shareable => "shareable",
        /// A map marked `keyed` whose entries cannot all have names here.
        KeyedMap => "keyed map",
        /// Values of recursive types whose paths depend on the place of the frozen value.
        Folded => "folded paths",
    }
}

impl Obstacle {
    /// Returns whether a subtree with this obstacle can have this use. Handles, cells and locks only
    /// matter later, because the program may change them.
    const fn allows(self, purpose: Purpose) -> bool {
        let may_change = matches!(self, Self::SingleHandle | Self::Guard | Self::OnceCell);
        matches!(purpose, Purpose::Merge) && may_change
    }
}

impl Step {
    /// Returns whether a keyed map made this step.
    pub(super) fn is_of_keyed_map(&self) -> bool {
        matches!(self, Self::KeyedMap { .. } | Self::Names { .. } | Self::Name { .. })
    }

    /// Returns the parts by which steps are compared.
    fn parts(&self) -> (u32, [usize; 3], &str) {
        match self {
            Self::Fields { node, shape, base } => {
                (*node, [0, core::ptr::from_ref(*shape).addr(), *base as usize], "")
            }
            Self::Keys { node, keys } => (*node, [1, *keys as usize, 0], ""),
            Self::Entry { node, name, entry } => (*node, [2, *entry as usize, 0], name),
            Self::KeyedMap { node, is_entry } => (*node, [3, usize::from(*is_entry), 0], ""),
            Self::Names { node, cap, len } => (*node, [4, *cap, *len], ""),
            Self::Name { node, name, cap } => (*node, [5, *cap, 0], name),
        }
    }
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Step {}

impl Hash for Step {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.parts().hash(hasher);
    }
}

impl Obstacles {
    /// Returns the first obstacle that rules out a use.
    pub(crate) fn first_against(self, purpose: Purpose) -> Option<Obstacle> {
        let is_met = |&obstacle: &Obstacle| self.0 & 1 << obstacle as u16 != 0;
        Obstacle::ALL.iter().copied().filter(is_met).find(|obstacle| !obstacle.allows(purpose))
    }
}

impl Log {
    pub(crate) fn new(purpose: Purpose) -> Self {
        Self { purpose, ..Self::default() }
    }

    pub(crate) fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Returns the obstacles that the walk met.
    pub(crate) fn obstacles(&self) -> Obstacles {
        self.obstacles
    }

    /// Records an obstacle. Returns whether it rules out the purpose of the subtree.
    pub(crate) fn note(&mut self, obstacle: Obstacle) -> bool {
        // The first obstacle stops the walk, and what it meets before it stops is no reason.
        if self.purpose == Purpose::Merge || self.obstacles == Obstacles::default() {
            self.obstacles.0 |= 1 << obstacle as u16;
        }
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
    #[cfg_attr(not(test), allow(dead_code, reason = "only estimates merge by a factor, and tests"))]
    pub(super) fn inherit_obstacles(&mut self, obstacles: Obstacles) {
        if let Some(log) = &mut self.log {
            log.obstacles.0 |= obstacles.0;
        }
    }
}
