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
//! | What do handles share, and who keeps it alive? | [`Shared`], [`Holders`] |
//! | How does an impl report a framework's array? | [`Tensor`], [`Storage`] |
//! | How do I profile a type whose bytes another trait reports? | module `reported` |

use crate::MemoryProfile;
use crate::sampling::{DRAWS, Sampling, WaitingSlice};
use crate::shape::NodeId;
use crate::sharing::ContextId;
use crate::state::{Counter, Elements, Mark, Tally, WalkState};
use crate::words::{Device, LeafKind, OpaqueReason};
use core::hash::Hash;
use observer::{Hooks, Watch};
use values::Waiting;

pub(crate) mod observer;
#[cfg(feature = "get_size2_011")]
pub mod reported;
mod values;

pub use crate::attributes::Each;
pub use crate::attributes::Follow;
pub use crate::attributes::Keyed;
pub use crate::collected::Handles;
pub use crate::shape::{Field, Fields, Position, Shape};
pub use crate::sharing::{Holders, Shared};
pub use crate::tensor::{Storage, Tensor};
pub use observer::Observer;
pub(crate) use values::Counted;

/// The walk, through which values report what they own.
///
/// An impl states facts: allocations, values and handles. The walk limits the recursion, stops when
/// its [`Observer`] asks it to, and reports addresses.
///
/// # Cost
/// A leaf takes two or three additions. Nothing is allocated per value, because nodes are created
/// once per path.
#[must_use]
pub struct Walk<'a> {
    /// The tree, unless the walk only computes the total.
    pub(crate) tree: Option<Box<WalkState>>,
    /// The handles that a walk without a tree met, or `None` before the first one.
    handles: Option<Box<WalkState>>,
    /// The sum of all bytes, if there is no tree.
    total: u64,
    /// The address and the size of the current root.
    root: (usize, usize),
    /// The address below which the stack is used up.
    stack_limit: usize,
    pub(crate) watch: Watch,
    /// The sample so far, if the walk may draw from large slices.
    pub(crate) sampling: Option<Box<Sampling>>,
    hooks: Option<&'static Hooks>,
    /// Values to visit when the stack is shallow again.
    work_list: Vec<Waiting<'a>>,
    guards: usize,
    /// Slices that wait for the sample. Those behind guards are the last ones.
    pub(crate) slices: Vec<WaitingSlice<'a>>,
    pub(crate) observer: Option<&'a mut (dyn Observer + 'a)>,
}

