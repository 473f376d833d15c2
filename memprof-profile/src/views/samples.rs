//! Values with any names and bytes, for tests of the views.

use crate::tree::{Device, KEYS, LeafKind, OpaqueReason};
use crate::walk::{Position, Tensor, Walk};
use crate::{MemoryProfile, Profile};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

#[derive(Debug, Default)]
pub(crate) struct Sample {
    name: String,
    leaves: Vec<(LeafKind, usize)>,
    estimated: Vec<(LeafKind, usize)>,
    opaque: Vec<OpaqueReason>,
    on_devices: Vec<(Device, usize)>,
    values: usize,
    allocations: usize,
    nodes: usize,
    /// The bytes of buffers, the bytes that shrinking frees, and the bytes that collecting frees.
    excess: (usize, usize, usize),
    children: Vec<Sample>,
}

impl Sample {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    pub(crate) fn data(name: &str, bytes: usize) -> Self {
        Self::new(name).leaf(LeafKind::Data, bytes)
    }

    pub(crate) fn leaf(mut self, kind: LeafKind, bytes: usize) -> Self {
        self.leaves.push((kind, bytes));
        self
    }

    pub(crate) fn estimated(mut self, kind: LeafKind, bytes: usize) -> Self {
        self.estimated.push((kind, bytes));
        self
    }

    pub(crate) fn opaque(mut self, reason: OpaqueReason) -> Self {
        self.opaque.push(reason);
        self
    }

    pub(crate) fn tensor(mut self, device: Device, bytes: usize) -> Self {
        self.on_devices.push((device, bytes));
        self
    }

    pub(crate) fn counts(mut self, values: usize, allocations: usize, nodes: usize) -> Self {
        (self.values, self.allocations, self.nodes) = (values, allocations, nodes);
        self
    }

    /// Sets the bytes that shrinking and collecting free from buffers of `whole` bytes.
    pub(crate) fn excess(mut self, whole: usize, shrinkable: usize, compactable: usize) -> Self {
        self.excess = (whole, shrinkable, compactable);
        self
    }

    /// Shrinking a buffer of `whole` bytes frees all of the leaf.
    pub(crate) fn spare(self, whole: usize, bytes: usize) -> Self {
        self.leaf(LeafKind::Spare, bytes).excess(whole, bytes, 0)
    }

    pub(crate) fn with(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    pub(crate) fn profile(&self) -> Profile {
        Profile::named(&self.name, self)
    }
}

impl MemoryProfile for Sample {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.leaves.iter().for_each(|&(kind, bytes)| walk.leaf(at, kind, bytes));
        self.estimated.iter().for_each(|&(kind, bytes)| walk.estimated(at, kind, bytes));
        self.opaque.iter().for_each(|&reason| walk.opaque(at, reason));
        for &(device, bytes) in &self.on_devices {
            walk.tensor(at, &Tensor::new(device, "u8", &[bytes], bytes).requires_grad(true));
        }
        walk.count_values(at, self.values);
        walk.count_allocations(at, self.allocations);
        walk.count_nodes(at, self.nodes);
        let (whole, shrinkable, compactable) = self.excess;
        walk.shrinkable(at, whole, shrinkable);
        walk.compactable(at, 0, compactable);
        for child in &self.children {
            let at = walk.entry(at, &child.name);
            child.owned(walk, at);
        }
    }

    /// Adds nothing for the value itself, so that a test sees only the bytes that it set.
    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.owned(walk, at);
    }
}

pub(crate) fn model() -> Profile {
    let matrix = Sample::new("matrix").leaf(LeafKind::Inline, 72).with([
        Sample::data("values", 64 << 20).counts(8 << 20, 1, 0),
        Sample::data("col_idx", 32 << 20).counts(8 << 20, 1, 0),
        Sample::data("row_ptr", 12 << 20).spare(16 << 20, 4 << 20).counts(3 << 20, 1, 0),
    ]);
    let variables = Sample::new("variables")
        .leaf(LeafKind::Nodes, 2 << 20)
        .leaf(LeafKind::Spare, 9 << 20)
        .excess(36 << 20, 0, 10 << 20)
        .counts(1_000_000, 90_911, 90_911)
        .with([
            Sample::new(KEYS).leaf(LeafKind::Inline, 8_000_000),
            Sample::data("name", 38 << 20).counts(0, 1_000_000, 0),
            Sample::data("lower", 8_000_000),
            Sample::data("upper", 8_000_000),
            Sample::data("kind", 1_000_000),
            Sample::data("fixed", 1_000_000),
        ]);
    let cache = Sample::data("cache", 24).opaque(OpaqueReason::Locked);
    let model = Sample::new("Model").leaf(LeafKind::Padding, 8);
    model.with([matrix, variables, cache, Sample::data("units", 112)]).profile()
}

fn tensors() -> Sample {
    let layer = |name| Sample::data(name, 80).tensor(Device::Cuda(1), 4096);
    Sample::data("", 8).tensor(Device::Cpu, 100).with([
        layer("first"),
        layer("second").tensor(Device::Cuda(0), 512),
        Sample::new("third").tensor(Device::Metal(0), 64),
    ])
}

pub(crate) fn values() -> Vec<Profile> {
    let unit = Arc::new(String::from("kWh"));
    let shared: Vec<_> = (0..100).map(|index| (unit.clone(), format!("row {index}"))).collect();
    let map: HashMap<_, _> =
        (0..100).map(|index| (format!("k{index}"), vec![0.5; index])).collect();
    let tree: BTreeMap<_, _> = (0..1000).map(|index| (index, (0_u8, index.to_string()))).collect();
    let locked = Mutex::new(vec![1_u8; 100]);
    let _guard = locked.lock();
    vec![
        model(),
        Profile::named("nothing", &()),
        Profile::named("number", &7_u64),
        Profile::named("shared", &shared),
        Profile::named("map", &map),
        Profile::named("tree", &tree),
        Profile::named("locked", &locked),
        Profile::named("tensors", &tensors()),
        Profile::named("estimate", &Sample::data("", 10).estimated(LeafKind::Table, 5)),
    ]
}

/// A value in a cycle of handles.
#[derive(Default)]
struct Cycle(RefCell<Option<Rc<Cycle>>>);

impl MemoryProfile for Cycle {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.owned(walk, at);
    }
}

/// Returns profiles with holders: with each kind of dominator, and without shared memory.
pub(crate) fn held() -> [Profile; 2] {
    let (block, outside) = (Arc::new([0; 100]), Arc::new([0; 10]));
    let inner = Arc::new(vec![block.clone(); 2]);
    let cycle = Rc::new(Cycle::default());
    *cycle.0.borrow_mut() = Some(cycle.clone());
    let value = (block, [inner.clone(), inner], outside.clone(), cycle);
    let held = Profile::with_holders("x", &value);
    value.3.0.take();
    [held, Profile::with_holders("text", "no handle")]
}
