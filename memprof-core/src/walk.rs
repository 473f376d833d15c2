//! The walk, positions and shapes: the parts of an impl of
//! [`MemoryProfile`](trait@crate::MemoryProfile).
//!
//! | question | item |
//! |---|---|
//! | How does an impl add bytes? | [`Walk`] |
//! | Where does it add them? | [`Position`]; [`Fields`] for the fields of a struct |
//! | What are the fields of a type? | [`Shape`], [`Field`] |
//! | How does a map name its entries? | [`Keyed`] |
//! | How does a reference count what it points to? | [`Follow`] |
//! | How does a walk stop early? | [`Observer`] |
//! | How does a function profile each element of a collection? | [`Each`] |
//! | What do handles share? | [`Shared`] |
//! | How does an impl report an array of a framework? | [`Tensor`], [`Storage`] |
//! | How is a type profiled whose bytes another trait reports? | module `reported` |

mod buffers;
mod equal;
mod handles;
mod observed;
#[cfg(feature = "get_size2_011")]
pub mod reported;
mod run;
mod tensors;
mod values;
mod work_list;

pub use crate::each::Each;
pub use crate::follow::Follow;
pub use crate::keyed::Keyed;
pub use crate::observer::Observer;
pub use crate::position::{Fields, Position};
pub use crate::shape::{Field, Shape};
pub use crate::sharing::Shared;
pub use crate::tensor::{Storage, Tensor};

use work_list::Waiting;

use crate::device::Device;
use crate::frame::LeafKind;
use crate::opaque::OpaqueReason;
use crate::sampling::{Sampling, WaitingSlice};
use crate::state::{NO_NODE, WalkState};
use crate::watch::Watch;

/// The walk, through which values report what they own.
///
/// An impl states facts: allocations, values and handles. The walk limits the recursion, stops when
/// its [`Observer`] wants to stop, and reports addresses.
///
/// # Cost
/// A leaf takes two or three additions. Nothing is allocated per value, because nodes are made once
/// per path.
#[must_use]
pub struct Walk<'a> {
    /// The tree, unless the walk only computes the total.
    pub(crate) tree: Option<Box<WalkState>>,
    /// The handles that a walk without a tree met, or `None` before the first one.
    handles: Option<Box<WalkState>>,
    /// The sum of all bytes, if there is no tree.
    total: u64,
    /// The address below which the stack is used up.
    stack_limit: usize,
    pub(crate) watch: Watch,
    /// The sample so far, if the walk may draw from large slices.
    pub(crate) sampling: Option<Box<Sampling>>,
    /// Values to visit when the stack is shallow again.
    work_list: Vec<Waiting<'a>>,
    /// The number of guards on the work list.
    guards: usize,
    /// Slices that wait for the sample. Those behind guards are the last ones.
    pub(crate) slices: Vec<WaitingSlice<'a>>,
    pub(crate) observer: Option<&'a mut (dyn Observer + 'a)>,
}

