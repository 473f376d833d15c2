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
//! | How does a function profile a type of another crate? | [`foreign!`](crate::walk::foreign) |
//! | How does a function profile each element of a collection? | [`Each`] |
//! | What do handles share? | [`Shared`] |
//! | How does an impl report an array of a framework? | [`Tensor`], [`Storage`] |
//! | How is a type profiled whose bytes another trait reports? | module `reported` |

mod equal;
mod finish;
mod observed;
#[cfg(feature = "get_size2_011")]
pub mod reported;
mod shared_buffers;
mod subtree;
mod tensors;
mod values;
mod weighted;

pub use crate::each::Each;
pub use crate::follow::Follow;
pub use crate::foreign;
pub use crate::keyed::Keyed;
pub use crate::observer::Observer;
pub use crate::position::{Fields, Position};
pub use crate::shape::{Field, Shape};
pub use crate::sharing::Shared;
pub use crate::tensor::{Storage, Tensor};

use crate::MemoryProfile;
use crate::device::Device;
use crate::frame::LeafKind;
use crate::frozen::{Obstacle, Remembered, Waiting};
use crate::layout::Deferred;
use crate::opaque::OpaqueReason;
use crate::position::MAX_DEPTH;
use crate::sampling::{KnownAllocations, SamplePlan, Sampling};
use crate::shape::Inline;
use crate::sharing::ROOT;
use crate::state::{ApartBranches, Elements, NO_NODE, PendingSum, WalkState};
use crate::tally::Tally;
use crate::watch::Watch;

/// The largest number of guards (of locks and cells) held at the same time. Contents behind more
/// guards are `[opaque]`.
pub(crate) const MAX_GUARDS: u32 = 128;