/// # Bytes, fields and marks
impl Walk<'_> {
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
    fn known_state(&mut self) -> Option<&mut WalkState> {
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

    #[inline]
    fn add_to_total(&mut self, bytes: usize) {
        self.total = self.total.saturating_add(bytes as u64);
    }

    /// Adds estimated bytes. The profile is then no longer exact.
    pub fn estimated(&mut self, at: Position, kind: LeafKind, bytes: usize) {
        self.leaf(at, kind, bytes);
        self.mark(at, Mark::Estimated(kind, Device::Cpu), bytes as u64);
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

    /// Counts an allocation with reference counts and padding around a value.
    #[inline(never)]
    pub(crate) fn add_counts(&mut self, at: Position, counts: usize, padding: usize) {
        let Some(tree) = &mut self.tree else { return self.add_to_total(counts + padding) };
        let node = tree.node(at);
        node.add(Counter::Counts, counts);
        node.add(Counter::Padding, padding);
        node.add_allocations(1);
        tree.sharing.add(counts + padding);
    }

    /// Counts `count` allocations. Their bytes are added separately, as leaves.
    #[inline]
    pub fn count_allocations(&mut self, at: Position, count: usize) {
        if let Some(tree) = &mut self.tree {
            tree.node(at).add_allocations(count);
        }
    }

    /// Counts `count` values in a collection at a position.
    #[inline]
    pub fn count_values(&mut self, at: Position, count: usize) {
        if let Some(tree) = &mut self.tree {
            tree.node(at).add(Counter::Values, count);
        }
    }

    /// Counts `count` nodes of a tree or list at a position.
    #[inline]
    pub fn count_nodes(&mut self, at: Position, count: usize) {
        if let Some(tree) = &mut self.tree {
            tree.count(at, Counter::TreeNodes, count as u64);
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
    /// Costs a call, a load and a comparison, except the first time that the walk meets the shape
    /// at the position.
    #[inline]
    pub fn fields(&mut self, at: Position, shape: &'static Shape) -> Fields {
        // This is inlined, so that the shape is a constant at the field lookups.
        Fields::new(self.find_fields(at, shape), at, shape)
    }

    /// Returns the same positions as [`fields`](Self::fields), without a call if the walk last met
    /// the shape at the position. The derive uses this for enums that contain themselves, whose
    /// values each look up their positions.
    #[doc(hidden)]
    #[inline]
    pub fn fields_of_recursive(&mut self, at: Position, shape: &'static Shape) -> Fields {
        let tree = self.tree.as_mut();
        let base = tree.map_or(NodeId::ROOT, |tree| tree.first_field(at, shape));
        Fields::new(base, at, shape)
    }

    #[inline]
    fn find_fields(&mut self, at: Position, shape: &'static Shape) -> NodeId {
        self.check_recursion(Some(shape));
        self.tree.as_mut().map_or(NodeId::ROOT, |tree| tree.first_field_of_call(at, shape))
    }

    /// Returns the position of a map's keys, which is `[keys]` below the map's own position.
    #[inline]
    pub fn keys(&mut self, at: Position) -> Position {
        let Some(tree) = &mut self.tree else { return at };
        at.with_node(tree.keys(at))
    }

    /// Returns the position of the entry named `name`, which is a formatted key of a map.
    ///
    /// # Cost
    /// Costs a hash lookup. A new name at this position is copied.
    pub fn entry(&mut self, at: Position, name: &str) -> Position {
        let Some(tree) = &mut self.tree else { return at };
        let known = tree.find_entry(at, name);
        at.with_node(known.unwrap_or_else(|| tree.add_entry(at, name)))
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
        self.mark(at, Mark::Opaque(reason), 1);
    }

    #[cold]
    pub(crate) fn mark(&mut self, at: Position, mark: Mark, count: u64) {
        if let Some(tree) = &mut self.tree {
            let node = tree.number(at);
            tree.mark(node, mark, count);
        }
    }
}

impl core::fmt::Debug for Walk<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Walk")
            .field("paths", &self.tree.as_ref().map(|tree| tree.nodes.len()))
            .field("waiting", &self.work_list.len())
            .finish()
    }
}

impl<'a> Walk<'a> {
    pub(crate) fn new() -> Self {
        Self { tree: Some(Box::new(WalkState::new())), ..Self::without_tree() }
    }

    /// Allocates nothing at first.
    #[inline]
    fn without_tree() -> Self {
        Self {
            tree: None,
            handles: None,
            total: 0,
            root: (0, 0),
            stack_limit: 0,
            watch: Watch::default(),
            sampling: None,
            hooks: None,
            work_list: Vec::new(),
            guards: 0,
            slices: Vec::new(),
            observer: None,
        }
    }

    pub(crate) fn observed_by(observer: &'a mut (dyn Observer + 'a)) -> Self {
        let mut walk = Walk::new();
        walk.watch = Watch::begin(observer);
        walk.begin_trace(observer);
        walk.observer = Some(observer);
        walk
    }

    /// Keeps all handles from now on, if the observer wants them.
    fn begin_trace(&mut self, observer: &dyn Observer) {
        match observer.max_graph() {
            0 => {}
            limit => self.state().sharing.begin_trace(limit),
        }
    }

    /// Draws from large slices if the observer stops the walk.
    pub(crate) fn run_sampled<T: MemoryProfile + ?Sized>(
        root: &T,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> (Box<WalkState>, Sampling) {
        let mut walk = Walk::new();
        walk.state().root_type = root.type_name();
        walk.watch = Watch::begin_sampled(observer);
        walk.sampling = Some(Box::new(Sampling::new(seed)));
        walk.hooks = Some(&DRAWS);
        walk.begin_trace(observer);
        walk.observer = Some(observer);
        walk.visit_root(root, Position::ROOT);
        if walk.is_stopped() {
            walk.state().sharing.end_trace();
        }
        let sampling = walk.sampling.take();
        let sampling = sampling.map_or_else(|| Sampling::new(seed), |sampling| *sampling);
        (walk.finish(), sampling)
    }

    pub(crate) fn walk_root<T: MemoryProfile + ?Sized>(mut self, root: &'a T) -> Box<WalkState> {
        self.state().root_type = root.type_name();
        self.visit_root(root, Position::ROOT);
        self.finish()
    }

    /// Walks several values, each below the root under its name. Returns everything found, and the
    /// values' inline bytes.
    pub(crate) fn walk_all<N: AsRef<str>>(
        mut self,
        values: impl IntoIterator<Item = (N, &'a (dyn MemoryProfile + 'a))>,
    ) -> (Box<WalkState>, u64) {
        let mut shallow_bytes = 0;
        for (name, value) in values {
            let at = self.entry(Position::ROOT, name.as_ref());
            self.visit_root(value, at);
            shallow_bytes += size_of_val(value) as u64;
        }
        (self.finish(), shallow_bytes)
    }

    #[inline]
    pub(crate) fn total_of<T: MemoryProfile + ?Sized>(root: &'a T) -> u64 {
        let mut walk = Walk::without_tree();
        walk.visit_root(root, Position::ROOT);
        let total = walk.total;
        if walk.work_list.capacity() == 0 && walk.handles.is_none() {
            // The walk has nothing to free. `forget` saves a call that would check this again.
            core::mem::forget(walk);
        }
        total
    }

    fn finish(mut self) -> Box<WalkState> {
        let is_stopped = self.is_stopped();
        self.state().finish(is_stopped);
        self.tree.take().unwrap_or_else(|| Box::new(WalkState::new()))
    }
}