/// # Bytes, fields and marks
impl Walk<'_> {
    /// Returns the state of a sampled walk and the tree, if the walk has both.
    pub(crate) fn sampling_and_tree(&mut self) -> Option<(&mut Sampling, &mut WalkState)> {
        self.sampling.as_deref_mut().zip(self.tree.as_deref_mut())
    }

    /// Returns the tree, or the handles of a walk without a tree.
    #[inline]
    pub(crate) fn state(&mut self) -> &mut WalkState {
        match &mut self.tree {
            Some(tree) => tree,
            None => self.handles.get_or_insert_with(|| Box::new(WalkState::of_total())),
        }
    }

    /// Returns the tree or the handles, or `None` if neither exists yet.
    #[inline]
    pub(crate) fn known_state(&mut self) -> Option<&mut WalkState> {
        self.tree.as_deref_mut().or(self.handles.as_deref_mut())
    }

    /// Adds `bytes` bytes of `kind` at a position.
    #[inline]
    pub fn leaf(&mut self, at: Position, kind: LeafKind, bytes: usize) {
        match &mut self.tree {
            Some(tree) => tree.add_leaf(at, kind, bytes),
            None => self.add_to_total(bytes),
        }
    }

    /// Adds bytes to the sum of a walk without a tree.
    #[inline]
    fn add_to_total(&mut self, bytes: usize) {
        self.total = self.total.saturating_add(bytes as u64);
    }

    /// Adds estimated bytes. The profile is then no longer exact.
    pub fn estimated(&mut self, at: Position, kind: LeafKind, bytes: usize) {
        self.leaf(at, kind, bytes);
        self.mark_estimated(at, kind, Device::Cpu, bytes);
    }

    /// Adds leaves, as estimates unless they are `certain`.
    pub(crate) fn leaves<const N: usize>(
        &mut self,
        at: Position,
        leaves: [(LeafKind, usize); N],
        certain: bool,
    ) {
        for (kind, bytes) in leaves {
            if !certain {
                self.estimated(at, kind, bytes);
            } else if bytes != 0 {
                self.leaf(at, kind, bytes);
            }
        }
        if !certain && leaves.iter().all(|&(_, bytes)| bytes == 0) {
            // A zero-byte estimate leaves no mark, but an emptied collection may keep memory.
            self.opaque(at, OpaqueReason::Foreign);
        }
    }

    /// Counts `count` allocations. Their bytes are added separately, as leaves.
    #[inline]
    pub fn count_allocations(&mut self, at: Position, count: usize) {
        if let Some(tree) = &mut self.tree {
            tree.node(at).allocations += count as u64;
        }
    }

    /// Counts `count` values in a collection at a position.
    #[inline]
    pub fn count_values(&mut self, at: Position, count: usize) {
        if let Some(tree) = &mut self.tree {
            let values = &mut tree.node(at).values;
            *values = values.saturating_add(count as u64);
        }
    }

    /// Counts `count` nodes of a tree or list at a position.
    #[inline]
    pub fn count_nodes(&mut self, at: Position, count: usize) {
        if let Some(tree) = &mut self.tree {
            tree.rare(at).tree_nodes += count as u64;
        }
    }

    /// Adds the inline bytes of `count` values, split over the shape's fields.
    #[inline]
    pub fn inline(&mut self, at: Position, shape: &'static Shape, count: usize) {
        match &mut self.tree {
            Some(tree) => tree.add_inline(at, shape, count),
            None => self.add_to_total(shape.size.saturating_mul(count)),
        }
    }

    /// Returns the positions of a shape's fields below a position.
    ///
    /// # Cost
    /// Takes a call, a load and a comparison, except the first time that the walk meets the shape
    /// at the position.
    #[inline]
    pub fn fields(&mut self, at: Position, shape: &'static Shape) -> Fields {
        // This is inlined, so that the shape is a constant at the field look-ups.
        Fields { base: self.find_fields(at, shape), depth: at.depth, owner: at.node, shape }
    }

    /// Returns the same positions as [`fields`](Self::fields), without a call if the walk last met
    /// the shape at the position. The derive uses this for enums that contain themselves, whose
    /// values each look up their positions.
    #[doc(hidden)]
    #[inline]
    pub fn fields_of_recursive(&mut self, at: Position, shape: &'static Shape) -> Fields {
        let base = self.tree.as_mut().map_or(0, |tree| tree.first_field(at, shape));
        Fields { base, depth: at.depth, owner: at.node, shape }
    }

    #[inline]
    fn find_fields(&mut self, at: Position, shape: &'static Shape) -> u32 {
        self.check_recursion(Some(shape));
        self.tree.as_mut().map_or(0, |tree| tree.first_field_of_call(at, shape))
    }

    /// Returns the position of a map's keys, which is `[keys]` below the map's own position.
    #[inline]
    pub fn keys(&mut self, at: Position) -> Position {
        let Some(tree) = &mut self.tree else { return at };
        let keys = tree.node(at).keys;
        let node = if keys == NO_NODE { tree.add_keys(at) } else { keys };
        Position { node, depth: at.depth }
    }

    /// Returns the position of the entry named `name`, which is a formatted key of a map.
    ///
    /// # Cost
    /// Takes a hash look-up. A new name at this position is copied.
    pub fn entry(&mut self, at: Position, name: &str) -> Position {
        let Some(tree) = &mut self.tree else { return at };
        let known = tree.find_entry(at, name);
        let node = known.unwrap_or_else(|| tree.add_entry(at, name));
        Position { node, depth: at.depth }
    }

    /// Marks contents at this position as opaque. The profile is then no longer exact.
    ///
    /// ```
    /// use memprof::tree::OpaqueReason;
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A window, whose memory the system keeps to itself.
    /// struct Window(u64);
    ///
    /// impl MemoryProfile for Window {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         walk.opaque(at, OpaqueReason::Foreign);
    ///     }
    /// }
    ///
    /// let profile = Profile::of(&Window(7));
    /// assert_eq!(profile.to_string(), "Window  ≥ 8 B  100.0 %   foreign\nnot exact: 1 foreign");
    /// ```
    #[cold]
    pub fn opaque(&mut self, at: Position, reason: OpaqueReason) {
        self.mark_opaque(at, reason, 1);
    }

    /// Marks `count` values at a position as opaque.
    #[cold]
    pub(crate) fn mark_opaque(&mut self, at: Position, reason: OpaqueReason, count: u64) {
        if let Some(tree) = &mut self.tree {
            tree.opaque(at, reason, count);
        }
    }

    /// Marks `bytes` bytes at a position as estimated.
    #[cold]
    pub(crate) fn mark_estimated(
        &mut self,
        at: Position,
        kind: LeafKind,
        device: Device,
        bytes: usize,
    ) {
        if let Some(tree) = &mut self.tree {
            tree.estimated(at, kind, device, bytes);
        }
    }
}

impl core::fmt::Debug for Walk<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Walk")
            .field("paths", &self.tree.as_ref().map(|tree| tree.len()))
            .field("waiting", &self.work_list.len())
            .finish()
    }
}

#[cfg(test)]
mod tests;
