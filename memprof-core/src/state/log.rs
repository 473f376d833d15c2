//! The log of a captured subtree: the steps that made its nodes, and the first obstacle to a merge.

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
    /// The first obstacle that the walk met. The obstacle stops the walk.
    pub(crate) obstacle: Option<Obstacle>,
}

/// A step that made nodes, or read the tree.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A shape was met at a node, and its fields start at `base`.
    Fields { node: u32, shape: &'static Shape, base: u32 },
    /// The keys of a map at a node were met.
    Keys { node: u32, keys: u32 },
    /// An entry was added below a node.
    Entry { node: u32, name: Box<str>, entry: u32 },
    /// A keyed map was met. If its node is itself an entry, the map's entries get no names.
    KeyedMap { node: u32, is_entry: bool },
    /// A keyed map of `len` entries was met, and all of them can have names.
    Names { node: u32, cap: usize, len: usize },
    /// A keyed map named the next entry, because fewer than `cap` names existed.
    Name { node: u32, name: Box<str>, cap: usize },
}

crate::keywords! {
    /// Something in a frozen value that forces every profile to visit the value.
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
        /// A reference in a field marked `follow`.
        Reference => "followed reference",
        /// A tensor.
        Tensor => "tensor",
        /// A type marked `shareable`, whose values are compared with equal values.
        Shareable => "shareable",
        /// A map marked `keyed` whose entries cannot all have names.
        KeyedMap => "keyed map",
        /// Values of recursive types whose paths depend on the position of the frozen value.
        Folded => "folded paths",
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

impl WalkState {
    /// Logs a step, if the tree is to be merged into another one.
    #[inline]
    pub(crate) fn log_step(&mut self, step: Step) {
        if let Some(log) = &mut self.log {
            log.steps.push(step);
        }
    }
}