/// # Shared memory
impl Walk<'_> {
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
    /// Costs a lookup in a table of the shared memory met so far. Nothing is stored if there is a
    /// single handle.
    #[inline]
    pub fn shared(
        &mut self,
        at: Position,
        address: usize,
        strong: impl FnOnce() -> usize,
        visit: impl FnOnce(&mut Self, Position),
    ) {
        if self.record_handle(at, address) {
            return;
        }
        if let Some((inside, outer)) = self.enter_shared(at, address, strong()) {
            visit(self, inside);
            self.leave_shared(outer);
        }
    }

    /// Counts a handle if the walk already met the memory at `address`, and returns whether it did.
    ///
    /// This method, [`enter_shared`](Self::enter_shared) and [`leave_shared`](Self::leave_shared)
    /// do the same as [`shared`](Self::shared) without closures. Closures would add three functions
    /// per type.
    #[inline(never)]
    pub(crate) fn record_handle(&mut self, at: Position, address: usize) -> bool {
        let address = nonzero(address);
        let Some(state) = self.known_state() else { return false };
        let is_known = state.sharing.record_handle(address);
        if is_known && state.sharing.is_traced() {
            state.keep_handle(at, state.sharing.context(), address);
        }
        is_known
    }

    #[inline]
    pub(crate) fn prefetch_handle(&mut self, address: usize) {
        if let Some(state) = self.known_state() {
            state.sharing.prefetch_handle(address);
        }
    }

    /// Like [`record_handle`](Self::record_handle), but counts no handle inside shared memory.
    #[inline]
    pub(crate) fn record_handle_of_root(&mut self, at: Position, address: usize) -> bool {
        match &mut self.tree {
            Some(tree) => {
                let is_known = tree.sharing.record_handle_of_root(address);
                if is_known && tree.sharing.is_traced() {
                    tree.keep_handle(at, None, address);
                }
                is_known
            }
            None => match &mut self.handles {
                Some(handles) => handles.sharing.record_handle_of_root(address),
                None => false,
            },
        }
    }

    /// Returns the position of memory that `strong` handles keep alive, and the context to return
    /// to. Returns `None` if the walk already met the memory.
    #[expect(
        clippy::inline_always,
        reason = "because of rare other callers, the compiler would leave two calls for each allocation"
    )]
    #[inline(always)]
    pub(crate) fn enter_shared(
        &mut self,
        at: Position,
        address: usize,
        strong: usize,
    ) -> Option<(Position, ContextId)> {
        if strong == 1 {
            return Some((at, self.context()));
        }
        if let Some(hooks) = self.hooks.filter(|_| self.watch.uses_hook) {
            return (hooks.enter)(self, at, nonzero(address), strong);
        }
        if self.leaves_out_shared(at) {
            return None;
        }
        let (state, address) = (self.state(), nonzero(address));
        let outer = state.sharing.enter(address, strong)?;
        if state.sharing.is_traced() {
            state.keep_handle(at, outer, address);
        }
        let Some(tree) = &mut self.tree else { return Some((at, outer)) };
        let node = tree.shared_node(at, strong);
        Some((at.with_node(node), outer))
    }

    /// The bytes count in the current context. A walk without a tree does not need this.
    #[inline(never)]
    pub(crate) fn keep_by_weak(&mut self, at: Position, address: usize, weak: usize, bytes: usize) {
        let Some(tree) = &mut self.tree else { return };
        let node = tree.number(at);
        tree.sharing.keep_by_weak(nonzero(address), weak, bytes, node);
    }

    /// Notes a weak handle to an allocation whose value is alive.
    #[inline(never)]
    pub(crate) fn weak_handle(&mut self, at: Position, address: usize) {
        let Some(tree) = &mut self.tree else { return };
        let node = tree.number(at);
        tree.sharing.weak_handle(nonzero(address), node);
    }

    #[inline(never)]
    pub(crate) fn leave_shared(&mut self, outer: ContextId) {
        self.switch_context(outer);
    }

    pub(crate) fn context(&mut self) -> ContextId {
        self.known_state()?.sharing.context()
    }

    pub(crate) fn switch_context(&mut self, context: ContextId) -> ContextId {
        self.known_state()?.sharing.switch(context)
    }
}