/// The maximum number of pointer edges followed by recursion from the work list of a guard.
///
/// The work lists of all guards are processed on one stack. With 64 levels each they would need 3
/// MiB in a debug build, which is more than the default stack of a thread.
const MAX_DEPTH_GUARDED: u32 = 8;

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
    /// The number of guards held at the moment.
    pub(crate) guards: u32,
    pub(crate) watch: Watch,
    /// The estimates so far, if the walk visits a random sample of large slices.
    pub(crate) sampling: Option<Box<Sampling>>,
    /// Values to visit when the stack is shallow again.
    pub(crate) work_list: Vec<WorkItem<'a>>,
    /// The frozen values that the walk met inside the frozen value that it visits now, if there are
    /// any.
    pub(crate) waiting: Option<Box<Waiting<'a>>>,
    /// The frozen values that earlier walks met, if this walk remembers them.
    pub(crate) memory: Option<&'a mut Remembered>,
    pub(crate) observer: Option<&'a mut (dyn Observer + 'a)>,
}

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
            guards: 0,
            watch: Watch::default(),
            sampling: None,
            work_list: Vec::new(),
            waiting: None,
            memory: None,
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

    /// Walks `root` like [`run_observed`](Self::run_observed), but visits only a random sample of
    /// large slices. Returns `true` if the observer stopped the walk.
    pub(crate) fn run_sampled<T: MemoryProfile + ?Sized>(
        root: &T,
        plan: SamplePlan,
        known: KnownAllocations,
        observer: &mut dyn Observer,
    ) -> (WalkState, Sampling, bool) {
        let mut walk = Walk::new();
        walk.watch = Watch::begin_sampled();
        walk.sampling = Some(Box::new(Sampling::new(plan, known)));
        // A sum of the whole walk would have parts of different weights.
        walk.end_sums();
        walk.observer = Some(observer);
        root.pointee(&mut walk, Position::node(0));
        walk.drain();
        let sampling = walk.sampling.take();
        let new = || Sampling::new(plan, KnownAllocations::default());
        let sampling = sampling.map_or_else(new, |sampling| *sampling);
        let is_stopped = walk.is_stopped();
        (walk.finish(), sampling, is_stopped)
    }

    /// Returns the state of a sampled walk and the tree, if the walk has both.
    pub(crate) fn sampling_and_tree(&mut self) -> Option<(&mut Sampling, &mut WalkState)> {
        self.sampling.as_deref_mut().zip(self.tree.as_deref_mut())
    }

    /// Walks `root` like [`run_observed`](Self::run_observed), and reuses what earlier walks found in
    /// frozen values.
    pub(crate) fn run_remembering<T: MemoryProfile + ?Sized>(
        root: &T,
        memory: &mut Remembered,
        observer: Option<&mut dyn Observer>,
    ) -> WalkState {
        let mut walk = Walk::new();
        if let Some(observer) = observer {
            walk.watch = Watch::begin(observer);
            walk.observer = Some(observer);
        }
        memory.begin_walk(walk.watch.reports_addresses());
        walk.memory = Some(memory);
        walk.walk_root(root)
    }

    fn walk_root<T: MemoryProfile + ?Sized>(mut self, root: &'a T) -> WalkState {
        root.pointee(&mut self, Position::node(0));
        self.drain();
        let is_partial = self.is_stopped();
        if let Some(memory) = &mut self.memory {
            memory.end_walk(is_partial);
        }
        self.finish()
    }

    /// Walks several values like [`run`](Self::run), each below the root under its name.
    pub(crate) fn run_all<N: AsRef<str>>(
        values: impl Iterator<Item = (N, &'a (dyn MemoryProfile + 'a))>,
        apart: Option<ApartBranches>,
    ) -> WalkState {
        let mut walk = Walk::new();
        walk.state().apart = apart.map(Box::new);
        for (name, value) in values {
            let at = walk.entry(Position::node(0), name.as_ref());
            value.pointee(&mut walk, at);
            walk.drain();
        }
        walk.finish()
    }

    /// Walks several values without a tree. Returns the branches of the shared allocations that do
    /// not belong to a single value.
    pub(crate) fn find_apart(
        values: impl Iterator<Item = &'a (dyn MemoryProfile + 'a)>,
    ) -> ApartBranches {
        let mut walk = Walk::without_tree();
        let mut owners = Vec::new();
        for value in values {
            owners.push(walk.state().sharing.enter_owner());
            value.pointee(&mut walk, Position::node(0));
            walk.drain();
        }
        ApartBranches::new(walk.state().sharing.apart(&owners))
    }

    /// Walks `root` completely and returns the number of its bytes.
    #[inline]
    pub(crate) fn total_of<T: MemoryProfile + ?Sized>(root: &'a T) -> u64 {
        let mut walk = Walk::without_tree();
        root.pointee(&mut walk, Position::node(0));
        if walk.work_list.capacity() == 0 && walk.handles.is_none() && walk.waiting.is_none() {
            let total = walk.total;
            // The walk has nothing to free. `forget` saves a call that would check this again.
            core::mem::forget(walk);
            return total;
        }
        walk.total_at_end()
    }

    /// Returns the total after the root was visited. Only the unusual path moves the walk into a
    /// call: for a small value, moving the walk takes longer than visiting the value.
    #[cold]
    #[inline(never)]
    fn total_at_end(mut self) -> u64 {
        self.drain();
        self.add_windows();
        self.total
    }

    /// Adds shared buffers and splits inline bytes over fields, and returns the tree.
    fn finish(mut self) -> WalkState {
        self.complete();
        if self.is_stopped() && !self.is_sampled() {
            let state = self.state();
            let folds = state.folds();
            state.raise_unvisited(&folds);
        }
        self.tree.take().map_or_else(WalkState::new, |tree| *tree)
    }

    /// Returns the tree, or the handles of a walk without a tree.
    #[inline]
    pub(crate) fn state(&mut self) -> &mut WalkState {
        match &mut self.tree {
            Some(tree) => tree,
            None => self.handles.get_or_insert_with(|| Box::new(WalkState::new())),
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

    /// Adds one allocation of `capacity` bytes, `used` of them in use. Adds none if `capacity` is
    /// 0.
    ///
    /// The bytes not in use count as bytes that `shrink_to_fit` frees. If the type cannot shrink,
    /// add the leaves one by one instead.
    #[inline]
    pub fn allocation(&mut self, at: Position, used: usize, capacity: usize) {
        self.allocations(at, Tally::of(used.min(capacity), capacity));
    }

    /// Adds one buffer with room for `capacity` values of type `T`, of which `len` exist. Adds none
    /// if `capacity` is 0, or if values of `T` take no bytes.
    ///
    /// `start` is an address in the buffer. The buffer includes the inline bytes of the values, but
    /// not what they own. To add that too, call [`slice`](Self::slice) or [`values`](Self::values).
    ///
    /// ```
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A vector that a C library allocated.
    /// struct Foreign<T> { start: *const T, len: usize, capacity: usize }
    ///
    /// impl<T: MemoryProfile> MemoryProfile for Foreign<T> {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         walk.buffer(at, self.start, self.len, self.capacity);
    ///     }
    /// }
    ///
    /// let numbers = vec![1_u64, 2, 3];
    /// let foreign = Foreign { start: numbers.as_ptr(), len: 3, capacity: 4 };
    /// assert_eq!(Profile::of(&foreign).total_bytes(), 24 + 4 * 8);
    /// ```
    #[inline]
    pub fn buffer<T: MemoryProfile>(
        &mut self,
        at: Position,
        start: *const T,
        len: usize,
        capacity: usize,
    ) {
        if capacity == 0 || size_of::<T>() == 0 {
            self.count_values(at, len);
            return;
        }
        self.buffers::<T>(at, Tally::of(len, capacity.max(len)));
        self.block(start.addr());
    }

    /// Adds the byte buffers that a tally counted.
    #[inline]
    pub(crate) fn allocations(&mut self, at: Position, tally: Tally) {
        if self.tree.is_some() {
            self.accumulate(at, Elements::TEXT, tally);
        } else {
            self.add_to_total(tally.capacity);
        }
    }

    /// Adds the byte buffer of a text, which begins at `start`.
    #[inline]
    pub(crate) fn text(&mut self, at: Position, start: usize, used: usize, capacity: usize) {
        self.allocations(at, Tally::of(used, capacity));
        self.block_of(start, capacity);
    }

    /// Adds the buffers of `T` values that a tally counted.
    ///
    /// The buffers include the inline bytes of the values, but not what they own.
    #[inline]
    pub(crate) fn buffers<T: MemoryProfile>(&mut self, at: Position, tally: Tally) {
        if self.tree.is_some() {
            let elements = Elements { size: size_of::<T>(), inline: Some(T::inline) };
            self.accumulate(at, elements, tally);
        } else if tally.capacity != 0 {
            let bytes =
                (tally.capacity.max(tally.len) as u64).saturating_mul(size_of::<T>() as u64);
            self.total = self.total.saturating_add(bytes);
        }
    }

    /// Adds buffers to the pending sum of their node.
    #[inline]
    fn accumulate(&mut self, at: Position, elements: Elements, tally: Tally) {
        let Some(tree) = &mut self.tree else { return };
        if !tree.add_to_sum(at, elements, tally) {
            let Tally { allocations, len, capacity } = tally;
            self.begin_sum(at.node, elements.size, elements.inline, allocations, len, capacity);
        }
    }

    /// Begins a pending sum with buffers. The arguments are numbers, because the callers would
    /// write structs to the stack even if they do not call this.
    #[cold]
    #[inline(never)]
    fn begin_sum(
        &mut self,
        node: u32,
        size: usize,
        inline: Option<Inline>,
        allocations: usize,
        len: usize,
        capacity: usize,
    ) {
        let Some(tree) = &mut self.tree else { return };
        if len == 0 && capacity == 0 {
            return;
        }
        let (at, elements) = (Position::node(node), Elements { size, inline });
        let tally = Tally { allocations, len, capacity };
        if !tree.uses_sums() {
            self.add_buffers(at, elements, tally);
        } else if let Some(sum) = tree.begin_sum(at, elements, tally) {
            self.add_sum(sum);
        }
    }

    /// Adds all pending sums to the tree. From now on, buffers are added to the tree at once.
    pub(crate) fn end_sums(&mut self) {
        let Some(tree) = &mut self.tree else { return };
        for sum in tree.pending.end() {
            self.add_sum(sum);
        }
    }

    /// Adds a pending sum to the tree. Its bytes already count in the current context.
    fn add_sum(&mut self, sum: PendingSum) {
        let Some(tree) = &mut self.tree else { return };
        let context = tree.sharing.pause();
        self.add_buffers(sum.at(), sum.elements, sum.tally);
        if let Some(tree) = &mut self.tree {
            tree.sharing.resume(context);
        }
    }

    /// Adds buffers to the tree.
    #[inline]
    fn add_buffers(&mut self, at: Position, elements: Elements, tally: Tally) {
        let Some(tree) = &mut self.tree else { return };
        let Elements { size, inline } = elements;
        let Some(inline) = inline else { return tree.add_allocations(at, tally) };
        let Tally { allocations, len, capacity } = tally;
        let node = tree.node(at);
        node.values = node.values.saturating_add(len as u64);
        if capacity == 0 {
            return;
        }
        node.allocations += allocations as u64;
        let spare = capacity.saturating_sub(len).saturating_mul(size);
        node.add_bytes(LeafKind::Spare, spare);
        node.excess.add(capacity.saturating_mul(size), spare);
        tree.sharing.add(spare);
        inline(self, at, len);
    }

    /// Records allocations of `bytes` bytes in total, of which `shrink_to_fit` frees `freed`.
    #[inline]
    pub fn shrinkable(&mut self, at: Position, bytes: usize, freed: usize) {
        if let Some(tree) = &mut self.tree {
            tree.node(at).excess.add(bytes, freed);
        }
    }

    /// Records `bytes` bytes of tree nodes. Rebuilding the tree from its entries in order frees
    /// `freed` of them.
    #[inline]
    pub fn compactable(&mut self, at: Position, bytes: usize, freed: usize) {
        let Some(tree) = &mut self.tree else { return };
        tree.node(at).excess.add(bytes, 0);
        if freed > 0 {
            let compactable = &mut tree.rare(at).compactable;
            *compactable = compactable.saturating_add(freed as u64);
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
        if self.tree.is_some() {
            self.split_inline(at, shape, count);
        } else {
            let bytes = (shape.size as u64).saturating_mul(count as u64);
            self.total = self.total.saturating_add(bytes);
        }
    }

    #[inline(never)]
    fn split_inline(&mut self, at: Position, shape: &'static Shape, count: usize) {
        if let Some(kind) = shape.lump_kind() {
            self.leaf(at, kind, shape.size.saturating_mul(count));
        } else if let Some(tree) = &mut self.tree {
            let first = Position::node(tree.first_field(at, shape));
            tree.node(first).instances += count as u64;
            tree.sharing.add(shape.size * count);
        }
    }

    /// Adds the inline bytes of `count` values of `size` bytes each as one leaf.
    ///
    /// Pointers call this in [`inline`](MemoryProfile::inline). This function takes no shape,
    /// because a shape would add a table and two functions for every type pointed to.
    #[inline(never)]
    pub(crate) fn lump(&mut self, at: Position, kind: LeafKind, size: usize, count: usize) {
        self.leaf(at, kind, size.saturating_mul(count));
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
    /// assert_eq!(profile.to_string(), "Window  8 B  100.0 %   foreign\nnot exact: 1 foreign");
    /// ```
    #[cold]
    pub fn opaque(&mut self, at: Position, reason: OpaqueReason) {
        self.mark_opaque(at, reason, 1);
    }

    /// Follows a handle to memory that several handles may share, so that the memory counts once.
    ///
    /// `address` identifies the memory. `strong` returns the number of handles that keep it alive,
    /// or 0 if that is unknown. `visit` adds the memory's bytes, and is called only for the first
    /// handle met. The position passed to `visit` is the handle's own if there is a single handle,
    /// otherwise below `[shared]`.
    ///
    /// ```
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A texture whose handles a library counts.
    /// struct Texture { id: usize, bytes: usize, handles: usize }
    ///
    /// impl MemoryProfile for Texture {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         let bytes = self.bytes;
    ///         walk.shared(at, self.id, || self.handles, |walk, at| walk.allocation(at, bytes, bytes));
    ///     }
    /// }
    ///
    /// let textures = [(); 3].map(|()| Texture { id: 0xa0, bytes: 1000, handles: 3 });
    /// assert_eq!(Profile::of(&textures).total_bytes(), 3 * 24 + 1000);
    /// ```
    ///
    /// # Cost
    /// Takes a look-up in a table of the shared memory met so far. Nothing is stored if there is a
    /// single handle.
    #[inline]
    pub fn shared(
        &mut self,
        at: Position,
        address: usize,
        strong: impl FnOnce() -> usize,
        visit: impl FnOnce(&mut Self, Position),
    ) {
        if self.record_handle(address) {
            return;
        }
        if let Some((inside, outer)) = self.enter_shared(at, address, strong()) {
            visit(self, inside);
            self.leave_shared(outer);
        }
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

    /// If the walk already met the memory at an address, counts a handle to this memory. Returns
    /// whether the walk already met the memory.
    ///
    /// This method, [`enter_shared`](Self::enter_shared) and [`leave_shared`](Self::leave_shared)
    /// do the same as [`shared`](Self::shared) without closures. Closures would add three functions
    /// per type.
    #[inline(never)]
    pub(crate) fn record_handle(&mut self, address: usize) -> bool {
        let address = nonzero(address);
        self.known_state().is_some_and(|state| state.sharing.record_handle(address))
    }

    /// Counts a handle like [`record_handle`](Self::record_handle), but only in the most common
    /// case.
    #[inline]
    pub(crate) fn record_handle_fast(&mut self, address: usize) -> bool {
        match &mut self.tree {
            Some(tree) => tree.sharing.record_handle_fast(address),
            None => match &mut self.handles {
                Some(handles) => handles.sharing.record_handle_fast(address),
                None => false,
            },
        }
    }

    /// Returns the position of memory that `strong` handles keep alive, and the context to return
    /// to. Returns `None` if the walk already met the memory.
    #[inline]
    pub(crate) fn enter_shared(
        &mut self,
        at: Position,
        address: usize,
        strong: usize,
    ) -> Option<(Position, u32)> {
        self.note(if strong == 1 { Obstacle::SingleHandle } else { Obstacle::SharedHandle });
        if self.is_sampled() {
            return self.enter_sampled(at, nonzero(address), strong);
        }
        if strong == 1 {
            return Some((at, self.context()));
        }
        if self.leaves_out_shared(at) {
            return None;
        }
        let outer = self.state().sharing.enter(nonzero(address), strong)?;
        let Some(tree) = &mut self.tree else { return Some((at, outer)) };
        let handle = tree.position_by_policy(at, address);
        let node = tree.shared_node(handle, strong);
        Some((Position { node, depth: at.depth }, outer))
    }

    /// Returns to the context that was current before [`enter_shared`](Self::enter_shared).
    #[inline(never)]
    pub(crate) fn leave_shared(&mut self, outer: u32) {
        if self.is_drawing() {
            self.leave_drawn(outer);
        } else {
            self.switch_context(outer);
        }
    }

    /// Returns the current context.
    pub(crate) fn context(&mut self) -> u32 {
        self.known_state().map_or(ROOT, |state| state.sharing.context())
    }

    /// Makes a context the current one and returns the previous one.
    pub(crate) fn switch_context(&mut self, context: u32) -> u32 {
        self.known_state().map_or(ROOT, |state| state.sharing.switch(context))
    }

    /// Adds a value to the work list, because it is too deep to recurse into.
    #[cold]
    #[inline(never)]
    fn defer(&mut self, value: Deferred<'a>, at: Position) {
        let depth = if self.guards == 0 { 0 } else { MAX_DEPTH - MAX_DEPTH_GUARDED };
        let context = self.context();
        let factor = self.sampling.as_ref().map_or(1.0, |sampling| sampling.factor);
        let at = Position { node: at.node, depth };
        self.work_list.push(WorkItem { value, at, context, factor });
    }

    /// Adds everything that a guarded value owns. The walk visits all of it before the call
    /// returns, because the value only lives as long as its guard.
    pub fn guarded<T: MemoryProfile + ?Sized>(&mut self, value: &T, at: Position) {
        self.note(Obstacle::Guard);
        if let Some(mut nested) = Nested::begin(self, at) {
            value.owned(&mut nested.inner, at);
            nested.inner.drain();
        }
    }

    /// Adds what [`guarded`](Self::guarded) adds, and the value's inline bytes.
    pub fn guarded_pointee<T: MemoryProfile + ?Sized>(&mut self, value: &T, at: Position) {
        self.note(Obstacle::Guard);
        if let Some(mut nested) = Nested::begin(self, at) {
            value.pointee(&mut nested.inner, at);
            nested.inner.drain();
            return;
        }
        self.leaf(at, LeafKind::of_lump::<T>(), size_of_val(value));
    }

    pub(crate) fn drain(&mut self) {
        self.drain_to(0);
    }

    /// Visits the values on the work list, except the first `len` of them.
    pub(crate) fn drain_to(&mut self, len: usize) {
        while self.work_list.len() > len {
            let Some(WorkItem { value, at, context, factor }) = self.work_list.pop() else {
                return;
            };
            if self.is_drawing() {
                let outer = self.resume_draw((context, factor));
                value.visit(self, at);
                self.resume_draw(outer);
            } else {
                let outer = self.switch_context(context);
                value.visit(self, at);
                self.switch_context(outer);
            }
        }
    }

    /// Returns the number of values on the work list.
    pub(crate) fn work_list_len(&self) -> usize {
        self.work_list.len()
    }
}

/// Replaces the address 0, which marks a free lane in the table of shared memory, by the last
/// address, which no allocation has.
#[inline]
fn nonzero(address: usize) -> usize {
    if address == 0 { usize::MAX } else { address }
}

/// A walk with its own work list, for values that only live as long as a guard.
///
/// It takes what the outer walk collected and returns it when dropped, even during a panic.
struct Nested<'w, 'g> {
    outer: Outer<'w>,
    inner: Walk<'g>,
}

/// The fields that a nested walk takes from the outer walk and returns to it.
struct Outer<'w> {
    tree: &'w mut Option<Box<WalkState>>,
    handles: &'w mut Option<Box<WalkState>>,
    total: &'w mut u64,
    watch: &'w mut Watch,
    sampling: &'w mut Option<Box<Sampling>>,
}

impl<'w: 'g, 'g> Nested<'w, 'g> {
    fn begin(outer: &'w mut Walk<'_>, at: Position) -> Option<Self> {
        if outer.guards == MAX_GUARDS {
            outer.opaque(at, OpaqueReason::TooDeep);
            return None;
        }
        let Walk { tree, handles, total, guards, watch, sampling, observer, memory, .. } = outer;
        let mut inner = Walk {
            tree: tree.take(),
            handles: handles.take(),
            total: *total,
            guards: *guards + 1,
            watch: *watch,
            sampling: sampling.take(),
            work_list: Vec::new(),
            waiting: None,
            memory: memory.as_deref_mut(),
            observer: None,
        };
        if let Some(observer) = observer {
            inner.observer = Some(&mut **observer);
        }
        Some(Self { outer: Outer { tree, handles, total, watch, sampling }, inner })
    }
}

impl Drop for Nested<'_, '_> {
    fn drop(&mut self) {
        let Self { outer, inner } = self;
        *outer.tree = inner.tree.take();
        *outer.handles = inner.handles.take();
        *outer.total = inner.total;
        *outer.watch = inner.watch;
        *outer.sampling = inner.sampling.take();
    }
}

/// A value on the work list.
pub(crate) struct WorkItem<'a> {
    value: Deferred<'a>,
    at: Position,
    context: u32,
    /// The number of values that the value represents in a sampled walk.
    factor: f64,
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