/// Replaces the address 0, which marks a free lane in the table of shared memory, by the last
/// address, which no allocation has.
#[inline]
fn nonzero(address: usize) -> usize {
    if address == 0 { usize::MAX } else { address }
}

/// # Buffers
impl Walk<'_> {
    /// Adds one allocation of `capacity` bytes, `used` of them in use. Adds none if `capacity` is
    /// 0.
    ///
    /// The bytes not in use count as bytes that `shrink_to_fit` frees. If the type cannot shrink,
    /// add the leaves one by one instead.
    #[inline]
    pub fn allocation(&mut self, at: Position, used: usize, capacity: usize) {
        self.check_recursion(None);
        self.allocations(at, Tally::of(used.min(capacity), capacity));
    }

    /// Adds one allocation of a type that cannot shrink.
    pub(crate) fn fixed_allocation(&mut self, at: Position, used: usize, capacity: usize) {
        self.count_allocations(at, usize::from(capacity != 0));
        self.leaf(at, LeafKind::Data, used);
        self.leaf(at, LeafKind::Spare, capacity - used);
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
        match &mut self.tree {
            Some(tree) => tree.add_buffers(at, Elements::TEXT, tally),
            None => self.add_to_total(tally.capacity),
        }
    }

    #[inline]
    pub(crate) fn text(&mut self, at: Position, start: usize, used: usize, capacity: usize) {
        self.allocations(at, Tally::of(used, capacity));
        self.block_of(start, capacity);
    }

    /// The buffers include the inline bytes of the values, but not what they own.
    #[inline]
    pub(crate) fn buffers<T: MemoryProfile>(&mut self, at: Position, tally: Tally) {
        let elements = Elements { size: size_of::<T>(), shape: Some(T::shape) };
        match &mut self.tree {
            Some(tree) => tree.add_buffers(at, elements, tally),
            None => self.add_to_total(elements.bytes(tally)),
        }
    }

    /// Records allocations of `bytes` bytes in total, of which `shrink_to_fit` frees `freed`.
    #[inline]
    pub fn shrinkable(&mut self, at: Position, bytes: usize, freed: usize) {
        if let Some(tree) = &mut self.tree {
            tree.node(at).add_excess(bytes, freed);
        }
    }

    /// Records `bytes` bytes of tree nodes. Rebuilding the tree from its entries in order frees
    /// `freed` of them.
    #[inline]
    pub fn compactable(&mut self, at: Position, bytes: usize, freed: usize) {
        let Some(tree) = &mut self.tree else { return };
        tree.node(at).add(Counter::BufferBytes, bytes);
        if freed > 0 {
            tree.count(at, Counter::CompactableBytes, freed as u64);
        }
    }
}

impl Walk<'_> {
    /// Adds what a value owns, and records whether an equal value was met before.
    ///
    /// The derive calls this method for types marked `#[profile(shareable)]`. After an
    /// [`Observer`] stops the walk, this method no longer searches for equal
    /// values.
    ///
    /// # Cost
    /// Costs two hashes of the whole value, a table entry for each distinct value, and a record for
    /// each value that repeats one.
    pub fn shareable<T: Hash + ?Sized>(
        &mut self,
        at: Position,
        value: &T,
        owned: impl FnOnce(&mut Self),
    ) {
        let is_stopped = self.is_stopped();
        // A stopped walk does not hash the value, because hashing it takes as long as visiting it.
        let Some(tree) = self.tree.as_mut().filter(|_| !is_stopped) else {
            owned(self);
            return;
        };
        let outer = tree.enter_shareable(at, value);
        owned(self);
        self.switch_context(outer);
    }
}

/// # Arrays of frameworks
impl Walk<'_> {
    /// Adds a tensor, and the bytes of its storage unless the walk already met a tensor in the same
    /// storage.
    ///
    /// The bytes of the tensor do not include the inline bytes of the value, such as its handle and
    /// its shape. [`Tensor`] has an example.
    ///
    /// # Cost
    /// Costs a call of [`shared`](Self::shared) if there is a storage, and an update of the largest
    /// tensors.
    pub fn tensor(&mut self, at: Position, tensor: &Tensor<'_>) {
        if let Some(tree) = &mut self.tree {
            let node = tree.number(at);
            tree.tensors.add(node, tensor);
        }
        let Some(storage) = tensor.storage else {
            self.bytes_of(at, tensor, tensor.bytes);
            return;
        };
        let handles = || storage.handles.unwrap_or(0);
        self.shared(at, identity(storage.address, tensor.device), handles, |walk, at| {
            if tensor.device == Device::Cpu {
                walk.block_of(storage.address, storage.bytes);
            }
            walk.bytes_of(at, tensor, storage.bytes);
        });
    }

    fn bytes_of(&mut self, at: Position, tensor: &Tensor<'_>, bytes: usize) {
        self.bytes_on(at, tensor.device, bytes);
        if tensor.estimated {
            self.mark(at, Mark::Estimated(LeafKind::Data, tensor.device), bytes as u64);
        }
    }

    /// Adds one allocation of `bytes` bytes of data in a device's memory.
    ///
    /// ```
    /// use memprof::tree::Device;
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A buffer on a GPU, by its handle.
    /// struct Buffer { bytes: usize }
    ///
    /// impl MemoryProfile for Buffer {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         walk.bytes_on(at, Device::Cuda(1), self.bytes);
    ///     }
    /// }
    ///
    /// let profile = Profile::of(&Buffer { bytes: 4096 });
    /// assert_eq!(profile.devices(), [(Device::Cpu, 8), (Device::Cuda(1), 4096)]);
    /// ```
    pub fn bytes_on(&mut self, at: Position, device: Device, bytes: usize) {
        self.count_allocations(at, usize::from(bytes != 0));
        self.add_on_device(at, device, bytes);
    }

    /// Adds bytes of data in a device's memory, without counting an allocation.
    pub(crate) fn add_on_device(&mut self, at: Position, device: Device, bytes: usize) {
        match &mut self.tree {
            Some(tree) if device != Device::Cpu => {
                tree.sharing.add(bytes);
                let node = tree.number(at);
                tree.mark(node, Mark::OnDevice(device), bytes as u64);
            }
            // A walk without a tree adds the bytes of all devices to one sum.
            _ => self.leaf(at, LeafKind::Data, bytes),
        }
    }
}

/// The numbers for equal addresses on two devices differ in bits that no address uses.
fn identity(address: usize, device: Device) -> usize {
    let device = match device {
        Device::Cpu => 0,
        Device::Cuda(number) => 3 * (usize::from(number) + 1),
        Device::Metal(number) => 3 * (usize::from(number) + 1) + 1,
        Device::Nvml(number) => 3 * (usize::from(number) + 1) + 2,
        Device::Mmap => 1,
    };
    address ^ device.rotate_right(usize::BITS.div_ceil(4))
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod tensor_tests;
